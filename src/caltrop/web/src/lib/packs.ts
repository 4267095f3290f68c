/** The user's packs in this browser: units, numbers, armies and scenarios that change a rulebook. */
import type { PackFile } from "../wire/api";
import { isRecord, Shelf } from "./shelf";

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

const MARK = "#pack=";

/** The packs of this browser. */
export const ownPacks = new Shelf<OwnPack>({
  name: "caltrop.packs",
  most: 40,
  isOne: (one): one is OwnPack =>
    isRecord(one) &&
    typeof one["key"] === "string" &&
    typeof one["at"] === "number" &&
    isRecord(one["draft"]) &&
    typeof one["draft"]["ruleset"] === "string",
  keyOf: (one) => one.key,
  timeOf: (one) => one.at,
});

export const packsFor = (ruleset: string): OwnPack[] =>
  ownPacks.all().filter((one) => one.draft["ruleset"] === ruleset);

export const titleOf = (one: OwnPack): string => {
  const title = one.draft["title"];
  return typeof title === "string" && title !== "" ? title : "A pack";
};

export const fileOf = (one: OwnPack): PackFile => one.draft as unknown as PackFile;

/** Return whether a word is a link to a pack. */
export const isPackLink = (word: string): boolean => word.includes(MARK);
