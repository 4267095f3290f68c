import { describe, expect, it } from "vitest";

import { marginals } from "./marginals";
import { percent } from "./odds";
import { csvOf } from "./save";
import { changeOf, stageOf, verdictOf } from "./series.svelte";
import type { Series } from "../wire/api";

const ODDS = {
  exact: true,
  outcomes: [
    { strength: 3, leader_lost: false, drone: null, probability: "1/2", p: 0.5 },
    { strength: 1, leader_lost: true, drone: null, probability: "1/4", p: 0.25 },
    { strength: 2, leader_lost: false, drone: null, probability: "1/4", p: 0.25 },
  ],
};

const SERIES: Series = {
  id: "s",
  stage: "done",
  ahead: 0,
  games: 20,
  done: 20,
  seconds: 10,
  command: "",
  lengths: {},
  words: "",
  report: {
    ruleset: "g",
    edition: "",
    scenario: "",
    seed: 1,
    swapped: false,
    seconds: 10,
    decisions_per_second: 0,
    players: ["hard", "easy"],
    games: 20,
    wins: { "0": 15, "1": 3 },
    draws: 2,
    intervals: { "0": [0.6, 0.94], "1": [0.06, 0.4] },
    length: { mean: 4, sd: 1, max: 6 },
    decisions: 1,
    rolls: 1,
    digest: "",
    armies: [],
    size: null,
    rules: {},
    sides: ["A", "B"],
    side_wins: { "0": 15, "1": 3 },
  },
};

describe("the parts of an outcome", () => {
  it("are summed over all the others, the lowest first, with what is fewer and more", () => {
    const [strength, lost] = marginals(ODDS);
    expect(strength?.rows.map((row) => [row.value, row.p, row.atMost, row.atLeast])).toEqual([
      [1, 0.25, 0.25, 1],
      [2, 0.25, 0.5, 0.75],
      [3, 0.5, 1, 0.5],
    ]);
    expect(strength?.mean).toBe(2.25);
    expect(lost?.rows.map((row) => [row.value, row.p])).toEqual([
      [false, 0.75],
      [true, 0.25],
    ]);
    expect(lost?.mean).toBeNull();
  });

  it("that cannot vary are left out", () => {
    expect(marginals({ exact: true, outcomes: [{ strength: 2, probability: "1", p: 1 }] })).toEqual([]);
  });
});

describe("a chance in per cent", () => {
  it("is never said to be certain, or impossible, where it is not", () => {
    expect([0, 0.0001, 0.051, 0.5, 0.97, 0.993, 0.99999, 1].map(percent)).toEqual([
      "0 %",
      "< 0.1 %",
      "5.1 %",
      "50 %",
      "97 %",
      "99.3 %",
      "> 99.9 %",
      "100 %",
    ]);
    expect(percent(0.1 + 0.2 + 0.3 + 0.4 - 1e-12)).toBe("100 %");
  });
});

describe("a file of comma-separated values", () => {
  it("quotes what would break its rows", () => {
    expect(
      csvOf(
        ["a", "b"],
        [
          [1, 'so "called"'],
          [null, "x,y"],
        ],
      ),
    ).toBe('a,b\r\n1,"so ""called"""\r\n,"x,y"\r\n');
  });
});

describe("a series in words", () => {
  it("says how far it has come", () => {
    expect(stageOf({ ...SERIES, stage: "playing", done: 0, seconds: 1 })).toBe(
      "0 of 20 games: the first is being played",
    );
    expect(stageOf({ ...SERIES, stage: "playing", done: 5 })).toBe("5 of 20 games, 30 seconds left");
    expect(stageOf(SERIES)).toBe("20 games played");
  });

  it("tells who is stronger only where the interval does", () => {
    expect(verdictOf(SERIES)).toContain("hard is the stronger one");
    const open = {
      ...SERIES.report!,
      intervals: { "0": [0.45, 0.9], "1": [0.1, 0.55] } as Record<string, [number, number]>,
    };
    expect(verdictOf({ ...SERIES, report: open })).toContain("still open");
    expect(verdictOf({ ...SERIES, report: { ...open, draws: 20, wins: {} } })).toBe("No game has had a winner.");
    expect(verdictOf({ ...SERIES, report: null })).toBe("");
  });

  it("tells a change from chance", () => {
    expect([changeOf(0.1, 0.3), changeOf(-0.3, -0.1), changeOf(-0.1, 0.1), changeOf(0, 0)]).toEqual([
      "significantly more",
      "significantly less",
      "may be chance",
      "the same",
    ]);
  });
});
