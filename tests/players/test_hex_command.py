"""The players of Hex Command do not see hidden cards, and avoid silly acts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any
from zlib import crc32

import msgspec
import pytest

from caltrop.chance import Dice, Seeded
from caltrop.engine import Decision, Match, redacted
from caltrop.journal import Setting
from caltrop.players import player
from caltrop.players.hex_command import PLAYERS, Heuristic
from caltrop.players.hex_command.blunders import KINDS, BlunderWatch, has_work
from caltrop.players.hex_command.features import NAMES, features
from caltrop.players.hex_command.outlook import SideOutlook
from caltrop.players.hex_command.plan import Plan
from caltrop.players.hex_command.weights import VETERAN, Weights
from caltrop.players.judgement import SOUND, Judgement
from caltrop.rules.hex_command import ruleset
from caltrop.rules.hex_command.attack import FallBack, Ignore, IgnoreRetreats, SurgeOrNot, SurgeShields
from caltrop.rules.hex_command.battling import (
    AmbushOrNot,
    ChooseBattle,
    EndBattles,
    Engage,
    SpringAmbush,
    StandFast,
    TakeGround,
    TakeGroundOrNot,
)
from caltrop.rules.hex_command.cards import Play
from caltrop.rules.hex_command.movement import EndMoves, March
from caltrop.rules.hex_command.orders import EndOrders, OrderUnit
from caltrop.rules.hex_command.records import Battle, Limit, Objective
from caltrop.rules.hex_command.turn import Game as Whole
from caltrop.rules.hex_command.turn import Turn
from tests.rules.hex_command.tables import battle, now

GAME = "hex-command"
QUICK = [name for name in PLAYERS if name not in ("commander", "marshal")]


def setting(scenario: str, rules: dict[str, Any] | None = None) -> Setting:
    return Setting(ruleset=GAME, edition="current", scenario=scenario, rules=rules or {})


def turn(t: Battle, seed: int = 1) -> list[Any]:
    """Play South's turn by the heuristic, which also answers for North; return South's acts."""
    match = Match(ruleset, t, Seeded(seed), keep=False)
    sides = [Heuristic(), Heuristic()]
    acts = []
    while match.waiting:
        asked = match.waiting[0]
        view = match.view(asked.side)
        action = sides[asked.side].decide(asked, view, Seeded(asked.side))
        assert asked.options(view).refusal(action) is None, (asked, action)
        if asked.side == 0:
            acts.append(action)
        match.follow(asked, action)
    return acts


def set_up(t: Battle, at: Any = None) -> Battle:
    t.stack = [at or Turn(side=0)]
    return t


def answer(t: Battle, decision: Decision) -> Any:
    return Heuristic().decide(decision, redacted(t, decision.side), Seeded(1))


# --- hidden cards --------------------------------------------------------------------------------------------------


def with_another_hand(t: Battle, side: int, dice: Dice) -> Battle:
    """Return the same battle with other cards in a side's hand, drawn from the deck in equal number."""
    twin = t.clone()
    hand = twin.hands[side] or ()
    unseen = sorted([*twin.deck(), *hand])
    taken = [unseen.pop(dice.below(len(unseen))) for _ in hand]
    twin.hands[side] = tuple(sorted(taken))
    return twin


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("scenario", ["crossroads", "hold-the-bastion"])
def test_no_answer_depends_on_the_other_hand(name: str, scenario: str) -> None:
    match = setting(scenario).begin(Seeded(f"twins {name}"), keep=False)
    sides = [player(name, GAME), player(name, GAME)]
    twins = [player(name, GAME), player(name, GAME)]
    shuffle, differed = Seeded("hands"), 0
    for n in range(90):
        if match.over is not None:
            break
        asked = match.waiting[0]
        assert isinstance(match.state, Battle)
        other = with_another_hand(match.state, 1 - asked.side, shuffle)
        differed += other.hands != match.state.hands
        action = sides[asked.side].decide(asked, match.view(asked.side), Seeded(n))
        assert twins[asked.side].decide(asked, redacted(other, asked.side), Seeded(n)) == action
        match.follow(asked, action)
    assert differed > 60


# --- positions --------------------------------------------------------------------------------------------------------


