import { expect, it } from "vitest";

import { whyOfDice } from "./readings";

const terms = (...values: number[]): { value: number; clause: string; words: string }[] =>
  values.map((value) => ({ value, clause: "", words: "" }));
const dice = (many: number): [] => Array.from({ length: many }, () => ({})) as unknown as [];
const one = { answer_terms: [], target: 1 };

it("tells a number of dice from the number that each needs, and from a modifier", () => {
  expect(whyOfDice({ ...one, terms: terms(4, 1), dice: dice(5) })).toBe("5 attack dice: why so many");
  expect(whyOfDice({ ...one, terms: terms(4, 1), dice: dice(5), needed: 5 })).toBe("Each die needs 5+: why");
  expect(whyOfDice({ ...one, terms: terms(4, 3), dice: dice(3), needed: 6 })).toBe("Each die needs 6+: why");
  expect(whyOfDice({ ...one, terms: terms(4), answer_terms: terms(2), dice: dice(4) })).toBe(
    "4 attack dice, 2 in defence: why so many",
  );
  const check = { ...one, target: null, modifies: true };
  expect(whyOfDice({ ...check, terms: terms(-1), dice: dice(1) })).toBe("−1 on the die: why");
  expect(whyOfDice({ ...check, terms: terms(1, -1), dice: dice(1) })).toBe("±0 on the die: why");
  // A modifier of one on one die is not a number of dice.
  expect(whyOfDice({ ...check, terms: terms(1), dice: dice(1) })).toBe("+1 on the die: why");
  expect(whyOfDice({ ...check, terms: terms(-2), dice: dice(2) })).toBe("−2 on the dice: why");
});
