/**
 * Draws soldiers from above, one on a base or several on a stand: shoulders, a helmet, and a mark of the soldier's
 * role.
 */
import { dice, mix, rect, scaled, star, tint, type Pen, type Pt } from "./draw";
import type { Drawing, Figure } from "./figure";
import { BRIGHT, CYAN, FIRE, GOLD, INK, PAPER, WOOD, type Palette } from "./paints";

const SIZE = 1.14;
const LEAST = 21;

// --- what several have in common
// -----------------------------------------------------------------------------------------

const limb = (pen: Pen, colour: string, x1: number, y1: number, x2: number, y2: number, width = 2): Pen =>
  pen.rod(x1, y1, x2, y2, width, colour, tint(colour, -0.72));
const weapon = (pen: Pen, p: Palette, x1: number, y1: number, x2: number, y2: number, width: number): Pen =>
  pen.rod(x1, y1, x2, y2, width, p.gun, "#0e0e0c");

function trunk(pen: Pen, p: Palette, cloth = p.cloth): void {
  pen
    .castOval(-0.4, 0, 4.2, 6.6, 1.7, 0.38)
    .bevel(rect(-7, -3.2, 4.4, 6.4), rect(-6.2, -2.4, 2.8, 4.8), p.pack, { line: 0.6 });
  pen.orb(-0.6, 0, 3.3, 6.3, cloth);
}
function arms(pen: Pen, p: Palette): void {
  limb(pen, p.cloth, 0.6, 5, 5, 2.8);
  limb(pen, p.cloth, 0.8, -4.8, 8.2, 1.4);
}
const helmet = (pen: Pen, p: Palette, y = 0, r = 3.4): Pen => pen.orb(0.6, y, r + 0.2, r, p.helm, 0.8);
const mast = (pen: Pen, p: Palette, x: number, high: number): Pen => pen.pennant(x, 0, high, p.flag);

/** Draw a soldier under 21 pixels: shoulders, a weapon and a head, in flat and light colours. */
const small =
  (
    mark: Drawing,
    {
      cloth,
      head,
      rx = 3.7,
      ry = 6.6,
      x = -0.6,
      r = 3.6,
    }: {
      cloth?: (p: Palette) => string;
      head?: ((p: Palette) => string) | null;
      rx?: number;
      ry?: number;
      x?: number;
      r?: number;
    } = {},
  ): Drawing =>
  (pen, p) => {
    pen.castOval(x, 0, rx, ry, 1.8, 0.4).ellipse(x, 0, rx, ry, tint((cloth ?? ((one) => one.cloth))(p), 0.42), 1.1);
    mark(pen, p);
    if (head === null) return;
    const colour = (head ?? ((one) => one.helm))(p);
    pen.dot(0.7, 0, r, colour, 1).dot(0.7 - r * 0.25, 0, r * 0.4, tint(colour, 0.6));
  };
const stroke = (pen: Pen, x1: number, y1: number, x2: number, y2: number, width: number, colour = INK): Pen =>
  pen.lines(
    [
      [
        [x1, y1],
        [x2, y2],
      ],
    ],
    width,
    colour,
  );

const soldier = (near: Drawing, far: Drawing): Figure => ({
  box: "round",
  size: SIZE,
  least: LEAST,
  living: true,
  near,
  far,
});

// --- one to a base
// ---------------------------------------------------------------------------------------------------------

const rifle = soldier(
  (pen, p) => {
    trunk(pen, p);
    arms(pen, p);
    weapon(pen, p, 2.4, 3.4, 13, 1.2, 1.5).rod(2.4, 3.4, 4.8, 2.9, 1.9, WOOD, "#0e0e0c");
    helmet(pen, p);
  },
  small((pen) => stroke(pen, 2, 3, 14.4, 1, 2.1)),
);

const machineGun = soldier(
  (pen, p) => {
    trunk(pen, p);
    arms(pen, p);
    weapon(pen, p, 13, 1.4, 15, 4.4, 0.6);
    weapon(pen, p, 13, 1.4, 15.2, -1.4, 0.6);
    weapon(pen, p, 2, 3.2, 16, 1.2, 2.1).poly(rect(5, 2.6, 3.6, 4.6), tint(p.helm, 0.3), 0.7);
    helmet(pen, p);
  },
  small((pen) => {
    stroke(pen, 2, 3, 16, 1.2, 3.2);
    stroke(pen, 13, -2, 13.6, 5, 1.3);
  }),
);

