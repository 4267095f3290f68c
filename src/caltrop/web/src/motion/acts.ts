/** Turns events into acts, in order. Each act is data, with the picture of the table before it and after it. */
import { distance } from "../lib/measure";
import type { Group, LogEntry, Motion, Picture, Piece, Point } from "../wire/types";

/** A piece that moves: the places it passes, and its side. */
export interface Going {
  unit: number;
  piece: number;
  path: Point[];
}

/** Pieces that have left the table, or that have appeared. */
export interface Standing {
  unit: number;
  piece: Piece;
}

export interface Act {
  /** The motion to play; null if the table changes without an explanation, or if there are only words. */
  motion: Motion | null;
  /** The log line that reports it. */
  line: LogEntry | null;
  before: Picture;
  after: Picture;
  moved: Going[];
  gone: Standing[];
  came: Standing[];
  /** Number of new log lines to show when it is over. */
  told: number;
}

/** Kinds of motion that certainly change a unit. Motions of other kinds may do so, if nothing else explains the change.
 * */
const STRONG = ["move", "place", "charge", "loss", "mark", "dice"];

/** Largest distance between two pieces that count as standing together, as a multiple of the sum of their radii. */
const BESIDE = 1.6;

function unitsOf(motion: Motion): number[] {
  return [
    ...new Set([...(motion.units ?? []), ...(motion.unit === undefined || motion.unit === null ? [] : [motion.unit])]),
  ];
}

function weakly(motion: Motion): number[] {
  return [...unitsOf(motion), ...(motion.target === undefined || motion.target === null ? [] : [motion.target])];
}

/** The units that a motion changes for sure, or those that it may change. */
function changed(motion: Motion, strong: boolean): number[] {
  if (strong) return STRONG.includes(motion.sort) ? unitsOf(motion) : [];
  return motion.sort === "score" || motion.sort === "order" ? [] : weakly(motion);
}

/**
 * Losses of one unit that are reported one by one are merged into one act. Pieces that are placed one after another are
 * merged too.
 */
function together(lines: readonly LogEntry[]): { line: LogEntry; motion: Motion; told: number }[] {
  const events: { line: LogEntry; motion: Motion; told: number }[] = [];
  lines.forEach((line, i) => {
    const motion = line.motion ?? null;
    const last = events.at(-1);
    if (motion === null) return;
    const joins = last !== undefined && last.motion.sort === motion.sort;
    if (joins && motion.sort === "loss" && last.motion.unit === motion.unit)
      last.motion = bothLosses(last.motion, motion);
    else if (joins && motion.sort === "place")
      last.motion = { ...last.motion, units: [...unitsOf(last.motion), ...unitsOf(motion)] };
    else events.push({ line, motion, told: 0 });
    events.at(-1)!.told = i + 1;
  });
  return events;
}

/**
 * Merge a loss that is reported as a whole and model by model: name the pieces once, and keep the number of the whole.
 */
function bothLosses(a: Motion, b: Motion): Motion {
  const pieces = [...(a.pieces ?? []), ...(b.pieces ?? [])];
  const counts = [a.count ?? 0, b.count ?? 0] as const;
  const count = pieces.length === 0 ? counts[0] + counts[1] : Math.max(pieces.length, ...counts);
  return { ...a, pieces, count, tag: [a.tag, b.tag].filter(Boolean).join(", ") };
}

function replaced<T>(
  all: readonly T[],
  key: (one: T) => number,
  put: readonly T[],
  gone: ReadonlySet<number> = new Set(),
): T[] {
  const fresh = new Map(put.map((one) => [key(one), one]));
  const remaining = all.filter((one) => !gone.has(key(one))).map((one) => fresh.get(key(one)) ?? one);
  const there = new Set(all.map(key));
  return [...remaining, ...put.filter((one) => !there.has(key(one)))];
}

/**
 * Return the acts that lead from one picture to another, according to the log lines between them. The last act always
 * ends at *after*.
 *
 * A unit looks as it does at the end from the last act that changes it. Differences that no line explains become a last
 * act without a motion.
 */
