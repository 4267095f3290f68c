/**
 * Predicts a drag. If the surroundings of the unit are loaded, the page predicts it at once; the server is asked when
 * the drag rests.
 */
import { goesOn, shorter, startOf, type Shorter } from "../lib/drag";
import { sumOf } from "../lib/measure";
import { Reach, type Foreseen } from "../lib/reach/reach";
import type { Region } from "../wire/types";
import type { Draft, RegionDraft } from "./draft.svelte";
import type { Feed } from "./feed.svelte";
import type { Plan } from "./plan.svelte";
import type { Server } from "./server.svelte";

/** Milliseconds between two questions about a drag that the page cannot predict. */
const BREATH = 35;

/** Milliseconds that a drag which the page predicts must rest before the server is asked. */
const REST = 90;

/** Milliseconds that a refused drag must rest before the nearest legal act is asked for. */
const CORRECTS = 60;

/**
 * Distances beyond a price limit, in units of the table's scale: up to `SNAPS` a drag is pulled back to the limit, up
 * to `OFFERS` pulling back is offered.
 */
const SNAPS = 0.5;
const OFFERS = 1.5;

/** Formations to suggest if the unit's own does not fit. */
const OTHERS = ["column", "line", "wedge"] as const;

/** A formation that fits, with the distance of its models and the price. */
export interface Fit {
  shape: string;
  length: number;
  cost: number;
}

