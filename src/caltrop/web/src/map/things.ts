/**
 * Draws things that stand on a map of hexes and cast a shadow to the lower right: trees, stones, walls. The radius of a
 * hex is 100.
 */
import type { Point } from "../wire/types";
import type { Chance } from "../painting/chance.ts";
import type { Colours } from "./colours";

export type Brush = OffscreenCanvasRenderingContext2D;

export interface Thing {
  /** Distance from the upper edge. Things lower on the map are drawn later. */
  readonly foot: number;
  readonly draw: (brush: Brush) => void;
}

const ROUND = Math.PI * 2;

function polygon(brush: Brush, points: readonly Point[], colour: string, alpha = 1): void {
  brush.globalAlpha = alpha;
  brush.fillStyle = colour;
  brush.beginPath();
  points.forEach((p, i) => (i === 0 ? brush.moveTo(...p) : brush.lineTo(...p)));
  brush.closePath();
  brush.fill();
  brush.globalAlpha = 1;
}

const moved = (points: readonly Point[], dx: number, dy: number): Point[] => points.map(([x, y]) => [x + dx, y + dy]);

/** Draw a wood, mostly near the edges because the middle is for a piece. */
export function trees([cx, cy]: Point, of: Chance, c: Colours): Thing[] {
  const things: Thing[] = [];
  const stand = (angle: number, away: number): void => {
    const [x, y] = [cx + Math.cos(angle) * away, cy + Math.sin(angle) * away * 0.98];
    const r = 15 + of() * 9;
    const tones = c.crowns[Math.floor(of() ** 1.4 * c.crowns.length)] ?? c.crowns[0];
    const turn = of() * ROUND;
    const dabs = Array.from(
      { length: 8 },
      () => [3.9 + (of() - 0.5) * 2.3, 0.28 + of() * 0.52, 0.08 + of() * 0.1] as const,
    );
    if (tones !== undefined)
      things.push({ foot: y + r, draw: (brush) => tree(brush, x, y, r, tones, turn, dabs, c.shadow) });
  };
  for (let n = 0; n < 13; n++) stand((n / 13) * ROUND + of() * 0.4, 64 + of() * 18);
  for (let n = 0; n < 8; n++) stand((n / 8) * ROUND + of() * 0.8, 18 + of() * 30);
  return things;
}

function tree(
  brush: Brush,
  x: number,
  y: number,
  r: number,
  tones: readonly [string, string, string, string],
  turn: number,
  dabs: readonly (readonly [number, number, number])[],
  shadow: string,
): void {
  brush.fillStyle = shadow;
  brush.globalAlpha = 0.34;
  brush.beginPath();
  brush.ellipse(x + r * 0.62, y + r * 0.75, r * 1.15, r * 0.82, 0.75, 0, ROUND);
  brush.fill();
  brush.globalAlpha = 1;
  const lumps = [
    [tones[0], 0.06, 0.08, 1.04, 7],
    [tones[1], -0.04, -0.05, 0.92, 6],
    [tones[2], -0.17, -0.2, 0.64, 5],
  ] as const;
  for (const [colour, dx, dy, size, many] of lumps) {
    brush.fillStyle = colour;
    brush.beginPath();
    for (let n = 0; n < many; n++) {
      const angle = (n / many) * ROUND + turn;
      const [u, v] = [x + (dx + Math.cos(angle) * size * 0.52) * r, y + (dy + Math.sin(angle) * size * 0.52) * r];
      brush.moveTo(u, v);
      brush.arc(u, v, r * size * 0.56, 0, ROUND);
    }
    brush.fill();
  }
  brush.fillStyle = tones[3];
  brush.beginPath();
  for (const [angle, away, size] of dabs) {
    const [u, v] = [x + Math.cos(angle) * away * r, y + Math.sin(angle) * away * r];
    brush.moveTo(u, v);
    brush.arc(u, v, r * size, 0, ROUND);
  }
  brush.fill();
}

/** Draw scattered stones. */
export function rocks([cx, cy]: Point, of: Chance, c: Colours): Thing[] {
  return Array.from({ length: 15 }, (_, n) => {
    const angle = n * 2.4 + of() * 0.6;
    const away = n < 9 ? 52 + of() * 28 : of() * 42;
    return rock(cx + Math.cos(angle) * away, cy + Math.sin(angle) * away, 6 + of() * 13, of, c);
  });
}

