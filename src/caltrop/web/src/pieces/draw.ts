/** Draws things from above, lit from the north-west. Outlines are turned before they are lit. */
import { INK, SHADE } from "./paints";

export type Pt = readonly [number, number];

/** One path of a drawing. */
export interface Mark {
  d: string;
  fill?: string;
  stroke?: string;
  width?: number;
  opacity?: number;
}

/** Direction of the light. */
export const LIGHT: Pt = [-0.76, -0.65];
/** Offset of the shadow of a thing of height 1. */
const SUN: Pt = [0.92, 0.78];

const parts = (colour: string): [number, number, number] => {
  const n = parseInt(colour.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
};

const mixed = new Map<string, string>();

/** Return a colour between two, from 0 to 1. */
export function mix(from: string, to: string, part: number): string {
  const step = Math.round(part * 48);
  const key = from + to + step;
  let colour = mixed.get(key);
  if (colour === undefined) {
    const [a, b] = [parts(from), parts(to)];
    colour =
      "#" +
      a
        .map((v, i) =>
          Math.round(v + ((b[i] ?? v) - v) * (step / 48))
            .toString(16)
            .padStart(2, "0"),
        )
        .join("");
    mixed.set(key, colour);
  }
  return colour;
}

/** Return a lighter or darker colour, from -1 to 1. */
export const tint = (colour: string, light: number): string =>
  light > 0 ? mix(colour, "#fff6e0", light) : mix(colour, "#141b2b", -light);

const round = (v: number): string => String(Math.round(v * 100) / 100);
const closed = (points: readonly Pt[]): string =>
  "M" + points.map((p) => `${round(p[0])} ${round(p[1])}`).join("L") + "Z";

export const rect = (x: number, y: number, wide: number, high: number): Pt[] => [
  [x, y],
  [x + wide, y],
  [x + wide, y + high],
  [x, y + high],
];
export const scaled = (points: readonly Pt[], sx: number, sy = sx, dx = 0, dy = 0): Pt[] =>
  points.map(([x, y]) => [x * sx + dx, y * sy + dy]);
export const shifted = (points: readonly Pt[], dx: number, dy: number): Pt[] =>
  points.map(([x, y]) => [x + dx, y + dy]);

/** Return the points of a star or a cogwheel. */
export const star = (outer: number, inner: number, points: number, turn = -Math.PI / 2): Pt[] =>
  Array.from({ length: points * 2 }, (_, i) => {
    const r = i % 2 === 0 ? outer : inner;
    const t = turn + (i * Math.PI) / points;
    return [Math.cos(t) * r, Math.sin(t) * r];
  });

/** Return a smooth closed outline through points of its upper half, mirrored on the long axis. */
export function smooth(half: readonly Pt[], steps = 4): Pt[] {
  const all = [
    ...half,
    ...half
      .slice(1, -1)
      .reverse()
      .map(([x, y]): Pt => [x, -y]),
  ];
  const n = all.length;
  const out: Pt[] = [];
  const at = (i: number): Pt => all[(i + n) % n] ?? [0, 0];
  for (let i = 0; i < n; i++) {
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    for (let s = 0; s < steps; s++) {
      const t = s / steps;
      const along = (k: 0 | 1): number =>
        0.5 *
        (2 * b[k] +
          (c[k] - a[k]) * t +
          (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k]) * t * t +
          (3 * b[k] - a[k] - 3 * c[k] + d[k]) * t * t * t);
      out.push([along(0), along(1)]);
    }
  }
  return out;
}

