/** Draws hedges, and ground that is wet or under water. */
import { hash } from "../../painting/chance.ts";
import { mix } from "../../painting/colour.ts";
import { chanceOf, type Look } from "../growing.ts";
import { fill, line, ovals, within, type Op } from "../ops.ts";
import { depth, frayed, rounded, spanOf, strides, thrownInto, type Outline } from "../shapes.ts";
import { spineOf } from "./stones.ts";

/** The radii of the bushes of a hedge, by sprite. */
export const BUSHES = [0.52, 0.6, 0.46, 0.56] as const;

export const hedge: Look = (piece, plan) => {
  const of = chanceOf(piece);
  const { from, to, wide } = spineOf(piece.outline);
  plan.floor(piece.outline, plan.palette.floor, 0.8, hash(piece.seed) & 999, 0.4);
  for (let row = 0; row < Math.max(1, Math.round(wide / 1.2)); row++)
    for (const { x, y, angle } of strides([from, to], 0.5, false)) {
      const out =
        Math.max(1, Math.round(wide / 1.2)) === 1 ? 0 : (row / (Math.round(wide / 1.2) - 1) - 0.5) * (wide - 0.9);
      plan.bushes.push({
        at: [x - Math.sin(angle) * out + (of() - 0.5) * 0.2, y + Math.cos(angle) * out + (of() - 0.5) * 0.2],
        sprite: Math.floor(of() * BUSHES.length),
        height: 0.55,
      });
    }
};

function ripples(outline: Outline, each: number, of: () => number): Op {
  const lines = thrownInto(outline, spanOf(outline) * each, of).map(([x, y]): Outline => {
    const half = 0.3 + of() * 0.7;
    return [
      [x - half, y],
      [x - half * 0.4, y - 0.09],
      [x + half * 0.4, y - 0.09],
      [x + half, y],
    ];
  });
  return line(lines, 0.06, "#ffffff", 0.2);
}

export const water: Look = (piece, plan) => {
  const { palette, sun } = plan;
  const seed = hash(piece.seed) & 999;
  const shore = frayed(rounded(piece.outline, true, 2), 0.5, 2.2, seed);
  plan.bare.push(piece.outline);
  for (const [width, colour, alpha] of [
    [1.3, palette.bank, 0.45],
    [0.7, mix(palette.bank, palette.ink, 0.25), 0.6],
  ] as const)
    plan.flats.push(fill([shore], colour, alpha), line([shore], width, colour, alpha, { closed: true }));
  const inner: Op[] = [
    {
      op: "sweep",
      outline: shore,
      from: corner(shore, -1),
      to: corner(shore, 1),
      colours: [palette.water[0], palette.water[1], mix(palette.water[1], palette.water[2], 0.5)],
    },
  ];
  for (const [width, alpha] of [
    [2.4, 0.12],
    [1.5, 0.14],
    [0.8, 0.16],
  ] as const)
    inner.push(line([shore], width, palette.water[2], alpha, { closed: true }));
  for (const [far, alpha] of [
    [0.28, 0.22],
    [0.55, 0.16],
    [0.9, 0.1],
  ] as const)
    inner.push({
      op: "hollow",
      outline: shore,
      by: [sun.cast[0] * far, sun.cast[1] * far],
      colour: palette.shadow,
      alpha,
    });
  inner.push(ripples(shore, 0.9, chanceOf(piece)));
  plan.flats.push(within(shore, inner));
  plan.edges.push({ outline: piece.outline, dashes: [6, 3] });
};

function corner(outline: Outline, sign: number): readonly [number, number] {
  return outline.reduce((best, p) => ((p[0] + p[1]) * sign > (best[0] + best[1]) * sign ? p : best));
}

/** Draw wet ground: dark mud, puddles that reflect the sky, and reeds. */
export const mud: Look = (piece, plan) => {
  const { palette, sun } = plan;
  const of = chanceOf(piece);
  const seed = hash(piece.seed) & 999;
  const wet = mix(palette.earth, palette.pit, 0.35);
  plan.bare.push(piece.outline);
  plan.floor(piece.outline, wet, 0.9, seed);
  plan.strew(
    thrownInto(piece.outline, spanOf(piece.outline) * 8, of),
    [mix(wet, palette.pit, 0.4), mix(wet, palette.dust, 0.4), palette.tufts[0]],
    0.05,
    0.2,
    0.5,
    of,
  );
  const bank: number[] = [];
  const pool: number[] = [];
  const sky: number[] = [];
  const held: { x: number; y: number; r: number }[] = [];
  for (const [x, y] of thrownInto(piece.outline, spanOf(piece.outline) * 0.5, of)) {
    const wide = 0.4 + of() * of() * 1.4;
    if (
      depth(piece.outline, x, y) < wide * 1.15 ||
      held.some((one) => Math.hypot(one.x - x, one.y - y) < (one.r + wide) * 1.1)
    )
      continue;
    held.push({ x, y, r: wide });
    const high = wide * (0.4 + of() * 0.25);
    const turn = (of() - 0.5) * 0.8;
    bank.push(x + sun.light[0] * 0.08, y + sun.light[1] * 0.08, wide * 1.14, high * 1.16, turn);
    pool.push(x, y, wide, high, turn);
    sky.push(x + sun.cast[0] * 0.12, y + sun.cast[1] * 0.1, wide * 0.62, high * 0.55, turn);
  }
  plan.flats.push(
    ovals(bank, mix(wet, palette.pit, 0.5), 0.8),
    ovals(pool, palette.water[1], 0.85),
    ovals(sky, palette.water[2], 0.55),
  );
  const reeds = thrownInto(piece.outline, spanOf(piece.outline) * 0.7, of).flatMap(([x, y]): Outline[] =>
    [-0.5, 0, 0.5, 1].map((lean): Outline => [
      [x + lean * 0.2, y],
      [x + lean * 0.5, y + sun.up * (0.5 + of() * 0.5)],
    ]),
  );
  plan.bodies.push(line(reeds, 0.08, palette.tufts[0], 0.9));
  plan.edges.push({ outline: piece.outline, dashes: [1.2, 4] });
};
