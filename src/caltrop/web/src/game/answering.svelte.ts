/** Confirms prepared answers and sends them. Harmless answers are sent at once; typed dice are added to the dice before
 * them. */
import { Refused } from "../wire/connection";
import type { Dice, Meant } from "./dice.svelte";
import type { Feed } from "./feed.svelte";
import type { Foresight } from "./foresight.svelte";
import type { Plan } from "./plan.svelte";
import type { Server } from "./server.svelte";

/**
 * Milliseconds during which an answer that the page prepared cannot be confirmed. A key that was pressed for something
 * else has been released by then.
 */
const PAUSE = 500;

export class Answering {
  /** The decision that is being answered. */
  decision: string | null = null;

  /** True if the prepared answer may be confirmed. */
  readonly committable = $derived.by((): boolean => {
    if (this.plan.draft === null || this.server.busy) return false;
    if (this.plan.draft.form === "offer") return !this.plan.lacks;
    const { proposal, foreseen } = this.plan.draft;
    return proposal === null ? (foreseen?.legal ?? false) : proposal.action !== null;
  });

  /** *dice* stores an answer whose real dice have to be typed in first. */
  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
    private readonly plan: Plan,
    private readonly foresight: Foresight,
    private readonly dice: () => Dice,
  ) {}

  commit(): Promise<void> {
    this.server.sent = this.confirm();
    return this.server.sent;
  }

  private async confirm(): Promise<void> {
    const { draft } = this.plan;
    if (draft === null || this.server.busy || this.plan.lacks) return;
    if (draft.form === "offer" && performance.now() - (draft.since ?? -PAUSE) < PAUSE) return;
    this.foresight.holdOff();
    // The latest proposal may be about a place that the drag has left.
    const proposal = draft.form === "offer" || this.foresight.asking ? null : draft.proposal;
    if (draft.form === "offer" && draft.usual) await this.giveUsual(draft.decision, draft.usual.unit, false);
    else if (draft.form === "offer") await this.answer(draft.decision, { action: draft.action });
    else if (proposal === null && draft.hasGoal) await this.answer(draft.decision, { wish: draft.wish });
    else if (proposal !== null && proposal.action !== null)
      await this.answer(draft.decision, { action: proposal.action });
  }

  /**
   * Answer a decision, with the real dice typed so far. If `quietly` is set and the answer needs confirmation, it stays
   * prepared. Returns whether the answer was given.
   */
  async answer(decision: string, meant: Meant, dice: number[][] = [], quietly = false): Promise<boolean> {
    this.feed.skip();
    this.server.begin(true);
    this.decision = decision;
    this.server.refusal = null;
    this.foresight.askNoMore();
    try {
      const typed = dice.length > 0 ? { dice } : {};
      const options = quietly ? { quietly } : {};
      const heard = await this.server.ask<"done" | "loud" | "proposal">({
        type: "answer",
        decision,
        ...meant,
        ...typed,
        ...options,
      });
      if (heard?.type === "loud") {
        if (this.plan.draft?.decision === decision) this.plan.loud = heard.loud;
        return false;
      }
      if (heard?.type === "proposal") {
        // The wish may be impossible. The drag then shows the reason and the point at which it becomes impossible.
        const { draft } = this.plan;
        if (draft?.form === "region" && draft.decision === decision) {
          draft.take({ proposal: heard.proposal });
          this.plan.loud = heard.loud ?? null;
        } else this.server.refusal = heard.proposal.refusal;
        return false;
      }
      this.server.notice = "";
      this.dice().drop();
      if (this.plan.draft?.decision === decision) this.plan.done();
      return true;
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === "dice-wanted")
        this.dice().want(error.refusal, { decision, meant, typed: dice });
      else this.server.fail(error);
      return false;
    } finally {
      this.server.rest();
      if (this.decision === decision) this.decision = null;
    }
  }

  /**
   * Give the usual answer of a unit, or of all units; with *quietly* set, only while no answer needs a confirmation.
   */
  async giveUsual(decision: string, unit: number | null, quietly: boolean): Promise<void> {
    this.server.begin(true);
    this.server.refusal = null;
    try {
      const heard = await this.server.ask<"done" | "loud">({
        type: "usual",
        decision,
        unit,
        ...(quietly ? { quietly } : {}),
      });
      if (heard?.type === "loud" && this.plan.draft?.decision === decision) this.plan.loud = heard.loud;
      this.server.notice = "";
      if (!quietly && this.plan.draft?.decision === decision) this.plan.done();
    } catch (error) {
      this.server.fail(error);
    } finally {
      this.server.rest();
    }
  }
}
