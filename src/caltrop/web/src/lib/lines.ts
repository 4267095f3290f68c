/**
 * Finds places and paths in an action, so that they can be drawn before it is done. The rules alone know what these
 * places mean.
 */
import type { Point } from "../wire/types";

/** Fields of actions that contain places. Two numbers in another field are ids, dice or a direction. */
export const PLACES: ReadonlySet<string> = new Set(["aim", "at", "path", "paths", "places", "spot", "to"]);

function isPoint(value: unknown): value is Point {
  return Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "number");
}

/** Return the paths in the value of a field of places. */
function pathsIn(value: unknown): Point[][] {
  if (!Array.isArray(value)) return [];
  if (isPoint(value)) return [[value]];
  if (value.length > 0 && value.every(isPoint)) return [value];
  // An id may stand beside its place or path, as in [7, [1200, 300]].
  return value.flatMap(pathsIn);
}

/** Return every path in an action, in order. A single place is a path of one point. */
export function linesIn(value: unknown, depth = 0): Point[][] {
  if (depth > 6 || value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([field, one]) =>
    PLACES.has(field) && Array.isArray(one) ? pathsIn(one) : linesIn(one, depth + 1),
  );
}
