/** Evaluates a finished battle from its moments: points by round, losses, and the deeds of units. */
import type { Group, LogEntry, Motion, Picture, Seat } from "../wire/types";
import { inForce } from "./log";
import type { Moment } from "./recorded";

/** A side's points at the end of each round. */
export interface Score {
  label: string;
  rounds: number[];
  /** For each side, its points at the end of each round. */
  points: Record<number, number[]>;
}

export interface Losses {
  side: number;
  /** Lost units, as they were at full strength. */
  gone: Group[];
  /** Number of lost models, or lost strength, of all units together. */
  models: number;
}

export interface Deeds {
  unit: number;
  group: Group;
  /** Number of models or strength points that the unit took from others. */
  struck: number;
  attacks: number;
  /** Result of the unit's dice over all attacks. */
  got: number;
  lost: number;
}

function counted(group: Group): number {
  const strength = /^(\d+)\/\d+/.exec(group.strength);
  return strength === null ? group.pieces.length : Number(strength[1]);
}

/** Return the points that decide a game: those whose last values the outcome names. */
export function pointsOf(moments: readonly Moment[], final: readonly number[]): Score | null {
  const last = moments.at(-1)?.picture;
  if (last === undefined || final.length === 0) return null;
  const number = (seat: Seat | undefined, label: string): number =>
    parseInt(seat?.points.find((stat) => stat.label === label)?.value ?? "", 10);
  const labels = last.seats[0]?.points.map((stat) => stat.label) ?? [];
  const agree = labels.filter((one) => last.seats.every((seat) => number(seat, one) === final[seat.side]));
  // Spent resources sometimes reach the same numbers, but a score only grows.
  const grows = (label: string): boolean =>
    last.seats.every(({ side }) => {
      const values = moments.map(
        ({ picture }) =>
          number(
            picture.seats.find((seat) => seat.side === side),
            label,
          ) || 0,
      );
      return values.every((value, i) => i === 0 || value >= (values[i - 1] ?? 0));
    });
  const label = agree.find(grows) ?? agree.at(-1);
  if (label === undefined) return null;
  return byRound(
    moments,
    label,
    (picture, side) =>
      number(
        picture.seats.find((seat) => seat.side === side),
        label,
      ) || 0,
  );
}

/** Return the number of models at the end of each round, for games that are not decided by points. */
export function standingOf(moments: readonly Moment[]): Score {
  // Units that are still being placed do not count yet.
  const played = moments.some(({ picture }) => picture.stage.round > 0)
    ? moments.filter(({ picture }) => picture.stage.round > 0)
    : moments;
  return byRound(played, "Standing", (picture, side) =>
    picture.groups
      .filter((group) => group.side === side && group.pieces.length > 0)
      .reduce((sum, group) => sum + counted(group), 0),
  );
}

function byRound(moments: readonly Moment[], label: string, of: (picture: Picture, side: number) => number): Score {
  const ends = new Map<number, Picture>();
  for (const { picture } of moments) ends.set(Math.max(picture.stage.round, 0), picture);
  const rounds = [...ends.keys()].sort((a, b) => a - b);
  const sides = moments.at(-1)?.picture.seats.map((seat) => seat.side) ?? [];
  return {
    label,
    rounds,
    points: Object.fromEntries(sides.map((side) => [side, rounds.map((round) => of(ends.get(round)!, side))])),
  };
}

/** Return every unit at the moment when it had most of its models. */
function wholes(moments: readonly Moment[]): Map<number, Group> {
  const groups = new Map<number, Group>();
  for (const { picture } of moments)
    for (const group of picture.groups) {
      const before = groups.get(group.id);
      if (group.pieces.length > 0 && (before === undefined || counted(group) > counted(before)))
        groups.set(group.id, group);
    }
  return groups;
}

export function lossesOf(moments: readonly Moment[]): Losses[] {
  const last = moments.at(-1)?.picture;
  if (last === undefined) return [];
  const now = new Map(last.groups.map((group) => [group.id, group]));
  return last.seats.map(({ side }) => {
    const mine = [...wholes(moments).values()].filter((group) => group.side === side);
    const safe = (group: Group): boolean => group.carrier !== undefined || (group.whereabouts ?? "") !== "";
    const gone = mine.filter((group) => {
      const end = now.get(group.id);
      return end === undefined || (end.pieces.length === 0 && !safe(end));
    });
    const models = mine.reduce((sum, group) => {
      const end = now.get(group.id);
      if (end !== undefined && end.pieces.length === 0 && safe(end)) return sum;
      return sum + Math.max(0, counted(group) - (end === undefined || end.pieces.length === 0 ? 0 : counted(end)));
    }, 0);
    return { side, gone, models };
  });
}

/**
 * Return the deeds of each unit, most losses caused first. A loss counts for the latest attacker of that unit, in the
 * same act or earlier.
 */
export function deedsOf(moments: readonly Moment[]): Deeds[] {
  const all = wholes(moments);
  const deeds = new Map<number, Deeds>();
  const of = (unit: number): Deeds | undefined => {
    const group = all.get(unit);
    if (group === undefined) return undefined;
    const one = deeds.get(unit) ?? { unit, group, struck: 0, attacks: 0, got: 0, lost: 0 };
    deeds.set(unit, one);
    return one;
  };
  const by = new Map<number, number>();
  const lines = inForce(moments.at(-1)?.log ?? []).flatMap(({ entry, undone }) => (undone ? [] : [entry]));
  const reported = losses(lines);
  for (const { motion, line } of reported) {
    if ((motion.sort === "shot" || motion.sort === "blow") && typeof motion.target === "number") {
      const attacker = typeof motion.unit === "number" ? of(motion.unit) : undefined;
      if (typeof motion.unit === "number") by.set(motion.target, motion.unit);
      if (attacker !== undefined) {
        attacker.attacks += 1;
        attacker.got += line.reading?.tallies.find((tally) => tally.side === attacker.group.side)?.got ?? 0;
        attacker.struck += motion.count ?? 0;
      }
      const target = of(motion.target);
      if (target !== undefined) target.lost += motion.count ?? 0;
    } else if (motion.sort === "loss" && typeof motion.unit === "number") {
      const many = motion.count ?? 0;
      const target = of(motion.unit);
      if (target !== undefined) target.lost += many;
      const attacker = by.get(motion.unit);
      const one = attacker === undefined ? undefined : of(attacker);
      if (one !== undefined && one.group.side !== target?.group.side) one.struck += many;
    }
  }
  return [...deeds.values()].sort((a, b) => b.struck - a.struck || b.got - a.got || b.attacks - a.attacks);
}

/**
 * Return the lines with motions. If losses are reported as a whole and one by one, only the whole is kept.
 *
 * Other lines may come in between, because the owner chooses later which models to remove, unit by unit.
 */
function losses(lines: readonly LogEntry[]): { motion: Motion; line: LogEntry }[] {
  const events: { motion: Motion; line: LogEntry }[] = [];
  const left = new Map<number, number>();
  for (const line of lines) {
    const { motion } = line;
    if (!motion) continue;
    if (motion.sort === "loss" && typeof motion.unit === "number") {
      const many = motion.count ?? 0;
      const remaining = left.get(motion.unit) ?? 0;
      if ((motion.pieces ?? []).length === 0) left.set(motion.unit, remaining + many);
      else if (remaining > 0) {
        left.set(motion.unit, remaining - many);
        continue;
      }
    }
    events.push({ motion, line });
  }
  return events;
}
