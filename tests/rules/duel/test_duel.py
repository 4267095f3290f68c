"""Every clause of the duel."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.asking import Wish, offered
from caltrop.chance import Scripted, Seeded
from caltrop.clauses import MARKS
from caltrop.engine import Match, Refused, ruleset
from caltrop.geometry import CM, Point
from caltrop.rules.duel.movement import Move, Stay, Walk, Ways
from caltrop.rules.duel.records import Duel, Duellist
from caltrop.rules.duel.strike import HoldBack, Parry, StrikeOrHold, TakeIt, Thrust
from caltrop.rules.duel.turn import Stake


def duel(
    *rolls: tuple[int, ...], edition: str = "current", rules: dict[str, Any] | None = None, **change: Any
) -> Match:
    """Return a duel at the crossroads. *change* applies to both duellists, or to one as `ash` or `briar`."""
    result = ruleset("duel")
    state = result.setup(result.book(edition, rules), "crossroads")
    assert isinstance(state, Duel)
    for side, name in enumerate(("ash", "briar")):
        state.change(side, **change.get(name, {}))
    state.rounds = change.get("rounds", state.rounds)
    return Match(result, state, Scripted(*rolls))


def begun(*rolls: tuple[int, ...], **more: Any) -> Match:
    """Return a duel in which the first side has staked one breath, and begins."""
    match = duel(*rolls, **more)
    match.play(0, Stake(1))
    match.play(1, Stake(0))
    return match


def close(*rolls: tuple[int, ...], **more: Any) -> Match:
    """Return a duel in which the duellists are 2 cm apart, and the first is asked whether it strikes."""
    ash = {"at": (500, 500), **more.pop("ash", {})}
    briar = {"at": (900, 500), **more.pop("briar", {})}
    match = begun(*rolls, ash=ash, briar=briar, **more)
    match.play(0, Stay())
    return match


def table(match: Match) -> Duel:
    assert isinstance(match.state, Duel)
    return match.state


def briar(match: Match) -> Duellist:
    return table(match).duellists[1]


def asked(match: Match) -> list[tuple[str, int]]:
    return [(type(d).__name__, d.side) for d in match.waiting]


def refused(match: Match, side: int, action: Any) -> tuple[str, Any]:
    with pytest.raises(Refused) as error:
        match.play(side, action)
    return error.value.refusal.clause, error.value.refusal.nearest


@pytest.mark.clause("DU-BID-01")
def test_every_stake_is_offered_by_its_size() -> None:
    match = duel(ash={"breath": 2})
    (bid, _other) = match.waiting
    offers = offered(bid).offers(match.view(0))
    assert [offer.words for offer in offers] == ["Stake nothing", "Stake 1", "Stake 2"]
    assert [offer.action for offer in offers] == [Stake(0), Stake(1), Stake(2)]


@pytest.mark.clause("DU-BID-01")
def test_both_stake_before_the_first_round_as_far_as_their_breath_goes() -> None:
    match = duel(briar={"breath": 2})
    assert asked(match) == [("Bid", 0), ("Bid", 1)]
    stakes = [list(d.options(match.view(d.side))) for d in match.waiting]
    assert stakes == [[Stake(0), Stake(1), Stake(2), Stake(3)], [Stake(0), Stake(1), Stake(2)]]
    assert refused(match, 1, Stake(3)) == ("DU-BID-01", Stake(0))


@pytest.mark.clause("DU-BID-02", "DU-BID-03")
@pytest.mark.parametrize(("stakes", "first"), [((2, 1), 0), ((1, 3), 1)])
def test_the_stakes_are_spent_and_the_higher_has_every_first_turn(stakes: tuple[int, int], first: int) -> None:
    match = duel()
    match.play(1, Stake(stakes[1]))
    assert table(match).duellists[1].breath == 4
    match.play(0, Stake(stakes[0]))
    assert [d.breath for d in table(match).duellists] == [4 - stakes[0], 4 - stakes[1]]
    for side in (first, 1 - first, first, 1 - first):
        assert asked(match) == [("Move", side)]
        match.play(side, Stay())


@pytest.mark.clause("DU-BID-04")
@pytest.mark.house("bid.tie", "die")
@pytest.mark.parametrize(("face", "first"), [(1, 0), (3, 0), (4, 1), (6, 1)])
def test_a_die_breaks_a_tie(face: int, first: int) -> None:
    match = duel((face,))
    match.play(0, Stake(2))
    match.play(1, Stake(2))
    assert asked(match) == [("Move", first)]


@pytest.mark.clause("DU-BID-05")
@pytest.mark.house("bid.tie", "first-side")
def test_by_house_rule_the_first_side_wins_ties_without_a_die() -> None:
    match = duel(rules={"bid.tie": "first-side"})
    match.play(0, Stake(0))
    match.play(1, Stake(0))
    assert asked(match) == [("Move", 0)]


@pytest.mark.clause("DU-TURN-01")
def test_a_round_is_one_turn_of_each_side() -> None:
    match = begun()
    seen = []
    for _ in range(4):
        seen.append((table(match).round, table(match).active))
        match.play(table(match).active, Stay())
    assert seen == [(1, 0), (1, 1), (2, 0), (2, 1)]


@pytest.mark.clause("DU-TURN-02")
def test_a_turn_is_a_walk_and_then_a_strike() -> None:
    match = close()
    assert asked(match) == [("StrikeOrHold", 0)]
    match.play(0, HoldBack())
    assert asked(match) == [("Move", 1)]
    match.play(1, Walk(((1300, 500),)))
    assert asked(match) == [("Move", 0)]


@pytest.mark.clause("DU-MOVE-01")
@pytest.mark.parametrize(
    ("path", "legal"),
    [
        (((600, 500),), True),
        (((599, 500),), False),
        (((1200, 200), (1000, 200), (900, 200)), True),
        (((1200, 200), (1000, 200), (899, 200)), False),
    ],
)
def test_a_walk_is_six_centimetres_along_its_legs(path: tuple[Point, ...], legal: bool) -> None:
    match = duel(briar={"traits": ()})
    ways = Move(side=1).options(table(match))
    assert (Walk(path) in ways) == legal
    if not legal:
        refusal = ways.refusal(Walk(path))
        assert refusal is not None
        assert refusal.clause == "DU-MOVE-01"
        assert refusal.values == {"length": 601, "limit": 600}
        assert refusal.nearest == Walk((*path[:-1], (path[-1][0] + 1, path[-1][1])))


@pytest.mark.clause("DU-MOVE-02")
def test_every_leg_leads_somewhere_else() -> None:
    match = begun()
    assert refused(match, 0, Walk(())) == ("DU-MOVE-02", Stay())
    state = match.state
    assert isinstance(state, Duel)
    empty = Ways(state, 0).fault(())
    assert empty is not None
    assert "same place" not in empty.message, "it has no corners at all"
    assert refused(match, 0, Walk(((400, 600), (400, 600)))) == ("DU-MOVE-02", Walk(((400, 600),)))


@pytest.mark.clause("DU-MOVE-03")
def test_the_base_stays_on_the_table() -> None:
    match = begun()
    assert Walk(((100, 500),)) in Move(side=0).options(table(match))
    assert refused(match, 0, Walk(((400, 99),))) == ("DU-MOVE-03", Walk(((400, 100),)))


@pytest.mark.clause("DU-MOVE-04")
def test_nobody_walks_over_the_other() -> None:
    match = begun(ash={"at": (800, 500)})
    ways = Move(side=0).options(table(match))
    assert Walk(((1000, 500),)) in ways
    clause, nearest = refused(match, 0, Walk(((1400, 500),)))
    assert clause == "DU-MOVE-04"
    assert nearest == Walk(((1000, 500),))
    assert Walk(((1000, 300), (1400, 300))) in ways


@pytest.mark.clause("DU-MOVE-05")
def test_the_light_footed_walk_eight_centimetres() -> None:
    match = begun()
    assert Walk(((400, 900), (800, 900))) in Move(side=0).options(table(match))
    assert Walk(((1200, 900), (800, 900))) not in Move(side=1).options(table(match))


@pytest.mark.clause("DU-STRIKE-01")
@pytest.mark.parametrize(("gap", "reached"), [(200, True), (201, False)])
def test_a_strike_reaches_two_centimetres_from_edge_to_edge(gap: int, reached: bool) -> None:
    match = begun(ash={"at": (500, 500)}, briar={"at": (700 + gap, 500)})
    match.play(0, Stay())
    assert asked(match) == [("StrikeOrHold", 0) if reached else ("Move", 1)]


@pytest.mark.clause("DU-STRIKE-02", "DU-STRIKE-04", "DU-PARRY-02")
@pytest.mark.parametrize(
    ("answer", "face", "wounds"), [(TakeIt(), 3, 3), (TakeIt(), 4, 2), (Parry(), 5, 3), (Parry(), 6, 2)]
)
def test_a_strike_hits_on_four_or_more_and_a_parried_one_on_six(answer: Any, face: int, wounds: int) -> None:
    match = close((face,))
    match.play(0, Thrust())
    match.play(1, answer)
    assert briar(match).wounds == wounds


@pytest.mark.clause("DU-STRIKE-03")
def test_sharp_blades_hit_on_three() -> None:
    for edition, wounds in (("current", 3), ("sharp", 2)):
        match = close((3,), edition=edition)
        match.play(0, Thrust())
        match.play(1, TakeIt())
        assert briar(match).wounds == wounds


@pytest.mark.clause("DU-STRIKE-05")
@pytest.mark.parametrize(("breath", "wounds"), [(2, 3), (1, 2)])
def test_a_steady_hand_without_breath_hits_on_three(breath: int, wounds: int) -> None:
    match = close((3,), ash={"traits": ("steady-handed",), "breath": breath})
    match.play(0, Thrust())
    match.play(1, TakeIt())
    assert briar(match).wounds == wounds


@pytest.mark.clause("DU-PARRY-01")
@pytest.mark.house("parry.price", 0, 1, 2, 3)
def test_a_parry_costs_what_the_house_rule_says_whatever_the_die_says() -> None:
    for price in (0, 1, 2, 3):
        match = close((6,), rules={"parry.price": price})
        match.play(0, Thrust())
        assert asked(match) == [("ParryOrNot", 1)]
        match.play(1, Parry())
        assert briar(match).breath == 4 - price
        assert briar(match).wounds == 2


@pytest.mark.clause("DU-PARRY-03")
def test_who_lacks_the_breath_is_not_asked() -> None:
    match = close((4,), briar={"breath": 1}, rules={"parry.price": 2})
    match.play(0, Thrust())
    assert asked(match) == [("Move", 1)]
    assert briar(match).wounds == 2


@pytest.mark.clause("DU-WIND-01")
@pytest.mark.parametrize(("face", "breath"), [(4, 0), (5, 1)])
def test_the_last_wound_may_bring_a_second_wind(face: int, breath: int) -> None:
    match = close((6,), (face,), briar={"breath": 0, "wounds": 2})
    match.play(0, Thrust())
    assert (briar(match).wounds, briar(match).breath) == (1, breath)


@pytest.mark.clause("DU-WIND-01")
def test_no_other_wound_brings_a_second_wind() -> None:
    match = close((6,), briar={"breath": 0, "wounds": 3})
    match.play(0, Thrust())
    assert briar(match).wounds == 2
    assert match.over is None


@pytest.mark.clause("DU-END-01")
def test_a_duellist_without_wounds_is_down() -> None:
    match = close((6,), briar={"breath": 0, "wounds": 1})
    match.play(0, Thrust())
    assert match.over is not None
    assert (match.over.winner, match.over.reason, match.over.points) == (0, "Briar is down", (3, 0))
    assert not match.waiting


@pytest.mark.clause("DU-END-02", "DU-END-03")
@pytest.mark.parametrize(("wounds", "winner"), [((3, 2), 0), ((1, 2), 1), ((2, 2), None)])
def test_after_the_last_round_the_less_wounded_wins(wounds: tuple[int, int], winner: int | None) -> None:
    match = begun(rounds=2, ash={"wounds": wounds[0]}, briar={"wounds": wounds[1]})
    for side in (0, 1, 0):
        match.play(side, Stay())
        assert match.over is None
    match.play(1, Stay())
    assert match.over is not None
    assert (match.over.winner, match.over.points) == (winner, wounds)


def test_a_drag_becomes_a_walk_with_what_is_left_of_the_distance() -> None:
    match = begun()
    move = Move(side=0)
    proposal = move.propose(table(match), Wish(unit=0, to=(400, 700)))
    assert proposal.action == Walk(((400, 700),))
    assert (proposal.length, proposal.left) == (200, 600)
    assert proposal.paths == {0: ((400, 500), (400, 700))}
    far = move.propose(table(match), Wish(unit=0, waypoints=((400, 900),), to=(1400, 900)))
    assert far.action is None
    assert far.refusal is not None
    assert far.refusal.nearest == Walk(((400, 900), (800, 900)))
    assert far.left == 0


def test_a_sampled_walk_is_legal_and_reaches_every_side() -> None:
    ways, dice = Move(side=0).options(table(begun())), Seeded(1)
    ends = [a.path[-1] for a in (ways.sample(dice) for _ in range(200)) if isinstance(a, Walk)]
    assert len(ends) > 190
    assert all(Walk((end,)) in ways for end in ends)
    assert {(x > 400, y > 500) for x, y in ends} == {(a, b) for a in (True, False) for b in (True, False)}


def test_who_cannot_walk_anywhere_may_stay() -> None:
    match = begun()
    state = table(match).clone()
    state.width, state.height = 200, 200
    state.change(0, at=(100, 100))
    ways = Move(side=0).options(state)
    assert list(ways) == [Stay()]
    assert not ways.several()
    assert ways.sample(Seeded(1)) == Stay()


def test_the_picture_says_whose_go_it_is_and_what_a_strike_needs() -> None:
    match = close()
    picture = match.ruleset.depict(match.view(0), 0)
    assert picture.stage.words == "Ash: Strike? It hits on 4 or more"
    assert picture.stage.steps[picture.stage.now] == "Strike"
    assert [(group.name, group.walk) for group in picture.groups] == [("Ash", 8 * CM), ("Briar", 6 * CM)]
    assert StrikeOrHold(side=0).prompt(table(match)) == "Strike? It hits on 4 or more"


@pytest.mark.parametrize(
    ("scenario", "armies", "words"),
    [("crosroads", (), "did you mean 'crossroads'"), ("bridge", ("a", "b"), "there is no army list 'a' of duel")],
)
def test_a_scenario_that_does_not_exist_is_refused(scenario: str, armies: tuple[str, ...], words: str) -> None:
    result = ruleset("duel")
    with pytest.raises(ValueError, match=words):
        result.setup(result.book(), scenario, armies)


def test_every_clause_of_the_page_has_its_place_in_the_code() -> None:
    import re
    from pathlib import Path

    page = (Path(__file__).parents[3] / "docs/rules/duel.md").read_text()
    written = set(re.findall(r"^\| (DU-[A-Z]+-\d+) \|", page, re.MULTILINE))
    marked = {clause for m in MARKS.values() if "rules.duel" in m.id for clause in m.clauses}
    assert written == marked


def in_the_marsh(edge: int = 0) -> Match:
    """Return a duel in which Ash is *edge* before the mud, whose left edge is at 5 cm, and may walk."""
    result = ruleset("duel")
    state = result.setup(result.book(), "marsh")
    assert isinstance(state, Duel)
    state.change(0, at=(5 * CM - edge, 6 * CM))
    match = Match(result, state, Scripted())
    match.play(0, Stake(1))
    match.play(1, Stake(0))
    return match


@pytest.mark.clause("DU-MOVE-06")
def test_a_centimetre_in_mud_counts_as_two() -> None:
    match = in_the_marsh(2 * CM)
    assert refused(match, 0, Walk(((7 * CM + 1, 6 * CM),))) == ("DU-MOVE-01", Walk(((7 * CM, 6 * CM),)))
    proposal = offered(match.waiting[0]).propose(match.view(0), Wish(unit=0, to=(6 * CM, 6 * CM)))
    assert (proposal.length, proposal.left) == (4 * CM, 2 * CM)
    picked = offered(match.waiting[0]).pick_up(match.view(0), 0)
    assert picked is not None
    assert [(slow.circle, slow.factor) for slow in picked.slow] == [((8 * CM, 6 * CM, 3 * CM), 2)]
    match.play(0, Walk(((7 * CM, 6 * CM),)))
    assert table(match).duellists[0].at == (7 * CM, 6 * CM)


def test_mud_is_seen() -> None:
    match = in_the_marsh()
    (mud,) = match.ruleset.depict(match.view(0), 0).grounds
    assert (mud.kind, mud.name, mud.words) == ("mud", "Mud 1", "Mud: a centimetre in it counts as two")
