"""A game as paper needs it: its table before and after everything is put down, its summary, its cards and templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from caltrop.asking import offered
from caltrop.chance import Seeded
from caltrop.picture import Card, Picture
from caltrop.scenarios.summaries import Summary, summary

if TYPE_CHECKING:
    from caltrop.engine import Match
    from caltrop.journal import Setting

PLACED_AT_MOST = 500
"""Answers after which no more is put down."""


class PaperGame(msgspec.Struct, frozen=True, kw_only=True):
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


def game_of(setting: Setting, hex_width: float) -> PaperGame:
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
    return PaperGame(
        title=rules.title,
        scenario=titles.get(setting.scenario, setting.scenario),
        picture=picture,
        placed=rules.depict(match.state, None),
        summary=summary(rules.name),
        deck=() if supplies is None or supplies.deck is None else tuple(supplies.deck(match.state.book)),
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
