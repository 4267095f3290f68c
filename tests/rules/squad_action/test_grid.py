"""Each kind of act, announced in each state, with each kind of second act, and all interruptions.

The tables here are typed from the rulebook, and ask the code nothing.
"""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Pool, Roll, Seeded
from caltrop.rules.squad_action.activation import ActLost, NextAct, PassUp
from caltrop.rules.squad_action.acts import KINDS_OF_ACT, Kind
from caltrop.rules.squad_action.orders import Begin, Orders
from caltrop.rules.squad_action.overwatch import Forgo, Interrupt, LetPass, Spring
from caltrop.rules.squad_action.rally import Rally
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.rulebook import ruleset
from caltrop.rules.squad_action.scene import at, machine, scene, squad
from caltrop.rules.squad_action.transport import Board
from caltrop.rules.squad_action.turn import Order
from tests.rules.squad_action.played import Heard, every, now

OPEN: dict[str, set[Kind]] = {
    "fresh": {"move", "shoot", "overwatch", "assault", "transport", "mission", "smoke"},
    "it did all in its last activation": {"move", "shoot", "overwatch", "assault", "transport", "mission", "smoke"},
    "Pinned": {"rally"},
    "Broken": set(),
    "split": {"move"},
    "in reserve, and due": {"move"},
    "aboard": {"transport"},
    "fighting": set(),
}
"""The possible first acts of a unit (SQ-Q08, SQ-S23, SQ-ORG-13, SQ-S47, SQ-S45, SQ-Q48)."""

STATES: dict[str, dict[str, Any]] = {
    "fresh": {},
    "it did all in its last activation": {
        "moved": True, "travelled": 3000, "moves": 2, "acted": 2, "crept": 1, "shot": True, "rode": True,
        "dazed": True,
    },
    "Pinned": {"pinned": True},
    "Broken": {"broken": True},
    "split": {},
    "in reserve, and due": {"where": "reserve", "due": True},
    "aboard": {"where": "aboard", "carrier": 1},
    "fighting": {"locked": (2,)},
}  # fmt: skip

MOVES: set[Kind] = {"move", "assault", "transport"}
"""Kinds of act in which a unit moves. None of them can be combined with a fire mission (SQ-FMI-04)."""
LAST: set[Kind] = {"overwatch", "assault"}
"""Kinds of action that must be the last (SQ-Q03)."""
NEVER_AFTER: dict[Kind, set[Kind]] = {
    "shoot": set(),
    "move": {"mission"},
    "transport": {"mission"},
    "mission": MOVES,
    "smoke": set(),
    "rally": set(),
}
"""Impossible second announcements by kind of first act. Other kinds allow all."""

LOST: set[tuple[Kind, Kind]] = {
    *[(first, "rally") for first in ("move", "shoot", "mission", "smoke")],
    ("mission", "mission"),
    ("move", "transport"),
}
"""Acts that are impossible after an uninterrupted act.

No unit is Pinned, a side calls once in a turn (SQ-Q38), and the transport is too far away.
"""


def table(state: str = "fresh", **more: Any) -> Firefight:
    """Return a unit that can do everything, a transport beside it, an enemy within its reach, and an enemy that
    watches.
    """
    fields = {**STATES[state], **more}
    t = scene(
        squad(0, "regular", 10, 10, 3, officer=True, **fields),
        machine(0, "apc", "12.6", "12.4", (0, 1)),
        squad(1, "regular", 10, "16.5", 3, weapons=[]),
        squad(1, "regular", 10, 26, 3),
        tokens={3: ["fire"]},
        smoke=[2, 2],
        round=2,
    )
    if state == "split":
        t.change_model(2, at=at(14, 7))
    if t.units[0].where != "table":
        for m in t.units[0].models:
            t.change_model(m, at=None)
    return t


def first_of(t: Firefight, kind: Kind) -> Any:
    """Return the first act of a kind that may begin an activation, with any continuation; None for none."""
    options = Orders(side=0).options(t)
    for choice in options:
        if isinstance(choice, Begin) and choice.unit == 0 and choice.act.kind == kind:
            return choice.act
    return None


@pytest.mark.clause("SQ-ORG-03", "SQ-Q08", "SQ-Q49", "SQ-S23", "SQ-S45", "SQ-S47", "SQ-ORG-13")
@pytest.mark.parametrize("state", STATES)
def test_what_may_be_done_first(state: str) -> None:
    t = table(state)
    kinds = {kind for kind in KINDS_OF_ACT if first_of(t, kind) is not None}
    assert kinds == OPEN[state]
    options, fresh = Orders(side=0).options(t), table()
    for kind in set(KINDS_OF_ACT) - OPEN[state]:
        act = first_of(fresh, kind)
        if act is not None:
            assert options.refusal(Begin(0, act, ("shoot",))) is not None, kind


