/** Chances in words, whatever a ruleset's outcomes are made of. */
import type { Odds } from "../wire/types";

export interface Chance {
  words: string;
  p: number;
}

export function labelOf(name: string): string {
  return name.replaceAll("_", " ");
}

/** The outcomes as words with their chance, likeliest first; past the eighth they are drawn together. */
export function chances(odds: Odds, most = 8): Chance[] {
  const rows = (odds.outcomes ?? [])
    .map(({ probability: _probability, p, ...rest }) => ({ words: wordsOf(rest), p }))
    .sort((a, b) => b.p - a.p);
  if (rows.length <= most) return rows;
  const rest = rows.slice(most - 1);
  return [
    ...rows.slice(0, most - 1),
    { words: `${rest.length} others`, p: rest.reduce((sum, row) => sum + row.p, 0) },
  ];
}

function wordsOf(parts: Record<string, unknown>): string {
  if (typeof parts["words"] === "string") return parts["words"];
  return (
    Object.entries(parts)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => (typeof value === "boolean" ? (value ? labelOf(name) : `no ${labelOf(name)}`) : `${labelOf(name)} ${String(value)}`))
      .join(", ") || "nothing"
  );
}
