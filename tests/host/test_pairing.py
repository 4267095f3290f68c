"""Pairings of tournaments: in a round robin all pairs meet once; in the Swiss system players with equal results meet,
and no pair twice.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caltrop.host.together.pairing import BYE, all_against_all, swiss


@pytest.mark.parametrize("count", range(2, 18))
def test_everybody_meets_everybody_once(count: int) -> None:
    players = [f"p{number}" for number in range(count)]
    rounds = all_against_all(players)
    assert len(rounds) == (count if count % 2 else count - 1)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs if BYE not in pair)
    assert met == Counter(frozenset(pair) for pair in combinations(players, 2))
    for pairs in rounds:
        playing = [one for pair in pairs for one in pair if one != BYE]
        assert sorted(playing) == sorted(players)
        assert sum(BYE in pair for pair in pairs) == count % 2
    firsts = Counter(one for pairs in rounds for one, other in pairs if BYE not in (one, other))
    assert max(firsts.values()) - min(firsts.get(one, 0) for one in players) <= 2


@given(st.integers(2, 24), st.integers(1, 6), st.randoms(use_true_random=False))
def test_nobody_meets_the_same_one_again_as_long_as_that_can_be(count: int, length: int, chance: object) -> None:
    players = [f"p{number}" for number in range(count)]
    points = dict.fromkeys(players, 0.0)
    met: list[tuple[str, str]] = []
    byes: list[str] = []
    length = min(length, (count - 1) // 2 or 1)
    for _ in range(length):
        pairs = swiss(players, points, met, byes)
        playing = [one for pair in pairs for one in pair if one != BYE]
        assert sorted(playing) == sorted(players)
        for one, other in pairs:
            if other == BYE:
                assert one not in byes
                byes.append(one)
                points[one] += 1
                continue
            assert frozenset((one, other)) not in {frozenset(pair) for pair in met}
            met.append((one, other))
            score = chance.choice([0.0, 0.5, 1.0])  # type: ignore[attr-defined]
            points[one] += score
            points[other] += 1 - score


@given(st.sampled_from([5, 7]), st.randoms(use_true_random=False))
def test_a_round_without_an_opponent_makes_nobody_meet_again(count: int, chance: object) -> None:
    """Two players meet again only if no choice of the player without an opponent prevents it."""
    players = [f"p{number}" for number in range(count)]
    points = dict.fromkeys(players, 0.0)
    met: list[tuple[str, str]] = []
    byes: list[str] = []
    for _ in range(count - 1):
        pairs = swiss(players, points, met, byes)
        old = {frozenset(pair) for pair in met}
        games = [pair for pair in pairs if pair[1] != BYE]
        if any(frozenset(pair) in old for pair in games):
            for without in [one for one in players if one not in byes]:
                rest = [one for one in players if one != without]
                again = swiss(rest, points, met)
                assert any(frozenset(pair) in old for pair in again), without
        byes += [one for one, other in pairs if other == BYE]
        for one, other in games:
            met.append((one, other))
            score = chance.choice([0.0, 0.5, 1.0])  # type: ignore[attr-defined]
            points[one] += score
            points[other] += 1 - score


def test_like_meets_like() -> None:
    points = {"a": 2.0, "b": 2.0, "c": 1.0, "d": 1.0, "e": 0.0, "f": 0.0}
    pairs = swiss([*points], points, [("a", "c"), ("b", "d"), ("e", "f")])
    assert {frozenset(pair) for pair in pairs} == {
        frozenset("ab"), frozenset("ce"), frozenset("df"),
    } or {frozenset(pair) for pair in pairs} == {frozenset("ab"), frozenset("cd"), frozenset("ef")}  # fmt: skip
    assert frozenset("ab") in {frozenset(pair) for pair in pairs}


def test_where_all_have_met_two_meet_again() -> None:
    assert len(swiss(["a", "b"], {}, [("a", "b")])) == 1


def test_sides_alternate() -> None:
    assert swiss(["a", "b"], {}, [("a", "c")]) == [("b", "a")]
