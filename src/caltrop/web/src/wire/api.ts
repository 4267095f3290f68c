/** What is asked over HTTP. */
import type { Catalogue, Parts, Picture, View } from "./types";

/** The server said why not, or could not be reached. */
export class Unanswered extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export interface NewGame {
  ruleset: string;
  edition?: string;
  scenario?: string;
  armies?: string[];
  size?: number;
  rules?: Record<string, string | number>;
  seats?: string[];
  friendly?: boolean;
}

export interface MadeGame {
  game: string;
  seats: { side: number; player: string; token: string | null }[];
}

export interface Clause {
  id: string;
  edition?: string;
  text: string;
  status?: string;
  why?: string;
}

async function asked<T>(path: string, more: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, more);
  } catch {
    throw new Unanswered("The server does not answer", 0);
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const message = (body as { message?: string } | null)?.message;
    throw new Unanswered(message ?? `The server answers ${response.status}`, response.status);
  }
  return body as T;
}

let known: Promise<Catalogue> | null = null;

/** The table of a scenario as it is laid. */
export async function opening(ruleset: string, scenario: string): Promise<Picture> {
  const found = await asked<{ picture: Picture }>(`/api/rules/${ruleset}/opening?${new URLSearchParams({ scenario })}`);
  return found.picture;
}

export function catalogue(): Promise<Catalogue> {
  known ??= asked<Catalogue>("/api/catalogue").catch((error: unknown) => {
    known = null;
    throw error;
  });
  return known;
}

export function makeGame(wanted: NewGame): Promise<MadeGame> {
  return asked("/api/games", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wanted),
  });
}

/** Ask for something that only the seats of a game may see. */
export function ask<T>(path: string, tokens: readonly string[]): Promise<T> {
  return asked(path, tokens.length > 0 ? { headers: { Authorization: `Bearer ${tokens.join(",")}` } } : {});
}

/** A game at an earlier moment. */
export function viewAt(id: string, tokens: readonly string[], eyes: number | null, at: number): Promise<View> {
  const query = new URLSearchParams({ at: String(at), ...(eyes === null ? {} : { eyes: String(eyes) }) });
  return ask(`/api/games/${id}?${query}`, tokens);
}

/** A moment of a recorded game that was played again: the first has the whole picture, the others how it differs. */
export interface Frame {
  /** How many entries of the record have been played. */
  entry: number;
  picture: Picture | null;
  parts: Parts | null;
}

/** Have a recorded game played again. */
export async function replayed(record: unknown): Promise<Frame[]> {
  const found = await asked<{ frames: Frame[] }>("/api/replay", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(record),
  });
  return found.frames;
}

const books = new Map<string, Promise<Clause[]>>();

/** The clauses of a rulebook. */
export function clausesOf(ruleset: string): Promise<Clause[]> {
  let book = books.get(ruleset);
  if (book === undefined) {
    book = asked<{ clauses: Clause[]; rulings?: Clause[] }>(`/api/rules/${encodeURIComponent(ruleset)}`).then((found) => [
      ...found.clauses,
      ...(found.rulings ?? []),
    ]);
    book.catch(() => books.delete(ruleset));
    books.set(ruleset, book);
  }
  return book;
}
