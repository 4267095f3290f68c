/** Keys at a table: undo and redo, confirm and cancel, arrows, and configurable letters. */
import type { Game } from "../game.svelte";
import { afterwards } from "../game/choices.svelte";
import type { Point } from "../wire/types";
import type { Desk } from "./desk.svelte";
import { calledOf, strengthWords } from "./called";
import { actOf } from "./keys.svelte";
import { centre, neighbour } from "./measure";

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
const SHAPES = ["keep", "line", "column", "wedge"];
/** Rotation of a formation for each key press. */
const TURN = Math.PI / 12;

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, select, textarea, dialog") !== null;
}

/** If the focus is on an answer that is already chosen, or on what follows it, Enter confirms the answer. */
function chosenAnswer(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest(':is([data-answer], [data-follow])[aria-pressed="true"]') !== null
  );
}

/** Press one of the answers that are listed in the panel, counted from 1. Return whether there is one. */
function pressAnswer(number: number): boolean {
  const all = document.querySelectorAll<HTMLElement>(".orders :is([data-answer], .able button, .regions button)");
  const answer = [...all].filter((one) => one.checkVisibility())[number - 1];
  answer?.focus();
  answer?.click();
  return answer !== undefined;
}

export class TableKeys {
  constructor(
    private readonly game: Game,
    private readonly desk: Desk,
  ) {}

  down(event: KeyboardEvent): void {
    const { game, desk } = this;
    if (event.defaultPrevented || typing(event.target) || desk.keys || desk.goal || desk.curtain !== null) return;
    const pressed = event.key;
    const control = event.ctrlKey || event.metaKey;
    if (control && pressed.toLowerCase() === "z") {
      event.preventDefault();
      void (event.shiftKey ? game.takeback.redo() : game.takeback.undo());
      return;
    }
    if (control || event.altKey) return;
    const onControl = event.target instanceof HTMLElement && event.target.closest("a, button, summary") !== null;
    const inLog = event.target instanceof HTMLElement && event.target.closest("[role=log]") !== null;
    const shows = game.feed.playing || game.feed.queue.length > 0;
    if (shows && (pressed === "Escape" || (pressed === " " && !onControl))) {
      event.preventDefault();
      game.feed.skip();
    } else if (pressed === "Escape") this.escape();
    else if (pressed === "Enter" && event.shiftKey) {
      event.preventDefault();
      void game.choosing.end(() => game.ahead.tells !== "");
    } else if (pressed === "Enter" && event.repeat) {
      // A key that is held down is one stroke: it cannot both choose an answer and confirm it.
      event.preventDefault();
    } else if (pressed === "Enter" && chosenAnswer(event.target) && !game.plan.aimedByPage) {
      event.preventDefault();
      void game.drag.confirm();
    } else if (pressed === "Enter" && !onControl) {
      if (desk.measuring) desk.board?.putDown();
      else if (game.feed.queue.length > 0 || game.feed.playing) game.feed.skip();
      else if (!desk.board?.pressHere() && !this.take()) void game.drag.confirm();
    } else if (pressed === "Backspace") {
      if (game.drag.back()) event.preventDefault();
    } else if (ARROWS[pressed] !== undefined && !inLog) {
      event.preventDefault();
      this.arrow(...ARROWS[pressed], event.shiftKey);
    } else if (/^[1-9]$/.test(pressed)) {
      if (desk.hand?.play(Number(pressed)) || pressAnswer(Number(pressed))) event.preventDefault();
    } else if (pressed === "+" || pressed === "=") desk.board?.zoomBy(1.4);
    else if (pressed === "-") desk.board?.zoomBy(1 / 1.4);
    else if (pressed === "0") desk.board?.zoomOut();
    else if (pressed === "?") {
      // The key must not be typed into the field that gets the focus.
      event.preventDefault();
      desk.keys = true;
    } else this.letter(pressed, event.shiftKey);
  }

  up(event: KeyboardEvent): void {
    if (actOf(event.key) === "reach") this.desk.enemyReach = false;
    if (actOf(event.key) === "names") this.desk.named = false;
  }

  /** Take up the selected unit, as a press on it does. Return whether a unit waits for that. */
  private take(): boolean {
    const { game } = this;
    const begins =
      game.draft !== null || game.choices.actor === null ? null : game.choices.startOf(game.choices.actor, true);
    if (begins !== null) game.choosing.choose(begins.decision, begins.offer);
    return begins !== null;
  }

  private escape(): void {
    const { game, desk } = this;
    if (desk.clause !== null) desk.clause = null;
    else if (desk.measuring) desk.measuring = false;
    else if (game.sight.looking) game.sight.looking = false;
    else if (game.draft !== null) game.plan.drop();
    else {
      game.select(null);
      desk.board?.leave();
    }
  }

