import { describe, expect, it } from "vitest";

import type { Group } from "../wire/types";
import { attention, type Situation } from "./attention";

const unit = (id: number, at: [number, number], more: Partial<Group> = {}): Group =>
  ({ id, pieces: [{ id, at, radius: 10 }], walk: 100, reach: 0, ...more }) as Group;
const own = unit(0, [500, 900]);
const enemy = unit(2, [500, 400]);
const now: Situation = {
  tiny: true,
  held: false,
  looks: false,
  acts: false,
  taken: own,
  ready: true,
  targets: [],
  onTable: true,
  move: 200,
  usual: 10,
  size: { width: 1000, height: 1000 },
  put: (p) => p,
};

describe("the part of the table that the camera shows", () => {
  it("is where the taken unit can go", () => {
    expect(attention(now)).toEqual({ x: 280, y: 680, wide: 440, high: 320 });
  });

  it("is the unit whose models are chosen, however far it reaches, and whosever it is", () => {
    const far = unit(0, [500, 500], { reach: 900 });
    const box = attention({ ...now, taken: far, move: 0, models: true, looks: true });
    expect(box).toEqual({ x: 480, y: 480, wide: 40, high: 40 });
  });

  it("has all targets in it", () => {
    const box = attention({ ...now, move: 0, targets: [enemy] });
    expect(box?.y).toBe(380);
  });

  it("stays under a finger that holds something, whatever is asked", () => {
    expect(attention({ ...now, held: true, acts: true })).toBeUndefined();
  });

  it("is the whole table while others act, since they may act anywhere", () => {
    expect(attention({ ...now, acts: true })).toBeNull();
  });

  it("is the whole table again when a unit has acted and another is to be chosen", () => {
    expect(attention({ ...now, taken: undefined })).toBeNull();
  });

  it("is the whole table for a question that is not answered on it", () => {
    expect(attention({ ...now, onTable: false, move: 0 })).toBeNull();
  });

  it("stays while the person looks at an enemy", () => {
    expect(attention({ ...now, looks: true })).toBeUndefined();
  });
});
