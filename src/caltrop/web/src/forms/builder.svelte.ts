/** An army list while it is built: the list, the verdict of the rules, and the steps that can be undone. */
import { fragmentOf, idOf, type OwnArmy, ownArmies } from "../lib/armies";
import { wordsOf } from "../lib/faults";
import { plural } from "../lib/measure";
import { fileOf, type OwnPack, packsFor } from "../lib/packs";
import { labelOf } from "../lib/schema";
import { drawn } from "../lib/secret";
import { CHANGED_ELSEWHERE } from "../lib/shelf";
import { type Json, valueAt } from "../maps/draft";
import { type ArmySheet, armySheet, type AskSheet } from "../wire/api";
import type { ArmyFault } from "../wire/shapes";

type Draft = Record<string, unknown>;
type Entry = Record<string, unknown>;

/** Largest number of steps that can be undone. */
const STEPS = 200;

/** Return a pack of this browser as part of a request; an empty object if there is no correct pack with that key. */
function laid(ruleset: string, key: string): Pick<AskSheet, "pack"> {
  const own = key === "" ? undefined : packsFor(ruleset).find((one) => one.key === key && one.ready);
  return own === undefined ? {} : { pack: fileOf(own) };
}

export class Builder {
  ruleset = $state("");
  edition = $state("");
  /** Key of the pack that applies; empty for none. */
  pack = $state("");
  /** The agreed number of points: null for the usual number, 0 for no limit. */
  agreed = $state<number | null>(null);
  /** The latest answer of the server about the list. */
  sheet = $state.raw<ArmySheet | null>(null);
  /** The key of the list in this browser; empty while the list is empty. */
  key = $state("");
  trouble = $state("");
  /** The reason why this browser has not stored the list, in words; empty if it has. */
  unsaved = $state("");
  /** The latest change, for screen readers. */
  said = $state("");
  /** True while an answer is awaited. */
  asking = $state(false);
  /** Lists that this browser stores. */
  lists = $state.raw<readonly OwnArmy[]>(ownArmies.all());
  /** The link of the open list as another tab has stored it. Only that tab stores it again. */
  #heeded = "";
  #draft: Draft = {};
  #past = $state.raw<readonly Draft[]>([]);
  #future = $state.raw<readonly Draft[]>([]);
  #turn = 0;
  #queue: Promise<void> = Promise.resolve();