const flamer = soldier(
  (pen, p) => {
    pen.castOval(-0.4, 0, 4.2, 6.6, 1.7, 0.38);
    pen
      .orb(-5.4, 2, 2.2, 1.9, tint(p.accent, -0.1), 0.6)
      .orb(-5.4, -2, 2.2, 1.9, tint(p.accent, -0.1), 0.6)
      .orb(-0.6, 0, 3.3, 6.3, p.cloth);
    arms(pen, p);
    pen.lines(
      [
        [
          [-4, 4],
          [0, 7],
          [5, 4],
        ],
      ],
      1.1,
      p.gun,
    );
    weapon(pen, p, 3, 3.2, 13, 1.4, 1.7).poly(
      star(2.6, 1.2, 6).map(([x, y]): Pt => [x + 14.6, y + 1.2]),
      FIRE,
      0.4,
      "#7a2a08",
    );
    helmet(pen, p);
  },
  small((pen) => stroke(pen, 2, 3, 12, 1.4, 2.4).dot(14, 1.2, 2.7, FIRE, 0.9)),
);

const officer = soldier(
  (pen, p) => {
    pen.castOval(-2, 0, 6, 6.8, 1.7, 0.38);
    pen.bevel(
      [
        [1, -5.4],
        [1, 5.4],
        [-8.4, 6],
        [-9.4, 0],
        [-8.4, -6],
      ],
      [
        [0, -3.8],
        [0, 3.8],
        [-6.6, 4.2],
        [-7.4, 0],
        [-6.6, -4.2],
      ],
      mix(p.flag, p.coat, 0.35),
    );
    pen.orb(-0.2, 0, 3.2, 6.2, p.cloth).orb(0, 5.2, 1.9, 1.7, GOLD, 0.5).orb(0, -5.2, 1.9, 1.7, GOLD, 0.5);
    limb(pen, p.cloth, 1, 5, 9, 5.4);
    weapon(pen, p, 9, 5.4, 12.6, 5.2, 1.3).poly(rect(3.6, -6.4, 4, 4.2), "#f3ecd4", 0.6);
    pen.ellipse(2.4, 0, 2.6, 3, INK).orb(0, 0, 3.5, 3.8, "#f4efe0").orb(1.4, 0, 1, 1.1, "#c9a02f", 0.4);
    mast(pen, p, -4.6, 12);
  },
  small(
    (pen, p) => {
      stroke(pen, 2, 5, 12, 5.2, 2);
      mast(pen, p, -5, 13.6);
    },
    { cloth: (p) => mix(p.flag, p.coat, 0.3), head: () => "#fbf6e6", rx: 5, ry: 6, x: -2.4, r: 4 },
  ),
);

const spotter = soldier(
  (pen, p) => {
    pen.castOval(-1, 0, 5, 6.2, 1.7, 0.38).orb(-0.4, 0, 3.2, 5.8, p.cloth);
    pen.bevel(rect(-8.8, -4.4, 6, 8.8), rect(-7.8, -3.4, 4, 6.8), p.pack).poly(rect(-7.4, -2.6, 1.2, 2.4), GOLD);
    limb(pen, p.cloth, 0.8, 4.6, 4.4, 2.6, 1.9);
    limb(pen, p.cloth, 0.8, -4.6, 4.4, -2.6, 1.9);
    for (const y of [2.6, -2.6])
      pen
        .rod(3, y, 8.4, y, 2.7, p.gun, "#0d0d0c")
        .dot(8.9, y, 2.2, "#0f2b33")
        .dot(8.9, y, 1.7, CYAN)
        .dot(8.6, y - 0.4, 0.6, BRIGHT);
    helmet(pen, p, 0, 3);
    const [x, y] = pen.at(-6, 2.4);
    const aerial = `M${x} ${y}l-4 -14`;
    pen.path({ d: aerial, stroke: INK, width: 1.5 }).path({ d: aerial, stroke: PAPER, width: 0.6 });
  },
  small(
    (pen, p) => {
      pen.poly(rect(-9, -4.4, 6, 8.8), p.pack, 1);
      for (const y of [3.1, -3.1]) pen.dot(7.4, y, 2.8, CYAN, 1.1);
    },
    { r: 3.1 },
  ),
);

