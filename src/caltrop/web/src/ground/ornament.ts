/**
 * Draws decoration that is not terrain: tracks, fields, paving, heather, grass. An ornament is flat, has no ink edge,
 * and avoids everything that matters to the rules.
 */
import { cell, chance, layered, noise, type Chance } from "../painting/chance.ts";
import { mix } from "../painting/colour.ts";
import { Growing } from "./growing.ts";
import { band, dots, fill, line, ovals, within, type Op } from "./ops.ts";
import {
  awayFrom,
  beside,
  boxOf,
  depth,
  frayed,
  inBox,
  isInside,
  middleOf,
  moved,
  plank,
  rounded,
  stoneAt,
  strides,
  type Box,
  type Outline,
  type Place,
} from "./shapes.ts";

/** A named place on the table. */
export interface Landmark {
  readonly at: Place;
  readonly radius: number;
  readonly name: string;
}

/** Names of places where paths meet. */
export const MEETING = /cross|junction|road|gate|market|bridge/i;

/** Return a path across the table through a place and around obstacles; null if there is none. */
function wayThrough(
  through: Place,
  angle: number,
  obstacles: readonly Outline[],
  plan: Growing,
  of: Chance,
): Place[] | null {
  const far = Math.hypot(plan.wide, plan.high);
  const bend = (of() - 0.5) * 0.9;
  let points: Place[] = Array.from({ length: 25 }, (_, i): Place => {
    const t = (i / 24 - 0.5) * 2;
    const turn = angle + bend * t * 0.5 + Math.sin(t * 3 + bend * 5) * 0.12 * (Math.abs(t) > 0.08 ? 1 : 0);
    return [through[0] + Math.cos(turn) * t * far, through[1] + Math.sin(turn) * t * far];
  });
  const around = obstacles.map((outline) => ({ outline, box: boxOf(outline, 4), at: middleOf(outline) }));
  for (let round = 0; round < 40; round++) {
    points = points.map((p, i): Place => {
      if (i === 12) return p;
      let [x, y] = p;
      for (const { outline, box, at } of around) {
        if (!inBox(box, x, y)) continue;
        const into = depth(outline, x, y) + 3;
        if (into <= 0) continue;
        const away = Math.hypot(x - at[0], y - at[1]) || 1;
        x += ((x - at[0]) / away) * Math.min(into, 1);
        y += ((y - at[1]) / away) * Math.min(into, 1);
      }
      const [a, b] = [points[i - 1], points[i + 1]];
      if (a !== undefined && b !== undefined) [x, y] = [x * 0.6 + (a[0] + b[0]) * 0.2, y * 0.6 + (a[1] + b[1]) * 0.2];
      return [x, y];
    });
  }
  const path = rounded(points, false, 3);
  const clear = path.every(([x, y]) =>
    around.every(({ outline, box }) => !inBox(box, x, y) || depth(outline, x, y) < -1.3),
  );
  return clear ? path : null;
}

/** Draw a cart track: trodden earth with two ruts and grass between them. */
function track(path: Outline, width: number, of: Chance, plan: Growing): void {
  const { palette } = plan;
  plan.flats.push(
    band(path, width * 1.5, palette.earth, 0.18),
    band(path, width * 1.18, palette.earth, 0.3),
    band(path, width, palette.track, 0.75),
  );
  const fringe = strides(path, 0.2, false).flatMap(({ x, y }): Place[] =>
    [0, 1].map((): Place => {
      const angle = of() * Math.PI * 2;
      const far = width * (0.44 + of() * 0.14);
      return [x + Math.cos(angle) * far, y + Math.sin(angle) * far];
    }),
  );
  plan.strew(fringe, [palette.track, palette.ground[1]], 0.07, 0.2, 0.5, of);
  for (const side of [-1, 1]) {
    const rut = frayed(beside(path, side * width * 0.23), 0.1, 1.5, 7);
    plan.flats.push(
      line([rut], width * 0.17, palette.rut, 0.55),
      line(
        [moved(rut, plan.sun.cast[0] * 0.1, plan.sun.cast[1] * 0.1)],
        width * 0.06,
        mix(palette.track, "#fff6dd", 0.5),
        0.5,
      ),
    );
  }
  const middle = strides(path, 0.33, false)
    .filter(() => of() < 0.55)
    .map(({ x, y }): Place => [x + (of() - 0.5) * 0.35, y + (of() - 0.5) * 0.35]);
  plan.strew(middle, palette.tufts.slice(0, 3), 0.06, 0.16, 0.65, of);
  plan.trodden.push({ line: path, half: width * 0.5 });
}

