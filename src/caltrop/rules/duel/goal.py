"""The ways to win a duel, in words, and the side that would win now."""

from __future__ import annotations

from caltrop.kit.goals import ended_now, score_words
from caltrop.picture import Victory
from caltrop.rules.duel.records import Duel
from caltrop.rules.duel.turn import better


def goal_of(t: Duel) -> Victory:
    names = [d.name for d in t.duellists]
    winner, wounds = better(t), [d.wounds for d in t.duellists]
    because = f"{score_words(wounds, 'wound')} left"
    return Victory(
        words=(
            "A duellist with no wounds left has lost.",
            f"After round {t.rounds} the duellist with more wounds left wins; equal wounds are a draw.",
        ),
        now=ended_now(names, winner, because) if t.round and t.over is None else "",
        leader=winner,
    )
