/**
 * Draws vehicles whose hull is their outline (20 by 10, with the front to the right), and machines that walk or hover.
 */
import { rect, scaled, smooth, tint, type Pen, type Pt } from "./draw";
import type { Drawing, Figure } from "./figure";
import { BRIGHT, FIRE, INK, SHADE, type Palette } from "./paints";

const SIZE = 0.86;
const LEAST = 34;

function wheels(pen: Pen, p: Palette, along: readonly number[], y: number, long: number, wide: number): void {
  pen.bevels(
    along.flatMap((x) =>
      [-1, 1].map(
        (m) =>
          [
            rect(x - long / 2, m * y - wide / 2, long, wide),
            rect(x - long / 2 + 0.35, m * y - wide / 2 + 0.35, long - 0.7, wide - 0.7),
          ] as const,
      ),
    ),
    p.dark,
    { line: 0.35 },
  );
}
function tracks(pen: Pen, p: Palette, from: number, to: number, y: number, wide: number): void {
  const pair = (m: number): [Pt[], Pt[]] => [
    rect(from, m * y - wide / 2, to - from, wide),
    rect(from + 0.4, m * y - wide / 2 + 0.35, to - from - 0.8, wide - 0.7),
  ];
  pen.bevels([pair(-1), pair(1)], p.dark, { line: 0.4, top: tint(p.dark, 0.12) });
  const links: Pt[][] = [];
  for (let x = from + 0.9; x < to - 0.4; x += 0.95)
    for (const m of [-1, 1])
      links.push([
        [x, m * y - wide / 2 + 0.3],
        [x, m * y + wide / 2 - 0.3],
      ]);
  pen.lines(links, 0.34, INK, 0.55);
}
function grille(pen: Pen, p: Palette, x: number, y: number, wide: number, high: number): void {
  pen.poly(rect(x, y, wide, high), tint(p.hull, -0.5), 0.25, tint(p.hull, -0.75));
  pen.lines(
    [1, 2, 3, 4].map((i) => [
      [x + 0.15, y + (high * i) / 5],
      [x + wide - 0.15, y + (high * i) / 5],
    ]),
    0.22,
    tint(p.plate, 0.25),
  );
}
const hatch = (pen: Pen, p: Palette, x: number, y: number, r: number): Pen => pen.orb(x, y, r, r, p.plate, 0.3);
function gun(pen: Pen, p: Palette, from: number, to: number, y: number, wide: number, muzzle = 0): void {
  pen.cast(rect(from, y - wide * 0.6, to - from, wide * 1.2), 1.1, 0.32).bar(from, y, to, y, wide, p.metal);
  if (muzzle > 0) pen.bar(to - 1.7, y, to, y, wide + muzzle, tint(p.metal, -0.25));
}
const cut = (front: number, back: number, half: number, nose: number, snub: number): Pt[] => [
  [front, -snub],
  [front, snub],
  [front - nose, half],
  [back, half],
  [back, -half],
  [front - nose, -half],
];

// Simple shapes for hulls under 34 pixels long.
const farTracks = (pen: Pen, p: Palette, x: number, y: number, wide: number): Pen =>
  pen.lines(
    [
      [
        [-x, y],
        [x, y],
      ],
      [
        [-x, -y],
        [x, -y],
      ],
    ],
    wide,
    tint(p.dark, -0.3),
  );
const farHull = (pen: Pen, p: Palette, points: readonly Pt[]): Pen => pen.poly(points, p.hull, 0.6, tint(p.dark, -0.3));
const farGun =
  (to: number, wide: number, r: number, x = -0.6, k = 1.3, muzzle = 0): Drawing =>
  (pen, p) => {
    pen.lines(
      [
        [
          [0, 0],
          [to + 0.5, 0],
        ],
      ],
      wide + 1,
      INK,
    );
    if (muzzle > 0)
      pen.lines(
        [
          [
            [to - 2, 0],
            [to + 0.6, 0],
          ],
        ],
        wide + 1 + muzzle,
        INK,
      );
    pen
      .lines(
        [
          [
            [0, 0],
            [to, 0],
          ],
        ],
        wide * 0.55,
        BRIGHT,
      )
      .ellipse(x, 0, r * k, r, tint(p.plate, 0.3), 0.9, tint(p.dark, -0.4));
  };