export function cut(before: Picture, after: Picture, lines: readonly LogEntry[]): Act[] {
  const seen = together(lines);
  const old = new Map(before.groups.map((group) => [group.id, group]));
  const next = new Map(after.groups.map((group) => [group.id, group]));
  const landing = new Map<number, number>();
  for (const strong of [false, true])
    seen.forEach(({ motion }, i) => {
      for (const unit of changed(motion, strong)) landing.set(unit, i);
      if (strong && (motion.count ?? 0) > 0 && (motion.sort === "shot" || motion.sort === "blow"))
        landing.set(motion.target ?? -1, i);
    });
  // A unit that is carried and is not named lands with its carrier.
  const riding = new Map<number, number>();
  for (const group of after.groups) {
    const was = old.get(group.id);
    if (was === undefined || landing.has(group.id) || !hasMoved(was, group)) continue;
    const i = seen.findIndex(
      ({ motion }) =>
        motion.sort === "move" && unitsOf(motion).some((unit) => goAlong(old.get(unit), next.get(unit), was, group)),
    );
    if (i >= 0) riding.set(group.id, i);
  }
  const lastMove = new Map<number, number>();
  seen.forEach(({ motion }, i) => {
    if (motion.sort === "move" || motion.sort === "charge") for (const unit of unitsOf(motion)) lastMove.set(unit, i);
  });
  /** The last act that scores for each side. From that act on, the side has its final points. */
  const lastScore = new Map(
    seen.flatMap(({ motion }, i) =>
      motion.sort === "score" && typeof motion.side === "number" ? [[motion.side, i] as const] : [],
    ),
  );

  const acts: Act[] = [];
  let now = before;
  seen.forEach(({ motion, line, told }, i) => {
    const put: Group[] = [];
    const gone = new Set<number>();
    const touched = new Set([...weakly(motion), ...[...riding].filter(([, at]) => at === i).map(([unit]) => unit)]);
    for (const unit of touched) {
      const group = now.groups.find((one) => one.id === unit);
      const end = next.get(unit);
      if (landing.get(unit) === i || riding.get(unit) === i) {
        if (end === undefined) gone.add(unit);
        else put.push(end);
      } else if (group !== undefined) {
        const between = onTheWay(group, end, motion, lastMove.get(unit) === i);
        if (between !== group) put.push(between);
      }
    }
    const seats = now.seats.map((seat) => {
      const then = after.seats.find((one) => one.side === seat.side);
      if (then === undefined) return seat;
      if (motion.sort === "card" && seat.side === motion.side)
        return { ...seat, cards: then.cards, played: then.played };
      return motion.sort === "score" && seat.side === motion.side && lastScore.get(seat.side) === i ? then : seat;
    });
    const at = motion.sort === "score" ? motion.at : null;
    const spots =
      at === null || at === undefined
        ? now.spots
        : replaced(
            now.spots,
            (one) => one.id,
            after.spots.filter((spot) => distance(spot.at, at) < 1),
          );
    const zones = motion.sort === "card" ? after.zones : now.zones;
    const then = { ...now, groups: replaced(now.groups, (one) => one.id, put, gone), seats, spots, zones };
    acts.push(actOf(motion, line, now, then, told));
    now = then;
  });
  const left = actOf(null, lines.at(-1) ?? null, now, after, lines.length);
  const last = acts.at(-1);
  if (last === undefined || left.moved.length + left.gone.length + left.came.length > 0) acts.push(left);
  else {
    last.after = after;
    last.told = lines.length;
  }
  return acts;
}

function hasMoved(a: Group, b: Group): boolean {
  return b.pieces.some((piece) => {
    const was = a.pieces.find((one) => one.id === piece.id);
    return was !== undefined && distance(was.at, piece.at) > 0;
  });
}

/** Return whether a group stood beside another group before and stands beside it again. */
function goAlong(from: Group | undefined, to: Group | undefined, was: Group, is: Group): boolean {
  const beside = (a: Group | undefined, b: Group): boolean =>
    (a?.pieces ?? []).some((one) =>
      b.pieces.some((other) => distance(one.at, other.at) <= (one.radius + other.radius) * BESIDE),
    );
  return beside(from, was) && beside(to, is);
}

/** Return a unit that changes again later, at its place in the meantime and without the pieces it has already lost. */
function onTheWay(group: Group, end: Group | undefined, motion: Motion, last: boolean): Group {
  const goes = motion.sort === "move" || motion.sort === "charge";
  if (goes && unitsOf(motion).includes(group.id)) {
    const ways = new Map(motion.ways ?? []);
    const pieces = group.pieces.map((piece) => {
      const to = ways.get(piece.id)?.at(-1) ?? (last ? end?.pieces.find((one) => one.id === piece.id)?.at : undefined);
      return to === undefined ? piece : { ...piece, at: to };
    });
    return { ...group, pieces };
  }
  if (motion.sort === "loss" && motion.unit === group.id && (motion.pieces ?? []).length > 0)
    return { ...group, pieces: group.pieces.filter((piece) => !(motion.pieces ?? []).includes(piece.id)) };
  return group;
}

function actOf(motion: Motion | null, line: LogEntry | null, before: Picture, after: Picture, told: number): Act {
  const ways = new Map(motion?.ways ?? []);
  const moved: Going[] = [];
  const gone: Standing[] = [];
  const arrivals: Standing[] = [];
  const stood = new Map(
    before.groups.flatMap((group) => group.pieces.map((piece) => [piece.id, { unit: group.id, piece }] as const)),
  );
  const stands = new Set<number>();
  for (const group of after.groups)
    for (const piece of group.pieces) {
      stands.add(piece.id);
      const was = stood.get(piece.id);
      if (was === undefined) arrivals.push({ unit: group.id, piece });
      else if (distance(was.piece.at, piece.at) > 0)
        moved.push({ unit: group.id, piece: piece.id, path: wayBetween(was.piece.at, piece.at, ways.get(piece.id)) });
    }
  for (const [id, one] of stood) if (!stands.has(id)) gone.push(one);
  return { motion, line, before, after, moved, gone, came: arrivals, told };
}

/** Return a path that begins and ends where the pictures say, through the places that were reported. */
function wayBetween(from: Point, to: Point, told: readonly Point[] | undefined): Point[] {
  const between = (told ?? []).filter(
    (at, i, all) => i > 0 && i < all.length - 1 && distance(at, from) > 0 && distance(at, to) > 0,
  );
  return [from, ...between, to];
}
