"""Set-up: posts, random places, models that players place, and models that enter later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from caltrop.asking import Wish, offered
from caltrop.chance import Seeded
from caltrop.engine import Match, Refused
from caltrop.geometry import INCH, Point, overlapping
from caltrop.rules.blade_skirmish.catalogue import inches
from caltrop.rules.blade_skirmish.records import Area, Post, Skirmish, Wave
from caltrop.rules.blade_skirmish.rulebook import ruleset
from caltrop.rules.blade_skirmish.scene import block, done, put, run, scene
from caltrop.rules.blade_skirmish.setup import (
    Arrivals,
    Deploy,
    Deployed,
    Deployment,
    Entered,
    NoRoom,
    PlaceFighter,
    StayBehind,
    entry,
    place_in,
    places_next,
    places_of,
    to_place,
    wholly_in,
)

SOUTH = Area(box=(0, 0, 24 * INCH, 3 * INCH), words="within 3 inches of the south edge")
NORTH = Area(box=(0, 21 * INCH, 24 * INCH, 24 * INCH), words="within 3 inches of the north edge")
HERE = (0, 0)


def there(match: Match) -> Skirmish:
    assert isinstance(match.state, Skirmish)
    return match.state


def at(x: float, y: float) -> Point:
    return inches(x), inches(y)


def off(side: int, quality: int = 1, **fields: Any) -> Any:
    """Return a model that is not on the table yet."""
    return put(side, quality, 0, 0, at=None, fate="waiting", **fields)


def placing(t: Skirmish, *dice: Sequence[int]) -> Match:
    return run(t, Deployment(), *dice)


def begun(scenario: str, **rules: Any) -> Match:
    """Return a scenario up to its first decision, with dice of a seed."""
    return Match(ruleset, ruleset.setup(ruleset.book(None, rules), scenario), Seeded("setup"))


def refusal(match: Match, action: Deploy) -> tuple[str, str, Any]:
    with pytest.raises(Refused) as raised:
        match.play(match.waiting[0].side, action)
    refusal = raised.value.refusal
    return refusal.code, refusal.message, refusal.nearest


def put_all_down(match: Match) -> list[int]:
    """Place every model at the first place with room, in the order in which the sides are asked."""
    sides = []
    while match.waiting and isinstance(match.waiting[0], PlaceFighter):
        asked = match.waiting[0]
        sides.append(asked.side)
        match.play(asked.side, asked.options(match.view(asked.side)).first())
    return sides


# --- posts ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S52", "BS-S53")
def test_written_posts_are_taken_in_order() -> None:
    t = scene(
        off(0), off(1), off(1), field={"areas": (SOUTH, None), "posts": (Post(at=at(4, 12)), Post(at=at(8, 15)))}
    )  # fmt: skip
    after = there(placing(t))
    assert [f.at for f in after.fighters] == [None, at(4, 12), at(8, 15)]
    assert [f.fate for f in after.fighters] == ["waiting", "ready", "ready"]


@pytest.mark.clause("BS-S50")
def test_which_model_has_which_part_and_where_in_it_is_by_chance() -> None:
    parts = (
        Post(box=(0, inches(14), inches(3), inches(21.5))),
        Post(box=(inches(3), inches(14), inches(6), inches(21.5))),
    )
    t = scene(off(0), off(1), off(1), off(1), field={"areas": (SOUTH, None), "posts": (*parts, *parts), "drawn": True})
    across, up = places_of((0, inches(14), inches(3), inches(21.5)))
    assert (across, up) == (31, 76)
    # The third of three models is in the middle of the lowest row. The first of the other two is in the far corner, and
    # then comes the last.
    match = placing(t, (3,), (16,), (1,), (31 * 76,), (31 * 40 + 16,))
    assert [f.at for f in there(match).fighters] == [None, at(6, 21.5), at(1.5, 18), at(1.5, 14)]


@pytest.mark.clause("BS-S50")
def test_places_of_a_part_lie_a_tenth_of_an_inch_apart() -> None:
    box = (inches(3), inches(14), inches(6), inches(21.5))
    assert place_in(box, 1) == at(3, 14)
    assert place_in(box, 2) == at(3.1, 14)
    assert place_in(box, 31) == at(6, 14)
    assert place_in(box, 32) == at(3, 14.1)
    assert place_in(box, 31 * 76) == at(6, 21.5)


@pytest.mark.clause("BS-S50", "BS-S20")
def test_a_place_that_is_not_legal_is_thrown_for_again() -> None:
    box = (0, inches(14), inches(3), inches(21.5))
    t = scene(off(0), off(1), put(1, 1, 2, 20), field={"areas": (SOUTH, None), "posts": (Post(box=box),)})
    # The first place is half off the table, the second is occupied, and the third is free.
    match = placing(t, (1,), (31 * 60 + 21,), (16,))
    assert there(match).fighters[1].at == at(1.5, 14)


@pytest.mark.clause("BS-S20")
def test_a_written_post_that_is_taken_gives_way_to_the_nearest_place() -> None:
    t = scene(off(0), off(1), put(0, 1, 12, 12), field={"areas": (SOUTH, None), "posts": (Post(at=at(12, 12)),)})
    match = placing(t)
    disc = there(match).disc(1)
    assert not overlapping(disc, there(match).disc(2))
    assert abs(disc[0] - inches(12)) + abs(disc[1] - inches(12)) < 2 * INCH


@pytest.mark.clause("BS-S20")
def test_who_finds_no_place_in_her_area_stays_away() -> None:
    t = scene(
        off(0),
        off(1),
        terrain=[block("a", 2, 2, 22, 22)],
        field={"areas": (SOUTH, None), "posts": (Post(box=(inches(5), inches(5), inches(6), inches(6))),)},
    )
    match = placing(t)
    assert there(match).fighters[1].at is None
    assert any(isinstance(event, NoRoom) for event in match.opening)


@pytest.mark.clause("BS-S50")
def test_cut_them_down_has_one_enemy_in_each_eighth() -> None:
    t = there(begun("cut-them-down"))
    across = sorted((f.at or HERE)[0] for f in t.of_side(1))
    assert len(across) == 8
    assert all(3 * i * INCH <= x <= 3 * (i + 1) * INCH for i, x in enumerate(across))
    assert all(inches(14) <= (f.at or HERE)[1] <= inches(21.5) for f in t.of_side(1))
    assert sorted(f.quality for f in t.of_side(1)) == [1] * 6 + [2, 2]


# --- models that players put down -------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S50", "BS-S52", "BS-S53")
@pytest.mark.parametrize(
    ("place", "code"),
    [
        ((12, 2.5), ""),
        ((12, 2.6), "outside"),
        ((12, 0.5), ""),
        ((12, 0.4), "outside"),
        ((0.5, 1), ""),
        ((0.4, 1), "outside"),
        ((23.6, 1), "outside"),
    ],
)
def test_bases_stand_wholly_within_three_inches_of_the_edge(place: tuple[float, float], code: str) -> None:
    match = placing(scene(off(0, name="Ada"), put(1, 1, 12, 20), field={"areas": (SOUTH, None)}))
    action = Deploy(0, at(*place))
    if not code:
        assert action in match.waiting[0].options(there(match))
        return
    result, message, nearest = refusal(match, action)
    assert result == code
    assert message == "Ada has to stand wholly within 3 inches of the south edge"
    assert nearest in match.waiting[0].options(there(match))
    assert abs(nearest.at[0] - action.at[0]) + abs(nearest.at[1] - action.at[1]) < INCH


@pytest.mark.clause("BS-S51")
@pytest.mark.parametrize(("place", "fits"), [((12, 14.5), True), ((12, 14.6), False), ((13.9, 13.9), False)])
def test_bases_stand_wholly_within_three_inches_of_the_middle(place: tuple[float, float], fits: bool) -> None:
    match = begun("hold-the-stones")
    assert (Deploy(0, at(*place)) in match.waiting[0].options(there(match))) == fits


@pytest.mark.clause("BS-S20", "BS-S11", "BS-Q34", "BS-S33", "BS-S50")
def test_nobody_is_put_down_on_a_wall_or_on_another() -> None:
    t = scene(
        off(0, name="Ada"), put(0, 1, 12, 2, name="Bel"), put(1, 1, 12, 20),
        terrain=[block("the wall", 2, 1, 4, 2)], field={"areas": (SOUTH, None)},
    )  # fmt: skip
    match = placing(t)
    assert refusal(match, Deploy(0, at(3, 2.4)))[:2] == (
        "ground",
        "Ada would stand on the wall, which is impassable",
    )
    assert refusal(match, Deploy(0, at(12.9, 2)))[:2] == ("occupied", "Ada would stand on Bel")
    assert refusal(match, Deploy(1, at(6, 2)))[0] == "not-to-place"
    assert refusal(match, Deploy(77, at(6, 2)))[0] == "not-to-place"
    assert Deploy(0, at(13, 2)) in match.waiting[0].options(there(match)), "touching is not overlapping"


@pytest.mark.clause("BS-S33")
@pytest.mark.parametrize(("first", "expected"), [(0, [1, 0, 1, 0, 1, 1]), (1, [0, 1, 0, 1, 1, 1])])
def test_two_players_place_by_turns_and_who_moves_second_begins(first: int, expected: list[int]) -> None:
    fighters = [off(0), off(0), off(1), off(1), off(1), off(1)]
    t = scene(*fighters, field={"areas": (SOUTH, NORTH), "automated": ()}, first=first)
    match = placing(t)
    assert put_all_down(match) == expected
    assert all(f.at is not None for f in there(match).fighters)
    assert places_next(there(match), None) is None


@pytest.mark.clause("BS-S45")
def test_at_most_six_models_are_fielded() -> None:
    t = scene(*[off(0) for _ in range(8)], put(1, 1, 12, 20), field={"areas": (SOUTH, None), "fielded": 6})
    match = placing(t)
    assert "6 are left" in match.waiting[0].prompt(there(match))
    events: list[Any] = []
    for _ in range(6):
        events += match.play(0, match.waiting[0].options(there(match)).first())
    assert [f.at is None for f in there(match).fighters[:8]] == [False] * 6 + [True] * 2
    assert to_place(there(match), 0) == []
    assert not match.waiting
    assert [event for event in events if isinstance(event, StayBehind)] == [StayBehind((6, 7), 6)]


@pytest.mark.clause("BS-S20")
def test_who_finds_no_room_is_not_asked_for() -> None:
    narrow = Area(box=(0, 0, inches(1.5), inches(1.5)), words="in the corner")
    t = scene(off(0), off(0), put(1, 1, 12, 20), field={"areas": (narrow, None)})
    match = placing(t)
    events = match.play(0, Deploy(0, at(0.7, 0.7)))
    assert [type(event) for event in events] == [Deployed, NoRoom]
    assert not match.waiting


def test_a_drag_is_drawn_into_the_area_and_refused_on_others() -> None:
    match = begun("run-the-gauntlet")
    decision = match.waiting[0]
    proposal = offered(decision).propose(there(match), Wish(unit=0, to=at(5, 4)))
    assert proposal.action == Deploy(0, at(5, 2.5))
    match.play(0, proposal.action)
    again = offered(match.waiting[0]).propose(there(match), Wish(unit=1, to=at(5.5, 2.5)))
    assert again.action is None
    assert again.refusal is not None
    assert again.refusal.code == "occupied"
    assert again.faults == (at(5.5, 2.5),)
    assert offered(match.waiting[0]).propose(there(match), Wish(unit=0)).refusal is not None


def test_what_is_picked_up_says_where_it_may_be_put_down() -> None:
    match = begun("run-the-gauntlet")
    decision = match.waiting[0]
    picked = offered(decision).pick_up(there(match), 0)
    assert picked is not None
    assert picked.down is not None
    assert picked.down.box == SOUTH.box
    assert len(picked.others) == 8
    assert offered(decision).pick_up(there(match), 7) is None, "she is no model of this side"
    stones = begun("hold-the-stones")
    assert offered(stones.waiting[0]).pick_up(there(stones), 0) is None, "a circle is asked about place by place"


def test_samples_and_offers_are_legal_and_several() -> None:
    match = begun("hold-the-stones")
    decision = match.waiting[0]
    options = decision.options(there(match))
    dice = Seeded("samples")
    drawn = {options.sample(dice) for _ in range(30)}
    assert len(drawn) > 25
    assert all(action in options for action in drawn)
    assert {offer.unit for offer in offered(decision).offers(there(match))} == set(range(6))
    assert all(offer.action in options for offer in offered(decision).offers(there(match)))
    assert {region.unit for region in offered(decision).regions(there(match))} == set(range(6))
    area = there(match).field.areas[0]
    assert area is not None
    assert all(wholly_in((*action.at, 127), area) for action in options)


# --- models that enter later ------------------------------------------------------------------------------------------


def arriving(*dice: Sequence[int], turn: int = 1, **fields: Any) -> tuple[Skirmish, Match]:
    """Return a battle with a wave in the automated side's first turn."""
    t = scene(
        put(0, 1, 12, 12), off(1, name="Ash"), off(1, name="Birch"),
        field={"waves": (Wave(turn=1, fighters=(1,)), Wave(turn=2, fighters=(2,), edges=("north",)))},
        turns=(1, turn), active=1, **fields,
    )  # fmt: skip
    match = run(t, Arrivals(sides=(1,)), *dice)
    return done(match), match


