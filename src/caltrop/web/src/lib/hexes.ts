/**
 * A map of hexes as the picture describes it: the place of each hex, its neighbours, and distances. This module
 * contains no rule.
 */
import type { Cell, Ground, Group, Offer, Picture, Point, Seat, Spot } from "../wire/types";
import { distance, middle } from "./measure";

export class HexGrid {
  /** Half the width of a hex, and the distance between rows. */
  private readonly half: number;
  private readonly row: number;
  private readonly found: ReadonlyMap<string, Cell>;

  constructor(
    readonly cells: readonly Cell[],
    readonly corners: readonly Point[],
  ) {
    this.half = Math.max(...corners.map((p) => p[0]), 1);
    this.row = 1.5 * Math.max(...corners.map((p) => p[1]), 1);
    this.found = new Map(cells.map((cell) => [this.key(cell.at), cell]));
  }

  /** Distance from the centre of a hex to a corner. */
  get radius(): number {
    return this.row / 1.5;
  }

  private count(p: Point): Point {
    const first = this.cells[0]?.at ?? p;
    return [Math.round((p[0] - first[0]) / this.half), Math.round((p[1] - first[1]) / this.row)];
  }

  private key(p: Point): string {
    return this.count(p).join();
  }

  /** Return the hex whose centre is at a place, or very near. */
  centredOn(p: Point): Cell | null {
    return this.found.get(this.key(p)) ?? null;
  }

  /** Return the hex whose centre is nearest to a place. */
  nearest(p: Point): Cell {
    const first = this.cells[0] ?? { name: "", at: [0, 0] };
    return this.cells.reduce((best, cell) => (distance(cell.at, p) < distance(best.at, p) ? cell : best), first);
  }

  /** Return the hex that contains a place; null off the map. */
  at(p: Point): Cell | null {
    const cell = this.nearest(p);
    const within = this.beyond.every(
      (way) => (p[0] - cell.at[0]) * way[0] + (p[1] - cell.at[1]) * way[1] <= (way[0] * way[0] + way[1] * way[1]) / 2,
    );
    return within ? cell : null;
  }

  /** Return the distance between two places, in hexes. */
  distance(a: Point, b: Point): number {
    const [p, q] = [this.count(a), this.count(b)];
    const rows = Math.abs(p[1] - q[1]);
    return rows + Math.max(0, Math.ceil((Math.abs(p[0] - q[0]) - rows) / 2));
  }

  /** Vectors from the centre of a hex to the centres beyond its edges, in the order of the corners. */
  get beyond(): Point[] {
    return this.corners.map((p, i) => {
      const q = this.corners[(i + 1) % this.corners.length] ?? p;
      return [p[0] + q[0], p[1] + q[1]];
    });
  }

  /** Return the hex beyond an edge. */
  across(cell: Cell, edge: number): Cell | null {
    const way = this.beyond[edge] ?? [0, 0];
    return this.centredOn([cell.at[0] + way[0], cell.at[1] + way[1]]);
  }

  /** Return the cell an arrow key leads to: the one beside, or in the next row the hex nearest to a vertical line. */
  step(from: Cell, dx: number, dy: number, along: number): Cell {
    const aside = dx !== 0 ? this.centredOn([from.at[0] + 2 * this.half * Math.sign(dx), from.at[1]]) : null;
    if (dx !== 0) return aside ?? from;
    const row = this.cells.filter((cell) => Math.round((cell.at[1] - from.at[1]) / this.row) === Math.sign(dy));
    return row.reduce(
      (best, cell) => (Math.abs(cell.at[0] - along) < Math.abs(best.at[0] - along) ? cell : best),
      row[0] ?? from,
    );
  }

  /** Return all hexes within a number of steps. */
  within(place: Point, steps: number): Cell[] {
    return this.cells.filter((cell) => this.distance(cell.at, place) <= steps);
  }

  /** Return the edges between hexes of a set and other hexes, as pairs of corners. */
  border(cells: readonly Cell[]): [Point, Point][] {
    const own = new Set(cells.map((cell) => cell.name));
    return cells.flatMap((cell) =>
      this.corners.flatMap((p, i): [Point, Point][] => {
        const other = this.across(cell, i);
        if (other !== null && own.has(other.name)) return [];
        const q = this.corners[(i + 1) % this.corners.length] ?? p;
        return [
          [
            [cell.at[0] + p[0], cell.at[1] + p[1]],
            [cell.at[0] + q[0], cell.at[1] + q[1]],
          ],
        ];
      }),
    );
  }

