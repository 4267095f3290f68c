/** Compares the cost of a person's decisions with those of a commander, and finds a level with the same losses. */
import type { Act, LevelLoss } from "../wire/types";

export interface Loss {
  /** Number of judged decisions. */
  judged: readonly Act[];
  /** Decisions that could have been better, the costliest first. */
  wrong: readonly Act[];
  /** Mean loss of a decision, in chance of winning. */
  mean: number;
  /** The 95 % confidence interval; empty without mistakes. */
  low: number;
  high: number;
}

/** Number of standard errors in a 95 % interval. */
export const Z95 = 1.96;

export const costOf = (act: Act): number => act.judged?.cost ?? 0;

/** Return the losses of a side by its decisions; null if none was judged. */
export function lossOf(acts: readonly Act[], side: number): Loss | null {
  const judged = acts.filter((act) => act.side === side && act.judged);
  if (judged.length === 0) return null;
  const mean = judged.reduce((sum, act) => sum + costOf(act), 0) / judged.length;
  const spread = judged.reduce((sum, act) => sum + (costOf(act) - mean) ** 2, 0) / Math.max(1, judged.length - 1);
  const wrong = judged.filter((act) => act.judged?.better).sort((a, b) => costOf(b) - costOf(a));
  const off = Z95 * Math.sqrt(spread / judged.length);
  return { judged, wrong, mean, low: Math.max(0, mean - off), high: mean + off };
}

/** Return in words which level loses as much; empty without measurements. The scale begins with the weakest level. */
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

/**
 * Return whether another level is as likely: its loss is in the interval, or there is no interval because there were no
 * mistakes.
 */
export function unsure(loss: Loss, scale: readonly LevelLoss[]): boolean {
  return loss.wrong.length === 0 || scale.some((one) => loss.low <= one.mean && one.mean <= loss.high);
}
