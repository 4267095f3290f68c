/** Times of the clock in words. */
import { plural } from "./measure";
import type { ClockRule } from "../wire/types";

/** Return the remaining time: `1:02:03`, `12:34`, and tenths in the last ten seconds. */
export function left(milliseconds: number): string {
  if (milliseconds < 10_000) return `${(Math.floor(milliseconds / 100) / 10).toFixed(1)} s`;
  const all = Math.ceil(milliseconds / 1000);
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (n: number): string => String(n).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** Return a duration in words, in its largest whole unit: `15 minutes`, `2 hours`, `3 days`. */
export function span(seconds: number): string {
  for (const [word, size] of [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ] as const) {
    if (seconds % size === 0) return plural(seconds / size, word);
  }
  return plural(seconds, "second");
}

const ENDS: Readonly<Record<ClockRule["then"], string>> = {
  lose: "a side whose time is up loses",
  tell: "when a side's time is up everybody is notified, and the game continues",
  choose: "when a side's time is up the other one chooses who goes on in its place, or that it loses",
};

/** Return the agreed clock as a sentence. */
export function agreed(rule: ClockRule): string {
  const end = ENDS[rule.then];
  return `Each side has ${span(rule.seconds)} for ${rule.per === "game" ? "the whole game" : "each turn"}; ${end}.`;
}

/** The clocks to choose from when a game is made. */
export const CLOCKS: readonly { words: string; rule: ClockRule | null }[] = [
  { words: "No clock", rule: null },
  { words: "30 minutes each", rule: { per: "game", seconds: 1800, then: "lose" } },
  { words: "1 hour each", rule: { per: "game", seconds: 3600, then: "lose" } },
  { words: "3 minutes a turn", rule: { per: "turn", seconds: 180, then: "lose" } },
  { words: "10 minutes a turn", rule: { per: "turn", seconds: 600, then: "lose" } },
  { words: "A day a turn", rule: { per: "turn", seconds: 86_400, then: "lose" } },
  { words: "3 days a turn", rule: { per: "turn", seconds: 3 * 86_400, then: "choose" } },
  { words: "7 days a turn", rule: { per: "turn", seconds: 7 * 86_400, then: "choose" } },
];

/** Return a clock rule as written in a link, such as `turn-180-lose`. */
export function clockWords(rule: ClockRule): string {
  return `${rule.per}-${rule.seconds}-${rule.then}`;
}

/** Return the clock of a link, if it is one of the offered clocks. */
export function clockOf(text: string | null): ClockRule | null {
  const [per, seconds, then] = (text ?? "").split("-");
  const times =
    CLOCKS.find(({ rule }) => rule !== null && rule.per === per && String(rule.seconds) === seconds)?.rule ?? null;
  return times === null ? null : { ...times, then: then === "tell" || then === "choose" ? then : "lose" };
}
