/** How the table is touched: by a finger, or with a mouse and keys. What is said of it is said in words of the one or the other. */
import { MediaQuery } from "svelte/reactivity";

const coarse = new MediaQuery("pointer: coarse");

export function byFinger(): boolean {
  return coarse.current;
}

/** What one does to choose something: "tap", or "click". */
export function press(): string {
  return coarse.current ? "tap" : "click";
}
