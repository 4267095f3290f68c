/** Draws things made of stones: rough ground, crags, pits and walls. */
import { hash } from "../../painting/chance.ts";
import { mix } from "../../painting/colour.ts";
import { chanceOf, type Growing, type Look, type Piece } from "../growing.ts";
import type { Three } from "../lands.ts";
import { bevel, fill, glow, line, within, type Op } from "../ops.ts";
import {
  boxOf,
  depth,
  middleOf,
  moved,
  plank,
  rounded,
  sized,
  spanOf,
  stoneAt,
  strides,
  thrownInto,
  type Outline,
  type Place,
} from "../shapes.ts";

/** Return stones of several sizes inside an outline, without overlaps. */
function scattered(
  piece: Piece,
  each: number,
  least: number,
  most: number,
  apart: number,
): { x: number; y: number; r: number }[] {
  const of = chanceOf(piece, "stones");
  const stones: { x: number; y: number; r: number }[] = [];
  for (const [x, y] of thrownInto(piece.outline, spanOf(piece.outline) * each, of)) {
    const r = least + of() * of() * (most - least);
    if (
      depth(piece.outline, x, y) > r * 0.9 &&
      stones.every((one) => Math.hypot(one.x - x, one.y - y) > one.r + r * apart)
    )
      stones.push({ x, y, r });
  }
  return stones;
}

export const rough: Look = (piece, plan) => {
  const { palette } = plan;
  const of = chanceOf(piece);
  plan.floor(piece.outline, mix(palette.earth, palette.dust, 0.4), 0.85, hash(piece.seed) & 999);
  const gravel = thrownInto(piece.outline, spanOf(piece.outline) * 9, of);
  plan.strew(gravel, [palette.rock[2], palette.rock[0], palette.tufts[1], palette.rock[2]], 0.04, 0.14, 0.55, of);
  const stones = scattered(piece, 0.85, 0.18, 0.95, 0.7);
  const blades: Outline[] = [];
  for (const { x, y, r } of stones) {
    const shape = stoneAt(of, x, y, r);
    plan.shade(shape, r * 0.9);
    plan.bodies.push(...bevel(shape, 0.55, palette.rock, plan.sun));
    if (r > 0.45) continue;
    const up = plan.sun.up * 0.45;
    for (let i = 0; i < 4; i++)
      blades.push([
        [x + r, y + r * 0.6],
        [x + r + (i - 1.5) * 0.18, y + r * 0.6 + up],
      ]);
  }
  if (blades.length > 0) plan.bodies.push(line(blades, 0.07, palette.tufts[3], 0.8));
  plan.edges.push({ outline: piece.outline, dashes: [1.2, 4] });
};

/** Draw impassable rock: large stones side by side along its edge, and more inside. */
export const crag: Look = (piece, plan) => {
  const { palette, sun } = plan;
  const { outline } = piece;
  const of = chanceOf(piece);
  plan.bare.push(outline);
  plan.floor(outline, mix(palette.rock[0], palette.earth, 0.45), 0.9, hash(piece.seed) & 999, 0.5);
  const box = boxOf(outline);
  const small = Math.min(box[2] - box[0], box[3] - box[1]);
  const great = Math.max(0.3, Math.min(1.9, small * 0.27));
  const at = middleOf(outline);
  const stones: { x: number; y: number; r: number }[] = [];
  const edge = strides(outline, great * 1.25, true);
  for (const { x, y } of edge) {
    const r = great * (0.72 + of() * 0.4);
    // Move the stone from the edge towards the middle until it is inside.
    let [u, v] = [x, y];
    for (let step = 0; step < 12 && depth(outline, u, v) < r * 0.9; step++)
      [u, v] = [u + (at[0] - u) * 0.12, v + (at[1] - v) * 0.12];
    stones.push({ x: u, y: v, r });
  }
  for (const one of scattered(piece, 2, great * 0.5, great * 1.25, 0.5)) stones.push(one);
  for (const { x, y, r } of stones.sort((a, b) => a.r - b.r)) {
    const shape = stoneAt(of, x, y, r * 1.06);
    const under = moved(shape, sun.cast[0] * r * 0.3, sun.cast[1] * r * 0.3);
    plan.shade(shape, r * 0.8);
    plan.bodies.push(fill([under], palette.shadow, 0.42), ...bevel(shape, 0.42 + of() * 0.2, palette.rock, sun));
  }
  plan.edges.push({ outline, dashes: [] });
};

