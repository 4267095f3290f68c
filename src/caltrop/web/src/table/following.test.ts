import { describe, expect, it } from "vitest";

import type { Act } from "../motion/acts";
import type { Group, Picture } from "../wire/types";
import { placeOfActs } from "./following";

const unit = (id: number, ...places: [number, number][]): Group =>
  ({ id, pieces: places.map((at, i) => ({ id: 10 * id + i, at, radius: 10 })) }) as unknown as Group;
const picture = { groups: [unit(1, [100, 100], [140, 100]), unit(2, [500, 300]), unit(3, [900, 900])] };
const act = (more: Partial<Act>): Act =>
  ({
    motion: null,
    line: null,
    before: picture as Picture,
    after: picture as Picture,
    moved: [],
    gone: [],
    came: [],
    told: 0,
    ...more,
  }) as Act;
const shot = act({ motion: { sort: "shot", unit: 1, target: 2 } as Act["motion"] });

describe("the place of acts", () => {
  it("holds attackers and targets with room around them, and nobody else", () => {
    expect(placeOfActs([shot], 10, (at) => at)).toEqual({ x: 50, y: 50, wide: 500, high: 300 });
  });

  it("holds ways from their start to their end", () => {
    const moves = act({
      moved: [
        {
          unit: 3,
          piece: 30,
          path: [
            [900, 900],
            [700, 900],
          ],
        },
      ],
    });
    expect(placeOfActs([moves], 10, (at) => at)).toEqual({ x: 650, y: 850, wide: 300, high: 100 });
    expect(placeOfActs([shot, moves], 10, (at) => at)?.wide).toBe(900);
  });

  it("is nowhere for an act without a place", () => {
    expect(placeOfActs([act({})], 10, (at) => at)).toBeNull();
  });
});