def test_it_takes_the_last_banner() -> None:
    t = battle("V-M E5", "I-M E3, I-M F4", hands=(["probe-centre"], []), banners=(1, 5))
    t.change(1, strength=1)
    assert Engage(0, 1) in turn(set_up(t))


@pytest.mark.parametrize(("held", "attacks"), [(0, True), (40, False)])
def test_it_attacks_at_arms_length_as_far_as_no_ambush_is_likely(held: int, attacks: bool) -> None:
    t = battle("I-L E5", "V-H E4", hands=((), ["scout-left"] * held))
    t.change(0, strength=1)
    t.change(1, strength=3)
    assert (SideOutlook(redacted(t, 0), 0).harm(t.units[0], t.units[1]) > 0) is attacks
    t.discards.append("ambush")
    assert SideOutlook(redacted(t, 0), 0).harm(t.units[0], t.units[1]) > 0


@pytest.mark.parametrize(("card", "south"), [("ambush", "V-M E5"), ("shield-surge", "G-H E6")])
def test_a_card_that_the_enemy_may_hold_counts_by_how_likely_that_is(card: str, south: str) -> None:
    def harm(*hand: str, discards: Sequence[str] = ()) -> int:
        t = battle(south, "G-L E4", hands=((), hand), discards=discards)
        return SideOutlook(redacted(t, 0), 0).harm(t.units[0], t.units[1])

    gone = [c for c in ("ambush", "shield-surge") if c != card]
    none, few, many = harm(discards=gone), harm(*["pincer"] * 5, discards=gone), harm(*["pincer"] * 40, discards=gone)
    assert none > few > many
    # The result does not depend on the real hand.
    assert harm(card, *["pincer"] * 4, discards=gone) == few
    # All cards are known, so no reaction needs to be feared.
    assert harm(*["pincer"] * 40, discards=[*gone, card]) == none


def test_where_the_limit_decides_no_card_is_feared() -> None:
    def harm(limit: Limit) -> int:
        t = battle("I-L E5", "V-H E4", hands=((), ["pincer"] * 40), limit=limit)
        return SideOutlook(redacted(t, 0), 0).harm(t.units[0], t.units[1])

    open_ended = harm(Limit(side=0, turns=9))
    assert harm(Limit(side=0, turns=9, winner=1)) > open_ended
    assert harm(Limit(side=0, turns=9, winner=0)) > open_ended


def test_it_plays_the_card_that_has_work() -> None:
    t = battle("V-M L5, I-M B9", "I-M L3, I-M L2", hands=(["attack-left", "probe-right", "scout-centre"], []))
    assert Play("probe-right") in turn(set_up(t))


def test_it_holds_an_objective() -> None:
    t = battle("I-M E5, I-M D7", "I-M E1, I-M F1", hands=(["attack-centre"], []), objectives=(Objective(hex="E5"),))
    t.captured["E5"] = 0
    acts = turn(set_up(t))
    assert not [a for a in acts if isinstance(a, March) and a.unit == 0]


def test_it_walks_onto_an_objective() -> None:
    t = battle("I-M E6, I-M D7", "I-M E1, I-M F1", hands=(["scout-centre"], []), objectives=(Objective(hex="E5"),))
    assert March(0, "E5") in turn(set_up(t))


def test_a_defender_does_not_leave_what_the_attacker_needs() -> None:
    t = battle(
        "I-H E5, I-M D7",
        "G-H E2, V-M F2",
        ground="citadel E5",
        hands=(["attack-centre"], []),
        objectives=(Objective(hex="E5", permanent=True, side=1),),
        limit=Limit(side=1, turns=12, winner=0),
    )
    assert not [a for a in turn(set_up(t)) if isinstance(a, March) and a.unit == 0]


def test_the_emperor_walks() -> None:
    t = battle("G-SH G5, L-L G5", "V-M A1", hands=(["scout-left"], []), always=0, exit=(0, 9), prize=0)
    marches = [a for a in turn(set_up(t)) if isinstance(a, March) and a.unit == 0]
    assert [m.to for m in marches] in (["F6"], ["G6"])


def test_the_hunters_would_rather_drive_the_emperor_back() -> None:
    """The same attack is worth more from the front, because it drives the Emperor back."""
    t = battle("V-M G7, V-M G3", "G-SH G5", exit=(2, 9), prize=2)
    outlook = SideOutlook(t, 0)
    assert outlook.harm(t.units[0], t.units[2]) > outlook.harm(t.units[1], t.units[2])


