"""Marks are counted, and a clause is switched off, for one thread alone."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from caltrop.chance import Seeded
from caltrop.clauses import MARKS, counting, switched_off
from caltrop.engine import Match, digest, ruleset
from caltrop.rules.duel.movement import BLOCKED, walking_distance

GAMES = 12


def play(seed: int) -> str:
    """Play a random game to its end; return the digest of its final state."""
    rules, choices = ruleset("duel"), Seeded(f"choices {seed}")
    match = Match(rules, rules.setup(rules.book(), "crossroads"), Seeded(f"dice {seed}"))
    while match.over is None:
        decision = match.waiting[0]
        match.play(decision.side, decision.options(match.view(decision.side)).sample(choices), decision)
    return digest(match.state)


def counted(seed: int) -> Counter[str]:
    """Return the marks that fire in a game."""
    with counting() as fired:
        play(seed)
    return fired


def test_two_threads_play_and_the_one_that_counts_counts_its_own_game() -> None:
    alone, plain = [counted(seed) for seed in range(GAMES)], [play(seed) for seed in range(GAMES)]
    assert alone[0] != alone[1]
    with ThreadPoolExecutor(2) as threads:
        counts = threads.submit(lambda: [counted(seed) for seed in range(GAMES)])
        digests = threads.submit(lambda: [play(seed) for seed in range(GAMES)])
        assert counts.result() == alone
        assert digests.result() == plain


def test_what_one_thread_switches_off_is_on_in_another() -> None:
    met = Barrier(2, timeout=20)
    rules = ruleset("duel")
    t: Any = rules.setup(rules.book(), "crossroads")

    def without() -> tuple[bool, Counter[str]]:
        with switched_off(BLOCKED.mark.id), counting() as fired:
            met.wait()
            forbidden = BLOCKED(True)
            met.wait()
        return forbidden, fired

    def beside() -> bool:
        met.wait()
        walking_distance(t, 0)
        forbidden = BLOCKED(True)
        met.wait()
        return forbidden

    with ThreadPoolExecutor(2) as threads:
        off, on = threads.submit(without), threads.submit(beside)
        assert off.result() == (False, Counter())
        assert on.result()
    assert MARKS[BLOCKED.mark.id].on


def test_a_mutant_is_off_in_every_thread() -> None:
    with switched_off(BLOCKED.mark.id, everywhere=True), ThreadPoolExecutor(1) as threads:
        assert not threads.submit(BLOCKED, True).result()
    assert BLOCKED(True)
    with counting() as fired:
        BLOCKED(False)
        BLOCKED(True)
    assert fired == {BLOCKED.mark.id: 1}
