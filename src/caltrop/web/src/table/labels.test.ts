import { describe, expect, it } from "vitest";

import {
  alongEdges,
  around,
  besideRow,
  grown,
  hung,
  layOut,
  nameOf,
  onOutline,
  TETHER,
  wordsAt,
  wordsWidth,
  type Box,
  type Plate,
} from "./labels";

const plate = (id: number, x: number, y: number): Plate => ({
  id,
  bases: [{ x, y, wide: 40, high: 10 }],
  wide: 30,
  high: 16,
});
const overlaps = (a: Box, b: Box) =>
  a.x < b.x + b.wide && b.x < a.x + a.wide && a.y < b.y + b.high && b.y < a.y + a.high;
const model = (one: Plate) => ({ id: one.id, box: around(one.bases) });

describe("a plate", () => {
  it("hangs below its unit where there is room", () => {
    const one = plate(1, 100, 100);
    expect(layOut([one], [model(one)]).get(1)).toEqual({ x: 120, y: 114, crowded: false });
  });

  it("stands above where another unit is below", () => {
    const one = plate(1, 100, 100);
    const two = plate(2, 100, 116);
    const layout = layOut([one, two], [model(one), model(two)]);
    expect(layout.get(1)).toEqual({ x: 120, y: 80, crowded: false });
    expect(layout.get(2)).toEqual({ x: 120, y: 130, crowded: false });
  });

  it("goes beside where both are taken", () => {
    const units = [plate(1, 100, 100), plate(2, 100, 116), plate(3, 100, 84)];
    expect(layOut(units, units.map(model)).get(1)).toEqual({ x: 159, y: 97, crowded: false });
  });
});

describe("a plate in a crowd", () => {
  const boxOf = (one: Plate, place: { x: number; y: number }): Box => ({
    x: place.x - one.wide / 2,
    y: place.y,
    wide: one.wide,
    high: one.high,
  });
  const between = (a: Box, b: Box): number =>
    Math.hypot(
      Math.max(a.x - b.x - b.wide, b.x - a.x - a.wide, 0),
      Math.max(a.y - b.y - b.high, b.y - a.y - a.high, 0),
    );

  it("hangs near its unit and off the others, or is left out", () => {
    const units = Array.from({ length: 30 }, (_, i) => plate(i, 60 + (i % 5) * 45, 60 + Math.floor(i / 5) * 14));
    const layout = layOut(units, units.map(model), { x: 0, y: 0, wide: 360, high: 200 });
    const shown = units.flatMap((one) => {
      const place = layout.get(one.id);
      return place === undefined || place.crowded ? [] : [{ one, box: boxOf(one, place) }];
    });
    expect(shown.length).toBeGreaterThan(4);
    expect(shown.length).toBeLessThan(30);
    shown.forEach(({ one, box }, i) => {
      expect(between(around(one.bases), box)).toBeLessThanOrEqual(TETHER);
      expect(shown.slice(i + 1).filter((other) => overlaps(box, other.box))).toEqual([]);
    });
  });

  it("hangs at a base of a long column, not below the middle of it", () => {
    const bases = Array.from({ length: 8 }, (_, i) => ({ x: 100 + i * 40, y: 100 + i * 40, wide: 12, high: 12 }));
    const one: Plate = { id: 1, bases, wide: 60, high: 16 };
    const place = layOut(
      [one],
      bases.map((box) => ({ id: 1, box })),
    ).get(1);
    expect(place?.crowded).toBe(false);
    expect(Math.min(...bases.map((base) => between(base, boxOf(one, place ?? { x: 0, y: 0 }))))).toBeLessThanOrEqual(
      TETHER,
    );
  });
});

describe("the name of an objective", () => {
  const disc = { x: 100, y: 100, wide: 20, high: 20 };

  it("stands below it, or above where bases are below", () => {
    expect(nameOf(disc, "Mast", []).place).toEqual({ x: 110, y: 129 });
    expect(nameOf(disc, "Mast", [{ x: 90, y: 122, wide: 40, high: 12 }]).place).toEqual({ x: 110, y: 91 });
  });
});

