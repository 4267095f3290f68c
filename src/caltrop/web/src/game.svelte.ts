/** One game as this screen sees it: the view, what is selected, what is being prepared, and what was refused. */
import { centre, distance, whole } from "./lib/measure";
import { keepGame, knownGame, type KnownGame } from "./lib/seats";
import { Connection, Refused, type Status } from "./wire/connection";
import { patched } from "./wire/changes";
import type {
  Action,
  Change,
  Decision,
  Group,
  LogEntry,
  Odds,
  Offer,
  Point,
  Proposal,
  Refusal,
  Region,
  ServerMessage,
  View,
  Wish,
} from "./wire/types";

/** An offer that was chosen and waits for the confirmation. */
export interface OfferDraft {
  form: "offer";
  decision: string;
  action: Action;
  words: string;
  offer: Offer | null;
}

/** Something that is being dragged or placed. */
export interface RegionDraft {
  form: "region";
  decision: string;
  region: Region;
  to: Point | null;
  waypoints: Point[];
  shape: string;
  facing: Point | null;
  models: Record<string, Point[]>;
  proposal: Proposal | null;
}

export type Draft = OfferDraft | RegionDraft;

/** Whether the side that looks has its zone, or else its units, in the far half of the table. */
export function sitsAtFarEdge(view: View): boolean {
  const { you, picture } = view;
  if (you === null) return false;
  const zones = picture.zones.filter((zone) => zone.side === you).flatMap((zone) => zone.outline);
  const units = picture.groups.filter((group) => group.side === you).flatMap((group) => group.pieces.map((piece) => piece.at));
  const places = units.length > 0 ? units : zones;
  return places.length > 0 && centre(places)[1] > picture.height / 2;
}

/** Milliseconds between two questions of a drag. */
const BREATH = 35;

/** Milliseconds that each act of the other side stays before the next one. */
export const PAUSE = 900;

export class Game {
  /** The game as it is now. */
  live = $state.raw<View | null>(null);
  /** An earlier moment that is looked at instead. */
  past = $state.raw<View | null>(null);
  readonly view = $derived(this.past ?? this.live);
  status = $state<Status>("connecting");
  closedBy = $state<number | null>(null);
  selected = $state<number | null>(null);
  draft = $state.raw<Draft | null>(null);
  /** The offer under the pointer. */
  pointed = $state.raw<Offer | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  odds = $state.raw<Odds | null>(null);
  notice = $state("");
  busy = $state(false);
  queue = $state.raw<Change[]>([]);
  told = $state.raw<LogEntry | null>(null);
  known = $state.raw<KnownGame>({ id: "", ruleset: "", title: "", tokens: {}, seen: 0, over: false, curtain: true });
  /** On a shared screen: the side that was let through the curtain. */
  eyes = $state<number | null>(null);
  here = $state.raw<number[]>([]);
  /** Whether the table is seen from its far edge. */
  turned = $state(false);

  readonly id: string;
  private readonly connection: Connection | null;
  private last: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking = false;
  private askAgain = false;

  readonly decisions = $derived(this.queue.length > 0 || this.past !== null ? [] : (this.live?.decisions ?? []));
  readonly seats = $derived(Object.keys(this.known.tokens).filter((key) => /^\d+$/.test(key)).map(Number));
  readonly shared = $derived(this.seats.length > 1);
  readonly watching = $derived(this.view !== null && this.view.you === null);
  /** The units that may act now. */
  readonly ready = $derived.by(() => {
    const found = new Set<number>();
    for (const decision of this.decisions) {
      for (const offer of decision.offers) if (offer.unit !== null) found.add(offer.unit);
      for (const region of decision.regions) found.add(region.unit);
    }
    return found;
  });
  /** The units that the selected unit may be aimed at. */
  readonly targets = $derived.by(() => {
    const found = new Set<number>();
    for (const { offer } of this.offers)
      if (offer.target !== null && (offer.unit === null || offer.unit === this.selected)) found.add(offer.target);
    return found;
  });
  readonly offers = $derived(
    this.decisions.flatMap((decision) => decision.offers.map((offer) => ({ decision, offer }))),
  );
  readonly regions = $derived(
    this.decisions.flatMap((decision) => decision.regions.map((region) => ({ decision, region }))),
  );
  readonly unit = $derived(this.view?.picture.groups.find((group) => group.id === this.selected) ?? null);
  /** The other seat of this screen that is to act, when the one that looks is not. */
  readonly handOver = $derived.by(() => {
    const view = this.live;
    if (view === null || this.past !== null || !this.shared || view.over !== null || this.queue.length > 0) return null;
    if (view.you !== null && view.waiting_for.includes(view.you)) return null;
    return view.waiting_for.find((side) => this.seats.includes(side)) ?? null;
  });

