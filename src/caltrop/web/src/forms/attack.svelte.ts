/** The attacks in a request for odds, in order: the values in the form, the possible values, and the answer. */
import { wordsOf } from "../lib/faults";
import { type Field, fieldsOf, flat, holds, labelOf, nested, readFields, readRules, type Value } from "../lib/schema";
import type { Laid } from "../lib/referee";
import { type AttackForm, attackForm, attackOdds, Unanswered } from "../wire/api";
import type { HouseRule, Odds, Ruleset } from "../wire/types";

/** Milliseconds without a change in the form before the server is asked. */
const REST = 120;

/** The values in the form. */
export interface Filled {
  edition: string;
  values: Record<string, Value>;
  /** House rules that differ from their defaults. */
  changed: Record<string, string | number>;
  /** The attackers besides the attacker in the form, in order, each by its own values. */
  others?: readonly Record<string, Value>[];
}

export class Attack {
  games = $state.raw<readonly Ruleset[]>([]);
  name = $state("");
  fields = $state.raw<Field[]>([]);
  form = $state.raw<AttackForm | null>(null);
  filled = $state.raw<Filled>({ edition: "", values: {}, changed: {} });
  odds = $state.raw<Odds | null>(null);
  fault = $state.raw<{ field: string; message: string } | null>(null);
  /** True if the shown answer still belongs to an earlier state of the form. */
  asking = $state(true);
  /** Another attack of the same game, stored for comparison. */
  kept = $state.raw<{ filled: Filled; odds: Odds } | null>(null);
  /** Fields, or groups of them, that all attackers have in common. */
  shared = $state.raw<readonly string[]>([]);
  /** Example requests of whole acts, each with its title. */
  examples = $state.raw<readonly (readonly [string, Record<string, unknown>])[]>([]);
  /** Index of the attacker that is in the form, from 0. */
  place = $state(0);
  readonly ruleset: Ruleset | undefined = $derived(this.games.find((one) => one.name === this.name));
  readonly rules: HouseRule[] = $derived(
    (this.ruleset?.rules ?? []).filter(
      (rule) => rule.editions.length === 0 || rule.editions.includes(this.filled.edition),
    ),
  );
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;

  /**
   * `withOdds`: the page shows the odds of an attack, and its address contains the attack. `laid`: the house rules and
   * the pack that apply to it.
   */
  constructor(
    games: readonly Ruleset[],
    readonly withOdds = true,
    readonly laid: Laid = {},
  ) {
    this.games = games;
  }

  /** Start with the attack in a link, or with the game's first example. */
  async open(name: string, query = new URLSearchParams()): Promise<void> {
    const form = await attackForm({ ruleset: name, ...this.laid });
    const fields = fieldsOf(form.schema);
    this.name = name;
    this.shared = form.shared;
    this.examples = form.examples;
    this.place = 0;
    const read = (given: URLSearchParams): Filled => ({
      edition: holds(form.schema, "edition") ? (given.get("edition") ?? this.ruleset?.editions[0] ?? "") : "",
      values: readFields(fields, given),
      changed: { ...this.laid.rules, ...readRules(given) },
      others: given.getAll("then").map((one) => readFields(fields, new URLSearchParams(one))),
    });
    const given = read(query);
    const start = Object.entries(flat(form.form?.start ?? {})).filter(([path]) =>
      fields.some((field) => field.path === path),
    );
    this.filled = Object.keys(given.values).length > 0 ? given : { ...given, values: Object.fromEntries(start) };
    const than = query.get("than");
    this.kept = null;
    if (than !== null) await this.#keep({ ...read(new URLSearchParams(than)), others: [] });
    // The fields depend on the attack, so the form appears once fields and attack are known.
    this.form = (await attackForm(this.request)).form;
    this.fields = fields;
    this.#work();
  }

  get request(): Record<string, unknown> {
    return this.#requestOf(this.filled);
  }

