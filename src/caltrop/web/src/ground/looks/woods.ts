/** Draws woods: a floor of leaves under tree tops of many sizes, with bays in the edge. */
import { hash, noise } from "../../painting/chance.ts";
import { chanceOf, type Look } from "../growing.ts";
import type { Crown } from "../ops.ts";
import { boxOf, depth, rounded, spanOf, thrownInto, type Place } from "../shapes.ts";

/** The radii of the crowns, by sprite. */
export const CROWNS = [1.3, 1.1, 1.55, 0.85, 1.2, 0.7, 1.45, 1.0, 0.8, 1.65, 0.95, 1.25] as const;
const LARGE = [2, 6, 9, 0, 4] as const;
/** Smallest distance of two crowns, as a fraction of their radii. */
const CLOSE = 0.62;

export const woods: Look = (piece, plan) => {
  const { outline } = piece;
  const { palette } = plan;
  const under = chanceOf(piece, "floor");
  const span = spanOf(outline);
  plan.floor(outline, palette.floor, 1, hash(piece.seed) & 999);
  plan.strew(thrownInto(outline, span * 7, under), palette.litter, 0.06, 0.22, 0.5, under);
  const of = chanceOf(piece);
  const bays = hash(piece.seed) & 1023;
  const box = boxOf(outline);
  // If a copse is smaller than a tree, its trees are smaller.
  const narrow = Math.min(box[2] - box[0], box[3] - box[1]);
  // Woods have no corners. The corners of the outline are bare ground under its dashes, and the sides have bays.
  const grown = rounded(outline, true, 2);
  const deep = Math.min(4.6, narrow * 0.42);
  const goal = span * 0.8;
  const trees: { at: Place; sprite: number; radius: number }[] = [];
  for (let n = 0; n < goal * 12 && trees.length < goal; n++) {
    const x = box[0] + of() * (box[2] - box[0]);
    const y = box[1] + of() * (box[3] - box[1]);
    const sprite =
      n < goal * 2 && narrow > 5
        ? (LARGE[Math.floor(of() * LARGE.length)] as number)
        : Math.floor(of() * CROWNS.length);
    const radius = CROWNS[sprite] as number;
    if (noise(x * 0.3, y * 0.3, bays + 77) < 0.14) continue;
    // Some tree tops lean over the edge and some stay back, so that the edge does not look drawn with a ruler.
    const lean = of();
    const bay = Math.max(0, noise(x * 0.31, y * 0.31, bays) - 0.46) * deep;
    if (depth(grown, x, y) < radius * (0.5 * lean - 0.3) + bay || depth(outline, x, y) < radius * 0.2 * lean) continue;
    if (trees.some((one) => Math.hypot(one.at[0] - x, one.at[1] - y) < (one.radius + radius) * CLOSE)) continue;
    trees.push({ at: [x, y], sprite, radius });
  }
  plan.crowns.push(...trees.map(({ at, sprite, radius }): Crown => ({ at, sprite, height: radius })));
  plan.edges.push({ outline, dashes: [5, 3.5] });
};
