/** Finds the part of the table that the camera shows on a small screen. */
import type { Group, Point } from "../wire/types";
import { around, type Box } from "./labels";

/** The state of the table on which the camera's part depends. */
export interface Situation {
  /** True if bases are too small for a finger. */
  tiny: boolean;
  /** True while a finger holds something. */
  held: boolean;
  /** True if the person has put a drag down, or looks at a unit of another side. */
  looks: boolean;
  /** True while acts are shown. They may happen anywhere. */
  acts: boolean;
  /** The unit that is taken up; undefined while one must be chosen, which may be anywhere. */
  taken: Group | undefined;
  /** True if any unit can act now. */
  ready: boolean;
  /** The units at which the taken unit can aim. */
  targets: readonly Group[];
  /** True if the answers of the taken unit are places on the table or targets, or if it was chosen among others. */
  onTable: boolean;
  /** True if the question is about models of the taken unit. */
  models?: boolean;
  /** Length of the longest move that the taken unit can be dragged; 0 if it cannot be dragged. */
  move: number;
  /** Usual radius of a base. */
  usual: number;
  size: { width: number; height: number };
  put: (p: Point) => Point;
}

/** Return the box that the camera shows; null for the whole table, undefined if the camera stays where it is. */
export function attention(now: Situation): Box | null | undefined {
  if (now.held) return undefined;
  if (!now.tiny || now.acts || !now.ready) return null;
  if (now.looks && !now.models) return undefined;
  const { taken, usual, put } = now;
  if (taken === undefined || taken.pieces.length === 0 || !now.onTable) return null;
  /** Boxes around the bases of a unit. */
  const boxes = (group: Group, round: number): Box[] =>
    group.pieces.map((piece) => {
      const [x, y] = put(piece.at);
      return { x: x - round, y: y - round, wide: 2 * round, high: 2 * round };
    });
  const far = now.move || (now.models || now.targets.length > 0 ? 0 : taken.reach);
  const all = around([...boxes(taken, 2 * usual + far), ...now.targets.flatMap((group) => boxes(group, 2 * usual))]);
  const [x, y] = [Math.max(0, all.x), Math.max(0, all.y)];
  const { width, height } = now.size;
  return { x, y, wide: Math.min(width, all.x + all.wide) - x, high: Math.min(height, all.y + all.high) - y };
}
