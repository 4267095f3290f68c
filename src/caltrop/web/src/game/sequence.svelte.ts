/** Several attackers of one target, one after another: the attackers, the fate of the target, and the best order. */
import type { AttacksInOrder, Offer } from "../wire/types";
import type { Choices } from "./choices.svelte";
import type { Choosing } from "./choosing.svelte";
import type { Feed } from "./feed.svelte";
import type { Plan } from "./plan.svelte";
import type { Server } from "./server.svelte";

/** Milliseconds of waiting after which the page says that an answer is on its way. */
const PATIENCE = 1000;

const NOBODY: AttacksInOrder = { attackers: [], order: [], declared: 0, odds: null, idle: [], best: [] };

/** The attack that is prepared or was just ordered. */
interface Aimed {
  decision: string;
  offer: Offer;
  target: number;
  /** True if the attack is prepared; false if it was ordered. */
  open: boolean;
}

export class Sequence {
  /** The attackers that the player has put in order, beginning with the prepared one. */
  order = $state.raw<readonly number[]>([]);
  /** The answer for the order of attackers. */
  answer = $state.raw<AttacksInOrder>(NOBODY);
  /** True if the answer takes longer than a moment. */
  slow = $state(false);
  /** The best order of these attackers; null until it is known. */
  best = $state.raw<readonly number[] | null>(null);
  readonly aimed = $derived.by((): Aimed | null => {
    const now = this.plan.aimedOdds;
    const { draft } = this.plan;
    const only = this.choices.decisions.length === 1 ? this.choices.decisions[0] : undefined;
    if (now === null || only === undefined || this.feed.past !== null || now.offer.target === null) return null;
    const open = draft?.form === "offer";
    if (open && draft.decision !== only.id) return null;
    return { decision: only.id, offer: now.offer, target: now.offer.target, open };
  });
  /** The units that may join and the units that have joined; they keep their places, whatever their order. */
  readonly attackers = $derived([...new Set([...this.answer.attackers, ...this.order])]);
  private target: number | null = null;
  /** The unit that is in the order only because its attack is prepared. */
  private own: number | null = null;
  private asked = "";
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
    private readonly choices: Choices,
    private readonly plan: Plan,
    private readonly choosing: Choosing,
  ) {}

  /** Ask for the fate of the target again after a change. */
  look(): void {
    const { aimed } = this;
    if (aimed === null || !this.server.there) {
      this.rest();
      this.asked = "";
      this.answer = NOBODY;
      this.best = null;
      return;
    }
    if (aimed.target !== this.target) this.order = [];
    this.target = aimed.target;
    const { unit } = aimed.offer;
    if (aimed.open && unit !== this.own) {
      // A unit whose attack is no longer prepared has not joined the others.
      const { own } = this;
      if (own !== null && this.isIn(own)) this.order = this.order.filter((one) => one !== own);
      this.own = unit === null || this.isIn(unit) ? null : unit;
    }
    if (unit !== null && this.order.includes(unit) !== aimed.open)
      this.order = aimed.open ? [unit, ...this.order] : this.order.filter((one) => one !== unit);
    const text = this.question(aimed);
    if (text === this.asked) return;
    this.asked = text;
    this.best = null;
    void this.ask(text, aimed);
  }

  isIn(unit: number): boolean {
    return this.order.includes(unit);
  }

  /** Return whether a unit's attack is the prepared one, which is always part of the order. */
  isOwn(unit: number): boolean {
    return this.aimed?.open === true && this.aimed.offer.unit === unit;
  }

  toggle(unit: number): void {
    if (this.isOwn(unit)) return;
    this.order = this.isIn(unit) ? this.order.filter((one) => one !== unit) : [...this.order, unit];
  }

  /** Put the attackers into the best order, and prepare the attack of the first. */
  takeBest(): void {
    const { best, aimed } = this;
    if (best === null || aimed === null) return;
    this.order = best;
    this.own = null;
    const [first] = best;
    if (!aimed.open || first === undefined || first === aimed.offer.unit) return;
    const kind = kindOf(aimed.offer.action);
    const next = this.choices.allOffers.find(
      ({ offer }) => offer.unit === first && offer.target === aimed.target && kindOf(offer.action) === kind,
    );
    if (next !== undefined) this.choosing.choose(next.decision, next.offer, true);
  }

  private question({ decision, target, open, offer }: Aimed): string {
    return JSON.stringify([decision, target, open ? offer.action : null, this.order]);
  }

  private rest(): void {
    clearTimeout(this.waiting);
    this.slow = false;
  }

  private async ask(asked: string, aimed: Aimed): Promise<void> {
    const { decision, target } = aimed;
    let text = asked;
    const message = {
      type: "in-order",
      decision,
      target,
      action: aimed.open ? aimed.offer.action : null,
      units: this.order,
    };
    this.rest();
    this.waiting = setTimeout(() => (this.slow = this.asked === text), PATIENCE);
    try {
      const answer = await this.server.ask<"in-order">(message);
      if (this.asked !== text || answer === undefined) return;
      this.answer = answer.forecast;
      this.rest();
      // Units that can no longer attack are left out.
      this.order = answer.forecast.order;
      message.units = this.order;
      text = this.asked = this.question(aimed);
      if (this.order.length < 2 || !answer.forecast.odds?.exact) return;
      const better = await this.server.ask<"in-order">({ ...message, best: true });
      if (this.asked === text && better !== undefined) this.best = better.forecast.best;
    } catch {
      // Another question is open by now.
      if (this.asked === text) this.answer = NOBODY;
    } finally {
      if (this.asked === text) this.rest();
    }
  }
}

/** Return the kind of an action and of the act in it, as far as known. */
function kindOf(action: unknown): string {
  const { type, act } = action as { type?: string; act?: { type?: string } };
  return `${type} ${act?.type}`;
}
