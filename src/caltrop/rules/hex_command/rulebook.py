"""The rulebook of Hex Command for the engine: name, house rules, scenarios, armies and beginning."""

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
from caltrop.rules.hex_command.armies import (
    LISTS,
    ArmyList,
    army_list,
    catalogue,
    check,
    cost,
    every_list,
    faults,
    kinds_of,
    price_of,
    terms_on_sheet,
    usual_points,
)
from caltrop.rules.hex_command.cards import cards_to_print, guess_hands
from caltrop.rules.hex_command.catalogue import (
    FACES,
    SHEETS,
    UNIT_SHEET,
    card_kind,
    ground_of,
)
from caltrop.rules.hex_command.picture import depict
from caltrop.rules.hex_command.records import Battle
from caltrop.rules.hex_command.scenarios import (
    SCENARIO_FILES,
    Scenario,
    battle,
    choose_armies,
    every_scenario,
    scenario_file,
)
from caltrop.rules.hex_command.setup import Opening, check_room


class HexCommand(Ruleset):
    name = "hex-command"
    title = "Hex Command"
    words = "Order cards, dice with symbols and a map of hexes, from infantry up to God Machines with void shields"
    owner = "its publisher"
    prefix = "HX-"
    rules_version = 4
    size_words = "Points a side"
    state = Battle

    def scenarios(self) -> Sequence[ScenarioCard]:
        return [_entry_of(s) for s in every_scenario()]

    def armies(self) -> Sequence[ArmyCard]:
        return [_army_entry(self.book(), a) for a in every_list()]

    def setup(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> Battle:
        """Return the battle before its first unit is placed or its first card is dealt.

        Raises InputError for an unknown name or unsuitable armies; the message names the nearest valid name.

        Args:
            scenario: Id of a scenario, or the path of a scenario file.
            armies: Id or path of the army list of each side, whose units the sides place in turns.
            size: Points of each army; by default the usual points.
        """
        s = SCENARIO_FILES.find(scenario).value
        t = battle(book, s, choose_armies(book, s, armies, size), Opening())
        check_room(t)
        return t

    def depict(self, t: Any, side: int | None) -> Picture:
        return depict(t, side)

    def guess(self, view: Any, side: int, dice: Dice) -> Any:
        return guess_hands(view, side, dice)

    def rows(self, t: Any) -> Mapping[str, Any]:
        """Return the rows that affect a battle: its units, its ground, the cards of its deck, and its die."""
        units, kinds = UNIT_SHEET.of(t), {one.kind for one in t.units}
        if any(units[kind].is_leader for kind in kinds):
            kinds.add("leader-light")  # the last model of a Leader unit (HX-Q15)
        grounds = {"open", "entrenchment", *t.field.terrain.values()}
        return {
            **{f"units/{kind}": units[kind] for kind in kinds},
            **{f"terrain/{kind}": ground_of(t, kind) for kind in grounds},
            **{f"cards/{kind}": card_kind(t, kind) for kind in t.field.deck},
            "die": FACES[str(t.book.rules["battle_die"])],
        }

    @property
    def parts(self) -> Parts:
        from caltrop.rules.hex_command import form, odds, requests, resolve, rulings
        from caltrop.rules.hex_command.maps import MAPS
        from caltrop.rules.hex_command.preview import ATTACKING, preview, whole, why_no_attack
        from caltrop.rules.hex_command.sight import sight

        return Parts(
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
                cost=cost,
                price=price_of,
                shipped=lambda: LISTS.files,
                count="count",
                agreed=lambda book: (usual_points(book),),
                card=lambda book, word: _army_entry(book, LISTS.find(word).value),
            ),
            maps=MAPS,
            sheets=SHEETS,
            supplies=Supplies(
                deck=cards_to_print, markers=("Ordered", "Moved", "Battled", "Entrenched"), terms=terms_on_sheet
            ),
        )


def _entry_of(s: Scenario) -> ScenarioCard:
    usual = usual_points(HexCommand().book())
    return ScenarioCard(
        id=s.id,
        title=s.title,
        minutes=s.minutes,
        words=s.words,
        takes_armies=s.takes_armies,
        limits=(usual, usual) if s.takes_armies else (),
    )


def _army_entry(book: Book, a: ArmyList) -> ArmyCard:
    return ArmyCard(
        id=a.id,
        title=a.title,
        faction=a.id,
        size=len(kinds_of(a)),
        editions=HexCommand.editions,
        points=cost(book, a),
    )


def _scenario(file: Path) -> str:
    return f"the scenario {scenario_file(file).value.title}"


def _army_list(file: Path) -> str:
    read = army_list(file)
    check(read, ruleset.book())
    kinds = kinds_of(read.value)
    points = quantity(sum(k.points for k in kinds), "point")
    return f"the army list {read.value.title}, {quantity(len(kinds), 'piece')} for {points}"


ruleset = HexCommand()
