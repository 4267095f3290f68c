/** How often dice are as good as those that fell, or as bad, in a few words. */
import type { Luck } from "../wire/types";
import { percent } from "./odds";

/** "as good: 12 %" for more than was to be expected, "as bad: 7 %" for less. Empty where the chance is not known. */
export function luckOf({ got, mean, as_good, as_bad }: Luck): string {
  if (as_good === null || as_bad === null) return "";
  return got >= mean ? `as good: ${percent(as_good)}` : `as bad: ${percent(as_bad)}`;
}