@pytest.mark.clause("SQ-ORG-02", "SQ-ORG-03", "SQ-Q03", "SQ-FMI-04")
@pytest.mark.parametrize("first", sorted(OPEN["fresh"]))
def test_what_may_be_announced_after_it(first: Kind) -> None:
    t = table()
    act, options = first_of(t, first), Orders(side=0).options(t)
    alone = first in LAST or isinstance(act, Board)
    assert (options.refusal(Begin(0, act, ())) is None) is alone
    for second in KINDS_OF_ACT:
        may = not alone and second not in NEVER_AFTER[first]
        assert (options.refusal(Begin(0, act, (second,))) is None) is may, second


PAIRS = [
    (first, second)
    for first in sorted(OPEN["fresh"] - LAST)
    for second in KINDS_OF_ACT
    if second not in NEVER_AFTER[first] and first != "transport"
]
"""Possible announcements; a boarding unit announces nothing further."""


class Ones(Seeded):
    """Dice that always show 1: every shot misses, nothing is available, and no try succeeds."""

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        """Return as many ones as dice are thrown."""
        return (1,) * pool.count


def begun(first: Kind, second: Kind) -> Heard:
    """Return an activation with its first act announced, up to the question whether the watcher interrupts."""
    start = table()
    act = first_of(start, first)
    start.stack = [Order(side=0)]
    match = Heard(ruleset, start, Ones(0))
    match.heard = []
    match.play(0, Begin(0, act, (second,)))
    assert isinstance(match.waiting[0], Interrupt)
    return match


def up_to_the_next(match: Heard) -> NextAct | None:
    """Answer all other questions until the next act. Return None if the activation is over."""
    while match.waiting and not isinstance(match.waiting[0], NextAct):
        asked, t = match.waiting[0], now(match)
        options = asked.options(t)
        quiet = next((one for one in (LetPass(), Forgo()) if one in options), None)
        match.play(asked.side, quiet or options.first())
    next_act = match.waiting[0] if match.waiting else None
    return next_act if isinstance(next_act, NextAct) else None


@pytest.mark.clause("SQ-Q49", "SQ-ORG-03", "SQ-ORG-05")
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_what_was_announced_is_offered_if_nobody_is_stopped(first: Kind, second: Kind) -> None:
    match = begun(first, second)
    asked = up_to_the_next(match)
    lost = [event.kind for event in every(match, ActLost)]
    if (first, second) in LOST:
        assert (asked, lost) == (None, [second])
    else:
        assert asked is not None
        assert (asked.kinds, lost) == ((second,), [])
        assert PassUp() in asked.options(now(match))


BEFALLS: dict[str, dict[str, Any]] = {
    "Pinned": {"pinned": True},
    "Broken": {"broken": True},
    "gone": {"where": "gone"},
}


@pytest.mark.clause("SQ-Q49", "SQ-ORG-07", "SQ-S33", "SQ-Q08", "SQ-S23")
@pytest.mark.parametrize("befalls", BEFALLS)
@pytest.mark.parametrize(
    ("first", "second", "late"),
    [(*pair, late) for pair in PAIRS for late in (False, True) if pair[0] == "move" or not late],
)
def test_who_is_stopped_rallies_first_and_is_told_what_it_lost(
    first: Kind, second: Kind, late: bool, befalls: str
) -> None:
    """Before the first act both actions are left, and later one. A unit that is Broken or gone does nothing more."""
    match = begun(first, second)
    match.play(1, Spring(3, "fire", 254 if late else 0))
    t = now(match)
    t.change(0, **BEFALLS[befalls])
    if befalls == "gone":
        for m in t.units[0].models:
            t.change_model(m, at=None)
    following = up_to_the_next(match)
    lost = [event.kind for event in every(match, ActLost)]
    if befalls != "Pinned":
        assert (following, lost) == (None, []), "nothing more is said of it"
        return
    assert following is not None
    assert following.kinds == ("rally",)
    assert lost == ([second] if late and second != "rally" else [])
    match.play(0, Rally(0))
    again = up_to_the_next(match)
    lost = [event.kind for event in every(match, ActLost)]
    if late:
        assert again is None
    else:
        # The first try has failed, so the second action is another try. Then none of the unit's announced acts is left.
        assert again is not None
        assert again.kinds == ("rally",)
        assert lost == ([] if second == "rally" else [second])
