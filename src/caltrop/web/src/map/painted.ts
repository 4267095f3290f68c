/** Pictures that are painted in a worker, once each: maps, and the boards of the table under them. */
import type { Plan } from "./plan";
import type { Order } from "./worker";

type Wanted = { of: "map"; wide: number; plan: Plan } | { of: "boards"; wide: number; high: number; night: boolean };

/** More of them are not kept. */
const KEPT = 12;
const found = new Map<string, Promise<string>>();
const waiting = new Map<number, (blob: Blob) => void>();
let worker: Worker | null = null;
let last = 0;

/** Whether this browser can paint beside the page; else the flat colours stay. */
export function canPaint(): boolean {
  return typeof OffscreenCanvas !== "undefined" && typeof Worker !== "undefined";
}

/** The address of a picture, painted where it has not been. */
export function painted(wanted: Wanted): Promise<string> {
  const key = JSON.stringify(wanted);
  const known = found.get(key);
  if (known !== undefined) return known;
  const fresh = order(wanted).then((blob) => URL.createObjectURL(blob));
  found.set(key, fresh);
  for (const [old, address] of [...found].slice(0, -KEPT)) {
    found.delete(old);
    void address.then((it) => URL.revokeObjectURL(it));
  }
  return fresh;
}

function order(wanted: Wanted): Promise<Blob> {
  if (worker === null) {
    worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<{ id: number; blob: Blob }>) => {
      waiting.get(data.id)?.(data.blob);
      waiting.delete(data.id);
    };
  }
  const id = ++last;
  const message: Order = { ...wanted, id };
  worker.postMessage(message);
  return new Promise((done) => waiting.set(id, done));
}
