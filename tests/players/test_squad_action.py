"""The players of Squad Action avoid silly acts."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from caltrop.chance import Seeded
from caltrop.geometry import INCH
from caltrop.journal import Setting
from caltrop.players import playable, player
from caltrop.players.judgement import PLAIN, STYLES, Judgement
from caltrop.players.squad_action import Heuristic
from caltrop.players.squad_action.blunders import BlunderWatch as Silly
from caltrop.players.squad_action.fire import harm_of, keen, potential
from caltrop.players.squad_action.heuristic import block as ranks
from caltrop.players.squad_action.outlook import SideOutlook
from caltrop.players.squad_action.plan import Plan, UnitChoice
from caltrop.players.squad_action.tuning import SPREAD, TUNABLE
from caltrop.players.squad_action.weights import VETERAN, Weights
from caltrop.players.squad_action.worth import GRAIN, Averages
from caltrop.rules.squad_action.activation import what_may_follow
from caltrop.rules.squad_action.acts import Kind
from caltrop.rules.squad_action.assault import Assault
from caltrop.rules.squad_action.casualties import WhoFalls
from caltrop.rules.squad_action.catalogue import Cover
from caltrop.rules.squad_action.orders import Begin, EndTurn
from caltrop.rules.squad_action.places import COHERENCY, FOOT
from caltrop.rules.squad_action.records import Firefight, Objective, Pilot
from caltrop.rules.squad_action.scene import at, block, machine, scene, squad
from caltrop.rules.squad_action.setup import DeployUnit, KeepBack
from caltrop.rules.squad_action.shelling import CallFire
from caltrop.rules.squad_action.shooting import Shoot
from caltrop.table.measured import coherent

GAME = "squad-action"


def setting(scenario: str, armies: tuple[str, ...] = (), rules: dict[str, Any] | None = None) -> Setting:
    return Setting(ruleset=GAME, edition="current", scenario=scenario, armies=armies, rules=rules or {})


# --- sense ------------------------------------------------------------------------------------------------------------


def test_a_recruit_orders_everybody() -> None:
    match = setting("first-battle").begin(Seeded("recruit"), keep=False)
    sides, dice = [player("recruit", GAME), player("regular", GAME)], [Seeded(1), Seeded(2)]
    began = 0
    while match.over is None:
        asked = match.waiting[0]
        action = sides[asked.side].decide(asked, match.view(asked.side), dice[asked.side])
        began += asked.side == 0 and isinstance(action, Begin)
        assert not isinstance(action, EndTurn)
        match.follow(asked, action)
    assert began >= 3


def test_errors_lie_in_what_shots_seem_worth_and_in_what_is_thought_of() -> None:
    t: Any = setting("meeting-engagement").begin(Seeded("errors"), keep=False).state
    sound, wrong = [SideOutlook(t, 0, Averages(), judgement=Judgement(error, seed=3)) for error in (0, 2500)]
    assert set(wrong.tasks) < set(sound.tasks)
    t = scene(squad(0, "regular", 10, 5), squad(1, "regular", 10, 30))
    sound, wrong = [SideOutlook(t, 0, Averages(), judgement=Judgement(error, seed=3)) for error in (0, 2500)]
    firer, target = sound.mine[0].id, sound.foes[0].id
    assert keen(sound, firer, target, 0) == keen(wrong, firer, target, 0) == 0
    assert keen(sound, firer, target, 1000) == 1000
    assert 0 < keen(wrong, firer, target, 1000) != 1000
    places = [at(x, 8) for x in (6, 14, 22, 30)]
    off = [wrong.lure(firer, p) - sound.lure(firer, p) for p in places]
    assert len(set(off)) == len(off), "each place seems better than it is by an amount of its own"


def test_who_has_to_get_through_forgets_it_never_and_errs_less_about_the_way() -> None:
    t: Any = setting("break-through").begin(Seeded("errors"), keep=False).state
    wrong = Judgement(150, seed=3)
    attacker = 1 - t.field.defender
    hurried, sound = SideOutlook(t, attacker, Averages(), judgement=wrong), SideOutlook(t, attacker, Averages())
    assert hurried.tasks == sound.tasks
    assert hurried.tasks
    waits = SideOutlook(t, t.field.defender, Averages(), judgement=wrong)
    assert (hurried.pressed, waits.pressed) == (True, False)
    assert 0 < 4 * hurried.grain < waits.grain


def test_both_who_fetch_a_pilot_forget_him_never_and_err_less_about_the_way() -> None:
    t: Any = setting("downed-pilot").begin(Seeded("errors"), keep=False).state
    for side in (0, 1):
        wrong, sound = [SideOutlook(t, side, Averages(), judgement=Judgement(error, seed=3)) for error in (2500, 0)]
        assert wrong.tasks == sound.tasks
        assert wrong.tasks
        assert 0 < 4 * wrong.grain < GRAIN


def test_a_style_does_not_count_twice_in_what_a_shot_is_worth() -> None:
    t = scene(squad(0, "regular", 10, 5), squad(1, "regular", 10, 30))
    o = SideOutlook(t, 0, Averages(), judgement=Judgement(0, STYLES["bold"]))
    assert keen(o, o.mine[0].id, o.foes[0].id, 1000) == 1000


def test_a_unit_is_put_down_in_close_ranks_that_hang_together() -> None:
    t = scene(squad(0, "regular", 10, 5, models=7), squad(1, "regular", 10, 40))
    places = ranks(t, 0, at(24, 6)).places
    assert len(set(places)) == 7
    assert coherent([(*p, FOOT) for p in places], COHERENCY)
    xs, ys = [x for x, _ in places], [y for _, y in places]
    assert max(max(xs) - min(xs), max(ys) - min(ys)) < 3 * INCH


def test_a_volley_is_worth_more_the_nearer_and_the_less_the_better_the_cover() -> None:
    t = scene(squad(0, "regular", 10, 10), squad(1, "regular", 10, 30))
    o = SideOutlook(t, 0, Averages())
    near, far = (potential(o, 0, 1, d * INCH, "none", (), False) for d in (8, 17))
    soft, hard = (potential(o, 0, 1, 8 * INCH, cover, (), False) for cover in ("soft", "hard"))
    assert near > far > 0
    assert near == soft > hard  # armour of 5+ equals soft cover


def test_a_launcher_is_held_for_armour() -> None:
    armed = squad(0, "regular", 10, 10, weapons=["rpg"])
    t = scene(armed, squad(1, "regular", 10, 18), machine(1, "apc", 40, 44))
    o = SideOutlook(t, 0, Averages())
    with_it = Shoot(0, (("rpg", 1), ("rifle", 1)))
    assert harm_of(o, with_it) < harm_of(SideOutlook(scene(armed, squad(1, "regular", 10, 18)), 0, Averages()), with_it)


def test_no_fire_is_called_on_its_own() -> None:
    caller = squad(0, "regular", 10, 10, models=2, spotter=True)
    apart_, close = squad(1, "regular", 10, 34), squad(1, "regular", 10, 16)
    friend = squad(0, "regular", 10, 18)
    worth = []
    for enemy, besides in ((apart_, squad(0, "regular", 40, 4)), (close, friend)):
        t = scene(caller, enemy, besides)
        plan = Plan(SideOutlook(t, 0, Averages()), 0)
        worth.append(plan.shells(CallFire(0, t.models[t.units[1].models[0]].at or (0, 0), 1)))
    assert worth[0] > 0 > worth[1]


def plans(t: Firefight, unit: int = 0) -> dict[str, UnitChoice]:
    """Return the best plan for each way in which a unit may begin, by its name."""
    kinds: list[Kind] = ["move", "shoot", "overwatch", "assault", "smoke", "rally"]
    result: dict[str, UnitChoice] = {}
    for choice in Plan(SideOutlook(t, t.units[unit].side, Averages()), unit).choices(
        lambda first: what_may_follow(t, unit, first), kinds
    ):
        if choice.kind not in result or choice.value > result[choice.kind].value:
            result[choice.kind] = choice
    return result


def test_it_pins_before_it_assaults() -> None:
    result = plans(scene(squad(0, "assault", 24, 14, models=7), squad(1, "regular", 24, 20, models=6)))
    assert result["shoot assault"].value > max(result["assault"].value, 0)
    assert result["shoot assault"].then == ("assault",)


def test_a_pinned_unit_rallies() -> None:
    t = scene(squad(0, "regular", 24, 12, pinned=True), squad(1, "regular", 24, 30))
    assert set(plans(t)) == {"rally"}


def under_overwatch(smoke: int) -> Firefight:
    """Return a squad whose open way to its objective is watched by two units behind walls."""
    walls = [block(f"wall {x}", "wall", x, 33, x + 6, 33.3) for x in (18, 26)]
    return scene(
        squad(0, "regular", 22, 11, models=6, gap=0.8),
        squad(1, "powered", 19, 33.8, models=6, gap=0.8),
        squad(1, "powered", 27, 33.8, models=6, gap=0.8),
        round=5,
        terrain=walls,
        first=1,
        smoke=[smoke, 0],
        tokens={1: ("fire", "fire"), 2: ("fire", "fire")},
        field={"goal": "meeting", "turns": 6, "objectives": (Objective(at=at(24, 19), name="Crossing"),)},
    )


def test_smoke_is_laid_before_open_ground_is_crossed_under_overwatch() -> None:
    result = plans(under_overwatch(2))
    with_smoke = max(result.values(), key=lambda c: c.value)
    assert with_smoke.kind in ("smoke move", "move smoke")
    assert not {"smoke move", "move smoke", "shoot smoke"} & set(plans(under_overwatch(0)))


def test_danger_is_shared_among_those_who_are_seen_and_less_so_by_the_weaker() -> None:
    mine, foe = squad(0, "regular", 10, 10), squad(1, "regular", 20, 26)
    alone = SideOutlook(scene(mine, foe), 0, Averages())
    beside = SideOutlook(scene(mine, foe, squad(0, "regular", 30, 10)), 0, Averages())
    outgunned = SideOutlook(
        scene(mine, foe, squad(0, "regular", 30, 10, models=2), squad(1, "regular", 30, 26, models=10)), 0, Averages()
    )
    place = at(13, 10)
    assert beside.danger(0, place) < alone.danger(0, place)
    assert beside.outgunned == 0 < outgunned.outgunned


def test_losses_leave_a_unit_that_hangs_together() -> None:
    """In a rank with gaps of nearly an inch, only the models at the ends may be removed, the machine gunner last."""
    t = scene(
        squad(0, "regular", 10, 10, models=6, gap=1.5, weapons=["light-machine-gun"]), squad(1, "regular", 10, 30)
    )
    lost = Heuristic().falls(WhoFalls(side=0, unit=0, among=t.units[0].models, lost=3), t, Seeded(1))
    assert lost.models == (3, 4, 5)
    twin = scene(squad(0, "regular", 10, 10, models=6, gap=1.5), squad(1, "regular", 10, 30))
    lost = Heuristic().falls(WhoFalls(side=0, unit=0, among=(0, 1, 2, 3), lost=2), twin, Seeded(1))
    assert lost.models == (0, 1)


# --- goals of the mission -------------------------------------------------------------------------------------------


def lying(turn: int) -> Firefight:
    """Return a pilot in the middle of the table, with a squad and a launcher team of South 12 inches away."""
    return scene(
        squad(0, "regular", 24, 12),
        squad(0, "regular", 30, 12, models=3, weapons=["rpg"]),
        squad(1, "regular", 24, 44),
        round=turn,
        field={"goal": "pilot", "turns": 6, "exits": True},
        pilot=Pilot(at=at(24, 24)),
    )


def test_the_pilot_is_fetched_while_he_can_be_brought_home_and_the_more_urgently_the_later() -> None:
    tasks = [SideOutlook(lying(turn), 0, Averages()).tasks[0] for turn in range(1, 7)]
    pulls = [task.inch for task in tasks[:4]]
    assert pulls == sorted(pulls)
    assert pulls[0] < pulls[-1]
    assert all(task.there > 0 and task.near < INCH for task in tasks[:4])
    # Two Moves to the pilot and four Moves home are more than turns five and six allow.
    assert not any(task.there for task in tasks[4:])


def holding(turn: int) -> Firefight:
    """Return a defender 13 inches from the crossroads, out of the attacker's sight."""
    return scene(
        squad(1, "regular", 24, 44),
        squad(0, "regular", 22, 9, models=6, gap=0.8),
        round=turn,
        active=0,
        first=1,
        terrain=[block("barn", "building", 8, 30, 40, 34)],
        field={"goal": "crossroads", "turns": 6, "defender": 0, "objectives": (Objective(at=at(24, 24), name="X"),)},
    )


