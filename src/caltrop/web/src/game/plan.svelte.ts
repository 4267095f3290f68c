/** What the person is about to do: the answer that is prepared until it is confirmed, and what is known of it. */
import type { Decision, Forecast, Loud, Offer, Point, Region } from "../wire/types";
import { afterwards, beginAlike, type Choices } from "./choices.svelte";
import type { Draft } from "./draft.svelte";
import type { Server } from "./server.svelte";

const NOWHERE: Record<string, Point> = {};

export class Plan {
  draft = $state.raw<Draft | null>(null);
  /** The offer under the pointer. */
  pointed = $state.raw<Offer | null>(null);
  /** The way that the chosen offer takes, where it is known. */
  way = $state.raw<Point[]>([]);
  odds = $state.raw<Forecast | null>(null);
  /** What becomes of all units in the whole act, for each way in which the other side may answer it. */
  whole = $state.raw<readonly Forecast[]>([]);
  /** Why what is prepared was not done at once. */
  loud = $state.raw<Loud | null>(null);
  /** What was aimed at somebody and done at once: its odds are shown all the same. */
  aimed: Offer | null = null;
  /** What the person has said last is to follow. */
  private wanted = "";

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

  constructor(
    private readonly server: Server,
    private readonly choices: Choices,
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

  /** The odds of what was done at once are read while its unit is still asked about; then something else is at hand. */
  keepOdds(decisions: readonly Decision[]): void {
    const unit = this.aimed?.unit ?? null;
    if (this.aimed === null || (unit !== null && decisions.some(({ offers }) => offers.some((offer) => offer.unit === unit)))) return;
    this.aimed = null;
    if (this.draft === null) this.odds = null;
  }

  /** Nothing is known yet of what is prepared next. */
  afresh(): void {
    this.aimed = null;
    this.odds = null;
    this.loud = null;
    this.server.refusal = null;
  }

  isChosen(offer: Offer): boolean {
    return this.draft?.form === "offer" && this.draft.offer !== null && beginAlike(this.draft.offer, offer);
  }

  /** Say what is to follow on what is prepared. */
  want(one: Offer | Region): void {
    this.wanted = afterwards(one);
  }

  /** Of those that begin alike the one that ends as the person has said, where there is one. */
  asWanted<T extends Offer | Region>(one: T, all: readonly T[]): T {
    return all.find((other) => beginAlike(one, other) && afterwards(other) === this.wanted) ?? one;
  }
}
