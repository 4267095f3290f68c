/** The connection of this screen to the server, with its open questions, refusals and notices. */
import { Connection, Refused, repeatable, type Status } from "../wire/connection";
import type { Refusal, ServerMessage } from "../wire/types";

type Answer<T extends ServerMessage["type"]> = Extract<ServerMessage, { type: T }>;

/** Milliseconds after which the page says that the server does not answer. */
const SILENCE = 1500;
/** Milliseconds of silence after which the page connects again. */
const DOUBT = 6000;

export class Server {
  status = $state<Status>("connecting");
  closedBy = $state<number | null>(null);
  /** True while an act of the person is on its way. */
  busy = $state(false);
  /** Set if an act has long waited for its answer; tells whether the act is sent again. */
  silence = $state<"kept" | "open" | null>(null);
  notice = $state("");
  refusal = $state.raw<Refusal | null>(null);
  /** The latest confirmation or message, until the server has answered. */
  sent: Promise<void> = Promise.resolve();
  private connection: Connection | null = null;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  /** An act of the person is on its way. *kept* is true if it is sent again over the next connection. */
  begin(kept: boolean): void {
    this.rest();
    this.busy = true;
    this.waiting = setTimeout(() => this.wait(kept, performance.now() - SILENCE), SILENCE);
  }

  /** The act has been answered, or given up. */
  rest(): void {
    clearTimeout(this.waiting);
    this.busy = false;
    this.silence = null;
  }

  private wait(kept: boolean, since: number): void {
    this.silence = kept ? "kept" : "open";
    this.waiting = setTimeout(() => this.connection?.doubt(since), DOUBT - SILENCE);
  }

  /** True if there is a server; recorded games have none. */
  get there(): boolean {
    return this.connection !== null;
  }

  /**
   * Connect to a game and reconnect when the connection is lost. *hello* gives the first message of each connection.
   */
  open(game: string, hello: () => Record<string, unknown>, heard: (message: ServerMessage) => void): void {
    const address = new URL(`ws/${game}`, document.baseURI);
    address.protocol = address.protocol.replace("http", "ws");
    this.connection = new Connection(address.href, hello, heard, (status, code) => {
      this.status = status;
      this.closedBy = code ?? null;
    });
    this.connection.open();
  }

  close(): void {
    this.connection?.close();
  }

  hurry(): void {
    this.connection?.hurry();
  }

  /** Ask for the whole view. */
  refresh(): void {
    this.connection?.refresh();
  }

  say(message: Record<string, unknown>): void {
    this.connection?.say(message);
  }

  /** Ask the server something. Returns undefined if there is no server. */
  async ask<T extends ServerMessage["type"]>(message: Record<string, unknown>): Promise<Answer<T> | undefined> {
    return this.connection?.ask<T>(message);
  }

  /** Send a message that the server carries out or refuses. */
  send(message: Record<string, unknown>): Promise<void> {
    this.sent = this.sendNow(message);
    return this.sent;
  }

  private async sendNow(message: Record<string, unknown>): Promise<void> {
    this.begin(repeatable(message));
    try {
      await this.connection?.ask<"done">(message);
      this.notice = "";
    } catch (error) {
      this.fail(error);
    } finally {
      this.rest();
    }
  }

  /** Show an error or a refusal. */
  fail(error: unknown): void {
    if (error instanceof Refused) this.refusal = error.refusal;
    else this.notice = error instanceof Error ? error.message : String(error);
  }
}
