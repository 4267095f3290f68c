/** Draws remains where a model fell: a burnt hull on scorched ground, a lying figure, or a heap. */
import { dice, mix, tint, type Pen, type Pt } from "./draw";
import type { Figure } from "./figure";
import { STEEL_BLADE, WOOD, type Palette } from "./paints";

/** Number of different drawings of each kind of remains, so that neighbours look different. */
export const WAYS_TO_LIE = 5;

const SOOT = "#1b1815";
const CHAR = "#2b2622";
const RUST = "#6b4a34";
const STAIN = "#3a1a14";

/** Draw a patch on the ground with a frayed edge. */
function patch(pen: Pen, seed: number, wide: number, high: number, fill: string, opacity: number): void {
  const roll = dice(seed);
  const n = 18;
  const edge: Pt[] = Array.from({ length: n }, (_, i) => {
    const [t, r] = [(i / n) * 2 * Math.PI, 0.78 + roll() * 0.34];
    return [Math.cos(t) * wide * r, Math.sin(t) * high * r];
  });
  pen.path({
    d:
      "M" +
      pen
        .turned(edge)
        .map((p) => `${p[0].toFixed(1)} ${p[1].toFixed(1)}`)
        .join("L") +
      "Z",
    fill,
    opacity,
  });
}

/** Return burnt paint, which keeps little of its colour. */
export function burnt(paint: Palette): Palette {
  const to = (colour: string, part = 0.84): string => mix(colour, CHAR, part);
  const palette = { ...paint };
  for (const key of Object.keys(palette) as (keyof Palette)[]) palette[key] = to(palette[key]);
  return {
    ...palette,
    plate: mix(to(paint.plate), RUST, 0.35),
    metal: "#4a4743",
    glow: SOOT,
    glass: SOOT,
    mark: to(paint.mark, 0.7),
    flag: to(paint.flag, 0.55),
  };
}

/** Return the colours of a dead creature. */
function pale(paint: Palette): Palette {
  const palette = { ...paint };
  for (const key of Object.keys(palette) as (keyof Palette)[]) palette[key] = mix(palette[key], "#4b463c", 0.42);
  return { ...palette, glow: "#2d2f22" };
}

/** Draw a wrecked machine: scorched ground, the hull, and the turret beside its ring. */
export function wreck(pen: Pen, turret: Pen, figure: Figure, paint: Palette, way: number): void {
  const long = figure.box === "hull" ? 1.35 : 1;
  patch(pen, way * 7 + 1, 12.5 * long, 11, SOOT, 0.34);
  patch(pen, way * 7 + 2, 9.5 * long, 8, SOOT, 0.42);
  const ash = burnt(paint);
  figure.near(pen, ash);
  const roll = dice(way * 7 + 3);
  for (let i = 0; i < 5; i++)
    pen.dot(
      (roll() - 0.5) * 11 * long,
      (roll() - 0.5) * 9,
      0.6 + roll() * 1.3,
      i % 2 === 0 ? SOOT : mix(RUST, CHAR, 0.3),
    );
  if (figure.turret === undefined) return;
  figure.turret.near(turret, ash);
}

/** Draw a fallen figure with its equipment beside it. */
function lying(pen: Pen, paint: Palette, way: number, cloaked: boolean, at: Pt = [0, 0], size = 1): void {
  const roll = dice(way * 11 + 5);
  const pt = (x: number, y: number): Pt => [at[0] + x * size, at[1] + y * size];
  const p = pale(paint);
  const limb = (a: Pt, b: Pt, width: number, colour: string): Pen =>
    pen.rod(...pt(...a), ...pt(...b), width * size, colour, tint(colour, -0.72));
  const spread = roll() * 2.4;
  pen.castOval(...pt(-0.5, 0), 6 * size, 3.4 * size, 0.7 * size, 0.3);
  if (cloaked) {
    const hem: Pt[] = [
      [3.6, -2.2],
      [0.6, -4.4 - spread * 0.4],
      [-5.2, -5.6],
      [-8.8, -2.2],
      [-8.2, 1.4],
      [-5.6, 4.8 + spread * 0.5],
      [0.4, 3.8],
      [3.6, 2],
    ];
    pen.poly(
      hem.map(([x, y]) => pt(x, y)),
      p.cloak,
      0.7 * size,
      tint(p.cloak, -0.7),
    );
    pen.lines(
      [
        [pt(2, -1.2), pt(-6.8, -2.4)],
        [pt(2, 1), pt(-6.6, 1.6)],
      ],
      0.6 * size,
      tint(p.cloak, -0.45),
      0.8,
    );
  }
  limb([-2.6, -1.3], [-8.4, -2 - spread], 2.1, tint(p.cloth, -0.2));
  limb([-2.6, 1.3], [-7.6, 3.2 + spread * 0.4], 2.1, tint(p.cloth, -0.2));
  limb([2, -2.2], [4.6 + spread, -6.6], 1.8, p.cloth);
  limb([2, 2.2], [-0.4, 5.8], 1.8, p.cloth);
  pen.ellipse(...pt(0, 0), 4.2 * size, 2.9 * size, p.cloth, 0.7 * size, tint(p.cloth, -0.74));
  pen.dot(...pt(5.6, 0.5 - spread * 0.3), 2.5 * size, cloaked ? p.hair : p.helm, 0.7 * size, tint(p.helm, -0.75));
  const fell: [Pt, Pt] =
    way % 2 === 0
      ? [
          [-1.5, 8.4],
          [8.8, 7],
        ]
      : [
          [1, -9],
          [9.6, -6.6],
        ];
  if (cloaked)
    pen
      .rod(...pt(...fell[0]), ...pt(...fell[1]), 1.1 * size, mix(STEEL_BLADE, "#6d7075", 0.4), "#1a1c20")
      .rod(...pt(...fell[0]), ...pt(fell[0][0] + 1.6, fell[0][1] - 0.2), 1.5 * size, WOOD, "#191512");
  else pen.rod(...pt(...fell[0]), ...pt(...fell[1]), 1.4 * size, p.gun, "#0e0e0c");
}

/** Draw one fallen figure, or the several figures of a stand. */
export function body(pen: Pen, paint: Palette, way: number, cloaked: boolean, several: boolean): void {
  if (several) {
    patch(pen, way * 7 + 4, 9.6, 8.6, SOOT, 0.26);
    for (const [i, at] of (
      [
        [-3.4, -4.4],
        [4, 0.6],
        [-3, 5],
      ] as const
    ).entries())
      lying(pen, paint, way + i, false, at, 0.58);
    return;
  }
  patch(pen, way * 7 + 4, 6.4, 4.2, STAIN, 0.34);
  lying(pen, paint, way, cloaked);
}

/** Draw a dead creature in a pool. */
export function carcass(pen: Pen, figure: Figure, paint: Palette, way: number): void {
  patch(pen, way * 7 + 5, 10.5, 9, mix(paint.glow, SOOT, 0.62), 0.44);
  figure.near(pen, pale(paint));
}
