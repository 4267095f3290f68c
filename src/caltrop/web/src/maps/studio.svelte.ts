/** The editor of a table: the draft with its undo history, the selection, and the rules' verdict. */
import { wordsOf } from "../lib/faults";
import { checkDraft, drawnTable, mapKit, mirrored, shippedDraft, type Fault, type MapKit } from "../wire/api";
import { CHANGED_ELSEWHERE } from "../lib/shelf";
import type { Picture, Point } from "../wire/types";
import {
  emptyOf,
  freeName,
  isObject,
  nodeFor,
  pathWords,
  sameJson,
  samePath,
  startsWith,
  valueAt,
  withValue,
  type Draft,
  type Json,
  type Node,
  type Path,
} from "./draft";
import { carried, groundOf, hexKey, isMarked, markKeys, painted, toggled } from "./hexes";
import { fromFragment, ownMaps } from "./kept";
import {
  isZone,
  middleOf,
  moved,
  pieceFrom,
  roleKey,
  shelvesOf,
  sizeOf,
  stepOf,
  thingsOf,
  turned,
  type Form,
  type Shelf,
  type Thing,
} from "./shapes";

export type Tool =
  | { do: "select" }
  | { do: "draw"; kind: string; form: Form["form"] }
  | { do: "paint"; kind: string | null }
  | { do: "mark"; kind: string };

/** Largest number of steps that can be undone. */
const MOST_STEPS = 200;
/** Milliseconds without a change after which a draft is checked. */
const PAUSE = 60;

export class Studio {
  game = $state("");
  kit = $state.raw<MapKit | null>(null);
  draft = $state.raw<Draft | null>(null);
  picture = $state.raw<Picture | null>(null);
  faults = $state.raw<readonly Fault[]>([]);
  /** True if the shown errors and table belong to the current draft. */
  fresh = $state(false);
  selected = $state.raw<Path | null>(null);
  tool = $state.raw<Tool>({ do: "select" });
  trouble = $state("");
  /** The latest change, for screen readers. */
  said = $state("");
  busy = $state(false);
  past = $state.raw<readonly Draft[]>([]);
  /** The value that was typed by the last change. */
  #typed = "";
  future = $state.raw<readonly Draft[]>([]);
  /** The key of the draft in this browser. */
  id = $state("");
  /** The reason why this browser has not stored the draft, in words; empty if it has. */
  unsaved = $state("");
  /** True if this browser has stored the current draft. */
  keptAs = $state("");

  readonly root: Node = $derived((this.kit?.schema ?? {}) as Node);
  readonly top: Node = $derived(nodeFor(this.root, this.root, {}));
  readonly hexKey: string | null = $derived(this.kit === null ? null : hexKey(this.root));
  /** Lists whose items are hexes, such as objectives. */
  readonly marks: string[] = $derived(this.hexKey === null ? [] : markKeys(this.root));
  /** True if every field shows its explanation. */
  explains = $state(true);
  readonly step: number = $derived(this.kit === null ? 1 : stepOf(this.root));
  readonly shelves: Shelf[] = $derived(this.kit === null ? [] : shelvesOf(this.root));
  readonly size: [number, number] = $derived(this.picture === null ? [1, 1] : sizeOf(this.picture));
  readonly things: Thing[] = $derived(
    this.kit === null || this.draft === null || this.hexKey !== null ? [] : thingsOf(this.root, this.draft, this.size),
  );
  readonly chosen: Thing | null = $derived(
    this.things.find((thing) => this.selected !== null && samePath(thing.item, this.selected)) ?? null,
  );
  readonly title: string = $derived(typeof this.draft?.["title"] === "string" ? this.draft["title"] : "");

  /** The draft as another tab has stored it. Only that tab stores it again. */
  #heeded: Draft | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #again = false;

  /** Begin a drawing for a game, with an empty table. */
  async open(game: string): Promise<void> {
    if (this.kit !== null && this.game === game) return;
    this.trouble = "";
    this.kit = await mapKit(game);
    this.game = game;
    [this.draft, this.picture, this.faults] = [null, null, []];
    this.tool = { do: "select" };
  }

