import { describe, expect, it } from "vitest";

import { initialOf, strengthOf } from "./strength";

describe("the mark of a model", () => {
  it("tells apart models that differ in name or in number", () => {
    const names = ["Brigand 1", "Brigand 2", "Cutthroat 1", "Maren"];
    expect(names.map(initialOf)).toEqual(["B1", "B2", "C1", "M"]);
    expect(new Set(names.map(initialOf)).size).toBe(names.length);
  });
});

describe("a strength", () => {
  it("has the numbers left and in all, where they can be drawn", () => {
    expect(strengthOf("3/4")).toEqual({ left: 3, of: 4 });
    expect(strengthOf("6/4")).toEqual({ left: 4, of: 4 });
    expect(["1/1", "3/21", "dead"].map(strengthOf)).toEqual([null, null, null]);
  });
});
