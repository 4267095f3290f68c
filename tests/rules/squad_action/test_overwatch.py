"""Overwatch: face-down tokens, reacting units, and the exact moment of the reaction."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.asking import Wish, offered
from caltrop.chance import Seeded
from caltrop.engine import FaceDown, redacted, stored
from caltrop.geometry import INCH, heading_of
from caltrop.rules.squad_action.acts import Paths
from caltrop.rules.squad_action.casualties import pin
from caltrop.rules.squad_action.movement import Move, UnderWay
from caltrop.rules.squad_action.overwatch import (
    Interrupt,
    Interruptions,
    KeepTokens,
    LeftOver,
    LetPass,
    Spring,
    UseTokens,
)
from caltrop.rules.squad_action.places import unit_sees
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.scene import at, block, done, machine, run, scene, squad
from caltrop.rules.squad_action.shooting import Shoot
from caltrop.rules.squad_action.tokens import GoOnOverwatch, Lay, LayTokens, Watch, guess_tokens
from caltrop.rules.squad_action.turn import Activation
from caltrop.rules.squad_action.watched import watched as told
from caltrop.rules.squad_action.watching import (
    chances_to_break_in,
    length_of,
    lose_overwatch,
    may_watch,
    put_at,
    tokens_of,
)
from tests.rules.squad_action.played import KindOf, now

MOVER, WATCHER = 0, 1


def watched(*more: Any, tokens: tuple[str, ...] = ("fire", "move"), terrain: Any = (), **fields: Any) -> Firefight:
    """Return a squad of side 0, and one of side 1 on overwatch 20 inches to the north."""
    return scene(
        squad(0, "regular", 10, 10, 3),
        squad(1, "regular", 10, 30, 3),
        *more,
        tokens={WATCHER: tokens},
        terrain=terrain,
        **fields,
    )


def way(t: Firefight, dx: int, dy: int = 0, unit: int = MOVER) -> Paths:
    """Return a unit's way straight to a side, in inches."""
    paths = []
    for m in t.units[unit].models:
        x, y = t.models[m].at or (0, 0)
        paths.append((m, ((x, y), (x + dx * INCH, y + dy * INCH))))
    return tuple(paths)


# --- going on overwatch -----------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ACT-03", "SQ-ORG-33", "SQ-ORG-34", "SQ-ORG-35", "SQ-S30", "SQ-W46")
@pytest.mark.house("actions_per_activation", 2, 1, 3)
def test_as_many_tokens_as_actions_are_left() -> None:
    alone, after_a_move = (scene(squad(0, "regular", 10, 10, acted=begun)) for begun in (1, 2))
    assert (tokens_of(alone, 0), tokens_of(after_a_move, 0)) == (2, 1)
    assert tokens_of(scene(squad(0, "regular", 10, 10, acted=1), rules={"actions_per_activation": 3}), 0) == 3
    assert tokens_of(scene(squad(0, "regular", 10, 10, acted=1), rules={"actions_per_activation": 1}), 0) == 1
    match = run(alone, GoOnOverwatch(unit=0))
    (decision,) = match.waiting
    assert isinstance(decision, LayTokens)
    assert {a.faces for a in decision.options(now(match))} == {("fire", "fire"), ("fire", "move"), ("move", "move")}
    match.play(0, Lay(0, ("fire", "move")))
    after = done(match)
    assert after.tokens == {0: FaceDown(0, ("fire", "move"))}
    assert after.units[0].watching > 0
    assert after.units[0].acted == 2, "it ends what the unit does"


@pytest.mark.clause("SQ-ORG-33", "SQ-ORG-35", "SQ-S30", "SQ-W46")
@pytest.mark.parametrize(("moves", "count"), [(False, 2), (True, 1)])
def test_a_unit_lays_as_many_tokens_as_it_has_actions_left_in_its_turn(moves: bool, count: int) -> None:
    t = scene(squad(0, "regular", 10, 10, 3), squad(1, "regular", 10, 30, 3))
    acts = (Move(0, way(t, 0, -2)), Watch(0)) if moves else (Watch(0),)
    match = run(t, Activation(unit=0, first=acts[0], then=tuple(a.kind for a in acts[1:]), told=True))
    while not isinstance(match.waiting[0], LayTokens):
        decision = match.waiting[0]
        watch = [a for a in decision.options(match.state) if isinstance(a, Watch)]
        match.play(decision.side, watch[0] if watch else decision.options(match.state).first())
    assert match.waiting[0].count == count
    assert all(o.words for o in match.waiting[0].offers(now(match)))


