"""The page's preview of a drag never disagrees with the rules; Node runs the twin as it stands, without a browser."""

from __future__ import annotations

import random

from tests.web.reach import disagreements, pick_ups, random_wishes, told


def test_the_preview_of_a_drag_is_what_the_rules_answer() -> None:
    for _, around, wish, expected, foreseen in disagreements(1500, seed=11):
        raise AssertionError(f"{wish} with {around}\nthe rules: {expected}\nthe page: {foreseen}")


def test_the_drags_that_are_compared_are_of_all_kinds() -> None:
    by = random.Random(11)
    straight = bent = formed = refused = 0
    codes: set[str] = set()
    for (t, decision, around), _ in zip(pick_ups(by), range(150), strict=False):
        for wish in random_wishes(by, around, 6):
            proposal = decision.propose(t, wish)
            told(proposal)
            if proposal.refusal is not None:
                refused += 1
                codes.add(proposal.refusal.code)
            elif wish.shape != "keep":
                formed += 1
            elif any(len(path) > len(wish.waypoints) + 2 for path in proposal.paths.values()):
                bent += 1
            else:
                straight += 1
    assert min(straight, formed, refused) >= 20
    assert bent >= 8
    assert {"too-far", "in-the-way", "impassable", "off-table"} <= codes
