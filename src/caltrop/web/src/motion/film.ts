/**
 * Plays acts as a film, one after another. Each act has a player for its kind, and ends at the picture it was made for.
 * The film can be sped up, paused, ended act by act or ended as a whole at any moment, and always ends at the same
 * pictures.
 */
import type { Act } from "./acts";
import { play as playAct, still } from "./players";
import { Reel, type Stage } from "./reel";

/** Milliseconds between two acts. */
const BETWEEN = 50;

/** Time for which an act without movement is shown, in milliseconds. */
const HELD = 450;

export interface Showing {
  /** Shows the table after an act. */
  land(act: Act): void | Promise<void>;
  /** Called with the words of an act as it begins. The act waits for a promise. */
  tell(act: Act): void | Promise<void>;
}

export interface Pacing {
  /** Speed; 2 is twice as fast. */
  rate: number;
  /** True to show only the end of each act, for a moment. */
  reduced: boolean;
  /** Return whether the viewer did this act. Pieces that the viewer dropped do not move again. */
  own(act: Act): boolean;
  /** Largest duration of the whole film in milliseconds. The speed is increased if necessary. */
  within?: number;
}

export class Film {
  private reels: Reel[] = [];
  private acting = false;
  private run = 0;
  private speed = 1;
  private hurry = 1;
  private held = false;

  constructor(
    private readonly stage: () => Stage | null,
    private readonly player: typeof playAct = playAct,
  ) {}

  get playing(): boolean {
    return this.acting;
  }

  /** Play acts one after another. Resolve after the last act, with true if it was not ended early. */
  async play(acts: readonly Act[], show: Showing, pacing: Pacing): Promise<boolean> {
    const run = ++this.run;
    this.acting = true;
    this.speed = pacing.rate;
    let left = acts.reduce((sum, act) => sum + lengthOf(act, pacing), 0);
    let time = pacing.within ?? Infinity;
    for (const act of acts) {
      const stage = this.stage();
      const arrival = show.tell(act);
      if (arrival !== undefined) {
        await arrival;
        if (run !== this.run) return false;
      }
      if (stage === null) {
        await show.land(act);
        continue;
      }
      const long = lengthOf(act, pacing);
      this.hurry = Math.max(1, left / Math.max(time, 1));
      left -= long;
      time -= long / this.hurry;
      const reel = new Reel(stage, this.speed * this.hurry, this.held);
      this.reels = [...this.reels, reel];
      let landed = false;
      const land = async (): Promise<void> => {
        if (landed || run !== this.run) return;
        landed = true;
        await show.land(act);
        reel.release();
      };
      if (pacing.reduced) {
        await land();
        await still(act, reel, HELD);
      } else await this.player(act, reel, land, pacing.own(act));
      await land();
      reel.release();
      if (run !== this.run) return false;
      if (!pacing.reduced && acts.length > 1) await reel.wait(BETWEEN);
      if (run !== this.run) return false;
      void reel.rest().then(() => {
        reel.clear();
        this.reels = this.reels.filter((one) => one !== reel);
      });
    }
    this.acting = false;
    return true;
  }

  /** Set the speed, also for the current act. */
  rate(n: number): void {
    this.speed = n;
    for (const reel of this.reels) reel.rate(n * this.hurry);
  }

  hold(on: boolean): void {
    this.held = on;
    for (const reel of this.reels) reel.hold(on);
  }

  /** End the current act. */
  endAct(): void {
    for (const reel of this.reels) reel.end();
  }

  /** Stop the film, and show its end. */
  stop(): void {
    this.run += 1;
    for (const reel of this.reels) reel.end();
    this.reels = [];
    this.acting = false;
  }
}

/** Return the approximate duration of an act at normal speed, in milliseconds. */
export function lengthOf(act: Act, pacing: Pick<Pacing, "reduced">): number {
  if (pacing.reduced) return HELD;
  const { motion } = act;
  const dice = act.line?.reading ? 1450 : 0;
  if (motion === null) return 350;
  const own = {
    move: 930,
    charge: 680,
    place: 220,
    aim: 300,
    shot: 250,
    blow: 250,
    dice: 0,
    loss: 540,
    mark: 420,
    reaction: 420,
    score: 800,
    card: 1300,
    order: 420,
    scatter: 1050,
  }[motion.sort];
  return own + dice + BETWEEN;
}