const antiTank = soldier(
  (pen, p) => {
    pen.castOval(-0.6, -1.4, 4.2, 6.4, 1.7, 0.38).orb(-0.6, -1.4, 3.3, 6, p.cloth);
    limb(pen, p.cloth, 0.8, -5.6, 5.6, 1.4);
    helmet(pen, p, -2.4, 3.2);
    const tube = mix(p.plate, p.helm, 0.4);
    pen.cast(rect(-12, 2, 25, 4), 1.6, 0.36).poly(
      [
        [-12.6, 0.6],
        [-9, 2],
        [-9, 6],
        [-12.6, 7.4],
      ],
      tint(p.gun, 0.1),
      0.7,
    );
    pen.bevel(rect(-9.6, 1.8, 20.4, 4.4), rect(-9, 3, 19, 1.6), tube, { line: 0.8, top: tint(tube, 0.34) });
    pen
      .poly(rect(3.2, 1.8, 1.8, 4.4), GOLD, 0.4)
      .poly(
        [
          [10.4, 1.2],
          [13.6, 0.4],
          [13.6, 7.6],
          [10.4, 6.8],
        ],
        p.gun,
        0.6,
      )
      .poly(rect(0, 6, 2.8, 2.2), p.gun, 0.5);
  },
  (pen, p) => {
    small(() => undefined, { head: null, x: -0.8 })(pen, p);
    pen.dot(0.4, -2.6, 3.3, p.helm, 1);
    stroke(pen, -13, 4, 14, 4, 6.4);
    stroke(pen, -10, 4, 11, 4, 3.6, tint(p.plate, 0.3));
    stroke(pen, 2, 4, 5, 4, 3.8, GOLD);
  },
);

const mortar = soldier(
  (pen, p) => {
    pen.castOval(-3.4, 0, 4, 6.2, 1.6, 0.38).orb(-3.8, 0, 3.2, 6, p.cloth);
    limb(pen, p.cloth, -2.6, 4.8, 2.6, 3.2);
    limb(pen, p.cloth, -2.6, -4.8, 2.6, -2.6);
    pen
      .orb(-2.8, 0, 3.5, 3.4, p.helm, 0.8)
      .bevel(rect(2.4, -3.4, 3.6, 6.8), rect(3, -2.6, 2.4, 5.2), p.metal, { line: 0.6 });
    weapon(pen, p, 6, 0, 10.4, -4.2, 0.8);
    weapon(pen, p, 6, 0, 10.4, 4.2, 0.8);
    pen
      .cast(rect(3, -1.6, 10, 3.2), 1.6, 0.36)
      .bar(3.4, 0, 12.6, 0, 3.2, mix(p.metal, p.helm, 0.5))
      .dot(12.4, 0, 1.7, INK)
      .dot(12.4, 0, 0.9, "#3a3a34");
  },
  small(
    (pen, p) => {
      stroke(pen, 2, 0, 13.6, 0, 5.4);
      stroke(pen, 3, 0, 12, 0, 2.8, tint(p.metal, 0.3));
      stroke(pen, 9, -5, 9, 5, 1.4);
    },
    { x: -3.4, r: 3.2 },
  ),
);

const CAPE = (() => {
  const out: Pt[] = [];
  for (let i = 0; i < 22; i++) {
    const [t, q] = [(i / 22) * 2 * Math.PI, i % 2 === 1 ? 1.14 : 0.86];
    out.push([-1.6 + Math.cos(t) * 6.4 * q, Math.sin(t) * 4.8 * q]);
  }
  return out;
})();
const sniper = soldier(
  (pen, p) => {
    const cape = mix(p.helm, p.coat, 0.35);
    pen.castOval(-1.6, 0, 6.4, 5, 1.5, 0.36);
    limb(pen, cape, -5, 2, -11, 3.4, 2.6);
    limb(pen, cape, -5, -2, -11, -3.4, 2.6);
    weapon(pen, p, 12, 0.8, 13.2, 4, 0.6);
    weapon(pen, p, 12, 0.8, 13.2, -2.4, 0.6);
    weapon(pen, p, 1, 0.8, 18, 0.8, 1);
    weapon(pen, p, 4.6, 0.8, 9, 0.8, 2);
    pen.poly(CAPE, tint(cape, -0.12), 0.7, tint(cape, -0.75)).poly(scaled(CAPE, 0.66, 0.66, -0.6), tint(cape, 0.16));
    const roll = dice(7);
    for (const [x, y] of [
      [-4, 1.6],
      [-1.6, -2.4],
      [0.6, 2.2],
      [-4.6, -1.6],
      [-0.4, 0.4],
    ] as const)
      pen.dot(x, y, 0.8, tint(cape, roll() < 0.5 ? 0.4 : -0.4));
    pen.orb(1.8, 0, 2.9, 2.9, tint(cape, -0.2));
  },
  small(
    (pen) => {
      stroke(pen, 2, 0.6, 19, 0.6, 1.8);
      stroke(pen, 5, 0.6, 9.6, 0.6, 3);
    },
    { cloth: (p) => mix(p.helm, p.coat, 0.35), head: (p) => tint(p.helm, -0.3), rx: 7.4, ry: 4.4, x: -3, r: 3 },
  ),
);