const truck: Figure = {
  box: "hull",
  size: SIZE,
  least: LEAST,
  near(pen, p) {
    pen.cast(rect(-9.2, -4, 18.2, 8), 1);
    wheels(pen, p, [6.3, -3.6, -6.9], 3.9, 2.5, 1.5);
    pen.poly(rect(-9, -2, 17, 4), p.dark, 0.4).bevel(
      [
        [9, -1.7],
        [9, 1.7],
        [6.6, 2.5],
        [6.6, -2.5],
      ],
      [
        [8.6, -1.2],
        [8.6, 1.2],
        [7, 1.7],
        [7, -1.7],
      ],
      p.hull,
      { line: 0.4 },
    );
    pen.bevel(rect(2.9, -3.3, 4.2, 6.6), rect(3.3, -2.7, 2.4, 5.4), p.hull, { line: 0.5 }).poly(
      [
        [5.9, -2.7],
        [6.8, -2.4],
        [6.8, 2.4],
        [5.9, 2.7],
      ],
      p.glass,
      0.3,
    );
    pen.bevel(rect(-9, -3.8, 11.4, 7.6), rect(-8.6, -0.4, 10.6, 0.8), p.canvas, { line: 0.6 });
    pen.lines(
      [0, 1, 2, 3, 4].map((i) => [
        [-8.4 + i * 2.55, -3.5],
        [-8.4 + i * 2.55, 3.5],
      ]),
      0.55,
      tint(p.canvas, -0.5),
    );
  },
  far(pen, p) {
    pen
      .poly(rect(3, -3.1, 5, 6.2), p.hull, 0.8)
      .poly(rect(5.4, -2.4, 1.6, 4.8), p.glass)
      .poly(rect(-8.4, -3.6, 10.8, 7.2), tint(p.canvas, 0.2), 1);
    for (const x of [-5.8, -3, -0.2]) pen.poly(rect(x, -3.4, 0.7, 6.8), tint(p.canvas, -0.4));
  },
};

const CARRIER: readonly Pt[] = [
  [9.2, -1.5],
  [9.2, 1.5],
  [6.2, 3.6],
  [-8.2, 3.6],
  [-9.2, 2.8],
  [-9.2, -2.8],
  [-8.2, -3.6],
  [6.2, -3.6],
];
const apc: Figure = {
  box: "hull",
  size: SIZE,
  least: LEAST,
  near(pen, p) {
    pen.cast(CARRIER, 1.1);
    wheels(pen, p, [6, 2.2, -2.4, -6.4], 4.05, 2.9, 1.9);
    pen.bevel(
      CARRIER,
      [
        [6.6, -1.2],
        [6.6, 1.2],
        [4.4, 2.5],
        [-7.6, 2.5],
        [-8.2, 2],
        [-8.2, -2],
        [-7.6, -2.5],
        [4.4, -2.5],
      ],
      p.hull,
      { line: 0.5 },
    );
    for (const y of [-2.3, 0.2]) pen.poly(rect(-7.8, y, 5.8, 2.1), tint(p.plate, 0.5), 0.4, tint(p.hull, -0.75));
    pen.poly(
      [
        [5.9, -1],
        [6.5, -0.9],
        [6.5, 0.9],
        [5.9, 1],
      ],
      p.glass,
    );
    for (const y of [1.5, -1.5]) hatch(pen, p, 3.6, y, 0.85);
  },
  far(pen, p) {
    for (const x of [-6, -2, 2, 6]) pen.poly(rect(x - 1.2, -4.9, 2.4, 9.8), tint(p.dark, -0.3));
    farHull(pen, p, CARRIER);
    for (const y of [-2.3, 0.3]) pen.poly(rect(-7.4, y, 6, 2), tint(p.plate, 0.6));
    pen.poly(
      [
        [4.6, -1.6],
        [6.4, -1],
        [6.4, 1],
        [4.6, 1.6],
      ],
      tint(p.dark, -0.3),
    );
  },
  turret: {
    near(pen, p) {
      pen.orb(0.4, 0, 1.75, 1.75, p.hull, 0.4);
      gun(pen, p, 0.6, 5.4, 0, 0.55);
      hatch(pen, p, 0.2, 0, 0.9);
    },
    far: (pen) =>
      pen
        .lines(
          [
            [
              [0, 0],
              [5, 0],
            ],
          ],
          1.2,
          INK,
        )
        .dot(0, 0, 1.4, INK),
  },
};

