"""A page of paper: size, margins, text styles, and drawing at true scale."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reportlab.lib.colors import Color, HexColor, white
from reportlab.lib.pagesizes import A4, letter
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import getFont, registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, Table, TableStyle

PAPERS: dict[str, tuple[float, float]] = {"a4": A4, "letter": letter}
"""Width and height of paper sizes in points, in portrait format."""

MARGIN = 10 * mm
POINTS: dict[str, float] = {"cm": 10 * mm, "in": 25.4 * mm, "mm": mm}
"""Number of points in one centimetre or inch of the real table."""

INK, SECOND, EDGE = HexColor("#221d16"), HexColor("#5b5346"), HexColor("#8b8069")
SIDES = (HexColor("#1f5a99"), HexColor("#b23a1b"))
"""Colours of the sides; without colour a round shape or a diamond tells them apart."""

REGULAR, STRONG = "Caltrop Sans", "Caltrop Sans Bold"
"""The fonts of all pages. They have Latin, Greek and Cyrillic letters."""
for _name, _file in ((REGULAR, "caltrop-sans-regular.ttf"), (STRONG, "caltrop-sans-bold.ttf")):
    registerFont(TTFont(_name, Path(__file__).with_name("fonts") / _file))
_LETTERS = getFont(REGULAR).face.charToGlyph

BODY = ParagraphStyle("body", fontName=REGULAR, fontSize=9, leading=12, textColor=INK)
SMALL = ParagraphStyle("small", BODY, fontSize=7.5, leading=9.5, textColor=SECOND)
BOLD = ParagraphStyle("bold", BODY, fontName=STRONG, fontSize=10, leading=12.5)
HEAD = ParagraphStyle("head", BOLD, fontSize=12, leading=15, spaceBefore=8, spaceAfter=3)
TITLE = ParagraphStyle("title", BOLD, fontSize=18, leading=22, spaceAfter=6)

ALONE = 40
"""Free space needed below a heading, in points, so that no heading is alone at the end of a page."""


def plain(text: str) -> str:
    """Return text in the letters of the fonts; others become the nearest letters or a question mark.

    >>> plain("Łukasz moves 6″ – “fast”… to Ω, 东")
    'Łukasz moves 6″ – “fast”… to Ω, ?'
    """
    shown = ""
    for sign in text:
        near = sign if ord(sign) in _LETTERS else unicodedata.normalize("NFKD", sign)
        shown += near if near.isprintable() and all(ord(one) in _LETTERS for one in near) else "?"
    return shown


def paragraph(text: str, style: ParagraphStyle = BODY) -> Paragraph:
    escaped = plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return Paragraph(escaped, style)


def table(rows: Sequence[Sequence[str]], widths: Sequence[float | None] | None = None) -> Table:
    """Return rows as a table with lines above it, below it, and under its first row, the head.

    Every heading begins with a capital letter, also where it is a word of the rules.
    """
    head, *rest = rows
    cells = [[paragraph(text[:1].upper() + text[1:], SMALL) for text in head]]
    cells += [[paragraph(text, BODY) for text in row] for row in rest]
    made = Table(cells, colWidths=widths, repeatRows=1, hAlign="LEFT")
    lines = [
        ("LINEABOVE", (0, 0), (-1, 0), 0.8, INK),
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, INK),
        ("LINEBELOW", (0, -1), (-1, -1), 0.8, INK),
        ("LINEBELOW", (0, 1), (-1, -2), 0.25, EDGE),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
    ]
    made.setStyle(TableStyle(lines))
    return made


class Boxed(Flowable):  # type: ignore[misc]  # reportlab has no types
    """A heading followed by boxes to cross out one by one.

    Args:
        text: The heading.
        boxes: Number of boxes.
    """

    SIDE, STEP, LINE = 8.5, 11.5, 15.0

    def __init__(self, text: str, boxes: int) -> None:
        super().__init__()
        self.text, self.boxes = plain(text), boxes
        self.begin = stringWidth(self.text, HEAD.fontName, HEAD.fontSize) + 8
        self.spaceBefore, self.spaceAfter = float(HEAD.spaceBefore), 0.0

    def _places(self, wide: float) -> Iterator[tuple[float, int]]:
        """Yield the position and the line of each box."""
        x, line = self.begin, 0
        for _ in range(self.boxes):
            if x + self.SIDE > wide:
                x, line = 0.0, line + 1
            yield x, line
            x += self.STEP

    def wrap(self, wide: float, high: float) -> tuple[float, float]:
        self.width = wide
        self.lines = 1 + max((line for _, line in self._places(wide)), default=0)
        return wide, self.lines * self.LINE

    def draw(self) -> None:
        c = self.canv
        c.setFont(HEAD.fontName, HEAD.fontSize)
        c.setFillColor(INK)
        c.drawString(0, (self.lines - 1) * self.LINE + 4, self.text)
        c.setStrokeColor(INK)
        c.setLineWidth(0.7)
        for x, line in self._places(self.width):
            c.rect(x, (self.lines - 1 - line) * self.LINE + 3.5, self.SIDE, self.SIDE, fill=0)


class PaperSheet:
    """The pages of a document, drawn one after the other.

    Args:
        canvas: The canvas of the PDF, whose unit is the point, measured from the lower left.
        size: Width and height of the paper in points.
        foot: Text at the bottom of every page.
    """

    def __init__(self, canvas: Canvas, size: tuple[float, float], foot: str) -> None:
        self.canvas, self.size, self.foot = canvas, size, plain(foot)
        self.width, self.height = size[0] - 2 * MARGIN, size[1] - 2 * MARGIN
        self.number = 0

    @contextmanager
    def page(self, title: str = "") -> Iterator[float]:
        self.number += 1
        c = self.canvas
        c.setFont(REGULAR, 7)
        c.setFillColor(SECOND)
        c.drawString(MARGIN, MARGIN - 10, self.foot[:140])
        c.drawRightString(self.size[0] - MARGIN, MARGIN - 10, str(self.number))
        free = self.height
        if title:
            c.setFont(STRONG, 14)
            c.setFillColor(INK)
            c.drawString(MARGIN, MARGIN + self.height - 14, plain(title)[:90])
            free -= 24
        yield free
        c.showPage()

    def flow(self, parts: Sequence[Any], title: str = "") -> None:
        """Write paragraphs and tables over as many pages as they need.

        A list of parts stays on one page if it fits there, and a heading stays with what follows it.
        """
        todo = list(parts)
        while todo:
            with self.page(title) as free:
                y, begun = MARGIN + free, False
                while todo:
                    if isinstance(todo[0], list):
                        if begun and self._height(todo[0]) > y - MARGIN:
                            break
                        todo[:1] = todo[0]
                    part = todo[0]
                    y -= part.getSpaceBefore() if begun else 0
                    _, height = part.wrap(self.width, y - MARGIN)
                    alone = getattr(part, "style", None) is HEAD and len(todo) > 1
                    if begun and alone and height + ALONE > y - MARGIN:
                        break
                    if height > y - MARGIN:
                        split = part.split(self.width, y - MARGIN)
                        if len(split) < 2 and begun:
                            break
                        if len(split) < 2:  # A part higher than a page is cut off at its end.
                            split = [part]
                        first, todo = split[0], [*split[1:], *todo[1:]]
                        _, height = first.wrap(self.width, y - MARGIN)
                        first.drawOn(self.canvas, MARGIN, y - height)
                        break
                    todo.pop(0)
                    part.drawOn(self.canvas, MARGIN, y - height)
                    y, begun = y - height - part.getSpaceAfter() - 3, True

    def _height(self, parts: Sequence[Any]) -> float:
        """Return the total height of parts one below the other, in points."""
        total = 0.0
        for part in parts:
            total += part.getSpaceBefore() + part.wrap(self.width, self.height)[1] + part.getSpaceAfter() + 3
        return total

    def disc(self, x: float, y: float, radius: float, side: int, text: str) -> None:
        """Draw a counter with a letter: with a round ring for side A, with a diamond for side B."""
        c, colour = self.canvas, SIDES[side % len(SIDES)]
        c.setStrokeColor(INK)
        c.setLineWidth(0.5)
        c.setFillColor(white)
        c.circle(x, y, radius, fill=1)
        c.setStrokeColor(colour)
        c.setLineWidth(max(radius * 0.12, 0.6))
        inner = radius * 0.84
        if side % 2 == 0:
            c.circle(x, y, inner, fill=0)
        else:
            path = c.beginPath()
            path.moveTo(x, y + inner)
            for dx, dy in ((inner, 0), (0, -inner), (-inner, 0)):
                path.lineTo(x + dx, y + dy)
            path.close()
            c.drawPath(path, fill=0)
        self.label(x, y, text, radius * 1.1, colour)

    def label(self, x: float, y: float, text: str, width: float, colour: Color = INK) -> None:
        """Write a word centred on a point, as large as a width allows."""
        text = plain(text)
        size = min(width * 0.9, 14.0)
        while size > 3 and self.canvas.stringWidth(text, STRONG, size) > width:
            size -= 0.5
        self.canvas.setFillColor(colour)
        self.canvas.setFont(STRONG, size)
        self.canvas.drawCentredString(x, y - size * 0.35, text)