  private letter(pressed: string, shift: boolean): void {
    const { game, desk } = this;
    const act = actOf(pressed);
    if (act === "next") {
      const next = game.nextReady(shift ? -1 : 1);
      if (next !== null) desk.board?.lookAt(next);
      desk.said =
        next === null
          ? "No unit can act"
          : `${calledOf(next)}${next.strength ? `, ${strengthWords(next)}` : ""}, may act`;
      desk.tab = "orders";
    } else if (act === "measure") desk.measuring = !desk.measuring;
    else if (act === "sight") game.sight.looking = !game.sight.looking;
    else if (act === "left") this.turn(TURN);
    else if (act === "right") this.turn(-TURN);
    else if (act === "shape") this.nextShape();
    else if (act === "follows") this.nextFollow(shift ? -1 : 1);
    else if (act === "singly") desk.singly = !desk.singly;
    else if (act === "reach") desk.enemyReach = true;
    else if (act === "names") desk.named = true;
    else if (act === "goal") desk.goal = game.view?.picture.goal !== undefined;
    else if (act === "orders") void desk.focus("orders", "#question", ".orders");
    else if (act === "inspect") void desk.focus("orders", "#unit");
    else if (act === "words") {
      desk.tellTable();
    } else if (act === "units") void desk.focus("units", '[data-row][tabindex="0"]');
  }

  /** Return the place where arrow keys begin: the unit's, or the middle of its side's zone. */
  private startOf(unit: number): Point {
    const picture = this.game.view?.picture;
    const group = picture?.groups.find((one) => one.id === unit);
    const piece = group?.pieces[0];
    if (piece !== undefined) return piece.at;
    const zone = picture?.zones.find((one) => one.side === group?.side) ?? picture?.zones[0];
    return zone === undefined ? [(picture?.width ?? 0) / 2, (picture?.height ?? 0) / 2] : centre(zone.outline);
  }

  /**
   * Move the active thing with an arrow key: the ruler, the cursor on a map, a model or a unit. Without an active
   * thing, go to the next unit.
   */
  private arrow(dx: number, dy: number, far: boolean): void {
    const { game, desk } = this;
    const picture = game.view?.picture;
    if (picture === undefined) return;
    const [right, upwards] = [dx, dy];
    if (game.seats.turned) [dx, dy] = [-dx, -dy];
    const step = picture.scale * (far ? 5 : 1);
    if (desk.measuring) {
      desk.board?.rule(dx * step, dy * step);
      return;
    }
    if (desk.board?.step(dx, dy)) return;
    const now = game.draft;
    const { model } = desk;
    if (now?.form === "region" && model !== null) {
      const stands = picture.groups.flatMap((one) => one.pieces).find((piece) => String(piece.id) === model)?.at;
      const from = game.plan.wouldStand[model] ?? stands;
      if (from !== undefined) game.drag.nudge(model, [from[0] + (dx * step) / 2, from[1] + (dy * step) / 2]);
      return;
    }
    const start = now?.form === "region" ? null : game.choices.regionOf(game.choices.actor);
    if (now?.form === "region" || start) {
      const draft = now?.form === "region" ? now : start ? game.drag.begin(start.decision, start.region) : null;
      if (draft === null) return;
      draft.held = true;
      draft.careful = true;
      const from = draft.to ?? this.startOf(draft.region.unit);
      const place =
        draft.to === null && draft.region.form !== "move" && (draft.region.unit < 0 || game.unit?.pieces.length === 0);
      game.drag.shape({
        to: place ? from : [Math.round(from[0] + dx * step), Math.round(from[1] + dy * step)],
        models: {},
      });
      return;
    }
    if (this.take()) {
      // The unit moves in the direction of the arrow as soon as its move is offered.
      void game.server.sent.then(() => {
        if (game.draft === null && game.choices.regionOf(game.choices.actor) !== undefined)
          this.arrow(right, upwards, far);
      });
      return;
    }
    const from = game.unit?.pieces.length ? centre(game.unit.pieces.map((piece) => piece.at)) : ([0, 0] as Point);
    const next = neighbour(picture.groups, from, dx, dy);
    if (next !== null) {
      game.select(next.id);
      desk.board?.lookAt(next);
    }
  }

  /** Turn the dragged unit. A unit that is only selected is picked up first. */
  private turn(angle: number): void {
    if (this.pickedUp()) this.game.drag.turn(angle);
  }

  private nextShape(): void {
    if (!this.pickedUp()) return;
    const now = this.game.draft;
    if (now?.form !== "region") return;
    now.careful = true;
    this.game.drag.shape({ shape: SHAPES[(SHAPES.indexOf(now.shape) + 1) % SHAPES.length] ?? "keep", models: {} });
  }

  /** Choose the next act to follow the prepared one. */
  private nextFollow(by: number): void {
    const { plan, drag, choosing } = this.game;
    const { draft, follows } = plan;
    const now = draft?.form === "region" ? draft.region : draft?.offer;
    if (!now || follows.length < 2) return;
    const at = follows.findIndex((one) => afterwards(one) === afterwards(now));
    const next = follows.at((at + by) % follows.length);
    if (next === undefined) return;
    if ("form" in next) drag.follow(next);
    else choosing.follow(next);
  }

  private pickedUp(): boolean {
    const { game } = this;
    if (game.draft?.form === "region") return true;
    const start = game.choices.regionOf(game.choices.actor, ["move", "place"]);
    if (start !== undefined) game.drag.begin(start.decision, start.region);
    return start !== undefined;
  }
}
