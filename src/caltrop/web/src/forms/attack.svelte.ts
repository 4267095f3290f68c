/** One attack whose odds are asked: what stands in its form, what may stand there, and the answer of the rules. */
import { wordsOf } from "../lib/faults";
import { type Field, fieldsOf, flat, holds, labelOf, nested, readFields, readRules, type Value } from "../lib/schema";
import { type AttackForm, attackForm, attackOdds, Unanswered } from "../wire/api";
import type { HouseRule, Odds, Ruleset } from "../wire/types";

/** Milliseconds that the form rests before the rules are asked. */
const REST = 120;

/** What is filled in. */
export interface Filled {
  edition: string;
  values: Record<string, Value>;
  /** House rules that differ from what is usual. */
  changed: Record<string, string | number>;
}

export class Attack {
  games = $state.raw<readonly Ruleset[]>([]);
  name = $state("");
  fields = $state.raw<Field[]>([]);
  form = $state.raw<AttackForm | null>(null);
  filled = $state.raw<Filled>({ edition: "", values: {}, changed: {} });
  odds = $state.raw<Odds | null>(null);
  fault = $state.raw<{ field: string; message: string } | null>(null);
  /** Whether the answer shown is not yet that of the form. */
  asking = $state(true);
  /** Another attack of the same game, to compare with. */
  kept = $state.raw<{ filled: Filled; odds: Odds } | null>(null);
  readonly ruleset: Ruleset | undefined = $derived(this.games.find((one) => one.name === this.name));
  readonly rules: HouseRule[] = $derived(
    (this.ruleset?.rules ?? []).filter((rule) => rule.editions.length === 0 || rule.editions.includes(this.filled.edition)),
  );
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;

  constructor(games: readonly Ruleset[]) {
    this.games = games;
  }

  /** Begin with what a link says, or with the attack that the game begins with. */
  async open(name: string, query = new URLSearchParams()): Promise<void> {
    const told = await attackForm({ ruleset: name });
    const fields = fieldsOf(told.schema);
    this.name = name;
    const read = (said: URLSearchParams): Filled => ({
      edition: holds(told.schema, "edition") ? (said.get("edition") ?? this.ruleset?.editions[0] ?? "") : "",
      values: readFields(fields, said),
      changed: readRules(said),
    });
    const said = read(query);
    const start = Object.entries(flat(told.form?.start ?? {})).filter(([path]) => fields.some((field) => field.path === path));
    this.filled = Object.keys(said.values).length > 0 ? said : { ...said, values: Object.fromEntries(start) };
    const than = query.get("than");
    this.kept = null;
    if (than !== null) await this.#keep(read(new URLSearchParams(than)));
    // What may stand in a field hangs on the others: the form is shown once both are known.
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
    };
  }

  /** The whole question as a link says it. */
  get query(): URLSearchParams {
    const query = new URLSearchParams({ ruleset: this.name, ...said(this.filled) });
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

  /** Keep this attack, to compare others with it. */
  keep(): void {
    if (this.odds === null) return;
    this.kept = { filled: this.filled, odds: this.odds };
    this.#work();
  }

  forget(): void {
    this.kept = null;
    this.#work();
  }

  async #keep(filled: Filled): Promise<void> {
    // A link to compare with what is no attack shows the one attack alone.
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
    history.replaceState(null, "", `odds?${this.query}`);
    const [told, answer] = await Promise.allSettled([attackForm(this.request), attackOdds(this.request)]);
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
    const field = error instanceof Unanswered ? error.field : "";
    const message = wordsOf(error);
    const beside = this.#hasPlace(field);
    return { field, message: beside && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message };
  }

  #hasPlace(field: string): boolean {
    return this.fields.some((one) => one.path === field) || field.startsWith("rules.");
  }

  /** What is wrong that has no field to stand beside. */
  get loose(): string {
    return this.fault !== null && !this.#hasPlace(this.fault.field) ? this.fault.message : "";
  }

  /** Bring what hangs on another field to what it may be now. Says whether something was changed. */
  #settle(): boolean {
    const next = { ...this.filled.values };
    for (const { path } of this.fields) {
      const value = next[path];
      const known = this.form?.choices[path];
      const range = this.form?.ranges[path];
      if (known !== undefined && value !== undefined && !known.some((one) => one.value === value)) next[path] = known[0]?.value ?? "";
      if (range !== undefined && typeof value === "number" && value > range[1] && value > 0) next[path] = range[1];
    }
    const differs = JSON.stringify(next) !== JSON.stringify(this.filled.values);
    if (differs) this.filled = { ...this.filled, values: next };
    return differs;
  }

  optionsOf(field: Field): { value: string; words: string }[] {
    return this.form?.choices[field.path] ?? field.values.map((value) => ({ value: String(value), words: labelOf(String(value)) }));
  }

  labelFor(field: Field): string {
    return this.form?.words[field.path] ?? field.label;
  }

  /** What a part of an outcome is called. */
  partCalled(part: string): string {
    return this.form?.outcomes[part] ?? labelOf(part);
  }

  isIdle(field: Field): boolean {
    return (this.form?.idle.includes(field.path) ?? false) && this.filled.values[field.path] === undefined;
  }

  /** How the attack that is kept differs from this one, in words. */
  get differences(): string[] {
    if (this.kept === null) return [];
    const { filled } = this.kept;
    const found = this.fields
      .filter(({ path }) => filled.values[path] !== this.filled.values[path])
      .map((field) => `${field.group === "" ? "" : `${labelOf(field.group)}, `}${this.labelFor(field)}: ${this.#shown(field, filled.values[field.path])}`);
    if (filled.edition !== this.filled.edition) found.unshift(`Edition: ${filled.edition}`);
    const rules = new Set([...Object.keys(filled.changed), ...Object.keys(this.filled.changed)]);
    for (const rule of rules)
      if (filled.changed[rule] !== this.filled.changed[rule]) found.push(`${rule}: ${filled.changed[rule] ?? "as usual"}`);
    return found;
  }

  #shown(field: Field, value: Value | undefined): string {
    const given = value ?? field.usual ?? "as usual";
    if (typeof given === "boolean") return given ? "yes" : "no";
    return this.optionsOf(field).find((one) => one.value === String(given))?.words ?? String(given);
  }
}

function said({ edition, values, changed }: Filled): Record<string, string> {
  const found: Record<string, string> = edition === "" ? {} : { edition };
  for (const [path, value] of Object.entries(values)) found[path] = String(value);
  for (const [rule, value] of Object.entries(changed)) found[`rule.${rule}`] = String(value);
  return found;
}
