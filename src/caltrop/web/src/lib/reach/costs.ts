/** Extra cost of a path through slow ground, in exact fractions. A twin of `table.measured.costs`. */
import type { Point } from "../../wire/types";
import { bigRoot, distanceUp, same } from "./exact.ts";
import { boxOf, near, turn, type Box, type Shape } from "./meeting.ts";

/** A piece of ground in which each length counts several times, and each entry costs something. */
export interface Slow extends Shape {
  box: Box;
  factor: number;
  toll: number;
}

interface Part {
  n: bigint;
  d: bigint;
}

const FINE = 1n << 20n;

function below(a: Part, b: Part): boolean {
  return a.n * b.d < b.n * a.d;
}

function part(n: bigint, d: bigint): Part {
  if (d < 0n) [n, d] = [-n, -d];
  if (n <= 0n) return { n: 0n, d: 1n };
  return n >= d ? { n: 1n, d: 1n } : { n, d };
}

/** Return the parts of the segment from a to b at which it may cross the border of a piece. Having more parts does no
 * harm. */
function crossings(a: Point, b: Point, { outline, circle }: Shape): Part[] {
  const parts: Part[] = [];
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  if (circle !== null) {
    const [x, y, r] = circle;
    const [px, py] = [BigInt(x - a[0]), BigInt(y - a[1])];
    const [ex, ey] = [BigInt(dx), BigInt(dy)];
    const square = ex * ex + ey * ey;
    const along = ex * px + ey * py;
    const under = along * along - square * (px * px + py * py - BigInt(r) * BigInt(r));
    if (square > 0n && under > 0n) {
      const root = bigRoot(under * FINE * FINE);
      parts.push(part(along * FINE - root, square * FINE), part(along * FINE + root, square * FINE));
    }
    return parts;
  }
  outline.forEach((c, i) => {
    const d = outline[(i + 1) % outline.length]!;
    const across = dx * (d[1] - c[1]) - dy * (d[0] - c[0]);
    if (across !== 0) parts.push(part(BigInt(turn(c, d, a)), BigInt(across)));
  });
  return parts;
}

/** Return the position of a point of a finer grid: 1 inside a piece, 0 on its border, -1 outside. */
function side({ outline, circle }: Shape, x: bigint, y: bigint, scale: bigint): number {
  if (circle !== null) {
    const dx = x - BigInt(circle[0]) * scale;
    const dy = y - BigInt(circle[1]) * scale;
    const reach = BigInt(circle[2]) * scale;
    const over = dx * dx + dy * dy - reach * reach;
    return over < 0n ? 1 : over === 0n ? 0 : -1;
  }
  const corners = outline.map(([u, v]) => [BigInt(u) * scale, BigInt(v) * scale] as const);
  let inside = false;
  let [ax, ay] = corners.at(-1)!;
  for (const [bx, by] of corners) {
    if (ay > y !== by > y) {
      const turned = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
      if (turned === 0n) return 0;
      if (turned > 0n === by > ay) inside = !inside;
    } else if (ay === y && (ax === x || (by === y && ax < x !== bx <= x))) return 0;
    ax = bx;
    ay = by;
  }
  return inside ? 1 : -1;
}

/** Return the cost of a straight path beyond its length, rounded up, with the tolls of the pieces it enters. */
export function extra(a: Point, b: Point, slow: readonly Slow[]): number {
  if (slow.length === 0 || same(a, b)) return 0;
  const box = boxOf([a, b]);
  const met = slow.filter((one) => near(one.box, box, 0));
  if (met.length === 0) return 0;
  const stops: Part[] = [{ n: 0n, d: 1n }, { n: 1n, d: 1n }, ...met.flatMap((one) => crossings(a, b, one))];
  stops.sort((p, q) => (below(p, q) ? -1 : below(q, p) ? 1 : 0));
  const entered = met.map((one) => side(one, BigInt(a[0]), BigInt(a[1]), 1n) > 0);
  let more: Part = { n: 0n, d: 1n };
  let tolls = 0;
  for (let i = 1; i < stops.length; i++) {
    const [start, end] = [stops[i - 1]!, stops[i]!];
    if (!below(start, end)) continue;
    const scale = 2n * start.d * end.d;
    const middle = start.n * end.d + end.n * start.d;
    const x = BigInt(a[0]) * scale + BigInt(b[0] - a[0]) * middle;
    const y = BigInt(a[1]) * scale + BigInt(b[1] - a[1]) * middle;
    let most = 1;
    met.forEach((one, number) => {
      const where = side(one, x, y, scale);
      if (where >= 0) most = Math.max(most, one.factor);
      if (where > 0 && !entered[number]) tolls += one.toll;
      entered[number] = where > 0;
    });
    const stretch = (end.n * start.d - start.n * end.d) * BigInt(most - 1);
    more = { n: more.n * start.d * end.d + stretch * more.d, d: more.d * start.d * end.d };
  }
  return Number((more.n * BigInt(distanceUp(a, b)) + more.d - 1n) / more.d) + tolls;
}