interface Tank {
  hull: readonly Pt[];
  upper: readonly Pt[];
  tracks: readonly [number, number, number, number];
  /** Draw plates along the tracks, of a number and thickness. */
  plates?: readonly [number, number];
  turret: readonly Pt[];
  gun: readonly [number, number, number];
  far: Drawing;
  size?: number;
  hatches: readonly (readonly [number, number, number])[];
  grille: readonly [number, number, number, number];
  more?: Drawing;
}
function tank(t: Tank): Figure {
  const [from, to, y, wide] = t.tracks;
  return {
    box: "hull",
    size: t.size ?? SIZE,
    least: LEAST,
    near(pen, p) {
      pen.cast(rect(from, -y - wide / 2, to - from, 2 * y + wide), 1.2);
      tracks(pen, p, from, to, y, wide);
      if (t.plates !== undefined) {
        const [many, heavy] = t.plates;
        const each = (to - from - 1) / many;
        const plates: [Pt[], Pt[]][] = [];
        for (const m of [-1, 1])
          for (let i = 0; i < many; i++)
            plates.push([
              rect(from + 0.5 + i * each, m * (y + wide * 0.16) - heavy / 2, each - 0.2, heavy),
              rect(from + 0.8 + i * each, m * (y + wide * 0.16) - heavy / 4, each - 0.8, heavy / 2),
            ]);
        pen.bevels(plates, heavy > 1.4 ? p.plate : p.hull, { line: 0.3 });
      }
      pen.bevel(t.hull, t.upper, p.hull, { line: 0.5 });
      grille(pen, p, ...t.grille);
      t.more?.(pen, p);
    },
    far(pen, p) {
      farTracks(pen, p, Math.max(-from, to) - 0.2, y - 0.1, wide + 0.2);
      if (t.plates !== undefined && t.plates[1] > 1.4)
        for (const m of [-1, 1])
          pen.poly(rect(from + 0.6, m * (y + 0.5) - 0.7, to - from - 1.2, 1.4), tint(p.plate, 0.1));
      farHull(pen, p, t.hull);
    },
    turret: {
      near(pen, p) {
        gun(pen, p, ...([1, t.gun[0], 0, t.gun[1], t.gun[2]] as const));
        pen.cast(t.turret, 0.8, 0.36).bevel(t.turret, scaled(t.turret, 0.64, 0.64, -0.3), p.plate, { line: 0.5 });
        for (const [x, at, r] of t.hatches) hatch(pen, p, x, at, r);
      },
      far: t.far,
    },
  };
}

