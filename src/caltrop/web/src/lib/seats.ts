/** The games of this browser by id, with the secrets of its seats. */

export interface KnownGame {
  id: string;
  ruleset: string;
  title: string;
  /** The secret of each seat that is played here, by side. */
  tokens: Record<string, string>;
  /** Time when the game was last looked at, in milliseconds since 1970. */
  seen: number;
  over: boolean;
  /** The result in one line; missing until the end of the game was seen in this browser. */
  came?: string;
  /** The lesson's name; missing if it is no lesson. */
  lesson?: string;
  /** The campaign of this battle; missing for a battle without campaign. */
  season?: string;
  /** True if a curtain separates the sides at this screen. */
  curtain: boolean;
  /** The key of the browser's person, once the server has linked the seat to it. */
  mine?: string;
  /** The invitations to seats for others, by side. */
  invites?: Record<string, string>;
}

const KEY = "caltrop.games";

export interface Shelf {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export function knownGames(shelf: Shelf = localStorage): KnownGame[] {
  try {
    const stored = JSON.parse(shelf.getItem(KEY) ?? "[]") as KnownGame[];
    return Array.isArray(stored) ? stored.filter((game) => typeof game?.id === "string") : [];
  } catch {
    return [];
  }
}

export function knownGame(id: string, shelf: Shelf = localStorage): KnownGame | undefined {
  return knownGames(shelf).find((game) => game.id === id);
}

/** Store a game at the head of the list, which keeps the newest fifty. */
export function keepGame(game: Partial<KnownGame> & { id: string }, shelf: Shelf = localStorage): KnownGame {
  const others = knownGames(shelf).filter((other) => other.id !== game.id);
  const before = knownGame(game.id, shelf);
  const entry: KnownGame = {
    ruleset: "",
    title: "",
    seen: Date.now(),
    over: false,
    curtain: true,
    ...before,
    ...game,
    tokens: { ...before?.tokens, ...game.tokens },
  };
  store([entry, ...others].slice(0, 50), shelf);
  return entry;
}

/** Delete a seat's secret: another person plays the seat now, through its link. */
export function giveSeatAway(id: string, side: number, shelf: Shelf = localStorage): void {
  const games = knownGames(shelf).map((game) => {
    if (game.id !== id) return game;
    const { [String(side)]: _given, ...tokens } = game.tokens;
    return { ...game, tokens };
  });
  store(games, shelf);
}

/** Hand a seat of this browser over to somebody else. The secret of the seat is stored as an invitation. */
export function inviteTo(id: string, side: number, shelf: Shelf = localStorage): void {
  const game = knownGame(id, shelf);
  const token = game?.tokens[side];
  if (game === undefined || token === undefined) return;
  giveSeatAway(id, side, shelf);
  keepGame({ id, invites: { ...game.invites, [side]: token } }, shelf);
}

export function forgetGame(id: string, shelf: Shelf = localStorage): void {
  store(
    knownGames(shelf).filter((game) => game.id !== id),
    shelf,
  );
}

function store(games: KnownGame[], shelf: Shelf): void {
  try {
    shelf.setItem(KEY, JSON.stringify(games));
  } catch {
    // A browser without storage can still play: the secret is in the address until the tab is closed.
  }
}

/** Return the secret of an invitation in an address's fragment: `#join=…`. */
export function invitationInFragment(fragment: string): string | null {
  const token = new URLSearchParams(fragment.replace(/^#/, "")).get("join");
  return token === null || token === "" ? null : token;
}

/** Return the link by which a person takes a seat, with the address at which others reach the server. */
export function invitation(base: string, id: string, token: string): string {
  return `${base.replace(/\/$/, "")}/${id}#${new URLSearchParams({ join: token })}`;
}

/** Copy the link for onlookers. Returns a message, which has the link itself if it cannot be copied. */
export async function copyForOnlookers(base: string, id: string): Promise<string> {
  const link = `${base}${id}`;
  try {
    await navigator.clipboard.writeText(link);
    return "Copied: everybody who opens it can watch, but not play.";
  } catch {
    return link;
  }
}

/** Return a part of an address without its escapes, or unchanged if they are broken. */
function plainly(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Return the seats' secrets in an address's fragment: `#seat=…`, `#0=…&1=…`, the bare secret, or those of sides 0, 1
 * and so on, with commas.
 */
export function tokensInFragment(fragment: string): Record<string, string> {
  const text = fragment.replace(/^#/, "");
  if (text === "") return {};
  if (!text.includes("=")) {
    const [first = "", ...others] = text.split(/,|%2C/i).map(plainly);
    if (others.length === 0) return { seat: first };
    return Object.fromEntries(
      [first, ...others].map((secret, side) => [String(side), secret] as const).filter(([, secret]) => secret !== ""),
    );
  }
  return Object.fromEntries(
    [...new URLSearchParams(text)].filter(([key, value]) => /^(\d+|seat|token)$/.test(key) && value !== ""),
  );
}
