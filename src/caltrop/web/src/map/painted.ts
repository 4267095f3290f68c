/** Pictures that are painted in a worker, each only once: maps, and the boards of the table under them. */
import { painter } from "../painting/aside";
import type { Order } from "./worker";

/** Largest number of cached paintings. */
const KEPT = 12;
const addresses = new Map<string, Promise<string>>();
const ask = painter<Order, Blob>(
  () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "printer" }),
);

/**
 * Return the address of a picture, painting it if needed.
 *
 * @throws Error if it cannot be painted. After an error, the next call tries again.
 */
export function painted(order: Order): Promise<string> {
  const key = JSON.stringify(order);
  const cached = addresses.get(key);
  if (cached !== undefined) return cached;
  const fresh = ask(order).then((blob) => URL.createObjectURL(blob));
  addresses.set(key, fresh);
  fresh.catch(() => addresses.delete(key));
  for (const [old, address] of [...addresses].slice(0, -KEPT)) {
    addresses.delete(old);
    address.then((it) => URL.revokeObjectURL(it)).catch(() => undefined);
  }
  return fresh;
}
