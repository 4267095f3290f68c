/** Formations of bases: a twin of `table.measured.units`. */
import type { Point } from "../../wire/types";
import { pointAlong, rotated } from "./exact.ts";
import { gapWithin, type Disc } from "./meeting.ts";

export const SPACING = 100;
export const SHAPES = ["keep", "column", "line", "wedge"] as const;

/** Return whether bases form one group with gaps up to a limit. */
export function coherent(discs: readonly Disc[], limit: number): boolean {
  const reached = [0];
  let waiting = discs.map((_, i) => i).slice(1);
  for (const index of reached) {
    const still: number[] = [];
    for (const other of waiting) (gapWithin(discs[index]!, discs[other]!, limit) ? reached : still).push(other);
    waiting = still;
  }
  return waiting.length === 0;
}

export function moved(discs: readonly Disc[], places: readonly Point[]): Disc[] {
  return discs.map((disc, i) => [places[i]![0], places[i]![1], disc[2]]);
}

/** Return the places of an unchanged formation, turned if there is a heading. */
export function kept(discs: readonly Disc[], goal: Point, anchor: number, heading?: Point, front?: Point): Point[] {
  const [ax, ay] = discs[anchor]!;
  return discs.map(([x, y]) => {
    const away: Point = [x - ax, y - ay];
    const [dx, dy] = heading === undefined || front === undefined ? away : rotated(away, heading, front);
    return [goal[0] + dx, goal[1] + dy];
  });
}

/** Return the places of a new formation, assigned so that models keep their order along it. */
export function assigned(discs: readonly Disc[], goal: Point, shape: string, heading: Point, spacing: number): Point[] {
  const keys = discs.map(([x, y]) =>
    shape === "line" ? y * heading[0] - x * heading[1] : -(x * heading[0] + y * heading[1]),
  );
  const order = discs.map((_, i) => i).sort((a, b) => keys[a]! - keys[b]! || a - b);
  const slots = slotsOf(
    order.map((i) => discs[i]!),
    goal,
    shape,
    heading,
    spacing,
  );
  const places: Point[] = discs.map(() => goal);
  order.forEach((index, n) => (places[index] = slots[n]!));
  return places;
}

/** Return the places of bases in one row whose middle is at a place. */
export function abreast(discs: readonly Disc[], at: Point, gap: number): Point[] {
  const wide = discs.reduce((sum, [, , r]) => sum + 2 * r, gap * (discs.length - 1));
  let x = at[0] - Math.floor(wide / 2);
  return discs.map(([, , r]): Point => {
    const place: Point = [x + r, at[1]];
    x += 2 * r + gap;
    return place;
  });
}

export function slotsOf(discs: readonly Disc[], goal: Point, shape: string, heading: Point, spacing: number): Point[] {
  const offsets = [0];
  for (let i = 1; i < discs.length; i++) offsets.push(offsets[i - 1]! + discs[i - 1]![2] + spacing + discs[i]![2]);
  if (shape === "line") {
    const centre = Math.floor((offsets[0]! - discs[0]![2] + offsets.at(-1)! + discs.at(-1)![2]) / 2);
    return offsets.map((offset) => pointAlong(goal, [-heading[1], heading[0]], offset - centre));
  }
  if (shape === "column") return offsets.map((offset) => pointAlong(goal, heading, -offset));
  const back: Point = [-heading[0], -heading[1]];
  const arms: [Point, Point] = [
    [back[0] - back[1], back[1] + back[0]],
    [back[0] + back[1], back[1] - back[0]],
  ];
  const ends: [number, number] = [0, 0];
  const radii: [number, number] = [discs[0]![2], discs[0]![2]];
  const places = [goal];
  for (let i = 1; i < discs.length; i++) {
    const arm = i % 2 === 1 ? 0 : 1;
    ends[arm] += radii[arm] + spacing + discs[i]![2];
    radii[arm] = discs[i]![2];
    places.push(pointAlong(goal, arms[arm], ends[arm]));
  }
  return places;
}
