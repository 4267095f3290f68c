import { describe, expect, it } from "vitest";

import type { Stage } from "../wire/types";
import { turnsOf } from "./timeline";

function stage(round: number, now: number): Stage {
  return { round, rounds: 3, steps: ["Move", "Fire"], now, words: "" };
}

describe("a timeline", () => {
  it("has a turn where the round changes or the steps begin again", () => {
    const turns = turnsOf([stage(0, -1), stage(1, 0), stage(1, 0), stage(1, 1), stage(1, 0), stage(2, 1)]);
    expect(turns.map((turn) => [turn.start, turn.end])).toEqual([
      [0, 0],
      [1, 3],
      [4, 4],
      [5, 5],
    ]);
    expect(turns.map((turn) => turn.words)).toEqual([
      "Before the first round",
      "Round 1, turn 1",
      "Round 1, turn 2",
      "Round 2, turn 1",
    ]);
  });

  it("has a step where the stage says so", () => {
    const [turn] = turnsOf([stage(1, 0), stage(1, 0), stage(1, 1)]);
    expect(turn?.steps.map((step) => [step.start, step.end, step.words])).toEqual([
      [0, 1, "Move"],
      [2, 2, "Fire"],
    ]);
  });
});
