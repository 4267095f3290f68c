"""Play rulings: turn scenes into skirmishes and lines into actions, and compare the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET

from caltrop.chance import Seeded
from caltrop.engine import Book, Procedure, total
from caltrop.geometry import INCH
from caltrop.rules.blade_skirmish.armies import LISTS, cost, points_of, threat
from caltrop.rules.blade_skirmish.automata import AutomatedCharging, AutomatedMovement, AutomatedRunning, Wandering
from caltrop.rules.blade_skirmish.catalogue import inches
from caltrop.rules.blade_skirmish.challenge import QualityTest, chance_to_pass, chance_to_win
from caltrop.rules.blade_skirmish.charge import Charging
from caltrop.rules.blade_skirmish.combat import Combat
from caltrop.rules.blade_skirmish.movement import Movement
from caltrop.rules.blade_skirmish.odds import chances
from caltrop.rules.blade_skirmish.places import flank_partners, gap, sees
from caltrop.rules.blade_skirmish.records import Field, Fighter, Guts, Relic, Skirmish
from caltrop.rules.blade_skirmish.requests import asked
from caltrop.rules.blade_skirmish.rulings.form import SPELLED, RulingLine, SceneGiven, UnitGiven
from caltrop.rules.blade_skirmish.running import Running
from caltrop.rules.blade_skirmish.scenarios import base_radius, terrain_of
from caltrop.rules.blade_skirmish.season import Accounting, Deed, Experienced, Fought, Season, enlisted, played
from caltrop.rules.blade_skirmish.turn import Game, Sequence, Turn, sides_of_a_turn
from caltrop.scenarios.cases import keys_said
from caltrop.scenarios.notation import Fact, Lengths, Notation, UnitFacts
from caltrop.scenarios.playing import CasePlay, Questions, Starts
from caltrop.table.measured import Table

RULESET = "blade-skirmish"

SIDES: dict[str, int] = {"south": 0, "north": 1, "automata": 2}
NAMES = ("South", "North", "Automata")
SIZE = (24, 24)
"""Default size of the table."""
ORDINARY = 10
"""Default threat of a scenario (BS-S34)."""


def in_hundredths(length: int) -> float:
    """Return a length in inches, to the hundredth.

    >>> in_hundredths(508), in_hundredths(483)
    (2.0, 1.9)
    """
    return round(length / INCH, 2)


LENGTHS = Lengths(inches, in_hundredths, tolerance=2)
"""The notation of lengths: inches, to the hundredth (BS-Q03)."""
place_of = LENGTHS.place


def table_of(given: SceneGiven) -> Table:
    width, height = given.table or SIZE
    return Table(inches(width), inches(height), tuple([terrain_of(piece) for piece in given.terrain or ()]))


def skirmish_of(given: SceneGiven, book: Book) -> Skirmish:
    units: dict[str, UnitGiven] = given.units or {}
    count = 3 if any(u.side == "automata" for u in units.values()) else 2
    played = [SIDES[side] for side in given.played or ("south",)]
    turns: Mapping[Any, int] = given.turns or {}
    relic = place_of(given.relic) if given.relic else None
    begun = [turns.get(side, 0) for side, number in SIDES.items() if number < count]
    return Skirmish(
        book=book,
        field=Field(
            table=table_of(given),
            radius=base_radius(book),
            names=NAMES[:count],
            automated=tuple([side for side in range(count) if side not in played]),
            areas=(None,) * count,
            goal=given.goal or "none",
            place=relic,
            home=given.home or "south",
            exit=given.exit or "north",
        ),
        fighters=[_fighter(id, name, units[name]) for id, name in enumerate(units)],
        active=SIDES[given.active or "south"],
        turns=begun,
        round=max(begun),
        guts=[Guts(at=place_of(place)) for place in given.guts or ()],
        relic=None if relic is None else Relic(at=relic),
    )


def _fighter(id: int, name: str, given: UnitGiven) -> Fighter:
    own = {**keys_said(given), "side": SIDES[given.side or "south"], "at": place_of(given.at or (0, 0))}
    return Fighter(id=id, name=name[:1].upper() + name[1:], fate="ready", **{"quality": 1, **own})


# --- starting ---------------------------------------------------------------------------------------------------------


Start = tuple[Callable[["SkirmishPlay", RulingLine, int], Procedure], tuple[str, ...]]
"""Function that starts something, and the keys that a line needs for it."""


def _phase(played: Callable[..., Procedure], automated: Callable[..., Procedure]) -> Start:
    """Return a phase for `STARTS`, with the procedures for a player's fighter and for an automated model."""

    def start(play: SkirmishPlay, line: RulingLine, side: int) -> Procedure:
        id = play.unit(line.unit)
        t: Skirmish = play.state
        return (automated if t.automated(id) else played)(fighter=id)

    return start, ("unit",)


