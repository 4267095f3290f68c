/** Draws small tracked and wheeled vehicles on round bases. */
import { mix, rect, scaled, tint, type Pen, type Pt } from "./draw";
import type { Figure } from "./figure";
import { BRIGHT, INK, type Palette } from "./paints";

const SIZE = 1.17;
const LEAST = 20;

/** Draw a body with a cut nose, and its upper face. */
function nosed(front: number, back: number, half: number, nose: number, slope: number): [Pt[], Pt[]] {
  const outer: Pt[] = [
    [front, -half * 0.62],
    [front, half * 0.62],
    [front - nose, half],
    [back + 0.8, half],
    [back, half * 0.74],
    [back, -half * 0.74],
    [back + 0.8, -half],
    [front - nose, -half],
  ];
  const inner: Pt[] = [
    [front - slope, -half * 0.5],
    [front - slope, half * 0.5],
    [front - slope - nose * 0.6, half * 0.74],
    [back + 1.4, half * 0.74],
    [back + 0.8, half * 0.56],
    [back + 0.8, -half * 0.56],
    [back + 1.4, -half * 0.74],
    [front - slope - nose * 0.6, -half * 0.74],
  ];
  return [outer, inner];
}

function tracks(pen: Pen, p: Palette, from: number, to: number, y: number, wide: number): void {
  const pair = (m: number): [Pt[], Pt[]] => [
    rect(from, m * y - wide / 2, to - from, wide),
    rect(from + 0.5, m * y - wide / 2 + 0.5, to - from - 1, wide - 1),
  ];
  pen.bevels([pair(-1), pair(1)], p.dark, { line: 0.5 });
  const links: Pt[][] = [];
  for (let x = from + 1.2; x < to - 0.6; x += 1.5)
    for (const m of [-1, 1])
      links.push([
        [x, m * y - wide / 2 + 0.4],
        [x, m * y + wide / 2 - 0.4],
      ]);
  pen.lines(links, 0.4, INK, 0.5);
}

function gun(pen: Pen, p: Palette, from: number, to: number, y: number, wide: number): void {
  pen.cast(rect(from, y - wide * 0.6, to - from, wide * 1.2), 1.2, 0.3);
  pen.bar(from, y, to, y, wide, p.metal).bar(to - 1.1, y, to, y, wide * 1.5, tint(p.metal, -0.2));
}

const OCTAGON: readonly Pt[] = [
  [3, -1.5],
  [3, 1.5],
  [0.9, 2.9],
  [-2.6, 2.7],
  [-3.6, 1.4],
  [-3.6, -1.4],
  [-2.6, -2.7],
  [0.9, -2.9],
];
const BROAD: readonly Pt[] = [
  [4.2, -3],
  [4.2, 3],
  [1, 4.4],
  [-4.6, 4.1],
  [-5.8, 2.4],
  [-5.8, -2.4],
  [-4.6, -4.1],
  [1, -4.4],
];

/** Draw a simple vehicle: dark tracks, a body, a pale turret and guns. */
function plain({
  back,
  front,
  tracksAt,
  tracksWide,
  half,
  colour = 0,
}: {
  back: number;
  front: number;
  tracksAt: number;
  tracksWide: number;
  half: number;
  colour?: number;
}): (pen: Pen, p: Palette) => void {
  return (pen, p) => {
    const wide = tracksAt + tracksWide / 2;
    pen.cast(rect(back, -wide, front - back, wide * 2), 1.6, 0.42);
    pen.poly(rect(back, -wide, front - back, wide * 2), tint(p.dark, -0.3), 0.8);
    pen.poly(
      [
        [front, -half * 0.6],
        [front, half * 0.6],
        [front - 2, half],
        [back, half],
        [back, -half],
        [front - 2, -half],
      ],
      tint(p.hull, colour + 0.18),
      0.6,
      tint(p.hull, -0.7),
    );
  };
}
const plainGuns =
  (turret: readonly Pt[], guns: readonly (readonly [number, number, number])[]): ((pen: Pen, p: Palette) => void) =>
  (pen, p) => {
    for (const [y, to, wide] of guns)
      pen
        .lines(
          [
            [
              [0, y],
              [to + 0.6, y],
            ],
          ],
          wide + 1.2,
          INK,
        )
        .lines(
          [
            [
              [0, y],
              [to, y],
            ],
          ],
          wide * 0.6,
          BRIGHT,
        );
    pen.poly(turret, tint(p.plate, 0.3), 0.9, tint(p.hull, -0.75));
  };

