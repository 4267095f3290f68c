/** The answer that the player is preparing, with its forecasts. */
import type { Decision, Forecast, Loud, Offer, Point, Region } from "../wire/types";
import { afterwards, beginAlike, type Choices } from "./choices.svelte";
import type { Draft } from "./draft.svelte";
import type { Server } from "./server.svelte";

const NOWHERE: Record<string, Point> = {};

export class Plan {
  draft = $state.raw<Draft | null>(null);
  /** The offer under the pointer. */
  pointed = $state.raw<Offer | null>(null);
  /** The path of the chosen offer, if known. */
  way = $state.raw<Point[]>([]);
  odds = $state.raw<Forecast | null>(null);
  /** Outcomes for all units of the whole act, one for each answer of the other side. */
  whole = $state.raw<readonly Forecast[]>([]);
  /** The reason why the prepared answer needs confirmation. */
  loud = $state.raw<Loud | null>(null);
  /** An attack that was made at once; its odds are still shown. */
  aimed = $state.raw<Offer | null>(null);
  /** The odds of an act against a unit that is prepared, or that has just been ordered; null without a target. */
  readonly aimedOdds = $derived.by((): { offer: Offer; odds: Forecast } | null => {
    const offer = this.draft?.form === "offer" ? this.draft.offer : this.aimed;
    return this.odds === null || offer === null || offer.target === null ? null : { offer, odds: this.odds };
  });
  /** The words of the act that the player last chose to follow. */
  private wanted = "";

  /** The possible continuations of the prepared act. */
  readonly follows = $derived.by((): (Offer | Region)[] => {
    const { draft } = this;
    const { allOffers, allRegions } = this.choices;
    if (draft?.form === "region")
      return allRegions.map(({ region }) => region).filter((one) => one.first && beginAlike(one, draft.region));
    const offer = draft?.offer ?? null;
    return offer === null ? [] : allOffers.map((one) => one.offer).filter((one) => one.first && beginAlike(one, offer));
  });

  /** Places of the selected unit's models during a drag; empty if it stands still. */
  readonly wouldStand = $derived.by((): Record<string, Point> => {
    const { draft } = this;
    if (draft?.form !== "region" || draft.region.form === "spot" || draft.region.unit !== this.choices.selected)
      return NOWHERE;
    return Object.fromEntries(
      Object.entries(draft.paths).flatMap(([id, path]) => (path.length > 0 ? [[id, path.at(-1)!]] : [])),
    );
  });

  /** The models that the prepared answer lists, if the question is answered by models. */
  readonly picked = $derived.by((): readonly number[] => {
    const { draft } = this;
    const { picking } = this.choices;
    if (draft?.form !== "offer" || picking === null || draft.decision !== picking.decision.id) return [];
    return draft.picked ?? (draft.action[picking.field] as number[] | undefined) ?? [];
  });
  /** The number of chosen models in words, such as `2 of 3 chosen`; empty for other questions. */
  readonly pickedInWords = $derived.by((): string => {
    const { picking } = this.choices;
    return picking === null ? "" : `${this.picked.length} of ${picking.most} chosen`;
  });
  /** True if more models have to be chosen before the answer can be given. */
  readonly lacks = $derived.by((): boolean => {
    const { picking } = this.choices;
    return picking !== null && this.draft?.decision === picking.decision.id && this.picked.length < picking.least;
  });

  /** True if the page itself prepared an act of a unit, which the person may not want. */
  get aimedByPage(): boolean {
    const { draft } = this;
    return draft?.form === "offer" && draft.since !== undefined && !draft.usual;
  }

  constructor(
    private readonly server: Server,
    private readonly choices: Choices,
  ) {}

  /** Give up the prepared answer. */
  drop(): void {
    this.draft = null;
    this.afresh();
  }

  /** Clear a prepared answer that is done or no longer open. The odds of an attack stay readable. */
  done(): void {
    const { aimed, odds } = this;
    this.drop();
    if (aimed !== null) [this.aimed, this.odds] = [aimed, odds];
  }

  /** Keep the odds of an attack that was made at once while its unit is still to act. */
  keepOdds(decisions: readonly Decision[]): void {
    const unit = this.aimed?.unit ?? null;
    if (
      this.aimed === null ||
      (unit !== null && decisions.some(({ offers }) => offers.some((offer) => offer.unit === unit)))
    )
      return;
    this.aimed = null;
    if (this.draft === null) this.odds = null;
  }

  /** Forget everything about the previous answer. */
  afresh(): void {
    this.aimed = null;
    this.odds = null;
    this.loud = null;
    this.server.refusal = null;
  }

  isChosen(offer: Offer): boolean {
    return this.draft?.form === "offer" && this.draft.offer !== null && beginAlike(this.draft.offer, offer);
  }

  /** Set the act that is to follow the prepared one. */
  want(one: Offer | Region): void {
    this.wanted = afterwards(one);
  }

  /** Of choices that begin alike, return the choice whose continuation the player chose, if there is one. */
  asWanted<T extends Offer | Region>(one: T, all: readonly T[]): T {
    return all.find((other) => beginAlike(one, other) && afterwards(other) === this.wanted) ?? one;
  }
}
