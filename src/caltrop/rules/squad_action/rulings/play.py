"""Play rulings: turn scenes into firefights and lines into acts, and compare the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from msgspec import UNSET

from caltrop.engine import Action, Book, Procedure, Term
from caltrop.errors import InputError
from caltrop.geometry import INCH, Point, heading_of
from caltrop.rules.squad_action.activation import announced_after
from caltrop.rules.squad_action.acts import ACTS
from caltrop.rules.squad_action.armies import find, unit_points
from caltrop.rules.squad_action.catalogue import SUPPLIED, inches
from caltrop.rules.squad_action.morale import chance_to_pass
from caltrop.rules.squad_action.orders import Begin, BeginOptions
from caltrop.rules.squad_action.places import FOOT, cover_of, gap, unit_sees
from caltrop.rules.squad_action.recon import ReconMoves
from caltrop.rules.squad_action.records import Cloud, Firefight, Objective, Pilot, Unit
from caltrop.rules.squad_action.requests import RULESET, asked
from caltrop.rules.squad_action.rulings.form import (
    AS_THEY_ARE,
    SPELLED,
    UNITS,
    RulingLine,
    SceneGiven,
    UnitGiven,
    Vector,
)
from caltrop.rules.squad_action.scenarios import terrain_of
from caltrop.rules.squad_action.scene import Put, row, scene
from caltrop.rules.squad_action.shooting import Shoot, attack_of
from caltrop.rules.squad_action.shots import faces_struck
from caltrop.rules.squad_action.turn import Game, GameTurn, SideTurn
from caltrop.scenarios.cases import fields_of
from caltrop.scenarios.notation import Fact, Lengths, Notation, UnitFacts, added_up
from caltrop.scenarios.playing import CasePlay, Questions, Starts

SIDES: dict[str, int] = {"south": 0, "north": 1}
SIZE = (48, 48)
"""Default size of the table."""
SQUAD = 8
"""Default number of models of a squad."""
GAP = 0.4
"""Default gap between bases in a row."""
ALONG: dict[str, Point] = {"x": (1, 0), "-x": (-1, 0), "y": (0, 1), "-y": (0, -1)}


def in_inches(length: int) -> float:
    """Return a length in inches, to the hundredth.

    >>> in_inches(508), in_inches(483)
    (2.0, 1.9)
    """
    return round(length / INCH, 2)


LENGTHS = Lengths(inches, in_inches, tolerance=2)
"""The notation of lengths: inches, to the hundredth."""
place_of = LENGTHS.place


# --- the scene --------------------------------------------------------------------------------------------------------


def firefight_of(given: SceneGiven, book: Book) -> Firefight:
    units: dict[str, UnitGiven] = given.units or {}
    ids = {name: i for i, name in enumerate(units)}
    goal = given.mission or None
    markers: Mapping[Any, int] = given.smoke or {}
    field: dict[str, Any] = {}
    if goal is not None:
        field = {
            "goal": goal.is_,
            "turns": goal.turns,
            "objectives": tuple([Objective(at=place_of(at)) for at in goal.objectives]),
            "defender": None if goal.defender is None else SIDES[goal.defender],
            "morale": None if goal.morale is None else SIDES[goal.morale],
            "exits": goal.exits,
        }
    t = scene(
        *[_put(name, unit, ids) for name, unit in units.items()],
        rules=book.rules,
        active=SIDES[given.active or "south"],
        round=1 if given.turn is UNSET else given.turn,
        terrain=[terrain_of(piece) for piece in given.terrain or ()],
        table=given.table or SIZE,
        field=field,
        tokens={ids[name]: unit.tokens for name, unit in units.items() if unit.tokens},
        first=SIDES[given.first or "south"],
        smoke=[markers.get(side, 0) for side in SIDES],
        called=[SIDES[side] for side in given.called or ()],
        pilot=Pilot(at=place_of(goal.pilot)) if goal is not None and goal.pilot is not None else None,
    )
    for cloud in given.clouds or ():
        unit = t.units[ids[cloud.unit]]
        t.put_clouds([*t.clouds, Cloud(at=place_of(cloud.at), side=unit.side, unit=unit.id, left=cloud.left)])
    for name, fields in units.items():
        for m in t.units[ids[name]].models:
            spent = tuple([w for w in fields.fired or () if w in t.models[m].weapons])
            t.change_model(m, fired=spent)
    return t


def _put(name: str, given: UnitGiven, ids: Mapping[str, int]) -> Put:
    kind = given.kind or ""
    own: dict[str, Any] = {
        key: getattr(given, key) for key in (*AS_THEY_ARE, "starting") if getattr(given, key) is not UNSET
    }
    if given.reserve or given.due:
        own["where"] = "reserve"
    if given.aboard:
        own.update(where="aboard", carrier=ids[given.aboard])
    if given.travelled:
        own.update(travelled=inches(given.travelled), moved=True)
    own.update(
        name=name[:1].upper() + name[1:],
        traits=given.traits or (),
        braved=tuple([ids[other] for other in given.braved or ()]),
    )
    vehicle = SUPPLIED.vehicles.get(kind)
    models = 1 if vehicle else SQUAD if given.models is UNSET else given.models
    places = [place_of(at) for at in given.at or ((0, 0),)]
    step = 2 * FOOT + inches(GAP if given.gap is UNSET else given.gap)
    weapons = [(weapon,) for weapon in given.weapons or ()]
    return Put(
        side=SIDES[given.side or "south"],
        row=kind,
        places=row(places, models, ALONG[given.along or "x"], step),
        weapons=(vehicle.weapons,) if vehicle else (*weapons, *[(given.arms or "rifle",)] * (models - len(weapons))),
        heading=_direction(given.facing or (0, 1)),
        officer=given.officer or False,
        spotter=given.spotter or False,
        fields=own,
    )


def _direction(given: Vector) -> Point:
    """Return a direction.

    Raises:
        InputError: if the length of the direction is 0.
    """
    if not any(given):
        raise InputError("(0, 0) is not a direction")
    return heading_of(LENGTHS.place(given))


# --- starting ---------------------------------------------------------------------------------------------------------


def _side(kind: Callable[..., Procedure]) -> Callable[[SquadPlay, RulingLine, int], Procedure]:
    return lambda play, line, side: kind(side=side)


STARTS: Starts = {
    "game": (lambda play, line, side: Game(), ()),
    "game turn": (lambda play, line, side: GameTurn(), ()),
    "turn": (_side(SideTurn), ()),
    "recon moves": (_side(ReconMoves), ()),
}
"""Things that a line can start, with their keys."""


# --- asking -----------------------------------------------------------------------------------------------------------


def _needed(play: SquadPlay, line: RulingLine) -> int | list[int] | None:
    """Return the target numbers of a weapon's shots: one number, or several if models differ; None for no shot."""
    act = Shoot(play.unit(line.unit), ((line.weapon or "", play.unit(line.target)),))
    every = [b.needed for attack in attack_of(play.state, act, bool(line.token)) for b in attack.bands]
    return every if len(every) > 1 else every[0] if every else None