const conscript = soldier(
  (pen, p) => {
    const coat = p.coat;
    pen.castOval(-1.8, 0, 5, 6, 1.6, 0.38).bevel(
      [
        [1, -4.6],
        [1, 4.6],
        [-7.4, 5.8],
        [-7.4, -5.8],
      ],
      [
        [0, -3.2],
        [0, 3.2],
        [-6, 4.2],
        [-6, -4.2],
      ],
      coat,
    );
    pen
      .poly(rect(-7, -0.3, 6, 0.6), tint(coat, -0.5))
      .orb(0, 0, 2.9, 5.4, coat)
      .rod(-3.4, -4.4, 2.4, 4.6, 2, p.canvas, tint(p.canvas, -0.6));
    limb(pen, coat, 0.8, 4.6, 5.4, 3.6, 1.8);
    limb(pen, coat, 0.8, -4.4, 4.6, -3.2, 1.8);
    pen.rod(3.4, 5.4, 8, -6.4, 1.3, WOOD, "#0e0e0c").rod(8, -6.4, 10, -11.4, 0.8, BRIGHT, "#1a1a18");
    const cap: Pt[] = [
      [2, -2.9],
      [3.4, 0],
      [2, 2.9],
      [-2.6, 2.2],
      [-3.2, 0],
      [-2.6, -2.2],
    ];
    pen
      .orb(1.2, 0, 2.6, 2.6, p.skin)
      .poly(cap, "#7a4f34", 0.7, "#2e1a0e")
      .poly(rect(-2.8, -0.35, 4, 0.7), "#a9764f");
  },
  small((pen) => stroke(pen, 3.4, 6, 8.6, -9.4, 1.7), {
    cloth: (p) => p.coat,
    head: () => "#7a4a2c",
    rx: 4.6,
    ry: 5.6,
    x: -1.8,
    r: 3,
  }),
);

const assault = soldier(
  (pen, p) => {
    const shield: Pt[] = [
      [8.6, -6.6],
      [10.2, -3],
      [10.6, 0],
      [10.2, 3],
      [8.6, 6.6],
      [7, 6.4],
      [8.2, 2.6],
      [8.4, 0],
      [8.2, -2.6],
      [7, -6.4],
    ];
    trunk(pen, p, mix(p.cloth, p.pack, 0.5));
    limb(pen, p.cloth, 0.6, 5, 6.6, 3.4, 2.2);
    limb(pen, p.cloth, 0.8, -4.8, 6.8, -2.4, 2.2);
    weapon(pen, p, 5.4, 3.4, 13.4, 4, 1.7);
    pen
      .cast(shield, 1.2, 0.36)
      .bevel(shield, scaled(shield, 0.94, 0.94, 0.4), p.plate, { line: 0.9, top: tint(p.plate, 0.3) })
      .poly(rect(9, -1.6, 1, 3.2), "#bfe6ee", 0.4);
    helmet(pen, p, 0, 3.3).poly(
      [
        [3, -2.4],
        [4, -1.4],
        [4, 1.4],
        [3, 2.4],
      ],
      p.accent,
    );
  },
  small(
    (pen, p) => {
      stroke(pen, 7.6, -7, 7.6, 7, 4.4);
      stroke(pen, 7.6, -6.4, 7.6, 6.4, 2.6, tint(p.plate, 0.55));
    },
    { r: 3.4 },
  ),
);

