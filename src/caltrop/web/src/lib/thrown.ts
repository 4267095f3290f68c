/** The dice that lie on the table. */
import type { LogEntry, Reading } from "../wire/types";
import { inForce } from "./log";

export interface Lying {
  entry: LogEntry;
  reading: Reading;
}

/**
 * The dice of the newest act that threw any, as they were read: they lie there until the side that looks acts again.
 * For who watches (`eyes` is null) anybody's next act takes them away.
 */
export function lying(log: readonly LogEntry[], eyes: number | null): Lying[] {
  const lines = inForce(log).flatMap(({ entry, undone }) => (undone ? [] : [entry]));
  const act = lines.findLast((entry) => entry.reading)?.act ?? -1;
  if (lines.some((entry) => entry.act > act && entry.side !== null && (eyes === null || entry.side === eyes)))
    return [];
  return lines.flatMap((entry) => (entry.act === act && entry.reading ? [{ entry, reading: entry.reading }] : []));
}

/** The dice that were thrown last and are not read yet: nothing else has come of the newest act since. */
export function unreadOf(log: readonly LogEntry[]): LogEntry[] {
  const lines = inForce(log).flatMap(({ entry, undone }) => (undone ? [] : [entry]));
  const act = lines.at(-1)?.act;
  const last = lines.filter((entry) => entry.act === act);
  if (last.some((entry) => entry.reading)) return [];
  return last.slice(last.findLastIndex((entry) => entry.dice.length === 0) + 1);
}
