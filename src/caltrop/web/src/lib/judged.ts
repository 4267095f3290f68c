/** Chooses the judged decisions of an explained battle. */
import type { Act } from "../wire/types";

/** Number of standard errors in a 95 % interval. */
export const Z95 = 1.96;

const costOf = (act: Act): number => act.judged?.cost ?? 0;

/** Return the judged decisions of a side; those that could have been better separately, the costliest first. */
export function judgedOf(acts: readonly Act[], side: number): { judged: readonly Act[]; wrong: readonly Act[] } | null {
  const judged = acts.filter((act) => act.side === side && act.judged);
  if (judged.length === 0) return null;
  return { judged, wrong: judged.filter((act) => act.judged?.better).sort((a, b) => costOf(b) - costOf(a)) };
}
