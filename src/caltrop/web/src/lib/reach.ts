/**
 * What a drag would come to, foreseen without asking the server: the twin of `table.paths`, `table.units` and of how the
 * rules turn a drag into paths, over the numbers that the server sends when a unit is picked up.
 *
 * Everything is decided in whole numbers, as the rules do it. Doubles are used where they are exact, or where they are
 * far enough from a tie to be sure; near a tie the same is worked out with BigInt. A test holds this file against the
 * rules over many thousands of random drags, so that the preview under the pointer is never anything else than the
 * answer that comes at rest. It knows no rule: what blocks, what may not be touched, how far and at what price is data.
 */
import type { PickedUp, Point, Wish } from "../wire/types";

type Disc = readonly [number, number, number];
type Path = readonly Point[];

/** What a drag comes to. */
export interface Foreseen {
  /** The polyline of each model, from where it stands. */
  paths: Record<string, Point[]>;
  length: number;
  /** Length still free at this price. */
  left: number;
  price: number;
  legal: boolean;
}

// ── whole numbers ───────────────────────────────────────────────────────────────────────────────────────────────────

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

function bigRoot(n: bigint): bigint {
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

/** A whole number divided by the square root of another, rounded to the nearest, halves away from zero. */
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

/** Whether a² < b · c for whole numbers. */
function squareBelow(a: number, b: number, c: number): boolean {
  const left = a * a;
  const right = b * c;
  if (Math.abs(left - right) > 1e-9 * (left + right)) return left < right;
  return BigInt(a) * BigInt(a) < BigInt(b) * BigInt(c);
}

function distanceSq(p: Point, q: Point): number {
  return (q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]);
}

function distanceUp(p: Point, q: Point): number {
  return rootUp(distanceSq(p, q));
}

/** The length of a polyline: the sum of its segments, each rounded up. */
export function pathLength(points: Path): number {
  let sum = 0;
  for (let i = 1; i < points.length; i++) sum += distanceUp(points[i - 1]!, points[i]!);
  return sum;
}

function pointAlong(origin: Point, direction: Point, length: number): Point {
  const square = direction[0] * direction[0] + direction[1] * direction[1];
  if (square === 0) return origin;
  return [origin[0] + overRoot(direction[0] * length, square), origin[1] + overRoot(direction[1] * length, square)];
}