def test_a_defender_is_at_the_crossroads_when_it_counts_and_not_before() -> None:
    tasks = [SideOutlook(holding(turn), 0, Averages()).tasks[1] for turn in range(1, 7)]
    pulls = [task.inch for task in tasks]
    assert pulls == sorted(pulls)
    assert pulls[0] < pulls[-1]
    assert [bool(task.there) for task in tasks] == [False] * 5 + [True]
    last = max(plans(holding(6), 1).values(), key=lambda c: c.value)
    assert last.then[:1] == ("move",) or last.kind.startswith("move")


def test_what_models_are_worth_ends_with_the_game() -> None:
    worth = [SideOutlook(holding(turn), 0, Averages()).stake(1).model for turn in (1, 4, 5, 6)]
    assert worth == sorted(worth, reverse=True)
    assert worth[0] > 2 * worth[-1] > 0
    first_to_act, last_to_act = SideOutlook(holding(6), 0, Averages()), SideOutlook(holding(6), 1, Averages())
    assert first_to_act.danger(1, at(24, 20)) == 0, "nobody shoots at it any more"
    assert last_to_act.turns_of(0) == 0


def test_who_acts_second_keeps_back_what_would_be_struck(tmp_path: Path) -> None:
    held = Path(str(files("caltrop.scenarios"))) / "squad_action" / "hold-the-crossroads.yaml"
    bare = tmp_path / "bare.yaml"
    bare.write_text(held.read_text(encoding="utf-8").replace("held-village", "border-village"), encoding="utf-8")
    assert bare.read_bytes() != held.read_bytes(), "the ruins by the crossroads hide all who hold them"
    match = setting(str(bare)).begin(Seeded(4), keep=False)
    player_, stored = Heuristic(), 0
    while (asked := match.waiting[0]).side == 1 or not isinstance(asked, DeployUnit):
        answer = player_.decide(asked, match.view(asked.side), Seeded(1))
        stored += isinstance(answer, KeepBack)
        match.follow(asked, answer)
    assert stored == 1, "as many as may be"


