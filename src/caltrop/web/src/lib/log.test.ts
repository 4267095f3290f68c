import { describe, expect, it } from "vitest";

import type { LogEntry } from "../wire/types";
import { brief, paidOnce, type ShownEntry } from "./log";

const line = (act: number, text: string): ShownEntry => ({ entry: { act, text } as LogEntry, undone: false });

describe("a line in brief", () => {
  it("leaves the side's name to its badge", () =>
    expect(brief("Alliance Medium Tanks move 12 cm", "Alliance", "CP")).toEqual({
      whose: "Alliance",
      words: "Medium Tanks move 12 cm",
      price: "",
    }));
  it("does so after an article", () =>
    expect(brief("The Iron Concord Knight Walker: 3 hexes", "Iron Concord", "").words).toBe("Knight Walker: 3 hexes"));
  it("keeps the name where it is all that is told of", () =>
    expect(brief("Alliance generates 5 CP", "Alliance", "CP")).toEqual({
      whose: "",
      words: "Alliance generates 5 CP",
      price: "",
    }));
  it("puts the price at the end", () =>
    expect(brief("Alliance Tanks move 9 cm for 3 CP", "Alliance", "CP")).toEqual({
      whose: "Alliance",
      words: "Tanks move 9 cm",
      price: "3 CP",
    }));
  it("knows no price where nothing is paid with", () =>
    expect(brief("Tanks move 9 cm for 3 CP", "", "").price).toBe(""));
});

describe("what is paid", () => {
  const spent = line(4, "Alliance spends 3 CP: a move of up to 20 cm");
  it("is told once where the same act tells what for", () => {
    const moved = line(4, "Alliance Tanks move 9 cm for 3 CP");
    expect(paidOnce([spent, moved], ["CP"])).toEqual([moved]);
  });
  it("is told where another act did that, or for another price", () => {
    const lines = [spent, line(4, "Alliance Tanks move 9 cm for 2 CP"), line(5, "Alliance Tanks move 9 cm for 3 CP")];
    expect(paidOnce(lines, ["CP"])).toEqual(lines);
  });
});
