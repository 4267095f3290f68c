/**
 * Predicts a drag without asking the server. A twin of `table.measured`, and of the rules' way from a drag to paths,
 * with the numbers that the server sends when a unit is picked up.
 *
 * Everything is decided in integers, as in the rules. Doubles are used if they are exact, or far enough from a tie to
 * be certain; near a tie BigInt decides. A test compares this folder with the rules over many thousands of random
 * drags, so that the preview always equals the later answer. The code knows no rule: obstacles, limits and prices are
 * data.
 */
import type { PickedUp, Point, Wish } from "../../wire/types";
import { cutAtLength, distanceSq, pathLength, pointAlong, same, type Path } from "./exact.ts";
import { abreast, assigned, coherent, kept, moved, SHAPES, slotsOf, SPACING } from "./formations.ts";
import { Ground } from "./ground.ts";
import {
  boxOf,
  gapWithin,
  legsOf,
  near,
  nearestGap,
  overlapping,
  sweepOverlapsPolygon,
  type Box,
  type Disc,
} from "./meeting.ts";

/** The predicted end of a drag. */
export interface Foreseen {
  /** The polyline of each model, from its current place. */
  paths: Record<string, Point[]>;
  length: number;
  /** Length still free at this price. */
  left: number;
  price: number;
  legal: boolean;
}

const BEYOND = 100;

/** A unit that is picked up, and everything that may limit its move. */
export class Reach {
  private readonly discs: Disc[];
  private readonly ids: number[];
  private readonly ground: Ground;
  private readonly rough: { outline: Path; box: Box }[];
  private readonly free: boolean[];
  private readonly limit: number;
  private readonly top: number;
  readonly around: PickedUp;

  constructor(around: PickedUp, ground = new Ground(around)) {
    this.around = around;
    this.discs = around.pieces.map((piece) => [piece.at[0], piece.at[1], piece.radius] as const);
    this.ids = around.pieces.map((piece) => piece.id);
    this.free = around.pieces.map((piece) => !piece.stays);
    this.ground = ground;
    this.rough = around.rough.map((outline) => ({ outline, box: boxOf(outline) }));
    this.limit = around.bands.at(-1)?.[0] ?? 0;
    this.top = around.bands.reduce((top, [length, price]) => (price <= around.purse ? length : top), 0);
  }

  /** Return the reach of a further move of the unit, of at most a length, after a predicted one. */
  further(before: Foreseen, most: number): Reach {
    const pieces = this.around.pieces.map((piece) => ({ ...piece, at: before.paths[piece.id]?.at(-1) ?? piece.at }));
    return new Reach({ ...this.around, pieces, bands: [[most, 0]] }, this.ground);
  }

