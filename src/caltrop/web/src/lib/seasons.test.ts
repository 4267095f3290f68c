import { describe, expect, it } from "vitest";

import { route } from "./route";
import { battleSecrets, keepSeason, knownSeasons, secretOf } from "./seasons";
import { keepGame } from "./seats";

function shelf(): Pick<Storage, "getItem" | "setItem"> {
  const values = new Map<string, string>();
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value) };
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
    const seasons = knownSeasons(here);
    expect(seasons).toHaveLength(20);
    expect(seasons[0]).toMatchObject({ id: "s10", title: "Again" });
    expect(new Set(seasons.map((one) => one.id)).size).toBe(20);
  });

  it("keep their secret when they are looked at again", () => {
    const here = shelf();
    keepSeason({ id: "s1", token: "SECRET" }, here);
    keepSeason({ id: "s1", title: "T", words: "1 of 6" }, here);
    expect(knownSeasons(here)).toMatchObject([{ id: "s1", title: "T", words: "1 of 6", token: "SECRET" }]);
    expect([secretOf("s1", here), secretOf("s2", here)]).toEqual(["SECRET", undefined]);
  });

  it("are proven by the seats of their own battles", () => {
    const here = shelf();
    keepGame({ id: "g1", season: "s1", tokens: { 0: "ONE" } }, here);
    keepGame({ id: "g2", season: "s2", tokens: { 0: "TWO" } }, here);
    keepGame({ id: "g3", tokens: { 0: "THREE" } }, here);
    expect(battleSecrets("s1", here)).toEqual(["ONE"]);
  });

  it("are none where the browser kept something else", () => {
    for (const text of ["{", '"x"', "[1]"]) expect(knownSeasons({ getItem: () => text })).toEqual([]);
  });
});
