/** Puts the explanation of acts into words: judged decisions, better answers and dice. */
import type { Act, Better } from "../wire/types";

/** Number of standard errors in a 95 % interval. */
export const Z95 = 1.96;
/** Largest sum of the effects of a side's dice for which they are called even. */
const EVEN = 0.05;

export const costOf = (act: Act): number => act.judged?.cost ?? 0;
const percent = (chance: number): string => `${Math.round(100 * chance)} %`;

/** Return the change of a chance in words. */
export function change(before: number, after: number): string {
  const [old, now] = [percent(before), percent(after)];
  return old === now ? `stays at ${now}` : `${old} to ${now}`;
}

/** Return the judged decisions of a side; those that could have been better separately, the costliest first. */
export function judgedOf(acts: readonly Act[], side: number): { judged: readonly Act[]; wrong: readonly Act[] } | null {
  const judged = acts.filter((act) => act.side === side && act.judged);
  if (judged.length === 0) return null;
  return { judged, wrong: judged.filter((act) => act.judged?.better).sort((a, b) => costOf(b) - costOf(a)) };
}

/** Return in words how much the dice helped a side over a battle. */
export function diceOf(luck: number): string {
  if (Math.abs(luck) < EVEN) return "the dice were even";
  return luck > 0 ? "the dice helped it" : "the dice hurt it";
}

/** Return in words how good the dice of an act were and how likely that was; empty if none were rolled. */
export function rollWords(act: Act | undefined): string {
  if (act?.likely == null) return "";
  const share = percent(act.likely);
  return act.after >= act.average
    ? `dice as good as these come up in ${share}`
    : `dice as bad as these come up in ${share}`;
}

/** Return the games that were played on from a better answer and from the given one; empty if none were played. */
export function trialWords({ trial }: Better): string {
  if (!trial) return "";
  const [won, given] = [percent(trial.better), percent(trial.given)];
  return ` (won ${won} of ${trial.games} games played on from here, the given answer ${given})`;
}
