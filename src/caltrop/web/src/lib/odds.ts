/** Chances in words, whatever a ruleset's outcomes are made of. */
import type { DiceSum, Forecast, Loud, Odds } from "../wire/types";
import { flat } from "./schema";

export interface Chance {
  words: string;
  p: number;
  /** Return the interval of an estimated chance. */
  between: readonly [number, number] | null;
}

/** Return the gist of a forecast in one or two lines, short enough for the table. */
export function inBrief({ headline, outcomes, exact }: Forecast): string[] {
  const lines = headline
    ? headline.split(/, (?=\D|\d+ % )/)
    : [...outcomes]
        .sort((a, b) => b.p - a.p)
        .slice(0, 2)
        .map(({ words, p }) => `${words} ${percent(p)}`);
  return lines.slice(0, 2).map((line, i) => (i === 0 && !exact ? `about: ${line}` : line));
}

/** Return the chances that the words of an answer do not say themselves. */
export function furtherOdds(answer: string, odds: Forecast): string[] {
  return inBrief(odds).filter((line) => !answer.includes(line));
}

/** Return what an answer triggers besides itself. The first throw may be that of another attack. */
export function diceInWords(answer: string, { why, dice, words }: Loud): string {
  const own = /\b(\d+)( \w+)? (?:dice|die)\b/.exec(answer)?.[1];
  if (why !== "dice" || own === undefined) return words;
  return Number(own) === dice ? "" : `${dice} dice are thrown first`;
}

export function labelOf(name: string): string {
  return name.replaceAll("_", " ");
}

/**
 * Return the outcomes as words with their chances, in the rules' order. If there are more than *most*, outcomes with
 * the same first part are merged, such as all with the same number of models.
 */
export function chances(forecast: Forecast, most = 8): Chance[] {
  const rows = forecast.outcomes.map(({ words, p, between }) => ({ words, p, between: between ?? null }));
  if (rows.length <= most) return rows;
  const chances = new Map<string, Chance & { many: number }>();
  for (const { words, parts, p, between } of forecast.outcomes) {
    const [first] = Object.entries(parts);
    const key = first === undefined ? words : `${first[0]} ${String(first[1])}`;
    const before = chances.get(key);
    if (before === undefined) chances.set(key, { words, p, between: between ?? null, many: 1 });
    else {
      const merged = first === undefined ? words : wordsOf({ [first[0]]: first[1] });
      chances.set(key, { words: merged, p: before.p + p, between: null, many: before.many + 1 });
    }
  }
  return [...chances.values()].map(({ words, p, between }) => ({ words, p, between }));
}

/** Return the odds of a request in the form of a forecast, with the expected value of each part. */
export function forecastOf(odds: Odds, thrown: DiceSum[]): Forecast {
  const outcomes = odds.outcomes.map(({ probability, p, ...parts }) => ({
    words: wordsOf(parts),
    parts: parts as Forecast["outcomes"][number]["parts"],
    probability,
    p,
    between: null,
  }));
  return {
    about: "",
    by: null,
    target: null,
    thrown,
    outcomes,
    exact: odds.exact,
    headline: "",
    expected: {},
    price: [],
    answers: [],
    also: [],
    note: "",
    request: null,
  };
}

/**
 * Return an outcome in words: "3 models, 1 stun, drone active", "strength 3, retreat 1". Parts that are zero are left
 * out.
 */
function wordsOf(parts: Record<string, unknown>): string {
  const words = Object.entries(parts)
    .filter(
      ([, value], place) => value !== null && value !== undefined && value !== false && (value !== 0 || place === 0),
    )
    .map(([name, value]) => partOf(labelOf(name), value));
  return words.join(", ") || "nothing";
}

function partOf(name: string, value: unknown): string {
  if (value === true) return name;
  if (typeof value !== "number" || !name.endsWith("s")) return `${name} ${String(value)}`;
  return `${value} ${value === 1 ? name.replace(/s$/, "") : name}`;
}

/** Return a probability in per cent, with a decimal if it is near 0 or 100. */
export function percent(p: number): string {
  if (p > 0 && p < 0.0005) return "< 0.1 %";
  if (p > 0.9995 && p < 1 - 1e-9) return "> 99.9 %";
  return `${p === 0 || (p >= 0.0995 && p < 0.9895) || p > 0.9995 ? Math.round(p * 100) : (p * 100).toFixed(1)} %`;
}

/** Return the address of the page of odds for an attack, from its request. */
export function oddsAddress({ rules, ...request }: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [path, value] of Object.entries(flat(request))) query.set(path, String(value));
  for (const [rule, value] of Object.entries((rules as Record<string, unknown> | undefined) ?? {}))
    query.set(`rule.${rule}`, String(value));
  return `odds?${query}`;
}

/** Return a change of a chance in percentage points, with its sign. */
export function points(change: number): string {
  return `${change < 0 ? "−" : "+"}${Math.abs(Math.round(100 * change))}`;
}