function rotated(vector: Point, heading: Point, front: Point = [1, 0]): Point {
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

/** Evenly spread vectors, counter-clockwise from (1, 0). */
function directions(count: number): Point[] {
  let ring = rings.get(count);
  if (ring === undefined) {
    ring = [[UNIT, 0], [0, UNIT], [-UNIT, 0], [0, -UNIT]];
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

function ringAround(centre: Point, radius: number): Point[] {
  const reach = Math.ceil((radius * 10196) / 10000) + 1;
  return directions(16).map((direction) => pointAlong(centre, direction, reach));
}

function tangentPoints(origin: Point, centre: Point, radius: number): Point[] {
  const out: Point = [origin[0] - centre[0], origin[1] - centre[1]];
  const square = out[0] * out[0] + out[1] * out[1];
  if (square < radius * radius || square === 0) return [];
  const wide = radius + 2;
  const reach = Math.ceil((radius * 10196) / 10000) + 4;
  const along = rootDown(Math.max(square - wide * wide, 0));
  const step = directions(32)[1]!;
  return [1, -1].map((sign) => {
    const once = rotated([out[0] * 1024, out[1] * 1024], [wide, sign * along]);
    return pointAlong(centre, rotated(once, [step[0], sign * step[1]]), reach);
  });
}

/** The longest beginning of a polyline that is no longer than the limit. */
function cutAtLength(path: Path, limit: number): Point[] {
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

function same(p: Point, q: Point): boolean {
  return p[0] === q[0] && p[1] === q[1];
}

// ── what meets what ─────────────────────────────────────────────────────────────────────────────────────────────────

/** Whether the segment from a to b comes closer to a point than a radius. */
function segmentEnters(a: Point, b: Point, x: number, y: number, radius: number): boolean {
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

function turn(o: Point, a: Point, b: Point): number {
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

/** 1 inside a polygon, 0 on its edge, -1 outside. */
function polygonSide(p: Point, polygon: Path): number {
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

/** Whether a base moved straight from a to b overlaps a polygon anywhere; sliding along its edge does not count. */
function sweepOverlapsPolygon(a: Point, b: Point, radius: number, polygon: Path): boolean {
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

interface Box {
  left: number;
  low: number;
  right: number;
  high: number;
}

function boxOf(points: Path): Box {
  let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    low = Math.min(low, y);
    right = Math.max(right, x);
    high = Math.max(high, y);
  }
  return { left, low, right, high };
}

interface Solid {
  outline: Path;
  box: Box;
  corners: Record<string, Point[]>;
}

const STEP = 10;
const RING = 64;
const SPACING = 100;
const BEYOND = 100;
const SHAPES = ["keep", "column", "line", "wedge"] as const;

/** One unit that is picked up, and everything that may matter to where it can go. */
export class Reach {
  private readonly discs: Disc[];
  private readonly ids: number[];
  private readonly solid: Solid[];
  private readonly rough: { outline: Path; box: Box }[];
  private readonly others: readonly Disc[];
  private readonly free: boolean[];
  private readonly limit: number;
  private readonly top: number;
  readonly around: PickedUp;

  constructor(around: PickedUp) {
    this.around = around;
    this.discs = around.pieces.map((piece) => [piece.at[0], piece.at[1], piece.radius] as const);
    this.ids = around.pieces.map((piece) => piece.id);
    this.free = around.pieces.map((piece) => !piece.stays);
    this.solid = around.solid.map((piece) => ({ ...piece, box: boxOf(piece.outline) }));
    this.rough = around.rough.map((outline) => ({ outline, box: boxOf(outline) }));
    this.others = around.others;
    this.limit = around.bands.at(-1)?.[0] ?? 0;
    this.top = around.bands.reduce((top, [length, price]) => (price <= around.purse ? length : top), 0);
  }

  /** What a wish comes to. The same steps in the same order as the rules take them. */
  foresee(wish: Wish): Foreseen {
    return this.around.down === null ? this.told(this.drawn(wish)) : this.putDown(wish, this.around.down);
  }

  private drawn(wish: Wish): Map<number, Path> {
    if (Object.keys(wish.models ?? {}).length > 0) return this.single(wish.models ?? {});
    let legs: Point[] = [...(wish.waypoints ?? [])];
    if (wish.to) legs.push(wish.to);
    if (legs.length === 0) return new Map();
    if (this.around.whole) legs = this.drawnOut(legs);
    const straight = this.straight(legs);
    if (!this.around.round || this.free.includes(false)) return straight;
    const facing = wish.facing ?? null;
    const shape = wish.shape ?? "keep";
    if (shape === "keep" && facing === null && this.legal(straight)) return straight;
    const limit = Math.max(this.limit, 1);
    const shaped = shape !== "keep" || facing !== null;
    for (const begun of shaped ? this.begun(legs, limit) : []) {
      const formed = this.formed(begun, shape, facing, limit);
      if (formed !== null && this.legal(formed)) return formed;
    }
    const marched = this.marched(legs, this.top === 0 ? limit : this.top);
    if (marched.size > 0 && this.legal(marched)) return marched;
    return straight;
  }

  private told(paths: Map<number, Path>): Foreseen {
    let length = 0;
    for (const path of paths.values()) length = Math.max(length, pathLength(path));
    const band = this.around.bands.find(([reach]) => length <= reach);
    const told: Record<string, Point[]> = {};
    for (const [i, path] of paths) told[this.ids[i]!] = [...path];
    return {
      paths: told,
      length,
      left: band === undefined ? 0 : Math.max(band[0] - length, 0),
      price: this.price(paths, length),
      legal: this.legal(paths),
    };
  }

  // ── what is legal ───────────────────────────────────────────────────────────────────────────────────────────────

  private legal(paths: Map<number, Path>): boolean {
    let length = 0;
    const ends = [...this.discs];
    const moving: number[] = [];
    for (const [i, path] of paths) {
      const [x, y, r] = this.discs[i]!;
      if (path.length === 0 || !same(path[0]!, [x, y])) return false;
      const own = pathLength(path);
      if (own > 0) {
        if (!this.free[i]) return false;
        if (!this.around.rests && path.some((p, n) => n > 0 && same(p, path[n - 1]!))) return false;
        moving.push(i);
        const end = path.at(-1)!;
        ends[i] = [end[0], end[1], r];
      }
      length = Math.max(length, own);
    }
    if ((moving.length === 0 && !this.around.may_stay) || length > this.limit || length < this.around.shortest) return false;
    for (const i of moving) {
      const path = paths.get(i)!;
      if (!this.pathIsFree(path, this.discs[i]![2])) return false;
      const end = ends[i]!;
      for (const [x, y, r] of this.around.clear_of) {
        const reach = r + end[2] + this.around.contact;
        if ((x - end[0]) ** 2 + (y - end[1]) ** 2 <= reach * reach) return false;
      }
    }
    for (const i of moving)
      for (let j = 0; j < ends.length; j++) if (j !== i && overlapping(ends[i]!, ends[j]!)) return false;
    if (this.around.coherency !== null && !coherent(ends, this.around.coherency)) return false;
    for (const { bases, least, most, unless } of this.around.near) {
      if (unless !== null && length >= unless) continue;
      const gap = nearestGap(ends, bases);
      if ((least !== null && gap < least) || (most !== null && gap > most)) return false;
    }
    return this.price(paths, length) <= this.around.purse;
  }

  private price(paths: Map<number, Path>, length: number): number {
    if (length === 0) return 0;
    const band = this.around.bands.find(([reach]) => length <= reach);
    if (band === undefined) return 0;
    return band[1] + (this.around.rough_prices[this.roughOnTheWay(paths) - 1] ?? 0);
  }

  private roughOnTheWay(paths: Map<number, Path>): number {
    return this.rough.filter((piece) =>
      [...paths].some(([i, path]) => {
        const r = this.discs[i]![2];
        return (
          near(piece.box, boxOf(path), r) && legsOf(path).some(([a, b]) => sweepOverlapsPolygon(a, b, r, piece.outline))
        );
      }),
    ).length;
  }

  private onTable(p: Point, r: number): boolean {
    const [width, height] = this.around.size;
    return p[0] - r >= 0 && p[1] - r >= 0 && p[0] + r <= width && p[1] + r <= height;
  }

  private pathIsFree(path: Path, r: number): boolean {
    if (this.around.crosses) {
      const end = path.at(-1)!;
      return path.every((p) => this.onTable(p, r)) && this.stands(end[0], end[1], r);
    }
    if (path.length === 1) return this.stands(path[0]![0], path[0]![1], r);
    for (let i = 1; i < path.length; i++) if (!this.segmentIsFree(path[i - 1]!, path[i]!, r)) return false;
    return true;
  }

  private segmentIsFree(a: Point, b: Point, r: number): boolean {
    if (!this.onTable(a, r) || !this.onTable(b, r)) return false;
    const box = boxOf([a, b]);
    for (const piece of this.solid)
      if (near(piece.box, box, r) && sweepOverlapsPolygon(a, b, r, piece.outline)) return false;
    for (const [x, y, s] of this.others)
      if (reaches(box, x, y, r + s) && segmentEnters(a, b, x, y, r + s)) return false;
    return true;
  }

  /** Whether a base may stand somewhere: on the table, off impassable terrain and off the others. */
  private stands(x: number, y: number, r: number): boolean {
    if (!this.onTable([x, y], r)) return false;
    for (const [u, v, s] of this.others) if ((x - u) * (x - u) + (y - v) * (y - v) < (r + s) * (r + s)) return false;
    for (const { box, outline } of this.solid) {
      if (x + r <= box.left || x - r >= box.right || y + r <= box.low || y - r >= box.high) continue;
      if (sweepOverlapsPolygon([x, y], [x, y], r, outline)) return false;
    }
    return true;
  }

  // ── putting down ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Where a unit is put down: in a shape at a place, no farther out than the zone, or model by model. */
  private putDown(wish: Wish, down: NonNullable<PickedUp["down"]>): Foreseen {
    const [left, low, right, high] = down.box;
    const to: Point = wish.to ?? [Math.floor((left + right) / 2), Math.floor((low + high) / 2)];
    const shape = wish.shape ?? "keep";
    const stacked = this.discs.map(([, , r]): Disc => [0, 0, r]);
    const places = shape === "keep" ? abreast(stacked, to, down.gap) : slotsOf(stacked, to, shape, wish.facing ?? down.ahead, SPACING);
    const box = boxOf(moved(stacked, places).flatMap(([x, y, r]): Point[] => [[x - r, y - r], [x + r, y + r]]));
    const dx = Math.max(0, left - box.left) - Math.max(0, box.right - right);
    const dy = Math.max(0, low - box.low) - Math.max(0, box.high - high);
    const at = places.map(([x, y], i): Point => wish.models?.[this.ids[i]!]?.at(-1) ?? [x + dx, y + dy]);
    const discs = moved(stacked, at);
    const legal =
      discs.every(([x, y, r]) => x - r >= left && y - r >= low && x + r <= right && y + r <= high && this.stands(x, y, r)) &&
      !discs.some((one, i) => discs.some((other, j) => j < i && overlapping(one, other))) &&
      (this.around.coherency === null || coherent(discs, this.around.coherency));
    const paths = Object.fromEntries(at.map((p, i) => [this.ids[i]!, [p]]));
    return { paths, length: 0, left: 0, price: 0, legal };
  }

  // ── ways ────────────────────────────────────────────────────────────────────────────────────────────────────────

  private single(models: Record<string, readonly Point[]>): Map<number, Path> {
    const found = new Map<number, Path>();
    this.ids.forEach((id, i) => {
      const points = models[id];
      if (points === undefined || points.length === 0) return;
      const start: Point = [this.discs[i]![0], this.discs[i]![1]];
      found.set(i, same(points[0]!, start) ? points : [start, ...points]);
    });
    return found;
  }

  private straight(legs: Path): Map<number, Path> {
    const [x0, y0] = this.discs[0]!;
    const found = new Map<number, Path>();
    this.discs.forEach(([x, y], i) => {
      if (this.free[i]) found.set(i, [[x, y], ...legs.map((p): Point => [x + p[0] - x0, y + p[1] - y0])]);
    });
    return found;
  }

  /** The legs with the last one as long as the reach allows. */
  private drawnOut(legs: Path): Point[] {
    const lead = this.discs[0]!;
    const before: Point[] = [[lead[0], lead[1]], ...legs.slice(0, -1)];
    const left = this.limit - pathLength(before);
    if (left <= 0) return [...legs];
    const last = before.at(-1)!;
    const [x, y] = legs.at(-1)!;
    const far = pointAlong(last, [x - last[0], y - last[1]], left + BEYOND);
    return [...legs.slice(0, -1), cutAtLength([last, far], left).at(-1)!];
  }

  /** The legs themselves, then as far along them as the unit can pay for, in eighths. */
  private begun(legs: Path, limit: number): Path[] {
    const lead = this.discs[0]!;
    const path: Path = [[lead[0], lead[1]], ...legs];
    const whole = Math.min(this.top === 0 ? limit : this.top, pathLength(path));
    const found: Path[] = [legs];
    for (let eighths = 8; eighths > 0; eighths--) {
      const begun = cutAtLength(path, Math.floor((whole * eighths) / 8));
      if (begun.length > 1) found.push(begun.slice(1));
    }
    return found;
  }

  private formed(legs: Path, shape: string, facing: Point | null, limit: number): Map<number, Path> | null {
    if (!(SHAPES as readonly string[]).includes(shape)) return null;
    const goal = legs.at(-1)!;
    const lead = this.discs[0]!;
    const before: Point = legs.length > 1 ? legs.at(-2)! : [lead[0], lead[1]];
    let heading: Point = facing ?? [goal[0] - before[0], goal[1] - before[1]];
    if (heading[0] === 0 && heading[1] === 0) heading = [1, 0];
    const places =
      shape === "keep" ? kept(this.discs, goal, 0, heading, [0, 1]) : assigned(this.discs, goal, shape, heading, SPACING);
    const found = new Map<number, Path>();
    for (let i = 0; i < this.discs.length; i++) {
      const [x, y, r] = this.discs[i]!;
      let path: Point[] = [[x, y]];
      const over = legs.slice(0, -1).map((p): Point => [x + p[0] - lead[0], y + p[1] - lead[1]]);
      for (const next of [...over, places[i]!]) {
        const more = this.way(path.at(-1)!, next, r, limit - pathLength(path));
        if (more === null) return null;
        path = [...path, ...more.slice(1)];
      }
      if (path.length > 1) found.set(i, path);
    }
    return found;
  }

  private marched(legs: Path, limit: number): Map<number, Path> {
    let here: Disc[] = [...this.discs];
    let paths: Point[][] = here.map(([x, y]) => [[x, y]]);
    for (const leg of legs) {
      const left = limit - Math.max(...paths.map(pathLength));
      if (left <= 0) break;
      const more = this.march(here, leg, left);
      paths = paths.map((path, i) => [...path, ...more[i]!.slice(1)]);
      here = moved(here, paths.map((path) => path.at(-1)!));
    }
    const found = new Map<number, Path>();
    paths.forEach((path, i) => {
      if (path.length > 1) found.set(i, path);
    });
    return found;
  }

  /** Move the whole unit towards a place: as it stands, else in another shape, else less far, else not at all. */
  private march(discs: Disc[], destination: Point, limit: number): Path[] {
    const stay: Path[] = discs.map(([x, y]): Point[] => [[x, y]]);
    if (limit <= 0) return stay;
    const lead = discs[0]!;
    const start: Point = [lead[0], lead[1]];
    if (same(start, destination)) return stay;
    let guide = this.way(start, destination, lead[2], null);
    if (guide === null) {
      const room = this.nearestFree(destination, lead[2], 4 * lead[2] + 200);
      if (room !== null) guide = this.way(start, room, lead[2], null);
      guide ??= [start, destination];
    }
    const whole = Math.min(limit, pathLength(guide));
    const tried: Point[] = [];
    for (let eighths = 8; eighths > 0; eighths--) {
      const route = cutAtLength(guide, Math.floor((whole * eighths) / 8));
      const goal = route.at(-1)!;
      if (same(goal, start) || tried.some((one) => same(one, goal))) continue;
      tried.push(goal);
      const before = route.at(-2)!;
      const heading: Point = [goal[0] - before[0], goal[1] - before[1]];
      for (const shape of SHAPES) {
        const paths = this.shaped(discs, goal, shape, heading, limit);
        if (paths !== null) return paths;
      }
    }
    return stay;
  }

  private shaped(discs: Disc[], goal: Point, shape: string, heading: Point, limit: number): Path[] | null {
    const coherency = this.around.coherency ?? Infinity;
    const places =
      shape === "keep"
        ? kept(discs, goal, 0)
        : assigned(discs, goal, shape, heading, Math.min(SPACING, Math.max(coherency - 4, 2)));
    const after = moved(discs, places);
    for (let i = 0; i < discs.length; i++)
      if (distanceSq([discs[i]![0], discs[i]![1]], places[i]!) > limit * limit) return null;
    if (!coherent(after, coherency)) return null;
    for (let i = 0; i < after.length; i++) for (let j = 0; j < i; j++) if (overlapping(after[i]!, after[j]!)) return null;
    if (!after.every(([x, y, r]) => this.stands(x, y, r))) return null;
    for (const p of after) for (const q of this.around.clear_of) if (gapWithin(p, q, this.around.contact)) return null;
    const paths: Path[] = [];
    for (let i = 0; i < discs.length; i++) {
      const [x, y, r] = discs[i]!;
      const path = this.way([x, y], places[i]!, r, limit);
      if (path === null) return null;
      paths.push(path);
    }
    return paths;
  }

  private nearestFree(spot: Point, r: number, reach: number): Point | null {
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
      if (!offsets.some((_, n) => { const p = at(n, there); return this.stands(p[0], p[1], r); })) continue;
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

  /** A short legal path from one place to another, round what is in the way; null where none is found. */
  private way(start: Point, goal: Point, r: number, limit: number | null): Point[] | null {
    if (limit !== null && (limit < 0 || distanceSq(start, goal) > limit * limit)) return null;
    if (same(start, goal)) return this.stands(start[0], start[1], r) ? [start] : null;
    if (!this.stands(goal[0], goal[1], r)) return null;
    if (this.pathIsFree([start, goal], r)) return [start, goal];
    if (this.around.crosses || !this.stands(start[0], start[1], r)) return null;
    return this.search(start, goal, r, limit);
  }

  /** A search that learns of obstacles as it runs into them: see `table.paths`. */
  private search(start: Point, goal: Point, r: number, limit: number | null): Point[] | null {
    const nodes: Point[] = [goal, start];
    const pieces: Solid[] = [];
    const discs: Disc[] = [];
    const [width, height] = this.around.size;
    let tested = new Map<number, boolean>();
    const KEY = 1 << 20;

    const isFree = (i: number, j: number): boolean => {
      const pair = i < j ? i * KEY + j : j * KEY + i;
      let known = tested.get(pair);
      if (known === undefined) {
        const [p, q] = [nodes[i]!, nodes[j]!];
        const box = boxOf([p, q]);
        known =
          !discs.some(([x, y, s]) => reaches(box, x, y, r + s) && segmentEnters(p, q, x, y, r + s)) &&
          !pieces.some((piece) => near(piece.box, box, r) && sweepOverlapsPolygon(p, q, r, piece.outline));
        tested.set(pair, known);
      }
      return known;
    };

    const shortest = (): Point[] | null => {
      const ahead = nodes.map((node) => distanceUp(node, goal));
      const before: number[] = nodes.map(() => -1);
      const closed: boolean[] = nodes.map(() => false);
      const best: (number | null)[] = nodes.map(() => null);
      const heap = new Heap();
      heap.push([ahead[1]!, 0, 1, 1]);
      for (let top = heap.pop(); top !== null; top = heap.pop()) {
        const [, done, node, origin] = top;
        if (closed[node] || (node !== origin && !isFree(origin, node))) continue;
        closed[node] = true;
        before[node] = origin;
        if (node === 0) break;
        const here = nodes[node]!;
        for (let other = 0; other < nodes.length; other++) {
          if (closed[other]) continue;
          const cost = done + distanceUp(here, nodes[other]!);
          const total = cost + ahead[other]!;
          if (limit !== null && total > limit) continue;
          const known = best[other] ?? null;
          if (known !== null && known <= cost) continue;
          const free = tested.get(node < other ? node * KEY + other : other * KEY + node);
          if (free === undefined) heap.push([total, cost, other, node]);
          else if (free) {
            best[other] = cost;
            heap.push([total, cost, other, node]);
          }
        }
      }
      if (!closed[0]) return null;
      const path = [0];
      while (path.at(-1) !== 1) path.push(before[path.at(-1)!]!);
      return path.reverse().map((node) => nodes[node]!);
    };

    const add = (points: readonly Point[]): void => {
      for (const p of points) if (this.stands(p[0], p[1], r)) nodes.push(p);
      tested = new Map([...tested].filter(([, free]) => !free));
    };

    let path: Point[] | null = [start, goal];
    while (path !== null) {
      const now: Point[] = path;
      const box = boxOf(now);
      const metPieces = this.solid.filter(
        (piece) => near(piece.box, box, r) && legsOf(now).some(([p, q]) => sweepOverlapsPolygon(p, q, r, piece.outline)),
      );
      const metDiscs = this.others.filter(
        ([x, y, s]) => reaches(box, x, y, r + s) && legsOf(now).some(([p, q]) => segmentEnters(p, q, x, y, r + s)),
      );
      if (metPieces.length === 0 && metDiscs.length === 0) return now;
      for (const piece of metPieces) {
        pieces.push(piece);
        add(piece.corners[r] ?? []);
      }
      for (const disc of metDiscs) {
        discs.push(disc);
        const centre: Point = [disc[0], disc[1]];
        const reach = disc[2] + r;
        const corners = [...ringAround(centre, reach), ...tangentPoints(start, centre, reach), ...tangentPoints(goal, centre, reach)];
        add(corners.filter(([x, y]) => r <= x && x <= width - r && r <= y && y <= height - r));
      }
      path = shortest();
    }
    return null;
  }
}

function legsOf(path: Path): [Point, Point][] {
  return path.slice(1).map((p, i) => [path[i]!, p]);
}

function near(a: Box, b: Box, limit: number): boolean {
  return a.left - limit <= b.right && b.left - limit <= a.right && a.low - limit <= b.high && b.low - limit <= a.high;
}

function reaches(box: Box, x: number, y: number, reach: number): boolean {
  return x + reach > box.left && x - reach < box.right && y + reach > box.low && y - reach < box.high;
}

function overlapping(a: Disc, b: Disc): boolean {
  const reach = a[2] + b[2];
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 < reach * reach;
}

function gapWithin(a: Disc, b: Disc, limit: number): boolean {
  const reach = a[2] + b[2] + limit;
  return reach >= 0 && (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= reach * reach;
}

/** The gap between the nearest two bases of two groups, rounded up. */
function nearestGap(ones: readonly Disc[], others: readonly Disc[]): number {
  let least = Infinity;
  for (const [x, y, r] of ones)
    for (const [u, v, s] of others) least = Math.min(least, distanceUp([x, y], [u, v]) - r - s);
  return least;
}

/** Whether bases hang together by gaps of at most a limit. */
function coherent(discs: readonly Disc[], limit: number): boolean {
  const reached = [0];
  let waiting = discs.map((_, i) => i).slice(1);
  for (const index of reached) {
    const still: number[] = [];
    for (const other of waiting) (gapWithin(discs[index]!, discs[other]!, limit) ? reached : still).push(other);
    waiting = still;
  }
  return waiting.length === 0;
}

function moved(discs: readonly Disc[], places: readonly Point[]): Disc[] {
  return discs.map((disc, i) => [places[i]![0], places[i]![1], disc[2]]);
}

/** The places of a formation as it stands, turned where there is a heading. */
function kept(discs: readonly Disc[], goal: Point, anchor: number, heading?: Point, front?: Point): Point[] {
  const [ax, ay] = discs[anchor]!;
  return discs.map(([x, y]) => {
    const away: Point = [x - ax, y - ay];
    const [dx, dy] = heading === undefined || front === undefined ? away : rotated(away, heading, front);
    return [goal[0] + dx, goal[1] + dy];
  });
}

/** The places of a new shape, given out so that models keep their order along it. */
function assigned(discs: readonly Disc[], goal: Point, shape: string, heading: Point, spacing: number): Point[] {
  const keys = discs.map(([x, y]) => (shape === "line" ? y * heading[0] - x * heading[1] : -(x * heading[0] + y * heading[1])));
  const order = discs.map((_, i) => i).sort((a, b) => keys[a]! - keys[b]! || a - b);
  const slots = slotsOf(order.map((i) => discs[i]!), goal, shape, heading, spacing);
  const places: Point[] = discs.map(() => goal);
  order.forEach((index, n) => (places[index] = slots[n]!));
  return places;
}

/** The places of bases in one row, its middle at a place. */
function abreast(discs: readonly Disc[], at: Point, gap: number): Point[] {
  const wide = discs.reduce((sum, [, , r]) => sum + 2 * r, gap * (discs.length - 1));
  let x = at[0] - Math.floor(wide / 2);
  return discs.map(([, , r]): Point => {
    const place: Point = [x + r, at[1]];
    x += 2 * r + gap;
    return place;
  });
}

function slotsOf(discs: readonly Disc[], goal: Point, shape: string, heading: Point, spacing: number): Point[] {
  const offsets = [0];
  for (let i = 1; i < discs.length; i++) offsets.push(offsets[i - 1]! + discs[i - 1]![2] + spacing + discs[i]![2]);
  if (shape === "line") {
    const centre = Math.floor((offsets[0]! - discs[0]![2] + offsets.at(-1)! + discs.at(-1)![2]) / 2);
    return offsets.map((offset) => pointAlong(goal, [-heading[1], heading[0]], offset - centre));
  }
  if (shape === "column") return offsets.map((offset) => pointAlong(goal, heading, -offset));
  const back: Point = [-heading[0], -heading[1]];
  const arms: [Point, Point] = [
    [back[0] - back[1], back[1] + back[0]],
    [back[0] + back[1], back[1] - back[0]],
  ];
  const ends: [number, number] = [0, 0];
  const radii: [number, number] = [discs[0]![2], discs[0]![2]];
  const places = [goal];
  for (let i = 1; i < discs.length; i++) {
    const arm = i % 2 === 1 ? 0 : 1;
    ends[arm] += radii[arm] + spacing + discs[i]![2];
    radii[arm] = discs[i]![2];
    places.push(pointAlong(goal, arms[arm], ends[arm]));
  }
  return places;
}

type Entry = readonly [number, number, number, number];

/** A heap of entries in the order of their numbers, the first number first. */
class Heap {
  private readonly entries: Entry[] = [];

  push(entry: Entry): void {
    const all = this.entries;
    let i = all.length;
    all.push(entry);
    while (i > 0) {
      const up = (i - 1) >> 1;
      if (!before(entry, all[up]!)) break;
      all[i] = all[up]!;
      i = up;
    }
    all[i] = entry;
  }

  pop(): Entry | null {
    const all = this.entries;
    const first = all[0];
    const last = all.pop();
    if (first === undefined || last === undefined) return null;
    if (all.length === 0) return first;
    let i = 0;
    for (;;) {
      let down = 2 * i + 1;
      if (down >= all.length) break;
      if (down + 1 < all.length && before(all[down + 1]!, all[down]!)) down++;
      if (!before(all[down]!, last)) break;
      all[i] = all[down]!;
      i = down;
    }
    all[i] = last;
    return first;
  }
}

function before(a: Entry, b: Entry): boolean {
  for (let i = 0; i < 4; i++) if (a[i] !== b[i]) return a[i]! < b[i]!;
  return false;
}
