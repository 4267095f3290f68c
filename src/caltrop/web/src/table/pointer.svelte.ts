/** Handles the pointer on the table: pointing, dragging units and models, and clicking. */
import { confirmsAlways } from "../lib/settings.svelte";
import type { Point } from "../wire/types";
import type { Camera } from "./camera.svelte";
import type { HexHand } from "./hexhand.svelte";
import type { Ruler } from "./ruler.svelte";
import type { Scene } from "./scene.svelte";

/** The thing that a press grabs: the dragged unit, the handle that turns it, or a unit that may be moved. */
type Handle = "ghost" | "turn" | number;

/** Pixels of movement that make a press a drag, and within which a click finds a place. */
const SLOP = 5;
const NEAR = 16;
/** Milliseconds after which a resting finger only describes what is under it, and chooses nothing. */
const RESTS = 450;

interface Hold {
  what: Handle;
  /** The model of the dragged unit. */
  ghost: string | null;
  /** The place at which the pointer was pressed, and the place of the grabbed thing at that time. */
  start: Point;
  origin: Point;
  x: number;
  y: number;
  /** True if the press has become a drag. */
  on: boolean;
}

/** The current mode of the pointer. */
export interface Manner {
  measuring: boolean;
  /** True if models are moved one by one. */
  singly: boolean;
  setModel: (id: string) => void;
}

function closest(target: EventTarget | null, name: string): string | null {
  return target instanceof Element ? (target.closest(`[data-${name}]`)?.getAttribute(`data-${name}`) ?? null) : null;
}

/** Return what a press on this element would drag; null for nothing. */
export function handleOf(target: EventTarget | null): Handle | null {
  const handle = closest(target, "drag");
  if (handle === null) return null;
  return handle === "ghost" || handle === "turn" ? handle : Number(handle);
}

export class Pointer {
  /** Return the unit under the pointer. */
  hovered = $state<number | null>(null);
  /** The terrain that was clicked, and the terrain under the pointer. */
  groundAt = $state<number | null>(null);
  groundUnder = $state<number | null>(null);

  /** True while a thing on the table is held. */
  holds = $state(false);
  /** A finger that has not moved: its place, and its timer. */
  private finger: { x: number; y: number; waits: ReturnType<typeof setTimeout> } | null = null;
  /** True if the finger has rested and only looked. */
  private looked = false;
  private held: Hold | null = null;
  private justDragged = false;
  /** The place at which the ruler was pressed; null if it was not pressed. */
  private measured: { x: number; y: number } | null = null;
  private ruling = false;

  constructor(
    private readonly scene: Scene,
    private readonly camera: Camera,
    private readonly ruler: Ruler,
    private readonly hexes: HexHand,
    private readonly manner: () => Manner,
  ) {}

  private onTable(event: { clientX: number; clientY: number }): Point {
    return this.scene.put(this.camera.under(event));
  }

  /** The pointer has left the table. */
  readonly leave = (): void => {
    // The description of the thing under a resting finger stays until the next touch.
    if (this.looked) return;
    this.hovered = null;
    this.groundUnder = null;
    this.hexes.under = null;
  };

  readonly over = (event: PointerEvent): void => {
    const { game, grid, placed } = this.scene;
    const mouse = event.pointerType === "mouse";
    const id = closest(event.target, "unit");
    const unit = id === null ? null : Number(id);
    this.hovered = unit;
    if (game.sight.looking && unit !== null && game.sight.sightings.some((one) => one.target === unit))
      game.sight.lookedAt = unit;
    const ground = mouse ? closest(event.target, "ground") : null;
    this.groundUnder = ground === null ? null : Number(ground);
    if (grid === null) return;
    const on = placed.find((group) => group.id === unit)?.pieces[0]?.at;
    const under =
      on === undefined
        ? (closest(event.target, "cell") ?? closest(event.target, "choice"))
        : (grid.at(on)?.name ?? null);
    this.hexes.under = mouse ? under : null;
  };

