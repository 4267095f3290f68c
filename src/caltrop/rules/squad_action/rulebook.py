"""The rulebook of Squad Action for the engine: name, house rules, missions, forces and beginning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from caltrop.agreeing import quantity
from caltrop.chance import Dice
from caltrop.engine import ArmyCard, ArmyPart, Book, Ruleset, ScenarioCard
from caltrop.engine.army import Armoury
from caltrop.engine.parts import Files, Parts, Referee, Sights, Supplies
from caltrop.picture import Picture
from caltrop.rules.squad_action import assault, movement, rally, shelling, shooting, smoke, tokens, transport
from caltrop.rules.squad_action.armies import (
    LISTS,
    Force,
    catalogue,
    cost,
    every_force,
    faults,
    force_file,
    points_of,
    price,
    terms_on_sheet,
)
from caltrop.rules.squad_action.catalogue import SHEETS
from caltrop.rules.squad_action.picture import depict
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.scenarios import (
    Mission,
    every_mission,
    fewest_points,
    find_mission,
    firefight,
    mission_file,
    sizes_of,
)
from caltrop.rules.squad_action.setup import deploy_all
from caltrop.rules.squad_action.turn import Game

CHAPTERS = (movement, shooting, tokens, assault, transport, shelling, smoke, rally)
"""Modules that add acts to `acts.ACTS`, in the order of the book."""


class SquadAction(Ruleset):
    name = "squad-action"
    title = "Squad Action"
    words = "Squads, vehicles, walkers and flyers, modern to science fiction, that watch, pin and storm"
    owner = "its publisher"
    rules_version = 12
    prefix = "SQ-"
    size_words = "Points a side"
    state = Firefight

    def scenarios(self) -> Sequence[ScenarioCard]:
        fewest = fewest_points()
        return [_entry_of(m, fewest) for m in every_mission()]

    def armies(self) -> Sequence[ArmyCard]:
        sizes = _agreed()
        return [_army_entry(f, sizes) for f in every_force()]

    def setup(self, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> Firefight:
        """Return a new firefight. Nobody is placed, unless the mission deploys all units.

        Raises InputError for an unknown name or unsuitable forces; the message names the nearest valid name.

        Args:
            scenario: Id of a mission, or the path of a mission's file.
            armies: Id or path of the force of each side; if empty, the mission's own.
            size: Points of the larger force; by default the mission's own size.
        """
        mission = find_mission(scenario)
        t = firefight(book, mission, armies, size, Game())
        if mission.deployed:
            deploy_all(t)
        return t

    def depict(self, t: Any, side: int | None) -> Picture:
        return depict(t, side)

    def guess(self, view: Any, side: int, dice: Dice) -> Any:
        return tokens.guess_tokens(view, side, dice)

    @property
    def parts(self) -> Parts:
        from caltrop.rules.squad_action import form, odds, requests, resolve, rulings
        from caltrop.rules.squad_action.maps import MAPS
        from caltrop.rules.squad_action.preview import ATTACKING, preview, whole, why_no_attack
        from caltrop.rules.squad_action.sight import sight
        from caltrop.rules.squad_action.template import templates_to_print

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
                form=Mission, check=_mission, card=lambda word: _entry_of(find_mission(word), fewest_points())
            ),
            army_lists=Armoury(
                form=Force,
                check=_force,
                catalogue=catalogue,
                faults=faults,
                cost=cost,
                price=price,
                shipped=lambda: LISTS.files,
                shed=("id", "clauses", "cuts"),
                named=True,
                agreed=lambda book: _asked()[::-1],
                card=lambda book, word: _army_entry(LISTS.find(word).value, _agreed()),
            ),
            maps=MAPS,
            sheets=SHEETS,
            supplies=Supplies(
                markers=("Acted", "Pinned", "Broken", "Fire token", "Move token", "Immobile", "Disarmed"),
                templates=templates_to_print,
                terms=terms_on_sheet,
            ),
        )


def _entry_of(m: Mission, fewest: int) -> ScenarioCard:
    sizes = sizes_of(m, fewest)
    return ScenarioCard(id=m.id, title=m.title, minutes=m.minutes, words=m.words, sizes=sizes, limits=m.points)


def _army_entry(f: Force, sizes: tuple[int, ...]) -> ArmyCard:
    points = points_of(f)
    cuts = [[u for u in f.units if u.name in cut] for cut in f.cuts.values()]
    parts = [ArmyPart(points=points_of(f, cut), units=len(cut)) for cut in cuts]
    return ArmyCard(
        id=f.id,
        title=f.title,
        faction=f.id,
        size=len(f.units),
        editions=SquadAction.editions,
        points=points,
        sizes=tuple([size for size in sizes if size >= min([points, *f.cuts])]),
        parts=tuple(sorted(parts, key=lambda part: (part.points, part.units))),
    )


def _mission(file: Path) -> str:
    return f"the mission {mission_file(file).value.title}"


def _agreed() -> tuple[int, ...]:
    """Return all sizes that players may choose in some mission, in points, the smallest first."""
    fewest = fewest_points()
    return tuple(sorted({size for m in every_mission() for size in sizes_of(m, fewest)}))


def _asked() -> tuple[int, ...]:
    """Return the points of all sides in all missions, the fewest first."""
    return tuple(sorted({points for m in every_mission() for points in m.points} | {*_agreed()}))


def _force(file: Path) -> str:
    f = force_file(file).value
    return f"the force {f.title}, {quantity(len(f.units), 'unit')} for {quantity(points_of(f), 'point')}"


ruleset = SquadAction()
