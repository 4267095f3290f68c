"""Play rulings: turn scenes into battles and lines into actions, and compare the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict

from caltrop.agreeing import quantity
from caltrop.engine import Action, Decision, HouseValue, Procedure, total
from caltrop.errors import InputError
from caltrop.geometry import CM, CONTACT, directions, point_along
from caltrop.rules.command_horizon.artillery import ArtilleryStep
from caltrop.rules.command_horizon.attack import attack_dice
from caltrop.rules.command_horizon.catalogue import KINDS, unit_kind
from caltrop.rules.command_horizon.combat import CombatStep, DamageAllocation
from caltrop.rules.command_horizon.command import CommandStep, generated
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.disengage import DisengageStep, outnumbered
from caltrop.rules.command_horizon.movement import MovementStep
from caltrop.rules.command_horizon.overwatch import GoOnOverwatch
from caltrop.rules.command_horizon.places import gap
from caltrop.rules.command_horizon.reach import price_of_move, price_of_shot
from caltrop.rules.command_horizon.reaction import ReactionShot, reaction_of
from caltrop.rules.command_horizon.records import Battle, Effect, MarkOn, Objective, Order, Point, Wound
from caltrop.rules.command_horizon.requests import asked
from caltrop.rules.command_horizon.rulings.form import (
    ARMIES_OF_A_SCENE,
    GAME,
    MODELS,
    SIDES,
    SPELLED,
    UNITS,
    GoalGiven,
    Number,
    PartGiven,
    RulingLine,
    SceneGiven,
    UnitGiven,
)
from caltrop.rules.command_horizon.scene import cm, put, scene
from caltrop.rules.command_horizon.setup import Deployment
from caltrop.rules.command_horizon.shooting import attack_of, settled
from caltrop.rules.command_horizon.spawn import Appear
from caltrop.rules.command_horizon.stuns import StunRemoval
from caltrop.rules.command_horizon.targets import Part, TargetAllocation
from caltrop.rules.command_horizon.turn import Game, Turn
from caltrop.rules.command_horizon.worms import AttachWorms
from caltrop.scenarios.cases import fields_of, keys_said
from caltrop.scenarios.notation import Fact, Lengths, Notation, UnitFacts, added_up
from caltrop.scenarios.playing import CasePlay, Questions, Starts, Stop
from caltrop.table.measured import Terrain


def _length(tenths: int) -> Number:
    number = Decimal(tenths) / CM
    return int(number) if number == int(number) else float(number)


LENGTHS = Lengths(cm, _length, CONTACT)
"""The notation of lengths: centimetres. Bases touch within the tolerance (Q-MOVE-13)."""


def battle_of(given: SceneGiven, edition: str, rules: Mapping[str, HouseValue]) -> Battle:
    units: dict[str, UnitGiven] = given.units or {}
    ids = {name: i for i, name in enumerate(units)}
    puts = []
    for name, u in units.items():
        own = keys_said(u)
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


# --- starting -------------------------------------------------------------------------------------------------------


def _turn(at: str) -> Callable[[HorizonPlay, RulingLine, int], Procedure]:
    return lambda play, line, side: Turn(side=side, at=at)


def _step(kind: Callable[..., Procedure]) -> Callable[[HorizonPlay, RulingLine, int], Procedure]:
    return lambda play, line, side: kind(side=side)


def _reaction(play: HorizonPlay, line: RulingLine, side: int) -> Procedure:
    return ReactionShot(
        shooter=play.unit(line.unit),
        target=play.unit(line.target),
        boost=line.boost or 0,
        against_charge=bool(line.against_charge),
    )


def _appear(play: HorizonPlay, line: RulingLine, side: int) -> Procedure:
    x, y = line.spot or (0, 0)
    return Appear(side=side, count=line.count or 0, why="the scene", spot=(cm(x), cm(y)))


def _tokens(play: HorizonPlay, line: RulingLine, side: int) -> Procedure:
    return AttachWorms(side=side, unit=play.unit(line.target), count=line.count or 0)


STARTS: Starts = {
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
"""Things that a line can start, with their keys."""


# --- asking ---------------------------------------------------------------------------------------------------------


def _dice_of(play: HorizonPlay, line: RulingLine) -> int:
    """Return the Attack Dice of a unit of the catalogue against a target that adds and removes none."""
    mode = line.mode or "fire"
    close = mode in ("close-combat", "charge")
    target = {"army": "alliance", "kind": "infantry", "models": 2} if close else None
    request = {
        "ruleset": GAME,
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
    as_read = asked(request)
    return attack_dice(as_read.book, as_read.attack).total


def _values(play: HorizonPlay, line: RulingLine) -> dict[str, Any]:
    row = unit_kind(play.state.book, line.army or "", line.kind or "")
    named = line.is_ if isinstance(line.is_, dict) else {}
    return {key: msgspec.to_builtins(getattr(row, key, None)) for key in named}


def _attack_dice(play: HorizonPlay, line: RulingLine) -> int:
    t = play.state
    order = Order(unit=play.unit(line.unit), target=play.unit(line.target), boost=line.boost or 0)
    return attack_dice(t, attack_of(t, settled(t, order))).total


def _reaction_dice(play: HorizonPlay, line: RulingLine) -> int:
    who, target, close = play.unit(line.unit), play.unit(line.target), bool(line.against_charge)
    return attack_dice(play.state, reaction_of(play.state, who, target, line.boost or 0, against_charge=close)).total


def _move_price(play: HorizonPlay, line: RulingLine) -> int:
    return total(price_of_move(play.state, play.unit(line.unit), cm(line.length or 0), pieces=line.pieces or 0))


QUESTIONS: Questions = {
    "command points": (lambda play, line: total(generated(play.state, SIDES[line.side or "A"])), ("side",)),
    "price of move": (_move_price, ("unit", "length", "pieces")),
    "price of shot": (lambda play, line: total(price_of_shot(play.state, play.unit(line.unit))), ("unit",)),
    "attack dice": (_attack_dice, ("unit", "target", "boost")),
    "reaction dice": (_reaction_dice, ("unit", "target", "boost", "against_charge")),
    "disengage modifier": (lambda play, line: total(outnumbered(play.state, play.unit(line.unit))), ("unit",)),
    "dice of": (_dice_of, ("army", "kind", "models", "stuns", "mode", "boost", "whole")),
    "values of": (_values, ("army", "kind")),
}
"""Things that a line can ask, with their keys."""


# --- facts ----------------------------------------------------------------------------------------------------------


def _holder(play: HorizonPlay, name: str, field: str) -> str:
    goal = next((o for o in play.state.objectives if o.name == name), None)
    if goal is None:
        raise InputError(f"the scene has no objective {name!r}")
    return play.side_called(getattr(goal, field)) or "nobody"


# --- playing --------------------------------------------------------------------------------------------------------


class HorizonPlay(CasePlay):
    game = GAME
    sides = SIDES
    starts = STARTS
    questions = QUESTIONS
    spelled = SPELLED
    lengths = LENGTHS
    reads: ClassVar[Notation] = {
        **dict.fromkeys(UNITS, CasePlay.unit),
        **dict.fromkeys(MODELS, lambda play, name: play.model(name)),
        "x": lambda play, spot: cm(spot[0]),
        "y": lambda play, spot: cm(spot[1]),
        "spot": lambda play, spot: LENGTHS.place(spot),
        "side": lambda play, side: SIDES[side],
        "squad": lambda play, number: number - 1,
        "squads": lambda play, numbers: tuple([number - 1 for number in numbers]),
        "hits": lambda play, numbers: tuple([None if number is None else number - 1 for number in numbers]),
        "parts": lambda play, parts: tuple([play.part(part) for part in parts]),
        "edge": lambda play, edge: int(edge == "north"),
        "reach": lambda play, length: cm(length),
    }
    writes: ClassVar[Notation] = {
        **dict.fromkeys(("unit", "target", "shooter", "enemy", "into", "vehicle", "units"), CasePlay.names),
        **dict.fromkeys(("side", "winner"), CasePlay.side_names),
        **dict.fromkeys(("length", "reach"), lambda play, length: _length(length)),
        **dict.fromkeys(("terms", "defence_terms", "price", "parts", "modifier"), added_up),
    }
    facts: ClassVar[Mapping[str, Fact]] = {
        "cp": Fact("CP of {}", lambda play, side: play.state.armies[SIDES[side]].cp),
        "vp": Fact("VP of {}", lambda play, side: play.state.armies[SIDES[side]].vp),
        "edges": Fact("edge of {}", lambda play, side: ("south", "north")[play.state.armies[SIDES[side]].edge]),
        "held": Fact("{} held by", lambda play, name: _holder(play, name, "holder")),
        "secured": Fact("{} secured by", lambda play, name: _holder(play, name, "secured")),
        "marks": Fact("marks on {}", lambda play, name: sum(m.target == play.unit(name) for m in play.state.marks)),
    }
    unit_facts: ClassVar[UnitFacts] = {
        "models": lambda play, unit, expected: len(play.state.units[unit].models),
        "locked": lambda play, unit, expected: play.names(list(play.state.units[unit].locked)),
        "worms": lambda play, unit, expected: [play.state.models[m].worms for m in play.state.units[unit].models],
        "moved": lambda play, unit, expected: _length(play.state.units[unit].moved),
        "gap": lambda play, unit, expected: {
            name: LENGTHS.near(length, gap(play.state, unit, play.unit(name))) for name, length in expected.items()
        },
    }

    def scene(self) -> Battle:
        return battle_of(self.scene_given(SceneGiven), self.edition, self.rules)

    def before_dice(self, request: dict[str, Any]) -> dict[str, Any]:
        as_read = asked(request)
        return {"attack_dice": attack_dice(as_read.book, as_read.attack).total}

    def model(self, name: str) -> int:
        unit, _, number = name.partition(".")
        own = self.state.units[self.unit(unit)].models
        if not 1 <= int(number) <= len(own):
            raise InputError(f"{unit} has {quantity(len(own), 'model')}, and no model {number}")
        model: int = own[int(number) - 1]
        return model

    def acted(self, line: RulingLine, before: Battle) -> None:
        new = range(len(before.units), len(self.state.units))
        if line.made and len(line.made) != len(new):
            self.differs((*self.path, "made"), "units that have come", len(line.made), len(new))
            raise Stop
        self.ids.update(zip(line.made, new, strict=False))

    def decision(self, line: RulingLine) -> Decision | None:
        if line.of is UNSET:
            return super().decision(line)
        side = SIDES[line.side] if line.side is not UNSET else None
        waits = self.match.waiting if self.match is not None else ()
        named = next((d for d in waits if type(d).__name__ == line.of and side in (None, d.side)), None)
        if named is not None:
            return named
        kind = self.vocabulary().decisions[line.of]
        about = {"unit": self.unit(line.unit)} if any(f.name == "unit" for f in fields_of(kind)) else {}
        return kind(side=self.state.active if side is None else side, **about)

    def left_out(
        self, line: RulingLine, kind: type[Action], field: str, values: Mapping[str, Any], options: Any
    ) -> Any:
        """Return the first offered value, because the author left the field open."""
        if field != "paths":
            return super().left_out(line, kind, field, values, options)
        unit = values["unit"]
        way = next((a for a in options if isinstance(a, kind) and getattr(a, "unit", None) == unit), None)
        if way is None:
            raise InputError(f"no {line.do} of {line.unit} is offered: give `by` or `paths`")
        return way

    def value(self, line: RulingLine, field: str, options: Any) -> Any:
        match field:
            case "order":
                return None if line.answers is UNSET else self.order(line)
            case "paths":
                return self.paths(line)
            case "at":
                return self.places(line)
        return super().value(line, field, options)

    def places_of(self, unit: int) -> dict[int, Point | None]:
        models = self.state.models
        return {m: (models[m].x, models[m].y) for m in self.state.units[unit].models}

    def part(self, p: PartGiven) -> Any:
        own = asdict(p)
        return Part(**{**own, "target": self.unit(p.target), "squads": tuple([s - 1 for s in p.squads])})

    def order(self, line: RulingLine) -> int:
        attacker, own = self.unit(line.answers), self.unit(line.unit)
        every = [i for i, o in enumerate(self.state.orders) if o.unit == attacker]
        aimed = [i for i in every if self.state.orders[i].target == own]
        if not every:
            raise InputError(f"{line.answers} attacks nobody")
        return (aimed or every)[0]

    def places(self, line: RulingLine) -> tuple[Point, ...] | None:
        if line.at is not UNSET:
            return tuple([(cm(x), cm(y)) for x, y in line.at])
        if line.row is UNSET:
            return None
        t = self.state
        squads = [s - 1 for s in line.squads or ()]
        own = [m for m in t.units[self.unit(line.unit)].models if not squads or t.models[m].squad in squads]
        points = [(cm(x), cm(y)) for x, y in line.row]
        while len(points) < len(own):
            go = t.models[own[len(points) - 1]].r + t.models[own[len(points)]].r + CM // 2
            points.append(point_along(points[-1], directions(4)[0], go))
        return tuple(points)
