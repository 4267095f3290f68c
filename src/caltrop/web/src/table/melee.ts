/** Places the mark of close combat beside the two fighters, clear of their faces. */
import type { Point } from "../wire/types";

/**
 * Least distance of a mark from the line between two pieces, in radii. Heads and arms reach over the edges of bases.
 */
const CLEAR = 0.95;

/**
 * Return the notch between two touching bases, on the side with more room. If both have the same room, take the upper
 * one, then the left one.
 *
 * @param mark - The radius of the mark, in the unit of the points.
 */
export function notchOf(a: Point, b: Point, mark: number, others: readonly Point[]): Point {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const far = Math.hypot(dx, dy);
  if (far === 0) return a;
  const radius = far / 2;
  const aside = Math.max(Math.sqrt((radius + mark) ** 2 - radius ** 2), CLEAR * radius);
  const middle: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const places = [1, -1].map((way): Point => [
    middle[0] - (way * dy * aside) / far,
    middle[1] + (way * dx * aside) / far,
  ]);
  const room = (p: Point): number => Math.min(4 * radius, ...others.map((q) => Math.hypot(q[0] - p[0], q[1] - p[1])));
  const [best] = places.sort((p, q) => room(q) - room(p) || p[1] - q[1] || p[0] - q[0]);
  return best!;
}

/** Return a line between two pieces, from edge to edge, so that it hides neither. */
export function fromRims(a: Point, b: Point, radius: number): readonly [Point, Point] {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const far = Math.hypot(dx, dy);
  if (far <= 2 * radius) return [a, b];
  const [x, y] = [(dx * radius) / far, (dy * radius) / far];
  return [
    [a[0] + x, a[1] + y],
    [b[0] - x, b[1] - y],
  ];
}
