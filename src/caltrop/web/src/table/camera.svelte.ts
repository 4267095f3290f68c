/**
 * The camera of the table. During a gesture, the drawn table is moved and scaled as a whole by one transform, which the
 * browser applies without drawing. When the gesture rests, the table is drawn for its new size, because words, plates,
 * signs and lines keep their sizes on the screen.
 */
import { select } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent } from "d3-zoom";

import { lessMotion } from "../lib/settings.svelte";
import type { Point } from "../wire/types";

/** A position of the camera: pixel `p` of the drawn table is shown at `k * p + (x, y)`. */
interface Look {
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

/** A part of the table, in its own units. */
type Part = Readonly<Record<"x" | "y" | "wide" | "high", number>>;

/** The table in its own units, and the margins in pixels around it. */
interface Sheet {
  width: number;
  height: number;
  margin: number;
  /** The margin below it, if that is larger. */
  foot?: number;
  /** True if the table is at the top of its place, with cards below. */
  rises?: boolean;
}

const CLOSEST = 9;
/** Milliseconds without movement after which a gesture counts as over. */
const REST = 250;
/** Milliseconds of a camera movement that no gesture drives. */
const GLIDE = 220;
/** Factor by which a part must become larger, so that the camera moves although it is in view. */
const NEARER = 1.5;
/** Largest factor by which a drawn table may be scaled before the gesture rests. */
const STRETCH = 4;

export class Camera {
  /** The size of the frame on the screen, in pixels. */
  wide = $state(0);
  high = $state(0);
  /** Scale at which the table is drawn, as a multiple of the scale at which the whole table fits. */
  scale = $state(1);
  /** Position of the plane's upper left corner in the frame, in pixels. */
  origin = $state.raw<Point>([0, 0]);

  private readonly sheet: Sheet = $derived.by(() => this.laid(this.wide));
  private readonly foot = $derived(this.sheet.foot ?? this.sheet.margin);
  /** Pixels for each table unit when the whole table is in view. */
  readonly fit = $derived(
    Math.max(
      Math.min(
        (this.wide - 2 * this.sheet.margin) / this.sheet.width,
        (this.high - this.sheet.margin - this.foot) / this.sheet.height,
      ),
      1e-6,
    ),
  );
  /** Pixels for each table unit, as it is drawn. */
  readonly k = $derived(this.fit * this.scale);
  /** The table with the margin around it, in pixels from its upper left corner. */
  readonly seen = $derived.by(() => {
    const [left, top] = this.corner;
    return { x: -left * this.scale, y: -top * this.scale, wide: this.wide * this.scale, high: this.high * this.scale };
  });

  /** The visible part, in pixels from the table's upper left corner, as of the last drawing. */
  readonly sight = $derived({ x: -this.origin[0], y: -this.origin[1], wide: this.wide, high: this.high });

  private frame: HTMLElement | undefined;
  private plane: SVGGElement | undefined;
  private drawn: Look = zoomIdentity;
  private now: Look = zoomIdentity;
  private resting: ReturnType<typeof setTimeout> | undefined;
  /** The next frame of a camera movement that no gesture drives; 0 without one. */
  private gliding = 0;
  /** Called when that movement ends, or is ended. */
  private arrived: (() => void) | null = null;
  /** True if the person has moved the camera since the whole table was visible. */
  private guided = false;
  /** Position of the frame on the page during a drag. Reading it at each move would force a layout. */
  private held: DOMRect | null = null;

  /**
   * One rule sets the scale of everything that keeps its size on the screen. A property on the group would restyle
   * every element in it.
   */
  private readonly rules = new CSSStyleSheet();
  private readonly sized: CSSStyleRule;

  private readonly behaviour = zoom<HTMLElement, unknown>()
    .scaleExtent([1, CLOSEST])
    // The size is known. Reading it from the page would force a layout for every turn of the wheel.
    .extent(() => [
      [0, 0],
      [this.wide, this.high],
    ])
    .clickDistance(5)
    .on("zoom", (event: D3ZoomEvent<HTMLElement, unknown>) => {
      const gesture = event.sourceEvent !== null;
      if (gesture) {
        this.guided = true;
        this.stop();
      }
      this.follow(event.transform, gesture || this.gliding > 0);
    })
    .on("end", (event: D3ZoomEvent<HTMLElement, unknown>) => {
      // A wheel sends no event at its end. Its gesture ends when it rests.
      if ((event.sourceEvent as Event | null)?.type !== "wheel" && this.gliding === 0) this.draw();
    });

