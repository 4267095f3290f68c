/** Keeps the keyboard in the page when its contents are replaced, and shows new contents that are out of sight. */
import { tick } from "svelte";

/**
 * Move the focus to a heading when new contents replace the element that had it. A page that has just opened keeps its
 * focus.
 */
export function takesLostFocus(heading: HTMLElement): void {
  heading.tabIndex = -1;
  if (!navigator.userActivation.hasBeenActive) return;
  void tick().then(() => {
    if (document.activeElement === document.body) heading.focus({ preventScroll: true });
  });
}

/**
 * Keep the keyboard in a page. When the focused element is removed, the nearest heading around its place takes the
 * focus; when it was disabled for a moment, it takes the focus back.
 */
export function keepsKeyboard(page: HTMLElement): { destroy: () => void } {
  let last: HTMLElement | null = null;
  let around: HTMLElement[] = [];
  const remember = (event: FocusEvent): void => {
    const { target } = event;
    last = target instanceof HTMLElement && target.matches(":focus-visible") ? target : null;
    around = [];
    for (let one = last?.parentElement; one; one = one.parentElement) around.push(one);
  };
  const forget = (): void => {
    last = null;
  };
  const look = (): void => {
    if (last === null || document.activeElement !== document.body) return;
    if (last.isConnected) {
      if (!last.matches(":disabled") && last.checkVisibility()) last.focus({ preventScroll: true });
      return;
    }
    const heading = around
      .filter((one) => one.isConnected)
      .map((one) => one.querySelector<HTMLElement>("#question, h1, h2"))
      .find((one) => one?.checkVisibility());
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  // An element that replaces another takes the focus first.
  const watch = new MutationObserver(() => {
    if (last !== null && document.activeElement === document.body) setTimeout(look);
  });
  page.addEventListener("focusin", remember);
  page.addEventListener("pointerdown", forget, true);
  watch.observe(page, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] });
  return {
    destroy() {
      watch.disconnect();
      page.removeEventListener("focusin", remember);
      page.removeEventListener("pointerdown", forget, true);
    },
  };
}

/** Keep the focus in a group of buttons: when the focused one is disabled, the next that is enabled takes it. */
export function keepsFocus(group: HTMLElement): { destroy: () => void } {
  let last: EventTarget | null = null;
  const remember = (event: FocusEvent): void => {
    last = event.target;
  };
  group.addEventListener("focusin", remember);
  const watch = new MutationObserver(() => {
    if (!(last instanceof HTMLButtonElement && last.disabled) || document.activeElement !== document.body) return;
    const all = [...group.querySelectorAll("button")];
    const at = all.indexOf(last);
    [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0)).reverse()].find((one) => !one.disabled)?.focus();
  });
  watch.observe(group, { subtree: true, attributes: true, attributeFilter: ["disabled"] });
  return {
    destroy() {
      watch.disconnect();
    },
  };
}

/** Scroll to an element that has just appeared, if it is out of sight. */
export function comesIntoView(element: HTMLElement): void {
  element.scrollIntoView({ block: "nearest" });
}

/** Scroll to the contents of a fold each time it is opened. */
export function showsWhenOpened(contents: HTMLElement): { destroy: () => void } {
  const fold = contents.closest("details");
  const show = (): void => {
    if (fold?.open) comesIntoView(contents);
  };
  fold?.addEventListener("toggle", show);
  return {
    destroy() {
      fold?.removeEventListener("toggle", show);
    },
  };
}
