/**
 * Paints a map of hexes as if printed: relief in light from the upper left, woods, hills, water and walls. First come
 * the tones, on a coarse raster that is scaled up, then everything with an outline. The same map always looks the same.
 */
import type { Point } from "../wire/types";
import { chance, hash as seedOf, layered as relief, smooth, type Chance } from "../painting/chance.ts";
import type { Rgb } from "../painting/colour";
import { DAY, NIGHT, type Colours } from "./colours";
import type { Plan, Plot } from "./plan";
import { citadel, rocks, ruins, spire, trees, type Brush, type Thing } from "./things";

/** Raster points for each unit of the map. */
const FINE = 0.26;

/** Fields with a value for each point of the raster. */
interface Fields {
  readonly wide: number;
  readonly high: number;
  readonly woods: Float32Array;
  readonly ruins: Float32Array;
  readonly rubble: Float32Array;
  readonly paving: Float32Array;
  readonly crag: Float32Array;
  readonly hill: Float32Array;
  /** Distance from the middle of the water, in halves of its width. */
  readonly wet: Float32Array;
  readonly ford: Float32Array;
}

export function paint(brush: Brush, plan: Plan, k: number): void {
  const colours = plan.night ? NIGHT : DAY;
  const seed = seedOf(plan.plots.map((plot) => plot.name + plot.kinds.join()).join(" ")) % 9973;
  const fields = lay(plan, seed);
  const tones = tonesOf(fields, colours, seed);
  brush.imageSmoothingEnabled = true;
  brush.imageSmoothingQuality = "high";
  brush.drawImage(tones, 0, 0, plan.wide * k, plan.high * k);

  brush.save();
  brush.scale(k, k);
  contours(brush, fields, colours);
  ripples(brush, plan, colours, seed);
  tufts(brush, plan, fields, colours, seed);
  roads(brush, plan, colours);
  fords(brush, plan, colours, seed);
  const standing = plan.plots.flatMap((plot) => thingsIn(plot, plan, colours, chance(seed + seedOf(plot.name))));
  for (const thing of standing.sort((a, b) => a.foot - b.foot)) thing.draw(brush);
  beyond(brush, plan, colours);
  wash(brush, plan, colours);
  brush.restore();
}

function thingsIn(plot: Plot, plan: Plan, colours: Colours, of: Chance): Thing[] {
  return plot.kinds.flatMap((kind): Thing[] => {
    switch (kind) {
      case "woods":
        return trees(plot.at, of, colours);
      case "rubble":
        return rocks(plot.at, of, colours);
      case "ruins":
        return ruins(plot.at, of, colours);
      case "citadel":
        return citadel(plot.at, plan.corners, colours);
      case "spire":
        return spire(plot.at, of, colours);
      default:
        return [];
    }
  });
}

// ── tones ────────────────────────────────────────────────────────────────────────────────────────────────────────────

