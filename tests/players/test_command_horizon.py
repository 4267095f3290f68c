"""The players of Command Horizon never do the silly acts."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match, ruleset
from caltrop.geometry import CM, path_length
from caltrop.journal import Setting
from caltrop.players import Budget, player
from caltrop.players.command_horizon import Heuristic
from caltrop.players.command_horizon.blunders import KINDS, BlunderWatch
from caltrop.players.command_horizon.outlook import SideOutlook
from caltrop.players.command_horizon.plan import UnitChoice, share_out
from caltrop.players.command_horizon.weights import VETERAN
from caltrop.players.command_horizon.worth import damage_of
from caltrop.rules.command_horizon.charge import Charge
from caltrop.rules.command_horizon.movement import Move
from caltrop.rules.command_horizon.scene import put, scene
from caltrop.rules.command_horizon.shooting import attack_with
from caltrop.rules.command_horizon.targets import Fire
from tests.players.positions import POSITIONS, Game, Position

GAME = "command-horizon"


def played(position: Position) -> Game:
    """Play a position's procedure to its end, with the heuristic on both sides."""
    start = position.battle()
    twin = start.clone()
    twin.stack = [position.procedure]
    match = Match(ruleset(GAME), twin, Seeded(7), keep=False)
    sides = [Heuristic(), Heuristic()]
    dice = [Seeded(1), Seeded(2)]
    acts: list[Any] = []
    while match.waiting:
        asked = match.waiting[0]
        action = sides[asked.side].decide(asked, match.view(asked.side), dice[asked.side])
        assert asked.options(match.view(asked.side)).refusal(action) is None
        if asked.side == position.side:
            acts.append(action)
        match.follow(asked, action)
    return Game(start, match.state, tuple(acts))  # type: ignore[arg-type]


@pytest.mark.parametrize("position", POSITIONS, ids=[p.name for p in POSITIONS])
def test_the_heuristic_does_nothing_silly(position: Position) -> None:
    assert not position.silly(played(position))


def test_there_are_twenty_positions_or_more() -> None:
    assert len({p.name for p in POSITIONS}) == len(POSITIONS) >= 20


def test_a_small_budget_judges_fewer_places() -> None:
    judged: list[int] = []

    class Counting(Heuristic):
        pass

    from caltrop.players.command_horizon import outlook

    original = outlook.SideOutlook.judge

    def judge(self: Any, t: Any, unit: int) -> Any:
        judged[-1] += 1
        return original(self, t, unit)

    setting = Setting(ruleset=GAME, edition="current", scenario="first-battle", armies=("alliance", "asori"))
    for budget in (Budget(), Budget(nodes=12)):
        match = setting.begin(Seeded(5), keep=False)
        while type(match.waiting[0]).__name__ != "Orders":
            asked = match.waiting[0]
            match.follow(asked, asked.options(match.view(asked.side)).first())
        judged.append(0)
        outlook.SideOutlook.judge = judge  # type: ignore[method-assign]
        try:
            asked = match.waiting[0]
            Counting().decide(asked, match.view(asked.side), Seeded(1), budget)
        finally:
            outlook.SideOutlook.judge = original  # type: ignore[method-assign]
    assert 0 < judged[1] < judged[0]


@pytest.mark.parametrize("armies", [("alliance", "asori"), ("putredine", "alliance")])
def test_a_recruit_neither_dawdles_nor_loses_points(armies: tuple[str, str]) -> None:
    """In every turn some unit is ordered, and no free and open shot remains while there are points."""
    setting = Setting(ruleset=GAME, edition="current", scenario="first-battle", armies=armies)
    match = setting.begin(Seeded(f"{armies}"), keep=False)
    sides, dice = [player("recruit", GAME), player("random", GAME)], [Seeded(1), Seeded(2)]
    watch, busy, ways = BlunderWatch(), set(), []
    while match.over is None:
        asked, before = match.waiting[0], match.state
        action = sides[asked.side].decide(asked, match.view(asked.side), dice[asked.side])
        match.follow(asked, action)
        watch.see(asked, before, action, match.state)  # type: ignore[arg-type]
        if asked.side == 0 and isinstance(action, Move):
            ways.append(max(path_length(path) for _, path in action.paths))
        if asked.side == 0 and isinstance(action, Move | Fire | Charge):
            busy.add(before.armies[0].turns)  # type: ignore[attr-defined]
    assert match.over.winner == 0
    assert len(busy) == match.state.armies[0].turns >= 5  # type: ignore[attr-defined]
    assert watch.counts[0]["points lost"] == watch.counts[0]["hopeless attack"] == 0
    assert watch.counts[0]["idle unit"] <= 1
    assert len(ways) > 2 * len(busy)
    assert sum(ways) > 9 * CM * len(ways)