/** Draw a ploughed or sown field: flat colour with furrows. */
function field(outline: Outline, angle: number, colour: string, of: Chance, plan: Growing): void {
  const { palette } = plan;
  const edge = frayed(
    strides(outline, 0.7, true).map(({ x, y }): Place => [x, y]),
    0.6,
    1,
    31,
  );
  const at = middleOf(outline);
  const box = boxOf(outline);
  const half = Math.hypot(box[2] - box[0], box[3] - box[1]) / 2;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const put = (u: number, v: number): Place => [at[0] + u * c - v * s, at[1] + u * s + v * c];
  const dark: Outline[][] = [[], [], []];
  const pale: Outline[] = [];
  const gap = 0.42;
  for (let v = -half; v < half; v += gap) {
    const row: Place[] = [];
    for (let u = -half; u <= half; u++) row.push(put(u, v + (noise(u * 0.7, v, 13) - 0.5) * 0.16));
    dark[Math.floor(of() * 3)]?.push(row);
    pale.push([put(-half, v - gap * 0.34), put(half, v - gap * 0.34)]);
  }
  const furrow = mix(colour, palette.shadow, 0.4);
  plan.flats.push(
    within(edge, [
      fill([edge], colour, 0.66),
      ...dark.map((rows, i) => line(rows, gap * 0.42, furrow, 0.26 + i * 0.05)),
      line(pale, gap * 0.26, mix(colour, "#ffffff", 0.35), 0.28),
    ]),
  );
}

/** Add tracks and fields to farmed land, and a crossroads if a place has such a name. */
export function farm(plan: Growing, obstacles: readonly Outline[], landmarks: readonly Landmark[], seed: string): void {
  const of = chance(`${seed}farm`);
  const meeting = landmarks.find((one) => MEETING.test(one.name));
  if (!plan.land.farmed && meeting === undefined) return;
  const box: Box = [0, 0, plan.wide, plan.high];
  const ways: Outline[] = [];
  const through: Place = meeting?.at ?? [plan.wide * (0.3 + of() * 0.4), plan.high * (0.3 + of() * 0.4)];
  const most = meeting === undefined ? 1 : 2;
  let first: number | null = null;
  for (let tries = 0; tries < 24 && ways.length < most; tries++) {
    const angle = of() * Math.PI;
    // Two paths that meet cross each other, and do not run side by side.
    if (first !== null && Math.abs(Math.sin(angle - first)) < 0.75) continue;
    const way = wayThrough(through, angle, obstacles, plan, of);
    if (way === null) continue;
    ways.push(way);
    first = angle;
  }
  const fields = plan.land.farmed ? fieldsOn(plan, obstacles, landmarks, ways, of) : [];
  for (const one of fields)
    field(one.outline, one.angle, plan.palette.fields[Math.floor(of() * 3)] as string, of, plan);
  for (const way of ways)
    track(
      way.filter(([x, y]) => inBox([box[0] - 8, box[1] - 8, box[2] + 8, box[3] + 8], x, y)),
      2.1,
      of,
      plan,
    );
}

function fieldsOn(
  plan: Growing,
  obstacles: readonly Outline[],
  landmarks: readonly Landmark[],
  ways: readonly Outline[],
  of: Chance,
): { outline: Outline; angle: number }[] {
  const fields: { outline: Outline; angle: number }[] = [];
  for (let tries = 0; tries < 60 && fields.length < 3; tries++) {
    const angle = (of() - 0.5) * 0.7 + (of() < 0.5 ? Math.PI / 2 : 0);
    const outline = plank(of() * plan.wide, of() * plan.high, 5 + of() * 6, 4 + of() * 4, angle);
    const points = strides(outline, 1.5, true).map(({ x, y }): Place => [x, y]);
    const clear =
      points.every(([x, y]) => inBox([2, 2, plan.wide - 2, plan.high - 2], x, y)) &&
      points.every(([x, y]) => obstacles.every((one) => depth(one, x, y) < -2)) &&
      obstacles.every((one) => !isInside(outline, ...middleOf(one))) &&
      points.every(([x, y]) => ways.every((way) => awayFrom(way, x, y, false) > 2.2)) &&
      points.every(([x, y]) => fields.every((one) => depth(one.outline, x, y) < -1)) &&
      landmarks.every((one) => depth(outline, ...one.at) < -one.radius - 1);
    if (clear) fields.push({ outline, angle: angle + (of() < 0.7 ? 0 : Math.PI / 2) });
  }
  return fields;
}

