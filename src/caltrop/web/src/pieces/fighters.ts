/** Draws fighters from above: a folded cloak behind, shoulders, and a weapon that extends beyond the base. */
import { rect, scaled, tint, type Pen, type Pt } from "./draw";
import type { Drawing, Figure } from "./figure";
import { BRIGHT, GOLD, INK, STEEL_BLADE, WOOD, type Palette } from "./paints";

const SIZE = 1.16;
const LEAST = 24;

const CLOAK: readonly Pt[] = (() => {
  const hem: Pt[] = [];
  for (let i = 0; i <= 14; i++) {
    const u = -1 + (i / 14) * 2;
    const back = -7.6 - (1 - u * u) * 1.6 + Math.sin(i * 2.3) * 0.55;
    hem.push([back * (1 - Math.abs(u) * 0.16), u * 5.8]);
  }
  return [[1.4, -4.4], ...hem, [1.4, 4.4], [2.2, 0]];
})();

const stick = (pen: Pen, x1: number, y1: number, x2: number, y2: number, width: number, colour: string): Pen =>
  pen.rod(x1, y1, x2, y2, width, colour, "#191512");
const sleeve = (pen: Pen, p: Palette, x: number, y: number): Pen =>
  stick(pen, 0.4, Math.sign(y) * 3.4, x, y, 2, p.cloth);
const hand = (pen: Pen, p: Palette, x: number, y: number): Pen => pen.dot(x, y, 1.15, p.skin, 0.4, "#4a2d1c");

function blade(pen: Pen, x: number, y: number, x2: number, y2: number, wide: number): void {
  const [dx, dy] = [x2 - x, y2 - y];
  const long = Math.hypot(dx, dy);
  const [nx, ny] = [(-dy / long) * wide, (dx / long) * wide];
  const edge: Pt[] = [
    [x + nx, y + ny],
    [x2 - dx * 0.12 + nx, y2 - dy * 0.12 + ny],
    [x2, y2],
    [x2 - dx * 0.12 - nx, y2 - dy * 0.12 - ny],
    [x - nx, y - ny],
  ];
  pen
    .cast(edge, 1.5, 0.36)
    .poly(edge, STEEL_BLADE, 0.6, "#1a1c20")
    .poly([...edge.slice(0, 3), [x, y]], BRIGHT);
  stick(pen, x + nx * 3.4, y + ny * 3.4, x - nx * 3.4, y - ny * 3.4, 0.7, GOLD);
}

function body(pen: Pen, p: Palette, weapon: Drawing, over?: Drawing): void {
  pen
    .cast(CLOAK, 2, 0.42)
    .bevel(CLOAK, scaled(CLOAK, 0.72, 0.72, -0.5), p.cloak, { top: tint(p.cloak, 0.06), line: 0.8 });
  pen.lines(
    [-3.2, -1.1, 1.1, 3.2].map((y) => [
      [-2.2, y * 0.6],
      [-7.6, y * 1.25],
    ]),
    0.6,
    tint(p.cloak, -0.5),
    0.75,
  );
  weapon(pen, p);
  pen.orb(0, 0, 2.7, 4.8, p.cloth, 0.55);
  over?.(pen, p);
}
const hair: Drawing = (pen, p) =>
  pen.orb(1.2, 0, 2, 2, p.skin, 0.55).orb(-0.2, 0, 2.75, 2.75, p.hair, 0.55).orb(-2.7, 0.3, 1.3, 1.3, p.hair, 0.45);
const hood: Drawing = (pen, p) =>
  pen
    .orb(0.9, 0, 2.2, 2.2, p.skin, 0.55)
    .orb(-0.2, 0, 2.9, 3, tint(p.cloak, -0.08), 0.55)
    .lines(
      [
        [
          [2, -2],
          [2.9, 0],
          [2, 2],
        ],
      ],
      1.2,
      p.hair,
    );
const cap: Drawing = (pen, p) => pen.orb(1.2, 0, 2.2, 2.2, p.skin, 0.55).orb(-0.2, 0, 2.9, 2.8, p.accent, 0.55);
const helm: Drawing = (pen, p) =>
  pen
    .orb(0.8, 0, 2.4, 2.4, p.skin, 0.55)
    .orb(0, 0, 3, 3, p.metal, 0.55)
    .lines(
      [
        [
          [-2.6, 0],
          [2.6, 0],
        ],
      ],
      0.8,
      BRIGHT,
    );
const crown: Drawing = (pen, p) => {
  hair(pen, p);
  const ring = Array.from({ length: 10 }, (_, i): Pt => {
    const [t, r] = [(i / 10) * 2 * Math.PI, i % 2 === 0 ? 3.9 : 2.6];
    return [-0.1 + Math.cos(t) * r, Math.sin(t) * r];
  });
  pen.poly(ring, GOLD, 0.5, "#5a4008").dot(-0.1, 0, 2, p.hair);
};

