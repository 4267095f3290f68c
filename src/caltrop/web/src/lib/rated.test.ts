import { describe, expect, it } from "vitest";

import type { View } from "../wire/types";
import { equal, keepResult, results, strength, type Result } from "./rated";

const LEVELS = [
  { name: "recruit", rating: { elo: 1200 } },
  { name: "regular", rating: { elo: 1350 } },
  { name: "veteran", rating: { elo: 1500 } },
  { name: "odd", rating: null },
];

function shelf(): { getItem: (key: string) => string | null; setItem: (key: string, value: string) => void } {
  const values = new Map<string, string>();
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value) };
}

function played(against: string, ...scores: number[]): Result[] {
  return scores.map((score, n) => ({ game: `${against}${n}`, ruleset: "duel", against, score }));
}

function ended(game: string, winner: number | null, more: Partial<Record<string, unknown>> = {}): View {
  const seats = [
    { side: 0, player: "person" },
    { side: 1, player: "regular+bold" },
  ];
  return {
    game,
    ruleset: "duel",
    you: 0,
    seats,
    over: { winner, points: [], reason: "" },
    lesson: null,
    ...more,
  } as unknown as View;
}

describe("how strong somebody plays", () => {
  it("is not known before a rated game", () => {
    expect(strength("duel", LEVELS, [])).toBeNull();
    expect(strength("duel", LEVELS, played("odd", 1, 1))).toBeNull();
    expect(strength("chess", LEVELS, played("regular", 1))).toBeNull();
    expect(equal(LEVELS, null)).toBeNull();
  });

  it("rises with wins and falls with losses, within its interval", () => {
    const even = strength("duel", LEVELS, played("regular", 1, 0, 0.5, 0.5));
    const better = strength("duel", LEVELS, played("regular", 1, 1, 1, 1));
    const worse = strength("duel", LEVELS, played("regular", 0, 0, 0, 0));
    expect(even?.elo).toBe(1350);
    expect(better!.elo).toBeGreaterThan(even!.elo);
    expect(worse!.elo).toBeLessThan(even!.elo);
    for (const one of [even, better, worse]) expect(one!.low < one!.elo && one!.elo < one!.high).toBe(true);
  });

  it("is surer with more games, and stays finite", () => {
    const some = strength("duel", LEVELS, played("veteran", 1, 0))!;
    const many = strength("duel", LEVELS, played("veteran", ...Array.from({ length: 100 }, (_, n) => n % 2)))!;
    expect(many.high - many.low).toBeLessThan(some.high - some.low);
    expect(many.elo).toBeGreaterThan(1490);
    expect(strength("duel", LEVELS, played("veteran", ...Array<number>(400).fill(1)))!.elo).toBeLessThan(3500);
  });

  it("counts ten to one as four hundred points", () => {
    const scores = Array.from({ length: 1100 }, (_, n) => (n % 11 === 0 ? 0 : 1));
    expect(Math.abs(strength("duel", LEVELS, played("regular", ...scores))!.elo - 1750)).toBeLessThan(15);
  });

  it("proposes the nearest opponent", () => {
    expect(equal(LEVELS, { elo: 1190, low: 0, high: 0, games: 1 })).toBe("recruit");
    expect(equal(LEVELS, { elo: 1340, low: 0, high: 0, games: 1 })).toBe("regular");
    expect(equal(LEVELS, { elo: 2100, low: 0, high: 0, games: 1 })).toBe("veteran");
  });
});

describe("what is kept of games", () => {
  it("is one result a game, the last", () => {
    const at = shelf();
    keepResult(ended("a", 0), at);
    keepResult(ended("b", null), at);
    keepResult(ended("a", 1), at);
    expect(results(at).map(({ game, score }) => [game, score])).toEqual([
      ["a", 0],
      ["b", 0.5],
    ]);
    expect(results(at)[0]?.against).toBe("regular+bold");
  });

  it("leaves out what tells nothing of somebody's play", () => {
    const at = shelf();
    keepResult({ ...ended("a", 0), over: null }, at);
    keepResult(ended("b", 0, { lesson: { done: true } }), at);
    keepResult(ended("f", 0, { unrated: "dice were typed in" }), at);
    keepResult(ended("c", 0, { you: null }), at);
    keepResult(
      ended("d", 0, {
        seats: [
          { side: 0, player: "person" },
          { side: 1, player: "person" },
        ],
      }),
      at,
    );
    keepResult(
      ended("e", 0, {
        seats: [
          { side: 0, player: "veteran" },
          { side: 1, player: "regular" },
        ],
      }),
      at,
    );
    expect(results(at)).toEqual([]);
  });

  it("forgets a game that says nothing any more", () => {
    const at = shelf();
    keepResult(ended("a", 0), at);
    keepResult(ended("b", 0), at);
    keepResult(ended("a", 0, { unrated: "a hint was given" }), at);
    expect(results(at).map(({ game }) => game)).toEqual(["b"]);
  });

  it("is nothing where what was kept cannot be read", () => {
    const at = shelf();
    at.setItem("caltrop.results", "{");
    expect(results(at)).toEqual([]);
    at.setItem("caltrop.results", '[{"game": 3}, null]');
    expect(results(at)).toEqual([]);
  });
});
