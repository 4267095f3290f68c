import { describe, expect, it } from "vitest";

import type { Group, LogEntry, Motion, Picture } from "../wire/types";
import { deedsOf, lossesOf, pointsOf, standingOf } from "./battle";

function unit(id: number, side: number, models: number, more: Partial<Group> = {}): Group {
  const pieces = Array.from({ length: models }, (_, i) => ({
    id: id * 10 + i,
    at: [0, 0] as const,
    radius: 1,
    silhouette: "",
    tokens: [],
  }));
  return {
    id,
    side,
    name: `${id}`,
    kind: "k",
    silhouette: "infantry",
    pieces,
    tokens: [],
    stats: [],
    reach: 0,
    walk: 0,
    strength: "",
    plate: [],
    zone: 0,
    ...more,
  };
}

function table(round: number, groups: Group[], points: [string, string]): Picture {
  const seats = points.map((value, side) => ({
    side,
    name: "",
    letter: "",
    shape: "",
    far: null,
    cards: null,
    played: null,
    points: [
      { label: "CP", value: "3", because: [] },
      { label: "VP", value, because: [] },
    ],
  }));
  return { stage: { round, rounds: 3, steps: [], now: 0, words: "" }, seats, groups } as unknown as Picture;
}

let n = 0;
const logLine = (motion: Motion): LogEntry =>
  ({ n: ++n, act: n, side: 0, motion, reading: null, undoes: null, kind: "x" }) as unknown as LogEntry;

const LOG = [
  logLine({ sort: "shot", unit: 1, target: 2 }),
  logLine({ sort: "loss", unit: 2, count: 2 }),
  logLine({ sort: "loss", unit: 2, count: 1, pieces: [20] }),
  logLine({ sort: "loss", unit: 2, count: 1, pieces: [21] }),
  logLine({ sort: "blow", unit: 3, target: 1, count: 1 }),
];
const MOMENTS = [
  {
    turn: 0,
    active: null,
    act: 0,
    picture: table(1, [unit(1, 0, 3), unit(2, 1, 2), unit(3, 1, 4)], ["0", "0"]),
    log: [],
  },
  {
    turn: 0,
    active: null,
    act: 1,
    picture: table(1, [unit(1, 0, 3), unit(3, 1, 4)], ["2", "0"]),
    log: LOG.slice(0, 4),
  },
  {
    turn: 0,
    active: null,
    act: 2,
    picture: table(2, [unit(1, 0, 2), unit(3, 1, 0, { whereabouts: "in reserve" })], ["2", "1"]),
    log: LOG,
  },
];

describe("a battle", () => {
  it("has the points that the outcome names, at the end of each round", () => {
    expect(pointsOf(MOMENTS, [2, 1])).toEqual({ label: "VP", rounds: [1, 2], points: { 0: [2, 2], 1: [0, 1] } });
    expect(pointsOf(MOMENTS, [7, 1])).toBeNull();
    // Remaining resources may happen to have the same numbers as the score.
    const spent = MOMENTS.map((one, i) => ({
      ...one,
      picture: {
        ...one.picture,
        seats: one.picture.seats.map((seat) => ({
          ...seat,
          points: [...seat.points, { label: "Smoke", value: String((seat.side === 0 ? 4 : 3) - i), because: [] }],
        })),
      },
    }));
    expect(pointsOf(spent, [2, 1])?.label).toBe("VP");
    // Resources that a side has from the start may have them too. Scores come first.
    const moments = MOMENTS.map((one) => ({
      ...one,
      picture: {
        ...one.picture,
        seats: one.picture.seats.map((seat) => ({
          ...seat,
          points: [...seat.points, { label: "Smoke", value: seat.side === 0 ? "2" : "1", because: [] }],
        })),
      },
    }));
    expect(pointsOf(moments, [2, 1])?.label).toBe("VP");
    expect(standingOf(MOMENTS).points).toEqual({ 0: [3, 2], 1: [4, 0] });
    const placing = {
      ...MOMENTS[0]!,
      picture: { ...MOMENTS[0]!.picture, stage: { ...MOMENTS[0]!.picture.stage, round: 0 }, groups: [] },
    };
    expect(standingOf([placing, ...MOMENTS]).rounds).toEqual([1, 2]);
  });

  it("has lost who is there no more, and nobody who is only off the table", () => {
    expect(lossesOf(MOMENTS).map(({ gone, models }) => [gone.map((one) => one.id), models])).toEqual([
      [[], 1],
      [[2], 2],
    ]);
  });

  it("counts a loss once, as the deed of who attacked last", () => {
    const [best, second] = deedsOf(MOMENTS);
    expect([best!.unit, best!.struck, best!.attacks, best!.lost]).toEqual([1, 2, 1, 1]);
    expect([second!.unit, second!.struck]).toEqual([3, 1]);
  });

  it("counts a loss once where others are told before it is chosen who falls", () => {
    const log = [
      logLine({ sort: "shot", unit: 1, target: 2 }),
      logLine({ sort: "shot", unit: 1, target: 3 }),
      logLine({ sort: "loss", unit: 2, count: 1 }),
      logLine({ sort: "loss", unit: 3, count: 2 }),
      logLine({ sort: "loss", unit: 1, count: 0 }),
      logLine({ sort: "loss", unit: 2, count: 1, pieces: [20] }),
      logLine({ sort: "loss", unit: 3, count: 1, pieces: [30] }),
      logLine({ sort: "loss", unit: 3, count: 1, pieces: [31] }),
      // No line has reported this loss before.
      logLine({ sort: "loss", unit: 3, count: 1, pieces: [32] }),
    ];
    const deeds = deedsOf([{ ...MOMENTS[0]!, log }]);
    expect(deeds.map((one) => [one.unit, one.struck, one.lost])).toEqual([
      [1, 4, 0],
      [2, 0, 1],
      [3, 0, 3],
    ]);
  });
});
