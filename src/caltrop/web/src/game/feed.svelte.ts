/** The game as it comes from the server: what has happened is shown act by act, as fast as the person wants. */
import { allOf } from "../lib/log";
import { keepLooked, lookedUpTo } from "../lib/looked";
import { currentPace, PACES } from "../lib/settings.svelte";
import { momentsOf } from "../wire/api";
import { inSteps, patched } from "../wire/changes";
import type { Change, LogEntry, View } from "../wire/types";
import type { Seats } from "./seats.svelte";
import type { Server } from "./server.svelte";

/** Milliseconds after which somebody who comes back is told what happened meanwhile. */
const AWAY = 120_000;

export class Feed {
  /** The game as it is now. */
  live = $state.raw<View | null>(null);
  /** An earlier moment that is looked at instead. */
  past = $state.raw<View | null>(null);
  readonly view = $derived(this.past ?? this.live);
  readonly watching = $derived(this.view !== null && this.view.you === null);
  /** What has happened and is not shown yet. */
  queue = $state.raw<Change[]>([]);
  /** What another has done, while it is shown. */
  told = $state.raw<LogEntry | null>(null);
  /** Whether the acts of others wait to be called up one by one. */
  paused = $state(false);
  /** After a pause: the last line that was seen before it. */
  missedAfter = $state<number | null>(null);
  /** The number of the last change heard of; nothing where the whole view is wanted. */
  last: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** The feed of the game *id*; *shown* hears of each view that is shown, and of the one before it. */
  constructor(
    private readonly id: string,
    private readonly server: Server,
    private readonly seats: Seats,
    private readonly shown: (before: View | null, view: View) => void,
  ) {}

  takeView(view: View): void {
    this.stopWaiting();
    this.queue = [];
    this.told = null;
    this.last = view.seq;
    const first = this.live === null;
    this.show(view);
    this.seats.eyes = view.you;
    this.seats.remember(view);
    if (first && view.you === null && view.act > 0 && view.seats.every((seat) => seat.player !== "person"))
      void this.watchFromTheBeginning(view);
  }

  /** Where computers play one another they are soon ahead of those who watch: what they did is shown in order. */
  private async watchFromTheBeginning(view: View): Promise<void> {
    const found = await momentsOf(this.id, [], null).catch(() => null);
    const opening = found?.moments[0];
    if (!found || !opening?.picture || this.live === null || this.queue.length > 0 || this.last !== view.seq) return;
    const acts = found.moments.filter((one) => one.act <= view.act).slice(1);
    this.live = { ...view, seq: 0, act: 0, picture: opening.picture, log: opening.lines, over: null, luck: [], gone: [] };
    const played: Change[] = acts.map((one, i) => ({
      type: "change",
      seq: i + 1,
      base: i,
      act: one.act,
      log: one.lines,
      ...(one.parts === null ? {} : { picture: one.parts }),
    }));
    const end: Change = { type: "change", seq: view.seq, base: played.length, over: view.over, ...(view.luck ? { luck: view.luck } : {}), gone: view.gone ?? [] };
    this.queue = [...played, end];
    this.pump();
  }

  takeChange(change: Change): void {
    if (this.last !== null && change.seq <= this.last) return;
    if (this.last !== null && change.base !== this.last) {
      this.last = null;
      this.server.refresh();
      return;
    }
    this.last = change.seq;
    // What this screen did itself is shown at once, unless something else must be shown before.
    if (this.queue.length === 0 && this.doneByOthers(change).length === 0) this.stopWaiting();
    this.queue = [...this.queue, ...inSteps(change)];
    if (this.timer === undefined && !this.holding()) this.pump();
  }

  /** Lay the next change over the view; what others do stays on the screen for a moment before the next. */
  private pump(): void {
    this.timer = undefined;
    const [change, ...rest] = this.queue;
    if (change === undefined || this.live === null) {
      this.told = null;
      return;
    }
    const next = patched(this.live, change);
    if (next === null) {
      this.last = null;
      this.server.refresh();
      return;
    }
    this.queue = rest;
    const theirs = this.doneByOthers(change);
    this.show(next);
    if (next.over !== null) this.seats.remember(next);
    const teller = theirs.findLast((entry) => entry.kind !== "Rolled") ?? theirs.at(-1);
    if (teller !== undefined) {
      this.told = teller.side === null || !this.movedByRules(teller.side) ? teller : { ...teller, text: allOf(theirs) };
      this.waitForNext();
    } else if (rest.length > 0) {
      if (!this.holding()) this.pump();
    } else {
      this.told = null;
    }
  }

  /** Whether nobody plays a side. */
  private movedByRules(side: number): boolean {
    return this.live?.seats.find((seat) => seat.side === side)?.player === "rules";
  }

  private waitForNext(): void {
    if (this.paused) return;
    this.timer = setTimeout(() => this.pump(), PACES[currentPace()]);
  }

  /** Whether the next change waits to be called up. */
  private holding(): boolean {
    const next = this.queue[0];
    return this.paused && next !== undefined && this.doneByOthers(next).length > 0;
  }

  /** Hold the acts of others, or let them go on. */
  pause(on: boolean): void {
    this.paused = on;
    this.stopWaiting();
    if (!on) this.pump();
  }

  /** The next act of the others. */
  step(): void {
    this.stopWaiting();
    this.pump();
  }

  private doneByOthers(change: Change): LogEntry[] {
    return (change.log ?? []).filter((entry) => entry.side !== null && !this.seats.mine.includes(entry.side));
  }

  stopWaiting(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Show all that has happened at once. */
  skip(): void {
    this.stopWaiting();
    for (const change of this.queue) {
      const next = this.live === null ? null : patched(this.live, change);
      if (next === null) break;
      this.queue = this.queue.slice(1);
      this.show(next);
      if (next.over !== null) this.seats.remember(next);
    }
    this.told = null;
  }

  private show(view: View): void {
    const before = this.live;
    this.live = view;
    const last = view.log.at(-1)?.n ?? 0;
    this.seats.sit(before, view);
    if (before === null && this.id !== "") {
      const looked = lookedUpTo(this.id, view.you);
      const others = view.log.some((entry) => entry.n > (looked?.n ?? 0) && entry.side !== null && entry.side !== view.you);
      if (looked !== null && view.you !== null && others && Date.now() - looked.at > AWAY) this.missedAfter = looked.n;
    }
    if (this.id !== "" && (before === null || before.log.at(-1)?.n !== last || before.you !== view.you))
      keepLooked(this.id, view.you, last);
    this.shown(before, view);
  }
}
