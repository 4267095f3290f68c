/** Finds where a base may stand, which paths are free, and paths around obstacles. A twin of `table.measured.paths`. */
import type { PickedUp, Point } from "../../wire/types";
import { extra, type Slow } from "./costs.ts";
import {
  cutAtLength,
  directions,
  distanceSq,
  distanceUp,
  pathLength,
  pointAlong,
  ringAround,
  same,
  tangentPoints,
  type Path,
} from "./exact.ts";
import { Heap } from "./heap.ts";
import {
  boxAround,
  boxOf,
  legsOf,
  near,
  overlapping,
  polygonSide,
  reaches,
  segmentEnters,
  sweepsShape,
  type Box,
  type Disc,
  type Shape,
} from "./meeting.ts";

interface Solid extends Shape {
  box: Box;
  corners: Record<string, Point[]>;
}

const STEP = 10;
const RING = 64;

/** The obstacles for one moving unit. */
export class Ground {
  private readonly size: Point;
  private readonly crosses: boolean;
  private readonly solid: Solid[];
  private readonly others: readonly Disc[];
  private readonly slow: readonly Slow[];

  constructor(around: PickedUp) {
    this.size = around.size;
    this.crosses = around.crosses;
    this.solid = around.solid.map((piece) => ({ ...piece, box: boxAround(piece) }));
    this.others = around.others;
    this.slow = around.slow.map((piece) => ({ ...piece, box: boxAround(piece) }));
  }

  /** Return the price of a path: its length, and extra cost for slow ground. */
  spent(path: Path): number {
    return legsOf(path).reduce((sum, [a, b]) => sum + extra(a, b, this.slow), pathLength(path));
  }

  /** Return the longest beginning of a path that costs no more than a limit. */
  cutTo(path: Path, limit: number): Point[] {
    if (this.slow.length === 0 || limit <= 0) return cutAtLength(path, limit);
    if (this.spent(path) <= limit) return [...path];
    let free = 0;
    let beyond = limit + 1;
    while (beyond - free > 1) {
      const middle = Math.floor((free + beyond) / 2);
      if (this.spent(cutAtLength(path, middle)) <= limit) free = middle;
      else beyond = middle;
    }
    return cutAtLength(path, free);
  }

  onTable(p: Point, r: number): boolean {
    const [width, height] = this.size;
    return p[0] - r >= 0 && p[1] - r >= 0 && p[0] + r <= width && p[1] + r <= height;
  }

  pathIsFree(path: Path, r: number): boolean {
    if (this.crosses) {
      const end = path.at(-1)!;
      return path.every((p) => this.onTable(p, r)) && this.stands(end[0], end[1], r);
    }
    if (path.length === 1) return this.stands(path[0]![0], path[0]![1], r);
    for (let i = 1; i < path.length; i++) if (!this.segmentIsFree(path[i - 1]!, path[i]!, r)) return false;
    return true;
  }

  segmentIsFree(a: Point, b: Point, r: number): boolean {
    if (!this.onTable(a, r) || !this.onTable(b, r)) return false;
    const box = boxOf([a, b]);
    for (const piece of this.solid) if (near(piece.box, box, r) && sweepsShape(a, b, r, piece)) return false;
    for (const [x, y, s] of this.others)
      if (reaches(box, x, y, r + s) && segmentEnters(a, b, x, y, r + s)) return false;
    return true;
  }

  /** Return whether a base may stand at a place: on the table, off impassable terrain and off other bases. */
  stands(x: number, y: number, r: number): boolean {
    if (!this.onTable([x, y], r)) return false;
    for (const [u, v, s] of this.others) if ((x - u) * (x - u) + (y - v) * (y - v) < (r + s) * (r + s)) return false;
    for (const piece of this.solid) {
      const { box } = piece;
      if (x + r <= box.left || x - r >= box.right || y + r <= box.low || y - r >= box.high) continue;
      if (sweepsShape([x, y], [x, y], r, piece)) return false;
    }
    return true;
  }

  /**
   * Return the distance within which to look for room: about the width of a base, or the way out of a much wider zone.
   */
  about(spot: Point, r: number): number {
    const zones = this.others.filter(([x, y, s]) => s > 4 * r && distanceSq([x, y], spot) < (s + r) * (s + r));
    return Math.max(4 * r + 200, ...zones.map(([, , s]) => 2 * (s + r)));
  }