def test_what_the_first_turn_strikes_hangs_on_sight_and_on_how_far_it_is() -> None:
    match = setting("hold-the-crossroads").begin(Seeded(4), keep=False)
    t: Any = match.state.clone()
    t.first = 0
    defender, o = Heuristic(), SideOutlook(t, 1, Averages())
    unit = next(u.id for u in t.units if u.side == 1 and u.on_foot)
    near, far, within = (defender._struck(o, unit, at(*place)) for place in ((24, 14), (24, 34), (12, 18)))
    assert near > far > 0, "rifles hit less often so far away"
    assert within == 0, "nobody sees so deep into the ruins"


def test_who_will_be_shot_counts_less_on_its_next_turn() -> None:
    mine, foe, others = squad(0, "regular", 10, 10), squad(1, "regular", 20, 26), squad(1, "regular", 8, 26, models=9)
    place = at(13, 10)

    def lost(o: SideOutlook) -> int:
        return o.lure(0, place) - o.danger(0, place) - o.value(0, place)

    one, two = (SideOutlook(scene(mine, *foes), 0, Averages()) for foes in ((foe,), (foe, others)))
    assert lost(two) > lost(one) > 0
    assert lost(SideOutlook(scene(mine, foe, others), 0, Averages(), wary=False)) == 0


