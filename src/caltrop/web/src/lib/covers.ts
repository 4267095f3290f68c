/**
 * The pictures of games in the lobby, by day and by night; a ruleset without one shows the table of its first battle.
 */
import { isNight } from "../painting/night.svelte";

const addresses = import.meta.glob<string>("../covers/*.webp", { eager: true, import: "default", query: "?url" });

/** The address of a ruleset's picture for the light of the page, null if it has none. */
export function coverOf(ruleset: string): string | null {
  return addresses[`../covers/${ruleset}-${isNight() ? "dark" : "light"}.webp`] ?? null;
}
