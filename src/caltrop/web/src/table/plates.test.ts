import { describe, expect, it } from "vitest";

import type { Group, Point, Spot } from "../wire/types";
import { onOutline } from "./labels";
import { lay, marksOf, type Drawing } from "./plates";

const unit = (id: number, at: Point, radius = 5, tokens: Group["tokens"] = []): Group =>
  ({
    id,
    side: 0,
    name: `Unit ${id}`,
    strength: "4/4",
    silhouette: "",
    tokens,
    pieces: [{ id, at, radius, tokens: [] }],
  }) as unknown as Group;

const smoke = (id: number, at: Point, kind = "smoke"): Spot =>
  ({ id, name: "Smoke", kind, at, radius: 20, words: "" }) as unknown as Spot;

const drawing = (more: Partial<Drawing>): Drawing => ({
  groups: [],
  spots: [],
  put: (p) => p,
  k: 1,
  brief: false,
  seen: { x: 0, y: 0, wide: 400, high: 400 },
  named: new Set(),
  ...more,
});

describe("names on the table", () => {
  it("writes the name of smoke once, however many clouds there are", () => {
    const spots = [smoke(1, [100, 100]), smoke(2, [200, 100]), smoke(3, [300, 300])];
    expect([...lay(drawing({ spots })).names.keys()]).toEqual([1]);
    expect([...lay(drawing({ spots: spots.map((spot) => ({ ...spot, kind: "flag" })) })).names.keys()]).toEqual([
      1, 2, 3,
    ]);
  });

  it("keeps the words of a range clear of the marks above small bases", () => {
    const tokens = [{ kind: "moved", count: 1 }] as Group["tokens"];
    const marked = unit(2, [200, 115], 5, tokens);
    const layout = lay(drawing({ groups: [unit(1, [200, 200]), marked] }));
    for (const box of marksOf(marked, (p) => p, 1)) expect(layout.things).toContainEqual(box);
    const place = onOutline(
      [{ at: [200, 200], r: 100 }],
      "range 30 cm",
      { taken: layout.things, bounds: { x: 0, y: 0, wide: 400, high: 400 }, k: 1 },
      [[0, -1]],
    );
    expect(place).toBeDefined();
    const [x, y] = place ?? [0, 0];
    const free = layout.things.every(
      (box) =>
        Math.abs(box.x + box.wide / 2 - x) * 2 >= box.wide + 60 ||
        Math.abs(box.y + box.high / 2 - y) * 2 >= box.high + 16,
    );
    expect(free).toBe(true);
  });

  it("puts the marks of large bases on their rims", () => {
    expect(marksOf(unit(1, [100, 100], 20), (p) => p, 1)).toHaveLength(1);
    expect(
      marksOf(unit(1, [100, 100], 20, [{ kind: "moved", count: 1 }] as Group["tokens"]), (p) => p, 1),
    ).toHaveLength(2);
  });
});