/** Draw cobblestones on the place of a village. */
export function cobbles(plan: Growing, seed: number): void {
  const { palette, sun, wide, high } = plan;
  const inset = Math.min(wide, high) * 0.035;
  const corners = plank(wide / 2, high / 2, wide / 2 - inset, high / 2 - inset, 0);
  const place = frayed(
    strides(rounded(corners, true, 3), 1, true).map(({ x, y }): Place => [x, y]),
    2.6,
    5,
    seed,
  );
  const stones = new Map<string, number[]>();
  const caps: number[][] = [[], []];
  const size = 0.92;
  let row = 0;
  for (let y = inset; y < high - inset; y += size * 0.86, row++)
    for (let x = inset + (row % 2) * size * 0.5, i = 0; x < wide - inset; x += size, i++) {
      const [a, b, tone] = [cell(i, row, seed + 20), cell(i, row, seed + 21), layered(x / 5, y / 5, seed + 22, 2)];
      const at: Place = [x + (a - 0.5) * size * 0.3, y + (b - 0.5) * size * 0.26];
      const half: Place = [size * (0.44 + b * 0.09), size * (0.38 + a * 0.08)];
      const stone = mix(palette.stone[0], palette.paving, Math.round((0.42 + tone * 0.6) * 8) / 8);
      const colour = a < 0.15 ? mix(stone, palette.stone[0], 0.35) : mix(stone, palette.earth, Math.round(b * 3) / 12);
      const batch = stones.get(colour);
      if (batch) batch.push(at[0], at[1], half[0], half[1], (a - 0.5) * 0.5);
      else stones.set(colour, [at[0], at[1], half[0], half[1], (a - 0.5) * 0.5]);
      caps[a < 0.5 ? 0 : 1]?.push(
        at[0] + sun.light[0] * half[0] * 0.28,
        at[1] + sun.light[1] * half[1] * 0.32,
        half[0] * 0.6,
        half[1] * 0.5,
        0,
      );
    }
  const joints = mix(palette.stone[0], palette.earth, 0.18);
  plan.bare.push(place);
  plan.flats.push(
    line([place], 1.6, palette.earth, 0.4, { closed: true }),
    within(place, [
      fill([place], joints),
      ...[...stones].map(([colour, at]) => ovals(at, colour)),
      ...caps.map((at, i) => ovals(at, "#fff1d6", 0.08 + i * 0.06)),
    ]),
  );
}

/** Draw slabs of stone in rows, some of them cracked or missing. */
export function flags(plan: Growing, seed: number): void {
  const { palette, sun, wide, high } = plan;
  const of = chance(seed);
  const slabs = new Map<string, Outline[]>();
  const [bright, dark, cracks, moss]: [Outline[], Outline[], Outline[], number[]] = [[], [], [], []];
  const deep = 2.3;
  for (let y = -0.4, row = 0; y < high; y += deep, row++)
    for (let x = -of() * 2; x < wide;) {
      const long = 1.7 + of() * 2;
      const [u, v] = [x + 0.06, y + 0.06];
      const shape: Outline = [
        [u + of() * 0.1, v + of() * 0.1],
        [u + long - 0.12 - of() * 0.1, v + of() * 0.1],
        [u + long - 0.12 - of() * 0.1, v + deep - 0.12 - of() * 0.1],
        [u + of() * 0.1, v + deep - 0.12 - of() * 0.1],
      ];
      x += long;
      const worn = layered(u / 9, v / 9, seed + 3, 3);
      if (of() < 0.012 || worn > 0.8) continue;
      const colour = mix(
        palette.ground[1],
        palette.ground[3],
        Math.round((0.1 + worn * 0.9 + (of() - 0.5) * 0.35) * 12) / 12,
      );
      slabs.set(colour, [...(slabs.get(colour) ?? []), shape]);
      const [a, b, c, d] = shape as [Place, Place, Place, Place];
      const lights: Outline[] = sun.light[0] < 0 ? [[d, a, b]] : [[b, c, d]];
      const shades: Outline[] = sun.light[0] < 0 ? [[b, c, d]] : [[d, a, b]];
      bright.push(...lights);
      dark.push(...shades);
      if (of() < 0.12)
        cracks.push([
          [a[0] + long * of(), a[1]],
          [u + long * of(), v + deep / 2],
          [d[0] + long * of(), d[1]],
        ]);
      if (of() < 0.16) moss.push(u + of() * long, v + (of() < 0.5 ? 0 : deep), 0.15 + of() * 0.5);
    }
  const all = plank(wide / 2, high / 2, wide / 2, high / 2, 0);
  plan.bare.push(all);
  plan.flats.push(
    fill([all], mix(palette.stone[0], palette.earth, 0.4), 0.8),
    ...[...slabs].map(([colour, shapes]) => fill(shapes, colour, 0.92)),
    line(dark, 0.1, palette.shadow, 0.28),
    line(bright, 0.09, "#f3ead6", 0.22),
    line(cracks, 0.07, palette.pit, 0.6),
    dots(moss, mix(palette.tufts[0], "#5c6b45", 0.6), 0.3),
  );
}

