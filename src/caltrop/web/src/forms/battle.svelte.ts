/** The battle to be made: a valid choice of game, edition, scenario, armies and house rules. */
import { fragmentOf, isLink, type OwnArmy, ownArmies } from "../lib/armies";
import { plural } from "../lib/measure";
import { readRules } from "../lib/schema";
import { fileOf, type OwnPack, packsFor, titleOf } from "../lib/packs";
import { drawn } from "../lib/secret";
import { pathWords } from "../maps/draft";
import { type Kept, OWN_MAP, ownMaps } from "../maps/kept";
import { armySheet, checkDraft, opening, ownChoices, type OwnEntries, type PackFile } from "../wire/api";
import { wordsOf } from "../lib/faults";
import type { Army, Catalogue, HouseRule, Picture, Ruleset, Scenario } from "../wire/types";

/** The part of a request for a game or a series that describes the battle. */
export interface BattleWanted {
  ruleset: string;
  edition: string;
  scenario: string;
  armies?: string[];
  size?: number;
  rules?: Record<string, string | number>;
  pack?: PackFile;
}

/** Return a whole number from a query, or null. */
export function wholeOf(query: URLSearchParams, key: string): number | null {
  const text = query.get(key) ?? "";
  return /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * Return a game with the user's own tables among its scenarios. Until the server has described a table, it has the
 * properties of the scenario that it was copied from.
 */
function withMaps(game: Ruleset, maps: readonly Kept[]): Ruleset {
  const scenarios = maps.map(({ id, title, draft, faulty }): Scenario => {
    const base = game.scenarios.find((one) => one.id === draft["id"]);
    const stand = Object.values(draft).some(
      (one) => typeof one === "object" && one !== null && Array.isArray((one as Record<string, unknown>)["units"]),
    );
    return {
      id: OWN_MAP + id,
      title:
        faulty === true
          ? `${title || "Without a title"} (yours, with faults)`
          : `${title || "Without a title"} (yours)`,
      minutes: base?.minutes ?? 30,
      words: "A table that you have drawn.",
      takes_armies: base?.takes_armies ?? !stand,
      players: base?.players ?? 2,
      sizes: [],
      limits: base?.limits ?? [],
    };
  });
  return { ...game, scenarios: [...game.scenarios, ...scenarios] };
}

/** Return a game with the chosen table and armies of the user, as the server described them for a pack. */
function asDescribed(game: Ruleset, table: string, { scenario, scenarios, armies }: OwnEntries, pack: string): Ruleset {
  const withTitle = <T extends { id: string; title: string }>(one: T, others: readonly T[]): T => {
    const brought = pack !== "" && !others.some(({ id }) => id === one.id) && !isLink(one.id);
    return brought ? { ...one, title: `${one.title} (${pack})` } : one;
  };
  const { words } = game.scenarios.find((one) => one.id === table) ?? { words: "" };
  const described = scenarios.map((one) => withTitle(one, game.scenarios));
  return {
    ...game,
    scenarios: [...game.scenarios.filter(({ id }) => !described.some((one) => one.id === id)), ...described].map(
      (one) => (one.id === table && scenario !== null ? { ...scenario, id: table, title: one.title, words } : one),
    ),
    armies: armies.filter((one) => !isLink(one.id)).map((one) => withTitle(one, game.armies)),
  };
}

/** Return a game with the scenarios and armies of a pack, until the server has described them. */
function withPack(game: Ruleset, own: OwnPack): Ruleset {
  const { scenarios = {}, armies = {} } = fileOf(own);
  const title = (one: Record<string, unknown>, id: string): string =>
    `${typeof one["title"] === "string" ? one["title"] : id} (${titleOf(own)})`;
  return {
    ...game,
    scenarios: [
      ...game.scenarios,
      ...Object.entries(scenarios).map(([id, one]) => ({
        id,
        title: title(one, id),
        minutes: Number(one["minutes"] ?? 30),
        words: String(one["words"] ?? ""),
        takes_armies: true,
        players: 2,
        sizes: [],
        limits: [],
      })),
    ],
    armies: [
      ...game.armies,
      ...Object.entries(armies).map(([id, one]) => ({
        id,
        title: title(one, id),
        faction: id,
        size: 0,
        sizes: [],
        parts: [],
        editions: game.editions,
        points: null,
      })),
    ],
  };
}

export class Battle {
  all = $state.raw<Catalogue | null>(null);
  name = $state("");
  edition = $state("");
  scenario = $state("");
  /** The army of each side; empty to use the scenario's. */
  armies = $state<string[]>([]);
  /** The size of each army; null to use the scenario's. */
  size = $state<number | null>(null);
  /** House rules that differ from their defaults. */
  changed = $state.raw<Record<string, string | number>>({});
  /** Choices that were dropped because this battle does not allow them. The page lists the dropped choices. */
  given = $state.raw<readonly string[]>([]);

  /** The pack that applies: its key in this browser, or its name on the server; empty for none. */
  pack = $state("");
  /**
   * The server's description of a battle with tables, armies or packs of the user, and the question that it answers.
   */
  described = $state.raw<{ of: string; entries: OwnEntries } | null>(null);
  /** The server's words if it cannot describe the battle, and the question. */
  #refused = $state.raw<{ of: string; words: string } | null>(null);
  readonly #maps: readonly Kept[] = ownMaps.all();
  readonly packs: readonly OwnPack[] = $derived(packsFor(this.name).filter((one) => one.ready));
  readonly laid: OwnPack | null = $derived(this.packs.find((one) => one.key === this.pack) ?? null);
  readonly ruleset: Ruleset | null = $derived.by(() => {
    const ruleset = this.all?.rulesets.find((one) => one.name === this.name) ?? null;
    if (ruleset === null) return null;
    const drawnHere = this.#maps.filter((one) => one.game === ruleset.name);
    const game = drawnHere.length > 0 ? withMaps(ruleset, drawnHere) : ruleset;
    if (this.described !== null && this.described.of === this.#asked)
      return asDescribed(game, this.scenario, this.described.entries, this.laid === null ? "" : titleOf(this.laid));
    return this.laid === null ? game : withPack(game, this.laid);
  });
  readonly chosen: Scenario | null = $derived(this.ruleset?.scenarios.find((one) => one.id === this.scenario) ?? null);
  /** The user's own lists, for all games. Lists that came as links are included. */
  own = $state.raw<readonly OwnArmy[]>(ownArmies.all());
  readonly possible: Army[] = $derived(
    [
      ...(this.ruleset?.armies ?? []),
      ...this.own.filter((one) => one.ruleset === this.name).map((one) => this.#ofOwn(one)),
    ].filter((army) => this.#has(army)),
  );
  readonly takesArmies: boolean = $derived(this.possible.length > 0 && this.chosen?.takes_armies === true);
  /** The sides that choose an army. The rules move all other sides. */
  readonly sides: number[] = $derived(this.chosen?.players === 1 ? [0] : [0, 1]);
  /** Smallest and largest size that may be chosen, from the scenario and the chosen armies. */
  readonly sizes: number[] = $derived.by(() => {
    if (!this.takesArmies) return [];
    const chosen = this.possible.filter((one) => this.armies.includes(one.id));
    return (this.chosen?.sizes ?? []).filter((size) => chosen.every((one) => one.sizes.includes(size)));
  });
  /**
   * Smallest size at which all chosen armies may fight, if it is larger than the usual size of the scenario; else null.
   */
  readonly needed: number | null = $derived.by(() => {
    const limits = this.chosen?.limits ?? [];
    const most = Math.max(0, ...limits);
    if (!this.takesArmies || most === 0) return null;
    const sizes = this.sides.map((side) => {
      const limit = limits[side] ?? most;
      const costs = this.#costs(this.possible.find((one) => one.id === this.armies[side]));
      return costs.length === 0 || costs.some((cost) => cost <= limit)
        ? 0
        : Math.ceil((Math.min(...costs) * most) / limit);
    });
    return Math.max(...sizes) || null;
  });
  readonly rules: HouseRule[] = $derived((this.ruleset?.rules ?? []).filter((rule) => this.#has(rule)));

  /** The person who challenges others to this battle with an army; empty without a challenge. */
  readonly challenger: string;

  /** The query of a link, which sets the choices. */
  constructor(query: URLSearchParams) {
    this.challenger = query.get("challenge") ?? "";
    this.name = query.get("ruleset") ?? "";
    this.edition = query.get("edition") ?? "";
    this.scenario = query.get("scenario") ?? "";
    this.armies = (query.get("armies") ?? "").split(",");
    this.size = wholeOf(query, "size");
    const { pack, ...changed } = readRules(query);
    this.changed = changed;
    this.pack = query.get("pack") ?? (pack === undefined ? "" : String(pack));
  }

  #has(one: { editions: string[] }): boolean {
    return one.editions.length === 0 || one.editions.includes(this.edition);
  }

  /** The question about a battle with tables, armies or packs of the user; empty for a battle without them. */
  readonly #asked: string = $derived.by(() => {
    const armies = this.armies.filter(isLink).map(fragmentOf);
    const own = this.#own;
    const pack = this.laid !== null ? fileOf(this.laid) : this.isNamed ? this.pack : null;
    if (armies.length === 0 && own === undefined && pack === null) return "";
    const scenario = own === undefined ? "" : `${JSON.stringify(own.draft)}\n`;
    return JSON.stringify({ scenario, armies, pack });
  });

  /** The latest question; an answer to an earlier question is ignored. */
  #waiting = "";

  /** Ask the server for the possible choices if the user brings a table, an army or a pack. */
  #ask(): void {
    const asked = this.#asked;
    if (asked === "" || asked === this.#waiting || this.described?.of === asked) return;
    this.#waiting = asked;
    ownChoices(this.name, JSON.parse(asked) as Parameters<typeof ownChoices>[1]).then(
      (entries) => {
        if (asked !== this.#asked) return;
        this.described = { of: asked, entries };
        this.settle();
      },
      (error: unknown) => {
        if (asked === this.#waiting) this.#waiting = "";
        this.#refused = { of: asked, words: wordsOf(error) };
      },
    );
  }

  /** The error that prevents a battle with the user's table, armies and pack; empty if there is none. */
  get fault(): string {
    if (this.#refused !== null && this.#refused.of === this.#asked) return this.#refused.words;
    const fault = this.described?.of === this.#asked ? this.described.entries.fault : null;
    if (fault === null) return "";
    return fault.path.length > 0 ? `${pathWords(fault.path)}: ${fault.words}` : fault.words;
  }

  /** The address at which a chosen table of the user can be changed; empty for a table of the game. */
  get drawing(): string {
    return this.#own === undefined ? "" : `maps?kept=${encodeURIComponent(this.#own.id)}`;
  }

  /** Return a list of the user as an army to choose. The link of a list is also its name, because the link contains the
   * whole list. */
  #ofOwn(one: OwnArmy): Army {
    const entry = this.#asked === "" ? undefined : this.described?.entries.armies.find(({ id }) => id === one.link);
    if (entry !== undefined) return { ...entry, id: one.link, title: one.title, faction: one.key };
    const counted = (this.ruleset?.armies ?? []).some((army) => army.sizes.length > 0);
    const sizes = counted ? (this.chosen?.sizes ?? []).filter((size) => size >= (one.points ?? Infinity)) : [];
    return {
      id: one.link,
      title: one.title,
      faction: one.key,
      size: one.pieces,
      editions: [one.edition],
      points: one.points,
      sizes,
      parts: [],
    };
  }

  /** Return whether a side uses an army list of the user. */
  isOwn(side: number): boolean {
    return isLink(this.armies[side] ?? "");
  }

  /**
   * Read a list in any of its forms, store it, and choose it for a side. Return an error in words, or an empty text.
   */
  async bring(box: string, side: number): Promise<string> {
    try {
      const sheet = await armySheet({ box, ruleset: this.name, ...(this.laid ? { pack: fileOf(this.laid) } : {}) });
      if (sheet.ruleset !== this.name) {
        const title = this.all?.rulesets.find((one) => one.name === sheet.ruleset)?.title ?? sheet.ruleset;
        return `This list is for another game: ${title}`;
      }
      const { ruleset, edition, title, points, pieces, ready, link } = sheet;
      const list = this.own.find((one) => one.link === link);
      if (list === undefined) {
        const own = { key: drawn().slice(0, 12), ruleset, edition, title, points, pieces, ready, link, at: Date.now() };
        ownArmies.keep(own);
        this.own = [own, ...this.own];
      }
      this.armies[side] = link;
      this.chooseArmy(side);
      return "";
    } catch (error) {
      return wordsOf(error);
    }
  }

  /** Choose among the existing games. */
  load(all: Catalogue): void {
    this.all = all;
    // A link from another person may name a list that this browser lacks. The list of scenarios is read while the other
    // choices are made.
    for (const word of new Set(this.armies)) {
      const link = fragmentOf(word);
      if (link === "" || this.own.some((one) => one.link === link)) continue;
      const unread = {
        key: link,
        ruleset: this.name,
        edition: this.edition || (this.ruleset?.editions[0] ?? ""),
        title: "A list from a link",
        points: null,
        pieces: 0,
        ready: false,
        link,
        at: 0,
      };
      this.own = [...this.own, unread];
      void armySheet({ box: link, ...(this.laid ? { pack: fileOf(this.laid) } : {}) }).then(
        ({ ruleset, edition, title, points, pieces, ready }) =>
          (this.own = this.own.map((one) =>
            one.link === link ? { ...one, ruleset, edition, title, points, pieces, ready } : one,
          )),
        () => undefined,
      );
    }
    if (!all.rulesets.some((one) => one.name === this.name)) this.name = all.rulesets[0]?.name ?? "";
    this.settle();
  }

  /** Replace choices that the game does not have, and list what was dropped. */
  settle(): void {
    const { ruleset } = this;
    if (ruleset === null) return;
    if (!ruleset.editions.includes(this.edition)) this.edition = ruleset.editions[0] ?? "";
    if (this.chosen === null) this.scenario = ruleset.scenarios[0]?.id ?? "";
    this.given = [...this.#settleArmies(ruleset), ...this.#settleSize(ruleset), ...this.#settleRules(ruleset)];
    this.#ask();
  }

  #settleSize(ruleset: Ruleset): string[] {
    const { size } = this;
    if (size === null || this.sizes.includes(size)) return [];
    this.size = null;
    return [`${ruleset.size.words} cannot be ${size} here: the size is as the scenario says.`];
  }

  /** Either all sides choose an army or none does: if one is unavailable, the others are dropped too. */
  #settleArmies(ruleset: Ruleset): string[] {
    this.armies = [0, 1].map((side) => this.armies[side] ?? "");
    const lost = this.armies.filter((id) => id !== "" && !this.possible.some((one) => one.id === id));
    const left = this.takesArmies ? this.sides.filter((side) => this.armies[side]) : [];
    if (lost.length === 0 && (left.length === 0 || left.length === this.sides.length)) return [];
    if (lost.length === 0 && left[0] !== undefined && (this.isOwn(left[0]) || this.challenger !== "")) {
      this.#chooseOther(left[0]);
      return [];
    }
    this.armies = ["", ""];
    const whose = this.sides.length > 1 ? "both armies are as the scenario says" : "the army is as the scenario says";
    if (lost.length === 0) return [`Choose an army for each side or for none: ${whose}.`];
    return [...new Set(lost)].map((id) => {
      const army = ruleset.armies.find((one) => one.id === id);
      return army === undefined
        ? `There is no army “${id}”: ${whose}.`
        : `Edition ${this.edition} has no ${army.title}: ${whose}.`;
    });
  }

  /** Drop house rules with default values. The rules judge the other values. */
  #settleRules(ruleset: Ruleset): string[] {
    const lost: string[] = [];
    const valid = Object.entries(this.changed).flatMap(([name, value]): [string, string | number][] => {
      const rule = this.rules.find((one) => one.name === name);
      if (rule === undefined) {
        const exists = ruleset.rules.some((one) => one.name === name);
        lost.push(`${exists ? `Edition ${this.edition} has` : "There is"} no house rule “${name}”: it was left out.`);
        return [];
      }
      const typed = typeof rule.default === "string" ? String(value) : value;
      return typed === rule.default ? [] : [[name, typed]];
    });
    this.changed = Object.fromEntries(valid);
    return lost;
  }

  /** Drop armies and house rules, which differ from game to game. */
  changeGame(): void {
    this.changed = {};
    this.armies = [];
    this.size = null;
    this.pack = "";
    this.settle();
  }

  /**
   * Choose an army for a side. All sides choose an army or none does, so the other side gets an army of another faction
   * until it chooses.
   */
  chooseArmy(side: number): void {
    const pack = this.own.find((one) => one.link === this.armies[side])?.pack ?? "";
    if (this.pack === "" && this.packs.some((one) => one.key === pack)) this.pack = pack;
    this.#chooseOther(side);
    if (this.ruleset !== null) this.given = this.#settleSize(this.ruleset);
    this.#ask();
  }

  #chooseOther(side: number): void {
    if (this.sides.length === 1) return;
    const mine = this.possible.find((one) => one.id === this.armies[side]);
    if (mine === undefined) this.armies = ["", ""];
    else if (!this.armies[1 - side]) this.armies[1 - side] = (this.#match(mine) ?? mine).id;
  }

  /** Return an army of the game, of another faction, as an opponent: of the same size, with the nearest points. */
  #match(mine: Army): Army | undefined {
    const others = this.possible.filter((one) => !isLink(one.id) && one.faction !== mine.faction);
    const apart = (one: Army): number =>
      Math.min(...this.#costs(one).map((cost) => Math.abs(cost - (mine.points ?? 0))));
    if (isLink(mine.id) && mine.points !== null)
      return others.filter((one) => one.points !== null).sort((a, b) => apart(a) - apart(b))[0] ?? others[0];
    return others.find((one) => one.size === mine.size);
  }

  /** Return the points of an army and of the parts that may fight for it. */
  #costs(army: Army | undefined): number[] {
    return typeof army?.points === "number" ? [army.points, ...army.parts.map((part) => part.points)] : [];
  }

  /** The points with which a side fights: the points of its army, or of the largest part of the army that fits. */
  fought(side: number): number | null {
    return (
      this.part(
        this.possible.find((one) => one.id === this.armies[side]),
        side,
      )?.points ?? null
    );
  }

  /**
   * Return the part of an army that fights on a side: all of the army, or its largest part that fits; null without
   * points.
   */
  part(army: Army | undefined, side: number): { points: number; units: number } | null {
    if (typeof army?.points !== "number") return null;
    const whole = { points: army.points, units: army.size };
    const limits = this.chosen?.limits ?? [];
    const most = Math.max(0, ...limits);
    const size = this.size ?? this.needed ?? most;
    const limit = most === 0 ? Infinity : Math.floor((size * (limits[side] ?? most)) / most);
    const fitting = [whole, ...army.parts].filter((one) => one.points <= limit);
    return (
      fitting.reduce<typeof whole | null>((best, one) => (best && best.points >= one.points ? best : one), null) ??
      whole
    );
  }

  /** A sentence on a scenario that is made for smaller armies than the chosen armies; empty otherwise. */
  get larger(): string {
    const { needed, size, chosen } = this;
    if (needed === null || size !== null || chosen === null) return "";
    const made = [...new Set(chosen.limits.slice(0, this.sides.length))].join(" and ");
    const { title } = chosen;
    return `${title} is made for armies of ${made} points. These cost more: up to ${needed} points a side are allowed.`;
  }

  /** A sentence on whether the chosen armies match in points; empty while that is unknown. */
  get match(): string {
    const [a, b] = this.sides.map((side) => this.fought(side));
    if (typeof a !== "number" || typeof b !== "number" || this.edition !== this.ruleset?.editions[0]) return "";
    return a === b
      ? `Both armies cost ${plural(a, "point")}.`
      : `Army A costs ${plural(a, "point")} and army B ${b}: ${Math.abs(a - b)} more for army ${a > b ? "A" : "B"}.`;
  }

  /** True if the pack is on the server instead of in this browser. */
  get isNamed(): boolean {
    return this.laid === null && this.pack.includes("@");
  }

  /** The chosen table, if the user made it. */
  get #own(): Kept | undefined {
    return this.#maps.find((one) => OWN_MAP + one.id === this.scenario);
  }

  /** Return the picture of the table, or null if it is not available. */
  async picture(): Promise<Picture | null> {
    const { ruleset, scenario } = this;
    const own = this.#own;
    if (ruleset === null || scenario === "") return null;
    const laid =
      own === undefined
        ? opening(ruleset.name, scenario)
        : checkDraft(ruleset.name, { draft: own.draft }).then((answer) => answer.picture);
    return await laid.catch(() => null);
  }

  get wanted(): BattleWanted {
    const { name: ruleset, edition, changed } = this;
    const size = this.size ?? this.needed;
    const own = this.#own;
    const scenario = own === undefined ? this.scenario : `${JSON.stringify(own.draft)}\n`;
    const armies = this.sides.map((side) => this.armies[side] ?? "");
    return {
      ruleset,
      edition,
      scenario,
      ...(this.takesArmies && armies.every(Boolean) ? { armies } : {}),
      ...(this.takesArmies && size !== null ? { size } : {}),
      ...(Object.keys(changed).length > 0 || this.isNamed
        ? { rules: { ...changed, ...(this.isNamed ? { pack: this.pack } : {}) } }
        : {}),
      ...(this.laid ? { pack: fileOf(this.laid) } : {}),
    };
  }

  /** The choices as the query of a link. */
  get query(): URLSearchParams {
    const { ruleset, edition, armies, rules } = this.wanted;
    const query = new URLSearchParams({ ruleset, edition, scenario: this.scenario });
    if (armies) query.set("armies", armies.join());
    if (this.takesArmies && this.size !== null) query.set("size", String(this.size));
    for (const [rule, value] of Object.entries(rules ?? {})) query.set(`rule.${rule}`, String(value));
    if (this.laid) query.set("pack", this.pack);
    return query;
  }
}
