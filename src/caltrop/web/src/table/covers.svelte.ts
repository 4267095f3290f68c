/** The elements of the page that lie over the table. Words, odds and dice on the table keep clear of them. */
import type { Attachment } from "svelte/attachments";
import { SvelteMap } from "svelte/reactivity";

import { steady } from "../lib/steady";
import type { Box } from "./labels";

/** Each element with a number that grows when its size changes. */
const lying = new SvelteMap<HTMLElement, number>();

/** Mark an element that lies over the table, for as long as it exists. */
export const covers: Attachment<HTMLElement> = (element) => {
  let changes = 0;
  element.dataset["covers"] = "";
  const watch = new ResizeObserver(() => lying.set(element, ++changes));
  watch.observe(element);
  return () => {
    watch.disconnect();
    lying.delete(element);
  };
};

/**
 * Return a function that returns the parts of a frame under the marked elements, in pixels from the frame's upper left
 * corner. It returns the same list until a part changes.
 */
export function coveredParts(): (frame: HTMLElement) => readonly Box[] {
  const same = steady<readonly Box[]>();
  return (frame) => {
    const { left, top, right, bottom } = frame.getBoundingClientRect();
    return same(
      [...lying.keys()].flatMap((element) => {
        const box = element.getBoundingClientRect();
        const [x, y] = [Math.max(box.left, left), Math.max(box.top, top)];
        const [wide, high] = [Math.min(box.right, right) - x, Math.min(box.bottom, bottom) - y];
        return wide > 0 && high > 0 ? [{ x: x - left, y: y - top, wide, high }] : [];
      }),
    );
  };
}
