/** The answer that the player is preparing: a chosen offer, or a drag. */
import type { Foreseen } from "../lib/reach/reach";
import type { Action, Offer, Point, Proposal, Region, Wish } from "../wire/types";

/** A chosen offer that waits for a confirmation. */
export interface OfferDraft {
  form: "offer";
  decision: string;
  action: Action;
  words: string;
  offer: Offer | null;
  /** Set for a usual answer that is repeated whenever its question returns: its unit. */
  usual?: { unit: number | null };
  /** Set for an answer that lists chosen models: the models, the latest last. */
  picked?: readonly number[];
  /** Set for an answer that the page itself prepared: the time since which it is shown, Infinity before that. */
  since?: number;
}

/**
 * A drag or a placement of a unit. The parts of a drag are separate state: code that reads only the region, or only
 * whether the unit moves, is not run again for each new place.
 */
export class RegionDraft {
  readonly form = "region";
  to = $state.raw<Point | null>(null);
  waypoints = $state.raw<Point[]>([]);
  shape = $state.raw("keep");
  facing = $state.raw<Point | null>(null);
  models = $state.raw<Record<string, Point[]>>({});
  /** The page's own forecast. The rules' answer replaces it when the drag rests. */
  foreseen = $state.raw<Foreseen | null>(null);
  /** The forecast of the move that follows, if the drag is longer than this one. */
  onward = $state.raw<Foreseen | null>(null);
  proposal = $state.raw<Proposal | null>(null);
  /** True if the unit moves as a whole. */
  goes = $state(false);
  /** True if the place is fixed and no longer follows the pointer. */
  held = $state(false);
  /** True if the drag is built with care: by keys, over waypoints or in a formation. The drag then waits to be
   * confirmed. */
  careful = $state(false);

  constructor(
    readonly decision: string,
    readonly region: Region,
  ) {}

  /** Change some fields of the drag. */
  take(change: Partial<Shaped>): void {
    Object.assign(this, change);
    this.goes = this.to !== null;
  }

  /** True if the unit, or one of its models, moves. */
  get hasGoal(): boolean {
    return this.to !== null || Object.keys(this.models).length > 0;
  }

  /** True if the template has a direction that can be turned. */
  get turns(): boolean {
    return this.proposal?.templates?.some((one) => one.outline.length > 0) ?? false;
  }

  /** The wish, in the form that the server expects. */
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

  /** The path of each model as far as the server or the page's forecast has told it. */
  get paths(): Record<string, Point[]> {
    return this.proposal?.paths ?? this.foreseen?.paths ?? {};
  }
}

/** The parts of a drag that can be edited, and their forecast. */
export type Shaped = Pick<
  RegionDraft,
  "to" | "waypoints" | "shape" | "facing" | "models" | "foreseen" | "onward" | "proposal"
>;

export type Draft = OfferDraft | RegionDraft;
