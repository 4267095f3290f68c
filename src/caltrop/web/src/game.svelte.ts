/** One game as this screen sees it, put together from parts. Each part of the game has one subject. */
import { Advice } from "./game/advice.svelte";
import { Ahead } from "./game/ahead.svelte";
import { Answering } from "./game/answering.svelte";
import { Choices } from "./game/choices.svelte";
import { Choosing } from "./game/choosing.svelte";
import { Dice } from "./game/dice.svelte";
import type { Draft } from "./game/draft.svelte";
import { Drag } from "./game/drag.svelte";
import { Feed } from "./game/feed.svelte";
import { Foresight } from "./game/foresight.svelte";
import { Onward } from "./game/onward.svelte";
import { People } from "./game/people.svelte";
import { Plan } from "./game/plan.svelte";
import { Seats } from "./game/seats.svelte";
import { Seeking } from "./game/seeking.svelte";
import { Sequence } from "./game/sequence.svelte";
import { Server } from "./game/server.svelte";
import { Sight } from "./game/sight.svelte";
import { Takeback } from "./game/takeback.svelte";
import { Weighing } from "./game/weighing.svelte";
import { Why } from "./game/why.svelte";
import { screenName } from "./lib/screen";
import { confirmsAlways } from "./lib/settings.svelte";
import type { Group, ServerMessage, View } from "./wire/types";

export class Game {
  readonly server = new Server();
  readonly seats: Seats;
  readonly feed: Feed;
  readonly choices: Choices;
  readonly plan: Plan;
  readonly foresight: Foresight;
  readonly answering: Answering;
  readonly choosing: Choosing;
  readonly drag: Drag;
  readonly onward: Onward;
  readonly ahead: Ahead;
  readonly weighing: Weighing;
  readonly sequence: Sequence;
  readonly advice: Advice;
  readonly sight: Sight;
  readonly seeking: Seeking;
  readonly dice: Dice;
  readonly why: Why;
  readonly takeback: Takeback;
  readonly people: People;

  /** The other seat of this screen, if that seat has to act and the seat that looks does not. */
  readonly handOver = $derived.by(() => {
    const { live: view, past, queue, playing } = this.feed;
    if (view === null || past !== null || !this.seats.shared || view.over !== null || queue.length > 0 || playing)
      return null;
    if (view.you !== null && view.waiting_for.includes(view.you)) return null;
    return view.waiting_for.find((side) => this.seats.mine.includes(side)) ?? null;
  });

  /** The act that is shown now, in words: whose act it is, or that dice are thrown; empty if no act is shown. */
  readonly happening = $derived.by((): string => {
    const { told, queue, throwing } = this.feed;
    if (throwing && told === null) return "Dice are thrown";
    return throwing || told !== null || queue.length > 0 ? `${this.nameOf(told?.side)} acts` : "";
  });

  /**
   * The side that this side waits for or watches, in words; empty if this side is asked. A question to another side
   * says "you" to that side, so it is not shown here.
   */
  readonly waiting = $derived.by((): string => {
    const { live: view, past } = this.feed;
    if (view === null || past !== null || view.over !== null || view.you === null) return "";
    if (this.happening !== "") return this.happening;
    if (view.waiting_for.length === 0 || view.waiting_for.includes(view.you)) return "";
    return `Waiting for ${view.waiting_for.map((side) => this.nameOf(side)).join(" and ")}`;
  });

  /** Create a game. Without an *id* it is a table without a server, for recorded games. */
  constructor(readonly id: string) {
    const { server } = this;
    this.seats = new Seats(id);
    this.feed = new Feed(id, server, this.seats, (before, view) => this.heard(before, view));
    this.choices = new Choices(this.feed);
    this.plan = new Plan(server, this.choices);
    this.foresight = new Foresight(server, this.feed, this.plan);
    this.answering = new Answering(server, this.feed, this.plan, this.foresight, () => this.dice);
    this.choosing = new Choosing(server, this.feed, this.choices, this.plan, this.answering, this.foresight);
    this.drag = new Drag(server, this.feed, this.choices, this.plan, this.foresight, this.answering, (unit, to) =>
      this.onward.later(unit, to),
    );
    this.onward = new Onward(this.drag, this.choosing);
    this.dice = new Dice(server, this.feed, this.seats, (decision, meant, dice) =>
      this.answering.answer(decision, meant, dice).then(() => {}),
    );
    this.ahead = new Ahead(server, this.feed, this.choices, this.plan, this.choosing);
    this.weighing = new Weighing(server, this.feed, this.choices);
    this.sequence = new Sequence(server, this.feed, this.choices, this.plan, this.choosing);
    this.advice = new Advice(server, this.choices, this.choosing);
    this.sight = new Sight(server, this.feed, this.choices, this.plan);
    this.seeking = new Seeking(server, this.plan, this.drag);
    this.why = new Why(server);
    this.takeback = new Takeback(server, this.feed, this.seats, () => this.plan.drop());
    this.people = new People(server, this.feed, this.seats);
    if (id !== "")
      server.open(
        id,
        () => this.hello(),
        (message) => this.hear(message),
      );
  }

