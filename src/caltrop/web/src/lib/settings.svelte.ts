/** What this browser prefers: the theme, and whether single letters are keys. */
const THEME = "caltrop.theme";
const LETTERS = "caltrop.letters";

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
let letters = $state(kept(LETTERS) !== "off");

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

export function lettersOn(): boolean {
  return letters;
}

export function setLetters(on: boolean): void {
  letters = on;
  keep(LETTERS, on ? "on" : "off");
}
