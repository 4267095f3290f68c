import type { Group } from "../wire/shapes";

/** Return the name of a unit in a sentence, with its side if another side has a unit of the same name. */
export function calledOf(group: Pick<Group, "name" | "called"> | undefined): string {
  return group?.called ?? group?.name ?? "";
}

/** Return the strength that is left of a unit, in words: `strength 3/4`. A mark that counts nothing, such as `Q3`,
 * stands alone. */
export function strengthWords({ strength }: Pick<Group, "strength">): string {
  return /^\d/.test(strength) ? `strength ${strength}` : strength;
}
