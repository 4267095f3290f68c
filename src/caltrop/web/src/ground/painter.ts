/** Painted tables, asked for from the page: a worker that is fetched when the first is wanted does them one after the other. */
import type { View } from "./paint.ts";
import type { Sheet } from "./plan.ts";
import type { Order, Painted } from "./worker.ts";

let worker: Worker | null = null;
let last = 0;
const waiting = new Map<number, { done: (painted: Painted) => void; failed: (why: Error) => void }>();

function hired(): Worker {
  if (worker !== null) return worker;
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "painter" });
  worker.addEventListener("message", (event: MessageEvent<Painted>) => {
    waiting.get(event.data.number)?.done(event.data);
    waiting.delete(event.data.number);
  });
  worker.addEventListener("error", () => {
    for (const one of waiting.values()) one.failed(new Error("The painter has stopped"));
    waiting.clear();
    worker = null;
  });
  return worker;
}

/**
 * Have a table painted.
 *
 * @param sheet The table.
 * @param view What of it: in table units, and bitmap pixels for each of them.
 * @throws Error where the painter has stopped.
 */
export function painted(sheet: Sheet, view: View): Promise<Painted> {
  const number = ++last;
  return new Promise((done, failed) => {
    waiting.set(number, { done, failed });
    const order: Order = { number, sheet, view };
    hired().postMessage(order);
  });
}
