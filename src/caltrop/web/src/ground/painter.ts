/** Requests painted tables for the page. */
import { painter } from "../painting/aside.ts";
import type { View } from "./paint.ts";
import type { Sheet } from "./plan.ts";
import type { Order, Painted } from "./worker.ts";

const ask = painter<Order, Painted>(
  () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "painter" }),
);

/**
 * Have a table painted.
 *
 * @param sheet The table.
 * @param view The part to paint, in table units, and bitmap pixels for each of them.
 * @throws Error if the painter fails or has stopped.
 */
export function painted(sheet: Sheet, view: View): Promise<Painted> {
  return ask({ sheet, view });
}
