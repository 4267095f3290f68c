/** Finds out whether the table is used by finger or by mouse and keys, for words that fit. */
import { MediaQuery } from "svelte/reactivity";

const coarse = new MediaQuery("pointer: coarse");

export function byFinger(): boolean {
  return coarse.current;
}

/** Return the verb for choosing something: "tap" or "click". */
export function press(): string {
  return coarse.current ? "tap" : "click";
}
