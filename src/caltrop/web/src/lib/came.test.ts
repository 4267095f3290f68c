import { describe, expect, it } from "vitest";

import type { View } from "../wire/types";
import { cameTo } from "./came";

const seats = [
  { side: 0, name: "Alliance" },
  { side: 1, name: "Asori" },
];
const result = (over: object | null): string => cameTo({ over, picture: { seats } } as unknown as View);

describe("what a battle came to", () => {
  it("is who won, by how much", () => expect(result({ winner: 1, points: [3, 4] })).toBe("Asori wins, 4 to 3"));
  it("has no figures where there are none", () => expect(result({ winner: 0, points: [0, 0] })).toBe("Alliance wins"));
  it("has no figures where the winner has fewer, as when the other gives up", () =>
    expect(result({ winner: 0, points: [1, 4] })).toBe("Alliance wins"));
  it("is a draw", () => expect(result({ winner: null, points: [2, 2] })).toBe("A draw, 2 each"));
  it("is nothing yet", () => expect(result(null)).toBe(""));
});
