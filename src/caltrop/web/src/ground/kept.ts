/**
 * A cache of painted tables in the browser, so that a table which is opened again is there at once. Without a cache, as
 * in a private window or at an address without encryption, every table is painted again.
 */
import type { View } from "./paint.ts";
import type { Sheet } from "./plan.ts";

const NAME = "caltrop.ground";
/** Number of pictures in the cache. The oldest painting is removed first. */
const MOST = 8;

/** The address of this file. The name of this file in a build changes with the painter. */
const HERE = import.meta.url;

/** Return the address of a picture in the cache. */
async function addressOf(sheet: Sheet, view: View): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify([HERE, sheet, view]));
  const hash = [...new Uint8Array(await crypto.subtle.digest("SHA-256", text))];
  const name = hash.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return new URL(`painted/${name}`, HERE).href;
}

/** Return the cached picture of a table, or null. */
export async function kept(sheet: Sheet, view: View): Promise<ImageBitmap | null> {
  try {
    const cache = await caches.open(NAME);
    const answer = await cache.match(await addressOf(sheet, view));
    return answer === undefined ? null : await createImageBitmap(await answer.blob());
  } catch {
    return null;
  }
}

/** Store the picture on a canvas in the cache. */
export async function keep(sheet: Sheet, view: View, canvas: HTMLCanvasElement): Promise<void> {
  try {
    const blob = await new Promise<Blob | null>((take) => canvas.toBlob(take, "image/webp", 0.9));
    if (blob === null) return;
    const cache = await caches.open(NAME);
    await cache.put(await addressOf(sheet, view), new Response(blob));
    const all = await cache.keys();
    for (const old of all.slice(0, Math.max(0, all.length - MOST))) await cache.delete(old);
  } catch {
    // Without the cache the table is painted again next time.
  }
}
