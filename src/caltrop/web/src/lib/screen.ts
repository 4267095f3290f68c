/** The name of this page, by which the server tells it from others that open the same seat. It outlives a reload, and no more. */
const KEY = "caltrop.screen";
let name = "";

function fresh(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(36)).join("");
}

export function screenName(): string {
  if (name !== "") return name;
  const [how] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  try {
    const kept = sessionStorage.getItem(KEY);
    name = how?.type === "reload" && kept !== null ? kept : fresh();
    sessionStorage.setItem(KEY, name);
  } catch {
    name = fresh();
  }
  return name;
}
