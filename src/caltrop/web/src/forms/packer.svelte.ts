/** A pack while it is made: its contents, its errors, and the steps that can be undone. */
import { wordsOf } from "../lib/faults";
import { type OwnPack, ownPacks } from "../lib/packs";
import { drawn } from "../lib/secret";
import { CHANGED_ELSEWHERE } from "../lib/shelf";
import { sameJson } from "../maps/draft";
import { lookAtPack, packKit, type PackField, type PackKit, type PackLook, type PackSheet } from "../wire/api";

type Draft = Record<string, unknown>;
type Row = Record<string, unknown>;
type Rows = Record<string, Record<string, Row>>;

const STEPS = 200;
/** Milliseconds after the last step before the server checks the pack. */
const PAUSE = 250;

export class Packer {
  ruleset = $state("");
  kit = $state.raw<PackKit | null>(null);
  draft = $state.raw<Draft | null>(null);
  look = $state.raw<PackLook | null>(null);
  key = $state("");
  trouble = $state("");
  /** The reason why this browser has not stored the pack, in words; empty if it has. */
  unsaved = $state("");
  said = $state("");
  packs = $state.raw<readonly OwnPack[]>(ownPacks.all());
  #past = $state.raw<readonly Draft[]>([]);
  #future = $state.raw<readonly Draft[]>([]);
  #turn = 0;
  /** The value that was typed last. Letters typed into the same value one after another are one step. */
  #typed = "";
  /** The open pack as another tab has stored it. Only that tab stores it again. */
  #heeded: Draft | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly canUndo: boolean = $derived(this.#past.length > 0);
  readonly canRedo: boolean = $derived(this.#future.length > 0);
  readonly rows: Rows = $derived((this.draft?.["rows"] as Rows | undefined) ?? {});
  readonly rules: Record<string, string | number> = $derived(
    (this.draft?.["rules"] as Record<string, string | number> | undefined) ?? {},
  );
  readonly ready: boolean = $derived(this.look !== null && this.look.faults.length === 0 && this.trouble === "");

  /** Load the values of a game that an author may change. */
  async open(ruleset: string): Promise<void> {
    this.kit = await packKit(ruleset);
    this.ruleset = ruleset;
  }

  /** Begin a new pack, which changes nothing yet. */
  async begin(ruleset: string): Promise<void> {
    await this.open(ruleset);
    this.#start(
      {
        format: "caltrop-pack",
        ruleset,
        id: `pack-${drawn()
          .slice(0, 6)
          .toLowerCase()
          .replaceAll(/[^a-z0-9]/g, "x")}`,
        title: this.#freeTitle(),
      },
      "",
    );
  }

