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
  return (await ask<{ rulesets: string[] }>("api/campaigns", [])).rulesets;
}

/** A campaign by its name, and the secrets that this browser knows of it. */
export interface Led {
  id: string;
  tokens: readonly string[];
}

/** What whoever has a campaign kept is told: its name, and the secret that opens it. */
export interface MadeCampaign {
  campaign: string;
  token: string;
}

export function beginCampaign(wanted: {
  ruleset: string;
  title: string;
  warband?: string;
  rules?: Record<string, string | number>;
}): Promise<MadeCampaign> {
  return post("api/campaigns", wanted);
}

/** Have a campaign kept that was played elsewhere. */
export function takeIn(file: unknown): Promise<MadeCampaign> {
  return post("api/campaigns/file", file);
}

function path(id: string, more = ""): string {
  return `api/campaigns/${encodeURIComponent(id)}${more}`;
}

/** The secret of a campaign that was begun when it had none: the links of its battles' seats prove whose it is. */
export function claim({ id, tokens }: Led): Promise<MadeCampaign> {
  return post(path(id, "/claim"), {}, tokens);
}

export function campaignNow({ id, tokens }: Led): Promise<Kept> {
  return ask(path(id), tokens);
}

export function campaignFile({ id, tokens }: Led): Promise<unknown> {
  return ask(path(id, "/file"), tokens);
}

export function makeBattle({ id, tokens }: Led, fielded: readonly string[]): Promise<MadeGame> {
  return post(path(id, "/battle"), { fielded }, tokens);
}

export function giveUp({ id, tokens }: Led): Promise<Kept> {
  return post(path(id, "/give-up"), {}, tokens);
}

/** What the battle comes to with these choices; it is counted where `store` is true. */
export function countBattle(
  { id, tokens }: Led,
  choices: { hold?: string[]; recruits?: string[] },
  store: boolean,
): Promise<Counted> {
  return post(path(id, "/count"), { ...choices, store }, tokens);
}
