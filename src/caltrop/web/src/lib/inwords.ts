/**
 * The table in words: places, distances and directions from the selected unit, and sizes. This module contains no rule.
 */
import { gridOf } from "./hexes";
import { centre, distance, inside, lengthWords, middle } from "./measure";
import type { Ground, Group, Picture, Point } from "../wire/types";

const WINDS = ["east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east"];

/** Return the direction of a place. North is away from the viewer, so it turns with the table. */
export function bearing(from: Point, to: Point, turned: boolean): string {
  const [dx, dy] = turned ? [from[0] - to[0], from[1] - to[1]] : [to[0] - from[0], to[1] - from[1]];
  if (dx === 0 && dy === 0) return "";
  return WINDS[(Math.round(Math.atan2(dy, dx) / (Math.PI / 4)) + 8) % 8] ?? "";
}

/** Return a length rounded to whole units of the game, for a description. */
function about(length: number, picture: Picture): string {
  return `${Math.round(length / picture.scale)}`;
}

/** Return a place as the viewer counts it: from the left and the near edge, in the table's own units. */
export function counted(at: Point, picture: Picture, turned: boolean): Point {
  return turned ? [picture.width - at[0], picture.height - at[1]] : at;
}

/** Return a place as "23 from the left, 8 up", or the hex on a map of hexes. */
export function placeWords(at: Point, picture: Picture, turned: boolean): string {
  const grid = gridOf(picture);
  if (grid !== null) return grid.nearest(at).name;
  const [x, y] = counted(at, picture, turned);
  return `${about(x, picture)} from the left, ${about(y, picture)} up`;
}

/** Return a size as "12 wide and 20 deep". */
export function extentWords(outline: readonly Point[], picture: Picture): string {
  const xs = outline.map((p) => p[0]);
  const ys = outline.map((p) => p[1]);
  const width = about(Math.max(...xs) - Math.min(...xs), picture);
  const depth = about(Math.max(...ys) - Math.min(...ys), picture);
  return `${width} wide and ${depth} deep`;
}

/** Return the middle of a unit. */
export function stands(group: Group): Point {
  return centre(group.pieces.map((piece) => piece.at));
}

/** Return the distance between the nearest bases of two units, in the table's units. */
export function between(a: Group, b: Group): number {
  let least = Infinity;
  for (const p of a.pieces)
    for (const q of b.pieces) least = Math.min(least, distance(p.at, q.at) - p.radius - q.radius);
  return Math.max(least, 0);
}

function fromSegment(p: Point, a: Point, b: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const squared = dx * dx + dy * dy;
  const t = squared === 0 ? 0 : Math.min(Math.max(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / squared, 0), 1);
  return distance(p, [a[0] + t * dx, a[1] + t * dy]);
}

/** Return the gap between a unit's nearest base and a piece of ground; zero if a base is in it. */
export function toGround(group: Group, outline: readonly Point[]): number {
  let least = Infinity;
  for (const { at, radius } of group.pieces) {
    if (inside(at, outline)) return 0;
    outline.forEach(
      (corner, i) =>
        (least = Math.min(least, fromSegment(at, corner, outline[(i + 1) % outline.length] ?? corner) - radius)),
    );
  }
  return Math.max(least, 0);
}

/** Return the distance and direction from a unit: "34 cm north-east". */
export function awayWords(from: Group, to: Group | Ground | { at: Point }, picture: Picture, turned: boolean): string {
  const grid = gridOf(picture);
  const here = stands(from);
  const there = "outline" in to ? middle(to.outline) : "at" in to ? to.at : stands(to);
  const way = bearing(here, there, turned);
  if (grid !== null) {
    const hexes = grid.distance(here, there);
    return `${hexes} ${hexes === 1 ? "hex" : "hexes"} ${way}`.trim();
  }
  if ("outline" in to) {
    const gap = toGround(from, to.outline);
    return gap === 0 ? "you touch it" : `${lengthWords(gap, picture)} ${way}`;
  }
  const gap =
    "at" in to
      ? Math.min(...from.pieces.map((piece) => Math.max(distance(piece.at, to.at) - piece.radius, 0)))
      : between(from, to);
  return `${lengthWords(gap, picture)} ${way}`.trim();
}

/** Return how far a unit of several models is spread out. */
export function spreadWords(group: Group, picture: Picture): string {
  if (group.pieces.length < 2 || gridOf(picture) !== null) return "";
  return `${group.pieces.length} models, ${extentWords(
    group.pieces.map((piece) => piece.at),
    picture,
  )}`;
}

/** Return whether each unit is in the other's range, by the gap between their nearest bases. */
export function reachWords(from: Group, to: Group, picture: Picture): string {
  if (gridOf(picture) !== null) return "";
  const gap = between(from, to);
  const parts: string[] = [];
  if (from.reach > 0)
    parts.push(gap <= from.reach ? "in your range" : `${lengthWords(gap - from.reach, picture)} out of your range`);
  if (to.reach > 0 && gap <= to.reach) parts.push("you are in its range");
  return parts.join("; ");
}
