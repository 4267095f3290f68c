/** Undo and redo. If dice or secrets prevent an undo, the other side is asked for permission. */
import { tick } from "svelte";

import { plain } from "../lib/log";
import type { View } from "../wire/types";
import type { Feed } from "./feed.svelte";
import type { Seats } from "./seats.svelte";
import type { Server } from "./server.svelte";

/** Return why an act cannot be undone, and what can be done about it. */
function barred(undo: View["undo"]): string {
  const why = plain(undo.boundary ?? "");
  const reason = why.replace(/^dice were rolled$/, "dice have been rolled");
  return `This cannot be undone: ${reason}.${undo.takeback ? " Ask the other side?" : ""}`;
}

export class Takeback {
  /** True if pressing undo has any effect. */
  readonly mayUndo = $derived.by(() => {
    const view = this.feed.live;
    if (view === null || this.feed.past !== null || view.you === null || view.over !== null) return false;
    return view.undo.allowed || view.undo.boundary !== null || this.lastHere !== null;
  });

  /** True if undo has just failed, and the other side may be asked for permission. */
  readonly mayAsk = $derived.by(() => {
    const undo = this.feed.past === null ? this.feed.live?.undo : undefined;
    return (
      undo !== undefined &&
      !undo.allowed &&
      undo.takeback &&
      undo.boundary !== null &&
      this.server.notice === barred(undo)
    );
  });

  /** True if an undone act of this screen's seats may be repeated. */
  readonly mayRedo = $derived.by(() => {
    const { past, queue, live } = this.feed;
    return past === null && queue.length === 0 && live?.undo.redo === true;
  });

  /** The seat of this screen that may permit the other side to undo. */
  readonly givesLeave = $derived.by(() => {
    const { undo, you } = this.feed.live ?? {};
    if (undo?.asked === null || undo?.asked === undefined || you === null || you === undefined) return null;
    return you !== undo.asked ? you : (this.seats.mine.find((side) => side !== undo.asked) ?? null);
  });

  /** The other seat of a shared screen, if the latest act was its own. */
  private readonly lastHere = $derived.by(() => {
    const { live } = this.feed;
    const side = live?.log.findLast((entry) => entry.side !== null)?.side ?? null;
    return this.seats.shared && side !== null && side !== live?.you && this.seats.mine.includes(side) ? side : null;
  });

  /** *drop* cancels the prepared answer. */
  constructor(
    private readonly server: Server,
    private readonly feed: Feed,
    private readonly seats: Seats,
    private readonly drop: () => void,
  ) {}

  async undo(): Promise<void> {
    const { live, past } = this.feed;
    if (live === null || past !== null) return;
    this.drop();
    if (this.lastHere !== null) {
      await this.server.send({ type: "undo", side: this.lastHere });
      return;
    }
    if (!live.undo.allowed) {
      // The page first reacts to the dropped draft, whose notice would overwrite this notice.
      await tick();
      this.server.notice = live.undo.boundary === null ? "There is nothing to take back." : barred(live.undo);
      return;
    }
    await this.server.send({ type: "undo", side: live.you });
  }

  async redo(): Promise<void> {
    const { live, past } = this.feed;
    if (live === null || past !== null) return;
    if (!this.mayRedo) {
      this.server.notice = "There is nothing to redo.";
      return;
    }
    this.drop();
    await this.server.send({ type: "redo", side: live.you });
  }

  /** Ask for permission to undo the last act. On a shared screen the side that played last asks. */
  ask(): Promise<void> {
    return this.server.send({ type: "takeback", side: this.lastHere ?? this.feed.live?.you ?? null });
  }

  giveLeave(answer: boolean): Promise<void> {
    return this.server.send({ type: "takeback", side: this.givesLeave, answer });
  }
}