  nearestFree(spot: Point, r: number, reach: number): Point | null {
    const [x, y] = spot;
    if (this.stands(x, y, r)) return spot;
    let least = 0;
    this.others.forEach(([u, v, s], i) => {
      const one = s + r - distanceUp(spot, [u, v]) - 2;
      least = i === 0 ? one : Math.max(least, one);
    });
    let distance = Math.max(0, Math.min(least, reach));
    const offsets = directions(RING);
    while (distance < reach) {
      const before = distance;
      distance = Math.min(distance + STEP, reach);
      const at = (number: number, length: number): Point => pointAlong(spot, offsets[number]!, length);
      const there = distance;
      if (
        !offsets.some((_, n) => {
          const p = at(n, there);
          return this.stands(p[0], p[1], r);
        })
      )
        continue;
      const drawn: [number, Point][] = [];
      let closest = Math.min(distance, reach);
      for (let n = 0; n < RING; n++) {
        for (let nearer = before + 1; nearer <= Math.min(closest + 2, reach); nearer++) {
          const p = at(n, nearer);
          if (this.stands(p[0], p[1], r)) {
            drawn.push([nearer, p]);
            closest = Math.min(closest, nearer);
            break;
          }
        }
      }
      const equals = drawn.filter(([nearer]) => nearer <= closest + 2).map(([, p]) => p);
      equals.sort((p, q) => distanceSq(p, spot) - distanceSq(q, spot));
      if (equals[0] !== undefined) return equals[0];
    }
    return null;
  }

  /** Return a short legal path around obstacles; null if none is found. */
  way(start: Point, goal: Point, r: number, limit: number | null): Point[] | null {
    if (limit !== null && (limit < 0 || distanceSq(start, goal) > limit * limit)) return null;
    if (same(start, goal)) return this.stands(start[0], start[1], r) ? [start] : null;
    if (!this.stands(goal[0], goal[1], r)) return null;
    if (this.pathIsFree([start, goal], r) && (this.crosses || extra(start, goal, this.slow) === 0))
      return [start, goal];
    if (this.crosses || !this.stands(start[0], start[1], r)) return null;
    return this.search(start, goal, r, limit);
  }

