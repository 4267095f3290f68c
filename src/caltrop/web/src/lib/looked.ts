/** The last log line of a game that each side has seen in this browser, with the time. */
const KEY = "caltrop.looked";

interface Looked {
  n: number;
  at: number;
}

type Kept = Record<string, Record<string, Looked>>;

function stored(): Kept {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Kept;
    return typeof stored === "object" && stored !== null ? stored : {};
  } catch {
    return {};
  }
}

export function lookedUpTo(game: string, side: number | null): Looked | null {
  return stored()[game]?.[String(side)] ?? null;
}

export function keepLooked(game: string, side: number | null, n: number): void {
  const all = stored();
  const { [game]: own = {}, ...others } = all;
  const games = Object.entries(others).slice(-49);
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify({ ...Object.fromEntries(games), [game]: { ...own, [String(side)]: { n, at: Date.now() } } }),
    );
  } catch {
    // Without storage the recap begins earlier.
  }
}
