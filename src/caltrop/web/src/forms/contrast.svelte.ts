/** The one difference between two series: the edition, or a house rule. */
import type { NewSeries } from "../wire/api";
import type { HouseRule } from "../wire/types";
import type { Battle } from "./battle.svelte";

const EDITION = "edition";

export class Contrast {
  readonly #battle: Battle;
  /** `edition`, the name of a house rule, or an empty text. */
  what = $state("");
  otherwise = $state("");

  constructor(battle: Battle) {
    this.#battle = battle;
  }

  get rule(): HouseRule | undefined {
    return this.#battle.rules.find((one) => one.name === this.what);
  }

  /** The value in the first series. */
  get usual(): string | number {
    return this.what === EDITION ? this.#battle.edition : (this.#battle.changed[this.what] ?? this.rule?.default ?? "");
  }

  /** The other possible values; if the range is long, only the named values. */
  get others(): (string | number)[] {
    const { rule } = this;
    if (rule === undefined)
      return this.what === EDITION ? (this.#battle.ruleset?.editions ?? []).filter((one) => one !== this.usual) : [];
    const { values } = rule;
    const every = Array.isArray(values)
      ? values
      : values.max - values.min < 12
        ? Array.from({ length: values.max - values.min + 1 }, (_, i) => values.min + i)
        : rule.listed;
    return every.filter((value) => value !== this.usual);
  }

  choose(): void {
    this.otherwise = String(this.others[0] ?? "");
  }

  clear(): void {
    this.what = this.otherwise = "";
  }

  /** Return the series to play: one series, or two that differ in one setting. */
  orders(one: NewSeries): { title: string; wanted: NewSeries }[] {
    if (this.what === "" || this.otherwise === "") return [{ title: "", wanted: one }];
    const value = typeof this.rule?.default === "number" ? Number(this.otherwise) : this.otherwise;
    const other =
      this.what === EDITION
        ? { ...one, edition: this.otherwise }
        : { ...one, rules: { ...one.rules, [this.what]: value } };
    return [
      { title: this.#title(this.usual), wanted: one },
      { title: this.#title(this.otherwise), wanted: other },
    ];
  }

  #title(value: string | number): string {
    return this.what === EDITION ? `Edition ${value}` : `${this.what} = ${value}`;
  }

  /** Read the choices from a link. House rules that the game lacks are left out, and the form reports them. */
  read(query: URLSearchParams): void {
    for (const [key, value] of query) {
      if (key === "against.edition") this.what = EDITION;
      else if (key.startsWith("against.rule.")) this.what = key.slice("against.rule.".length);
      else continue;
      this.otherwise = value;
    }
    if (this.what === "" || this.what === EDITION || this.rule !== undefined) return;
    this.#battle.given = [...this.#battle.given, `There is no house rule “${this.what}” to compare: it was left out.`];
    this.clear();
  }

  /** Write the choices into a link. */
  write(query: URLSearchParams): void {
    if (this.what !== "" && this.otherwise !== "")
      query.set(this.what === EDITION ? "against.edition" : `against.rule.${this.what}`, this.otherwise);
  }
}
