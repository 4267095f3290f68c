/**
 * Keeps a press from a button that has just come under the pointer. Such a press is the second of a double press, or of
 * a finger that presses again before anybody could have read the button.
 */

/** Largest distance of two presses in one place, in pixels. */
const NEAR = 28;
/** Milliseconds during which a press cannot be meant for a new button, because nobody has read it. */
const UNREAD = 450;
/** Milliseconds after a press during which its place is watched, and milliseconds between two checks. */
const WATCHED = 3000;
const LOOKS = 60;

/** An element that a press hits, with its words at that time. */
export interface Pressed {
  what: Element | null;
  words: string;
}

/** The latest press, and the time since when another element is in its place. */
interface Latest extends Pressed {
  x: number;
  y: number;
  changed: number | null;
}

/** Return what an element belongs to: a button, a link, or the table; null for anything else. */
export function pressedAt(target: EventTarget | null): Pressed {
  const what = target instanceof Element ? target.closest("button, a, summary, label, .frame") : null;
  return { what, words: what === null || what.matches(".frame") ? "" : (what.textContent ?? "").trim() };
}

export function isSame(one: Pressed, other: Pressed): boolean {
  return one.what === other.what && one.words === other.words;
}

/**
 * Return whether a press is not meant for the element that it hits. *count* is the browser's number of quick presses in
 * one place. The number reveals double clicks of a mouse, but not always double presses of a finger. For a finger, the
 * time since the element moved here is compared.
 */
export function isUnread(
  latest: Pressed & { changed: number | null },
  now: Pressed,
  press: { finger: boolean; count: number; time: number },
): boolean {
  if (now.what === null || isSame(latest, now)) return false;
  if (press.count > 1) return true;
  return press.finger && (latest.changed === null || press.time - latest.changed < UNREAD);
}

/** Watch all presses beside a table. */
export function guardPresses(): void {
  let latest: Latest | null = null;
  let watch: ReturnType<typeof setInterval> | undefined;
  let until = 0;

  /** Record the time when another element appears in the place of the latest press. */
  function look(): void {
    const now = performance.now();
    if (latest === null || now > until) {
      clearInterval(watch);
      latest = null;
      return;
    }
    const there = pressedAt(document.elementFromPoint(latest.x, latest.y));
    if (isSame(there, latest)) latest.changed = null;
    else latest.changed ??= now;
  }

  addEventListener(
    "click",
    (event) => {
      // Keys and scripts press without a pointer. Away from a table, no press is an act of a game.
      if (event.detail === 0 || document.querySelector(".frame") === null) return;
      const press = {
        finger: (event as Partial<PointerEvent>).pointerType === "touch",
        count: event.detail,
        time: performance.now(),
      };
      const now = pressedAt(event.target);
      const near = latest !== null && Math.hypot(event.clientX - latest.x, event.clientY - latest.y) <= NEAR;
      if (latest !== null && near && isUnread(latest, now, press)) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      latest = { ...now, x: event.clientX, y: event.clientY, changed: null };
      until = press.time + WATCHED;
      clearInterval(watch);
      watch = setInterval(look, LOOKS);
    },
    true,
  );
}
