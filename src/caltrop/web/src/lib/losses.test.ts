import { describe, expect, it } from "vitest";

import type { Act, LevelLoss } from "../wire/types";
import { like, lossOf, unsure } from "./losses";

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
    judged: cost === null ? null : { cost, better: cost > 0 ? better : null },
  };
}

const scale: LevelLoss[] = [
  { level: "recruit", mean: 0.03, low: 0.02, high: 0.04 },
  { level: "regular", mean: 0.01, low: 0.008, high: 0.012 },
  { level: "veteran", mean: 0.004, low: 0.003, high: 0.005 },
];

describe("what decisions cost", () => {
  it("is a mean over those of a side that were judged, with its interval", () => {
    const loss = lossOf([act(0, 0), act(0, 0.1), act(1, 0.9), act(0, null), act(0, 0), act(0, 0.3)], 0);
    expect(loss?.judged.length).toBe(4);
    expect(loss?.wrong.map((one) => one.judged?.cost)).toEqual([0.3, 0.1]);
    expect(loss?.mean).toBeCloseTo(0.1);
    const off = 1.96 * Math.sqrt((0.01 + 0.01 + 0.04) / 3 / 4);
    expect(loss?.high).toBeCloseTo(0.1 + off);
    expect(loss?.low).toBe(0);
    expect(lossOf([act(1, 0.1)], 0)).toBeNull();
  });

  it("is told beside the levels", () => {
    expect(like(0.001, scale)).toBe("less than a veteran loses");
    expect(like(0.007, scale)).toBe("between a veteran and a regular");
    expect(like(0.02, scale)).toBe("between a regular and a recruit");
    expect(like(0.05, scale)).toBe("more than a recruit loses");
    expect(like(0.05, [])).toBe("");
    const loss = { judged: [], wrong: [act(0, 0.1)], mean: 0.007 };
    expect(unsure({ ...loss, low: 0.005, high: 0.011 }, scale)).toBe(true);
    expect(unsure({ ...loss, low: 0.005, high: 0.009 }, scale)).toBe(false);
    expect(unsure({ judged: [], wrong: [], mean: 0, low: 0, high: 0 }, scale)).toBe(true);
    const even = scale.map((one) => (one.level === "regular" ? { ...one, mean: 0.03 } : one));
    expect(like(0.02, even)).toBe("between a veteran and a regular");
    expect(like(0.04, even)).toBe("more than a recruit loses");
  });
});
