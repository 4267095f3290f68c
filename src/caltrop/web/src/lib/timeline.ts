/** The moments of a game by turns and steps. */
import type { Stage } from "../wire/types";
import type { Moment } from "./recorded";

export interface Stretch {
  /** First and last moment. */
  start: number;
  end: number;
  words: string;
}

export interface TurnStretch extends Stretch {
  label: string;
  steps: Stretch[];
}

/** A turn begins where the record says so; otherwise with a new round, or when the steps begin again. */
export function turnsOf(moments: readonly Pick<Moment, "turn" | "picture">[]): TurnStretch[] {
  const turns: TurnStretch[] = [];
  let before: Stage | null = null;
  let inRound = 0;
  moments.forEach(({ turn: number, picture: { stage } }, at) => {
    const earlier = moments[at - 1]?.turn ?? null;
    const again =
      number !== null && earlier !== null
        ? number !== earlier
        : before !== null && stage.now >= 0 && stage.now < before.now;
    const another = before === null || stage.round !== before.round || again;
    if (another) {
      inRound = before !== null && stage.round === before.round ? inRound + 1 : 1;
      const words = stage.round < 1 ? "Before the first round" : `Round ${stage.round}, turn ${inRound}`;
      turns.push({
        start: at,
        end: at,
        words,
        label: inRound === 1 ? String(Math.max(stage.round, 0)) : "",
        steps: [],
      });
    }
    const turn = turns[turns.length - 1]!;
    turn.end = at;
    const last = turn.steps.at(-1);
    if (last !== undefined && before !== null && !another && stage.now === before.now) last.end = at;
    else turn.steps.push({ start: at, end: at, words: stage.steps[stage.now] ?? "" });
    before = stage;
  });
  return turns;
}
