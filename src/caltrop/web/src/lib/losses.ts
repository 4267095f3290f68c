/** What somebody's decisions cost beside those of a commander, and which level that is like. */
import type { Act, LevelLoss } from "../wire/types";

export interface Loss {
  /** Decisions that were judged. */
  judged: readonly Act[];
  /** Those that could have been better, the dearest first. */
  wrong: readonly Act[];
  /** In chance, a decision. */
  mean: number;
  /** The interval of 95 %, none for who made no mistake. */
  low: number;
  high: number;
}

/** Standard errors of an interval of 95 %. */
export const Z95 = 1.96;

export const costOf = (act: Act): number => act.judged?.cost ?? 0;

/** What a side lost by its decisions; null where none was judged. */
export function lossOf(acts: readonly Act[], side: number): Loss | null {
  const judged = acts.filter((act) => act.side === side && act.judged);
  if (judged.length === 0) return null;
  const mean = judged.reduce((sum, act) => sum + costOf(act), 0) / judged.length;
  const spread = judged.reduce((sum, act) => sum + (costOf(act) - mean) ** 2, 0) / Math.max(1, judged.length - 1);
  const wrong = judged.filter((act) => act.judged?.better).sort((a, b) => costOf(b) - costOf(a));
  const off = Z95 * Math.sqrt(spread / judged.length);
  return { judged, wrong, mean, low: Math.max(0, mean - off), high: mean + off };
}

/** Which level a loss is like, in words; empty where nothing was measured. The scale begins with the weakest. */
export function like(mean: number, scale: readonly LevelLoss[]): string {
  const levels = [...scale].reverse();
  const [best, worst] = [levels[0], levels.at(-1)];
  if (!best || !worst) return "";
  if (mean < best.mean) return `less than a ${best.level} loses`;
  if (mean > worst.mean) return `more than a ${worst.level} loses`;
  const above = levels.findIndex((one) => one.mean >= mean);
  const [under, over] = [levels[above - 1], levels[above]];
  if (!over || !under) return `what a ${best.level} loses`;
  return `between a ${under.level} and a ${over.level}`;
}

/** Whether it may as well be another level's: one lies within the interval, or no mistake says how wide that is. */
export function unsure(loss: Loss, scale: readonly LevelLoss[]): boolean {
  return loss.wrong.length === 0 || scale.some((one) => loss.low <= one.mean && one.mean <= loss.high);
}
