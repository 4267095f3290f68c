"""Attack requests: data by which a script or a person has one attack refereed, or asks for its odds.

Unknown keys, unknown values and illegal attacks are errors, which name the field and the nearest valid value. Range and
sight are assumed to be legal.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.agreeing import quantity
from caltrop.engine import Book, HouseValue, Refusal, guard
from caltrop.engine.form import DIE, Given
from caltrop.engine.parts import Shown
from caltrop.errors import InputError
from caltrop.kit.requests import PackGiven, book_of, changed_rules, refused, wrong
from caltrop.roster import choose, converted
from caltrop.rules.command_horizon.attack import Arms, Attack, Mode, Target, may_attack, may_overkill
from caltrop.rules.command_horizon.attack.legality import CANNOT_MARK
from caltrop.rules.command_horizon.catalogue import (
    UnitKind,
    armies,
    full_strength,
    kinds,
    switches,
    unit_kind,
)
from caltrop.rules.command_horizon.records import DroneState

RULESET = "command-horizon"

MOST_GROWN = 200
"""Largest number of models in a request for a unit that can grow.

The rules have no such limit, but the odds of larger units take too long.
"""


class AttackerGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The attacking unit; in `reaction-fire` the unit that reacts."""

    army: Annotated[str, Given(start="alliance")]
    kind: Annotated[str, Given(start="medium-tank")]
    models: Annotated[int, Given("Models or bases", start=3)]
    """Number of models, or of infantry bases."""
    stuns: Annotated[int, Given("Stun markers")] = 0
    platoon: Annotated[bool, Given("A whole Platoon as one", tried=True)] = False
    """True if Alliance infantry acts as a whole Platoon."""
    starting: Annotated[int | UnsetType, Given("Bases it began with")] = UNSET
    """Number of bases with which the Platoon began; by default its full strength."""


class TargetGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The unit that is attacked."""

    army: Annotated[str, Given(start="asori")]
    kind: Annotated[str, Given(start="medium-tank")]
    models: Annotated[int, Given("Models or bases", start=3)]
    stuns: Annotated[int, Given("Stun markers")] = 0
    cover: Annotated[bool, Given("In cover", tried=True)] = False
    drone: Annotated[DroneState | UnsetType, Given("Shield Drone", tried="active")] = UNSET
    """State of an Asori command's Shield Drone; by default active."""


class DiceGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Dice that were rolled."""

    attack: Annotated[tuple[int, ...], DIE] = ()
    defence: Annotated[tuple[int, ...], DIE] = ()
    reroll: Annotated[tuple[int, ...], DIE] = ()
    """Rerolled dice near a Slugger, in the order of the successes in `attack`."""


class AttackRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One attack. With `dice` an attack is refereed; without dice its odds are computed."""

    ruleset: str
    edition: Annotated[str, Given(start="current")] = "current"
    rules: dict[str, Any] = {}
    """House rules that differ from their defaults."""
    pack: PackGiven = UNSET
    """The pack in force: the name of an installed pack, or the contents of a pack."""
    mode: Annotated[Mode, Given(start="fire")]
    attacker: AttackerGiven
    target: TargetGiven
    boost: Annotated[bool, Given("With a boost", tried=True)] = False
    against_charge: Annotated[bool, Given("At a unit that charges", tried=True)] = False
    """True for reaction fire at a unit that charges."""
    marks: Annotated[int, Given("Marks on the target", (0, 9), tried=1)] = 0
    """Number of marks on the target that Alliance artillery uses."""
    marked: Annotated[bool, Given("It marked this turn", tried=True)] = False
    """True if the attacker marked a target this turn."""
    slugger: Annotated[bool, Given("An enemy Slugger is near", tried=True)] = False
    """True if an enemy Slugger is near the attacker."""
    overkills: Annotated[int | Literal["best"] | UnsetType, Given("Pairs of 6s combined", tried=1)] = UNSET
    """Number of pairs of 6s that the attacker combines."""
    dice: DiceGiven | UnsetType = UNSET


class Asked(msgspec.Struct, frozen=True):
    """A valid request with its attack."""

    book: Book
    attack: Attack
    request: AttackRequest


NOT_HELD: dict[str, tuple[HouseValue, str]] = {
    "defence.assign": ("manual", "the target's owner would have to choose"),
    "drone.perAttack": ("yes", "the order of pairs would have to be given"),
    "drone.doubleSix": ("any", "pairs that nobody combined would count"),
    "obstructed.infantry": ("one", "whether the target is in cover or obstructed would have to be given"),
    "v15.heavyCommandTanks": (2, "the second tank has no place in it"),
}
"""House rules that need a choice or a state which a request cannot express, each with the reason."""

