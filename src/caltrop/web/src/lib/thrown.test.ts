import { expect, it } from "vitest";

import type { LogEntry, Reading } from "../wire/types";
import { lying } from "./thrown";

const line = (n: number, act: number, reading: Partial<Reading> | null, side: number | null = 0): LogEntry =>
  ({ n, act, side, dice: [], undoes: null, reading }) as unknown as LogEntry;
const shot = (n: number, target: number): LogEntry => line(n, 5, { target, unit: 1 });
const save = (n: number, unit: number): LogEntry => line(n, 5, { unit });

it("shows all dice of the newest act when they lie", () => {
  expect(lying([line(1, 4, { target: 9 }), shot(2, 7), save(3, 7), shot(4, 8)], 0).map(({ entry }) => entry.n)).toEqual(
    [2, 3, 4],
  );
});

it("shows only the dice of the attack that is played, and of no earlier one", () => {
  const log = [line(1, 4, { target: 9 }), shot(2, 7), save(3, 7)];
  expect(lying(log, 0, shot(4, 8))).toEqual([]);
  expect(lying(log, 0, save(4, 7)).map(({ entry }) => entry.n)).toEqual([2, 3]);
  expect(lying(log.slice(0, 1), 0, shot(2, 7))).toEqual([]);
});
