/** The explanation of a battle, which the server works out step by step. */
import type { Explained } from "../wire/api";
import { explained } from "../wire/api";
import { wordsOf } from "./faults";

/** Milliseconds between two requests for progress. */
const PAUSE = 800;
/** The parts of the work in words. */
const PARTS: Record<string, string> = {
  chances: "the chance after each act",
  "games played on": "games continued from each round",
  turns: "turning points",
  decisions: "your decisions",
};

export class Explanation {
  now = $state.raw<Explained | null>(null);
  trouble = $state("");
  readonly working = $derived(this.now !== null && (this.now.stage === "waiting" || this.now.stage === "working"));
  readonly progress = $derived(
    this.now?.stage === "waiting"
      ? "Other battles come first…"
      : this.now && this.now.of > 0
        ? `${Math.floor((100 * this.now.done) / this.now.of)} %: ${PARTS[this.now.words] ?? ""}`
        : "Beginning…",
  );
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(
    private readonly id: string,
    private readonly tokens: readonly string[],
  ) {}

  /** Show the answer to a request, and ask for the progress until the work is done. */
  async see(asked: Promise<Explained> = explained(this.id, this.tokens)): Promise<void> {
    clearTimeout(this.#timer);
    try {
      this.now = await asked;
      this.trouble = "";
      if (!this.#closed && this.working) this.#timer = setTimeout(() => void this.see(), PAUSE);
    } catch (error) {
      this.trouble = wordsOf(error);
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}
