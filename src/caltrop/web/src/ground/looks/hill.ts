/** Draws a hill: steps with a lit rise between them, and contour lines. */
import { hash, layered, smooth } from "../../painting/chance.ts";
import type { Look, Relief } from "../growing.ts";
import { boxOf, depth, rounded, type Outline, type Place } from "../shapes.ts";
import type { Sun } from "../ops.ts";

/** Starts of the steps of a hill, as fractions of its depth. */
const STEPS = [0.015, 0.3, 0.6];
const STEP = 0.24;

/** Return the heights of a hill with an outline. */
export function reliefOf(outline: Outline, seed: string, sun: Sun, steps: readonly number[] = STEPS): Relief {
  const [left, top, right, bottom] = boxOf(outline, 1.6);
  // Large hills have a coarser grid.
  const step = Math.max(STEP, Math.sqrt(((right - left) * (bottom - top)) / 9000));
  const columns = Math.ceil((right - left) / step) + 2;
  const rows = Math.ceil((bottom - top) / step) + 2;
  const depths = new Float32Array(columns * rows);
  const heights = new Float32Array(columns * rows);
  const light = new Float32Array(columns * rows).fill(1);
  const grain = hash(seed) & 0xffff;
  const round = rounded(outline, true, 3);
  let deepest = 1e-6;
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const [x, y] = [left + i * step, top + j * step];
      const away = depth(outline, x, y);
      // The foot of the hill is the outline itself. Higher up on the hill, corners are rounded.
      const inner = away > 0 ? depth(round, x, y) : away;
      const height = away > 0 ? away + (Math.max(0.25 * away, inner) - away) * smooth(0.4, 2.6, away) : away;
      deepest = Math.max(deepest, height);
      depths[j * columns + i] = height;
    }
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const o = j * columns + i;
      let d = (depths[o] as number) / deepest;
      if (d > 0)
        d += (layered((left + i * step) * 0.16, (top + j * step) * 0.16, grain, 3) - 0.5) * 0.46 * smooth(0.03, 0.3, d);
      depths[o] = d;
      heights[o] =
        d > -0.05 ? steps.reduce((sum, from) => sum + smooth(from - 0.02, from + 0.13, d), 0.55 * smooth(0, 1, d)) : 0;
    }
  const at = (i: number, j: number): number =>
    heights[
      Math.max(0, Math.min(rows - 1, Math.round(j))) * columns + Math.max(0, Math.min(columns - 1, Math.round(i)))
    ] as number;
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const rise = (at(i + 1, j) - at(i - 1, j)) * -sun.light[0] + (at(i, j + 1) - at(i, j - 1)) * -sun.light[1];
      let bright = 1 + Math.max(-0.38, Math.min(0.26, rise * 0.5));
      // Higher ground towards the light throws a soft shadow.
      for (const far of [3, 5]) {
        const over = at(i + sun.light[0] * far, j + sun.light[1] * far) - at(i, j);
        if (over > 0.35) bright *= 1 - Math.min(0.13, (over - 0.35) * 0.15);
      }
      light[j * columns + i] = bright;
    }
  const grid = { left, top, step, columns, rows, depths, heights, light };
  return { ...grid, contours: steps.map((level) => contour(grid, level)) };
}

/** Return the line of one depth, in short pieces from cell to cell. */
function contour(grid: Omit<Relief, "contours">, level: number): Outline[] {
  const { left, top, step, columns, rows, depths } = grid;
  const corners: readonly Place[] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  const edges: Outline[] = [];
  for (let j = 0; j < rows - 1; j++)
    for (let i = 0; i < columns - 1; i++) {
      const over = corners.map(([u, v]) => (depths[(j + v) * columns + i + u] as number) - level);
      const cuts: Place[] = [];
      for (let e = 0; e < 4; e++) {
        const [a, b] = [over[e] as number, over[(e + 1) % 4] as number];
        if (a < 0 === b < 0) continue;
        const t = a / (a - b);
        const [p, q] = [corners[e] as Place, corners[(e + 1) % 4] as Place];
        cuts.push([left + (i + p[0] + (q[0] - p[0]) * t) * step, top + (j + p[1] + (q[1] - p[1]) * t) * step]);
      }
      for (let e = 0; e + 1 < cuts.length; e += 2) edges.push([cuts[e] as Place, cuts[e + 1] as Place]);
    }
  return edges;
}

export const hill: Look = (piece, plan) => {
  plan.hills.push(reliefOf(piece.outline, piece.seed, plan.sun));
  plan.edges.push({ outline: piece.outline, dashes: [] });
};
