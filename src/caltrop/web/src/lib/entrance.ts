/**
 * The address of what is open on a page that begins with a list, such as the tables of the user. The browser's back
 * button leads from an open thing to the list.
 */
export class Entrance {
  #atList = false;

  /** The page's address while it shows the list. */
  constructor(private readonly path: string) {}

  /** Say that the page shows its list. */
  list(): void {
    this.#atList = true;
  }

  /** Name the open thing in the address, so that a reload opens it again. */
  open(query: Record<string, string>): void {
    const words = new URLSearchParams(query).toString();
    const address = words === "" ? this.path : `${this.path}?${words}`;
    if (this.#atList) history.pushState({ inside: true }, "", address);
    else history.replaceState(history.state, "", address);
    this.#atList = false;
  }

  /** Go back to the list. `leave` shows it, also for the browser's back button. */
  close(leave: () => void): void {
    if ((history.state as { inside?: boolean } | null)?.inside) return history.back();
    history.replaceState(null, "", this.path);
    leave();
  }
}