  readonly canUndo: boolean = $derived(this.#past.length > 0);
  readonly canRedo: boolean = $derived(this.#future.length > 0);
  readonly entries: readonly Entry[] = $derived((this.sheet?.draft[this.sheet.field] as Entry[] | undefined) ?? []);

  /** Packs of this browser for the game that have no errors. */
  readonly packs: readonly OwnPack[] = $derived(
    this.ruleset === "" ? [] : packsFor(this.ruleset).filter((one) => one.ready),
  );

  /** Begin a new list, either empty or from a list that the game has. A pack applies to its own game alone. */
  async begin(ruleset: string, edition: string, start?: string, key?: string): Promise<void> {
    const pack = key ?? (ruleset === this.ruleset ? this.pack : "");
    const list = start ? { start } : { draft: { title: this.#freeTitle(ruleset) } };
    await this.#open({ ruleset, edition, ...list, ...laid(ruleset, pack) }, "", pack);
  }

  /** A title that no other list of the game has, so that lists can be told apart. */
  #freeTitle(ruleset: string): string {
    const taken = new Set(this.lists.filter((one) => one.ruleset === ruleset).map((one) => one.title));
    let title = "Army";
    for (let n = 2; taken.has(title); n++) title = `Army ${n}`;
    return title;
  }

  /** Open a pasted list: a link, a text or the text of a file. */
  async read(box: string, ruleset?: string): Promise<boolean> {
    const list = this.lists.find((one) => one.link === fragmentOf(box));
    if (list?.pack) return await this.openOwn(list.key);
    const before = { ruleset: this.ruleset, pack: this.pack };
    if (!(await this.#open({ box, ...(ruleset ? { ruleset } : {}) }, list?.key ?? ""))) return false;
    // The game of a list is unknown until the list has been read.
    if (before.pack !== "" && before.ruleset === this.ruleset) await this.lay(before.pack);
    return true;
  }

  /** Open a list that this browser stores. */
  async openOwn(key: string): Promise<boolean> {
    const own = this.lists.find((one) => one.key === key);
    if (own === undefined) return false;
    const pack = own.pack ?? "";
    const opened = await this.#open({ box: own.link, edition: own.edition, ...laid(own.ruleset, pack) }, key, pack);
    if (opened && pack !== "" && !this.packs.some((one) => one.key === pack))
      this.trouble =
        "The pack of this list is missing here or has faults, so its units are checked by the printed values";
    return opened;
  }

  /** Show the lists as another tab has changed them. If it has changed the open list, undo brings back this version. */
  heed = (): Promise<void> => this.#after(() => this.#heed());

  async #heed(): Promise<void> {
    this.lists = ownArmies.all();
    const own = ownArmies.get(this.key);
    const { sheet, ruleset, edition, agreed } = this;
    if (own === undefined || sheet === null || own.link === sheet.link || own.ruleset !== ruleset) return;
    const next = await this.#ask({ box: own.link, edition, agreed, ...laid(ruleset, this.pack) });
    if (next === null) return;
    this.#past = [...this.#past.slice(1 - STEPS), this.#draft];
    this.#future = [];
    this.#heeded = next.link;
    this.#show(next);
    this.said = CHANGED_ELSEWHERE;
  }

  /** Check the list with another pack, or with the printed values. */
  async lay(pack: string): Promise<void> {
    this.pack = pack;
    await this.look();
  }

  async #open(asked: AskSheet, key: string, pack = ""): Promise<boolean> {
    const sheet = await this.#ask({ ...asked, agreed: null });
    if (sheet === null) return false;
    this.key = key;
    this.pack = pack;
    this.agreed = null;
    this.#past = [];
    this.#future = [];
    this.#show(sheet);
    return true;
  }

  async #ask(asked: AskSheet): Promise<ArmySheet | null> {
    const mine = ++this.#turn;
    this.asking = true;
    try {
      const sheet = await armySheet(asked);
      if (mine !== this.#turn) return null;
      this.trouble = "";
      return sheet;
    } catch (error) {
      if (mine === this.#turn) this.trouble = wordsOf(error);
      return null;
    } finally {
      if (mine === this.#turn) this.asking = false;
    }
  }

  #show(sheet: ArmySheet): void {
    this.sheet = sheet;
    this.#draft = sheet.draft;
    this.ruleset = sheet.ruleset;
    this.edition = sheet.edition;
    this.#keep(sheet);
  }

  /** Store a list with at least one unit, even if it breaks rules. */
  #keep(sheet: ArmySheet): void {
    if ((this.key === "" && sheet.units.length === 0) || sheet.link === this.#heeded) return;
    if (this.key === "") this.key = drawn().slice(0, 12);
    const { ruleset, edition, title, points, pieces, ready, link } = sheet;
    const { key, pack } = this;
    const stored = this.lists.find((one) => one.key === this.key);
    if (stored?.link === link && stored.ready === ready && (stored.pack ?? "") === pack) return;
    const list = { key, ruleset, edition, title, points, pieces, ready, link, at: Date.now() };
    this.unsaved = ownArmies.keep(pack ? { ...list, pack } : list);
    this.lists = ownArmies.all();
  }

  /** Check the list again with the latest choices. */
  async look(): Promise<void> {
    const { ruleset, edition, agreed } = this;
    const sheet = await this.#ask({ ruleset, edition, agreed, draft: this.#draft, ...laid(ruleset, this.pack) });
    if (sheet !== null) this.#show(sheet);
  }

  /**
   * Do something after the last step has been answered. Only after that, the possible units and their names are up to
   * date.
   */
  #after(what: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(what);
    return this.#queue;
  }

  /** Take a step that can be undone. */
  async #step(draft: Draft, said: string): Promise<void> {
    this.#past = [...this.#past.slice(1 - STEPS), this.#draft];
    this.#future = [];
    this.#draft = draft;
    await this.look();
    if (said !== "") this.said = `${said}. ${this.standing}`;
  }

  undo = (): Promise<void> => this.#after(() => this.#undo());

  async #undo(): Promise<void> {
    const last = this.#past.at(-1);
    if (last === undefined) return;
    this.#future = [this.#draft, ...this.#future];
    this.#past = this.#past.slice(0, -1);
    this.#draft = last;
    await this.look();
    this.said = `Undone. ${this.standing}`;
  }

  redo = (): Promise<void> => this.#after(() => this.#redo());

  async #redo(): Promise<void> {
    const [next, ...others] = this.#future;
    if (next === undefined) return;
    this.#past = [...this.#past, this.#draft];
    this.#future = others;
    this.#draft = next;
    await this.look();
    this.said = `Redone. ${this.standing}`;
  }

