"""Fire missions: callers, availability, places, and effects on units below."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.asking import Wish
from caltrop.chance import Pool, Seeded
from caltrop.engine import End, FaceDown, Go
from caltrop.geometry import INCH
from caltrop.rules.squad_action.activation import open_activation
from caltrop.rules.squad_action.airstrike import (
    AirRun,
    Airstrike,
    Share,
    ShareOut,
    Strike,
    may_be_shot,
    strafe_needs,
    strike_of,
)
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.line import LENGTH, LayLine, Line, line_of, middle_of_line, under_line
from caltrop.rules.squad_action.orders import Begin, Orders
from caltrop.rules.squad_action.records import Barrage, Firefight
from caltrop.rules.squad_action.scene import at, block, done, machine, run, scene, squad
from caltrop.rules.squad_action.shelling import (
    CallFire,
    CallForFire,
    DelayedShells,
    NobodyCalls,
    asset_of,
    available_on,
    has_mortar,
)
from caltrop.rules.squad_action.shells import Mark, MarkerFell, MarkTarget, Shells, going_on
from caltrop.rules.squad_action.template import (
    effect_of,
    hits_in,
    middle_of,
    radius_of,
    scatter_dice,
    scatters,
    shell_at_machine,
    under_fire,
)
from caltrop.rules.squad_action.tokens import Lay, LayTokens, guess_tokens
from tests.rules.squad_action.played import KindOf

AIM = at(24, 24)


def spotters(**more: Any) -> Any:
    return squad(0, "regular", 10, 10, 2, spotter=True, **more)


def why_not(t: Firefight, act: CallFire) -> str:
    refusal = KindOf("mission").refusal(t, act, False)
    return "" if refusal is None else refusal.code


# --- who may call -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-Q62")
def test_who_has_a_mortar() -> None:
    t = scene(
        squad(0, "regular", 10, 10, 2, weapons=("light-mortar",)), squad(0, "regular", 20, 10, 2),
        machine(0, "light-tank", 30, 10),
    )  # fmt: skip
    assert [has_mortar(t, unit) for unit in range(3)] == [True, False, False]
    tank = t.models[t.units[2].models[0]]
    t.models[tank.id] = msgspec.structs.replace(tank, weapons=("light-mortar",))
    assert not has_mortar(t, 2), "it is for units on foot"


@pytest.mark.clause("SQ-FMI-01", "SQ-FMI-02", "SQ-W31")
def test_a_spotter_needs_5_and_an_officer_6() -> None:
    t = scene(spotters(), squad(0, "veteran", 10, 20, 4, officer=True), squad(0, "regular", 10, 30))
    assert [available_on(t, u) for u in range(3)] == [5, 6, 7]
    for unit, bad, good in ((0, 4, 5), (1, 5, 6)):
        words = scene(spotters(), squad(0, "veteran", 10, 20, 4, officer=True), squad(1, "regular", 24, 24))
        match = run(words, CallForFire(unit=unit, aim=AIM), (bad,))
        assert not match.waiting
        assert done(match).barrages == []
        match = run(words, CallForFire(unit=unit, aim=AIM), (good,), (4,), (1,), (1,))
        match.play(0, Mark(AIM))
        assert done(match).barrages[0].asset == "light"


@pytest.mark.clause("SQ-FMI-03", "SQ-FMI-04", "SQ-Q38", "SQ-FMI-07", "SQ-Q30", "SQ-Q62")
def test_who_may_not_call() -> None:
    enemy = squad(1, "regular", 24, 24)
    assert why_not(scene(spotters(), enemy), CallFire(0, AIM)) == ""
    assert why_not(scene(squad(0, "regular", 10, 10), enemy), CallFire(0, AIM)) == "no-caller"
    assert why_not(scene(spotters(pinned=True), enemy), CallFire(0, AIM)) == "pinned"
    assert why_not(scene(spotters(locked=(1,)), enemy), CallFire(0, AIM)) == "fighting"
    assert why_not(scene(spotters(moved=True, activated=True), enemy), CallFire(0, AIM)) == "moved"
    assert why_not(scene(spotters(where="reserve"), enemy), CallFire(0, AIM)) == "not-on-table"
    assert why_not(scene(spotters(), enemy, called=[0]), CallFire(0, AIM)) == "called"
    hidden = scene(spotters(), enemy, terrain=[block("ruins", "ruins", 5, 14, 20, 20)])
    assert why_not(hidden, CallFire(0, at(10, 40))) == "unseen"
    assert why_not(scene(spotters(), enemy), CallFire(0, (-1, 0))) == "off-table"
    assert why_not(scene(spotters(), enemy), CallFire(0, AIM, target=0)) == "not-an-enemy"
    for mortar in (0, 1, 9):
        assert why_not(scene(spotters(), enemy), CallFire(0, AIM, mortar=mortar)) == "no-mortar"


@pytest.mark.clause("SQ-FMI-17", "SQ-Q38")
def test_a_vehicle_may_be_aimed_at_and_hides_what_is_behind_it() -> None:
    t = scene(spotters(), machine(1, "apc", 10, 24))
    assert why_not(t, CallFire(0, at(10, 24))) == ""
    assert why_not(t, CallFire(0, at("10.7", "25.4"))) == ""
    assert why_not(t, CallFire(0, at("10.5", 26))) == "unseen"


@pytest.mark.clause("SQ-FMI-04", "SQ-Q72", "SQ-ORG-34")
def test_a_unit_that_called_lays_no_move_token_until_its_next_activation() -> None:
    t = scene(spotters(activated=True), squad(0, "regular", 6, 6), squad(1, "regular", 24, 24))
    after = done(run(t, CallForFire(unit=0, aim=AIM), (4,)))
    tokens = LayTokens(side=0, unit=0, count=1)
    assert {a.faces for a in tokens.options(t)} == {("fire",), ("move",)}, "it has not called yet"
    assert [a.faces for a in tokens.options(after)] == [("fire",)]
    refusal = tokens.options(after).refusal(Lay(0, ("move",)))
    assert refusal is not None
    assert (refusal.code, refusal.clause) == ("stays-put", "SQ-FMI-04")
    assert len(list(LayTokens(side=0, unit=1, count=1).options(after))) == 2, "another unit of its side did not call"
    open_activation(after, 0)
    assert len(list(tokens.options(after))) == 2


@pytest.mark.clause("SQ-FMI-04", "SQ-ORG-34")
def test_hidden_tokens_of_a_unit_that_called_are_guessed_as_fire() -> None:
    t = scene(spotters(called=True, watching=1), squad(1, "regular", 24, 24))
    t.tokens[0] = FaceDown(0, (None,))
    assert {guess_tokens(t, 1, Seeded(seed)).tokens[0].faces for seed in range(20)} == {("fire",)}
    t.change(0, called=False)
    assert {guess_tokens(t, 1, Seeded(seed)).tokens[0].faces for seed in range(20)} == {("fire",), ("move",)}


@pytest.mark.clause("SQ-Q38")
def test_one_off_board_call_for_a_side_and_turn_a_failed_roll_included() -> None:
    t = scene(spotters(), squad(1, "regular", 24, 24))
    after = done(run(t, CallForFire(unit=0, aim=AIM), (4,)))
    assert after.called == [0]
    assert why_not(after, CallFire(0, AIM)) == "called"


@pytest.mark.clause("SQ-FMI-06")
def test_which_asset() -> None:
    assert [asset_of(scene(), face) for face in range(1, 7)] == [
        "heavy",
        "medium",
        "medium",
        "light",
        "light",
        "airstrike",
    ]


@pytest.mark.clause("SQ-FMI-05", "SQ-Q62", "SQ-S13")
def test_a_mortar_on_the_table_needs_no_rolls_and_fires_light() -> None:
    mortar = squad(0, "militia", 10, 10, 3, weapons=["light-mortar"])
    t = scene(mortar, squad(1, "regular", 24, 24, 3))
    after = done(run(t, CallForFire(unit=0, aim=AIM, mortar=0), (1,), (1,)))
    assert after.barrages[0].asset == "light"
    assert after.called == [], "it is no off-board asset"
    assert why_not(after, CallFire(0, AIM, mortar=0)) == "mortar-busy", "once a turn"
    assert why_not(t, CallFire(0, AIM)) == "no-caller", "a mortar crew cannot call for what is off the board"
    near = CallFire(0, at(10, 15), mortar=0)
    assert why_not(t, near) == "mortar-range"
    assert why_not(t, CallFire(0, (inches(10), inches(10) + 6 * INCH + 76), mortar=0)) == ""
    wide = scene(mortar, squad(1, "regular", 24, 64, 3), table=(72, 72))
    assert why_not(wide, CallFire(0, (inches(10), inches(10) + 48 * INCH + 76), mortar=0)) == ""
    assert why_not(wide, CallFire(0, (inches(10), inches(10) + 48 * INCH + 77), mortar=0)) == "mortar-range"
    did: tuple[dict[str, Any], ...] = ({"pinned": True}, {"moved": True}, {"shot": True}, {"crept": 1})
    for fields in did:
        crew = squad(0, "militia", 10, 10, 3, weapons=["light-mortar"], activated=True, **fields)
        busy = scene(crew, spotters())
        assert why_not(busy, CallFire(1, AIM, mortar=0)) == "mortar-busy"
    states: tuple[tuple[dict[str, Any], str], ...] = (
        ({"where": "aboard"}, "is not on the table"),
        ({"pinned": True}, "is Pinned"),
        ({"broken": True}, "is Broken"),
        ({"locked": (9,)}, "is in close quarters"),
        ({"moved": True, "activated": True}, "has moved this turn"),
        ({"shot": True, "activated": True}, "has fired this turn"),
    )
    for fields, words in states:
        busy = scene(squad(0, "militia", 10, 10, 3, weapons=["light-mortar"], **fields), spotters())
        refusal = KindOf("mission").refusal(busy, CallFire(1, AIM, mortar=0))
        assert refusal is not None
        assert refusal.message == f"The mortar of South 0 {words}, and cannot fire a mission"
    moved_last_turn = squad(0, "militia", 10, 10, 3, weapons=["light-mortar"], moved=True, activated=False)
    assert why_not(scene(moved_last_turn, spotters()), CallFire(1, AIM, mortar=0)) == "", "not in this turn (SQ-Q62)"


@pytest.mark.clause("SQ-Q62")
def test_a_mortar_that_is_lost_before_it_fires_is_silent() -> None:
    t = scene(squad(0, "militia", 10, 10, 3, weapons=["light-mortar"]), squad(1, "regular", 24, 24, 3))
    call = CallForFire(unit=0, aim=AIM, mortar=0)
    assert call.what_fires(t, (0, False)) == Go("mark")
    shot = scene(squad(0, "militia", 10, 10, 2), squad(1, "regular", 24, 24, 3))
    assert call.what_fires(shot, (0, False)) == End(), "who broke in shot down the one who had it"
    assert not shot.called


@pytest.mark.clause("SQ-FMI-01", "SQ-FMI-02", "SQ-Q38")
def test_who_has_lost_its_officer_on_the_way_throws_no_die() -> None:
    t = scene(squad(0, "veteran", 10, 20, 4), squad(1, "regular", 24, 24))
    call = CallForFire(unit=0)
    assert call.what_fires(t, (0, False)) == End()
    assert NobodyCalls(0).sentence(t) == "No model is left in South 0 that could call for fire"
    assert not t.called


# --- the place of the marker ------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-FMI-08", "SQ-Q29")
def test_the_scatter_die() -> None:
    assert [scatters(scene(), face) for face in range(1, 7)] == [False, False, True, True, True, True]


@pytest.mark.clause("SQ-FMI-08", "SQ-FMI-09", "SQ-W32", "SQ-Q30")
def test_the_worked_example_of_scatter_and_sustained_fire() -> None:
    t = scene(spotters(), squad(1, "regular", 40, 40))
    shells = Shells(side=0, caller=0, asset="light", aim=AIM, target=1)
    first = done(run(t, shells, (5,), (3, 4), (3,)))
    (stored,) = first.barrages
    assert stored.rounds == 1
    assert match_marker(t, shells, (5,), (3, 4), (3,)) == at(31, 24)
    first.round = 2
    sustained = going_on(first, 0, AIM, 1, None)
    assert sustained is not None
    again = Shells(side=0, caller=0, asset="light", aim=AIM, target=1, rounds=2)
    assert match_marker(first, again, (3,), (4,), (9,)) == at(20, 24)


def match_marker(t: Firefight, shells: Shells, *dice: tuple[int, ...]) -> Any:
    """Return the place of the marker."""
    from caltrop.chance import Scripted
    from caltrop.engine import advance

    twin = t.clone()
    twin.told, twin.stack = [], [type(shells)(**{f: getattr(shells, f) for f in shells.__struct_fields__})]
    advance(twin, Scripted(*dice))
    return next(e.marker for e in twin.told if isinstance(e, MarkerFell))


@pytest.mark.clause("SQ-FMI-09", "SQ-Q30")
@pytest.mark.house("sustained", "fewer_dice", "subtract")
def test_sustained_fire_scatters_less() -> None:
    fewer, subtract = scene(), scene(rules={"sustained": "subtract"})
    assert [scatter_dice(fewer, n) for n in (1, 2, 3, 4)] == [(2, 0), (1, 0), (0, 0), (0, 0)]
    assert [scatter_dice(subtract, n) for n in (1, 2, 3)] == [(2, 0), (2, 1), (2, 2)]
    shells = Shells(side=0, caller=0, asset="light", aim=AIM, rounds=2)
    with_units = scene(spotters(), rules={"sustained": "subtract"})
    assert match_marker(with_units, shells, (4,), (3, 2, 4), (12,)) == at(24, 25)
    assert match_marker(with_units, shells, (4,), (1, 1, 4)) == AIM, "no less than nothing"


@pytest.mark.clause("SQ-Q30", "SQ-FMI-09")
def test_what_ends_sustained_fire() -> None:
    t = scene(spotters(), squad(1, "regular", 40, 40, 2), round=2)
    stood = tuple([t.models[m].at for m in t.units[1].models])
    t.barrages.append(Barrage(caller=0, asset="medium", aim=AIM, target=1, target_at=stood, turn=1))  # type: ignore[arg-type]
    assert going_on(t, 0, AIM, 1, None) is not None
    assert going_on(t, 0, at(25, 24), 1, None) is None, "another aim"
    assert going_on(t, 1, AIM, 1, None) is None, "another caller"
    t.change_model(t.units[1].models[0], at=at(41, 40))
    assert going_on(t, 0, AIM, 1, None) is None, "the target has moved"
    t.change_model(t.units[1].models[0], at=stood[0])
    t.round = 3
    assert going_on(t, 0, AIM, 1, None) is None, "a turn was left out"
    bare = scene(spotters(), round=2, barrages=[Barrage(caller=0, asset="medium", aim=AIM, target=None, turn=1)])
    assert going_on(bare, 0, AIM, None, None) is not None, "a bare place never moves"


@pytest.mark.clause("SQ-Q62")
def test_a_marker_off_the_table_is_lost() -> None:
    t = scene(spotters(), squad(1, "regular", 2, 2, 3))
    after = done(run(t, Shells(side=0, caller=0, asset="heavy", aim=at(2, 2)), (6,), (6, 6), (9,)))
    assert len(after.units[1].models) == 3
    assert not after.units[1].pinned


# --- what it does -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-FMI-10", "SQ-FMI-11", "SQ-FMI-12", "SQ-FMI-13", "SQ-AIR-07", "SQ-Q31", "SQ-W33")
@pytest.mark.house("template", "radius", "diameter")
def test_who_is_under_fire() -> None:
    t = scene(rules=None)
    assert [radius_of(t, a) for a in ("light", "medium", "heavy", "bombs")] == [
        5 * INCH,
        5 * INCH,
        10 * INCH,
        10 * INCH,
    ]
    assert radius_of(scene(rules={"template": "diameter"}), "heavy") == 5 * INCH
    marker = at(31, 24)
    edge = 5 * INCH + 76
    near = scene(squad(1, "regular", 31, 28, 1), squad(1, "regular", 31, 30, 1), squad(0, "regular", 28, 24, 1))
    assert under_fire(near, marker, 5 * INCH, 0) == (0, 2), "friend and foe; 6 inches away is not under it"
    near.change_model(1, at=(marker[0], marker[1] + edge))
    assert under_fire(near, marker, 5 * INCH, 0) == (0, 1, 2)
    near.change_model(1, at=(marker[0], marker[1] + edge + 1))
    assert under_fire(near, marker, 5 * INCH, 0) == (0, 2)


@pytest.mark.clause("SQ-Q32", "SQ-FMI-13")
@pytest.mark.house("friendly_fire", "on", "off")
def test_friends_may_be_passed_over() -> None:
    for value, result in (("on", (0, 1)), ("off", (1,))):
        t = scene(squad(0, "regular", 24, 24, 2), squad(1, "regular", 24, 26, 2), rules={"friendly_fire": value})
        assert under_fire(t, AIM, 5 * INCH, 0) == result


@pytest.mark.clause("SQ-FMI-14", "SQ-FMI-15", "SQ-FMI-16", "SQ-W34")
def test_effects_by_weight() -> None:
    t = scene()
    shown = {a: "".join("-ph"[(e := effect_of(t, a, f)).pins + bool(e.hits)] for f in range(1, 7)) for a in
             ("light", "medium", "heavy", "bombs")}  # fmt: skip
    assert shown == {"light": "--ppph", "medium": "--pphh", "heavy": "--pphh", "bombs": "--ppph"}
    assert [effect_of(t, a, 6).at for a in ("light", "medium", "heavy", "bombs")] == ["VLt", "Lt", "Med", "VLt"]
    assert [effect_of(t, a, 6).hits for a in ("light", "medium", "heavy")] == ["d3", "d6", "d6+3"]
    assert [hits_in("d3", f) for f in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert hits_in("d6+3", 4) == 7


@pytest.mark.clause("SQ-FMI-17", "SQ-FMI-18", "SQ-FMI-19", "SQ-Q43", "SQ-W37")
def test_a_direct_hit_strikes_the_side_and_the_blast_the_front_one_step_less() -> None:
    t = scene()
    assert shell_at_machine(t, "Med", True) == ("Med", "side")
    assert shell_at_machine(t, "Med", False) == ("Lt", "front")
    assert shell_at_machine(t, "VLt", False) == ("U", "front")
    assert shell_at_machine(t, "U", False) == ("U", "front")


@pytest.mark.clause("SQ-FMI-18", "SQ-FMI-19", "SQ-W35", "SQ-ORG-30")
def test_a_heavy_shell_beside_a_tank() -> None:
    t = scene(spotters(), machine(1, "battle-tank", 30, 24))
    # On target; effect 5; no cover; damage 6 + 2 - 4 = 4: Shaken, and so no check.
    after = done(run(t, Shells(side=0, caller=0, asset="heavy", aim=AIM), (1,), (5,), (6,)))
    assert after.units[1].pinned
    assert not after.units[1].immobile


@pytest.mark.clause("SQ-FMI-17", "SQ-FMI-21", "SQ-W36")
def test_a_heavy_shell_on_a_tank_has_no_mind_of_its_cover() -> None:
    wood = block("wood", "woods", 20, 20, 28, 28)
    t = scene(spotters(), machine(1, "battle-tank", 24, 24), terrain=[wood])
    # AT Med on side Med: 6 + 3 - 3 = 6, destroyed, without a cover save.
    after = done(run(t, Shells(side=0, caller=0, asset="heavy", aim=AIM), (1,), (5,), (6,)))
    assert after.units[1].where == "gone"


@pytest.mark.clause("SQ-FMI-14", "SQ-FMI-20", "SQ-Q33", "SQ-W34")
def test_soldiers_save_and_check() -> None:
    t = scene(spotters(), squad(1, "regular", 24, 24, 8))
    shells = Shells(side=0, caller=0, asset="light", aim=AIM)
    pinned = done(run(t, shells, (1,), (5,), (2,)))
    assert pinned.units[1].pinned
    assert len(pinned.units[1].models) == 8
    match = run(t, shells, (1,), (6,), (4,), (6, 1), (4,))
    fall = match.waiting[0]
    match.play(1, fall.options(match.state).first())
    after = done(match)
    assert len(after.units[1].models) == 7, "2 hits, one of them saved"
    assert not after.units[1].pinned


@pytest.mark.clause("SQ-Q38")
@pytest.mark.house("mission_delay", 0, 1)
def test_with_a_delay_the_effect_comes_in_the_callers_next_turn() -> None:
    enemy = squad(1, "regular", 24, 24, 8)
    at_once = done(run(scene(spotters(), enemy), Shells(side=0, caller=0, asset="light", aim=AIM), (1,), (5,), (1,)))
    assert at_once.units[1].pinned
    t = scene(spotters(), enemy, rules={"mission_delay": 1})
    waits = done(run(t, Shells(side=0, caller=0, asset="light", aim=AIM), (1,)))
    assert not waits.units[1].pinned
    assert waits.barrages[0].marker == AIM
    assert done(run(waits, DelayedShells(sides=(0,)))).barrages[0].marker == AIM, "not in the same turn"
    waits.round = 2
    assert done(run(waits, DelayedShells(sides=(1,)))).barrages[0].marker == AIM, "not in the enemy's"
    later = done(run(waits, DelayedShells(sides=(0,)), (5,), (1,)))
    assert later.units[1].pinned
    assert later.barrages[0].marker is None


@pytest.mark.clause("SQ-Q62", "SQ-FMI-07")
@pytest.mark.parametrize("call", [CallFire(0), CallFire(0, at(30, 24), 1)])
def test_off_board_fire_is_marked_after_its_asset_is_known(call: CallFire) -> None:
    t = scene(spotters(), squad(1, "regular", 24, 24, 3), squad(1, "regular", 30, 40, 3))
    assert why_not(t, call) == ""
    failed = done(run(t, CallForFire(unit=0, aim=call.aim, target=call.target), (4,)))
    assert not failed.barrages, "nothing is marked where nothing is available"
    match = run(t, CallForFire(unit=0, aim=call.aim, target=call.target), (5,), (1,), (1,))
    (asked,) = match.waiting
    assert isinstance(asked, MarkTarget)
    assert asked.asset == "heavy"
    now: Any = match.state
    options = asked.options(now)
    assert (options.first() == Mark(at(30, 24), 1)) is (call.aim is not None), "what was meant is offered first"
    assert Mark(at(10, 12)) in options, "any place that is seen, whatever was meant"
    assert Mark((-1, 0)) not in options
    assert Mark(AIM, 0) not in options, "no friend is named"
    match.play(0, Mark(at(10, 42)))
    assert done(match).barrages[0].aim == at(10, 42)


@pytest.mark.clause("SQ-Q62", "SQ-AIR-01")
@pytest.mark.parametrize(("face", "kind"), [(1, "strafing"), (2, "bombs"), (3, "anti-vehicle")])
def test_an_airstrike_is_marked_after_its_kind_is_known(face: int, kind: str) -> None:
    t = scene(spotters(), squad(1, "regular", 40, 40, 3))
    match = run(t, CallForFire(unit=0), (5,), (6,), (face,), (1,))
    (asked,) = match.waiting
    assert isinstance(asked, MarkTarget)
    assert asked.asset == kind


@pytest.mark.clause("SQ-Q62")
def test_a_place_goes_with_a_mortar_and_with_an_enemy_that_is_named() -> None:
    t = scene(squad(0, "militia", 10, 10, 3, weapons=["light-mortar"], spotter=True), squad(1, "regular", 24, 24, 3))
    assert why_not(t, CallFire(0, mortar=0)) == "no-place"
    assert why_not(t, CallFire(0, target=1)) == "no-place"
    assert why_not(t, CallFire(0)) == ""
    assert [a.mortar for a in KindOf("mission").acts(t, 0, False)] == [None, 0]


@pytest.mark.clause("SQ-Q62", "SQ-FMI-07")
def test_who_sees_no_enemy_may_still_mark_a_place() -> None:
    t = scene(spotters(), squad(1, "regular", 40, 40, 3), terrain=[block("it", "ruins", 15, 15, 30, 30)])
    options = MarkTarget(side=0, unit=0, asset="light").options(t)
    assert list(options)
    assert all(a.target is None for a in options)


@pytest.mark.clause("SQ-FMI-09", "SQ-Q30")
def test_a_target_that_lost_a_model_stays_still() -> None:
    t = scene(spotters(), squad(1, "regular", 40, 40, 3), round=2)
    stood = tuple([t.models[m].at for m in t.units[1].models])
    t.barrages.append(Barrage(caller=0, asset="medium", aim=AIM, target=1, target_at=stood, turn=1))  # type: ignore[arg-type]
    first, second, third = t.units[1].models
    t.change(1, models=(first, third))
    t.change_model(second, at=None)
    assert going_on(t, 0, AIM, 1, None) is not None
    t.change_model(third, at=at(30, 30))
    assert going_on(t, 0, AIM, 1, None) is None
    t.change_model(third, at=stood[2])
    t.change(1, where="aboard")
    assert going_on(t, 0, AIM, 1, None) is None


@pytest.mark.clause("SQ-Q30", "SQ-AIR-07", "SQ-Q38")
@pytest.mark.house("mission_delay", 0, 1)
@pytest.mark.parametrize("delay", [0, 1])
def test_light_bombs_are_sustained_and_fall_with_a_delay(delay: int) -> None:
    t = scene(spotters(), squad(1, "regular", 24, 24, 8), rules={"mission_delay": delay})
    dice = ((1,),) if delay else ((1,), (5,), (1,))
    after = done(run(t, Shells(side=0, caller=0, asset="bombs", aim=AIM, target=1), *dice))
    assert after.units[1].pinned is not bool(delay)
    after.round = 2
    after.called = []
    sustained = going_on(after, 0, AIM, 1, None)
    assert sustained is not None
    assert sustained.asset == "bombs"
    if delay:
        after = done(run(after, DelayedShells(sides=(0,)), (5,), (1,)))
        assert after.units[1].pinned
    match = run(after, CallForFire(unit=0, aim=AIM, target=1), *(((1,),) if delay else ((1,), (1,))))
    assert done(match).barrages[0].rounds == 2, "neither availability nor asset nor kind is rolled"


@pytest.mark.clause("SQ-Q38", "SQ-AIR-02")
@pytest.mark.house("mission_delay", 1)
def test_a_run_comes_with_the_delay_too() -> None:
    t = scene(spotters(), squad(1, "regular", 24, 24, 8), rules={"mission_delay": 1})
    match = run(t, AirRun(side=0, unit=0, aim=AIM, kind="strafing"))
    match.play(0, Line((0, 1), LENGTH))
    waits = done(match)
    assert not waits.units[1].pinned
    waits.round = 2
    assert going_on(waits, 0, waits.barrages[0].aim, None, None) is None, "a run is not sustained"
    later = done(run(waits, DelayedShells(sides=(0,)), (1, 1, 1), (1, 1, 1), (1,)))
    assert later.units[1].pinned
    assert done(run(later, DelayedShells(sides=(0,)))).flights == later.flights, "it comes once"


@pytest.mark.clause("SQ-Q38")
@pytest.mark.house("mission_delay", 1)
def test_two_missions_of_a_caller_both_fall_with_a_delay() -> None:
    t = scene(spotters(), squad(1, "regular", 24, 24, 8), rules={"mission_delay": 1})
    once = done(run(t, Shells(side=0, caller=0, asset="light", aim=AIM, mortar=0), (1,)))
    both = done(run(once, Shells(side=0, caller=0, asset="heavy", aim=at(30, 30)), (1,)))
    assert [b.marker for b in both.barrages] == [AIM, at(30, 30)]


# --- airstrikes -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-AIR-01")
def test_which_airstrike() -> None:
    t = scene(spotters(), squad(1, "regular", 24, 24, 3))
    assert [strike_of(t, face) for face in range(1, 7)] == ["strafing", "bombs", "anti-vehicle", None, None, None]
    match = run(t, Airstrike(unit=0, aim=AIM), (4,), (1,), (1,))
    assert match.waiting[0].side == 0
    match.play(0, Strike("bombs"))
    match.play(0, Mark(AIM, 1))
    assert not match.waiting


@pytest.mark.clause("SQ-AIR-02", "SQ-Q39")
def test_the_line_is_18_inches_long_and_2_wide() -> None:
    t = scene(
        squad(1, "regular", 24, 33, 1),
        squad(1, "regular", 24, "33.4", 1),
        squad(1, "regular", "25.2", 24, 1),
        squad(1, "regular", "25.4", 24, 1),
    )
    assert under_line(t, AIM, (0, 1)) == (0, 2), "touched at the end and at the side; beyond is not"
    assert len(line_of(AIM, (0, 1))) == 4


@pytest.mark.clause("SQ-Q39")
def test_the_line_lies_in_any_direction_through_the_mark_with_any_part_of_it_beyond() -> None:
    t = scene(squad(1, "regular", 24, 41, 1), squad(1, "regular", 24, 8, 1), squad(1, "regular", 24, 24, 1))
    options = LayLine(side=0, aim=AIM, run="strafing").options(t)
    for ahead, under in ((LENGTH, (0, 2)), (LENGTH // 2, (2,)), (0, (1, 2))):
        line = Line((0, 1), ahead)
        assert line in options
        assert under_line(t, middle_of_line(AIM, line), line.direction) == under
    for ahead in (-1, LENGTH + 1):
        wrong = options.refusal(Line((0, 1), ahead))
        assert wrong is not None
        assert wrong.code == "past-the-mark"
        assert wrong.nearest in options


@pytest.mark.clause("SQ-Q39")
def test_the_line_ends_where_somebody_points() -> None:
    t = scene(spotters())
    asked = LayLine(side=0, aim=AIM, run="strafing")
    for y, ahead in ((30, 6), (42, 18), (46, 18)):
        action = asked.propose(t, Wish(act="line", to=at(24, y))).action
        assert isinstance(action, Line)
        assert action.ahead == ahead * INCH


@pytest.mark.clause("SQ-AIR-02", "SQ-AIR-03", "SQ-AIR-05", "SQ-AIR-06", "SQ-W39", "SQ-Q39")
def test_the_worked_example_of_strafing() -> None:
    t = scene(spotters(), squad(1, "elite", 24, 24, 8), squad(1, "regular", 24, 28, 4), squad(0, "regular", 24, 18, 4))
    match = run(
        t,
        AirRun(side=0, unit=0, aim=AIM, kind="strafing"),
        (5, 3, 3),
        (5, 6, 5, 1, 1, 1, 1, 1, 1, 1, 1),
        (6, 2, 1),
        (4,),
        (2,),
        (3,),
    )
    flat = match.waiting[0].options(match.state).refusal(Line((0, 0)))
    assert flat is not None
    assert flat.code == "not-a-line"
    match.play(0, Line((0, 1)))
    assert match.waiting[0].side == 1, "the affected player shares the hits out"
    asked = match.waiting[0]
    assert isinstance(asked, ShareOut)
    ways = [share.counts for share in (offer.action for offer in asked.offers(t)) if isinstance(share, Share)]
    assert len(ways) == len(set(ways)) == 4, "in any way: 3 hits and 2 units"
    assert (1, 2) in ways
    for counts in ((2, 0), (3,), (4, -1)):
        wrong = match.waiting[0].options(match.state).refusal(Share(counts))
        assert wrong is not None
        assert wrong.code == "other-number"
    match.play(1, Share((3, 0)))
    match.play(1, match.waiting[0].options(match.state).first())
    after = done(match)
    assert len(after.units[1].models) == 6
    assert not after.units[1].pinned, "2 + 2 = 4 was rolled"
    assert after.units[2].pinned, "under the line it checks whatever the result"
    assert not after.units[3].pinned, "friends check too"


@pytest.mark.clause("SQ-Q39", "SQ-Q47")
@pytest.mark.parametrize(("count", "ways"), [(99, 100), (100, 3)])
def test_very_many_ways_to_share_are_not_all_listed(count: int, ways: int) -> None:
    t = scene(squad(0, "regular", 24, 24, 4), squad(0, "regular", 24, 28, 4))
    asked = ShareOut(side=0, units=(0, 1), count=count, what="hits")
    assert len(asked.offers(t)) == ways


@pytest.mark.clause("SQ-Q39")
@pytest.mark.house("strafe_to_hit", 5, 4, "auto")
def test_what_strafing_needs() -> None:
    assert [strafe_needs(scene(rules={"strafe_to_hit": v})) for v in (5, 4, "auto")] == [5, 4, 1]


@pytest.mark.clause("SQ-AIR-04", "SQ-AIR-03", "SQ-AIR-06")
@pytest.mark.parametrize(("kind", "needed"), [("", 6), ("woods", 5), ("ruins", 4)])
def test_who_is_strafed_has_its_cover_saves(kind: str, needed: int) -> None:
    """Armour 4 is 6 under strafing, and cover is none the worse for it."""
    terrain = [block("it", kind, 20, 20, 34, 28)] if kind else []
    t = scene(spotters(), squad(1, "elite", 24, 24, 8), terrain=terrain)
    shots = (5, 5, *[1] * 9)
    for face, fallen in ((needed, 0), (needed - 1, 2)):
        more = ((6,),) if fallen else ((3,),)
        match = run(t, AirRun(side=0, unit=0, aim=AIM, kind="strafing"), (5, 3, 3), shots, (face, face), *more)
        match.play(0, Line((0, 1)))
        while match.waiting:
            match.play(1, match.waiting[0].options(match.state).first())
        assert len(done(match).units[1].models) == 8 - fallen


@pytest.mark.clause("SQ-AIR-08", "SQ-AIR-09", "SQ-AIR-10", "SQ-W38", "SQ-Q47")
def test_the_worked_example_of_anti_vehicle_fire() -> None:
    t = scene(spotters(), machine(1, "battle-tank", 24, 24))
    # D3 of 4 is 2 shots: 5 and 3; damage 5 + 3 - 3 = 5: Damaged, immobile; it passes its check.
    match = run(t, AirRun(side=0, unit=0, aim=AIM, kind="anti-vehicle"), (4,), (5, 3), (5,), (1,), (3,))
    match.play(0, Line((0, 1)))
    after = done(match)
    assert after.units[1].immobile
    assert not after.units[1].pinned


@pytest.mark.clause("SQ-ORG-30", "SQ-AIR-08", "SQ-Q52")
def test_a_vehicle_that_anti_vehicle_fire_misses_takes_no_check() -> None:
    t = scene(spotters(), machine(1, "battle-tank", 24, 24))
    match = run(t, AirRun(side=0, unit=0, aim=AIM, kind="anti-vehicle"), (4,), (4, 3))
    match.play(0, Line((0, 1)))
    assert not done(match).units[1].pinned


@pytest.mark.clause("SQ-AIR-03", "SQ-Q40", "SQ-AIR-08")
def test_what_each_run_is_for() -> None:
    t = scene(squad(1, "regular", 24, 24, 2), machine(1, "truck", 20, 20), machine(1, "apc", 30, 30))
    assert [may_be_shot(t, u, "strafing") for u in range(3)] == [True, True, False]
    assert [may_be_shot(t, u, "anti-vehicle") for u in range(3)] == [False, True, True]


@pytest.mark.clause("SQ-Q30", "SQ-FMI-07")
def test_what_is_pointed_at_closely_is_aimed_at_exactly() -> None:
    t = scene(squad(0, "regular", 20, 10, 2, spotter=True), squad(1, "regular", 20, 30, 5))
    asked = Orders(side=0)

    def aimed(x: int, y: int) -> CallFire:
        proposal = asked.propose(t, Wish(unit=0, act="mission", to=(x, y)))
        assert isinstance(proposal.action, Begin), proposal.refusal
        assert isinstance(proposal.action.act, CallFire)
        assert proposal.templates
        assert proposal.templates[0].circle[:2] == proposal.action.act.aim  # type: ignore[index]
        return proposal.action.act

    first = t.models[t.units[1].models[0]].at
    assert first is not None
    middle = middle_of(t, 1)
    assert first != middle
    assert aimed(first[0] + 20, first[1]) == CallFire(0, middle, 1), "on a base the middle of its unit is meant"
    beside = (first[0] - 300, first[1] + 300)
    assert aimed(*beside) == CallFire(0, beside, 1), "beside it the place itself"
    t.round = 3
    t.barrages.append(Barrage(caller=0, asset="light", aim=beside, target=None, turn=2))
    assert aimed(beside[0] + 200, beside[1]) == CallFire(0, beside, None), "fire that can be sustained keeps its aim"
    t.barrages[0] = msgspec.structs.replace(t.barrages[0], turn=1)
    assert aimed(beside[0] - 200, beside[1]).aim == (beside[0] - 200, beside[1])


@pytest.mark.clause("SQ-FMI-07", "SQ-FMI-01")
def test_a_place_is_pointed_at_for_a_mortar_and_not_for_what_is_off_the_table() -> None:
    def places(*units: Any) -> bool:
        t = scene(*units, squad(1, "regular", 20, 30, 5))
        asked = Orders(side=0)
        offers = [offer for offer in asked.offers(t) if isinstance(getattr(offer.action, "act", None), CallFire)]
        assert offers, "nothing is offered"
        return any(region.act.startswith("mission") for region in asked.regions(t))

    assert not places(squad(0, "regular", 20, 10, 2, spotter=True))
    assert places(squad(0, "regular", 20, 10, 3, weapons=("light-mortar",)))


def test_a_clock_has_twelve_hours() -> None:
    t = scene(squad(0, "regular", 10, 10))
    assert Shells(side=0, caller=0, asset="mortar", aim=at(20, 20)).where_to(t).pool == Pool(1, 12)
