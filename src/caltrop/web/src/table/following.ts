/** Finds the part of the table where an act happens, for a camera that follows acts. */
import type { Act } from "../motion/acts";
import { groupOf } from "../motion/where";
import type { Piece, Point } from "../wire/types";
import { around, type Box } from "./labels";

/** Distance around what happens that is shown with it, in usual radii of a base. */
const AROUND = 5;

/**
 * Return the box around the units, paths and places of acts, in the plane of the table; null if they happen nowhere.
 *
 * @param usual Usual radius of a base.
 */
export function placeOfActs(acts: readonly Act[], usual: number, put: (at: Point) => Point): Box | null {
  const places: Point[] = acts.flatMap((act) => {
    const { motion, line, before, after } = act;
    const named = [motion?.unit, ...(motion?.units ?? []), motion?.target, line?.reading?.unit, line?.reading?.target];
    const standing = named.flatMap((id) => (groupOf(before, id) ?? groupOf(after, id))?.pieces ?? []);
    const pieces: Piece[] = [...standing, ...[...act.gone, ...act.came].map((one) => one.piece)];
    const marks = [motion?.at, motion?.to].filter((at) => at !== null && at !== undefined);
    return [...pieces.map((piece) => piece.at), ...act.moved.flatMap((one) => one.path), ...marks];
  });
  if (places.length === 0) return null;
  const far = AROUND * usual;
  return around(
    places.map((at) => {
      const [x, y] = put(at);
      return { x: x - far, y: y - far, wide: 2 * far, high: 2 * far };
    }),
  );
}
