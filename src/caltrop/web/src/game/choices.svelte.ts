/** The current choices by unit, and the selected unit. */
import { distance } from "../lib/measure";
import { confirmsAlways } from "../lib/settings.svelte";
import type { Decision, Group, Offer, Piece, Point, Region, View } from "../wire/types";
import type { Feed } from "./feed.svelte";

/** Return the words for the act after a first act, such as `then shoot`; empty if no act follows. */
export function afterwards(one: Offer | Region): string {
  return !one.first ? "" : one.words.slice(one.first.length).replace(/^[,; ]+/, "");
}

/** Return whether two choices begin with the same act, whatever act follows. */
export function beginAlike(a: Offer | Region, b: Offer | Region): boolean {
  if (a === b) return true;
  if (!a.first || a.first !== b.first || a.unit !== b.unit) return false;
  if ("form" in a || "form" in b) return "form" in a && "form" in b && a.form === b.form;
  return a.target === b.target && JSON.stringify(a.spot) === JSON.stringify(b.spot);
}

/** The largest gap between bases that touch, as the rules measure it: 0.2 mm. */
const CONTACT = 2;

/** Return whether bases of two units touch. */
function touch(one: Group, other: Group): boolean {
  return one.pieces.some((a) => other.pieces.some((b) => distance(a.at, b.at) <= a.radius + b.radius + CONTACT));
}

/** Return the first choice of each group that begins with the same act. */
function heads<T extends { offer: Offer } | { region: Region }>(all: readonly T[]): T[] {
  const what = (one: T): Offer | Region => ("offer" in one ? one.offer : one.region);
  const groups = new Map<string, T[]>();
  return all.filter((one) => {
    const { first, unit } = what(one);
    if (!first) return true;
    const others = groups.get(`${unit} ${first}`) ?? [];
    if (others.some((other) => beginAlike(what(other), what(one)))) return false;
    groups.set(`${unit} ${first}`, [...others, one]);
    return true;
  });
}

/**
 * Return the units that some decisions ask about.
 *
 * @param undoing True to include units that can only take an answer back.
 */
export function unitsOf(decisions: readonly Decision[], undoing = true): Set<number> {
  const units = new Set<number>();
  for (const decision of decisions) {
    for (const offer of decision.offers) if (offer.unit !== null && (undoing || !offer.undoes)) units.add(offer.unit);
    for (const region of decision.regions) if (region.unit >= 0) units.add(region.unit);
  }
  return units;
}

/** A question that is answered by a set of models. */
export interface Picking {
  decision: Decision;
  /** The field of the answer that lists the models. */
  field: string;
  /** The models that may be chosen. */
  among: ReadonlySet<number>;
  least: number;
  most: number;
}

export class Choices {
  selected = $state<number | null>(null);
  /** True if a question selected the unit, and no person has looked at it since. */
  private byQuestion = $state(false);
  readonly unit = $derived.by(
    (): Group | null => this.feed.view?.picture.groups.find((group) => group.id === this.selected) ?? null,
  );
  readonly decisions = $derived.by((): Decision[] =>
    this.feed.past !== null || this.feed.throwing ? [] : (this.feed.truth?.decisions ?? []),
  );
  /** The units that have answers now. */
  readonly ready = $derived(unitsOf(this.decisions));
  /** The units that can still act. The others can at most take their answer back. */
  readonly unspent = $derived(unitsOf(this.decisions, false));
  /** The units that may be chosen instead of the unit in question. */
  readonly passed = $derived(new Set(this.decisions.flatMap((decision) => decision.passed_by ?? [])));
  readonly allOffers = $derived(
    this.decisions.flatMap((decision) => decision.offers.map((offer) => ({ decision, offer }))),
  );
  readonly allRegions = $derived(
    this.decisions.flatMap((decision) => decision.regions.map((region) => ({ decision, region }))),
  );
  /** The choices; of several that begin alike, only the first. */
  readonly offers = $derived(heads(this.allOffers));
  readonly regions = $derived(heads(this.allRegions));
  /** The unit whose answers are shown: the selected unit if it may act, else the only unit that may. */
  readonly actor = $derived.by((): number | null => {
    if (this.selected !== null && this.ready.has(this.selected)) return this.selected;
    const [only] = this.ready;
    return this.ready.size === 1 ? (only ?? null) : null;
  });
  /** The units that the acting unit may target. */
  readonly targets = $derived.by(() => {
    const targets = new Set<number>();
    for (const { offer } of this.offers)
      if (offer.target !== null && (offer.unit === null || offer.unit === this.actor)) targets.add(offer.target);
    return targets;
  });

