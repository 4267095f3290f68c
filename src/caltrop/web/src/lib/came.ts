/** Says in one line how a battle ended. */
import type { View } from "../wire/types";

/** Return the winner with the margin; empty until the battle is over. */
export function cameTo({ over, picture }: Pick<View, "over" | "picture">): string {
  if (over === null) return "";
  const winner = picture.seats.find((seat) => seat.side === over.winner);
  const points = [...over.points].sort((a, b) => b - a);
  const scored = points.length > 1 && points.some((one) => one !== 0);
  if (winner === undefined) return scored ? `A draw, ${points[0]} each` : "A draw";
  // A side that resigns may be ahead on points.
  return scored && over.points[winner.side] === points[0]
    ? `${winner.name} wins, ${points[0]} to ${points[1]}`
    : `${winner.name} wins`;
}
