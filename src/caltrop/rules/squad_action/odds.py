"""The exact odds of one volley: how many models of the target are left, whether it is Pinned, and how likely."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from caltrop.chance import Distribution
from caltrop.engine.rule import HasBook
from caltrop.engine.sequence import InOrder
from caltrop.kit.requests import no_dice
from caltrop.rules.squad_action.fire import Fallen, Volley, fallen
from caltrop.rules.squad_action.morale import Squad, breaking_removes, checks_due, ways_to_pass
from caltrop.rules.squad_action.requests import Asked, asked


class Left(NamedTuple):
    """What an attack leaves of a unit on foot."""

    models: int
    """0 for a unit that is out of play, however that came about."""
    pinned: bool
    broken: bool = False
    """Whether it has broken, and is still there (house rule `break_result`)."""


def volley_of(found: Asked) -> Volley:
    """A request as shots that are all alike."""
    by_die = found.weapon.by_die
    return Volley(
        shots=0 if by_die else found.models * int(found.weapon.shots),
        dice=found.models if by_die else 0,
        needed=found.needed,
        reroll=found.reroll,
        saves=(found.save.needed,),
        ignore=found.ignore,
    )


def after_morale(
    b: HasBook, squad: Squad, pinned: bool, came: Distribution[Fallen], flame: bool, flyer: bool
) -> Distribution[Left]:
    """What morale makes of a unit after its casualties, exactly.

    Args:
        b: The house rules in force.
        squad: The unit before the attack.
        pinned: Whether it was Pinned already.
        came: What the attack can come to.
        flame: Whether a flamethrower was used on it.
        flyer: Whether a flyer attacked it.
    """
    gone = Left(0, False)
    found: dict[Left, int] = {}
    made: dict[tuple[int, bool], tuple[tuple[Left, int], ...]] = {}
    for (hits, casualties), weight in came.weights():
        key = casualties, hits > 0
        ends = made.get(key)
        if ends is None:
            left = squad.left - casualties
            due = checks_due(b, squad._replace(left=left), casualties, hits > 0, flame, flyer)
            if due.gone:
                ends = ((gone, 1296),)
            else:
                stays, of = (1, 1) if due.breaking is None else ways_to_pass(b, squad.morale, due.breaking)
                holds, out_of = (1, 1)
                if due.pinning is not None and not pinned:
                    holds, out_of = ways_to_pass(b, squad.morale, due.pinning)
                # Every way of two checks weighs the same: of and out_of are 1, 6 or 36.
                scale = 1296 // (of * out_of)
                breaks = gone if breaking_removes(b) else Left(left, False, True)
                ends = (
                    (breaks, (of - stays) * out_of * scale),
                    (Left(left, pinned, squad.broken), stays * holds * scale),
                    (Left(left, True), stays * (out_of - holds) * scale),
                )
            made[key] = ends
        for end, ways in ends:
            if ways:
                found[end] = found.get(end, 0) + weight * ways
    return Distribution(found)


def chances(found: Asked) -> Distribution[Left]:
    """What a volley can end in, exactly."""
    came = fallen((volley_of(found),), found.squad.left)
    return after_morale(found.book, found.squad, found.pinned, came, found.flame, False).sorted()


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which the volley can end, and how likely it is."""

    models: int
    """Models left; 0 for a unit that is out of play."""
    pinned: bool
    probability: str
    """The chance as a fraction in lowest terms."""
    p: float
    """The chance, rounded."""


class OddsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a volley can end in."""

    shots: int | None
    """Null where dice say how many."""
    needed: int
    """What each shot needs."""
    exact: bool = True
    outcomes: tuple[Outcome, ...]


def answer(raw: Any) -> OddsAnswer:
    """The odds of one volley.

    Args:
        raw: The request, as plain data, without dice.

    Raises:
        InputError: for a request that cannot be read or holds more than it may.
    """
    found = asked(raw)
    no_dice(found.dice is not None)
    volley = volley_of(found)
    return OddsAnswer(
        shots=None if volley.dice else volley.shots,
        needed=found.needed,
        outcomes=tuple(
            Outcome(
                models=left.models,
                pinned=left.pinned,
                probability=f"{chance.numerator}/{chance.denominator}",
                p=float(chance),
            )
            for left, chance in chances(found).items()
        ),
    )


IN_ORDER = InOrder(
    left=lambda request, o: (
        {**request["target"], "models": o["models"], "pinned": o["pinned"]} if o["models"] else None
    ),
    sort=lambda o: (o["models"], o["pinned"]),
    worth=lambda o: (o["models"], -o["pinned"]),
)
"""A unit meets the next volley with the models that it has left, Pinned or not."""


def odds(raw: Any) -> dict[str, Any]:
    """The odds of one volley: `answer` as plain data.

    Raises:
        InputError: as `answer`.
    """
    out: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(answer(raw)))
    return out
