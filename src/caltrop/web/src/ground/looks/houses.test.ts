import { describe, expect, it } from "vitest";

import { Growing, type Look } from "../growing";
import { LANDS } from "../lands";
import { sunFor } from "../ops";
import { rectangle } from "../shapes";
import { builtUp, ruins } from "./houses";

/**
 * Return the number of roofs of a look on an outline of some houses. Each roof has a ridge, or two planes that meet in
 * one.
 */
function roofs(look: Look, seed: number): number {
  const plan = new Growing(LANDS["summer"]!, sunFor(false), 60, 60);
  look({ seed: `town ${seed}`, look: "", outline: rectangle(10, 10, 19, 14) }, plan);
  return plan.bodies.filter((op) => op.op === "line" && op.width === 0.16).length;
}

describe("houses after a war", () => {
  const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);

  it("stand in a town, wherever chance falls", () => {
    for (const seed of SEEDS) expect(roofs(builtUp, seed)).toBeGreaterThanOrEqual(3);
  });

  it("are fewer among ruins, and not none", () => {
    const all = (look: Look): number => SEEDS.reduce((sum, seed) => sum + roofs(look, seed), 0);
    expect(all(builtUp)).toBeGreaterThan(all(ruins));
    expect(all(ruins)).toBeGreaterThan(SEEDS.length);
  });
});
