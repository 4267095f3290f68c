/** Says in a few words how often dice are as good as those that fell, or as bad. */
import type { Luck } from "../wire/types";
import { percent } from "./odds";

/**
 * Return "as good: 12 %" if the dice were better than expected, or "as bad: 7 %" if worse. Empty if the chance is
 * unknown.
 */
export function luckOf({ got, mean, as_good, as_bad }: Luck): string {
  if (as_good === null || as_bad === null) return "";
  return got >= mean ? `as good: ${percent(as_good)}` : `as bad: ${percent(as_bad)}`;
}
