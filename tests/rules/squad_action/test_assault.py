"""The approach of an assault: its length, fire at the assaulting units, joint assaults, and long fights (SQ-ACT-04)."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import msgspec
import pytest

import caltrop.rules.squad_action.shooting  # noqa: F401  it enters the kind of act that tokens use
from caltrop.asking import Wish
from caltrop.chance import Seeded
from caltrop.engine import Match
from caltrop.engine.store import digest, restored, stored
from caltrop.rules.squad_action.activation import PassUp
from caltrop.rules.squad_action.assault import Assault, FellShort, MoveIn, NextIn, StayBack, Storm
from caltrop.rules.squad_action.broken import Terror
from caltrop.rules.squad_action.casualties import MoraleChecked
from caltrop.rules.squad_action.catalogue import SUPPLIED, Lists, inches
from caltrop.rules.squad_action.close_quarters import CameToBlows, FightsGoOn
from caltrop.rules.squad_action.consolidation import HoldGround
from caltrop.rules.squad_action.initiative import RolledInitiative, StrikesSecond
from caltrop.rules.squad_action.movement import Move
from caltrop.rules.squad_action.overwatch import Forgo, Spring, TokenTurned
from caltrop.rules.squad_action.places import gap
from caltrop.rules.squad_action.records import Fight, Firefight
from caltrop.rules.squad_action.rulebook import ruleset
from caltrop.rules.squad_action.scene import at, block, machine, scene, squad
from caltrop.rules.squad_action.striking import StruckByHand
from caltrop.rules.squad_action.under_fire import AimFire, AimTokens, FireAtThem, UnderFire
from caltrop.rules.squad_action.watching import first_sight
from caltrop.rules.squad_action.ways_in import reached
from tests.rules.squad_action.played import KindOf, every, now, one, play

ROUND = {"cqb_rounds": "one_per_turn"}
KIND = KindOf("assault")


def facing_off(away: Any = 5, rules: Any = ROUND, **fields: Any) -> Firefight:
    """Return two squads at a distance from edge to edge."""
    return scene(
        squad(0, "regular", 20, 20, 4),
        squad(1, "regular", 20, 20 + away + 0.6 if isinstance(away, (int, float)) else away, 4),
        rules=rules,
        **fields,
    )


def ahead(t: Firefight, unit: int, target: int, far: Any, **fields: Any) -> Assault:
    """Return an assault in which all models go straight ahead."""
    paths = []
    for m in t.units[unit].models:
        x, y = t.models[m].at or (0, 0)
        paths.append((m, ((x, y), (x, y + inches(far)))))
    return Assault(unit, (target,), tuple(paths), **fields)


def code(t: Firefight, act: Any) -> str:
    """Return the code of a refusal, whose nearest act is legal."""
    refusal = KIND.refusal(t, act, False)
    if refusal is None:
        return ""
    assert refusal.nearest is None or KIND.refusal(t, refusal.nearest, False) is None
    return refusal.code


@pytest.mark.clause("SQ-W52", "SQ-CQB-01", "SQ-ORG-42", "SQ-ORG-44", "SQ-Q18", "SQ-ACT-04")
@pytest.mark.house("assault_reach", "trigger_2", "all_within_3")
def test_within_two_inches_they_come_to_blows() -> None:
    near, far = facing_off(8), facing_off(8.5)
    match = play(near, Storm(act=ahead(near, 0, 1, 6)), 1, (1,) * 5, (1,) * 4)
    assert one(match, CameToBlows).defenders == (1,)
    assert gap(now(match), 0, 1) <= 2
    short = play(far, Storm(act=ahead(far, 0, 1, 6)))
    assert one(short, FellShort).unit == 0
    assert gap(now(short), 0, 1) == inches(2.5)
    assert not every(short, CameToBlows)
    strict = facing_off(8.5, {"assault_reach": "all_within_3"})
    assert code(strict, ahead(strict, 0, 1, 6)) == ""
    assert code(strict, ahead(strict, 0, 1, 5)) == "not-all-near"


@pytest.mark.clause("SQ-Q18", "SQ-ORG-42")
def test_how_near_is_near_enough() -> None:
    book = ruleset.book(None, None)
    strict = ruleset.book(None, {"assault_reach": "all_within_3"})
    assert reached(book, ((508, 900), (509, 900))) == (True, False)
    assert reached(strict, ((762, 600),)) == (True,)
    assert reached(strict, ((763, 600),)) == (False,)
    assert reached(strict, ((763, 600), (10, 900))) == (True, True)
    assert reached(strict, ((10, 762), (762, 900))) == (True, True)
    assert reached(strict, ((10, 762), (763, 900))) == (True, False)


@pytest.mark.clause(
    "SQ-Q18",
    "SQ-Q61",
    "SQ-Q55",
    "SQ-Q08",
    "SQ-S23",
    "SQ-Q48",
    "SQ-Q26",
    "SQ-ORG-13",
    "SQ-CQS-10",
    "SQ-ACT-04",
    "SQ-S51",
)
def test_which_assaults_are_not_allowed() -> None:
    t = facing_off(5)
    assert code(t, ahead(t, 0, 1, 4)) == ""
    assert code(t, ahead(t, 0, 1, "6.1")) == "too-far-in"
    assert code(t, Assault(0, (), ())) == code(t, Assault(0, (1, 1), ())) == "number-of-targets"
    assert code(t, Assault(0, (0,), ())) == code(t, Assault(0, (9,), ())) == "no-enemy"
    for fields, why in (
        ({"pinned": True}, "pinned"),
        ({"broken": True}, "broken"),
        ({"locked": (1,)}, "fighting"),
        ({"dazed": True, "activated": True}, "dazed"),
    ):
        other = t.clone()
        other.change(0, **fields)
        assert code(other, ahead(other, 0, 1, 4)) == why
        assert not list(KIND.acts(other, 0, False))
    away = t.clone()
    away.change(0, where="reserve")
    assert code(away, ahead(t, 0, 1, 4)) == "not-on-table"
    busy = t.clone()
    busy.change(1, locked=(0,))
    assert code(busy, ahead(busy, 0, 1, 4)) == "no-target"
    stuck = scene(machine(0, "walker", 20, 20, immobile=True), squad(1, "regular", 20, 24, 4))
    assert code(stuck, Assault(0, (1,), ())) == "immobile"
    walker = msgspec.structs.replace(SUPPLIED.vehicles["walker"], cqb=0)
    harmless = scene(
        machine(0, "walker", 20, 20),
        squad(1, "regular", 20, 24, 4),
        field={"lists": Lists(vehicles={"walker": walker})},
    )
    assert code(harmless, Assault(0, (1,), ())) == "no-weapon"
    apart = t.clone()
    apart.put({0: (200, 200)})
    assert code(apart, ahead(apart, 0, 1, 4)) == "split"
    machines = scene(machine(0, "apc", 20, 20), machine(1, "gunship", 20, 24), squad(0, "regular", 24, 20, 2))
    assert code(machines, Assault(0, (1,), ())) == "not-by-machine"
    assert code(machines, Assault(2, (1,), ())) == "not-a-flyer"
    pair = scene(squad(0, "regular", 20, 20, 2), squad(1, "regular", 20, 24, 2), squad(1, "regular", 20, 32, 2))
    far = KIND.refusal(pair, Assault(0, (1, 2), ahead(pair, 0, 1, 3).paths), False)
    assert far is not None
    assert far.code == "falls-short"
    assert far.values["need"] == inches(2)


@pytest.mark.clause("SQ-Q18", "SQ-S10", "SQ-S18")
def test_difficult_ground_counts_double_and_short_assaults_keep_off() -> None:
    t = facing_off(8, terrain=[block("w", "rough", 10, 18, 30, 30)])
    assert code(t, ahead(t, 0, 1, 3)) == ""
    assert code(t, ahead(t, 0, 1, "3.1")) == "too-far-in"
    third = scene(squad(0, "regular", 20, 20, 1), squad(1, "regular", 20, 30, 1), squad(1, "regular", 22, 23, 1))
    assert code(third, ahead(third, 0, 1, 3)) == "too-near"


def fire_on(t: Firefight, act: Assault, *dice: Any, times: int = 1) -> Any:
    """Play an assault in which the assaulted unit fires in the first possible way."""
    match = play(t, Storm(act=act), *dice)
    for _ in range(times):
        (decision,) = match.waiting
        assert isinstance(decision, FireAtThem)
        assert Forgo() not in decision.options(now(match))
        match.play(decision.side, decision.options(now(match)).first())
    return match


FOUGHT: tuple[Any, ...] = (1, (1,) * 5, (1,) * 4)
"""Dice of a round in the open without hits."""


@pytest.mark.clause("SQ-CQS-01", "SQ-Q19", "SQ-Q48")
@pytest.mark.parametrize(("tokens", "fires"), [(("fire",), 1), (("fire", "fire"), 2), (("fire", "move"), 1)])
def test_the_assaulted_fire_every_fire_token(tokens: tuple[str, ...], fires: int) -> None:
    t = facing_off(5, tokens={1: tokens})
    match = fire_on(t, ahead(t, 0, 1, 4), *[(1,) * 4] * fires, *FOUGHT, times=fires)
    assert [e.face for e in every(match, TokenTurned)] == ["fire"] * fires
    assert one(match, CameToBlows).assaulters == (0,)
    assert 1 not in now(match).tokens
    assert now(match).units[1].watching == 0


@pytest.mark.clause("SQ-CQS-01", "SQ-CQS-04", "SQ-Q48", "SQ-Q76")
def test_move_tokens_are_spent_and_it_was_on_overwatch_all_the_same() -> None:
    wall = block("wall", "wall", 19, "24.9", 30, "25.1")
    t = facing_off(5, tokens={1: ("move", "move")}, terrain=[wall])
    match = play(t, Storm(act=ahead(t, 0, 1, 3)), 4, 4, 1, (1,) * 5, (1,) * 4)
    assert not every(match, TokenTurned)
    assert [e.face + sum(p.value for p in e.parts) for e in every(match, RolledInitiative)] == [5, 5]
    assert not every(match, StrikesSecond)


@pytest.mark.clause("SQ-W23", "SQ-CQS-01", "SQ-CQS-02", "SQ-CQS-03", "SQ-Q19")
@pytest.mark.parametrize(("die", "stopped"), [(4, True), (5, False)])
def test_fire_may_stop_an_assault(die: int, stopped: bool) -> None:
    t = scene(squad(0, "regular", 20, 20, 8), squad(1, "regular", 20, "25.6", 4), tokens={1: ("fire",)}, rules=ROUND)
    match = fire_on(t, ahead(t, 0, 1, 4), (6, 6, 1, 1), (1, 1))
    falls = match.waiting[0].options(now(match)).first()
    match.dice.rolls.extend([(die,), *([] if stopped else [(1,), (1,) * 7, (1,) * 4])])
    match.play(0, falls)
    checked = one(match, MoraleChecked)
    assert (checked.passed, sum(p.value for p in checked.parts)) == (not stopped, -2)
    assert bool(every(match, CameToBlows)) is not stopped
    assert now(match).units[0].pinned is stopped
    if stopped:
        assert gap(now(match), 0, 1) == inches(5)


@pytest.mark.clause("SQ-CQS-01", "SQ-S31")
def test_who_would_see_them_only_after_the_assaulted_does_not_break_in_first() -> None:
    t = scene(
        squad(0, "regular", 20, 20, 1), squad(1, "regular", 27, 30, 1), squad(1, "regular", 20, 30, 1),
        terrain=[block("shed", "building", 10, 22, 24, 23)], tokens={1: ("fire",), 2: ("fire",)},
    )  # fmt: skip
    paths = ((0, (at(20, 20), at(30, 20))),)
    first, later = (first_sight(t, watcher, 0, paths, 0) for watcher in (1, 2))
    assert first is not None
    assert later is not None
    assert 0 < first < later
    match = play(t, UnderFire(actor=0, act=Move(0, paths), paths=paths, alert=(1,)))
    assert isinstance(match.waiting[0], FireAtThem)
    assert now(match).models[0].at == (at(20, 20)[0] + first, at(20, 20)[1]), "it stands where it was seen first"


# --- several together -------------------------------------------------------------------------------------------------


def two_on_one(**fields: Any) -> Firefight:
    """Return two squads of South before one of North."""
    return scene(
        squad(0, "regular", 17, 20, 3),
        squad(0, "regular", 21, 20, 3),
        squad(1, "regular", 19, 25, 3),
        rules=ROUND,
        **fields,
    )


def together(t: Firefight) -> Assault:
    """Carry out a joint assault as it is listed."""
    assault: Assault = next(a for a in KIND.acts(t, 0, False) if a.partners == (1,))
    return assault


@pytest.mark.clause("SQ-CQS-07", "SQ-Q25")
@pytest.mark.parametrize(
    ("friends", "expected"),
    [
        (1, [(), (2,)]),
        (2, [(), (2,), (3,), (2, 3)]),
        (3, [(), (2,), (3,), (4,), (2, 3), (2, 4), (3, 4), (2, 3, 4)]),
    ],
)
def test_any_number_of_friends_is_offered_as_partners(friends: int, expected: list[tuple[int, ...]]) -> None:
    more = [squad(0, "regular", x, 20, 2) for x in (16, 24, 12)[:friends]]
    t = scene(squad(0, "regular", 20, 20, 2), squad(1, "regular", 20, 25, 2), *more)
    acts = [offer.action for offer in KIND.offers(t, 0)]
    assert [act.partners for act in acts] == expected
    assert [act for act in acts if KIND.refusal(t, act) is not None] == []


@pytest.mark.clause("SQ-CQS-07", "SQ-Q25")
def test_of_many_friends_pairs_and_the_nearest_are_offered() -> None:
    """Ten friends have 1,013 choices of several partners. A choice that is not offered is legal too."""
    places = [(x, y) for y in (22, 19) for x in (16, 18, 22, 24, 26)]
    more = [squad(0, "regular", x, y, 1) for x, y in reversed(places)]
    t = scene(squad(0, "regular", 20, 20, 2), squad(1, "regular", 20, 25, 2), *more)
    nearest = sorted(range(2, 12), key=lambda friend: gap(t, friend, 1))
    acts = [offer.action for offer in KIND.offers(t, 0)]
    sizes = Counter(len(act.partners) for act in acts)
    assert sizes == {0: 1, 1: 10, 2: 45} | dict.fromkeys(range(3, 11), 1)
    assert [act.partners for act in acts if len(act.partners) > 2] == [tuple(nearest[:n]) for n in range(3, 11)]
    assert [act for act in acts if KIND.refusal(t, act) is not None] == []
    others = msgspec.structs.replace(acts[-1], partners=tuple(nearest[-5:]))
    assert others not in acts
    assert KIND.refusal(t, others) is None


@pytest.mark.clause("SQ-CQS-07", "SQ-CQS-08", "SQ-Q25", "SQ-ORG-43")
def test_partners_are_activated_together_and_move_in_by_choice() -> None:
    t = two_on_one()
    match = play(t, Storm(act=together(t)))
    (first,) = match.waiting
    assert first.side == 0
    assert now(match).units[1].activated
    match.play(0, PassUp())
    (decision,) = match.waiting
    assert isinstance(decision, NextIn)
    assert decision.coming == (0, 1)
    options = decision.options(now(match))
    second = next(a for a in options if a.unit == 1 and isinstance(a, MoveIn))
    assert StayBack(0) in options
    match.play(0, second)
    rest = match.waiting[0].options(now(match))
    match.dice.rolls.extend([(1,), (1,) * 4, (1,), (1,) * 4])  # type: ignore[attr-defined]
    match.play(0, next(a for a in rest if isinstance(a, MoveIn)))
    assert one(match, CameToBlows).assaulters == (0, 1)


@pytest.mark.clause("SQ-Q25")
def test_if_only_one_comes_it_is_an_ordinary_assault() -> None:
    t = two_on_one()
    match = play(t, Storm(act=together(t)), answers=[PassUp(), StayBack(0)])
    match.dice.rolls.extend([(1,), (1,) * 4, (1,) * 3])  # type: ignore[attr-defined]
    match.play(0, next(a for a in match.waiting[0].options(now(match)) if isinstance(a, MoveIn)))
    assert one(match, CameToBlows).assaulters == (1,)


@pytest.mark.clause("SQ-Q25", "SQ-CQS-01")
def test_fire_tokens_are_aimed_at_one_of_them_or_kept() -> None:
    t = two_on_one(tokens={2: ("fire", "fire")})
    match = play(t, Storm(act=together(t)), answers=[PassUp()])
    match.play(0, match.waiting[0].options(now(match)).first())
    (decision,) = match.waiting
    assert isinstance(decision, AimTokens)
    assert set(decision.options(now(match))) == {AimFire(0), AimFire(1), AimFire(2)}
    more = decision.options(now(match)).refusal(AimFire(3))
    assert more is not None
    assert more.code == "not-so-many"
    match.play(1, AimFire(0))
    match.play(0, next(a for a in match.waiting[0].options(now(match)) if isinstance(a, MoveIn)))
    assert isinstance(match.waiting[0], FireAtThem)
    assert match.waiting[0].target == 1


@pytest.mark.clause("SQ-CQS-07", "SQ-CQS-08")
def test_who_may_be_a_partner() -> None:
    t = two_on_one()
    act = together(t)
    done_with = t.clone()
    done_with.change(1, activated=True)
    assert code(done_with, act) == "partner-done"
    assert code(t, Assault(0, (2,), act.paths, partners=(0,))) == "no-partner"
    assert code(t, Assault(0, (2,), act.paths, partners=(2,))) == "no-partner"
    more = scene(
        *[squad(side, "regular", x, y, 3) for side, x, y in ((0, 17, 20), (0, 21, 20), (1, 17, 25), (1, 21, 25))]
    )
    assert code(more, Assault(0, (2, 3), ahead(more, 0, 2, 4).paths, partners=(1,))) == "one-target"


@pytest.mark.clause("SQ-Q87", "SQ-Q25", "SQ-S45", "SQ-S47")
@pytest.mark.parametrize(
    ("far", "fields", "rules", "refused"),
    [
        (8, {}, {}, ""),
        ("8.01", {}, {}, "dazed"),
        (8, {"pinned": True}, {}, "pinned"),
        (8, {}, {"actions_per_activation": 1}, "no-partner"),
        (8, {"where": "reserve", "due": True, "carrier": None}, {}, ""),
        (8, {"where": "reserve", "carrier": None}, {}, "no-partner"),
        (8, {"where": "gone", "carrier": None}, {}, "no-partner"),
    ],
)
def test_a_partner_may_come_onto_the_table_first(
    far: Any, fields: dict[str, Any], rules: dict[str, Any], refused: str
) -> None:
    t = scene(
        squad(0, "regular", 20, 6, 4),
        machine(0, "apc", 26, 6, activated=True, travelled=inches(far)),
        squad(0, "regular", 0, 0, 4, **{"where": "aboard", "carrier": 1, **fields}),
        squad(1, "regular", 20, 11, 4),
        rules=rules,
        round=2,
    )
    act = Assault(0, (3,), ahead(t, 0, 3, 3).paths, partners=(2,))
    assert code(t, act) == refused
    assert any(a.partners == (2,) for a in KIND.acts(t, 0, False)) is not bool(refused)


@pytest.mark.clause("SQ-Q87", "SQ-ORG-10")
def test_a_partner_that_has_arrived_enters_and_does_not_pass_it_up() -> None:
    t = scene(
        squad(0, "regular", 20, 6, 4),
        squad(0, "regular", 0, 0, 4, where="reserve", due=True),
        squad(1, "regular", 20, 11, 4),
        round=2,
    )
    act = next(a for a in KIND.acts(t, 0, False) if a.partners)
    match = play(t, act.procedure(t))
    options = match.waiting[0].options(now(match))
    refusal = options.refusal(PassUp())
    assert refusal is not None
    assert refusal.code == "enters-first"
    assert PassUp() not in list(options)
    entries = [options.sample(Seeded(n)) for n in range(20)]
    assert entries
    assert all(isinstance(entry, Move) and entry in options for entry in entries)
    match.play(0, entries[0])
    assert now(match).units[1].in_play
    assert isinstance(match.waiting[0], NextIn)


# --- from turn to turn ------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-Q48")
@pytest.mark.house("cqb_rounds", "one_per_turn")
def test_a_round_now_and_one_at_the_end_of_each_later_turn() -> None:
    t = facing_off(5)
    match = play(t, Storm(act=ahead(t, 0, 1, 4)), *FOUGHT)
    after = now(match)
    assert (after.units[0].locked, after.units[1].locked) == ((1,), (0,))
    assert after.fights == [Fight(assaulters=(0,), defenders=(1,), covers=("none",), rounds=1)]
    same_turn = play(after, FightsGoOn())
    assert not every(same_turn, StruckByHand)
    later = play(now(same_turn), FightsGoOn(), 6, 1, (1,) * 4, (1,) * 4)
    assert [len(e.faces) for e in every(later, StruckByHand)] == [4, 4]
    assert now(later).fights[0].rounds == 2
    assert not now(later).fights[0].fresh


# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ACT-04", "SQ-Q18")
def test_what_is_listed_is_legal_and_a_drag_onto_an_enemy_is_the_way_to_him() -> None:
    t = two_on_one()
    acts = list(islice(KIND.acts(t, 0, False), 12))
    assert acts
    assert all(KIND.refusal(t, act, False) is None for act in acts)
    assert next(o.words for o in KIND.offers(t, 0, False)).startswith("Assault North 2, ")
    drag = KIND.propose(t, Wish(unit=0, to=t.models[6].at), False)
    assert drag is not None
    assert drag.action in acts
    assert KIND.propose(t, Wish(unit=0, to=(100, 100)), False) is None
    far = facing_off(12)
    refused = KIND.propose(far, Wish(unit=0, to=far.models[4].at), False)
    assert refused is not None
    assert refused.refusal is not None
    assert refused.refusal.code == "falls-short"


@pytest.mark.clause("SQ-Q18", "SQ-Q63")
def test_whatever_is_chosen_can_be_played_and_stored() -> None:
    t = two_on_one(tokens={2: ("fire", "move")})
    for seed in range(6):
        for act in KIND.acts(t, 0, False):
            start = t.clone()
            start.stack = [Storm(act=act)]
            match = Match(ruleset, start, Seeded(seed))
            for n in range(80):
                if not match.waiting:
                    break
                decision = match.waiting[0]
                options = decision.options(match.view(decision.side))
                choice = options.sample(Seeded(seed + n))
                assert choice in options
                match.play(decision.side, choice)
            assert not match.waiting


@pytest.mark.clause("SQ-Q25")
def test_a_multiple_assault_is_stored_between_two_questions() -> None:
    t = two_on_one(tokens={2: ("fire",)})
    match = play(t, Storm(act=together(t)), answers=[PassUp()])
    for _ in range(2):
        again = restored(ruleset, t.book, stored(match.state))
        assert again.stack == match.state.stack
        assert again.asked == match.state.asked
        assert digest(again) == digest(match.state)
        match.play(match.waiting[0].side, match.waiting[0].options(now(match)).first())


@pytest.mark.clause("SQ-Q85", "SQ-Q48", "SQ-S23", "SQ-TRT-17")
@pytest.mark.parametrize(("away", "gets_away"), [("0.7", False), ("3.5", True)])
def test_who_runs_out_of_a_lasting_fight_is_in_it_no_longer(away: str, gets_away: bool) -> None:
    t = scene(
        squad(0, "regular", 20, 20, 4, locked=(1,)),
        squad(1, "regular", 20, f"{20 + float(away)}", 4, locked=(0,)),
        squad(0, "elite", 28, 20, 3, traits=("terrifying",)),
        rules=ROUND,
    )
    t.fights.append(Fight(assaulters=(0,), defenders=(1,), covers=("soft",), rounds=1, fresh=False))
    after = now(play(t, Terror(unit=2), 1, 6)).clone()
    assert after.units[1].broken
    assert (after.units[0].locked, after.units[1].locked) == (((), ()) if gets_away else ((1,), (0,)))
    after.stack = []
    match = play(after, FightsGoOn())
    assert not now(match).fights
    assert now(match).units[1].in_play is gets_away
    assert [now(match).units[u].locked for u in (0, 1)] == [(), ()]
    # Nobody has won a fight out of which one side has fled, so nobody takes ground or is Pinned.
    assert bool(match.waiting) is not gets_away
    if match.waiting:
        match.play(0, HoldGround())
    assert now(match).units[0].pinned is not gets_away


@pytest.mark.clause("SQ-Q59", "SQ-Q26", "SQ-S10")
@pytest.mark.parametrize("targets", [(1, 2), (2,)])
def test_an_assault_goes_as_far_as_its_way_is_open_however_many_it_is_at(targets: tuple[int, ...]) -> None:
    """A watcher blocks the path. A unit that assaults two enemies moves as far as one that assaults a single enemy."""
    t = scene(
        squad(0, "regular", 20, 20, 3),
        squad(1, "regular", 17, 27, 3),
        squad(1, "regular", 22, 27, 3),
        squad(1, "regular", 28, 24, 3),
        tokens={3: ("move",)},
    )
    act = next(a for a in KIND.acts(t, 0) if sorted(a.targets) == sorted(targets))
    match = play(t, Storm(act=act))
    match.play(1, next(a for a in match.waiting[0].options(match.state) if isinstance(a, Spring)))
    places = {m: now(match).models[m].at or (0, 0) for m in now(match).units[3].models}
    match.play(1, Move(3, tuple([(m, ((x, y), (x - inches(6), y))) for m, (x, y) in places.items()])))
    gone = [(now(match).models[m].at or (0, 0))[1] - inches(20) for m in now(match).units[0].models]
    assert all(inches("1.3") <= far <= inches("1.5") for far in gone), gone
    assert gap(now(match), 0, 3) > inches(2)
    assert one(match, FellShort).unit == 0
