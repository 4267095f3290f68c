import { expect, test } from "vitest";

import { steady } from "./steady";

test("what reads the same stays the same thing, and what does not is new", () => {
  const keep = steady<number[]>();
  const first = keep([1, 2]);
  expect(keep([1, 2])).toBe(first);
  const other = keep([1, 3]);
  expect(other).toEqual([1, 3]);
  expect(keep([1, 2])).not.toBe(first);
});
