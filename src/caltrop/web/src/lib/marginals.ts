/** One part of an outcome, with the chance of each of its values. */
import type { Odds } from "../wire/types";

export type Part = string | number | boolean;

export interface Row {
  value: Part;
  p: number;
  /** For numbers: the chance of this or fewer, and of this or more. */
  atMost: number;
  atLeast: number;
}

export interface Marginal {
  part: string;
  rows: Row[];
  /** The expected value of a number. */
  mean: number | null;
}

const NOT_PARTS = new Set(["p", "probability"]);

/**
 * Return the parts of the outcomes, each summed over all other parts, lowest number first. Parts that never vary are
 * left out.
 */
export function marginals(odds: Odds): Marginal[] {
  const tables = new Map<string, Map<Part, number>>();
  for (const outcome of odds.outcomes) {
    for (const [part, value] of Object.entries(outcome)) {
      if (NOT_PARTS.has(part) || (typeof value !== "number" && typeof value !== "string" && typeof value !== "boolean"))
        continue;
      const sums = tables.get(part) ?? new Map<Part, number>();
      sums.set(value, (sums.get(value) ?? 0) + outcome.p);
      tables.set(part, sums);
    }
  }
  return [...tables].filter(([, sums]) => sums.size > 1).map(([part, sums]) => marginal(part, sums));
}

function marginal(part: string, sums: ReadonlyMap<Part, number>): Marginal {
  const rows = [...sums]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([value, p]) => ({ value, p, atMost: 0, atLeast: 0 }));
  let before = 0;
  for (const row of rows) row.atMost = before += row.p;
  let rest = 0;
  for (const row of [...rows].reverse()) row.atLeast = rest += row.p;
  const numbers = rows.every((row) => typeof row.value === "number");
  return { part, rows, mean: numbers ? rows.reduce((sum, row) => sum + Number(row.value) * row.p, 0) : null };
}

/** Return the names of the parts of outcomes. */
export function partsOf(odds: Odds): string[] {
  const names = new Set<string>();
  for (const outcome of odds.outcomes)
    for (const name of Object.keys(outcome)) if (!NOT_PARTS.has(name)) names.add(name);
  return [...names];
}