# --- counting blunders ---------------------------------------------------------------------------------------------


def test_blunders_are_counted_by_their_side() -> None:
    spotters = squad(0, "conscript", 10, 10, models=3, spotter=True)
    t = scene(spotters, squad(0, "regular", 10, 18, weapons=["rpg"]), squad(1, "elite", 10, 20, models=9),
              machine(1, "apc", 14, 28))  # fmt: skip
    watch = Silly()
    decision = WhoFalls(side=0, unit=0, among=(), lost=1)
    watch.see(decision, t, CallFire(0, at(10, 20), 2), t)
    watch.see(decision, t, Shoot(1, (("rpg", 2), ("rifle", 2))), t)
    watch.see(decision, t, Shoot(1, (("rpg", 3), ("rifle", 2))), t)
    watch.see(decision, t, Assault(0, (2,), ()), t)
    watch.see(decision, t, Assault(1, (2,), ()), t)
    watch.see(decision, t, EndTurn(), t)
    assert watch.counts[0] == {"fire on its own": 1, "launcher wasted": 1, "hopeless assault": 1, "idle unit": 2}
    assert not any(watch.counts[1].values())


def test_a_watcher_wants_to_see_where_the_enemy_has_to_come() -> None:
    mill = block("mill", "building", 16, 14, 32, 18)
    t = scene(squad(0, "regular", 24, 8, 6), squad(1, "regular", 10, 30, 6), terrain=[mill])
    t.field = msgspec.structs.replace(t.field, goal="meeting", objectives=(Objective(at=at(10, 12)),))
    o = SideOutlook(t, 0, Averages())
    assert all(place[1] < at(10, 30)[1] for place in o.comes(1)), "on its way south"
    corner, behind = at(14, 8), at(24, 12)
    assert o.ambush(0, corner) > 0
    assert o.ambush(0, behind) == 0
    plan = Plan(o, 0)
    assert plan.watch_worth(corner, 2) > plan.watch_worth(corner, 1) > plan.watch_worth(behind, 2)
    first = o.danger(0, corner)
    assert first > o.danger(0, behind), "where it is not seen from the way it is safer"
    t.first = 1
    assert o.danger(0, corner) > first, "who acts second is shot at first"


