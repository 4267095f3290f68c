"""Attack requests: one strike written down, to be refereed, or to compute its odds."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.engine import Sum
from caltrop.engine.form import DIE, Given
from caltrop.errors import InputError
from caltrop.kit.requests import PackGiven, book_of, changed_rules, wrong
from caltrop.roster import converted
from caltrop.rules.duel.records import Duel, Duellist
from caltrop.rules.duel.strike import needed

RULESET = "duel"
TRAITS = ("light-footed", "steady-handed")
MOST = 20
"""Largest number of wounds and of breath in a request. No scenario has more wounds."""


class AttackerGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    breath: Annotated[int, Given(range=(0, MOST), start=1)] = 1
    trait: Annotated[str, Given(values=("none", *TRAITS), start="none")] = "none"


class TargetGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    wounds: Annotated[int, Given(range=(1, MOST), start=3)]
    """Wounds that the duellist can still take before losing."""


class DiceGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The result of the die."""

    attack: Annotated[int, DIE]


class AttackRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One strike. With `dice` the strike is refereed; without dice its odds are computed."""

    ruleset: str
    edition: str = "current"
    rules: dict[str, Any] = {}
    """House rules whose values are not the default."""
    pack: PackGiven = UNSET
    """The pack that applies: the name of an installed pack, or its contents."""
    attacker: AttackerGiven = AttackerGiven()
    target: TargetGiven
    parried: Annotated[bool, Given(words="The target parries")] = False
    """True if the target has paid for a parry."""
    dice: DiceGiven | UnsetType = UNSET


class Asked(msgspec.Struct, frozen=True):
    """A request that was read and is valid."""

    t: Duel
    """Both duellists, the attacker first."""
    parried: bool
    dice: DiceGiven | None

    @property
    def needed(self) -> Sum:
        """Lowest face with which the strike hits, as a sum."""
        return needed(self.t, 0, self.parried)


def _within(value: int, least: int, field: str) -> int:
    nearest = min(max(value, least), MOST)
    if value != nearest:
        raise wrong(field, f"it goes from {least} to {MOST}; this one is {value}, and the nearest is {nearest}")
    return value


def asked(raw: Any) -> Asked:
    """Read a request. Raises InputError for an unknown or missing part, or a value beyond the limits of a request.

    Args:
        raw: The request as plain data, decoded from JSON.
    """
    request = converted(raw, AttackRequest)
    book = book_of(RULESET, request)
    trait = request.attacker.trait
    if trait not in ("none", *TRAITS):
        raise wrong("attacker.trait", f"there is no trait {trait!r}: it is one of none, {', '.join(TRAITS)}")
    breath = _within(request.attacker.breath, 0, "attacker.breath")
    wounds = _within(request.target.wounds, 1, "target.wounds")
    traits = () if trait == "none" else (trait,)
    attacker = Duellist(name="The attacker", at=(0, 0), wounds=1, breath=breath, traits=traits)
    target = Duellist(name="The target", at=(0, 0), wounds=wounds, breath=0)
    t = Duel(book=book, stack=[], width=0, height=0, rounds=1, duellists=[attacker, target])
    return Asked(t, request.parried, None if isinstance(request.dice, UnsetType) else request.dice)


def request_of(t: Duel, attacker: int, parried: bool) -> dict[str, Any] | None:
    """Return a strike as a request; None if its values are beyond the limits of requests."""
    a, target = t.duellists[attacker], t.duellists[1 - attacker]
    request: dict[str, Any] = {
        "ruleset": RULESET,
        "edition": t.book.edition,
        "rules": changed_rules(t.book),
        "attacker": {"breath": a.breath, "trait": a.traits[0] if a.traits else "none"},
        "target": {"wounds": target.wounds},
        "parried": parried,
    }
    try:
        return request if asked(request).needed == needed(t, attacker, parried) else None
    except InputError:
        return None
