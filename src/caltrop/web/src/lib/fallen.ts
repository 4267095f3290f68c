/** Dice that lie on the table because they fell, according to the log, until another throw has their number. */
import type { Fallen, LogEntry, View } from "../wire/types";
import { inForce } from "./log";

function told(log: readonly LogEntry[]): Fallen[] {
  // Most lines report no losses. Undone acts are looked up only for lines that do.
  if (!log.some((entry) => (entry.motion?.fell ?? []).length > 0)) return [];
  return inForce(log).flatMap(({ entry, undone }) => (undone ? [] : (entry.motion?.fell ?? [])));
}

export function fallenIn(view: Pick<View, "fallen" | "log" | "picture">): Fallen[] {
  const stand = new Set(view.picture.groups.flatMap((group) => group.pieces.map((piece) => piece.id)));
  const dead = new Map<number, Fallen>();
  for (const one of [...(view.fallen ?? []), ...told(view.log)])
    if (!stand.has(one.piece.id)) dead.set(one.piece.id, one);
  return [...dead.values()];
}