function lay(plan: Plan, seed: number): Fields {
  const wide = Math.ceil(plan.wide * FINE);
  const high = Math.ceil(plan.high * FINE);
  const empty = (): Float32Array => new Float32Array(wide * high);
  const fields: Fields = {
    wide,
    high,
    woods: empty(),
    ruins: empty(),
    rubble: empty(),
    paving: empty(),
    crag: empty(),
    hill: empty(),
    wet: empty().fill(9),
    ford: empty(),
  };
  const wobble = empty();
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) wobble[y * wide + x] = relief(x / 15, y / 15, seed + 40, 2) - 0.5;

  /** Visit the raster points near a place, with their distances. */
  const near = (
    [cx, cy]: Point,
    reach: number,
    each: (i: number, away: number, x: number, y: number) => void,
  ): void => {
    const r = reach * FINE;
    for (let y = Math.max(0, Math.floor(cy * FINE - r)); y < Math.min(high, Math.ceil(cy * FINE + r)); y++)
      for (let x = Math.max(0, Math.floor(cx * FINE - r)); x < Math.min(wide, Math.ceil(cx * FINE + r)); x++) {
        const [u, v] = [(x + 0.5) / FINE, (y + 0.5) / FINE];
        each(y * wide + x, Math.hypot(u - cx, v - cy), u, v);
      }
  };
  const floor = (field: Float32Array, at: Point, radius: number): void =>
    near(at, radius * 1.5, (i, away) => {
      field[i] = Math.max(field[i] ?? 0, smooth(1.12, 0.76, away / radius + (wobble[i] ?? 0) * 0.7));
    });

  const FLOORS: Readonly<Record<string, [keyof Fields, number]>> = {
    woods: ["woods", 96],
    ruins: ["ruins", 92],
    rubble: ["rubble", 90],
    citadel: ["paving", 92],
    spire: ["crag", 92],
  };
  for (const plot of plan.plots)
    for (const kind of plot.kinds) {
      const recipe = FLOORS[kind];
      if (recipe !== undefined) floor(fields[recipe[0]] as Float32Array, plot.at, recipe[1]);
      if (kind === "hill")
        near(plot.at, 170, (i, away) => {
          fields.hill[i] = Math.max(fields.hill[i] ?? 0, 1 - smooth(0.12, 1.12, away / 98 + (wobble[i] ?? 0) * 0.5));
        });
      if (kind === "ford") floor(fields.ford, plot.at, 88);
    }
  for (const plot of plan.plots) {
    if (!plot.kinds.some((kind) => kind === "water" || kind === "ford" || kind === "bridge")) continue;
    const ends = plot.waters.map((edge) => middleOf(plan, plot.at, edge));
    near(plot.at, 190, (i, away, x, y) => {
      let to = away / 66;
      for (const end of ends) to = Math.min(to, awayFrom(plot.at, end, x, y) / 56);
      fields.wet[i] = Math.min(fields.wet[i] ?? 9, to + (wobble[i] ?? 0) * 0.42);
    });
  }
  return fields;
}

/** Return the middle of an edge. */
function middleOf(plan: Plan, at: Point, edge: number): Point {
  const [p, q] = [plan.corners[edge], plan.corners[(edge + 1) % plan.corners.length]];
  return p === undefined || q === undefined ? at : [at[0] + (p[0] + q[0]) / 2, at[1] + (p[1] + q[1]) / 2];
}

function awayFrom(a: Point, b: Point, x: number, y: number): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const t = Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