NO_PLATOON = guard(
    ("CH-ALL-22", "CH-SQUAD-01"), "no-platoon", "{who} cannot form a Platoon; only Alliance infantry can"
)
NO_SLUGGER = guard("CH-SLUG-02", "no-slugger", "only the edition `current` has Putredine, and so a Slugger")
NO_DRONE = guard("CH-DRONE-01", "no-drone", "{target} cannot have a Shield Drone; only an Asori command can")
NOT_CHARGED = guard(
    ("CH-CHARGE-02", "CH-RUSH-04", "CH-RUSH-06"),
    "not-charged",
    "{target} does not charge {who}: infantry charges infantry, and Asori infantry Light class vehicles too",
)
NO_OVERKILL_AT_INFANTRY = guard(
    "CH-OVERKILL-05", "no-overkill-at-infantry", "6s are not combined against infantry: Overkills are for vehicles"
)
NO_OVERKILL = guard(
    ("CH-OVERKILL-06", "Q-ART-5"),
    "no-overkill",
    "this attack cannot combine 6s: only tanks that shoot at vehicles can",
)

_FIELDS = {
    "stunned-boost": ("boost", "false"),
    "heavy-boost": ("boost", "false"),
    "charged-boost": ("boost", "false"),
    "rushed-boost": ("boost", "false"),
    "close-combat-boost": ("boost", "false"),
    "no-ranged-in": ("marks", "0"),
    "cannot-mark": ("marked", "false"),
    "no-platoon": ("attacker.platoon", "false"),
    "no-slugger": ("slugger", "false"),
    "not-charged": ("against_charge", "false"),
    "no-overkill": ("overkills", "0"),
    "no-overkill-at-infantry": ("overkills", "0"),
    "artillery-only": ("mode", "'artillery'"),
    "no-artillery": ("mode", "'fire'"),
    "only-infantry": ("mode", "'fire'"),
    "no-close-combat": ("mode", "'charge'"),
    "putredine-infantry-fires": ("mode", "'close-combat'"),
    "artillery-reacts": ("mode", "'artillery'"),
    "reaction-at-artillery": ("mode", "'fire'"),
    "slugger-fires": ("attacker.kind", ""),
    "carrier-fires": ("attacker.kind", ""),
    "only-at-infantry": ("target.kind", "'infantry'"),
    "rush-at-light": ("target.kind", "'light-tank'"),
}
"""Field at fault and nearest valid value, by the code of a refusal."""


def _refuse(refusal: Refusal | None) -> None:
    """Raise a refusal as an InputError at its field."""
    if refusal is not None:
        refused(refusal, *_FIELDS.get(refusal.code, ("mode", "")))


def _in_a_line(refusal: Refusal) -> Refusal:
    """Return a refusal that can continue a sentence: it begins with a small letter, except for a name."""
    if refusal.code == CANNOT_MARK.code or refusal.message.startswith("Putredine"):
        return refusal
    return msgspec.structs.replace(refusal, message=refusal.message[0].lower() + refusal.message[1:])


def _book(request: AttackRequest) -> Book:
    book = book_of(RULESET, request)
    for name, (value, why) in NOT_HELD.items():
        if book.rules[name] == value:
            default = next(s.default for s in switches() if s.name == name)
            raise wrong(
                f"rules.{name}",
                f"{value!r} cannot be refereed from a request: {why}; the nearest right value is {default!r}",
            )
    return book


def largest(book: Book, kind: UnitKind) -> int:
    """Return the largest number of models in a request: the printed number, or a limit for units that can grow."""
    return MOST_GROWN if kind.grows else full_strength(book, kind)


def _unit(book: Book, given: AttackerGiven | TargetGiven, field: str) -> UnitKind:
    choose(given.army, armies(book), f"army of the edition {book.edition}", f"{field}.army")
    choose(given.kind, kinds(book, given.army), f"{given.army} unit of the edition {book.edition}", f"{field}.kind")
    kind = unit_kind(book, given.army, given.kind)
    most = largest(book, kind)
    if not 1 <= given.models <= most:
        near = 1 if given.models < 1 else most
        span = "1 model" if most == 1 else f"from 1 to {quantity(most, 'model')}"
        raise wrong(
            f"{field}.models",
            f"a unit of {kind.title} has {span}; this one has {given.models}; the nearest right value is {near}",
        )
    if not 0 <= given.stuns < 2 * given.models:
        near = max(0, min(given.stuns, 2 * given.models - 1))
        raise wrong(
            f"{field}.stuns",
            f"a unit of {given.models} has 0 to {quantity(2 * given.models - 1, 'Stun marker')}, since twice its models"
            f" cost it a model (CH-STUN-09); this one has {given.stuns}, and the nearest right value is {near}",
        )
    return kind


def _starting(given: AttackerGiven, kind: UnitKind) -> int:
    if given.starting is UNSET:
        return kind.models
    if "platoon-bonus" not in kind.traits:
        raise wrong(
            "attacker.starting", f"only an Alliance Platoon has starting bases; leave them out for {kind.title}"
        )
    # A Heavy Weapon team attached to each Squad counts among the initial bases (Q-INF-6).
    most = kind.models + (0 if "heavy-weapons" in kind.traits else kind.squads)
    if not given.models <= given.starting <= most:
        near = max(given.models, min(given.starting, most))
        raise wrong(
            "attacker.starting",
            f"a Platoon with {quantity(given.models, 'base')} left began with {given.models} to {most};"
            f" this one began with {given.starting}, and the nearest right value is {near}",
        )
    return given.starting


