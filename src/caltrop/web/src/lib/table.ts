/** Context that the parts of a table share: the game, and the open clause. */
import { getContext, setContext } from "svelte";

import type { Game } from "../game.svelte";

export interface TableContext {
  game: Game;
  openClause: (id: string) => void;
  /** Called when a unit is pressed in a list, from where it may be dragged onto the table. */
  pressed?: (unit: number, event: PointerEvent) => void;
  /** The rulebook of the clauses, if no game names it. */
  readonly book?: string;
}

const KEY = Symbol("table");

export function layTable(context: TableContext): void {
  setContext(KEY, context);
}

export function theTable(): TableContext {
  return getContext<TableContext>(KEY);
}