const ifv = tank({
  hull: cut(9.2, -9, 3.2, 3.6, 2.2),
  upper: cut(6, -8.4, 2.5, 2.2, 1.9),
  tracks: [-9.3, 9.2, 3.85, 1.7],
  turret: [
    [2.2, -1.1],
    [2.2, 1.1],
    [0.8, 2],
    [-2.6, 1.8],
    [-3.1, 1],
    [-3.1, -1],
    [-2.6, -1.8],
    [0.8, -2],
  ],
  gun: [9.4, 0.62, 0.4],
  hatches: [[-1.2, 0.7, 0.65]],
  grille: [4, -1.7, 1.6, 1.6],
  more(pen, p) {
    for (const y of [-1.9, 0.2]) pen.poly(rect(-8, y, 3.2, 1.7), tint(p.plate, 0.2), 0.3, tint(p.hull, -0.7));
    hatch(pen, p, 4.7, 1.1, 0.8);
  },
  far: farGun(8.4, 1.1, 1.9, -0.4, 1.2),
});
const light = tank({
  hull: cut(8.2, -8, 2.8, 2.8, 1.9),
  upper: cut(5.2, -7.4, 2.1, 1.6, 1.6),
  tracks: [-8.4, 8.2, 3.4, 1.5],
  turret: [
    [2.6, -0.9],
    [2.6, 0.9],
    [0.9, 2.3],
    [-2.4, 2.1],
    [-3.4, 1.1],
    [-3.4, -1.1],
    [-2.4, -2.1],
    [0.9, -2.3],
  ],
  gun: [10.8, 1, 0.5],
  hatches: [[-1.2, 0.8, 0.75]],
  grille: [-7, -1.8, 2.2, 3.6],
  far: farGun(10.4, 1.8, 2.3, -0.8),
});
const battle = tank({
  hull: cut(8.9, -8.8, 3.1, 2.9, 2.3),
  upper: cut(5.4, -8, 2.3, 1.6, 1.8),
  tracks: [-9.2, 9.1, 3.85, 1.9],
  plates: [5, 1.2],
  turret: [
    [3.8, -1.1],
    [3.8, 1.1],
    [2.2, 2.8],
    [-3.6, 2.9],
    [-5, 2],
    [-5, -2],
    [-3.6, -2.9],
    [2.2, -2.8],
  ],
  gun: [13.2, 1.25, 0.7],
  hatches: [
    [-1.6, -1.1, 0.85],
    [-1.4, 1.1, 0.7],
  ],
  grille: [-7.8, -1.9, 2.3, 3.8],
  far: farGun(13.4, 2.1, 2.9, -0.8, 1.55),
});
const heavy = tank({
  hull: cut(9.2, -9.2, 3, 2.2, 2),
  upper: cut(6, -8.4, 2.2, 1.6, 1.5),
  tracks: [-9.7, 9.7, 3.95, 2.5],
  plates: [6, 1.7],
  size: 0.9,
  turret: [
    [4.6, -1.7],
    [4.6, 1.7],
    [2.4, 3.7],
    [-4.6, 3.7],
    [-6.6, 2.2],
    [-6.6, -2.2],
    [-4.6, -3.7],
    [2.4, -3.7],
  ],
  gun: [14.6, 1.9, 1.3],
  hatches: [
    [-3, -0.9, 1.05],
    [-3, 1.1, 0.8],
  ],
  grille: [-8.6, -2, 1.9, 4],
  far: farGun(14.6, 2.9, 3.7, -1, 1.5, 1.6),
});

// --- machines on round bases
// --------------------------------------------------------------------------------------------------

