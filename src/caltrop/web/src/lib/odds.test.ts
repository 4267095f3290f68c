import { describe, expect, it } from "vitest";

import { diceInWords, furtherOdds, inBrief, oddsAddress } from "./odds";

describe("the page of odds", () => {
  it("is told every field of a request, and house rules by name", () => {
    const request = {
      ruleset: "command-horizon",
      rules: { "boost.stack": "yes" },
      attacker: { kind: "medium-tank", models: 3 },
      boost: true,
    };
    const address = new URL(oddsAddress(request), "http://here");
    expect(address.pathname).toBe("/odds");
    expect(Object.fromEntries(address.searchParams)).toEqual({
      ruleset: "command-horizon",
      "rule.boost.stack": "yes",
      "attacker.kind": "medium-tank",
      "attacker.models": "3",
      boost: "true",
    });
  });
});

it("an answer that names its dice is followed by those of another throw, and not by the same again", () => {
  const loud = { why: "dice", dice: 8, words: "8 dice are thrown" } as const;
  expect(diceInWords("Answer the Tanks with 4 dice", loud)).toBe("8 dice are thrown first");
  expect(diceInWords("Answer the Tanks with 8 dice", loud)).toBe("");
  expect(diceInWords("End and throw", loud)).toBe("8 dice are thrown");
});

it("odds are told in two lines at most", () => {
  const odds = {
    headline: "Takes at least one model: 62 %, destroys it: 25 %",
    outcomes: [],
    exact: true,
  } as unknown as Parameters<typeof inBrief>[0];
  expect(inBrief(odds)).toEqual(["Takes at least one model: 62 %", "destroys it: 25 %"]);
  const bare = {
    headline: "",
    outcomes: [
      { words: "hit", p: 0.4 },
      { words: "miss", p: 0.6 },
    ],
    exact: true,
  } as unknown as Parameters<typeof inBrief>[0];
  expect(inBrief(bare)).toEqual(["miss 60 %", "hit 40 %"]);
});

it("a chance that an answer says itself is not said after it again", () => {
  const odds = { headline: "72 % to hit, 36 % to take her off the table", outcomes: [], exact: true };
  const forecast = odds as unknown as Parameters<typeof inBrief>[0];
  expect(furtherOdds("Attack Brigand 3: 72 % to hit", forecast)).toEqual(["36 % to take her off the table"]);
  expect(furtherOdds("Attack Brigand 3", forecast)).toEqual(["72 % to hit", "36 % to take her off the table"]);
});