@pytest.mark.clause("SQ-Q17")
@pytest.mark.house("overwatch", "tokens", "single")
def test_one_marker_is_one_shot() -> None:
    many = scene(squad(0, "regular", 10, 10, acted=1))
    assert tokens_of(many, 0) == 2
    assert Lay(0, ("fire", "move")) in run(many, GoOnOverwatch(unit=0)).waiting[0].options(many)
    t = scene(squad(0, "regular", 10, 10, acted=1), rules={"overwatch": "single"})
    assert tokens_of(t, 0) == 1
    match = run(t, GoOnOverwatch(unit=0))
    options = match.waiting[0].options(match.state)
    assert [a.faces for a in options] == [("fire",)]
    refused = options.refusal(Lay(0, ("move",)))
    assert refused is not None
    assert refused.code == "only-fire"
    # The only answer is given at once; several are not.
    usual = offered(match.waiting[0]).usual(match.state)
    assert usual is not None
    assert (usual.action, usual.said) == (Lay(0, ("fire",)), True)
    two = run(many, GoOnOverwatch(unit=0))
    assert offered(two.waiting[0]).usual(two.state) is None


@pytest.mark.clause("SQ-S30", "SQ-ORG-38", "SQ-ORG-41", "SQ-W48")
def test_who_goes_on_overwatch_and_who_loses_it() -> None:
    t = scene(
        squad(0, "regular", 10, 10, pinned=True), machine(0, "apc", 20, 20), squad(0, "regular", 5, 5, where="reserve")
    )
    codes = [getattr(KindOf("overwatch").refusal(t, Watch(u), False), "code", None) for u in range(3)]
    assert codes == ["pinned", None, "not-on-table"], "vehicles may"
    on = watched()
    pin(on, WATCHER)
    assert on.tokens == {}
    assert on.units[WATCHER].watching == 0
    again = watched()
    lose_overwatch(again, WATCHER)
    assert again.tokens == {}


@pytest.mark.clause("SQ-ORG-34")
def test_the_other_side_knows_how_many_tokens_there_are_and_not_which() -> None:
    one, other = watched(tokens=("fire", "move")), watched(tokens=("move", "move"))
    assert stored(redacted(one, 0)) == stored(redacted(other, 0))
    assert stored(redacted(one, None)) == stored(redacted(other, None))
    assert stored(redacted(one, 1)) != stored(redacted(other, 1))
    assert LayTokens.secret, "what was chosen is not told"


def test_tokens_that_are_not_seen_are_guessed_and_what_is_seen_stays() -> None:
    t = watched(tokens=("fire", "move"))
    guessed = set()
    for seed in range(40):
        whole = guess_tokens(redacted(t, 0), 0, Seeded(seed))
        guessed.add(whole.tokens[WATCHER].faces)
        assert stored(redacted(whole, 0)) == stored(redacted(t, 0))
    assert guessed == {("fire", "fire"), ("fire", "move"), ("move", "move")}
    assert guess_tokens(t, 1, Seeded(1)) is t
    one = watched(tokens=("fire",), rules={"overwatch": "single"})
    assert guess_tokens(redacted(one, 0), 0, Seeded(1)).tokens == one.tokens


# --- who may break in, and when ---------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S31", "SQ-ORG-36")
def test_who_may_break_in() -> None:
    t = watched(squad(1, "regular", 20, 30, 3))
    assert may_watch(t, WATCHER, MOVER, 0)
    assert not may_watch(t, 2, MOVER, 0), "without tokens"
    assert not may_watch(t, WATCHER, 2, 0), "a friend"
    t.change(WATCHER, pinned=True)
    assert not may_watch(t, WATCHER, MOVER, 0)
    t.change(WATCHER, pinned=False, where="aboard")
    assert not may_watch(t, WATCHER, MOVER, 0)


@pytest.mark.clause("SQ-ORG-40", "SQ-S34", "SQ-ORG-39")
def test_only_an_overwatch_set_earlier_breaks_into_overwatch() -> None:
    t = watched()
    mine = t.units[WATCHER].watching
    assert may_watch(t, WATCHER, MOVER, mine + 1)
    assert not may_watch(t, WATCHER, MOVER, mine), "not one set at the same time"
    assert not may_watch(t, WATCHER, MOVER, mine - 1) or mine == 1


