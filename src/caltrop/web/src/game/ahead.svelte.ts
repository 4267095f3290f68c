/**
 * Forecasts for the next steps: the targets of units, the reasons why other units cannot be targets, and planned shots.
 */
import type { AheadMessage, Aim, Coming, Loud, Outlook } from "../wire/types";
import type { Choices } from "./choices.svelte";
import type { Choosing } from "./choosing.svelte";
import type { Feed } from "./feed.svelte";
import type { Plan } from "./plan.svelte";
import type { Server } from "./server.svelte";

/** Milliseconds without a change before the server is asked. */
const REST = 120;

/** A shot that is proposed when its step begins. */
export interface Planned {
  aim: Aim;
  round: number;
}

/** Kinds of question that are asked at the same time. */
type Line = "end" | "sight";

interface Inquiry {
  text: string;
  resting: ReturnType<typeof setTimeout> | undefined;
  /** True while the server works on a question. Of the questions that come meanwhile, only the latest is asked. */
  open: boolean;
}

const NOTHING: Outlook = { coming: [], aimless: [] };

export class Ahead {
  /** The latest answer about the end of a step. The answer may belong to an earlier decision. */
  private latest = $state.raw<AheadMessage | null>(null);
  /** The answer about the end of the present step. */
  private readonly present = $derived.by((): AheadMessage | null => {
    const { latest } = this;
    return latest !== null && latest.decision === this.choices.ending?.decision.id ? latest : null;
  });
  /** The decision that follows the end of the step. */
  readonly coming = $derived.by((): Coming | null => this.present?.outlook.coming[0] ?? null);
  /** Immediate effects of ending the step. */
  readonly ending = $derived.by((): Loud | null => this.present?.ending ?? null);
  /** Immediate effects of ending the step, if its button names them. A step with named effects needs no confirmation.
   * */
  readonly tells = $derived.by((): string => {
    const { ending } = this;
    return ending === null || ending.why === "ends" || ending.why === "sealed" ? "" : ending.words;
  });
  /** The enemy unit that the player looks at, which is the subject of the question. */
  readonly about = $derived.by((): number | null => {
    const { unit } = this.choices;
    const you = this.feed.live?.you ?? null;
    return unit === null || you === null || unit.side === you || unit.pieces.length === 0 ? null : unit.id;
  });
  /** The forecast for that unit, or for the drag that is being prepared. */
  outlook = $state.raw<Outlook>(NOTHING);
  planned = $state.raw<readonly Planned[]>([]);
  /** The latest question of each kind. The two kinds of forecast do not replace each other. */
  private readonly lines: Record<Line, Inquiry> = {
    end: { text: "", resting: undefined, open: false },
    sight: { text: "", resting: undefined, open: false },
  };

  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
    private readonly choices: Choices,
    private readonly plan: Plan,
    private readonly choosing: Choosing,
  ) {}

  /** Ask again after a change; the latest question counts. */
  look(): void {
    const decision = this.alone();
    const end = decision !== null && this.choices.ending ? { type: "ahead", decision } : null;
    this.inquire("end", end, (answer) => (this.latest = answer));
    const sight = decision === null ? null : this.inSight(decision);
    if (sight === null) this.outlook = NOTHING;
    this.inquire("sight", sight, (answer) => (this.outlook = answer.outlook));
  }

  /** Return the waiting decision if there is exactly one. */
  private alone(): string | null {
    if (!this.server.there || this.feed.past !== null || this.choices.decisions.length > 1) return null;
    return this.choices.decisions[0]?.id ?? null;
  }

  /** Return the question about the drag that is being prepared, or else about the enemy that is looked at. */
  private inSight(decision: string): Record<string, unknown> | null {
    const { draft } = this.plan;
    const ask = { type: "ahead", decision, odds: true };
    if (draft?.form === "region" && draft.region.form === "move" && draft.proposal?.action)
      return { ...ask, wish: draft.wish };
    return this.about === null ? null : { ...ask, target: this.about };
  }

  private inquire(name: Line, message: Record<string, unknown> | null, take: (answer: AheadMessage) => void): void {
    const line = this.lines[name];
    const text = JSON.stringify(message);
    if (text === line.text) return;
    clearTimeout(line.resting);
    line.text = text;
    if (message === null) return;
    line.resting = setTimeout(() => void this.put(line, message, take), REST);
  }

  private async put(
    line: Inquiry,
    message: Record<string, unknown>,
    take: (answer: AheadMessage) => void,
  ): Promise<void> {
    if (line.open) {
      line.resting = setTimeout(() => void this.put(line, message, take), REST);
      return;
    }
    const { text } = line;
    line.open = true;
    try {
      const answer = await this.server.ask<"ahead">(message);
      if (line.text === text && answer !== undefined) take(answer);
    } catch {
      // Another question has replaced this question, and the answer to the other will be shown.
    } finally {
      line.open = false;
    }
  }

  // ── plans ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  isPlanned(aim: Aim): boolean {
    return this.planned.some((one) => one.aim.unit === aim.unit && one.aim.target === aim.target);
  }

  /** Plan a shot, replacing its unit's earlier plan; or cancel it. */
  toggle(aim: Aim): void {
    const rest = this.planned.filter((one) => one.aim.unit !== aim.unit);
    this.planned = this.isPlanned(aim) ? rest : [...rest, { aim, round: this.feed.live?.picture.stage.round ?? 0 }];
  }

  /** Plan that the dragged unit shoots at another from its new place. Return whether the plan is possible. */
  planAt(target: number): boolean {
    const { draft } = this.plan;
    const aim =
      draft?.form !== "region"
        ? undefined
        : this.aims().find((one) => one.unit === draft.region.unit && one.target === target);
    if (aim !== undefined) this.toggle(aim);
    return aim !== undefined;
  }

  aims(): Aim[] {
    return this.outlook.coming.flatMap((one) => [...one.aims]);
  }

  /** Prepare the first planned shot that is possible now, and drop planned shots that no longer are. */
  propose(): void {
    const { live } = this.feed;
    const there = new Set(
      (live?.picture.groups ?? []).filter((group) => group.pieces.length > 0).map((group) => group.id),
    );
    const left = this.planned.filter(
      ({ aim, round }) => round === live?.picture.stage.round && there.has(aim.unit) && there.has(aim.target),
    );
    for (const one of left) {
      const alike = this.choices.offers.filter(
        ({ offer }) => offer.unit === one.aim.unit && offer.target === one.aim.target,
      );
      const meant = alike.find(({ offer }) => offer.words === one.aim.words);
      if (meant === undefined || this.plan.draft !== null) continue;
      this.planned = left.filter((other) => other !== one);
      this.choosing.choose(meant.decision, meant.offer, true);
      return;
    }
    if (left.length !== this.planned.length) this.planned = left;
  }
}
