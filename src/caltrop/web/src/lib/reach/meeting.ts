/** Exact intersection of segments, discs, polygons and swept discs, as in `geometry`. */
import type { Point } from "../../wire/types";
import { distanceUp, same, squareBelow, type Path } from "./exact.ts";

/** A base: x, y and radius. */
export type Disc = readonly [number, number, number];

/** Return whether the segment from a to b comes closer to a point than a radius. */
export function segmentEnters(a: Point, b: Point, x: number, y: number, radius: number): boolean {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  let px = x - a[0];
  let py = y - a[1];
  const along = dx * px + dy * py;
  const square = dx * dx + dy * dy;
  if (along <= 0 || square === 0) return px * px + py * py < radius * radius;
  if (along >= square) {
    px -= dx;
    py -= dy;
    return px * px + py * py < radius * radius;
  }
  return squareBelow(dx * py - dy * px, radius * radius, square);
}

export function turn(o: Point, a: Point, b: Point): number {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

function segmentsMeet(a: Point, b: Point, c: Point, d: Point): boolean {
  const cs = turn(a, b, c);
  const ds = turn(a, b, d);
  if ((cs > 0 && ds > 0) || (cs < 0 && ds < 0)) return false;
  const as = turn(c, d, a);
  const bs = turn(c, d, b);
  if ((as > 0 && bs > 0) || (as < 0 && bs < 0)) return false;
  if (cs !== 0 || ds !== 0 || as !== 0 || bs !== 0) return true;
  return (
    Math.max(Math.min(a[0], b[0]), Math.min(c[0], d[0])) <= Math.min(Math.max(a[0], b[0]), Math.max(c[0], d[0])) &&
    Math.max(Math.min(a[1], b[1]), Math.min(c[1], d[1])) <= Math.min(Math.max(a[1], b[1]), Math.max(c[1], d[1]))
  );
}

/** Return 1 inside a polygon, 0 on its edge, -1 outside. */
export function polygonSide(p: Point, polygon: Path): number {
  const [x, y] = p;
  let inside = false;
  let [ax, ay] = polygon.at(-1)!;
  for (const [bx, by] of polygon) {
    if (ay > y !== by > y) {
      const side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
      if (side === 0) return 0;
      if (side > 0 === by > ay) inside = !inside;
    } else if (ay === y && (ax === x || (by === y && ax < x !== bx <= x))) return 0;
    ax = bx;
    ay = by;
  }
  return inside ? 1 : -1;
}

/** Return whether a base moved straight from a to b overlaps a polygon; sliding along its edge is not an overlap. */
export function sweepOverlapsPolygon(a: Point, b: Point, radius: number, polygon: Path): boolean {
  if (polygonSide(a, polygon) >= 0) return true;
  const moves = !same(a, b);
  let c = polygon.at(-1)!;
  for (const e of polygon) {
    if (segmentEnters(a, b, e[0], e[1], radius) || segmentEnters(c, e, a[0], a[1], radius)) return true;
    if (moves && (segmentEnters(c, e, b[0], b[1], radius) || segmentsMeet(a, b, c, e))) return true;
    c = e;
  }
  return false;
}

/** A piece of terrain: its corners, or its circle. */
export interface Shape {
  outline: Path;
  circle: Disc | null;
}

/** Return whether a base moved straight from a to b overlaps a piece of terrain. */
export function sweepsShape(a: Point, b: Point, radius: number, { outline, circle }: Shape): boolean {
  if (circle === null) return sweepOverlapsPolygon(a, b, radius, outline);
  return segmentEnters(a, b, circle[0], circle[1], circle[2] + radius);
}

export interface Box {
  left: number;
  low: number;
  right: number;
  high: number;
}

export function boxOf(points: Path): Box {
  let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    low = Math.min(low, y);
    right = Math.max(right, x);
    high = Math.max(high, y);
  }
  return { left, low, right, high };
}

/** Return the box around a piece of terrain. */
export function boxAround({ outline, circle }: Shape): Box {
  if (circle === null) return boxOf(outline);
  const [x, y, r] = circle;
  return { left: x - r, low: y - r, right: x + r, high: y + r };
}

export function legsOf(path: Path): [Point, Point][] {
  return path.slice(1).map((p, i) => [path[i]!, p]);
}

export function near(a: Box, b: Box, limit: number): boolean {
  return a.left - limit <= b.right && b.left - limit <= a.right && a.low - limit <= b.high && b.low - limit <= a.high;
}

export function reaches(box: Box, x: number, y: number, reach: number): boolean {
  return x + reach > box.left && x - reach < box.right && y + reach > box.low && y - reach < box.high;
}

export function overlapping(a: Disc, b: Disc): boolean {
  const reach = a[2] + b[2];
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 < reach * reach;
}

export function gapWithin(a: Disc, b: Disc, limit: number): boolean {
  const reach = a[2] + b[2] + limit;
  return reach >= 0 && (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= reach * reach;
}

/** Return the gap between the nearest bases of two groups, rounded up. */
export function nearestGap(ones: readonly Disc[], others: readonly Disc[]): number {
  let least = Infinity;
  for (const [x, y, r] of ones)
    for (const [u, v, s] of others) least = Math.min(least, distanceUp([x, y], [u, v]) - r - s);
  return least;
}
