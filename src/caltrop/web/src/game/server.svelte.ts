/** The connection of this screen to the server, with its open questions, refusals and notices. */
import { Connection, Refused, type Status } from "../wire/connection";
import type { Refusal, ServerMessage } from "../wire/types";

type Answer<T extends ServerMessage["type"]> = Extract<ServerMessage, { type: T }>;

export class Server {
  status = $state<Status>("connecting");
  closedBy = $state<number | null>(null);
  busy = $state(false);
  notice = $state("");
  refusal = $state.raw<Refusal | null>(null);
  /** The latest confirmation or message, until the server has answered. */
  sent: Promise<void> = Promise.resolve();
  private connection: Connection | null = null;

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
    this.busy = true;
    try {
      await this.connection?.ask<"done">(message);
      this.notice = "";
    } catch (error) {
      this.fail(error);
    } finally {
      this.busy = false;
    }
  }

  /** Show an error or a refusal. */
  fail(error: unknown): void {
    if (error instanceof Refused) this.refusal = error.refusal;
    else this.notice = error instanceof Error ? error.message : String(error);
  }
}