def test_a_leader_who_is_alone_joins_a_unit() -> None:
    t = battle("I-M E6, L-L E8, V-M F6", "I-M E3, I-M F3", hands=(["scout-centre"], []))
    acts = turn(set_up(t))
    assert OrderUnit(1) not in acts or next(a.to for a in acts if isinstance(a, March) and a.unit == 1) in ("E6", "F6")
    alone = battle("I-M E6, L-L E4", "I-M E3", hands=(["probe-centre"], []))
    marches = [a for a in turn(set_up(alone)) if isinstance(a, March) and a.unit == 1]
    assert [m.to for m in marches] == ["E6"]


def test_an_ambush_is_sprung_on_a_weak_attacker() -> None:
    t = battle("V-M E5", "I-M E4", hands=([], ["ambush"]))
    t.change(0, strength=1)
    decision = AmbushOrNot(side=1, unit=1, attacker=0)
    assert answer(t, decision) == SpringAmbush()


def test_shields_surge_when_the_machine_would_fall() -> None:
    t = battle("V-M E5", "G-L E4", hands=([], ["shield-surge"]))
    t.change(1, strength=1)
    assert answer(t, SurgeOrNot(side=1, unit=1, hits=1, dice=1)) == SurgeShields()


def test_a_unit_in_a_citadel_stands() -> None:
    t = battle("I-H E5", "V-M E3", ground="citadel E5", objectives=(Objective(hex="E5", permanent=True, side=1),))
    assert answer(t, IgnoreRetreats(side=0, unit=0, retreats=1, most=1)) == Ignore(1)


def test_ground_is_taken_for_an_objective_and_not_for_nothing() -> None:
    t = battle("I-M E5", "G-H E1, V-M C2", objectives=(Objective(hex="E4"),))
    assert answer(t, TakeGroundOrNot(side=0, unit=0, to="E4")) == TakeGround()
    covered = battle("I-M E5", "G-H D2, V-M C2, V-M F2", ground="ruins E5")
    assert answer(covered, TakeGroundOrNot(side=0, unit=0, to="E4")) == StandFast()


def test_a_walker_falls_back_as_little_as_it_can() -> None:
    t = battle("G-SH G5", "V-M G7", exit=(0, 9))
    decision = FallBack(side=0, unit=0, source="G7")
    to = answer(t, decision).to
    assert to in [a.to for a in decision.options(t)]


# --- the worth of positions
# --------------------------------------------------------------------------------------------


def test_the_veterans_weights_stay_what_its_proofs_were_played_with() -> None:
    assert crc32(msgspec.json.encode(VETERAN)) == 49895656, "tuned weights are another player's"
    blind = ("shared", "precious", "menace", "company", "again", "follow")
    assert [getattr(VETERAN, name) for name in blind] == [0] * len(blind)


class Anew(Heuristic):
    """A player that plans again for every answer."""

    def plan(self, t: Battle, side: int) -> Plan:
        return Plan(t, side, self.judgement, self.weights)


SEEING = msgspec.structs.replace(VETERAN, shared=40, precious=50, menace=20, company=4, again=40, follow=50)


@pytest.mark.parametrize("weights", [VETERAN, SEEING])
@pytest.mark.parametrize("scenario", ["godfall", "free-battle"])
def test_a_plan_that_still_holds_is_the_same_as_a_new_one(weights: Weights, scenario: str) -> None:
    match = setting(scenario).begin(Seeded("plans"), keep=False)
    sides, others = [Heuristic(SOUND, weights) for _ in (0, 1)], [Anew(SOUND, weights) for _ in (0, 1)]
    for n in range(160):
        if match.over is not None:
            break
        asked = match.waiting[0]
        action = sides[asked.side].decide(asked, match.view(asked.side), Seeded(n))
        assert others[asked.side].decide(asked, match.view(asked.side), Seeded(n)) == action
        match.follow(asked, action)


def test_sharing_a_danger_makes_it_less() -> None:
    alone, two = battle("I-M E5", "V-M E3"), battle("I-M E5, I-M F5", "V-M E3")
    for shared, less in ((0, False), (50, True)):
        weights = msgspec.structs.replace(VETERAN, shared=shared)
        fears = [SideOutlook(t, 0, weights=weights).fear(t.units[0], "E5") for t in (alone, two)]
        assert (fears[1] < fears[0]) is less


