/** Draws acts on the table, in two layers of its plane, and over the page if they fly to the sides. */
import { mount, unmount } from "svelte";

import { sideClass } from "../lib/measure";
import CardFace from "../panels/CardFace.svelte";
import type { Card, Point } from "../wire/types";
import type { Box } from "./dice";
import type { Frames, Layer, Running, Stage, Thing, Timing } from "./reel";
import { sound } from "./sounds";
import type { Lie } from "./where";

const SVG = "http://www.w3.org/2000/svg";

function running(animation: Animation): Running {
  // The time of this frame is used; otherwise each link of a chain would cost a frame.
  animation.startTime = document.timeline.currentTime;
  return {
    done: animation.finished.then(
      () => undefined,
      () => undefined,
    ),
    rate: (n) => animation.updatePlaybackRate(n),
    hold: (on) => (on ? animation.pause() : animation.play()),
    end: () => animation.finish(),
  };
}

class Drawn implements Thing {
  private readonly animations: Animation[] = [];

  constructor(
    private readonly element: Element,
    private readonly remove: () => void,
    private flight: [string, string] | null = null,
  ) {}

  run(frames: Frames, timing: Timing): Running {
    const flown = this.flight === null ? frames : { ...frames, transform: spread(this.flight, frames) };
    this.flight = null;
    const animation = this.element.animate(flown as PropertyIndexedKeyframes, {
      duration: timing.ms,
      delay: timing.after ?? 0,
      easing: timing.ease ?? "linear",
      fill: "both",
    });
    this.animations.push(animation);
    return running(animation);
  }

  away(): void {
    for (const animation of this.animations.splice(0)) animation.cancel();
    this.remove();
  }
}

/** The ends of a flight are cached for a number of frames. */
function spread([from, to]: [string, string], frames: Frames): string[] {
  const many = Math.max(2, ...Object.values(frames).map((one) => (Array.isArray(one) ? one.length : 1)));
  return Array.from({ length: many }, (_, i) => (i === 0 ? from : to));
}

export class TableStage implements Stage {
  constructor(
    private readonly plane: SVGGElement,
    private readonly layers: Record<Layer, SVGGElement>,
    /** Returns the position and scale of the table now. */
    private readonly lie: () => Lie,
    readonly follow: NonNullable<Stage["follow"]>,
  ) {}

  get k(): number {
    return this.lie().k;
  }

  get seen(): Box {
    return this.lie().seen;
  }

  get table(): Box {
    return this.lie().table;
  }

  get covers(): readonly Box[] {
    return this.lie().covers;
  }

  // Both functions can be tested without the stage.
  readonly put = (at: Point): Point => this.lie().put(at);
  readonly sound = sound;

  draw(markup: string, at: Point, layer: Layer = "over"): Thing {
    const [x, y] = this.put(at);
    return this.made(
      `<g style="transform: translate(${x}px, ${y}px)"><g class="still"><g data-acts>${markup}</g></g></g>`,
      layer,
    );
  }

  drawn(markup: string, layer: Layer = "under"): Thing {
    return this.made(`<g data-acts>${markup}</g>`, layer);
  }

  private made(markup: string, layer: Layer): Thing {
    const root = document.createElementNS(SVG, "g");
    root.innerHTML = markup;
    this.layers[layer].append(root);
    return new Drawn(root.querySelector("[data-acts]") ?? root, () => root.remove());
  }

  piece(id: number): Thing | null {
    const element = this.plane.querySelector(`[data-piece="${id}"]`);
    return element === null ? null : new Drawn(element, () => undefined);
  }

  belongings(unit: number): Thing[] {
    return [
      ...this.plane.querySelectorAll(`:is(.label, .marks)[data-unit="${unit}"], [data-unit="${unit}"] > .marks`),
    ].map((element) => new Drawn(element, () => undefined));
  }

  fly(markup: string, at: Point, side: number): Thing | null {
    const root = document.createElement("div");
    root.innerHTML = markup;
    return this.flown(root, at, side, true, () => undefined);
  }

  turnedUp(card: Card, at: Point, side: number): Thing | null {
    const root = document.createElement("div");
    root.innerHTML =
      `<div class="m-card ${sideClass(side)}"><div ` + `class="m-back"></div><div class="m-front"></div></div>`;
    const front = root.querySelector(".m-front");
    if (front === null) return null;
    const face = mount(CardFace, { target: front, props: { card } });
    return this.flown(root, at, side, false, () => void unmount(face));
  }

  private flown(root: HTMLElement, at: Point, side: number, home: boolean, gone: () => void): Thing | null {
    const seat = document.querySelector(`[data-seat="${side}"]`)?.getBoundingClientRect();
    const matrix = this.plane.getScreenCTM();
    if (seat === undefined || matrix === null) {
      gone();
      return null;
    }
    const here = new DOMPoint(...this.put(at)).matrixTransform(matrix);
    const there = { x: seat.left + seat.width * (home ? 0.75 : 0.3), y: seat.top + seat.height / 2 };
    root.className = "m-flies";
    root.setAttribute("aria-hidden", "true");
    document.body.append(root);
    const place = (p: { x: number; y: number }, more: string): string =>
      `translate(${p.x}px, ${p.y}px) translate(-50%, -50%) ${more}`;
    const flight: [string, string] = home
      ? [place(here, "scale(1.3)"), place(there, "scale(0.7)")]
      : [
          place(there, "perspective(900px) scale(0.25) rotateY(180deg)"),
          place(here, "perspective(900px) scale(1) rotateY(0deg)"),
        ];
    let lies = true;
    return new Drawn(
      root,
      () => {
        if (lies) gone();
        lies = false;
        root.remove();
      },
      flight,
    );
  }

  wait(ms: number): Running {
    // Animate the existing layer to wait: an animation without an element never ends.
    return running(this.layers.under.animate({ opacity: [1, 1] }, { duration: ms }));
  }
}
