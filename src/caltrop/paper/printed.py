"""Print a game at its beginning, or the roster and chronicle of a campaign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reportlab.pdfgen.canvas import Canvas

from caltrop import __version__
from caltrop.paper.campaign import chronicle
from caltrop.paper.parts import PARTS
from caltrop.paper.sheet import PAPERS, PaperSheet, plain
from caltrop.scenarios.printable import game_of

if TYPE_CHECKING:
    from caltrop.engine.campaign import Overview
    from caltrop.journal import Setting

FOOT = "Printed by Caltrop, which is unofficial: the rulebook belongs to its publisher."


def print_game(
    setting: Setting, parts: Sequence[str], file: Path, *, paper: str = "a4", hex_width: float = 113.4
) -> int:
    """Print parts of a game into a PDF.

    Returns the number of pages. If the game has none of these parts, it returns 0 and writes no file. Raises
    InputError for a setting that cannot be played, or OSError when the file cannot be written.

    Args:
        parts: Names of `caltrop.paper.PARTS`.
        file: Path of the PDF.
        paper: A name of `caltrop.paper.PAPERS`.
        hex_width: The width of a hex in points, across its flats.
    """
    game = game_of(setting, hex_width)

    def draw(sheet: PaperSheet) -> None:
        for name in parts:
            PARTS[name](game, sheet)

    return _written(file, paper, f"{game.title}: {game.scenario}", draw)


def print_campaign(shown: Overview, file: Path, *, paper: str = "a4") -> int:
    """Print the roster and the chronicle of a campaign into a PDF; for the rest see `print_game`."""
    return _written(file, paper, shown.title, lambda sheet: chronicle(shown, sheet))


def _written(file: Path, paper: str, title: str, draw: Callable[[PaperSheet], None]) -> int:
    canvas = Canvas(str(file), pagesize=PAPERS[paper], invariant=1)
    canvas.setTitle(plain(title))
    canvas.setAuthor("Caltrop")
    canvas.setCreator(f"Caltrop {__version__}")
    sheet = PaperSheet(canvas, PAPERS[paper], f"{title}. {FOOT}")
    draw(sheet)
    if sheet.number:
        canvas.save()
    return sheet.number
