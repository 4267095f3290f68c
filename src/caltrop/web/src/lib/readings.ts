/** Says in words what the explained number of a roll is. */
import type { Reading } from "../wire/types";
import { plural, sumOf } from "./measure";

/** Return the number of dice, the number that each needs, or the modifier of the roll, before its explanation. */
export function whyOfDice(
  reading: Pick<Reading, "answer_terms" | "dice" | "modifies" | "needed" | "target" | "terms">,
): string {
  if (reading.needed !== undefined) return `Each die needs ${reading.needed}+: why`;
  const total = sumOf(reading.terms);
  if (reading.modifies) {
    const more = `${total < 0 ? "−" : total > 0 ? "+" : "±"}${Math.abs(total)}`;
    return reading.dice.length === 1 ? `${more} on the die: why` : `${more} on the dice: why`;
  }
  const dice = plural(total, reading.target === null ? "die" : "attack die");
  return reading.answer_terms.length > 0
    ? `${dice}, ${sumOf(reading.answer_terms)} in defence: why so many`
    : `${dice}: why so many`;
}
