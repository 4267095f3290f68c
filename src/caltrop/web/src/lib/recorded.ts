/** A recorded game as a list of moments, each with its events and the table of its turn. */
import type { Frame, PackFile, PastMoment } from "../wire/api";
import { patchedPicture } from "../wire/changes";
import type { LogEntry, Outcome, Picture, Thrown, View } from "../wire/types";

interface Entry {
  type: "action" | "roll" | "undo";
  side?: number | null;
  action?: Record<string, unknown> | null;
  words?: string[];
  clauses?: string[];
  faces?: number[] | null;
  sides?: number;
  to?: number;
  turn?: { view: Picture } | null;
}

export interface Recorded {
  format: string;
  ruleset: string;
  edition: string;
  rules: Record<string, string | number>;
  scenario: string;
  /** The army of each side, as an id, a text or a link; empty or absent if they are the scenario's. */
  armies?: string[];
  size?: number | null;
  /** The pack that the house rules name, with its content if that is short. */
  pack?: { content?: PackFile };
  players: string[];
  outcome?: Outcome | null;
  opening: { view: Picture };
  entries: Entry[];
}

export interface Moment {
  picture: Picture;
  log: LogEntry[];
  /** Number of the turn, from 0; null if the record does not say. */
  turn: number | null;
  /** The side whose turn it is; null if the record does not say. */
  active: number | null;
  /** Number of acts in force at the moment. Several moments share it if the rules move a side within an act. */
  act: number;
}

/**
 * Return whether a game can be continued from a moment: the moment was not undone later, and the rules have nothing
 * left to do.
 */
export function goesOnFrom(moments: readonly Pick<Moment, "act">[], at: number): boolean {
  const act = moments[at]?.act;
  return act !== undefined && act !== moments[at + 1]?.act && moments.slice(at + 1).every((later) => later.act >= act);
}

/** Read a recorded game, compressed or not. Throw an error in plain words for any other data. */
export async function readRecorded(file: Blob): Promise<Recorded> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const packed = head[0] === 0x1f && head[1] === 0x8b;
  const text = packed
    ? await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text()
    : await file.text();
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error("This file is not a recorded game: it is not JSON");
  }
  const record = document as Partial<Recorded> | null;
  if (record?.format !== "caltrop-game" || record.opening?.view === undefined || !Array.isArray(record.entries))
    throw new Error("This file is not a recorded game of Caltrop");
  return record as Recorded;
}

/**
 * Return the moments of a record: one for the opening and one after each act. Tables are those at the beginnings of
 * turns.
 */
export function momentsOf(record: Recorded): Moment[] {
  let moment: Moment = { picture: record.opening.view, log: [], turn: 0, active: null, act: 0 };
  const moments = [moment];
  let act = 0;
  for (const entry of record.entries) {
    if (entry.type === "action") act += 1;
    moment = {
      ...moment,
      act: inForce(moment.act, entry),
      turn: (moment.turn ?? 0) + Number(Boolean(entry.turn)),
      picture: entry.turn?.view ?? moment.picture,
      log: [...moment.log, ...linesOf(entry, act, moment.log.length)],
    };
    // Dice belong to the act before them.
    if (entry.type === "roll" && moments.length > 1) moments[moments.length - 1] = moment;
    else moments.push(moment);
  }
  return moments;
}

/**
 * Return the moments of a replayed record: each table, also after each unit that the rules moved, with its log lines.
 * If a record has no lines, because the rules have changed, the record's own words are used.
 */
export function playedMoments(record: Recorded, frames: readonly Frame[]): Moment[] {
  const moments: Moment[] = [];
  let picture = record.opening.view;
  let log: LogEntry[] = [];
  let done = 0;
  let act = -1;
  let turn = 0;
  let acts = 0;
  const telling = frames.some((frame) => frame.lines.length > 0);
  for (const frame of frames) {
    picture = frame.picture ?? (frame.parts === null ? picture : patchedPicture(picture, frame.parts));
    if (frame.kind !== "step") act += 1;
    log = [...log, ...frame.lines];
    for (const entry of record.entries.slice(done, frame.entry)) {
      // The results of an act are reported with the moments they led to.
      const titled = entry.type === "action" ? { ...entry, words: frame.words } : entry;
      if (!telling) log = [...log, ...linesOf(titled, act, log.length)];
      turn += Number(Boolean(entry.turn));
      acts = inForce(acts, entry);
    }
    if (frame.kind === "step" && !telling)
      log = [
        ...log,
        ...frame.words.map((text, i) => line(log.length + i + 1, act, { type: "action", side: frame.side }, text)),
      ];
    done = Math.max(done, frame.entry);
    moments.push({ picture, log, turn, active: null, act: acts });
  }
  return moments;
}

