/**
 * The rules in this browser, for attacks without a network: their files are fetched once and kept, and a worker answers
 * with them when the server does not.
 */
import { answerInstead, refereeKit } from "../wire/api";
import type { KitFile, RefereeKit } from "../wire/shapes";
import type { Addresses, Answer, Request } from "./rules";
import workerAddress from "./rules?worker&url";

/** Name of the browser's store; `referee.js` answers from all of them. */
const STORE = "caltrop-referee-rules";
/** Name of the store with the page itself, which `referee.js` fills. */
const PAGE = "caltrop-referee-1";
/** The address under which the store keeps the list of its own files. */
const LIST = "referee/kit.json";
/** The requests that the worker can answer. */
const ANSWERED: readonly string[] = ["api/referee", "api/resolve", "api/odds/form"];
/** Milliseconds that the server has to answer, once the worker could, and before. */
const PATIENCE = 5000;
const SLOWEST = 60_000;

/**
 * - `unknown`: it is not yet known which files are stored;
 * - `offered`: a person has to ask for the download, because the browser is to save data, or because it has stopped;
 * - `fetching`: the files are being downloaded;
 * - `kept`: attacks work without a network, also after the page is closed;
 * - `here`: attacks work without a network while the page is open, because this browser stores nothing;
 * - `missing`: attacks need a network.
 */
export type Stage = "unknown" | "offered" | "fetching" | "kept" | "here" | "missing";

export class RulesHere {
  stage = $state<Stage>("unknown");
  /** Bytes that have come, and of all files. */
  got = $state(0);
  all = $state(0);
  /** The download has stopped before its end. */
  stopped = $state(false);
  /** The reason why attacks need a network. */
  why = $state("");
  /** The worker starts, which takes some seconds. */
  starting = $state(false);
  #kit: RefereeKit | null = null;
  #worker: Worker | null = null;
  #store: Cache | null = null;
  /** The requests that wait for the worker, by their number. */
  #asked = new Map<number, (answer: Answer) => void>();
  #last = 0;
  #hasAnswered = false;
  /** The server did not answer. */
  #isAlone = false;
  /** The page was left, perhaps while files were downloaded. */
  #ended = false;
  /** Done when the store was looked at, so that an early request waits for it. */
  #found: Promise<void>;
  #foundOut: () => void = () => undefined;

  constructor() {
    this.#found = new Promise((resolve) => (this.#foundOut = resolve));
    this.#answerInstead(SLOWEST);
  }