  // Short names for the parts that most of the page uses.

  get view(): View | null {
    return this.feed.view;
  }

  get live(): View | null {
    return this.feed.live;
  }

  get draft(): Draft | null {
    return this.plan.draft;
  }

  get selected(): number | null {
    return this.choices.selected;
  }

  get unit(): Group | null {
    return this.choices.unit;
  }

  private nameOf(side: number | null | undefined): string {
    return this.view?.picture.seats.find((seat) => seat.side === side)?.name ?? "The other side";
  }

  select(id: number | null): void {
    const anew = id !== this.selected;
    if (anew) this.plan.drop();
    this.choices.select(id);
    if (anew && id !== null && id === this.choices.actor) this.choosing.aimOnly();
  }

  /** Select a unit instead of the one in question, which then acts no more. Return whether the selection is allowed. */
  passTo(unit: number): boolean {
    const { ending } = this.choices;
    if (ending === null || confirmsAlways() || !this.choices.passed.has(unit)) return false;
    this.choices.selected = null;
    this.choosing.choose(ending.decision, ending.offer);
    this.server.sent = this.server.sent.then(() => {
      const begins = this.choices.startOf(unit);
      if (begins === null) return;
      this.choosing.choose(begins.decision, begins.offer);
      return this.server.sent;
    });
    return true;
  }

  nextReady(step: 1 | -1): Group | null {
    const next = this.choices.nextReady(step);
    if (next !== null) this.select(next.id);
    return next;
  }

  /** Return the first message to the server, sent again after each lost connection. */
  private hello(): Record<string, unknown> {
    const { tokens, eyes } = this.seats;
    const { last } = this.feed;
    return {
      tokens,
      screen: screenName(),
      ...(eyes === null ? {} : { eyes }),
      ...(last === null ? {} : { seen: last }),
    };
  }

  private hear(message: ServerMessage): void {
    if (message.type === "view") {
      this.feed.takeView(message);
      this.people.introduce(message);
    } else if (message.type === "change") this.feed.takeChange(message);
    else if (message.type === "refusal") this.server.refusal = message;
    else if (message.type === "presence") this.seats.here = message.here;
    else if (message.type === "moved") this.people.moved(message);
    else if (message.type === "clock") this.people.tick(message);
  }

  /** Drop drafts, plans and explanations that no longer fit the new state of the game. */
  private heard(before: View | null, view: View): void {
    this.plan.pointed = null;
    // The act that is being explained may have been undone.
    if (before !== null && view.act < before.act) this.why.because = null;
    const ids = new Set(view.decisions.map((decision) => decision.id));
    this.dice.keepFor(ids);
    if (this.draft !== null && !ids.has(this.draft.decision) && !this.drag.carryOver(view.decisions)) this.plan.done();
    if (before === null || before.decisions.map((d) => d.id).join() !== [...ids].join()) {
      this.server.refusal = null;
      this.weighing.afresh();
      this.plan.keepOdds(view.decisions);
      this.choices.selectWhoActs(view);
      const asked = view.decisions.find((decision) => decision.usual?.ready);
      const habitual = view.decisions.find((decision) => decision.usual?.said);
      if (before !== null && view.act < before.act) this.onward.forget();
      if (before !== null && this.feed.past === null && this.onward.go(view.decisions)) return;
      if (habitual?.usual && before !== null && view.act > before.act && this.feed.past === null && !confirmsAlways())
        void this.choosing.usually(habitual, habitual.usual.unit);
      else if (asked?.usual && this.feed.past === null && this.feed.queue.length === 0)
        this.choosing.suggest(asked, asked.usual);
      else {
        this.ahead.propose();
        this.choosing.aimOnly();
      }
    }
  }

  /** Let another seat of this screen look at the table. */
  lookAs(side: number): void {
    this.plan.drop();
    this.choices.selected = null;
    this.seats.eyes = side;
    this.feed.last = null;
    this.server.say({ type: "eyes", side });
  }

  /** Show everything that was hidden, after the end. */
  showAll(): Promise<void> {
    return this.server.send({ type: "show-all", side: this.live?.you ?? null });
  }

  resign(): Promise<void> {
    return this.server.send({ type: "resign", side: this.live?.you ?? null });
  }

  close(): void {
    this.feed.close();
    this.server.close();
  }
}