  /** A title that no other pack has, so that packs can be told apart. */
  #freeTitle(): string {
    const taken = new Set(this.packs.map((one) => one.draft["title"]));
    let title = "My pack";
    for (let n = 2; taken.has(title); n++) title = `My pack ${n}`;
    return title;
  }

  async openOwn(key: string): Promise<boolean> {
    const own = this.packs.find((one) => one.key === key);
    if (own === undefined) return false;
    await this.take(own.draft, key);
    return true;
  }

  /** Open a pack that was loaded, read or restored. */
  async take(draft: Draft, key = ""): Promise<void> {
    await this.open(String(draft["ruleset"]));
    this.#start(draft, key);
  }

  /** Open a chosen file or a pasted text: a document, a link or a zip. */
  async read(wanted: { text: string } | { zip: string }): Promise<boolean> {
    try {
      const answer = await lookAtPack(wanted);
      this.trouble = "";
      await this.take(answer.draft);
      return true;
    } catch (error) {
      this.trouble = wordsOf(error);
      return false;
    }
  }

  #start(draft: Draft, key: string): void {
    this.#typed = "";
    this.draft = draft;
    this.look = null;
    this.key = key;
    this.#past = [];
    this.#future = [];
    void this.ask();
  }

  close(): void {
    this.draft = null;
    this.look = null;
    this.packs = ownPacks.all();
  }

  /** Delete the open pack. Return the pack, so that it can be stored again. */
  forget(): OwnPack | undefined {
    const own = ownPacks.forget(this.key);
    this.key = "";
    this.close();
    return own;
  }

  /** Store a deleted pack again. */
  bring(own: OwnPack): void {
    this.trouble = ownPacks.keep(own);
    this.packs = ownPacks.all();
  }

  /** Show the packs as another tab has changed them. If it has changed the open pack, undo brings back this version. */
  heed(): void {
    this.packs = ownPacks.all();
    const own = ownPacks.get(this.key);
    if (own === undefined || this.draft === null || sameJson(own.draft, this.draft)) return;
    this.#heeded = own.draft;
    this.#step(own.draft, CHANGED_ELSEWHERE);
  }

  /** Ask the server to check the pack. */
  async ask(): Promise<void> {
    if (this.draft === null) return;
    const mine = ++this.#turn;
    try {
      const look = await lookAtPack({ draft: this.draft });
      if (mine !== this.#turn) return;
      this.look = look;
      this.trouble = "";
    } catch (error) {
      if (mine !== this.#turn) return;
      this.trouble = wordsOf(error);
    }
    this.keep();
  }

  /** Store the draft even while it has errors. A draft that is not checked yet counts as one with errors. */
  keep(isChecked = true): void {
    if (this.draft === null || this.draft === this.#heeded) return;
    if (this.key === "" && this.#past.length === 0 && Object.keys(this.rows).length === 0) return;
    if (this.key === "") this.key = drawn().slice(0, 12);
    const verdict = isChecked ? { ready: this.ready, name: this.look?.name ?? "" } : { ready: false, name: "" };
    this.unsaved = ownPacks.keep({ key: this.key, draft: this.draft, ...verdict, at: Date.now() });
    this.packs = ownPacks.all();
  }

  /** Change the draft. Steps that type the same value (`typing`) one after another are undone together. */
  #step(draft: Draft, said: string, typing = ""): void {
    if (this.draft === null) return;
    if (typing === "" || typing !== this.#typed) this.#past = [...this.#past.slice(1 - STEPS), this.draft];
    this.#future = [];
    this.#put(draft, said);
    this.#typed = typing;
  }

  #put(draft: Draft, said: string): void {
    this.#typed = "";
    this.draft = draft;
    this.said = said;
    this.keep(false);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.ask(), PAUSE);
  }

  /** End the typing of a value: another change of it is another step. */
  leave(): void {
    this.#typed = "";
  }

  undo(): void {
    const last = this.#past.at(-1);
    if (last === undefined || this.draft === null) return;
    this.#future = [this.draft, ...this.#future];
    this.#past = this.#past.slice(0, -1);
    this.#put(last, "Undone");
  }

  redo(): void {
    const [next, ...others] = this.#future;
    if (next === undefined || this.draft === null) return;
    this.#past = [...this.#past, this.draft];
    this.#future = others;
    this.#put(next, "Redone");
  }

  /** Set a field of the pack itself; null removes it. */
  set(field: string, value: unknown): void {
    if (this.draft === null || JSON.stringify(this.draft[field] ?? "") === JSON.stringify(value)) return;
    const { [field]: _old, ...others } = this.draft;
    this.#step(value === "" ? others : { ...others, [field]: value }, "");
  }

  #setRows(sheet: string, rows: Record<string, Row>, said: string, typing = ""): void {
    const every = { ...this.rows, [sheet]: rows };
    if (Object.keys(rows).length === 0) delete every[sheet];
    this.#step({ ...this.draft, rows: every }, said, typing);
  }

  /** Change a value of a row. The printed value is left out of the pack. */
  change(sheet: PackSheet, key: string, field: string, value: unknown): void {
    const printed = this.base(sheet, key)[field];
    const { [field]: _old, ...others } = this.rows[sheet.name]?.[key] ?? {};
    const usual = JSON.stringify(value) === JSON.stringify(printed) || (value === undefined && printed === undefined);
    const row = usual || value === undefined ? others : { ...others, [field]: value };
    // A field that is left shows its value again as the pack stores it.
    if (JSON.stringify(row[field]) === JSON.stringify(this.rows[sheet.name]?.[key]?.[field])) return;
    const rows = { ...this.rows[sheet.name] };
    if (Object.keys(row).length === 0) delete rows[key];
    else rows[key] = row;
    this.#setRows(sheet.name, rows, "", `${sheet.name} ${key} ${field}`);
  }

  /** Add a row that is like an existing one, and return its key. */
  add(sheet: PackSheet, like: string, title: string): string {
    const taken = new Set([...sheet.rows.map((one) => one.key), ...Object.keys(this.rows[sheet.name] ?? {})]);
    const head = like.includes("/")
      ? `${like.split("/")[0] ?? ""}/`
      : sheet.fields.some((one) => one.name === "class") && like.includes("-")
        ? `${like.slice(0, like.indexOf("-", like.startsWith("god-") ? 4 : 0))}-`
        : "";
    const word =
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replaceAll(/^-|-$/g, "") || "new";
    let key = head + word;
    for (let n = 2; taken.has(key); n++) key = `${head}${word}-${n}`;
    const named = sheet.fields.some((one) => one.name === "title") ? { title } : {};
    this.#setRows(sheet.name, { ...this.rows[sheet.name], [key]: { like, ...named } }, `${title} added`);
    return key;
  }

  /** Restore the printed values of a row; a new row is removed. */
  reset(sheet: string, key: string): void {
    const rows = { ...this.rows[sheet] };
    delete rows[key];
    this.#setRows(sheet, rows, "As printed");
  }

  rule(name: string, value: string | number, usual: string | number): void {
    const rules = { ...this.rules };
    if (value === usual) delete rules[name];
    else rules[name] = value;
    this.#step({ ...this.draft, rules }, "");
  }

  /** Add an army or a scenario to the pack, or remove it. */
  shelve(shelf: "armies" | "scenarios", id: string, value: Draft | null): void {
    const files = { ...(this.draft?.[shelf] as Record<string, Draft> | undefined) };
    if (value === null) delete files[id];
    else files[id] = value;
    this.#step({ ...this.draft, [shelf]: files }, value === null ? "Taken out" : "Put into the pack");
  }

  files(shelf: "armies" | "scenarios"): string[] {
    return Object.keys((this.draft?.[shelf] as Record<string, Draft> | undefined) ?? {});
  }

  /** Return a row without the changes of the pack: the printed row, or the row that a new row is like. */
  base(sheet: PackSheet, key: string): Row {
    const like = this.rows[sheet.name]?.[key]?.["like"];
    const from = typeof like === "string" ? like : key;
    const printed = sheet.rows.find((one) => one.key === from)?.values;
    if (printed !== undefined) return printed as Row;
    return typeof like === "string" && like !== key && this.rows[sheet.name]?.[like]
      ? { ...this.base(sheet, like), ...this.rows[sheet.name]?.[like] }
      : {};
  }

  value(sheet: PackSheet, key: string, field: PackField): unknown {
    return this.rows[sheet.name]?.[key]?.[field.name] ?? this.base(sheet, key)[field.name];
  }

  isChanged(sheet: string, key: string, field: string): boolean {
    return this.rows[sheet]?.[key]?.[field] !== undefined;
  }
}