const far =
  (weapon: Drawing): Drawing =>
  (pen, p) => {
    pen.cast(CLOAK, 2, 0.4).poly(CLOAK, p.cloak, 1.1, tint(p.cloak, -0.75));
    weapon(pen, p);
    pen.ellipse(0, 0, 2.7, 5, tint(p.cloth, 0.15), 0.9).dot(0.3, 0, 2.9, p.hair, 0.9).dot(1.9, 0, 1.5, p.skin);
  };
const flash = (pen: Pen, ways: readonly (readonly Pt[])[], width: number, colour = BRIGHT): Pen =>
  pen.lines(ways, width + 1.6, INK).lines(ways, width, colour);

const fighter = (weapon: Drawing, small: Drawing, top: Drawing, over?: Drawing): Figure => ({
  box: "round",
  size: SIZE,
  least: LEAST,
  living: true,
  near(pen, p) {
    body(pen, p, weapon, over);
    top(pen, p);
  },
  far: far(small),
});

const dagger = fighter(
  (pen, p) => {
    sleeve(pen, p, 4.6, 3.4);
    sleeve(pen, p, 2.6, -4.2);
    blade(pen, 5, 3.4, 9.8, 2.2, 0.6);
    hand(pen, p, 4.9, 3.5);
    hand(pen, p, 2.6, -4.4);
  },
  (pen) =>
    flash(
      pen,
      [
        [
          [3, 3.6],
          [9.6, 2.4],
        ],
      ],
      1.2,
    ),
  hair,
);
const sword = fighter(
  (pen, p) => {
    sleeve(pen, p, 4.4, 3.8);
    sleeve(pen, p, 2.8, -4);
    blade(pen, 4.6, 4, 13.4, 2, 0.75);
    hand(pen, p, 4.6, 4);
    hand(pen, p, 2.8, -4.2);
  },
  (pen) =>
    flash(
      pen,
      [
        [
          [3, 4],
          [13, 2.2],
        ],
      ],
      1.5,
    ),
  hair,
);
const shield: Drawing = (pen, p) => {
  pen
    .castOval(4.2, -4.2, 4, 4, 1.3, 0.4)
    .dot(4.2, -4.2, 4, p.flag, 0.7)
    .dot(4.2, -4.2, 3.4, "#e8eaea")
    .dot(4.2, -4.2, 2.6, p.flag);
  pen
    .lines(
      [
        [
          [1.2, -4.2],
          [7.2, -4.2],
        ],
        [
          [4.2, -7.2],
          [4.2, -1.2],
        ],
      ],
      0.8,
      "#e8eaea",
    )
    .dot(4.1, -4.3, 1.1, BRIGHT, 0.4);
};
const swordShield = fighter(
  (pen, p) => {
    sleeve(pen, p, 4, 4.2);
    blade(pen, 4.2, 4.4, 13.2, 2.4, 0.75);
    hand(pen, p, 4.2, 4.4);
  },
  (pen, p) => {
    flash(
      pen,
      [
        [
          [3, 4],
          [13, 2.4],
        ],
      ],
      1.5,
    );
    pen.dot(4.4, -4.4, 4.2, p.flag, 1).dot(4.4, -4.4, 2.2, BRIGHT);
  },
  hair,
  shield,
);
const twoSwords = fighter(
  (pen, p) => {
    for (const m of [1, -1]) {
      sleeve(pen, p, 4.2, m * 4.6);
      blade(pen, 4.4, m * 4.8, 12, m * 7.8, 0.65);
      hand(pen, p, 4.4, m * 4.8);
    }
  },
  (pen) =>
    flash(
      pen,
      [
        [
          [3, 4.6],
          [12, 8],
        ],
        [
          [3, -4.6],
          [12, -8],
        ],
      ],
      1.4,
    ),
  hair,
);
const twoHands: Drawing = (pen, p) => {
  sleeve(pen, p, 4.6, 1.6);
  sleeve(pen, p, 4.2, -1.6);
  blade(pen, 5.4, 0.4, 17, -3.2, 1.3);
  hand(pen, p, 5, 0.9);
  hand(pen, p, 3.9, 0.6);
};
const twoHandsFar: Drawing = (pen) =>
  flash(
    pen,
    [
      [
        [3, 1],
        [16.4, -3],
      ],
    ],
    2.3,
  );
