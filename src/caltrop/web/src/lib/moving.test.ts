import { describe, expect, it } from "vitest";

import type { Group, PickedUp, Picture } from "../wire/types";
import { shown, turned, usualFacing } from "./drag";
import { pathLength } from "./reach/exact";
import { Reach } from "./reach/reach";
import { caught, gap, rulerWords } from "./ruler";

const around: PickedUp = {
  unit: 0,
  pieces: [{ id: 7, at: [1000, 1000], radius: 100, stays: false }],
  size: [6000, 6000],
  bands: [
    [1000, 0],
    [2000, 2],
  ],
  purse: 1,
  others: [[1500, 1000, 100]],
  clear_of: [],
  contact: 2,
  solid: [],
  slow: [],
  rough: [],
  rough_prices: [],
  coherency: 254,
  crosses: false,
  round: true,
  rests: true,
  may_stay: false,
  shortest: 0,
  whole: false,
  near: [],
  down: null,
};

describe("a drag that is foreseen", () => {
  it("is as long as its legs, each rounded up", () => {
    expect(
      pathLength([
        [0, 0],
        [1, 1],
        [1, 5],
      ]),
    ).toBe(6);
    expect(new Reach(around).foresee({ unit: 0, to: [1000, 1900] })).toEqual({
      paths: {
        "7": [
          [1000, 1000],
          [1000, 1900],
        ],
      },
      length: 900,
      left: 100,
      price: 0,
      legal: true,
    });
  });

  it("goes round what is in the way, and no farther than can be paid for", () => {
    const drag = new Reach(around).foresee({ unit: 0, to: [1900, 1000] });
    expect(drag.legal).toBe(true);
    expect(drag.paths["7"]!.length).toBeGreaterThan(2);
    const far = new Reach(around).foresee({ unit: 0, to: [1000, 5000] });
    expect([far.legal, far.length, far.price]).toEqual([true, 1000, 0]);
  });

  it("may touch but not overlap, decided to a tenth of a millimetre", () => {
    const straight = new Reach({ ...around, round: false });
    expect(straight.foresee({ unit: 0, to: [1300, 1000] }).legal).toBe(true);
    expect(straight.foresee({ unit: 0, to: [1301, 1000] }).legal).toBe(false);
    const shy = new Reach({ ...around, round: false, clear_of: around.others });
    expect(shy.foresee({ unit: 0, to: [1298, 1000] }).legal).toBe(false);
    expect(shy.foresee({ unit: 0, to: [1297, 1000] }).legal).toBe(true);
  });

  it("has to end in contact where it charges", () => {
    const touch = { bases: around.others, least: null, most: 2, unless: null };
    const charge = new Reach({ ...around, round: false, may_stay: true, near: [touch] });
    expect(charge.foresee({ unit: 0, to: [1298, 1000] }).legal).toBe(true);
    expect(charge.foresee({ unit: 0, to: [1297, 1000] }).legal).toBe(false);
    expect(charge.foresee({ unit: 0 }).legal).toBe(false);
    const met: PickedUp = { ...around, may_stay: true, near: [{ ...touch, bases: [[1200, 1000, 100]] }] };
    expect(new Reach(met).foresee({ unit: 0 }).legal).toBe(true);
  });

  it("goes its full length, and no nearer, where it withdraws", () => {
    const apart = { bases: around.others, least: 301, most: null, unless: null };
    const out = new Reach({ ...around, bands: [[1000, 0]], near: [apart], shortest: 990, whole: true });
    expect(out.foresee({ unit: 0, to: [1000, 1001] })).toMatchObject({ length: 1000, left: 0, legal: true });
    expect(out.foresee({ unit: 0, to: [1000, 1001], waypoints: [[1000, 700]] }).length).toBe(1000);
    expect(out.foresee({ unit: 0, models: { "7": [[1000, 1989]] } }).legal).toBe(false);
    expect(out.foresee({ unit: 0, models: { "7": [[1000, 1990]] } }).legal).toBe(true);
    const far = [900, 901].map((unless) => new Reach({ ...around, near: [{ ...apart, least: 2000, unless }] }));
    expect(far.map((one) => one.foresee({ unit: 0, to: [1000, 1900] }).legal)).toEqual([true, false]);
  });

  it("is put down inside its zone, in a row or in a shape", () => {
    const pieces = [7, 8].map((id) => ({ id, at: [0, 0] as const, radius: 100, stays: false }));
    const down = { box: [0, 0, 6000, 1000] as [number, number, number, number], ahead: [0, 1] as const, gap: 100 };
    const place = new Reach({ ...around, pieces, bands: [], down });
    expect(place.foresee({ unit: 0, to: [3000, 500] })).toMatchObject({
      paths: { "7": [[2850, 500]], "8": [[3150, 500]] },
      legal: true,
    });
    expect(place.foresee({ unit: 0, to: [3000, 5000] }).paths["7"]).toEqual([[2850, 900]]);
    expect(place.foresee({ unit: 0, to: [3000, 700], shape: "column" }).paths["8"]).toEqual([[3000, 400]]);
    expect(place.foresee({ unit: 0, to: [1500, 900] }).legal).toBe(false);
    expect(place.foresee({ unit: 0, to: [3000, 500], models: { "8": [[3500, 500]] } }).legal).toBe(false);
  });

  it("gives way to what the rules answered", () => {
    const foreseen = { paths: {}, length: 5, left: 0, price: 3, legal: true };
    expect(shown({ proposal: null, foreseen })?.cost).toBe(3);
    const refusal = { code: "x", clause: "C-1", message: "No", values: {}, nearest: null };
    const proposal = { action: null, paths: {}, length: 5, left: 0, price: [], refusal, faults: [[1, 2] as const] };
    expect(shown({ proposal, foreseen })).toMatchObject({ illegal: true, cost: null, faults: [[1, 2]] });
    expect(shown({ proposal: null, foreseen: null })).toBeNull();
  });
});

