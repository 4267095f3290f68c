/** Up to which line the talk at each table has been read in this browser. */
const KEY = "caltrop.talk";
const TABLES = 50;

function kept(): Record<string, number> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof found === "object" && found !== null ? (found as Record<string, number>) : {};
  } catch {
    return {};
  }
}

export function talkRead(game: string): number {
  const found = kept()[game];
  return typeof found === "number" ? found : 0;
}

export function keepTalkRead(game: string, line: number): void {
  const { [game]: _, ...others } = kept();
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify({ ...Object.fromEntries(Object.entries(others).slice(1 - TABLES)), [game]: line }),
    );
  } catch {
    // It is counted as unread after a reload.
  }
}