  #requestOf({ edition, values, changed }: Filled): Record<string, unknown> {
    return {
      ruleset: this.name,
      ...(edition === "" ? {} : { edition }),
      ...nested(values),
      ...(Object.keys(changed).length > 0 ? { rules: changed } : {}),
      ...(this.laid.pack === undefined ? {} : { pack: this.laid.pack }),
    };
  }

  /** The request: one attack, or several at one target in order. */
  get question(): Record<string, unknown> {
    const { edition, changed } = this.filled;
    if (this.attackers.length === 1) return this.request;
    const target = this.#part(this.filled.values, true);
    return {
      ruleset: this.name,
      ...(edition === "" ? {} : { edition }),
      ...(Object.keys(changed).length > 0 ? { rules: changed } : {}),
      sequence: this.attackers.map((own, place) => nested(place === 0 ? { ...own, ...target } : own)),
    };
  }

  /** Return the values that all attackers have in common, or the values of a single attacker. */
  #part(values: Filled["values"], common: boolean): Filled["values"] {
    const isShared = (path: string): boolean => this.shared.some((one) => path === one || path.startsWith(`${one}.`));
    return Object.fromEntries(Object.entries(values).filter(([path]) => isShared(path) === common));
  }

  /** The values of each attacker, in order. */
  get attackers(): Filled["values"][] {
    const others = this.filled.others ?? [];
    return [...others.slice(0, this.place), this.#part(this.filled.values, false), ...others.slice(this.place)];
  }

  /** Return a short description of an attacker, made of the fields that only it has. */
  attackerCalled(own: Filled["values"]): string {
    const fields = this.fields.filter(
      ({ path, group }) => group !== "" && own[path] !== undefined && own[path] !== false,
    );
    return fields.map((field) => this.#shown(field, own[field.path])).join(", ");
  }

  /** Set the attackers in order, and show one of them in the form. */
  #line(attackers: readonly Filled["values"][], place: number): void {
    this.place = place;
    this.#fill({
      values: { ...this.#part(this.filled.values, true), ...attackers[place] },
      others: attackers.filter((_, other) => other !== place),
    });
  }

  /** Add a copy of the attacker in the form, after all others. */
  addAttacker(): void {
    const attackers = this.attackers;
    this.#line([...attackers, this.#part(this.filled.values, false)], attackers.length);
  }

  removeAttacker(place: number): void {
    const left = this.attackers.filter((_, other) => other !== place);
    this.#line(left, Math.min(this.place > place ? this.place - 1 : this.place, left.length - 1));
  }

  chooseAttacker(place: number): void {
    this.#line(this.attackers, place);
  }

  putInOrder(order: readonly number[]): void {
    const attackers = this.attackers;
    this.#line(
      order.map((place) => attackers[place] ?? {}),
      order.indexOf(this.place),
    );
  }

  /** The whole request as the query of a link. */
  get query(): URLSearchParams {
    const [first, ...later] = this.attackers;
    const values = { ...first, ...this.#part(this.filled.values, true) };
    const query = new URLSearchParams({ ruleset: this.name, ...said({ ...this.filled, values }) });
    for (const own of later)
      query.append("then", new URLSearchParams(said({ edition: "", values: own, changed: {} })).toString());
    if (this.kept !== null) query.set("than", new URLSearchParams(said(this.kept.filled)).toString());
    return query;
  }

  set(field: Field, value: Value | null): void {
    const { [field.path]: _old, ...others } = this.filled.values;
    const usual = value === null || value === "" || (!field.required && value === field.usual);
    this.#fill({ values: usual ? others : { ...others, [field.path]: value } });
  }

  setEdition(edition: string): void {
    this.#fill({ edition });
  }

  setRules(changed: Filled["changed"]): void {
    this.#fill({ changed });
  }

  /** Store this attack, to compare other attacks with it. */
  keep(): void {
    if (this.odds === null) return;
    this.kept = { filled: { ...this.filled, others: [] }, odds: this.odds };
    this.#work();
  }

  forget(): void {
    this.kept = null;
    this.#work();
  }

  async #keep(filled: Filled): Promise<void> {
    // If the link's attack to compare with is invalid, only the other attack is shown.
    const odds = await attackOdds(this.#requestOf(filled)).catch(() => null);
    if (odds !== null) this.kept = { filled, odds };
  }

  #fill(change: Partial<Filled>): void {
    this.filled = { ...this.filled, ...change };
    this.#work();
  }

  #work(): void {
    this.asking = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), REST);
  }

  async #ask(): Promise<void> {
    const mine = ++this.#turn;
    if (this.withOdds) history.replaceState(null, "", `odds?${this.query}`);
    const odds = this.withOdds ? attackOdds(this.question) : null;
    const [told, answer] = await Promise.allSettled([attackForm(this.request), odds]);
    if (mine !== this.#turn) return;
    if (told.status === "fulfilled") {
      this.form = told.value.form;
      if (this.#settle()) return this.#work();
    }
    this.asking = false;
    this.odds = answer.status === "fulfilled" ? answer.value : null;
    this.fault = answer.status === "fulfilled" ? null : this.#faultOf(answer.reason);
  }

  #faultOf(error: unknown): { field: string; message: string } {
    let field = error instanceof Unanswered ? error.field : "";
    let message = wordsOf(error);
    const [whole, place, own] = /^sequence\[(\d+)\]\.(.*)$/.exec(field) ?? [];
    if (whole !== undefined && own !== undefined) {
      message = message.replace(`${whole}: `, "");
      if (Number(place) !== this.place)
        return { field: "", message: `Attacker ${Number(place) + 1}, ${own}: ${message}` };
      field = own;
    }
    const beside = this.#hasPlace(field);
    return { field, message: beside && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message };
  }

  #hasPlace(field: string): boolean {
    return this.fields.some((one) => one.path === field) || field.startsWith("rules.");
  }

  /** An error that belongs to no field; empty if there is none. */
  get loose(): string {
    return this.fault !== null && !this.#hasPlace(this.fault.field) ? this.fault.message : "";
  }

  /** Correct fields whose values depend on another field. Return whether anything changed. */
  #settle(): boolean {
    const next = { ...this.filled.values };
    for (const { path } of this.fields) {
      const value = next[path];
      const offers = this.form?.choices[path];
      const range = this.form?.ranges[path];
      if (offers !== undefined && value !== undefined && !offers.some((one) => one.value === value))
        next[path] = offers[0]?.value ?? "";
      if (range !== undefined && typeof value === "number" && value > range[1] && value > 0) next[path] = range[1];
    }
    const differs = JSON.stringify(next) !== JSON.stringify(this.filled.values);
    if (differs) this.filled = { ...this.filled, values: next };
    return differs;
  }

  optionsOf(field: Field): { value: string; words: string }[] {
    return (
      this.form?.choices[field.path] ??
      field.values.map((value) => ({ value: String(value), words: labelOf(String(value)) }))
    );
  }

  labelFor(field: Field): string {
    return this.form?.words[field.path] ?? field.label;
  }

  /** Return the name of a part of an outcome. */
  partCalled(part: string): string {
    return this.form?.outcomes[part] ?? labelOf(part);
  }

  isIdle(field: Field): boolean {
    return (this.form?.idle.includes(field.path) ?? false) && this.filled.values[field.path] === undefined;
  }

  /** The differences between the stored attack and this attack, in words. */
  get differences(): string[] {
    if (this.kept === null) return [];
    const { filled } = this.kept;
    const differences = this.fields
      .filter(({ path }) => filled.values[path] !== this.filled.values[path])
      .map(
        (field) =>
          `${field.group === "" ? "" : `${labelOf(field.group)}, `}${this.labelFor(field)}: ` +
          `${this.#shown(field, filled.values[field.path])}`,
      );
    if (filled.edition !== this.filled.edition) differences.unshift(`Edition: ${filled.edition}`);
    const rules = new Set([...Object.keys(filled.changed), ...Object.keys(this.filled.changed)]);
    for (const rule of rules)
      if (filled.changed[rule] !== this.filled.changed[rule])
        differences.push(`${rule}: ${filled.changed[rule] ?? "as usual"}`);
    return differences;
  }

  #shown(field: Field, value: Value | undefined): string {
    const given = value ?? field.usual ?? "as usual";
    if (typeof given === "boolean") return given ? "yes" : "no";
    return this.optionsOf(field).find((one) => one.value === String(given))?.words ?? String(given);
  }
}

function said({ edition, values, changed }: Filled): Record<string, string> {
  const parameters: Record<string, string> = edition === "" ? {} : { edition };
  for (const [path, value] of Object.entries(values)) parameters[path] = String(value);
  for (const [rule, value] of Object.entries(changed)) parameters[`rule.${rule}`] = String(value);
  return parameters;
}