/** Return the moments of a game of the server, after the earlier ones. */
export function followed(before: readonly Moment[], told: readonly PastMoment[]): Moment[] {
  const moments = [...before];
  for (const one of told) {
    const now = moments.at(-1);
    const picture = one.picture ?? (now && one.parts ? patchedPicture(now.picture, one.parts) : now?.picture);
    if (picture === undefined) break;
    const another = now !== undefined && (now.active !== one.active || now.picture.stage.round !== picture.stage.round);
    const turn = one.active === null ? null : (now?.turn ?? 0) + Number(another);
    moments.push({ picture, log: [...(now?.log ?? []), ...one.lines], turn, active: one.active, act: one.act });
  }
  return moments;
}

/** Return the number of acts in force after an entry. */
function inForce(before: number, entry: Entry): number {
  return entry.type === "action" ? before + 1 : entry.type === "undo" ? (entry.to ?? before) : before;
}

function linesOf(entry: Entry, act: number, before: number): LogEntry[] {
  if (entry.type === "action") {
    const lines = entry.words?.length ? entry.words : [`${nameOf(entry.action)}`];
    return lines.map((text, i) => line(before + i + 1, act, entry, text));
  }
  if (entry.type === "undo") return [line(before + 1, act, entry, "An act is taken back")];
  const { faces, sides = 6, side = null } = entry;
  const dice: Thrown[] = faces ? [{ faces, sides, words: "", side, typed: false }] : [];
  return [line(before + 1, act, entry, entry.faces ? "Dice" : "Hidden dice", dice)];
}

/** An action without an effect is named after its class: `DoNotConcentrate` becomes "Do not concentrate". */
function nameOf(action: Record<string, unknown> | null | undefined): string {
  if (typeof action?.["type"] !== "string") return "A hidden choice";
  const words = action["type"].replace(/(?!^)([A-Z])/g, " $1").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function line(n: number, act: number, entry: Entry, text: string, dice: Thrown[] = []): LogEntry {
  const { side = null, clauses = [] } = entry;
  return {
    n,
    act,
    round: 0,
    side,
    about: null,
    begins: false,
    kind: entry.type,
    text,
    clauses,
    dice,
    touches: [],
    reading: null,
    motion: null,
    undoes: null,
  };
}

/** Return a moment in the form of a view, so that the table can draw it. */
export function viewOf(record: Recorded, moment: Moment, at: number, last: number): View {
  return {
    type: "view",
    schema_version: 1,
    seq: at,
    game: "",
    ruleset: record.ruleset,
    edition: record.edition,
    rules: record.rules,
    scenario: record.scenario,
    you: null,
    as_recorded: null,
    seats: moment.picture.seats.map((seat) => ({
      ...seat,
      player: record.players[seat.side] ?? "person",
      called: "",
      awaited: false,
    })),
    act: at,
    picture: moment.picture,
    decisions: [],
    waiting_for: [],
    over: at === last ? (record.outcome ?? null) : null,
    kept_back: false,
    secret: false,
    undo: { allowed: false, boundary: null, takeback: false, asked: null, until: null, cause: null, redo: false },
    log: moment.log,
    luck: [],
    dice: null,
    lesson: null,
    draw: null,
    talk: [],
    unrated: "",
    hints: false,
    hushed: [],
    again: [],
    clock: null,
    armies: record.armies ?? [],
    size: record.size ?? null,
    gone: [],
    fallen: [],
    versions: { wire: 1, engine: "", rules: 0 },
  };
}
