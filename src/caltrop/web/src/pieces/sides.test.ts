import { describe, expect, it } from "vitest";

import { RIMS } from "./paints";
import { rim } from "./sprites";
import { outlineOf } from "./tiles";

/** Matrices that simulate colour blindness (Viénot, Brettel and Mollon, on linear light). */
const SEEN = {
  protan: [
    [0.11238, 0.88762, 0],
    [0.11238, 0.88762, 0],
    [0.00401, -0.00401, 1],
  ],
  deutan: [
    [0.29275, 0.70725, 0],
    [0.29275, 0.70725, 0],
    [-0.02234, 0.02234, 1],
  ],
  tritan: [
    [1, 0.14461, -0.14461],
    [0, 0.85924, 0.14076],
    [0, 0.85924, 0.14076],
  ],
} as const;

type Three = [number, number, number];

function light(colour: string): Three {
  const part = (at: number): number => {
    const v = parseInt(colour.slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

const times = (m: readonly (readonly number[])[], v: Three): Three =>
  m.map((row) =>
    Math.max(
      0,
      Math.min(
        1,
        row.reduce((sum, x, i) => sum + x * v[i]!, 0),
      ),
    ),
  ) as Three;

/** Return a colour in a space where distances match perception (CIE L*a*b*). */
function lab(rgb: Three): Three {
  const xyz = times(
    [
      [0.4124, 0.3576, 0.1805],
      [0.2126, 0.7152, 0.0722],
      [0.0193, 0.1192, 0.9505],
    ],
    rgb,
  );
  const f = (v: number): number => (v > 0.008856 ? Math.cbrt(v) : 7.787 * v + 16 / 116);
  const [x, y, z] = [f(xyz[0] / 0.9505), f(xyz[1]), f(xyz[2] / 1.089)];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function apart(a: string, b: string, seen?: readonly (readonly number[])[]): number {
  const [p, q] = [a, b].map((one) => lab(seen ? times(seen, light(one)) : light(one))) as [Three, Three];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

const pairs = RIMS.flatMap((a, i) => RIMS.slice(i + 1).map((b) => [a, b] as const));

describe("sides", () => {
  it.each(Object.entries(SEEN))("are two colours for %s eyes", (_, seen) => {
    // A distance of ten is visible at a glance. The two main sides have twice that, and a third side has its own shape
    // as well.
    expect(apart(RIMS[0]!.rim, RIMS[1]!.rim, seen)).toBeGreaterThan(20);
    for (const [a, b] of pairs) expect(apart(a.rim, b.rim, seen)).toBeGreaterThan(10);
  });

  it("would be told apart wrongly by a red and a green", () => {
    expect(apart("#b03020", "#5a7020")).toBeGreaterThan(40);
    expect(apart("#b03020", "#5a7020", SEEN.deutan)).toBeLessThan(25);
  });

  it("have rims and tiles of their own shape, whatever the colour", () => {
    const shapes = ["circle", "diamond", "square"];
    expect(new Set(shapes.map((shape) => rim(shape))).size).toBe(3);
    expect(new Set(shapes.map(outlineOf)).size).toBe(3);
  });
});