def test_a_unit_is_more_precious_the_fewer_banners_the_enemy_needs() -> None:
    for precious, more in ((0, False), (50, True)):
        weights = msgspec.structs.replace(VETERAN, precious=precious)
        fears = []
        for missing in (5, 1):
            t = battle("I-M E5", "V-M E3", banners=(5, missing))
            t.change(0, strength=1)
            fears.append(SideOutlook(t, 0, weights=weights).fear(t.units[0], "E5"))
        assert (fears[1] > fears[0]) is more


def test_a_place_from_which_it_menaces_the_enemy_is_worth_more() -> None:
    t = battle("V-M E9", "I-M E2")
    plain, seeing = (SideOutlook(t, 0, weights=msgspec.structs.replace(VETERAN, menace=menace)) for menace in (0, 50))
    unit = t.units[0]
    assert seeing.place(unit, "E7") > plain.place(unit, "E7")
    assert seeing.place(unit, "E9") == plain.place(unit, "E9"), "from there it reaches nobody"


def test_company_counts_up_to_two_friends() -> None:
    weights = msgspec.structs.replace(VETERAN, company=5)
    result = []
    for south in ("I-M E8", "I-M E8, I-M E7", "I-M E8, I-M E7, I-M E9", "I-M E8, I-M E7, I-M E9, I-M D8"):
        t = battle(south, "I-M E1")
        outlook, plain = SideOutlook(t, 0, weights=weights), SideOutlook(t, 0)
        result.append(outlook.place(t.units[0], "E8") - plain.place(t.units[0], "E8"))
    assert result == [0, 5, 10, 10]


def test_two_attacks_on_one_enemy_are_worth_less_than_both() -> None:
    def value(again: int) -> int:
        t = battle("V-M E5, V-M F5", "I-M E3", hands=(["attack-centre"], []))
        return Plan(t, 0, weights=msgspec.structs.replace(VETERAN, again=again)).value("attack-centre")

    assert value(100) < value(50) < value(0)


@pytest.mark.parametrize(("follow", "first"), [(0, 1), (100, 0)])
def test_who_has_but_one_enemy_to_battle_may_go_first(follow: int, first: int) -> None:
    t = battle("I-L C5, V-M F5", "I-M C4, I-H F3")
    t.change(2, strength=1)
    t.card = "attack-centre"
    t.ordered.extend((0, 1))
    player = Heuristic(SOUND, msgspec.structs.replace(VETERAN, follow=follow))
    battles = player.decide(ChooseBattle(side=0), redacted(t, 0), Seeded(1))
    assert battles == Engage(first, 2)


def test_who_has_to_get_on_before_a_limit_errs_less_about_the_way() -> None:
    t = setting("hold-the-bastion").begin(Seeded(1), keep=False).state
    assert isinstance(t, Battle)
    attacker, wrong = 1 - (t.field.limit.winner or 0), Judgement(135, seed=3)
    hurried, waits = (SideOutlook(t, side, judgement=wrong) for side in (attacker, 1 - attacker))
    sound = SideOutlook(t, attacker)

    def errors(outlook: SideOutlook) -> list[int]:
        unit = outlook.mine[0]
        assert unit.hex is not None
        around = [unit.hex, *t.map.neighbours[unit.hex]]
        plain = SideOutlook(t, outlook.side)
        return [abs(outlook.place(unit, hex) - plain.place(unit, hex)) for hex in around]

    assert sum(errors(sound)) == 0 < sum(errors(hurried))
    assert 4 * hurried.grain < waits.grain
    assert 4 * sum(errors(hurried)) / len(errors(hurried)) < 135


# --- counting blunders ---------------------------------------------------------------------------------------------


def watched(t: Battle, *acts: Any) -> BlunderWatch:
    """Return the blunders counted in a turn of South with these acts and no reactions."""
    match = Match(ruleset, set_up(t, Whole()), Seeded(1), keep=False)
    watch, todo = BlunderWatch(), list(acts)
    while not (now(match).turns[1] or match.over):
        asked = match.waiting[0]
        action = todo.pop(0) if asked.side == 0 else list(asked.options(match.view(1)))[-1]
        before = now(match)
        match.follow(asked, action)
        watch.see(asked, before, action, now(match))
    assert not todo
    return watch


