/** The campaigns that this browser leads: the secret of each, kept under its name. */
import { knownGames, type Shelf } from "./seats";

export interface KnownSeason {
  id: string;
  /** What opens it; left out where it was begun before campaigns had secrets, and has not been looked at since. */
  token?: string;
  title: string;
  /** How it stands, in words. */
  words: string;
  /** Whose rules it goes by; left out where it was kept before that was. */
  ruleset?: string;
  /** What its battles came to, and how many there are to be, where that is settled. */
  results?: readonly ("won" | "lost" | "drawn")[];
  places?: number;
  seen: number;
}

const KEY = "caltrop.seasons";

export function knownSeasons(shelf: Pick<Shelf, "getItem"> = localStorage): KnownSeason[] {
  try {
    const found = JSON.parse(shelf.getItem(KEY) ?? "[]") as KnownSeason[];
    return Array.isArray(found) ? found.filter((one) => typeof one?.id === "string") : [];
  } catch {
    return [];
  }
}

/** The secret of a campaign; undefined where this browser knows none. */
export function secretOf(id: string, shelf: Pick<Shelf, "getItem"> = localStorage): string | undefined {
  return knownSeasons(shelf).find((season) => season.id === id)?.token;
}

/** The secrets of one's seats in the battles of a campaign. */
export function battleSecrets(id: string, shelf: Shelf = localStorage): string[] {
  return knownGames(shelf).flatMap((game) => (game.season === id ? Object.values(game.tokens) : []));
}

/** Keep what is known of a campaign; newest first, and no more than twenty. */
export function keepSeason(season: Partial<Omit<KnownSeason, "seen">> & { id: string }, shelf: Shelf = localStorage): void {
  const known = knownSeasons(shelf);
  const before = known.find((other) => other.id === season.id);
  const kept = { title: "", words: "", ...before, ...season, seen: Date.now() };
  try {
    shelf.setItem(KEY, JSON.stringify([kept, ...known.filter((other) => other.id !== season.id)].slice(0, 20)));
  } catch {
    // A browser that keeps nothing still has the address.
  }
}