# --- weights ----------------------------------------------------------------------------------------------------------


def seen_by(t: Firefight, side: int = 0, **weights: int) -> SideOutlook:
    """Return the judgement of a side whose values differ from the veteran's."""
    return SideOutlook(t, side, Averages(), weights=msgspec.structs.replace(VETERAN, **weights))


def test_the_veterans_weights_stay_what_its_proofs_were_played_with() -> None:
    assert crc32(msgspec.json.encode(VETERAN)) == 1792937747, "tuned weights are another player's"


def test_a_style_is_what_danger_and_the_mission_count_beside_what_is_done_to_the_enemy() -> None:
    assert VETERAN.styled(PLAIN) == VETERAN
    bold, careful, objective = (VETERAN.styled(STYLES[name]) for name in ("bold", "careful", "objective"))
    assert bold.risk_second < VETERAN.risk_second < careful.risk_second
    assert bold.objective_inch < VETERAN.objective_inch < objective.objective_inch
    assert bold.launcher == VETERAN.launcher == objective.launcher
    made: Any = player("veteran+careful", GAME)
    assert made.weights == careful
    assert "careful" not in playable(GAME)
    assert "veteran+careful" in playable(GAME)
    assert "recruit+careful" in playable(GAME)


def test_every_weight_that_is_tuned_makes_another_player() -> None:
    assert TUNABLE.start == VETERAN
    assert set(SPREAD) <= set(Weights.__struct_fields__)
    assert all(spread > 0 for spread in SPREAD.values())
    assert TUNABLE.make(msgspec.structs.replace(VETERAN, spring=7))().weights.spring == 7  # type: ignore[attr-defined]


