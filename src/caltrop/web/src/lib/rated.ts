/**
 * Estimates a person's strength from games finished in this browser against rated computer players.
 *
 * The scale is that of the players' ratings (Elo: 400 points are odds of ten to one). The estimate is the maximum of
 * the likelihood under a wide normal prior around the average rating, so a single game changes little and no number of
 * wins gives infinity.
 */
import type { View } from "../wire/types";
import { Z95 } from "./judged";
import type { Shelf } from "./seats";

export interface Result {
  /** The id of the game. A game counts once, with its latest result. */
  game: string;
  ruleset: string;
  /** The computer player, as `veteran` or `veteran+bold`. */
  against: string;
  /** 1 for a win, 0.5 for a draw, 0 for a loss. */
  score: number;
}

export interface Strength {
  elo: number;
  /** The 95 % interval. */
  low: number;
  high: number;
  games: number;
}

interface Rated {
  name: string;
  rating: { elo: number } | null;
}

const KEY = "caltrop.results";
const PERSON = "person";
/** The newest results, newest first. */
const MOST = 500;
/** Standard deviation of a person's rating before the first battle. */
const SPREAD = 350;
const POINT = Math.LN10 / 400;

export function results(shelf: Shelf = localStorage): Result[] {
  try {
    const stored = JSON.parse(shelf.getItem(KEY) ?? "[]") as Result[];
    return Array.isArray(stored)
      ? stored.filter(
          (one) => typeof one?.game === "string" && typeof one.against === "string" && typeof one.score === "number",
        )
      : [];
  } catch {
    return [];
  }
}

/**
 * Store the result of a finished game of one person against one computer player, if it says something about the
 * person's strength. If the result says nothing, remove an earlier result of the same game.
 */
export function keepResult(view: View, shelf: Shelf = localStorage): void {
  const [one, other] = view.seats;
  if (view.over === null || view.you === null || view.seats.length !== 2 || !one || !other) return;
  if (view.lesson != null || view.unrated) {
    forget(view.game, shelf);
    return;
  }
  const people = [one, other].filter((seat) => seat.player === PERSON);
  const [me] = people;
  if (people.length !== 1 || !me || view.you !== me.side) return;
  const against = me === one ? other.player : one.player;
  const score = view.over.winner === null ? 0.5 : Number(view.over.winner === me.side);
  const newest: Result = { game: view.game, ruleset: view.ruleset, against, score };
  const others = results(shelf).filter((result) => result.game !== view.game);
  try {
    shelf.setItem(KEY, JSON.stringify([newest, ...others].slice(0, MOST)));
  } catch {
    // A browser without storage has no estimate.
  }
}

function forget(game: string, shelf: Shelf): void {
  const others = results(shelf).filter((result) => result.game !== game);
  try {
    shelf.setItem(KEY, JSON.stringify(others));
  } catch {
    // A browser without storage has nothing to delete.
  }
}

function ratingOf(levels: readonly Rated[], player: string): number | null {
  const [level] = player.split("+");
  return levels.find((one) => one.name === level)?.rating?.elo ?? null;
}

/** Return a person's strength in a game; null before the first game against a rated player. */
export function strength(ruleset: string, levels: readonly Rated[], known: readonly Result[]): Strength | null {
  const games = known
    .filter((one) => one.ruleset === ruleset)
    .map((one) => ({ rating: ratingOf(levels, one.against), score: one.score }))
    .filter((one): one is { rating: number; score: number } => one.rating !== null);
  if (games.length === 0) return null;
  const ratings = levels.map((one) => one.rating?.elo).filter((elo) => elo !== undefined);
  const middle = (Math.min(...ratings) + Math.max(...ratings)) / 2;
  let elo = middle;
  let sharp = 1 / SPREAD ** 2;
  // The logarithm of the posterior is concave, so that Newton's method finds its top.
  for (let n = 0; n < 50; n++) {
    let slope = (middle - elo) / SPREAD ** 2;
    sharp = 1 / SPREAD ** 2;
    for (const { rating, score } of games) {
      const expected = 1 / (1 + Math.exp(POINT * (rating - elo)));
      slope += POINT * (score - expected);
      sharp += POINT ** 2 * expected * (1 - expected);
    }
    const step = Math.max(-200, Math.min(200, slope / sharp));
    elo += step;
    if (Math.abs(step) < 0.01) break;
  }
  const off = Z95 / Math.sqrt(sharp);
  return { elo: Math.round(elo), low: Math.round(elo - off), high: Math.round(elo + off), games: games.length };
}

/** Return the computer player nearest to a person's strength; null if that is unknown. */
export function equal(levels: readonly Rated[], found: Strength | null): string | null {
  if (found === null) return null;
  const rated = levels.filter((one) => one.rating !== null);
  const off = (one: Rated): number => Math.abs((one.rating?.elo ?? 0) - found.elo);
  return (
    rated.reduce<Rated | null>((best, one) => (best === null || off(one) < off(best) ? one : best), null)?.name ?? null
  );
}
