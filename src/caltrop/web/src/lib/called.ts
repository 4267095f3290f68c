import type { Group } from "../wire/shapes";

/** The name of a unit in a sentence: with its side, where another side has a unit of that name as well. */
export function calledOf(group: Pick<Group, "name" | "called"> | undefined): string {
  return group?.called ?? group?.name ?? "";
}
