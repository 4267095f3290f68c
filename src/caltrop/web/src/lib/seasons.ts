/** The campaigns of this browser, with the secret of each under its name. */
import { knownGames, type Shelf } from "./seats";

export interface KnownSeason {
  id: string;
  /** Secret of the campaign; missing if it was begun before campaigns had secrets and has not been opened since. */
  token?: string;
  title: string;
  /** State of the campaign in words. */
  words: string;
  /** The ruleset; missing in older entries. */
  ruleset?: string;
  /** The results of the campaign's battles, and their total number if it is fixed. */
  results?: readonly ("won" | "lost" | "drawn")[];
  places?: number;
  seen: number;
}

const KEY = "caltrop.seasons";

export function knownSeasons(shelf: Pick<Shelf, "getItem"> = localStorage): KnownSeason[] {
  try {
    const stored = JSON.parse(shelf.getItem(KEY) ?? "[]") as KnownSeason[];
    return Array.isArray(stored) ? stored.filter((one) => typeof one?.id === "string") : [];
  } catch {
    return [];
  }
}

/** Return the secret of a campaign; undefined if this browser has none. */
export function secretOf(id: string, shelf: Pick<Shelf, "getItem"> = localStorage): string | undefined {
  return knownSeasons(shelf).find((season) => season.id === id)?.token;
}

/** Return the secrets of the person's seats in the battles of a campaign. */
export function battleSecrets(id: string, shelf: Shelf = localStorage): string[] {
  return knownGames(shelf).flatMap((game) => (game.season === id ? Object.values(game.tokens) : []));
}

/** Store a campaign at the head of the list, which keeps the newest twenty. */
export function keepSeason(
  season: Partial<Omit<KnownSeason, "seen">> & { id: string },
  shelf: Shelf = localStorage,
): void {
  const seasons = knownSeasons(shelf);
  const before = seasons.find((other) => other.id === season.id);
  const entry = { title: "", words: "", ...before, ...season, seen: Date.now() };
  try {
    shelf.setItem(KEY, JSON.stringify([entry, ...seasons.filter((other) => other.id !== season.id)].slice(0, 20)));
  } catch {
    // A browser without storage still has the address.
  }
}