  /** A search that adds obstacles as it runs into them, and finally all that matter; see `table.paths`. */
  private search(start: Point, goal: Point, r: number, limit: number | null): Point[] | null {
    const direct = distanceUp(start, goal);
    const nodes: Point[] = [goal, start];
    const ahead = [0, direct];
    const round = [direct, direct];
    const covered = [false, false];
    const blocked = [new Set<number>(), new Set<number>()];
    const tested = new Map<number, number>();
    const obstacles: (Solid | Disc)[] = [];
    const slow: Slow[] = [];
    let prices = new Map<number, number>();
    let most = limit;
    const [width, height] = this.size;
    const KEY = 1 << 20;

    const covers = ([x, y]: Point, obstacle: Solid | Disc): boolean =>
      "outline" in obstacle ? sweepsShape([x, y], [x, y], r, obstacle) : overlapping([x, y, r], obstacle);

    const inTheWay = (p: Point, q: Point, box: Box, obstacle: Solid | Disc): boolean => {
      if ("outline" in obstacle) return near(obstacle.box, box, r) && sweepsShape(p, q, r, obstacle);
      const [x, y, s] = obstacle;
      return reaches(box, x, y, r + s) && segmentEnters(p, q, x, y, r + s);
    };

    const isFree = (i: number, j: number): boolean => {
      const pair = i < j ? i * KEY + j : j * KEY + i;
      const checked = tested.get(pair) ?? 0;
      const [p, q] = [nodes[i]!, nodes[j]!];
      const box = boxOf([p, q]);
      for (let number = checked; number < obstacles.length; number++) {
        if (!inTheWay(p, q, box, obstacles[number]!)) continue;
        blocked[i]!.add(j);
        blocked[j]!.add(i);
        return false;
      }
      tested.set(pair, obstacles.length);
      return true;
    };

    const price = (i: number, j: number): number => {
      const cached = prices.get(i * KEY + j);
      const cost = cached ?? extra(nodes[i]!, nodes[j]!, slow);
      if (cached === undefined) prices.set(i * KEY + j, cost);
      return cost;
    };

    const onTable = (points: Point[]): Point[] =>
      points.filter(([x, y]) => r <= x && x <= width - r && r <= y && y <= height - r);

    const cornersOf = (obstacle: Solid | Disc): Point[] => {
      if ("outline" in obstacle && obstacle.circle === null) return obstacle.corners[r] ?? [];
      // Round bases and round terrain are treated in the same way.
      const [x, y, s] = "outline" in obstacle ? obstacle.circle! : obstacle;
      return onTable([
        ...ringAround([x, y], s + r),
        ...tangentPoints(start, [x, y], s + r),
        ...tangentPoints(goal, [x, y], s + r),
      ]);
    };

    const add = (points: readonly Point[]): void => {
      for (const p of points) {
        const rest = distanceUp(p, goal);
        const shortest = distanceUp(start, p) + rest;
        if ((most !== null && shortest > most) || obstacles.some((one) => covers(p, one))) continue;
        nodes.push(p);
        ahead.push(rest);
        round.push(shortest);
        covered.push(false);
        blocked.push(new Set());
      }
    };

    /**
     * Return the cheapest path over the nodes; without prices, the shortest. A leg is tested and priced just before its
     * use.
     */
    const cheapest = (): { cost: number; path: Point[] } | null => {
      const live = nodes
        .map((_, node) => node)
        .filter((node) => !covered[node] && (most === null || round[node]! <= most));
      const before = new Map<number, number>();
      const heap = new Heap();
      heap.push([direct, 0, 1, 1, 1]);
      for (let top = heap.pop(); top !== null; top = heap.pop()) {
        const [total, done, node, origin, priced] = top as [number, number, number, number, number];
        if (most !== null && total > most) break;
        if (before.has(node)) continue;
        if (priced === 0) {
          if (!isFree(origin, node)) continue;
          const more = slow.length === 0 ? 0 : price(origin, node);
          if (more > 0) {
            heap.push([total + more, done + more, node, origin, 1]);
            continue;
          }
        }
        before.set(node, origin);
        if (node === 0) {
          const path = [0];
          while (path.at(-1) !== 1) path.push(before.get(path.at(-1)!)!);
          return { cost: done, path: path.reverse().map((one) => nodes[one]!) };
        }
        const here = nodes[node]!;
        for (const other of live) {
          if (before.has(other) || blocked[node]!.has(other)) continue;
          const cost = done + distanceUp(here, nodes[other]!);
          if (most === null || cost + ahead[other]! <= most) heap.push([cost + ahead[other]!, cost, other, node, 0]);
        }
      }
      return null;
    };

    const included = new Set<Solid | Disc | Slow>();

    const overlooked = (longest: number): (Solid | Disc | Slow)[] => {
      const leadsBy = (p: Point): boolean =>
        distanceUp(start, p) + distanceUp(p, goal) <= longest && this.stands(p[0], p[1], r);
      return [
        ...[...this.solid, ...this.others].filter((one) => !included.has(one) && cornersOf(one).some(leadsBy)),
        ...this.slow.filter((one) => !included.has(one) && pointsRound(one, start, goal).some(leadsBy)),
      ];
    };

    for (;;) {
      const cheapestWay = cheapest();
      let met: (Solid | Disc | Slow)[] = [];
      if (cheapestWay !== null) {
        const box = boxOf(cheapestWay.path);
        const legs = legsOf(cheapestWay.path);
        met = [
          ...this.solid.filter((one) => near(one.box, box, r) && legs.some(([p, q]) => sweepsShape(p, q, r, one))),
          ...this.others.filter(
            ([x, y, s]) => reaches(box, x, y, r + s) && legs.some(([p, q]) => segmentEnters(p, q, x, y, r + s)),
          ),
          ...this.slow.filter((one) => !included.has(one) && legs.some(([p, q]) => extra(p, q, [one]) > 0)),
        ];
        if (met.length === 0) most = cheapestWay.cost;
      }
      if (met.length === 0 && most !== null) met = overlooked(cheapestWay === null ? most : most - 1);
      if (met.length === 0) return cheapestWay === null ? null : cheapestWay.path;
      for (const one of met) {
        included.add(one);
        if ("toll" in one) {
          slow.push(one);
          prices = new Map();
          add(onTable(pointsRound(one, start, goal)));
          continue;
        }
        for (let node = 2; node < nodes.length; node++) covered[node] ||= covers(nodes[node]!, one);
        obstacles.push(one);
        add(cornersOf(one));
      }
    }
  }
}

/** Return the points at which the centre of a base turns around a slow piece. */
function pointsRound({ outline, circle }: Slow, start: Point, goal: Point): Point[] {
  if (circle !== null) {
    const centre: Point = [circle[0], circle[1]];
    const reach = circle[2] + 1;
    return [
      ...ringAround(centre, reach),
      ...tangentPoints(start, centre, reach),
      ...tangentPoints(goal, centre, reach),
    ];
  }
  return outline.flatMap(([x, y]): Point[] => {
    const beside: Point[] = [
      [x + 1, y + 1],
      [x - 1, y + 1],
      [x - 1, y - 1],
      [x + 1, y - 1],
    ];
    return beside.filter((p) => polygonSide(p, outline) < 0);
  });
}
