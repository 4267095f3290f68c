/** What the person is about to do: an answer is chosen or dragged, what would come of it is asked, and it is confirmed. */
import { shorter, turned, usualFacing, type Shorter } from "../lib/drag";
import { centre, sumOf, whole } from "../lib/measure";
import { confirmsAlways } from "../lib/settings.svelte";
import { Reach } from "../lib/reach/reach";
import { Refused } from "../wire/connection";
import type { Decision, Forecast, Hint, Loud, Offer, Point, Refusal, Region, Usual } from "../wire/types";
import { afterwards, beginAlike, type Choices } from "./choices.svelte";
import type { Dice, Meant } from "./dice.svelte";
import { RegionDraft, type Draft, type Shaped } from "./draft.svelte";
import type { Feed } from "./feed.svelte";
import type { Server } from "./server.svelte";

/** Milliseconds between two questions of a drag that is not foreseen. */
const BREATH = 35;

/** Milliseconds that a drag which is foreseen rests before the rules are asked. */
const REST = 90;

/** How far beyond a price a drag is put back to where it ends, and how far it is offered to be, in lengths of the table's scale. */
const SNAPS = 0.5;
const OFFERS = 1.5;

/** Formations that a unit may be asked to take where its own does not fit. */
const OTHERS = ["column", "line", "wedge"] as const;

/** Milliseconds in which what is suggested is not confirmed: a stroke that was meant for something else is over by then. */
const PAUSE = 500;

const NOWHERE: Record<string, Point> = {};

/** A formation that fits, how far its models go for it, and what that costs. */
export interface Fit {
  shape: string;
  length: number;
  cost: number;
}

export class Plan {
  draft = $state.raw<Draft | null>(null);
  /** The offer under the pointer. */
  pointed = $state.raw<Offer | null>(null);
  /** The way that the chosen offer takes, where it is known. */
  way = $state.raw<Point[]>([]);
  odds = $state.raw<Forecast | null>(null);
  /** Formations in which the unit that is dragged could go where it does not fit as it is. */
  fits = $state.raw<readonly Fit[]>([]);
  /** Why what is prepared was not done at once. */
  loud = $state.raw<Loud | null>(null);
  /** What was aimed at somebody and done at once: its odds are shown all the same. */
  private aimed: Offer | null = null;
  /** What the person has said last is to follow. */
  private wanted = "";
  /** The decision that is being answered. */
  private answering: string | null = null;
  private asking = false;
  private askAgain = false;
  private resting: ReturnType<typeof setTimeout> | undefined;
  /** What is around the unit that is being dragged, and the draft's decision and region that it was sent for. */
  private around: { decision: string; region: Region; reach: Reach } | null = null;

  /** What may follow on what is prepared: the same beginning with each of its ends. */
  readonly follows = $derived.by((): (Offer | Region)[] => {
    const { draft } = this;
    const { allOffers, allRegions } = this.choices;
    if (draft?.form === "region") return allRegions.map(({ region }) => region).filter((one) => one.first && beginAlike(one, draft.region));
    const offer = draft?.offer ?? null;
    return offer === null ? [] : allOffers.map((one) => one.offer).filter((one) => one.first && beginAlike(one, offer));
  });

  /** Where the models of the selected unit would stand, while it is dragged; nothing where it stands. */
  readonly wouldStand = $derived.by((): Record<string, Point> => {
    const { draft } = this;
    if (draft?.form !== "region" || draft.region.form === "spot" || draft.region.unit !== this.choices.selected) return NOWHERE;
    return Object.fromEntries(Object.entries(draft.paths).flatMap(([id, path]) => (path.length > 0 ? [[id, path.at(-1)!]] : [])));
  });

  readonly committable = $derived.by((): boolean => {
    if (this.draft === null || this.server.busy) return false;
    if (this.draft.form === "offer") return true;
    const { proposal, foreseen } = this.draft;
    return proposal === null ? (foreseen?.legal ?? false) : proposal.action !== null;
  });

