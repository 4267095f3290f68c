/** What is being prepared before it is confirmed: an offer that was chosen, or something that is dragged or placed. */
import type { Foreseen } from "../lib/reach/reach";
import type { Action, Offer, Point, Proposal, Region, Wish } from "../wire/types";

/** An offer that was chosen and waits for the confirmation. */
export interface OfferDraft {
  form: "offer";
  decision: string;
  action: Action;
  words: string;
  offer: Offer | null;
  /** Where it is the usual answer, which is given again wherever it is asked next: the unit that it is about. */
  usual?: { unit: number | null; since: number };
}

/**
 * Something that is being dragged or placed. Its parts are heard of one by one: what asks what is dragged, or whether it
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
  /** Whether it is put together with care, by keys, over waypoints or in a formation: then it waits to be confirmed. */
  careful = $state(false);

  constructor(
    readonly decision: string,
    readonly region: Region,
  ) {}

  /** Change some of it. */
  take(change: Partial<Shaped>): void {
    Object.assign(this, change);
    this.goes = this.to !== null;
  }

  /** Whether anything goes anywhere: the unit, or a model of it. */
  get hasGoal(): boolean {
    return this.to !== null || Object.keys(this.models).length > 0;
  }

  /** Whether what is laid has a direction, in which it may still be turned. */
  get turns(): boolean {
    return this.proposal?.templates?.some((one) => one.outline.length > 0) ?? false;
  }

  /** What is wished for, as the server is asked. */
  get wish(): Wish {
    return {
      unit: this.region.unit,
      act: this.region.act,
      to: this.to,
      waypoints: this.waypoints,
      facing: this.facing,
      shape: this.shape,
      models: this.models,
    };
  }

  /** Where each model goes, as far as it is known: by the rules, or foreseen. */
  get paths(): Record<string, Point[]> {
    return this.proposal?.paths ?? this.foreseen?.paths ?? {};
  }
}

/** What may be changed of a drag, and what is thought to come of it. */
export type Shaped = Pick<RegionDraft, "to" | "waypoints" | "shape" | "facing" | "models" | "foreseen" | "proposal">;

export type Draft = OfferDraft | RegionDraft;