/** Draw patches of heather, and flat stones in the ground. */
export function heath(plan: Growing, obstacles: readonly Outline[], seed: number): void {
  const { palette, sun, wide, high } = plan;
  const of = chance(seed + 11);
  const heaps: number[][] = [[], [], []];
  for (let n = 0; n < wide * high * 0.9; n++) {
    const [x, y] = [of() * wide, of() * high];
    if (layered(x / 9, y / 9, seed + 4, 3) < 0.52) continue;
    heaps[Math.floor(of() * 3)]?.push(x, y, 0.12 + of() * 0.26);
  }
  const tones = [
    mix(palette.tufts[0], "#6b4a5a", 0.55),
    mix(palette.tufts[1], "#8a6070", 0.5),
    mix(palette.tufts[2], "#a98294", 0.5),
  ];
  heaps.forEach((at, i) => plan.flats.push(dots(at, tones[i] as string, 0.34)));
  const stones: Op[] = [];
  for (let n = 0; n < 26; n++) {
    const [x, y, r] = [of() * wide, of() * high, 0.2 + of() * 0.45];
    if (obstacles.some((one) => depth(one, x, y) > -1.5)) continue;
    const shape = stoneAt(of, x, y, r);
    stones.push(
      fill([moved(shape, sun.cast[0] * 0.08, sun.cast[1] * 0.08)], palette.shadow, 0.35),
      fill([shape], palette.rock[1], 0.8),
      fill([moved(stoneAt(of, x, y, r * 0.62), sun.light[0] * 0.05, sun.light[1] * 0.05)], palette.rock[2], 0.5),
    );
  }
  plan.flats.push(...stones);
}

/** Tufts of grass: x, y and size of each, by colour. */
export function tufts(plan: Growing, seed: number, apart: number): number[][] {
  const tones: number[][] = [[], [], [], []];
  const bare = plan.bare.map((outline) => ({ outline, box: boxOf(outline) }));
  const trodden = plan.trodden.map(({ line, half }) => ({ line, half, box: boxOf(line, half) }));
  for (let j = 0; j * apart < plan.high; j++)
    for (let i = 0; i * apart < plan.wide; i++) {
      const thick = layered((i * apart) / 5, (j * apart) / 5, seed + 50, 2);
      if (cell(i, j, seed + 1) > thick * thick * 1.9) continue;
      const [x, y] = [(i + cell(i, j, seed + 2)) * apart, (j + cell(i, j, seed + 3)) * apart];
      if (bare.some(({ outline, box }) => inBox(box, x, y) && isInside(outline, x, y))) continue;
      if (trodden.some(({ line, half, box }) => inBox(box, x, y) && awayFrom(line, x, y, false) < half)) continue;
      const tone = cell(i, j, seed + 4);
      tones[tone < 0.3 ? 0 : tone < 0.62 ? 1 : tone < 0.87 ? 2 : 3]?.push(x, y, 0.07 + cell(i, j, seed + 5) * 0.13);
    }
  return tones;
}