function tonesOf(f: Fields, c: Colours, seed: number): OffscreenCanvas {
  const { wide, high } = f;
  const height = new Float32Array(wide * high);
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const i = y * wide + x;
      const wet = f.wet[i] ?? 9;
      height[i] =
        relief(x / 52, y / 52, seed, 4) * 11 +
        relief(x / 5, y / 5, seed + 20, 2) * 0.95 +
        (f.hill[i] ?? 0) * 21 +
        (f.crag[i] ?? 0) * 9 -
        (wet < 1.4 ? (1 - smooth(0.7, 1.4, wet)) * 6 : 0);
    }
  const drawing = new OffscreenCanvas(wide, high);
  const brush = drawing.getContext("2d") as Brush;
  const image = brush.createImageData(wide, high);
  const tone: [number, number, number] = [0, 0, 0];
  const over = (colour: Rgb, much: number): void => {
    for (let n = 0; n < 3; n++) tone[n] = (tone[n] ?? 0) + ((colour[n] ?? 0) - (tone[n] ?? 0)) * much;
  };
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const i = y * wide + x;
      const dx = (height[y * wide + Math.min(wide - 1, x + 1)] ?? 0) - (height[y * wide + Math.max(0, x - 1)] ?? 0);
      const dy = (height[Math.min(high - 1, y + 1) * wide + x] ?? 0) - (height[Math.max(0, y - 1) * wide + x] ?? 0);
      let light = Math.min(0.34, Math.max(-0.34, (dx + dy) * 0.155));
      const broad = smooth(0.3, 0.7, relief(x / 32, y / 32, seed + 3, 3));
      for (let n = 0; n < 3; n++)
        tone[n] = (c.grass[0][n] ?? 0) + ((c.grass[1][n] ?? 0) - (c.grass[0][n] ?? 0)) * broad;
      over(c.dry, smooth(0.52, 0.74, relief(x / 8, y / 8, seed + 5, 2)) * 0.5);
      over(c.woods, (f.woods[i] ?? 0) * 0.85);
      over(c.ruins, (f.ruins[i] ?? 0) * 0.92);
      over(c.rubble, (f.rubble[i] ?? 0) * 0.66);
      over(c.paving, (f.paving[i] ?? 0) * 0.95);
      over(c.crag, (f.crag[i] ?? 0) * 0.9);
      over(c.hill, (f.hill[i] ?? 0) * 0.75);
      const wet = f.wet[i] ?? 9;
      if (wet < 1.5) {
        const ford = f.ford[i] ?? 0;
        over(c.bank, smooth(1.5, 1.04, wet) * 0.6);
        const into = smooth(1.04, 0.95, wet);
        over(c.water, into);
        over(c.deep, into * smooth(0.95, 0.1, wet) * 0.8 * (1 - ford));
        over(c.sand, into * ford * 0.5);
        if (wet < 1.02)
          light = light * 0.25 + (wet > 0.78 ? -0.1 * into : 0) + (relief(x / 10, y / 2.4, seed + 77, 2) - 0.5) * 0.14;
      }
      for (let n = 0; n < 3; n++) {
        const warm = light > 0 ? ([1, 0.94, 0.78][n] ?? 1) : ([1.09, 1.04, 0.96][n] ?? 1);
        image.data[i * 4 + n] =
          (tone[n] ?? 0) * (1 + light * (light > 0 ? 1 : warm)) + (light > 0 ? light * 22 * (warm - 0.8) : 0);
      }
      image.data[i * 4 + 3] = 255;
    }
  brush.putImageData(image, 0, 0);
  return drawing;
}

// ── lines ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Draw contour lines on the hills, between groups of four points of the raster. */
function contours(brush: Brush, f: Fields, c: Colours): void {
  brush.beginPath();
  for (const level of [0.14, 0.36, 0.58, 0.8])
    for (let y = 0; y + 1 < f.high; y++)
      for (let x = 0; x + 1 < f.wide; x++) {
        const i = y * f.wide + x;
        const [a, b, d, e] = [f.hill[i] ?? 0, f.hill[i + 1] ?? 0, f.hill[i + f.wide] ?? 0, f.hill[i + f.wide + 1] ?? 0];
        const above = Number(a > level) + Number(b > level) + Number(d > level) + Number(e > level);
        if (above === 0 || above === 4) continue;
        const ends: Point[] = [];
        const cut = (p: number, q: number, at: (t: number) => Point): void => {
          if (p > level !== q > level) ends.push(at((level - p) / (q - p)));
        };
        cut(a, b, (t) => [x + t, y]);
        cut(b, e, (t) => [x + 1, y + t]);
        cut(d, e, (t) => [x + t, y + 1]);
        cut(a, d, (t) => [x, y + t]);
        const [from, to] = ends;
        if (from === undefined || to === undefined) continue;
        brush.moveTo((from[0] + 0.5) / FINE, (from[1] + 0.5) / FINE);
        brush.lineTo((to[0] + 0.5) / FINE, (to[1] + 0.5) / FINE);
      }
  brush.strokeStyle = c.contour;
  brush.globalAlpha = 0.62;
  brush.lineWidth = 1.9;
  brush.lineCap = "round";
  brush.stroke();
  brush.globalAlpha = 1;
}

