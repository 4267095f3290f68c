"""The ways to win a battle, in words, and the side that would win if it ended now."""

from __future__ import annotations

from collections.abc import Iterator

from caltrop.agreeing import quantity
from caltrop.engine import total
from caltrop.kit.goals import ended_now, score_words, units_worth
from caltrop.picture import Prize, Victory
from caltrop.rules.command_horizon.objectives import effect_words
from caltrop.rules.command_horizon.records import Battle, Objective
from caltrop.rules.command_horizon.victory import (
    anything_counts,
    outcome_after_last_round,
    outcome_now,
    points_for,
    points_of_side,
)


def goal_of(t: Battle) -> Victory:
    """Return the victory conditions of a battle. *t* may be a side's view."""
    names = [army.name for army in t.armies]
    outcome = outcome_now(t) or outcome_after_last_round(t) if t.round and t.over is None else None
    now = ""
    if outcome is not None:
        scores = [total(points_of_side(t, side)) for side in (0, 1)]
        because = score_words(scores, "victory point") if anything_counts(t) else ""
        now = ended_now(names, outcome.winner, because)
    return Victory(
        words=tuple(_words(t)),
        prizes=tuple(_prizes(t, names)),
        now=now,
        leader=outcome.winner if outcome is not None else None,
    )


def _words(t: Battle) -> Iterator[str]:
    if anything_counts(t) and t.rounds is not None:
        yield f"The side with more victory points after round {t.rounds} wins."
    if t.breakthrough:
        scored = quantity(t.breakthrough, "victory point")
        yield f"A unit that ends its side's turn wholly in the enemy's zone leaves the table and scores {scored}."
        yield "An army with nobody left loses at once, unless units of it have broken through: then points decide."
    else:
        yield "An army with no units left loses at once."
    if t.rounds is not None and not anything_counts(t):
        yield f"If both armies still have units after round {t.rounds}, it is a draw."


def _prizes(t: Battle, names: list[str]) -> Iterator[Prize]:
    for o in t.objectives:
        if worth := _worth(t, o):
            yield Prize(name=o.name, worth=worth, side=o.secured)
    if t.keeps_vp:
        units = [(u.side, u.name, points_for(t, i)) for i, u in enumerate(t.units) if u.models and not u.left]
        yield from units_worth(units, names, lambda count: quantity(count, "victory point"))


def _worth(t: Battle, o: Objective) -> str:
    parts = [f"{quantity(o.worth, 'victory point')} if secured at the end"] if o.worth else []
    if o.benefit is not None:
        parts.append(f"securing it: {effect_words(o.benefit)}")
    if o.sabotage is not None and o.owner is not None:
        parts.append(f"if {t.armies[1 - o.owner].name} secures it: {effect_words(o.sabotage)}")
    return "; ".join(parts)