  /** The state of the list, in a few words. */
  get standing(): string {
    const { sheet } = this;
    if (sheet === null) return "";
    const units = plural(sheet.pieces, "unit");
    if (sheet.points === null) return units;
    const points = plural(sheet.agreed ?? sheet.points, "point");
    return sheet.agreed === null ? `${units}, ${points}` : `${units}, ${sheet.points} of ${points}`;
  }

  #with(entries: readonly Entry[]): Draft {
    return { ...this.#draft, [this.sheet?.field ?? "units"]: entries };
  }

  get #entries(): Entry[] {
    return [...((this.#draft[this.sheet?.field ?? "units"] as Entry[] | undefined) ?? [])];
  }

  #counted(entry: Entry): number {
    const count = entry[this.sheet?.count ?? ""];
    return typeof count === "number" ? count : 1;
  }

  /** Add a unit of the catalogue. If the rules forbid the unit, say why and what may be added instead. */
  add = (key: string): Promise<void> => this.#after(() => this.#add(key));

  async #add(key: string): Promise<void> {
    const offer = this.sheet?.catalogue.find((one) => one.unit.key === key);
    if (offer === undefined) return;
    const { unit, entry, refusal } = offer;
    if (refusal !== "") {
      const others = (this.sheet?.catalogue ?? []).filter((one) => one.refusal === "").map((one) => one.unit.title);
      const instead =
        others.length > 0 ? ` You may add: ${others.join(", ")}.` : " Nothing can be added to the list now.";
      this.said = `Cannot add ${unit.title}: ${refusal}.${instead}`;
      return;
    }
    const entries = this.#entries;
    const last = this.sheet?.count
      ? entries.findIndex((one, i) => this.sheet?.units[i]?.key === unit.key && !("name" in one))
      : -1;
    const same = entries[last];
    if (same !== undefined) entries[last] = { ...same, [this.sheet?.count ?? ""]: this.#counted(same) + 1 };
    else entries.push(entry);
    await this.#step(this.#with(entries), `${unit.title} added`);
  }

  /** Add one more unit of an entry, or remove one. The entry is removed with its last unit. */
  change = (number: number, more: number): Promise<void> => this.#after(() => this.#change(number, more));

  async #change(number: number, more: number): Promise<void> {
    const entries = this.#entries;
    const entry = entries[number];
    const count = this.sheet?.count ?? "";
    if (entry === undefined) return;
    const now = this.#counted(entry) + more;
    if (now < 1) return await this.#remove(number);
    entries[number] = { ...entry, [count]: now };
    if (now === 1) delete (entries[number] as Entry)[count];
    await this.#step(this.#with(entries), `${now} × ${this.sheet?.units[number]?.title ?? ""}`);
  }

  remove = (number: number): Promise<void> => this.#after(() => this.#remove(number));

