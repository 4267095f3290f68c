import { describe, expect, it } from "vitest";

import type { Picture } from "../wire/types";
import type { Moment } from "./recorded";
import { turnsOf } from "./timeline";

function stage(round: number, now: number, turn: number | null = null): Pick<Moment, "turn" | "picture"> {
  return {
    turn,
    picture: { stage: { round, rounds: 3, steps: ["Move", "Fire"], now, words: "" } } as unknown as Picture,
  };
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

  it("goes by the turns that are told, where steps go to and fro within one", () => {
    const turns = turnsOf([
      stage(1, 0, 0),
      stage(1, 0, 0),
      stage(1, 0, 1),
      stage(1, 1, 1),
      stage(1, 0, 1),
      stage(2, 0, 2),
    ]);
    expect(turns.map((turn) => turn.start)).toEqual([0, 2, 5]);
  });

  it("has a step where the stage says so", () => {
    const [turn] = turnsOf([stage(1, 0), stage(1, 0), stage(1, 1)]);
    expect(turn?.steps.map((step) => [step.start, step.end, step.words])).toEqual([
      [0, 1, "Move"],
      [2, 2, "Fire"],
    ]);
  });
});
