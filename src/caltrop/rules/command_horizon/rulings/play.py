"""Rulings are played out: scenes become battles, lines become actions, and what comes of them is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, fields

from caltrop import InputError
from caltrop.chance import Scripted, ScriptError
from caltrop.engine import (
    Action,
    Decision,
    Event,
    HouseValue,
    Match,
    Procedure,
    Refusal,
    Refused,
    ruleset,
    total,
)
from caltrop.geometry import CM, CONTACT, directions, point_along
from caltrop.rules.command_horizon.artillery import ArtilleryStep
from caltrop.rules.command_horizon.attack import attack_dice
from caltrop.rules.command_horizon.battle import Battle
from caltrop.rules.command_horizon.catalogue import unit_kind
from caltrop.rules.command_horizon.combat import CombatStep, DamageAllocation
from caltrop.rules.command_horizon.command import CommandStep, generated
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.disengage import DisengageStep, outnumbered
from caltrop.rules.command_horizon.movement import MovementStep
from caltrop.rules.command_horizon.overwatch import GoOnOverwatch
from caltrop.rules.command_horizon.places import gap
from caltrop.rules.command_horizon.reach import price_of_move, price_of_shot
from caltrop.rules.command_horizon.reaction import ReactionShot, reaction_of
from caltrop.rules.command_horizon.records import Effect, MarkOn, Objective, Order, Point, Wound
from caltrop.rules.command_horizon.requests import asked
from caltrop.rules.command_horizon.resolve import resolve
from caltrop.rules.command_horizon.rulings.form import (
    ARMIES_OF_A_SCENE,
    NOT_ASKED,
    SIDES,
    Case,
    Expected,
    GoalGiven,
    Line,
    Number,
    PartGiven,
    RulingFile,
    SceneGiven,
    UnitGiven,
    merged,
    name_of,
)
from caltrop.rules.command_horizon.scene import cm, put, scene
from caltrop.rules.command_horizon.setup import Deployment
from caltrop.rules.command_horizon.shooting import attack_of, settled
from caltrop.rules.command_horizon.spawn import Appear
from caltrop.rules.command_horizon.stuns import StunRemoval
from caltrop.rules.command_horizon.targets import Part, TargetAllocation
from caltrop.rules.command_horizon.turn import Game, Turn
from caltrop.rules.command_horizon.worms import AttachWorms
from caltrop.scenarios.rulings import Difference, Ruling
from caltrop.table.measured import KINDS, Terrain

RULESET = "command-horizon"


class Words(msgspec.Struct, frozen=True):
    """The game's own words, by their names."""

    actions: dict[str, type[Action]]
    decisions: dict[str, type[Decision]]
    events: dict[str, type[Event]]


def vocabulary() -> Words:
    found = ruleset(RULESET).vocabulary()
    return Words(
        {c.__name__: c for c in found.actions},
        {c.__name__: c for c in found.decisions},
        {c.__name__: c for c in found.events},
    )


SPELLED = {
    "paths": ("by", "paths"),
    "order": ("answers",),
    "x": ("spot",),
    "y": ("spot",),
    "side": ("to_side",),
    "at": ("at", "row"),
}
"""How fields of actions are written, where it is by another key."""


def _length(tenths: int) -> Number:
    """Tenths of a millimetre as centimetres."""
    found = Decimal(tenths) / CM
    return int(found) if found == int(found) else float(found)


