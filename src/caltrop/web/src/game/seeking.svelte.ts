/**
 * Moves that are chosen in words instead of dragged: towards something, into range of it, into cover, or to a place.
 */
import { whole } from "../lib/measure";
import type { Decision, Goal, Point, Region } from "../wire/types";
import type { Drag } from "./drag.svelte";
import type { Plan } from "./plan.svelte";
import type { Server } from "./server.svelte";

export class Seeking {
  /** The result in words. */
  said = $state("");
  busy = $state(false);

  constructor(
    private readonly server: Server,
    private readonly plan: Plan,
    private readonly drag: Drag,
  ) {}

  /** Prepare the move that reaches a goal. */
  async seek(decision: Decision, region: Region, goal: Goal): Promise<void> {
    this.plan.drop();
    this.busy = true;
    this.said = "";
    try {
      const answer = await this.server.ask<"sought">({
        type: "seek",
        decision: decision.id,
        unit: region.unit,
        act: region.act,
        goal,
      });
      const spot = answer?.sought;
      if (spot === undefined) return;
      if (spot.to !== null) this.goTo(decision, region, spot.to);
      this.said = spot.words;
    } catch (error) {
      this.server.fail(error);
    } finally {
      this.busy = false;
    }
  }

  /** Prepare to go to a place, or to choose it. */
  goTo(decision: Decision, region: Region, at: Point): void {
    const draft = this.drag.begin(decision, region, true);
    draft.careful = draft.held = true;
    this.drag.shape({ to: whole(at), models: {} });
    this.said = "";
  }
}
