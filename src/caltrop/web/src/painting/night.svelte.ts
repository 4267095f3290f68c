/** Return whether the page is dark now, by choice or by the system's setting. */
import { createSubscriber } from "svelte/reactivity";

import { currentTheme } from "../lib/settings.svelte";

const dark = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-color-scheme: dark)");
const watched = createSubscriber((update) => {
  dark?.addEventListener("change", update);
  return () => dark?.removeEventListener("change", update);
});

export function isNight(): boolean {
  const theme = currentTheme();
  if (theme !== "system") return theme === "dark";
  watched();
  return dark?.matches ?? false;
}
