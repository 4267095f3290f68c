"""Attack requests: data by which a script or a person has one attack refereed, or asks for its odds.

Unknown keys, unknown values and impossible attacks are errors, which name the field and the nearest valid value. Move
and sight are assumed to be legal. The attacker is undamaged, in the open, and has not moved.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.agreeing import does, quantity
from caltrop.engine import Book, guard, total
from caltrop.engine.form import Given
from caltrop.engine.parts import Shown
from caltrop.engine.rule import HasBook
from caltrop.errors import InputError
from caltrop.kit.requests import PackGiven, book_of, changed_rules, refused, wrong
from caltrop.roster import choose, converted
from caltrop.rules.hex_command.attack import Attacker, Profile, Target, battle_dice, fires_indirectly
from caltrop.rules.hex_command.catalogue import (
    CLASSES,
    LETTERS,
    TYPES,
    UNIT_SHEET,
    UnitKind,
    mark_of,
    unit_kind,
)
from caltrop.rules.hex_command.leaders import is_led
from caltrop.rules.hex_command.places import class_on_ground
from caltrop.rules.hex_command.records import Unit, full_strength

RULESET = "hex-command"

GROUND = ("open", "road", "rubble", "woods", "ruins", "hill", "citadel", "ford", "water")
"""Kinds of ground in which a target may stand."""


class AttackerGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The attacking unit."""

    unit_class: Annotated[str, Given(values=CLASSES, start="vehicle")] = msgspec.field(name="class")
    type: Annotated[str, Given(start="medium")]
    leader: Annotated[bool, Given("With a leader attached", tried=True)] = False


class TargetGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The attacked unit."""

    unit_class: Annotated[str, Given(values=CLASSES, start="infantry")] = msgspec.field(name="class")
    type: Annotated[str, Given(start="medium")]
    strength: Annotated[int, Given("Strength left", start=4)]
    """Models or Damage Capacity left."""
    leader: Annotated[bool, Given("With a leader attached", tried=True)] = False


class DiceGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Dice that were rolled, as the letters `I V G L T R`."""

    battle: Annotated[tuple[str, ...], Given(values=tuple(LETTERS))] = ()
    shields: Annotated[tuple[str, ...], Given(values=tuple(LETTERS))] = ()


class AttackRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One attack. With `dice` the attack is refereed; without dice its odds are computed."""

    ruleset: str
    rules: dict[str, Any] = {}
    """House rules that differ from their defaults."""
    pack: PackGiven = UNSET
    """The pack in force: the name of an installed pack, or the contents of a pack."""
    attacker: AttackerGiven
    target: TargetGiven
    range: Annotated[int, Given("Range in hexes", (1, 6), 2)]
    """Distance from the attacker to the target in hexes; 1 is a close assault."""
    terrain: Annotated[str, Given("The target stands in", values=GROUND)] = "open"
    free_retreat: Annotated[int | UnsetType, Given("Hexes free to fall back")] = UNSET
    """Number of hexes that the target can fall back before it is blocked; by default the target is never blocked."""
    dice: DiceGiven | UnsetType = UNSET


class Asked(msgspec.Struct, frozen=True):
    """A valid request with its attack."""

    book: Book
    profile: Profile
    request: AttackRequest


NO_LEADER = guard(
    "HX-Q14", "no-leader", "a leader attaches to no unit of class leader ({title}); the nearest right value is false"
)


def types_of(b: HasBook, unit_class: str) -> tuple[str, ...]:
    """Return the types of a class: the types of the rulebook, and types that a pack adds."""
    head = f"{unit_class}-"
    added = [key.removeprefix(head) for key in UNIT_SHEET.changed(b) if key.startswith(head)]
    return tuple(dict.fromkeys((*TYPES, *added)))


def type_of(row: UnitKind) -> str:
    """Return the type of a unit as a request writes it: the part of its key after the class."""
    return row.key.removeprefix(f"{row.unit_class}-")


def _kind(book: HasBook, given: AttackerGiven | TargetGiven, field: str) -> UnitKind:
    choose(given.unit_class, CLASSES, "class", f"{field}.class")
    types = types_of(book, given.unit_class)
    choose(given.type, types, "type", f"{field}.type")
    kind = unit_kind(given.unit_class, given.type, book)
    refused(NO_LEADER.refuses(given.leader and not is_led(book, kind), title=kind.title), f"{field}.leader")
    return kind


def _unit(b: HasBook, kind: UnitKind) -> Unit:
    return Unit(
        id=0, side=0, kind=kind.key, name=kind.title, hex=None, strength=full_strength(kind), pack=mark_of(b.book.pack)
    )


def _target(book: HasBook, given: TargetGiven, terrain: str) -> Target:
    kind = _kind(book, given, "target")
    most = full_strength(kind)
    if not 1 <= given.strength <= most:
        what = "models" if kind.models > 1 else "Damage Capacity"
        span = "of 1" if most == 1 else f"from 1 to {most}"
        raise wrong(
            "target.strength",
            f"{does(kind.title, 'has')} a strength {span} ({what}); this one has {given.strength} (HX-S20);"
            f" the nearest right value is {1 if given.strength < 1 else most}",
        )
    choose(terrain, GROUND, "terrain", "terrain")
    if kind.is_leader and kind.models > 1 and given.strength == 1:
        # The last model of a Leader unit is a single leader (HX-LDU-05, HX-Q15).
        return Target("leader-light", 1, given.leader, was=kind.key, ground=terrain, pack=mark_of(book.book.pack))
    return Target(kind.key, given.strength, given.leader, ground=terrain, pack=mark_of(book.book.pack))


def _no_dice(book: Book, p: Profile, kind: UnitKind) -> InputError | None:
    parts = battle_dice(book, p)
    if total(parts) > 0:
        return None
    if not parts:
        reach = max(far for far in range(1, 7) if battle_dice(book, _at(book, p, far)))
        near = min(max(p.range, 1), reach)
        return wrong(
            "range",
            f"{does(kind.title, 'has')} no battle dice at range {p.range}, only at 1 to {reach} (HX-S20);"
            f" the nearest right value is {near}",
        )
    made = ", ".join([f"{term.words} ({term.clause}): {term.value:+}" for term in parts if term.clause != "HX-Q21"])
    nearer = [far for far in range(p.range, 0, -1) if total(battle_dice(book, _at(book, p, far))) > 0]
    hint = f"; the nearest range with dice is {nearer[0]}" if nearer else ""
    return wrong("terrain", f"no battle dice are left, so there is no battle: {made}{hint}")


def _at(book: Book, p: Profile, distance: int) -> Profile:
    assert p.attacker is not None
    indirect = fires_indirectly(book, _unit(book, p.attacker.row), distance, False)
    return msgspec.structs.replace(p, range=distance, indirect=indirect)


def asked(raw: Any) -> Asked:
    """Read and check a request.

    Raises InputError for a value that is unknown, missing or impossible.

    Args:
        raw: The request as plain data, decoded from JSON.
    """
    request = converted(raw, AttackRequest)
    book = book_of(RULESET, request)
    kind = _kind(book, request.attacker, "attacker")
    target = _target(book, request.target, request.terrain)
    room = None if request.free_retreat is UNSET else request.free_retreat
    if room is not None and room < 0:
        raise wrong("free_retreat", f"there cannot be {quantity(room, 'hex')}; the nearest right value is 0")
    attacker = Attacker(
        kind.key, class_on_ground(book, _unit(book, kind)), request.attacker.leader, pack=mark_of(book.pack)
    )
    profile = _at(book, Profile(attacker, target, room=room), request.range)
    fault = _no_dice(book, profile, kind)
    if fault is not None:
        raise fault
    return Asked(book, profile, request)


def request_of(book: Book, p: Profile) -> dict[str, Any] | None:
    """Return an attack as a request with the same dice and target; None if no request can express the attack.

    A request has no dice of a card, no attacker whose losses or ground matter, and no entrenchment.
    """
    if p.attacker is None:
        return None
    row, target = p.attacker.row, p.target
    kind = target.bought_as
    request: dict[str, Any] = {
        "ruleset": RULESET,
        "rules": changed_rules(book),
        "attacker": {
            "class": row.unit_class,
            "type": type_of(row),
            "leader": p.attacker.leader,
        },
        "target": {
            "class": kind.unit_class,
            "type": type_of(kind),
            "strength": target.strength,
            "leader": target.leader,
        },
        "range": p.range,
        "terrain": target.ground,
    }
    if p.room is not None:
        request["free_retreat"] = p.room
    try:
        read = asked(request).profile
    except InputError:
        return None
    assert read.attacker is not None
    # If an undamaged attacker in the open rolls the same dice, the attacker's losses and ground do not matter.
    same = read.target == target and read.surged == p.surged and read.room == p.room
    return request if same and battle_dice(book, read) == battle_dice(book, p) else None


def showing(book: Book, sheet: str, key: str) -> tuple[Shown, ...]:
    """Return example attacks that show a unit's strength: at each of its ranges, and as a target.

    The other unit of the example is of another kind, so that a pack changes only one of the two.
    """
    units = UNIT_SHEET.of(book)
    if sheet != "units" or key not in units:
        return ()
    foot = units["infantry-medium" if key != "infantry-medium" else "infantry-light"]
    row, tanks = units[key], units["vehicle-medium" if key != "vehicle-medium" else "vehicle-light"]
    mine, theirs = ({"class": one.unit_class, "type": type_of(one)} for one in (row, foot))
    at = {**theirs, "strength": full_strength(foot)}
    shown = [
        Shown(words=f"Battles {foot.title}, range {far}", request={"attacker": mine, "target": at, "range": far})
        for far in range(1, len(row.dice) + 1)
    ]
    by, me = {"class": tanks.unit_class, "type": type_of(tanks)}, {**mine, "strength": full_strength(row)}
    shown.append(Shown(words=f"{tanks.title} battle it, range 2", request={"attacker": by, "target": me, "range": 2}))
    return tuple(shown)
