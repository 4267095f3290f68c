/** Real dice that have to be typed in on this screen. */
import type { Action, DiceWanted, Refusal, Wish } from "../wire/types";
import type { Feed } from "./feed.svelte";
import type { Seats } from "./seats.svelte";
import type { Server } from "./server.svelte";

/** The answer to a decision: an action, or a wish that the server turns into an action. */
export type Meant = { action: Action } | { wish: Wish };

/** Real dice to be typed in on this screen, for its own act or for a waiting act of the other side. */
export interface Throwing extends DiceWanted {
  /** The act of this player that the dice belong to, with the rolls typed so far. */
  act: { decision: string; meant: Meant; typed: number[][] } | null;
}

function wantedOf(refusal: Refusal, act: Throwing["act"]): Throwing {
  const { count, sides, side, words } = refusal.values;
  return {
    side: typeof side === "number" ? side : null,
    count: Number(count),
    sides: Number(sides),
    clauses: [refusal.clause],
    words: typeof words === "string" ? words : "",
    act,
  };
}

export class Dice {
  private own = $state.raw<Throwing | null>(null);

  /** The real dice to type in here. */
  readonly throwing = $derived.by((): Throwing | null => {
    const { past, queue, live } = this.feed;
    if (past !== null || queue.length > 0) return null;
    if (this.own !== null) return this.own;
    const request = live?.dice ?? null;
    if (request === null || live?.you === null) return null;
    const whose = request.side;
    const mine = whose === null || this.seats.mine.includes(whose);
    const computers = whose !== null && live?.seats.find((seat) => seat.side === whose)?.player !== "person";
    return mine || computers ? { ...request, act: null } : null;
  });

  /** *answer* answers a decision with the rolls typed so far. */
  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
    private readonly seats: Seats,
    private readonly answer: (decision: string, meant: Meant, dice: number[][]) => Promise<void>,
  ) {}

  /** Store an answer that was refused because real dice are missing, until the player enters them. */
  want(refusal: Refusal, act: Throwing["act"]): void {
    this.own = wantedOf(refusal, act);
  }

  /** Drop an answer that waits for dice if its decision is no longer open. */
  keepFor(decisions: ReadonlySet<string>): void {
    if (this.own !== null && !decisions.has(this.own.act?.decision ?? "")) this.own = null;
  }

  /** Enter the faces that the real dice show. */
  async typeIn(faces: number[]): Promise<void> {
    const throwing = this.throwing;
    if (throwing === null || this.server.busy) return;
    this.server.refusal = null;
    if (throwing.act !== null)
      await (this.server.sent = this.answer(throwing.act.decision, throwing.act.meant, [...throwing.act.typed, faces]));
    else await this.server.send({ type: "dice", faces });
  }

  /** Cancel an act whose dice have not been thrown yet. */
  drop(): void {
    this.own = null;
  }
}
