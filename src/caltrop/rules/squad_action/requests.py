"""Attack requests: data by which a script or a person has one volley refereed, or asks for its odds.

Unknown keys and values are errors, and so are house rules that a single attack cannot follow. Each error names the
field and the nearest valid value. The request is assumed to be a legal shot.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.agreeing import quantity
from caltrop.engine import Book, Sum, guard, ruleset
from caltrop.engine.form import DIE, Given
from caltrop.engine.parts import Shown
from caltrop.engine.rule import HasBook
from caltrop.errors import InputError
from caltrop.geometry import INCH
from caltrop.kit.requests import PackGiven, book_of, changed_rules, refused, wrong
from caltrop.roster import choose, converted, nearest
from caltrop.rules.squad_action.catalogue import (
    TRAITS,
    Cover,
    Profile,
    Weapon,
    inches,
    supplied,
    ways_of,
)
from caltrop.rules.squad_action.fire import (
    FEW,
    Save,
    ShotModifiers,
    armour_save,
    best_save,
    cover_save,
    ignores_wounds_on,
    needed,
    ones_are_rerolled,
    saves,
    to_hit,
)
from caltrop.rules.squad_action.morale import Squad, last_model_leaves
from caltrop.rules.squad_action.range import FARTHEST, distances, out_of_reach

RULESET = "squad-action"

MOST_MODELS = 40
"""Largest number of models of a squad in a request."""


class ShooterGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The squad that shoots. Every model in it has the weapon."""

    profile: Annotated[str, Given(start="regular")]
    weapon: Annotated[str, Given(start="rifle")]
    models: Annotated[int, Given("Models that shoot", (1, MOST_MODELS), 8)]
    pinned: Annotated[bool, Given("Pinned, after it failed to rally", tried=True)] = False
    traits: Annotated[tuple[str, ...], Given(values=tuple(TRAITS))] = ()


class TargetGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The squad that is shot at. All models of the target are visible."""

    profile: Annotated[str, Given(start="regular")]
    models: Annotated[int, Given(range=(1, MOST_MODELS), start=8)]
    starting: Annotated[int | UnsetType, Given("Models it began with")] = UNSET
    """Number of models at the start of the battle; by default the present number."""
    pinned: Annotated[bool, Given("Pinned already")] = False
    cover: Cover = "none"
    traits: Annotated[tuple[str, ...], Given(values=tuple(TRAITS))] = ()


class DiceGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Dice that were rolled, exactly those that the rules call for."""

    attack: Annotated[tuple[int, ...], DIE]
    shots: Annotated[tuple[int, ...], DIE] = ()
    """One die for each model, if the weapon's number of shots is rolled."""
    reroll: Annotated[tuple[int, ...], DIE] = ()
    """Rerolls for Improved Targeting, in the order of the 1s in `attack`."""
    saves: Annotated[tuple[int, ...], DIE] = ()
    ignore: Annotated[tuple[int, ...], DIE] = ()
    """Rolls for Gene Enhanced targets, one for each unsaved wound."""
    morale: Annotated[int | None, DIE] = None
    """The die of the pinning check."""
    break_: Annotated[int | None, DIE] = msgspec.field(name="break", default=None)


class AttackRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attack by one squad with one weapon on another squad.

    With `dice` the attack is refereed; without dice its odds are computed.
    """

    ruleset: str
    mode: Annotated[Literal["shoot"], Given("What is done")]
    rules: dict[str, Any] = {}
    """House rules that differ from their defaults."""
    pack: PackGiven = UNSET
    """The pack in force: the name of an installed pack, or the contents of a pack."""
    shooter: ShooterGiven
    target: TargetGiven
    distance: Annotated[int | float, Given("Distance in inches", start=12)]
    """Distance between the squads, in inches."""
    dice: DiceGiven | UnsetType = UNSET


class Asked(msgspec.Struct, frozen=True):
    """A valid request with the values that follow from it."""

    book: Book
    weapon: Weapon
    models: int
    aim: ShotModifiers
    fire: int
    """Fire value of the shooters."""
    reroll: bool
    """True if the shooters reroll 1s."""
    target: Profile
    squad: Squad
    """State of the target before the attack."""
    pinned: bool
    """True if the target is Pinned before the attack."""
    save: Save
    ignore: int
    """Lowest roll that ignores an unsaved wound; 7 for none."""
    dice: DiceGiven | None
    request: AttackRequest

    @property
    def to_hit(self) -> Sum:
        return to_hit(self.book, self.aim)

    @property
    def needed(self) -> int:
        return needed(self.book, self.fire, self.to_hit)

    @property
    def flame(self) -> bool:
        return self.weapon.has("flame")


TOO_FEW = guard("SQ-S12", "too-few", "a squad has at least 1 model; this one has {models}, and the nearest is 1")
TOO_MANY = guard(
    "SQ-S12", "too-many", "a request holds at most {most:model}; this one has {models}, and the nearest is {most}"
)
STARTED_WITH_FEWER = guard(
    "SQ-ORG-27", "started-with-fewer", "a squad of {models} did not begin with {starting}; the nearest is {models}"
)
LAST_MODEL = guard(
    "SQ-ORG-29",
    "last-model",
    "a last single model of a squad is taken away at once, and cannot be a target; the nearest is 2 models",
)
PINNED_SHOOTER = guard(
    "SQ-Q08",
    "pinned-shooter",
    "a Pinned unit does not shoot, unless `pinned_may_shoot` is on; the nearest right value is false",
)
NO_ROOM = guard(
    ("SQ-Q14", "SQ-Q16", "SQ-Q06"),
    "no-room",
    "one attack has no room for `{name}` {value}; the nearest right value is {default}",
)

_NO_ROOM = {"double_saves": "on", "break_result": "fall_back", "leadership_die": "2d6_under"}
"""Values of house rules that a single attack cannot follow."""


def _book(request: AttackRequest) -> Book:
    book = book_of(RULESET, request)
    defaults = {s.name: s.default for s in ruleset(RULESET).switches}
    for name, value in _NO_ROOM.items():
        refusal = NO_ROOM.refuses(book.rules[name] == value, name=name, value=value, default=defaults[name])
        refused(refusal, f"rules.{name}")
    return book


def weapons_of_squads(b: HasBook) -> dict[str, Weapon]:
    """Return the weapons that a request may name: weapons that are aimed, and have a single firing mode."""
    return {key: row for key, row in supplied(b).weapons.items() if not row.gun and not row.has("mission")}


def _weapon(book: Book, name: str) -> Weapon:
    allowed = weapons_of_squads(book)
    if name not in allowed:
        lists = supplied(book)
        why = "a gun of vehicles" if ways_of(name, lists) and name not in lists.weapons else "no weapon of a squad"
        raise wrong("shooter.weapon", f"{name!r} is {why}; {nearest(name, allowed)}")
    return allowed[name]


def _traits(given: tuple[str, ...], own: tuple[str, ...], field: str) -> tuple[str, ...]:
    for n, name in enumerate(given):
        choose(name, TRAITS, "trait", f"{field}[{n}]")
    return tuple(dict.fromkeys((*own, *given)))


def _models(count: int, field: str) -> None:
    refused(TOO_FEW.refuses(count < 1, models=count), field)
    refused(TOO_MANY.refuses(count > MOST_MODELS, models=count, most=MOST_MODELS), field)


def _distance(book: Book, weapon: Weapon, given: int | float) -> int:
    least, most = distances(book, weapon)
    if not 0 <= given <= FARTHEST:
        raise wrong(
            "distance",
            f"a distance on a table is from 0 to {quantity(FARTHEST, 'inch')}; this one is {given},"
            f" and the nearest right value is {most if given > 0 else least}",
        )
    distance = inches(given)
    refused(out_of_reach(book, weapon, distance), "distance", str(min(max(round(given), least), most)))
    return distance


def asked(raw: Any) -> Asked:
    """Read and check a request.

    Raises InputError for a value that is unknown, missing, or beyond the limits of a request.

    Args:
        raw: The request as plain data, decoded from JSON.
    """
    request = converted(raw, AttackRequest)
    book = _book(request)
    shooter, target = request.shooter, request.target
    weapon, profiles = _weapon(book, shooter.weapon), supplied(book).profiles
    shooting = profiles[choose(shooter.profile, profiles, "profile", "shooter.profile")]
    profile = profiles[choose(target.profile, profiles, "profile", "target.profile")]
    _models(shooter.models, "shooter.models")
    _models(target.models, "target.models")
    starting = target.models if isinstance(target.starting, UnsetType) else target.starting
    refused(
        STARTED_WITH_FEWER.refuses(starting < target.models, models=target.models, starting=starting),
        "target.starting",
    )
    refused(TOO_MANY.refuses(starting > MOST_MODELS, models=starting, most=MOST_MODELS), "target.starting")
    his = _traits(shooter.traits, shooting.traits, "shooter.traits")
    hers = _traits(target.traits, profile.traits, "target.traits")
    refused(LAST_MODEL.refuses(last_model_leaves(book, starting, target.models, hers)), "target.models")
    refused(PINNED_SHOOTER.refuses(shooter.pinned and book.rules["pinned_may_shoot"] != "on"), "shooter.pinned")
    distance = _distance(book, weapon, request.distance)
    aim = ShotModifiers(
        distance=distance,
        effective=weapon.effective,
        few=target.models <= FEW,
        pinned=target.pinned,
        shooter_pinned=shooter.pinned,
    )
    armour = armour_save(book, profile.number("armour"), weapon.armour_piercing())
    cover = cover_save(book, target.cover, target.pinned, weapon.has("flame"))
    return Asked(
        book=book,
        weapon=weapon,
        models=shooter.models,
        aim=aim,
        fire=shooting.number("fire"),
        reroll=ones_are_rerolled(book, his),
        target=profile,
        squad=Squad(starting, target.models, profile.number("morale"), hers),
        pinned=target.pinned,
        save=next(iter(saves(book, armour, cover)), best_save(book, armour, cover)),
        ignore=ignores_wounds_on(book, hers),
        dice=None if isinstance(request.dice, UnsetType) else request.dice,
        request=request,
    )


def request_of(
    book: Book, shooter: ShooterGiven, target: TargetGiven, distance: int
) -> tuple[dict[str, Any], Asked] | None:
    """Return an attack as a request, with its parsed form; None if no request can express the attack.

    Args:
        book: Edition and house rules.
        distance: Distance between the squads, in tenths of a millimetre.
    """
    request: dict[str, Any] = {
        "ruleset": RULESET,
        "mode": "shoot",
        "rules": changed_rules(book),
        "shooter": msgspec.json.decode(msgspec.json.encode(shooter)),
        "target": msgspec.json.decode(msgspec.json.encode(target)),
    }
    # Use a whole number of inches, which is easier to read, if the to-hit roll stays the same.
    exact = round(distance / INCH, 3)
    for far in (round(exact), exact):
        try:
            request_ = asked({**request, "distance": far})
        except InputError:
            continue
        if far == exact or request_.to_hit == asked({**request, "distance": exact}).to_hit:
            return {**request, "distance": far}, request_
    return None


def showing(book: Book, sheet: str, key: str) -> tuple[Shown, ...]:
    """Return example volleys at 12 inches that show the strength of a profile or a weapon.

    The other soldiers of the example are of another kind, so that a pack changes only one of the two.
    """
    profiles = supplied(book).profiles
    other = "regular" if key != "regular" else "militia"
    regulars = {"profile": other, "weapon": "rifle", "models": 8}
    target, settings = {"profile": other, "models": 8}, {"mode": "shoot", "distance": 12}
    if sheet == "profiles" and key in profiles:
        shot = {**settings, "shooter": {**regulars, "profile": key}, "target": target}
        hit = {**settings, "shooter": regulars, "target": {**target, "profile": key}}
        us, them = profiles[key].plural, profiles[other].plural
        return (
            Shown(words=f"Eight {us} shoot at {them}, 12 inches", request=shot),
            Shown(words=f"Eight {them} shoot at {us}, 12 inches", request=hit),
        )
    if sheet == "weapons" and key in weapons_of_squads(book):
        volley = {**settings, "shooter": {**regulars, "weapon": key, "models": 2}, "target": target}
        return (Shown(words="Two of them at Regulars, 12 inches", request=volley),)
    return ()
