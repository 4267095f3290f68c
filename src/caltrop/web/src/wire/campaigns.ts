/** Campaigns, as they are asked over HTTP. */
import { ask, post, type MadeGame } from "./api";
import type { Reason } from "./types";

export interface RosterLine {
  name: string;
  quality: number;
  experience: number;
  kills: number;
  trophies: number;
  battles: number;
  state: "ready" | "resting" | "dead";
}

/** What the next step of Quality takes. */
export interface NextStep {
  of: "experience" | "kills";
  needs: number;
  has: number;
}

export interface Told {
  kind: string;
  words: string;
  clauses: string[];
}

export interface Battle {
  scenario: string;
  result: "won" | "lost" | "drawn";
  given_up: boolean;
  fielded: string[];
  kills: number;
  trophies: number;
  dead: number;
  told: Told[];
}

export interface Campaign {
  id: string;
  title: string;
  ruleset: string;
  roster: RosterLine[];
  fallen: RosterLine[];
  nemeses: { name: string; quality: number }[];
  battles: Battle[];
  next: string | null;
}

export interface Overview {
  campaign: Campaign;
  roster: { line: RosterLine; called: string; next: NextStep | null }[];
  score: Reason[];
  points: number;
  /** Titles of the scenarios. */
  titles: Record<string, string>;
  /** Battles of a season. */
  battles: number;
  most: number;
  field: string[];
  ready: string[];
}

export interface Kept {
  id: string;
  overview: Overview;
  /** The battle that is not counted yet. */
  playing: { game: string; over: boolean } | null;
}

/** What a battle comes to. */
export interface Counted {
  battle: Battle;
  least: number;
  most: number;
  could_rise: string[];
  overview: Overview;
}

export async function gamesWithCampaigns(): Promise<string[]> {
  return (await ask<{ rulesets: string[] }>("/api/campaigns", [])).rulesets;
}

export async function beginCampaign(wanted: {
  ruleset: string;
  title: string;
  warband?: string;
  rules?: Record<string, string | number>;
}): Promise<string> {
  return (await post<{ campaign: string }>("/api/campaigns", wanted)).campaign;
}

/** Have a campaign kept that was played elsewhere. */
export async function takeIn(file: unknown): Promise<string> {
  return (await post<{ campaign: string }>("/api/campaigns/file", file)).campaign;
}

export function campaignNow(id: string): Promise<Kept> {
  return ask(`/api/campaigns/${encodeURIComponent(id)}`, []);
}

export function makeBattle(id: string, fielded: readonly string[]): Promise<MadeGame> {
  return post(`/api/campaigns/${encodeURIComponent(id)}/battle`, { fielded });
}

export function giveUp(id: string): Promise<Kept> {
  return post(`/api/campaigns/${encodeURIComponent(id)}/give-up`, {});
}

/** What the battle comes to with these choices; it is counted where `store` is true. */
export function countBattle(id: string, choices: { hold?: string[]; recruits?: string[] }, store: boolean): Promise<Counted> {
  return post(`/api/campaigns/${encodeURIComponent(id)}/count`, { ...choices, store });
}