def test_the_watch_counts_a_card_for_nothing() -> None:
    t = battle("V-M E5, I-M B9", "I-M E3", hands=(["probe-centre", "probe-left"], []))
    assert has_work(t, 0, "probe-centre")
    assert not has_work(t, 0, "probe-left")
    watch = watched(t, Play("probe-left"), OrderUnit(1), EndMoves())
    assert watch.counts[0] == {**dict.fromkeys(KINDS, 0), "card for nothing": 1}


def test_the_watch_counts_an_objective_that_is_left() -> None:
    t = battle("I-M E5", "I-M E1", hands=(["probe-centre"], []), objectives=(Objective(hex="E5"),))
    t.captured["E5"] = 0
    watch = watched(t, Play("probe-centre"), OrderUnit(0), March(0, "E6"))
    assert watch.counts[0] == {**dict.fromkeys(KINDS, 0), "objective left": 1}


def test_the_watch_counts_a_leader_alone_by_the_enemy() -> None:
    t = battle("I-M E6, L-L E4", "I-M E3", hands=(["probe-left"], []))
    watch = watched(t, Play("probe-left"))
    assert watch.counts[0] == {**dict.fromkeys(KINDS, 0), "leader alone": 1}


def test_the_watch_counts_a_hopeless_attack() -> None:
    """The attack has one low die against a machine whose leader lets it ignore the hit."""
    t = battle("I-L E5", "G-SH E2, L-L E2", hands=(["probe-centre"], []))
    watch = watched(t, Play("probe-centre"), OrderUnit(0), EndMoves(), Engage(0, 1))
    assert watch.counts[0]["hopeless attack"] == 1


def test_the_watch_counts_a_wasted_order() -> None:
    t = battle("V-M E5, I-M E9", "I-M E3", hands=(["attack-centre"], []))
    watch = watched(t, Play("attack-centre"), OrderUnit(0), OrderUnit(1), EndMoves(), Engage(0, 2))
    assert watch.counts[0] == {**dict.fromkeys(KINDS, 0), "order wasted": 1}


@pytest.mark.parametrize(("friends", "counted"), [("", 0), (", I-M E9", 1), (", I-M E9, I-M D6", 0)])
def test_the_watch_counts_who_went_alone(friends: str, counted: int) -> None:
    """A unit that leaves a friend three hexes behind towards an enemy is counted.

    Without a friend, or with company there, it is not.
    """
    t = battle(f"I-M E6{friends}", "I-M E3", hands=(["probe-centre"], []))
    enough = [EndOrders()] if friends else []
    watch = watched(t, Play("probe-centre"), OrderUnit(0), *enough, March(0, "E5"), EndBattles())
    assert watch.counts[0] == {**dict.fromkeys(KINDS, 0), "went alone": counted}


def test_games_are_watched_from_beginning_to_end() -> None:
    match = setting("first-battle").begin(Seeded(2), keep=False)
    watch, sides, dice = BlunderWatch(), [player("easy", GAME), player("random", GAME)], [Seeded(1), Seeded(2)]
    turns = []
    while match.over is None:
        asked = match.waiting[0]
        before = match.state
        action = sides[asked.side].decide(asked, match.view(asked.side), dice[asked.side])
        match.follow(asked, action)
        assert isinstance(before, Battle)
        watch.see(asked, before, action, now(match))
        turns.append(sum(now(match).turns))
    assert all(a <= b for a, b in pairwise(turns))
    assert watch.active == -1
    assert sum(watch.counts[1].values()) > 0


@pytest.mark.parametrize(("active", "turns", "opening"), [(0, (1, 0), 0.5), (1, (0, 1), -0.5), (1, (1, 1), 0.0)])
def test_chances_know_the_first_turn_of_all(active: int, turns: tuple[int, int], opening: float) -> None:
    t = now(setting("first-battle").begin(Seeded(1), keep=False))
    t.active, t.turns = active, list(turns)
    result = dict(zip(NAMES, features(t), strict=True))
    assert result["turn"] == (0.5 if active == 0 else -0.5)
    assert result["opening"] == opening
