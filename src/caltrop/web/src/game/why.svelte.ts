/** The question of why something happened, and its answer. */
import type { About, Cause } from "../wire/types";
import type { Server } from "./server.svelte";

/** An answer to "why did this happen?". */
export interface Because {
  about: About;
  words: string;
  steps: Cause[] | null;
}

export class Why {
  because = $state.raw<Because | null>(null);

  constructor(private readonly server: Server) {}

  /** Ask for the causes of an event. */
  async ask(about: About, words: string): Promise<void> {
    const asked: Because = { about, words, steps: null };
    this.because = asked;
    try {
      const answer = await this.server.ask<"because">({ type: "why", ...about });
      if (this.because === asked) this.because = { ...asked, steps: answer?.steps ?? [] };
    } catch (error) {
      if (this.because === asked) this.because = null;
      this.server.fail(error);
    }
  }
}