const furs: Drawing = (pen) => {
  for (let i = 0; i < 13; i++) {
    const u = -1 + i / 6;
    pen.dot(-1.4 - (1 - u * u) * 1.4, u * 4.6, 1.25, i % 2 === 0 ? "#cdbfa6" : "#b3a283", 0.3, "#5a4a36");
  }
};
const spear = fighter(
  (pen, p) => {
    stick(pen, -8, 3.6, 13, 3.2, 0.9, WOOD);
    pen
      .poly(
        [
          [12.2, 2.1],
          [17, 3.2],
          [12.2, 4.3],
          [13, 3.2],
        ],
        BRIGHT,
        0.6,
        "#191512",
      )
      .poly(
        [
          [11.4, 2.4],
          [9, 1],
          [9.4, 3.2],
        ],
        p.accent,
      );
    sleeve(pen, p, 4.6, 3.4);
    sleeve(pen, p, 1.6, 3.8);
    hand(pen, p, 5, 3.3);
    hand(pen, p, 0.4, 3.5);
  },
  (pen) => {
    pen
      .lines(
        [
          [
            [-8, 3.6],
            [15, 3.2],
          ],
        ],
        1.7,
        INK,
      )
      .poly(
        [
          [12, 1.2],
          [17, 3.2],
          [12, 5.2],
        ],
        BRIGHT,
        0.8,
      );
  },
  hair,
);
const bow = fighter(
  (pen, p) => {
    sleeve(pen, p, 6, -2.4);
    sleeve(pen, p, 1.6, 3.2);
    const limbs: Pt[] = Array.from({ length: 9 }, (_, i): Pt => {
      const t = i / 8;
      return [
        (1 - t) ** 2 * 3.6 + 2 * t * (1 - t) * 10 + t ** 2 * 3.6,
        (1 - t) ** 2 * -8.8 + 2 * t * (1 - t) * -2.4 + t ** 2 * 4.4,
      ];
    });
    pen
      .lines([limbs], 1.9, "#191512")
      .lines([limbs], 1.1, "#b58a4e")
      .lines(
        [
          [
            [3.6, -8.8],
            [1.8, -2.2],
            [3.6, 4.4],
          ],
        ],
        0.45,
        BRIGHT,
      );
    stick(pen, 1.8, -2.2, 11.6, -2.4, 0.5, "#efe6cf").poly(
      [
        [11, -3.2],
        [13.4, -2.4],
        [11, -1.6],
      ],
      BRIGHT,
      0.4,
    );
    hand(pen, p, 6.6, -2.4);
    hand(pen, p, 1.8, -1.9);
    stick(pen, -6.4, 1.4, -2.4, 3.2, 2.3, "#6b4423");
  },
  (pen) => {
    flash(
      pen,
      [
        [
          [3.6, -9],
          [6.8, -5],
          [7, 0],
          [3.6, 5],
        ],
      ],
      1.3,
      "#d9a860",
    );
    pen.lines(
      [
        [
          [1.8, -2.2],
          [12.6, -2.4],
        ],
      ],
      1.1,
      INK,
    );
  },
  hood,
);
const oneArm = (head: Drawing, small: Drawing, top: Drawing): Figure =>
  fighter(
    (pen, p) => {
      sleeve(pen, p, 4.4, 3.8);
      head(pen, p);
      hand(pen, p, 4.6, 3.9);
      sleeve(pen, p, 2.6, -4);
      hand(pen, p, 2.6, -4.2);
    },
    small,
    top,
  );
const axe = oneArm(
  (pen) =>
    stick(pen, 2.6, 4.4, 11, 2.8, 0.9, WOOD).poly(
      [
        [9.4, 3.2],
        [8.6, -0.6],
        [12.8, 0],
        [11.8, 2.8],
      ],
      STEEL_BLADE,
      0.6,
      "#191512",
    ),
  (pen) =>
    pen
      .lines(
        [
          [
            [2.6, 4.4],
            [11, 2.8],
          ],
        ],
        1.9,
        INK,
      )
      .poly(
        [
          [9.2, 3.6],
          [8.2, -1.2],
          [13.2, -0.4],
          [12, 3.2],
        ],
        BRIGHT,
        1,
      ),
  cap,
);
const club = oneArm(
  (pen) => {
    stick(pen, 4.4, 3.9, 8, 3, 1.2, WOOD);
    stick(pen, 8, 3, 11.8, 2.1, 2.4, tint(WOOD, -0.2));
  },
  (pen) =>
    flash(
      pen,
      [
        [
          [4, 4],
          [11.8, 2.2],
        ],
      ],
      2.4,
      WOOD,
    ),
  helm,
);
const twoDaggers = fighter(
  (pen, p) => {
    for (const m of [1, -1]) {
      sleeve(pen, p, 4.4, m * 4);
      blade(pen, 4.8, m * 4.2, 9.4, m * 3, 0.6);
      hand(pen, p, 4.6, m * 4.2);
    }
  },
  (pen) =>
    flash(
      pen,
      [
        [
          [3.6, 4.2],
          [9.4, 3],
        ],
        [
          [3.6, -4.2],
          [9.4, -3],
        ],
      ],
      1.2,
    ),
  hood,
);