def _cover(play: SquadPlay, line: RulingLine) -> str:
    t: Firefight = play.state
    firers = [at for m in t.units[play.unit(line.unit)].models if (at := t.models[m].at) is not None]
    return cover_of(t, t.units[play.unit(line.target)].models, firers)


def _face(play: SquadPlay, line: RulingLine) -> list[str]:
    """Return the faces of a machine that the first model of a unit looks at."""
    t: Firefight = play.state
    at = t.models[t.units[play.unit(line.unit)].models[0]].at
    assert at is not None
    return list(faces_struck(t, play.unit(line.target), at))


def _points(play: SquadPlay, line: RulingLine) -> dict[str, Any]:
    force = find(line.force or "")
    every = [unit_points(force.lists, unit) for unit in force.units]
    return {"units": every, "total": sum(every)}


def _chance(play: SquadPlay, line: RulingLine) -> str:
    parts = (Term(line.modifier, "SQ-ORG-22", "Modifier"),) if line.modifier else ()
    return str(chance_to_pass(play.book, line.morale or 0, parts))


QUESTIONS: Questions = {
    "gap": (
        lambda play, line: in_inches(gap(play.state, play.unit(line.unit), play.unit(line.target))),
        ("unit", "target"),
    ),
    "sight": (
        lambda play, line: unit_sees(play.state, play.unit(line.unit), play.unit(line.target)),
        ("unit", "target"),
    ),
    "cover": (_cover, ("unit", "target")),
    "face": (_face, ("unit", "target")),
    "needed": (_needed, ("unit", "target", "weapon", "token")),
    "points": (_points, ("force",)),
    "chance to pass": (_chance, ("morale", "modifier")),
}
"""Things that a line can ask, with their keys."""


