"""What a ruling of Command Horizon may say, and how it is played out.

A case is either an attack request with its dice, or a scene that is played: steps are started, orders given, dice fall
as written, and what must hold is compared. Lengths are written in centimetres, sides are A and B, units go by the
names that the scene gives them, their models by number, as in `guards.1`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, fields

from caltrop import InputError
from caltrop.chance import Scripted, ScriptError, Seeded
from caltrop.engine import (
    Action,
    Book,
    Decision,
    Event,
    HouseValue,
    Match,
    Procedure,
    Refusal,
    Refused,
    ruleset,
    settle,
    total,
)
from caltrop.geometry import CM, directions, point_along
from caltrop.roster import nearest, read_yaml
from caltrop.rules.command_horizon.artillery import ArtilleryStep
from caltrop.rules.command_horizon.attack import attack_dice
from caltrop.rules.command_horizon.battle import Battle
from caltrop.rules.command_horizon.catalogue import ARMIES, EDITIONS, switches, unit_kind
from caltrop.rules.command_horizon.combat import CombatStep, DamageAllocation
from caltrop.rules.command_horizon.command import CommandStep, generated
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.disengage import DisengageStep, outnumbered
from caltrop.rules.command_horizon.movement import MovementStep
from caltrop.rules.command_horizon.overwatch import GoOnOverwatch
from caltrop.rules.command_horizon.places import gap
from caltrop.rules.command_horizon.reach import price_of_move, price_of_shot
from caltrop.rules.command_horizon.reaction import reaction_of
from caltrop.rules.command_horizon.records import DroneState, Objective, Order, Point, Wound
from caltrop.rules.command_horizon.requests import asked
from caltrop.rules.command_horizon.resolve import resolve
from caltrop.rules.command_horizon.scenario import Ground
from caltrop.rules.command_horizon.scene import cm, put, scene
from caltrop.rules.command_horizon.setup import Deployment
from caltrop.rules.command_horizon.shooting import attack_of, settled
from caltrop.rules.command_horizon.spawn import Appear
from caltrop.rules.command_horizon.stuns import StunRemoval
from caltrop.rules.command_horizon.targets import TargetAllocation
from caltrop.rules.command_horizon.turn import Game, Turn
from caltrop.rules.command_horizon.worms import AttachWorms
from caltrop.scenarios.rulings import Difference, Head, Ruling
from caltrop.table import KINDS, Terrain

RULESET = "command-horizon"

Side = Literal["A", "B"]
Number = int | float
"""A length in centimetres."""
Place = tuple[Number, Number]
"""A place in centimetres, from the lower left corner of the table."""


# --- what a file says -----------------------------------------------------------------------------------------------


class UnitGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit of a scene. A case may change single values of a unit that the ruling's own scene has."""

    side: Side | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    """As in the army lists: `medium-tank`, `infantry`."""
    at: tuple[Place, ...] | UnsetType = UNSET
    """Where its models stand; the last one begins a row of those that are left."""
    along: Literal["x", "-x", "y", "-y"] | UnsetType = UNSET
    """The row's direction."""
    gap: Number | UnsetType = UNSET
    """Space between the bases of the row."""
    models: int | UnsetType = UNSET
    """Models, or bases of infantry; full strength where it is left out."""
    squads: int | UnsetType = UNSET
    """Squads of infantry; more than one make a Platoon."""
    teams: int | UnsetType = UNSET
    """Heavy Weapon teams attached, one to each of the first Squads."""
    stuns: int | UnsetType = UNSET
    worms: tuple[int, ...] | UnsetType = UNSET
    """Worm Tokens on each model, in order."""
    glands: tuple[int, ...] | UnsetType = UNSET
    """Command Points of the Node Gland on each model, in order: 1 Small, 2 Large."""
    drone: DroneState | UnsetType = UNSET
    locked: tuple[str, ...] | UnsetType = UNSET
    """Enemy units that it is locked with in close combat."""
    deployed: bool | UnsetType = UNSET
    starting: int | UnsetType = UNSET
    """Bases that its Platoon began with."""
    moved: Number | UnsetType = UNSET
    """Length of its longest path this turn."""
    marking: str | UnsetType = UNSET
    """The enemy unit that it has marked this turn."""
    concentrating: bool | UnsetType = UNSET
    newly_stunned: bool | UnsetType = UNSET
    """Putredine infantry that got a marker since its owner's last step 2."""
    frozen: bool | UnsetType = UNSET
    """Putredine infantry that may not move this turn."""
    spawned: bool | UnsetType = UNSET
    platoon: str | UnsetType = UNSET
    """For a Squad by itself: the unit that it was detached from."""


class PieceGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece of terrain."""

    id: str
    kind: Ground
    box: tuple[Number, Number, Number, Number]
    """Its lower left and its upper right corner."""


class GoalGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An objective."""

    name: str
    at: Place
    size: Number = 4
    """Diameter."""
    points: int = 0
    """Victory points that securing it gives at once."""


class WoundGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Damage that a unit has taken and that waits to be applied."""

    unit: str
    kills: int = 0
    stuns: int = 0


class SceneGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position. A case's scene says only what differs from the ruling's own."""

    armies: tuple[str, str] | UnsetType = UNSET
    """The races of A and B."""
    active: Side | UnsetType = UNSET
    """Whose turn it is: A's, where nothing is said."""
    cp: tuple[int, int] | UnsetType = UNSET
    """Command points at hand: 10 each, where nothing is said."""
    step: int | UnsetType = UNSET
    round: int | UnsetType = UNSET
    table: tuple[int, int] | UnsetType = UNSET
    points: bool | UnsetType = UNSET
    """Whether units destroyed count as victory points."""
    terrain: tuple[PieceGiven, ...] | UnsetType = UNSET
    objectives: tuple[GoalGiven, ...] | UnsetType = UNSET
    units: dict[str, UnitGiven] | UnsetType = UNSET
    wounds: tuple[WoundGiven, ...] | UnsetType = UNSET


class UnitExpected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What must hold of a unit; what is not said may be anything."""

    models: int | UnsetType = UNSET
    stuns: int | UnsetType = UNSET
    drone: DroneState | UnsetType = UNSET
    locked: tuple[str, ...] | UnsetType = UNSET
    worms: tuple[int, ...] | UnsetType = UNSET
    moved: Number | UnsetType = UNSET
    may_fire: bool | UnsetType = UNSET
    concentrating: bool | UnsetType = UNSET
    gap: dict[str, Number] | UnsetType = UNSET
    """Space to other units, rounded up to the tenth of a millimetre."""


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What must hold now."""

    units: dict[str, UnitExpected] = {}
    cp: dict[Side, int] = {}
    """Command points at hand."""
    vp: dict[Side, int] = {}
    waiting: str | UnsetType = UNSET
    """The decision that is asked now, or `nothing`."""
    asked: Side | UnsetType = UNSET
    """Whom it is put to."""
    held: dict[str, Side | Literal["nobody"]] = {}
    """Who holds each objective."""
    secured: dict[str, Side | Literal["nobody"]] = {}
    edges: dict[Side, Literal["south", "north"]] = {}
    marks: dict[str, int] = {}
    """How many marks each unit has on it."""
    told: tuple[dict[str, Any], ...] = ()
    """Events since the last order or start, each with some of its values."""
    untold: tuple[str, ...] = ()
    """Events that must not have happened since then."""


class PartGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Squads that fire together, in split fire."""

    target: str
    squads: tuple[int, ...]
    """By number, from 1."""
    share: int = 0
    exposed: bool = False
    marking_die: bool = False


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of play. It has exactly one of `start`, `do`, `pass`, `dice`, `ask` and `expect`."""

    start: str | UnsetType = UNSET
    """A step of the turn, or another procedure, that begins now."""
    do: str | UnsetType = UNSET
    """An action, by its name; `first` takes the first option."""
    pass_: str | UnsetType = msgspec.field(default=UNSET, name="pass")
    """A decision that does not matter here: it is answered by its first option, as often as it is asked."""
    dice: tuple[int, ...] | UnsetType = UNSET
    """A roll that the line before it makes."""
    ask: str | UnsetType = UNSET
    """A number to look up."""
    expect: Expected | UnsetType = UNSET

    side: Side | UnsetType = UNSET
    """Who acts; whoever is asked, where it is left out."""
    refused: str | UnsetType = UNSET
    """The action may not be taken, by this clause."""
    allowed: bool | UnsetType = UNSET
    """The action may be taken (or not), and is not."""
    of: str | UnsetType = UNSET
    """The decision whose options are looked at, where it is not the one that is asked."""
    made: tuple[str, ...] = ()
    """Names for the units that come of it, in order."""
    is_: Any = msgspec.field(default=UNSET, name="is")
    """The answer to what is asked."""

    unit: str | UnsetType = UNSET
    target: str | UnsetType = UNSET
    enemy: str | UnsetType = UNSET
    charger: str | UnsetType = UNSET
    vehicle: str | UnsetType = UNSET
    into: str | UnsetType = UNSET
    sighter: str | UnsetType = UNSET
    answers: str | UnsetType = UNSET
    """For `React`: the unit whose attack is answered."""
    model: str | UnsetType = UNSET
    """A model, as in `target.2`."""
    base: str | UnsetType = UNSET
    squad: int | UnsetType = UNSET
    """By number, from 1."""
    squads: tuple[int, ...] | UnsetType = UNSET
    parts: tuple[PartGiven, ...] | UnsetType = UNSET
    boost: int | UnsetType = UNSET
    exposed: bool | UnsetType = UNSET
    ranged_in: bool | UnsetType = UNSET
    against_charge: bool | UnsetType = UNSET
    pairs: int | UnsetType = UNSET
    hits: tuple[int | None, ...] | UnsetType = UNSET
    """For `AssignDice`: for each Defence Die the hit that it cancels, by number from 1, or null."""
    points: int | UnsetType = UNSET
    to_side: Side | UnsetType = UNSET
    edge: Literal["south", "north"] | UnsetType = UNSET
    reach: Number | UnsetType = UNSET
    """The length of charge that is paid for."""
    spot: Place | UnsetType = UNSET
    at: tuple[Place, ...] | UnsetType = UNSET
    """Where each model is placed."""
    row: tuple[Place, ...] | UnsetType = UNSET
    """Where the first models are placed; the rest stand in a row with the last of them."""
    by: tuple[Place, ...] | UnsetType = UNSET
    """Legs of a move: how far every model goes, one leg after another."""
    paths: dict[int, tuple[Place, ...]] | UnsetType = UNSET
    """Ways of single models, by number from 1, from where they stand."""
    count: int | UnsetType = UNSET
    length: Number | UnsetType = UNSET
    pieces: int | UnsetType = UNSET
    army: str | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    models: int | UnsetType = UNSET
    stuns: int | UnsetType = UNSET
    mode: str | UnsetType = UNSET
    whole: bool | UnsetType = UNSET
    """For `dice of`: a Platoon attacks as one."""


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One case of a ruling: an attack, or a scene that is played."""

    case: str = ""
    """Its name, as `a`; its number where it is left out."""
    words: str = ""
    """What it is about."""
    editions: tuple[str, ...] = ()
    """The editions in which it holds, where these are fewer than the ruling's."""
    rules: dict[str, HouseValue] = {}
    """House rules, besides the ruling's own."""
    attack: dict[str, Any] | UnsetType = UNSET
    """An attack request; ruleset, edition and house rules are the ruling's."""
    answer: dict[str, Any] | UnsetType = UNSET
    """What the referee must answer, or some of it; `because` lists clauses that must be among the reasons."""
    refused: str | UnsetType = UNSET
    """The clause by which the attack is refused."""
    scene: SceneGiven | UnsetType = UNSET
    play: tuple[Line, ...] = ()