const wolf: Figure = {
  box: "round",
  size: 1.1,
  least: LEAST,
  living: true,
  near(pen, p) {
    const fur = p.coat;
    pen.castOval(-1, 0, 7, 3, 1.6, 0.4).rod(-6, 0, -11.4, -1.6, 1.6, tint(fur, -0.1), INK);
    for (const [x, m] of [
      [3, 1],
      [3, -1],
      [-4.4, 1],
      [-4.4, -1],
    ] as const)
      pen.rod(x, m * 1.8, x + 1.6, m * 4, 1.5, tint(fur, -0.15), INK);
    pen
      .orb(-3, 0, 4.4, 2.9, fur)
      .orb(2.2, 0, 4, 3.2, tint(fur, 0.1))
      .orb(7.2, 0, 2.9, 2.3, fur)
      .orb(9.6, 0, 1.7, 1.1, tint(fur, -0.2), 0.5);
    for (const m of [1, -1])
      pen
        .poly(
          [
            [5.4, m * 1.4],
            [6.2, m * 3.2],
            [7.4, m * 1.8],
          ],
          tint(fur, -0.35),
          0.5,
        )
        .dot(8.4, m * 1, 0.5, "#ffd27a");
    pen.lines(
      [
        [
          [-6, 0],
          [4.6, 0],
        ],
      ],
      0.9,
      tint(fur, -0.5),
      0.7,
    );
  },
  far(pen, p) {
    pen.lines(
      [
        [
          [-6, 0],
          [-11, -1.6],
        ],
      ],
      2.2,
      INK,
    );
    for (const x of [2.6, -4.4])
      pen.lines(
        [
          [
            [x, -4.2],
            [x, 4.2],
          ],
        ],
        2,
        INK,
      );
    pen
      .ellipse(-1.4, 0, 6.2, 3, tint(p.coat, 0.15), 1)
      .dot(6.6, 0, 2.9, tint(p.coat, 0.3), 1)
      .ellipse(9.4, 0, 1.8, 1.2, p.coat, 0.8);
  },
};
const giant: Figure = {
  box: "round",
  size: 1.2,
  least: LEAST,
  living: true,
  near(pen, p) {
    pen.castOval(-0.6, 0, 5, 8.4, 2.2, 0.42);
    stick(pen, 0.6, 6.4, 5.6, 5.8, 3.2, p.skin);
    stick(pen, 0.6, -6.4, 4, -6.6, 3.2, p.skin);
    stick(pen, 4.6, 6.4, 10, 4, 1.9, WOOD);
    stick(pen, 10, 4, 16, 1.2, 3.6, tint(WOOD, -0.2));
    for (const [x, y] of [
      [11.4, 1.4],
      [13.6, 4.2],
      [14.6, 0],
    ] as const)
      pen.dot(x, y, 0.7, tint(WOOD, -0.6));
    pen
      .orb(-0.6, 0, 4.2, 8, p.cloth, 0.7)
      .bevel(rect(-4.6, -5.4, 3.4, 10.8), rect(-4, -4.4, 2, 8.8), p.cloak, { line: 0.6 })
      .orb(1.6, 0, 2.9, 2.9, p.skin, 0.6)
      .orb(0.6, 0, 2.6, 2.8, p.hair, 0.5);
  },
  far(pen, p) {
    pen
      .lines(
        [
          [
            [3, 6.4],
            [15, 1.6],
          ],
        ],
        4.6,
        INK,
      )
      .lines(
        [
          [
            [4, 6.2],
            [14.6, 1.8],
          ],
        ],
        2.8,
        WOOD,
      )
      .ellipse(-0.6, 0, 4.4, 8.4, p.cloth, 1.1)
      .dot(1.2, 0, 3.2, p.hair, 1)
      .dot(2.8, 0, 1.6, p.skin);
  },
};

export const FIGHTERS = {
  dagger,
  sword,
  "sword-shield": swordShield,
  "two-swords": twoSwords,
  "great-sword": fighter(twoHands, twoHandsFar, hair, furs),
  crowned: fighter(twoHands, twoHandsFar, crown, furs),
  spear,
  bow,
  axe,
  club,
  "two-daggers": twoDaggers,
  wolf,
  giant,
} as const satisfies Readonly<Record<string, Figure>>;
