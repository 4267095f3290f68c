/** What this browser prefers: the theme. */
const THEME = "caltrop.theme";

export type Theme = "system" | "light" | "dark";

function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It holds for this page only.
  }
}

const found = kept(THEME);
let theme = $state<Theme>(found === "light" || found === "dark" ? found : "system");

export function currentTheme(): Theme {
  return theme;
}

export function setTheme(next: Theme): void {
  theme = next;
  keep(THEME, next);
  dress();
}

/** Light, dark, or what the system says. */
export function dress(): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