  /** *dice* gives what keeps an answer for which real dice have to be typed in first. */
  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
    private readonly choices: Choices,
    private readonly dice: () => Dice,
  ) {}

  /** Give up what is being prepared. */
  drop(): void {
    this.draft = null;
    this.afresh();
  }

  /** What was prepared is done, or asked no more; the odds of what was aimed at somebody stay to be read. */
  done(): void {
    const { aimed, odds } = this;
    this.drop();
    if (aimed !== null) [this.aimed, this.odds] = [aimed, odds];
  }

  private afresh(): void {
    this.aimed = null;
    this.odds = null;
    this.loud = null;
    this.server.refusal = null;
  }

  // ── an offer ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Choose an answer. What is quiet is done at once, unless it is to be prepared only, as where it is one of several that
   * were meant, or where something is to be said of what follows.
   */
  choose(decision: Decision, offer: Offer, preparing = false): void {
    this.feed.skip();
    if (offer.unit !== null) this.choices.selected = offer.unit;
    offer = this.asWanted(offer, decision.offers);
    this.afresh();
    this.way = [];
    this.draft = { form: "offer", decision: decision.id, action: offer.action, words: offer.words, offer };
    if (preparing || confirmsAlways() || this.follows.length > 1) {
      this.foretell(decision.id, offer);
      return;
    }
    if (offer.target !== null) {
      this.aimed = offer;
      this.askOdds(decision.id, offer);
    }
    this.server.sent = this.answer(decision.id, { action: offer.action }, [], true).then((done) => {
      if (done || !this.isChosen(offer)) return;
      if (this.aimed === null) this.foretell(decision.id, offer);
      this.aimed = null;
    });
  }

  /** Ask what may come of an answer that is prepared, and by which way. */
  private foretell(decision: string, offer: Offer): void {
    this.askOdds(decision, offer);
    if (offer.unit !== null && offer.spot !== null && offer.target === null) this.askWay(decision, offer, offer.unit, offer.spot);
  }

  /** Prepare the usual answer; what has been suggested just now is not confirmed yet. */
  suggest(decision: Decision, usual: Usual, since = performance.now()): void {
    this.afresh();
    const text = JSON.stringify(usual.action);
    const offer = decision.offers.find((one) => JSON.stringify(one.action) === text) ?? null;
    this.way = [];
    this.draft = {
      form: "offer",
      decision: decision.id,
      action: usual.action,
      words: usual.words,
      offer,
      usual: { unit: usual.unit, since },
    };
  }

  /** Give the usual answer, of a unit or of all, for as long as it is quiet; the first that is not is prepared. */
  usually(decision: Decision, unit: number | null): Promise<void> {
    this.drop();
    this.server.sent = this.giveUsual(decision.id, unit, true).then(() => {
      const next = this.choices.decisions.find((one) => one.usual !== null && one.usual !== undefined && (unit === null || one.usual.unit === unit));
      if (next?.usual && this.server.refusal === null) {
        this.suggest(next, next.usual, 0);
        return this.giveUsual(next.id, unit, true);
      }
    });
    return this.server.sent;
  }

  private async giveUsual(decision: string, unit: number | null, quietly: boolean): Promise<void> {
    this.server.busy = true;
    this.server.refusal = null;
    try {
      const heard = await this.server.ask<"done" | "loud">({ type: "usual", decision, unit, ...(quietly ? { quietly } : {}) });
      if (heard?.type === "loud" && this.draft?.decision === decision) this.loud = heard.loud;
      this.server.notice = "";
      if (!quietly && this.draft?.decision === decision) this.done();
    } catch (error) {
      this.server.fail(error);
    } finally {
      this.server.busy = false;
    }
  }

  isChosen(offer: Offer): boolean {
    return this.draft?.form === "offer" && this.draft.offer !== null && beginAlike(this.draft.offer, offer);
  }

  /** Say what is to follow on what is prepared. */
  follow(one: Offer | Region): void {
    const { draft } = this;
    this.wanted = afterwards(one);
    if (draft?.form === "region" && "form" in one) {
      const { to, waypoints, shape, facing, models, foreseen, proposal } = draft;
      const next = new RegionDraft(draft.decision, one);
      next.careful = draft.careful;
      if (this.around?.region === draft.region) this.around = { ...this.around, region: one };
      this.draft = next;
      next.take({ to, waypoints, shape, facing, models, foreseen, proposal });
      if (next.hasGoal) this.shape({});
    } else if (draft?.form === "offer" && !("form" in one)) {
      this.draft = { ...draft, action: one.action, words: one.words, offer: one };
    }
  }

  /** Of those that begin alike the one that ends as the person has said, where there is one. */
  private asWanted<T extends Offer | Region>(one: T, all: readonly T[]): T {
    return all.find((other) => beginAlike(one, other) && afterwards(other) === this.wanted) ?? one;
  }

  /** Prepare the nearest legal action that a refusal names. */
  takeNearest(refusal: Refusal): void {
    const { decisions } = this.choices;
    const decision = decisions.find((one) => one.id === this.draft?.decision) ?? decisions[0];
    if (refusal.nearest === null || decision === undefined) return;
    const text = JSON.stringify(refusal.nearest);
    const offer = decision.offers.find((one) => JSON.stringify(one.action) === text) ?? null;
    this.afresh();
    this.draft = {
      form: "offer",
      decision: decision.id,
      action: refusal.nearest,
      words: offer?.words ?? "The nearest that is legal",
      offer,
    };
  }

  /** Prepare what a hint says. */
  advise(decision: Decision, hint: Hint): void {
    const now = this.choices.decisions.find((one) => one.id === decision.id);
    if (now === undefined) return;
    const text = JSON.stringify(hint.action);
    const offer = now.offers.find((one) => JSON.stringify(one.action) === text) ?? null;
    if (hint.unit !== null) this.choices.selected = hint.unit;
    this.afresh();
    this.draft = { form: "offer", decision: decision.id, action: hint.action, words: hint.words, offer };
    const start = this.choices.unit?.pieces[0]?.at;
    this.way = hint.to !== null && start !== undefined ? [start, hint.to] : [];
    if (offer !== null) this.foretell(decision.id, offer);
  }

  private askOdds(decision: string, offer: Offer): void {
    this.odds = null;
    if (offer.target === null && offer.unit === null && offer.spot === null) return;
    this.server
      .ask<"odds">({ type: "odds", decision, action: offer.action })
      .then((answer) => {
        if (answer !== undefined && (this.isChosen(offer) || this.aimed === offer)) this.odds = answer.odds;
      })
      .catch(() => {
        // Many acts have no odds; nothing is shown then.
      });
  }

  /** Ask by which way a chosen offer leads to its place, where the rules tell ways. */
  private askWay(decision: string, offer: Offer, unit: number, to: Point): void {
    this.server
      .ask<"proposal">({ type: "propose", decision, wish: { unit, to } })
      .then((answer) => {
        if (answer === undefined) return;
        const { proposal } = answer;
        const same = JSON.stringify(proposal.action) === JSON.stringify(offer.action);
        if (same && this.isChosen(offer)) this.way = Object.values(proposal.paths)[0] ?? [];
      })
      .catch(() => {
        // The place is marked without its way.
      });
  }

  // ── a drag ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Begin to drag something, or to say with care where it goes. */
  begin(decision: Decision, region: Region, careful = false): RegionDraft {
    this.feed.skip();
    if (region.unit >= 0) this.choices.selected = region.unit;
    this.afresh();
    region = this.asWanted(region, decision.regions);
    const draft = new RegionDraft(decision.id, region);
    draft.careful = careful && region.form !== "spot";
    this.draft = draft;
    this.pickUp(decision.id, region);
    return draft;
  }

  /** Go on with a drag when the same is asked anew, as after an act that was still on its way when it began. */
  carryOver(decisions: readonly Decision[]): boolean {
    const { draft } = this;
    if (draft?.form !== "region" || this.answering === draft.decision) return false;
    const { unit, form, act, first } = draft.region;
    for (const decision of decisions)
      for (const region of decision.regions)
        if (region.unit === unit && region.form === form && region.act === act && region.first === first) {
          const { to, waypoints, shape, facing, models, held, careful } = draft;
          const next = new RegionDraft(decision.id, region);
          [next.held, next.careful] = [held, careful];
          this.draft = next;
          this.pickUp(decision.id, region);
          next.take({ to, waypoints, shape, facing, models });
          if (next.hasGoal) this.shape({});
          return true;
        }
    return false;
  }

  /** Fetch what is around a unit, so that its drag needs no question for every pixel. */
  private pickUp(decision: string, region: Region): void {
    if (this.around?.decision === decision && this.around.region === region) return;
    this.around = null;
    if (region.form === "spot") return;
    this.server
      .ask<"picked-up">({ type: "pick-up", decision, unit: region.unit, act: region.act })
      .then((answer) => {
        const { draft } = this;
        const around = answer?.around ?? null;
        if (around === null || draft?.form !== "region" || draft.region !== region) return;
        this.around = { decision, region, reach: new Reach(around) };
        if (draft.proposal === null && draft.hasGoal) this.shape({});
      })
      .catch(() => {
        // Then every place is asked for.
      });
  }

  /** Change what is being dragged: what comes of it is foreseen at once, and asked of the rules when it rests. */
  shape(change: Partial<Shaped>): void {
    const { draft } = this;
    if (draft?.form !== "region") return;
    this.server.notice = "";
    clearTimeout(this.resting);
    if (this.fits.length > 0) this.fits = [];
    draft.take(change);
    const { around } = this;
    if (!draft.hasGoal) {
      draft.take({ foreseen: null, proposal: null });
    } else if (around?.region === draft.region && around.decision === draft.decision) {
      draft.take({ foreseen: around.reach.foresee(draft.wish), proposal: null });
      this.snap(draft, around.reach);
      this.resting = setTimeout(() => this.propose(), REST);
    } else {
      draft.take({ foreseen: null });
      this.propose();
    }
  }

  /** Put a drag that goes just beyond a price back to where that ends. */
  private snap(draft: RegionDraft, reach: Reach): void {
    if (draft.careful || draft.foreseen === null) return;
    const less = this.shorter(draft, SNAPS);
    if (less === null) return;
    const foreseen = reach.foresee({ ...draft.wish, to: less.to });
    if (foreseen.legal && foreseen.price < draft.foreseen.price) draft.take({ to: less.to, foreseen });
  }

  /** How a drag that goes a little beyond a price would end where that ends. */
  shorter(draft: RegionDraft, within = OFFERS): Shorter | null {
    const scale = this.feed.view?.picture.scale ?? 0;
    const length = draft.proposal?.length ?? draft.foreseen?.length ?? 0;
    return draft.region.form === "move" ? shorter(draft.wish, this.startOf(draft), draft.region.bands, length, within * scale) : null;
  }

  /** Ask in which other formations a unit could go where it does not fit as it is. */
  private async findFits(draft: RegionDraft): Promise<void> {
    const { wish } = draft;
    const found: Fit[] = [];
    for (const shape of OTHERS) {
      const answer = await this.server.ask<"proposal">({ type: "propose", decision: draft.decision, wish: { ...wish, shape } });
      if (this.draft !== draft || JSON.stringify(draft.wish) !== JSON.stringify(wish)) return;
      if (answer?.proposal.action) found.push({ shape, length: answer.proposal.length, cost: sumOf(answer.proposal.price) });
    }
    this.fits = found.sort((a, b) => a.cost - b.cost);
  }

  /** What was dragged is let go: what is quiet is done at once, the rest waits to be confirmed. */
  letGo(): void {
    const { draft } = this;
    if (draft?.form !== "region" || !draft.hasGoal || draft.careful || confirmsAlways() || this.follows.length > 1) return;
    if (draft.foreseen?.legal === false) return;
    this.server.sent = this.answer(draft.decision, { wish: draft.wish }, [], true).then(() => {});
  }

  /** Turn the formation, where it stands or where it is going; an angle to the left. */
  turn(angle: number): void {
    const { draft } = this;
    if (draft?.form !== "region") return;
    draft.careful = true;
    const start = this.startOf(draft);
    const facing = turned(draft.facing ?? usualFacing(draft, start, this.feed.view?.picture.height ?? 0), angle);
    this.shape({ facing, to: draft.to ?? whole(start), models: {} });
  }

  /** Where the unit that is dragged has its leading model, or the middle of its zone. */
  private startOf(draft: RegionDraft): Point {
    const picture = this.feed.view?.picture;
    const group = picture?.groups.find((one) => one.id === draft.region.unit);
    const zone = picture?.zones.find((one) => one.side === group?.side) ?? picture?.zones[0];
    return group?.pieces[0]?.at ?? (zone === undefined ? [0, 0] : centre(zone.outline));
  }

  /** Put one model somewhere else: the others stay where the drag has them. */
  nudge(model: string, to: Point): void {
    const { draft } = this;
    if (draft?.form !== "region") return;
    draft.careful = true;
    const ways: Record<string, Point[]> = {};
    for (const [id, path] of Object.entries(draft.paths)) {
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
        const { draft } = this;
        if (draft?.form !== "region" || !draft.hasGoal) break;
        const { wish } = draft;
        const answer = await this.server.ask<"proposal">({ type: "propose", decision: draft.decision, wish });
        if (answer === undefined) break;
        const now = this.draft as Draft | null;
        if (now?.form === "region" && now.decision === draft.decision && now.region === draft.region) {
          const rests = JSON.stringify(now.wish) === JSON.stringify(wish);
          // A drag that is foreseen is not put back to where it was a moment ago.
          if (rests || now.foreseen === null) {
            this.server.notice = "";
            now.take({ proposal: answer.proposal });
            this.fits = [];
            const { form } = now.region;
            const many = Object.keys(answer.proposal.paths).length > 1;
            if (answer.proposal.refusal !== null && rests && many && form === "move" && now.shape === "keep") await this.findFits(now);
          }
        }
        if (this.askAgain) await new Promise((resolve) => setTimeout(resolve, BREATH));
      } while (this.askAgain);
    } catch (error) {
      // What was dragged may have been put away, or played, before the answer came.
      if (this.draft?.form === "region") this.server.fail(error);
    } finally {
      this.asking = false;
    }
  }

  // ── what is not offered ───────────────────────────────────────────────────────────────────────────────────────────

  /** Ask why a unit may not go to a place that is not offered to it. */
  async askWhyNot(unit: number, to: Point): Promise<void> {
    const decision = this.choices.offers.find(({ offer }) => offer.unit === unit)?.decision;
    if (decision === undefined) return;
    this.drop();
    try {
      const answer = await this.server.ask<"proposal">({ type: "propose", decision: decision.id, wish: { unit, to } });
      const refusal = answer?.proposal.refusal ?? null;
      if (refusal?.code === "nothing-to-drag") this.server.notice = "Nothing can be done there now";
      else this.server.refusal = refusal;
    } catch (error) {
      this.server.fail(error);
    }
  }

  /** Ask why a card that is held is no answer now. */
  async askWhyNoCard(card: string): Promise<void> {
    const decision = this.choices.decisions[0];
    if (decision === undefined) return;
    this.drop();
    try {
      const answer = await this.server.ask<"proposal">({ type: "propose", decision: decision.id, wish: { card } });
      this.server.refusal = answer?.proposal.refusal ?? null;
    } catch (error) {
      this.server.fail(error);
    }
  }

  // ── the confirmation ──────────────────────────────────────────────────────────────────────────────────────────────

  commit(): Promise<void> {
    this.server.sent = this.confirm();
    return this.server.sent;
  }

  private async confirm(): Promise<void> {
    const { draft } = this;
    if (draft === null || this.server.busy) return;
    clearTimeout(this.resting);
    // What was proposed last may be for a place that the drag has left since.
    const proposal = draft.form === "offer" || this.asking ? null : draft.proposal;
    if (draft.form === "offer" && draft.usual) {
      if (performance.now() - draft.usual.since < PAUSE) return;
      await this.giveUsual(draft.decision, draft.usual.unit, false);
    } else if (draft.form === "offer") await this.answer(draft.decision, { action: draft.action });
    else if (proposal === null && draft.hasGoal) await this.answer(draft.decision, { wish: draft.wish });
    else if (proposal !== null && proposal.action !== null) await this.answer(draft.decision, { action: proposal.action });
  }

  /**
   * Answer a decision, with the real dice typed so far. Where it is to be done quietly only, and would not be quiet, it stays
   * prepared. Says whether it is done.
   */
  async answer(decision: string, meant: Meant, dice: number[][] = [], quietly = false): Promise<boolean> {
    this.feed.skip();
    this.server.busy = true;
    this.answering = decision;
    this.server.refusal = null;
    this.askAgain = false;
    clearTimeout(this.resting);
    try {
      const typed = dice.length > 0 ? { dice } : {};
      const wanted = quietly ? { quietly } : {};
      const heard = await this.server.ask<"done" | "loud" | "proposal">({ type: "answer", decision, ...meant, ...typed, ...wanted });
      if (heard?.type === "loud") {
        if (this.draft?.decision === decision) this.loud = heard.loud;
        return false;
      }
      if (heard?.type === "proposal") {
        // Nothing may come of the wish: the drag shows why, and where it goes wrong.
        const { draft } = this;
        if (draft?.form === "region" && draft.decision === decision) {
          draft.take({ proposal: heard.proposal });
          this.loud = heard.loud ?? null;
        } else this.server.refusal = heard.proposal.refusal;
        return false;
      }
      this.server.notice = "";
      this.dice().drop();
      if (this.draft?.decision === decision) this.done();
      return true;
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === "dice-wanted")
        this.dice().want(error.refusal, { decision, meant, typed: dice });
      else this.server.fail(error);
      return false;
    } finally {
      this.server.busy = false;
      if (this.answering === decision) this.answering = null;
    }
  }

  /**
   * End the step. While something else is on its way it waits for that, and then ends only what was meant: where that was
   * refused, something else is asked now, or somebody else acts, it is said and nothing is done.
   */
  async end(): Promise<void> {
    const meant = this.choices.ending;
    if (meant === null) return;
    const refused = this.server.refusal;
    await this.server.sent;
    const now = this.choices.ending;
    if (this.server.refusal !== null && this.server.refusal !== refused) return;
    if (now?.offer.words !== meant.offer.words) {
      this.server.notice = `Not done: ${meant.offer.words}. Something else has happened meanwhile`;
      return;
    }
    this.choose(now.decision, now.offer, true);
    await this.commit();
  }
}
