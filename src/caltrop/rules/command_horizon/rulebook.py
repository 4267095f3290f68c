"""The rulebook of Command Horizon for the engine: name, editions, house rules, scenarios, armies and beginning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from caltrop.agreeing import quantity
from caltrop.chance import Dice
from caltrop.engine import ArmyCard, Book, Ruleset, ScenarioCard
from caltrop.engine.army import Armoury
from caltrop.engine.parts import Files, Parts, Referee, Sights, Supplies
from caltrop.picture import Picture
from caltrop.rules.command_horizon.armies import (
    LISTS,
    ArmyList,
    army_list,
    catalogue,
    check,
    cost_of,
    editions_of,
    every_list,
    faults,
    paint_of_race,
    price,
    races,
    sizes_of,
    terms_on_sheet,
)
from caltrop.rules.command_horizon.catalogue import (
    SHEETS,
    rows_read,
)
from caltrop.rules.command_horizon.picture import depict
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.scenarios import (
    SCENARIO_FILES,
    Scenario,
    battle,
    choose_armies,
    every_scenario,
    scenario_file,
)
from caltrop.rules.command_horizon.setup import guess_plans
from caltrop.rules.command_horizon.turn import Game


class CommandHorizon(Ruleset):
    name = "command-horizon"
    title = "Command Horizon"
    words = "Units of tanks and infantry of three races, a pool of command points, and everything that they buy"
    owner = "EMP Games"
    editions = ("current", "v1.5")
    prefix = "CH-"
    rules_version = 10
    state = Battle

    def scenarios(self) -> Sequence[ScenarioCard]:
        return [_entry_of(s) for s in every_scenario()]

    def armies(self) -> Sequence[ArmyCard]:
        book = self.book()
        return [_army_entry(book, a) for a in every_list()]

    def setup(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> Battle:
        """Return the battle before the roll-off.

        Raises InputError for an unknown name or unsuitable armies; the message names the nearest valid name.

        Args:
            book: Edition and house rules.
            scenario: Id of a scenario, or the path of a scenario file.
            armies: For each side the id or path of an army list, or a race, for which *size* chooses the list.
            size: Number of units on each side; by default the scenario's own number.
        """
        s = SCENARIO_FILES.find(scenario).value
        return battle(book, s, choose_armies(book, s, armies, size), Game())

    def depict(self, t: Any, side: int | None) -> Picture:
        return depict(t, side)

    def guess(self, view: Any, side: int, dice: Dice) -> Any:
        return guess_plans(view, side, dice)

    def rows(self, t: Any) -> Mapping[str, Any]:
        """Return the rows that affect a battle: units and traits of its armies, and the result tables."""
        kinds = {(t.armies[u.side].army, u.kind) for u in t.units}
        kinds |= {(t.armies[t.units[m.unit].side].army, m.kind) for m in t.models}
        return rows_read(t.book, kinds)

    @property
    def parts(self) -> Parts:
        from caltrop.rules.command_horizon import form, odds, requests, resolve, rulings
        from caltrop.rules.command_horizon.maps import MAPS
        from caltrop.rules.command_horizon.preview import ATTACKING, preview, whole, why_no_attack
        from caltrop.rules.command_horizon.sight import sight

        return Parts(
            supplies=Supplies(markers=("Stun", "Worm", "Mark", "Moved", "Target", "Overwatch"), terms=terms_on_sheet),
            forecasts=preview,
            whole_acts=whole,
            in_order=ATTACKING.foresee,
            why_no_attack=why_no_attack,
            referee=Referee(
                requests.AttackRequest, resolve.answer, odds.answer, form.form, odds.IN_ORDER, requests.showing
            ),
            sights=Sights(see=sight, symmetric=True),
            rulings=rulings,
            scenario_files=Files(
                form=Scenario, check=_scenario, card=lambda word: _entry_of(SCENARIO_FILES.find(word).value)
            ),
            army_lists=Armoury(
                form=ArmyList,
                check=_army_list,
                catalogue=catalogue,
                faults=faults,
                cost=cost_of,
                price=price,
                shipped=lambda: LISTS.files,
                race="army",
                races=races,
                measured=True,
                card=lambda book, word: _army_entry(book, LISTS.find(word).value),
                paint=paint_of_race,
            ),
            maps=MAPS,
            sheets=SHEETS,
        )


def _entry_of(s: Scenario) -> ScenarioCard:
    return ScenarioCard(id=s.id, title=s.title, minutes=s.minutes, words=s.words, sizes=sizes_of(s.armies))


def _army_entry(book: Book, a: ArmyList) -> ArmyCard:
    return ArmyCard(
        id=a.id,
        title=a.title,
        faction=a.army,
        size=len(a.units),
        editions=editions_of(a),
        points=cost_of(book, a),
    )


def _scenario(file: Path) -> str:
    return f"the scenario {scenario_file(file).value.title}"


def _army_list(file: Path) -> str:
    read = army_list(file)
    for edition in editions_of(read.value):
        check(read, ruleset.book(edition))
    cost = cost_of(ruleset.book(), read.value)
    worth = "" if cost is None else f" ({quantity(cost, 'point')})"
    count = len(read.value.units)
    return f"the army list {read.value.title}, {quantity(count, 'unit')}{worth}"


ruleset = CommandHorizon()
