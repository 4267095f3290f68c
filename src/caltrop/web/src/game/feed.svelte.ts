/**
 * The state of the game as the server sends it. The state is current at once; the table follows act by act, at the pace
 * that the person chose.
 */
import { tick } from "svelte";

import { speakOfGame } from "../languages/speak";
import { allOf } from "../lib/log";
import { keepLooked, lookedUpTo } from "../lib/looked";
import { currentPace, lessMotion, RATES } from "../lib/settings.svelte";
import { cut, type Act } from "../motion/acts";
import { Film } from "../motion/film";
import { costliest, verdictOf } from "../motion/left";
import type { Stage } from "../motion/reel";
import { sound } from "../motion/sounds";
import { momentsOf } from "../wire/api";
import { inSteps, patched } from "../wire/changes";
import type { Change, LogEntry, View } from "../wire/types";
import type { Seats } from "./seats.svelte";
import type { Server } from "./server.svelte";

/** Milliseconds of absence after which a returning player gets a summary of events. */
const AWAY = 120_000;

/** Largest number of milliseconds that the turn of a side without a player takes, at the usual pace. */
const BY_RULES = 3800;

export class Feed {
  /** The current state of the game. Only the newest state decides which answers are possible. */
  truth = $state.raw<View | null>(null);
  /** The game as far as it is shown. */
  live = $state.raw<View | null>(null);
  /** An earlier moment that is being viewed instead. */
  past = $state.raw<View | null>(null);
  readonly view = $derived(this.past ?? this.live);
  readonly watching = $derived(this.view !== null && this.view.you === null);
  /** The acts of the moment that is being viewed. Traces of these acts stay on the table as long as the moment is
   * viewed. */
  happened = $state.raw<readonly Act[]>([]);
  /** The log line of the attack that is looked at among several of one moment; null for the last attack. */
  focus = $state<number | null>(null);
  /** The losses of that attack's target, in words; empty if it lost nothing. */
  readonly verdict = $derived(verdictOf(this.happened, this.focus));
  /** The step of the turn in which the viewed act happened, or the current step. */
  readonly turnStep = $derived(
    (this.past === null ? undefined : this.happened[0]?.before.stage) ?? this.view?.picture.stage ?? null,
  );
  /** Changes that have not been shown yet. */
  queue = $state.raw<Change[]>([]);
  /** The other side's act, while it is shown. */
  told = $state.raw<LogEntry | null>(null);
  /** True if the other side's acts wait to be shown one at a time. */
  paused = $state(false);
  /** True if an act is being played. */
  playing = $state(false);
  /** The past moment that the table moves to; null if it does not move. */
  showing = $state.raw<View | null>(null);
  /** The throw that is being shown, and whether its dice still fall; null if no act is played. */
  rolling = $state.raw<{ line: LogEntry; falls: boolean } | null>(null);
  /** True until the thrown dice lie on the table. Consequences of these acts are not shown before. */
  throwing = $state(false);
  /** The state before the latest state, if listeners have not been called for the latest yet because dice are thrown.
   * */
  private unheard: { before: View | null } | null = null;
  /** Number of the last log line that the player saw before a pause; null without one. */
  missedAfter = $state<number | null>(null);
  /** The side and the last log line that are stored as read. */
  private seen = "";
  /** Number of the latest change received; null to ask for the whole view. */
  last: number | null = null;
  /** The stage on which acts are played; without a stage acts are shown at once. */
  stage: Stage | null = null;
  private readonly film = new Film(() => this.stage);
  /** The view to show when the current act is over. */
  private toward: View | null = null;
  /** Remaining milliseconds for showing a turn that the rules play. */
  private left = BY_RULES;
  /** True if the current act was stopped in the middle. */
  private held = false;
  /** True if others have acted since this player was last told that it is their turn. */
  private othersActed = false;

  /** Create the feed of the game *id*. *heard* is called with each new state and the previous state. */
  constructor(
    private readonly id: string,
    private readonly server: Server,
    private readonly seats: Seats,
    private readonly heard: (before: View | null, view: View) => void,
  ) {}