# --- facts ------------------------------------------------------------------------------------------------------------


def _places(play: SquadPlay, unit: int, expected: Any) -> list[list[float]]:
    t: Firefight = play.state
    places = [t.models[m].at for m in t.units[unit].models][: len(expected)]
    return LENGTHS.places_now(expected, [at for at in places if at is not None])


def _facing(play: SquadPlay, unit: int, expected: Vector) -> Any:
    t: Firefight = play.state
    heading = t.models[t.units[unit].models[0]].heading
    return expected if heading_of(heading) == _direction(expected) else heading


def _with_pilot(play: SquadPlay) -> str:
    pilot = play.state.pilot
    return "nobody" if pilot is None or pilot.unit is None else play.called(pilot.unit)


def _of(value: Callable[[SquadPlay, Unit], Any]) -> Callable[[Any, int, Any], Any]:
    """Return a fact about a unit that does not depend on the expected value."""
    return lambda play, unit, expected: value(play, play.state.units[unit])


# --- playing ----------------------------------------------------------------------------------------------------------

ACT_NAMES = tuple([act.__name__ for acts in ACTS.values() for act in acts])
"""Names of all acts of units."""


class SquadPlay(CasePlay):
    game = RULESET
    sides = SIDES
    starts = STARTS
    questions = QUESTIONS
    spelled = SPELLED
    lengths = LENGTHS
    reads: ClassVar[Notation] = {
        **dict.fromkeys(UNITS, CasePlay.unit),
        **dict.fromkeys(("facing", "direction"), lambda play, vector: _direction(vector)),
        **dict.fromkeys(("aim", "at"), lambda play, place: place_of(place)),
        **dict.fromkeys(("after", "ahead"), lambda play, length: inches(length)),
        "fire": lambda play, fire: tuple([(weapon, play.unit(unit)) for weapon, unit in fire.items()]),
        "partners": lambda play, names: tuple([play.unit(name) for name in names]),
        "places": lambda play, places: tuple([place_of(place) for place in places]),
        "to_side": lambda play, side: SIDES[side],
    }
    writes: ClassVar[Notation] = {
        **dict.fromkeys(
            ("unit", "target", "watcher", "actor", "of", "vehicle", "units", "assaulters", "defenders", "targets"),
            CasePlay.names,
        ),
        **dict.fromkeys(("side", "by"), CasePlay.side_names),
        **dict.fromkeys(("aim", "marker", "at"), lambda play, at: LENGTHS.written(at) if isinstance(at, list) else at),
        "distance": lambda play, length: in_inches(length),
        "models": lambda play, models: play.numbers_of(models) if isinstance(models, list) else models,
        "parts": added_up,
    }
    facts: ClassVar[Mapping[str, Fact]] = {
        "smoke": Fact("smoke of {}", lambda play, side: play.state.smoke[SIDES[side]]),
        "scores": Fact("score of {}", lambda play, side: play.state.scores[SIDES[side]]),
        "clouds": Fact("clouds", lambda play, places: LENGTHS.places_now(places, [c.at for c in play.state.clouds])),
        "pilot": Fact("pilot", lambda play, unit: _with_pilot(play)),
        "turn": Fact("turn", lambda play, turn: play.state.round),
        "first": Fact("first", lambda play, side: play.side_called(play.state.first)),
        "winner": Fact("winner", CasePlay.winner_now),
    }
    unit_facts: ClassVar[UnitFacts] = {
        "models": _of(lambda play, u: 0 if u.where == "gone" else len(u.models)),
        "aboard": _of(lambda play, u: play.names(u.carrier)),
        "tokens": _of(lambda play, u: play.state.tokens[u.id].faces if u.id in play.state.tokens else ()),
        "travelled": _of(lambda play, u: in_inches(u.travelled)),
        "fired": _of(lambda play, u: sorted({w for m in play.numbered(u.id) for w in play.state.models[m].fired})),
        "at": _places,
        "facing": _facing,
        "gap": lambda play, unit, expected: {
            name: LENGTHS.near(length, gap(play.state, unit, play.unit(name))) for name, length in expected.items()
        },
    }

    def scene(self) -> Firefight:
        return firefight_of(self.scene_given(SceneGiven), self.book)

    def before_dice(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the target number of each shot, and the saves against hits."""
        as_read = asked(request)
        save = as_read.save.needed if as_read.save.possible else None
        return {"needed": as_read.needed, "save": save}

    def numbered(self, unit: int) -> list[int]:
        """Return the models that a unit had at the start of the scene, in order."""
        return [m.id for m in self.state.models if m.unit == unit]

    def numbers_of(self, models: list[int]) -> list[int]:
        """Return the numbers of models in their units, from 1."""
        return [self.numbered(self.state.models[m].unit).index(m) + 1 for m in models]

    # --- acts ---------------------------------------------------------------------------------------------------------

    def action(self, line: RulingLine, options: Any) -> Any:
        act = super().action(line, options)
        if not isinstance(options, BeginOptions) or line.do not in ACT_NAMES or isinstance(act, Begin):
            return act
        if line.then is not UNSET:
            return Begin(act.unit, act, line.then)
        follows = announced_after(options.begun(act.unit), act.unit, act)
        return Begin(act.unit, act, next(iter(follows), ()))

    def left_out(
        self, line: RulingLine, kind: type[Action], field: str, values: Mapping[str, Any], options: Any
    ) -> Any:
        fields = {f.name: self.value(line, f.name, options) for f in fields_of(kind)}
        options_ = {name: value for name, value in fields.items() if value is not None}
        for offered in options:
            act = offered.act if isinstance(offered, Begin) else offered
            same = isinstance(act, kind) and all(getattr(act, name) == value for name, value in options_.items())
            if same and (not isinstance(act, Shoot) or line.target is UNSET or self._at_one(act, line)):
                return act
        raise InputError(f"no {line.do} like this is offered: give {' or '.join(self.spelled.get(field, (field,)))}")

    def _at_one(self, act: Shoot, line: RulingLine) -> bool:
        return {target for _, target in act.fire} == {self.unit(line.target)}

    def value(self, line: RulingLine, field: str, options: Any) -> Any:
        match field:
            case "targets":
                return self._targets(line)
            case "paths":
                return self.paths(line)
            case "moment" if line.after is UNSET:
                return dict(options.decision.chances).get(self.unit(line.unit))
        given = super().value(line, field, options)
        match field:
            case "models" if given is not None:
                own = self.numbered(options.decision.unit)
                return tuple([own[n - 1] for n in given])
            case "places" if given is not None and line.do == "Alight":
                return tuple(zip(self.state.units[self.unit(line.unit)].models, given, strict=False))
        return given

    def _targets(self, line: RulingLine) -> tuple[int, ...] | None:
        names = line.targets if line.targets is not UNSET else (line.target,) if line.target is not UNSET else ()
        return tuple([self.unit(name) for name in names]) or None

    def places_of(self, unit: int) -> dict[int, Point | None]:
        return {m: self.state.models[m].at for m in self.numbered(unit)}

    def paths(self, line: RulingLine) -> tuple[tuple[int, tuple[Point, ...]], ...] | None:
        """Return the paths of the models that a unit has left. They are numbered as at the start of the scene."""
        paths = super().paths(line)
        return paths and tuple([path for path in paths if path[0] in self.state.units[self.unit(line.unit)].models])