describe("a plate with a name in it", () => {
  const at = { x: 100, y: 50 };
  const box = (x: number) => ({ x, y: 40, wide: 20, high: 20 });

  it("grows to both sides where there is room", () => {
    expect(grown(at, 30, 90, 16, { models: [], plates: [] })).toEqual(at);
  });

  it("grows away from what stands beside it", () => {
    expect(grown(at, 30, 90, 16, { models: [box(120)], plates: [] })).toEqual({ x: 70, y: 50 });
  });

  it("stays without the name where it would hide something on either side, or leave the picture", () => {
    expect(grown(at, 30, 90, 16, { models: [box(120), box(60)], plates: [] })).toBeUndefined();
    const bounds = { x: 80, y: 0, wide: 200, high: 200 };
    expect(grown(at, 30, 90, 16, { models: [box(120)], plates: [], bounds })).toBeUndefined();
  });
});

describe("words at an outline", () => {
  const room = { bounds: { x: 0, y: 0, wide: 400, high: 400 }, k: 1 };

  it("stand at its upper right, or where nothing else stands", () => {
    const circle = [{ at: [200, 200] as const, r: 100 }];
    expect(onOutline(circle, "30 cm", { ...room, taken: [] })).toEqual([270, 130]);
    const taken = [{ x: 250, y: 110, wide: 40, high: 40 }];
    expect(onOutline(circle, "30 cm", { ...room, taken })).toEqual([130, 130]);
  });

  it("are never cut off at the side", () => {
    const [x] = onOutline([{ at: [200, 200], r: 250 }], "range 50 cm", { ...room, taken: [] }) ?? [0, 0];
    expect(x).toBeGreaterThanOrEqual(wordsWidth("range 50 cm") / 2);
    expect(x).toBeLessThanOrEqual(400 - wordsWidth("range 50 cm") / 2);
  });

  it("are left out where they would meet something all round, or where no outline is seen", () => {
    const circle = [{ at: [200, 200] as const, r: 100 }];
    expect(onOutline(circle, "30 cm", { ...room, taken: [{ x: 0, y: 0, wide: 400, high: 400 }] })).toBeUndefined();
    expect(onOutline([{ at: [200, 200], r: 2000 }], "30 cm", { ...room, taken: [] })).toBeUndefined();
  });

  it("keep clear of words before them", () => {
    const inner = onOutline([{ at: [200, 200], r: 20 }], "10 cm: 1", { ...room, taken: [] }) ?? [0, 0];
    const taken = [wordsAt(inner, "10 cm: 1", 1)];
    const outer = onOutline([{ at: [200, 200], r: 25 }], "12 cm: 3", { ...room, taken }) ?? [0, 0];
    expect(overlaps(wordsAt(inner, "10 cm: 1", 1), wordsAt(outer, "12 cm: 3", 1))).toBe(false);
  });
});

describe("words along an edge", () => {
  const room = { bounds: { x: 0, y: 0, wide: 400, high: 400 }, k: 2, taken: [] };

  it("are at the first place without a piece", () => {
    expect(
      alongEdges(
        [
          [100, 50],
          [100, 80],
        ],
        "range 3 hexes",
        room,
      ),
    ).toEqual([100, 50]);
    const taken = [{ x: 190, y: 80, wide: 20, high: 40 }];
    expect(
      alongEdges(
        [
          [100, 50],
          [100, 80],
        ],
        "range 3 hexes",
        { ...room, taken },
      ),
    ).toEqual([100, 80]);
  });

  it("are where they hide least if no place is free", () => {
    const taken = [
      { x: 150, y: 80, wide: 100, high: 40 },
      { x: 190, y: 150, wide: 20, high: 20 },
    ];
    expect(
      alongEdges(
        [
          [100, 50],
          [100, 80],
        ],
        "range 3 hexes",
        { ...room, taken },
      ),
    ).toEqual([100, 80]);
    expect(alongEdges([], "range 3 hexes", room)).toBeUndefined();
  });
});

describe("odds at a target", () => {
  const target = { x: 190, y: 190, wide: 20, high: 20 };
  const room = { bounds: { x: 0, y: 0, wide: 400, high: 400 }, k: 1, taken: [target] };

  it("are above it if nothing is there", () => {
    expect(hung([target], 80, 40, 10, room)).toEqual({ x: 200, y: 140 });
  });

  it("keep clear of its neighbours", () => {
    const neighbour = { x: 150, y: 140, wide: 100, high: 40 };
    const place = hung([target], 80, 40, 10, { ...room, taken: [target, neighbour] });
    const box = { x: place.x - 40, y: place.y, wide: 80, high: 40 };
    expect(overlaps(box, neighbour)).toBe(false);
    expect(overlaps(box, target)).toBe(false);
  });

  it("are always visible", () => {
    const corner = { x: 0, y: 0, wide: 20, high: 20 };
    const place = hung([corner], 80, 40, 10, { ...room, taken: [corner] });
    expect(place.x).toBeGreaterThanOrEqual(40);
    expect(place.y).toBeGreaterThanOrEqual(0);
    expect(overlaps({ x: place.x - 40, y: place.y, wide: 80, high: 40 }, corner)).toBe(false);
  });
});