def battle_of(given: SceneGiven, edition: str, rules: Mapping[str, HouseValue]) -> Battle:
    """The battle that a scene describes."""
    units: dict[str, UnitGiven] = given.units or {}
    ids = {name: i for i, name in enumerate(units)}
    puts = []
    for name, u in units.items():
        own = {f.name: getattr(u, f.name) for f in fields(u) if getattr(u, f.name) is not UNSET}
        side, kind, at = SIDES[own.pop("side")], own.pop("kind"), own.pop("at", ())
        own["name"] = name[:1].upper() + name[1:]
        own["locked"] = [ids[other] for other in own.get("locked", ())]
        for key in ("marking", "platoon"):
            if key in own:
                own[key] = ids[own[key]]
        if "moved" in own:
            own["moved"] = cm(own["moved"])
        puts.append(put(side, kind, *at, **own))
    terrain = []
    for p in given.terrain or ():
        a, b, c, d = (cm(v) for v in p.box)
        terrain.append(Terrain(p.id, KINDS[p.kind], ((a, b), (c, b), (c, d), (a, d))))
    goals = [_goal(g) for g in given.objectives or ()]
    w, h = given.table or (120, 120)
    t = scene(
        *puts,
        edition=edition,
        rules=rules,
        army=given.armies or ARMIES_OF_A_SCENE,
        cp=(10, 10) if given.cp is UNSET else given.cp,
        active=SIDES[given.active or "A"],
        step=4 if given.step is UNSET else given.step,
        round=given.round or 1,
        terrain=terrain,
        table=(w * CM, h * CM),
        objectives=goals,
        keeps_vp=given.points is not False,
    )
    t.wounds.extend(Wound(unit=ids[w.unit], kills=w.kills, stuns=w.stuns) for w in given.wounds or ())
    for name, u in units.items():
        if u.marking:
            t.marks.append(MarkOn(ids[name], ids[u.marking]))
    return t


