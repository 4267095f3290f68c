import { expect, test } from "vitest";

import type { Cell, Ground, Point, Seat, Spot } from "../wire/types";
import { actsIn, gridOf, heldWords, hexWords, saidOfHex } from "./hexes";

const CORNERS: Point[] = [
  [0, 1000],
  [866, 500],
  [866, -500],
  [0, -1000],
  [-866, -500],
  [-866, 500],
];

/** Nine rows; odd ones have 13 hexes, even ones 12 and half a hex to the right. */
function map(): Cell[] {
  const cells: Cell[] = [];
  for (let row = 0; row < 9; row++)
    for (let column = 0; column < 13 - (row % 2); column++)
      cells.push({
        name: `${"ABCDEFGHIJKLM"[column]}${row + 1}`,
        at: [866 + 1732 * column + 866 * (row % 2), 1000 + 1500 * (8 - row)],
      });
  return cells;
}

const cells = map();
const grid = gridOf({ form: "hexes", cells, corners: CORNERS });
if (grid === null) throw new Error("a map of hexes has a grid");
const cell = (name: string): Cell => cells.find((one) => one.name === name) ?? { name: "", at: [0, 0] };
const names = (cells: readonly (Cell | null)[]): string[] => cells.map((one) => one?.name ?? "-").sort();
const round = (name: string): (Cell | null)[] => [0, 1, 2, 3, 4, 5].map((edge) => grid.across(cell(name), edge));

test("a picture that is measured has no grid, and one map has one", () => {
  expect(gridOf({ form: "plane", cells: [], corners: [] })).toBeNull();
  expect(gridOf({ form: "hexes", cells, corners: CORNERS })).toBe(grid);
});

test("the neighbours of odd and even rows, and of a corner of the map", () => {
  expect(names(round("E5"))).toEqual(["D4", "D5", "D6", "E4", "E6", "F5"]);
  expect(names(round("E4"))).toEqual(["D4", "E3", "E5", "F3", "F4", "F5"]);
  expect(names(round("A1"))).toEqual(["-", "-", "-", "-", "A2", "B1"]);
});

test("distances are those of walking from hex to hex", () => {
  const from = cell("C4");
  const steps = new Map([[from.name, 0]]);
  const open = [from];
  for (let here = open.shift(); here !== undefined; here = open.shift())
    for (const next of round(here.name))
      if (next !== null && !steps.has(next.name)) {
        steps.set(next.name, (steps.get(here.name) ?? 0) + 1);
        open.push(next);
      }
  expect(steps.size).toBe(113);
  for (const one of cells) expect(grid.distance(from.at, one.at), one.name).toBe(steps.get(one.name));
});

test("a place is in the hex whose centre is nearest, or off the map", () => {
  expect(grid.at([866 + 300, 1000 + 500])?.name).toBe("A9");
  expect(grid.at([-600, 400])).toBeNull();
});

test("arrow keys go beside, and straight up in two rows", () => {
  const start = cell("E5");
  expect(grid.step(start, 1, 0, start.at[0]).name).toBe("F5");
  expect(grid.step(cell("A5"), -1, 0, 0).name).toBe("A5");
  const up = grid.step(start, 0, 1, start.at[0]);
  expect(["D4", "E4"]).toContain(up.name);
  expect(grid.step(up, 0, 1, start.at[0]).name).toBe("E3");
  expect(grid.step(cell("C9"), 0, -1, cell("C9").at[0]).name).toBe("C9");
});

test("a line meets the hexes it crosses, and runs between two where it does", () => {
  expect(names(grid.met(cell("A1").at, cell("E1").at).through)).toEqual(["B1", "C1", "D1"]);
  const straight = grid.met(cell("E5").at, cell("E3").at);
  expect([straight.through, names(straight.along)]).toEqual([[], ["D4", "E4"]]);
});

test("the border of hexes that lie together leaves out the edges between them", () => {
  expect(grid.border([cell("E5")])).toHaveLength(6);
  expect(grid.border([cell("E5"), cell("F5")])).toHaveLength(10);
  expect(grid.within(cell("E5").at, 1)).toHaveLength(7);
});

test("distances in words", () => {
  expect([1, 2].map(hexWords)).toEqual(["1 hex", "2 hexes"]);
});

test("a card acts in the sections that its area names, as the side that looks calls them", () => {
  const sections = ["West, your right", "Centre", "East, your left"];
  const lit = (area: string): boolean[] => sections.map((section) => actsIn(area, section));
  expect(lit("left")).toEqual([false, false, true]);
  expect(lit("centre")).toEqual([false, true, false]);
  expect(lit("both")).toEqual([true, false, true]);
  expect(lit("all")).toEqual([true, true, true]);
  expect(lit("")).toEqual([false, false, false]);
});

const seats = [{ side: 1, name: "Ashen Horde" }] as Seat[];
const spot = { name: "E4", holder: null, words: "1 banner while held" } as Spot;

test("an objective is held by nobody or by a side that is named once", () => {
  expect(heldWords(spot, seats)).toBe("1 banner while held; held by nobody");
  expect(heldWords({ holder: 1, words: "1 banner while held; Ashen Horde has it" }, seats)).toBe(
    "1 banner while held; Ashen Horde has it",
  );
  expect(heldWords({ holder: 1, words: "" }, seats)).toBe("held by Ashen Horde");
});

test("the description of a hex names the hex once", () => {
  const e4 = cell("E4");
  const ruins = { name: "Ruins", words: "Stops all" } as Ground;
  const all = (parts: { name: string; words: string }[]): string =>
    parts.map(({ name, words }) => [name, words].filter(Boolean).join(": ")).join(". ");
  expect(all(saidOfHex(e4, [{ words: "Move to E4 (2 hexes)" }], [], [spot], [ruins], seats))).toBe(
    "Move to E4 (2 hexes). 1 banner while held; held by nobody. Ruins: Stops all",
  );
  const troops = { name: "Line Troops", side: 1, strength: "4/4" };
  expect(all(saidOfHex(e4, [], [troops], [spot], [], seats))).toBe(
    "E4. Line Troops: Ashen Horde, 4/4. 1 banner while held; held by nobody",
  );
});
