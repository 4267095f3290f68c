/** Requests to the server over HTTP. */
import type { Schema } from "../lib/schema";
import { drawn, secretFor } from "../lib/secret";
import type {
  ArmySheet,
  AskSheet,
  AttackForm as AskedForm,
  AwaitedBack,
  Catalogue,
  Checked,
  Compared,
  Comparison,
  DoorView as Door,
  DraftToCheck,
  Explained,
  Fault,
  Form as AttackForm,
  Frame,
  GameEntry as OwnGame,
  Glance,
  HabitsView,
  MadeGame,
  MadeSeat,
  MapKit,
  NewGame,
  NewSeries,
  OwnBattle,
  OwnEntries,
  PackField,
  PackFile,
  PackKit,
  PackLook,
  PackSheet,
  PackToCompare,
  PackToLookAt,
  PastGame,
  Picture,
  PlayOn,
  RefereeKit,
  RefereeTable,
  Series,
  Settle,
  View,
} from "./shapes";
import type { Odds, WholeOdds } from "./types";

export type {
  ArmySheet,
  AskSheet,
  AttackForm,
  Checked,
  Compared,
  Comparison,
  Door,
  Explained,
  Fault,
  Frame,
  Glance,
  MadeGame,
  MapKit,
  NewGame,
  NewSeries,
  OwnEntries,
  OwnGame,
  PackField,
  PackFile,
  PackKit,
  PackLook,
  PackSheet,
  RefereeTable,
  PastGame,
  Series,
};
export type { DiceSum, Difference, Moment as PastMoment, Report } from "./shapes";

/** The server refused and said why, or it could not be reached. */
export class Unanswered extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** The faulty part of the request, if any. */
    readonly field = "",
    /** Numbers in the message, by name, such as `dice` for the number of dice needed. */
    readonly values: Readonly<Record<string, unknown>> = {},
    /** The reason by its name, such as `not-shown`. */
    readonly code = "",
  ) {
    super(message);
  }
}

export interface Clause {
  id: string;
  edition?: string;
  text: string;
  /** The heading of the section; rulings have none. */
  chapter?: string;
  status?: string;
  why?: string;
  /** For rulings: the question, and its possible answers. */
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
  /** True if the ruling has a position on a table. */
  scene: boolean;
}

/** Answers requests when the server does not. */
export interface Instead {
  /** The addresses that it can answer. */
  paths: readonly string[];
  /** Milliseconds that the server has to answer. */
  patience: number;
  /** Return an answer to the body of a request; null if there is none. */
  answer: (path: string, text: string) => Promise<Response | null>;
}

let instead: Instead | null = null;

export function answerInstead(by: Instead | null): void {
  instead = by;
}

/** Return the server's answer; if there is none, that of `answerInstead`. */
async function responseTo(path: string, more: RequestInit): Promise<Response> {
  const { body } = more;
  if (!instead?.paths.includes(path) || typeof body !== "string") return fetch(path, more);
  const { answer, patience } = instead;
  try {
    const response = await fetch(path, { ...more, signal: AbortSignal.timeout(patience) });
    // A proxy says so if the server behind it is away.
    if (response.status <= 500) return response;
    return (await answer(path, body)) ?? response;
  } catch (error) {
    const response = await answer(path, body);
    if (response === null) throw error;
    return response;
  }
}

async function asked<T>(path: string, more: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await responseTo(path, more);
  } catch {
    throw new Unanswered("The server does not answer", 0);
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const error = body as {
      message?: string;
      field?: string;
      values?: Record<string, unknown>;
      code?: string;
    } | null;
    throw new Unanswered(
      error?.message ?? `The server answers ${response.status}`,
      response.status,
      error?.field,
      error?.values,
      error?.code,
    );
  }
  if (body === null) throw new Unanswered("The server's answer did not come whole", 0);
  return body as T;
}

let cached: Promise<Catalogue> | null = null;

/** The table of a scenario at the start. */
export async function opening(ruleset: string, scenario: string): Promise<Picture> {
  const answer = await asked<{ picture: Picture }>(`api/rules/${ruleset}/opening?${new URLSearchParams({ scenario })}`);
  return answer.picture;
}

