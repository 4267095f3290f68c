"""Check requests about one attack outside a game; errors name the field.

Each game has its own records of requests, read by `caltrop.roster.converted`, and its own checks. The shared parts are
here: ruleset, edition and house rules (`book_of`), and refusals of the rules at a field (`refused`). The number of dice
must be exactly right (`dice_given`, `die_given`, `no_die`, `no_dice`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import UNSET, UnsetType

from caltrop.agreeing import quantity
from caltrop.engine import Book, HouseValue, Refusal, Ruleset, ruleset
from caltrop.engine.packs import PACK, PackFile, read_pack
from caltrop.errors import InputError
from caltrop.roster import choose

FACES = (1, 6)
"""Smallest and greatest face of a die by default."""


class Request(Protocol):
    """The fields of every request; `edition` too, if a game has several."""

    @property
    def ruleset(self) -> str: ...

    @property
    def rules(self) -> Mapping[str, Any]:
        """House rules that differ from their defaults."""
        ...


def wrong(field: str, message: str, **values: int) -> InputError:
    """Return an error about a field of a request.

    >>> str(wrong("attacker.models", "a unit has a model or more"))
    'attacker.models: a unit has a model or more'
    """
    return InputError(message, field=field, values=values)


def refused(refusal: Refusal | None, field: str, nearest: str = "") -> None:
    """Turn a refusal of the rules into an error of the request. Raises InputError if there is a refusal.

    Args:
        refusal: The refusal of the rules; None if they allow it.
        nearest: The nearest right value of the field in a request; empty if the refusal names it.
    """
    if refusal is not None:
        hint = f"; the nearest right value is {nearest}" if nearest else ""
        raise wrong(field, f"{refusal.with_clause}{hint}")


def book_of(name: str, request: Request) -> Book:
    """Return the rulebook of a request, with its edition and house rules.

    Raises InputError for a request of another game, and for an edition, a house rule or a value that does not exist.

    Args:
        name: The game that reads the request.
    """
    if request.ruleset != name:
        raise wrong("ruleset", f"this is a request for {request.ruleset!r}; it was sent to {name!r}")
    game = ruleset(name)
    edition = choose(getattr(request, "edition", game.editions[0]), game.editions, "edition", "edition")
    for switch, value in request.rules.items():
        if type(value) not in (str, int):
            raise wrong(
                f"rules.{switch}", f"the value of a house rule is text or a whole number; this one is {value!r}"
            )
    pack = getattr(request, "pack", UNSET)
    try:
        rules = request.rules if pack is UNSET else {**request.rules, PACK: named(game, pack)}
        return game.book(edition, rules)
    except InputError as error:
        if error.field == PACK:
            raise
        raise wrong("pack" if PACK in request.rules or pack is not UNSET else "rules", str(error)) from error
    except ValueError as error:
        raise wrong("rules", str(error)) from error


PackGiven = str | dict[str, Any] | UnsetType
"""A pack in a request: the name of an installed pack, or its content."""


def with_pack(
    game: Ruleset, rules: Mapping[str, HouseValue], pack: str | dict[str, Any] | PackFile | None
) -> Mapping[str, HouseValue]:
    """Return the house rules with a pack that was given separately, if there is one.

    Raises InputError for a fault of the pack.
    """
    return rules if pack is None else {**rules, PACK: named(game, pack)}


def named(game: Ruleset, pack: str | dict[str, Any] | PackFile) -> str:
    """Return the name of a pack given by its name or its content, and register the pack in this process.

    Raises InputError for a fault of the pack.
    """
    if isinstance(pack, str):
        return pack
    return game.pack(pack if isinstance(pack, PackFile) else read_pack(pack)).name


def book_or_usual(name: str, raw: Mapping[str, Any]) -> Book:
    """Return the rulebook of an unfinished request: its edition, house rules and pack, or the defaults if they cannot
    be read.
    """
    game = ruleset(name)
    rules, edition, pack = raw.get("rules"), raw.get("edition"), raw.get("pack")
    try:
        chosen = dict(rules) if isinstance(rules, Mapping) else {}
        if isinstance(pack, str | Mapping):
            chosen[PACK] = named(game, pack if isinstance(pack, str) else dict(pack))
        return game.book(edition if edition in game.editions else None, chosen)
    except ValueError:
        return game.book()


def changed_rules(book: Book) -> dict[str, HouseValue]:
    """Return the house rules that differ from their defaults, in the form of a request."""
    pack = book.pack
    usual = {s.name: s.default for s in ruleset(book.ruleset).switches} | ({} if pack is None else pack.file.rules)
    return {name: value for name, value in book.rules.items() if name == PACK or value != usual[name]}


def no_dice(dice: object) -> None:
    """Refuse dice in a request for odds. Raises InputError if dice are given.

    Args:
        dice: The record of the dice, or its default if there are none.
    """
    if dice:
        raise wrong("dice", "odds are worked out before dice are rolled: leave it out")


def face_given(face: int, field: str, clause: str = "", faces: tuple[int, int] = FACES) -> int:
    """Check a given face and return it.

    Raises InputError for a face that the die does not have; the message names the nearest face.

    Args:
        field: The field, such as `dice.attack[2]`.
        clause: The clause on the faces of the die, if there is one.
        faces: Smallest and greatest face.
    """
    least, most = faces
    nearest = min(max(face, least), most)
    if face != nearest:
        by = f" ({clause})" if clause else ""
        raise wrong(field, f"a die shows {least} to {most}{by}; this one shows {face}, and the nearest is {nearest}")
    return face


def right_number(given: Sequence[object], expected: int, field: str, what: str, why: str) -> None:
    """Check that the number of dice is right. Raises InputError for a wrong number.

    Args:
        expected: Number of dice that the rules call for.
        field: The field, such as `dice.attack`.
        what: Noun for one die, such as `attack die`.
    """
    if len(given) != expected:
        words = f"{quantity(expected, what, 'is')} called for; this roll has {len(given)}"
        raise wrong(field, f"{words}: {why}", dice=expected)


def dice_given(given: Sequence[int], expected: int, name: str, what: str, why: str) -> None:
    """Check that the faces of dice exist and that their number is right.

    Raises InputError for a face that a die does not have, or a wrong number.

    Args:
        expected: Number of dice that the rules call for.
        name: Key of the dice in the request, such as `attack`.
        what: See `right_number`.
        why: See `right_number`.
    """
    for i, face in enumerate(given):
        face_given(face, f"dice.{name}[{i}]")
    right_number(given, expected, f"dice.{name}", what, why)


def die_given(face: int | None, name: str, why: str, clause: str = "") -> int:
    """Return a single die that the rules call for.

    Raises InputError if the die is missing, or for a face that it does not have.

    Args:
        name: Key of the die in the request, such as `morale`.
        clause: See `face_given`.
    """
    if face is None:
        raise wrong(f"dice.{name}", f"this die is needed, and missing: {why}", dice=1)
    return face_given(face, f"dice.{name}", clause)


def no_die(face: int | None, name: str, why: str) -> None:
    """Check that a die is absent which the rules do not call for. Raises InputError if the die is given.

    Args:
        name: Key of the die in the request, such as `morale`.
        why: Reason why the die is not rolled.
    """
    if face is not None:
        raise wrong(f"dice.{name}", f"this die is not needed: {why}; leave it out")
