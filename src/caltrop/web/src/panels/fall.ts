/** The ways in which dice lie on the table. */
import type { DieRead } from "../wire/types";

/** Lying normally, counting, without effect, or cancelled by another die. */
export type Fall = "plain" | "counts" | "idle" | "cancelled";

/** Return how a die of an attack ended up. */
export function fallOf(die: DieRead): Fall {
  if (die.result === "") return "idle";
  return die.ignored || die.by.length > 0 ? "cancelled" : "counts";
}

const LEANS = [-7, 5, -3, 9, 2, -9, 6, -5] as const;

/** Return the rotation of a die in degrees, from its place and face, so that a throw always looks the same. */
export function leanOf(place: number, face: number): number {
  return LEANS[(place * 3 + face) % LEANS.length] ?? 0;
}
