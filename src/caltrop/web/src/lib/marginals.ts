/** One part of an outcome by itself: how likely each number of it is. */
import type { Odds } from "../wire/types";

export interface Marginal {
  part: string;
  rows: { value: number; p: number; atLeast: number }[];
}

const NOT_PARTS = new Set(["p", "probability"]);

/** The parts of the outcomes that are numbers, each summed over all the others; the lowest number first. */
export function marginals(odds: Odds): Marginal[] {
  const found = new Map<string, Map<number, number>>();
  for (const outcome of odds.outcomes ?? []) {
    for (const [part, value] of Object.entries(outcome)) {
      if (NOT_PARTS.has(part) || typeof value !== "number") continue;
      const sums = found.get(part) ?? new Map<number, number>();
      sums.set(value, (sums.get(value) ?? 0) + outcome.p);
      found.set(part, sums);
    }
  }
  return [...found].map(([part, sums]) => {
    const rows = [...sums].sort(([a], [b]) => a - b).map(([value, p]) => ({ value, p, atLeast: 0 }));
    let rest = 0;
    for (const row of [...rows].reverse()) row.atLeast = rest += row.p;
    return { part, rows };
  });
}

/** The names of the parts that outcomes have, numbers or not. */
export function partsOf(odds: Odds): string[] {
  const names = new Set<string>();
  for (const outcome of odds.outcomes ?? []) for (const name of Object.keys(outcome)) if (!NOT_PARTS.has(name)) names.add(name);
  return [...names];
}