  /** Find out which files are stored, and download the others. `asked` is true if a person has asked for it. */
  async begin(asked = false): Promise<void> {
    if (this.stage === "fetching" || this.stage === "here") return;
    if (typeof WebAssembly !== "object" || typeof Worker !== "function") {
      this.#miss("This browser cannot run the rules by itself");
      this.#foundOut();
      return;
    }
    this.#store ??= "caches" in globalThis ? await caches.open(STORE).catch(() => null) : null;
    const stored = await this.#listed();
    if (stored !== null && (await this.#lacking(stored)).length === 0) this.#ready(stored, "kept");
    this.#foundOut();
    const kit = await refereeKit().catch(() => null);
    this.#isAlone = kit === null;
    // Only a service worker opens the page without a network.
    if (kit !== null && !(await keptPage().catch(() => false))) this.#store = null;
    if (kit === null || kit.files.length === 0) {
      if (this.stage !== "kept")
        this.#miss(kit === null ? "The rules are not on this phone" : "This server lacks the rules for phones");
      return;
    }
    const lacking = await this.#lacking(kit);
    this.all = kit.files.reduce((sum, file) => sum + file.sent, 0);
    this.got = this.all - lacking.reduce((sum, file) => sum + file.sent, 0);
    if (lacking.length === 0 && this.#kit !== null) return;
    if (lacking.length > 0 && !asked && savesData()) {
      if (this.stage !== "kept") this.stage = "offered";
      return;
    }
    await this.#fetch(kit, lacking);
  }

  /** Start the worker for a game if there is no network, because that takes some seconds. */
  async warm(game: string): Promise<void> {
    if (this.stage === "kept" && this.#isAlone) await this.answer("api/odds/form", JSON.stringify({ ruleset: game }));
  }

  /** Return the files that are not in the store. */
  async #lacking(kit: RefereeKit): Promise<KitFile[]> {
    const lacking: KitFile[] = [];
    for (const file of [{ path: workerAddress, size: 0, sent: 0 }, ...kit.files])
      if ((await this.#store?.match(file.path)) === undefined) lacking.push(file);
    return lacking;
  }

  #answerInstead(patience: number): void {
    if (!this.#ended) answerInstead({ paths: ANSWERED, patience, answer: (path, text) => this.answer(path, text) });
  }

  #ready(kit: RefereeKit, stage: "kept" | "here"): void {
    this.#kit = kit;
    this.stage = stage;
    if (this.#asked.size === 0) this.#stop();
    this.#answerInstead(PATIENCE);
    // Without a store, the worker's memory has the rules from now on.
    if (stage === "here") this.#start();
  }

  async #fetch(kit: RefereeKit, files: readonly KitFile[]): Promise<void> {
    this.stage = "fetching";
    this.stopped = false;
    try {
      for (const file of files) await this.#fetchOne(file);
      await this.#list(kit);
    } catch {
      this.stage = this.#kit === null ? "offered" : "kept";
      this.stopped = true;
      return;
    }
    this.got = this.all;
    this.#ready(kit, this.#store === null ? "here" : "kept");
  }

  async #fetchOne({ path, size, sent }: KitFile): Promise<void> {
    const answer = await fetch(path);
    if (!answer.ok || answer.body === null) throw new Error(`${path}: ${answer.status}`);
    const before = this.got;
    let read = 0;
    const counted = answer.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          read += chunk.byteLength;
          // The browser unpacks a file while it arrives, and reports only the size of the unpacked file.
          if (size > 0) this.got = before + Math.round((sent * Math.min(read, size)) / size);
          controller.enqueue(chunk);
        },
      }),
    );
    const headers = new Headers(answer.headers);
    headers.delete("Content-Encoding");
    headers.delete("Content-Length");
    const whole = await new Response(counted).blob();
    try {
      await this.#store?.put(path, new Response(whole, { headers }));
    } catch {
      // There is no room for the file, or the person allows none.
      this.#store = null;
    }
    this.got = before + sent;
  }

  /** Keep the list of files, and nothing of earlier versions. */
  async #list(kit: RefereeKit): Promise<void> {
    if (this.#store === null) return;
    const paths = [LIST, workerAddress, ...kit.files.map((file) => file.path)];
    const addresses = new Set(paths.map((path) => new URL(path, document.baseURI).href));
    await this.#store.put(LIST, new Response(JSON.stringify(kit)));
    for (const one of await this.#store.keys()) if (!addresses.has(one.url)) await this.#store.delete(one);
  }

  async #listed(): Promise<RefereeKit | null> {
    const listed = await this.#store?.match(LIST);
    return listed === undefined ? null : ((await listed.json()) as RefereeKit);
  }

  #miss(why: string): void {
    this.stage = "missing";
    this.why = why;
  }

  /** Return whether the rules of a game are among them. */
  knows(game: string): boolean {
    return this.#kit === null || this.#kit.games.includes(game);
  }

  #start(): Worker {
    if (this.#worker !== null) return this.#worker;
    const fileOf = (suffix: string): string =>
      new URL(this.#kit?.files.find((file) => file.path.endsWith(suffix))?.path ?? "", document.baseURI).href;
    const worker = new Worker(workerAddress, { type: "module", name: "rules" });
    const addresses: Addresses = {
      python: fileOf("pyodide.mjs").replace(/[^/]*$/, ""),
      wheel: fileOf(".whl"),
      rules: fileOf(".tar"),
    };
    worker.postMessage(addresses);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#asked.get(data.id)?.(data);
    // An error here means that the worker's script could not be loaded.
    worker.onerror = () => {
      for (const answered of this.#asked.values()) answered({ id: 0, status: 0, text: "" });
      this.#stop();
    };
    this.#worker = worker;
    return worker;
  }

  /** Return the server's answer to a request; null if the answer cannot be computed in this browser. */
  async answer(path: string, text: string): Promise<Response | null> {
    await this.#found;
    if (!this.#kit?.games.includes(String((JSON.parse(text) as { ruleset?: unknown }).ruleset))) return null;
    const worker = this.#start();
    const id = (this.#last += 1);
    this.starting = !this.#hasAnswered;
    const answer = await new Promise<Answer>((resolve) => {
      this.#asked.set(id, resolve);
      worker.postMessage({ id, path, text } satisfies Request);
    });
    this.#asked.delete(id);
    this.starting = false;
    if (answer.status === 0) {
      this.#miss("The rules do not run in this browser");
      answerInstead(null);
      return null;
    }
    this.#hasAnswered = true;
    return new Response(answer.text, { status: answer.status });
  }

  end(): void {
    this.#ended = true;
    answerInstead(null);
    this.#stop();
  }

  #stop(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#hasAnswered = false;
  }
}

/** Return whether the person has asked the browser to save data. */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false;
}

/**
 * Have a service worker answer for the page without a network, and store everything that the page is made of. Says
 * whether this browser does that: not without a secure connection.
 */
async function keptPage(): Promise<boolean> {
  if (!("serviceWorker" in navigator) || !("caches" in globalThis) || !isSecureContext) return false;
  await navigator.serviceWorker.register("referee.js", { scope: "./referee" });
  await navigator.serviceWorker.ready;
  const store = await caches.open(PAGE);
  const loaded = performance.getEntriesByType("resource").map((one) => one.name);
  const files = loaded.filter((address) => /\/assets\/[^/]+$/.test(address));
  const addresses = new Set([location.href.split("#")[0] ?? "", "api/catalogue", ...files]);
  await Promise.allSettled([...addresses].map((address) => store.add(address)));
  return true;
}