  /**
   * @param laid Returns the table for a place of a given width in pixels.
   * @param pans Returns whether a press on an element moves the table.
   */
  constructor(
    private readonly laid: (wide: number) => Sheet,
    pans: (target: EventTarget | null) => boolean,
  ) {
    this.rules.insertRule("[data-plane] .still { transform: scale(1) }");
    this.sized = this.rules.cssRules[0] as CSSStyleRule;
    this.behaviour.filter((event: Event) => {
      if ("touches" in event && (event as TouchEvent).touches.length > 1) return true;
      if (event.type === "wheel") return true;
      if (event.type === "dblclick" || (event as MouseEvent).button > 0) return false;
      return pans(event.target);
    });
    $effect(() => {
      this.behaviour.translateExtent([
        [0, 0],
        [this.wide, this.high],
      ]);
      void this.fit;
      this.draw();
    });
  }

  /** Show the plane of a drawing in a frame, which it fills. Return the function that ends this. */
  open(frame: HTMLElement, plane: SVGGElement): () => void {
    [this.frame, this.plane] = [frame, plane];
    const node = select(frame);
    node.call(this.behaviour);
    node.on("dblclick.zoom", null);
    const watch = new ResizeObserver(() => {
      this.letGo();
      this.wide = frame.clientWidth;
      this.high = frame.clientHeight;
    });
    watch.observe(frame);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.rules];
    return () => {
      watch.disconnect();
      clearTimeout(this.resting);
      this.stop();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== this.rules);
    };
  }

  /** The layers of the frame, which are moved and scaled together. */
  private get layers(): Iterable<HTMLElement | SVGSVGElement> {
    return this.frame?.querySelectorAll<HTMLElement | SVGSVGElement>(":scope > [data-moves]") ?? [];
  }

  /** The upper left corner of the table in the frame when all of it is in view. */
  private get corner(): Point {
    const below = this.high - this.sheet.height * this.fit;
    return [
      (this.wide - this.sheet.width * this.fit) / 2,
      this.sheet.rises ? Math.min(this.sheet.margin, below / 2) : Math.min(below / 2, Math.max(0, below - this.foot)),
    ];
  }

  private follow(look: Look, gesture: boolean): void {
    this.now = look;
    clearTimeout(this.resting);
    const grown = look.k / this.drawn.k;
    if (!gesture || grown > STRETCH || grown < 1 / STRETCH) {
      this.draw();
      return;
    }
    const by = `translate(${look.x - grown * this.drawn.x}px, ${look.y - grown * this.drawn.y}px) scale(${grown})`;
    for (const { style } of this.layers) {
      style.setProperty("will-change", "transform");
      style.setProperty("transform", by);
    }
    // A pure shift needs no drawing until the gesture ends.
    if (grown !== 1) this.resting = setTimeout(() => this.draw(), REST);
  }

  /** Draw the table at its current position and scale. */
  private draw(): void {
    clearTimeout(this.resting);
    this.drawn = this.now;
    const { x, y, k } = this.now;
    const [left, top] = this.corner;
    const all = this.fit * k;
    for (const { style } of this.layers) {
      style.removeProperty("transform");
      style.removeProperty("will-change");
    }
    this.plane?.setAttribute("transform", `translate(${x + left * k} ${y + top * k}) scale(${all})`);
    const still = `scale(${1 / all})`;
    if (this.sized.style.transform !== still) this.sized.style.transform = still;
    this.scale = k;
    this.origin = [x + left * k, y + top * k];
  }

  /** Number of pixels for each table unit at this moment. */
  get closeness(): number {
    return this.fit * this.now.k;
  }

  closer(factor: number): void {
    this.guided = true;
    this.stop();
    if (this.frame !== undefined) select(this.frame).call(this.behaviour.scaleBy, factor);
  }

  whole(): void {
    this.guided = false;
    this.stop();
    if (this.frame !== undefined) select(this.frame).call(this.behaviour.transform, zoomIdentity);
  }

  /**
   * Move to a part of the table, or to all of it. Nothing is done if the person chose the visible part. Return a
   * promise for the end of a movement.
   */
  show(part: Part | null, closest = CLOSEST): Promise<void> | undefined {
    if (this.frame === undefined || this.guided) return undefined;
    const to = part === null ? zoomIdentity : this.lookAt(part, closest);
    const from = this.now;
    this.stop();
    if (from.k === to.k && from.x === to.x && from.y === to.y) return undefined;
    const node = select(this.frame);
    const go = (share: number): void => {
      const k = from.k + (to.k - from.k) * share;
      const x = from.x + (to.x - from.x) * share;
      const y = from.y + (to.y - from.y) * share;
      node.call(this.behaviour.transform, zoomIdentity.translate(x, y).scale(k));
    };
    if (lessMotion()) {
      go(1);
      return undefined;
    }
    const since = performance.now();
    const step = (): void => {
      const share = Math.min((performance.now() - since) / GLIDE, 1);
      if (share < 1) this.gliding = requestAnimationFrame(step);
      else this.gliding = 0;
      go(share * (2 - share));
      if (share === 1) this.stop();
    };
    this.gliding = requestAnimationFrame(step);
    return new Promise((resolve) => (this.arrived = resolve));
  }

  /**
   * Move to a part of the table where something happens. The camera stays if it shows that part well already, because
   * every movement costs attention.
   */
  attend(part: Part, closest: number): Promise<void> | undefined {
    const { x, y, k } = this.now;
    const [left, top] = this.corner;
    const all = this.fit * k;
    const [west, north] = [x + (left + part.x * this.fit) * k, y + (top + part.y * this.fit) * k];
    const inside =
      west >= -1 && north >= -1 && west + part.wide * all <= this.wide + 1 && north + part.high * all <= this.high + 1;
    if (inside && this.lookAt(part, closest).k < NEARER * k) return undefined;
    return this.show(part, closest);
  }

  /** Return the position from which a part of the table fills the frame, as far as the frame stays full. */
  private lookAt(part: Part, closest: number): Look {
    const [left, top] = this.corner;
    const fills = Math.min(this.wide / (part.wide * this.fit), this.high / (part.high * this.fit));
    const k = Math.max(1, Math.min(fills, closest));
    const along = (size: number, middle: number): number =>
      Math.min(0, Math.max(size - size * k, size / 2 - k * middle));
    return {
      k,
      x: along(this.wide, left + (part.x + part.wide / 2) * this.fit),
      y: along(this.high, top + (part.y + part.high / 2) * this.fit),
    };
  }

  private stop(): void {
    cancelAnimationFrame(this.gliding);
    this.gliding = 0;
    this.arrived?.();
    this.arrived = null;
  }

  /** Scroll to a place that is near or beyond the edge of the frame. */
  bringIn(place: Point): void {
    const { x, y, k } = this.now;
    const [left, top] = this.corner;
    const at: Point = [x + (left + place[0] * this.fit) * k, y + (top + place[1] * this.fit) * k];
    if (this.frame === undefined) return;
    if (at[0] > 20 && at[0] < this.wide - 20 && at[1] > 20 && at[1] < this.high - 20) return;
    select(this.frame).call(this.behaviour.translateBy, (this.wide / 2 - at[0]) / k, (this.high / 2 - at[1]) / k);
  }

  /** Remember the position of the frame until the pointer is released. */
  hold(): void {
    this.held = this.frame?.getBoundingClientRect() ?? null;
  }

  letGo(): void {
    this.held = null;
  }

  /** Return the place on the plane under the pointer. */
  under(event: { clientX: number; clientY: number }): Point {
    if (this.frame === undefined) return [0, 0];
    const box = this.held ?? this.frame.getBoundingClientRect();
    const { x, y, k } = this.now;
    const [left, top] = this.corner;
    return [
      ((event.clientX - box.left - x) / k - left) / this.fit,
      ((event.clientY - box.top - y) / k - top) / this.fit,
    ];
  }
}
