/** Paints a plan, or part of it, into a bitmap. The painter runs in a worker, with canvases and without a page. */
import { cell, chance } from "../painting/chance.ts";
import { mix, parts, sheer } from "../painting/colour.ts";
import type { Relief } from "./growing.ts";
import type { Palette, Three } from "./lands.ts";
import { BUSHES } from "./looks/plants.ts";
import { CROWNS } from "./looks/woods.ts";
import { sunFor, type Crown, type Op } from "./ops.ts";
import type { Plan } from "./plan.ts";
import type { Box, Outline, Place } from "./shapes.ts";

/** The part of the table to paint, in look units from the upper left corner on the screen. */
export interface View {
  readonly left: number;
  readonly top: number;
  /** Pixels for each look unit. */
  readonly k: number;
  /** Size of the bitmap, in pixels. */
  readonly wide: number;
  readonly high: number;
  /** Bitmap pixels for each pixel of the screen. Ink lines keep their width on the screen. */
  readonly density: number;
  readonly dark: boolean;
}

type Pen = OffscreenCanvasRenderingContext2D;

function canvas(wide: number, high: number): { sheet: OffscreenCanvas; pen: Pen } {
  const sheet = new OffscreenCanvas(Math.max(1, Math.ceil(wide)), Math.max(1, Math.ceil(high)));
  return { sheet, pen: sheet.getContext("2d") as Pen };
}

