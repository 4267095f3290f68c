/** Drafts of tables in this browser, and tables in links: the fragment contains the whole draft, compressed. */
import { isRecord, Shelf } from "../lib/shelf";
import type { Draft } from "./draft";

export interface Kept {
  id: string;
  game: string;
  title: string;
  draft: Draft;
  changed: number;
  /** True if the draft had faults at the last check. */
  faulty?: boolean;
}

/** Prefix of the user's tables among the scenarios of a new game. */
export const OWN_MAP = "map:";

/** Length of a link that every chat program and browser accepts. */
export const LONGEST_LINK = 6000;

/** The tables of this browser. */
export const ownMaps = new Shelf<Kept>({
  name: "caltrop.maps",
  most: 40,
  isOne: (one): one is Kept =>
    isRecord(one) &&
    typeof one["id"] === "string" &&
    typeof one["game"] === "string" &&
    isRecord(one["draft"]) &&
    typeof one["changed"] === "number",
  keyOf: (one) => one.id,
  timeOf: (one) => one.changed,
});

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  most = Infinity,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new Error("The link holds more than a table may have");
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

/** Largest number of characters of a table in a link. */
const UNPACKED = 65_536;

/** Return a draft as the fragment of a link. */
export async function fragmentOf(game: string, draft: Draft): Promise<string> {
  const packed = await through(
    new TextEncoder().encode(JSON.stringify({ game, draft })),
    new CompressionStream("deflate-raw"),
  );
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return `#map=${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Return the draft in a fragment; null for a fragment without a draft. */
export async function fromFragment(fragment: string): Promise<{ game: string; draft: Draft } | null> {
  const code = /#map=([\w-]+)/.exec(fragment)?.[1];
  if (code === undefined) return null;
  let content: unknown;
  try {
    const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
    content = JSON.parse(
      new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"), UNPACKED)),
    );
  } catch {
    throw new Error("The link does not hold a whole table: a part of it is missing or changed");
  }
  const one = content as { game?: unknown; draft?: unknown } | null;
  if (typeof one?.game !== "string" || typeof one.draft !== "object" || one.draft === null || Array.isArray(one.draft))
    throw new Error("The link holds no table");
  return { game: one.game, draft: one.draft as Draft };
}
