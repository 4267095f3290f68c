/** Paints maps outside the page's own thread. */
import { paintsAside } from "../painting/aside";
import { paint, paintBoards } from "./paint";
import type { Plan } from "./plan";

export type Order =
  | { readonly of: "map"; readonly wide: number; readonly plan: Plan }
  | { readonly of: "boards"; readonly wide: number; readonly high: number; readonly night: boolean };

paintsAside<Order, Blob>((order) => {
  const high = order.of === "map" ? Math.round((order.wide * order.plan.high) / order.plan.wide) : order.high;
  const drawing = new OffscreenCanvas(order.wide, high);
  const brush = drawing.getContext("2d");
  if (brush === null) throw new Error("this browser gives a worker no brush");
  if (order.of === "map") paint(brush, order.plan, order.wide / order.plan.wide);
  else paintBoards(brush, order.wide, high, order.night);
  return drawing.convertToBlob({ type: "image/jpeg", quality: 0.92 });
});
