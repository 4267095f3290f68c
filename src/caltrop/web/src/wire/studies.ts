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

/** Load the studies in the server's folder. */
export async function studies(): Promise<StudyEntry[]> {
  return (await ask<{ studies: StudyEntry[] }>("api/studies", [])).studies;
}

export function study(id: string): Promise<StudyView> {
  return ask(at(id), []);
}

/** Load some games of a study: with a level of a factor, or won by a side; "" for a draw. */
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

/** Load a game of a study as a recorded game, which the server replays for this. */
export function recordOf<T>(id: string, game: number): Promise<T> {
  return ask(at(id, `/games/${game}/record`), []);
}