def test_what_goes_by_turns_is_read_turn_by_turn() -> None:
    assert [VETERAN.lasts(turns) for turns in (0, 1, 2, 3, 9)] == [15, 55, 80, 100, 100]
    assert [VETERAN.left(turns) for turns in (0, 1, 2, 9)] == [800, 500, 200, 200]
    assert [VETERAN.drives(turns) for turns in (0, 4, 9)] == [(3, 1600), (12, 200), (12, 200)]
    assert [VETERAN.pulls(spare) for spare in (-2, 0, 6, 9)] == [1400, 1400, 50, 50]
    assert [VETERAN.fetches(spare) for spare in (0, 5, 9)] == [500, 100, 100]
    halved = msgspec.structs.replace(VETERAN, pull=50, drive=50, fetch=50)
    assert (halved.pulls(0), halved.drives(0), halved.fetches(0)) == (700, (3, 800), 250)


def test_who_fears_more_finds_the_same_place_worse() -> None:
    t = scene(squad(0, "regular", 10, 10), squad(1, "regular", 20, 26))
    values = [seen_by(t, risk_first=risk).value(0, at(13, 10)) for risk in (0, 50, 80)]
    assert values[0] > values[1] > values[2]


def test_averages_that_are_kept_are_not_those_of_other_weights() -> None:
    t = scene(squad(0, "regular", 10, 10), squad(1, "regular", 10, 24))
    stored, dear = Averages(), msgspec.structs.replace(VETERAN, pinned=60)
    for weights in (VETERAN, dear):
        beside, alone = SideOutlook(t, 0, stored, weights=weights), SideOutlook(t, 0, Averages(), weights=weights)
        place = at(10, 10)
        assert beside.fire_from(0, place, False) == alone.fire_from(0, place, False)
    cheap = SideOutlook(t, 0, stored).fire_from(0, at(10, 10), False)
    assert cheap < SideOutlook(t, 0, stored, weights=dear).fire_from(0, at(10, 10), False)


def test_an_enemy_counts_by_what_it_could_do() -> None:
    t = scene(squad(0, "regular", 10, 10), squad(1, "regular", 10, 24), squad(1, "regular", 40, 44))
    views = [seen_by(t, threat=threat) for threat in (0, 50, 100)]
    harms = [o.fire_from(0, at(10, 10), False) for o in views]
    assert harms[0] < harms[1] < harms[2]
    near, far = (views[2].stake(unit).holds for unit in (1, 2))
    assert near > far
    assert views[0].stake(1).holds == 0


def test_who_has_lost_models_is_finished_rather() -> None:
    t = scene(squad(0, "regular", 24, 10), squad(1, "regular", 22, 26), squad(1, "regular", 26, 26))
    t.units[2] = msgspec.structs.replace(t.units[2], starting=2 * t.units[2].starting)
    plain, keen = seen_by(t), seen_by(t, focus=100)
    for target, more in ((1, 100), (2, 150)):
        before = plain.fire_from(0, at(24, 10), False, target)
        assert before > 0
        assert keen.fire_from(0, at(24, 10), False, target) == before * more // 100
    act = Shoot(0, (("rifle", 2),))
    assert harm_of(keen, act) == harm_of(plain, act) * 150 // 100


