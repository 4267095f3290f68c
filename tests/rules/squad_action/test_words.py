"""Offers and words of the decisions of a firefight."""

from __future__ import annotations

from typing import cast

import pytest

import caltrop
from caltrop.asking import Wish, offered
from caltrop.engine import Term
from caltrop.geometry import INCH
from caltrop.rules.squad_action.activation import NextAct
from caltrop.rules.squad_action.casualties import Fall, Lost, MoraleChecked, WhoFalls, destroy, lose
from caltrop.rules.squad_action.covers import PutPiece
from caltrop.rules.squad_action.movement import Move, Moved
from caltrop.rules.squad_action.orders import Begin, Orders
from caltrop.rules.squad_action.overwatch import Interrupt, LeftOver, React, Spring, UseTokens
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.scene import at, machine, run, scene, squad
from caltrop.rules.squad_action.setup import Deploy, DeployUnit, why_not_so
from caltrop.rules.squad_action.shelling import CallFire
from tests.rules.squad_action.played import now as present


@pytest.mark.clause("SQ-ORG-37", "SQ-S31")
def test_where_a_move_token_leads_is_pointed_out_on_the_table() -> None:
    t = scene(squad(0, "regular", 10, 10, 3), squad(1, "regular", 30, 30, 3), tokens={0: ("move",)})
    match = run(t, LeftOver(side=0))
    match.play(0, Spring(0, "move"))
    decision = match.waiting[0]
    assert isinstance(decision, React)
    now = cast("Firefight", match.view(0))
    assert [(r.form, r.unit) for r in decision.regions(now)] == [("move", 0)]
    assert decision.pick_up(now, 1) is None
    proposal = decision.propose(now, Wish(unit=0, to=at(13, 12)))
    assert isinstance(proposal.action, Move)
    assert proposal.action in decision.options(now)
    assert decision.propose(now, Wish(unit=1, to=at(30, 28))).action is None
    match.play(0, proposal.action)
    assert present(match).models[1].at == at(13, 12)


@pytest.mark.clause("SQ-ORG-37")
def test_where_a_fire_token_shoots_is_no_open_choice() -> None:
    t = scene(squad(0, "regular", 10, 10, 3), squad(1, "regular", 10, 20, 3), tokens={0: ("fire",)})
    match = run(t, LeftOver(side=0))
    match.play(0, Spring(0, "fire"))
    decision = match.waiting[0]
    now = cast("Firefight", match.view(0))
    assert offered(decision).regions(now) == []
    assert offered(decision).propose(now, Wish(unit=0, to=at(13, 12))).action is None
    assert [o.words for o in offered(decision).offers(now)] == ["Shoot at North 1: 3 rifles", "Do nothing after all"]


@pytest.mark.clause("SQ-ORG-03")
def test_an_order_says_what_is_done_first_apart_from_what_follows() -> None:
    t = scene(squad(0, "regular", 10, 10, 3), squad(1, "regular", 10, 20, 3))
    now = present(run(t, LeftOver(side=0)))
    decision = Orders(side=0)
    shots = [o for o in decision.offers(now) if o.words.startswith("Shoot")]
    assert {o.first for o in shots} == {"Shoot at North 1: 3 rifles"}
    assert all(o.words.startswith(f"{o.first}, then ") for o in shots)
    assert {r.first for r in decision.regions(now) if r.act.startswith("move")} == {"Move"}
    watch = [o for o in decision.offers(now) if o.words == "Go on overwatch"]
    assert [o.first for o in watch] == [""], "nothing follows it"


@pytest.mark.clause("SQ-S31")
def test_a_token_is_told_with_its_moment_also_where_it_was_not_among_those_offered() -> None:
    paths = tuple((m, (at(10 + m, 10), at(14 + m, 10))) for m in range(3))
    t = scene(squad(0, "regular", 10, 10, 3), squad(1, "regular", 10, 20, 3), tokens={1: ("fire",)})
    decision = Interrupt(side=1, actor=0, paths=paths, start=0, chances=((1, 0),))
    words = decision.told(t, Spring(1, "fire", 254))
    assert words.words == "North 1: use a Fire token after 1 inch"
    assert words.spot == at(11, 10)
    assert decision.told(t, Spring(1, "fire", 0)).words == "North 1: use a Fire token at once"


