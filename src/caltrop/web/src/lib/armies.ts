/** The army lists kept in this browser, and their names when a battle asks for an army. */

/** A list of one's own. Its link holds all of it. */
export interface OwnArmy {
  /** Its key in this browser. */
  key: string;
  ruleset: string;
  edition: string;
  title: string;
  /** Its cost, and its number of units. */
  points: number | null;
  pieces: number;
  /** True if the rules allow it. */
  ready: boolean;
  /** The fragment of its link: `#army=…`. */
  link: string;
  /** Key of the pack that it was built with; absent if units are as printed. */
  pack?: string;
  /** When it was changed last. */
  at: number;
}

const KEPT = "caltrop.armies";
/** Largest number of lists kept; the oldest is removed first. */
const MOST = 200;

const isOwn = (one: unknown): one is OwnArmy => {
  if (typeof one !== "object" || one === null) return false;
  const { key, ruleset, title, link, at } = one as Record<string, unknown>;
  return (
    [key, ruleset, title, link].every((text) => typeof text === "string") &&
    typeof at === "number" &&
    isLink(link as string)
  );
};

/** The lists, the newest first. */
export function ownArmies(ruleset?: string): OwnArmy[] {
  let stored: unknown = null;
  try {
    stored = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
  } catch {
    // Unreadable entries are skipped.
  }
  const lists = Array.isArray(stored) ? stored.filter(isOwn) : [];
  return lists.filter((one) => ruleset === undefined || one.ruleset === ruleset).sort((a, b) => b.at - a.at);
}

function keepAll(lists: readonly OwnArmy[]): boolean {
  try {
    localStorage.setItem(KEPT, JSON.stringify(lists.slice(0, MOST)));
    return true;
  } catch {
    return false;
  }
}

/** Keep a list, in place of the one that had its key; false if this browser keeps nothing. */
export function keepArmy(one: OwnArmy): boolean {
  return keepAll([one, ...ownArmies().filter(({ key }) => key !== one.key)]);
}

export function forgetArmy(key: string): void {
  keepAll(ownArmies().filter((one) => one.key !== key));
}

const MARK = "#army=";

/** Return whether the name of an army is a link to a list. */
export const isLink = (word: string): boolean => word.includes(MARK);

/** The fragment in a word, or an empty text. */
export const fragmentOf = (word: string): string => (isLink(word) ? word.slice(word.indexOf(MARK)) : "");
