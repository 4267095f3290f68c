import { describe, expect, it } from "vitest";

import type { Act } from "../wire/types";
import { change, diceOf, judgedOf, rollWords, trialWords } from "./judged";

function act(side: number, cost: number | null): Act {
  const better = { words: "hold", chance: 0.5 };
  return {
    act: 0,
    side,
    words: "",
    play: 0,
    luck: 0,
    error: 0,
    rolled: false,
    average: 0.5,
    after: 0.5,
    likely: null,
    judged: cost === null ? null : { cost, better: cost > 0 ? better : null },
  };
}

describe("an explained act", () => {
  it("is listed with those of its side, the costliest first", () => {
    const decisions = judgedOf([act(0, 0), act(0, 0.1), act(1, 0.9), act(0, null), act(0, 0), act(0, 0.3)], 0);
    expect(decisions?.judged.length).toBe(4);
    expect(decisions?.wrong.map((one) => one.judged?.cost)).toEqual([0.3, 0.1]);
    expect(judgedOf([act(1, 0.1)], 0)).toBeNull();
  });

  it("tells how likely its dice were", () => {
    expect(rollWords(undefined)).toBe("");
    expect(rollWords(act(0, null))).toBe("");
    expect(rollWords({ ...act(0, null), after: 0.7, likely: 0.41 })).toBe("dice as good as these come up in 41 %");
    expect(rollWords({ ...act(0, null), after: 0.5, likely: 1 })).toBe("dice as good as these come up in 100 %");
    expect(rollWords({ ...act(0, null), after: 0.4, likely: 0.03 })).toBe("dice as bad as these come up in 3 %");
  });

  it("tells a change of a chance, or that it stays", () => {
    expect(change(0.5, 0.7)).toBe("50 % to 70 %");
    expect(change(0.998, 1)).toBe("stays at 100 %");
  });

  it("tells the games that were played on from a better answer", () => {
    expect(trialWords({ words: "hold", chance: 0.5 })).toBe("");
    expect(trialWords({ words: "hold", chance: 0.5, trial: { games: 48, better: 0.625, given: 0.5 } })).toBe(
      " (won 63 % of 48 games played on from here, the given answer 50 %)",
    );
  });
});

describe("the dice of a battle", () => {
  it("helped a side, hurt it, or were even", () => {
    expect([0.2, -1.06, 0.049, -0.05].map(diceOf)).toEqual([
      "the dice helped it",
      "the dice hurt it",
      "the dice were even",
      "the dice hurt it",
    ]);
  });
});
