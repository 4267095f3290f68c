/** Drag or place something: pick it up, move it from place to place, turn it, and release it. */
import { goesOn, startOf, turned, usualFacing } from "../lib/drag";
import { distance, whole } from "../lib/measure";
import { confirmsAlways } from "../lib/settings.svelte";
import type { Decision, Point, Region } from "../wire/types";
import type { Answering } from "./answering.svelte";
import type { Choices } from "./choices.svelte";
import { RegionDraft, type Shaped } from "./draft.svelte";
import type { Feed } from "./feed.svelte";
import type { Foresight } from "./foresight.svelte";
import type { Plan } from "./plan.svelte";
import type { Server } from "./server.svelte";

export class Drag {
  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
    private readonly choices: Choices,
    private readonly plan: Plan,
    private readonly foresight: Foresight,
    private readonly answering: Answering,
    /** Called to move a unit on to a place when its next move is asked for. */
    private readonly goOn: (unit: number, to: Point) => void,
  ) {}

  /** Begin to drag something, or to enter its destination with care. */
  begin(decision: Decision, region: Region, careful = false): RegionDraft {
    this.feed.skip();
    if (region.unit >= 0) this.choices.selected = region.unit;
    this.plan.afresh();
    region = this.plan.asWanted(region, decision.regions);
    const draft = new RegionDraft(decision.id, region);
    draft.careful = careful && region.form !== "spot";
    this.plan.draft = draft;
    this.foresight.pickUp(decision.id, region);
    return draft;
  }

  /** Continue a drag if the same question is asked again, as after an act that was under way when it began. */
  carryOver(decisions: readonly Decision[]): boolean {
    const { draft } = this.plan;
    if (draft?.form !== "region" || this.answering.decision === draft.decision) return false;
    const { unit, form, act, first } = draft.region;
    for (const decision of decisions)
      for (const region of decision.regions)
        if (region.unit === unit && region.form === form && region.act === act && region.first === first) {
          const { to, waypoints, shape, facing, models, held, careful } = draft;
          const next = new RegionDraft(decision.id, region);
          [next.held, next.careful] = [held, careful];
          this.plan.draft = next;
          this.foresight.pickUp(decision.id, region);
          next.take({ to, waypoints, shape, facing, models });
          if (next.hasGoal) this.shape({});
          return true;
        }
    return false;
  }

  /** Choose the act that follows the prepared drag. The drag itself stays unchanged. */
  follow(region: Region): void {
    this.plan.want(region);
    const { draft } = this.plan;
    if (draft?.form !== "region") return;
    const { to, waypoints, shape, facing, models, foreseen, onward, proposal } = draft;
    const next = new RegionDraft(draft.decision, region);
    next.careful = draft.careful;
    this.foresight.keepFor(draft.region, region);
    this.plan.draft = next;
    next.take({ to, waypoints, shape, facing, models, foreseen, onward, proposal });
    if (next.hasGoal) this.shape({});
  }

  /** Change the drag. The page shows its forecast at once, and asks the server when the drag rests. */
  shape(change: Partial<Shaped>): void {
    const { draft } = this.plan;
    if (draft?.form !== "region") return;
    draft.take(change);
    if (draft.region.first && draft.region.onward === undefined && !draft.careful) {
      // If the drag is longer than one act, the second act continues it.
      const longer = this.plan.follows.find((one) => "form" in one && one.onward !== undefined);
      const most = draft.region.bands.at(-1)?.[0];
      const far =
        draft.to !== null &&
        most !== undefined &&
        distance(draft.to, startOf(draft.region, this.feed.view?.picture)) > most + 1;
      if (far && longer !== undefined && "form" in longer) {
        this.follow(longer);
        return;
      }
    }
    this.foresight.look(draft);
  }

  /**
   * End a drag. A move that needs no confirmation is made at once; other moves wait for a confirmation. A drag beyond
   * the current move is continued when the next move is asked for.
   */
  letGo(): void {
    const { draft } = this.plan;
    const beyond = this.beyond();
    if (
      draft?.form !== "region" ||
      !draft.hasGoal ||
      draft.careful ||
      confirmsAlways() ||
      (this.plan.follows.length > 1 && !beyond)
    )
      return;
    if (draft.foreseen?.legal === false) return;
    this.sendOn();
    this.server.sent = this.answering.answer(draft.decision, { wish: draft.wish }, [], true).then(() => {});
  }

  /** Confirm what is prepared. A drag beyond the current move is continued when the next move is asked for. */
  confirm(): Promise<void> {
    if (this.answering.committable) this.sendOn();
    return this.answering.commit();
  }

  /** Store the destination of a drag that is longer than the current move. */
  private sendOn(): void {
    const { draft } = this.plan;
    if (draft?.form === "region" && draft.to !== null && this.beyond()) this.goOn(draft.region.unit, draft.to);
  }

  /** Return whether the drag continues into a question that follows. */
  private beyond(): boolean {
    const { draft } = this.plan;
    return draft?.form === "region" && goesOn(draft, this.feed.view?.picture);
  }

  /** Turn the formation counterclockwise, before or after its move. */
  turn(angle: number): void {
    const { draft } = this.plan;
    if (draft?.form !== "region") return;
    draft.careful = true;
    const start = startOf(draft.region, this.feed.view?.picture);
    const facing = turned(draft.facing ?? usualFacing(draft, start, this.feed.view?.picture.height ?? 0), angle);
    this.shape({ facing, to: draft.to ?? whole(start), models: {} });
  }

  /** Move a single model. The other models stay at their places in the drag. */
  nudge(model: string, to: Point): void {
    const { draft } = this.plan;
    if (draft?.form !== "region") return;
    draft.careful = true;
    const ways: Record<string, Point[]> = {};
    for (const [id, path] of Object.entries(draft.paths)) {
      const rest = draft.region.form === "move" ? path.slice(1) : path;
      if (rest.length > 0) ways[id] = rest;
    }
    const models = { ...ways, ...draft.models };
    // Earlier legs of the path are used as long as they still lead to the place.
    const way = draft.region.form === "move" ? (models[model] ?? []).slice(0, -1) : [];
    this.shape({ models: { ...models, [model]: [...way, whole(to)] } });
  }

  /** Add a place to the path. The former destination becomes a waypoint. */
  goTo(at: Point): void {
    if (this.plan.draft?.form !== "region") return;
    this.plan.draft.held = true;
    const { to, waypoints, region } = this.plan.draft;
    const goal = whole(at);
    if (to !== null && to[0] === goal[0] && to[1] === goal[1]) return;
    const more = to !== null && region.form === "move" ? [...waypoints, to] : waypoints;
    this.shape({ to: goal, waypoints: more, models: {} });
  }

  /** Remove the last waypoint. */
  back(): boolean {
    if (this.plan.draft?.form !== "region") return false;
    const { waypoints, to, models } = this.plan.draft;
    if (to !== null && Object.keys(models).length > 0) {
      this.shape({ models: {} });
      return true;
    }
    if (to === null && Object.keys(models).length === 0) return false;
    const before = waypoints.at(-1) ?? null;
    if (before === null) this.shape({ to: null, models: {}, facing: null });
    else this.shape({ to: before, waypoints: waypoints.slice(0, -1), models: {} });
    return true;
  }
}
