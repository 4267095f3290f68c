/** The log, with what was taken back marked. */
import type { LogEntry } from "../wire/types";

export interface ShownEntry {
  entry: LogEntry;
  undone: boolean;
}

export function inForce(log: readonly LogEntry[]): ShownEntry[] {
  const shown = log.map((entry) => ({ entry, undone: false }));
  for (const { entry } of shown) {
    if (entry.undoes === null || entry.undoes === undefined) continue;
    for (const other of shown) if (other.entry.n >= entry.undoes && other.entry.n < entry.n) other.undone = true;
  }
  return shown;
}

/** Words as a sentence: with a full stop, unless they end in a mark of their own. */
export function sentence(words: string): string {
  return /[.!?…]$/.test(words) || words === "" ? words : `${words}.`;
}