@pytest.mark.clause("SQ-SHO-05")
def test_who_falls_is_told_by_weapon_and_shown_at_the_model_that_is_chosen() -> None:
    t = scene(squad(0, "regular", 10, 10, 4, weapons=("rpg",)), squad(1, "regular", 10, 20, 3))
    decision = WhoFalls(side=0, unit=0, among=(0, 1, 2, 3), lost=2)
    offers = decision.offers(t)
    shown = [o.spot for o in offers if o.spot]
    assert len(set(shown)) == len(shown) == 3, "the simple ways are each shown at another model"
    assert len(offers) == 6, "the others are in the list alone"
    assert any(o.words == "1 with an RPG, 1 with a rifle, 1st and 2nd from the west" for o in offers)
    assert decision.told(t, Fall((0, 3))).words == "1 with an RPG, 1 with a rifle"
    usual = decision.usual(t)
    assert usual is not None
    assert (usual.action, usual.words, usual.ready) == (decision.options(t).first(), "Remove 2 with a rifle", True)
    assert decision.usual(t, 0) == usual
    assert decision.usual(t, 1) is None


@pytest.mark.clause("SQ-S70")
def test_what_is_placed_is_told_by_its_name() -> None:
    match = caltrop.new("squad-action", scenario="meeting-engagement", seed=4)
    words = set()
    while not isinstance(match.waiting[0], Orders):
        decision = match.waiting[0]
        now = cast("Firefight", match.view(decision.side))
        action = decision.options(now).first()
        if isinstance(action, PutPiece | Deploy):
            words.add(offered(decision).told(now, action).words)
        if isinstance(decision, DeployUnit):
            assert len({o.words for o in decision.offers(now)}) == len(decision.offers(now))
        match.play(decision.side, action)
    assert "Place a hedge" in words
    assert {"Place South Command", "Place North Command", "Place Talons"} <= words


@pytest.mark.clause("SQ-S70")
def test_a_first_battle_opens_with_everything_deployed() -> None:
    match = caltrop.new("squad-action", scenario="first-battle", seed=4)
    t = present(match)
    assert {u.where for u in t.units} == {"table"}
    for u in t.units:
        models = [at for m in u.models if (at := t.models[m].at) is not None]
        assert why_not_so(t, u.id, models, None, t.field.areas[u.side]) is None, "it stands as it may be placed"
    asked = [type(match.waiting[0]).__name__]
    while asked[-1] != "Orders":
        match.play(match.waiting[0].side, match.waiting[0].options(match.state).first())
        asked.append(type(match.waiting[0]).__name__)
    assert asked == ["WhoIsFirst", "Orders"]


@pytest.mark.clause("SQ-S60", "SQ-S61")
def test_units_of_one_name_on_both_sides_are_told_apart() -> None:
    match = caltrop.new("squad-action", scenario="first-battle", seed=4)
    names = [u.name for u in present(match).units]
    assert len(set(names)) == len(names)
    assert {"South Command", "North Command"} <= set(names)


@pytest.mark.clause("SQ-ORG-03", "SQ-FMI-01", "SQ-ORG-48")
def test_every_open_choice_of_an_order_is_answered_by_its_own_act() -> None:
    t = scene(
        squad(0, "regular", 10, 10, 3, spotter=True, weapons=("light-mortar",)),
        squad(0, "regular", 30, 10, 3, where="aboard", carrier=2),
        machine(0, "apc", 30, 10),
        squad(1, "regular", 10, 13, 3),
        smoke=[2, 0],
    )
    now = present(run(t, LeftOver(side=0)))
    decision = Orders(side=0)
    met = set()
    for region in decision.regions(now):
        to = {"smoke": at(12, 11), "mission": at(10, 24), "alight": at(30, 12)}.get(region.act.partition("+")[0])
        proposal = decision.propose(now, Wish(unit=region.unit, act=region.act, to=to or at(10, 12)))
        assert proposal.refusal is None or proposal.refusal.code != "nothing-to-drag", region.act
        if proposal.action is not None:
            assert proposal.action in decision.options(now)
            first, *then = region.act.split("+")
            assert list(proposal.action.then) == then
            met.add(first)
    assert {"move", "smoke", "mission", "alight", "assault"} <= met


@pytest.mark.clause("SQ-SHO-05")
def test_how_many_are_left_is_told_as_it_was_then() -> None:
    t = scene(squad(0, "regular", 10, 10, 3), squad(1, "regular", 10, 20, 3))
    t.told = []
    lose(t, 0, t.units[0].models[:1])
    words = t.told[-1]
    assert isinstance(words, Lost)
    destroy(t, 0, "breaks")
    assert words.sentence(t) == "South 0 loses 1: 2 are left"


@pytest.mark.clause("SQ-S17")
def test_a_drag_that_ends_on_somebody_is_refused_towards_a_way_that_stops_short() -> None:
    t = scene(squad(0, "regular", 10, 10, 3), squad(0, "regular", 11, 12, 7, rank=2), squad(1, "regular", 40, 40, 3))
    now = present(run(t, LeftOver(side=0)))
    decision = Orders(side=0)
    proposal = decision.propose(now, Wish(unit=0, act="move+shoot", to=at(12, 12)))
    assert proposal.refusal is not None
    near = proposal.refusal.nearest
    assert near in decision.options(now)
    assert (near.unit, near.then) == (0, ("shoot",))