@pytest.mark.clause("BS-S51")
@pytest.mark.parametrize(
    ("edge", "place"), [(1, (9, 23.5)), (2, (23.5, 9)), (3, (9, 0.5)), (4, (0.5, 9))], ids=["N", "E", "S", "W"]
)
def test_the_edge_by_a_die_and_the_place_by_two_tens(edge: int, place: tuple[float, float]) -> None:
    after, match = arriving((edge,), (3, 4))
    assert after.fighters[1].at == at(*place)
    assert after.fighters[2].at is None, "her wave is later"
    assert any(isinstance(event, Entered) for event in match.opening)


@pytest.mark.clause("BS-S53")
def test_where_there_is_one_edge_only_the_place_is_thrown_for() -> None:
    after, _ = arriving((1,), (1, 1), (10, 10), turn=2)
    assert after.fighters[1].at == at(4, 23.5)
    assert after.fighters[2].at == at(22, 23.5)


@pytest.mark.clause("BS-S51", "BS-S20")
def test_where_she_would_overlap_edge_and_place_are_thrown_for_again() -> None:
    after, _ = arriving((1,), (5, 4), (5, 4), (5, 3), turn=2)
    assert after.fighters[2].at == at(10, 23.5)
    t = scene(put(0, 1, 9, 23.2), off(1), field={"waves": (Wave(turn=1, fighters=(1,)),)}, turns=(1, 1), active=1)
    assert done(run(t, Arrivals(sides=(1,)), (1,), (3, 4), (4,), (10, 10))).fighters[1].at == at(0.5, 22)


