import { describe, expect, it } from "vitest";

import type { Point } from "../wire/types";
import { contourOf } from "./contour";

/** Return the lines of a path, each as the points at which its arcs end. */
function lines(path: string): Point[][] {
  return path
    .split("M")
    .slice(1)
    .map((line) =>
      [...line.matchAll(/(-?[\d.]+) (-?[\d.]+)(?=A|Z|$)/g)].map((match): Point => [Number(match[1]), Number(match[2])]),
    );
}

const far = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

describe("the line around a unit", () => {
  it("is one where its models stand together, and keeps so far from each of them", () => {
    const ranks: Point[] = [...Array(12).keys()].map((i): Point => [(i % 4) * 250, Math.floor(i / 4) * 250]);
    const [only, ...more] = lines(contourOf(ranks, 140));
    expect(more).toEqual([]);
    for (const at of only!) expect(Math.min(...ranks.map((one) => far(one, at)))).toBeGreaterThan(139);
    expect(Math.min(...only!.map((at) => at[0]))).toBeLessThan(-138);
  });

  it("holds what stands in a crooked line, and not what it goes round", () => {
    const bent: Point[] = [
      [0, 0],
      [0, 300],
      [0, 600],
      [300, 600],
      [600, 600],
      [600, 300],
      [600, 0],
    ];
    const [only, ...more] = lines(contourOf(bent, 120));
    expect(more).toEqual([]);
    // The open side of the bend stays open.
    expect(only!.some((at) => far(at, [300, 480]) < 60)).toBe(true);
    for (const at of only!) expect(Math.min(...bent.map((one) => far(one, at)))).toBeGreaterThan(119);
  });

  it("is a circle around one, and there is one around each where two are on one spot or far apart", () => {
    expect(lines(contourOf([[50, 50]], 10))).toHaveLength(1);
    expect(
      lines(
        contourOf(
          [
            [50, 50],
            [50, 50],
          ],
          10,
        ),
      ),
    ).toHaveLength(1);
    expect(
      lines(
        contourOf(
          [
            [0, 0],
            [500, 0],
          ],
          10,
        ),
      ),
    ).toHaveLength(2);
  });
});
