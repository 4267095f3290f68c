import { describe, expect, it } from "vitest";

import type { Draft, Node } from "./draft";
import { cornered, handlesOf, isZone, moved, thingsOf, widened, type Thing } from "./shapes";

const length = { type: "number" };
const place: Node = { "x-drawn": "place", type: "array", prefixItems: [length, length] };
const rows: Node = { anyOf: [{ "x-drawn": "rows", type: "array", prefixItems: [length, length] }, { type: "null" }] };
const ROOT: Node = {
  type: "object",
  properties: {
    depth: { "x-drawn": "depth", type: "number", default: 10 },
    zones: { "x-drawn": "sides", type: "array", items: { $ref: "#/$defs/Zone" } },
  },
  $defs: {
    Zone: {
      type: "object",
      properties: {
        rows,
        edge: { anyOf: [{ "x-drawn": "edge", type: "string" }, { type: "null" }] },
        deep: { "x-drawn": "depth", type: "number", default: 3 },
        around: { anyOf: [place, { type: "null" }] },
        reach: { "x-drawn": "reach", type: "number", default: 12 },
        words: { "x-drawn": "words", type: "string" },
      },
      required: [],
    },
  },
};
const SIZE = [48, 40] as const;
const zonesOf = (draft: Draft): Thing[] => thingsOf(ROOT, draft, SIZE);
const find = (draft: Draft, role: string, edge = ""): Thing => {
  const zone = zonesOf(draft).find((one) => one.role === role && one.edge === edge);
  if (zone === undefined) throw new Error(`no ${role} in ${JSON.stringify(zonesOf(draft))}`);
  return zone;
};

describe("zones of a draft", () => {
  it("are a band of rows, taken hold of at both lines, whose words go when it is changed", () => {
    const draft: Draft = { zones: [{ rows: [0, 9], words: "within 9 inches of the south edge" }] };
    const zone = find(draft, "rows");
    expect(handlesOf(zone)).toEqual([
      [24, 0],
      [24, 9],
    ]);
    expect(cornered(draft, zone, 1, [3, 12])["zones"]).toEqual([{ rows: [0, 12] }]);
    expect(cornered(draft, zone, 0, [3, 20])["zones"]).toEqual([{ rows: [9, 20] }]);
    expect(moved(draft, zone, 5, 4, SIZE)["zones"]).toEqual([{ rows: [4, 13] }]);
    expect(moved(draft, zone, 5, 99, SIZE)["zones"]).toEqual([{ rows: [31, 40] }]);
    expect(moved(draft, zone, 5, -4, SIZE)).toEqual(draft);
  });

  it("are a band along an edge, which changes its depth or its edge", () => {
    const draft: Draft = { zones: [{ edge: "west" }] };
    const zone = find(draft, "depth", "west");
    expect(handlesOf(zone)).toEqual([[3, 20]]);
    expect(cornered(draft, zone, 0, [7, 1])["zones"]).toEqual([{ edge: "west", deep: 7 }]);
    expect(moved(draft, zone, 2, 0, SIZE)["zones"]).toEqual([{ edge: "west", deep: 5 }]);
    expect(moved(draft, zone, 40, 0, SIZE)["zones"]).toEqual([{ edge: "east" }]);
    expect(moved(draft, zone, 20, -18, SIZE)["zones"]).toEqual([{ edge: "south" }]);
  });

  it("are two bands of one depth along south and north, if no edge is chosen", () => {
    const draft: Draft = {};
    expect(
      zonesOf(draft)
        .filter(isZone)
        .map((one) => one.edge),
    ).toEqual(["south", "north"]);
    const north = find(draft, "depth", "north");
    expect(handlesOf(north)).toEqual([[24, 30]]);
    expect(cornered(draft, north, 0, [0, 26])).toEqual({ depth: 14 });
    expect(moved(draft, find(draft, "depth", "south"), 3, -4, SIZE)).toEqual({ depth: 6 });
    expect(moved(draft, north, 0, 60, SIZE)).toEqual({ depth: 1 });
  });

  it("lie around a place, with a radius that stands beside it or is as usual", () => {
    const draft: Draft = { depth: 4, zones: [{ around: [20, 20], words: "near the middle" }] };
    const zone = find(draft, "place");
    expect(zone.radius).toBe(12);
    expect(widened(draft, zone, [20, 25], 0.5)["zones"]).toEqual([{ around: [20, 20], reach: 5 }]);
    expect(moved(draft, zone, 2, 1, SIZE)["zones"]).toEqual([{ around: [22, 21] }]);
  });

  it("lie under everything else", () => {
    const things = zonesOf({ zones: [{ around: [20, 20] }, { rows: [0, 9] }] });
    expect(things.map(isZone)).toEqual([true, true, true, false]);
  });
});
