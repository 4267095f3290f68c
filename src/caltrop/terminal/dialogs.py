"""Dialogs over the table: pages of text, the curtain between two players, a question, and a line of text."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen

from caltrop.terminal.pane import Pane, PaneLine

KEYS: tuple[tuple[str, str], ...] = (
    ("Choosing", ""),
    ("Tab, Shift+Tab", "next and previous choice; PgDn and PgUp go five on"),
    ("1 2 3 …", "choice of that number"),
    ("Enter", "take the choice; on the table: propose, and once more to do it"),
    ("e or Shift+Enter", "end the step or the turn"),
    ("n, Shift+N", "next and previous unit that may act"),
    ("Space", "unit, target or offered place at the cursor; once more for the next, if there are several"),
    ("Esc", "cancel the text, the path, the choice or the selected unit"),
    ("Ctrl+Z", "undo; after dice or an act of the other side, ask for its consent"),
    ("Ctrl+Y", "redo: play again what was freely taken back, the last act taken back first"),
    ("On the table", ""),
    ("Arrow keys", "move the cursor; with Shift five cells"),
    ("45,30 Enter", "a place in the game's own measure, right and up from the lower left corner"),
    ("g", "go to a place; on a map of hexes by its name, as in g E5 Enter"),
    ("w, Backspace", "set a waypoint at the cursor; take the last one away"),
    ("s, f", "next shape of the unit (keep, line, column, wedge); next facing"),
    ("a", "take the nearest legal act after a refusal"),
    ("h", "a hint: what a strong player would do, and why; once more to do it"),
    ("m", "measure from the cursor; once more to end it"),
    ("l", "line of sight from the selected unit to the unit under the cursor, and what blocks it"),
    ("+ - 0", "zoom in, out, whole table"),
    ("Reading", ""),
    ("b < >", "back to your last act; an act back or on: what others did since. Any other key comes back"),
    ("i", "inspect the unit and the ground under the cursor"),
    ("u", "show the list of units instead of the choices"),
    ("c", "cards: your hand, how many the others hold, what was played last"),
    ("d", "the last dice, each with what it counted for"),
    ("o", "whole log"),
    ("v", "how to win: what counts, the score, and the side that would win now"),
    ("?", "this list"),
    ("People", ""),
    ("t", "say something to the others at the table"),
    ("Shift+T", "turn the chat off, or on again"),
    ("Ctrl+D", "offer a draw; answer the offer of the other side, or take your own back"),
    ("Leaving", ""),
    ("Shift+S", "after the end: show everything that was hidden; nothing is taken back after that"),
    ("Ctrl+R", "resign"),
    ("q, Ctrl+Q, Ctrl+C", "leave; the game is saved"),
)


class TextPage(ModalScreen[None]):
    """A page of text over the table. The arrows scroll it; Esc, Enter or its own key close it.

    Args:
        own: The key that opened the page, which also closes it.
        last: True to show the end first.
    """

    CSS = "TextPage { align: center middle; } TextPage > #sheet { width: 1fr; height: 1fr; padding: 0 1; }"

    def __init__(self, title: str, lines: Sequence[PaneLine], own: str, last: bool = False) -> None:
        super().__init__()
        self.heading, self.lines, self.own = title, lines, own
        self.at = len(lines) if last else 0

    def compose(self) -> ComposeResult:
        yield Pane(id="sheet")

    def on_mount(self) -> None:
        self.call_after_refresh(self._show)

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        pane = self.query_one("#sheet", Pane)
        # Scrolling by paragraphs never hides the beginning of one.
        room = max(pane.size.height - 2, 1)
        fits, used = 0, 0
        for line in reversed(self.lines):
            used += len(pane.height_of(line))
            if used > room:
                break
            fits += 1
        self.at = max(0, min(self.at, len(self.lines) - fits))
        head = PaneLine("   ".join([self.heading, "Esc closes, arrows scroll"]), "bold")
        pane.show([head, *self.lines[self.at :]])

    def on_key(self, event: events.Key) -> None:
        event.stop()
        step = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -(10**6), "end": 10**6}.get(event.key)
        if step is not None:
            self.at += step
            self._show()
        elif event.key in ("escape", "enter", "q", "ctrl+c", self.own) or event.character == self.own:
            self.dismiss()


class Curtain(ModalScreen[None]):
    """Hides the table while another person sits down at the same screen.

    Args:
        words: The player who should sit down.
    """

    CSS = "Curtain { align: center middle; } Curtain > #curtain { width: 1fr; height: 1fr; padding: 2 4; }"

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def compose(self) -> ComposeResult:
        yield Pane(id="curtain")

    def on_mount(self) -> None:
        lines = [
            PaneLine(self.words, "bold"),
            PaneLine(""),
            PaneLine("The next part is secret: only you may see it. Enter: show it."),
        ]
        self.query_one("#curtain", Pane).show(lines)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key == "enter":
            self.dismiss()


class YesNoQuestion(ModalScreen[bool | None]):
    """A question to answer with yes or no; Esc cancels it."""

    CSS = (
        "YesNoQuestion { align: center middle; } YesNoQuestion > #question"
        " { width: 60; max-width: 100%; height: 7; padding: 1 2; border: round ansi_default; }"
    )

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def compose(self) -> ComposeResult:
        yield Pane(id="question")

    def on_mount(self) -> None:
        self.query_one("#question", Pane).show([PaneLine(self.words, "bold"), PaneLine("   ".join(["y yes", "n no"]))])

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in ("y", "n", "escape"):
            self.dismiss(None if event.key == "escape" else event.key == "y")


class Writing(ModalScreen[str | None]):
    """A field for a line of text: Enter sends it, Esc cancels it."""

    CSS = (
        "Writing { align: center middle; } Writing > #writing"
        " { width: 72; max-width: 100%; height: 11; padding: 1 2; border: round ansi_default; }"
    )

    def __init__(self, words: str, most: int) -> None:
        super().__init__()
        self.words, self.most, self.text = words, most, ""

    def compose(self) -> ComposeResult:
        yield Pane(id="writing")

    def on_mount(self) -> None:
        self._show()

    def _show(self) -> None:
        keys = f"Enter sends it, Esc cancels; {self.most - len(self.text)} left"
        self.query_one("#writing", Pane).show(
            [PaneLine(self.words, "bold"), PaneLine(f"> {self.text}_", own=True), PaneLine(keys, "dim")]
        )

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key == "escape":
            self.dismiss(None)
        elif event.key == "enter":
            self.dismiss(self.text.strip() or None)
        else:
            if event.key == "backspace":
                self.text = self.text[:-1]
            elif event.character is not None and event.character.isprintable() and len(self.text) < self.most:
                self.text += event.character
            self._show()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.text = (self.text + " ".join(event.text.split()))[: self.most]
        self._show()


def keys_of(legend: Sequence[str]) -> list[PaneLine]:
    """Return the list of keys with the legend of letters and textures on the table."""
    lines = []
    for key, words in KEYS:
        lines.append(PaneLine(words, "", f"  {key:18}", "bold") if words else PaneLine(key, "underline"))
    return [*lines, PaneLine("On this table", "underline"), *(PaneLine(words, "", "  ") for words in legend)]