const CAR = nosed(6.8, -6.2, 3.2, 3.4, 3.4);
const CAR_TURRET: readonly Pt[] = [
  [1.8, -1],
  [1.8, 1],
  [0.4, 1.9],
  [-2, 1.5],
  [-2, -1.5],
  [0.4, -1.9],
];
const light: Figure = {
  box: "round",
  size: SIZE,
  least: LEAST,
  near(pen, p) {
    pen.cast(CAR[0], 1.2);
    const wheels: [Pt[], Pt[]][] = [];
    for (const x of [-4, -0.3, 3.4])
      for (const y of [-3.5, 3.5])
        wheels.push([rect(x - 1.25, y - 0.85, 2.5, 1.7), rect(x - 0.85, y - 0.45, 1.7, 0.9)]);
    pen.bevels(wheels, p.dark, { line: 0.4 }).bevel(...CAR, p.hull);
    pen
      .poly(
        [
          [3, -1.4],
          [3.8, -1.1],
          [3.8, 1.1],
          [3, 1.4],
        ],
        p.glass,
        0.3,
      )
      .poly(rect(-4.6, -1.2, 1.6, 2.4), tint(p.hull, -0.35));
  },
  far(pen, p) {
    pen.cast(CAR[0], 1.4);
    for (const x of [-4, -0.3, 3.4]) pen.poly(rect(x - 1.3, -4.4, 2.6, 8.8), tint(p.dark, -0.35));
    pen.poly(CAR[0], p.hull, 0.8, tint(p.hull, -0.72));
  },
  turret: {
    near(pen, p) {
      gun(pen, p, 0.4, 7.6, 0, 0.8);
      pen.bevel(CAR_TURRET, scaled(CAR_TURRET, 0.6), p.plate, { line: 0.5 });
    },
    far: plainGuns(CAR_TURRET, [[0, 7.6, 1.2]]),
  },
};

const MEDIUM = nosed(7.4, -7.2, 3.8, 1.8, 3);
const medium: Figure = {
  box: "round",
  size: SIZE,
  least: LEAST,
  near(pen, p) {
    pen.cast(rect(-7.4, -5.7, 14.8, 11.4), 1.4);
    tracks(pen, p, -7.4, 7.4, 4.4, 2.6);
    pen.bevel(...MEDIUM, p.hull).poly(rect(-5.9, -2.1, 1.5, 4.2), tint(p.hull, -0.35));
    pen.lines(
      [
        [
          [-5.5, -2],
          [-5.5, 2],
        ],
        [
          [-4.9, -2],
          [-4.9, 2],
        ],
      ],
      0.25,
      tint(p.plate, 0.2),
    );
  },
  far: plain({ back: -7.4, front: 7.4, tracksAt: 4.4, tracksWide: 2.6, half: 3.6 }),
  turret: {
    near(pen, p) {
      gun(pen, p, 1, 10, 0, 1.3);
      pen
        .cast(OCTAGON, 0.7, 0.35)
        .bevel(OCTAGON, scaled(OCTAGON, 0.66, 0.66, -0.2), p.plate)
        .dot(-1.2, 1, 0.8, tint(p.hull, -0.45));
    },
    far: plainGuns(OCTAGON, [[0, 10, 1.9]]),
  },
};

