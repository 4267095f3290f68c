/** How dice lie. */
import type { DieRead } from "../wire/types";

/** Plainly, so that a die counts, so that it does nothing, or so that another has cancelled it. */
export type Fall = "plain" | "counts" | "idle" | "cancelled";

/** How a die of an attack came to lie. */
export function fallOf(die: DieRead): Fall {
  if (die.result === "") return "idle";
  return die.ignored || die.by.length > 0 ? "cancelled" : "counts";
}

const LEANS = [-7, 5, -3, 9, 2, -9, 6, -5] as const;

/** How far a die of a throw is turned, in degrees: by its place and what it shows, so that the same throw always lies the same. */
export function leanOf(place: number, face: number): number {
  return LEANS[(place * 3 + face) % LEANS.length] ?? 0;
}