  /** Begin with a scenario that the game comes with. */
  async begin(game: string, scenario: string): Promise<void> {
    await this.#work(async () => {
      await this.open(game);
      // An unchanged scenario is not stored, because it can be opened again.
      this.start((await shippedDraft(game, scenario)) as Draft, "", false);
    });
  }

  /** Begin with an existing draft. */
  start(draft: Draft, id = "", keep = true): void {
    this.id = id || crypto.randomUUID();
    this.keptAs = "";
    [this.past, this.future, this.selected] = [[], [], null];
    this.picture = null;
    this.#lay(draft, keep);
  }

  /** Read the text of a file. The server parses and checks it. */
  async takeIn(game: string, text: string): Promise<void> {
    await this.#work(async () => {
      await this.open(game);
      const answer = await checkDraft(game, { text });
      if (answer.draft === null) {
        const [fault] = answer.faults;
        const place = fault?.line ? `Line ${fault.line}: ` : "";
        throw new Error(`${place}${fault?.words ?? "this file holds no scenario"}`);
      }
      this.start(answer.draft as Draft);
    });
  }

  /** Open the table in the fragment of a link. */
  async takeLink(fragment: string): Promise<void> {
    await this.#work(async () => {
      const linked = await fromFragment(fragment);
      if (linked === null) throw new Error("The link does not hold a whole table: a part of it is missing or changed");
      await this.open(linked.game);
      this.start(linked.draft);
    });
  }

  /** Run one request at a time. The button stays enabled, so that it keeps the focus; a second press does nothing. */
  async #work(todo: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.trouble = "";
    try {
      await todo();
    } catch (error) {
      this.trouble = wordsOf(error);
    } finally {
      this.busy = false;
    }
  }

  /**
   * Replace the draft by another one; the change can be undone. Changes that type the same value (`typing`) one after
   * another are undone together.
   */
  change(next: Draft, words = "", typing = ""): void {
    if (this.draft === null || sameJson(next, this.draft)) return;
    if (typing === "" || typing !== this.#typed) this.past = [...this.past, this.draft].slice(-MOST_STEPS);
    this.future = [];
    if (words) this.said = words;
    this.#lay(next);
    this.#typed = typing;
  }

  undo(): void {
    const last = this.past.at(-1);
    if (last === undefined || this.draft === null) return;
    this.future = [this.draft, ...this.future];
    this.past = this.past.slice(0, -1);
    this.said = "Undone";
    this.#lay(last);
  }

  redo(): void {
    const [next, ...rest] = this.future;
    if (next === undefined || this.draft === null) return;
    this.past = [...this.past, this.draft];
    this.future = rest;
    this.said = "Redone";
    this.#lay(next);
  }

  /** Take over the open draft as another tab has changed it. Undo brings back this version. */
  heed(): void {
    const own = ownMaps.get(this.id);
    if (own === undefined) return;
    this.#heeded = own.draft;
    this.change(own.draft, CHANGED_ELSEWHERE);
  }

  #lay(draft: Draft, keep = true): void {
    this.#typed = "";
    this.draft = draft;
    this.fresh = false;
    if (this.selected !== null && valueAt(draft, this.selected) === undefined) this.selected = null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), PAUSE);
    if (!keep) return;
    this.#keep(draft, this.faults.length > 0);
  }

  #keep(draft: Draft, faulty: boolean): void {
    if (draft === this.#heeded) return;
    this.unsaved = ownMaps.keep({
      id: this.id,
      game: this.game,
      title: typeof draft["title"] === "string" ? draft["title"] : "",
      draft,
      changed: Date.now(),
      faulty,
    });
    if (this.unsaved === "") this.keptAs = this.id;
  }

  async #check(): Promise<void> {
    if (this.#asking) {
      this.#again = true;
      return;
    }
    const { draft, game } = this;
    if (draft === null) return;
    this.#asking = true;
    try {
      const answer = await checkDraft(game, { draft });
      if (game === this.game) {
        this.faults = answer.faults;
        // The land depends on the ground. While a table is drawn, the land stays as it was at first.
        if (answer.picture !== null) {
          const { land, seed } = this.picture ?? answer.picture;
          this.picture = { ...answer.picture, land, seed };
        }
        this.fresh = draft === this.draft;
        this.trouble = "";
        if (this.fresh && this.keptAs !== "") this.#keep(draft, this.faults.length > 0);
      }
    } catch (error) {
      this.trouble = wordsOf(error);
    } finally {
      this.#asking = false;
      if (this.#again || draft !== this.draft) {
        this.#again = false;
        void this.#check();
      }
    }
  }

  faultsAt(path: Path): readonly Fault[] {
    return this.faults.filter((fault) => startsWith(fault.path, path));
  }

  // Changes of things on the table.

  set(path: Path, value: Json | undefined, words = "", typing = ""): void {
    if (this.draft !== null) this.change(withValue(this.draft, path, value) as Draft, words, typing);
  }

  nameOf(item: Path): string {
    const thing = this.things.find((one) => samePath(one.item, item));
    return thing?.name || (thing && isZone(thing) && item.length === 1 ? "The zones" : pathWords(item));
  }

  /** Return the title of a kind of ground. */
  groundTitle(kind: string | null): string {
    return kind === null ? "Open ground" : (this.kit?.grounds.find((one) => one.id === kind)?.title ?? kind);
  }

  shift(thing: Thing, dx: number, dy: number): void {
    if (this.draft === null) return;
    this.change(moved(this.draft, thing, dx, dy, this.size));
    const at = this.chosen === null ? null : middleOf(this.chosen);
    if (at) this.said = `${this.nameOf(thing.item)}: ${at.map((one) => Math.round(one * 10) / 10).join(", ")}`;
  }

  turn(degrees: number | "mirror"): void {
    if (this.draft === null || this.chosen === null) return;
    this.change(
      turned(this.root, this.draft, this.chosen, degrees, this.step, this.size),
      degrees === "mirror" ? "Mirrored" : "Turned",
    );
  }

  remove(item: Path | null = this.selected): void {
    if (this.draft === null || item === null || !this.mayRemove(item)) return;
    const name = this.nameOf(item);
    this.selected = null;
    this.set(item, undefined, `${name} was taken off the table`);
  }

  /** Return whether a thing belongs to a list from which things may be removed. */
  mayRemove(item: Path): boolean {
    if (typeof item.at(-1) !== "number") return false;
    const list = nodeFor(this.root, this.#nodeOf(item.slice(0, -1)), valueAt(this.draft, item.slice(0, -1)));
    // Each side has a zone of its own.
    return list.prefixItems === undefined && list["x-drawn"] !== "sides";
  }

  #nodeOf(path: Path): Node {
    let node = this.root;
    let value: Json | undefined = this.draft;
    for (const key of path) {
      const at = nodeFor(this.root, node, value);
      node = ((typeof key === "number" ? (at.prefixItems?.[key] ?? at.items) : at.properties?.[key]) || {}) as Node;
      value = valueAt(value, [key]);
    }
    return node;
  }

  copy(): void {
    const { draft, selected, chosen } = this;
    if (draft === null || selected === null || chosen === null || !this.mayRemove(selected)) return;
    const list = valueAt(draft, selected.slice(0, -1));
    const item = valueAt(draft, selected);
    if (!Array.isArray(list) || item === undefined) return;
    const path = [...selected.slice(0, -1), list.length];
    let next = withValue(draft, path, this.#named(item, list)) as Draft;
    const copy = thingsOf(this.root, next, this.size).find((thing) => samePath(thing.item, path));
    const far = 2 * Math.max(this.step, Math.round(Math.min(...this.size) / 24));
    if (copy !== undefined) next = moved(next, copy, far, -far, this.size);
    this.selected = path;
    this.change(next, `A copy of ${this.nameOf(selected)} is beside it`);
  }

  /** Return the item with a name that no other item has. */
  #named(item: Json, list: readonly Json[]): Json {
    if (!isObject(item)) return item;
    const key = ["id", "name"].find((one) => typeof item[one] === "string");
    return key === undefined
      ? item
      : {
          ...item,
          [key]: freeName(
            String(item[key]),
            list.map((other) => (isObject(other) ? other[key] : undefined)),
          ),
        };
  }

  /** Lay a new piece of ground from one place to another. */
  lay(kind: string, form: Form["form"], from: Point, to: Point): void {
    const shelf = this.shelves.find((one) => one.isGround);
    const { draft } = this;
    if (shelf === undefined || draft === null) return;
    const list = Array.isArray(draft[shelf.key]) ? (draft[shelf.key] as Json[]) : [];
    const title = this.groundTitle(kind).toLowerCase();
    const nameKey = roleKey(this.root, nodeFor(this.root, shelf.item, {}), "name") ?? "id";
    const name = freeName(
      title,
      list.map((one) => (isObject(one) ? one[nameKey] : undefined)),
    );
    const path = [shelf.key, list.length];
    this.selected = path;
    this.change(
      withValue(draft, path, pieceFrom(this.root, shelf, form, kind, name, from, to, this.step)) as Draft,
      `${name} was placed`,
    );
  }

  /** Add a new thing of a list in the middle of the table. */
  add(key: string): void {
    const { draft } = this;
    const node = this.top.properties?.[key];
    if (draft === null || node === undefined) return;
    const at = nodeFor(this.root, node, []);
    const list = Array.isArray(draft[key]) ? (draft[key] as Json[]) : [];
    const middle: [number, number] = [Math.round(this.size[0] / 2), Math.round(this.size[1] / 2)];
    const item = this.#named(emptyOf(this.root, at.items || {}, middle), list);
    this.selected = [key, list.length];
    this.change(withValue(draft, [key, list.length], item) as Draft, "It is in the middle of the table");
  }

  /** Paint hexes with a kind of ground. */
  paint(hexes: readonly string[], kind: string | null): void {
    if (this.draft === null || this.hexKey === null) return;
    this.change(painted(this.draft, this.hexKey, hexes, kind), `${hexes.join(", ")}: ${this.groundTitle(kind)}`);
  }

  /** Mark a hex in a list, such as an objective, or remove the mark. */
  mark(list: string, hex: string): void {
    if (this.draft !== null) this.change(toggled(this.root, this.draft, list, hex), `${hex}: changed`);
  }

  /** Return whether a hex holds something that can be moved to another hex. */
  carries(hex: string): boolean {
    return this.draft !== null && this.hexKey !== null && isMarked(this.root, this.draft, this.hexKey, hex);
  }

  carry(from: string, to: string): void {
    if (this.draft !== null && this.hexKey !== null && from !== to)
      this.change(carried(this.root, this.draft, this.hexKey, from, to), `From ${from} to ${to}`);
  }

  groundAt(hex: string): string {
    const kind = this.draft === null || this.hexKey === null ? undefined : groundOf(this.draft, this.hexKey).get(hex);
    return this.groundTitle(kind ?? null);
  }

  /** Take all ground off the table. */
  clear(): void {
    if (this.draft === null) return;
    let next = this.draft;
    for (const shelf of this.shelves) if (shelf.isGround) next = withValue(next, [shelf.key], []) as Draft;
    if (this.hexKey !== null) next = withValue(next, [this.hexKey], {}) as Draft;
    this.selected = null;
    this.change(next, "The ground is bare");
  }

  async mirror(how: "rotate" | "mirror", keep: "first" | "second"): Promise<void> {
    const { draft } = this;
    if (draft === null) return;
    await this.#work(async () => {
      const next = (await mirrored(this.game, draft, how, keep)) as Draft;
      this.selected = null;
      this.change(next, "The table is symmetric");
    });
  }

  async fromSeed(seed: string, symmetry: "rotate" | "mirror" | "none"): Promise<void> {
    await this.#work(async () => {
      const next = (await drawnTable(this.game, seed, symmetry)) as Draft;
      this.selected = null;
      if (this.draft === null) this.start(next);
      else this.change(next, `A table from the seed ${seed}`);
    });
  }
}