  async #remove(number: number): Promise<void> {
    const title = this.sheet?.units[number]?.title ?? "";
    await this.#step(this.#with(this.#entries.toSpliced(number, 1)), `${title} removed`);
  }

  /** Add a copy of a unit, with a new name if the copy needs one. */
  double = (number: number): Promise<void> => this.#after(() => this.#double(number));

  async #double(number: number): Promise<void> {
    const entries = this.#entries;
    const entry = entries[number];
    const unit = this.sheet?.units[number];
    if (entry === undefined || unit === undefined) return;
    const fresh = this.sheet?.catalogue.find((one) => one.unit.key === unit.key)?.entry["name"];
    const name = typeof fresh === "string" ? { name: fresh } : {};
    await this.#step(this.#with(entries.toSpliced(number + 1, 0, { ...entry, ...name })), `${unit.title} added`);
  }

  move = (number: number, by: number): Promise<void> => this.#after(() => this.#move(number, by));

  async #move(number: number, by: number): Promise<void> {
    const entries = this.#entries;
    const [entry] = entries.splice(number, 1);
    if (entry === undefined) return;
    entries.splice(number + by, 0, entry);
    await this.#step(
      this.#with(entries),
      `${this.sheet?.units[number]?.title ?? ""} is ${number + by + 1} of ${entries.length}`,
    );
  }

  /** Set an option of a unit. A usual value is left out of the list. */
  choose = (number: number, field: string, value: unknown, usual: unknown): Promise<void> =>
    this.#after(() => this.#choose(number, field, value, usual));

  async #choose(number: number, field: string, value: unknown, usual: unknown): Promise<void> {
    const entries = this.#entries;
    const entry = entries[number];
    if (entry === undefined || JSON.stringify(entry[field] ?? usual) === JSON.stringify(value)) return;
    const { [field]: _old, ...others } = entry;
    entries[number] = JSON.stringify(value) === JSON.stringify(usual) ? others : { ...entry, [field]: value };
    await this.#step(this.#with(entries), "");
    this.said = this.standing;
  }

  /** Replace a name that the catalogue lacks by a unit of the catalogue. */
  mean = (number: number, key: string): Promise<void> => this.#after(() => this.#mean(number, key));

  async #mean(number: number, key: string): Promise<void> {
    const entries = this.#entries;
    const unit = this.sheet?.catalogue.find((one) => one.unit.key === key)?.unit;
    const entry = entries[number];
    if (unit === undefined || entry === undefined) return;
    const word = this.sheet?.faults.concat(this.sheet.units[number]?.faults ?? []).find((one) => one.nearest === key)
      ?.path[2];
    const { [String(word)]: _wrong, ...others } = entry;
    entries[number] = { ...others, ...unit.entry };
    await this.#step(this.#with(entries), `${unit.title} put in its place`);
  }

  /** Return whether a faulty value may be left out of the list. Values that the list needs are replaced instead. */
  mayLeaveOut({ path, clause, nearest }: ArmyFault): boolean {
    const { sheet } = this;
    if (sheet === null || clause !== "" || nearest !== "" || valueAt(sheet.draft as Json, path) === undefined)
      return false;
    const [first, number, field] = path;
    if (first !== sheet.field)
      return path.length === 1 && !["id", "title", "ruleset", sheet.race].includes(String(first));
    const unit = sheet.units[Number(number)];
    const kind = sheet.catalogue.find((one) => one.unit.key === unit?.key)?.unit;
    return typeof field === "string" && kind !== undefined && !(field in kind.entry) && !(field in kind.also);
  }

  /** Return the name of the field that a fault is about; empty if the sentence of the fault needs none. */
  fieldOf({ path, clause }: ArmyFault): string {
    const { sheet } = this;
    if (sheet === null || clause !== "") return "";
    const isUnits = path[0] === sheet.field;
    const kinds = new Set(sheet.catalogue.flatMap((one) => Object.keys(one.unit.entry)));
    const field = path.slice(isUnits ? 2 : 0).find((one) => typeof one === "string");
    return field === undefined || (isUnits && kinds.has(field)) ? "" : labelOf(field);
  }

  /** Leave a faulty value out of the list. */
  leaveOut = (fault: ArmyFault): Promise<void> => this.#after(() => this.#leaveOut(fault));

  async #leaveOut({ path: [first, number, field, item] }: ArmyFault): Promise<void> {
    if (first !== this.sheet?.field) {
      const name = String(first);
      const { [name]: _value, ...others } = this.#draft;
      return await this.#step(others, `${name} left out`);
    }
    const entries = this.#entries;
    const entry = entries[Number(number)];
    if (entry === undefined) return;
    const name = String(field);
    const { [name]: value, ...others } = entry;
    const isItem = typeof item === "number" && Array.isArray(value) && value.length > 1;
    entries[Number(number)] = isItem ? { ...others, [name]: value.toSpliced(item, 1) } : others;
    await this.#step(this.#with(entries), `${name} left out`);
  }

  /** Set a field of the list itself; an empty value removes it. */
  set = (field: string, value: string): Promise<void> => this.#after(() => this.#set(field, value));

  async #set(field: string, value: string): Promise<void> {
    if ((this.#draft[field] ?? "") === value) return;
    const { [field]: old, ...others } = this.#draft;
    // An id that was derived from the title changes with it.
    if (field === "title" && others["id"] === idOf(String(old ?? ""))) delete others["id"];
    await this.#step(value === "" ? others : { ...others, [field]: value }, "");
  }

  async agree(points: number | null): Promise<void> {
    this.agreed = points;
    await this.look();
  }

  async setEdition(edition: string): Promise<void> {
    this.edition = edition;
    await this.look();
  }

  /** Delete the open list and begin another; undo restores it. */
  async forget(): Promise<void> {
    const draft = this.#draft;
    ownArmies.forget(this.key);
    this.lists = ownArmies.all();
    await this.begin(this.ruleset, this.edition);
    this.#past = [draft];
    this.said = "The list is deleted. Undo brings it back.";
  }
}