STARTS: Starts = {
    "turn": (lambda play, line, side: Turn(sides=sides_of_a_turn(play.state, side)), ()),
    "turns from combat": (
        lambda play, line, side: (
            Game(at="hand_over"),
            Turn(sides=sides_of_a_turn(play.state, side), at="fight"),
        ),
        (),
    ),
    "sequence": (lambda play, line, side: Sequence(fighter=play.unit(line.unit)), ("unit",)),
    "movement": _phase(Movement, AutomatedMovement),
    "charging": _phase(Charging, AutomatedCharging),
    "running": _phase(Running, AutomatedRunning),
    "random move": (lambda play, line, side: Wandering(fighter=play.unit(line.unit)), ("unit",)),
    "quality test": (
        lambda play, line, side: QualityTest(fighter=play.unit(line.unit), words="of her courage"),
        ("unit",),
    ),
    "combat": (lambda play, line, side: Combat(side=side), ()),
}
"""Things that a line can start, with their keys."""


# --- asking -----------------------------------------------------------------------------------------------------------


def _flank(play: SkirmishPlay, line: RulingLine) -> list[str]:
    return [play.called(id) for id in flank_partners(play.state, play.unit(line.unit), play.unit(line.target))]


def _points(play: SkirmishPlay, line: RulingLine) -> int:
    if line.warband is not UNSET:
        return points_of(play.book, LISTS.find(line.warband).value)
    return cost(play.book, line.quality or 1)


def _after_a_battle(play: SkirmishPlay, line: RulingLine) -> dict[str, int]:
    she = msgspec.structs.replace(enlisted("She", line.quality or 1), experience=line.experience or 0)
    deed = Deed(name=she.name, fate="ready", kills=line.kills or 0)
    season = Season(
        book=play.book,
        roster=[she],
        number=1,
        fought=Fought(result="won" if line.won else "lost", deeds=(deed,)),
        stack=[Accounting()],
    )
    after, events = played(season, Seeded(1))
    gained = sum([total(event.parts) for event in events if isinstance(event, Experienced)])
    return {"gained": gained, "quality": after.roster[0].quality, "experience": after.roster[0].experience}


QUESTIONS: Questions = {
    "gap": (
        lambda play, line: in_hundredths(gap(play.state, play.unit(line.unit), play.unit(line.target))),
        ("unit", "target"),
    ),
    "sight": (lambda play, line: sees(play.state, play.unit(line.unit), play.unit(line.target)), ("unit", "target")),
    "flank": (_flank, ("unit", "target")),
    "chance to pass": (lambda play, line: str(chance_to_pass(play.state, line.quality or 0)), ("quality",)),
    "points": (_points, ("quality", "warband")),
    "after a battle": (_after_a_battle, ("quality", "experience", "kills", "won")),
    "threat": (lambda play, line: threat(play.book, ORDINARY, line.points or 0), ("points",)),
}
"""Things that a line can ask, with their keys."""


# --- facts ------------------------------------------------------------------------------------------------------------


def _place_now(play: SkirmishPlay, fighter: int, expected: Any) -> list[float] | None:
    at = play.state.fighters[fighter].at
    return None if at is None else LENGTHS.place_now(expected, at)


# --- playing ----------------------------------------------------------------------------------------------------------


class SkirmishPlay(CasePlay):
    game = RULESET
    sides = SIDES
    starts = STARTS
    questions = QUESTIONS
    spelled: ClassVar[dict[str, tuple[str, ...]]] = SPELLED
    shelf = "fighters"
    lengths = LENGTHS
    reads: ClassVar[Notation] = {
        **dict.fromkeys(("unit", "target"), CasePlay.unit),
        "path": lambda play, places: tuple([place_of(place) for place in places]),
        "to": lambda play, places: place_of(places[-1]),
    }
    writes: ClassVar[Notation] = {
        **dict.fromkeys(
            ("fighter", "attacker", "target", "victim", "by", "who", "fighters", "partners"), CasePlay.names
        ),
        **dict.fromkeys(("side", "sides"), CasePlay.side_names),
        "path": lambda play, places: [LENGTHS.written(at) for at in places],
    }
    facts: ClassVar[Mapping[str, Fact]] = {
        "guts": Fact("guts", lambda play, places: LENGTHS.places_now(places, [guts.at for guts in play.state.guts])),
    }
    unit_facts: ClassVar[UnitFacts] = {
        "at": _place_now,
        "trophy": lambda play, fighter, expected: play.state.fighters[fighter].trophy is not None,
    }

    def scene(self) -> Skirmish:
        return skirmish_of(self.scene_given(SceneGiven), self.book)

    def before_dice(self, request: dict[str, Any]) -> dict[str, Any]:
        as_read = asked(request)
        attack = (as_read.book, as_read.attacker, as_read.defender, as_read.flanking)
        each: dict[str, str] = {
            injury: str(chance) for injury, chance in chances(*attack).items() if injury is not None
        }
        return {"hits": str(chance_to_win(*attack)), **each}