  /** Predict a wish, in the same steps and order as the rules. */
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
    if (!shaped || this.discs.length === 1) {
      const marched = this.marched(legs, this.top === 0 ? limit : this.top);
      if (marched.size > 0 && this.legal(marched)) return marched;
    }
    return straight;
  }

  private told(paths: Map<number, Path>): Foreseen {
    let length = 0;
    for (const path of paths.values()) length = Math.max(length, this.ground.spent(path));
    const band = this.around.bands.find(([reach]) => length <= reach);
    const named: Record<string, Point[]> = {};
    for (const [i, path] of paths) named[this.ids[i]!] = [...path];
    return {
      paths: named,
      length,
      left: band === undefined ? 0 : Math.max(band[0] - length, 0),
      price: this.price(paths, length),
      legal: this.legal(paths),
    };
  }

  // ── checks
  // ──────────────────────────────────────────────────────────────────────────────────────────────────────────

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
      length = Math.max(length, own > 0 ? this.ground.spent(path) : 0);
    }
    if ((moving.length === 0 && !this.around.may_stay) || length > this.limit || length < this.around.shortest)
      return false;
    for (const i of moving) {
      const path = paths.get(i)!;
      if (!this.ground.pathIsFree(path, this.discs[i]![2])) return false;
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

  // ── putting down ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Predict a deployment: in a formation at a place, within the zone, or model by model. */
  private putDown(wish: Wish, down: NonNullable<PickedUp["down"]>): Foreseen {
    const [left, low, right, high] = down.box;
    const to: Point = wish.to ?? [Math.floor((left + right) / 2), Math.floor((low + high) / 2)];
    const shape = wish.shape ?? "keep";
    const stacked = this.discs.map(([, , r]): Disc => [0, 0, r]);
    const places =
      shape === "keep"
        ? abreast(stacked, to, down.gap)
        : slotsOf(stacked, to, shape, wish.facing ?? down.ahead, SPACING);
    const box = boxOf(
      moved(stacked, places).flatMap(([x, y, r]): Point[] => [
        [x - r, y - r],
        [x + r, y + r],
      ]),
    );
    const dx = Math.max(0, left - box.left) - Math.max(0, box.right - right);
    const dy = Math.max(0, low - box.low) - Math.max(0, box.high - high);
    const at = places.map(([x, y], i): Point => wish.models?.[this.ids[i]!]?.at(-1) ?? [x + dx, y + dy]);
    const discs = moved(stacked, at);
    const legal =
      discs.every(
        ([x, y, r]) => x - r >= left && y - r >= low && x + r <= right && y + r <= high && this.ground.stands(x, y, r),
      ) &&
      !discs.some((one, i) => discs.some((other, j) => j < i && overlapping(one, other))) &&
      (this.around.coherency === null || coherent(discs, this.around.coherency));
    const paths = Object.fromEntries(at.map((p, i) => [this.ids[i]!, [p]]));
    return { paths, length: 0, left: 0, price: 0, legal };
  }

  // ── ways ────────────────────────────────────────────────────────────────────────────────────────────────────────

  private single(models: Record<string, readonly Point[]>): Map<number, Path> {
    const ways = new Map<number, Path>();
    this.ids.forEach((id, i) => {
      const points = models[id];
      if (points === undefined || points.length === 0) return;
      const start: Point = [this.discs[i]![0], this.discs[i]![1]];
      ways.set(i, same(points[0]!, start) ? points : [start, ...points]);
    });
    return ways;
  }

  private straight(legs: Path): Map<number, Path> {
    const [x0, y0] = this.discs[0]!;
    const ways = new Map<number, Path>();
    this.discs.forEach(([x, y], i) => {
      if (this.free[i]) ways.set(i, [[x, y], ...legs.map((p): Point => [x + p[0] - x0, y + p[1] - y0])]);
    });
    return ways;
  }

  /** Return the legs of a path, with the last one shortened to the reach. */
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

  /** Yield the legs, and then shorter paths that the unit can pay for, in eighths. */
  private begun(legs: Path, limit: number): Path[] {
    const lead = this.discs[0]!;
    const path: Path = [[lead[0], lead[1]], ...legs];
    const whole = Math.min(this.top === 0 ? limit : this.top, this.ground.spent(path));
    const ways: Path[] = [legs];
    for (let eighths = 8; eighths > 0; eighths--) {
      const begun = this.ground.cutTo(path, Math.floor((whole * eighths) / 8));
      if (begun.length > 1) ways.push(begun.slice(1));
    }
    return ways;
  }

  private formed(legs: Path, shape: string, facing: Point | null, limit: number): Map<number, Path> | null {
    if (!(SHAPES as readonly string[]).includes(shape)) return null;
    const goal = legs.at(-1)!;
    const lead = this.discs[0]!;
    const before: Point = legs.length > 1 ? legs.at(-2)! : [lead[0], lead[1]];
    let heading: Point = facing ?? [goal[0] - before[0], goal[1] - before[1]];
    if (heading[0] === 0 && heading[1] === 0) heading = [1, 0];
    const places =
      shape === "keep"
        ? kept(this.discs, goal, 0, heading, [0, 1])
        : assigned(this.discs, goal, shape, heading, SPACING);
    const ways = new Map<number, Path>();
    for (let i = 0; i < this.discs.length; i++) {
      const [x, y, r] = this.discs[i]!;
      let path: Point[] = [[x, y]];
      const over = legs.slice(0, -1).map((p): Point => [x + p[0] - lead[0], y + p[1] - lead[1]]);
      for (const next of [...over, places[i]!]) {
        const more = this.ground.way(path.at(-1)!, next, r, limit - this.ground.spent(path));
        if (more === null) return null;
        path = [...path, ...more.slice(1)];
      }
      if (path.length > 1) ways.set(i, path);
    }
    return ways;
  }

  private marched(legs: Path, limit: number): Map<number, Path> {
    let here: Disc[] = [...this.discs];
    let paths: Point[][] = here.map(([x, y]) => [[x, y]]);
    for (const leg of legs) {
      const left = limit - Math.max(...paths.map((path) => this.ground.spent(path)));
      if (left <= 0) break;
      const more = this.march(here, leg, left);
      paths = paths.map((path, i) => [...path, ...more[i]!.slice(1)]);
      here = moved(
        here,
        paths.map((path) => path.at(-1)!),
      );
    }
    const ways = new Map<number, Path>();
    paths.forEach((path, i) => {
      if (path.length > 1) ways.set(i, path);
    });
    return ways;
  }

  /** Move the whole unit in formation towards a place, as far as the limit allows, or not at all. */
  private march(discs: Disc[], destination: Point, limit: number): Path[] {
    const stay: Path[] = discs.map(([x, y]): Point[] => [[x, y]]);
    if (limit <= 0) return stay;
    const lead = discs[0]!;
    const start: Point = [lead[0], lead[1]];
    if (same(start, destination)) return stay;
    let guide = this.ground.way(start, destination, lead[2], null);
    if (guide === null) {
      const room = this.ground.nearestFree(destination, lead[2], this.ground.about(destination, lead[2]));
      if (room !== null) guide = this.ground.way(start, room, lead[2], null);
      guide ??= [start, destination];
    }
    const whole = Math.min(limit, this.ground.spent(guide));
    const tried: Point[] = [];
    for (let eighths = 8; eighths > (whole === limit ? 0 : 7); eighths--) {
      const route = this.ground.cutTo(guide, Math.floor((whole * eighths) / 8));
      const goal = route.at(-1)!;
      if (same(goal, start) || tried.some((one) => same(one, goal))) continue;
      tried.push(goal);
      const paths = this.shaped(discs, goal, limit);
      if (paths !== null) return paths;
    }
    return stay;
  }

  private shaped(discs: Disc[], goal: Point, limit: number): Path[] | null {
    const coherency = this.around.coherency ?? Infinity;
    const places = kept(discs, goal, 0);
    const after = moved(discs, places);
    for (let i = 0; i < discs.length; i++)
      if (distanceSq([discs[i]![0], discs[i]![1]], places[i]!) > limit * limit) return null;
    if (!coherent(after, coherency)) return null;
    for (let i = 0; i < after.length; i++)
      for (let j = 0; j < i; j++) if (overlapping(after[i]!, after[j]!)) return null;
    if (!after.every(([x, y, r]) => this.ground.stands(x, y, r))) return null;
    for (const p of after) for (const q of this.around.clear_of) if (gapWithin(p, q, this.around.contact)) return null;
    const paths: Path[] = [];
    for (let i = 0; i < discs.length; i++) {
      const [x, y, r] = discs[i]!;
      const path = this.ground.way([x, y], places[i]!, r, limit);
      if (path === null) return null;
      paths.push(path);
    }
    return paths;
  }
}
