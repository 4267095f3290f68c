/** Draws creatures: lit discs on a spine, legs beside it, and eyes. */
import { dice, mix, tint, type Pen, type Pt } from "./draw";
import type { Figure } from "./figure";
import { INK, type Palette } from "./paints";

const SIZE = 1.12;
const LEAST = 20;
type Disc = readonly [number, number];

function legs(pen: Pen, p: Palette, along: readonly number[], reach: number, out: number, width: number): void {
  const ways: Pt[][] = [];
  for (const x of along)
    for (const m of [-1, 1])
      ways.push([
        [x, m * 1.4],
        [x + x * 0.22 + 0.6, m * reach * 0.72],
        [x + x * 0.42 - 0.9, m * (reach + out)],
      ]);
  pen.lines(ways, width + 0.9, INK).lines(ways, width, tint(p.dark, 0.18));
}

function shell(pen: Pen, p: Palette, discs: readonly Disc[]): void {
  for (const [x, r] of discs) pen.castOval(x, 0, r, r, 1.6, 0.26);
  // Plates are drawn from the tail to the head, each over the plate behind it.
  for (const [i, [x, r]] of [...discs].reverse().entries()) {
    const colour = i % 2 === 0 ? p.hull : mix(p.hull, p.plate, 0.35);
    pen.orb(x, 0, r * 0.86, r, colour, 0.6);
    pen.lines(
      [
        [
          [x - r * 0.5, -r * 0.6],
          [x - r * 0.7, 0],
          [x - r * 0.5, r * 0.6],
        ],
      ],
      0.5,
      tint(p.plate, 0.3),
      0.8,
    );
  }
}

function head(pen: Pen, p: Palette, x: number, r: number): void {
  const jaws: Pt[][] = [-1, 1].map((m) => [
    [x + r * 0.5, m * r * 0.5],
    [x + r * 1.3, m * r * 0.7],
    [x + r * 1.7, m * r * 0.16],
  ]);
  pen.lines(jaws, 1.5, INK).lines(jaws, 0.7, p.mark);
  for (const m of [-1, 1]) pen.dot(x + r * 0.45, m * r * 0.45, r * 0.26, p.glow, 0.4);
}

function crawler(
  discs: readonly Disc[],
  along: readonly number[],
  reach: number,
  more?: (pen: Pen, p: Palette) => void,
): Figure {
  const [first] = discs;
  const [x, r] = first ?? [4, 3];
  return {
    box: "round",
    size: SIZE,
    least: LEAST,
    living: true,
    near(pen, p) {
      legs(pen, p, along, reach, 2.4, 1);
      shell(pen, p, discs);
      head(pen, p, x, r);
      more?.(pen, p);
    },
    far(pen, p) {
      legs(pen, p, along, reach, 2.4, 1.3);
      for (const [at, size] of [...discs].reverse())
        pen.ellipse(at, 0, size * 0.9, size, p.hull, 1, tint(p.hull, -0.78));
      for (const [at, size] of discs) pen.ellipse(at - size * 0.2, 0, size * 0.3, size * 0.62, tint(p.plate, 0.2));
      for (const m of [-1, 1]) pen.dot(x + r * 0.4, m * r * 0.5, 1.1, p.glow, 0.6);
      more?.(pen, p);
    },
  };
}

const WORM: readonly (readonly [number, number, number])[] = Array.from({ length: 12 }, (_, i) => {
  const u = i / 11;
  return [-7 + u * 13.8, Math.sin(u * 7.2) * 3.6, 1.3 + Math.sin(u * 2.6) * 1.7] as const;
});
const worm: Figure = {
  box: "round",
  size: 1.14,
  least: LEAST,
  living: true,
  near(pen, p) {
    for (const [x, y, r] of WORM) pen.castOval(x, y, r, r, 1.3, 0.24);
    for (const [i, [x, y, r]] of WORM.entries()) pen.orb(x, y, r, r, i % 2 === 0 ? p.cloth : p.helm, 0.45);
    const [x, y] = WORM.at(-1) ?? [0, 0];
    pen.dot(x + 0.8, y, 1.3, tint(p.dark, -0.5)).lines(
      [0, 1, 2, 3, 4].map((i) => [
        [x + 0.8, y],
        [x + 0.8 + Math.cos(i * 1.26) * 1.3, y + Math.sin(i * 1.26) * 1.3],
      ]),
      0.35,
      p.mark,
    );
  },
  far(pen, p) {
    const spine = WORM.map(([x, y]): Pt => [x, y]);
    pen
      .lines([spine.map(([x, y]) => [x + 1, y + 1])], 5, INK, 0.3)
      .lines([spine], 5.6, tint(p.cloth, -0.72))
      .lines([spine], 4, p.cloth);
    pen.lines([spine], 1.3, tint(p.helm, 0.4));
    const [x, y] = WORM.at(-1) ?? [0, 0];
    pen.dot(x, y, 2.5, p.helm, 0.9).dot(x + 0.6, y, 1.2, INK);
  },
};

