/** The name of this page, which distinguishes it from other pages with the same seat. The name survives a reload. */
const KEY = "caltrop.screen";
let name = "";

function fresh(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(36)).join("");
}

export function screenName(): string {
  if (name !== "") return name;
  const [how] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  try {
    const stored = sessionStorage.getItem(KEY);
    name = how?.type === "reload" && stored !== null ? stored : fresh();
    sessionStorage.setItem(KEY, name);
  } catch {
    name = fresh();
  }
  return name;
}