function trace(pen: Pen, outline: Outline, closed = true): void {
  outline.forEach(([x, y], i) => (i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
  if (closed) pen.closePath();
}

/** Light and shade are seen from the screen. On a turned table, the plan is turned too. */
const SUN = sunFor(false);

export function paint(plan: Plan, view: View): OffscreenCanvas {
  const { sheet, pen } = canvas(view.wide, view.high);
  const { palette } = plan.land;
  const { k } = view;
  /** Return where a place of the plan lies on the bitmap. */
  const at = ([x, y]: Place): Place =>
    plan.turned
      ? [(plan.wide - x - view.left) * k, (plan.high - y - view.top) * k]
      : [(x - view.left) * k, (y - view.top) * k];
  const world = (on: Pen, size = 1): void => {
    const s = k * size;
    if (plan.turned) on.setTransform(-s, 0, 0, -s, (plan.wide - view.left) * s, (plan.high - view.top) * s);
    else on.setTransform(s, 0, 0, s, -view.left * s, -view.top * s);
  };
  const seen = seenOf(plan, view);
  const thin = view.density / k;

  pen.drawImage(ground(plan, view), 0, 0, view.wide, view.high);
  world(pen);
  lay(pen, plan.flats, seen, thin);
  grass(pen, plan, seen, k / view.density);
  contours(pen, plan.hills, palette, thin, k / view.density);

  const crowns = [
    ...sprited(plan.crowns, spritesOf(palette.crowns, CROWNS, k, `${plan.seed} crowns`), at),
    ...sprited(plan.bushes, spritesOf([palette.hedge], BUSHES, k, `${plan.seed} bushes`), at),
  ]
    .filter(
      ({ x, y, sprite }) =>
        x > -4 * sprite.half &&
        y > -4 * sprite.half &&
        x < view.wide + 4 * sprite.half &&
        y < view.high + 4 * sprite.half,
    )
    .sort((a, b) => a.y + a.x * 0.6 - b.y - b.x * 0.6);
  const shadows = canvas(view.wide / 2, view.high / 2);
  world(shadows.pen, 0.5);
  shadows.pen.fillStyle = palette.shadow;
  shadows.pen.beginPath();
  for (const outline of plan.shades) trace(shadows.pen, outline);
  shadows.pen.fill();
  shadows.pen.setTransform(0.5, 0, 0, 0.5, 0, 0);
  for (const { x, y, sprite, height } of crowns)
    for (const part of [1, 0.5])
      shadows.pen.drawImage(
        sprite.shade,
        x + SUN.cast[0] * height * k * part - sprite.half,
        y + SUN.cast[1] * height * k * part - sprite.half,
      );
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.globalAlpha = 0.44;
  pen.drawImage(shadows.sheet, 0, 0, view.wide, view.high);
  pen.globalAlpha = 1;

  world(pen);
  lay(pen, plan.bodies, seen, thin);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  for (const { x, y, sprite } of crowns)
    pen.drawImage(sprite.crown, Math.round(x - sprite.half), Math.round(y - sprite.half));

  light(pen, plan, view);
  world(pen);
  edges(pen, plan, thin, view.dark, view.wide / view.density < SMALL);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  return sheet;
}

/** The part of the plan inside the picture. */
function seenOf(plan: Plan, view: View): Box {
  const [wide, high] = [view.wide / view.k, view.high / view.k];
  const [left, top] = plan.turned ? [plan.wide - view.left - wide, plan.high - view.top - high] : [view.left, view.top];
  return [left, top, left + wide, top + high];
}

/** Paint the tones of the ground with the light on its hills, as a small raster that is scaled up. */
function ground(plan: Plan, view: View): OffscreenCanvas {
  const size = Math.max(2, Math.ceil(view.wide / 400));
  const { sheet, pen } = canvas(view.wide / size, view.high / size);
  const image = pen.createImageData(sheet.width, sheet.height);
  const data = image.data;
  const colours = plan.land.palette.ground.map(parts);
  const earthen = parts(plan.land.palette.earth);
  const { step, columns, rows, tone, earth } = plan.tones;
  const fine = fineTile();
  const [dx, dy] = [view.wide / view.k / sheet.width, view.high / view.k / sheet.height];
  for (let j = 0, o = 0; j < sheet.height; j++)
    for (let i = 0; i < sheet.width; i++, o += 4) {
      let x = view.left + (i + 0.5) * dx;
      let y = view.top + (j + 0.5) * dy;
      if (plan.turned) [x, y] = [plan.wide - x, plan.high - y];
      const gx = Math.max(0, Math.min(columns - 1.001, x / step));
      const gy = Math.max(0, Math.min(rows - 1.001, y / step));
      const [ci, cj] = [gx | 0, gy | 0];
      const [u, v] = [gx - ci, gy - cj];
      const n = cj * columns + ci;
      const weigh = (grid: Float32Array): number =>
        ((grid[n] as number) * (1 - u) + (grid[n + 1] as number) * u) * (1 - v) +
        ((grid[n + columns] as number) * (1 - u) + (grid[n + columns + 1] as number) * u) * v;
      let shade = 1;
      let high = 0;
      for (const hill of plan.hills) {
        const hx = (x - hill.left) / hill.step;
        const hy = (y - hill.top) / hill.step;
        if (hx < 0 || hy < 0 || hx >= hill.columns - 1 || hy >= hill.rows - 1) continue;
        const [hi, hj] = [hx | 0, hy | 0];
        const [p, q, m] = [hx - hi, hy - hj, hj * hill.columns + hi];
        const ask = (grid: Float32Array): number =>
          ((grid[m] as number) * (1 - p) + (grid[m + 1] as number) * p) * (1 - q) +
          ((grid[m + hill.columns] as number) * (1 - p) + (grid[m + hill.columns + 1] as number) * p) * q;
        high = Math.max(high, Math.min(1, ask(hill.heights) / 3.4));
        shade *= ask(hill.light);
      }
      const here = fine[((Math.floor(y * 7.2) & 511) << 9) | (Math.floor(x * 7.2) & 511)] as number;
      const t = Math.max(0, Math.min(2.999, weigh(tone) + (here - 0.5) * 0.4 + high * 0.35));
      const [from, to] = [colours[t | 0] as readonly number[], colours[(t | 0) + 1] as readonly number[]];
      const part = t - (t | 0);
      const bare = weigh(earth);
      const nap = fine[((Math.floor(y * 18.4) & 511) << 9) | (Math.floor(x * 18.4) & 511)] as number;
      const lean = fine[((Math.floor(y * 18.4 + 3) & 511) << 9) | (Math.floor(x * 18.4 + 3) & 511)] as number;
      const add = (lean - nap) * 13 + high * 9;
      for (let c = 0; c < 3; c++) {
        const plain = (from[c] as number) + ((to[c] as number) - (from[c] as number)) * part;
        data[o + c] = (plain + ((earthen[c] as number) - plain) * bare) * shade + add;
      }
      data[o + 3] = 255;
    }
  pen.putImageData(image, 0, 0);
  return sheet;
}

function lay(pen: Pen, ops: readonly Op[], seen: Box, thin: number): void {
  for (const op of ops) {
    const box = op.box;
    if (box !== undefined && (box[2] < seen[0] || box[0] > seen[2] || box[3] < seen[1] || box[1] > seen[3])) continue;
    draw(pen, op, seen, thin);
  }
}

function draw(pen: Pen, op: Op, seen: Box, thin: number): void {
  switch (op.op) {
    case "fill":
      pen.globalAlpha = op.alpha;
      pen.fillStyle = op.colour;
      pen.beginPath();
      for (const shape of op.shapes) trace(pen, shape);
      pen.fill();
      break;
    case "line":
      pen.globalAlpha = op.alpha;
      pen.strokeStyle = op.colour;
      pen.lineWidth = Math.max(op.width, (op.least ?? 0) * thin);
      pen.lineCap = "round";
      pen.lineJoin = "round";
      pen.setLineDash(op.dashes ? [...op.dashes] : []);
      pen.beginPath();
      for (const path of op.lines) trace(pen, path, op.closed);
      pen.stroke();
      pen.setLineDash([]);
      break;
    case "dots":
      pen.globalAlpha = op.alpha;
      pen.fillStyle = op.colour;
      pen.beginPath();
      for (let i = 0; i < op.at.length; i += 3) {
        const [x, y, r] = [op.at[i] as number, op.at[i + 1] as number, op.at[i + 2] as number];
        if (x + r < seen[0] || x - r > seen[2] || y + r < seen[1] || y - r > seen[3]) continue;
        pen.moveTo(x + r, y);
        pen.arc(x, y, r, 0, Math.PI * 2);
      }
      pen.fill();
      break;
    case "ovals":
      pen.globalAlpha = op.alpha;
      pen.fillStyle = op.colour;
      pen.beginPath();
      for (let i = 0; i < op.at.length; i += 5) {
        const [x, y, a, b, turn] = [
          op.at[i] as number,
          op.at[i + 1] as number,
          op.at[i + 2] as number,
          op.at[i + 3] as number,
          op.at[i + 4] as number,
        ];
        if (x + a < seen[0] || x - a > seen[2] || y + a < seen[1] || y - a > seen[3]) continue;
        pen.moveTo(x + a * Math.cos(turn), y + a * Math.sin(turn));
        pen.ellipse(x, y, a, b, turn, 0, Math.PI * 2);
      }
      pen.fill();
      break;
    case "within":
      pen.save();
      pen.beginPath();
      trace(pen, op.outline);
      pen.clip();
      for (const inner of op.ops) draw(pen, inner, seen, thin);
      pen.restore();
      break;
    case "glow": {
      pen.globalAlpha = 1;
      const gradient = pen.createRadialGradient(op.at[0], op.at[1], 0, op.at[0], op.at[1], op.radius);
      op.alphas.forEach((alpha, i) => gradient.addColorStop(i / (op.alphas.length - 1), sheer(op.colour, alpha)));
      pen.fillStyle = gradient;
      pen.fillRect(op.at[0] - op.radius, op.at[1] - op.radius, 2 * op.radius, 2 * op.radius);
      break;
    }
    case "sweep": {
      pen.globalAlpha = 1;
      const gradient = pen.createLinearGradient(op.from[0], op.from[1], op.to[0], op.to[1]);
      op.colours.forEach((colour, i) => gradient.addColorStop(i / (op.colours.length - 1), colour));
      pen.fillStyle = gradient;
      pen.beginPath();
      trace(pen, op.outline);
      pen.fill();
      break;
    }
    case "hollow": {
      pen.globalAlpha = op.alpha;
      pen.fillStyle = op.colour;
      pen.save();
      pen.beginPath();
      trace(pen, op.outline);
      pen.clip();
      pen.beginPath();
      pen.rect(seen[0] - 60, seen[1] - 60, seen[2] - seen[0] + 120, seen[3] - seen[1] + 120);
      trace(
        pen,
        op.outline.map(([x, y]): Place => [x + op.by[0], y + op.by[1]]),
      );
      pen.fill("evenodd");
      pen.restore();
      break;
    }
  }
  pen.globalAlpha = 1;
}

/** Draw tufts of three blades, with a little shadow. */
function grass(pen: Pen, plan: Plan, seen: Box, size: number): void {
  const heaps = plan.tufts(size > 26);
  // Smaller tufts would look like noise.
  const strength = Math.min(1, size / 7);
  const { palette } = plan.land;
  const { up, cast } = plan.sun;
  const right = Math.sign(cast[0]);
  pen.lineCap = "round";
  const each = (heap: readonly number[], blades: (x: number, y: number, r: number) => void): void => {
    for (let i = 0; i < heap.length; i += 3) {
      const [x, y, r] = [heap[i] as number, heap[i + 1] as number, heap[i + 2] as number];
      if (x > seen[0] - 1 && x < seen[2] + 1 && y > seen[1] - 1 && y < seen[3] + 1) blades(x, y, r);
    }
  };
  pen.globalAlpha = 0.12 * strength;
  pen.strokeStyle = palette.shadow;
  pen.lineWidth = 0.16;
  pen.beginPath();
  for (const heap of heaps)
    each(heap, (x, y, r) => {
      pen.moveTo(x - r * 0.4 * right, y - up * r * 0.5);
      pen.lineTo(x + r * 1.2 * right, y - up * r * 0.7);
    });
  pen.stroke();
  heaps.forEach((heap, n) => {
    pen.globalAlpha = ([0.34, 0.36, 0.4, 0.5][n] as number) * strength;
    pen.strokeStyle = palette.tufts[n] as string;
    pen.lineWidth = 0.09;
    pen.beginPath();
    each(heap, (x, y, r) => {
      pen.moveTo(x - r, y - up * r * 0.3);
      pen.lineTo(x - r * 0.5, y + up * r);
      pen.moveTo(x, y - up * r * 0.4);
      pen.lineTo(x + r * 0.1, y + up * r * 1.2);
      pen.moveTo(x + r, y - up * r * 0.3);
      pen.lineTo(x + r * 0.8, y + up * r * 0.7);
    });
    pen.stroke();
  });
  pen.globalAlpha = 1;
}

function contours(pen: Pen, hills: readonly Relief[], palette: Palette, thin: number, size: number): void {
  pen.lineCap = "round";
  pen.strokeStyle = mix(palette.ink, palette.earth, 0.35);
  pen.lineWidth = Math.max(0.9, Math.min(1.5, size * 0.09)) * thin;
  for (const hill of hills)
    hill.contours.forEach((level, n) => {
      // The foot has an edge of ink, or none.
      if (n === 0) return;
      pen.globalAlpha = 0.42;
      pen.beginPath();
      for (const piece of level) trace(pen, piece, false);
      pen.stroke();
    });
  pen.globalAlpha = 1;
}

interface Sprite {
  readonly crown: OffscreenCanvas;
  readonly shade: OffscreenCanvas;
  /** Half the side of the sprite, in pixels. */
  readonly half: number;
}

/** Tree tops from above, lit from the north-west of the screen. Sprites are never turned, because the light is not. */
function spritesOf(colours: readonly Three[], radii: readonly number[], k: number, seed: string): Sprite[] {
  return radii.map((radius, number) => {
    const of = chance(seed + number);
    const r = radius * k;
    const half = Math.ceil(r * 1.35 + 2);
    const colour = colours[number % colours.length] as Three;
    const lobes: { x: number; y: number; r: number }[] = [];
    const many = 7 + Math.floor(of() * 4);
    for (let i = 0; i < many; i++) {
      const angle = (i / many) * Math.PI * 2 + of() * 0.5;
      const far = r * (0.5 + of() * 0.16);
      lobes.push({ x: Math.cos(angle) * far, y: Math.sin(angle) * far, r: r * (0.34 + of() * 0.14) });
    }
    const blob = (pen: Pen, grown: number): void => {
      pen.beginPath();
      pen.arc(0, 0, r * 0.62 + grown, 0, Math.PI * 2);
      for (const lobe of lobes) {
        pen.moveTo(lobe.x + lobe.r, lobe.y);
        pen.arc(lobe.x, lobe.y, lobe.r + grown, 0, Math.PI * 2);
      }
      pen.fill();
    };
    const { sheet: crown, pen } = canvas(2 * half, 2 * half);
    pen.translate(half, half);
    pen.fillStyle = mix(colour[0], "#0d1418", 0.25);
    blob(pen, Math.max(0.4, r * 0.03));
    pen.fillStyle = colour[0];
    pen.translate(SUN.light[0] * r * 0.05, SUN.light[1] * r * 0.05);
    blob(pen, 0);
    pen.translate(-SUN.light[0] * r * 0.05, -SUN.light[1] * r * 0.05);
    const dabs: { x: number; y: number; bright: number; r: number }[] = [];
    const dabCount = Math.min(150, Math.max(26, Math.round(r * 4)));
    for (let i = 0; i < dabCount; i++) {
      const angle = of() * Math.PI * 2;
      const far = Math.sqrt(of()) * r * 0.92;
      const [x, y] = [Math.cos(angle) * far, Math.sin(angle) * far];
      const [grain, size] = [of(), of()];
      const near = lobes.reduce((best, lobe) =>
        Math.hypot(x - lobe.x, y - lobe.y) < Math.hypot(x - best.x, y - best.y) ? lobe : best,
      );
      if (far >= r * 0.62 && Math.hypot(x - near.x, y - near.y) > near.r * 0.9) continue;
      const ofLobe = ((x - near.x) * SUN.light[0] + (y - near.y) * SUN.light[1]) / near.r;
      const ofAll = (x * SUN.light[0] + y * SUN.light[1]) / r;
      dabs.push({
        x,
        y,
        bright: Math.min(1, Math.max(0, 0.46 + ofAll * 0.46 + ofLobe * 0.2 + (grain - 0.5) * 0.24)),
        r: r * (0.09 + size * 0.09),
      });
    }
    for (const dab of dabs.sort((a, b) => a.bright - b.bright)) {
      pen.fillStyle =
        dab.bright < 0.55
          ? mix(colour[0], colour[1], dab.bright / 0.55)
          : mix(colour[1], colour[2], (dab.bright - 0.55) / 0.45);
      pen.beginPath();
      pen.arc(dab.x, dab.y, Math.max(0.7, dab.r), 0, Math.PI * 2);
      pen.fill();
    }
    const { sheet: shade, pen: dark } = canvas(2 * half, 2 * half);
    dark.translate(half, half);
    dark.fillStyle = "#000000";
    blob(dark, r * 0.04);
    return { crown, shade, half };
  });
}

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly sprite: Sprite;
  readonly height: number;
}

function sprited(crowns: readonly Crown[], sprites: readonly Sprite[], at: (p: Place) => Place): Placed[] {
  return crowns.map((one) => {
    const [x, y] = at(one.at);
    return { x, y, sprite: sprites[one.sprite] as Sprite, height: one.height };
  });
}

/**
 * Paint the grain of the paint, and the light over the whole table: warm from the north-west, cool in the south-east.
 */
function light(pen: Pen, plan: Plan, view: View): void {
  const [left, top] = [-view.left * view.k, -view.top * view.k];
  const pattern = pen.createPattern(grainTile(), "repeat") as CanvasPattern;
  pattern.setTransform(new DOMMatrix([1, 0, 0, 1, left, top]));
  pen.globalCompositeOperation = "overlay";
  pen.globalAlpha = 0.11;
  pen.fillStyle = pattern;
  pen.fillRect(0, 0, view.wide, view.high);
  pen.globalAlpha = 1;
  pen.globalCompositeOperation = "soft-light";
  const gradient = pen.createLinearGradient(left, top, left + plan.wide * view.k, top + plan.high * view.k);
  gradient.addColorStop(0, plan.land.late ? "rgba(255,196,120,.62)" : "rgba(255,222,156,.55)");
  gradient.addColorStop(0.5, "rgba(128,128,128,0)");
  gradient.addColorStop(1, plan.land.late ? "rgba(24,24,74,.6)" : "rgba(36,44,66,.34)");
  pen.fillStyle = gradient;
  pen.fillRect(0, 0, view.wide, view.high);
  if (view.dark) {
    pen.globalCompositeOperation = "multiply";
    // In an evening land the picture is dark already.
    pen.fillStyle = plan.land.late ? "#9da3b0" : "#7f8796";
    pen.fillRect(0, 0, view.wide, view.high);
  }
  pen.globalCompositeOperation = "source-over";
}

/** Width in pixels below which a picture is a preview without a game. */
const SMALL = 440;

/** Draw the edges that matter to the rules: fine ink with a contrasting border, and only a hint in small pictures. */
function edges(pen: Pen, plan: Plan, thin: number, dark: boolean, small: boolean): void {
  const much = small ? 0.45 : 1;
  pen.lineCap = "round";
  pen.lineJoin = "round";
  const ink = plan.land.palette.ink;
  for (const { outline, dashes } of plan.edges) {
    pen.beginPath();
    trace(pen, outline);
    pen.setLineDash(dashes.map((length) => length * thin));
    pen.strokeStyle = dark ? sheer("#0d0d0c", 0.5 * much) : sheer("#fff8e4", 0.35 * much);
    pen.lineWidth = 2.4 * thin;
    pen.stroke();
    pen.strokeStyle = dark ? sheer("#e9e0c8", 0.5 * much) : sheer(ink, 0.72 * much);
    pen.lineWidth = 1.1 * thin;
    pen.stroke();
  }
  pen.setLineDash([]);
}

let fineKnown: Float32Array | undefined;

/** A tile of noise that repeats, 512 by 512 pixels, with eight pixels for each step. */
function fineTile(): Float32Array {
  if (fineKnown !== undefined) return fineKnown;
  const [side, period] = [512, 64];
  const tile = new Float32Array(side * side);
  const lattice = (i: number, j: number): number => cell(i & (period - 1), j & (period - 1), 7);
  for (let j = 0; j < side; j++)
    for (let i = 0; i < side; i++) {
      const [x, y] = [i / 8, j / 8];
      const [p, q] = [x | 0, y | 0];
      let [u, v] = [x - p, y - q];
      u = u * u * (3 - 2 * u);
      v = v * v * (3 - 2 * v);
      const [a, b, c, d] = [lattice(p, q), lattice(p + 1, q), lattice(p, q + 1), lattice(p + 1, q + 1)];
      tile[j * side + i] = a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v;
    }
  fineKnown = tile;
  return tile;
}

let grainKnown: OffscreenCanvas | undefined;

function grainTile(): OffscreenCanvas {
  if (grainKnown !== undefined) return grainKnown;
  const side = 256;
  const { sheet, pen } = canvas(side, side);
  const image = pen.createImageData(side, side);
  const of = chance(7);
  for (let i = 0; i < side * side * 4; i += 4) {
    const v = 128 + (of() + of() + of() - 1.5) * 120;
    image.data.set([v + 3, v, v - 4, 255], i);
  }
  pen.putImageData(image, 0, 0);
  grainKnown = sheet;
  return sheet;
}
