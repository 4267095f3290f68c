import { describe, expect, it } from "vitest";

import type { Point } from "../wire/types";
import { fromRims, notchOf } from "./melee";

const between = (p: Point, q: Point): number => Math.hypot(p[0] - q[0], p[1] - q[1]);

describe("the mark of close combat", () => {
  const [a, b]: [Point, Point] = [
    [0, 0],
    [20, 0],
  ];

  it("lies beside both bases and over neither", () => {
    const at = notchOf(a, b, 6, []);
    expect(at[0]).toBe(10);
    expect(between(at, a)).toBeGreaterThanOrEqual(16 - 1e-9);
    expect(between(at, b)).toBeGreaterThanOrEqual(16 - 1e-9);
    expect(at[1]).toBeLessThan(0);
  });

  it("keeps clear of heads, however small it is", () => {
    expect(Math.abs(notchOf(a, b, 0.5, [])[1])).toBeCloseTo(9.5);
  });

  it("goes to the side where there is room", () => {
    expect(notchOf(a, b, 6, [a, b, [10, -17]])[1]).toBeGreaterThan(0);
    expect(notchOf(a, b, 6, [a, b, [10, 17]])[1]).toBeLessThan(0);
  });

  it("lies on the base where two stand on one spot", () => {
    expect(notchOf(a, a, 6, [])).toEqual(a);
  });
});

describe("the line between those who flank", () => {
  it("goes from rim to rim", () => {
    expect(fromRims([0, 0], [30, 40], 10)).toEqual([
      [6, 8],
      [24, 32],
    ]);
    expect(fromRims([0, 0], [0, 15], 10)).toEqual([
      [0, 0],
      [0, 15],
    ]);
  });
});