  readonly press = (event: PointerEvent): void => {
    const { picture } = this.scene;
    if (event.button !== 0 || !event.isPrimary) return;
    this.looked = false;
    if (event.pointerType === "touch") {
      this.lift();
      this.finger = { x: event.clientX, y: event.clientY, waits: setTimeout(() => (this.looked = true), RESTS) };
    }
    if (this.manner().measuring) {
      this.measured = { x: event.clientX, y: event.clientY };
      return;
    }
    const what = handleOf(event.target);
    if (what === null || picture === null) return;
    const ghost = closest(event.target, "ghost");
    this.camera.hold();
    const start = this.onTable(event);
    const origin = this.originOf(what, ghost, start, event.shiftKey);
    if (origin === null) return;
    if (what === "ghost" && ghost !== null && this.manner().singly) this.manner().setModel(ghost);
    this.held = { what, ghost, start, origin, x: event.clientX, y: event.clientY, on: false };
    this.holds = true;
  };

  /** Return the place of what is grabbed; null if it has none. */
  private originOf(what: Handle, ghost: string | null, start: Point, shift: boolean): Point | null {
    const { picture, draft, dragged, comes } = this.scene;
    if (typeof what === "number") return picture?.groups.find((one) => one.id === what)?.pieces[0]?.at ?? start;
    if (draft === null) return null;
    if (what === "turn") {
      const lead = dragged?.pieces[0];
      return (lead === undefined ? undefined : comes?.paths[lead.id]?.at(-1)) ?? draft.to ?? lead?.at ?? start;
    }
    if ((this.manner().singly || shift) && ghost !== null) return comes?.paths[ghost]?.at(-1) ?? start;
    return draft.to ?? start;
  }

  /** A resting finger opens no menu. */
  readonly menu = (event: Event): void => {
    if (this.finger !== null || this.looked) event.preventDefault();
  };

  /** The finger is lifted or has moved. */
  private lift(): void {
    clearTimeout(this.finger?.waits);
    this.finger = null;
  }