def meeting(scores: list[int]) -> Firefight:
    """Return a game in progress that objectives decide, with two squads in sight of each other."""
    return scene(
        squad(0, "regular", 10, 10),
        squad(1, "regular", 20, 26),
        round=3,
        scores=scores,
        field={"goal": "meeting", "turns": 6, "objectives": (Objective(at=at(40, 40), name="X"),)},
    )


def test_who_loses_by_waiting_dares_more() -> None:
    for name, one, other, waits in (("daring", 0, 2, -1), ("level", 1, 1, 0)):
        t = meeting([one, other])
        plain, bold = seen_by(t), seen_by(t, **{name: 40})
        assert plain.waits == waits
        assert bold.danger(0, at(13, 10)) == plain.danger(0, at(13, 10)) * 60 // 100 > 0
    for name in ("daring", "level"):
        t = meeting([2, 0])
        assert seen_by(t, **{name: 40}).danger(0, at(13, 10)) == seen_by(t).danger(0, at(13, 10))


def test_who_waits_wins_or_loses_by_the_mission() -> None:
    assert [seen_by(holding(3), side).waits for side in (0, 1)] == [1, -1]
    carried = lying(3)
    carried.pilot = Pilot(at=at(24, 24), unit=2)
    assert [seen_by(carried, side).waits for side in (0, 1)] == [-1, 1]
    assert [seen_by(lying(3), side).waits for side in (0, 1)] == [0, 0]


def test_the_stronger_side_dares_more() -> None:
    t = scene(squad(0, "regular", 10, 10), squad(0, "regular", 40, 4), squad(1, "regular", 20, 26))
    assert seen_by(t, 0, stronger=100).bold > 0 == seen_by(t, 1, stronger=100).bold
    assert seen_by(t, 0, stronger=100).danger(0, at(13, 10)) < seen_by(t).danger(0, at(13, 10))
    assert seen_by(t, 0, stronger=10**6).danger(0, at(13, 10)) == 0, "no less than nothing is feared"


def test_a_way_under_overwatch_costs_what_the_watchers_see_of_it() -> None:
    mine, foe = squad(0, "regular", 10, 10), squad(1, "regular", 16, 26)
    barn = block("barn", "building", 4, 20, 30, 22)
    watched = scene(mine, foe, tokens={1: ("fire",)})
    screened = scene(mine, foe, tokens={1: ("fire",)}, terrain=[barn])
    there = at(22, 10)
    assert seen_by(watched, crossing=100).crossing(0, there) > 0
    assert seen_by(watched).crossing(0, there) == 0
    assert seen_by(scene(mine, foe), crossing=100).crossing(0, there) == 0
    assert seen_by(screened, crossing=100).crossing(0, there) == 0
    plain, wary = (max(w.value for w in Plan(seen_by(watched, crossing=c), 0).ways()) for c in (0, 200))
    assert wary < plain


def test_an_assault_gains_by_a_friend_who_may_come_after_it() -> None:
    mine, foe = squad(0, "assault", 24, 14, models=7), squad(1, "regular", 24, 20, models=6)
    alone = scene(mine, foe)
    beside, away = (scene(mine, foe, squad(0, "assault", x, 14, models=7)) for x in (30, 6))
    cover: Cover = "none"
    for t, backed in ((alone, False), (away, False), (beside, True)):
        without, more = (Plan(seen_by(t, backed=part), 0).blows(1, cover) for part in (0, 100))
        assert (more > without) is backed


def test_places_beside_friends_may_cost() -> None:
    t = scene(squad(0, "regular", 10, 10), squad(0, "regular", 20, 10), squad(1, "regular", 10, 40))
    plain, roomy = seen_by(t), seen_by(t, crowded=300)
    assert roomy.lure(0, at(22, 11)) == plain.lure(0, at(22, 11)) - 300
    assert roomy.lure(0, at(13, 12)) == plain.lure(0, at(13, 12)), "it is not in its own way"