class RulingFile(Head, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling of Command Horizon."""

    scene: SceneGiven | UnsetType = UNSET
    """The position that the cases begin with, each with its changes."""
    attack: dict[str, Any] = {}
    """The attack that the cases are about, each with its changes."""
    cases: tuple[Case, ...]


# --- reading --------------------------------------------------------------------------------------------------------

LINES = ("start", "do", "pass_", "dice", "ask", "expect")
SIDES: dict[str, int] = {"A": 0, "B": 1}


def _name(case: Case, index: int) -> str:
    return case.case or str(index + 1)


def read(file: Path) -> Ruling:
    """Read a ruling, and check every name in it.

    Raises:
        InputError: for the first thing that is wrong, with file, line and column.
    """
    found = read_yaml(file, RulingFile)
    head = found.value
    ruling = Ruling(file, head, found.places)
    if head.ruleset != RULESET:
        raise ruling.wrong(f"this is a ruling of {head.ruleset}, and not of {RULESET}", "ruleset")
    if not head.cases:
        raise ruling.wrong("a ruling has a case or more", "cases")
    for i, edition in enumerate(head.editions):
        if edition not in EDITIONS:
            raise ruling.wrong(f"there is no edition {edition!r}; {nearest(edition, EDITIONS)}", "editions", i)
    names: list[str] = []
    for i, case in enumerate(head.cases):
        if _name(case, i) in names:
            raise ruling.wrong(f"two cases are called {_name(case, i)!r}", "cases", i, "case")
        names.append(_name(case, i))
        _check_case(ruling, head, case, i)
    return ruling


def _check_case(ruling: Ruling, head: RulingFile, case: Case, i: int) -> None:
    for j, edition in enumerate(case.editions):
        if edition not in ruling.editions:
            said = f"the ruling does not hold in {edition!r}; {nearest(edition, ruling.editions)}"
            raise ruling.wrong(said, "cases", i, "editions", j)
    try:
        settle(switches(), {**head.rules, **case.rules})
    except ValueError as error:
        raise ruling.wrong(str(error), "cases", i, "rules") from None
    refereed = case.answer is not UNSET or case.refused is not UNSET
    if refereed == bool(case.play):
        raise ruling.wrong("a case has an answer (or a refusal) to an attack, or else something to play", "cases", i)
    if refereed:
        if not (head.attack or case.attack is not UNSET):
            raise ruling.wrong("there is no attack to referee", "cases", i)
        if case.answer is not UNSET and case.refused is not UNSET:
            raise ruling.wrong("an attack is answered or refused, and not both", "cases", i)
        return
    given = merged(head.scene, case.scene)
    known = _check_scene(ruling, given, i)
    for j, line in enumerate(case.play):
        _check_line(ruling, line, known, ("cases", i, "play", j))


def _check_scene(ruling: Ruling, given: SceneGiven, i: int) -> list[str]:
    """The names of the units of a scene, which is checked."""
    path: tuple[str | int, ...] = ("cases", i, "scene")
    for race in given.armies or ():
        if race not in ARMIES:
            raise ruling.wrong(f"there is no race {race!r}; {nearest(race, ARMIES)}", *path, "armies")
    units = given.units or {}
    for name, unit in units.items():
        if unit.side is UNSET or unit.kind is UNSET:
            raise ruling.wrong(f"the unit {name!r} needs a side and a kind", *path, "units", name)
        others = (*(unit.locked or ()), *((w for w in (unit.marking, unit.platoon) if w)))
        for other in others:
            _known(ruling, other, list(units), *path, "units", name)
    for wound in given.wounds or ():
        _known(ruling, wound.unit, list(units), *path, "wounds")
    return list(units)


def _known(ruling: Ruling, name: str, known: Sequence[str], *path: str | int) -> None:
    if name not in known:
        raise ruling.wrong(f"the scene has no unit {name!r}; {nearest(name, known)}", *path)


def _check_line(ruling: Ruling, line: Line, known: list[str], path: tuple[str | int, ...]) -> None:
    said = [w for w in LINES if getattr(line, w) is not UNSET]
    if len(said) != 1:
        words = ", ".join(w.rstrip("_") for w in LINES)
        raise ruling.wrong(f"a line of play has exactly one of {words}", *path)
    keys = {f.encode_name: f.name for f in fields(Line) if getattr(line, f.name) not in (UNSET, ())}
    vocabulary = _vocabulary()
    choices: Mapping[str, Sequence[str]] = {
        "start": tuple(STARTS),
        "do": ("first", *vocabulary.actions),
        "pass": tuple(vocabulary.decisions),
        "of": tuple(vocabulary.decisions),
        "ask": tuple(QUESTIONS),
    }
    for key, allowed in choices.items():
        word = getattr(line, keys.get(key, "start"), UNSET) if key in keys else UNSET
        if word is not UNSET and word not in allowed:
            raise ruling.wrong(f"there is no {key} {word!r}; {nearest(word, allowed)}", *path, key)
    may = _keys_of(line, vocabulary)
    for key in keys:
        if key not in may:
            raise ruling.wrong(f"{said[0].rstrip('_')} takes no such key here; {nearest(key, may)}", *path, key)
    for key in ("unit", "target", "enemy", "charger", "vehicle", "into", "sighter", "answers"):
        if key in keys:
            _known(ruling, getattr(line, key), known, *path, key)
    for key in ("model", "base"):
        if key in keys:
            name, _, number = getattr(line, key).partition(".")
            _known(ruling, name, known, *path, key)
            if not number.isdigit():
                raise ruling.wrong("a model is named as in `target.2`", *path, key)
    for part in line.parts or ():
        _known(ruling, part.target, known, *path, "parts")
    if line.expect is not UNSET:
        for name in (*line.expect.units, *line.expect.marks):
            _known(ruling, name, known, *path, "expect")
        words = (*(e.get("event") for e in line.expect.told), *line.expect.untold)
        for word in words:
            if word not in vocabulary.events:
                raise ruling.wrong(f"there is no event {word!r}; {nearest(word, vocabulary.events)}", *path, "expect")
        waits = line.expect.waiting
        if waits is not UNSET and waits not in ("nothing", *vocabulary.decisions):
            hint = nearest(waits, ("nothing", *vocabulary.decisions))
            raise ruling.wrong(f"there is no decision {waits!r}; {hint}", *path, "expect", "waiting")
    known.extend(line.made)


class Words(msgspec.Struct, frozen=True):
    """The game's own words, by their names."""

    actions: dict[str, type[Action]]
    decisions: dict[str, type[Decision]]
    events: dict[str, type[Event]]


def _vocabulary() -> Words:
    found = ruleset(RULESET).vocabulary()
    return Words(
        {c.__name__: c for c in found.actions},
        {c.__name__: c for c in found.decisions},
        {c.__name__: c for c in found.events},
    )


_SPELLED = {
    "paths": ("by", "paths"),
    "order": ("answers",),
    "x": ("spot",),
    "y": ("spot",),
    "side": ("to_side",),
    "at": ("at", "row"),
}
"""How fields of actions are written, where it is by another key."""


def _keys_of(line: Line, words: Words) -> list[str]:
    """The keys that a line may have."""
    if line.start is not UNSET:
        return ["start", "side", "made", *STARTS[line.start][1]]
    if line.ask is not UNSET:
        return ["ask", "is", *QUESTIONS[line.ask][1]]
    if line.do is not UNSET:
        own = ["do", "side", "refused", "allowed", "of", "made"]
        for f in fields(words.actions[line.do]) if line.do != "first" else ():
            own.extend(_SPELLED.get(f.encode_name, (f.encode_name,)))
        return own
    if line.pass_ is not UNSET:
        return ["pass", "made"]
    return ["dice"] if line.dice is not UNSET else ["expect"]


def merged(own: SceneGiven | UnsetType, change: SceneGiven | UnsetType) -> SceneGiven:
    """A ruling's scene with the changes of one of its cases."""
    if own is UNSET or change is UNSET:
        return change or own or SceneGiven()
    units: dict[str, UnitGiven] = dict(own.units or {})
    for name, unit in (change.units or {}).items():
        units[name] = _over(units[name], unit) if name in units else unit
    return msgspec.structs.replace(_over(own, change), units=units)


def _over(own: Any, change: Any) -> Any:
    said = {f.name: getattr(change, f.name) for f in fields(change) if getattr(change, f.name) is not UNSET}
    return msgspec.structs.replace(own, **said)


# --- the position ---------------------------------------------------------------------------------------------------


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
        army=given.armies or ("alliance", "asori"),
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
            t.marks.append(_mark(ids[name], ids[u.marking]))
    return t


def _mark(by: int, target: int) -> Any:
    from caltrop.rules.command_horizon.records import MarkOn

    return MarkOn(by, target)


def _goal(g: GoalGiven) -> Objective:
    from caltrop.rules.command_horizon.records import Effect

    benefit = Effect("points", g.points) if g.points else None
    return Objective(name=g.name, x=cm(g.at[0]), y=cm(g.at[1]), r=cm(g.size) // 2, benefit=benefit)


def position(ruling: Ruling, case: str | None = None, edition: str | None = None) -> Match:
    """The table as a case finds it: its scene, and its first step started, with dice of its own from then on.

    Raises:
        InputError: when there is no such case, or it has no scene.
    """
    head = ruling.head
    assert isinstance(head, RulingFile)
    names = [_name(c, i) for i, c in enumerate(head.cases)]
    open_ = [n for n, c in zip(names, head.cases, strict=True) if _first_start(c) is not None]
    if case is not None and case not in names:
        raise InputError(f"{head.id} has no case {case!r}; {nearest(case, names)}")
    if not open_ or (case is not None and case not in open_):
        raise InputError(f"this case of {head.id} is no position on a table; {nearest(case or '', open_)}")
    chosen = head.cases[names.index(case or open_[0])]
    editions = chosen.editions or ruling.editions
    if edition is not None and edition not in editions:
        raise InputError(f"{head.id} does not hold in the edition {edition!r}; {nearest(edition, editions)}")
    played = _Play(ruling, chosen, names.index(case or open_[0]), edition or editions[0])
    at = _first_start(chosen)
    assert at is not None
    rolls = [line.dice for line in _dice_after(chosen.play, at)]
    played.start(chosen.play[at], rolls)
    assert played.match is not None
    played.match.dice = Seeded(f"{head.id} {case}")
    return played.match


def _first_start(case: Case) -> int | None:
    return next((i for i, line in enumerate(case.play) if line.start is not UNSET), None)


def _dice_after(play: Sequence[Line], at: int) -> Iterator[Any]:
    """The rolls that belong to the line at *at*: those between it and the next that does something."""
    for line in play[at + 1 :]:
        if line.start is not UNSET or line.do is not UNSET or line.pass_ is not UNSET:
            return
        if line.dice is not UNSET:
            yield line


# --- starting -------------------------------------------------------------------------------------------------------


def _turn(at: str) -> Callable[[_Play, Line, int], Procedure]:
    return lambda play, line, side: Turn(side=side, at=at)


def _step(kind: Callable[..., Procedure]) -> Callable[[_Play, Line, int], Procedure]:
    return lambda play, line, side: kind(side=side)


def _reaction(play: _Play, line: Line, side: int) -> Procedure:
    from caltrop.rules.command_horizon.reaction import ReactionShot

    return ReactionShot(
        shooter=play.unit(line.unit),
        target=play.unit(line.target),
        boost=line.boost or 0,
        against_charge=bool(line.against_charge),
    )


def _appear(play: _Play, line: Line, side: int) -> Procedure:
    x, y = line.spot or (0, 0)
    return Appear(side=side, count=line.count or 0, why="the scene", spot=(cm(x), cm(y)))


def _tokens(play: _Play, line: Line, side: int) -> Procedure:
    return AttachWorms(side=side, unit=play.unit(line.target), count=line.count or 0)


STARTS: dict[str, tuple[Callable[[_Play, Line, int], Procedure], tuple[str, ...]]] = {
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


def _dice_of(play: _Play, line: Line) -> int:
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


def _values(play: _Play, line: Line) -> dict[str, Any]:
    """What is printed about a unit; of the values that the ruling names."""
    row = unit_kind(play.t.book, line.army or "", line.kind or "")
    named = line.is_ if isinstance(line.is_, dict) else {}
    return {key: msgspec.to_builtins(getattr(row, key, None)) for key in named}


def _attack_dice(play: _Play, line: Line) -> int:
    t = play.t
    order = Order(unit=play.unit(line.unit), target=play.unit(line.target), boost=line.boost or 0)
    return attack_dice(t, attack_of(t, settled(t, order))).total


def _reaction_dice(play: _Play, line: Line) -> int:
    who, whom, close = play.unit(line.unit), play.unit(line.target), bool(line.against_charge)
    return attack_dice(play.t, reaction_of(play.t, who, whom, line.boost or 0, against_charge=close)).total


def _move_price(play: _Play, line: Line) -> int:
    return total(price_of_move(play.t, play.unit(line.unit), cm(line.length or 0), pieces=line.pieces or 0))


QUESTIONS: dict[str, tuple[Callable[[_Play, Line], Any], tuple[str, ...]]] = {
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


class _Play:
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
        self.differences.append(
            Difference(
                ruling=self.ruling.id,
                case=_name(self.case, self.index),
                edition=self.edition,
                file=str(self.ruling.file),
                line=self.ruling.places.get(at, (1, 1))[0],
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
            return named or _vocabulary().decisions[line.of](side=self.t.active if side is None else side)
        return next((d for d in waits if side is None or d.side == side), None)

    def do(self, line: Line, rolls: Sequence[Sequence[int]]) -> None:
        """Give an order, or see whether it could be given."""
        decision = self.decision(line)
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
        assert self.match is not None
        self.match.dice = Scripted(*rolls)
        units, told = len(self.t.units), []
        waits = self.match.waiting
        if not waits or type(waits[0]).__name__ != line.pass_:
            self.differs((*self.path, "pass"), "another decision waits", line.pass_, self.waiting())
            raise _Stop
        while waits and type(waits[0]).__name__ == line.pass_:
            options = waits[0].options(self.match.view(waits[0].side))
            told.extend(self.match.follow(waits[0], options.first()))
            waits = self.match.waiting
        self.told = tuple(told)
        self.name_new(line, units)

    def action(self, line: Line, options: Any) -> Any:
        """The action that a line describes."""
        assert line.do is not UNSET
        kind = _vocabulary().actions[line.do]
        values: dict[str, Any] = {}
        for f in fields(kind):
            found = self.value(line, f.name, options)
            if found is not None:
                values[f.name] = found
            elif f.required:
                if f.name == "paths":
                    # A way that the author does not care about: the first that is offered.
                    return next(a for a in options if isinstance(a, kind) and a.unit == values["unit"])  # type: ignore[attr-defined]
                raise InputError(f"{line.do} needs {' or '.join(_SPELLED.get(f.name, (f.name,)))}")
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
        from caltrop.rules.command_horizon.targets import Part

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
            rolls = [d.dice for d in _dice_after(play, j)] if acts else []
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


def check(ruling: Ruling, edition: str | None = None) -> list[Difference]:
    """Play every case of a ruling out, in every edition in which it holds, and tell what came out otherwise."""
    head = ruling.head
    assert isinstance(head, RulingFile)
    found: list[Difference] = []
    for i, case in enumerate(head.cases):
        for each in case.editions or ruling.editions:
            if edition in (None, each):
                play = _Play(ruling, case, i, each)
                if case.play:
                    play.lines()
                else:
                    play.referee()
                found.extend(play.differences)
    return found


def book_of(ruling: Ruling, edition: str) -> Book:
    """The edition and the house rules that a ruling is played by."""
    return ruleset(RULESET).book(edition, ruling.head.rules)
