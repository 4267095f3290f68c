"""A view with all later changes applied equals the current view."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.host.events import Setup
from caltrop.host.game import HostedGame
from caltrop.picture import Card, Group, Line, Picture, Seat, Spot, Stage, Zone
from caltrop.rules.duel import ruleset as duel
from caltrop.wire import View, change_between, patched
from caltrop.wire.changes import Change


def game(seed: int) -> HostedGame:
    """Return a duel between two persons."""
    book = duel.book()
    setup = Setup(
        ruleset="duel", edition=book.edition, rules=book.rules, scenario="crossroads", armies=(), size=None,
        seats=("person", "person"), friendly=True, dice="server", engine_version="0", rules_version=1, salt="s",
    )  # fmt: skip
    return HostedGame("g", setup, duel, Seeded(seed))


def plain(value: Any) -> Any:
    """Return a value as parsed JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize("seed", range(8))
def test_changes_laid_over_a_view_give_the_next_view(seed: int) -> None:
    under_way, dice = game(seed), Seeded(f"choices {seed}")
    eyes = under_way.eyes
    views = {e: under_way.view(e) for e in eyes}
    shown = {e: plain(view) for e, view in views.items()}
    while under_way.ids():
        id, decision = under_way.ids()[dice.below(len(under_way.ids()))]
        assert under_way.decision(id, (decision.side,)) is decision
        under_way.act(decision, decision.options(under_way.match.view(decision.side)).sample(dice))
        if dice.below(4) == 0 and under_way.match.boundary(decision.side) is None:
            under_way.undo(decision.side)
        for e in eyes:
            new = under_way.view(e)
            shown[e] = patched(shown[e], plain(change_between(views[e], new)))
            views[e] = new
            assert shown[e] == plain(new)
    assert under_way.over


def test_a_change_has_nothing_that_did_not_differ() -> None:
    view = game(1).view(0)
    later = msgspec.structs.replace(view, seq=view.seq + 1)
    assert plain(change_between(view, later)) == {"type": "change", "seq": view.seq + 1, "base": view.seq}


FIXED = {
    "schema_version", "game", "ruleset", "edition", "rules", "scenario", "you", "clock", "armies", "size",
    "as_recorded", "versions",
}  # fmt: skip
"""The fields of a view that never change during a game."""


def test_a_change_has_whatever_of_a_view_may_differ() -> None:
    assert set(Change.__struct_fields__) - {"base", "steps"} == set(View.__struct_fields__) - FIXED


@pytest.mark.parametrize(("name", "value"), [("unrated", "a hint was given"), ("hints", True), ("kept_back", True)])
def test_a_change_tells_what_has_come_to_be_so(name: str, value: object) -> None:
    view = game(1).view(0)
    later = msgspec.structs.replace(view, seq=view.seq + 1, **{name: value})
    assert patched(plain(view), plain(change_between(view, later))) == plain(later)


def test_a_change_of_another_moment_is_refused() -> None:
    view = plain(game(1).view(0))
    with pytest.raises(ValueError, match="starts from 7"):
        patched(view, {"type": "change", "base": 7, "seq": 8})


def test_parts_of_a_picture_come_and_go() -> None:
    stage = Stage(round=1, rounds=None, steps=("a",), now=0, words="")
    group = Group(id=1, side=0, name="g", kind="k", silhouette="light")
    spot = Spot(id=1, name="s", kind="objective", at=(1, 1), radius=1)
    seat = Seat(side=0, name="A", letter="A", shape="circle")
    before = Picture(
        form="plane", width=9, height=9, scale=1, measure="cm", stage=stage, seats=(seat,),
        groups=(group, msgspec.structs.replace(group, id=2)), spots=(spot,),
    )  # fmt: skip
    after = msgspec.structs.replace(
        before,
        groups=(msgspec.structs.replace(group, id=2, name="new"), msgspec.structs.replace(group, id=3)),
        spots=(msgspec.structs.replace(spot, holder=0),),
        seats=(msgspec.structs.replace(seat, name="B"),),
        lines=(Line(kind="lock", start=(0, 0), end=(1, 1)),),
        zones=(Zone(name="z", side=None, outline=((0, 0), (1, 0), (0, 1))),),
        hand=(Card(kind="probe-left", title="Probe", words="Order 2 units", area="left"),),
    )
    view = game(1).view(0)
    old = msgspec.structs.replace(view, picture=before)
    new = msgspec.structs.replace(view, picture=after, seq=view.seq + 1)
    assert patched(plain(old), plain(change_between(old, new))) == plain(new)
    back = msgspec.structs.replace(new, picture=before, seq=new.seq + 1)
    undone = patched(plain(new), plain(change_between(new, back)))
    assert {g["id"]: g for g in undone["picture"]["groups"]} == {g["id"]: g for g in plain(back)["picture"]["groups"]}
    assert undone["picture"]["lines"] == undone["picture"]["zones"] == []


def test_a_view_is_read_back_by_its_own_type() -> None:
    text = msgspec.json.encode(game(2).view(1))
    assert msgspec.json.encode(msgspec.json.decode(text, type=View)) == text