  /** A game of the server's, or with an empty id a table without a server, for recorded games. */
  constructor(id: string) {
    this.id = id;
    if (id === "") {
      this.connection = null;
      return;
    }
    this.known = knownGame(id) ?? keepGame({ id });
    const address = new URL(`/ws/${id}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    this.connection = new Connection(
      address.href,
      () => ({
        tokens: Object.values(this.known.tokens),
        ...(this.eyes === null ? {} : { eyes: this.eyes }),
        ...(this.last === null ? {} : { seen: this.last }),
      }),
      (message) => this.hear(message),
      (status, code) => {
        this.status = status;
        this.closedBy = code ?? null;
      },
    );
    this.connection.open();
  }

  close(): void {
    clearTimeout(this.timer);
    this.connection?.close();
  }

  hurry(): void {
    this.connection?.hurry();
  }

  // ── what the server says ──────────────────────────────────────────────────────────────────────────────────────────

  private hear(message: ServerMessage): void {
    if (message.type === "view") this.takeView(message);
    else if (message.type === "change") this.takeChange(message);
    else if (message.type === "refusal") this.refusal = message;
    else if (message.type === "presence") this.here = message.here;
  }

  private takeView(view: View): void {
    this.stopWaiting();
    this.queue = [];
    this.told = null;
    this.last = view.seq;
    if (this.live === null || this.live.you !== view.you) this.turned = sitsAtFarEdge(view);
    this.show(view);
    this.eyes = view.you;
    this.remember(view);
  }

  private remember(view: View): void {
    const tokens: Record<string, string> = { ...this.known.tokens };
    if (tokens["seat"] !== undefined && view.you !== null) {
      tokens[view.you] = tokens["seat"];
      delete tokens["seat"];
      this.known = { ...this.known, tokens };
    }
    const title = view.seats.map((seat) => seat.name).join(" v ");
    this.known = keepGame({ ...this.known, ruleset: view.ruleset, title, over: view.over !== null, seen: Date.now() });
  }

  private takeChange(change: Change): void {
    if (this.last !== null && change.seq <= this.last) return;
    if (this.last !== null && change.base !== this.last) {
      this.last = null;
      this.connection?.refresh();
      return;
    }
    this.last = change.seq;
    // What this screen did itself is shown at once, unless something else must be shown before.
    if (this.queue.length === 0 && this.doneByOthers(change).length === 0) this.stopWaiting();
    this.queue = [...this.queue, change];
    if (this.timer === undefined) this.pump();
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
      this.connection?.refresh();
      return;
    }
    this.queue = rest;
    const theirs = this.doneByOthers(change);
    this.show(next);
    if (next.over !== null) this.remember(next);
    const teller = theirs.at(-1);
    if (teller !== undefined) {
      this.told = teller;
      this.timer = setTimeout(() => this.pump(), rest.length > 20 ? PAUSE / 4 : PAUSE);
    } else if (rest.length > 0) {
      this.pump();
    } else {
      this.told = null;
    }
  }

  private doneByOthers(change: Change): LogEntry[] {
    return (change.log ?? []).filter((entry) => entry.side !== null && !this.seats.includes(entry.side));
  }

  private stopWaiting(): void {
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
      if (next.over !== null) this.remember(next);
    }
    this.told = null;
  }

  private show(view: View): void {
    const before = this.live;
    this.live = view;
    this.pointed = null;
    const ids = new Set(view.decisions.map((decision) => decision.id));
    if (this.draft !== null && !ids.has(this.draft.decision)) this.drop();
    if (before === null || before.decisions.map((d) => d.id).join() !== [...ids].join()) {
      this.refusal = null;
      this.chooseUnit(view);
    }
  }

  /** Select the unit that acts where there is only one; keep the selection while it may still act. */
  private chooseUnit(view: View): void {
    const units = new Set<number>();
    for (const decision of view.decisions) {
      for (const offer of decision.offers) if (offer.unit !== null) units.add(offer.unit);
      for (const region of decision.regions) units.add(region.unit);
    }
    if (units.size === 1) this.selected = [...units][0] ?? null;
    else if (this.selected !== null && !view.picture.groups.some((group) => group.id === this.selected))
      this.selected = null;
  }

  // ── what the person does ──────────────────────────────────────────────────────────────────────────────────────────

  select(id: number | null): void {
    if (id === this.selected) return;
    this.drop();
    this.selected = id;
  }

  /** Give up what is being prepared. */
  drop(): void {
    this.draft = null;
    this.odds = null;
    this.refusal = null;
  }

  choose(decision: Decision, offer: Offer): void {
    if (offer.unit !== null) this.selected = offer.unit;
    this.refusal = null;
    this.draft = { form: "offer", decision: decision.id, action: offer.action, words: offer.words, offer };
    this.askOdds(decision.id, offer);
  }

  isChosen(offer: Offer): boolean {
    return this.draft?.form === "offer" && this.draft.offer === offer;
  }

  /** What a click on a unit means as a target: nothing where it is itself one that may be selected to act. */
  offersAt(target: number): { decision: Decision; offer: Offer }[] {
    if (target === this.selected || (this.ready.has(target) && this.isOwn(target))) return [];
    return this.offers.filter(
      ({ offer }) => offer.target === target && (offer.unit === null || offer.unit === this.selected),
    );
  }

  private isOwn(unit: number): boolean {
    return this.view?.picture.groups.some((group) => group.id === unit && group.side === this.view?.you) ?? false;
  }

  offersOnSpot(at: Point, reach: number): { decision: Decision; offer: Offer }[] {
    return this.offers
      .filter(({ offer }) => offer.spot !== null && (offer.unit === null || offer.unit === this.selected))
      .filter(({ offer }) => distance(offer.spot ?? at, at) <= reach);
  }

  regionOf(unit: number | null, forms: readonly string[] = ["move", "place", "spot"]) {
    return this.regions.find(({ region }) => region.unit === unit && forms.includes(region.form));
  }

  begin(decision: Decision, region: Region): RegionDraft {
    this.selected = region.unit;
    this.refusal = null;
    this.odds = null;
    const draft: RegionDraft = {
      form: "region",
      decision: decision.id,
      region,
      to: null,
      waypoints: [],
      shape: "keep",
      facing: null,
      models: {},
      proposal: null,
    };
    this.draft = draft;
    return draft;
  }

  /** Change what is being dragged, and ask what would come of it. */
  shape(change: Partial<RegionDraft>): void {
    if (this.draft?.form !== "region") return;
    this.draft = { ...this.draft, ...change };
    if (this.draft.to !== null || Object.keys(this.draft.models).length > 0) void this.propose();
  }

  /** Go to a place: what was the end before becomes a waypoint. */
  goTo(at: Point): void {
    if (this.draft?.form !== "region") return;
    const { to, waypoints, region } = this.draft;
    const more = to !== null && region.form === "move" ? [...waypoints, to] : waypoints;
    this.shape({ to: whole(at), waypoints: more, models: {} });
  }

  /** Take the last waypoint back. */
  back(): boolean {
    if (this.draft?.form !== "region") return false;
    const { waypoints, to } = this.draft;
    if (to === null) return false;
    const before = waypoints.at(-1) ?? null;
    if (before === null) this.draft = { ...this.draft, to: null, proposal: null, models: {} };
    else this.shape({ to: before, waypoints: waypoints.slice(0, -1), models: {} });
    return true;
  }

  private async propose(): Promise<void> {
    if (this.asking) {
      this.askAgain = true;
      return;
    }
    this.asking = true;
    try {
      do {
        this.askAgain = false;
        const draft = this.draft;
        if (draft?.form !== "region") break;
        const wish: Wish = {
          unit: draft.region.unit,
          act: draft.region.act,
          to: draft.to,
          waypoints: draft.waypoints,
          facing: draft.facing,
          shape: draft.shape,
          models: draft.models,
        };
        if (this.connection === null) break;
        const answer = await this.connection.ask<"proposal">({ type: "propose", decision: draft.decision, wish });
        const now = this.draft as Draft | null;
        if (now?.form === "region" && now.decision === draft.decision && now.region === draft.region)
          this.draft = { ...now, proposal: answer.proposal };
        if (this.askAgain) await new Promise((resolve) => setTimeout(resolve, BREATH));
      } while (this.askAgain);
    } catch (error) {
      this.fail(error);
    } finally {
      this.asking = false;
    }
  }

  private askOdds(decision: string, offer: Offer): void {
    this.odds = null;
    if (offer.target === null && offer.unit === null) return;
    this.connection
      ?.ask<"odds">({ type: "odds", decision, action: offer.action })
      .then((answer) => {
        if (this.isChosen(offer)) this.odds = answer.odds;
      })
      .catch(() => {
        // Many acts have no odds; nothing is shown then.
      });
  }

  get committable(): boolean {
    if (this.draft === null || this.busy) return false;
    return this.draft.form === "offer" || (this.draft.proposal?.action ?? null) !== null;
  }

  async commit(): Promise<void> {
    const draft = this.draft;
    if (draft === null || this.busy) return;
    const action = draft.form === "offer" ? draft.action : (draft.proposal?.action ?? null);
    if (action !== null) await this.answer(draft.decision, action);
    else if (draft.form === "region" && draft.proposal?.refusal) this.refusal = draft.proposal.refusal;
  }

  async answer(decision: string, action: Action): Promise<void> {
    this.busy = true;
    this.refusal = null;
    try {
      await this.connection?.ask<"done">({ type: "answer", decision, action });
      this.notice = "";
      if (this.draft?.decision === decision) this.drop();
    } catch (error) {
      this.fail(error);
    } finally {
      this.busy = false;
    }
  }

  /** Prepare the nearest legal action that a refusal names. */
  takeNearest(refusal: Refusal): void {
    const decision = this.decisions.find((one) => one.id === this.draft?.decision) ?? this.decisions[0];
    if (refusal.nearest === null || decision === undefined) return;
    const text = JSON.stringify(refusal.nearest);
    const offer = decision.offers.find((one) => JSON.stringify(one.action) === text) ?? null;
    this.refusal = null;
    this.odds = null;
    this.draft = {
      form: "offer",
      decision: decision.id,
      action: refusal.nearest,
      words: offer?.words ?? "The nearest that is legal",
      offer,
    };
  }

  /** The offer that ends the step, where there is exactly one. */
  get ending(): { decision: Decision; offer: Offer } | null {
    const finals = this.offers.filter(({ offer }) => offer.final);
    return finals.length === 1 ? (finals[0] ?? null) : null;
  }

  /** Whether pressing undo does or tells anything. */
  readonly mayUndo = $derived.by(() => {
    const view = this.live;
    if (view === null || this.past !== null || view.you === null || view.over !== null) return false;
    return view.undo.allowed || view.undo.boundary !== null || this.lastHere !== null;
  });

  /** On a shared screen: the other seat of this screen, where the last act was its own. */
  private readonly lastHere = $derived.by(() => {
    const side = this.live?.log.findLast((entry) => entry.side !== null)?.side ?? null;
    return this.shared && side !== null && side !== this.live?.you && this.seats.includes(side) ? side : null;
  });

  async undo(): Promise<void> {
    if (this.live === null || this.past !== null) return;
    this.drop();
    if (this.lastHere !== null) {
      await this.plain({ type: "undo", side: this.lastHere });
      return;
    }
    if (!this.live.undo.allowed) {
      this.notice = this.live.undo.boundary ?? "There is nothing to take back.";
      return;
    }
    await this.plain({ type: "undo", side: this.live.you });
  }

  takeback(answer?: boolean): Promise<void> {
    return this.plain({ type: "takeback", side: this.live?.you ?? null, ...(answer === undefined ? {} : { answer }) });
  }

  resign(): Promise<void> {
    return this.plain({ type: "resign", side: this.live?.you ?? null });
  }

  private async plain(message: Record<string, unknown>): Promise<void> {
    this.busy = true;
    try {
      await this.connection?.ask<"done">(message);
      this.notice = "";
    } catch (error) {
      this.fail(error);
    } finally {
      this.busy = false;
    }
  }

  /** Let another of this screen's seats look. */
  lookAs(side: number): void {
    this.drop();
    this.selected = null;
    this.eyes = side;
    this.last = null;
    this.connection?.say({ type: "eyes", side });
  }

  keepCurtain(curtain: boolean): void {
    this.known = keepGame({ ...this.known, curtain });
  }

  nextReady(step: 1 | -1): Group | null {
    const groups = (this.view?.picture.groups ?? []).filter((group) => this.ready.has(group.id));
    if (groups.length === 0) return null;
    const at = groups.findIndex((group) => group.id === this.selected);
    const next = groups[at < 0 ? (step === 1 ? 0 : groups.length - 1) : (at + step + groups.length) % groups.length];
    if (next !== undefined) this.select(next.id);
    return next ?? null;
  }

  private fail(error: unknown): void {
    if (error instanceof Refused) this.refusal = error.refusal;
    else this.notice = error instanceof Error ? error.message : String(error);
  }
}
