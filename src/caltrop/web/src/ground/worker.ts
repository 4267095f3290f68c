/** The thread of the painter. The worker caches the plans of the latest tables, and paints on request. */
import { paintsAside } from "../painting/aside.ts";
import { paint, type View } from "./paint.ts";
import { planOf, type Plan, type Sheet } from "./plan.ts";

export interface Order {
  readonly sheet: Sheet;
  /** The view, in table units and bitmap pixels for each of them. */
  readonly view: View;
}

export interface Painted {
  readonly bitmap: ImageBitmap;
  /** Milliseconds that the plan took, and the painting. */
  readonly took: readonly [plan: number, paint: number];
}

/** Number of cached plans: a table seen from both edges, and another table. */
const KEPT = 4;
const plans = new Map<string, Plan>();

function known(sheet: Sheet): Plan {
  const key = JSON.stringify(sheet);
  const plan = plans.get(key) ?? planOf(sheet);
  plans.delete(key);
  plans.set(key, plan);
  for (const old of [...plans.keys()].slice(0, -KEPT)) plans.delete(old);
  return plan;
}

paintsAside<Order, Painted>(
  ({ sheet, view }) => {
    const begun = performance.now();
    const plan = known(sheet);
    const planned = performance.now();
    const scaled = { ...view, left: view.left / plan.unit, top: view.top / plan.unit, k: view.k * plan.unit };
    const bitmap = paint(plan, scaled).transferToImageBitmap();
    return { bitmap, took: [planned - begun, performance.now() - planned] };
  },
  ({ bitmap }) => [bitmap],
);
