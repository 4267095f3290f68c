/** The people at the table: names, chat, the offer of a draw, the clock, and seats that moved to other pages. */
import { asMe, mutedHere, peopleOf, setMuted } from "../lib/me.svelte";
import { giveSeatAway, inviteTo } from "../lib/seats";
import { ownName } from "../lib/settings.svelte";
import { keepTalkRead, talkRead } from "../lib/talk";
import type { PeopleView, SeatPerson } from "../wire/shapes";
import type { ClockNow, Moved, View } from "../wire/types";
import type { Feed } from "./feed.svelte";
import type { Seats } from "./seats.svelte";
import type { Server } from "./server.svelte";

export class People {
  /** News about a seat that moved. */
  word = $state("");
  /** The remaining time at the last report, with the time of that report. */
  private told = $state.raw<ClockNow | null>(null);
  private at = 0;
  /** The current time, on which the shown clock is based. */
  private now = $state(0);
  /** Number of the last chat line that has been read. */
  read = $state(0);
  /** The name that this page has already announced. */
  private called = "";

  /** The people who were invited by a link and have not come yet. */
  readonly awaited = $derived.by(() => (this.feed.live?.seats ?? []).filter((seat) => seat.awaited));
  /** The side of this page that chats; null if nobody else would read the chat. */
  readonly speaker = $derived.by(() => {
    const { live } = this.feed;
    const mine = this.seats.mine;
    if (live === null || mine.length === 0) return null;
    const others = live.seats.some((seat) => seat.player === "person" && !mine.includes(seat.side));
    return others ? (mine[0] ?? null) : null;
  });
  /** The people of this game with a stored name; null until they are loaded. */
  table = $state.raw<PeopleView | null>(null);
  /** People whose chat is hidden in this browser. */
  private muted = $state.raw(mutedHere());
  readonly others = $derived.by(() => (this.table?.people ?? []).filter((one) => !this.seats.mine.includes(one.side)));
  /** Sides whose chat is hidden in this browser. */
  readonly silent = $derived.by(() => this.others.filter((one) => this.isMuted(one)).map((one) => one.side));
  readonly talk = $derived.by(() => (this.feed.live?.talk ?? []).filter((line) => !this.silent.includes(line.side)));
  /** True if there is a chat line. */
  readonly spoken = $derived.by(() => (this.feed.live?.talk ?? []).length > 0);
  /** Number of new chat lines; 0 until the list of muted people is loaded. */
  readonly unread = $derived.by(() =>
    this.table === null
      ? 0
      : this.talk.filter((line) => line.n > this.read && !this.seats.mine.includes(line.side)).length,
  );
  /** True if this side has turned chat off. */
  readonly hushed = $derived.by(() => this.speaker !== null && (this.feed.live?.hushed ?? []).includes(this.speaker));
  /** True if nobody reads the chat. */
  readonly deaf = $derived.by(() => {
    const others = (this.feed.live?.seats ?? []).filter(
      (seat) => seat.player === "person" && !this.seats.mine.includes(seat.side),
    );
    return others.length > 0 && others.every((seat) => (this.feed.live?.hushed ?? []).includes(seat.side));
  });

  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
    private readonly seats: Seats,
  ) {
    this.read = talkRead(seats.known.id);
  }

  /** Ask who plays here. */
  async lookAround(): Promise<void> {
    const nobody = { people: [], rated: false, unrated: "" };
    this.table = await peopleOf(this.seats.known.id).catch(() => this.table ?? nobody);
  }

  isMuted(one: SeatPerson): boolean {
    return (one.muted ?? false) || this.muted.includes(one.person.person);
  }

  /** Mute a person in all games, or unmute them. */
  async mute(one: SeatPerson): Promise<void> {
    const on = !this.isMuted(one);
    this.muted = setMuted(one.person.person, on);
    await asMe(`api/people/${one.person.person}/apart`, { muted: on }).catch(() => undefined);
    await this.lookAround();
  }

  /** Mark lines up to this line as read, and remember the mark after a reload. */
  haveRead(line: number): void {
    if (line <= this.read) return;
    this.read = line;
    keepTalkRead(this.seats.known.id, line);
  }

  /** Return the name of a side's player, or else of its army. */
  nameOf(side: number): string {
    const seat = this.feed.live?.seats.find((one) => one.side === side);
    return seat?.called || seat?.name || "The other side";
  }

  moved(message: Moved): void {
    const names = message.sides
      .map((side) => this.feed.live?.seats.find((one) => one.side === side)?.name ?? "Your seat")
      .join(" and ");
    const are = message.sides.length > 1 ? "are" : "is";
    if (message.here) {
      this.seats.come(message.sides);
      this.word = `${names} ${are} played on this page from now on, and no longer on the one where it was.`;
      return;
    }
    if (message.for_good) for (const side of message.sides) giveSeatAway(this.seats.known.id, side);
    this.seats.go(message.sides, message.for_good ?? false);
    this.word = message.for_good
      ? `${names} ${are} your friend's from now on.`
      : `${names} ${are} played on another page now.`;
  }

  /** Play seats here again that have moved to another page. */
  playHere(): void {
    this.seats.come([...this.seats.elsewhere]);
    this.word = "";
    this.feed.last = null;
    this.seats.eyes = null;
    this.server.refresh();
  }

  /** Announce this person's name once, if it is known and the seat has none. */
  introduce(view: View): void {
    const [side, ...more] = this.seats.mine;
    const name = ownName();
    if (side === undefined || more.length > 0 || name === "" || name === this.called) return;
    this.called = name;
    if (view.seats.find((seat) => seat.side === side)?.called !== name) void this.call(name, side);
  }

  call(name: string, side: number): Promise<void> {
    this.called = name;
    return this.server.send({ type: "name", text: name, side });
  }

  async say(text: string): Promise<boolean> {
    await this.server.send({ type: "talk", text, side: this.speaker });
    return this.server.refusal === null;
  }

  hush(off: boolean): Promise<void> {
    return this.server.send({ type: "hush", off, side: this.speaker });
  }

  /**
   * Hand a seat of this screen over to somebody else. The secret of the seat becomes an invitation. Return whether the
   * seat was handed over.
   */
  async handOver(side: number): Promise<boolean> {
    await this.server.send({ type: "await", on: true, side });
    if (this.server.refusal !== null) return false;
    inviteTo(this.seats.known.id, side);
    return true;
  }

  /** Offer a draw (null), or answer the offer. */
  draw(answer: boolean | null): Promise<void> {
    return this.server.send({ type: "draw", answer, side: this.speaker });
  }

  // The clock.

  tick(message: ClockNow): void {
    this.told = message;
    this.at = this.now = performance.now();
  }

  /** Let the clock run. Return a function that stops it. */
  run(): () => void {
    const timer = setInterval(() => {
      if ((this.told?.running.length ?? 0) > 0) this.now = performance.now();
    }, 250);
    return () => clearInterval(timer);
  }

  /** Return a side's remaining milliseconds; null without a clock. */
  left(side: number): number | null {
    const { told } = this;
    const left = told?.left[side];
    if (!told || left === undefined) return null;
    return told.running.includes(side) ? Math.max(left - (this.now - this.at), 0) : left;
  }

  runs(side: number): boolean {
    return this.told?.running.includes(side) ?? false;
  }
}