export function catalogue(): Promise<Catalogue> {
  cached ??= asked<Catalogue>("api/catalogue").catch((error: unknown) => {
    cached = null;
    throw error;
  });
  return cached;
}

export function post<T>(path: string, body: unknown, tokens: readonly string[] = []): Promise<T> {
  const headers = { "Content-Type": "application/json", ...presented(tokens) };
  return asked(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** The keys of requests without an answer. A repeated request with the same key gets the same answer. */
const unanswered = new Map<string, string>();

/** Send a request that must take effect only once. */
export async function make<T>(path: string, body: unknown, tokens: readonly string[] = []): Promise<T> {
  const text = JSON.stringify(body);
  const what = [path, text, ...tokens].join(" ");
  const key = unanswered.get(what) ?? drawn();
  unanswered.set(what, key);
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key, ...presented(tokens) };
  let mayBeDone = false;
  try {
    return await asked(path, { method: "POST", headers, body: text });
  } catch (error) {
    mayBeDone = error instanceof Unanswered && (error.status === 0 || error.status >= 500);
    throw error;
  } finally {
    if (!mayBeDone) unanswered.delete(what);
  }
}

/** Return the header that presents secrets, or no header without secrets. */
function presented(tokens: readonly string[]): Record<string, string> {
  return tokens.length > 0 ? { Authorization: `Bearer ${tokens.join(",")}` } : {};
}

export function makeGame(wanted: NewGame): Promise<MadeGame> {
  return make("api/games", wanted);
}

/** Ask for data that only people with its secrets may see. */
export function ask<T>(path: string, tokens: readonly string[]): Promise<T> {
  return asked(path, { headers: presented(tokens) });
}

/** Ask for an explanation of a finished battle. Return the progress so far. */
export function explain(id: string, tokens: readonly string[]): Promise<Explained> {
  return post(`api/games/${id}/analysis`, {}, tokens);
}

/** Show everything that was hidden in a finished battle. */
export function showAll(id: string, tokens: readonly string[]): Promise<unknown> {
  return post(`api/games/${id}/messages`, { type: "show-all" }, tokens);
}

/** Ask for the progress of a battle's explanation. */
export function explained(id: string, tokens: readonly string[]): Promise<Explained> {
  return ask(`api/games/${id}/analysis`, tokens);
}

/** Stop a battle's explanation, and keep the results so far. */
export function stopExplaining(id: string, tokens: readonly string[]): Promise<Explained> {
  return post(`api/games/${id}/analysis/stop`, {}, tokens);
}

/** Make a game that begins with the first acts of a finished one and continues with other dice. */
export function playOn(id: string, at: number, tokens: readonly string[]): Promise<MadeGame> {
  const request: PlayOn = { at };
  return make(`api/games/${id}/play-on`, request, tokens);
}

/** Take a seat in the rematch of a game, which is one game for all its players. */
export function askAgain(id: string, tokens: readonly string[]): Promise<MadeGame> {
  return make(`api/games/${id}/rematch`, {}, tokens);
}

/** Make such a game from a recorded game. */
export function playOnRecord(record: object, at: number): Promise<MadeGame> {
  return make(`api/replay/play-on?at=${at}`, record);
}

/** Load a summary of one of the user's games. */
export function glance(id: string, tokens: readonly string[]): Promise<Glance> {
  return ask(`api/games/${id}/glance`, tokens);
}

/** Take the seat of an invitation. The answer holds the person's own secret. */
export function claimSeat(id: string, invitation: string): Promise<MadeSeat> {
  return post(`api/games/${id}/claim`, { token: secretFor(`${id}.${invitation}`) }, [invitation]);
}

/**
 * Invite another person to a seat whose player is away. Returns an invitation, or the seconds that the player has to
 * come back.
 */
export function renewSeat(id: string, side: number, tokens: readonly string[]): Promise<MadeSeat | AwaitedBack> {
  return make(`api/games/${id}/renew?side=${side}`, {}, tokens);
}

/** Load the asker's standing answers, and the sides whose players have left. */
export function standingOf(id: string, tokens: readonly string[]): Promise<HabitsView> {
  return ask(`api/games/${id}/standing`, tokens);
}

/** Choose who plays a side whose time is up. */
export function settle(id: string, wanted: Settle, tokens: readonly string[]): Promise<MadeSeat | { seq: number }> {
  return make(`api/games/${id}/settle`, wanted, tokens);
}

/** Ask for the addresses at which the server can be reached. */
export function door(): Promise<Door> {
  return asked("api/door");
}

/** Open the server to the local network, or close it again. */
export function turnDoor(open: boolean): Promise<Door> {
  return post("api/door", { open });
}

/** Reasons why a game cannot continue, in words. */
export const FAULTS = {
  damaged: "damaged",
  "other-rules": "the rules have changed",
  "no-rules": "needs a rulebook that is not installed",
};

/** Load the games in which the secrets have seats, the newest first. */
export async function ownGames(tokens: readonly string[]): Promise<OwnGame[]> {
  return (await ask<{ games: OwnGame[] }>("api/games", tokens)).games;
}

/** Load a game at an earlier moment. */
export function viewAt(id: string, tokens: readonly string[], eyes: number | null, at: number): Promise<View> {
  const query = new URLSearchParams({ at: String(at), ...(eyes === null ? {} : { eyes: String(eyes) }) });
  return ask(`api/games/${id}?${query}`, tokens);
}

/** Ask the server to replay a recorded game. */
export async function replayed(record: unknown): Promise<Frame[]> {
  return (await post<{ frames: Frame[] }>("api/replay", record)).frames;
}

/** Ask whether a recorded game follows from its acts and dice by the rules, and where it does not. */
export function verified(record: unknown): Promise<{ same: boolean; words: string }> {
  return post("api/verify", record);
}

/** Fetch moments of a game, all or a number of them. They are seen by the seat's own side unless another is named. */
export function momentsOf(
  id: string,
  tokens: readonly string[],
  eyes: number | null | undefined,
  from = 0,
  count?: number,
): Promise<PastGame> {
  const query = new URLSearchParams({ from: String(from) });
  if (eyes !== undefined) query.set("eyes", eyes === null ? "none" : String(eyes));
  if (count !== undefined) query.set("count", String(count));
  return ask(`api/games/${id}/moments?${query}`, tokens);
}

/** Fetch each address once; try again only after a failure. */
const parts = new Map<string, Promise<unknown>>();

function once<T>(path: string): Promise<T> {
  let part = parts.get(path);
  if (part === undefined) {
    part = asked<T>(path);
    part.catch(() => parts.delete(path));
    parts.set(path, part);
  }
  return part as Promise<T>;
}

/** Load the clauses of a rulebook, and the rulings on them. */
export async function clausesOf(ruleset: string): Promise<Clause[]> {
  return (await once<{ clauses: Clause[] }>(`api/rules/${encodeURIComponent(ruleset)}/text`)).clauses;
}

/** Load the rulings that were played out: all of a game, or those on one clause. */
export async function examplesOf(ruleset: string, clause?: string): Promise<Example[]> {
  const { examples } = await once<{ examples: Example[] }>(`api/rules/${encodeURIComponent(ruleset)}/examples`);
  return clause === undefined ? examples : examples.filter((one) => one.clauses.includes(clause));
}

/** Load the initial table of such a ruling. */
export async function examplePicture(ruleset: string, id: string): Promise<Picture> {
  return (
    await once<{ picture: Picture }>(`api/rules/${encodeURIComponent(ruleset)}/examples/${encodeURIComponent(id)}`)
  ).picture;
}

/** Load a game's summary on one page. */
export interface Summary {
  words: string;
  turn: { name: string; words: string }[];
  rules: { title: string; words: string; clauses: string[] }[];
}

export async function summaryOf(ruleset: string): Promise<Summary | null> {
  return (await once<{ summary: Summary | null }>(`api/rules/${encodeURIComponent(ruleset)}/summary`)).summary;
}

/** An attack request, as far as it has been filled in. */
export type AttackRequest = Readonly<Record<string, unknown>>;

/** Load the games whose attacks have odds. */
export async function askable(): Promise<string[]> {
  return (await asked<{ rulesets: string[] }>("api/odds")).rulesets;
}

export function attackForm(request: AttackRequest): Promise<AskedForm & { schema: Schema }> {
  return post("api/odds/form", request);
}

export function attackOdds(request: AttackRequest): Promise<Odds> {
  return post("api/odds", request);
}

export function wholeOdds(request: unknown): Promise<WholeOdds> {
  return post("api/odds", request as AttackRequest);
}

/** Load the values that a referee tracks in a battle on a real table. */
export function refereeTable(wanted: NewGame): Promise<RefereeTable> {
  return post("api/referee", wanted);
}

/** Resolve one attack with its dice. If dice are missing or wrong, the error names the field. */
export function refereed(request: object): Promise<Record<string, unknown>> {
  return post("api/resolve", request);
}

/** The files with which the page settles attacks without a network. */
export function refereeKit(): Promise<RefereeKit> {
  return asked("api/referee/kit");
}

/** Load the games that have army lists. */
export async function withArmies(): Promise<string[]> {
  return (await asked<{ rulesets: string[] }>("api/armies")).rulesets;
}

/** Check an army list. Returns its errors, its cost, the units that may be added, and its text. */
export function armySheet(asked: AskSheet): Promise<ArmySheet> {
  return post("api/armies", asked);
}

/** Ask for a series to be played. If `begin` is false, only ask whether it was. */
export function askSeries(wanted: NewSeries, begin: boolean): Promise<Series> {
  return post("api/lab", { ...wanted, begin });
}

export function seriesNow(id: string): Promise<Series> {
  return asked(`api/lab/${id}`);
}

export function stopSeries(id: string): Promise<Series> {
  return post(`api/lab/${id}/stop`, {});
}

export async function compareSeries(id: string, other: string): Promise<Comparison | null> {
  return (await asked<{ comparison: Comparison | null }>(`api/lab/${id}/against/${other}`)).comparison;
}

// Tables drawn by users.

/** Load the schema and kinds that an author of tables for a game needs. */
export function mapKit(ruleset: string): Promise<MapKit> {
  return once(`api/maps/${encodeURIComponent(ruleset)}`);
}

/** Load a supplied scenario as a draft. */
export async function shippedDraft(ruleset: string, name: string): Promise<object> {
  return (
    await asked<{ draft: object }>(`api/maps/${encodeURIComponent(ruleset)}/scenario?${new URLSearchParams({ name })}`)
  ).draft;
}

/** Ask for the mistakes in a draft of a table, and for its picture. */
export function checkDraft(ruleset: string, wanted: DraftToCheck): Promise<Checked> {
  return post(`api/maps/${encodeURIComponent(ruleset)}/check`, wanted);
}

export async function mirrored(
  ruleset: string,
  draft: object,
  how: "rotate" | "mirror",
  keep: "first" | "second",
): Promise<object> {
  return (await post<{ draft: object }>(`api/maps/${encodeURIComponent(ruleset)}/symmetric`, { draft, how, keep }))
    .draft;
}

/** Load a fair random table from a seed. */
export async function drawnTable(
  ruleset: string,
  seed: string,
  symmetry: "rotate" | "mirror" | "none",
): Promise<object> {
  return (await post<{ draft: object }>(`api/maps/${encodeURIComponent(ruleset)}/draw`, { seed, symmetry })).draft;
}

/** Load a draft as the text of a YAML file. */
export async function fileOf(ruleset: string, draft: object): Promise<string> {
  return (await post<{ text: string }>(`api/maps/${encodeURIComponent(ruleset)}/file`, { draft })).text;
}

// Packs.

/** Load the sheets and fields that an author of packs for a game needs. */
export function packKit(ruleset: string): Promise<PackKit> {
  return asked(`api/packs/${encodeURIComponent(ruleset)}`);
}

/** Check a pack. Returns its changes and its errors. */
export function lookAtPack(wanted: PackToLookAt): Promise<PackLook> {
  return post("api/packs/look", wanted);
}

/** Load the pack of a game on the server. */
export function packOf(id: string, tokens: readonly string[]): Promise<PackFile> {
  return ask(`api/games/${id}/pack`, tokens);
}

/** Load the choices of a battle with a pack, a table or armies of the user. */
export function ownChoices(ruleset: string, battle: OwnBattle): Promise<OwnEntries> {
  return post(`api/rules/${encodeURIComponent(ruleset)}/own`, battle);
}

/** Load the odds of a unit with its printed values and with a pack. */
export function comparePack(wanted: PackToCompare): Promise<Compared> {
  return post("api/packs/compare", wanted);
}
