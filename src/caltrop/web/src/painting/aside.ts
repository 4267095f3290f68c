/** Paints in a worker, which is loaded for the first picture and paints one picture after another. */

/** Return whether this browser can paint in a worker; otherwise the flat colours stay. */
export function canPaint(): boolean {
  return typeof OffscreenCanvas !== "undefined" && typeof Worker !== "undefined";
}

interface Asked<Order> {
  readonly number: number;
  readonly order: Order;
}

interface Answered<Done> {
  readonly number: number;
  readonly done?: Done;
  readonly failed?: string;
}

/**
 * Create the page's access to a painter.
 *
 * @param fetched Starts the worker. The function is called again for the next picture if the worker has stopped.
 * @returns A function that requests a picture. A request fails if the painter fails or has stopped.
 */
export function painter<Order, Done>(fetched: () => Worker): (order: Order) => Promise<Done> {
  const waiting = new Map<number, { done: (it: Done) => void; failed: (why: Error) => void }>();
  let worker: Worker | null = null;
  let last = 0;

  const hired = (): Worker => {
    if (worker !== null) return worker;
    const fresh = fetched();
    fresh.addEventListener("message", ({ data }: MessageEvent<Answered<Done>>) => {
      const one = waiting.get(data.number);
      waiting.delete(data.number);
      if (data.failed === undefined) one?.done(data.done as Done);
      else one?.failed(new Error(data.failed));
    });
    fresh.addEventListener("error", () => {
      for (const one of waiting.values()) one.failed(new Error("The painter has stopped"));
      waiting.clear();
      worker = null;
    });
    return (worker = fresh);
  };

  return (order) =>
    new Promise((done, failed) => {
      const asked: Asked<Order> = { number: ++last, order };
      waiting.set(asked.number, { done, failed });
      hired().postMessage(asked);
    });
}

/**
 * In the worker: paint requested pictures. @param paint Paints one picture. @param handed Returns the parts that are
 * transferred instead of copied.
 */
export function paintsAside<Order, Done>(
  paint: (order: Order) => Done | Promise<Done>,
  handed: (done: Done) => Transferable[] = () => [],
): void {
  addEventListener("message", async ({ data }: MessageEvent<Asked<Order>>) => {
    const answer = (it: Omit<Answered<Done>, "number">, transfer: Transferable[]): void =>
      postMessage({ number: data.number, ...it }, { transfer });
    try {
      const done = await paint(data.order);
      answer({ done }, handed(done));
    } catch (why) {
      answer({ failed: String(why) }, []);
    }
  });
}
