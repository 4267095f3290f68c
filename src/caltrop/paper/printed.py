"""What is printed: a game as it begins, or the roster and chronicle of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from caltrop import __version__
from caltrop.asking import offered
from caltrop.chance import Seeded
from caltrop.picture import Card, Picture
from caltrop.scenarios.summaries import Summary, summary

if TYPE_CHECKING:
    from caltrop.engine import Match
    from caltrop.engine.campaign import Overview
    from caltrop.journal import Setting
    from caltrop.paper.sheet import Sheet

PLACED_AT_MOST = 500
"""Answers after which no more is put down."""

FOOT = "Printed by Caltrop, which is unofficial: the rulebook belongs to its publisher."


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game as paper needs it."""

    title: str
    scenario: str
    picture: Picture
    """The table at its first decision, as everybody may see it."""
    placed: Picture
    """The same once everything has been put down where it usually is: models have bases then."""
    summary: Summary | None
    deck: tuple[tuple[Card, int], ...]
    """The cards of the game, with how many of each there are."""
    templates: tuple[tuple[str, int], ...]
    """Round templates: what each is for, and its radius in the table's own lengths."""
    hex_width: float
    """The width of a hex in points, across its flats."""


def game_of(setting: Setting, hex_width: float) -> Game:
    """Return a game as it begins.

    Raises:
        InputError: for a setting that cannot be played.
    """
    match = setting.begin(Seeded(1))
    rules = match.ruleset
    picture = rules.depict(match.state, None)
    _place(match)
    titles = {card.id: card.title for card in rules.scenarios()}
    supplies = rules.parts.supplies
    return Game(
        title=rules.title,
        scenario=titles.get(setting.scenario, setting.scenario),
        picture=picture,
        placed=rules.depict(match.state, None),
        summary=summary(rules.name),
        deck=() if supplies is None or supplies.deck is None else tuple(supplies.deck()),
        templates=() if supplies is None or supplies.templates is None else tuple(supplies.templates(match.state)),
        hex_width=hex_width,
    )


def _place(match: Match) -> None:
    """Put everything down as it is usually put down before a battle."""
    for _ in range(PLACED_AT_MOST):
        asked = [(d, offered(d).usual(match.view(d.side))) for d in match.waiting]
        usual = next(((d, answer) for d, answer in asked if answer is not None and answer.opens), None)
        if usual is None or match.over is not None:
            return
        match.follow(usual[0], usual[1].action)


def print_game(
    setting: Setting, parts: Sequence[str], file: Path, *, paper: str = "a4", hex_width: float = 113.4
) -> int:
    """Print parts of a game into a PDF.

    Args:
        setting: What is played.
        parts: Names of `caltrop.paper.PARTS`.
        file: Where the PDF goes.
        paper: A name of `caltrop.paper.PAPERS`.
        hex_width: The width of a hex in points, across its flats.

    Returns:
        How many pages it has; 0 where nothing of these parts is in the game, and then no file is written.

    Raises:
        InputError: for a setting that cannot be played.
        OSError: when the file cannot be written.
    """
    from caltrop.paper.parts import PARTS

    game = game_of(setting, hex_width)

    def draw(sheet: Sheet) -> None:
        for name in parts:
            PARTS[name](game, sheet)

    return _written(file, paper, f"{game.title}: {game.scenario}", draw)


def print_campaign(shown: Overview, file: Path, *, paper: str = "a4") -> int:
    """Print the roster and the chronicle of a campaign into a PDF; for the rest see `print_game`."""
    from caltrop.paper.campaign import chronicle

    return _written(file, paper, shown.title, lambda sheet: chronicle(shown, sheet))


def _written(file: Path, paper: str, title: str, draw: object) -> int:
    from reportlab.pdfgen.canvas import Canvas

    from caltrop.paper.sheet import PAPERS, Sheet, plain

    canvas = Canvas(str(file), pagesize=PAPERS[paper], invariant=1)
    canvas.setTitle(plain(title))
    canvas.setAuthor("Caltrop")
    canvas.setCreator(f"Caltrop {__version__}")
    sheet = Sheet(canvas, PAPERS[paper], f"{title}. {FOOT}")
    draw(sheet)  # type: ignore[operator]
    if sheet.number:
        canvas.save()
    return sheet.number
