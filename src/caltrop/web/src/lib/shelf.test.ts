import { afterEach, describe, expect, it, vi } from "vitest";

import { isRecord, Shelf } from "./shelf";

interface Thing {
  key: string;
  at: number;
}

const shelf = new Shelf<Thing>({
  name: "things",
  most: 3,
  isOne: (one): one is Thing => isRecord(one) && typeof one["key"] === "string" && typeof one["at"] === "number",
  keyOf: (one) => one.key,
  timeOf: (one) => one.at,
});

/** A browser's storage with room for a number of characters; it refuses everything if there is no room at all. */
function store(room: number, things: unknown = []): Map<string, string> {
  const items = new Map([["things", JSON.stringify(things)]]);
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new DOMException("", room > 0 ? "QuotaExceededError" : "SecurityError");
      items.set(key, value);
    },
  });
  return items;
}

afterEach(() => vi.unstubAllGlobals());

describe("things that a browser stores", () => {
  it("are the newest first, and one replaces the one with its key", () => {
    store(1000);
    for (const one of [
      { key: "a", at: 1 },
      { key: "b", at: 2 },
      { key: "a", at: 3 },
    ])
      expect(shelf.keep(one)).toBe("");
    expect(shelf.all()).toEqual([
      { key: "a", at: 3 },
      { key: "b", at: 2 },
    ]);
    expect(shelf.forget("a")).toEqual({ key: "a", at: 3 });
    expect(shelf.forget("a")).toBeUndefined();
    expect(shelf.all()).toEqual([{ key: "b", at: 2 }]);
  });

  it("are never removed to make room", () => {
    const things = ["a", "b", "c"].map((key, at) => ({ key, at }));
    store(1000, things);
    expect(shelf.keep({ key: "d", at: 9 })).toContain("keeps 3 at most");
    expect(shelf.keep({ key: "c", at: 9 })).toBe("");
    expect(shelf.all().map((one) => one.key)).toEqual(["c", "b", "a"]);
    store(20, things);
    expect(shelf.keep({ key: "c", at: 10 })).toContain("no room left");
    store(0, things);
    expect(shelf.keep({ key: "c", at: 10 })).toContain("stores nothing");
    expect(shelf.all()).toHaveLength(3);
  });

  it("stay beside entries that this version cannot read", () => {
    const items = store(1000, [{ name: "of a later version" }, { key: "a", at: 1 }]);
    expect(shelf.keep({ key: "b", at: 2 })).toBe("");
    shelf.forget("a");
    expect(JSON.parse(items.get("things") ?? "")).toEqual([{ key: "b", at: 2 }, { name: "of a later version" }]);
    items.set("things", "{");
    expect(shelf.all()).toEqual([]);
  });
});
