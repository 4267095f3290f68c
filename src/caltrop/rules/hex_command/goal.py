"""The ways to win a battle, in words, and the side that would win if it ended now."""

from __future__ import annotations

from collections.abc import Iterator

from caltrop.agreeing import quantity
from caltrop.kit.goals import ended_now, score_words, units_worth
from caltrop.picture import Prize, Victory
from caltrop.rules.hex_command.records import Battle
from caltrop.rules.hex_command.victory import (
    banners,
    outcome_at_the_limit,
    outcome_now,
    outcome_of_the_last_left,
    worth,
)


def goal_of(t: Battle) -> Victory:
    """Return the victory conditions of a battle. *t* may be a side's view."""
    outcome = outcome_now(t) or outcome_of_the_last_left(t) or outcome_at_the_limit(t)
    scores = [banners(t, side) for side in (0, 1)]
    because = ""
    if t.field.limit.winner is None:
        by_points = outcome.winner is not None and scores[0] == scores[1]
        score = score_words(scores, "banner")
        because = f"more points left on the map, with {score}" if by_points else score
    return Victory(
        words=tuple(_words(t)),
        prizes=tuple(_prizes(t)),
        now=ended_now(t.field.names, outcome.winner, because) if t.round and t.over is None else "",
        leader=outcome.winner,
    )


def _words(t: Battle) -> Iterator[str]:
    field, names = t.field, t.field.names
    if field.exit is not None:
        unit = t.units[field.exit[0]]
        yield f"{names[unit.side]} wins if a turn of its own begins with the {unit.name} on row {field.exit[1]}."
    if field.prize is not None:
        yield f"Destroying the {t.units[field.prize].name} wins at once."
    if field.banners[0] == field.banners[1]:
        yield f"The first side with {quantity(field.banners[0], 'banner')} wins at once."
    else:
        needs = " and ".join(f"{names[side]} with {quantity(field.banners[side], 'banner')}" for side in (0, 1))
        yield f"A side with enough banners wins at once: {needs}."
    yield "A side that has lost its last unit has lost at the end of that turn."
    limit = field.limit
    turns = quantity(limit.turns, "turn")
    after = f"After {turns} of each side" if limit.side is None else f"After {turns} of {names[limit.side]}"
    if limit.winner is not None:
        yield f"{after}, {names[limit.winner]} wins."
    else:
        yield f"{after}, more banners win; if both have equally many, more points of units left on the map win."


def _prizes(t: Battle) -> Iterator[Prize]:
    names = t.field.names
    for o in t.field.objectives:
        lasts = "kept for good once captured" if o.permanent else "while it is held"
        only = "" if o.side is None else f", for {names[o.side]} alone"
        yield Prize(name=f"Hex {o.hex}", worth=f"1 banner, {lasts}{only}", side=t.captured.get(o.hex))
    units = [(u.side, u.name, worth(t, u)) for u in t.units if u.hex is not None]
    yield from units_worth(units, names, lambda count: quantity(count, "banner"))