const HEAVY = nosed(8.4, -8, 4.4, 2, 3.2);
const heavy: Figure = {
  box: "round",
  size: SIZE,
  least: LEAST,
  near(pen, p) {
    pen.cast(rect(-8.8, -7.5, 17.6, 15), 1.6);
    tracks(pen, p, -8.8, 8.8, 5.6, 3.6);
    const skirts: [Pt[], Pt[]][] = [];
    for (const m of [-1, 1])
      for (const x of [-8.2, -4.1, 0, 4.1])
        skirts.push([rect(x, m * 6.4 - 1.1, 3.7, 2.2), rect(x + 0.5, m * 6.4 - 0.6, 2.7, 1.2)]);
    pen.bevels(skirts, mix(p.hull, p.plate, 0.45), { line: 0.4 }).bevel(...HEAVY, p.hull);
    pen.poly(rect(-7.2, -2.6, 1.5, 5.2), tint(p.hull, -0.4)).lines(
      [
        [
          [-6.8, -2.4],
          [-6.8, 2.4],
        ],
        [
          [-6.2, -2.4],
          [-6.2, 2.4],
        ],
      ],
      0.25,
      tint(p.plate, 0.2),
    );
  },
  far(pen, p) {
    plain({ back: -8.8, front: 8.8, tracksAt: 5.6, tracksWide: 4, half: 4 })(pen, p);
    for (const m of [-1, 1]) pen.poly(rect(-8.2, m * 6.6 - 1, 15.4, 2), mix(p.hull, p.plate, 0.6));
  },
  turret: {
    near(pen, p) {
      for (const y of [-1.6, 1.6]) gun(pen, p, 1, 11, y, 1.4);
      pen.cast(BROAD, 0.9, 0.36).bevel(BROAD, scaled(BROAD, 0.68, 0.68, -0.3), p.plate);
      pen.dot(-2.6, -1.4, 1, tint(p.hull, -0.4)).dot(-2.6, 1.5, 0.75, tint(p.hull, 0.4));
    },
    far: plainGuns(BROAD, [
      [-1.9, 11, 1.7],
      [1.9, 11, 1.7],
    ]),
  },
};

const BED: [Pt[], Pt[]] = [rect(-8.2, -3.6, 12.8, 7.2), rect(-7.4, -2.8, 10.4, 5.6)];
const artillery: Figure = {
  box: "round",
  size: SIZE,
  least: LEAST,
  near(pen, p) {
    pen.cast(rect(-8.4, -5.4, 13, 10.8), 1.4);
    for (const m of [-1, 1])
      pen.bar(-6.4, m * 3.6, -9, m * 7.6, 1.2, p.dark).bar(-9.4, m * 6.6, -8.4, m * 8.6, 0.9, p.metal);
    tracks(pen, p, -8.2, 4.4, 4.1, 2.4);
    pen.bevel(...BED, p.hull).poly(rect(-7, -2.4, 7.6, 4.8), tint(p.hull, -0.45));
  },
  far(pen, p) {
    pen.cast(rect(-8.4, -5.4, 13, 10.8), 1.5);
    for (const m of [-1, 1])
      pen.lines(
        [
          [
            [-5, m * 3],
            [-9.4, m * 8],
          ],
        ],
        1.8,
        INK,
      );
    pen.poly(rect(-8.4, -5.2, 13, 10.4), tint(p.dark, -0.3), 0.8).poly(rect(-8, -3.2, 12, 6.4), p.hull);
  },
  turret: {
    near(pen, p) {
      gun(pen, p, -4, 14, 0, 1.9);
      pen.bevels(
        [
          [rect(-6.8, -2.6, 4.6, 5.2), rect(-6, -1.8, 3, 3.6)],
          [rect(-1.4, -1.9, 4.4, 3.8), rect(-0.8, -1.1, 3.2, 2.2)],
        ],
        p.plate,
      );
    },
    far: plainGuns(rect(-6.4, -2.6, 6.4, 5.2), [[0, 14, 2.6]]),
  },
};

const STAFF = nosed(7, -6.8, 4, 2.2, 2.8);
const command: Figure = {
  box: "round",
  size: SIZE,
  least: LEAST,
  near(pen, p) {
    pen.cast(rect(-7, -5.5, 14, 11), 1.4);
    tracks(pen, p, -7, 7, 4.4, 2.2);
    pen.bevel(...STAFF, p.hull).bevel(rect(-5.4, -2.4, 5.4, 4.8), rect(-4.6, -1.6, 3.8, 3.2), p.plate);
    pen
      .castOval(2, 0, 2.7, 2.7, 0.9, 0.35)
      .dot(2, 0, 2.6, tint(p.metal, -0.5))
      .dot(2, 0, 2.1, p.mark)
      .dot(2.3, 0.3, 1, p.metal);
    pen.pennant(-3, 0, 10, p.flag);
  },
  far(pen, p) {
    plain({ back: -7, front: 7, tracksAt: 4.4, tracksWide: 2.4, half: 3.6 })(pen, p);
    pen.dot(2.2, 0, 3, BRIGHT, 0.9).pennant(-3, 0, 11, p.flag);
  },
};

export const ARMOUR: Readonly<
  Record<"tank-light" | "tank-medium" | "tank-heavy" | "tank-artillery" | "tank-command", Figure>
> = {
  "tank-light": light,
  "tank-medium": medium,
  "tank-heavy": heavy,
  "tank-artillery": artillery,
  "tank-command": command,
};