/** Draw a hole in the ground: a ring of stones, ledges that step down, and darkness. */
export const pit: Look = (piece, plan) => {
  const { palette, sun } = plan;
  const of = chanceOf(piece);
  const rim = rounded(piece.outline, true, 2);
  const at = middleOf(rim);
  const box = boxOf(rim);
  plan.bare.push(piece.outline);
  const inner: Op[] = [];
  for (let i = 0; i < 5; i++) {
    const down = (i + 1) * 0.09;
    const colour =
      i % 2 ? mix(palette.pit, palette.earth, 0.5 - i * 0.1) : mix(palette.pit, palette.rock[1], 0.55 - i * 0.1);
    inner.push(fill([moved(sized(rim, 1 - i * 0.15, at), sun.cast[0] * down, sun.cast[1] * down)], colour));
  }
  inner.push(glow(at, Math.max(box[2] - at[0], box[3] - at[1]), "#08080a", [0.97, 0.9, 0.5, 0.08]));
  inner.push({
    op: "hollow",
    outline: rim,
    by: [sun.cast[0] * 0.9, sun.cast[1] * 0.9],
    colour: palette.shadow,
    alpha: 0.45,
  });
  plan.bodies.push(fill([rim], palette.pit), within(rim, inner));
  for (const { x, y } of strides(rim, 0.75, true))
    plan.bodies.push(...bevel(stoneAt(of, x, y, 0.36 + of() * 0.14), 0.62, palette.rock, sun));
};

/** Draw a wall along a line: stones with irregular gaps, and an uneven top. */
export function wallAlong(
  path: Outline,
  thick: number,
  height: number,
  colours: Three,
  gaps: number,
  of: () => number,
  plan: Growing,
): void {
  let skipped = 0;
  const stones = strides(path, thick * 0.92, false)
    .filter(() => {
      if (skipped > 0) {
        skipped--;
        return false;
      }
      if (of() >= gaps) return true;
      skipped = 1 + Math.floor(of() * 4);
      return false;
    })
    .map(({ x, y, angle }) => plank(x, y, thick * (0.5 + of() * 0.06), thick * (0.43 + of() * 0.13), angle));
  for (const stone of stones) plan.shade(stone, height * (0.55 + of() * 0.7));
  plan.bodies.push(
    fill(
      stones.map((stone) => moved(stone, plan.sun.cast[0] * 0.08, plan.sun.cast[1] * 0.08)),
      mix(colours[0], "#000000", 0.35),
    ),
  );
  for (const stone of stones)
    plan.bodies.push(
      ...bevel(stone, 0.74, [colours[0], mix(colours[1], colours[0], of() * 0.35), colours[2]], plan.sun),
    );
}

/** Return the middle line of something long, from end to end along its longest side, and its width. */
export function spineOf(outline: Outline): { from: Place; to: Place; wide: number } {
  let [longest, ux, uy] = [0, 1, 0];
  outline.forEach((a, i) => {
    const b = outline[(i + 1) % outline.length] as Place;
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length > longest + 1e-6) [longest, ux, uy] = [length, (b[0] - a[0]) / length, (b[1] - a[1]) / length];
  });
  const along = outline.map(([x, y]) => x * ux + y * uy);
  const across = outline.map(([x, y]) => y * ux - x * uy);
  const [low, high] = [Math.min(...along), Math.max(...along)];
  const [left, right] = [Math.min(...across), Math.max(...across)];
  const mid = (left + right) / 2;
  const put = (t: number): Place => [t * ux - mid * uy, t * uy + mid * ux];
  return { from: put(low), to: put(high), wide: right - left };
}

export const wall: Look = (piece, plan) => {
  const { from, to, wide } = spineOf(piece.outline);
  wallAlong([from, to], Math.min(wide, 0.7), 0.7, plan.palette.stone, 0.02, chanceOf(piece), plan);
  plan.bare.push(piece.outline);
};
