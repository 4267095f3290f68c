/** Requests about the studies on the server. */
import { ask } from "./api";
import type { StudyEntry, StudyGames, StudyView } from "./shapes";

export type {
  Effect,
  Estimate,
  Figures,
  Points,
  SettingFigures,
  StudyEntry,
  StudyGame,
  StudyGames,
  StudyView,
} from "./shapes";

function at(id: string, more = ""): string {
  return `api/studies/${encodeURIComponent(id)}${more}`;
}

/** The studies of the folder that the server was given. */
export async function studies(): Promise<StudyEntry[]> {
  return (await ask<{ studies: StudyEntry[] }>("api/studies", [])).studies;
}

export function study(id: string): Promise<StudyView> {
  return ask(at(id), []);
}

/** Some games of a study: of a level of its factors, or that a side has won; "" for a draw. */
export function gamesOf(
  id: string,
  from: number,
  count: number,
  level: string,
  winner: string | null,
): Promise<StudyGames> {
  const query = new URLSearchParams({ from: String(from), count: String(count) });
  if (level !== "") query.set("level", level);
  if (winner !== null) query.set("winner", winner);
  return ask(at(id, `/games?${query}`), []);
}

/** A game of a study, played again, as a recorded game. */
export function recordOf<T>(id: string, game: number): Promise<T> {
  return ask(at(id, `/games/${game}/record`), []);
}