  /** Return the hexes that a line crosses, and those along whose edges it runs, without its ends. */
  met(a: Point, b: Point): { through: Cell[]; along: Cell[] } {
    const through: Cell[] = [];
    const along: Cell[] = [];
    const ends = [this.key(a), this.key(b)];
    for (const cell of this.cells) {
      if (ends.includes(this.key(cell.at))) continue;
      if (this.inside(cell, a, b, 0.98) > this.radius / 50) through.push(cell);
      else if (this.inside(cell, a, b, 1.02) > this.radius / 2) along.push(cell);
    }
    return { through, along };
  }

  /** Return how much of a line lies in a hex that is scaled by a factor. */
  private inside(cell: Cell, a: Point, b: Point, factor: number): number {
    let [from, to] = [0, 1];
    for (const way of this.beyond) {
      const depth = ((way[0] * way[0] + way[1] * way[1]) / 2) * factor;
      const start = depth - ((a[0] - cell.at[0]) * way[0] + (a[1] - cell.at[1]) * way[1]);
      const slope = (b[0] - a[0]) * way[0] + (b[1] - a[1]) * way[1];
      if (slope === 0 && start < 0) return 0;
      if (slope > 0) to = Math.min(to, start / slope);
      else if (slope < 0) from = Math.max(from, start / slope);
    }
    return to > from ? (to - from) * distance(a, b) : 0;
  }

  /** Return the terrain of each hex, by the hex's name. */
  groundsOf(grounds: readonly Ground[]): Map<string, Ground[]> {
    const byHex = new Map<string, Ground[]>();
    for (const ground of grounds) {
      const cell = this.centredOn(middle(ground.outline));
      if (cell !== null) byHex.set(cell.name, [...(byHex.get(cell.name) ?? []), ground]);
    }
    return byHex;
  }
}

/** Return whether a card acts in a section. Sections are named from the viewer's side: "West, your left". */
export function actsIn(area: string, section: string): boolean {
  const areas: Record<string, readonly string[]> = { both: ["left", "right"], all: ["left", "centre", "right"] };
  return (areas[area] ?? [area]).some((one) => one !== "" && section.toLowerCase().includes(one));
}

const grids = new WeakMap<readonly Cell[], HexGrid>();

/** Return the map of a picture; null for a measured table. */
export function gridOf(picture: Pick<Picture, "form" | "cells" | "corners">): HexGrid | null {
  if (picture.form !== "hexes") return null;
  const grid = grids.get(picture.cells) ?? new HexGrid(picture.cells, picture.corners);
  grids.set(picture.cells, grid);
  return grid;
}

/** "3 hexes". */
export function hexWords(steps: number): string {
  return `${steps} ${steps === 1 ? "hex" : "hexes"}`;
}

/** Say who holds an objective, and its worth. The words of a held objective name the holder. */
export function heldWords(spot: Pick<Spot, "holder" | "words">, seats: readonly Pick<Seat, "name" | "side">[]): string {
  const holder = seats.find((seat) => seat.side === spot.holder);
  if (holder === undefined) return spot.words ? `${spot.words}; held by nobody` : "held by nobody";
  return spot.words.includes(holder.name)
    ? spot.words
    : [spot.words, `held by ${holder.name}`].filter(Boolean).join("; ");
}

/** A part of the description of a hex; without a name, it is about the hex itself. */
interface SaidOfHex {
  name: string;
  words: string;
}

/** Describe a hex: the acts that are possible there, the units in it, its objectives and its terrain. */
export function saidOfHex(
  cell: Cell,
  offers: readonly Pick<Offer, "words">[],
  groups: readonly Pick<Group, "name" | "side" | "strength">[],
  spots: readonly Spot[],
  grounds: readonly Ground[],
  seats: readonly Seat[],
): SaidOfHex[] {
  const parts = [
    ...offers.map(({ words }) => ({ name: "", words })),
    ...groups.map(({ name, side, strength }) => ({
      name,
      words: [seats.find((seat) => seat.side === side)?.name, strength].filter(Boolean).join(", "),
    })),
    ...spots.map((spot) => ({ name: spot.name === cell.name ? "" : spot.name, words: heldWords(spot, seats) })),
    ...grounds.map(({ name, words }) => ({ name, words })),
  ];
  // The hex is named once: by an act, or before everything else.
  return offers.some(({ words }) => words.includes(cell.name)) ? parts : [{ name: cell.name, words: "" }, ...parts];
}
