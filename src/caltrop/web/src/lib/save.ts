/** Saving what the server gives as a file of this computer's. */
import { ask } from "../wire/api";
import type { View } from "../wire/types";

const NAMES = { record: "caltrop", report: "caltrop-report" } as const;

/** Save the recorded game, or a report of a fault with everything that is needed to see it again. */
export async function saveAs(
  kind: keyof typeof NAMES,
  id: string,
  tokens: readonly string[],
  view: View | null,
): Promise<void> {
  let found = await ask<Record<string, unknown>>(`/api/games/${id}/${kind}`, tokens);
  if (kind === "report") found = { ...found, browser: navigator.userAgent, window: [innerWidth, innerHeight], seen: view?.seq ?? null };
  const file = new Blob([JSON.stringify(found)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${view?.ruleset ?? "game"}-${id}.${NAMES[kind]}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
