"""Widgets for plain text and cells: text is cut to its area, with one line always visible."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from caltrop.agreeing import quantity
from caltrop.terminal.board import ScreenCell


class PaneLine(NamedTuple):
    """A paragraph with its prefix and its style."""

    words: str
    style: str = ""
    mark: str = ""
    mark_style: str = ""
    own: bool = False
    """True for the words of a person, and for text in the person's language already: neither is translated."""


@lru_cache(maxsize=512)
def style(text: str) -> Style:
    return Style.parse(text or "none")


def wrapped(words: str, width: int) -> list[str]:
    """Return text in rows of a width, broken at spaces if possible."""
    rows: list[str] = []
    for paragraph in words.split("\n"):
        plain = paragraph.lstrip(" ")
        indent = " " * min(len(paragraph) - len(plain), width - 1)
        room, row = width - len(indent), ""
        for word in plain.split(" "):
            longer = f"{row} {word}" if row else word
            if cell_len(longer) > room and row:
                rows.append(indent + row)
                longer = word
            while cell_len(longer) > room:
                rows.append(indent + longer[:room])
                longer = longer[room:]
            row = longer
        rows.append(indent + row)
    return rows


def rows_of(line: PaneLine, width: int) -> list[str]:
    """Return the rows of a paragraph at a width, without its prefix."""
    return wrapped(line.words, max(width - cell_len(line.mark), 1))


def same(text: str) -> str:
    """Return a text as it is: the translation into English."""
    return text


def _padded(mark: str, english: str) -> str:
    """Return a translated prefix that is as long as the English one, if it ends with blanks."""
    return mark.rstrip() + " " * max(cell_len(english) - cell_len(mark.rstrip()), 1) if english[-1:] == " " else mark


class Rows(Widget, can_focus=False):
    """A widget whose rows are computed together, when its content or size changes."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._strips: list[Strip] = []
        self._blank = Strip([])
        self._made_for: object = None

    def strips(self, width: int, height: int) -> list[Strip]:
        raise NotImplementedError

    def changed(self) -> None:
        self._made_for = None
        self.refresh()

    def notify_style_update(self) -> None:
        """Redraw everything in new colours."""
        super().notify_style_update()
        self._made_for = None

    def render_line(self, y: int) -> Strip:
        size = self.size
        if self._made_for != size:
            # The style is fetched once, because every access looks through all enclosing widgets.
            rows, around = (*self.strips(size.width, size.height), Strip([])), self.rich_style
            *self._strips, self._blank = (row.adjust_cell_length(size.width).apply_style(around) for row in rows)
            self._made_for = size
        return self._strips[y] if y < len(self._strips) else self._blank


class Pane(Rows):
    """Wrapped paragraphs. Text that does not fit is cut, with an arrow; paragraph `keep` stays visible."""

    def __init__(self, *, id: str, tail: bool = False) -> None:
        super().__init__(id=id)
        self.lines: Sequence[PaneLine] = ()
        self.keep = 0
        self.tail = tail
        """True to show the end of the text instead of the beginning."""

    def translated(self, lines: Sequence[PaneLine]) -> Sequence[PaneLine]:
        if not self.is_attached:
            return lines
        translate = getattr(self.app, "translate", same)
        if translate is same:
            return lines

        def one(line: PaneLine) -> PaneLine:
            return line._replace(words=translate(line.words), mark=_padded(translate(line.mark), line.mark))

        return [line if line.own else one(line) for line in lines]

    def show(self, lines: Sequence[PaneLine], keep: int = 0) -> None:
        """Show other paragraphs in the language of the person; unchanged text is not redrawn."""
        lines = self.translated(lines)
        if (lines, keep) != (self.lines, self.keep):
            self.lines, self.keep = lines, keep
            self.changed()

    def height_of(self, line: PaneLine) -> list[str]:
        return rows_of(self.translated([line])[0], self.size.width)

    def rows(self, width: int, height: int) -> list[tuple[PaneLine, str, str]]:
        rows: list[tuple[PaneLine, str, str]] = []
        first = last = 0
        for n, line in enumerate(self.lines):
            if n == self.keep:
                first = len(rows)
            for i, words in enumerate(rows_of(line, width)):
                rows.append((line, line.mark if i == 0 else " " * cell_len(line.mark), words))
            if n == self.keep:
                last = len(rows)
        if len(rows) <= height:
            return rows
        if self.tail:
            return rows[-height:]
        start = 0 if last <= height - 1 else min(last - height + 1, first, len(rows) - height)
        seen = rows[start : start + height]
        if start:
            seen[0] = (PaneLine("", "dim"), "", f"↑ {self._more(start)}")
        if start + height < len(rows):
            seen[-1] = (PaneLine("", "dim"), "", f"↓ {self._more(len(rows) - start - height + 1)}")
        return seen

    def _more(self, rows: int) -> str:
        return self.translated([PaneLine(quantity(rows, "more row"))])[0].words

    def strips(self, width: int, height: int) -> list[Strip]:
        return [
            Strip([Segment(mark, style(line.mark_style or line.style)), Segment(words, style(line.style))])
            for line, mark, words in self.rows(width, height)
        ]

    def text(self) -> str:
        return "\n".join(mark + words for _, mark, words in self.rows(self.size.width, self.size.height))


class CharacterBoard(Rows):
    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.cells: Sequence[Sequence[ScreenCell]] = ()

    def show(self, cells: Sequence[Sequence[ScreenCell]]) -> None:
        """Show other cells; unchanged cells are not redrawn."""
        if cells != self.cells:
            self.cells = cells
            self.changed()

    def strips(self, width: int, height: int) -> list[Strip]:
        """Return the rows as strips; adjacent cells of equal style are one segment."""
        strips = []
        for row in self.cells[:height]:
            segments = []
            for look, run in groupby(row, key=lambda cell: cell.style):
                segments.append(Segment("".join(cell.character for cell in run), style(look)))
            strips.append(Strip(segments))
        return strips

    def text(self) -> str:
        return "\n".join("".join(cell.character for cell in row).rstrip() for row in self.cells)
