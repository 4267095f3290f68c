/** Directions of models without a front in the rules: along their last move. Turrets point at their last target. */
import type { Group, Picture, Point } from "../wire/types";
import { seedOf } from "./draw";

/** A direction on the table. */
export interface Bearing {
  front: Point;
  /** Direction of the turret; along the front if it has had no target since it moved. */
  aim: Point | null;
}

const keyOf = (group: number, piece: number): string => `${group}/${piece}`;

function middle(group: Group): Point {
  const n = Math.max(group.pieces.length, 1);
  return [
    group.pieces.reduce((sum, piece) => sum + piece.at[0], 0) / n,
    group.pieces.reduce((sum, piece) => sum + piece.at[1], 0) / n,
  ];
}

const far = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

function turned([x, y]: Point, by: number): Point {
  return [x * Math.cos(by) - y * Math.sin(by), x * Math.sin(by) + y * Math.cos(by)];
}

/**
 * Before its first move a unit faces the nearest enemy, with small individual differences; without enemies, the far
 * edge.
 */
function atFirst(group: Group, others: readonly { side: number; at: Point }[], height: number): Point {
  const own = middle(group);
  let nearest: Point | null = null;
  for (const { side, at } of others)
    if (side !== group.side && (nearest === null || far(own, at) < far(own, nearest))) nearest = at;
  if (nearest === null || far(own, nearest) < 1) return [0, own[1] < height / 2 ? 1 : -1];
  return [nearest[0] - own[0], nearest[1] - own[1]];
}

/** Follows a table from picture to picture. */
export class Bearings {
  private readonly known = new Map<string, { at: Point; bearing: Bearing }>();

  /** Read the bearings of a picture. */
  follow(picture: Picture): this {
    const middles = picture.groups
      .filter((group) => group.pieces.length > 0)
      .map((group) => ({ side: group.side, at: middle(group) }));
    const seen = new Set<string>();
    for (const group of picture.groups) {
      const line = picture.lines.find(
        (one) => one.kind === "attack" && one.side === group.side && far(one.start, middle(group)) < 2,
      );
      for (const piece of group.pieces) {
        const key = keyOf(group.id, piece.id);
        seen.add(key);
        const before = this.known.get(key);
        let bearing: Bearing;
        if (before === undefined)
          bearing = {
            front: turned(atFirst(group, middles, picture.height), ((seedOf(key) % 17) - 8) * 0.02),
            aim: null,
          };
        else if (far(before.at, piece.at) > piece.radius * 0.2)
          bearing = { front: [piece.at[0] - before.at[0], piece.at[1] - before.at[1]], aim: null };
        else bearing = before.bearing;
        if (line !== undefined) bearing = { ...bearing, aim: [line.end[0] - piece.at[0], line.end[1] - piece.at[1]] };
        this.known.set(key, { at: piece.at, bearing });
      }
    }
    for (const key of this.known.keys()) if (!seen.has(key)) this.known.delete(key);
    return this;
  }

  of(group: number, piece: number): Bearing | null {
    return this.known.get(keyOf(group, piece))?.bearing ?? null;
  }
}
