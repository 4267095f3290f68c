import { describe, expect, it } from "vitest";

import type { Act } from "../wire/types";
import { judgedOf } from "./judged";

function act(side: number, cost: number | null): Act {
  const better = { words: "hold", chance: 0.5 };
  return {
    act: 0,
    side,
    words: "",
    play: 0,
    luck: 0,
    error: 0,
    average: 0.5,
    after: 0.5,
    likely: null,
    roll: "",
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
});
