import { describe, expect, it } from "vitest";

import type { Group, Reason, View } from "../wire/types";
import { strengthWords } from "./called";
import { arithmetic, inLines, lengthWords, neighbour, plural, priceBeside, sumOf } from "./measure";

const part = (value: number): Reason => ({ value, clause: "", words: "" });

describe("lengths", () => {
  it("agree with their number", () => {
    expect([1, 2].map((n) => lengthWords(n, { scale: 1, measure: "hexes" }))).toEqual(["1 hex", "2 hexes"]);
  });

  it("are rounded up to a hundredth, as the rules round", () => {
    const cm = { scale: 100, measure: "cm" };
    expect(lengthWords(1000, cm)).toBe("10 cm");
    expect(lengthWords(1001, cm)).toBe("10.01 cm");
    expect(lengthWords(1010, cm)).toBe("10.1 cm");
    expect(lengthWords(1399, { scale: 254, measure: "in" })).toBe("5.51 in");
    expect(lengthWords(254, { scale: 254, measure: "inch" })).toBe("1 inch");
  });
});

describe("sums", () => {
  it("show their parts with signs", () => {
    expect(arithmetic([part(4), part(-1), part(2)])).toBe("4 − 1 + 2 = 5");
    expect(arithmetic([part(4)])).toBe("4");
    expect(arithmetic([])).toBe("");
    expect(sumOf([part(4), part(-6)])).toBe(-2);
  });
});

describe("a price", () => {
  it("stands beside an answer whose words do not say it", () => {
    const seats = [{ side: 0, points: [{ label: "CP", value: "5", pays: "CP" }] }];
    const view = { picture: { seats }, you: 0 } as unknown as View;
    expect(priceBeside("Stake 2 CP: 2 dice", 2, view)).toBe("");
    expect(priceBeside("Stake 12 CP: 12 dice", 2, view)).toBe("2 CP");
    expect(priceBeside("Fire with 2 dice", 2, view)).toBe("2 CP");
    expect(priceBeside("Fire with 2 dice", 0, view)).toBe("free");
  });
});

describe("the unit beside", () => {
  const at = (id: number, x: number, y: number): Group =>
    ({ id, pieces: [{ id, at: [x, y], radius: 1, tokens: [], silhouette: "" }] }) as unknown as Group;
  const groups = [at(1, 0, 0), at(2, 100, 10), at(3, 50, 200), at(4, -80, 0)];

  it("lies in the direction of the arrow, the straightest first", () => {
    expect(neighbour(groups, [0, 0], 1, 0)?.id).toBe(2);
    expect(neighbour(groups, [0, 0], 0, 1)?.id).toBe(2);
    expect(neighbour(groups, [100, 10], 0, 1)?.id).toBe(3);
    expect(neighbour(groups, [0, 0], -1, 0)?.id).toBe(4);
    expect(neighbour(groups, [-80, 0], -1, 0)).toBeNull();
  });
});

it("numbers agree with their nouns", () => {
  expect([1, 2, 0].map((n) => plural(n, "battle die"))).toEqual(["1 battle die", "2 battle dice", "0 battle dice"]);
  expect([plural(2, "inch"), plural(2, "entry"), plural(2, "day"), plural(-1, "point")]).toEqual([
    "2 inches",
    "2 entries",
    "2 days",
    "-1 point",
  ]);
});

it("names are broken into lines and never cut", () => {
  const name = "armies Alliance and Asori, scenario hold-the-line";
  expect(inLines(name, 20)).toEqual(["armies Alliance and", "Asori, scenario", "hold-the-line"]);
  expect(inLines("abcdefgh ij", 3)).toEqual(["abc", "def", "gh", "ij"]);
  expect(inLines("", 3)).toEqual([""]);
});

it("a mark that counts nothing is not called a strength", () => {
  expect(["3/4", "12", "Q3", ""].map((strength) => strengthWords({ strength }))).toEqual([
    "strength 3/4",
    "strength 12",
    "Q3",
    "",
  ]);
});
