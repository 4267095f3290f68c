/** Replaces d3-transition. d3-zoom only needs it to interrupt slow movements, and this table has none. */
import { selection } from "d3-selection";

selection.prototype.interrupt = function (this: unknown) {
  return this;
};

export const interrupt = (): void => undefined;
