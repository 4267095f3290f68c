import { describe, expect, it } from "vitest";

import type { Group, Picture, Point } from "../wire/types";
import { awayWords, bearing, extentWords, placeWords, reachWords, spreadWords, toGround } from "./inwords";

const picture = {
  form: "plane",
  width: 9000,
  height: 9000,
  scale: 100,
  measure: "cm",
  cells: [],
  corners: [],
} as unknown as Picture;
const unit = (id: number, at: Point[], reach = 0): Group =>
  ({
    id,
    name: `Unit ${id}`,
    reach,
    pieces: at.map((place, i) => ({ id: i, at: place, radius: 100 })),
  }) as unknown as Group;
const house: Point[] = [
  [1000, 1000],
  [2200, 1000],
  [2200, 2000],
  [1000, 2000],
];

describe("the table in words", () => {
  it("says directions as they are seen, from either edge", () => {
    expect(bearing([0, 0], [10, 10], false)).toBe("north-east");
    expect(bearing([0, 0], [10, 10], true)).toBe("south-west");
    expect(bearing([5, 5], [5, 0], false)).toBe("south");
    expect(bearing([5, 5], [-90, 6], false)).toBe("west");
    expect(bearing([5, 5], [5, 5], false)).toBe("");
  });

  it("says places from the left and from the near edge", () => {
    expect(placeWords([1240, 800], picture, false)).toBe("12 from the left, 8 up");
    expect(placeWords([1240, 800], picture, true)).toBe("78 from the left, 82 up");
    expect(extentWords(house, picture)).toBe("12 wide and 10 deep");
    expect(
      spreadWords(
        unit(1, [
          [0, 0],
          [400, 0],
        ]),
        picture,
      ),
    ).toBe("2 models, 4 wide and 0 deep");
    expect(spreadWords(unit(1, [[0, 0]]), picture)).toBe("");
  });

  it("measures from edge to edge, of the nearest bases", () => {
    const a = unit(
      1,
      [
        [0, 0],
        [500, 0],
      ],
      1000,
    );
    const b = unit(2, [[500, 1300]], 2000);
    expect(awayWords(a, b, picture, false)).toBe("11 cm north");
    expect(reachWords(a, b, picture)).toBe("1 cm out of your range; you are in its range");
    expect(reachWords(b, a, picture)).toBe("in your range");
    expect(awayWords(a, { at: [1600, 0] }, picture, false)).toBe("10 cm east");
  });

  it("says how far ground is, and where one is in it", () => {
    expect(toGround(unit(1, [[500, 1500]]), house)).toBe(400);
    expect(toGround(unit(1, [[1500, 1500]]), house)).toBe(0);
    const ground = { id: 0, kind: "house", name: "House", outline: house, words: "" };
    expect(awayWords(unit(1, [[500, 1500]]), ground, picture, false)).toBe("4 cm east");
    expect(awayWords(unit(1, [[950, 1500]]), ground, picture, false)).toBe("you touch it");
  });
});
