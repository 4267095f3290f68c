import { describe, expect, it } from "vitest";

import { inSteps, patched } from "./changes";
import type { Change, Group, LogEntry, View } from "./types";

const group = (id: number, name: string): Group => ({ id, name }) as Group;
const entry = (n: number): LogEntry => ({ n, text: `line ${n}` }) as LogEntry;

const view = {
  type: "view",
  seq: 4,
  act: 1,
  log: [entry(1)],
  decisions: [],
  picture: { groups: [group(1, "one"), group(2, "two")], lines: [], seats: [], spots: [], grounds: [], width: 10 },
} as unknown as View;

describe("a change", () => {
  it("from another moment is not laid over the view", () => {
    expect(patched(view, { type: "change", base: 3, seq: 5 })).toBeNull();
  });

  it("puts, takes away and keeps the parts of a picture by their ids", () => {
    const change: Change = {
      type: "change",
      base: 4,
      seq: 5,
      act: 2,
      log: [entry(2)],
      picture: { groups: [group(2, "second"), group(3, "three")], gone_groups: [1] },
    };
    const next = patched(view, change);
    expect(next?.picture.groups.map((one) => one.name)).toEqual(["second", "three"]);
    expect(next?.picture.width).toBe(10);
    expect([next?.seq, next?.act, next?.log.length]).toEqual([5, 2, 2]);
    expect(view.picture.groups).toHaveLength(2);
  });

  it("keeps what it does not speak of", () => {
    const next = patched(view, { type: "change", base: 4, seq: 5 });
    expect(next?.picture).toBe(view.picture);
    expect(next?.log).toBe(view.log);
  });
});

describe("a change with steps", () => {
  const change: Change = {
    type: "change",
    base: 4,
    seq: 5,
    act: 2,
    log: [entry(2), entry(3), entry(4)],
    picture: { groups: [group(2, "second")] },
    steps: [
      { lines: 1 },
      { lines: 2, picture: { groups: [group(2, "on the way")] } },
      { lines: 3, picture: { groups: [group(2, "second")] } },
    ],
  };

  it("is shown step by step, and ends where it leads to", () => {
    const shown: (View | null)[] = [];
    let at: View | null = view;
    for (const one of inSteps(change)) shown.push((at = at && patched(at, one)));
    expect(shown.map((one) => one?.picture.groups[1]?.name)).toEqual(["two", "on the way", "second", "second"]);
    expect(shown.map((one) => one?.log.length)).toEqual([2, 3, 4, 4]);
    expect(shown.map((one) => [one?.seq, one?.act])).toEqual([
      [4, 1],
      [4, 1],
      [4, 1],
      [5, 2],
    ]);
    const { steps: _steps, ...whole } = change;
    expect(at).toEqual(patched(view, whole));
  });

  it("is itself where it has none", () => {
    const whole: Change = { type: "change", base: 4, seq: 5, act: 2 };
    expect(inSteps(whole)).toEqual([whole]);
  });
});