/** Return a generator of numbers that are equal for equal seeds. */
export function dice(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Return a number computed from a word. */
export function seedOf(word: string): number {
  let h = 2166136261;
  for (let i = 0; i < word.length; i++) h = Math.imul(h ^ word.charCodeAt(i), 16777619);
  return h >>> 0;
}

interface Bevel {
  /** Width of the outline. */
  line?: number;
  /** Colour of the block's upper face. */
  top?: string;
}

/** Draws shapes turned by an angle. Their coordinates have the front to the right. */
export class Pen {
  readonly marks: Mark[] = [];
  private readonly cos: number;
  private readonly sin: number;

  /** The angle is in radians, clockwise on the screen. */
  constructor(readonly angle = 0) {
    this.cos = Math.cos(angle);
    this.sin = Math.sin(angle);
  }

  /** Return a point after the rotation. */
  at(x: number, y: number): Pt {
    return [x * this.cos - y * this.sin, x * this.sin + y * this.cos];
  }

  turned(points: readonly Pt[]): Pt[] {
    return points.map(([x, y]) => this.at(x, y));
  }

  /** A path whose points are turned already. */
  path(mark: Mark): this {
    const last = this.marks.at(-1);
    if (
      last !== undefined &&
      mark.stroke === undefined &&
      last.stroke === undefined &&
      mark.opacity === undefined &&
      last.opacity === undefined &&
      mark.fill === last.fill
    )
      last.d += mark.d;
    else this.marks.push({ ...mark });
    return this;
  }

  poly(points: readonly Pt[], fill: string, line = 0, edge: string = INK): this {
    const d = closed(this.turned(points));
    return this.path(line > 0 ? { d, fill, stroke: edge, width: line } : { d, fill });
  }

  /** Draw blocks whose sides slope in all directions, each lit by its own. */
  bevels(
    blocks: readonly (readonly [readonly Pt[], readonly Pt[]])[],
    colour: string,
    { line = 0.7, top = tint(colour, 0.14) }: Bevel = {},
  ): this {
    const faces = new Map<number, string>();
    const pairs = blocks.map(([outer, inner]) => [this.turned(outer), this.turned(inner)] as const);
    for (const [outer, inner] of pairs) {
      let area = 0;
      const after = (i: number): Pt => outer[(i + 1) % outer.length] ?? [0, 0];
      outer.forEach((p, i) => (area += p[0] * after(i)[1] - after(i)[0] * p[1]));
      outer.forEach((p, i) => {
        const q = after(i);
        const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
        const way = Math.sign(area) / (Math.hypot(dx, dy) || 1);
        const tone = Math.round((dy * LIGHT[0] - dx * LIGHT[1]) * way * 3) / 3;
        const [a, b] = [inner[i] ?? p, inner[(i + 1) % inner.length] ?? q];
        faces.set(tone, (faces.get(tone) ?? "") + closed([p, q, b, a]));
      });
    }
    if (line > 0)
      this.path({
        d: pairs.map(([outer]) => closed(outer)).join(""),
        fill: tint(colour, -0.62),
        stroke: tint(colour, -0.74),
        width: line,
      });
    for (const [tone, d] of faces) this.path({ d, fill: tint(colour, tone * 0.5) });
    return this.path({ d: pairs.map(([, inner]) => closed(inner)).join(""), fill: top });
  }

  bevel(outer: readonly Pt[], inner: readonly Pt[], colour: string, how: Bevel = {}): this {
    return this.bevels([[outer, inner]], colour, how);
  }

  /** Draw a round bar from one point to another with a dark border and a light edge, such as a barrel. */
  bar(x1: number, y1: number, x2: number, y2: number, width: number, colour: string): this {
    const [p, q] = [this.at(x1, y1), this.at(x2, y2)];
    const from = (off: number): string =>
      `M${round(p[0] + LIGHT[0] * off)} ${round(p[1] + LIGHT[1] * off)}L${round(q[0] + LIGHT[0] * off)} ` +
      `${round(q[1] + LIGHT[1] * off)}`;
    this.path({ d: from(0), stroke: tint(colour, -0.68), width: width + 0.7 });
    this.path({ d: from(0), stroke: colour, width });
    return this.path({ d: from(width * 0.25), stroke: tint(colour, 0.55), width: width * 0.35 });
  }

  /** Draw a stroke with a dark border, for limbs and weapons. */
  rod(x1: number, y1: number, x2: number, y2: number, width: number, colour: string, edge: string = INK): this {
    const [p, q] = [this.at(x1, y1), this.at(x2, y2)];
    const d = `M${round(p[0])} ${round(p[1])}L${round(q[0])} ${round(q[1])}`;
    return this.path({ d, stroke: edge, width: width + 0.9 }).path({ d, stroke: colour, width });
  }

  /** Draw strokes without a border, all in one colour. */
  lines(ways: readonly (readonly Pt[])[], width: number, colour: string, opacity?: number): this {
    const d = ways
      .map(
        (way) =>
          "M" +
          this.turned(way)
            .map((p) => `${round(p[0])} ${round(p[1])}`)
            .join("L"),
      )
      .join("");
    return this.path({ d, stroke: colour, width, ...(opacity === undefined ? {} : { opacity }) });
  }

  private oval(x: number, y: number, rx: number, ry: number): string {
    const [a, b] = [this.at(x - rx, y), this.at(x + rx, y)];
    const turn = round((this.angle * 180) / Math.PI);
    const arc = (to: Pt): string => `A${round(rx)} ${round(ry)} ${turn} 1 0 ${round(to[0])} ${round(to[1])}`;
    return `M${round(a[0])} ${round(a[1])}${arc(b)}${arc(a)}Z`;
  }

  ellipse(x: number, y: number, rx: number, ry: number, fill: string, line = 0, edge: string = INK): this {
    const d = this.oval(x, y, rx, ry);
    return this.path(line > 0 ? { d, fill, stroke: edge, width: line } : { d, fill });
  }

  dot(x: number, y: number, r: number, fill: string, line = 0, edge: string = INK): this {
    return this.ellipse(x, y, r, r, fill, line, edge);
  }

  /** Draw something round, lit in three tones. */
  orb(x: number, y: number, rx: number, ry: number, colour: string, line = 0.7): this {
    const small = Math.min(rx, ry);
    const [lx, ly] = [LIGHT[0] * this.cos + LIGHT[1] * this.sin, -LIGHT[0] * this.sin + LIGHT[1] * this.cos];
    const part = (size: number, off: number): string =>
      this.oval(x + lx * small * off, y + ly * small * off, rx * size, ry * size);
    this.path({ d: part(1, 0), fill: tint(colour, -0.26), stroke: tint(colour, -0.76), width: line });
    return this.path({ d: part(0.74, 0.18), fill: tint(colour, 0.1) }).path({
      d: part(0.36, 0.34),
      fill: tint(colour, 0.44),
    });
  }

  /** Draw the shadow of an outline with a height. */
  cast(points: readonly Pt[], height: number, opacity = 0.4): this {
    return this.path({
      d: closed(this.turned(points).map(([x, y]) => [x + SUN[0] * height, y + SUN[1] * height])),
      fill: SHADE,
      opacity,
    });
  }

  /** Draw the shadow of something round. */
  castOval(x: number, y: number, rx: number, ry: number, height: number, opacity = 0.4): this {
    const [sx, sy] = [SUN[0] * this.cos + SUN[1] * this.sin, -SUN[0] * this.sin + SUN[1] * this.cos];
    return this.path({ d: this.oval(x + sx * height, y + sy * height, rx, ry), fill: SHADE, opacity });
  }

  /** Draw a pennant on a mast that is upright on the screen at any angle. */
  pennant(x: number, y: number, high: number, colour: string): this {
    const [px, py] = this.at(x, y);
    this.path({
      d: `M${round(px)} ${round(py)}l${round(high * 0.5)} ${round(high * 0.42)}`,
      stroke: SHADE,
      width: 0.9,
      opacity: 0.4,
    });
    this.path({ d: `M${round(px)} ${round(py)}v${round(-high)}`, stroke: INK, width: 1.1 });
    return this.path({
      d:
        `M${round(px)} ${round(py - high - 0.2)}l${round(high * 0.72)} ${round(high * 0.22)}l` +
        `${round(-high * 0.72)} ${round(high * 0.24)}Z`,
      fill: colour,
      stroke: INK,
      width: 0.5,
    });
  }
}