const HEAP = (() => {
  const roll = dice(31);
  return Array.from({ length: 13 }, (_, i) => {
    const far = i === 0 ? 0 : 2.6 + 4.2 * ((i * 0.618) % 1);
    return {
      x: Math.cos(i * 2.4) * far,
      y: Math.sin(i * 2.4) * far,
      r: 1.3 + roll() * 0.7,
      look: i * 1.7,
      pale: roll() < 0.5,
    };
  });
})();
const swarm: Figure = {
  box: "round",
  size: 1.1,
  least: LEAST,
  living: true,
  near(pen, p) {
    for (const { x, y, r, look } of HEAP) {
      const [dx, dy] = [Math.cos(look), Math.sin(look)];
      pen.castOval(x, y, r, r, 0.8, 0.3).lines(
        [-1, 0, 1].flatMap((n): Pt[][] => [
          [
            [x + dx * n * 0.7 - dy * (r + 0.9), y + dy * n * 0.7 + dx * (r + 0.9)],
            [x + dx * n * 0.7 + dy * (r + 0.9), y + dy * n * 0.7 - dx * (r + 0.9)],
          ],
        ]),
        0.4,
        p.dark,
      );
    }
    for (const { x, y, r, look, pale } of HEAP) {
      pen.orb(x, y, r, r, pale ? p.plate : p.hull, 0.5);
      pen.dot(x + Math.cos(look) * r * 0.9, y + Math.sin(look) * r * 0.9, r * 0.34, p.glow, 0.3);
    }
  },
  far(pen, p) {
    for (const [i, { x, y, r, pale }] of HEAP.entries())
      if (i < 9) pen.dot(x, y, r * 1.25, pale ? p.plate : p.hull, 0.9, tint(p.dark, -0.4));
  },
};

export const CREATURES: Readonly<
  Record<
    | "crawler-light"
    | "crawler-medium"
    | "crawler-heavy"
    | "crawler-artillery"
    | "slugger"
    | "carrier"
    | "swarm"
    | "worm",
    Figure
  >
> = {
  "crawler-light": crawler(
    [
      [4.6, 2.3],
      [1.8, 3],
      [-1.4, 3.2],
      [-4.4, 2.5],
      [-6.6, 1.6],
    ],
    [3, 0, -3],
    4.4,
  ),
  "crawler-medium": crawler(
    [
      [5.4, 2.8],
      [2, 4.4],
      [-2, 4.9],
      [-5.6, 3.6],
    ],
    [4, 1.4, -1.4, -4],
    5.8,
  ),
  "crawler-heavy": crawler(
    [
      [6.6, 3.2],
      [3, 5.6],
      [-1.4, 6.6],
      [-5.8, 5.2],
    ],
    [5, 2.4, 0, -2.4, -5],
    7.2,
    (pen, p) => {
      pen.bar(-2, 0, 8.6, 0, 2, p.metal).bar(7.4, 0, 9, 0, 2.8, tint(p.metal, -0.2)).orb(-2, 0, 2.8, 2.4, p.plate, 0.5);
    },
  ),
  "crawler-artillery": crawler(
    [
      [5.6, 2.6],
      [2.6, 4],
      [-1.6, 5],
      [-5.4, 4.2],
    ],
    [3.6, 0.6, -2.4, -5],
    6,
    (pen, p) => {
      pen
        .castOval(-1.6, 0, 3.4, 3.4, 1, 0.35)
        .orb(-1.6, 0, 3.6, 3.4, p.plate, 0.6)
        .dot(-0.9, 0, 2.1, tint(p.dark, -0.4), 0.5)
        .dot(-0.9, 0, 1.2, p.glow);
      for (const m of [-1, 1]) pen.orb(-6, m * 3, 1.5, 1.5, p.glow, 0.4);
    },
  ),
  slugger: {
    ...crawler(
      [
        [4.4, 4.4],
        [0.4, 5.8],
        [-3.8, 5.2],
        [-7.2, 3.4],
      ],
      [],
      0,
      (pen, p) => {
        pen.orb(4.2, 0, 3, 3, p.mark, 0.6).dot(5, 0, 1.7, p.glow, 0.5).dot(5.3, 0, 0.8, INK);
        const feelers: Pt[][] = [-1, 1].map((m) => [
          [5.6, m * 3],
          [9, m * 4.4],
          [11, m * 3.4],
        ]);
        pen.lines(feelers, 1.5, INK).lines(feelers, 0.7, p.plate);
      },
    ),
  },
  carrier: {
    ...crawler(
      [
        [6.4, 2.4],
        [0.6, 6.4],
        [-4.6, 5.6],
      ],
      [4.4, 0, -4.4],
      6.4,
      (pen, p) => {
        for (const [x, y, r] of [
          [1.4, -2.8, 1.9],
          [1.8, 2.4, 2],
          [-2.2, 0.2, 2.3],
          [-5, -2.6, 1.6],
          [-5, 2.8, 1.6],
        ] as const)
          pen.orb(x, y, r, r, p.glow, 0.5).dot(x, y, r * 0.3, p.dark);
      },
    ),
  },
  swarm,
  worm,
};