@pytest.mark.clause("SQ-ACT-01", "SQ-S33")
@pytest.mark.parametrize(("name", "words"), [("Rangers", "Rangers move 4 inches, and are stopped there"),
                                             ("Command", "Command moves 4 inches, and is stopped there")])  # fmt: skip
def test_a_stopped_move_agrees_with_the_name_of_the_unit(name: str, words: str) -> None:
    t = scene(squad(0, "regular", 10, 10, 3, name=name))
    assert Moved(0, 4 * INCH, "moves", True).sentence(t) == words


@pytest.mark.clause("SQ-Q60")
def test_only_a_unit_of_which_no_model_moved_is_stopped_before_it_moves() -> None:
    """A Move is as long as that of a model in the middle, so it has no length if only others moved."""
    t = scene(squad(0, "regular", 10, 10, 3, name="Command"))
    moved, stayed = Moved(0, 0, "moves", True), Moved(0, 0, "moves", True, stays=True)
    assert [one.sentence(t) for one in (moved, stayed)] == [
        "Command moves 0 inches, and is stopped there",
        "Command is stopped before it moves",
    ]
    assert [one.motion(t) is None for one in (moved, stayed)] == [False, True]


@pytest.mark.clause("SQ-Q06", "SQ-SHO-07")
@pytest.mark.house("leadership_die", "d6_over", "2d6_under")
@pytest.mark.parametrize(
    ("rules", "faces", "words"),
    [({}, (4,), "4 -1, morale 3+"), ({"leadership_die": "2d6_under"}, (4, 4), "4 4, leadership 8 -1")],
)
def test_what_modifies_a_check_stands_by_what_it_modifies(
    rules: dict[str, str], faces: tuple[int, ...], words: str
) -> None:
    """With two dice 4 and 4 fail against 8 less 1; `4 4 -1, leadership 8` would be a pass."""
    t = scene(squad(0, "regular", 10, 10, 3), rules=rules)
    parts = (Term(-1, "SQ-SHO-07", "Casualties"),)
    event = MoraleChecked(0, faces, parts, 3, len(faces) == 1, "pinning check", "SQ-SHO-06")
    verb = "passes" if len(faces) == 1 else "fails"
    assert event.sentence(t) == f"South 0 {verb} the pinning check: {words}"


@pytest.mark.clause("SQ-ORG-37", "SQ-Q01")
@pytest.mark.house("activation", "side", "alternate", "random_draw")
@pytest.mark.parametrize(
    ("activation", "whose"), [("side", "The enemy's"), ("alternate", "The"), ("random_draw", "The")]
)
def test_whose_turn_ends_is_said_as_the_sides_take_turns(activation: str, whose: str) -> None:
    t = scene(squad(0, "regular", 10, 10, 3), rules={"activation": activation})
    assert UseTokens(side=0).prompt(t) == f"{whose} turn ends: use a token that is left?"


@pytest.mark.clause("SQ-S31", "SQ-Q49")
def test_names_and_kinds_of_action_are_listed_with_commas() -> None:
    t = scene(squad(0, "regular", 10, 10, 3), *[squad(1, "regular", 10 * n, 20, 3) for n in range(1, 4)])
    asked = Interrupt(side=1, actor=0, paths=(), start=0, chances=((1, 0), (2, 0), (3, 0)))
    assert asked.prompt(t) == "South 0 acts in sight of North 1, North 2 and North 3: interrupt?"
    after = NextAct(side=0, unit=0, kinds=("move", "shoot", "rally"))
    assert after.prompt(t) == "South 0, next: move, shoot or rally"


@pytest.mark.clause("SQ-Q62")
def test_who_fires_its_own_mortar_is_not_offered_to_shoot_after_it() -> None:
    mortar = squad(0, "militia", 10, 10, 3, weapons=["light-mortar"])
    t = scene(mortar, squad(0, "regular", 14, 10, 2, spotter=True), squad(1, "regular", 12, 30, 3))
    offers = [o.action for o in Orders(side=0).offers(t) if isinstance(o.action, Begin)]
    fires = [a for a in offers if isinstance(a.act, CallFire) and a.act.mortar == 0]
    assert {a.unit for a in fires} == {0, 1}
    assert not [a for a in fires if a.unit == 0 and "shoot" in a.then]
    assert [a for a in fires if a.unit == 1 and "shoot" in a.then], "another may call, and shoot"
