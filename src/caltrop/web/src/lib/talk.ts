/** The last chat line of each table that was read in this browser. */
const KEY = "caltrop.talk";
const TABLES = 50;

function stored(): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Record<string, number>) : {};
  } catch {
    return {};
  }
}

export function talkRead(game: string): number {
  const count = stored()[game];
  return typeof count === "number" ? count : 0;
}

export function keepTalkRead(game: string, line: number): void {
  const { [game]: _, ...others } = stored();
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify({ ...Object.fromEntries(Object.entries(others).slice(1 - TABLES)), [game]: line }),
    );
  } catch {
    // Without storage the line counts as unread after a reload.
  }
}
