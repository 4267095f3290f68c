/** The browser's preferences: language, theme, style of tables and pace. */
import { isLanguage, type Language } from "../languages/speak";

const THEME = "caltrop.theme";

export type Theme = "system" | "light" | "dark";

function stored(key: string): string | null {
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
    // The setting is kept only for this page.
  }
}

const themeKept = stored(THEME);
let theme = $state<Theme>(themeKept === "light" || themeKept === "dark" ? themeKept : "system");

export function currentTheme(): Theme {
  return theme;
}

export function setTheme(next: Theme): void {
  theme = next;
  keep(THEME, next);
  dress();
}

/** Apply the light or dark theme, or the system's, and the text size. */
export function dress(): void {
  document.documentElement.style.setProperty("--root", TYPE_SIZES[typeSize]);
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

const LANGUAGE = "caltrop.language";

export function currentLanguage(): Language {
  const language = stored(LANGUAGE);
  return isLanguage(language) ? language : "en";
}

/** The language takes effect when the page is loaded the next time. */
export function setLanguage(next: Language): void {
  keep(LANGUAGE, next === "en" ? "" : next);
}

/** Style of tables: painted from above, or flat ground and symbols on discs. */
export type Style = "painted" | "symbols";
const STYLE = "caltrop.style";
let style = $state<Style>(stored(STYLE) === "symbols" ? "symbols" : "painted");

export function currentStyle(): Style {
  return style;
}

export function setStyle(next: Style): void {
  style = next;
  keep(STYLE, next);
}

/** Pace at which others' acts are shown. */
export type Pace = "slow" | "usual" | "fast" | "instant";
/** Speed of animations as a multiple of the usual speed. */
export const RATES: Record<Pace, number> = { slow: 0.5, usual: 1, fast: 2, instant: Infinity };
const PACE = "caltrop.pace";
const ROLLING = "caltrop.rolling";
const HINTS = "caltrop.hints.away";
const CONFIRMING = "caltrop.confirming";

const paceKept = stored(PACE);
let pace = $state<Pace>(paceKept === "slow" || paceKept === "fast" || paceKept === "instant" ? paceKept : "usual");
let rolling = $state(stored(ROLLING) !== "off");
let away = $state.raw<ReadonlySet<string>>(new Set((stored(HINTS) ?? "").split(" ").filter(Boolean)));

/** True if every answer needs confirmation, even an answer that could be undone. */
let confirming = $state(stored(CONFIRMING) === "always");

export function confirmsAlways(): boolean {
  return confirming;
}

export function setConfirmsAlways(on: boolean): void {
  confirming = on;
  keep(CONFIRMING, on ? "always" : "");
}

const WORDS = "caltrop.words";
let words = $state(stored(WORDS) === "open");

/** Return whether tables are described in words beside the picture. */
export function tellsTable(): boolean {
  return words;
}

export function setTellsTable(on: boolean): void {
  words = on;
  keep(WORDS, on ? "open" : "");
}

export function currentPace(): Pace {
  return pace;
}

export function setPace(next: Pace): void {
  pace = next;
  keep(PACE, next);
}

/** When the camera shows in full size where something happens. */
export type Follows = "always" | "watching" | "never";
const FOLLOWS = "caltrop.follows";
const followsKept = stored(FOLLOWS);
let following = $state<Follows>(followsKept === "always" || followsKept === "never" ? followsKept : "watching");

export function follows(): Follows {
  return following;
}

export function setFollows(next: Follows): void {
  following = next;
  keep(FOLLOWS, next);
}

const SOUND = "caltrop.sound";
let sounds = $state(stored(SOUND) === "on");

/** Return whether sound is on. */
export function soundOn(): boolean {
  return sounds;
}

export function setSound(on: boolean): void {
  sounds = on;
  keep(SOUND, on ? "on" : "off");
}

/** Return whether only the ends of acts are shown, without movement. */
export function lessMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Return whether throws of dice are animated. */
export function diceRoll(): boolean {
  return rolling && !lessMotion();
}

export function diceRollChosen(): boolean {
  return rolling;
}

export function setDiceRoll(on: boolean): void {
  rolling = on;
  keep(ROLLING, on ? "on" : "off");
}

const TYPE = "caltrop.type";
export type TypeSize = "usual" | "large" | "larger";
/** Text size in percent of the browser's own. */
export const TYPE_SIZES: Record<TypeSize, string> = { usual: "93.75%", large: "112%", larger: "131%" };
const typeKept = stored(TYPE);
let typeSize = $state<TypeSize>(typeKept === "large" || typeKept === "larger" ? typeKept : "usual");

export function currentTypeSize(): TypeSize {
  return typeSize;
}

export function setTypeSize(next: TypeSize): void {
  typeSize = next;
  keep(TYPE, next);
  dress();
}

const UNIT = "caltrop.unit";
/** A second unit for lengths, besides the rulebook's; empty for none. */
export type AlsoUnit = "" | "cm" | "in";
const unitKept = stored(UNIT);
let unit = $state<AlsoUnit>(unitKept === "cm" || unitKept === "in" ? unitKept : "");

export function alsoUnit(): AlsoUnit {
  return unit;
}

export function setAlsoUnit(next: AlsoUnit): void {
  unit = next;
  keep(UNIT, next);
}

const NAME = "caltrop.name";
let name = $state(stored(NAME) ?? "");

/** Return the person's name; empty if they have given none. */
export function ownName(): string {
  return name;
}

export function setOwnName(next: string): void {
  name = next.trim().slice(0, 24);
  keep(NAME, name);
}

const CALLS = "caltrop.calls";
let calls = $state(stored(CALLS) === "on");

/** Return whether a notification calls the person when it is their turn and another page is open. */
export function callsOut(): boolean {
  return calls;
}

export function setCallsOut(on: boolean): void {
  calls = on;
  keep(CALLS, on ? "on" : "");
}

/** Return whether the hint for a kind of decision was dismissed. */
export function hintIsAway(ruleset: string, kind: string): boolean {
  return away.has(`${ruleset}/${kind}`);
}

const GOALS = "caltrop.goals.away";
let goalsAway = $state.raw<ReadonlySet<string>>(new Set((stored(GOALS) ?? "").split(" ").filter(Boolean)));

/** Return whether the card with a scenario's goal was dismissed. */
export function goalIsAway(ruleset: string, scenario: string): boolean {
  return goalsAway.has(`${ruleset}/${encodeURIComponent(scenario)}`);
}

export function putGoalAway(ruleset: string, scenario: string): void {
  if (goalIsAway(ruleset, scenario)) return;
  goalsAway = new Set([...goalsAway, `${ruleset}/${encodeURIComponent(scenario)}`]);
  keep(GOALS, [...goalsAway].join(" "));
}

export function anyHintAway(): boolean {
  return away.size > 0;
}

export function putHintAway(ruleset: string, kind: string): void {
  away = new Set([...away, `${ruleset}/${kind}`]);
  keep(HINTS, [...away].join(" "));
}

export function bringHintsBack(): void {
  away = new Set();
  keep(HINTS, "");
}
