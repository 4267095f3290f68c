/** One game as this screen sees it: the view, what is selected, what is being prepared, and what was refused. */
import { usualFacing, turned } from "./lib/drag";
import { centre, distance, whole } from "./lib/measure";
import { Reach, type Foreseen } from "./lib/reach/reach";
import { keepLooked, lookedUpTo } from "./lib/looked";
import { keepGame, knownGame, type KnownGame } from "./lib/seats";
import { allOf } from "./lib/log";
import { currentPace, PACES } from "./lib/settings.svelte";
import { momentsOf } from "./wire/api";
import { Connection, Refused, type Status } from "./wire/connection";
import { inSteps, patched } from "./wire/changes";
import type {
  About,
  Action,
  Cause,
  Change,
  Decision,
  DiceWanted,
  Group,
  LogEntry,
  Forecast,
  Offer,
  Point,
  Proposal,
  Refusal,
  Region,
  ServerMessage,
  Sighting,
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

/**
 * Something that is being dragged or placed. Its parts are heard of one by one: whoever asks what is dragged, or whether it
 * goes anywhere, hears nothing of each place that the drag comes by.
 */
export class RegionDraft {
  readonly form = "region";
  to = $state.raw<Point | null>(null);
  waypoints = $state.raw<Point[]>([]);
  shape = $state.raw("keep");
  facing = $state.raw<Point | null>(null);
  models = $state.raw<Record<string, Point[]>>({});
  /** What the page foresees at once; the rules' answer takes its place when the drag rests. */
  foreseen = $state.raw<Foreseen | null>(null);
  proposal = $state.raw<Proposal | null>(null);
  /** Whether the unit as a whole goes anywhere. */
  goes = $state(false);
  /** Whether a place that is pointed at stays where it is, and follows the pointer no more. */
  held = $state(false);

  constructor(
    readonly decision: string,
    readonly region: Region,
  ) {}

  /** Change some of it. */
  take(change: Partial<Shaped>): void {
    Object.assign(this, change);
    this.goes = this.to !== null;
  }
}

/** What may be changed of a drag, and what is thought to come of it. */
type Shaped = Pick<RegionDraft, "to" | "waypoints" | "shape" | "facing" | "models" | "foreseen" | "proposal">;

export type Draft = OfferDraft | RegionDraft;

/** Whether the side that looks has its zone, or else its units, in the far half of the table. */
export function sitsAtFarEdge(view: View): boolean {
  const { you, picture } = view;
  if (you === null) return false;
  const far = picture.seats.find((seat) => seat.side === you)?.far ?? null;
  if (far !== null) return far;
  const zones = picture.zones.filter((zone) => zone.side === you).flatMap((zone) => zone.outline);
  const units = picture.groups.filter((group) => group.side === you).flatMap((group) => group.pieces.map((piece) => piece.at));
  const places = units.length > 0 ? units : zones;
  return places.length > 0 && centre(places)[1] > picture.height / 2;
}

function zonesOf(view: View): string {
  return JSON.stringify(view.picture.zones.map((zone) => [zone.side, zone.outline]));
}

/** Milliseconds between two questions of a drag that is not foreseen. */
const BREATH = 35;

/** Milliseconds that a drag which is foreseen rests before the rules are asked. */
const REST = 90;

/** Milliseconds after which somebody who comes back is told what happened meanwhile. */
const AWAY = 120_000;

/** What follows on what is done first, as it is written after that: `then shoot`; empty where nothing follows. */
export function afterwards(one: Offer | Region): string {
  return !one.first ? "" : one.words.slice(one.first.length).replace(/^[,; ]+/, "");
}

/** Whether two choices do the same at once, and differ in what follows at most. */
function beginAlike(a: Offer | Region, b: Offer | Region): boolean {
  if (a === b) return true;
  if (!a.first || a.first !== b.first || a.unit !== b.unit) return false;
  if ("form" in a || "form" in b) return "form" in a && "form" in b && a.form === b.form;
  return a.target === b.target && JSON.stringify(a.spot) === JSON.stringify(b.spot);
}

/** The first of those that begin alike, in place of all of them. */
function heads<T extends { offer: Offer } | { region: Region }>(all: readonly T[]): T[] {
  const what = (one: T): Offer | Region => ("offer" in one ? one.offer : one.region);
  const kept = new Map<string, T[]>();
  return all.filter((one) => {
    const { first, unit } = what(one);
    if (!first) return true;
    const others = kept.get(`${unit} ${first}`) ?? [];
    if (others.some((other) => beginAlike(what(other), what(one)))) return false;
    kept.set(`${unit} ${first}`, [...others, one]);
    return true;
  });
}

const NOWHERE: Record<string, Point> = {};

/** Real dice that this screen is to type in: of its own act, or of an act of the other side that waits for them. */
export interface Throwing extends DiceWanted {
  /** The act of one's own that they belong to, with the rolls typed so far. */
  act: { decision: string; meant: Meant; typed: number[][] } | null;
}

/** What answers a decision: an action, or a wish that the server turns into one and plays in one go. */
export type Meant = { action: Action } | { wish: Wish };

/** An answer to "why did this happen?". */
export interface Because {
  about: About;
  words: string;
  steps: Cause[] | null;
}

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
  /** The way that the chosen offer takes, where it is known. */
  way = $state.raw<Point[]>([]);
  refusal = $state.raw<Refusal | null>(null);
  odds = $state.raw<Forecast | null>(null);
  notice = $state("");
  busy = $state(false);
  /** After a pause: the last line that was seen before it. */
  missedAfter = $state<number | null>(null);
  /** Whether the acts of others wait to be called up one by one. */
  paused = $state(false);
  because = $state.raw<Because | null>(null);
  private ownThrow = $state.raw<Throwing | null>(null);
  queue = $state.raw<Change[]>([]);
  told = $state.raw<LogEntry | null>(null);
  known = $state.raw<KnownGame>({ id: "", ruleset: "", title: "", tokens: {}, seen: 0, over: false, curtain: true });
  /** On a shared screen: the side that was let through the curtain. */
  eyes = $state<number | null>(null);
  here = $state.raw<number[]>([]);
  /** Whether the table is seen from its far edge. */
  turned = $state(false);

  /** Whether lines of sight are shown. */
  looking = $state(false);
  /** The unit whose sight of it is drawn line by line. */
  lookedAt = $state<number | null>(null);
  /** What the selected unit sees of each of the others, from where it stands or would stand. */
  sightings = $state.raw<Sighting[]>([]);
  /** The same of the unit that is looked at, with its lines. */
  sighting = $state.raw<Sighting | null>(null);
  private seeing = false;
  private seeAgain = false;

  readonly id: string;
  private readonly connection: Connection | null;
  private last: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking = false;
  private askAgain = false;
  /** What was confirmed or sent last, until the server has answered. */
  private sent: Promise<void> = Promise.resolve();
  private resting: ReturnType<typeof setTimeout> | undefined;
  /** What is around the unit that is being dragged, and the draft's decision and region that it was sent for. */
  private around: { decision: string; region: Region; reach: Reach } | null = null;

  /** The real dice that are to be typed in here. */
  readonly throwing = $derived.by((): Throwing | null => {
    if (this.past !== null || this.queue.length > 0) return null;
    if (this.ownThrow !== null) return this.ownThrow;
    const wanted = this.live?.dice ?? null;
    if (wanted === null || this.live?.you === null) return null;
    const whose = wanted.side;
    const mine = whose === null || this.seats.includes(whose);
    const computers = whose !== null && this.live?.seats.find((seat) => seat.side === whose)?.player !== "person";
    return mine || computers ? { ...wanted, act: null } : null;
  });
  readonly decisions = $derived(this.queue.length > 0 || this.past !== null ? [] : (this.live?.decisions ?? []));
  readonly seats = $derived(Object.keys(this.known.tokens).filter((key) => /^\d+$/.test(key)).map(Number));
  readonly shared = $derived(this.seats.length > 1);
  readonly watching = $derived(this.view !== null && this.view.you === null);
  /** The units that may act now. */
  readonly ready = $derived.by(() => {
    const found = new Set<number>();
    for (const decision of this.decisions) {
      for (const offer of decision.offers) if (offer.unit !== null) found.add(offer.unit);
      for (const region of decision.regions) if (region.unit >= 0) found.add(region.unit);
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
  private readonly allOffers = $derived(
    this.decisions.flatMap((decision) => decision.offers.map((offer) => ({ decision, offer }))),
  );
  private readonly allRegions = $derived(
    this.decisions.flatMap((decision) => decision.regions.map((region) => ({ decision, region }))),
  );
  /** What may be chosen: of those that begin alike the first stands for all. */
  readonly offers = $derived(heads(this.allOffers));
  readonly regions = $derived(heads(this.allRegions));
  /** What may follow on what is prepared: the same beginning with each of its ends. */
  readonly follows = $derived.by((): (Offer | Region)[] => {
    const draft = this.draft;
    if (draft?.form === "region") return this.allRegions.map(({ region }) => region).filter((one) => one.first && beginAlike(one, draft.region));
    const offer = draft?.offer ?? null;
    return offer === null ? [] : this.allOffers.map((one) => one.offer).filter((one) => one.first && beginAlike(one, offer));
  });
  /** What the person has said last is to follow. */
  private wanted = "";
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
    const address = new URL(`ws/${id}`, document.baseURI);
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
    const first = this.live === null;
    if (this.live === null || this.live.you !== view.you) this.turned = sitsAtFarEdge(view);
    this.show(view);
    this.eyes = view.you;
    this.remember(view);
    if (first && view.you === null && view.act > 0 && view.seats.every((seat) => seat.player !== "person"))
      void this.watchFromTheBeginning(view);
  }

  /** Where computers play one another they are soon ahead of whoever watches: what they did is shown in order. */
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
      this.connection?.refresh();
      return;
    }
    this.queue = rest;
    const theirs = this.doneByOthers(change);
    this.show(next);
    if (next.over !== null) this.remember(next);
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
    const last = view.log.at(-1)?.n ?? 0;
    // The sides have taken their edges: one's own is near.
    if (before !== null && zonesOf(before) !== zonesOf(view)) this.turned = sitsAtFarEdge(view);
    if (before === null && this.id !== "") {
      const looked = lookedUpTo(this.id, view.you);
      const others = view.log.some((entry) => entry.n > (looked?.n ?? 0) && entry.side !== null && entry.side !== view.you);
      if (looked !== null && view.you !== null && others && Date.now() - looked.at > AWAY) this.missedAfter = looked.n;
    }
    if (this.id !== "" && (before === null || before.log.at(-1)?.n !== last || before.you !== view.you))
      keepLooked(this.id, view.you, last);
    this.pointed = null;
    const ids = new Set(view.decisions.map((decision) => decision.id));
    if (this.ownThrow !== null && !ids.has(this.ownThrow.act?.decision ?? "")) this.ownThrow = null;
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
      for (const region of decision.regions) if (region.unit >= 0) units.add(region.unit);
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

  /** Say what is to follow on what is prepared. */
  follow(one: Offer | Region): void {
    const draft = this.draft;
    this.wanted = afterwards(one);
    if (draft?.form === "region" && "form" in one) {
      const { to, waypoints, shape, facing, models, foreseen, proposal } = draft;
      const next = new RegionDraft(draft.decision, one);
      if (this.around?.region === draft.region) this.around = { ...this.around, region: one };
      this.draft = next;
      next.take({ to, waypoints, shape, facing, models, foreseen, proposal });
      if (this.hasGoal(next)) this.shape({});
    } else if (draft?.form === "offer" && !("form" in one)) {
      this.draft = { ...draft, action: one.action, words: one.words, offer: one };
    }
  }

  /** Of those that begin alike the one that ends as the person has said, where there is one. */
  private asWanted<T extends Offer | Region>(one: T, all: readonly T[]): T {
    return all.find((other) => beginAlike(one, other) && afterwards(other) === this.wanted) ?? one;
  }

  choose(decision: Decision, offer: Offer): void {
    if (offer.unit !== null) this.selected = offer.unit;
    offer = this.asWanted(offer, decision.offers);
    this.refusal = null;
    this.way = [];
    this.draft = { form: "offer", decision: decision.id, action: offer.action, words: offer.words, offer };
    this.askOdds(decision.id, offer);
    if (offer.unit !== null && offer.spot !== null && offer.target === null) this.askWay(decision.id, offer, offer.unit, offer.spot);
  }

  isChosen(offer: Offer): boolean {
    return this.draft?.form === "offer" && this.draft.offer !== null && beginAlike(this.draft.offer, offer);
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

  /** An open choice of a unit; where it has none, or none is named, one that is no unit's. */
  regionOf(unit: number | null, forms: readonly string[] = ["move", "place", "spot"]) {
    const open = this.regions.filter(({ region }) => forms.includes(region.form));
    return open.find(({ region }) => region.unit === unit) ?? open.find(({ region }) => region.unit < 0);
  }

  begin(decision: Decision, region: Region): RegionDraft {
    if (region.unit >= 0) this.selected = region.unit;
    this.refusal = null;
    this.odds = null;
    region = this.asWanted(region, decision.regions);
    const draft = new RegionDraft(decision.id, region);
    this.draft = draft;
    this.pickUp(decision.id, region);
    return draft;
  }

  /** Fetch what is around a unit, so that its drag needs no question for every pixel. */
  private pickUp(decision: string, region: Region): void {
    if (this.around?.decision === decision && this.around.region === region) return;
    this.around = null;
    if (region.form === "spot") return;
    this.connection
      ?.ask<"picked-up">({ type: "pick-up", decision, unit: region.unit, act: region.act })
      .then((answer) => {
        const draft = this.draft;
        if (answer.around === null || draft?.form !== "region" || draft.region !== region) return;
        this.around = { decision, region, reach: new Reach(answer.around) };
        if (draft.proposal === null && this.hasGoal(draft)) this.shape({});
      })
      .catch(() => {
        // Then every place is asked for.
      });
  }

  private hasGoal(draft: RegionDraft): boolean {
    return draft.to !== null || Object.keys(draft.models).length > 0;
  }

  private wishOf(draft: RegionDraft): Wish {
    return {
      unit: draft.region.unit,
      act: draft.region.act,
      to: draft.to,
      waypoints: draft.waypoints,
      facing: draft.facing,
      shape: draft.shape,
      models: draft.models,
    };
  }

  /** Change what is being dragged: what comes of it is foreseen at once, and asked of the rules when it rests. */
  shape(change: Partial<Shaped>): void {
    const draft = this.draft;
    if (draft?.form !== "region") return;
    this.notice = "";
    clearTimeout(this.resting);
    draft.take(change);
    const around = this.around;
    if (!this.hasGoal(draft)) {
      draft.take({ foreseen: null, proposal: null });
    } else if (around?.region === draft.region && around.decision === draft.decision) {
      draft.take({ foreseen: around.reach.foresee(this.wishOf(draft)), proposal: null });
      this.resting = setTimeout(() => this.propose(), REST);
    } else {
      draft.take({ foreseen: null });
      this.propose();
    }
  }

  /** Turn the formation, where it stands or where it is going; an angle to the left. */
  turn(angle: number): void {
    const draft = this.draft;
    if (draft?.form !== "region") return;
    const start = this.startOf(draft);
    const facing = turned(draft.facing ?? usualFacing(draft, start, this.view?.picture.height ?? 0), angle);
    this.shape({ facing, to: draft.to ?? whole(start), models: {} });
  }

  /** Where the unit that is dragged has its leading model, or the middle of its zone. */
  private startOf(draft: RegionDraft): Point {
    const picture = this.view?.picture;
    const group = picture?.groups.find((one) => one.id === draft.region.unit);
    const zone = picture?.zones.find((one) => one.side === group?.side) ?? picture?.zones[0];
    return group?.pieces[0]?.at ?? (zone === undefined ? [0, 0] : centre(zone.outline));
  }

  /** Put one model somewhere else: the others stay where the drag has them. */
  nudge(model: string, to: Point): void {
    const draft = this.draft;
    if (draft?.form !== "region") return;
    const paths = draft.proposal?.paths ?? draft.foreseen?.paths ?? {};
    const ways: Record<string, Point[]> = {};
    for (const [id, path] of Object.entries(paths)) {
      const rest = draft.region.form === "move" ? path.slice(1) : path;
      if (rest.length > 0) ways[id] = rest;
    }
    const models = { ...ways, ...draft.models };
    // The legs before the last are kept, where they still lead there.
    const way = draft.region.form === "move" ? (models[model] ?? []).slice(0, -1) : [];
    this.shape({ models: { ...models, [model]: [...way, whole(to)] } });
  }

  /** Go to a place: what was the end before becomes a waypoint. */
  goTo(at: Point): void {
    if (this.draft?.form !== "region") return;
    this.draft.held = true;
    const { to, waypoints, region } = this.draft;
    const goal = whole(at);
    if (to !== null && to[0] === goal[0] && to[1] === goal[1]) return;
    const more = to !== null && region.form === "move" ? [...waypoints, to] : waypoints;
    this.shape({ to: goal, waypoints: more, models: {} });
  }

  /** Take the last waypoint back. */
  back(): boolean {
    if (this.draft?.form !== "region") return false;
    const { waypoints, to, models } = this.draft;
    if (to !== null && Object.keys(models).length > 0) {
      this.shape({ models: {} });
      return true;
    }
    if (to === null && Object.keys(models).length === 0) return false;
    const before = waypoints.at(-1) ?? null;
    if (before === null) this.shape({ to: null, models: {}, facing: null });
    else this.shape({ to: before, waypoints: waypoints.slice(0, -1), models: {} });
    return true;
  }

  /** Ask why a unit may not go to a place that is not offered to it. */
  async askWhyNot(unit: number, to: Point): Promise<void> {
    const decision = this.offers.find(({ offer }) => offer.unit === unit)?.decision;
    if (decision === undefined) return;
    this.drop();
    try {
      const answer = await this.connection?.ask<"proposal">({ type: "propose", decision: decision.id, wish: { unit, to } });
      const refusal = answer?.proposal.refusal ?? null;
      if (refusal?.code === "nothing-to-drag") this.notice = "Nothing can be done there now";
      else this.refusal = refusal;
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ask why a card that is held is no answer now. */
  async askWhyNoCard(card: string): Promise<void> {
    const decision = this.decisions[0];
    if (decision === undefined) return;
    this.drop();
    try {
      const answer = await this.connection?.ask<"proposal">({ type: "propose", decision: decision.id, wish: { card } });
      this.refusal = answer?.proposal.refusal ?? null;
    } catch (error) {
      this.fail(error);
    }
  }

  private propose(): void {
    clearTimeout(this.resting);
    if (this.asking) this.askAgain = true;
    else void this.askAndAskAgain();
  }

  private async askAndAskAgain(): Promise<void> {
    this.asking = true;
    try {
      do {
        this.askAgain = false;
        const draft = this.draft;
        if (draft?.form !== "region" || this.connection === null || !this.hasGoal(draft)) break;
        const wish = this.wishOf(draft);
        const answer = await this.connection.ask<"proposal">({ type: "propose", decision: draft.decision, wish });
        const now = this.draft as Draft | null;
        if (now?.form === "region" && now.decision === draft.decision && now.region === draft.region) {
          const rests = JSON.stringify(this.wishOf(now)) === JSON.stringify(wish);
          // A drag that is foreseen is not put back to where it was a moment ago.
          if (rests || now.foreseen === null) {
            this.notice = "";
            now.take({ proposal: answer.proposal });
          }
        }
        if (this.askAgain) await new Promise((resolve) => setTimeout(resolve, BREATH));
      } while (this.askAgain);
    } catch (error) {
      // What was dragged may have been put away, or played, before the answer came.
      if (this.draft?.form === "region") this.fail(error);
    } finally {
      this.asking = false;
    }
  }

  /** Where the models of the selected unit would stand, while it is dragged; nothing where it stands. */
  readonly wouldStand = $derived.by((): Record<string, Point> => {
    const draft = this.draft;
    if (draft?.form !== "region" || draft.region.form === "spot" || draft.region.unit !== this.selected) return NOWHERE;
    const paths = draft.proposal?.paths ?? draft.foreseen?.paths ?? {};
    return Object.fromEntries(Object.entries(paths).flatMap(([id, path]) => (path.length > 0 ? [[id, path.at(-1)!]] : [])));
  });

  /** Ask what the selected unit sees, now that something has changed; the latest wins. */
  async look(): Promise<void> {
    if (this.seeing) {
      this.seeAgain = true;
      return;
    }
    this.seeing = true;
    try {
      do {
        this.seeAgain = false;
        const unit = this.selected;
        if (!this.looking || unit === null || this.connection === null || this.past !== null) {
          if (this.sightings.length > 0) this.sightings = [];
          this.sighting = null;
          break;
        }
        const places = this.wouldStand;
        const all = await this.connection.ask<"sight">({ type: "sight", unit, places });
        this.sightings = all.sightings;
        const target = this.lookedAt;
        const wanted = all.sightings.some((one) => one.target === target);
        if (target !== null && wanted) {
          const one = await this.connection.ask<"sight">({ type: "sight", unit, targets: [target], places });
          this.sighting = one.sightings[0] ?? null;
        } else this.sighting = null;
        if (this.seeAgain) await new Promise((resolve) => setTimeout(resolve, REST));
      } while (this.seeAgain);
    } catch (error) {
      this.looking = false;
      this.notice = error instanceof Error ? error.message : String(error);
    } finally {
      this.seeing = false;
    }
  }

  private askOdds(decision: string, offer: Offer): void {
    this.odds = null;
    if (offer.target === null && offer.unit === null && offer.spot === null) return;
    this.connection
      ?.ask<"odds">({ type: "odds", decision, action: offer.action })
      .then((answer) => {
        if (this.isChosen(offer)) this.odds = answer.odds;
      })
      .catch(() => {
        // Many acts have no odds; nothing is shown then.
      });
  }

  /** Ask by which way a chosen offer leads to its place, where the rules tell ways. */
  private askWay(decision: string, offer: Offer, unit: number, to: Point): void {
    this.connection
      ?.ask<"proposal">({ type: "propose", decision, wish: { unit, to } })
      .then(({ proposal }) => {
        const same = JSON.stringify(proposal.action) === JSON.stringify(offer.action);
        if (same && this.isChosen(offer)) this.way = Object.values(proposal.paths)[0] ?? [];
      })
      .catch(() => {
        // The place is marked without its way.
      });
  }

  readonly committable = $derived.by((): boolean => {
    if (this.draft === null || this.busy) return false;
    if (this.draft.form === "offer") return true;
    const { proposal, foreseen } = this.draft;
    return proposal === null ? (foreseen?.legal ?? false) : proposal.action !== null;
  });

  commit(): Promise<void> {
    this.sent = this.confirm();
    return this.sent;
  }

  private async confirm(): Promise<void> {
    const draft = this.draft;
    if (draft === null || this.busy) return;
    clearTimeout(this.resting);
    // What was proposed last may be for a place that the drag has left since.
    const proposal = draft.form === "offer" || this.asking ? null : draft.proposal;
    if (draft.form === "offer") await this.answer(draft.decision, { action: draft.action });
    else if (proposal === null && this.hasGoal(draft)) await this.answer(draft.decision, { wish: this.wishOf(draft) });
    else if (proposal !== null && proposal.action !== null) await this.answer(draft.decision, { action: proposal.action });
  }

  async answer(decision: string, meant: Meant, dice: number[][] = []): Promise<void> {
    this.busy = true;
    this.refusal = null;
    this.askAgain = false;
    clearTimeout(this.resting);
    try {
      const typed = dice.length > 0 ? { dice } : {};
      const heard = await this.connection?.ask<"done" | "proposal">({ type: "answer", decision, ...meant, ...typed });
      if (heard?.type === "proposal") {
        // Nothing may come of the wish: the drag shows why, and where it goes wrong.
        const draft = this.draft;
        if (draft?.form === "region" && draft.decision === decision) draft.take({ proposal: heard.proposal });
        else this.refusal = heard.proposal.refusal;
        return;
      }
      this.notice = "";
      this.ownThrow = null;
      if (this.draft?.decision === decision) this.drop();
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === "dice-wanted")
        this.ownThrow = wantedOf(error.refusal, { decision, meant, typed: dice });
      else this.fail(error);
    } finally {
      this.busy = false;
    }
  }

  /** Type in how the real dice fell that are asked for. */
  async typeIn(faces: number[]): Promise<void> {
    const throwing = this.throwing;
    if (throwing === null || this.busy) return;
    this.refusal = null;
    if (throwing.act !== null)
      await (this.sent = this.answer(throwing.act.decision, throwing.act.meant, [...throwing.act.typed, faces]));
    else await this.plain({ type: "dice", faces });
  }

  /** Think better of an act whose dice have not been thrown yet. */
  dropThrow(): void {
    this.ownThrow = null;
  }

  /** Ask how something came about. */
  async ask(about: About, words: string): Promise<void> {
    const asked: Because = { about, words, steps: null };
    this.because = asked;
    try {
      const answer = await this.connection?.ask<"because">({ type: "why", ...about });
      if (this.because === asked) this.because = { ...asked, steps: answer?.steps ?? [] };
    } catch (error) {
      if (this.because === asked) this.because = null;
      this.fail(error);
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

  /**
   * End the step. While something else is on its way it waits for that, and then ends only what was meant: where that was
   * refused, something else is asked now, or somebody else acts, it is said and nothing is done.
   */
  async end(): Promise<void> {
    const meant = this.ending;
    if (meant === null) return;
    const refused = this.refusal;
    await this.sent;
    const now = this.ending;
    if (this.refusal !== null && this.refusal !== refused) return;
    if (now?.offer.words !== meant.offer.words) {
      this.notice = `Not done: ${meant.offer.words}. Something else has happened meanwhile`;
      return;
    }
    this.choose(now.decision, now.offer);
    await this.commit();
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

  /** Whether an act of a seat of this screen that was taken back may be played again. */
  readonly mayRedo = $derived(this.past === null && this.queue.length === 0 && this.live?.undo.redo === true);

  async redo(): Promise<void> {
    if (this.live === null || this.past !== null) return;
    if (!this.mayRedo) {
      this.notice = "There is nothing to play again.";
      return;
    }
    this.drop();
    await this.plain({ type: "redo", side: this.live.you });
  }

  /** Ask for leave to take the last act back. On a shared screen the side asks that has played last. */
  askTakeback(): Promise<void> {
    return this.plain({ type: "takeback", side: this.lastHere ?? this.live?.you ?? null });
  }

  /** The seat of this screen that may give leave to take an act back. */
  readonly givesLeave = $derived.by(() => {
    const { undo, you } = this.live ?? {};
    if (undo?.asked === null || undo?.asked === undefined || you === null || you === undefined) return null;
    return you !== undo.asked ? you : (this.seats.find((side) => side !== undo.asked) ?? null);
  });

  giveLeave(answer: boolean): Promise<void> {
    return this.plain({ type: "takeback", side: this.givesLeave, answer });
  }

  /** After the end: show everything that was hidden. */
  showAll(): Promise<void> {
    return this.plain({ type: "show-all", side: this.live?.you ?? null });
  }

  resign(): Promise<void> {
    return this.plain({ type: "resign", side: this.live?.you ?? null });
  }

  private plain(message: Record<string, unknown>): Promise<void> {
    this.sent = this.say(message);
    return this.sent;
  }

  private async say(message: Record<string, unknown>): Promise<void> {
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

function wantedOf(refusal: Refusal, act: Throwing["act"]): Throwing {
  const { count, sides, side, words } = refusal.values;
  return {
    side: typeof side === "number" ? side : null,
    count: Number(count),
    sides: Number(sides),
    clauses: [refusal.clause],
    words: typeof words === "string" ? words : "",
    act,
  };
}