const TORSO: readonly Pt[] = [
  [4, -1.6],
  [4, 1.6],
  [2.2, 4],
  [-2.4, 4.2],
  [-4.4, 2.4],
  [-4.4, -2.4],
  [-2.4, -4.2],
  [2.2, -4],
];
const walker: Figure = {
  box: "round",
  size: 1.1,
  least: 24,
  near(pen, p) {
    for (const [x, y] of [
      [5.6, -4],
      [-7.4, 4.2],
    ] as const) {
      const foot: Pt[] = [
        [4.4, -1.7],
        [4.4, 1.7],
        [1, 2.4],
        [-3, 1.8],
        [-3, -1.8],
        [1, -2.4],
      ].map(([u, v]): Pt => [(u ?? 0) + x, (v ?? 0) + y]);
      const top = foot.map(([u, v]): Pt => [(u - x) * 0.6 + x, (v - y) * 0.55 + y]);
      pen.cast(foot, 0.9, 0.4);
      for (const v of [-1.1, 0, 1.1]) pen.rod(x + 3.6, y + v, x + 5.8, y + v * 1.8, 0.9, p.dark);
      pen.bevel(foot, top, tint(p.hull, -0.1), { line: 0.6 });
    }
    pen.rod(5, -4, 0, -2, 2.8, p.dark).rod(-6.4, 4.2, 0, 2, 2.8, p.dark);
  },
  far(pen, p) {
    for (const [x, y] of [
      [6.4, -4.2],
      [-6.8, 4.2],
    ] as const)
      pen.poly(rect(x - 3.5, y - 2.3, 7, 4.6), tint(p.hull, 0.1), 1.1);
  },
  turret: {
    near(pen, p) {
      gun(pen, p, 1, 12.6, 6, 1.3, 0.8);
      gun(pen, p, 1, 10.8, 7.9, 1.1, 0.6);
      pen
        .rod(2, -6.4, 9.6, -6.4, 2.4, p.dark)
        .dot(10.2, -6.4, 1.5, FIRE, 0.5, "#3a1505")
        .orb(-2.4, -7.2, 2.9, 1.7, "#b4552f");
      pen.bevels(
        [
          [rect(-3.4, 4.6, 6.4, 4.4), rect(-2.6, 5.6, 4.8, 2.4)],
          [rect(-2.4, -8.4, 5.4, 3.8), rect(-1.6, -7.6, 3.8, 2.2)],
        ],
        p.plate,
        { line: 0.6 },
      );
      pen.cast(TORSO, 1.5, 0.42).bevel(TORSO, scaled(TORSO, 0.66, 0.66, -0.6), p.hull);
      grille(pen, p, -3.8, -1.6, 1.7, 3.2);
      pen
        .poly(
          [
            [3.9, -1.7],
            [4.4, 0],
            [3.9, 1.7],
            [1.2, 2],
            [0.6, 0],
            [1.2, -2],
          ],
          p.glow,
          0.5,
        )
        .poly(
          [
            [3.2, -1.3],
            [3.4, -0.4],
            [1.6, -0.3],
            [1.5, -1.4],
          ],
          "#fffbe8",
        );
      for (const y of [-8, 5.4]) pen.poly(rect(-1.6, y, 2.2, 2.8), p.accent, 0.3);
    },
    far(pen, p) {
      pen
        .lines(
          [
            [
              [2, 7.2],
              [13.4, 7.2],
            ],
          ],
          3,
          INK,
        )
        .lines(
          [
            [
              [2, 7.2],
              [12.8, 7.2],
            ],
          ],
          1.3,
          BRIGHT,
        )
        .lines(
          [
            [
              [2, -7.2],
              [9, -7.2],
            ],
          ],
          2.8,
          INK,
        )
        .dot(10, -7.2, 1.8, FIRE, 0.8);
      for (const y of [7, -7]) pen.poly(rect(-2.8, y - 2, 6.4, 4), tint(p.plate, 0.2), 1.1);
      pen.poly(TORSO, p.hull, 1.1).dot(1.6, 0, 2.3, p.glow, 1);
    },
  },
};

