/** Paints beside the page's own thread. */
import { paint, paintBoards } from "./paint";
import type { Plan } from "./plan";

export type Order = { id: number; wide: number } & ({ of: "map"; plan: Plan } | { of: "boards"; high: number; night: boolean });

onmessage = async ({ data }: MessageEvent<Order>): Promise<void> => {
  const high = data.of === "map" ? Math.round((data.wide * data.plan.high) / data.plan.wide) : data.high;
  const drawing = new OffscreenCanvas(data.wide, high);
  const brush = drawing.getContext("2d");
  if (brush === null) return;
  if (data.of === "map") paint(brush, data.plan, data.wide / data.plan.wide);
  else paintBoards(brush, data.wide, high, data.night);
  postMessage({ id: data.id, blob: await drawing.convertToBlob({ type: "image/jpeg", quality: 0.92 }) });
};
