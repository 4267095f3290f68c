"""Collect what is printed of a game, and counted beside a real table.

That is its table before and after deployment, its summary, its cards and its templates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from caltrop.asking import offered
from caltrop.chance import Seeded
from caltrop.engine.packs import reading
from caltrop.errors import InputError
from caltrop.picture import Card, Group, Picture, Zone
from caltrop.scenarios.summaries import Summary, summary

if TYPE_CHECKING:
    from caltrop.engine import Match
    from caltrop.journal import Setting

PLACED_AT_MOST = 500
"""Largest number of answers given while the units are put down."""


class PaperGame(msgspec.Struct, frozen=True, kw_only=True):
    """The printable content of a game."""

    ruleset: str
    title: str
    scenario: str
    picture: Picture
    """Public picture of the table at the first decision."""
    placed: Picture
    """Picture of the table after a usual deployment, when all models have bases."""
    zones: tuple[Zone, ...]
    """Every area marked during deployment, such as the zone of each side."""
    deck: tuple[tuple[Card, int], ...]
    """The cards of the game with their numbers."""
    templates: tuple[tuple[str, int], ...]
    """Round templates: the use of each, and its radius in the table's units."""
    hex_width: float
    """The width of a hex in points, across its flats."""
    terms: tuple[tuple[tuple[str, str], ...], ...] = ()
    """Terms on the sheet of each side, with their explanations."""
    armies: tuple[str, ...] = ()
    """Titles of the armies that were chosen, by side; empty if they are the scenario's."""

    @property
    def summary(self) -> Summary | None:
        return summary(self.ruleset)

    def called(self, side: int) -> str:
        """Return the name of a side, with the title of its army if that was chosen."""
        name = next(seat.name for seat in self.picture.seats if seat.side == side)
        title = self.armies[side] if side < len(self.armies) else ""
        return name if title in ("", name) else f"{name}: {title}"

    def units(self) -> list[tuple[str, Group]]:
        """Return all units after deployment, each with its letter and number, which are also printed on its
        counters.
        """
        tagged = list[tuple[str, Group]]()
        for seat in self.picture.seats:
            own = [group for group in self.placed.groups if group.side == seat.side]
            tagged += [(f"{seat.letter}{number}", group) for number, group in enumerate(own, 1)]
        return tagged


def game_of(setting: Setting, hex_width: float) -> PaperGame:
    """Return the printable content of a setting. Raises InputError for a setting that cannot be played."""
    match = setting.begin(Seeded(1))
    rules = match.ruleset
    picture = rules.depict(match.state, None)
    zones = _place(match, picture)
    supplies = rules.parts.supplies
    return PaperGame(
        ruleset=rules.name,
        title=rules.title,
        scenario=_scenario_of(setting, match),
        armies=_armies_of(setting, match),
        picture=picture,
        placed=rules.depict(match.state, None),
        zones=zones,
        deck=() if supplies is None or supplies.deck is None else tuple(supplies.deck(match.state.book)),
        templates=() if supplies is None or supplies.templates is None else tuple(supplies.templates(match.state)),
        hex_width=hex_width,
        terms=()
        if supplies is None or supplies.terms is None
        else tuple([tuple(supplies.terms(match.state, seat.side)) for seat in picture.seats]),
    )


def _scenario_of(setting: Setting, match: Match) -> str:
    """Return the title of a scenario, which may be a file or a text."""
    files = match.ruleset.scenario_files
    if files is None or files.card is None:
        titles = {card.id: card.title for card in match.ruleset.scenarios()}
        return titles.get(setting.scenario, setting.scenario)
    with reading(match.state.book.pack):
        return files.card(setting.scenario).title


def _armies_of(setting: Setting, match: Match) -> tuple[str, ...]:
    armoury, book = match.ruleset.army_lists, match.state.book
    if armoury is None or armoury.card is None:
        return ()
    titles = []
    with reading(book.pack):
        for word in setting.armies:
            try:
                titles.append(armoury.card(book, word).title)
            except InputError:  # a word for an army that depends on the size of the battle
                titles.append("")
    return tuple(titles)


def _place(match: Match, picture: Picture) -> tuple[Zone, ...]:
    """Deploy all units in the usual way, and return the areas marked meanwhile."""
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
