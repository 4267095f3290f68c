/** The pages by their addresses. */
export type Route =
  | { page: "lobby" }
  | { page: "new" }
  | { page: "learn" }
  | { page: "armies" }
  | { page: "people" }
  | { page: "club"; id: string }
  | { page: "referee" }
  | { page: "settings" }
  | { page: "odds" }
  | { page: "lab" }
  | { page: "study"; id: string }
  | { page: "replay"; id: string }
  | { page: "end"; id: string }
  | { page: "maps" }
  | { page: "packs" }
  | { page: "seasons" }
  | { page: "season"; id: string }
  | { page: "rules"; ruleset: string }
  | { page: "summary"; ruleset: string }
  | { page: "table"; id: string; at: number | null }
  | { page: "nowhere" };

export function route(path: string, search = ""): Route {
  const parts = path.split("/").filter(Boolean);
  const [first = "", second = ""] = parts;
  if (parts.length === 0) return { page: "lobby" };
  if (first === "learn" && parts.length === 1) return { page: "learn" };
  if (first === "armies" && parts.length === 1) return { page: "armies" };
  if (first === "club" && parts.length === 2) return { page: "club", id: second };
  if (first === "people" && parts.length === 1) return { page: "people" };
  if (first === "referee" && parts.length === 1) return { page: "referee" };
  if (first === "settings" && parts.length === 1) return { page: "settings" };
  if ((first === "odds" || first === "lab") && parts.length === 1) return { page: first };
  if (first === "lab" && parts.length === 2) return { page: "study", id: decoded(second) };
  if ((first === "maps" || first === "packs") && parts.length === 1) return { page: first };
  if (first === "new" && parts.length === 1) return { page: "new" };
  if (first === "replay" && parts.length <= 2) return { page: "replay", id: second };
  if (first === "end" && parts.length === 2) return { page: "end", id: second };
  if (first === "season" && parts.length === 1) return { page: "seasons" };
  if (first === "season" && parts.length === 2) return { page: "season", id: second };
  if (first === "rules" && parts.length === 1) return { page: "summary", ruleset: "" };
  if (first === "summary" && parts.length === 2) return { page: "summary", ruleset: second };
  if (first === "rules" && parts.length === 2) return { page: "rules", ruleset: second };
  if (parts.length === 1 && /^[a-z0-9-]{6,40}$/i.test(first)) {
    const at = new URLSearchParams(search).get("at");
    return { page: "table", id: first, at: at !== null && /^\d{1,9}$/.test(at) ? Number(at) : null };
  }
  return { page: "nowhere" };
}

/** Return a part of a path without the escapes of an address. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Return a path without the prefix of a proxy. All addresses of the page are relative to that prefix. */
export function within(path: string, base: string): string {
  const root = new URL(base).pathname;
  return path.startsWith(root) ? path.slice(root.length - 1) : path;
}