describe("a formation", () => {
  const region = { form: "move", unit: 0, words: "", first: "", group: "", bands: [], act: "" } as const;
  it("is turned from where it faces by custom", () => {
    const moves = { region: { ...region, bands: [] }, shape: "line", waypoints: [], to: [500, 0] as const };
    expect(usualFacing(moves, [0, 0], 1000)).toEqual([500, 0]);
    expect(usualFacing({ ...moves, shape: "keep" }, [0, 0], 1000)).toEqual([0, 1000]);
    expect(usualFacing({ ...moves, region: { ...moves.region, form: "place" } }, [0, 900], 1000)).toEqual([0, -1000]);
    expect(turned([1000, 0], Math.PI / 2)).toEqual([0, 1000]);
  });
});

describe("the ruler", () => {
  const group = (id: number, name: string, xs: number[]): Group =>
    ({ id, name, pieces: xs.map((x, i) => ({ id: 10 * id + i, at: [x, 100], radius: 50 })) }) as unknown as Group;
  const picture = {
    width: 9000,
    height: 9000,
    scale: 100,
    measure: "cm",
    groups: [group(1, "Tanks", [100, 300]), group(2, "Guns", [900])],
    spots: [{ name: "The bridge", at: [100, 2000] }],
    grounds: [
      {
        name: "Wood",
        outline: [
          [4000, 4000],
          [5000, 4000],
          [5000, 5000],
        ],
      },
    ],
  } as unknown as Picture;

  it("catches on bases, marked places and ground, and measures from edge to edge", () => {
    const tanks = caught(picture, [120, 90], 20);
    const guns = caught(picture, [900, 100], 20);
    expect(gap(tanks, guns)).toBe(700);
    expect(rulerWords(picture, tanks, guns)).toBe("Tanks to Guns: 7 cm; between their nearest bases 5 cm");
    expect(rulerWords(picture, tanks, caught(picture, [105, 1995], 20))).toBe("Tanks to The bridge: 18.5 cm");
    expect(caught(picture, [4800, 4200], 20).name).toBe("Wood");
    expect(caught(picture, [-50, 99999], 20).at).toEqual([0, 9000]);
  });
});
