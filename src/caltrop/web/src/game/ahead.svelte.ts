/** What the steps to come hold: which targets units have in them and why no others, and the shots that are planned for them. */
import type { Aim, Coming, Loud, Outlook } from "../wire/types";
import type { Choices } from "./choices.svelte";
import type { Choosing } from "./choosing.svelte";
import type { Feed } from "./feed.svelte";
import type { Plan } from "./plan.svelte";
import type { Server } from "./server.svelte";

/** Milliseconds that pass before it is asked: what changes meanwhile is asked about once. */
const REST = 120;

/** A shot that is to be proposed when its step comes. */
export interface Planned {
  aim: Aim;
  round: number;
}

const NOTHING: Outlook = { coming: [], aimless: [] };

export class Ahead {
  /** What the end of the step leads to. */
  coming = $state.raw<Coming | null>(null);
  /** What happens at once when the step is ended that a decision asks about. */
  ending = $state.raw<{ decision: string; loud: Loud } | null>(null);
  /** What the end of the step brings at once, where its button says it: then it needs no confirmation. */
  readonly tells = $derived.by((): string => {
    const { ending } = this;
    const known = ending !== null && this.choices.ending?.decision.id === ending.decision ? ending.loud : null;
    return known === null || known.why === "ends" || known.why === "sealed" ? "" : known.words;
  });
  /** The unit that is asked about: an enemy that is looked at. */
  readonly about = $derived.by((): number | null => {
    const { unit } = this.choices;
    const you = this.feed.live?.you ?? null;
    return unit === null || you === null || unit.side === you || unit.pieces.length === 0 ? null : unit.id;
  });
  /** What there is of that unit, or of the drag that is prepared. */
  outlook = $state.raw<Outlook>(NOTHING);
  planned = $state.raw<readonly Planned[]>([]);
  /** What has been asked last. */
  private asked = "";
  private resting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
    private readonly choices: Choices,
    private readonly plan: Plan,
    private readonly choosing: Choosing,
  ) {}

  /** Ask anew, now that something has changed; the latest wins. */
  look(): void {
    clearTimeout(this.resting);
    const question = this.question();
    const text = JSON.stringify(question);
    if (text === this.asked) return;
    this.asked = text;
    if (question === null || question.about === "end") this.outlook = NOTHING;
    if (question === null) this.coming = null;
    else this.resting = setTimeout(() => void this.ask(text, question.about, question.message), REST);
  }

  private question(): { about: "end" | "unit" | "drag"; message: Record<string, unknown> } | null {
    if (!this.server.there || this.feed.past !== null) return null;
    const { draft } = this.plan;
    const decision = this.choices.decisions[0];
    if (decision === undefined || this.choices.decisions.length > 1) return null;
    const ask = { type: "ahead", decision: decision.id };
    if (draft?.form === "region" && draft.region.form === "move" && draft.proposal?.action)
      return { about: "drag", message: { ...ask, wish: draft.wish, odds: true } };
    if (this.about !== null) return { about: "unit", message: { ...ask, target: this.about, odds: true } };
    const ending = this.choices.ending?.offer;
    return ending === undefined ? null : { about: "end", message: ask };
  }

  private async ask(text: string, about: "end" | "unit" | "drag", message: Record<string, unknown>): Promise<void> {
    try {
      const answer = await this.server.ask<"ahead">(message);
      if (this.asked !== text || answer === undefined) return;
      if (about !== "end") this.outlook = answer.outlook;
      if (about !== "drag") this.coming = answer.outlook.coming[0] ?? null;
      if (about === "end") this.ending = answer.ending ? { decision: answer.decision, loud: answer.ending } : null;
    } catch {
      // Something else is asked by now, and will be looked at in its turn.
    }
  }

  // ── plans ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  isPlanned(aim: Aim): boolean {
    return this.planned.some((one) => one.aim.unit === aim.unit && one.aim.target === aim.target);
  }

  /** Plan a shot, in place of what its unit was to do; or give it up. */
  toggle(aim: Aim): void {
    const rest = this.planned.filter((one) => one.aim.unit !== aim.unit);
    this.planned = this.isPlanned(aim) ? rest : [...rest, { aim, round: this.feed.live?.picture.stage.round ?? 0 }];
  }

  /** Plan that the unit which is dragged shoots at another from there. Says whether it can. */
  planAt(target: number): boolean {
    const { draft } = this.plan;
    const aim = draft?.form !== "region" ? undefined : this.aims().find((one) => one.unit === draft.region.unit && one.target === target);
    if (aim !== undefined) this.toggle(aim);
    return aim !== undefined;
  }

  aims(): Aim[] {
    return this.outlook.coming.flatMap((one) => [...one.aims]);
  }

  /** Prepare the first of what is planned that may be done now; give up what can come no more. */
  propose(): void {
    const { live } = this.feed;
    const there = new Set((live?.picture.groups ?? []).filter((group) => group.pieces.length > 0).map((group) => group.id));
    const left = this.planned.filter(({ aim, round }) => round === live?.picture.stage.round && there.has(aim.unit) && there.has(aim.target));
    for (const one of left) {
      const alike = this.choices.offers.filter(({ offer }) => offer.unit === one.aim.unit && offer.target === one.aim.target);
      const meant = alike.find(({ offer }) => offer.words === one.aim.words);
      if (meant === undefined || this.plan.draft !== null) continue;
      this.planned = left.filter((other) => other !== one);
      this.choosing.choose(meant.decision, meant.offer, true);
      return;
    }
    if (left.length !== this.planned.length) this.planned = left;
  }
}
