/** Which battle is meant: a game, its edition, scenario, armies and house rules, each of them one that there is. */
import { readRules } from "../lib/schema";
import type { Army, Catalogue, HouseRule, Ruleset, Scenario } from "../wire/types";

/** The part of a request for a game or for a series that says which battle it is. */
export interface BattleWanted {
  ruleset: string;
  edition: string;
  scenario: string;
  armies?: string[];
  size?: number;
  rules?: Record<string, string | number>;
}

/** A whole number of a query, or null. */
export function wholeOf(query: URLSearchParams, key: string): number | null {
  const text = query.get(key) ?? "";
  return /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}

export class Battle {
  all = $state.raw<Catalogue | null>(null);
  name = $state("");
  edition = $state("");
  scenario = $state("");
  /** Of each side; empty for what the scenario says. */
  armies = $state<string[]>([]);
  /** How large each army is; the scenario's own size where it is left out. */
  size = $state<number | null | undefined>(null);
  /** House rules that differ from what is usual. */
  changed = $state.raw<Record<string, string | number>>({});

  readonly ruleset: Ruleset | null = $derived(this.all?.rulesets.find((one) => one.name === this.name) ?? null);
  readonly chosen: Scenario | null = $derived(this.ruleset?.scenarios.find((one) => one.id === this.scenario) ?? null);
  readonly possible: Army[] = $derived((this.ruleset?.armies ?? []).filter((army) => this.#has(army)));
  readonly takesArmies: boolean = $derived(this.possible.length > 0 && this.chosen?.takes_armies === true);
  /** The sides that somebody plays, and chooses an army for; the rules move the others. */
  readonly sides: number[] = $derived(this.chosen?.players === 1 ? [0] : [0, 1]);
  readonly rules: HouseRule[] = $derived((this.ruleset?.rules ?? []).filter((rule) => this.#has(rule)));

  /** What a link says. */
  constructor(query: URLSearchParams) {
    this.name = query.get("ruleset") ?? "";
    this.edition = query.get("edition") ?? "";
    this.scenario = query.get("scenario") ?? "";
    this.armies = (query.get("armies") ?? "").split(",").filter(Boolean);
    this.size = wholeOf(query, "size");
    this.changed = readRules(query);
  }

  #has(one: { editions: string[] }): boolean {
    return one.editions.length === 0 || one.editions.includes(this.edition);
  }

  /** Choose among the games that there are. */
  load(all: Catalogue): void {
    this.all = all;
    if (!all.rulesets.some((one) => one.name === this.name)) this.name = all.rulesets[0]?.name ?? "";
    this.changed = Object.fromEntries(Object.entries(this.changed).flatMap(([name, value]) => this.#typed(name, value)));
    this.settle();
  }

  /** A house rule as the game holds it: none where it is as usual, and what is not known is left for the rules to refuse. */
  #typed(name: string, value: string | number): [string, string | number][] {
    const usual = this.ruleset?.rules.find((one) => one.name === name)?.default;
    const typed = typeof usual === "string" ? String(value) : value;
    return typed === usual ? [] : [[name, typed]];
  }

  /** Bring every choice to one that the game has. */
  settle(): void {
    const { ruleset } = this;
    if (ruleset === null) return;
    if (!ruleset.editions.includes(this.edition)) this.edition = ruleset.editions[0] ?? "";
    if (this.chosen === null) this.scenario = ruleset.scenarios[0]?.id ?? "";
    this.armies = [0, 1].map((side) => this.possible.find((one) => one.id === this.armies[side])?.id ?? "");
  }

  /** Another game has other armies and house rules. */
  changeGame(): void {
    this.changed = {};
    this.armies = [];
    this.size = null;
    this.settle();
  }

  /** An army is chosen for every side or for none: the other gets one of another faction, until it is chosen too. */
  chooseArmy(side: number): void {
    if (this.sides.length === 1) return;
    const mine = this.possible.find((one) => one.id === this.armies[side]);
    if (mine === undefined) this.armies = ["", ""];
    else if (!this.armies[1 - side])
      this.armies[1 - side] = (this.possible.find((one) => one.faction !== mine.faction && one.size === mine.size) ?? mine).id;
  }

  get wanted(): BattleWanted {
    const { name: ruleset, edition, scenario, size, changed } = this;
    const armies = this.sides.map((side) => this.armies[side] ?? "");
    return {
      ruleset,
      edition,
      scenario,
      ...(this.takesArmies && armies.every(Boolean) ? { armies } : {}),
      ...(this.takesArmies && typeof size === "number" ? { size } : {}),
      ...(Object.keys(changed).length > 0 ? { rules: changed } : {}),
    };
  }

  /** The same as a link says it. */
  get query(): URLSearchParams {
    const { ruleset, edition, scenario, armies, size, rules } = this.wanted;
    const query = new URLSearchParams({ ruleset, edition, scenario });
    if (armies) query.set("armies", armies.join());
    if (size !== undefined) query.set("size", String(size));
    for (const [rule, value] of Object.entries(rules ?? {})) query.set(`rule.${rule}`, String(value));
    return query;
  }
}
