/** Requests about campaigns over HTTP. */
import { ask, make, post } from "./api";
import type {
  CampaignView,
  CountedBattle,
  Course,
  DressMember,
  MadeCampaign,
  MadeGame,
  MadeSeat,
  NewCampaign,
} from "./shapes";

export type {
  Battle,
  CampaignView as Kept,
  CountedBattle,
  MadeCampaign,
  Member,
  Overview,
  Told,
  Value,
} from "./shapes";

/** Load the games that have campaigns, and the courses of each. */
export function gamesWithCampaigns(): Promise<{ rulesets: string[]; courses: Record<string, Course[]> }> {
  return ask("api/campaigns", []);
}

/** Load a campaign by its name, with the secrets of this browser. */
export interface Led {
  id: string;
  tokens: readonly string[];
}

export function beginCampaign(wanted: NewCampaign): Promise<MadeCampaign> {
  return make("api/campaigns", wanted);
}

/** Store a campaign that was played elsewhere. */
export function takeIn(file: unknown): Promise<MadeCampaign> {
  return make("api/campaigns/file", file);
}

function path(id: string, more = ""): string {
  return `api/campaigns/${encodeURIComponent(id)}${more}`;
}

/** Ask for a secret for a campaign that was begun without one. The links of its battles' seats prove who leads it. */
export function claim({ id, tokens }: Led): Promise<MadeCampaign> {
  return make(path(id, "/claim"), {}, tokens);
}

export function campaignNow({ id, tokens }: Led): Promise<CampaignView> {
  return ask(path(id), tokens);
}

export function campaignFile({ id, tokens }: Led): Promise<unknown> {
  return ask(path(id, "/file"), tokens);
}

/** Create the next battle. The other side is played by the rules, by a computer, or by a friend who comes by a link. */
export function makeBattle({ id, tokens }: Led, fielded: readonly string[], friend: boolean): Promise<MadeGame> {
  return make(path(id, "/battle"), { fielded, friend }, tokens);
}

/** Return a secret for the roster's seat in the current battle. */
export function seatInBattle({ id, tokens }: Led): Promise<MadeSeat> {
  return make(path(id, "/seat"), {}, tokens);
}

/** Give a member of the roster a name, a cloak or a motto. */
export function dressMember({ id, tokens }: Led, wanted: DressMember): Promise<CampaignView> {
  return post(path(id, "/dress"), wanted, tokens);
}

/** Continue with the same roster after the campaign is over. */
export function goOn({ id, tokens }: Led, course: string): Promise<CampaignView> {
  return make(path(id, "/again"), { course }, tokens);
}

export function giveUp({ id, tokens }: Led): Promise<CampaignView> {
  return post(path(id, "/give-up"), {}, tokens);
}

/** Ask for the accounting of a battle with these answers, by question id. It is stored only if `store` is true. */
export function countBattle(
  { id, tokens }: Led,
  answers: Record<string, string[]>,
  store: boolean,
): Promise<CountedBattle> {
  return make(path(id, "/count"), { answers, store }, tokens);
}
