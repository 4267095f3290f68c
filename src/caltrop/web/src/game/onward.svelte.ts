/** Destinations that a drag gives in advance: a unit moves on as soon as its next move is asked for. */
import { distance } from "../lib/measure";
import { confirmsAlways } from "../lib/settings.svelte";
import type { Decision, Point } from "../wire/types";
import type { Choosing } from "./choosing.svelte";
import type { Drag } from "./drag.svelte";

interface Errand {
  unit: number;
  to: Point;
}

export class Onward {
  private errands: Errand[] = [];

  constructor(
    private readonly drag: Drag,
    private readonly choosing: Choosing,
  ) {}

  /** Move a unit to a place as soon as its move is asked for. */
  later(unit: number, to: Point): void {
    this.errands = [...this.errands.filter((one) => one.unit !== unit), { unit, to }];
  }

  forget(): void {
    this.errands = [];
  }

  /** Give the first stored answer that fits. Return whether an answer fitted. */
  go(decisions: readonly Decision[]): boolean {
    if (decisions.length === 0 || confirmsAlways()) this.forget();
    for (const errand of this.errands)
      for (const decision of decisions) {
        const region = decision.regions.find((one) => one.unit === errand.unit && one.form === "move" && !one.first);
        const places = decision.offers.filter((one) => one.unit === errand.unit && one.spot !== null);
        if (region === undefined && places.length === 0) continue;
        this.errands = this.errands.filter((one) => one !== errand);
        const there = places.find((one) => distance(one.spot ?? errand.to, errand.to) <= 1);
        if (there !== undefined) this.choosing.choose(decision, there);
        else if (region !== undefined) {
          this.drag.begin(decision, region);
          this.drag.shape({ to: errand.to });
          this.drag.letGo();
        } else {
          // A move may be impossible. The page then says why, and the other units go on.
          void this.choosing.askWhyNot(errand.unit, errand.to);
          continue;
        }
        return true;
      }
    return false;
  }
}
