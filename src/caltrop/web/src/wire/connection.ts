/**
 * The live connection to one game: it says hello with the last number seen, comes back after a drop, and matches
 * answers to questions.
 */
import type { ServerMessage, RefusalMessage } from "./types";

export type Status = "connecting" | "open" | "lost" | "closed";

/** A message of the server came instead of the answer: why not. */
export class Refused extends Error {
  constructor(readonly refusal: RefusalMessage) {
    super(refusal.message);
  }
}

/** Milliseconds before the next try, after *tries* that failed: quick at first, never more than eight seconds apart. */
export function patience(tries: number): number {
  return Math.min(250 * 2 ** tries, 8000);
}

interface Waiting {
  resolve: (message: ServerMessage) => void;
  reject: (why: Error) => void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private tries = 0;
  private nextRef = 1;
  private readonly waiting = new Map<number, Waiting>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(
    private readonly address: string,
    private readonly hello: () => Record<string, unknown>,
    private readonly heard: (message: ServerMessage) => void,
    private readonly changed: (status: Status, code?: number) => void,
  ) {}

  open(): void {
    if (this.ended) return;
    this.changed(this.tries ? "lost" : "connecting");
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      socket.send(JSON.stringify({ type: "hello", ...this.hello() }));
      this.changed("open");
    };
    socket.onmessage = (event) => this.take(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.giveUpWaiting();
      // 1008: the game or the seat does not exist, so trying again is useless.
      if (this.ended || event.code === 1008) {
        this.changed("closed", event.code);
        return;
      }
      this.changed("lost");
      this.timer = setTimeout(() => this.open(), patience(this.tries++));
    };
  }

  /** Try again at once, as after the network came back. */
  hurry(): void {
    if (this.ended || this.socket !== null) return;
    clearTimeout(this.timer);
    this.open();
  }

  /** Say hello again, to be sent the whole view. */
  refresh(): void {
    this.socket?.close();
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket?.close();
    this.giveUpWaiting();
  }

  say(message: Record<string, unknown>): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Send a message that is answered. Rejects with `Refused` if the server gives a reason. */
  ask<T extends ServerMessage["type"]>(message: Record<string, unknown>): Promise<Extract<ServerMessage, { type: T }>> {
    const ref = this.nextRef++;
    return new Promise((resolve, reject) => {
      this.waiting.set(ref, { resolve: resolve as (message: ServerMessage) => void, reject });
      if (!this.say({ ...message, ref })) {
        this.waiting.delete(ref);
        reject(new Error("The connection is lost"));
      }
    });
  }

  private take(message: ServerMessage): void {
    const ref = "ref" in message && typeof message.ref === "number" ? message.ref : null;
    const waiting = ref === null ? undefined : this.waiting.get(ref);
    if (ref !== null && waiting !== undefined) {
      this.waiting.delete(ref);
      if (message.type === "refusal") waiting.reject(new Refused(message));
      else waiting.resolve(message);
      return;
    }
    this.heard(message);
  }

  private giveUpWaiting(): void {
    for (const one of this.waiting.values()) one.reject(new Error("The connection is lost"));
    this.waiting.clear();
  }
}
