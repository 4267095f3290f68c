/** A readable rulebook: its clauses by chapter, with a search. */
import type { Clause } from "../wire/api";
import type { HouseRule } from "../wire/types";

export interface Section {
  /** Id of the clause's element in the page. */
  id: string;
  title: string;
  clauses: Clause[];
}

/** Return the clauses with every one of *words* (in lower case), by chapters in the order of the book. */
export function sectionsOf(clauses: readonly Clause[], words: readonly string[]): Section[] {
  const sections = new Map<string, Section>();
  for (const clause of clauses) {
    const text = `${clause.id} ${clause.question ?? ""} ${clause.text}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const title = titleOf(clause);
    const section = sections.get(title) ?? {
      id: `chapter-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`,
      title,
      clauses: [],
    };
    section.clauses.push(clause);
    sections.set(title, section);
  }
  return [...sections.values()];
}

/** Return a chapter's name without the clause ids at its end. */
function titleOf({ chapter }: Clause): string {
  return chapter === undefined
    ? "Rulings on open questions"
    : chapter.replace(/\s*\([A-Z][A-Z0-9, -]*(?: to [A-Z0-9]+)?\)/, "");
}

/** Return a text in pieces, with those that match the search and those between. */
export function marked(text: string, words: readonly string[]): { text: string; found: boolean }[] {
  const small = text.toLowerCase();
  const pieces: { text: string; found: boolean }[] = [];
  let at = 0;
  while (at < text.length) {
    const next = words
      .map((word) => ({ word, start: small.indexOf(word, at) }))
      .filter(({ start }) => start >= 0)
      .sort((a, b) => a.start - b.start || b.word.length - a.word.length)[0];
    if (next === undefined) break;
    if (next.start > at) pieces.push({ text: text.slice(at, next.start), found: false });
    at = next.start + next.word.length;
    pieces.push({ text: text.slice(next.start, at), found: true });
  }
  if (at < text.length) pieces.push({ text: text.slice(at), found: false });
  return pieces;
}

/**
 * Return a value of a house rule in words: `end_of_next_turn` becomes `end of next turn`, and on and off become yes and
 * no.
 */
export function valueWords({ values }: Pick<HouseRule, "values">, value: string | number): string {
  const text = String(value);
  if (Array.isArray(values) && values.length === 2 && values.includes("on") && values.includes("off"))
    return text === "on" ? "yes" : "no";
  return text
    .replaceAll("_", " ")
    .replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
}