@pytest.mark.clause("SQ-S31", "SQ-Q59")
def test_the_first_moment_is_exact() -> None:
    wall = block("shed", "building", 8, 19, 16, 21)
    t = watched(terrain=[wall])
    paths = way(t, 12)
    assert not unit_sees(t, WATCHER, MOVER)
    ((watcher, moment),) = chances_to_break_in(t, MOVER, paths, 0, 0, ())
    assert watcher == WATCHER
    twin = t.clone()
    seen = []
    for m in range(max(moment - 40, 0), moment + 1):
        put_at(twin, MOVER, paths, m)
        if unit_sees(twin, WATCHER, MOVER):
            seen.append(m)
    assert seen == [moment], "and not a tenth of a millimetre before"
    assert chances_to_break_in(t, MOVER, way(t, 1), 0, 0, ()) == (), "never seen on a short way"


@pytest.mark.clause("SQ-S31")
def test_one_token_of_a_unit_for_each_act() -> None:
    t = watched()
    assert chances_to_break_in(t, MOVER, (), 0, 0, (WATCHER,)) == ()
    assert chances_to_break_in(t, MOVER, (), 0, 0, ()) == ((WATCHER, 0),)


@pytest.mark.clause("SQ-S31", "SQ-Q59", "SQ-ORG-36", "SQ-ORG-34")
def test_which_moments_may_be_named() -> None:
    wall = block("shed", "building", 8, 19, 16, 21)
    t = watched(terrain=[wall])
    paths = way(t, 12)
    match = run(t, Interruptions(actor=MOVER, paths=paths))
    (decision,) = match.waiting
    assert isinstance(decision, Interrupt)
    earliest = decision.chances[0][1]
    options = decision.options(match.view(1))
    assert Spring(WATCHER, "fire", earliest) in options
    assert Spring(WATCHER, "move", length_of(paths)) in options
    for action, code in (
        (Spring(WATCHER, "fire", earliest - 1), "too-soon"),
        (Spring(WATCHER, "fire", length_of(paths) + 1), "too-late"),
        (Spring(WATCHER, "smoke", earliest), "no-token"),
        (Spring(MOVER, "fire", earliest), "not-a-watcher"),
    ):
        refused = options.refusal(action)
        assert refused is not None
        assert refused.code == code
        assert refused.nearest in options
    match.play(1, LetPass())
    assert not match.waiting


@pytest.mark.clause("SQ-Q59", "SQ-S33")
def test_models_go_along_their_paths_in_step() -> None:
    t = scene(squad(0, "regular", 10, 10, 2), squad(1, "regular", 10, 40, 1))
    a, b = (t.models[m].at for m in (0, 1))
    assert a is not None
    assert b is not None
    paths = ((0, (a, (a[0], a[1] + 1000))), (1, (b, (b[0], b[1] + 500))))
    put_at(t, 0, paths, 500)
    assert t.models[0].at == (a[0], a[1] + 500)
    assert t.models[1].at == (b[0], b[1] + 250)


@pytest.mark.clause("SQ-ORG-37", "SQ-S31")
def test_what_is_left_may_be_used_at_the_end_of_the_enemys_turn_or_kept() -> None:
    t = watched()
    match = run(t, LeftOver(side=1))
    (decision,) = match.waiting
    assert isinstance(decision, UseTokens)
    assert list(decision.options(now(match))) == [KeepTokens(), Spring(1, "fire"), Spring(1, "move")]
    match.play(1, KeepTokens())
    assert done(match).tokens == t.tokens, "they stay"
    assert not run(scene(squad(1, "regular", 10, 10)), LeftOver(side=1)).waiting
    assert decision.usual(t) is None


@pytest.mark.clause("SQ-ORG-37")
def test_tokens_that_nobody_can_use_are_kept_at_once() -> None:
    t = watched()
    t.tokens[1] = msgspec.structs.replace(t.tokens[1], faces=("fire",))
    for unit in t.of_side(0):
        t.change(unit.id, where="gone")
    (decision,) = run(t, LeftOver(side=1)).waiting
    assert isinstance(decision, UseTokens)
    usual = decision.usual(t)
    assert usual is not None
    assert (usual.action, usual.said) == (KeepTokens(), True)