@pytest.mark.clause("BS-S51")
def test_who_finds_no_room_comes_in_the_next_turn() -> None:
    full = [block("a", 3, 22.8, 23, 24)]
    t = scene(
        put(0, 1, 12, 12), off(1), terrain=full, turns=(1, 1), active=1,
        field={"waves": (Wave(turn=1, fighters=(1,), edges=("north",)),)},
    )  # fmt: skip
    match = run(t, Arrivals(sides=(1,)))
    assert done(match).fighters[1].fate == "waiting"
    assert any(isinstance(event, NoRoom) for event in match.opening)
    later = scene(
        put(0, 1, 12, 12), off(1), turns=(2, 2), active=1,
        field={"waves": (Wave(turn=1, fighters=(1,), edges=("north",)),)},
    )  # fmt: skip
    assert done(run(later, Arrivals(sides=(1,)), (5, 5))).fighters[1].at == at(12, 23.5)


@pytest.mark.clause("BS-S51")
def test_on_another_table_they_enter_in_proportion() -> None:
    t = scene(put(0, 1, 12, 12), table=(36, 12))
    assert entry(t, "north", 12) == at(18, 11.5)
    assert entry(t, "west", 12) == at(0.5, 6)


@pytest.mark.clause("BS-S33")
def test_whose_a_fighter_is_who_takes_her_place_is_said_once() -> None:
    t = scene(put(0, 1, 12, 2, name="Ada"), put(1, 1, 12, 22, name="Ada"), field={"names": ("South", "North")})
    assert Deployed(0).sentence(t).startswith("Ada of South takes her place")