  /** The question that is answered by a set of several models, if one is open. */
  readonly picking = $derived.by((): Picking | null => {
    const decision = this.decisions.find(({ picks }) => picks !== undefined);
    const field = decision?.picks;
    if (decision === undefined || field === undefined) return null;
    const sets = decision.offers.map(({ action }) => action[field]).filter((set) => Array.isArray(set)) as number[][];
    const sizes = sets.map((set) => set.length);
    const most = Math.max(...sizes);
    return most < 2 ? null : { decision, field, among: new Set(sets.flat()), least: Math.min(...sizes), most };
  });

  /**
   * The selected unit, if its range is worth showing. It is not while events or an earlier moment are shown. A unit in
   * question must be able to move, or to target something that it does not touch. A unit that is given an order, or
   * that has nothing more to do, needs no range. While no question is open, as in the enemy's turn, the range is shown
   * if a person selected the unit.
   */
  readonly ranging = $derived.by((): Group | null => {
    const { unit } = this;
    const { told, throwing, queue, past } = this.feed;
    if (past !== null || unit === null || told !== null || throwing || queue.length > 0) return null;
    if (this.decisions.length === 0 && this.byQuestion) return null;
    if (!this.ready.has(unit.id)) {
      const done = this.decisions.length > 0 && unit.side === this.feed.view?.you;
      return done || (this.ready.size === 0 && this.byQuestion) ? null : unit;
    }
    if (this.allRegions.some(({ region }) => region.unit === unit.id || region.unit < 0)) return unit;
    if (this.targets.size === 0) return this.byQuestion || !this.moves(unit) ? null : unit;
    const aims = (this.feed.view?.picture.groups ?? []).filter((group) => this.targets.has(group.id));
    return aims.every((group) => touch(group, unit)) ? null : unit;
  });

  constructor(private readonly feed: Feed) {}

  /** Return whether a unit has an answer that takes it to another place. */
  private moves(unit: Group): boolean {
    return this.offers.some(
      ({ offer: { unit: who, spot } }) =>
        who === unit.id && spot !== null && unit.pieces.every(({ at }) => distance(at, spot) > 1),
    );
  }

  /** Select a unit because a person asked for it. */
  select(id: number | null): void {
    this.selected = id;
    this.byQuestion = false;
  }

  /** Select the acting unit if only one unit may act, and keep the selection while the unit may still act. */
  selectWhoActs(view: View): void {
    const units = unitsOf(view.decisions);
    // If units only choose targets, one after another, the next one is selected automatically.
    const aim =
      view.decisions.length > 0 &&
      view.decisions.every(
        (one) => one.regions.length === 0 && one.offers.some((offer) => offer.target !== null && offer.unit !== null),
      );
    const asked = [...units][0] ?? null;
    // A question about no unit, such as one about cards, leaves the selection of an earlier one.
    if (units.size === 0) this.byQuestion = true;
    if (units.size === 1 || (aim && units.size > 0 && (this.selected === null || !units.has(this.selected)))) {
      this.byQuestion ||= this.selected !== asked;
      this.selected = asked;
    } else if (this.selected !== null && !view.picture.groups.some((group) => group.id === this.selected))
      this.selected = null;
  }

  /** The unit after or before the selected unit, among the units that may act. */
  nextReady(step: 1 | -1): Group | null {
    const groups = (this.feed.view?.picture.groups ?? []).filter((group) => this.ready.has(group.id));
    if (groups.length === 0) return null;
    const at = groups.findIndex((group) => group.id === this.selected);
    return groups[at < 0 ? (step === 1 ? 0 : groups.length - 1) : (at + step + groups.length) % groups.length] ?? null;
  }