function ripples(brush: Brush, plan: Plan, c: Colours, seed: number): void {
  brush.beginPath();
  for (const plot of plan.plots) {
    if (!plot.kinds.includes("water")) continue;
    const of = chance(seed + seedOf(plot.name) + 3);
    for (let n = 0; n < 9; n++) {
      const x = plot.at[0] + (of() - 0.5) * 74;
      const y = plot.at[1] + (of() - 0.5) * 74;
      const long = 7 + of() * 12;
      brush.moveTo(x - long, y);
      brush.quadraticCurveTo(x, y - 5, x + long, y);
    }
  }
  brush.strokeStyle = c.ripple;
  brush.globalAlpha = 0.5;
  brush.lineWidth = 1.7;
  brush.stroke();
  brush.globalAlpha = 1;
}

function tufts(brush: Brush, plan: Plan, f: Fields, c: Colours, seed: number): void {
  const of = chance(seed + 5);
  const blades: [Path2D, Path2D] = [new Path2D(), new Path2D()];
  for (let n = 0; n < (plan.wide * plan.high) / 1100; n++) {
    const [x, y, dark] = [of() * plan.wide, of() * plan.high, of() < 0.55];
    const i = Math.floor(y * FINE) * f.wide + Math.floor(x * FINE);
    if ((f.wet[i] ?? 9) < 1.15 || (f.ruins[i] ?? 0) + (f.paving[i] ?? 0) + (f.crag[i] ?? 0) > 0.5) continue;
    const path = blades[dark ? 0 : 1];
    path.moveTo(x, y);
    path.lineTo(x - 3.4, y - 6);
    path.moveTo(x + 2.2, y);
    path.lineTo(x + 4.4, y - 6.4);
    path.moveTo(x + 1, y);
    path.lineTo(x + 0.6, y - 7.4);
  }
  brush.lineWidth = 1.7;
  blades.forEach((path, n) => {
    brush.strokeStyle = c.tufts[n] ?? c.tufts[0];
    brush.stroke(path);
  });
}

/** Return the lines of roads: from edge to edge through the middle, as smooth curves. */
function waysIn(plan: Plan, plot: Plot): Path2D {
  const path = new Path2D();
  const ends = plot.roads.map((edge) => middleOf(plan, plot.at, edge));
  const [a, b] = ends;
  if (ends.length === 2 && a !== undefined && b !== undefined) {
    path.moveTo(...a);
    path.quadraticCurveTo(...plot.at, ...b);
  } else if (ends.length > 2) {
    for (const end of ends) {
      path.moveTo(...end);
      path.lineTo(...plot.at);
    }
  } else if (plot.kinds.some((kind) => kind === "road" || kind === "bridge")) {
    path.moveTo(plot.at[0] - 87, plot.at[1]);
    path.lineTo(plot.at[0] + 87, plot.at[1]);
  }
  return path;
}

function roads(brush: Brush, plan: Plan, c: Colours): void {
  const all = plan.plots.filter((plot) => plot.kinds.some((kind) => kind === "road" || kind === "bridge"));
  const lines = all.map((plot) => ({ bridge: plot.kinds.includes("bridge"), path: waysIn(plan, plot) }));
  const stroke = (colour: string, width: number, alpha: number, bridges: boolean, dashes: number[] = []): void => {
    brush.strokeStyle = colour;
    brush.lineWidth = width;
    brush.globalAlpha = alpha;
    brush.setLineDash(dashes);
    for (const line of lines) if (line.bridge === bridges) brush.stroke(line.path);
  };
  brush.lineCap = "round";
  brush.lineJoin = "round";
  stroke(c.verge, 44, 0.28, false);
  stroke(c.verge, 37, 0.4, false);
  stroke(c.road, 31, 0.95, false);
  stroke(c.rut, 17, 0.75, false);
  stroke(c.road, 10, 1, false);
  // Draw a bridge: the shadow on the water, the planks, and a rail on both sides.
  brush.lineCap = "butt";
  brush.save();
  brush.translate(9, 13);
  stroke(c.shadow, 54, 0.4, true);
  brush.restore();
  stroke(c.wood[0], 58, 1, true);
  stroke(c.wood[1], 46, 1, true);
  stroke(c.wood[2], 46, 1, true, [8, 4]);
  stroke(c.wood[0], 46, 0.7, true, [1.6, 10.4]);
  brush.setLineDash([]);
  brush.globalAlpha = 1;
}

