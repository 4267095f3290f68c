/** The seasons that this browser has looked at: a season is known by its address. */
export interface KnownSeason {
  id: string;
  title: string;
  /** How it stands, in words. */
  words: string;
  seen: number;
}

const KEY = "caltrop.seasons";

export function knownSeasons(shelf: Pick<Storage, "getItem"> = localStorage): KnownSeason[] {
  try {
    const found = JSON.parse(shelf.getItem(KEY) ?? "[]") as KnownSeason[];
    return Array.isArray(found) ? found.filter((one) => typeof one?.id === "string") : [];
  } catch {
    return [];
  }
}

/** Keep what is known of a season; newest first, and no more than twenty. */
export function keepSeason(season: Omit<KnownSeason, "seen">, shelf: Pick<Storage, "getItem" | "setItem"> = localStorage): void {
  const others = knownSeasons(shelf).filter((other) => other.id !== season.id);
  try {
    shelf.setItem(KEY, JSON.stringify([{ ...season, seen: Date.now() }, ...others].slice(0, 20)));
  } catch {
    // A browser that keeps nothing still has the address.
  }
}
