import { describe, expect, it } from "vitest";

import { painter } from "./aside";

/** A fake worker that records questions, and answers when told to. */
class Kept extends EventTarget {
  readonly asked: { number: number; order: string }[] = [];

  postMessage(asked: { number: number; order: string }): void {
    this.asked.push(asked);
  }

  answer(data: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

function hired(): { workers: Kept[]; ask: (order: string) => Promise<string> } {
  const workers: Kept[] = [];
  const ask = painter<string, string>(() => {
    const fresh = new Kept();
    workers.push(fresh);
    return fresh as unknown as Worker;
  });
  return { workers, ask };
}

describe("a painter", () => {
  it("answers each order with its own picture, in whatever order they are done", async () => {
    const { workers, ask } = hired();
    const [meadow, crypt] = [ask("meadow"), ask("crypt")];
    expect(workers.length).toBe(1);
    const [one, two] = (workers[0] as Kept).asked.map(({ number }) => number);
    workers[0]?.answer({ number: two, done: "a crypt" });
    workers[0]?.answer({ number: one, done: "a meadow" });
    expect([await meadow, await crypt]).toEqual(["a meadow", "a crypt"]);
  });

  it("says what it cannot paint, and goes on", async () => {
    const { workers, ask } = hired();
    const lost = ask("nothing");
    workers[0]?.answer({ number: 1, failed: "there is no brush" });
    await expect(lost).rejects.toThrow("no brush");
    const next = ask("meadow");
    workers[0]?.answer({ number: 2, done: "a meadow" });
    expect([await next, workers.length]).toEqual(["a meadow", 1]);
  });

  it("fails what waits when it stops, and another is hired for the next", async () => {
    const { workers, ask } = hired();
    const lost = ask("meadow");
    workers[0]?.dispatchEvent(new Event("error"));
    await expect(lost).rejects.toThrow("stopped");
    const next = ask("crypt");
    expect(workers.length).toBe(2);
    workers[1]?.answer({ number: 2, done: "a crypt" });
    expect(await next).toBe("a crypt");
  });
});