describe("words beside a row that is dragged", () => {
  const bounds: Box = { x: 100, y: 100, wide: 346, high: 380 };
  const row = (x: number, y: number): Box[] => [0, 1, 2, 3].map((i) => ({ x: x + 30 * i, y, wide: 24, high: 24 }));
  const inside = (boxes: readonly Box[], wide: number): boolean => {
    const { at, dx, dy } = besideRow(boxes, wide, { models: [], bounds });
    const box = { x: at.x + dx - wide / 2, y: at.y + dy - 9, wide, high: 18 };
    return (
      box.x >= bounds.x &&
      box.x + wide <= bounds.x + bounds.wide &&
      box.y >= bounds.y &&
      box.y + 18 <= bounds.y + bounds.high
    );
  };

  it("are whole in the visible part, wherever the row is dragged in it", () => {
    for (let x = 60; x < 420; x += 7) for (let y = 110; y < 440; y += 11) expect(inside(row(x, y), 200)).toBe(true);
  });

  it("stand to the right where there is room", () => {
    expect(besideRow(row(120, 200), 60, { models: [], bounds })).toMatchObject({
      at: { x: 234, y: 212 },
      dx: 38,
      dy: 0,
    });
  });

  it("leave the handle and the path of the row in sight", () => {
    const handle = { x: 240, y: 205, wide: 14, high: 14 };
    const { at, dx, dy } = besideRow(row(120, 200), 60, { models: [handle], bounds });
    expect(overlaps({ x: at.x + dx - 30, y: at.y + dy - 9, wide: 60, high: 18 }, handle)).toBe(false);
  });
});

describe("whatever lies over the table", () => {
  const bounds: Box = { x: 0, y: 0, wide: 800, high: 600 };
  /** Buttons at the right edge, a bar along the foot, and a card in a corner, as in a wide window. */
  const covers: Box[] = [
    { x: 764, y: 8, wide: 36, high: 210 },
    { x: 0, y: 566, wide: 800, high: 34 },
    { x: 12, y: 470, wide: 300, high: 96 },
  ];
  const boxAt = (place: { x: number; y: number }, wide: number, high: number): Box => ({
    x: place.x - wide / 2,
    y: place.y,
    wide,
    high,
  });
  const covered = (box: Box): boolean => covers.some((cover) => overlaps(cover, box));
  /** Every place of a unit with three bases, under the covers too. */
  const units = Array.from({ length: 40 * 30 }, (_, i): Box[] =>
    [0, 1, 2].map((n) => ({ x: (i % 40) * 19.7 + 18 * n, y: Math.floor(i / 40) * 19.3, wide: 16, high: 16 })),
  );
  const obstacles = { taken: [], covers, bounds, k: 1 };

  it("hides no odds", () => {
    expect(units.filter((bases) => covered(boxAt(hung(bases, 150, 38, 10, obstacles), 150, 38)))).toEqual([]);
  });

  it("hides no price of a drag", () => {
    const hidden = units.filter((bases) => {
      const { at, dx, dy } = besideRow(bases, 130, { models: [], covers, bounds });
      return covered(boxAt({ x: at.x + dx, y: at.y + dy - 9 }, 130, 18));
    });
    expect(hidden).toEqual([]);
  });

  it("hides no plate, no name and no words on an outline that are drawn", () => {
    for (const bases of units) {
      const plate = { id: 1, bases, wide: 90, high: 16 };
      const hangs = layOut([plate], [{ id: 1, box: around(bases) }], bounds, covers).get(1);
      if (hangs?.crowded === false) expect(covered(boxAt(hangs, 90, 16))).toBe(false);
      const circles = [{ at: [bases[0]!.x, bases[0]!.y] as const, r: 120 }];
      const place = onOutline(circles, "range 30 cm", obstacles);
      if (place !== undefined) expect(covered(wordsAt(place, "range 30 cm", 1))).toBe(false);
    }
  });
});
