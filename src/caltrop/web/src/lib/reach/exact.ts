/** Points, lengths and directions in whole numbers, rounded as `geometry` rounds them. */
import type { Point } from "../../wire/types";

export type Path = readonly Point[];

function rootDown(n: number): number {
  let root = Math.floor(Math.sqrt(n));
  while (root * root > n) root--;
  while ((root + 1) * (root + 1) <= n) root++;
  return root;
}

function rootUp(n: number): number {
  const root = rootDown(n);
  return root * root === n ? root : root + 1;
}

/** Return the square root of a whole number, rounded down. */
export function bigRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let x = BigInt(Math.floor(Math.sqrt(Number(n))));
  for (;;) {
    const y = (x + n / x) >> 1n;
    if (y === x || y === x + 1n) break;
    x = y;
  }
  while (x * x > n) x--;
  while ((x + 1n) * (x + 1n) <= n) x++;
  return x;
}

/** Return a whole number divided by the square root of another, rounded to the nearest, halves away from zero. */
function overRoot(number: number, square: number): number {
  if (Math.abs(number) < 2 ** 52 && square < 2 ** 52) {
    const size = Math.abs(number) / Math.sqrt(square) + 0.5;
    const low = Math.floor(size);
    const rest = size - low;
    if (size < 2 ** 30 && rest > 1e-5 && rest < 1 - 1e-5) return number < 0 ? 0 - low : low;
  }
  return overRootBig(BigInt(number), BigInt(square));
}

function overRootBig(number: bigint, square: bigint): number {
  const size = Number((bigRoot((4n * number * number) / square) + 1n) >> 1n);
  return number < 0n ? 0 - size : size;
}

/** Return whether a² < b · c for integers. */
export function squareBelow(a: number, b: number, c: number): boolean {
  const left = a * a;
  const right = b * c;
  if (Math.abs(left - right) > 1e-9 * (left + right)) return left < right;
  return BigInt(a) * BigInt(a) < BigInt(b) * BigInt(c);
}

export function distanceSq(p: Point, q: Point): number {
  return (q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]);
}

export function distanceUp(p: Point, q: Point): number {
  return rootUp(distanceSq(p, q));
}

/** Return the length of a polyline: the sum of its segments, each rounded up. */
export function pathLength(points: Path): number {
  let sum = 0;
  for (let i = 1; i < points.length; i++) sum += distanceUp(points[i - 1]!, points[i]!);
  return sum;
}

export function pointAlong(origin: Point, direction: Point, length: number): Point {
  const square = direction[0] * direction[0] + direction[1] * direction[1];
  if (square === 0) return origin;
  return [origin[0] + overRoot(direction[0] * length, square), origin[1] + overRoot(direction[1] * length, square)];
}

export function rotated(vector: Point, heading: Point, front: Point = [1, 0]): Point {
  const [hx, hy, fx, fy] = [BigInt(heading[0]), BigInt(heading[1]), BigInt(front[0]), BigInt(front[1])];
  const cos = hx * fx + hy * fy;
  const sin = hy * fx - hx * fy;
  const square = cos * cos + sin * sin;
  if (square === 0n) return vector;
  const [x, y] = [BigInt(vector[0]), BigInt(vector[1])];
  return [overRootBig(x * cos - y * sin, square), overRootBig(x * sin + y * cos, square)];
}

const UNIT = 1 << 20;
const rings = new Map<number, Point[]>();

/** Return evenly spread vectors, counter-clockwise from (1, 0). */
export function directions(count: number): Point[] {
  let ring = rings.get(count);
  if (ring === undefined) {
    ring = [
      [UNIT, 0],
      [0, UNIT],
      [-UNIT, 0],
      [0, -UNIT],
    ];
    while (ring.length < count) {
      const finer: Point[] = [];
      for (let i = 0; i < ring.length; i++) {
        const a = ring[i]!;
        const b = ring[(i + 1) % ring.length]!;
        finer.push(a, pointAlong([0, 0], [a[0] + b[0], a[1] + b[1]], UNIT));
      }
      ring = finer;
    }
    rings.set(count, ring);
  }
  return ring;
}

export function ringAround(centre: Point, radius: number): Point[] {
  const reach = Math.ceil((radius * 10196) / 10000) + 1;
  return directions(16).map((direction) => pointAlong(centre, direction, reach));
}

export function tangentPoints(origin: Point, centre: Point, radius: number): Point[] {
  const out: Point = [origin[0] - centre[0], origin[1] - centre[1]];
  const square = out[0] * out[0] + out[1] * out[1];
  if (square < radius * radius || square === 0) return [];
  const wide = radius + 2;
  const reach = Math.ceil((radius * 10196) / 10000) + 4;
  if (square <= wide * wide) {
    const length = rootDown((reach - 2) * (reach - 2) - square);
    return [1, -1].map((sign) => beside(origin, out, length, sign));
  }
  const along = rootDown(Math.max(square - wide * wide, 0));
  const step = directions(32)[1]!;
  return [1, -1].map((sign) => {
    const once = rotated([out[0] * 1024, out[1] * 1024], [wide, sign * along]);
    return pointAlong(centre, rotated(once, [step[0], sign * step[1]]), reach);
  });
}

/**
 * Return the place to the left (1) or right (-1) of a direction that is nearest to a right angle, and not behind it.
 */
function beside(origin: Point, out: Point, length: number, sign: number): Point {
  const [x, y] = pointAlong(origin, [-sign * out[1], sign * out[0]], length);
  let best: Point = [x, y];
  let least = Infinity;
  for (const i of [0, -1, 1])
    for (const j of [0, -1, 1]) {
      const lean = (x + i - origin[0]) * out[0] + (y + j - origin[1]) * out[1];
      if (lean < 0 || lean >= least) continue;
      best = [x + i, y + j];
      least = lean;
    }
  return best;
}

/** Return the longest beginning of a polyline within a length. */
export function cutAtLength(path: Path, limit: number): Point[] {
  const done: Point[] = [path[0]!];
  let left = Math.max(limit, 0);
  for (let i = 1; i < path.length; i++) {
    const here = path[i - 1]!;
    const there = path[i]!;
    const length = distanceUp(here, there);
    if (length <= left) {
      left -= length;
      done.push(there);
      continue;
    }
    const direction: Point = [there[0] - here[0], there[1] - here[1]];
    for (let reach = left; reach > 0; reach--) {
      const stop = pointAlong(here, direction, reach);
      if (distanceUp(here, stop) <= left) {
        if (!same(stop, here)) done.push(stop);
        break;
      }
    }
    break;
  }
  return done;
}

export function same(p: Point, q: Point): boolean {
  return p[0] === q[0] && p[1] === q[1];
}
