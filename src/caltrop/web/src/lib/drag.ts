/** Draws a drag: the rules' answer, or until then the page's forecast, or the unit under the pointer. */
import { centre, distance, sumOf } from "./measure";
import type { Foreseen } from "./reach/reach";
import type { Picture, Point, Proposal, Refusal, Region, Wish } from "../wire/types";

export interface Shown {
  paths: Record<string, Point[]>;
  length: number;
  left: number;
  /** Cost of the drag; null without a price. */
  cost: number | null;
  illegal: boolean;
  refusal: Refusal | null;
  /** Places at which the drag fails. */
  faults: readonly Point[];
}

export function shown(draft: { proposal: Proposal | null; foreseen: Foreseen | null }): Shown | null {
  const { proposal, foreseen } = draft;
  if (proposal !== null)
    return {
      paths: proposal.paths,
      length: proposal.length,
      left: proposal.left,
      cost: proposal.price.length > 0 ? sumOf(proposal.price) : null,
      illegal: proposal.refusal !== null,
      refusal: proposal.refusal,
      faults: proposal.refusal === null ? [] : (proposal.faults ?? []),
    };
  if (foreseen !== null)
    return {
      paths: foreseen.paths,
      length: foreseen.length,
      left: foreseen.left,
      cost: foreseen.price === 0 ? null : foreseen.price,
      illegal: !foreseen.legal,
      refusal: null,
      faults: [],
    };
  return null;
}

/**
 * Return the drag that an action stands for: the places of the models of a unit. Null if the action does not move the
 * models of that unit.
 *
 * @param ids The unit's models, the leading one first.
 */
export function dragOf(
  action: unknown,
  ids: readonly number[],
): { to: Point; waypoints: Point[]; models: Record<string, Point[]> } | null {
  const { paths, path } = (action ?? {}) as { paths?: unknown; path?: unknown };
  const [first] = ids;
  if (ids.length === 1 && first !== undefined && isWay(path) && path.length > 0)
    return { to: path.at(-1)!, waypoints: path.slice(0, -1), models: {} };
  if (!Array.isArray(paths) || paths.length === 0) return null;
  const models: Record<string, Point[]> = {};
  for (const entry of paths as readonly unknown[]) {
    if (!Array.isArray(entry)) return null;
    const [id, way] = entry as readonly unknown[];
    // A path begins at the place of its model.
    if (typeof id !== "number" || !ids.includes(id) || !isWay(way) || way.length < 2) return null;
    models[id] = way.slice(1);
  }
  const lead = models[ids.find((id) => id in models) ?? -1]?.at(-1);
  return lead === undefined ? null : { to: lead, waypoints: [], models };
}

function isWay(value: unknown): value is Point[] {
  return (
    Array.isArray(value) &&
    value.every((one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === "number"))
  );
}

/** A drag that ends at a price limit. */
export interface Shorter {
  to: Point;
  /** Length by which it is shorter. */
  by: number;
  price: number;
}

/**
 * Return where a drag that goes slightly beyond a price limit would have to end. Null if the unit does not move, or if
 * its path is not straight.
 */
export function shorter(
  wish: Wish,
  start: Point,
  bands: readonly (readonly [number, number])[],
  length: number,
  within: number,
): Shorter | null {
  const { to, waypoints, models, facing, shape } = wish;
  if (
    !to ||
    (waypoints?.length ?? 0) > 0 ||
    Object.keys(models ?? {}).length > 0 ||
    facing ||
    (shape ?? "keep") !== "keep"
  )
    return null;
  const band = bands.findLast(([reach]) => reach < length);
  const straight = Math.hypot(to[0] - start[0], to[1] - start[1]);
  if (band === undefined || length - band[0] > within || Math.abs(straight - length) > 2) return null;
  const part = band[0] / straight;
  // The shortened path is moved towards the start, because it must not be longer than the price allows.
  return {
    to: [start[0] + Math.trunc((to[0] - start[0]) * part), start[1] + Math.trunc((to[1] - start[1]) * part)],
    by: length - band[0],
    price: band[1],
  };
}

/** Return the place of the dragged unit's leading model, or the middle of its zone. */
export function startOf(region: Region, picture: Picture | undefined): Point {
  const group = picture?.groups.find((one) => one.id === region.unit);
  const zone = picture?.zones.find((one) => one.side === group?.side) ?? picture?.zones[0];
  return group?.pieces[0]?.at ?? (zone === undefined ? [0, 0] : centre(zone.outline));
}

/** Return whether a drag is longer than its move, and continues into the move that follows. */
export function goesOn(
  draft: { region: Region; to: Point | null; waypoints: readonly Point[] },
  picture: Picture | undefined,
): boolean {
  const { region, to, waypoints } = draft;
  if (!region.onward || to === null || waypoints.length > 0) return false;
  return distance(to, startOf(region, picture)) > (region.bands.at(-1)?.[0] ?? Infinity) + 1;
}

/**
 * Return the direction of a unit's formation before it is turned: its facing, or else the direction of its last leg.
 */
export function usualFacing(
  wish: Pick<Wish, "shape" | "waypoints" | "to"> & { region: Region },
  start: Point,
  height: number,
): Point {
  // A unit that is deployed faces away from the nearer edge.
  if (wish.region.form !== "move") return [0, start[1] > height / 2 ? -1000 : 1000];
  const last = wish.to ?? start;
  const before = wish.waypoints?.at(-1) ?? start;
  const along: Point = [last[0] - before[0], last[1] - before[1]];
  return (wish.shape ?? "keep") === "keep" || (along[0] === 0 && along[1] === 0) ? [0, 1000] : along;
}

/** Return a direction turned to the left by an angle, in whole numbers that are large enough to be accurate. */
export function turned(facing: Point, angle: number): Point {
  const now = Math.atan2(facing[1], facing[0]) + angle;
  return [Math.round(Math.cos(now) * 1000), Math.round(Math.sin(now) * 1000)];
}
