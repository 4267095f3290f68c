/** The army lists stored in this browser, and their names when a battle asks for an army. */
import type { Scenario } from "../wire/types";
import { isRecord, Shelf } from "./shelf";

/** An army list of the user. The link of a list contains the whole list. */
export interface OwnArmy {
  /** Key under which this browser stores the list. */
  key: string;
  ruleset: string;
  edition: string;
  title: string;
  /** Cost of the army, and its number of units. */
  points: number | null;
  pieces: number;
  /** True if the rules allow it. */
  ready: boolean;
  /** The fragment of the list's link: `#army=…`. */
  link: string;
  /** Key of the pack that it was built with; absent if units are as printed. */
  pack?: string;
  /** Time when the list was changed last. */
  at: number;
}

/** The army lists of this browser. */
export const ownArmies = new Shelf<OwnArmy>({
  name: "caltrop.armies",
  most: 200,
  isOne: (one): one is OwnArmy =>
    isRecord(one) &&
    ["key", "ruleset", "title", "link"].every((field) => typeof one[field] === "string") &&
    typeof one["at"] === "number" &&
    isLink(one["link"] as string),
  keyOf: (one) => one.key,
  timeOf: (one) => one.at,
});

const MARK = "#army=";

/** Return whether the name of an army is a link to a list. */
export const isLink = (word: string): boolean => word.includes(MARK);

/** The fragment in a word, or an empty text. */
export const fragmentOf = (word: string): string => (isLink(word) ? word.slice(word.indexOf(MARK)) : "");

/** Return the id that a list with this title gets, as `caltrop.kit.armies.id_of` makes it. */
export const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, "") || "army";

/**
 * The scenario to play with an army: the smallest that it fits into, with equal sides if there is one, or else the
 * first that takes armies.
 */
export function scenarioFor(scenarios: readonly Scenario[], points: number | null): Scenario | undefined {
  const taking = scenarios.filter((one) => one.takes_armies);
  const two = taking.filter((one) => one.players > 1);
  const open = two.length > 0 ? two : taking;
  const most = (one: Scenario): number => (one.limits.length === 0 ? Infinity : Math.min(...one.limits));
  const unequal = (one: Scenario): number => (new Set(one.limits).size > 1 ? 1 : 0);
  const fitting = open
    .filter((one) => most(one) >= (points ?? 0))
    .sort((a, b) => unequal(a) - unequal(b) || most(a) - most(b));
  return fitting[0] ?? open[0];
}
