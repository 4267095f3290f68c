/** The user's packs in this browser: units, numbers, armies and scenarios that change a rulebook. */
import type { PackFile } from "../wire/api";

/** A pack of the user. */
export interface OwnPack {
  /** Key of the pack in this browser. */
  key: string;
  draft: Record<string, unknown>;
  /** True if the pack has no errors. */
  ready: boolean;
  /** Name of the pack in the house rules of a game, with its digest; absent or empty while the pack has errors. */
  name?: string;
  /** Time when the pack was changed last. */
  at: number;
}

const KEPT = "caltrop.packs";
/** Largest number of stored packs; the oldest is removed first. */
const MOST = 40;
const MARK = "#pack=";

const isOwn = (one: unknown): one is OwnPack => {
  if (typeof one !== "object" || one === null) return false;
  const { key, draft, at } = one as Record<string, unknown>;
  return (
    typeof key === "string" &&
    typeof at === "number" &&
    typeof draft === "object" &&
    draft !== null &&
    typeof (draft as Record<string, unknown>)["ruleset"] === "string"
  );
};

/** The packs, the newest first. */
export function ownPacks(ruleset?: string): OwnPack[] {
  let stored: unknown = null;
  try {
    stored = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
  } catch {
    // Unreadable entries are skipped.
  }
  const packs = Array.isArray(stored) ? stored.filter(isOwn) : [];
  return packs.filter((one) => ruleset === undefined || one.draft["ruleset"] === ruleset).sort((a, b) => b.at - a.at);
}

function keepAll(packs: readonly OwnPack[]): boolean {
  try {
    localStorage.setItem(KEPT, JSON.stringify(packs.slice(0, MOST)));
    return true;
  } catch {
    return false;
  }
}

/** Store a pack, replacing the one with its key. Return false if this browser stores nothing. */
export function keepPack(one: OwnPack): boolean {
  return keepAll([one, ...ownPacks().filter(({ key }) => key !== one.key)]);
}

export function forgetPack(key: string): void {
  keepAll(ownPacks().filter((one) => one.key !== key));
}

export const titleOf = (one: OwnPack): string => {
  const title = one.draft["title"];
  return typeof title === "string" && title !== "" ? title : "A pack";
};

export const fileOf = (one: OwnPack): PackFile => one.draft as unknown as PackFile;

/** Return whether a word is a link to a pack. */
export const isPackLink = (word: string): boolean => word.includes(MARK);
