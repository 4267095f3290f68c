"""The rulebook of the duel for the engine: its name, its scenarios and the start of a game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from caltrop.agreeing import quantity
from caltrop.engine import ArmyCard, Book, Ruleset, ScenarioCard
from caltrop.engine.army import Armoury
from caltrop.engine.parts import Files, Parts, Referee, Sights
from caltrop.errors import InputError
from caltrop.geometry import CM
from caltrop.picture import Picture
from caltrop.rules.duel import picture
from caltrop.rules.duel.armies import ARMIES, DUELLIST, ArmyList, army_list, faults
from caltrop.rules.duel.records import (
    SHEETS,
    Duel,
)
from caltrop.rules.duel.scenarios import SCENARIOS, Scenario, scenario_file
from caltrop.rules.duel.turn import Duelling

FIRST = "crossroads"
"""The scenario that is offered as the default."""


class DuelRules(Ruleset):
    name = "duel"
    title = "Duel"
    words = "Two duellists and one die: the smallest game, and the template for a rulebook of your own"
    owner = "Caltrop"
    editions = ("current", "sharp")
    prefix = "DU-"
    state = Duel

    def scenarios(self) -> Sequence[ScenarioCard]:
        every = SCENARIOS.every(lambda s: (s.id != FIRST, s.id))
        return [_entry_of(s) for s in every]

    def setup(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> Duel:
        """Return the table of a scenario, with both duellists at their places.

        Raises InputError for an unknown scenario or an invalid list; the message suggests the nearest known word.

        Args:
            scenario: Id of a scenario, or the path of a scenario file.
            armies: For each side an army list, as a file's path or a text; empty for the scenario's own.
            size: None: a side is one duellist.
        """
        if size is not None or len(armies) > 2:
            raise InputError("a duel has no size and two sides, of one duellist each")
        s = SCENARIOS.find(scenario).value
        brought = [ARMIES.find(word).value.units[0] for word in armies]
        return Duel(
            book=book,
            stack=[Duelling()],
            width=s.table[0] * CM,
            height=s.table[1] * CM,
            rounds=s.rounds,
            terrain=s.terrain,
            duellists=[d.put(*brought[side : side + 1]) for side, d in enumerate(s.duellists)],
        )

    def depict(self, t: Duel, side: int | None) -> Picture:
        return picture.depict(t)

    @property
    def parts(self) -> Parts:
        from caltrop.rules.duel import campaign, form, odds, requests, resolve, rulings
        from caltrop.rules.duel.maps import MAPS
        from caltrop.rules.duel.preview import preview, whole
        from caltrop.rules.duel.sight import sight

        return Parts(
            forecasts=preview,
            whole_acts=whole,
            referee=Referee(requests.AttackRequest, resolve.answer, odds.answer, form.form, odds.IN_ORDER),
            sights=Sights(see=sight, symmetric=True),
            rulings=rulings,
            campaigns=campaign,
            scenario_files=Files(
                form=Scenario, check=_scenario, card=lambda word: _entry_of(SCENARIOS.find(word).value)
            ),
            army_lists=Armoury(
                form=ArmyList,
                check=_army_list,
                catalogue=lambda book, draft: (DUELLIST,),
                faults=lambda book, army, agreed: faults(army),
                cost=lambda book, army: army.units[0].points,
                price=lambda book, army, number: army.units[number].points,
                named=True,
                card=lambda book, word: _army_entry(ARMIES.find(word).value),
            ),
            maps=MAPS,
            sheets=SHEETS,
        )


def _entry_of(s: Scenario) -> ScenarioCard:
    return ScenarioCard(id=s.id, title=s.title, minutes=s.minutes, words=s.words)


def _army_entry(a: ArmyList) -> ArmyCard:
    (one,) = a.units
    return ArmyCard(id=a.id, title=a.title, faction=a.id, size=1, editions=DuelRules.editions, points=one.points)


def _scenario(file: Path) -> str:
    return f"the scenario {scenario_file(file).value.title}"


def _army_list(file: Path) -> str:
    a = army_list(file).value
    return f"the army list {a.title}, a duellist for {quantity(a.units[0].points, 'point')}"


ruleset = DuelRules()
