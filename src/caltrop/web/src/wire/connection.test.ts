import { beforeEach, expect, test, vi } from "vitest";
import { Connection, Refused } from "./connection";
import type { ServerMessage } from "./types";

class Line {
  static lines: Line[] = [];
  static readonly OPEN = 1;
  readyState = 1;
  said: Record<string, unknown>[] = [];
  onopen = (): void => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;
  constructor() {
    Line.lines.push(this);
  }
  send(text: string): void {
    this.said.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.readyState = 3;
  }
  hears(message: Record<string, unknown>): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
  breaks(code = 1006): void {
    this.readyState = 3;
    this.onclose({ code });
  }
}

const heard: ServerMessage[] = [];
let connection: Connection;

function connect(type: string): Line {
  const line = Line.lines.at(-1);
  if (line === undefined) throw new Error("no line");
  line.onopen();
  line.hears({ type, seq: 3 });
  return line;
}

beforeEach(() => {
  vi.stubGlobal("WebSocket", Line);
  Line.lines = [];
  heard.length = 0;
  connection = new Connection(
    "ws://x",
    () => ({}),
    (message) => heard.push(message),
    () => undefined,
  );
  connection.open();
});

const ANSWER = { type: "answer", decision: "d1", action: { type: "Hold" } };

test("an answer that was lost is sent again after the hello, with the same words", async () => {
  const first = connect("view");
  const done = connection.ask<"done">(ANSWER);
  expect(first.said.at(-1)).toMatchObject(ANSWER);
  first.breaks();
  connection.hurry();
  const second = Line.lines.at(-1) as Line;
  second.onopen();
  expect(second.said.map((one) => one["type"])).toEqual(["hello"]);
  second.hears({ type: "change", base: 3, seq: 3 });
  expect(second.said.at(-1)).toEqual(first.said.at(-1));
  second.hears({ type: "done", seq: 4, ref: second.said.at(-1)?.["ref"] });
  expect(await done).toMatchObject({ type: "done", seq: 4 });
  second.hears({ type: "change", base: 3, seq: 4 });
  expect(second.said.length).toBe(2);
});

test("an answer that was taken before the connection broke off is done", async () => {
  connect("view");
  const done = connection.ask<"done">(ANSWER);
  Line.lines[0]?.breaks();
  connection.hurry();
  const second = connect("change");
  second.hears({ type: "refusal", code: "stale-decision", message: "", ref: second.said.at(-1)?.["ref"] });
  expect((await done).type).toBe("done");
});

test("the same refusal of an answer that was sent once is a refusal, and so is any other", async () => {
  const first = connect("view");
  const once = connection.ask<"done">(ANSWER);
  first.hears({ type: "refusal", code: "stale-decision", message: "stale", ref: first.said.at(-1)?.["ref"] });
  await expect(once).rejects.toThrow(Refused);
  const twice = connection.ask<"done">(ANSWER);
  first.breaks();
  connection.hurry();
  const second = connect("change");
  second.hears({ type: "refusal", code: "not-legal", message: "no", ref: second.said.at(-1)?.["ref"] });
  await expect(twice).rejects.toThrow("no");
});

test("what is confirmed while there is no connection is sent over the next one", async () => {
  connect("view").breaks();
  const done = connection.ask<"done">(ANSWER);
  await expect(connection.ask<"done">({ type: "undo" })).rejects.toThrow("nothing was sent");
  connection.hurry();
  const second = connect("change");
  expect(second.said.at(-1)).toMatchObject(ANSWER);
  second.hears({ type: "refusal", code: "stale-decision", message: "stale", ref: second.said.at(-1)?.["ref"] });
  await expect(done).rejects.toThrow("stale");
});

test("what could be done twice is not sent again, and nothing is where there is no next connection", async () => {
  connect("view");
  const undo = connection.ask<"done">({ type: "undo" });
  const answer = connection.ask<"done">(ANSWER);
  Line.lines[0]?.breaks();
  await expect(undo).rejects.toThrow("the table shows whether it was done");
  connection.hurry();
  Line.lines.at(-1)?.onopen();
  Line.lines.at(-1)?.breaks(1008);
  await expect(answer).rejects.toThrow("the table shows whether it was done");
  await expect(connection.ask<"done">(ANSWER)).rejects.toThrow("nothing was sent");
});

test("a silent connection is replaced, and an unanswered act is sent again once", async () => {
  const first = connect("view");
  await new Promise((resolve) => setTimeout(resolve, 5));
  const since = performance.now();
  const done = connection.ask<"done">(ANSWER);
  connection.doubt(since);
  first.breaks();
  connection.hurry();
  const second = connect("change");
  expect(second.said.filter((one) => one["type"] === "answer")).toHaveLength(1);
  second.hears({ type: "done", seq: 4, ref: second.said.at(-1)?.["ref"] });
  expect((await done).type).toBe("done");
});

test("a connection that hears something is not given up", () => {
  const first = connect("view");
  const lines = Line.lines.length;
  const since = performance.now() - 1000;
  first.hears({ type: "change", base: 3, seq: 3 });
  connection.doubt(since);
  connection.hurry();
  expect(Line.lines).toHaveLength(lines);
});
