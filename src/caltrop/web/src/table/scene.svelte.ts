/** The table of a game on this screen: the pieces, its orientation, and the current drag. */
import type { Game } from "../game.svelte";
import { shown } from "../lib/drag";
import { gridOf } from "../lib/hexes";
import type { Cell, Decision, Group, Offer, Point, Seat } from "../wire/types";

export class Scene {
  readonly picture = $derived.by(() => this.game.view?.picture ?? null);
  /** The grid, if the table has hexes. */
  readonly grid = $derived(this.picture === null ? null : gridOf(this.picture));
  readonly height = $derived(this.picture?.height ?? 1);
  readonly width = $derived(this.picture?.width ?? 1);
  /**
   * Return the screen position of a place. The table's y grows away from the near edge, the screen's y grows downwards.
   * The function is its own inverse.
   */
  readonly put = $derived.by(() => {
    const { width, height } = this;
    return this.game.seats.turned
      ? (p: Point): Point => [width - p[0], p[1]]
      : (p: Point): Point => [p[0], height - p[1]];
  });
  readonly placed = $derived((this.picture?.groups ?? []).filter((group) => group.pieces.length > 0));
  /** The radius of a usual base. */
  readonly usual = $derived.by(() => {
    const radii = (this.picture?.groups ?? [])
      .flatMap((group) => group.pieces.map((piece) => piece.radius))
      .sort((a, b) => a - b);
    return radii[Math.floor(radii.length / 2)] ?? 100;
  });
  readonly draft = $derived.by(() => (this.game.draft?.form === "region" ? this.game.draft : null));
  readonly dragged = $derived.by(() => {
    const unit = this.draft?.region.unit;
    return this.picture?.groups.find((group) => group.id === unit) ?? null;
  });
  /** The unit that is drawn at its dragged place, as a number, so that other units do not depend on the drag. */
  readonly lifted = $derived(this.draft?.goes && this.draft.region.form !== "spot" ? this.draft.region.unit : null);
  /** The end of the drag. */
  readonly comes = $derived(this.draft === null ? null : shown(this.draft));
  /** The dragged unit at its new place. */
  readonly ghosts = $derived.by((): Group[] => {
    const places = this.game.plan.wouldStand;
    if (this.dragged === null || Object.keys(places).length === 0) return [];
    const pieces = this.dragged.pieces.map((piece) => ({ ...piece, at: places[piece.id] ?? piece.at }));
    return [{ ...this.dragged, name: `${this.dragged.name}, as they would stand`, pieces }];
  });

  constructor(private readonly played: () => Game) {}

  get game(): Game {
    return this.played();
  }

  seatOf(side: number): Seat | undefined {
    return this.picture?.seats.find((seat) => seat.side === side);
  }

  standingIn(cell: Cell): Group[] {
    return this.placed.filter((group) => group.pieces.some((piece) => this.grid?.at(piece.at) === cell));
  }

  /** On a map of hexes a unit may be dragged if it has an offer with a place or a target. */
  mayBeCarried(unit: number): boolean {
    return (
      this.grid !== null &&
      this.game.choices.offers.some(
        ({ offer }) => offer.unit === unit && (offer.spot !== null || offer.target !== null),
      )
    );
  }

  /** Return whether an answer is about the unit's own place, or about none. */
  standsOn(unit: number, { spot, target }: Offer): boolean {
    const at = this.placed.find((group) => group.id === unit)?.pieces[0]?.at;
    return target === null && (spot === null || (at !== undefined && this.grid?.at(at) === this.grid?.at(spot)));
  }

  /** Return the answer that a click on a target chooses: the one after the current one. */
  nextAt(id: number): { decision: Decision; offer: Offer } | undefined {
    const aimed = this.game.choices.offersAt(id);
    return aimed[(aimed.findIndex(({ offer }) => this.game.plan.isChosen(offer)) + 1) % Math.max(aimed.length, 1)];
  }

  /** Carry out the effect of a click on a unit. */
  pressUnit(id: number): void {
    const { game } = this;
    if (game.draft?.form === "region" && game.ahead.planAt(id)) return;
    if (game.sight.looking && game.selected !== null && game.sight.sightings.some((one) => one.target === id)) {
      game.sight.lookedAt = id;
      return;
    }
    const aimed = game.choices.offersAt(id);
    if (aimed.length > 0) {
      const next = this.nextAt(id);
      // If one unit has several acts, the plain one begins. If several units could act, the person still has to choose
      // one.
      const several = new Set(aimed.map(({ offer }) => offer.unit)).size > 1;
      if (next !== undefined) game.choosing.choose(next.decision, next.offer, several);
      return;
    }
    if (game.passTo(id)) return;
    game.select(id);
    // If the unit has exactly one thing to do, it is chosen; a move is only prepared.
    const begins = game.choices.startOf(id);
    if (begins !== null) {
      game.choosing.choose(begins.decision, begins.offer);
      return;
    }
    const own = game.choices.offers.filter(({ offer }) => offer.unit === id);
    const [only] = own;
    if (this.grid !== null && only !== undefined && own.length === 1)
      game.choosing.choose(only.decision, only.offer, !this.standsOn(id, only.offer));
  }
}
