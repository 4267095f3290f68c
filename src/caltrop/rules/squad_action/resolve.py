"""The referee of one volley: its procedure is run with given dice, and every number is explained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from caltrop.engine import Event, Term
from caltrop.kit.refereed import GivenDice, NamedThrow, refereed
from caltrop.kit.requests import wrong
from caltrop.rules.squad_action.casualties import LAST_MODEL, Gone, Lost, MoraleChecked, Saved
from caltrop.rules.squad_action.odds import attack_asked
from caltrop.rules.squad_action.requests import Asked, asked
from caltrop.rules.squad_action.volley import Fired

THROWS = {
    "shots": NamedThrow("SQ-S13", "one for each model, if the weapon's number of shots is rolled (SQ-S13)", "die"),
    "attack": NamedThrow("SQ-SHO-04", "one for each shot (SQ-SHO-04)", "die"),
    "reroll": NamedThrow(
        "SQ-TRT-08", "1s are rolled again by Improved Targeting (SQ-TRT-08), and by nobody else", "die"
    ),
    "saves": NamedThrow(
        "SQ-SHO-05", "one for each hit that a model can take, if a save is possible (SQ-SHO-05, SQ-Q44)", "die"
    ),
    "ignore": NamedThrow("SQ-TRT-06", "one for each unsaved wound of Gene Enhanced (SQ-TRT-06)", "die"),
    "break": NamedThrow("SQ-ORG-27", "a unit with losses and less than half its models tests (SQ-ORG-27 to 29)"),
    "morale": NamedThrow("SQ-SHO-06", "a unit that was hit, and is still in play, checks (SQ-SHO-06, SQ-Q53)"),
}


class TargetAfter(msgspec.Struct, frozen=True):
    models: int
    """Number of models left; 0 if the unit was destroyed, broke, or had a single model left that was removed."""
    pinned: bool


class ResolveAnswer(msgspec.Struct, frozen=True, kw_only=True):
    shots: int
    needed: int
    """Lowest roll that hits, for each shot."""
    hits: int
    """Number of hits, including hits beyond the number of models."""
    casualties: int
    """Number of models lost to the shooting, without models removed by morale."""
    pinned: bool
    """True if the target failed its pinning check."""
    target: TargetAfter
    because: tuple[Term, ...]
    """Terms that add up to the numbers of the answer, each with its clause and reason."""


def answer(raw: Any) -> ResolveAnswer:
    """Resolve one volley.

    Raises InputError for a request that is invalid or illegal, and for missing or superfluous dice.

    Args:
        raw: The request, as plain data.
    """
    request = asked(raw)
    if request.dice is None:
        raise wrong("dice", "a volley is refereed with its dice: `attack`, and what they lead to")
    t, attack = attack_asked(request)
    after, events = refereed(t, attack, GivenDice(msgspec.to_builtins(request.dice), THROWS))
    u, fired = after.units[1], next(event for event in events if isinstance(event, Fired))
    return ResolveAnswer(
        shots=len(fired.faces),
        needed=request.needed,
        hits=fired.hits,
        casualties=_lost(events),
        pinned=any(isinstance(e, MoraleChecked) and e.clause == "SQ-SHO-06" and not e.passed for e in events),
        target=TargetAfter(len(u.models), u.pinned) if u.in_play else TargetAfter(0, False),
        because=tuple(_because(request, fired, events)),
    )


def _lost(events: Sequence[Event]) -> int:
    return sum([len(event.models) for event in events if isinstance(event, Lost)])


def _because(request: Asked, fired: Fired, events: Sequence[Event]) -> Iterator[Term]:
    """Yield the terms of the answer's numbers, in the order of the volley's events."""

    def saved(clause: str) -> int:
        return sum([event.saved for event in events if isinstance(event, Saved) and event.clause == clause])

    save, left = request.save, request.squad.left - _lost(events)
    yield Term(request.fire, "SQ-SHO-04", "Fire value")
    yield from request.to_hit
    yield Term(request.needed, "SQ-Q13", "Needed to hit")
    yield Term(fired.hits, "SQ-SHO-04", "Hits")
    yield Term(save.needed, save.clause, save.words)
    if save.possible:
        yield Term(-saved("SQ-SHO-05"), "SQ-SHO-05", "Saved")
    if request.ignore <= 6:
        yield Term(-saved("SQ-TRT-06"), "SQ-TRT-06", "Ignored")
    yield Term(_lost(events), "SQ-SHO-05", "Casualties")
    for event in events:
        if isinstance(event, MoraleChecked):
            yield Term(event.faces[0], event.clause, event.what.capitalize())
            yield from event.parts
            if event.clause == "SQ-SHO-06":
                yield Term(int(not event.passed), event.clause, "It holds" if event.passed else "Pinned")
        elif isinstance(event, Gone) and left:
            last = event.how == LAST_MODEL
            clause, words = ("SQ-ORG-29", "The last model is taken away") if last else ("SQ-ORG-27", "The unit breaks")
            yield Term(-left, clause, words)


def resolve(raw: Any) -> dict[str, Any]:
    """Return the referee's answer to a request, as plain data. Raises InputError as `answer` does."""
    out: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(answer(raw)))
    return out
