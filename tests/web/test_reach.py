"""The page's preview of a drag always agrees with the rules. Node runs the same preview code without a browser."""

from __future__ import annotations

import random

import pytest

from caltrop.asking import offered
from caltrop.rules.command_horizon.way_out import ChooseWayOut, Merit
from tests.web.reach import KINDS_OF_DRAG, disagreements, pick_ups, random_wishes, rules_answer


@pytest.mark.parametrize("kind", KINDS_OF_DRAG)
def test_the_preview_of_a_drag_is_what_the_rules_answer(kind: str) -> None:
    for _, around, wish, expected, foreseen in disagreements(1200 if kind == "move" else 480, 11, only=(kind,)):
        raise AssertionError(f"{wish} with {around}\nthe rules: {expected}\nthe page: {foreseen}")


def test_the_drags_that_are_compared_are_of_all_kinds() -> None:
    by = random.Random(11)
    straight = bent = formed = refused = 0
    codes: set[str] = set()
    for (t, decision, around, act), _ in zip(pick_ups(by, "move", "walk"), range(260), strict=False):
        for wish in random_wishes(by, around, 6, act):
            proposal = offered(decision).propose(t, wish)
            rules_answer(proposal)
            if proposal.refusal is not None:
                refused += 1
                codes.add(proposal.refusal.code)
            elif wish.shape != "keep":
                formed += 1
            elif wish.facing is None and not wish.models:
                # By default the unit keeps its formation: all models move the same distance in the same direction.
                ways = list(proposal.paths.values())
                assert len({(way[-1][0] - way[0][0], way[-1][1] - way[0][1]) for way in ways}) == 1
                bent += any(len(way) > len(wish.waypoints) + 2 for way in ways)
                straight += all(len(way) <= len(wish.waypoints) + 2 for way in ways)
            elif any(len(path) > len(wish.waypoints) + 2 for path in proposal.paths.values()):
                bent += 1
            else:
                straight += 1
    assert min(straight, formed, refused) >= 20
    assert bent >= 8
    assert {"too-far", "in-the-way", "impassable", "off-table"} <= codes


REFUSED = {
    "charge": {"no-contact", "in-the-way", "impassable", "infantry-too-far"},
    "withdraw": {"no-farther", "still-in-contact", "nearer", "too-short", "in-the-way"},
    "deploy": {"zone", "ground", "occupied", "coherency"},
}


@pytest.mark.parametrize("kind", sorted(REFUSED))
def test_drags_into_contact_out_of_it_and_onto_the_table_come_out_in_every_way(kind: str) -> None:
    """The sample contains every legal formation and every reason for refusal. A refusal because of a place names the
    place.
    """
    by = random.Random(5)
    legal: set[str] = set()
    codes: set[str] = set()
    merits: set[Merit | None] = set()
    acts: set[str] = set()
    for (t, decision, around, act), _ in zip(pick_ups(by, kind), range(80), strict=False):
        acts.add(act)
        if isinstance(decision, ChooseWayOut):
            merits.add(decision.options(t).best)
        for wish in random_wishes(by, around, 8, act):
            proposal = offered(decision).propose(t, wish)
            if proposal.refusal is None:
                legal.add(wish.shape)
                assert proposal.action in decision.options(t)
            else:
                codes.add(proposal.refusal.code)
                assert proposal.faults, proposal.refusal
    assert legal == {"keep", "line", "column", "wedge"}
    assert codes >= REFUSED[kind]
    if kind == "withdraw":
        assert merits >= {Merit(True, True), Merit(True, False), Merit(False, True)}
    if kind == "deploy":
        assert {"", "0", "0,1"} <= acts