def choice(value: int, price: int) -> UnitChoice:
    return UnitChoice(value, price, (), None, False, None)


def test_points_are_shared_out_for_the_greatest_sum() -> None:
    every = {
        1: [choice(0, 0), choice(300, 1), choice(500, 3)],
        2: [choice(0, 0), choice(450, 2)],
        3: [choice(0, 0), choice(100, 1)],
    }
    # 300 + 450 for three points is better than 500 for three; the last unit's third point would cost one of the others.
    assert {u: c.price for u, c in share_out(every, 3).items()} == {1: 1, 2: 2, 3: 0}


def test_points_that_bring_little_are_saved() -> None:
    assert share_out({1: [choice(0, 0), choice(40, 1)]}, 1)[1].price == 0


def test_what_an_attack_is_worth_grows_with_its_dice_and_falls_with_cover() -> None:
    t = scene(put(0, "heavy-tank", (50, 20)), put(1, "medium-tank", (50, 50)))
    models = t.units[0].models
    harm = [
        damage_of(t, attack_with(t, 0, 1, "fire", models[:n], cover=cover), 1).harm
        for n, cover in ((1, 0), (3, 1), (3, 0))
    ]
    assert 0 < harm[0] < harm[1] < harm[2]


def test_the_watch_counts_a_unit_that_idles() -> None:
    setting = Setting(ruleset=GAME, edition="current", scenario="first-battle", armies=("alliance", "asori"))
    match = setting.begin(Seeded(2), keep=False)
    watch = BlunderWatch()
    while match.over is None and match.state.round < 5:  # type: ignore[attr-defined]
        asked = match.waiting[0]
        name = type(asked).__name__
        every = list(asked.options(match.view(asked.side))) if name != "Orders" else []
        action = next((a for a in every if type(a).__name__.startswith(("End", "DoNot", "Keep"))), None)
        if action is None:
            action = asked.options(match.view(asked.side)).first()
        before = match.state
        match.follow(asked, action)
        watch.see(asked, before, action, match.state)  # type: ignore[arg-type]
    assert watch.counts[0]["idle unit"] >= 4
    assert watch.counts[0]["hopeless attack"] == 0
    assert tuple(watch.counts[0]) == KINDS


@pytest.mark.parametrize("position", POSITIONS, ids=[p.name for p in POSITIONS])
def test_the_silly_act_is_there_to_be_taken(position: Position) -> None:
    """A random player does the silly act sooner or later. Otherwise the position would prove nothing."""
    from caltrop.players import Uniform

    def silly(seed: int) -> bool:
        start = position.battle()
        twin = start.clone()
        twin.stack = [position.procedure]
        match = Match(ruleset(GAME), twin, Seeded(seed), keep=False)
        dice, acts = Seeded(f"thoughtless {seed}"), []
        while match.waiting:
            asked = match.waiting[0]
            action = Uniform().decide(asked, match.view(asked.side), dice)
            if asked.side == position.side:
                acts.append(action)
            match.follow(asked, action)
        return position.silly(Game(start, match.state, tuple(acts)))  # type: ignore[arg-type]

    assert any(silly(seed) for seed in range(300))


def test_the_veterans_weights_stay_what_its_proofs_were_played_with() -> None:
    assert crc32(msgspec.json.encode(VETERAN)) == 604852442, "tuned weights are another player's"


def test_who_fears_more_finds_the_same_place_worse() -> None:
    t = scene(put(0, "medium-tank", (30, 30)), put(1, "medium-tank", (30, 55)))
    at = (30 * CM, 32 * CM)
    sketches = [
        SideOutlook(t, 0, weights=msgspec.structs.replace(VETERAN, caution=caution)).sketch(0, at, 6 * CM)
        for caution in (0, 38, 76)
    ]
    assert sketches[0] > sketches[1] > sketches[2]


def test_points_that_are_saved_for_more_are_spent_less() -> None:
    some = {0: [UnitChoice(0, 0, (), None, False, None), UnitChoice(100, 1, (), None, True, None)]}
    assert share_out(some, 1)[0].fires
    assert not share_out(some, 1, 200)[0].fires
