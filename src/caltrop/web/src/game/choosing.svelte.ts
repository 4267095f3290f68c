/**
 * Choose an offer: by the person, as the usual answer, as the nearest legal answer, or as a hint. The page asks for the
 * possible results of the choice.
 */
import { dragOf } from "../lib/drag";
import { confirmsAlways } from "../lib/settings.svelte";
import { byFinger } from "../lib/touch";
import type { Decision, Hint, Offer, Point, Refusal, Usual } from "../wire/types";
import type { Answering } from "./answering.svelte";
import type { Choices } from "./choices.svelte";
import type { Feed } from "./feed.svelte";
import type { Foresight } from "./foresight.svelte";
import type { Plan } from "./plan.svelte";
import type { Server } from "./server.svelte";

export class Choosing {
  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
    private readonly choices: Choices,
    private readonly plan: Plan,
    private readonly answering: Answering,
    private readonly foresight: Foresight,
  ) {}

  /**
   * Choose an answer. An answer that needs no confirmation is sent at once, unless it is only to be prepared. An answer
   * waits if it is one of several candidates, or if its results can be shown in advance. An answer that needs a
   * confirmation is sent at once if its button has announced its effects (`announced`), or if there is no other.
   */
  choose(decision: Decision, offer: Offer, preparing = false, announced = false): void {
    this.feed.skip();
    if (offer.unit !== null) this.choices.selected = offer.unit;
    offer = this.plan.asWanted(offer, decision.offers);
    // A finger cannot point at a target to see the odds, so its first tap shows them and a second one pays.
    const unseen = byFinger() && offer.target !== null && offer.price.length > 0 && !this.plan.isChosen(offer);
    this.plan.afresh();
    this.plan.way = [];
    this.plan.draft = { form: "offer", decision: decision.id, action: offer.action, words: offer.words, offer };
    if (preparing || unseen || confirmsAlways() || this.plan.follows.length > 1) {
      this.foretell(decision.id, offer);
      return;
    }
    if (offer.target !== null) {
      this.plan.aimed = offer;
      this.askOdds(decision.id, offer);
    }
    const only = decision.offers.length === 1 && decision.regions.length === 0;
    this.server.sent = this.answering
      .answer(decision.id, { action: offer.action }, [], !announced && !only)
      .then((done) => {
        if (done || !this.plan.isChosen(offer)) return;
        if (this.plan.aimed === null) this.foretell(decision.id, offer);
        this.plan.aimed = null;
      });
  }

  /**
   * Choose a model for an answer that lists several, or choose it no longer. If enough are chosen, it replaces the one
   * that was chosen first.
   */
  pick(model: number): void {
    const { picking } = this.choices;
    if (picking === null) return;
    this.feed.skip();
    const before = this.plan.picked;
    const picked = before.includes(model)
      ? before.filter((one) => one !== model)
      : [...before.slice(Math.max(0, before.length + 1 - picking.most)), model];
    const { decision, field } = picking;
    const models = [...picked].sort((a, b) => a - b);
    const text = JSON.stringify(models);
    const offer = decision.offers.find(({ action }) => JSON.stringify(action[field]) === text) ?? null;
    const like = offer ?? decision.offers[0];
    if (like === undefined) return;
    this.plan.afresh();
    this.plan.way = [];
    this.plan.draft = {
      form: "offer",
      decision: decision.id,
      action: { ...like.action, [field]: models },
      words: offer?.words ?? "",
      offer,
      picked,
    };
    if (this.plan.draft.words === "") this.plan.draft = { ...this.plan.draft, words: this.plan.pickedInWords };
  }

  /** Prepare the usual answer. For a moment the prepared answer cannot be confirmed. */
  suggest(decision: Decision, usual: Usual, since = Infinity): void {
    this.plan.afresh();
    const text = JSON.stringify(usual.action);
    const offer = decision.offers.find((one) => JSON.stringify(one.action) === text) ?? null;
    this.plan.way = [];
    this.plan.draft = {
      form: "offer",
      decision: decision.id,
      action: usual.action,
      words: usual.words,
      offer,
      usual: { unit: usual.unit },
      since,
    };
  }

  /**
   * Prepare the act of a unit that has only one, against one target, with its odds and dice: naming the target would
   * decide nothing. For a moment the act cannot be confirmed.
   */
  aimOnly(): void {
    const { only } = this.choices;
    if (only === null || this.plan.draft !== null || this.feed.past !== null) return;
    const { decision, offer } = only;
    this.plan.afresh();
    this.plan.way = [];
    this.plan.draft = {
      form: "offer",
      decision: decision.id,
      action: offer.action,
      words: offer.words,
      offer,
      since: Infinity,
    };
    this.foretell(decision.id, offer);
  }

  /** Give the usual answers of a unit, or of all units, until one needs a confirmation. The answer that needs a
   * confirmation is prepared. */
  usually(decision: Decision, unit: number | null): Promise<void> {
    this.plan.drop();
    this.server.sent = this.answering.giveUsual(decision.id, unit, true).then(() => {
      const next = this.choices.decisions.find(
        (one) => one.usual !== null && one.usual !== undefined && (unit === null || one.usual.unit === unit),
      );
      if (next?.usual && this.server.refusal === null) {
        this.suggest(next, next.usual, 0);
        return this.answering.giveUsual(next.id, unit, true);
      }
    });
    return this.server.sent;
  }

  /** Set what follows the prepared offer. */
  follow(offer: Offer): void {
    this.plan.want(offer);
    const { draft } = this.plan;
    if (draft?.form === "offer") this.plan.draft = { ...draft, action: offer.action, words: offer.words, offer };
  }

  /** Return the offer that is the nearest legal action of a refusal; null if no offer is. */
  nearestOffer(refusal: Refusal): Offer | null {
    const text = JSON.stringify(refusal.nearest);
    for (const { offers } of this.choices.decisions)
      for (const offer of offers) if (JSON.stringify(offer.action) === text) return offer;
    return null;
  }

  /** Prepare the nearest legal action that a refusal names. */
  takeNearest(refusal: Refusal): void {
    const { decisions } = this.choices;
    const decision = decisions.find((one) => one.id === this.plan.draft?.decision) ?? decisions[0];
    if (refusal.nearest === null || decision === undefined) return;
    const offer = this.nearestOffer(refusal);
    const { draft } = this.plan;
    if (offer === null && draft?.form === "region") {
      const group = this.feed.view?.picture.groups.find((one) => one.id === draft.region.unit);
      const drag = dragOf(
        refusal.nearest,
        (group?.pieces ?? []).map(({ id }) => id),
      );
      if (drag !== null) {
        // It stays a drag, so that its length, its price and its targets are shown, and it can be changed.
        draft.careful = true;
        draft.take({ ...drag, shape: "keep", facing: null });
        this.foresight.look(draft);
        return;
      }
    }
    this.plan.afresh();
    this.plan.draft = {
      form: "offer",
      decision: decision.id,
      action: refusal.nearest,
      words: offer?.words ?? "The nearest legal act",
      offer,
    };
  }

  /** Prepare the answer of a hint. */
  advise(decision: Decision, hint: Hint): void {
    const now = this.choices.decisions.find((one) => one.id === decision.id);
    if (now === undefined) return;
    const text = JSON.stringify(hint.action);
    const offer = now.offers.find((one) => JSON.stringify(one.action) === text) ?? null;
    if (hint.unit !== null) this.choices.selected = hint.unit;
    this.plan.afresh();
    this.plan.draft = { form: "offer", decision: decision.id, action: hint.action, words: hint.words, offer };
    const start = this.choices.unit?.pieces[0]?.at;
    this.plan.way = hint.to !== null && start !== undefined ? [start, hint.to] : [];
    if (offer !== null) this.foretell(decision.id, offer);
  }

  /**
   * End the step, as its button does. If the answer has no immediate effects it is given at once, else it waits for a
   * confirmation. This call confirms an answer that is waiting already, or whose button has announced the effects
   * (`announced`). Messages that wait are sent first. If a message was refused, or if the question or the acting side
   * has changed, the step is not ended, and the player gets a notice.
   */
  async end(announced: () => boolean = () => false): Promise<void> {
    const meant = this.choices.ending;
    if (meant === null) return;
    const refused = this.server.refusal;
    await this.server.sent;
    const now = this.choices.ending;
    if (this.server.refusal !== null && this.server.refusal !== refused) return;
    if (now?.offer.words !== meant.offer.words) {
      this.server.notice = `Not done: ${meant.offer.words}. The game has changed meanwhile`;
      return;
    }
    if (this.plan.isChosen(now.offer)) await this.answering.commit();
    else this.choose(now.decision, now.offer, false, announced());
  }

  // ── possible results ───────────────────────────────────────────────────────────────────────────────────────────

  /** Ask for the possible results of a prepared answer, and for its path. */
  private foretell(decision: string, offer: Offer): void {
    this.askOdds(decision, offer);
    if (offer.unit !== null && offer.spot !== null && offer.target === null)
      this.askWay(decision, offer, offer.unit, offer.spot);
  }

  private askOdds(decision: string, offer: Offer): void {
    this.plan.odds = null;
    this.plan.whole = [];
    if (offer.target === null && offer.unit === null && offer.spot === null) return;
    this.server
      .ask<"odds">({ type: "odds", decision, action: offer.action })
      .then((answer) => {
        if (answer === undefined || !(this.plan.isChosen(offer) || this.plan.aimed === offer)) return;
        this.plan.odds = answer.odds;
        if (this.plan.isChosen(offer)) this.plan.loud = answer.loud ?? null;
        if (answer.odds.answers.length > 0) return this.askWhole(decision, offer);
      })
      .catch(() => {
        // Many acts have no odds. For acts without odds nothing is shown.
      });
  }

  /** Ask for the outcome for all units of the whole act, if the other side may answer it. */
  private async askWhole(decision: string, offer: Offer): Promise<void> {
    const answer = await this.server.ask<"odds">({ type: "odds", decision, action: offer.action, whole: true });
    if (answer !== undefined && this.plan.isChosen(offer)) this.plan.whole = answer.whole;
  }

  /** Ask for the path of a chosen offer to its place, if the rules know one. */
  private askWay(decision: string, offer: Offer, unit: number, to: Point): void {
    this.server
      .ask<"proposal">({ type: "propose", decision, wish: { unit, to } })
      .then((answer) => {
        if (answer === undefined) return;
        const { proposal } = answer;
        const same = JSON.stringify(proposal.action) === JSON.stringify(offer.action);
        if (same && this.plan.isChosen(offer)) this.plan.way = Object.values(proposal.paths)[0] ?? [];
      })
      .catch(() => {
        // The place is marked without its path.
      });
  }

  // ── what is not offered ───────────────────────────────────────────────────────────────────────────────────────────

  /** Ask why a unit may not go to a place that is not offered to it. */
  async askWhyNot(unit: number, to: Point): Promise<void> {
    const decision = this.choices.offers.find(({ offer }) => offer.unit === unit)?.decision;
    if (decision === undefined) return;
    this.plan.drop();
    try {
      const answer = await this.server.ask<"proposal">({ type: "propose", decision: decision.id, wish: { unit, to } });
      const refusal = answer?.proposal.refusal ?? null;
      if (refusal?.code === "nothing-to-drag") this.server.notice = "Nothing can be done there now";
      else this.server.refusal = refusal;
    } catch (error) {
      this.server.fail(error);
    }
  }

  /** Ask why a card in hand is not an answer now. */
  async askWhyNoCard(card: string): Promise<void> {
    const decision = this.choices.decisions[0];
    if (decision === undefined) return;
    this.plan.drop();
    try {
      const answer = await this.server.ask<"proposal">({ type: "propose", decision: decision.id, wish: { card } });
      this.server.refusal = answer?.proposal.refusal ?? null;
    } catch (error) {
      this.server.fail(error);
    }
  }
}
