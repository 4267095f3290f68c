/** Calls the person whose turn it is: by the page's title, its icon, and a notification if the browser allows it. */
import { callsOut } from "./settings.svelte";

const TITLE = "Caltrop";
/** A caltrop die, with a dot if the player is called. */
function icon(called: boolean): string {
  const dot = called ? '<circle cx="24" cy="8" r="7.5" fill="#b23a1b" stroke="#fff" stroke-width="1.5"/>' : "";
  const die =
    '<path d="M16 3 29 26H3Z M16 3 18.5 20 M29 26 18.5 20 M3 26 18.5 20" fill="#fffdf7" stroke="#2b6248" ' +
    'stroke-width="2.6" stroke-linejoin="round"/>';
  return (
    `data:image/svg+xml,` +
    `${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${die}${dot}</svg>`)}`
  );
}

let called = false;

/** Show the title, and call once when it becomes this person's turn. */
export function announce(title: string, mine: boolean, words: string): void {
  document.title = `${title} · ${TITLE}`;
  if (mine === called) return;
  called = mine;
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link !== null) link.href = icon(mine);
  if (mine && document.hidden && callsOut() && mayCall() === "granted") {
    const note = new Notification(TITLE, { body: words, tag: "caltrop-turn" });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  }
}

/** Return the browser's permission for notifications; pages without a secure connection have no such thing. */
export function mayCall(): NotificationPermission | "missing" {
  return typeof Notification === "undefined" || !isSecureContext ? "missing" : Notification.permission;
}

/** Show the icon of the page. */
export function showIcon(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link !== null) link.href = icon(false);
}
