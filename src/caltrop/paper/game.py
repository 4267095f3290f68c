"""A game as paper needs it: its table before and after everything is put down, its summary, its cards and templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from caltrop.asking import offered
from caltrop.chance import Seeded
from caltrop.picture import Card, Group, Picture, Zone
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
    zones: tuple[Zone, ...]
    """Every marked area that is shown while things are put down, as where each side begins."""
    summary: Summary | None
    deck: tuple[tuple[Card, int], ...]
    """The cards of the game, with how many of each there are."""
    templates: tuple[tuple[str, int], ...]
    """Round templates: what each is for, and its radius in the table's own lengths."""
    hex_width: float
    """The width of a hex in points, across its flats."""

    def units(self) -> list[tuple[str, Group]]:
        """Return all units once they stand, each with its letter and number, which is also on its counters."""
        tagged = list[tuple[str, Group]]()
        for seat in self.picture.seats:
            own = [group for group in self.placed.groups if group.side == seat.side]
            tagged += [(f"{seat.letter}{number}", group) for number, group in enumerate(own, 1)]
        return tagged


def game_of(setting: Setting, hex_width: float) -> PaperGame:
    """Return a game as it begins. Raises InputError for a setting that cannot be played."""
    match = setting.begin(Seeded(1))
    rules = match.ruleset
    picture = rules.depict(match.state, None)
    zones = _place(match, picture)
    titles = {card.id: card.title for card in rules.scenarios()}
    supplies = rules.parts.supplies
    return PaperGame(
        title=rules.title,
        scenario=titles.get(setting.scenario, setting.scenario),
        picture=picture,
        placed=rules.depict(match.state, None),
        zones=zones,
        summary=summary(rules.name),
        deck=() if supplies is None or supplies.deck is None else tuple(supplies.deck(match.state.book)),
        templates=() if supplies is None or supplies.templates is None else tuple(supplies.templates(match.state)),
        hex_width=hex_width,
    )


def _place(match: Match, picture: Picture) -> tuple[Zone, ...]:
    """Put everything down as it is usually put down before a battle; return the areas that were shown meanwhile."""
    zones, sides = dict.fromkeys(picture.zones), {d.side for d in match.waiting}
    for _ in range(PLACED_AT_MOST):
        asked = [(d, offered(d).usual(match.view(d.side))) for d in match.waiting]
        usual = next(((d, answer) for d, answer in asked if answer is not None and answer.opens), None)
        if usual is None or match.over is not None:
            break
        match.follow(usual[0], usual[1].action)
        if (now := {d.side for d in match.waiting}) != sides:
            sides = now
            zones |= dict.fromkeys(match.ruleset.depict(match.state, None).zones)
    return tuple(zones)
