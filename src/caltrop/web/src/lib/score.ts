/** Compares the scores that decide the battle, side by side. */
import type { Picture, Seat, Stat } from "../wire/types";

/** A side with its points and the number of points that wins; 0 if no number wins. */
export interface Score {
  seat: Seat;
  stat: Stat;
  have: number;
  goal: number;
}

/** Return the number with which a stat begins. */
export function numberOf(stat: Stat): number {
  return Number.parseInt(stat.value) || 0;
}

export function scoresOf(picture: Picture): Score[] {
  return picture.seats.flatMap((seat) =>
    seat.points.flatMap((stat) =>
      stat.goal === undefined ? [] : [{ seat, stat, have: numberOf(stat), goal: stat.goal }],
    ),
  );
}

/** Return the length of a side's track: the number that wins, else the highest points of any side. */
export function lengthOf(score: Score, all: readonly Score[]): number {
  return score.goal > 0 ? score.goal : Math.max(1, ...all.map((one) => one.have));
}
