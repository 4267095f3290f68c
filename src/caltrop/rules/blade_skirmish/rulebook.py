"""The rulebook of Blade Skirmish for the engine: name, house rules, scenarios, warbands and beginning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from caltrop.agreeing import quantity
from caltrop.engine import ArmyCard, Book, Ruleset, ScenarioCard
from caltrop.engine.army import Armoury
from caltrop.engine.parts import Files, Parts, Referee, Sights, Supplies
from caltrop.picture import Picture
from caltrop.rules.blade_skirmish.armies import (
    LISTS,
    POINTS,
    Warband,
    catalogue,
    every_warband,
    faults,
    known_points,
    points_of,
    price,
    warband_file,
)
from caltrop.rules.blade_skirmish.muster import skirmish
from caltrop.rules.blade_skirmish.picture import depict
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.scenarios import (
    SCENARIO_FILES,
    SHEETS,
    Scenario,
    every_scenario,
    plain_book,
    scenario_file,
)
from caltrop.rules.blade_skirmish.turn import Game


class BladeSkirmish(Ruleset):
    name = "blade-skirmish"
    title = "Blade Skirmish"
    words = "A handful of named fighters with blades against foes that act by dice, or against another warband"
    owner = "its publisher"
    prefix = "BS-"
    rules_version = 7
    size_words = "Points a side"
    state = Skirmish

    def scenarios(self) -> Sequence[ScenarioCard]:
        return [_entry_of(s) for s in every_scenario()]

    def armies(self) -> Sequence[ArmyCard]:
        b = plain_book()
        return [_army_entry(b, w) for w in every_warband(b)]

    def setup(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> Skirmish:
        """Return a new skirmish before any fighter is placed.

        Raises InputError for an unknown name or unsuitable warbands; the message names the nearest valid name.

        Args:
            scenario: Id of a scenario, or the path of a scenario file.
            armies: Id or path of the warband of each player's side. An additional warband replaces the scenario's
                automated models.
            size: Points of each warband. By default 12 if two players fight, otherwise any number.
        """
        return skirmish(book, SCENARIO_FILES.find(scenario).value, armies, size, Game())

    def depict(self, t: Any, side: int | None) -> Picture:
        return depict(t, side)

    def automated(self, t: Any) -> Sequence[int]:
        automated: tuple[int, ...] = t.field.automated
        return automated

    @property
    def parts(self) -> Parts:
        from caltrop.rules.blade_skirmish import form, ledger, odds, requests, resolve, rulings
        from caltrop.rules.blade_skirmish.maps import MAPS
        from caltrop.rules.blade_skirmish.preview import ATTACKING, preview, whole, why_no_attack
        from caltrop.rules.blade_skirmish.season import names_of_the_game
        from caltrop.rules.blade_skirmish.sight import sight

        return Parts(
            supplies=Supplies(markers=("Moved", "Stunned", "Fleeing", "Wounded")),
            forecasts=preview,
            whole_acts=whole,
            in_order=ATTACKING.foresee,
            why_no_attack=why_no_attack,
            referee=Referee(requests.AttackRequest, resolve.answer, odds.answer, form.form, odds.IN_ORDER),
            sights=Sights(see=sight, symmetric=True),
            rulings=rulings,
            campaigns=ledger,
            scenario_files=Files(
                form=Scenario, check=_scenario, card=lambda word: _entry_of(SCENARIO_FILES.find(word).value)
            ),
            army_lists=Armoury(
                form=Warband,
                check=_army_list,
                catalogue=catalogue,
                faults=faults,
                cost=points_of,
                price=price,
                shipped=lambda: LISTS.files,
                units="fighters",
                named=True,
                names=names_of_the_game().recruits,
                card=lambda book, word: _army_entry(book, LISTS.find(word).value),
                agreed=lambda book: (POINTS, *[n for n in known_points(book) if n != POINTS]),
            ),
            maps=MAPS,
            sheets=SHEETS,
        )


def _entry_of(s: Scenario) -> ScenarioCard:
    return ScenarioCard(
        id=s.id,
        title=s.title,
        minutes=s.minutes,
        words=s.words,
        players=len(s.zones),
        sizes=known_points(plain_book()),
        limits=(POINTS, POINTS) if len(s.zones) > 1 else (),
    )


def _army_entry(b: Book, w: Warband) -> ArmyCard:
    points = points_of(b, w)
    return ArmyCard(
        id=w.id,
        title=w.title,
        faction=w.id,
        size=len(w.fighters),
        editions=BladeSkirmish.editions,
        points=points,
        sizes=tuple([n for n in known_points(b) if n >= points]),
    )


def _scenario(file: Path) -> str:
    return f"the scenario {scenario_file(file).value.title}"


def _army_list(file: Path) -> str:
    w = warband_file(file).value
    points = quantity(points_of(plain_book(), w), "point")
    return f"the warband {w.title}, {quantity(len(w.fighters), 'fighter')} for {points}"


ruleset = BladeSkirmish()
