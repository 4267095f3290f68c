/** Draws one line around all models of a unit. With small bases, a ring for each would hide the figures. */
import type { Point } from "../wire/types";

interface Disc {
  x: number;
  y: number;
  r: number;
}

/** Return discs along the shortest lines that join all places, so that the outline of separate models is closed. */
function joined(places: readonly Point[], r: number): Disc[] {
  const discs = places.map(([x, y]) => ({ x, y, r }));
  const near = new Map<number, number>(places.slice(1).map((_, i) => [i + 1, 0]));
  const far = (a: number, b: number): number =>
    Math.hypot(places[a]![0] - places[b]![0], places[a]![1] - places[b]![1]);
  while (near.size > 0) {
    let [next, from] = [-1, -1];
    for (const [a, b] of near) if (next < 0 || far(a, b) < far(next, from)) [next, from] = [a, b];
    near.delete(next);
    const long = far(next, from);
    const [[ax, ay], [bx, by]] = [places[from]!, places[next]!];
    const steps = long > MOST * r ? 0 : Math.ceil(long / (STEP * r)) - 1;
    for (let i = 1; i <= steps; i++) {
      const t = i / (steps + 1);
      discs.push({ x: ax + (bx - ax) * t, y: ay + (by - ay) * t, r });
    }
    for (const [a, b] of near) if (far(a, next) < far(a, b)) near.set(a, next);
  }
  return discs;
}

/** Distance of discs between two models, and the gap from which a model has its own line; both in radii. */
const STEP = 0.25;
const MOST = 9;

/**
 * Return the parts of a disc's edge outside all other discs, as pairs of angles. A whole circle has its angles
 * reversed.
 */
function bare(disc: Disc, i: number, discs: readonly Disc[]): [number, number][] {
  const covered: [number, number][] = [];
  for (const [j, other] of discs.entries()) {
    if (j === i) continue;
    const d = Math.hypot(other.x - disc.x, other.y - disc.y);
    if (d < 1e-6 * disc.r) {
      if (j < i) return [];
      continue;
    }
    if (d >= disc.r + other.r) continue;
    const towards = Math.atan2(other.y - disc.y, other.x - disc.x);
    const half = Math.acos(Math.min(1, Math.max(-1, (d * d + disc.r ** 2 - other.r ** 2) / (2 * d * disc.r))));
    const from = (towards - half + 4 * Math.PI) % (2 * Math.PI);
    const to = from + 2 * half;
    if (to > 2 * Math.PI) covered.push([from, 2 * Math.PI], [0, to - 2 * Math.PI]);
    else covered.push([from, to]);
  }
  covered.sort((a, b) => a[0] - b[0]);
  const arcs: [number, number][] = [];
  let at = 0;
  for (const [from, to] of covered) {
    if (from > at + 1e-9) arcs.push([at, from]);
    at = Math.max(at, to);
  }
  if (at < 2 * Math.PI - 1e-9) arcs.push([at, 2 * Math.PI]);
  // Join an arc that crosses the start of the circle.
  const [first, last] = [arcs[0], arcs.at(-1)];
  if (first !== undefined && last !== undefined && arcs.length > 1 && first[0] === 0 && last[1] === 2 * Math.PI) {
    arcs.pop();
    arcs[0] = [last[0] - 2 * Math.PI, first[1]];
  }
  return arcs;
}

/**
 * Return the outline of discs with radius *r* around all places, as the data of a path. Places near each other share
 * one line.
 */
export function contourOf(places: readonly Point[], r: number): string {
  const discs = joined(places, r);
  const on = (disc: Disc, angle: number): Point => [
    disc.x + disc.r * Math.cos(angle),
    disc.y + disc.r * Math.sin(angle),
  ];
  const words = ([x, y]: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const rest = discs.flatMap((disc, i) => bare(disc, i, discs).map(([from, to]) => ({ disc, from, to })));
  const parts: string[] = [];
  while (rest.length > 0) {
    let arc = rest.shift()!;
    const begin = on(arc.disc, arc.from);
    parts.push(`M${words(begin)}`);
    for (;;) {
      const { disc, from, to } = arc;
      const end = on(disc, to);
      // A whole circle is drawn in two halves, because an arc needs different ends.
      if (to - from > Math.PI)
        parts.push(`A${disc.r.toFixed(1)} ${disc.r.toFixed(1)} 0 0 1 ${words(on(disc, (from + to) / 2))}`);
      parts.push(`A${disc.r.toFixed(1)} ${disc.r.toFixed(1)} 0 0 1 ${words(end)}`);
      // If the edge of a disc enters another disc, the outline continues along the other disc's edge.
      const gap = (one: { disc: Disc; from: number }): number => {
        const [x, y] = on(one.disc, one.from);
        return Math.hypot(x - end[0], y - end[1]);
      };
      if (Math.hypot(begin[0] - end[0], begin[1] - end[1]) < 1e-3 * r) break;
      const next = rest.findIndex((one) => gap(one) < 1e-3 * r);
      if (next < 0) break;
      [arc] = rest.splice(next, 1) as [typeof arc];
    }
    parts.push("Z");
  }
  return parts.join("");
}
