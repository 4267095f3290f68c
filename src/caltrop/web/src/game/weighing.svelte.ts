/** The odds of an offer under the pointer, a resting finger or the keyboard focus, before anything is chosen. */
import type { Forecast, Offer } from "../wire/types";
import type { Choices } from "./choices.svelte";
import type { Feed } from "./feed.svelte";
import type { Server } from "./server.svelte";

/** Milliseconds that the pointer rests on an offer before its odds are asked for. */
const REST = 70;

export interface Weighed {
  offer: Offer;
  odds: Forecast;
}

export class Weighing {
  /** The offer that is pointed at, with its odds. Null until the odds are loaded, and for offers without chance. */
  now = $state.raw<Weighed | null>(null);
  private offer: Offer | null = null;
  private resting: ReturnType<typeof setTimeout> | undefined;
  /** Odds already received, by decision and answer; valid while the question is the same. */
  private readonly known = new Map<string, Forecast | null>();

  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
    private readonly choices: Choices,
  ) {}

  /** Point at another offer, or at nothing. */
  look(offer: Offer | null): void {
    if (offer === this.offer) return;
    this.offer = offer;
    clearTimeout(this.resting);
    this.now = null;
    const decision =
      offer === null ? undefined : this.choices.allOffers.find((one) => one.offer === offer)?.decision.id;
    if (offer === null || decision === undefined || !this.server.there || this.feed.past !== null) return;
    const key = `${decision} ${JSON.stringify(offer.action)}`;
    const odds = this.known.get(key);
    if (odds !== undefined) this.show(offer, odds);
    else this.resting = setTimeout(() => void this.ask(decision, offer, key), REST);
  }

  /** Forget all odds, because the question has changed. */
  afresh(): void {
    this.known.clear();
    this.look(null);
  }

  private show(offer: Offer, odds: Forecast | null): void {
    if (this.offer === offer) this.now = odds === null ? null : { offer, odds };
  }

  private async ask(decision: string, offer: Offer, key: string): Promise<void> {
    let odds: Forecast | null = null;
    try {
      odds = (await this.server.ask<"odds">({ type: "odds", decision, action: offer.action }))?.odds ?? null;
    } catch {
      // The offer involves no chance.
    }
    this.known.set(key, odds);
    this.show(offer, odds);
  }
}
