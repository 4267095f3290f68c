/**
 * Finds places and paths in an action, so that they can be drawn before it is done. The rules alone know what these
 * places mean.
 */
import type { Point } from "../wire/types";

function isPoint(value: unknown): value is Point {
  return Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "number");
}

/** Return every path in an action, in order. A single place is a path of one point. */
export function linesIn(value: unknown, depth = 0): Point[][] {
  if (depth > 6 || value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isPoint)) return [value];
    // An id beside its place, as in [7, [1200, 300]], is one way of one point.
    if (value.length === 2 && typeof value[0] === "number" && isPoint(value[1])) return [[value[1]]];
    return value.flatMap((one) => (isPoint(one) ? [[one]] : linesIn(one, depth + 1)));
  }
  return Object.values(value).flatMap((one) => (isPoint(one) ? [[one]] : linesIn(one, depth + 1)));
}
