/** Finds places of an act on the table and on the screen. */
import type { Group, Motion, Picture, Piece, Point } from "../wire/types";
import type { Act, Going } from "./acts";
import { overlap, type Box, type Readable } from "./dice";
import type { Stage } from "./reel";

/** Position and scale of a table on the screen. */
export type Lie = Pick<Stage, "put" | "k" | "seen" | "table" | "covers">;

/** Return where dice and words of a unit can be read: in the visible part of the table if the unit is there. */
export function readableAt(around: Box, { seen, table, covers }: Lie): Readable {
  return overlap(around, seen) > 0 ? { bounds: seen, covers } : { bounds: table, covers: [] };
}

export function groupOf(picture: Picture, id: number | null | undefined): Group | undefined {
  return id === null || id === undefined ? undefined : picture.groups.find((group) => group.id === id);
}

/** Return the middle of a unit's pieces, before the act if possible, otherwise after it. */
export function middleOf(act: Act, id: number | null | undefined): Point | null {
  const pieces =
    [act.before, act.after].map((picture) => groupOf(picture, id)?.pieces ?? []).find((pieces) => pieces.length > 0) ??
    [];
  if (pieces.length === 0) return null;
  return [
    pieces.reduce((sum, one) => sum + one.at[0], 0) / pieces.length,
    pieces.reduce((sum, one) => sum + one.at[1], 0) / pieces.length,
  ];
}

export function unitOf(motion: Motion | null): number | null {
  return motion?.unit ?? motion?.units?.[0] ?? null;
}

/** Return the place where an act begins. */
export function fromOf(act: Act): Point | null {
  return middleOf(act, act.motion?.unit) ?? act.motion?.at ?? null;
}

/** Return the place that an act is about: its target, its destination, or the unit itself. */
export function toOf(act: Act): Point | null {
  const { motion } = act;
  return (
    middleOf(act, motion?.target) ??
    motion?.to ??
    middleOf(act, unitOf(motion)) ??
    motion?.at ??
    act.gone[0]?.piece.at ??
    null
  );
}

/** Return the piece of a unit that is nearest to a place. */
function nearestOf(group: Group | undefined, place: Point): Piece | null {
  const far = ({ at }: Piece): number => Math.hypot(at[0] - place[0], at[1] - place[1]);
  return (group?.pieces ?? []).reduce<Piece | null>(
    (best, one) => (best === null || far(one) < far(best) ? one : best),
    null,
  );
}

/** Return the line of fire of an act, from rim to rim, between the nearest pieces of the two units. */
export function fireOf(act: Act): [Point, Point] | null {
  const [from, to] = [fromOf(act), toOf(act)];
  if (from === null || to === null) return null;
  const start = nearestOf(groupOf(act.before, act.motion?.unit), to);
  const end = nearestOf(groupOf(act.before, act.motion?.target), start?.at ?? from);
  const [a, b] = [start?.at ?? from, end?.at ?? to];
  const [first, last] = [reachOf(start), reachOf(end)];
  const far = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (far <= first + last) return [a, b];
  const on = (t: number): Point => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
  return [on(first / far), on(1 - last / far)];
}

/** Return the radius of a base at its narrowest. */
function reachOf(piece: Piece | null): number {
  return piece === null ? 0 : (piece.hull?.[1] ?? piece.radius) * ROUND;
}

/** Distance of a mark from the middle of a base, in radii of the base. */
export const ROUND = 1.3;

export function sideOf(act: Act): number | null {
  const { motion } = act;
  return (
    motion?.side ??
    groupOf(act.before, unitOf(motion))?.side ??
    groupOf(act.after, unitOf(motion))?.side ??
    act.line?.side ??
    null
  );
}

export function lineOf(path: readonly Point[], { put }: Lie): string {
  return "M" + path.map((at) => put(at).join(" ")).join("L");
}

/** Return the box on the screen around pieces, in pixels. */
export function boxOf(group: Group | undefined, { put, k }: Lie): Box | null {
  const boxes = (group?.pieces ?? []).map(({ at, radius }) => {
    const [x, y] = put(at).map((n) => n * k) as [number, number];
    const r = radius * k;
    return [x - r, y - r, x + r, y + r] as const;
  });
  if (boxes.length === 0) return null;
  return [
    Math.min(...boxes.map((b) => b[0])),
    Math.min(...boxes.map((b) => b[1])),
    Math.max(...boxes.map((b) => b[2])),
    Math.max(...boxes.map((b) => b[3])),
  ];
}

/** Return for each moving unit the piece that goes farthest. */
export function leaders(act: Act): Going[] {
  const ways = new Map<number, Going>();
  for (const one of act.moved) {
    const best = ways.get(one.unit);
    if (best === undefined || lengthOf(one.path) > lengthOf(best.path)) ways.set(one.unit, one);
  }
  return [...ways.values()];
}

export function lengthOf(path: readonly Point[]): number {
  return path.slice(1).reduce((sum, at, i) => sum + Math.hypot(at[0] - path[i]![0], at[1] - path[i]![1]), 0);
}

/** Return a place on a path, from 0 at its start to 1 at its end. */
export function along(path: readonly Point[], part: number): Point {
  let left = lengthOf(path) * part;
  for (let i = 1; i < path.length; i++) {
    const [a, b] = [path[i - 1]!, path[i]!];
    const far = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (left <= far && far > 0) return [a[0] + ((b[0] - a[0]) * left) / far, a[1] + ((b[1] - a[1]) * left) / far];
    left -= far;
  }
  return path.at(-1)!;
}

export function pointBox(at: Point, { put, k }: Lie): Box {
  const [x, y] = put(at).map((n) => n * k) as [number, number];
  return [x - 10, y - 10, x + 10, y + 10];
}
