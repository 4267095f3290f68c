/** A recorded game as moments to look at: what it says happened, and the table of the turn in which it happened. */
import type { LogEntry, Outcome, Picture, Thrown, View } from "../wire/types";

interface Entry {
  type: "action" | "roll" | "undo";
  side?: number | null;
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
  players: string[];
  outcome?: Outcome | null;
  opening: { view: Picture };
  entries: Entry[];
}

export interface Moment {
  picture: Picture;
  log: LogEntry[];
}

/** Read a recorded game, packed or not. Complains in plain words of anything else. */
export async function readRecorded(file: Blob): Promise<Recorded> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const packed = head[0] === 0x1f && head[1] === 0x8b;
  const text = packed
    ? await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text()
    : await file.text();
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error("This file is no recorded game: it is not JSON");
  }
  const record = found as Partial<Recorded> | null;
  if (record?.format !== "caltrop-game" || record.opening?.view === undefined || !Array.isArray(record.entries))
    throw new Error("This file is no recorded game of Caltrop");
  return record as Recorded;
}

/** The moments of a record, one for the opening and one after each act. */
export function momentsOf(record: Recorded): Moment[] {
  let picture = record.opening.view;
  let log: LogEntry[] = [];
  const moments: Moment[] = [{ picture, log }];
  let act = 0;
  for (const entry of record.entries) {
    if (entry.type === "action") {
      act += 1;
      const lines = entry.words?.length ? entry.words : ["A sealed choice"];
      log = [...log, ...lines.map((text, i) => line(log.length + i + 1, act, entry, text))];
    } else if (entry.type === "roll") {
      const dice: Thrown[] = entry.faces ? [{ faces: entry.faces, sides: entry.sides ?? 6, words: "", side: entry.side ?? null }] : [];
      log = [...log, line(log.length + 1, act, entry, entry.faces ? "Dice" : "Hidden dice", dice)];
    } else {
      log = [...log, line(log.length + 1, act, entry, "An act is taken back")];
    }
    if (entry.turn?.view) picture = entry.turn.view;
    if (entry.type === "roll" && moments.length > 1) moments[moments.length - 1] = { picture, log };
    else moments.push({ picture, log });
  }
  return moments;
}

function line(n: number, act: number, entry: Entry, text: string, dice: Thrown[] = []): LogEntry {
  return { n, act, side: entry.side ?? null, kind: entry.type, text, clauses: entry.clauses ?? [], dice, touches: [], undoes: null };
}

/** A moment in the shape of a view, for the table to draw. */
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
    seats: moment.picture.seats.map((seat) => ({ ...seat, player: record.players[seat.side] ?? "person" })),
    act: at,
    picture: moment.picture,
    decisions: [],
    waiting_for: [],
    over: at === last ? (record.outcome ?? null) : null,
    undo: { allowed: false, boundary: null, takeback: false, asked: null },
    log: moment.log,
    versions: { wire: 1, engine: "", rules: 0 },
  };
}
