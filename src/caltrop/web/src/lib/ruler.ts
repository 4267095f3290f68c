/** The ruler: the things to which its ends snap, and the distance between their edges, rounded up as in the rules. */
import { calledOf } from "./called";
import { gridOf, hexWords } from "./hexes";
import { distance, inside, lengthWords } from "./measure";
import type { Group, Picture, Point } from "../wire/types";

/** An end of the ruler: a place, and the thing it snapped to. */
export interface End {
  at: Point;
  radius: number;
  /** Name of the thing it snapped to; empty for a bare place. */
  name: string;
  unit: number | null;
}

/**
 * Return the base under a place, else the middle of a marked place, else the place itself; on a map of hexes, the hex.
 */
export function caught(picture: Picture, at: Point, near: number, ghosts: readonly Group[] = []): End {
  const grid = gridOf(picture);
  if (grid !== null) {
    const cell = grid.at(at) ?? grid.nearest(at);
    const group = picture.groups.find((one) => one.pieces.some((piece) => grid.at(piece.at) === cell));
    return {
      at: cell.at,
      radius: 0,
      name: group ? `${calledOf(group)} in ${cell.name}` : cell.name,
      unit: group?.id ?? null,
    };
  }
  for (const group of [...ghosts, ...picture.groups])
    for (const piece of group.pieces)
      if (distance(piece.at, at) <= Math.max(piece.radius, near / 2))
        return { at: piece.at, radius: piece.radius, name: calledOf(group), unit: group.id };
  for (const spot of picture.spots)
    if (distance(spot.at, at) <= near) return { at: spot.at, radius: 0, name: spot.name, unit: null };
  const place: Point = [
    Math.min(Math.max(Math.round(at[0]), 0), picture.width),
    Math.min(Math.max(Math.round(at[1]), 0), picture.height),
  ];
  const ground = picture.grounds.find((one) => inside(place, one.outline));
  return { at: place, radius: 0, name: ground?.name ?? "", unit: null };
}

/** Return the distance between the edges of the two things. */
export function gap(a: End, b: End): number {
  return Math.max(distance(a.at, b.at) - a.radius - b.radius, 0);
}

/** Return the distance between the ends, in the game's own unit. */
export function betweenWords(picture: Picture, a: End, b: End): string {
  const grid = gridOf(picture);
  return grid === null ? lengthWords(gap(a, b), picture) : hexWords(grid.distance(a.at, b.at));
}

/** Return the distance between the nearest two bases of two units, if both ends snapped to one. */
export function nearest(picture: Picture, a: End, b: End): number | null {
  const one = picture.groups.find((group) => group.id === a.unit);
  const other = picture.groups.find((group) => group.id === b.unit);
  if (one === undefined || other === undefined || one === other) return null;
  let least = Infinity;
  for (const p of one.pieces)
    for (const q of other.pieces) least = Math.min(least, Math.max(distance(p.at, q.at) - p.radius - q.radius, 0));
  return least;
}

/** Return a text such as "Medium Tanks to Hill Top: 61 cm; between their nearest bases 58 cm". */
export function rulerWords(picture: Picture, a: End, b: End): string {
  const length = betweenWords(picture, a, b);
  const closest = gridOf(picture) === null ? nearest(picture, a, b) : null;
  const named = a.name || b.name ? `${a.name || "here"} to ${b.name || "here"}: ` : "";
  const more =
    closest !== null && closest < gap(a, b) - 0.5
      ? `; between their nearest bases ${lengthWords(closest, picture)}`
      : "";
  return `${named}${length}${more}`;
}