def _goal(g: GoalGiven) -> Objective:
    benefit = Effect("points", g.points) if g.points else None
    return Objective(name=g.name, x=cm(g.at[0]), y=cm(g.at[1]), r=cm(g.size) // 2, benefit=benefit)


def first_start(case: Case) -> int | None:
    return next((i for i, line in enumerate(case.play) if line.start is not UNSET), None)


def dice_after(play: Sequence[Line], at: int) -> Iterator[Any]:
    """The rolls that belong to the line at *at*: those between it and the next that does something."""
    for line in play[at + 1 :]:
        if line.start is not UNSET or line.do is not UNSET or line.pass_ is not UNSET:
            return
        if line.dice is not UNSET:
            yield line


# --- starting -------------------------------------------------------------------------------------------------------


def _turn(at: str) -> Callable[[Play, Line, int], Procedure]:
    return lambda play, line, side: Turn(side=side, at=at)


def _step(kind: Callable[..., Procedure]) -> Callable[[Play, Line, int], Procedure]:
    return lambda play, line, side: kind(side=side)


def _reaction(play: Play, line: Line, side: int) -> Procedure:
    return ReactionShot(
        shooter=play.unit(line.unit),
        target=play.unit(line.target),
        boost=line.boost or 0,
        against_charge=bool(line.against_charge),
    )


def _appear(play: Play, line: Line, side: int) -> Procedure:
    x, y = line.spot or (0, 0)
    return Appear(side=side, count=line.count or 0, why="the scene", spot=(cm(x), cm(y)))


def _tokens(play: Play, line: Line, side: int) -> Procedure:
    return AttachWorms(side=side, unit=play.unit(line.target), count=line.count or 0)


STARTS: dict[str, tuple[Callable[[Play, Line, int], Procedure], tuple[str, ...]]] = {
    "battle": (lambda play, line, side: Game(), ()),
    "deployment": (lambda play, line, side: Deployment(), ()),
    "turn": (_turn(""), ()),
    "turn from stun removal": (_turn("remove_stuns"), ()),
    "turn from disengaging": (_turn("disengage"), ()),
    "turn from movement": (_turn("move"), ()),
    "turn from targets": (_turn("name_targets"), ()),
    "turn from artillery": (_turn("fire_artillery"), ()),
    "turn from combat": (_turn("fight"), ()),
    "turn from damage": (_turn("allocate_damage"), ()),
    "command": (_step(CommandStep), ()),
    "stun removal": (_step(StunRemoval), ()),
    "disengaging": (_step(DisengageStep), ()),
    "movement": (_step(MovementStep), ()),
    "targets": (_step(TargetAllocation), ()),
    "artillery": (_step(ArtilleryStep), ()),
    "combat": (_step(CombatStep), ()),
    "damage": (_step(DamageAllocation), ()),
    "overwatch": (_step(GoOnOverwatch), ()),
    "wounds": (lambda play, line, side: DamageBatch(), ()),
    "reaction fire": (_reaction, ("unit", "target", "boost", "against_charge")),
    "bases appear": (_appear, ("count", "spot")),
    "tokens attach": (_tokens, ("target", "count")),
}
"""What can be started, and the keys that it takes."""


# --- asking ---------------------------------------------------------------------------------------------------------


def _dice_of(play: Play, line: Line) -> int:
    """Attack Dice of a unit of the catalogue, against a target that adds and takes nothing."""
    mode = line.mode or "fire"
    close = mode in ("close-combat", "charge")
    target = {"army": "alliance", "kind": "infantry", "models": 2} if close else None
    request = {
        "ruleset": RULESET,
        "edition": play.edition,
        "rules": dict(play.rules),
        "mode": mode,
        "attacker": {
            "army": line.army,
            "kind": line.kind,
            "models": line.models,
            "stuns": line.stuns or 0,
            "platoon": bool(line.whole),
        },
        "target": target or {"army": "alliance", "kind": "medium-tank", "models": 4},
        "boost": bool(line.boost),
    }
    found = asked(request)
    return attack_dice(found.book, found.attack).total


def _values(play: Play, line: Line) -> dict[str, Any]:
    """What is printed about a unit; of the values that the ruling names."""
    row = unit_kind(play.t.book, line.army or "", line.kind or "")
    named = line.is_ if isinstance(line.is_, dict) else {}
    return {key: msgspec.to_builtins(getattr(row, key, None)) for key in named}


def _attack_dice(play: Play, line: Line) -> int:
    t = play.t
    order = Order(unit=play.unit(line.unit), target=play.unit(line.target), boost=line.boost or 0)
    return attack_dice(t, attack_of(t, settled(t, order))).total


def _reaction_dice(play: Play, line: Line) -> int:
    who, whom, close = play.unit(line.unit), play.unit(line.target), bool(line.against_charge)
    return attack_dice(play.t, reaction_of(play.t, who, whom, line.boost or 0, against_charge=close)).total


def _move_price(play: Play, line: Line) -> int:
    return total(price_of_move(play.t, play.unit(line.unit), cm(line.length or 0), pieces=line.pieces or 0))


QUESTIONS: dict[str, tuple[Callable[[Play, Line], Any], tuple[str, ...]]] = {
    "command points": (lambda play, line: total(generated(play.t, SIDES[line.side or "A"])), ("side",)),
    "price of move": (_move_price, ("unit", "length", "pieces")),
    "price of shot": (lambda play, line: total(price_of_shot(play.t, play.unit(line.unit))), ("unit",)),
    "attack dice": (_attack_dice, ("unit", "target", "boost")),
    "reaction dice": (_reaction_dice, ("unit", "target", "boost", "against_charge")),
    "disengage modifier": (lambda play, line: total(outnumbered(play.t, play.unit(line.unit))), ("unit",)),
    "dice of": (_dice_of, ("army", "kind", "models", "stuns", "mode", "boost", "whole")),
    "values of": (_values, ("army", "kind")),
}
"""Numbers that can be looked up, and the keys that each takes."""


# --- playing --------------------------------------------------------------------------------------------------------


class _Stop(Exception):
    """A case cannot go on: what is wrong has been noted."""


class Play:
    """One case in one edition, as it is played out."""

    def __init__(self, ruling: Ruling, case: Case, index: int, edition: str) -> None:
        self.ruling, self.case, self.index, self.edition = ruling, case, index, edition
        head = ruling.head
        assert isinstance(head, RulingFile)
        self.head = head
        self.rules: dict[str, HouseValue] = {**head.rules, **case.rules}
        self.differences: list[Difference] = []
        self.ids: dict[str, int] = {}
        self.match: Match | None = None
        self.told: tuple[Event, ...] = ()
        self._before: Battle | None = None

    @property
    def t(self) -> Battle:
        """The battle as it stands."""
        if self.match is not None:
            state = self.match.state
            assert isinstance(state, Battle)
            return state
        if self._before is None:
            given = merged(self.head.scene, self.case.scene)
            self.ids = {name: i for i, name in enumerate(given.units or {})}
            self._before = battle_of(given, self.edition, self.rules)
        return self._before

    # --- what is different ------------------------------------------------------------------------------------

    def differs(self, path: tuple[str | int, ...], what: str, expected: Any = None, got: Any = None) -> None:
        """Note a difference at a place of the file."""
        at: tuple[str | int, ...] = ("cases", self.index, *path)
        while at and at not in self.ruling.places:
            at = at[:-1]
        line, column = self.ruling.places.get(at, (1, 1))
        self.differences.append(
            Difference(
                ruling=self.ruling.id,
                case=name_of(self.case, self.index),
                edition=self.edition,
                file=str(self.ruling.file),
                line=line,
                column=column,
                what=what,
                expected=expected,
                got=got,
            )
        )

    def compare(self, path: tuple[str | int, ...], what: str, expected: Any, got: Any) -> None:
        """Note a difference where there is one; objects are compared by the keys that are expected."""
        if isinstance(expected, Mapping) and isinstance(got, Mapping):
            for key, value in expected.items():
                self.compare((*path, key), f"{what}.{key}".lstrip("."), value, got.get(key))
        elif expected != got:
            self.differs(path, what, expected, got)

    # --- an attack --------------------------------------------------------------------------------------------

    def referee(self) -> None:
        """Referee the attack, and compare the answer."""
        change = self.case.attack or {}
        attack = dict(self.head.attack)
        for key, value in change.items():
            own = attack.get(key)
            attack[key] = {**own, **value} if isinstance(own, dict) and isinstance(value, dict) else value
        request = {"ruleset": RULESET, "edition": self.edition, "rules": dict(self.rules), **attack}
        refused = self.case.refused
        try:
            if "dice" in request:
                got = resolve(request)
            else:
                found = asked(request)
                got = {"attack_dice": attack_dice(found.book, found.attack).total}
        except InputError as error:
            if refused is UNSET:
                self.differs(("attack",), f"the attack is refused: {error}")
            elif refused not in str(error):
                self.differs(("refused",), "refused by another clause", refused, str(error))
            return
        if refused is not UNSET:
            self.differs(("refused",), "the attack is not refused", refused, got)
            return
        answer = dict(self.case.answer or {})
        because = answer.pop("because", ())
        self.compare(("answer",), "", answer, got)
        given = [term["clause"] for term in got.get("because", ())]
        for clause in because:
            if clause not in given:
                self.differs(("answer", "because"), "a reason is missing", clause, given)

    # --- names ------------------------------------------------------------------------------------------------

    def unit(self, name: str | UnsetType) -> int:
        """The id of a unit."""
        self.t  # noqa: B018  makes the ids
        if name is UNSET or name not in self.ids:
            raise InputError(f"there is no unit {name!r} now")
        return self.ids[name]

    def model(self, name: str) -> int:
        """The id of a model, as in `target.2`."""
        unit, _, number = name.partition(".")
        own = self.t.units[self.unit(unit)].models
        if not 1 <= int(number) <= len(own):
            raise InputError(f"{unit} has {len(own)} models, and no model {number}")
        return own[int(number) - 1]

    def called(self, unit: int) -> str:
        """The name of a unit."""
        return next((name for name, id in self.ids.items() if id == unit), f"unit {unit}")

    # --- acting -----------------------------------------------------------------------------------------------

    def start(self, line: Line, rolls: Sequence[Sequence[int]]) -> None:
        """Start a step or another procedure."""
        before = self.t
        if before.stack and before.over is None:
            self.differs(self.path, "something is still going on", "nothing", self.waiting())
            raise _Stop
        assert line.start is not UNSET
        t = before.clone()
        if line.side is not UNSET:
            t.active = SIDES[line.side]
        t.stack = [STARTS[line.start][0](self, line, t.active)]
        units = len(t.units)
        self.match = Match(ruleset(RULESET), t, Scripted(*rolls))
        self.told = self.match.opening
        self.name_new(line, units)

    def name_new(self, line: Line, before: int) -> None:
        """Give the units that have come the names that they are called by."""
        new = range(before, len(self.t.units))
        if line.made and len(line.made) != len(new):
            self.differs((*self.path, "made"), "units that have come", len(line.made), len(new))
            raise _Stop
        self.ids.update(zip(line.made, new, strict=False))

    def waiting(self) -> str:
        """The decisions that wait, by name."""
        waits = self.match.waiting if self.match is not None else ()
        return ", ".join(f"{type(d).__name__} of {'AB'[d.side]}" for d in waits) or "nothing"

    def decision(self, line: Line) -> Decision | None:
        """The decision that a line is about."""
        waits = self.match.waiting if self.match is not None else ()
        side = SIDES[line.side] if line.side is not UNSET else None
        if line.of is not UNSET:
            named = next((d for d in waits if type(d).__name__ == line.of and side in (None, d.side)), None)
            if named is not None:
                return named
            kind = vocabulary().decisions[line.of]
            about = {"unit": self.unit(line.unit)} if any(f.name == "unit" for f in fields(kind)) else {}
            return kind(side=self.t.active if side is None else side, **about)
        return next((d for d in waits if side is None or d.side == side), None)

    def do(self, line: Line, rolls: Sequence[Sequence[int]]) -> None:
        """Give an order, or see whether it could be given."""
        decision = self.decision(line)
        if line.refused == NOT_ASKED:
            if decision is not None:
                self.differs((*self.path, "refused"), f"{line.do}", NOT_ASKED, self.waiting())
            return
        if decision is None or self.match is None:
            self.differs((*self.path, "do"), f"nobody is asked for {line.do}", line.do, self.waiting())
            raise _Stop
        view = self.match.view(decision.side)
        options = decision.options(view)
        action = options.first() if line.do == "first" else self.action(line, options)
        if line.refused is not UNSET or line.allowed is not UNSET:
            refusal = options.refusal(action)
            self._judged(line, refusal)
            return
        units = len(self.t.units)
        self.match.dice = Scripted(*rolls)
        try:
            self.told = self.match.play(decision.side, action, decision)
        except Refused as error:
            self.differs((*self.path, "do"), f"{line.do} is refused: {error}")
            raise _Stop from None
        self.name_new(line, units)

    def _judged(self, line: Line, refusal: Refusal | None) -> None:
        if line.refused is not UNSET:
            if refusal is None:
                self.differs((*self.path, "refused"), f"{line.do} is not refused", line.refused, "allowed")
            elif refusal.clause != line.refused:
                got = f"{refusal.clause} ({refusal.message})"
                self.differs((*self.path, "refused"), f"{line.do} is refused by another clause", line.refused, got)
        elif line.allowed != (refusal is None):
            got = "allowed" if refusal is None else f"{refusal.clause} ({refusal.message})"
            self.differs((*self.path, "allowed"), f"{line.do}", "allowed" if line.allowed else "refused", got)

    def let_pass(self, line: Line, rolls: Sequence[Sequence[int]]) -> None:
        """Answer decisions of one kind by their first option, as long as they come."""
        waits = self.match.waiting if self.match is not None else ()
        if self.match is None or not waits or type(waits[0]).__name__ != line.pass_:
            self.differs((*self.path, "pass"), "another decision waits", line.pass_, self.waiting())
            raise _Stop
        self.match.dice = Scripted(*rolls)
        units = len(self.t.units)
        told: list[Event] = []
        while waits and type(waits[0]).__name__ == line.pass_:
            options = waits[0].options(self.match.view(waits[0].side))
            told.extend(self.match.follow(waits[0], options.first()))
            waits = self.match.waiting
        self.told = tuple(told)
        self.name_new(line, units)

    def action(self, line: Line, options: Any) -> Any:
        """The action that a line describes."""
        assert line.do is not UNSET
        kind = vocabulary().actions[line.do]
        values: dict[str, Any] = {}
        for f in fields(kind):
            found = self.value(line, f.name, options)
            if found is not None:
                values[f.name] = found
            elif f.required:
                if f.name == "paths":
                    # A way that the author does not care about: the first that is offered.
                    unit = values["unit"]
                    offered = (a for a in options if isinstance(a, kind) and getattr(a, "unit", None) == unit)
                    way = next(offered, None)
                    if way is None:
                        raise InputError(f"no {line.do} of {line.unit} is offered: give `by` or `paths`")
                    return way
                raise InputError(f"{line.do} needs {' or '.join(SPELLED.get(f.name, (f.name,)))}")
        return kind(**values)

    def value(self, line: Line, field: str, options: Any) -> Any:
        """What a line says about a field of an action; None for nothing."""
        match field:
            case "order":
                return None if line.answers is UNSET else self.order(line)
            case "paths":
                return self.paths(line)
            case "x" | "y":
                return None if line.spot is UNSET else cm(line.spot[field == "y"])
            case "side":
                return None if line.to_side is UNSET else SIDES[line.to_side]
            case "at":
                return self.places(line)
        given = getattr(line, field)
        if given is UNSET:
            return None
        match field:
            case "unit" | "target" | "enemy" | "charger" | "vehicle" | "into" | "sighter":
                return self.unit(given)
            case "model" | "base":
                return self.model(given)
            case "squad":
                return given - 1
            case "squads":
                return tuple([s - 1 for s in given])
            case "hits":
                return tuple([None if hit is None else hit - 1 for hit in given])
            case "parts":
                return tuple([self.part(p) for p in given])
            case "edge":
                return int(given == "north")
            case "reach":
                return cm(given)
            case "spot":
                return (cm(given[0]), cm(given[1]))
        return given

    def part(self, p: PartGiven) -> Any:
        """Squads that fire together."""
        own = asdict(p)
        return Part(**{**own, "target": self.unit(p.target), "squads": tuple([s - 1 for s in p.squads])})

    def order(self, line: Line) -> int:
        """The place on the list of the attack that is answered."""
        attacker, own = self.unit(line.answers), self.unit(line.unit)
        every = [i for i, o in enumerate(self.t.orders) if o.unit == attacker]
        aimed = [i for i in every if self.t.orders[i].target == own]
        if not every:
            raise InputError(f"{line.answers} attacks nobody")
        return (aimed or every)[0]

    def paths(self, line: Line) -> tuple[tuple[int, tuple[Point, ...]], ...] | None:
        """The ways of the models of a move."""
        if line.by is UNSET and line.paths is UNSET:
            return None
        t = self.t
        own = t.units[self.unit(line.unit)].models
        found = {}
        for n, m in enumerate(own, 1):
            way = [(t.models[m].x, t.models[m].y)]
            if line.paths is not UNSET and n in line.paths:
                way += [(cm(x), cm(y)) for x, y in line.paths[n]]
            elif line.by is not UNSET:
                for dx, dy in line.by:
                    way.append((way[-1][0] + cm(dx), way[-1][1] + cm(dy)))
            if len(way) > 1:
                found[m] = tuple(way)
        return tuple(found.items())

    def places(self, line: Line) -> tuple[Point, ...] | None:
        """Where each model is placed."""
        if line.at is not UNSET:
            return tuple([(cm(x), cm(y)) for x, y in line.at])
        if line.row is UNSET:
            return None
        t = self.t
        squads = [s - 1 for s in line.squads or ()]
        own = [m for m in t.units[self.unit(line.unit)].models if not squads or t.models[m].squad in squads]
        found = [(cm(x), cm(y)) for x, y in line.row]
        while len(found) < len(own):
            go = t.models[own[len(found) - 1]].r + t.models[own[len(found)]].r + CM // 2
            found.append(point_along(found[-1], directions(4)[0], go))
        return tuple(found)

    # --- what must hold ---------------------------------------------------------------------------------------

    def expect(self, wanted: Expected, path: tuple[str | int, ...]) -> None:
        """Compare the battle with what must hold."""
        t = self.t
        for name, unit in wanted.units.items():
            own = {f.name: getattr(unit, f.name) for f in fields(unit) if getattr(unit, f.name) is not UNSET}
            got = self.unit_now(self.unit(name), own)
            for key, value in own.items():
                value = list(value) if isinstance(value, tuple) else value
                if key == "gap" and unit.gap is not UNSET:
                    now = got[key]
                    value = {n: now[n] if abs(cm(v) - cm(now[n])) <= CONTACT else v for n, v in unit.gap.items()}
                self.compare((*path, "units", name, key), f"{name}.{key}", value, got[key])
        for side, cp in wanted.cp.items():
            self.compare((*path, "cp", side), f"CP of {side}", cp, t.armies[SIDES[side]].cp)
        for side, vp in wanted.vp.items():
            self.compare((*path, "vp", side), f"VP of {side}", vp, t.armies[SIDES[side]].vp)
        for side, edge in wanted.edges.items():
            got_edge = ("south", "north")[t.armies[SIDES[side]].edge]
            self.compare((*path, "edges", side), f"edge of {side}", edge, got_edge)
        waits = self.match.waiting if self.match is not None else ()
        if wanted.waiting is not UNSET:
            asked_now = type(waits[0]).__name__ if waits else "nothing"
            self.compare((*path, "waiting"), "what is asked", wanted.waiting, asked_now)
        if wanted.asked is not UNSET:
            self.compare((*path, "asked"), "who is asked", wanted.asked, "AB"[waits[0].side] if waits else None)
        for what, states in (("held", wanted.held), ("secured", wanted.secured)):
            for name, whose in states.items():
                goal = next((o for o in t.objectives if o.name == name), None)
                if goal is None:
                    raise InputError(f"the scene has no objective {name!r}")
                side_now = goal.holder if what == "held" else goal.secured
                now = "nobody" if side_now is None else "AB"[side_now]
                self.compare((*path, what, name), f"{name} {what} by", whose, now)
        for name, count in wanted.marks.items():
            target = self.unit(name)
            on = len([m for m in t.marks if m.target == target])
            self.compare((*path, "marks", name), f"marks on {name}", count, on)
        self.events(wanted, path)

    def unit_now(self, unit: int, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """What is true of a unit, for the keys that are asked for."""
        t = self.t
        u = t.units[unit]
        now: dict[str, Callable[[], Any]] = {
            "models": lambda: len(u.models),
            "stuns": lambda: u.stuns,
            "drone": lambda: u.drone,
            "locked": lambda: [self.called(e) for e in u.locked],
            "worms": lambda: [t.models[m].worms for m in u.models],
            "moved": lambda: _length(u.moved),
            "may_fire": lambda: u.may_fire,
            "concentrating": lambda: u.concentrating,
            "gap": lambda: {name: _length(gap(t, unit, self.unit(name))) for name in wanted["gap"]},
        }
        return {key: now[key]() for key in wanted}

    def events(self, wanted: Expected, path: tuple[str | int, ...]) -> None:
        """Compare the events since the last order."""
        plain = [self.plain(event) for event in self.told]
        for i, event in enumerate(wanted.told):
            alike = [p for p in plain if p["event"] == event["event"]]
            if not any(all(p.get(key) == value for key, value in event.items()) for p in alike):
                got = [{key: p.get(key) for key in event} for p in alike] or "no such event"
                self.differs((*path, "told", i), "what happened", event, got)
        for i, name in enumerate(wanted.untold):
            if any(p["event"] == name for p in plain):
                self.differs((*path, "untold", i), f"{name} happened")

    def plain(self, event: Event) -> dict[str, Any]:
        """An event as a ruling writes it."""
        out: dict[str, Any] = {"event": type(event).__name__}
        for f in fields(event):
            value = msgspec.json.decode(msgspec.json.encode(getattr(event, f.name)))
            if f.name in ("unit", "target", "shooter", "enemy", "into", "vehicle") and isinstance(value, int):
                value = self.called(value)
            elif f.name in ("side", "winner") and isinstance(value, int):
                value = "AB"[value]
            elif f.name in ("length", "reach") and isinstance(value, int):
                value = _length(value)
            elif f.name in ("terms", "defence_terms", "price", "parts", "modifier") and isinstance(value, list):
                value = sum(term["value"] for term in value)
            elif f.name == "units" and isinstance(value, list):
                value = [self.called(u) for u in value]
            out[f.name] = value
        return out

    # --- the lines --------------------------------------------------------------------------------------------

    path: tuple[str | int, ...] = ()

    def lines(self) -> None:
        """Play the case line by line; dice fall for the line above them, all of them and no others."""
        play = self.case.play
        for j, line in enumerate(play):
            self.path = ("play", j)
            acts = line.start is not UNSET or line.do is not UNSET or line.pass_ is not UNSET
            rolls = [d.dice for d in dice_after(play, j)] if acts else []
            try:
                if line.start is not UNSET:
                    self.start(line, rolls)
                elif line.do is not UNSET:
                    self.do(line, rolls)
                elif line.pass_ is not UNSET:
                    self.let_pass(line, rolls)
                elif line.ask is not UNSET:
                    got = QUESTIONS[line.ask][0](self, line)
                    self.compare((*self.path, "is"), line.ask, line.is_, got)
                elif line.expect is not UNSET:
                    self.expect(line.expect, (*self.path, "expect"))
                judged = line.refused is not UNSET or line.allowed is not UNSET
                if acts and judged and rolls:
                    raise ScriptError("an order that is not given rolls no dice")
                if acts and not judged and self.match is not None and isinstance(self.match.dice, Scripted):
                    self.match.dice.finish()
            except (ScriptError, InputError) as error:
                self.differs(self.path, str(error))
                return
            except _Stop:
                return
