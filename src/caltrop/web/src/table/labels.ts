/** Where the plates of units go, so that they hide as little as can be: below, above, or beside. */

export interface Box {
  x: number;
  y: number;
  wide: number;
  high: number;
}

export interface Plate {
  id: number;
  /** The unit's bases, on the screen. */
  bases: Box;
  /** The middle of its lowest bases, and of its highest; the middle of all where left out. */
  below?: number;
  above?: number;
  wide: number;
  high: number;
}

function overlap(a: Box, b: Box): number {
  const wide = Math.min(a.x + a.wide, b.x + b.wide) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.high, b.y + b.high) - Math.max(a.y, b.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** A plate over another hides more than one over bases: both become unreadable. */
const PLATE_ON_PLATE = 6;

/** The place of each plate: the middle of its upper edge. The first place with the least in the way is taken. */
export function layOut(plates: readonly Plate[], models: readonly { id: number; box: Box }[], gap = 4): Map<number, { x: number; y: number }> {
  const found = new Map<number, { x: number; y: number }>();
  const taken: Box[] = [];
  for (const { id, bases, wide, high, below, above } of plates) {
    const middle = bases.x + bases.wide / 2;
    const level = bases.y + bases.high / 2 - high / 2;
    const candidates = [
      { x: below ?? middle, y: bases.y + bases.high + gap },
      { x: above ?? middle, y: bases.y - high - gap },
      { x: bases.x + bases.wide + gap + wide / 2, y: level },
      { x: bases.x - gap - wide / 2, y: level },
      // Where all is full: a row farther off, and the corners.
      ...[1, -1].flatMap((aside) => [
        { x: middle + (aside * (bases.wide + wide)) / 2, y: bases.y + bases.high + gap },
        { x: middle + (aside * (bases.wide + wide)) / 2, y: bases.y - high - gap },
      ]),
      { x: below ?? middle, y: bases.y + bases.high + 2 * gap + high },
      { x: above ?? middle, y: bases.y - 2 * (high + gap) },
      { x: middle - wide / 2, y: bases.y + bases.high + 2 * gap + high },
      { x: middle + wide / 2, y: bases.y + bases.high + 2 * gap + high },
      { x: middle - wide / 2, y: bases.y - 2 * (high + gap) },
      { x: middle + wide / 2, y: bases.y - 2 * (high + gap) },
      { x: below ?? middle, y: bases.y + bases.high + 3 * gap + 2 * high },
      { x: above ?? middle, y: bases.y - 3 * (high + gap) },
    ];
    let best = candidates[0];
    let least = Infinity;
    for (const place of candidates) {
      const box = { x: place.x - wide / 2, y: place.y, wide, high };
      const hidden =
        models.reduce((sum, model) => sum + overlap(box, model.box), 0) +
        PLATE_ON_PLATE * taken.reduce((sum, other) => sum + overlap(box, other), 0);
      if (hidden < least - 0.5) {
        least = hidden;
        best = place;
      }
    }
    if (best === undefined) continue;
    found.set(id, best);
    taken.push({ x: best.x - wide / 2, y: best.y, wide, high });
  }
  return found;
}