  takeView(view: View): void {
    this.halt();
    this.throwing = false;
    this.unheard = null;
    this.queue = [];
    this.told = this.rolling = null;
    this.last = view.seq;
    const first = this.live === null;
    const before = this.truth;
    this.truth = view;
    this.show(view);
    this.seats.eyes = view.you;
    this.seats.remember(view);
    this.heard(before, view);
    if (first && view.you === null && view.act > 0 && view.seats.every((seat) => seat.player !== "person"))
      void this.watchFromTheBeginning(view);
  }

  /** Computers playing each other are soon ahead of the viewer, so their acts are shown in order. */
  private async watchFromTheBeginning(view: View): Promise<void> {
    const record = await momentsOf(this.id, [], null).catch(() => null);
    const opening = record?.moments[0];
    if (!record || !opening?.picture || this.live === null || this.queue.length > 0 || this.last !== view.seq) return;
    const acts = record.moments.filter((one) => one.act <= view.act).slice(1);
    this.live = {
      ...view,
      seq: 0,
      act: 0,
      picture: opening.picture,
      log: opening.lines,
      over: null,
      luck: [],
      gone: [],
    };
    const played: Change[] = acts.map((one, i) => ({
      type: "change",
      seq: i + 1,
      base: i,
      act: one.act,
      log: one.lines,
      ...(one.parts === null ? {} : { picture: one.parts }),
    }));
    const end: Change = {
      type: "change",
      seq: view.seq,
      base: played.length,
      over: view.over,
      ...(view.luck ? { luck: view.luck } : {}),
      gone: view.gone ?? [],
    };
    this.queue = [...played, end];
    this.pump();
  }

  takeChange(change: Change): void {
    if (this.last !== null && change.seq <= this.last) return;
    if (this.last !== null && change.base !== this.last) {
      this.refresh();
      return;
    }
    const before = this.truth;
    const { steps: _steps, ...whole } = change;
    const truth = before === null ? null : patched(before, whole);
    if (before !== null && truth === null) {
      this.refresh();
      return;
    }
    this.last = change.seq;
    this.truth = truth;
    if (this.throwing || this.throws(change)) {
      this.throwing = true;
      this.unheard ??= { before };
    } else if (truth !== null) this.heard(before, truth);
    const idle = this.queue.length === 0 && !this.playing;
    if (idle) this.left = BY_RULES;
    this.queue = [...this.queue, ...inSteps(change)];
    if (idle || (!this.playing && !this.holding())) this.goOn();
  }

  private refresh(): void {
    this.last = null;
    this.server.refresh();
  }

  /** Show the next act, unless it waits to be called up. */
  private goOn(): void {
    if (this.holding()) return;
    this.pump();
  }

  /** Apply the next change to the view, act by act. */
  private pump(): void {
    const [change, ...rest] = this.queue;
    if (change === undefined || this.live === null) {
      this.rest();
      return;
    }
    const next = patched(this.live, change);
    if (next === null) {
      this.refresh();
      return;
    }
    this.queue = rest;
    const theirs = this.doneByOthers(change);
    if (theirs.length > 0) this.othersActed = true;
    const acts = cut(this.live.picture, next.picture, change.log ?? []);
    const seen =
      theirs.length > 0 ||
      acts.some((act) => act.motion !== null || act.moved.length + act.gone.length + act.came.length > 0);
    // No act is played while another moment is viewed.
    if (seen && this.plays && this.past === null) void this.play(next, acts, change, theirs);
    else {
      this.told = null;
      this.arrive(next);
      if (this.queue.length > 0) this.goOn();
      else this.rest();
    }
  }

  /** Return whether a change that will be visible throws dice. */
  private throws(change: Change): boolean {
    return this.plays && this.past === null && (change.log ?? []).some(hasDice);
  }

  /** Show the results of dice that now lie on the table. */
  private release(): void {
    if (!this.throwing) return;
    this.throwing = false;
    const { unheard, truth } = this;
    this.unheard = null;
    if (unheard !== null && truth !== null) this.heard(unheard.before, truth);
  }

  /** True if acts are animated at all. */
  private get plays(): boolean {
    return this.stage !== null && currentPace() !== "instant" && !document.hidden;
  }

