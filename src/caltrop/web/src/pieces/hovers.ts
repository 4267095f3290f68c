/** Draws hovering machines: smooth outlines with a glowing rim and a canopy. */
import { mix, scaled, smooth, tint, type Pen, type Pt } from "./draw";
import type { Figure } from "./figure";
import { BRIGHT, INK, type Palette } from "./paints";

const SIZE = 1.17;
const LEAST = 20;

function floating(pen: Pen, p: Palette, outline: readonly Pt[], sx: number, sy: number, height: number): void {
  pen.cast(outline, height, 0.34);
  pen
    .poly(scaled(outline, 1.07), mix(p.glow, p.hull, 0.35))
    .bevel(outline, scaled(outline, sx, sy, -0.3), p.hull, { top: p.plate });
}

function floatingFar(pen: Pen, p: Palette, outline: readonly Pt[], sx: number, sy: number): void {
  pen.cast(outline, 2, 0.4);
  pen.poly(outline, p.hull, 1, tint(p.hull, -0.75)).poly(scaled(outline, sx, sy, -0.3), tint(p.plate, 0.2));
}

function canopy(pen: Pen, p: Palette, x: number, y: number, rx: number, ry: number): void {
  pen.ellipse(x, y, rx, ry, mix(p.glow, p.glass, 0.7), 0.4, p.dark);
  const [cx, cy] = [x - 0.5 * Math.cos(pen.angle), y + 0.3 * Math.sin(pen.angle)];
  pen.dot(cx, cy, ry * 0.4, BRIGHT);
}

const NEEDLE = smooth([
  [8, 0],
  [3, 2],
  [-3, 3.6],
  [-6.6, 2],
  [-5, 0],
]);
const CRESCENT = smooth([
  [6.8, 0],
  [4.4, 2.6],
  [5.4, 5.6],
  [0, 5.8],
  [-5.2, 4.6],
  [-6.4, 2],
  [-5, 0],
]);
const PRONGS = smooth([
  [3.8, 0],
  [4.2, 2.2],
  [9.4, 3.8],
  [8.4, 6],
  [1, 7.9],
  [-6, 6.8],
  [-8.2, 3],
  [-6.8, 0],
]);
const LANCE = smooth([
  [3, 0],
  [2, 3],
  [-3.4, 5],
  [-8, 3],
  [-7, 0],
]);
const MANTA = smooth(
  [
    [6.8, 0],
    [4, 4.6],
    [-2, 6.6],
    [-6.4, 4.2],
    [-4.4, 0],
  ],
  5,
);
const POD = smooth([
  [3.4, 0],
  [0.4, 2.1],
  [-3, 1.2],
  [-3.4, 0],
]);

const light: Figure = {
  box: "round",
  size: SIZE,
  least: LEAST,
  near(pen, p) {
    floating(pen, p, NEEDLE, 0.62, 0.45, 1.9);
    pen.bar(2, 0, 9, 0, 0.7, p.metal);
    canopy(pen, p, -0.6, 0, 1.8, 1);
  },
  far(pen, p) {
    floatingFar(pen, p, NEEDLE, 0.62, 0.5);
    pen
      .lines(
        [
          [
            [2, 0],
            [9, 0],
          ],
        ],
        1.2,
        INK,
      )
      .dot(-0.6, 0, 1.5, p.glass);
  },
};

const medium: Figure = {
  box: "round",
  size: SIZE,
  least: LEAST,
  near: (pen, p) => floating(pen, p, CRESCENT, 0.66, 0.58, 2.1),
  far: (pen, p) => floatingFar(pen, p, CRESCENT, 0.62, 0.55),
  turret: {
    near(pen, p) {
      pen.bar(0, 0, 9.6, 0, 1.2, p.metal).bevel(POD, scaled(POD, 0.55), p.hull);
      canopy(pen, p, -0.4, 0, 1.2, 0.8);
    },
    far(pen, p) {
      pen
        .lines(
          [
            [
              [0, 0],
              [10.2, 0],
            ],
          ],
          2.4,
          INK,
        )
        .lines(
          [
            [
              [0, 0],
              [9.6, 0],
            ],
          ],
          1,
          BRIGHT,
        )
        .dot(-0.4, 0, 2.2, p.hull, 0.8);
    },
  },
};

