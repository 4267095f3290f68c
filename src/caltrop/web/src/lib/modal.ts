/** Opens a dialog for as long as its element exists, and closes it at once when it is dismissed. */
import type { Attachment } from "svelte/attachments";

/**
 * Escape, the close button and `close()` do the same. The browser reports a closed dialog only a moment later, and a
 * key that is pressed meanwhile would be lost. @param close Removes the element.
 */
export function modal(close: () => void): Attachment<HTMLDialogElement> {
  return (dialog) => {
    let open = true;
    const shut = (event: Event): void => {
      if (event instanceof KeyboardEvent && (event.key !== "Escape" || event.defaultPrevented)) return;
      if (event.type === "submit" && (event.target as HTMLFormElement).method !== "dialog") return;
      event.preventDefault();
      if (!open) return;
      open = false;
      // The focus returns to its former element.
      if (dialog.open) dialog.close();
      close();
    };
    const kinds = ["keydown", "cancel", "submit", "close"] as const;
    for (const kind of kinds) dialog.addEventListener(kind, shut);
    dialog.showModal();
    // The focus may be on a button at the end.
    dialog.scrollTop = 0;
    return () => {
      for (const kind of kinds) dialog.removeEventListener(kind, shut);
    };
  };
}