const CHEST: readonly Pt[] = [
  [4.6, -3],
  [4.6, 3],
  [1.6, 5.4],
  [-4, 5.2],
  [-6, 2.6],
  [-6, -2.6],
  [-4, -5.2],
  [1.6, -5.4],
];
const SHOULDER: readonly Pt[] = [
  [2.8, -1.4],
  [2.8, 1.4],
  [1.2, 2.9],
  [-1.8, 2.9],
  [-3, 1.4],
  [-3, -1.4],
  [-1.8, -2.9],
  [1.2, -2.9],
];
const inPower =
  (leads: boolean): Drawing =>
  (pen, p) => {
    const pad = (y: number): [Pt[], Pt[]] => [
      scaled(SHOULDER, 1.22, 1.08, -0.3, y),
      scaled(SHOULDER, 0.76, 0.64, -0.5, y),
    ];
    pen.cast(scaled(CHEST, 1.3), 1.9, 0.4).bevel(rect(-9, -4, 4.6, 8), rect(-8.2, -3, 3, 6), p.pack);
    for (const y of [2.2, -2.2]) pen.dot(-7.2, y, 1.6, "#1a120c").dot(-7.2, y, 1, p.glow);
    limb(pen, p.pack, 1, 6.4, 6.4, 6, 3.2);
    limb(pen, p.pack, 1, -6.4, 6.4, -4.4, 3.2);
    weapon(pen, p, 4, 5.4, 14, 4.6, 2.9)
      .rod(5, 5, 10.6, 4.6, 0.7, p.metal, p.gun)
      .rod(12.2, 4.7, 14.4, 4.6, 3.2, p.metal, "#07070a");
    pen
      .bevel(CHEST, scaled(CHEST, 0.66, 0.66, -0.4), p.hull, { line: 0.9 })
      .bevels([pad(-6.2)], p.plate, { line: 0.9 })
      .bevels([pad(6.2)], leads ? "#e9dcc6" : p.plate, { line: 0.9 });
    pen
      .poly(rect(-1.6, 5, 2, 2.4), p.accent)
      .poly(rect(-1.6, -7.4, 2, 2.4), p.accent)
      .orb(0.8, 0, 3, 2.9, leads ? "#e9dcc6" : p.helm);
    pen.poly(
      [
        [2.4, -1.9],
        [3.7, -1.2],
        [3.7, 1.2],
        [2.4, 1.9],
      ],
      p.glow,
      0.4,
      "#2a1405",
    );
    if (leads) mast(pen, p, -3.4, 12.4);
  };
const inPowerFar =
  (leads: boolean): Drawing =>
  (pen, p) => {
    pen
      .poly(rect(-5, -8.8, 9.4, 17.6), tint(p.dark, -0.2))
      .poly(rect(-3.8, -8, 7.2, 4.6), tint(p.plate, 0.14))
      .poly(rect(-3.8, 3.4, 7.2, 4.6), leads ? "#f1e6d2" : tint(p.plate, 0.14))
      .poly(rect(-4.4, -3.2, 8.2, 6.4), p.hull);
    stroke(pen, 3, 5.6, 14, 5, 3).dot(2, 0, 2.1, p.glow, 0.9);
    if (leads) mast(pen, p, -4, 13.6);
  };

const jump = soldier(
  (pen, p) => {
    pen.castOval(-0.4, 0, 4.4, 6.2, 1.7, 0.38);
    const fin = (m: number): Pt[] => [
      [0, m * 2],
      [-2.6, m * 4.2],
      [-11.6, m * 10],
      [-9.6, m * 4.4],
      [-6, m * 1.6],
    ];
    for (const m of [1, -1]) pen.cast(fin(m), 1.8, 0.36);
    pen.bevels(
      [1, -1].map((m) => [fin(m), scaled(fin(m), 0.7, 0.7, -1.6, m * 1.2)] as const),
      p.accent,
      { line: 0.8 },
    );
    for (const y of [1.9, -1.9]) {
      pen
        .lines(
          [
            [
              [-8.2, y],
              [-13, y * 1.05],
            ],
          ],
          3,
          FIRE,
          0.75,
        )
        .lines(
          [
            [
              [-8.2, y],
              [-10.6, y],
            ],
          ],
          1.6,
          "#fff0b8",
        )
        .orb(-6, y, 3, 1.9, p.metal);
    }
    pen.orb(-0.2, 0, 3.1, 5.6, p.hull);
    limb(pen, p.cloth, 0.8, 4.6, 6, 3.8);
    limb(pen, p.cloth, 0.8, -4.6, 6, -3.8);
    weapon(pen, p, 6, 3.8, 11.4, 3.6, 1.7).poly(
      [
        [5.4, -4.8],
        [13.4, -3.4],
        [5.6, -3],
      ],
      BRIGHT,
      0.6,
    );
    pen.orb(0.8, 0, 3, 2.9, p.helm).poly(
      [
        [2.4, -1.9],
        [3.7, -1.2],
        [3.7, 1.2],
        [2.4, 1.9],
      ],
      p.glow,
      0.4,
      "#2a1405",
    );
  },
  (pen, p) => {
    pen.poly(
      [
        [1, 2],
        [-2, 5],
        [-12, 11],
        [-8, 1],
        [-8, -1],
        [-12, -11],
        [-2, -5],
        [1, -2],
      ],
      tint(p.accent, 0.15),
      1,
      tint(p.accent, -0.75),
    );
    small((one) => stroke(one, 3, 3.6, 11.6, 3.4, 2), { rx: 3.2, ry: 5.6, r: 3.2 })(pen, p);
  },
);