const heavy: Figure = {
  box: "round",
  size: SIZE,
  least: LEAST,
  near(pen, p) {
    floating(pen, p, PRONGS, 0.72, 0.68, 2.3);
    const nacelle = smooth([
      [5.4, 0],
      [1, 1.3],
      [-4, 1],
      [-4.6, 0],
    ]);
    const at = (m: number): readonly [Pt[], Pt[]] => [
      scaled(nacelle, 1, 1, 0, m * 4.5),
      scaled(nacelle, 0.6, 0.4, 0, m * 4.5),
    ];
    pen.bevels([at(-1), at(1)], p.hull, { line: 0.4 });
  },
  far(pen, p) {
    floatingFar(pen, p, PRONGS, 0.7, 0.66);
    for (const m of [-1, 1]) pen.ellipse(-0.5, m * 4.6, 4.6, 1.2, tint(p.hull, -0.2));
  },
  turret: {
    near(pen, p) {
      for (const y of [-1, 1]) pen.bar(0, y, 10.8, y, 1, p.metal);
      const pod = scaled(POD, 1.3, 1.3);
      pen.bevel(pod, scaled(pod, 0.6), p.hull);
      canopy(pen, p, -0.8, 0, 1.7, 1);
    },
    far(pen, p) {
      for (const y of [-1.4, 1.4])
        pen
          .lines(
            [
              [
                [0, y],
                [11.4, y],
              ],
            ],
            2,
            INK,
          )
          .lines(
            [
              [
                [0, y],
                [10.8, y],
              ],
            ],
            0.9,
            BRIGHT,
          );
      pen.dot(-0.8, 0, 2.8, p.hull, 0.8);
    },
  },
};

const artillery: Figure = {
  box: "round",
  size: SIZE,
  least: LEAST,
  near: (pen, p) => floating(pen, p, LANCE, 0.62, 0.56, 2),
  far: (pen, p) => floatingFar(pen, p, LANCE, 0.6, 0.54),
  turret: {
    near(pen, p) {
      for (const y of [-1.1, 1.1]) pen.bar(-3, y, 13.8, y * 0.5, 0.9, p.plate);
      for (const [x, r] of [
        [3.4, 1.7],
        [8, 1.4],
      ] as const)
        pen.dot(x, 0, r, tint(p.hull, -0.4)).dot(x, 0, r * 0.6, p.glow);
      canopy(pen, p, -4.4, 0, 1.6, 1.1);
    },
    far(pen, p) {
      pen
        .lines(
          [
            [
              [-3, 0],
              [14, 0],
            ],
          ],
          3,
          INK,
        )
        .lines(
          [
            [
              [-3, 0],
              [13.4, 0],
            ],
          ],
          1.3,
          BRIGHT,
        );
      pen.dot(3.4, 0, 1.8, p.glow, 0.8).dot(8.2, 0, 1.6, p.glow, 0.8);
    },
  },
};

const command: Figure = {
  box: "round",
  size: SIZE,
  least: LEAST,
  near(pen, p) {
    pen.bevel(
      [
        [-3, -0.6],
        [-3, 0.6],
        [-9, 0.3],
        [-9, -0.3],
      ],
      [
        [-3.2, -0.2],
        [-3.2, 0.2],
        [-8.6, 0.1],
        [-8.6, -0.1],
      ],
      p.plate,
      { line: 0.4 },
    );
    floating(pen, p, MANTA, 0.7, 0.66, 2.2);
    const pod = smooth([
      [3.6, 0],
      [1, 2.8],
      [-2.6, 2.4],
      [-3.4, 0],
    ]);
    pen.bevel(pod, scaled(pod, 0.6), p.hull);
    canopy(pen, p, 0.3, 0, 1.6, 1.2);
    pen.pennant(-2.4, 0, 9, p.flag);
  },
  far(pen, p) {
    pen.lines(
      [
        [
          [-4, 0],
          [-9.4, 0],
        ],
      ],
      1.4,
      INK,
    );
    floatingFar(pen, p, MANTA, 0.7, 0.64);
    pen.dot(0.3, 0, 2.6, p.glass, 0.9).pennant(-2.4, 0, 10.5, p.flag);
  },
};

export const HOVERS: Readonly<
  Record<"hover-light" | "hover-medium" | "hover-heavy" | "hover-artillery" | "hover-command", Figure>
> = {
  "hover-light": light,
  "hover-medium": medium,
  "hover-heavy": heavy,
  "hover-artillery": artillery,
  "hover-command": command,
};
