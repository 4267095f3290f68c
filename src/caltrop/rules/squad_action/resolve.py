"""The referee of one volley: from the dice that were thrown it computes the result, and explains every number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from caltrop.agreeing import quantity
from caltrop.engine import Sum, Term
from caltrop.kit.requests import wrong
from caltrop.rules.squad_action.fire import hits_of
from caltrop.rules.squad_action.morale import checks_due, passes
from caltrop.rules.squad_action.requests import Asked, asked


class TargetAfter(msgspec.Struct, frozen=True):
    models: int
    """Number of models left; 0 if the unit was destroyed, broke, or had a single model left that was removed."""
    pinned: bool


class ResolveAnswer(msgspec.Struct, frozen=True, kw_only=True):
    shots: int
    needed: int
    """Lowest roll that hits, for each shot."""
    hits: int
    """Number of hits, including those beyond the number of models."""
    casualties: int
    """Number of models lost to the shooting, without those removed by morale."""
    pinned: bool
    """True if the target failed its pinning check."""
    target: TargetAfter
    because: tuple[Term, ...]
    """Terms that add up to the numbers of the answer, each with its clause and its words."""


def _dice(name: str, faces: Sequence[int], count: int, why: str) -> None:
    """Raise InputError if a die has an impossible face, or if the number of dice is not what the rules call for."""
    for n, face in enumerate(faces):
        if not 1 <= face <= 6:
            nearest = min(max(face, 1), 6)
            raise wrong(f"dice.{name}[{n}]", f"a die shows 1 to 6; this one shows {face}, and the nearest is {nearest}")
    if len(faces) != count:
        raise wrong(f"dice.{name}", f"the rules call for {count}: {why}. This roll has {len(faces)}", dice=count)


def _die(name: str, face: int | None, parts: Sum | None, why: str) -> int | None:
    """Return the die of a check, or None if the check is not needed.

    Raises InputError if the die is missing, not needed, or has a face that a die does not have.
    """
    if parts is None:
        if face is not None:
            raise wrong(f"dice.{name}", f"this die is not called for: {why}; leave it out")
        return None
    if face is None:
        raise wrong(f"dice.{name}", f"this die is called for, and missing: {why}", dice=1)
    _dice(name, (face,), 1, why)
    return face


def answer(raw: Any) -> ResolveAnswer:
    """Referee one volley.

    Raises InputError for a request that cannot be read or is not allowed, and for dice that are missing or that the
    rules do not call for.

    Args:
        raw: The request, as plain data.
    """
    request = asked(raw)
    dice = request.dice
    if dice is None:
        raise wrong("dice", "a volley is refereed with its dice: `attack`, and what they lead to")
    weapon, because = request.weapon, [*request.to_hit]
    if weapon.by_die:
        _dice("shots", dice.shots, request.models, f"a {weapon.title} has as many shots as a die says, for each model")
        shots = sum(dice.shots)
    else:
        _dice("shots", dice.shots, 0, f"a {weapon.title} has {weapon.shots} for each model")
        shots = request.models * int(weapon.shots)
    _dice("attack", dice.attack, shots, "one for each shot (SQ-SHO-04)")
    because.insert(0, Term(request.fire, "SQ-SHO-04", "Fire value"))
    because.append(Term(request.needed, "SQ-Q13", "Needed to hit"))
    ones = dice.attack.count(1) if request.reroll else 0
    _dice("reroll", dice.reroll, ones, "1s are rolled again by Improved Targeting (SQ-TRT-08), and by nobody else")
    again = iter(dice.reroll)
    faces = [next(again) if request.reroll and face == 1 else face for face in dice.attack]
    hits = hits_of(faces, request.needed)
    because.append(Term(hits, "SQ-SHO-04", "Hits"))
    casualties = _casualties(request, min(hits, request.squad.left), because)
    return _morale(request, hits, casualties, shots, because)


def _casualties(request: Asked, counted: int, because: list[Term]) -> int:
    dice = request.dice
    assert dice is not None
    save = request.save
    because.append(Term(save.needed, save.clause, save.words))
    why = (
        f"one for each of {quantity(counted, 'hit')} that a model can take (SQ-SHO-05, SQ-Q44)"
        if save.possible
        else save.words
    )
    _dice("saves", dice.saves, counted if save.possible else 0, why)
    saved = hits_of(dice.saves, save.needed)
    if save.possible:
        because.append(Term(-saved, "SQ-SHO-05", "Saved"))
    unsaved = counted - saved
    ignoring = request.ignore <= 6
    _dice("ignore", dice.ignore, unsaved if ignoring else 0, "one for each unsaved wound of Gene Enhanced (SQ-TRT-06)")
    ignored = hits_of(dice.ignore, request.ignore)
    if ignoring:
        because.append(Term(-ignored, "SQ-TRT-06", "Ignored"))
    because.append(Term(unsaved - ignored, "SQ-SHO-05", "Casualties"))
    return unsaved - ignored


def _morale(request: Asked, hits: int, casualties: int, shots: int, because: list[Term]) -> ResolveAnswer:
    """Return the result of the volley, after the target's checks in the order of SQ-Q53."""
    dice, book = request.dice, request.book
    assert dice is not None
    squad = request.squad._replace(left=request.squad.left - casualties)
    due = checks_due(book, squad, casualties, hits > 0, request.flame, False)
    gone, pinned = due.gone, False
    if gone and squad.left:
        because.append(Term(-squad.left, "SQ-ORG-29", "The last model is taken away"))
    why = f"{quantity(squad.left, 'model', 'is')} left of {squad.starting} (SQ-ORG-27 to 29)"
    face = _die("break", dice.break_, due.breaking, why)
    if face is not None and due.breaking is not None:
        because += [Term(face, "SQ-ORG-27", "Break test"), *due.breaking]
        gone = not passes(book, (face,), squad.morale, due.breaking)
        if gone:
            because.append(Term(-squad.left, "SQ-ORG-27", "The unit breaks"))
    pinning = None if gone else due.pinning
    why = "the unit is out of play (SQ-Q53)" if gone else f"{quantity(hits, 'shot', 'hits')} (SQ-SHO-06)"
    face = _die("morale", dice.morale, pinning, why)
    if face is not None and pinning is not None:
        because += [Term(face, "SQ-SHO-06", "Pinning check"), *pinning]
        pinned = not passes(book, (face,), squad.morale, pinning)
        because.append(Term(int(pinned), "SQ-SHO-06", "Pinned" if pinned else "It holds"))
    return ResolveAnswer(
        shots=shots,
        needed=request.needed,
        hits=hits,
        casualties=casualties,
        pinned=pinned,
        target=TargetAfter(0 if gone else squad.left, not gone and (pinned or request.pinned)),
        because=tuple(because),
    )


def resolve(raw: Any) -> dict[str, Any]:
    """Return the answer of the referee to one volley, as plain data. Raises InputError as `answer` does."""
    out: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(answer(raw)))
    return out
