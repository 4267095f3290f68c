import { expect, it } from "vitest";

import type { Decision } from "../wire/types";
import { unitsOf } from "./choices.svelte";

it("a unit that can only take its order back has answers, and cannot act", () => {
  const offers = [
    { unit: 1, undoes: true },
    { unit: 2, undoes: true },
    { unit: 2, undoes: false },
  ];
  const decisions = [{ offers, regions: [] }] as unknown as Decision[];
  expect([...unitsOf(decisions)]).toEqual([1, 2]);
  expect([...unitsOf(decisions, false)]).toEqual([2]);
});
