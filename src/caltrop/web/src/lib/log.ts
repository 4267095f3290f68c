/** The log, with undone entries marked. */
import { faceWords } from "../table/symbols";
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

/** Return the lines without bare dice that the next line describes. */
export function explained(lines: readonly ShownEntry[]): ShownEntry[] {
  let read = false;
  const entries: ShownEntry[] = [];
  for (const line of [...lines].reverse()) {
    const { entry } = line;
    const bare = entry.dice.length > 0 && !entry.reading && entry.act === entries.at(-1)?.entry.act;
    if (read && bare) continue;
    read = Boolean(entry.reading);
    entries.push(line);
  }
  return entries.reverse();
}

/** A shorter wording for a list of acts, with a badge for the side and the cost at the end of the line. */
export interface Brief {
  /** The side's name at the start of the words, for screen readers that cannot see the badge. */
  whose: string;
  words: string;
  /** The cost in a line; empty without a cost. */
  price: string;
}

/**
 * Return a shorter wording of a line.
 *
 * @param text Its words.
 * @param name The side whose badge stands beside it.
 * @param coin What that side pays with.
 */
export function brief(text: string, name: string, coin: string): Brief {
  const begins = [`${name} `, `The ${name} `].find(
    (start) => name !== "" && text.startsWith(start) && /^[A-Z0-9]/.test(text.slice(start.length)),
  );
  const rest = begins === undefined ? text : text.slice(begins.length);
  const paid = coin === "" ? null : new RegExp(`^(.+) for (\\d+ ${coin})$`).exec(rest);
  return { whose: begins?.trim() ?? "", words: paid?.[1] ?? rest, price: paid?.[2] ?? "" };
}

/** Return the lines without payments, if another line of the same act says what was paid for. */
export function paidOnce(lines: readonly ShownEntry[], coins: readonly string[]): ShownEntry[] {
  return lines.filter(({ entry }, i) => {
    const spent = coins
      .map((coin) => new RegExp(` spends? (\\d+ ${coin})\\b`).exec(entry.text)?.[1])
      .find((one) => one !== undefined);
    if (spent === undefined) return true;
    for (const after of lines.slice(i + 1)) {
      if (after.entry.act !== entry.act) break;
      if (after.entry.text.endsWith(` for ${spent}`)) return false;
    }
    return true;
  });
}

export interface ShownRound {
  round: number;
  lines: ShownEntry[];
  /** Lines of the round by acts. Results belong to their act, but the start of a turn does not. */
  acts: ShownEntry[][];
}

/** The lines by rounds and acts, in their order. */
export function byRounds(lines: readonly ShownEntry[]): ShownRound[] {
  const rounds: ShownRound[] = [];
  for (const line of lines) {
    const { act, begins } = line.entry;
    const round = line.entry.round ?? 0;
    if (rounds.at(-1)?.round !== round) rounds.push({ round, lines: [], acts: [] });
    const now = rounds.at(-1)!;
    now.lines.push(line);
    const last = now.acts.at(-1);
    // Entries before the first act are acts of their own.
    if (act > 0 && last?.[0]?.entry.act === act && !begins) last.push(line);
    else now.acts.push([line]);
  }
  return rounds;
}

/**
 * Return the last round before the act in which another side acted. Lines at the end of a turn may belong to the next
 * round already.
 */
export function lastRoundOfOthers(lines: readonly ShownEntry[], you: number | null): number | null {
  let act = 0;
  let before: number | null = null;
  let round: number | null = null;
  for (const { entry, undone } of lines) {
    if (undone) continue;
    if (entry.side !== null && entry.side !== you && entry.act !== act) round = before ?? entry.round ?? 0;
    act = entry.act;
    before = entry.round ?? 0;
  }
  return round;
}

/** Return a text as a sentence: with a full stop, unless it ends with a punctuation mark. */
export function sentence(words: string): string {
  return /[.!?…]$/.test(words) || words === "" ? words : `${words}.`;
}

/** Return words without the clauses in brackets at their end. */
export function plain(words: string): string {
  return words.replace(/ \([A-Z][A-Z0-9-]*-[A-Z0-9-]+(, [A-Z0-9-]+)*\)$/, "");
}

/**
 * Return the last event of a log, or the dice of the last act with their result; empty if nothing has happened.
 *
 * @param focus Number of the line that is looked at instead; null without one.
 */
export function newestOf(log: readonly LogEntry[], focus: number | null): string {
  const act = log.at(-1)?.act;
  const line =
    log.find((one) => one.n === focus) ??
    log.findLast((one) => one.act === act && one.reading) ??
    log.findLast((one) => one.kind !== "Rolled");
  if (line === undefined) return "";
  return sentence(line.reading ? `${line.reading.words}: ${line.reading.came}` : line.text);
}

/** Return one sentence for lines that belong together: a unit's dice and their effect. */
export function allOf(lines: readonly LogEntry[]): string {
  return lines.map((line) => sentence(line.text)).join(" ");
}

/** Return a log line in words. Dice with symbols are described by their symbols. */
export function told(entry: LogEntry, faces: readonly string[]): string {
  const symbols = faces.length > 0 && entry.dice.some((thrown) => thrown.sides === faces.length);
  if (!symbols) return sentence(entry.text);
  return entry.dice
    .map(
      (thrown) =>
        `${thrown.words || "Dice"}: ${thrown.faces.map((face) => faceWords(face, faces)).join(", ") || "none"}.`,
    )
    .join(" ");
}
