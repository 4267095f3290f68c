/** Words for studies. */
import { plural } from "./measure";
import type { Estimate, StudyEntry, StudyGame } from "../wire/studies";

/** Return the progress of a study in words. */
export function progressOf(study: StudyEntry): string {
  const games =
    study.played >= study.total ? plural(study.total, "game") : `${study.played} of ${plural(study.total, "game")}`;
  const looks = study.of > 1 ? `, check ${study.looks} of ${study.of}` : "";
  return `${study.stage === "new" ? "not begun" : study.stage}: ${games}${looks}`;
}

/** Return an estimated share in per cent, with its confidence interval. */
export function shareIn(words: Estimate): string {
  return `${(100 * words.value).toFixed(1)} % (${(100 * words.low).toFixed(1)} to ${(100 * words.high).toFixed(1)})`;
}

/** Return a difference of shares in percentage points, with its interval. */
export function pointsIn(words: Estimate): string {
  const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(100 * value).toFixed(1)}`;
  return `${signed(words.value)} (${signed(words.low)} to ${signed(words.high)})`;
}

/** Return a level of a factor in words. Scenarios and the like are described by their names alone. */
export function levelIn(factor: string, level: string): string {
  return factor.startsWith("rules.") ? `${factor.slice(6)} ${level}` : level;
}

/** Return the levels of factors in words. */
export function levelsIn(levels: Readonly<Record<string, string>>): string {
  return (
    Object.entries(levels)
      .sort(([one], [other]) => Number(one.startsWith("rules.")) - Number(other.startsWith("rules.")))
      .map(([factor, level]) => levelIn(factor, level))
      .join(", ") || "all"
  );
}

/** Return the winner of a game of a study, in words. */
export function wonBy(game: StudyGame): string {
  return game.winner_name === null ? "A draw" : `${game.winner_name} won`;
}

/** Return whether a figure is based on any game. */
export function someGames(figure: { readonly games: number }): boolean {
  return figure.games > 0;
}
