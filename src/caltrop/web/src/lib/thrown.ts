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
  if (lines.some((entry) => entry.act > act && entry.side !== null && (eyes === null || entry.side === eyes))) return [];
  return lines.flatMap((entry) => (entry.act === act && entry.reading ? [{ entry, reading: entry.reading }] : []));
}