@pytest.mark.clause("SQ-S31", "SQ-Q59")
def test_a_watcher_points_at_the_way_to_name_the_moment() -> None:
    t = watched()
    match = run(t, Interruptions(actor=MOVER, paths=way(t, 10)))
    (decision,) = match.waiting
    assert isinstance(decision, Interrupt)
    here = now(match)
    assert [(r.form, r.unit, r.act) for r in decision.regions(here)] == [
        ("spot", WATCHER, "fire"),
        ("spot", WATCHER, "move"),
    ]
    x, y = t.models[t.units[MOVER].models[0]].at or (0, 0)
    proposal = decision.propose(here, Wish(unit=WATCHER, act="fire", to=(x + 4 * INCH, y - INCH)))
    assert isinstance(proposal.action, Spring)
    assert abs(proposal.action.moment - 4 * INCH) <= INCH // 10 or proposal.action.moment < 4 * INCH, (
        "one of them is nearest"
    )
    assert proposal.action in decision.options(here)
    end = decision.propose(here, Wish(unit=WATCHER, act="move", to=(x + 40 * INCH, y)))
    assert end.action == Spring(WATCHER, "move", 10 * INCH)
    assert decision.propose(here, Wish(unit=MOVER, act="fire", to=(x, y))).refusal is not None


@pytest.mark.clause("SQ-S31", "SQ-ORG-16")
def test_a_fire_token_is_fired_at_who_acts_and_at_a_moment_at_which_it_is_seen() -> None:
    t = watched(squad(0, "regular", 14, 10, 3))
    match = run(t, Interruptions(actor=MOVER))
    match.play(1, Spring(WATCHER, "fire"))
    options = match.waiting[0].options(now(match))
    assert Shoot(WATCHER, (("rifle", MOVER),)) in options
    refused = options.refusal(Shoot(WATCHER, (("rifle", 2),)))
    assert refused is not None
    assert refused.code == "not-the-actor"
    # On a path behind a wall no shot is allowed once no model is visible. A Move token may be used there.
    hidden = watched(terrain=[block("shed", "building", 16, 19, 40, 21)])
    paths = way(hidden, 14)
    options = run(hidden, Interruptions(actor=MOVER, paths=paths)).waiting[0].options(hidden)
    late = options.refusal(Spring(WATCHER, "fire", length_of(paths)))
    assert late is not None
    assert late.code == "out-of-sight"
    assert Spring(WATCHER, "move", length_of(paths)) in options


@pytest.mark.clause("SQ-S31", "SQ-ORG-36", "SQ-Q59")
@pytest.mark.parametrize(("moves", "seen_at"), [((2,), 0), ((0, 1), None)])
def test_a_model_in_sight_that_stays_lets_a_watcher_break_in(moves: tuple[int, ...], seen_at: int | None) -> None:
    """Two models in the open are seen while the model behind the building moves."""
    shed = block("shed", "building", 11.45, 11, 20, 12)
    t = scene(squad(0, "regular", 10, 10, 3), squad(1, "regular", 10, 30, 1), terrain=[shed], tokens={1: ("fire",)})
    if seen_at is None:
        t.put({0: at(13, 10), 1: at(14, 10)})
    paths = tuple([path for path in way(t, 1) if path[0] in moves])
    expected = () if seen_at is None else ((WATCHER, seen_at),)
    assert chances_to_break_in(t, MOVER, paths, 0, 0, ()) == expected
    assert bool(told(t, MOVER, paths)) is bool(expected), "the drag foretells the same"


@pytest.mark.clause("SQ-S34", "SQ-S52", "SQ-Q60")
def test_a_machine_that_moves_by_a_token_faces_along_its_way() -> None:
    t = scene(machine(0, "light-tank", 10, 10, (0, 1)), squad(1, "regular", 30, 30, 1), tokens={1: ("fire",)})
    corner = Move(0, ((0, (at(10, 10), at(10, 14), at(14, 14))),))
    under_way = corner.procedure(t, token=True).set_out(t).procedure
    assert isinstance(under_way, UnderWay)
    under_way.halt(t, 2 * INCH)
    assert t.models[0].heading == heading_of((0, 1))
    under_way.halt(t, 6 * INCH)
    assert t.models[0].heading == heading_of((1, 0))
    assert (t.units[0].travelled, t.units[0].moved) == (0, False), "it is no Move of its own"