  private async play(next: View, acts: readonly Act[], change: Change, theirs: readonly LogEntry[]): Promise<void> {
    const before = this.live;
    if (before === null) return;
    const lines = change.log ?? [];
    const teller = theirs.findLast((entry) => entry.kind !== "Rolled") ?? theirs.at(-1);
    const byRules = teller !== undefined && this.movedByRules(teller.side);
    const within = this.left / (1 + this.queue.filter((one) => this.doneByOthers(one).length > 0).length);
    const begun = performance.now();
    this.playing = true;
    this.toward = next;
    // Results outside the log wait for the dice as well.
    const still = lines.some(hasDice)
      ? {
          waiting_for: before.waiting_for,
          luck: before.luck,
          gone: before.gone,
          undo: before.undo,
          lesson: before.lesson,
        }
      : {};
    this.live = { ...next, ...still, picture: before.picture, log: before.log, over: before.over };
    const whole = await this.film.play(
      acts,
      {
        tell: (act) => {
          if (act.line !== null && hasDice(act.line)) this.rolling = { line: act.line, falls: true };
          if (teller !== undefined)
            this.told =
              byRules && !lines.some(hasDice) ? { ...teller, text: allOf([...theirs]) } : announced(act.line ?? teller);
          return this.stage?.follow?.(act);
        },
        land: async (act) => {
          this.live = {
            ...next,
            ...still,
            picture: act.after,
            log: [...before.log, ...lines.slice(0, act.told)],
            over: before.over,
          };
          if (this.rolling !== null) this.rolling = { ...this.rolling, falls: false };
          if (teller !== undefined && act.line !== null && hasDice(act.line)) this.told = act.line;
          await tick();
        },
      },
      {
        rate: RATES[currentPace()],
        reduced: lessMotion(),
        own: (act) => theirs.length === 0 && this.isMine(act),
        ...(byRules ? { within } : {}),
      },
    );
    if (!whole) return;
    this.left -= (performance.now() - begun) * RATES[currentPace()];
    this.playing = false;
    this.toward = null;
    this.arrive(next);
    if (this.queue.length > 0) this.goOn();
    else this.rest();
  }

  /** Return whether an act was done by a seat of this screen. */
  private isMine(act: Act): boolean {
    const unit = act.motion?.unit ?? act.motion?.units?.[0];
    const side = act.before.groups.find((group) => group.id === unit)?.side ?? act.motion?.side;
    return side === undefined || side === null || this.seats.mine.includes(side);
  }

  /** All acts have been shown. */
  private rest(): void {
    if (!this.paused) this.told = null;
    this.rolling = null;
    this.release();
    const { truth } = this;
    if (this.othersActed && truth !== null && truth.you !== null && truth.waiting_for.includes(truth.you))
      sound("turn");
    this.othersActed = false;
  }

  /** Return whether nobody plays a side. */
  private movedByRules(side: number | null): boolean {
    return side !== null && this.live?.seats.find((seat) => seat.side === side)?.player === "rules";
  }

  /** Return whether the next change waits for the player. */
  private holding(): boolean {
    const next = this.queue[0];
    return this.paused && next !== undefined && this.doneByOthers(next).length > 0;
  }

  /** Pause the acts of others, or resume them. */
  pause(on: boolean): void {
    this.paused = on;
    this.film.hold(on);
    this.held = on && this.playing;
    if (!on && !this.playing) this.pump();
  }

  /** Show the next act of the others. An act that is being played, or that was stopped, is ended before that. */
  step(): void {
    const onlyEnd = this.paused && this.playing && !this.held;
    this.film.hold(false);
    this.held = false;
    this.halt();
    if (!onlyEnd) this.pump();
  }

  /** Apply a new pace to the act that is being played. */
  hasten(): void {
    if (currentPace() === "instant") this.skip();
    else this.film.rate(RATES[currentPace()]);
  }

  private doneByOthers(change: Change): LogEntry[] {
    return (change.log ?? []).filter((entry) => entry.side !== null && !this.seats.mine.includes(entry.side));
  }

