"""A sheet of paper: its size, its margins, its text styles, and drawing at true scale."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from reportlab.lib.colors import Color, HexColor, white
from reportlab.lib.pagesizes import A4, letter
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, Table, TableStyle

PAPERS: dict[str, tuple[float, float]] = {"a4": A4, "letter": letter}
"""Sizes of paper in points, upright."""

MARGIN = 10 * mm
POINTS: dict[str, float] = {"cm": 10 * mm, "in": 25.4 * mm, "mm": mm}
"""Points in one measure of a table."""

INK, SECOND, EDGE = HexColor("#221d16"), HexColor("#5b5346"), HexColor("#8b8069")
SIDES = (HexColor("#1f5a99"), HexColor("#b23a1b"))
"""The colours of the sides; a round shape or a diamond tells them apart on paper without colour."""

BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=9, leading=12, textColor=INK)
SMALL = ParagraphStyle("small", BODY, fontSize=7.5, leading=9.5, textColor=SECOND)
BOLD = ParagraphStyle("bold", BODY, fontName="Helvetica-Bold", fontSize=10, leading=12.5)
HEAD = ParagraphStyle("head", BOLD, fontSize=12, leading=15, spaceBefore=8, spaceAfter=3)
TITLE = ParagraphStyle("title", BOLD, fontSize=18, leading=22, spaceAfter=6)

_SIGNS = {"″": '"', "′": "'", "−": "-", "→": "->", "≥": ">=", "≤": "<=", "\u00a0": " "}


def plain(text: str) -> str:
    """Return text in the characters that the fonts of every PDF have: the nearest for others, else a question mark.

    >>> plain("Łukasz moves 6″ – “fast”…")
    '?ukasz moves 6" – “fast”…'
    """
    shown = ""
    for sign in text:
        replacement = _SIGNS.get(sign, sign)
        try:
            replacement.encode("cp1252")
        except UnicodeEncodeError:
            near = unicodedata.normalize("NFKD", replacement).encode("cp1252", "ignore").decode("cp1252")
            replacement = near if near.isprintable() and near else "?"
        shown += replacement
    return shown


def paragraph(text: str, style: ParagraphStyle = BODY) -> Paragraph:
    """Return text as a paragraph; what looks like markup stands as it is."""
    escaped = plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return Paragraph(escaped, style)


def table(rows: Sequence[Sequence[str]], widths: Sequence[float | None] | None = None) -> Table:
    """Return rows as a table with lines above, below and under its first row, which is its head."""
    head, *rest = [[paragraph(text, SMALL if n == 0 else BODY) for text in row] for n, row in enumerate(rows)]
    made = Table([head, *rest], colWidths=widths, repeatRows=1, hAlign="LEFT")
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


class PaperSheet:
    """The pages of a document, drawn one after the other.

    Args:
        canvas: Draws; its unit is the point, from the lower left.
        size: Width and height of the paper in points.
        foot: Stands at the bottom of every page.
    """

    def __init__(self, canvas: Canvas, size: tuple[float, float], foot: str) -> None:
        self.canvas, self.size, self.foot = canvas, size, plain(foot)
        self.width, self.height = size[0] - 2 * MARGIN, size[1] - 2 * MARGIN
        self.number = 0

    @contextmanager
    def page(self, title: str = "") -> Iterator[float]:
        """Begin and end a page; gives the height in points up to which it is free, from its lower margin.

        Args:
            title: Stands at its top, if there is one.
        """
        self.number += 1
        c = self.canvas
        c.setFont("Helvetica", 7)
        c.setFillColor(SECOND)
        c.drawString(MARGIN, MARGIN - 10, self.foot[:140])
        c.drawRightString(self.size[0] - MARGIN, MARGIN - 10, str(self.number))
        free = self.height
        if title:
            c.setFont("Helvetica-Bold", 14)
            c.setFillColor(INK)
            c.drawString(MARGIN, MARGIN + self.height - 14, plain(title)[:90])
            free -= 24
        yield free
        c.showPage()

    def flow(self, parts: Sequence[Any], title: str = "") -> None:
        """Write paragraphs and tables over as many pages as they need."""
        todo = list(parts)
        while todo:
            with self.page(title) as free:
                y, begun = MARGIN + free, False
                while todo:
                    part = todo[0]
                    _, height = part.wrap(self.width, y - MARGIN)
                    if height > y - MARGIN:
                        split = part.split(self.width, y - MARGIN)
                        if len(split) < 2 and begun:
                            break
                        if len(split) < 2:  # higher than a page: it is cut off at its end
                            split = [part]
                        first, todo = split[0], [*split[1:], *todo[1:]]
                        _, height = first.wrap(self.width, y - MARGIN)
                        first.drawOn(self.canvas, MARGIN, y - height)
                        break
                    todo.pop(0)
                    part.drawOn(self.canvas, MARGIN, y - height)
                    y, begun = y - height - part.getSpaceAfter() - 3, True

    def disc(self, x: float, y: float, radius: float, side: int, text: str) -> None:
        """Draw a counter of a side with a letter: side A with a round ring, side B with a diamond in it."""
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
        """Write a word around a point, as large as fits into a width."""
        text = plain(text)
        size = min(width * 0.9, 14.0)
        while size > 3 and self.canvas.stringWidth(text, "Helvetica-Bold", size) > width:
            size -= 0.5
        self.canvas.setFillColor(colour)
        self.canvas.setFont("Helvetica-Bold", size)
        self.canvas.drawCentredString(x, y - size * 0.35, text)
