/**
 * The language of the page. The page is written in English, and its texts are translated where they appear, before they
 * are painted.
 */
import type { Catalogs } from "./catalogs";
import type { Translate } from "./translator";

export const LANGUAGES = { en: "English", de: "Deutsch (Entwurf)", fr: "Français (ébauche)" } as const;
export type Language = keyof typeof LANGUAGES;

const CATALOGS: Record<Exclude<Language, "en">, () => Promise<{ default: Catalogs }>> = {
  de: () => import("./de"),
  fr: () => import("./fr"),
};
const ORDINALS: Record<Exclude<Language, "en">, (number: number) => string> = {
  de: (number) => `${number}.`,
  fr: (number) => (number === 1 ? "1er" : `${number}e`),
};
/** Attributes that are shown or read out. */
const SHOWN = ["aria-label", "aria-roledescription", "aria-valuetext", "title", "placeholder", "alt"];
/** People's own texts, and texts for programs, stay as they are. */
const THEIRS = "[translate=no], script, style, textarea, code, [contenteditable]";

export const isLanguage = (word: string | null): word is Language => word !== null && word in LANGUAGES;

/** Show the page in a language from now on; call it once, before anything is shown. */
export async function speak(language: Language): Promise<void> {
  document.documentElement.lang = language;
  if (language === "en") return;
  const [{ default: catalogs }, { translator }] = await Promise.all([CATALOGS[language](), import("./translator")]);
  const speakOf = (ruleset: string | null) => translator(catalogs(ruleset), language, ORDINALS[language]);
  let translate = speakOf(null);
  let spoken: string | null = null;
  ofGame = (ruleset) => {
    if (ruleset === spoken) return;
    spoken = ruleset;
    translate = speakOf(ruleset);
  };
  listen((text) => translate(text));
}

let ofGame: (ruleset: string) => void = () => undefined;
/** Translate texts from now on as the players of a game read them. */
export const speakOfGame = (ruleset: string): void => ofGame(ruleset);

function listen(translate: Translate): void {
  /** Texts written by this module, which are not translated again. */
  const written = new WeakMap<Node, string>();

  const text = (node: Text): void => {
    if (node.data === written.get(node) || node.parentElement?.closest(THEIRS)) return;
    const translation = translate(node.data);
    written.set(node, translation);
    if (translation !== node.data) node.data = translation;
  };
  const marks = new WeakMap<Element, Map<string, string>>();
  const attribute = (element: Element, name: string): void => {
    const value = element.getAttribute(name);
    let mine = marks.get(element);
    if (value === null || value === mine?.get(name) || element.closest("[translate=no]")) return;
    if (!mine) marks.set(element, (mine = new Map()));
    const translation = translate(value);
    mine.set(name, translation);
    if (translation !== value) element.setAttribute(name, translation);
  };
  const everything = (root: Node): void => {
    if (root instanceof Text) return text(root);
    if (!(root instanceof Element)) return;
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node: Node | null = root; node; node = walk.nextNode()) {
      if (node instanceof Text) text(node);
      else if (node instanceof Element) for (const name of SHOWN) if (node.hasAttribute(name)) attribute(node, name);
    }
  };

  everything(document.documentElement);
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "attributes" && change.attributeName && change.target instanceof Element)
        attribute(change.target, change.attributeName);
      else if (change.type === "characterData" && change.target instanceof Text) text(change.target);
      else change.addedNodes.forEach(everything);
    }
  }).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: SHOWN,
  });
}