function rock(x: number, y: number, r: number, of: Chance, c: Colours): Thing {
  const rim = Array.from({ length: 7 }, (_, n): Point => {
    const angle = (n / 7) * ROUND + of() * 0.4;
    return [x + Math.cos(angle) * r * (0.8 + of() * 0.35), y + Math.sin(angle) * r * 0.78 * (0.8 + of() * 0.35)];
  });
  const top = rim.map(([u, v]): Point => [u + (x - r * 0.25 - u) * 0.42, v + (y - r * 0.3 - v) * 0.42]);
  return {
    foot: y + r,
    draw: (brush) => {
      polygon(brush, moved(rim, r * 0.45, r * 0.5), c.shadow, 0.35);
      polygon(brush, moved(rim, 0, r * 0.18), c.stone[0]);
      polygon(brush, rim, c.stone[1]);
      polygon(brush, top, c.stone[2]);
    },
  };
}

/** Draw a wall from one place to another, with a thickness and a height. */
function wall(a: Point, b: Point, thick: number, high: number, c: Colours): Thing {
  const angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
  const [nx, ny] = [(-Math.sin(angle) * thick) / 2, (Math.cos(angle) * thick) / 2];
  const foot: Point[] = [
    [a[0] + nx, a[1] + ny],
    [b[0] + nx, b[1] + ny],
    [b[0] - nx, b[1] - ny],
    [a[0] - nx, a[1] - ny],
  ];
  const top = moved(foot, 0, -high);
  const middle: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  return {
    foot: Math.max(a[1], b[1]),
    draw: (brush) => {
      polygon(brush, moved(foot, high * 0.72, high * 0.72), c.shadow, 0.3);
      foot.forEach((p, i) => {
        const j = (i + 1) % foot.length;
        const [q, s, t] = [foot[j], top[j], top[i]];
        if (q === undefined || s === undefined || t === undefined) return;
        const [mx, my] = [(p[0] + q[0]) / 2 - middle[0], (p[1] + q[1]) / 2 - middle[1]];
        if (my > -1) polygon(brush, [p, q, s, t], mx > Math.abs(my) ? c.wall[0] : c.wall[1]);
      });
      polygon(brush, top, c.wall[2]);
    },
  };
}

const PLANS: readonly (readonly (readonly [number, number, number, number, number])[])[] = [
  [
    [-66, -40, -16, -44, 22],
    [-66, -40, -66, 12, 17],
    [6, -46, 58, -42, 12],
    [61, -40, 61, -6, 20],
    [-62, 48, -24, 52, 15],
    [28, 54, 60, 48, 19],
    [62, 22, 62, 46, 15],
    [-20, -44, -20, -22, 12],
  ],
  [
    [-58, -46, 24, -46, 19],
    [60, -30, 60, 34, 22],
    [-62, -8, -62, 46, 15],
    [-54, 54, 4, 54, 12],
    [38, -46, 56, -46, 10],
    [28, 56, 54, 56, 15],
    [26, -44, 26, -24, 12],
  ],
  [
    [-64, -24, -64, 42, 19],
    [-54, -50, -10, -50, 15],
    [18, -52, 60, -50, 22],
    [64, -46, 64, 6, 15],
    [-60, 52, -6, 52, 19],
    [24, 54, 60, 52, 12],
    [-26, 52, -26, 34, 10],
  ],
];

/** Draw ruins: walls around a floor, and rubble. */
export function ruins([cx, cy]: Point, of: Chance, c: Colours): Thing[] {
  const plan = PLANS[Math.floor(of() * PLANS.length)] ?? [];
  const bits = Array.from({ length: 30 }, (_, n): Thing => {
    const angle = of() * ROUND;
    const away = Math.sqrt(of()) * 78;
    const size = 2.4 + of() * 6;
    const [x, y] = [cx + Math.cos(angle) * away, cy + Math.sin(angle) * away];
    return {
      foot: y,
      draw: (brush) => {
        polygon(
          brush,
          [
            [x + 2, y + 2],
            [x + size + 2, y + 2],
            [x + size + 2, y + size + 2],
            [x + 2, y + size + 2],
          ],
          c.shadow,
          0.3,
        );
        polygon(
          brush,
          [
            [x, y],
            [x + size, y - 1],
            [x + size, y + size * 0.9],
            [x, y + size],
          ],
          c.wall[n % 3] ?? c.wall[1],
        );
      },
    };
  });
  return [
    ...bits,
    ...plan.map(([ax, ay, bx, by, high]) => wall([cx + ax, cy + ay], [cx + bx, cy + by], 10.5, high, c)),
  ];
}