/** Draw stepping stones. */
function fords(brush: Brush, plan: Plan, c: Colours, seed: number): void {
  for (const plot of plan.plots) {
    if (!plot.kinds.includes("ford")) continue;
    const of = chance(seed + seedOf(plot.name) + 9);
    for (let n = 0; n < 13; n++) {
      const x = plot.at[0] + (n - 6) * 11 + (of() - 0.5) * 8;
      const y = plot.at[1] + (of() - 0.5) * 34;
      const r = 5 + of() * 5;
      for (const [dx, dy, colour, size] of [
        [2.5, 3, c.shadow, 1.1],
        [0, 1.6, c.stone[0], 1],
        [0, 0, c.stone[1], 1],
        [-0.8, -0.8, c.stone[2], 0.62],
      ] as const) {
        brush.fillStyle = colour;
        brush.globalAlpha = colour === c.shadow ? 0.35 : 1;
        brush.beginPath();
        brush.ellipse(x + dx, y + dy, r * size, r * 0.72 * size, 0, 0, Math.PI * 2);
        brush.fill();
      }
    }
  }
  brush.globalAlpha = 1;
}

/** Darken the area outside the hexes, which is out of play. */
function beyond(brush: Brush, plan: Plan, c: Colours): void {
  brush.beginPath();
  brush.rect(0, 0, plan.wide, plan.high);
  for (const plot of plan.plots) {
    plan.corners.forEach((p, i) =>
      i === 0 ? brush.moveTo(plot.at[0] + p[0], plot.at[1] + p[1]) : brush.lineTo(plot.at[0] + p[0], plot.at[1] + p[1]),
    );
    brush.closePath();
  }
  brush.fillStyle = c.beyond;
  brush.fill("evenodd");
}

function wash(brush: Brush, plan: Plan, c: Colours): void {
  const light = brush.createLinearGradient(0, 0, plan.wide, plan.high * 1.25);
  light.addColorStop(0, c.wash[0]);
  light.addColorStop(0.45, c.wash[1]);
  light.addColorStop(1, c.wash[2]);
  brush.fillStyle = light;
  brush.fillRect(0, 0, plan.wide, plan.high);
}

// ── the table below ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Draw the boards under a map, as wide and as high as the drawing. */
export function paintBoards(brush: Brush, wide: number, high: number, night: boolean): void {
  const [a, b] = (night ? NIGHT : DAY).board;
  const image = brush.createImageData(wide, high);
  const plank = high / 6;
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const n = Math.floor(y / plank);
      const down = y - n * plank;
      const grain = relief(x / 130 + n * 13.7, (y / 2.8 + relief(x / 90, y / 32, n + 2, 2) * 5) * 0.55, n * 7 + 1, 3);
      const t = smooth(0.25, 0.75, grain);
      const seam = down < 1 ? 0.55 : down < 2 ? 1.1 : 1;
      const away = Math.hypot(x - wide * 0.28, (y - high * 0.12) * 1.25) / (wide * 0.95);
      const k = (1 + ((n % 3) - 1) * 0.045) * seam * ((night ? 1.16 : 1.2) - away * 0.5);
      const i = (y * wide + x) * 4;
      for (let m = 0; m < 3; m++)
        image.data[i + m] = ((a[m] ?? 0) + ((b[m] ?? 0) - (a[m] ?? 0)) * t) * k * ([1.03, 1, 0.96][m] ?? 1);
      image.data[i + 3] = 255;
    }
  brush.putImageData(image, 0, 0);
}