  /** End the act that is being played, and show its result. */
  private halt(): void {
    this.film.stop();
    const { toward } = this;
    this.toward = null;
    this.playing = false;
    if (toward !== null) this.arrive(toward);
  }

  close(): void {
    this.film.stop();
  }

  /** Show everything that has happened, without animation. */
  skip(): void {
    if (!this.playing && this.queue.length === 0) return;
    this.film.hold(false);
    this.held = false;
    this.halt();
    for (const change of this.queue) {
      const next = this.live === null ? null : patched(this.live, change);
      if (next === null) break;
      this.queue = this.queue.slice(1);
      this.arrive(next);
    }
    this.told = this.rolling = null;
    this.othersActed = false;
    this.release();
  }

  /**
   * View another moment. If the moment follows the current one, the acts between them are played.
   *
   * *before* is the preceding moment, if it is loaded. The traces of the acts between the two stay on the table.
   */
  lookAt(view: View | null, before: Pick<View, "picture" | "log"> | null = null): void {
    this.settle();
    const from = this.past;
    this.film.stop();
    if (this.toward !== null) this.skip();
    this.happened = [];
    this.focus = null;
    if (view === null || from === null || view.act !== from.act + 1 || view.you !== from.you || !this.plays) {
      this.past = view;
      if (view !== null && before !== null) this.leave(cut(before.picture, view.picture, since(before, view)));
      return;
    }
    const lines = since(from, view);
    const acts = cut(from.picture, view.picture, lines);
    const show = (act: Act | null): void => {
      this.past = {
        ...view,
        picture: act?.after ?? from.picture,
        log: view.log.slice(0, view.log.length - lines.length + (act?.told ?? 0)),
        over: null,
      };
    };
    show(null);
    this.showing = view;
    void this.film
      .play(
        acts,
        {
          tell: (act) => this.stage?.follow?.(act),
          land: async (act) => {
            show(act);
            await tick();
          },
        },
        { rate: RATES[currentPace()], reduced: lessMotion(), own: () => false },
      )
      .then((whole) => {
        if (!whole || this.showing !== view) return;
        this.showing = null;
        this.past = view;
        this.leave(acts);
      });
  }

  /** Leave the traces of acts on the table. Of several attacks, the costliest is looked at first. */
  private leave(acts: readonly Act[]): void {
    this.happened = acts;
    this.focus = costliest(acts);
  }

  /** Jump to the end of the movement if a moment is not to be played to its end. */
  settle(): void {
    const view = this.showing;
    if (view === null) return;
    this.film.stop();
    this.showing = null;
    this.past = view;
  }

  private arrive(view: View): void {
    this.show(view);
    if (view.over !== null) this.seats.remember(view);
  }

  private show(view: View): void {
    const before = this.live;
    speakOfGame(view.ruleset);
    this.live = view;
    const last = view.log.at(-1)?.n ?? 0;
    this.seats.sit(before, view);
    if (before === null && this.id !== "") {
      const looked = lookedUpTo(this.id, view.you);
      const others = view.log.some(
        (entry) => entry.n > (looked?.n ?? 0) && entry.side !== null && entry.side !== view.you,
      );
      if (looked !== null && view.you !== null && others && Date.now() - looked.at > AWAY) this.missedAfter = looked.n;
    }
    // An act that was played step by step has already shown its lines.
    const seen = `${view.you} ${last}`;
    if (this.id !== "" && this.seen !== seen) keepLooked(this.id, view.you, last);
    this.seen = seen;
  }
}

/** Return the log lines of a moment that the one before it lacks. */
function since(before: Pick<View, "log">, view: View): LogEntry[] {
  const newest = before.log.at(-1)?.n ?? 0;
  return view.log.filter((line) => line.n > newest);
}

function hasDice(line: LogEntry): boolean {
  return line.dice.length > 0 || (line.reading !== null && line.reading !== undefined);
}

/** Return a log line without its result, as it reads before its dice have fallen. */
function announced(line: LogEntry): LogEntry {
  if (!hasDice(line)) return line;
  const words =
    line.reading?.words ?? line.dice.map((thrown) => thrown.words).find((one) => one !== "") ?? "Dice are thrown";
  return { ...line, text: words, dice: [], reading: null };
}
