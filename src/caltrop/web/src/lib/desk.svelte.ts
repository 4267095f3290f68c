/** State of a game's page besides the game itself: open panels, and the thing under the pointer. */
import { tick } from "svelte";
import { MediaQuery } from "svelte/reactivity";

import type { Game } from "../game.svelte";
import type { Group } from "../wire/types";
import { setTellsTable } from "./settings.svelte";

/** The parts of the drawn table that keys and lists need. */
export interface DrawnTable {
  pressOutside(unit: number, event: PointerEvent): void;
  zoomBy: (factor: number) => void;
  zoomOut: () => void;
  lookAt: (group: Group) => void;
  /** Move the cursor on a map of hexes. Return whether there is a map. */
  step: (dx: number, dy: number) => boolean;
  leave: () => void;
  pressHere: () => boolean;
  rule: (dx: number, dy: number) => void;
  putDown: () => void;
}

export type Tab = "orders" | "units" | "log";

/** A window in which the table is above, and all other parts are a sheet under the table. */
export const narrow = new MediaQuery("(max-width: 34.99em), (max-width: 46em) and (max-aspect-ratio: 7/5)");

/** A window with room for a column on either side of the table. */
export const roomy = new MediaQuery("(min-width: 75.01em)");

export class Desk {
  /** The clause that is open beside the table. */
  clause = $state<string | null>(null);
  /** True if the list of keys is open. */
  keys = $state(false);
  /** True if the goal of the battle is open. */
  goal = $state(false);
  measuring = $state(false);
  enemyReach = $state(false);
  /** True if all units show their names. */
  named = $state(false);
  /** True if models are moved one by one, and the chosen model. */
  singly = $state(false);
  single = $state<string | null>(null);
  /** The effect of a key, for screen readers. */
  said = $state("");
  tab = $state<Tab>("orders");
  /** On a phone, true if the sheet below the table is raised. */
  tall = $state(false);
  board = $state<DrawnTable>();
  hand = $state<{ play: (n: number) => boolean }>();
  tabs = $state<HTMLElement>();

  /** The side that gets the screen behind the curtain. */
  readonly curtain = $derived.by(() =>
    this.game.live?.secret && this.game.seats.known.curtain ? this.game.handOver : null,
  );
  /** True if units and log have their own column beside the table. A map of hexes uses that room itself. */
  readonly apart = $derived.by(() => roomy.current && this.game.view?.picture.form !== "hexes");
  /** True if the rest of the page is covered, by a curtain or by the greeting of a returning player. */
  readonly covered = $derived.by(() => this.curtain !== null || this.game.feed.missedAfter !== null);
  /** The model that is moved separately: the chosen model, else the leading model. */
  readonly model = $derived.by((): string | null => {
    const { draft, view } = this.game;
    if (!this.singly || draft?.form !== "region") return null;
    const pieces = view?.picture.groups.find((one) => one.id === draft.region.unit)?.pieces ?? [];
    const ids = pieces.length > 0 ? pieces.map((piece) => String(piece.id)) : Object.keys(draft.proposal?.paths ?? {});
    return this.single !== null && ids.includes(this.single) ? this.single : (ids[0] ?? null);
  });

  constructor(private readonly game: Game) {}

  /** Show a tab. On a phone, scroll to the tab, or to the table for the orders. */
  turnTo(next: Tab): void {
    this.tab = next;
    if (!narrow.current) return;
    if (next === "orders") scrollTo({ top: 0 });
    else void tick().then(() => this.tabs?.scrollIntoView({ block: "start" }));
  }

  /** Open the table in words, and focus the first existing one of some elements in it. */
  tellTable(...selectors: string[]): void {
    setTellsTable(true);
    void this.focus("orders", ...selectors, "#in-words");
  }

  /** Show a tab and focus the first existing one of some elements in it. */
  async focus(tab: Tab, ...selectors: string[]): Promise<void> {
    this.tab = tab;
    await tick();
    for (const selector of selectors) {
      const element = document.querySelector<HTMLElement>(selector);
      if (element === null) continue;
      element.focus();
      return;
    }
  }
}
