/** Sight of the selected unit from its place, or from the place it is dragged to. */
import type { Sighting } from "../wire/types";
import type { Choices } from "./choices.svelte";
import type { Feed } from "./feed.svelte";
import type { Plan } from "./plan.svelte";
import type { Server } from "./server.svelte";

/** Milliseconds between two questions while the sight changes. */
const REST = 90;

export class Sight {
  /** True if lines of sight are shown. */
  looking = $state(false);
  /** The unit whose lines of sight are drawn one by one. */
  lookedAt = $state<number | null>(null);
  /** Sight of each other unit, from the selected unit's place or from the place it is dragged to. */
  sightings = $state.raw<Sighting[]>([]);
  /** The sight of the unit that is looked at, with its lines. */
  sighting = $state.raw<Sighting | null>(null);
  /** True if sight from and to the selected unit is described in words. */
  telling = $state(false);
  sees = $state.raw<Sighting[]>([]);
  seenBy = $state.raw<Sighting[]>([]);
  private seeing = false;
  private seeAgain = false;
  /** Number of the latest request for words. */
  private toTell = 0;

  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
    private readonly choices: Choices,
    private readonly plan: Plan,
  ) {}

  /** Ask what the selected unit sees after a change. Only the latest answer about sight is used. */
  async look(): Promise<void> {
    if (this.seeing) {
      this.seeAgain = true;
      return;
    }
    this.seeing = true;
    try {
      do {
        this.seeAgain = false;
        const unit = this.choices.selected;
        if (!this.looking || unit === null || !this.server.there || this.feed.past !== null) {
          if (this.sightings.length > 0) this.sightings = [];
          this.sighting = null;
          break;
        }
        const places = this.plan.wouldStand;
        const all = await this.server.ask<"sight">({ type: "sight", unit, places });
        this.sightings = all?.sightings ?? [];
        const target = this.lookedAt;
        const visible = this.sightings.some((one) => one.target === target);
        if (target !== null && visible) {
          const one = await this.server.ask<"sight">({ type: "sight", unit, targets: [target], places });
          this.sighting = one?.sightings[0] ?? null;
        } else this.sighting = null;
        if (this.seeAgain) await new Promise((resolve) => setTimeout(resolve, REST));
      } while (this.seeAgain);
    } catch (error) {
      this.looking = false;
      this.server.notice = error instanceof Error ? error.message : String(error);
    } finally {
      this.seeing = false;
    }
  }

  /** Ask what the selected unit sees and what sees it, to describe it in words. Only the latest answer about sight is
   * used. */
  async tell(): Promise<void> {
    const asked = ++this.toTell;
    const unit = this.choices.unit;
    if (!this.telling || unit === null || unit.pieces.length === 0 || !this.server.there || this.feed.past !== null) {
      if (this.sees.length + this.seenBy.length > 0) this.sees = this.seenBy = [];
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, REST));
    if (asked !== this.toTell) return;
    try {
      const places = this.plan.wouldStand;
      const sees = await this.server.ask<"sight">({ type: "sight", unit: unit.id, places, named: true });
      const seenBy =
        asked === this.toTell
          ? await this.server.ask<"sight">({ type: "sight", unit: unit.id, back: true, named: true })
          : undefined;
      if (asked === this.toTell) [this.sees, this.seenBy] = [sees?.sightings ?? [], seenBy?.sightings ?? []];
    } catch {
      // Some games have no lines of sight.
      this.sees = this.seenBy = [];
    }
  }
}
