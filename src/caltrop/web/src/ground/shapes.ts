/** The geometry of drawing. Places are in look units, and y grows downwards. */
import { layered, type Chance } from "../painting/chance.ts";

export type Place = readonly [number, number];
export type Outline = readonly Place[];
/** Left, top, right, bottom. */
export type Box = readonly [number, number, number, number];

export function isInside(outline: Outline, x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const a = outline[i] as Place;
    const b = outline[j] as Place;
    if (a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside;
  }
  return inside;
}

/** Return the distance of a place from a line, which may be closed. */
export function awayFrom(line: Outline, x: number, y: number, closed: boolean): number {
  let nearest = Infinity;
  const n = line.length;
  for (let i = closed ? 0 : 1; i < n; i++) {
    const a = line[(i + n - 1) % n] as Place;
    const b = line[i] as Place;
    const dx = b[0] - a[0];
    const dy = b[1] - a[1];
    const t = Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
    const ex = x - a[0] - t * dx;
    const ey = y - a[1] - t * dy;
    nearest = Math.min(nearest, ex * ex + ey * ey);
  }
  return Math.sqrt(nearest);
}

/** Return how deep inside an outline a place is; negative outside. */
export function depth(outline: Outline, x: number, y: number): number {
  const away = awayFrom(outline, x, y, true);
  return isInside(outline, x, y) ? away : -away;
}

export function boxOf(points: Outline, grown = 0): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return [left - grown, top - grown, right + grown, bottom + grown];
}

export function inBox(box: Box, x: number, y: number): boolean {
  return x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];
}

export function middleOf(points: Outline): Place {
  const box = boxOf(points);
  return [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
}

/** Return the area of the box around an outline. */
export function spanOf(outline: Outline): number {
  const box = boxOf(outline);
  return (box[2] - box[0]) * (box[3] - box[1]);
}

/** Return twice the area inside an outline; negative if the outline runs counter-clockwise on the screen. */
export function turning(outline: Outline): number {
  let sum = 0;
  outline.forEach((a, i) => {
    const b = outline[(i + 1) % outline.length] as Place;
    sum += a[0] * b[1] - b[0] * a[1];
  });
  return sum;
}

/** Return a line whose corners are cut off several times. */
export function rounded(line: Outline, closed: boolean, rounds = 3): Place[] {
  let points: Place[] = [...line];
  for (let round = 0; round < rounds; round++) {
    const next: Place[] = [];
    const n = points.length;
    for (let i = 0; i < (closed ? n : n - 1); i++) {
      const a = points[i] as Place;
      const b = points[(i + 1) % n] as Place;
      next.push(
        [a[0] * 0.75 + b[0] * 0.25, a[1] * 0.75 + b[1] * 0.25],
        [a[0] * 0.25 + b[0] * 0.75, a[1] * 0.25 + b[1] * 0.75],
      );
    }
    if (!closed) {
      next.unshift(points[0] as Place);
      next.push(points[n - 1] as Place);
    }
    points = next;
  }
  return points;
}

/** Return a line shifted by noise, by up to half of `much` to each side. */
export function frayed(points: Outline, much: number, grain: number, seed: number): Place[] {
  return points.map(([x, y]) => [
    x + (layered(x / grain, y / grain, seed, 2) - 0.5) * much,
    y + (layered(y / grain + 40, x / grain, seed + 5, 2) - 0.5) * much,
  ]);
}

/** Return a place on a line, and the direction of the line at that place. */
export interface Stride {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

/** Return places on a line at distances of one `step`. */
export function strides(line: Outline, step: number, closed: boolean): Stride[] {
  const found: Stride[] = [];
  const n = line.length;
  let rest = 0;
  for (let i = closed ? 0 : 1; i < n; i++) {
    const a = line[(i + n - 1) % n] as Place;
    const b = line[i] as Place;
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
    let t = rest;
    for (; t < length; t += step)
      found.push({ x: a[0] + ((b[0] - a[0]) * t) / length, y: a[1] + ((b[1] - a[1]) * t) / length, angle });
    rest = t - length;
  }
  return found;
}

/** Return the line parallel to a line, to its right by `by`. */
export function beside(line: Outline, by: number, step = 0.5): Place[] {
  return strides(line, step, false).map(({ x, y, angle }) => [x - Math.sin(angle) * by, y + Math.cos(angle) * by]);
}

export function moved(points: Outline, dx: number, dy: number): Place[] {
  return points.map(([x, y]) => [x + dx, y + dy]);
}

/** Return an outline scaled about its middle. */
export function sized(points: Outline, by: number, about: Place = middleOf(points)): Place[] {
  return points.map(([x, y]) => [about[0] + (x - about[0]) * by, about[1] + (y - about[1]) * by]);
}

/** Return a turned rectangle about a place. */
export function plank(x: number, y: number, long: number, wide: number, angle: number): Place[] {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const corners: Place[] = [
    [-long, -wide],
    [long, -wide],
    [long, wide],
    [-long, wide],
  ];
  return corners.map(([u, v]) => [x + u * c - v * s, y + u * s + v * c]);
}

export function rectangle(x: number, y: number, wide: number, high: number): Place[] {
  return [
    [x, y],
    [x + wide, y],
    [x + wide, y + high],
    [x, y + high],
  ];
}

/** Return a stone: six to eight corners about a place. */
export function stoneAt(of: Chance, x: number, y: number, radius: number): Place[] {
  const corners = 6 + Math.floor(of() * 3);
  const from = of() * Math.PI * 2;
  const flat = 0.65 + of() * 0.3;
  return Array.from({ length: corners }, (_, i): Place => {
    const angle = from + (i / corners) * Math.PI * 2;
    const r = radius * (0.8 + of() * 0.3);
    return [x + Math.cos(angle) * r, y + Math.sin(angle) * r * flat];
  });
}

/** Return those of a number of random places in an outline's box that lie inside the outline. */
export function thrownInto(outline: Outline, many: number, of: Chance): Place[] {
  const box = boxOf(outline);
  const found: Place[] = [];
  for (let i = 0; i < many; i++) {
    const x = box[0] + of() * (box[2] - box[0]);
    const y = box[1] + of() * (box[3] - box[1]);
    if (isInside(outline, x, y)) found.push([x, y]);
  }
  return found;
}
