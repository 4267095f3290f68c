import { describe, expect, it, vi } from "vitest";

import { HexGrid } from "../lib/hexes";
import type { Cell, Ground, Point } from "../wire/types";
import { planOf } from "./plan";

/** All calls of a drawing context, as words. */
const done: string[] = [];

class Drawing {
  constructor(
    readonly width: number,
    readonly height: number,
  ) {}

  getContext(): unknown {
    const keeps: Record<string, unknown> = {};
    return new Proxy(keeps, {
      get: (_, name: string) => {
        if (name === "createImageData")
          return (wide: number, high: number) => ({ data: new Uint8ClampedArray(wide * high * 4) });
        if (name === "createLinearGradient")
          return () => ({ addColorStop: (...words: unknown[]) => done.push(words.join()) });
        return (...words: unknown[]) =>
          done.push(
            `${name} ${words
              .map((word) => {
                if (isImage(word)) return word.data.reduce((sum, n) => (Math.imul(sum, 31) + n) | 0, 7);
                return word instanceof Track ? word.words.join() : String(word);
              })
              .join()}`,
          );
      },
      set: (_, name: string, value: unknown) => {
        done.push(`${name} = ${String(value)}`);
        return true;
      },
    });
  }
}

class Track {
  readonly words: string[] = [];
  moveTo = (...p: number[]): unknown => this.words.push(`M${p.join()}`);
  lineTo = (...p: number[]): unknown => this.words.push(`L${p.join()}`);
  quadraticCurveTo = (...p: number[]): unknown => this.words.push(`Q${p.join()}`);
}

function isImage(word: unknown): word is { data: Uint8ClampedArray } {
  return typeof word === "object" && word !== null && "data" in word;
}

vi.stubGlobal("OffscreenCanvas", Drawing);
vi.stubGlobal("Path2D", Track);
const { paint } = await import("./paint");

const CORNERS: Point[] = [
  [0, 1000],
  [866, 500],
  [866, -500],
  [0, -1000],
  [-866, -500],
  [-866, 500],
];
const CELLS: Cell[] = [0, 1, 2].flatMap((row) =>
  [0, 1, 2].map((i): Cell => ({
    name: `${"ABC"[i]}${row + 1}`,
    at: [866 + i * 1732 + (row % 2) * 866, 1000 + 1500 * row],
  })),
);
const put = (p: Point): Point => [p[0], 5000 - p[1]];

function painting(kinds: Readonly<Record<string, string>>, night = false): string[] {
  const grounds = CELLS.flatMap((cell, id): Ground[] => {
    const kind = kinds[cell.name];
    const outline = CORNERS.map(([x, y]): Point => [x + cell.at[0], y + cell.at[1]]);
    return kind === undefined ? [] : [{ id, kind, name: kind, outline, words: "" }];
  });
  const plan = planOf({ cells: CELLS, grounds, width: 6062, height: 5000 }, new HexGrid(CELLS, CORNERS), put, night);
  done.length = 0;
  paint(new Drawing(606, 500).getContext() as Parameters<typeof paint>[0], plan, 1);
  return [...done];
}

describe("a painted map", () => {
  it("is the same whenever it is painted", () => {
    const kinds = { A1: "woods", B2: "hill", C3: "ruins" };
    expect(painting(kinds)).toEqual(painting(kinds));
  });

  it("shows every kind of terrain in its own way", () => {
    const kinds = ["open", "road", "bridge", "rubble", "woods", "ruins", "hill", "citadel", "spire", "water", "ford"];
    expect(new Set(kinds.map((kind) => painting({ B2: kind }).join("\n"))).size).toBe(kinds.length);
  });

  it("is another by night", () => {
    expect(painting({ B2: "woods" }, true)).not.toEqual(painting({ B2: "woods" }));
  });

  it("has nothing of what lies on the map and is not printed on it", () => {
    expect(painting({ B2: "entrenchment" })).toEqual(painting({}));
  });

  it("leads a road over the edge to the next hex, and straight on where it ends", () => {
    const grid = new HexGrid(CELLS, CORNERS);
    const grounds = (["A2", "B2"] as const).map((name, id): Ground => {
      const at = CELLS.find((cell) => cell.name === name)?.at ?? [0, 0];
      return {
        id,
        kind: "road",
        name: "Road",
        outline: CORNERS.map(([x, y]): Point => [x + at[0], y + at[1]]),
        words: "",
      };
    });
    const plan = planOf({ cells: CELLS, grounds, width: 6062, height: 5000 }, grid, put, false);
    const roads = (name: string): readonly number[] => plan.plots.find((plot) => plot.name === name)?.roads ?? [];
    const beyond = (name: string, edge: number): string | undefined => {
      const cell = CELLS.find((one) => one.name === name);
      return cell === undefined ? undefined : grid.across(cell, edge)?.name;
    };
    expect(roads("A2").map((edge) => beyond("A2", edge))).toEqual(["B2", undefined]);
    expect(roads("B2").map((edge) => beyond("B2", edge))).toEqual(["A2", "C2"]);
    expect(roads("C2")).toEqual([]);
  });
});
