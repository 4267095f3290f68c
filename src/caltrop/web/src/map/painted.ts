/** Pictures that are painted in a worker, once each: maps, and the boards of the table under them. */
import { painter } from "../painting/aside";
import type { Order } from "./worker";

/** More of them are not kept. */
const KEPT = 12;
const found = new Map<string, Promise<string>>();
const ask = painter<Order, Blob>(
  () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "printer" }),
);

/**
 * Return the address of a picture, painting it if needed.
 *
 * @throws Error if it cannot be painted. The next call tries again.
 */
export function painted(wanted: Order): Promise<string> {
  const key = JSON.stringify(wanted);
  const known = found.get(key);
  if (known !== undefined) return known;
  const fresh = ask(wanted).then((blob) => URL.createObjectURL(blob));
  found.set(key, fresh);
  fresh.catch(() => found.delete(key));
  for (const [old, address] of [...found].slice(0, -KEPT)) {
    found.delete(old);
    address.then((it) => URL.revokeObjectURL(it)).catch(() => undefined);
  }
  return fresh;
}