// --- several to a stand
// ------------------------------------------------------------------------------------------------------

/** Draw a figure of a stand: shadow, shoulders, a weapon and a helmet. */
function man(pen: Pen, p: Palette, x: number, y: number, big = 1): void {
  pen
    .castOval(x, y, 1.7 * big, 2.6 * big, 1.1, 0.36)
    .rod(x + 0.6, y + 1.1, x + 4.6 * big, y + 0.5, 0.7 * big, p.gun)
    .orb(x, y, 1.5 * big, 2.5 * big, p.cloth, 0.5);
  pen.orb(x + 0.4, y, 1.45 * big, 1.4 * big, p.helm, 0.45);
}
function manFar(pen: Pen, p: Palette, x: number, y: number): void {
  pen
    .lines(
      [
        [
          [x, y + 0.8],
          [x + 5, y + 0.5],
        ],
      ],
      1.1,
      INK,
    )
    .ellipse(x, y, 2, 3, tint(p.cloth, 0.1), 0.9)
    .dot(x + 0.3, y, 1.7, tint(p.helm, 0.25), 0.7);
}
const PLACES: readonly Pt[] = [
  [3.4, -1.6],
  [-0.4, 4.3],
  [0.2, -5],
  [-4.4, 0.6],
];
const stand: Figure = {
  box: "round",
  size: 1.12,
  least: LEAST,
  living: true,
  near(pen, p) {
    for (const [x, y] of PLACES) man(pen, p, x, y, 1.1);
  },
  far(pen, p) {
    for (const [x, y] of PLACES) manFar(pen, p, x, y);
  },
};
const standHeavy: Figure = {
  box: "round",
  size: 1.12,
  least: LEAST,
  living: true,
  near(pen, p) {
    pen.cast(rect(-3, -1.2, 13, 2.4), 1.2, 0.34);
    for (const y of [4, -4]) pen.bar(0, 0, 5, y, 0.8, p.dark);
    pen
      .bar(-3, 0, 11, 0, 1.7, p.metal)
      .bar(9.6, 0, 11.4, 0, 2.5, tint(p.metal, -0.2))
      .bevel(rect(-2.6, -2, 4.6, 4), rect(-1.8, -1.2, 3, 2.4), p.plate, { line: 0.6 });
    man(pen, p, -4.6, 2.6, 1.1);
    man(pen, p, -3.6, -4.4, 1.1);
  },
  far(pen, p) {
    stroke(pen, 0, 0, 4.6, 4.6, 1.4);
    stroke(pen, 0, 0, 4.6, -4.6, 1.4);
    stroke(pen, -3, 0, 12, 0, 3.2);
    stroke(pen, -2, 0, 11, 0, 1.4, BRIGHT);
    manFar(pen, p, -4.6, 3);
    manFar(pen, p, -4.4, -3.4);
  },
};

export const TROOPS = {
  stand,
  "stand-heavy": standHeavy,
  rifle,
  "machine-gun": machineGun,
  flamer,
  officer,
  spotter,
  "anti-tank": antiTank,
  mortar,
  sniper,
  conscript,
  assault,
  powered: soldier(inPower(false), inPowerFar(false)),
  "powered-officer": soldier(inPower(true), inPowerFar(true)),
  jump,
} as const satisfies Readonly<Record<string, Figure>>;
