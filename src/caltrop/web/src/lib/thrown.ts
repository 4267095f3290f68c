/** Selects the dice that lie on the table. */
import type { LogEntry, Reading } from "../wire/types";
import { inForce } from "./log";

export interface Lying {
  entry: LogEntry;
  reading: Reading;
}

/** Return the unit that dice are about: attacks at it and its saves are one subject. */
export function subjectOf({ reading }: LogEntry): number | null {
  return reading?.target ?? reading?.unit ?? null;
}

/** Divide things with dice into attacks: neighbours whose dice are about the same unit are one attack. */
export function attacksOf<T>(thrown: readonly T[], line: (one: T) => LogEntry): T[][] {
  const attacks: T[][] = [];
  for (const one of thrown) {
    const last = attacks.at(-1)?.[0];
    if (last !== undefined && subjectOf(line(last)) === subjectOf(line(one))) attacks.at(-1)!.push(one);
    else attacks.push([one]);
  }
  return attacks;
}

/** Return the attack that has the log line *n*, or the last attack; empty without attacks. */
export function attackWith<T>(attacks: readonly T[][], n: number | null, line: (one: T) => LogEntry): T[] {
  return attacks.find((attack) => attack.some((one) => line(one).n === n)) ?? attacks.at(-1) ?? [];
}

/**
 * Return the dice of the newest act that threw any, as they were read. Thrown dice stay until the side that looks acts
 * again. For an onlooker (`eyes` is null) the next act of any side removes them.
 *
 * @param playing The throw that is being shown. Dice of earlier attacks are left out then.
 */
export function lying(log: readonly LogEntry[], eyes: number | null, playing: LogEntry | null = null): Lying[] {
  const lines = inForce(log).flatMap(({ entry, undone }) => (undone ? [] : [entry]));
  if (playing !== null) {
    const read = lines.filter((entry) => entry.act === playing.act && entry.reading);
    const other = read.findLastIndex((entry) => subjectOf(entry) !== subjectOf(playing));
    return read.slice(other + 1).map((entry) => ({ entry, reading: entry.reading! }));
  }
  const act = lines.findLast((entry) => entry.reading)?.act ?? -1;
  if (lines.some((entry) => entry.act > act && entry.side !== null && (eyes === null || entry.side === eyes)))
    return [];
  return lines.flatMap((entry) => (entry.act === act && entry.reading ? [{ entry, reading: entry.reading }] : []));
}

/** Return the dice that were thrown last, if they have not been read yet: the newest act has no other result so far. */
export function unreadOf(log: readonly LogEntry[]): LogEntry[] {
  const lines = inForce(log).flatMap(({ entry, undone }) => (undone ? [] : [entry]));
  const act = lines.at(-1)?.act;
  const last = lines.filter((entry) => entry.act === act);
  if (last.some((entry) => entry.reading)) return [];
  return last.slice(last.findLastIndex((entry) => entry.dice.length === 0) + 1);
}
