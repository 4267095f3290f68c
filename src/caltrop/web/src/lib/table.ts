/** What the parts of a table share without handing it down: the game, and the clause that is open beside it. */
import { getContext, setContext } from "svelte";

import type { Game } from "../game.svelte";

export interface TableContext {
  game: Game;
  openClause: (id: string) => void;
  /** A unit is pressed in a list, from where it may be dragged onto the table. */
  pressed?: (unit: number, event: PointerEvent) => void;
  /** The rulebook that clauses are of, where no game says so. */
  readonly book?: string;
}

const KEY = Symbol("table");

export function layTable(context: TableContext): void {
  setContext(KEY, context);
}

export function theTable(): TableContext {
  return getContext<TableContext>(KEY);
}