const FUSELAGE = smooth([
  [12, 0],
  [8.6, 1.7],
  [3, 2.7],
  [-3.4, 2.5],
  [-7, 1.1],
  [-12.4, 0.7],
  [-13, 0],
]);
const wing = (m: number): Pt[] => [
  [2.8, m * 2],
  [2, m * 9.6],
  [-2, m * 9.6],
  [-3.2, m * 2],
];
const TAIL: [Pt[], Pt[]] = [
  [
    [-10.4, -4],
    [-10.4, 4],
    [-12.6, 4.4],
    [-12.6, -4.4],
  ],
  [
    [-10.8, -3],
    [-10.8, 3],
    [-12.2, 3.4],
    [-12.2, -3.4],
  ],
];
const gunship: Figure = {
  box: "round",
  size: 1.12,
  least: 24,
  aloft: 1.2,
  near(pen, p) {
    pen.bevels(
      [1, -1].map((m) => [wing(m), scaled(wing(m), 0.8, 0.8, -0.1, m * 1.2)] as const),
      p.hull,
      { line: 0.6 },
    );
    for (const m of [1, -1]) {
      pen.dot(-0.2, m * 9.4, 4.6, INK).dot(-0.2, m * 9.4, 4.1, "#2a2d34", 1.1, tint(p.plate, -0.1));
      pen
        .lines(
          [0.5, 2.07, 3.64, 5.21].map((t) => [
            [-0.2, m * 9.4],
            [-0.2 + Math.cos(t) * 3.5, m * 9.4 + Math.sin(t) * 3.5],
          ]),
          0.9,
          BRIGHT,
          0.7,
        )
        .dot(-0.2, m * 9.4, 1.1, p.metal, 0.4);
    }
    pen.bevel(...TAIL, p.accent, { line: 0.5 });
    for (const m of [1, -1]) pen.rod(1.4, m * 4.6, 5.2, m * 4.6, 1.2, p.metal);
    gun(pen, p, 8, 14.4, 0, 0.9);
    pen.bevel(FUSELAGE, scaled(FUSELAGE, 0.72, 0.55, -0.4), p.hull).poly(
      smooth(
        [
          [8.6, 0],
          [7, 1.1],
          [4, 1.4],
          [2.8, 0],
        ],
        3,
      ),
      p.glow,
      0.5,
    );
    pen
      .poly(
        [
          [7.4, -0.5],
          [6.6, -0.8],
          [4.6, -0.9],
          [4.8, -0.3],
        ],
        "#fffbe8",
      )
      .poly(rect(-1.4, -2.2, 1.8, 4.4), p.accent, 0.3);
    grille(pen, p, -5.4, -1.1, 3.4, 2.2);
  },
  far(pen, p) {
    pen.poly(rect(-2.6, -9.4, 5.2, 18.8), p.hull, 1);
    for (const m of [1, -1]) pen.dot(-0.2, m * 9.4, 4.6, INK, 1.5, tint(p.plate, 0.2)).dot(-0.2, m * 9.4, 1.3, p.plate);
    pen
      .poly(rect(-13, -4.4, 2.8, 8.8), p.accent, 1)
      .poly(FUSELAGE, tint(p.plate, 0.1), 1.1)
      .poly(
        [
          [9, 0],
          [7, 1.5],
          [3.6, 1.6],
          [3.6, -1.6],
          [7, -1.5],
        ],
        p.glow,
        0.6,
      );
  },
};

/** Draw the shadow of a flyer. */
export function shadeOfGunship(pen: Pen): void {
  pen
    .poly(FUSELAGE, SHADE)
    .poly(
      [
        [2.8, -9.6],
        [2.8, 9.6],
        [-3, 9.6],
        [-3, -9.6],
      ],
      SHADE,
    )
    .poly(TAIL[0], SHADE);
  for (const m of [1, -1]) pen.dot(-0.2, m * 9.4, 4.6, SHADE);
}

export const HULLS = {
  truck,
  apc,
  ifv,
  "hull-light": light,
  "hull-battle": battle,
  "hull-heavy": heavy,
  walker,
  gunship,
} as const satisfies Readonly<Record<string, Figure>>;

/**
 * Return the outline of a hull's tray: rounded for one side, with cut corners and teeth for another, square for a
 * third.
 */
export function tray(shape: string, grow = 0): Pt[] {
  const [x, y] = [10 + grow, 5 + grow];
  if (shape === "diamond") {
    const c = Math.max(1.5 + grow * 0.4, 0.5);
    const tooth = grow < 0 ? 0 : 1.9;
    const n = 1.7;
    return [
      [x, -n],
      [x + tooth, 0],
      [x, n],
      [x, y - c],
      [x - c, y],
      [n, y],
      [0, y + tooth],
      [-n, y],
      [c - x, y],
      [-x, y - c],
      [-x, n],
      [-x - tooth, 0],
      [-x, -n],
      [-x, c - y],
      [c - x, -y],
      [-n, -y],
      [0, -y - tooth],
      [n, -y],
      [x - c, -y],
      [x, c - y],
    ];
  }
  if (shape === "square") return rect(-x, -y, 2 * x, 2 * y);
  const r = Math.max(1.7 + grow * 0.7, 0.5);
  const out: Pt[] = [];
  for (const [sx, sy, quarter] of [
    [1, 1, 0],
    [-1, 1, 1],
    [-1, -1, 2],
    [1, -1, 3],
  ] as const)
    for (let i = 0; i <= 4; i++) {
      const t = ((quarter + i / 4) * Math.PI) / 2;
      out.push([sx * (x - r) + Math.cos(t) * r, sy * (y - r) + Math.sin(t) * r]);
    }
  return out;
}
