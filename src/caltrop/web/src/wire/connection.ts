/**
 * The live connection to one game. It sends a hello with the number of the last received change, reconnects, and
 * matches answers to questions.
 */
import type { ServerMessage, RefusalMessage } from "./types";

export type Status = "connecting" | "open" | "lost" | "closed";

/** The error with which the server refused a message. */
export class Refused extends Error {
  constructor(readonly refusal: RefusalMessage) {
    super(refusal.message);
  }
}

/** Return the milliseconds before the next try to connect: few after the first failures, and at most eight seconds. */
export function patience(tries: number): number {
  return Math.min(250 * 2 ** tries, 8000);
}

/**
 * Return whether a message may be sent a second time. The server takes an answer to a decision once, and refuses any
 * later one as stale.
 */
export function repeatable(message: Record<string, unknown>): boolean {
  return (message["type"] === "answer" || message["type"] === "usual") && typeof message["decision"] === "string";
}

interface Waiting {
  message: Record<string, unknown>;
  /** True if the message is sent again over the next connection. */
  later: boolean;
  /** True if the message was sent over an earlier connection, and so may have been carried out. */
  repeated: boolean;
  resolve: (message: ServerMessage) => void;
  reject: (why: Error) => void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private tries = 0;
  private nextRef = 1;
  private readonly waiting = new Map<number, Waiting>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** True if the server has answered the hello of this connection. */
  private greeted = false;
  /** True if a new connection is made after this one ends. */
  private comesBack = true;
  private ended = false;
  /** Time of the last message of the server. */
  private heardAt = 0;

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
    this.greeted = false;
    this.comesBack = true;
    socket.onopen = () => {
      this.tries = 0;
      socket.send(JSON.stringify({ type: "hello", ...this.hello() }));
      this.changed("open");
    };
    socket.onmessage = (event) => {
      this.heardAt = performance.now();
      this.take(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.lose(event.code);
    };
  }

  private lose(code: number): void {
    this.socket = null;
    // 1008: the game or the seat does not exist, so trying again is useless.
    this.comesBack = !this.ended && code !== 1008;
    this.giveUpWaiting();
    if (!this.comesBack) {
      this.changed("closed", code);
      return;
    }
    this.changed("lost");
    this.timer = setTimeout(() => this.open(), patience(this.tries++));
  }

  /** Connect again if nothing was heard since a time: a broken network does not always close a connection. */
  doubt(since: number): void {
    const { socket } = this;
    if (socket === null || this.heardAt > since) return;
    this.lose(1006);
    socket.close();
  }

  /** Reconnect at once, for example when the network is back. */
  hurry(): void {
    if (this.ended || this.socket !== null) return;
    clearTimeout(this.timer);
    this.open();
  }

  /** Send the hello again, to get the whole view. */
  refresh(): void {
    this.socket?.close();
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket?.close();
    this.comesBack = false;
    this.giveUpWaiting();
  }

  say(message: Record<string, unknown>): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /**
   * Send a message that has an answer. Rejects with `Refused` if the server gives a reason. Without a connection, or if
   * it breaks before the answer, a repeatable message is sent over the next one.
   */
  ask<T extends ServerMessage["type"]>(message: Record<string, unknown>): Promise<Extract<ServerMessage, { type: T }>> {
    const ref = this.nextRef++;
    return new Promise((resolve, reject) => {
      const later = !this.say({ ...message, ref });
      if (!later || (repeatable(message) && this.comesBack)) {
        const answered = resolve as (message: ServerMessage) => void;
        this.waiting.set(ref, { message, later, repeated: false, resolve: answered, reject });
      } else {
        reject(new Error("The connection is lost; nothing was sent"));
      }
    });
  }

  private take(message: ServerMessage): void {
    const ref = "ref" in message && typeof message.ref === "number" ? message.ref : null;
    const waiting = ref === null ? undefined : this.waiting.get(ref);
    if (ref !== null && waiting !== undefined) {
      this.waiting.delete(ref);
      if (message.type !== "refusal") waiting.resolve(message);
      // The server accepted the first message, and only the answer was lost. The earlier changes show the result.
      else if (waiting.repeated && message.code === "stale-decision") waiting.resolve({ type: "done", seq: 0, ref });
      else waiting.reject(new Refused(message));
      return;
    }
    this.heard(message);
    if (!this.greeted && (message.type === "view" || message.type === "change")) {
      this.greeted = true;
      this.sayAgain();
    }
  }

  /** Send all messages again that were not answered over the former connection. */
  private sayAgain(): void {
    for (const [ref, one] of this.waiting) {
      if (one.later) one.later = !this.say({ ...one.message, ref });
    }
  }

  /** Reject waiting messages, except those that may be sent over the next connection. */
  private giveUpWaiting(): void {
    for (const [ref, one] of this.waiting) {
      if (this.comesBack && repeatable(one.message)) {
        if (!one.later) one.repeated = true;
        one.later = true;
      } else {
        this.waiting.delete(ref);
        one.reject(new Error("The connection was lost before the answer; the table shows whether it was done"));
      }
    }
  }
}