/** Draw a stronghold: walls between towers along the edges of the hex. */
export function citadel([cx, cy]: Point, corners: readonly Point[], c: Colours): Thing[] {
  const posts = corners.map(([x, y]): Point => [cx + x * 0.78, cy + y * 0.78]);
  const walls = posts.map((p, i) => wall(p, posts[(i + 1) % posts.length] ?? p, 13, 20, c));
  const towers = posts.map(([x, y]): Thing => ({
    foot: y + 14,
    draw: (brush) => {
      const high = 34;
      const ring = (dy: number, r: number): void => {
        brush.beginPath();
        brush.ellipse(x, y + dy, r, r * 0.8, 0, 0, ROUND);
        brush.fill();
      };
      brush.globalAlpha = 0.32;
      brush.fillStyle = c.shadow;
      brush.beginPath();
      brush.ellipse(x + 18, y + 20, 26, 13, 0.75, 0, ROUND);
      brush.fill();
      brush.globalAlpha = 1;
      polygon(
        brush,
        [
          [x - 16, y],
          [x - 16, y - high],
          [x, y - high],
          [x, y + 12],
        ],
        c.wall[1],
      );
      brush.fillStyle = c.wall[1];
      ring(0, 16);
      polygon(
        brush,
        [
          [x - 2, y + 12],
          [x - 2, y - high],
          [x + 16, y - high],
          [x + 16, y],
        ],
        c.wall[0],
      );
      brush.fillStyle = c.wall[2];
      ring(-high, 17);
      brush.fillStyle = c.wall[0];
      ring(-high, 12);
      polygon(
        brush,
        [
          [x - 15, y - high],
          [x, y - high - 26],
          [x, y - high + 11],
        ],
        c.roof[2],
      );
      polygon(
        brush,
        [
          [x + 15, y - high],
          [x, y - high - 26],
          [x, y - high + 11],
        ],
        c.roof[0],
      );
    },
  }));
  return [...walls, ...towers];
}

/** Draw an impassable crag: peaks with a lit and a shaded side. */
export function spire([cx, cy]: Point, of: Chance, c: Colours): Thing[] {
  const peak = (x: number, y: number, wide: number, high: number): Thing => {
    const ridge: Point[] = [
      [x, y - high],
      [x + wide * 0.12, y - high * 0.55],
      [x - wide * 0.06, y - high * 0.2],
      [x + wide * 0.1, y + wide * 0.3],
    ];
    const left: Point[] = [
      [x - wide, y + wide * 0.12],
      [x - wide * 0.62, y - high * 0.3],
      [x - wide * 0.3, y - high * 0.62],
    ];
    const right: Point[] = [
      [x + wide * 0.34, y - high * 0.68],
      [x + wide * 0.6, y - high * 0.26],
      [x + wide, y + wide * 0.1],
    ];
    const snow: Point[] = [
      [x, y - high],
      [x + wide * 0.08, y - high * 0.74],
      [x - wide * 0.08, y - high * 0.66],
      [x - wide * 0.16, y - high * 0.78],
    ];
    return {
      foot: y,
      draw: (brush) => {
        polygon(
          brush,
          [
            [x - wide * 0.6, y + wide * 0.2],
            [x + wide, y],
            [x + wide + high * 0.62, y + high * 0.5],
            [x + high * 0.5, y + high * 0.56],
          ],
          c.shadow,
          0.34,
        );
        polygon(brush, [...left, ...ridge], c.stone[1]);
        polygon(brush, [...[...ridge].reverse(), ...right], c.stone[0]);
        polygon(
          brush,
          [
            [x - wide * 0.62, y - high * 0.3],
            [x - wide * 0.3, y - high * 0.62],
            [x - wide * 0.2, y - high * 0.1],
            [x - wide * 0.5, y + wide * 0.14],
          ],
          c.stone[2],
          0.6,
        );
        polygon(brush, snow, c.stone[2]);
      },
    };
  };
  const stones = Array.from({ length: 9 }, (_, n) =>
    rock(
      cx + Math.cos(n * 0.7 + of()) * (58 + of() * 22),
      cy + Math.sin(n * 0.7 + of()) * (58 + of() * 20),
      5 + of() * 9,
      of,
      c,
    ),
  );
  return [peak(cx - 34, cy + 6, 34, 66), peak(cx + 8, cy + 24, 44, 108), peak(cx + 46, cy + 42, 27, 52), ...stones];
}