def asked(raw: Any) -> Asked:
    """Read and check a request.

    Raises InputError for a value that is unknown, missing or illegal.

    Args:
        raw: The request as plain data, decoded from JSON.
    """
    request = converted(raw, AttackRequest)
    book = _book(request)
    who, target = _unit(book, request.attacker, "attacker"), _unit(book, request.target, "target")
    _refuse(NO_PLATOON.refuses(request.attacker.platoon and "platoon-bonus" not in who.traits, who=who.title))
    starting = _starting(request.attacker, who)
    if request.marks < 0:
        raise wrong("marks", f"there cannot be {request.marks} marks; the nearest right value is 0")
    _refuse(NO_SLUGGER.refuses(request.slugger and "putredine" not in armies(book)))
    drone: DroneState | None = None
    if "shield-drone" in target.traits:
        drone = "active" if request.target.drone is UNSET else request.target.drone
    elif request.target.drone is not UNSET:
        no_drone = NO_DRONE.refuses(True, target=target.title)
        if no_drone is not None:
            raise wrong("target.drone", f"{no_drone.with_clause}; leave it out")
    if request.against_charge and request.mode != "reaction-fire":
        raise wrong(
            "against_charge",
            f"only reaction-fire is against a charge; this is {request.mode}, and the nearest right value is false",
        )
    attack = Attack(
        mode=request.mode,
        army=who.army,
        kind=who.key,
        arms=(Arms(who.key, request.attacker.models),),
        target=Target(
            target.army, target.key, request.target.models, request.target.stuns, int(request.target.cover), drone
        ),
        stuns=request.attacker.stuns,
        platoon=request.attacker.platoon,
        bases=request.attacker.models,
        starting=starting,
        boosts=int(request.boost),
        against_charge=request.against_charge,
        marks=request.marks,
        marked=request.marked,
        slugger=request.slugger,
    )
    refusal = may_attack(book, attack)
    refusal = refusal and _in_a_line(refusal)
    if refusal is not None and refusal.code == "only-infantry" and who.key == "artillery":
        raise wrong("mode", f"{refusal.with_clause}; the nearest right value is 'artillery'")
    _refuse(refusal)
    charged = target.infantry and (who.infantry or (who.light and "asori-rush" in target.traits))
    _refuse(NOT_CHARGED.refuses(request.against_charge and not charged, who=who.title, target=target.title))
    if isinstance(request.overkills, int):
        if request.overkills < 0:
            raise wrong(
                "overkills", f"there cannot be {quantity(request.overkills, 'pair')}; the nearest right value is 0"
            )
        if request.overkills and not may_overkill(book, attack):
            _refuse(NO_OVERKILL_AT_INFANTRY.refuses(target.infantry and not who.infantry))
            _refuse(NO_OVERKILL.refuses(True))
    return Asked(book, attack, request)


def request_of(book: Book, attack: Attack) -> dict[str, Any] | None:
    """Return an attack as a request with the same dice and target; None if no request can express the attack.

    A request has no Worm Tokens, no Heavy Weapon teams beside infantry, and no second boost.
    """
    target = attack.target
    request: dict[str, Any] = {
        "ruleset": RULESET,
        "edition": book.edition,
        "rules": changed_rules(book),
        "mode": attack.mode,
        "attacker": {
            "army": attack.army,
            "kind": attack.kind,
            "models": sum(arms.models for arms in attack.arms),
            "stuns": attack.stuns,
        },
        "target": {
            "army": target.army,
            "kind": target.kind,
            "models": target.models,
            "stuns": target.stuns,
            "cover": bool(target.cover),
        },
        "boost": bool(attack.boosts),
        "against_charge": attack.against_charge,
        "marks": attack.marks,
        "marked": attack.marked,
        "slugger": attack.slugger,
    }
    if attack.platoon:
        request["attacker"] |= {"platoon": True, "models": attack.bases, "starting": attack.starting}
    if target.drone is not None:
        request["target"]["drone"] = target.drone
    try:
        read = asked(request).attack
    except InputError:
        return None
    # Only the attack of a Platoon has these values in a request.
    same = attack if attack.platoon else msgspec.structs.replace(attack, bases=read.bases, starting=read.starting)
    return request if read == same else None


def showing(book: Book, sheet: str, key: str) -> tuple[Shown, ...]:
    """Return example attacks that show a unit's strength: it fires at tanks, and tanks fire at it."""
    army, _, kind = key.partition("/")
    if sheet != "units" or kind not in kinds(book, army):
        return ()
    row = unit_kind(book, army, kind)
    enemy = "asori" if army != "asori" else "alliance"
    me = {"army": army, "kind": kind, "models": min(largest(book, row), row.squad or row.models)}
    tanks = {"army": enemy, "kind": "medium-tank", "models": 3}
    return (
        Shown(words="Fires at medium tanks", request={"mode": "fire", "attacker": me, "target": tanks}),
        Shown(words="Medium tanks fire at it", request={"mode": "fire", "attacker": tanks, "target": me}),
    )
