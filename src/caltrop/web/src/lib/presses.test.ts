import { expect, test } from "vitest";

import { isUnread, type Pressed } from "./presses";

const button = {} as Element;
const other = {} as Element;
const named = (what: Element | null, words: string): Pressed => ({ what, words });
const finger = { finger: true, count: 1, time: 5000 };

test("the second press of a double one is not for what has come meanwhile", () => {
  const before = { ...named(button, "Throw 3 dice"), changed: null };
  const double = { finger: false, count: 2, time: 5000 };
  expect(isUnread(before, named(other, "End your battles"), double)).toBe(true);
  expect(isUnread(before, named(button, "End your battles"), double)).toBe(true);
  expect(isUnread(before, named(button, "Throw 3 dice"), double)).toBe(false);
  expect(isUnread(before, named(null, ""), double)).toBe(false);
});

test("a finger presses what stands there long enough to be read", () => {
  const since = (changed: number | null): boolean =>
    isUnread({ ...named(button, "Throw 3 dice"), changed }, named(button, "End your battles"), finger);
  expect(since(null)).toBe(true);
  expect(since(4700)).toBe(true);
  expect(since(4500)).toBe(false);
});

test("a mouse that clicks twice slowly means both", () => {
  const now = named(button, "End your battles");
  expect(isUnread({ ...named(button, "Throw"), changed: 4990 }, now, { ...finger, finger: false })).toBe(false);
});