  readonly move = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    if (this.finger !== null && Math.hypot(event.clientX - this.finger.x, event.clientY - this.finger.y) >= SLOP) {
      this.lift();
      this.looked = false;
    }
    if (this.manner().measuring) {
      const { measured } = this;
      if (
        measured !== null &&
        !this.ruling &&
        Math.hypot(event.clientX - measured.x, event.clientY - measured.y) >= SLOP
      ) {
        this.ruling = true;
        this.ruler.begin(this.onTable({ clientX: measured.x, clientY: measured.y }));
      }
      this.ruler.follow(this.onTable(event));
    }
    const { draft, game } = this.scene;
    // A template follows the mouse until it is put down.
    if (
      this.held === null &&
      event.pointerType === "mouse" &&
      event.buttons === 0 &&
      draft?.region.form === "spot" &&
      !draft.held
    ) {
      const [x, y] = this.onTable(event);
      if (x >= 0 && y >= 0 && x <= this.scene.width && y <= this.scene.height)
        game.drag.shape({ to: [Math.round(x), Math.round(y)] });
    }
    if (this.held === null) return;
    if (!event.isPrimary) {
      this.held = null;
      return;
    }
    if (!this.held.on) {
      if (Math.hypot(event.clientX - this.held.x, event.clientY - this.held.y) < SLOP) return;
      this.held.on = true;
      event.currentTarget.setPointerCapture(event.pointerId);
      if (typeof this.held.what === "number" && !this.takeUp(this.held.what, this.held.origin)) {
        this.held = null;
        return;
      }
    }
    this.drag(this.held, this.onTable(event), event.shiftKey);
  };

  /** Begin to drag a unit, or to carry it. Return whether that is possible. */
  private takeUp(unit: number, at: Point): boolean {
    const { game, picture, draft } = this.scene;
    const start = game.choices.regionOf(unit, ["move", "place"]);
    const begins = start === undefined ? game.choices.startOf(unit) : null;
    if (begins !== null && !confirmsAlways()) {
      // The unit's first act is chosen, and the unit follows the pointer as soon as the answer arrives.
      game.choosing.choose(begins.decision, begins.offer);
    } else if (start?.region.unit !== unit && game.passTo(unit)) {
      // The unit follows the pointer as soon as the earlier drag has ended.
    } else if (start === undefined) {
      const group = picture?.groups.find((one) => one.id === unit);
      if (group === undefined || !this.scene.mayBeCarried(unit)) return false;
      if (game.selected !== unit) game.select(unit);
      this.hexes.carried = { group, at };
    } else if (draft === null || draft.region.unit !== unit) {
      if (game.selected !== unit) game.select(unit);
      game.drag.begin(start.decision, start.region);
    } else if (draft.to !== null) {
      game.drag.shape({ to: null, waypoints: [], models: {} });
    }
    return true;
  }

  private drag({ what, ghost, start, origin }: Hold, at: Point, shift: boolean): void {
    const { game, draft, dragged } = this.scene;
    if (typeof what === "number" && draft === null && this.hexes.carried === null) {
      if (game.choices.regionOf(what, ["move", "place"])?.region.unit !== what || !this.takeUp(what, origin)) return;
    }
    if (this.scene.draft !== null) this.scene.draft.held = true;
    if (what === "turn") {
      if (draft === null) return;
      const facing: Point = [Math.round(at[0] - origin[0]), Math.round(at[1] - origin[1])];
      const to = draft.to ?? dragged?.pieces[0]?.at ?? null;
      if (facing[0] !== 0 || facing[1] !== 0) game.drag.shape({ facing, to, models: {} });
      return;
    }
    const to: Point = [Math.round(origin[0] + at[0] - start[0]), Math.round(origin[1] + at[1] - start[1])];
    if (this.hexes.carried !== null) this.hexes.carried = { ...this.hexes.carried, at: to };
    else if (what === "ghost" && ghost !== null && (this.manner().singly || shift) && draft !== null)
      game.drag.nudge(ghost, to);
    else game.drag.shape({ to, models: {} });
  }

  readonly release = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    this.lift();
    if (this.looked) {
      this.justDragged = true;
      setTimeout(() => (this.justDragged = false), 0);
    }
    if (this.ruling) {
      // A ruler drawn in one gesture is fixed when the pointer is released.
      this.ruler.press(this.onTable(event));
      this.justDragged = true;
      setTimeout(() => (this.justDragged = false), 0);
    }
    this.measured = null;
    this.ruling = false;
    if (this.held?.on) {
      this.justDragged = true;
      setTimeout(() => (this.justDragged = false), 0);
      if (event.type === "pointerup" && typeof this.held.what === "number")
        void this.putDown(this.held, this.onTable(event), event.shiftKey);
      if (event.currentTarget.hasPointerCapture(event.pointerId))
        event.currentTarget.releasePointerCapture(event.pointerId);
    }
    this.held = null;
    this.holds = false;
    this.camera.letGo();
    if (event.type === "pointerup") this.hexes.putDown();
    this.hexes.carried = null;
  };

  /**
   * Handle a press on a unit in a list beside the table. If the pointer is drawn away, the unit is dragged onto the
   * table.
   */
  readonly pressOutside = (unit: number, event: PointerEvent): void => {
    if (event.button !== 0 || !event.isPrimary || event.pointerType === "touch" || this.manner().measuring) return;
    const hold: Hold = {
      what: unit,
      ghost: null,
      start: [0, 0],
      origin: [0, 0],
      x: event.clientX,
      y: event.clientY,
      on: false,
    };
    const move = (now: PointerEvent): void => {
      if (!hold.on && Math.hypot(now.clientX - hold.x, now.clientY - hold.y) < SLOP) return;
      if (!hold.on && !this.takeUp(unit, [0, 0])) {
        away();
        return;
      }
      hold.on = true;
      if (this.isOn(now)) this.drag(hold, this.onTable(now), now.shiftKey);
    };
    const up = (now: PointerEvent): void => {
      away();
      if (!hold.on) return;
      // The list receives no click from this press.
      addEventListener("click", stop, true);
      setTimeout(() => removeEventListener("click", stop, true), 0);
      if (now.type === "pointerup" && this.isOn(now)) void this.putDown(hold, this.onTable(now), now.shiftKey);
      else this.scene.game.plan.drop();
    };
    const stop = (click: Event): void => click.stopPropagation();
    const away = (): void => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  };

  private isOn(event: { clientX: number; clientY: number }): boolean {
    const [x, y] = this.onTable(event);
    return x >= 0 && y >= 0 && x <= this.scene.width && y <= this.scene.height;
  }

  /** A dragged unit is released. If it had to be taken up first, it is released as soon as the server has answered. */
  private async putDown(hold: Hold, at: Point, shift: boolean): Promise<void> {
    const { game } = this.scene;
    if (this.hexes.carried !== null) return;
    if (this.scene.draft === null) {
      await game.server.sent;
      this.drag(hold, at, shift);
    }
    if (shift && this.scene.draft !== null) this.scene.draft.careful = true;
    if (this.scene.draft?.region.unit === hold.what) game.drag.letGo();
  }

  readonly click = (event: MouseEvent): void => {
    const { game, picture, grid, draft } = this.scene;
    if (this.justDragged || this.looked || picture === null) return;
    const at = this.onTable(event);
    if (this.manner().measuring) {
      this.ruler.press(at);
      return;
    }
    const id = closest(event.target, "unit");
    const missed = id === null && draft === null && (event as Partial<PointerEvent>).pointerType === "touch";
    const unit = id !== null ? Number(id) : missed ? this.beside(at) : null;
    if (grid !== null && draft === null) {
      const cell = grid.at(at);
      this.hexes.leave();
      if (cell === null) game.select(null);
      else this.hexes.press(cell, unit);
    } else if (unit !== null && draft?.region.form !== "spot") {
      const meant = grid === null && draft?.form !== "region" ? game.choices.offerOnPiece(unit, at) : null;
      const model = game.choices.pickAt(unit, at);
      if (model !== null) game.choosing.pick(model);
      else if (meant !== null) game.choosing.choose(meant.decision, meant.offer);
      else this.scene.pressUnit(unit);
    } else if (handleOf(event.target) !== "ghost" || (draft !== null && !draft.held)) {
      this.pressPlace(at, closest(event.target, "ground"), event.shiftKey);
    }
  };

  /** Return the unit that a finger has narrowly missed, among those that can be taken up or aimed at. */
  private beside(at: Point): number | null {
    const { game, placed } = this.scene;
    const off = placed
      .filter(({ id }) => id !== game.selected && (game.choices.ready.has(id) || game.choices.targets.has(id)))
      .flatMap((group) =>
        group.pieces.map((piece) => ({
          id: group.id,
          far: Math.hypot(piece.at[0] - at[0], piece.at[1] - at[1]) - piece.radius,
        })),
      )
      .sort((a, b) => a.far - b.far)[0];
    return off !== undefined && off.far * this.camera.closeness < NEAR ? off.id : null;
  }

  /** Handle a click without a unit: take the offer there, or else send the selected unit there. */
  private pressPlace(at: Point, ground: string | null, shift: boolean): void {
    const { game, draft, picture } = this.scene;
    const near = draft?.region.form === "spot" ? [] : game.choices.offersOnSpot(at, NEAR / this.camera.closeness);
    if (near.length > 0) {
      const next = near[(near.findIndex(({ offer }) => game.plan.isChosen(offer)) + 1) % near.length];
      if (next !== undefined) game.choosing.choose(next.decision, next.offer, near.length > 1);
      return;
    }
    if (draft !== null) {
      const laid = draft.region.form === "spot" && !draft.held && !draft.turns;
      game.drag.goTo(at);
      if (laid) game.drag.letGo();
      return;
    }
    // A click sends the movable unit to the place. With Shift it becomes a waypoint.
    const { actor } = game.choices;
    const placed = (picture?.groups.find((group) => group.id === actor)?.pieces.length ?? 0) > 0;
    const region = game.choices.regionOf(
      actor,
      !placed ? undefined : game.selected === actor ? ["move", "spot"] : ["spot"],
    );
    if (region !== undefined) {
      game.drag.begin(region.decision, region.region, shift);
      game.drag.goTo(at);
      game.drag.letGo();
      return;
    }
    this.groundAt = ground === null || this.groundAt === Number(ground) ? null : Number(ground);
    if (ground === null) game.select(null);
  }
}
