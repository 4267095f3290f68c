/** Saves shown data, or a file from the server, on this computer. */
import { ask } from "../wire/api";
import type { View } from "../wire/types";

const NAMES = { record: "caltrop", report: "caltrop-report" } as const;

/** Save the recorded game, or a report of a fault with everything that is needed to reproduce it. */
export async function saveAs(
  kind: keyof typeof NAMES,
  id: string,
  tokens: readonly string[],
  view: View | null,
): Promise<void> {
  let report = await ask<Record<string, unknown>>(`api/games/${id}/${kind}`, tokens);
  if (kind === "report")
    report = { ...report, browser: navigator.userAgent, window: [innerWidth, innerHeight], seen: view?.seq ?? null };
  saveText(`${view?.ruleset ?? "game"}-${id}.${NAMES[kind]}.json`, JSON.stringify(report), "application/json");
}

/** Save a text in a file. */
export function saveText(name: string, text: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Return a table as comma-separated values (RFC 4180), with the names of its columns first. */
export function csvOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cell = (value: unknown): string => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
