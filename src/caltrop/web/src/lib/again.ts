/**
 * Fills in the form of a new game with the settings of a fought battle, also with tables, armies and packs of the user.
 */
import { OWN_MAP, ownMaps } from "../maps/kept";
import { sameJson, type Draft } from "../maps/draft";
import { armySheet, checkDraft, type PackFile } from "../wire/api";
import type { View } from "../wire/types";
import { fragmentOf, isLink, ownArmies } from "./armies";
import { fileOf, ownPacks, packsFor } from "./packs";
import { drawn } from "./secret";

/** A battle that was fought, with its settings. */
export type Fought = Pick<View, "ruleset" | "edition" | "scenario" | "rules" | "armies" | "size" | "you" | "seats"> & {
  /** The key of the pack in this browser. */
  packKey?: string;
};

/** Return whether a scenario or an army is a document instead of an id. */
const isDocument = (word: string): boolean => /[\n{]/.test(word);

const isOwn = (army: string): boolean => isDocument(army) || isLink(army);

/** Return whether a battle used something that a form can name only after this browser has stored it. */
export function holdsOwn(battle: Fought): boolean {
  return "pack" in battle.rules || isDocument(battle.scenario) || battle.armies.some(isOwn);
}

/** Return the address of the form. */
export function formOf(battle: Fought): string {
  const { ruleset, edition, scenario, rules, seats, armies, size, you, packKey } = battle;
  const mine = seats.find((seat) => seat.side === you) ?? seats[0];
  const other = seats.find((seat) => seat !== mine);
  const filled = new URLSearchParams({ ruleset, edition, scenario });
  for (const [name, value] of Object.entries(rules))
    if (name !== "pack" || packKey === undefined) filled.set(`rule.${name}`, String(value));
  if (packKey !== undefined) filled.set("pack", packKey);
  if (armies.length > 0) filled.set("armies", armies.join());
  if (size !== null) filled.set("size", String(size));
  if (mine && other) {
    filled.set("me", mine.player);
    filled.set("opponent", other.player);
    filled.set("seat", String(mine.side));
  }
  return `new?${filled}`;
}

/**
 * Keep the table, the armies and the pack of a battle in this browser, where it has none like them, and return the
 * battle with their names there. Complains if one of them cannot be read.
 *
 * @param given - Fetches the pack that the house rules of the battle name.
 */
export async function keptHere(battle: Fought, given?: () => Promise<PackFile | undefined>): Promise<Fought> {
  const { ruleset } = battle;
  const name = String(battle.rules["pack"] ?? "");
  const mine = packsFor(ruleset).find((one) => name !== "" && one.name === name);
  const pack = mine !== undefined ? fileOf(mine) : name === "" ? undefined : await given?.();
  const packKey = pack === undefined ? "" : keptPack(pack, name);
  const scenario = isDocument(battle.scenario) ? await keptTable(ruleset, battle.scenario) : battle.scenario;
  const armies = await Promise.all(
    battle.armies.map((one) => (isOwn(one) ? keptList(ruleset, one, packKey, pack) : one)),
  );
  return { ...battle, scenario, armies, ...(packKey === "" ? {} : { packKey }) };
}

async function keptTable(game: string, text: string): Promise<string> {
  const { draft, faults } = await checkDraft(game, { text });
  if (draft === null) throw new Error(faults[0]?.words ?? "This table cannot be read");
  const same = ownMaps.all().find((one) => one.game === game && sameJson(one.draft, draft));
  if (same !== undefined) return OWN_MAP + same.id;
  const title = typeof draft["title"] === "string" ? draft["title"] : "";
  const one = { id: crypto.randomUUID(), game, title, draft: draft as Draft, changed: Date.now() };
  const trouble = ownMaps.keep(one);
  if (trouble !== "") throw new Error(trouble);
  return OWN_MAP + one.id;
}

async function keptList(game: string, box: string, packKey: string, pack?: PackFile): Promise<string> {
  const laid = pack === undefined ? {} : { pack };
  const sheet = await armySheet({ box: isLink(box) ? fragmentOf(box) : box, ruleset: game, ...laid });
  const { ruleset, edition, title, points, pieces, ready, link } = sheet;
  const by = packKey === "" ? {} : { pack: packKey };
  const own = {
    key: drawn().slice(0, 12),
    ruleset,
    edition,
    title,
    points,
    pieces,
    ready,
    link,
    ...by,
    at: Date.now(),
  };
  if (!ownArmies.all().some((one) => one.link === link)) ownArmies.keep(own);
  return link;
}

function keptPack(pack: PackFile, name: string): string {
  const draft = pack as unknown as Record<string, unknown>;
  const same = ownPacks.all().find((one) => one.name === name || sameJson(inOrder(one.draft), inOrder(draft)));
  if (same !== undefined) return same.key;
  const key = drawn().slice(0, 12);
  ownPacks.keep({ key, draft, ready: true, name, at: Date.now() });
  return key;
}

/** Return the same data with its keys in order. */
function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, inOrder(one)]));
}
