/**
 * The seats of this screen: their secrets, the seat that looks at the table, the other people here, and the near edge
 * of the table.
 */
import { cameTo } from "../lib/came";
import { centre } from "../lib/measure";
import { keepGame, knownGame, type KnownGame } from "../lib/seats";
import type { View } from "../wire/types";

/** Return whether the viewer's zone, or else their units, are in the far half of the table. */
export function sitsAtFarEdge(view: View): boolean {
  const { you, picture } = view;
  if (you === null) return false;
  const far = picture.seats.find((seat) => seat.side === you)?.far ?? null;
  if (far !== null) return far;
  const zones = picture.zones.filter((zone) => zone.side === you).flatMap((zone) => zone.outline);
  const units = picture.groups
    .filter((group) => group.side === you)
    .flatMap((group) => group.pieces.map((piece) => piece.at));
  const places = units.length > 0 ? units : zones;
  return places.length > 0 && centre(places)[1] > picture.height / 2;
}

function zonesOf(view: View): string {
  return JSON.stringify(view.picture.zones.map((zone) => [zone.side, zone.outline]));
}

export class Seats {
  known = $state.raw<KnownGame>({ id: "", ruleset: "", title: "", tokens: {}, seen: 0, over: false, curtain: true });
  /** On a shared screen, the side that may see the table. */
  eyes = $state<number | null>(null);
  /** The sides whose player is at a screen now, at this or another. */
  here = $state.raw<number[]>([]);
  /** True if the table is shown from its far edge. */
  turned = $state(false);
  /** The sides that are played on another page now, although this browser has their secrets too. */
  elsewhere = $state.raw<ReadonlySet<number>>(new Set());
  /** The sides that are played on this screen. */
  readonly mine = $derived(
    Object.keys(this.known.tokens)
      .filter((key) => /^\d+$/.test(key))
      .map(Number)
      .filter((side) => !this.elsewhere.has(side)),
  );
  readonly shared = $derived(this.mine.length > 1);

  constructor(id: string) {
    if (id !== "") this.known = knownGame(id) ?? keepGame({ id });
  }

  /** Turn the table to the side that looks, if another side looked before or the sides have changed edges. */
  sit(before: View | null, view: View): void {
    if (before === null || before.you !== view.you || zonesOf(before) !== zonesOf(view))
      this.turned = sitsAtFarEdge(view);
  }

  /** The secrets of the seats that are played on this screen. */
  get tokens(): string[] {
    return Object.entries(this.known.tokens).flatMap(([side, token]) =>
      this.elsewhere.has(Number(side)) ? [] : [token],
    );
  }

  /** Note that seats are played on another page now, or have been handed over (*given*). */
  go(sides: readonly number[], given: boolean): void {
    if (given) this.known = { ...this.known, ...knownGame(this.known.id) };
    else this.elsewhere = new Set([...this.elsewhere, ...sides]);
    if (this.eyes !== null && sides.includes(this.eyes)) this.eyes = null;
  }

  /** Note that seats are played on this screen again. */
  come(sides: readonly number[]): void {
    this.elsewhere = new Set([...this.elsewhere].filter((side) => !sides.includes(side)));
  }

  /** Store in this browser the data of the game that the lobby shows. */
  remember(view: View): void {
    const tokens: Record<string, string> = { ...this.known.tokens };
    if (tokens["seat"] !== undefined && view.you !== null) {
      tokens[view.you] = tokens["seat"];
      delete tokens["seat"];
      this.known = { ...this.known, tokens };
    }
    const title = view.seats.map((seat) => seat.name).join(" v ");
    this.known = keepGame({
      ...this.known,
      ruleset: view.ruleset,
      title,
      over: view.over !== null || view.lesson?.done === true,
      ...(view.over !== null && { came: cameTo(view) }),
      ...(view.lesson && { lesson: view.lesson.title }),
      seen: Date.now(),
    });
  }

  keepCurtain(curtain: boolean): void {
    this.known = keepGame({ ...this.known, curtain });
  }
}
