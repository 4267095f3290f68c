/** Handles a map of hexes: moving the keyboard's cursor, pressing hexes and dragging units. */
import { saidOfHex } from "../lib/hexes";
import { middle } from "../lib/measure";
import type { Cell, Group, Point } from "../wire/types";
import type { Camera } from "./camera.svelte";
import type { Scene } from "./scene.svelte";

export class HexHand {
  /** Hex of the keyboard's cursor, and the vertical line that its arrows follow. */
  cursor = $state.raw<{ cell: Cell; along: number; fresh: boolean } | null>(null);
  /** The unit that is dragged. */
  carried = $state.raw<{ group: Group; at: Point } | null>(null);
  /** The hex under the pointer. */
  under = $state<string | null>(null);
  /** The hex that is described beside the map. */
  readonly shown = $derived.by(() => {
    const { picture, grid } = this.scene;
    const name =
      this.cursor?.cell.name ?? (this.carried === null ? this.under : (grid?.at(this.carried.at)?.name ?? null));
    const cell = picture?.cells.find((one) => one.name === name);
    return cell === undefined ? null : { cell, says: this.says(cell) };
  });

  constructor(
    private readonly scene: Scene,
    private readonly camera: Camera,
  ) {}

  /** Press a hex: choose the offer for it, or else select the units in it one after another. */
  press(cell: Cell, unit: number | null): void {
    const { game } = this.scene;
    const near = game.choices.offersOnSpot(cell.at, 1);
    const at = near.findIndex(({ offer }) => game.plan.isChosen(offer));
    const here = this.scene.standingIn(cell);
    const next = near[at + 1] ?? (here.length === 0 ? near[0] : undefined);
    if (next !== undefined) {
      game.choosing.choose(next.decision, next.offer, near.length > 1);
      return;
    }
    const after = here[(here.findIndex((group) => group.id === game.selected) + 1) % Math.max(here.length, 1)];
    const who = unit ?? after?.id;
    if (who !== undefined) this.scene.pressUnit(who);
    else if (game.unit !== null && this.scene.mayBeCarried(game.unit.id))
      void game.choosing.askWhyNot(game.unit.id, cell.at);
    else game.select(null);
  }

  /** Release the dragged unit: prepare the act that fits its place, or say why there is none. */
  putDown(): void {
    const { game, grid } = this.scene;
    if (this.carried === null) return;
    const { group, at } = this.carried;
    const cell = grid?.at(at) ?? null;
    if (cell === null || this.scene.standingIn(cell).some((one) => one.id === group.id)) return;
    const targets = new Set(this.scene.standingIn(cell).map((one) => one.id));
    const match =
      game.choices.offersOnSpot(cell.at, 1).find(({ offer }) => offer.unit === group.id) ??
      game.choices.offers.find(
        ({ offer }) => offer.unit === group.id && offer.target !== null && targets.has(offer.target),
      );
    const own = game.choices.offers.filter(({ offer }) => offer.unit === group.id);
    const [begins] = own;
    if (match !== undefined) game.choosing.choose(match.decision, match.offer);
    else if (
      begins !== undefined &&
      own.length === 1 &&
      targets.size === 0 &&
      this.scene.standsOn(group.id, begins.offer)
    ) {
      // The unit is ordered first, and moves when its destination is asked for.
      game.onward.later(group.id, cell.at);
      game.choosing.choose(begins.decision, begins.offer);
    } else void game.choosing.askWhyNot(group.id, cell.at);
  }

  /** Arrow keys move from hex to hex. Return whether the table has hexes. */
  step(dx: number, dy: number): boolean {
    const { game, grid, draft, width, height, put } = this.scene;
    if (grid === null || draft !== null) return false;
    const start = game.unit?.pieces[0]?.at ?? [width / 2, height / 2];
    const from = this.cursor?.cell ?? grid.nearest(start);
    const along = dx !== 0 || this.cursor === null ? null : this.cursor.along;
    const cell = grid.step(from, dx, dy, along ?? from.at[0]);
    this.cursor = { cell, along: along ?? cell.at[0], fresh: true };
    this.camera.bringIn(put(cell.at));
    return true;
  }

  /** Move the keyboard's cursor to a place, if it is a hex. */
  goTo(at: Point): void {
    const cell = this.scene.grid?.at(at);
    if (cell) this.cursor = { cell, along: cell.at[0], fresh: true };
  }

  /** The keyboard focus has left the hexes. */
  leave(): void {
    this.cursor = null;
  }

  /** Do what a click does, at the hex of the keyboard's cursor. Return whether anything was done. */
  pressHere(): boolean {
    const { game } = this.scene;
    if (this.cursor?.fresh !== true) return false;
    this.cursor = { ...this.cursor, fresh: false };
    const draftBefore = game.draft;
    const selectedBefore = game.selected;
    this.press(this.cursor.cell, null);
    return game.draft !== draftBefore || game.selected !== selectedBefore;
  }

  /** Describe a hex: the act that is possible there, the unit in it, and its terrain. */
  private says(cell: Cell): { name: string; words: string }[] {
    const { game, picture, grid } = this.scene;
    if (picture === null || grid === null) return [];
    const here = this.scene.standingIn(cell);
    return saidOfHex(
      cell,
      // The words of the chosen answer stand beside the table.
      game.choices
        .offersOnSpot(cell.at, 1)
        .map(({ offer }) => offer)
        .filter((offer) => !game.plan.isChosen(offer)),
      here,
      picture.spots.filter((spot) => grid.centredOn(spot.at) === cell),
      picture.grounds.filter((ground) => grid.centredOn(middle(ground.outline)) === cell),
      picture.seats,
    );
  }
}
