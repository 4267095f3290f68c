/** A hint: the answer that a strong player would give now, and the reason. */
import type { Hint } from "../wire/types";
import type { Choices } from "./choices.svelte";
import type { Choosing } from "./choosing.svelte";
import type { Server } from "./server.svelte";

export class Advice {
  /** The latest hint, with the question that it answers. */
  private given = $state.raw<{ decision: string; hint: Hint } | null>(null);
  busy = $state(false);
  /** The hint for the current question; null without a hint. */
  readonly hint = $derived.by((): Hint | null => {
    const { given } = this;
    return given !== null && this.choices.decisions.some((one) => one.id === given.decision) ? given.hint : null;
  });

  constructor(
    private readonly server: Server,
    private readonly choices: Choices,
    private readonly choosing: Choosing,
  ) {}

  /** Ask for a hint and prepare the answer that it proposes. Asking for a hint plays no act. */
  async ask(): Promise<void> {
    const decision = this.choices.decisions[0];
    if (decision === undefined || this.busy) return;
    this.busy = true;
    try {
      const answer = await this.server.ask<"hint">({ type: "hint", decision: decision.id });
      if (answer === undefined) return;
      this.given = { decision: decision.id, hint: answer.hint };
      this.choosing.advise(decision, answer.hint);
    } catch (error) {
      this.server.fail(error);
    } finally {
      this.busy = false;
    }
  }
}
