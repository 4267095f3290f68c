/** The ruler on the table: its ends snap to things there, by pointer and by keyboard. */
import { betweenWords, caught, rulerWords, type End } from "../lib/ruler";
import type { Point } from "../wire/types";
import type { Camera } from "./camera.svelte";
import type { Scene } from "./scene.svelte";

/** Pixels within which an end snaps. */
const CATCH = 16;

export class Ruler {
  private ends = $state.raw<{ start: End; end: End; fixed: boolean } | null>(null);
  /** The measured distance in words, and where to draw it. */
  readonly measured = $derived.by(() => {
    const { picture, put } = this.scene;
    if (this.ends === null || picture === null) return null;
    const { start, end } = this.ends;
    return {
      a: put(start.at),
      b: put(end.at),
      words: betweenWords(picture, start, end),
      all: rulerWords(picture, start, end),
    };
  });

  constructor(
    private readonly scene: Scene,
    private readonly camera: Camera,
  ) {}

  private catchOn(at: Point): End {
    const { picture, ghosts } = this.scene;
    return picture === null
      ? { at, radius: 0, name: "", unit: null }
      : caught(picture, at, CATCH / this.camera.closeness, ghosts);
  }

  private mark(end: End): void {
    this.ends =
      this.ends === null || this.ends.fixed ? { start: end, end, fixed: false } : { ...this.ends, end, fixed: true };
  }

  /** Set an end here: first the start, then the end, then a new start. */
  press(at: Point): void {
    this.mark(this.catchOn(at));
  }

  /** Start a new measurement here. */
  begin(at: Point): void {
    const end = this.catchOn(at);
    this.ends = { start: end, end, fixed: false };
  }

  /** Let the free end follow the pointer. */
  follow(at: Point): void {
    if (this.ends !== null && !this.ends.fixed) this.ends = { ...this.ends, end: this.catchOn(at) };
  }

  /** Move the free end by arrow keys, starting at the selected unit or in the middle. */
  step(dx: number, dy: number): void {
    const { picture, grid, game, width, height } = this.scene;
    if (picture === null) return;
    const start = this.catchOn(game.unit?.pieces[0]?.at ?? [width / 2, height / 2]);
    const now = this.ends === null || this.ends.fixed ? { start, end: start, fixed: false } : this.ends;
    const [x, y] = now.end.at;
    const next: Point =
      grid === null ? [x + dx, y + dy] : grid.step(grid.nearest(now.end.at), dx, dy, now.start.at[0]).at;
    this.ends = { ...now, end: this.catchOn(next) };
  }

  /** Fix the free end at its place. */
  putDown(): void {
    if (this.ends !== null && !this.ends.fixed) this.mark(this.ends.end);
  }

  away(): void {
    this.ends = null;
  }
}
