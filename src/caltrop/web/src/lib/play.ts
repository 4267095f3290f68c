/** Making games from the lobby. */
import { makeGame, playOn, playOnRecord, type MadeGame, type NewGame } from "../wire/api";
import type { Catalogue, Ruleset, Scenario } from "../wire/types";
import { equal, results, strength } from "./rated";
import { keepGame, knownGame } from "./seats";

export const PERSON = "person";

/**
 * Return the battle to begin with: the shortest one that calls itself a first battle, else the first of the first game.
 */
export function firstBattle(catalogue: Catalogue): { ruleset: Ruleset; scenario: Scenario } | null {
  for (const ruleset of catalogue.rulesets) {
    const scenario = ruleset.scenarios.find((one) => one.id === "first-battle");
    if (scenario !== undefined) return { ruleset, scenario };
  }
  const ruleset = catalogue.rulesets.find((one) => one.scenarios.length > 0);
  const scenario = ruleset?.scenarios[0];
  return ruleset === undefined || scenario === undefined ? null : { ruleset, scenario };
}

/** Return the battle of a game to begin with: the battle that calls itself a first battle, else the first in the list.
 * */
export function beginnersBattle(ruleset: Ruleset): Scenario | undefined {
  return ruleset.scenarios.find((one) => one.id === "first-battle") ?? ruleset.scenarios[0];
}

/** Return the games with armies of their own, each of which has its own card in the lobby. */
export function wholeGames(catalogue: Catalogue): Ruleset[] {
  return catalogue.rulesets.filter((one) => one.armies.length > 0);
}

/** Return the scenario to play with a friend: the shown scenario, unless the rules play the other side in it. */
export function forTwo(ruleset: Ruleset, shown: Scenario): Scenario | undefined {
  return [shown, ...ruleset.scenarios].find((one) => one.players > 1);
}

/** Return the computer player to begin against. */
export function gentlest(ruleset: Ruleset): string {
  return ["recruit", "random"].find((name) => ruleset.players.includes(name)) ?? ruleset.players[0] ?? PERSON;
}

/** Number of battles after which an opponent is proposed by the player's strength. */
const ENOUGH = 3;

/** Return the computer player to play next: one of equal strength after enough battles, else the weakest. */
export function proposed(ruleset: Ruleset): string {
  const level = strength(ruleset.name, ruleset.levels, results());
  return (level !== null && level.games >= ENOUGH ? equal(ruleset.levels, level) : null) ?? gentlest(ruleset);
}

/** Return the strongest computer player, judged by names. */
export function strongest(ruleset: Ruleset): string {
  return (
    ["marshal", "commander", "veteran", "regular", "recruit"].find((name) => ruleset.players.includes(name)) ??
    gentlest(ruleset)
  );
}

/** Names of computer players, weakest first. Players without an entry keep their own names. */
const CALLED: Readonly<Record<string, string>> = {
  random: "Random",
  recruit: "Recruit",
  regular: "Regular",
  veteran: "Veteran",
  commander: "Commander",
  marshal: "Marshal",
  easy: "Recruit",
  greedy: "Regular",
  heuristic: "Veteran",
};

/** Return the level and the style of a player: `veteran+bold` is a veteran that plays boldly. */
export function parts(player: string): { level: string; style: string } {
  const [level = "", style = ""] = player.split("+");
  return { level, style };
}

export function opponent(player: string): string {
  const { level, style } = parts(player);
  return (CALLED[level] ?? level) + (style === "" ? "" : `, ${style === "objective" ? "for the objective" : style}`);
}

interface Kept {
  ruleset: string;
  title: string;
  curtain?: boolean;
}

/** Make a game, keep the secrets of its seats in this browser, and go to its table. */
export async function play(wanted: NewGame, title: string, more: { curtain?: boolean } = {}): Promise<void> {
  goTo(await makeGame(wanted), { ruleset: wanted.ruleset, title, ...more });
}

/** Make a game that begins with the first acts of a finished game: one of the server's by its id, or a record. */
export async function playFrom(from: string | object, at: number, kept: Kept): Promise<void> {
  const tokens = typeof from === "string" ? Object.values(knownGame(from)?.tokens ?? {}) : [];
  goTo(await (typeof from === "string" ? playOn(from, at, tokens) : playOnRecord(from, at)), kept);
}

/** Store the secrets of a new game, and go to its table. */
export function goTo(made: MadeGame, kept: Kept): void {
  const tokens: Record<string, string> = {};
  const invites: Record<string, string> = {};
  for (const seat of made.seats)
    if (seat.token !== null) (seat.invited === true ? invites : tokens)[seat.side] = seat.token;
  keepGame({ id: made.game, tokens, invites, seen: Date.now(), ...kept });
  location.assign(`${made.game}`);
}
