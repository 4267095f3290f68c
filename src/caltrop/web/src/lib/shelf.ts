/** The things of one kind that this browser stores, such as army lists, for all its pages and tabs. */

interface Kind<T> {
  /** The key in the browser's storage. */
  name: string;
  /** Largest number of things. */
  most: number;
  isOne: (one: unknown) => one is T;
  /** Return the key that tells a thing from the others. */
  keyOf: (one: T) => string;
  /** Return the time of a thing's last change. */
  timeOf: (one: T) => number;
}

/** Said when a thing that is open here was changed in another tab. */
export const CHANGED_ELSEWHERE = "Another tab has changed this. Undo brings it back as it was here.";

export class Shelf<T> {
  constructor(private readonly kind: Kind<T>) {}

  /** Everything under the name, with entries of other versions that this one cannot read. */
  #entries(): unknown[] {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(this.kind.name) ?? "[]");
      return Array.isArray(stored) ? stored : [];
    } catch {
      return [];
    }
  }

  /** The things, the newest first. */
  all(): T[] {
    const { isOne, timeOf } = this.kind;
    return this.#entries()
      .filter(isOne)
      .sort((a, b) => timeOf(b) - timeOf(a));
  }

  get(key: string): T | undefined {
    return this.all().find((one) => this.kind.keyOf(one) === key);
  }

  #without(key: string): unknown[] {
    const { isOne, keyOf } = this.kind;
    return this.#entries().filter((one) => !isOne(one) || keyOf(one) !== key);
  }

  /**
   * Store a thing, replacing the one with its key. Return the reason if it cannot be stored, else an empty text. Other
   * things are never removed to make room.
   */
  keep(one: T): string {
    const { most, keyOf } = this.kind;
    const others = this.#without(keyOf(one));
    if (others.length >= most)
      return `This is not saved: the browser keeps ${most} at most. Delete one, or save this as a file`;
    return this.#put([one, ...others]);
  }

  /** Delete a thing. Return the thing, so that it can be stored again. */
  forget(key: string): T | undefined {
    const one = this.get(key);
    this.#put(this.#without(key));
    return one;
  }

  #put(entries: readonly unknown[]): string {
    try {
      localStorage.setItem(this.kind.name, JSON.stringify(entries));
      return "";
    } catch (error) {
      return error instanceof DOMException && error.name === "QuotaExceededError"
        ? "This is not saved: the browser has no room left. Delete what you no longer need, or save this as a file"
        : "This is not saved: the browser stores nothing from this address. Save it as a file";
    }
  }

  /** Call a function whenever another tab changes the things. Return a function that ends this. */
  watch(changed: () => void): () => void {
    const hear = ({ key }: StorageEvent): void => {
      if (key === this.kind.name || key === null) changed();
    };
    addEventListener("storage", hear);
    return () => removeEventListener("storage", hear);
  }
}

export const isRecord = (one: unknown): one is Record<string, unknown> => typeof one === "object" && one !== null;
