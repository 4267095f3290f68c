/**
 * Stands in for d3-transition, of which d3-zoom asks only that a slow movement be broken off: the table is moved at once, and by
 * no slow movement, so there is nothing to break off, and nothing of that library has to be fetched.
 */
import { selection } from "d3-selection";

selection.prototype.interrupt = function (this: unknown) {
  return this;
};

export const interrupt = (): void => undefined;