export class Foresight {
  /** Formations in which the dragged unit would fit, if its own does not. */
  fits = $state.raw<readonly Fit[]>([]);
  /** True if a question to the server is open. The latest proposal may be about a place that the drag has left since.
   * */
  asking = false;
  private askAgain = false;
  private resting: ReturnType<typeof setTimeout> | undefined;
  /** The surroundings of the dragged unit, with their decision and region. */
  private around: { decision: string; region: Region; reach: Reach } | null = null;

  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
    private readonly plan: Plan,
  ) {}

  /** Load the surroundings of a unit, so that its drag needs no question for every pixel. */
  pickUp(decision: string, region: Region): void {
    if (this.around?.decision === decision && this.around.region === region) return;
    this.around = null;
    if (region.form === "spot") return;
    this.server
      .ask<"picked-up">({ type: "pick-up", decision, unit: region.unit, act: region.act })
      .then((answer) => {
        const { draft } = this.plan;
        const around = answer?.around ?? null;
        if (around === null || draft?.form !== "region" || draft.region !== region) return;
        this.around = { decision, region, reach: new Reach(around) };
        if (draft.proposal === null && draft.hasGoal) this.look(draft);
      })
      .catch(() => {
        // Without the surroundings the server is asked about each place.
      });
  }

  /** Use the surroundings of a unit for another choice of the same drag. */
  keepFor(region: Region, other: Region): void {
    if (this.around?.region === region) this.around = { ...this.around, region: other };
  }

  /** Predict a drag that has changed, and ask the server when it rests. */
  look(draft: RegionDraft): void {
    this.server.notice = "";
    this.holdOff();
    if (this.fits.length > 0) this.fits = [];
    const { around } = this;
    if (!draft.hasGoal) {
      draft.take({ foreseen: null, onward: null, proposal: null });
    } else if (around?.region === draft.region && around.decision === draft.decision) {
      draft.take({ foreseen: around.reach.foresee(draft.wish), proposal: null });
      this.snap(draft, around.reach);
      draft.take({ onward: this.onwardOf(draft, around.reach) });
      this.resting = setTimeout(() => this.propose(), REST);
    } else {
      draft.take({ foreseen: null, onward: null });
      this.propose();
    }
  }

  /** Return the forecast of the move that continues a drag; null if none does. */
  private onwardOf(draft: RegionDraft, reach: Reach): Foreseen | null {
    const { foreseen, region, wish } = draft;
    if (!foreseen?.legal || !goesOn(draft, this.feed.view?.picture)) return null;
    const further = reach.further(foreseen, region.onward ?? 0);
    const onward = further.foresee({ ...wish, shape: "keep", facing: null, models: {} });
    return onward.length > 0 ? onward : null;
  }

  /** Do not ask the server although the drag rests. */
  holdOff(): void {
    clearTimeout(this.resting);
  }

  /** Ask the server nothing more about this drag. */
  askNoMore(): void {
    this.askAgain = false;
    this.holdOff();
  }

  /** Pull a drag that goes just beyond a price limit back to it. */
  private snap(draft: RegionDraft, reach: Reach): void {
    if (draft.careful || draft.foreseen === null) return;
    const less = this.shorter(draft, SNAPS);
    if (less === null) return;
    const foreseen = reach.foresee({ ...draft.wish, to: less.to });
    if (foreseen.legal && foreseen.price < draft.foreseen.price) draft.take({ to: less.to, foreseen });
  }

  /** Return how a drag that goes a little beyond a price limit would end at that limit. */
  shorter(draft: RegionDraft, within = OFFERS): Shorter | null {
    const scale = this.feed.view?.picture.scale ?? 0;
    const length = draft.proposal?.length ?? draft.foreseen?.length ?? 0;
    return draft.region.form === "move"
      ? shorter(draft.wish, startOf(draft.region, this.feed.view?.picture), draft.region.bands, length, within * scale)
      : null;
  }

  private propose(): void {
    this.holdOff();
    if (this.asking) this.askAgain = true;
    else void this.askAndAskAgain();
  }

  private async askAndAskAgain(): Promise<void> {
    this.asking = true;
    try {
      do {
        this.askAgain = false;
        const { draft } = this.plan;
        if (draft?.form !== "region" || !draft.hasGoal) break;
        const { wish } = draft;
        // The reason comes first; the search for the nearest legal act takes longer.
        const answer = await this.server.ask<"proposal">({
          type: "propose",
          decision: draft.decision,
          wish,
          brief: true,
        });
        if (answer === undefined) break;
        const now = this.plan.draft as Draft | null;
        if (now?.form === "region" && now.decision === draft.decision && now.region === draft.region) {
          const rests = JSON.stringify(now.wish) === JSON.stringify(wish);
          // Do not overwrite a newer forecast with an older answer.
          if (rests || now.foreseen === null) {
            this.server.notice = "";
            now.take({ proposal: answer.proposal });
            this.fits = [];
            if (rests && answer.proposal.refusal !== null)
              this.resting = setTimeout(() => void this.correct(now), CORRECTS);
          }
        }
        if (this.askAgain) await new Promise((resolve) => setTimeout(resolve, BREATH));
      } while (this.askAgain);
    } catch (error) {
      // The drag may have been cancelled or played before the answer came.
      if (this.plan.draft?.form === "region") this.server.fail(error);
    } finally {
      this.asking = false;
    }
  }

  /**
   * Ask for the legal act nearest to a refused drag that rests, and for the formations in which its unit would fit.
   * Meanwhile the drag can go on.
   */
  private async correct(draft: RegionDraft): Promise<void> {
    const { wish, proposal } = draft;
    const ask = { type: "propose", decision: draft.decision };
    const left = (): boolean => this.plan.draft !== draft || draft.proposal !== proposal;
    try {
      const fits: Fit[] = [];
      const alone = proposal === null || Object.keys(proposal.paths).length < 2;
      for (const shape of alone || draft.region.form !== "move" || wish.shape !== "keep" ? [] : OTHERS) {
        const answer = await this.server.ask<"proposal">({ ...ask, wish: { ...wish, shape }, brief: true });
        if (left()) return;
        if (answer?.proposal.action)
          fits.push({ shape, length: answer.proposal.length, cost: sumOf(answer.proposal.price) });
      }
      this.fits = fits.sort((a, b) => a.cost - b.cost);
      const answer = await this.server.ask<"proposal">({ ...ask, wish });
      if (answer !== undefined && !left()) draft.take({ proposal: answer.proposal });
    } catch {
      // The drag may have been cancelled or played before the answer came.
    }
  }
}