  /** Return the offers that target a unit; none if the unit may itself be selected to act. */
  offersAt(target: number): { decision: Decision; offer: Offer }[] {
    if (target === this.actor || (this.ready.has(target) && this.isOwn(target))) return [];
    return this.offers.filter(
      ({ offer }) => offer.target === target && (offer.unit === null || offer.unit === this.actor),
    );
  }

  private standsAt(unit: number, at: Point): boolean {
    const group = this.feed.view?.picture.groups.find((one) => one.id === unit);
    return group?.pieces.some((piece) => distance(piece.at, at) < 1) ?? false;
  }

  private isOwn(unit: number): boolean {
    const { view } = this.feed;
    return view?.picture.groups.some((group) => group.id === unit && group.side === view.you) ?? false;
  }

  offersOnSpot(at: Point, reach: number): { decision: Decision; offer: Offer }[] {
    return this.offers
      .filter(({ offer }) => offer.spot !== null && (offer.unit === null || offer.unit === this.actor))
      .filter(({ offer }) => distance(offer.spot ?? at, at) <= reach);
  }

  /** Return the model of a unit at a place, or null. */
  private pieceAt(unit: number, at: Point): Piece | null {
    const piece = this.feed.view?.picture.groups
      .find((group) => group.id === unit)
      ?.pieces.reduce<Piece | null>(
        (best, one) => (best === null || distance(one.at, at) < distance(best.at, at) ? one : best),
        null,
      );
    return !piece || distance(piece.at, at) > Math.max(piece.radius, 1) * 1.6 ? null : piece;
  }

  /** Return the model at a place if it can be chosen with others. */
  pickAt(unit: number, at: Point): number | null {
    const piece = this.picking === null ? null : this.pieceAt(unit, at);
    return piece !== null && this.picking?.among.has(piece.id) ? piece.id : null;
  }

  /** Return the answer for one model of a unit, if the question is which model is affected. */
  offerOnPiece(unit: number, at: Point): { decision: Decision; offer: Offer } | null {
    const piece = this.pieceAt(unit, at);
    if (piece === null) return null;
    return (
      this.offers.find(
        ({ offer }) => offer.unit === unit && offer.spot !== null && distance(offer.spot, piece.at) < 1,
      ) ?? null
    );
  }

  /** Return an open choice of a unit. Without a unit, or for a unit without answers, return an answer that belongs to
   * no unit. */
  regionOf(unit: number | null, forms: readonly string[] = ["move", "place", "spot"]) {
    const open = this.regions.filter(({ region }) => forms.includes(region.form));
    return open.find(({ region }) => region.unit === unit) ?? open.find(({ region }) => region.unit < 0);
  }

  /**
   * Return the only free act a unit can begin with, if there is one: pressing or dragging the unit takes it. In a list,
   * an act at its own place (`here`) counts as well.
   */
  startOf(unit: number, here = false): { decision: Decision; offer: Offer } | null {
    const own = confirmsAlways() ? [] : this.offers.filter(({ offer }) => offer.unit === unit);
    const [only] = own;
    if (only === undefined || own.length > 1 || this.regionOf(unit)?.region.unit === unit) return null;
    const { spot, target, price, final } = only.offer;
    const stands = spot === null || (here && this.standsAt(unit, spot));
    return stands && target === null && price.length === 0 && !final ? only : null;
  }

  /**
   * The only act of the acting unit, if it has a target and costs nothing: the unit can do nothing else, except that
   * its side may end the step.
   */
  get only(): { decision: Decision; offer: Offer } | null {
    const own = this.allOffers.filter(
      ({ offer }) => !offer.final && (offer.unit === null || offer.unit === this.actor),
    );
    const [one] = own;
    if (one === undefined || own.length > 1 || this.regionOf(this.actor) !== undefined) return null;
    return this.actor !== null && one.offer.target !== null && one.offer.price.length === 0 && this.ending !== null
      ? one
      : null;
  }

  /** The offer that ends the step, if there is exactly one. */
  get ending(): { decision: Decision; offer: Offer } | null {
    const finals = this.offers.filter(({ offer }) => offer.final);
    return finals.length === 1 ? (finals[0] ?? null) : null;
  }
}
