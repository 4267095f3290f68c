/**
 * One act while it is played. The act's animations can be sped up, paused and ended, and all its drawings are removed
 * at the end.
 */
import type { Act } from "./acts";
import type { Box } from "./dice";
import type { Card, Point } from "../wire/types";
import type { Sound } from "./sounds";

/** A part of the film that ends by itself. */
export interface Running {
  readonly done: Promise<void>;
  rate(n: number): void;
  hold(on: boolean): void;
  end(): void;
}

export type Frames = Record<string, string | number | (string | number)[]>;

export interface Timing {
  ms: number;
  after?: number;
  ease?: string;
}

/** A drawing that can be animated and removed. Removing the drawing restores the element that was there before. */
export interface Thing {
  run(frames: Frames, timing: Timing): Running;
  away(): void;
}

export type Layer = "under" | "over";

/** The stage where acts are drawn. Places are in the plane of the table, sizes of drawings in pixels. */
export interface Stage {
  /** Pixels for each unit of the plane. */
  readonly k: number;
  readonly put: (at: Point) => Point;
  /** Draw SVG markup at a place; its sizes are in pixels. */
  draw(markup: string, at: Point, layer?: Layer): Thing;
  /** Draw on the plane, in its own units. */
  drawn(markup: string, layer?: Layer): Thing;
  /** Return a piece on the table, or null if it is not drawn. */
  piece(id: number): Thing | null;
  /** Return everything that moves with a unit besides its pieces. */
  belongings(unit: number): Thing[];
  /** Draw something that flies over the page, from a place on the table to a side's points. */
  fly(markup: string, at: Point, side: number): Thing | null;
  /** Draws a card that flies from a side's seat to a place, and is turned face up on the way. */
  turnedUp(card: Card, at: Point, side: number): Thing | null;
  wait(ms: number): Running;
  sound(name: Sound, after?: number): void;
  /** Bring the place of an act into view if the camera follows acts. Return a promise while the camera moves. */
  follow?(act: Act): Promise<void> | undefined;
  /** The visible part of the plane, in pixels. */
  readonly seen: Box;
  /** The plane with its margin, in pixels. */
  readonly table: Box;
  /** The areas of the plane under elements of the page, in pixels. */
  readonly covers: readonly Box[];
}

export const EASE = {
  out: "cubic-bezier(.2,.7,.2,1)",
  in: "cubic-bezier(.6,0,.9,.4)",
  both: "cubic-bezier(.45,0,.25,1)",
  fall: "cubic-bezier(.35,0,.75,.6)",
};

const NOTHING: Thing = {
  run: () => ({ done: Promise.resolve(), rate: () => undefined, hold: () => undefined, end: () => undefined }),
  away: () => undefined,
};

export class Reel {
  private readonly running = new Set<Running>();
  private readonly things = new Set<Thing>();
  /** Elements of the table itself. */
  private readonly borrowed = new Set<Thing>();
  private over = false;

  constructor(
    readonly stage: Stage,
    private speed: number,
    private held: boolean,
  ) {}

  /** Return whether the act was ended early. Animations after that take no time and draw nothing. */
  get ended(): boolean {
    return this.over;
  }

  draw(markup: string, at: Point, layer: Layer = "over"): Thing {
    return this.over ? NOTHING : this.keep(this.stage.draw(markup, at, layer));
  }

  drawn(markup: string, layer: Layer = "under"): Thing {
    return this.over ? NOTHING : this.keep(this.stage.drawn(markup, layer));
  }

  fly(markup: string, at: Point, side: number): Thing | null {
    const thing = this.over ? null : this.stage.fly(markup, at, side);
    return thing === null ? null : this.keep(thing);
  }

  turnedUp(card: Card, at: Point, side: number): Thing | null {
    const thing = this.over ? null : this.stage.turnedUp(card, at, side);
    return thing === null ? null : this.keep(thing);
  }

  /** Add an element of the table itself. */
  piece(id: number): Thing {
    const thing = this.over ? null : this.stage.piece(id);
    if (thing === null) return NOTHING;
    this.borrowed.add(thing);
    return thing;
  }

  belongings(unit: number): Thing[] {
    const things = this.over ? [] : this.stage.belongings(unit);
    for (const thing of things) this.borrowed.add(thing);
    return things;
  }

  sound(name: Sound, after = 0): void {
    if (!this.over) this.stage.sound(name, after);
  }

  /** Return the table's own drawings to the places of the picture. */
  release(): void {
    for (const thing of this.borrowed) thing.away();
    this.borrowed.clear();
  }

  run(thing: Thing, frames: Frames, timing: Timing): Promise<void> {
    return this.over ? Promise.resolve() : this.began(thing.run(frames, timing));
  }

  wait(ms: number): Promise<void> {
    return this.over ? Promise.resolve() : this.began(this.stage.wait(ms));
  }

  rate(n: number): void {
    this.speed = n;
    for (const one of this.running) one.rate(n);
  }

  hold(on: boolean): void {
    this.held = on;
    for (const one of this.running) one.hold(on);
  }

  /** End all animations at once. */
  end(): void {
    this.over = true;
    for (const one of Array.from(this.running)) one.end();
    this.clear();
  }

  /** Remove all remaining drawings. */
  clear(): void {
    this.release();
    for (const thing of this.things) thing.away();
    this.things.clear();
  }

  /** Resolve when all animations have ended. */
  async rest(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running].map((one) => one.done));
  }

  private keep(thing: Thing): Thing {
    this.things.add(thing);
    return thing;
  }

  private began(one: Running): Promise<void> {
    this.running.add(one);
    one.rate(this.speed);
    if (this.held) one.hold(true);
    return one.done.then(() => void this.running.delete(one));
  }
}
