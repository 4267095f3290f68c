/** Applies numbered changes to the view from which they start. */
import type { Change, Parts, Picture, View } from "./types";

/**
 * Return the view after *change*, or null if the change starts from another moment and the whole view has to be loaded.
 */
export function patched(view: View, change: Change): View | null {
  if (change.base !== view.seq) return null;
  const { type: _type, base: _base, log, talk, picture, ...rest } = change;
  return {
    ...view,
    ...rest,
    log: log === undefined ? view.log : [...view.log, ...log],
    ...(talk === undefined ? {} : { talk: [...(view.talk ?? []), ...talk] }),
    picture: picture === undefined ? view.picture : patchedPicture(view.picture, picture),
  };
}

/** Split a change into the changes that are shown one after another: its steps, then the rest. */
export function inSteps(change: Change): Change[] {
  const { steps, picture: _picture, log = [], ...rest } = change;
  if (steps === undefined) return [change];
  const shown: Change[] = steps.map((step, i) => ({
    type: "change",
    seq: change.base,
    base: change.base,
    log: log.slice(steps[i - 1]?.lines ?? 0, step.lines),
    ...(step.picture === undefined ? {} : { picture: step.picture }),
  }));
  return [...shown, rest];
}

/** Return a picture with differences applied. */
export function patchedPicture(picture: Picture, parts: Parts): Picture {
  const { groups, gone_groups, spots, gone_spots, grounds, gone_grounds, seats, ...whole } = parts;
  return {
    ...picture,
    ...whole,
    groups: merged(picture.groups, groups, gone_groups, (thing) => thing.id),
    spots: merged(picture.spots, spots, gone_spots, (thing) => thing.id),
    grounds: merged(picture.grounds, grounds, gone_grounds, (thing) => thing.id),
    seats: merged(picture.seats, seats, undefined, (thing) => thing.side),
  };
}

function merged<T>(old: T[], put: T[] | undefined, gone: number[] | undefined, key: (thing: T) => number): T[] {
  if (put === undefined && gone === undefined) return old;
  const things = new Map(old.map((thing) => [key(thing), thing]));
  for (const id of gone ?? []) things.delete(id);
  for (const thing of put ?? []) things.set(key(thing), thing);
  return [...things.values()];
}
