import { describe, expect, it } from "vitest";

import { route } from "./route";
import { keepSeason, knownSeasons } from "./seasons";

function shelf(): Pick<Storage, "getItem" | "setItem"> {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

describe("seasons", () => {
  it("have addresses of their own", () => {
    expect(route("/season")).toEqual({ page: "seasons" });
    expect(route("/season/abc234")).toEqual({ page: "season", id: "abc234" });
    expect(route("/season/abc234/more")).toEqual({ page: "nowhere" });
  });

  it("are kept newest first, each once, and no more than twenty", () => {
    const here = shelf();
    for (let i = 0; i < 25; i++) keepSeason({ id: `s${i}`, title: "T", words: "" }, here);
    keepSeason({ id: "s10", title: "Again", words: "" }, here);
    const known = knownSeasons(here);
    expect(known).toHaveLength(20);
    expect(known[0]).toMatchObject({ id: "s10", title: "Again" });
    expect(new Set(known.map((one) => one.id)).size).toBe(20);
  });

  it("are none where the browser kept something else", () => {
    for (const text of ["{", '"x"', "[1]"]) expect(knownSeasons({ getItem: () => text })).toEqual([]);
  });
});
