"""Play rulings: turn scenes into firefights and lines into acts, and compare the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET

from caltrop.engine import Action, Book, Event, FaceDown, Procedure, Term
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
from caltrop.rules.squad_action.records import Cloud, Firefight, Objective, Pilot
from caltrop.rules.squad_action.requests import RULESET, asked
from caltrop.rules.squad_action.rulings.form import (
    AS_THEY_ARE,
    SPELLED,
    UNITS,
    Expected,
    RulingLine,
    SceneGiven,
    UnitExpected,
    UnitGiven,
    Vector,
)
from caltrop.rules.squad_action.scenarios import Place, terrain_of
from caltrop.rules.squad_action.scene import Put, row, scene
from caltrop.rules.squad_action.shooting import Shoot, attack_of
from caltrop.rules.squad_action.shots import faces_struck
from caltrop.rules.squad_action.turn import Game, GameTurn, SideTurn
from caltrop.scenarios.cases import fields_of
from caltrop.scenarios.playing import CasePlay, Questions, Starts

SIDES: dict[str, int] = {"south": 0, "north": 1}
SIZE = (48, 48)
"""Default size of the table."""
SQUAD = 8
"""Default number of models of a squad."""
GAP = 0.4
"""Default gap between bases in a row."""
CLOSE_ENOUGH = 2
"""Tolerance of comparisons: places and lengths are written to the hundredth of an inch."""
ALONG: dict[str, Point] = {"x": (1, 0), "-x": (-1, 0), "y": (0, 1), "-y": (0, -1)}


def place_of(place: Place) -> Point:
    return inches(place[0]), inches(place[1])


def in_inches(length: int) -> float:
    """Return a length in inches, to the hundredth.

    >>> in_inches(508), in_inches(483)
    (2.0, 1.9)
    """
    return round(length / INCH, 2)


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


def _vector(given: Vector) -> Point:
    return inches(given[0]), inches(given[1])


def _direction(given: Vector) -> Point:
    """Return a direction.

    Raises:
        InputError: if the length of the direction is 0.
    """
    if not any(given):
        raise InputError("(0, 0) is not a direction")
    return heading_of(_vector(given))


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


# --- playing ----------------------------------------------------------------------------------------------------------

TOLD_UNITS = ("unit", "target", "watcher", "actor", "of", "vehicle")
"""Fields of events that hold units."""
LENGTHS = ("distance",)
PLACES = ("aim", "marker", "at")


ACT_NAMES = tuple([act.__name__ for acts in ACTS.values() for act in acts])
"""Names of all acts of units."""


class SquadPlay(CasePlay):
    game = RULESET
    sides = SIDES
    starts = STARTS
    questions = QUESTIONS
    spelled = SPELLED

    def scene(self) -> Firefight:
        return firefight_of(self.scene_given(SceneGiven), self.book)

    def before_dice(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the target number of each shot, and the saves against hits."""
        as_read = asked(request)
        save = as_read.save.needed if as_read.save.possible else None
        return {"needed": as_read.needed, "save": save}

    def acted(self, line: RulingLine, before: Firefight) -> None:
        """Do nothing: no unit is created during a firefight."""

    def numbered(self, unit: int) -> list[int]:
        """Return the models that a unit had at the start of the scene, in order."""
        return [m.id for m in self.state.models if m.unit == unit]

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
            case "fire":
                return None if line.fire is UNSET else tuple([(w, self.unit(u)) for w, u in line.fire.items()])
            case "paths":
                return self._paths(line)
            case "moment" if line.after is UNSET:
                return dict(options.decision.chances).get(self.unit(line.unit))
        key = self.spelled.get(field, (field,))[0]
        given = getattr(line, key, UNSET)
        if given is UNSET:
            return None
        match key:
            case _ if key in UNITS:
                return self.unit(given)
            case "partners":
                return tuple([self.unit(name) for name in given])
            case "facing" | "direction":
                return _direction(given)
            case "aim" | "at":
                return place_of(given)
            case "places":
                return self._places(line)
            case "models":
                return tuple([self._own_models(options)[n - 1] for n in given])
            case "after" | "ahead":
                return inches(given)
            case "to_side":
                return SIDES[given]
        return given

    def _targets(self, line: RulingLine) -> tuple[int, ...] | None:
        names = line.targets if line.targets is not UNSET else (line.target,) if line.target is not UNSET else ()
        return tuple([self.unit(name) for name in names]) or None

    def _own_models(self, options: Any) -> list[int]:
        return self.numbered(options.decision.unit)

    def _paths(self, line: RulingLine) -> tuple[tuple[int, tuple[Point, ...]], ...] | None:
        if line.by is UNSET and line.paths is UNSET:
            return None
        t: Firefight = self.state
        unit = self.unit(line.unit)
        paths = []
        for n, m in enumerate(self.numbered(unit), 1):
            at = t.models[m].at
            way = [] if at is None else [at]
            if line.paths is not UNSET and n in line.paths:
                way += [place_of(place) for place in line.paths[n]]
            elif line.by is not UNSET and at is not None:
                for leg in line.by:
                    dx, dy = _vector(leg)
                    way.append((way[-1][0] + dx, way[-1][1] + dy))
            if len(way) > 1 and m in t.units[unit].models:
                paths.append((m, tuple(way)))
        return tuple(paths)

    def _places(self, line: RulingLine) -> Any:
        places = [place_of(place) for place in line.places or ()]
        if line.do != "Alight":
            return tuple(places)
        return tuple(zip(self.state.units[self.unit(line.unit)].models, places, strict=False))

    # --- conditions ---------------------------------------------------------------------------------------------------

    def expect(self, expected: Expected, path: tuple[str | int, ...]) -> None:
        t: Firefight = self.state
        for name, unit in expected.units.items():
            for key, value, got in self._unit_now(self.unit(name), unit):
                self.compare((*path, "units", name, key), f"{name}.{key}", value, got)
        for side, count in expected.smoke.items():
            self.compare((*path, "smoke", side), f"smoke of {side}", count, t.smoke[SIDES[side]])
        for side, score in expected.scores.items():
            self.compare((*path, "scores", side), f"score of {side}", score, t.scores[SIDES[side]])
        if expected.clouds is not UNSET:
            now = self._places_now(expected.clouds, [c.at for c in t.clouds])
            self.compare((*path, "clouds"), "clouds", [list(place) for place in expected.clouds], now)
        if expected.pilot is not UNSET:
            by = None if t.pilot is None else t.pilot.unit
            self.compare((*path, "pilot"), "pilot", expected.pilot, "nobody" if by is None else self.called(by))
        if expected.turn is not UNSET:
            self.compare((*path, "turn"), "turn", expected.turn, t.round)
        if expected.first is not UNSET:
            self.compare((*path, "first"), "first", expected.first, self.side_called(t.first))
        if expected.winner is not UNSET:
            won = None if t.over is None else self.side_called(t.over.winner) or "nobody"
            self.compare((*path, "winner"), "winner", expected.winner, won)
        self.asked_now(expected, path)
        self.events(expected, path)

    def _unit_now(self, id: int, expected: UnitExpected) -> list[tuple[str, Any, Any]]:
        t: Firefight = self.state
        u = t.units[id]
        tokens = t.tokens.get(id, FaceDown(u.side, ()))
        now: dict[str, Callable[[], Any]] = {
            "models": lambda: 0 if u.where == "gone" else len(u.models),
            "where": lambda: u.where,
            "aboard": lambda: None if u.carrier is None else self.called(u.carrier),
            "pinned": lambda: u.pinned,
            "broken": lambda: u.broken,
            "tokens": lambda: tuple(tokens.faces),
            "activated": lambda: u.activated,
            "due": lambda: u.due,
            "immobile": lambda: u.immobile,
            "disarmed": lambda: u.disarmed,
            "hovering": lambda: u.hovering,
            "travelled": lambda: in_inches(u.travelled),
            "fired": lambda: tuple(sorted({w for m in self.numbered(id) for w in t.models[m].fired})),
        }
        pairs = [
            (key, getattr(expected, key), get()) for key, get in now.items() if getattr(expected, key) is not UNSET
        ]
        if expected.at is not UNSET:
            places = [t.models[m].at for m in u.models][: len(expected.at)]
            there = self._places_now(expected.at, [at for at in places if at is not None])
            pairs.append(("at", [list(place) for place in expected.at], there))
        if expected.facing is not UNSET:
            same = heading_of(t.models[u.models[0]].heading) == _direction(expected.facing)
            pairs.append(("facing", expected.facing, expected.facing if same else t.models[u.models[0]].heading))
        if expected.gap is not UNSET:
            for name, length in expected.gap.items():
                between = gap(t, id, self.unit(name))
                near = abs(between - inches(length)) <= CLOSE_ENOUGH
                pairs.append(("gap", {name: length}, {name: length if near else in_inches(between)}))
        return pairs

    @staticmethod
    def _places_now(expected: tuple[Place, ...], places: list[Point]) -> list[list[float]]:
        places_ = []
        for n, at in enumerate(places):
            one = place_of(expected[n]) if n < len(expected) else None
            near = one is not None and all(abs(a - b) <= CLOSE_ENOUGH for a, b in zip(one, at, strict=True))
            places_.append(list(expected[n]) if near else [in_inches(at[0]), in_inches(at[1])])
        return places_

    def written(self, event: Event, field: str, value: Any) -> Any:
        """Return a field of an event as a ruling writes it: names, numbers of models, inches, and sums."""
        if field in TOLD_UNITS and isinstance(value, int):
            return self.called(value)
        if field in ("units", "assaulters", "defenders", "targets") and isinstance(value, list):
            return [self.called(unit) for unit in value]
        if field == "models" and isinstance(value, list):
            return [self.numbered(self.state.models[m].unit).index(m) + 1 for m in value]
        if field in ("side", "by") and isinstance(value, int):
            return self.side_called(value)
        if field in LENGTHS:
            return in_inches(value)
        if field in PLACES and isinstance(value, list):
            return [in_inches(part) for part in value]
        if field == "parts" and isinstance(value, list):
            return sum(term["value"] for term in value)
        return value
