"""Attack requests: data by which a script or a person has one attack refereed, or asks for its odds.

Unknown keys and values are errors, and so are house rules that a single attack cannot follow. Each error names the
field and the nearest valid value. The attack is assumed to be legal.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.engine import Book, Sum, guard
from caltrop.engine.form import DIE, Given
from caltrop.errors import InputError
from caltrop.kit.requests import PackGiven, book_of, changed_rules, refused
from caltrop.roster import converted
from caltrop.rules.blade_skirmish.catalogue import QUALITIES
from caltrop.rules.blade_skirmish.challenge import attacker_adds, defender_adds

RULESET = "blade-skirmish"

LEAST, MOST = min(QUALITIES), max(QUALITIES)


class FighterGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    quality: Annotated[int, Given("Quality", (LEAST, MOST), 2)]
    """Quality of the fighter, from 1 to 6."""


class DiceGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Dice that were rolled, exactly as many as are needed."""

    attacker: Annotated[int, DIE]
    defender: Annotated[int, DIE]
    injury: Annotated[int | None, DIE] = None
    """The injury roll; needed if the attacker wins."""
    fatality: Annotated[int | None, DIE] = None
    """The fatality roll; needed after a death, or otherwise as the house rule `fatality` says."""


class AttackRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One attack of the combat step. With `dice` the attack is refereed; without dice its odds are computed."""

    ruleset: str
    rules: Annotated[dict[str, Any], Given(start={})] = {}
    """House rules that differ from their defaults."""
    pack: PackGiven = UNSET
    """The pack in force: the name of an installed pack, or the contents of a pack."""
    attacker: FighterGiven
    defender: FighterGiven
    flanking: Annotated[bool, Given("The attacker flanks the defender", start=False)] = False
    dice: DiceGiven | UnsetType = UNSET


class Asked(msgspec.Struct, frozen=True):
    """A valid request with the values that follow from it."""

    book: Book
    attacker: int
    """Quality of the attacker."""
    defender: int
    """Quality of the defender."""
    flanking: bool
    dice: DiceGiven | None

    @property
    def attacker_adds(self) -> Sum:
        return attacker_adds(self.book, self.attacker, self.flanking)

    @property
    def defender_adds(self) -> Sum:
        return defender_adds(self.book, self.defender)


NO_SUCH_QUALITY = guard(
    "BS-Q09",
    "no-such-quality",
    "Quality goes from {least} to {most}; this one is {quality}, and the nearest is {nearest}",
)
NO_CLASH = guard(
    "BS-Q10",
    "no-clash",
    "in a clash both are injured, and one attack has no room for that; the nearest right value is hold",
)


def _book(request: AttackRequest) -> Book:
    book = book_of(RULESET, request)
    refused(NO_CLASH.refuses(book.rules["challenge_tie"] == "clash"), "rules.challenge_tie")
    return book


def _quality(given: FighterGiven, who: str) -> int:
    nearest = min(max(given.quality, LEAST), MOST)
    refusal = NO_SUCH_QUALITY.refuses(
        given.quality != nearest, least=LEAST, most=MOST, quality=given.quality, nearest=nearest
    )
    refused(refusal, f"{who}.quality")
    return given.quality


def asked(raw: Any) -> Asked:
    """Read and check a request.

    Raises InputError for a value that is unknown, missing, or beyond the limits of a request.

    Args:
        raw: The request as plain data, decoded from JSON.
    """
    request = converted(raw, AttackRequest)
    book = _book(request)
    attacker, defender = _quality(request.attacker, "attacker"), _quality(request.defender, "defender")
    dice = None if isinstance(request.dice, UnsetType) else request.dice
    return Asked(book, attacker, defender, request.flanking, dice)


def request_of(book: Book, attacker: int, defender: int, flanking: bool) -> dict[str, Any] | None:
    """Return an attack as a request; None if no request can express the attack.

    Args:
        book: The house rules in force.
    """
    request: dict[str, Any] = {
        "ruleset": RULESET,
        "rules": changed_rules(book),
        "attacker": {"quality": attacker},
        "defender": {"quality": defender},
        "flanking": flanking,
    }
    try:
        asked(request)
    except InputError:
        return None
    return request
