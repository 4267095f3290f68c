/** What is asked over HTTP. */
import type { Catalogue, LogEntry, Outcome, Parts, Picture, View } from "./types";

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
  dice?: string | string[];
  lesson?: string;
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
  /** For rulings: what was asked, and how it can be read. */
  question?: string;
  readings?: string;
}

/** A ruling that was played out. */
export interface Example {
  id: string;
  title: string;
  question: string;
  answer: string;
  clauses: string[];
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

/** One moment of a game on the server: the first has the whole picture, the others how it differs. */
export interface PastMoment {
  act: number;
  side: number | null;
  picture: Picture | null;
  parts: Parts | null;
  lines: LogEntry[];
}

export interface PastGame {
  ruleset: string;
  edition: string;
  rules: Record<string, string | number>;
  scenario: string;
  players: string[];
  over: Outcome | null;
  /** Whose eyes these are, and whose one may have. */
  eyes: number | null;
  may: (number | null)[];
  moments: PastMoment[];
}

/** Every moment of a game of the server's. */
export function momentsOf(id: string, tokens: readonly string[], eyes: number | null | undefined): Promise<PastGame> {
  const query = eyes === undefined ? "" : `?eyes=${eyes === null ? "none" : eyes}`;
  return ask(`/api/games/${id}/moments${query}`, tokens);
}

const books = new Map<string, Promise<Book>>();

interface Book {
  clauses: Clause[];
  rulings?: Clause[];
  examples?: Example[];
}

function bookOf(ruleset: string): Promise<Book> {
  let book = books.get(ruleset);
  if (book === undefined) {
    book = asked<Book>(`/api/rules/${encodeURIComponent(ruleset)}`);
    book.catch(() => books.delete(ruleset));
    books.set(ruleset, book);
  }
  return book;
}

/** The clauses of a rulebook, and the rulings on them. */
export async function clausesOf(ruleset: string): Promise<Clause[]> {
  const found = await bookOf(ruleset);
  return [...found.clauses, ...(found.rulings ?? [])];
}

/** The rulings that were played out on a clause. */
export async function examplesOf(ruleset: string, clause: string): Promise<Example[]> {
  return ((await bookOf(ruleset)).examples ?? []).filter((one) => one.clauses.includes(clause));
}
