"""Luck is added up roll by roll. The luck at a moment does not depend on the order of requests."""

from __future__ import annotations

from fractions import Fraction

import pytest

from caltrop.chance import Seeded
from caltrop.host.log import Log
from caltrop.kit.luck import ChanceSpread
from caltrop.picture import Tally
from caltrop.wire import LogEntry, LuckView
from caltrop.wire.view import Thrown


def test_luck_is_the_same_asked_for_forward_backward_or_once() -> None:
    asked, dice = Log((0, None), lambda: 0, lambda: 1), Seeded(5)
    expected: list[tuple[LuckView, ...]] = []
    rolls: list[tuple[int, int]] = []
    for n in range(1, 30):
        asked.note(None, "note", "Nothing falls")
        side, got = dice.below(2), dice.below(7)
        asked.rolled[0].append((2 * n, Tally(side=side, label="hits", got=got, expected="7/3", mean=7 / 3)))
        asked.add(0, LogEntry(n=0, act=0, side=side, kind="roll", text="Dice"))
        rolls.append((side, got))
        mine = [[got for one, got in rolls if one == side] for side in (0, 1)]
        expected.append(
            tuple(
                LuckView(
                    side=side,
                    label="hits",
                    rolls=len(some),
                    got=sum(some),
                    expected=str(len(some) * Fraction(7, 3)) + ("/1" if len(some) % 3 == 0 else ""),
                    mean=float(len(some) * Fraction(7, 3)),
                )
                for side, some in enumerate(mine)
                if some
            )
        )
        assert asked.luck(0, asked.last(0)) == expected[-1]
        assert asked.luck(None, asked.last(None)) == ()
    for n in (3, 28, 1, 29, 12):
        assert asked.luck(0, 2 * n) == expected[n - 1] == asked.luck(0, 2 * n + 1)
    assert asked.luck(0, 1) == ()


def rolled(got: list[int], chances: tuple[float, ...] = (0.5, 0.5)) -> LuckView:
    """Return a side's luck after these rolls."""
    log = Log((0,), lambda: 0, lambda: 1)
    for n, one in enumerate(got):
        mean = sum([count * chance for count, chance in enumerate(chances)])
        tally = Tally(side=0, label="hits", got=one, expected="1/2", mean=mean, chances=chances)
        log.rolled[0].append((n + 1, tally))
    return log.luck(0, len(got))[0]


def test_luck_is_told_as_how_often_dice_are_as_good_or_as_bad() -> None:
    assert (rolled([1, 1, 1]).as_good, rolled([1, 1, 1]).as_bad) == (0.125, 1.0)
    assert (rolled([0, 0]).as_good, rolled([0, 0]).as_bad) == (1.0, 0.25)
    middling = rolled([1, 0])
    assert (middling.as_good, middling.as_bad) == (0.75, 0.75)
    assert rolled([1], ()).as_good is None, "where the chances of a roll are not known, nothing is told"


def test_the_luck_of_very_many_rolls_is_as_good_as_that_of_a_normal_sum() -> None:
    few, many = rolled([1] * 60 + [0] * 40), rolled([1] * 120 + [0] * 90)
    # The probability of 60 or more heads in 100 coins is 2.84 %, of 120 or more in 210 it is 2.26 %.
    assert few.as_good == 0.0284
    assert many.as_good is not None
    assert abs(many.as_good - 0.0226) < 0.001
    assert many.as_bad is not None
    assert abs(many.as_bad + many.as_good - 1) < 0.02


def test_luck_is_the_same_added_up_roll_by_roll_or_once() -> None:
    dice = Seeded(8)
    kinds = ((0.5, 0.5), (0.25, 0.5, 0.25), (0.0, *[1 / 6] * 6), (1 / 3, 0.0, 2 / 3))
    for rolls in (0, 1, 3, 40, 90, 240):
        some = [kinds[dice.below(len(kinds))] for _ in range(rolls)]
        step = ChanceSpread()
        for chances in some:
            step = step.with_rolls([chances])
        assert ChanceSpread().with_rolls(some) == step
        assert ChanceSpread().with_rolls(some[:20]).with_rolls(some[20:]) == step
        assert not ChanceSpread().with_rolls([*some, ()]).complete


def test_luck_of_very_many_rolls_is_added_up_without_listing_their_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caltrop.kit.luck.joined", lambda *_: pytest.fail("they were listed"))
    assert ChanceSpread().with_rolls([(0.5, 0.5)] * 300).as_good(150) is not None


def test_pips_of_dice_have_their_chances() -> None:
    log = Log((0,), lambda: 0, lambda: 1)
    dice = (Thrown(side=0, faces=(6, 6), sides=6, words=""),)
    log.add(0, LogEntry(n=0, act=0, side=0, kind="roll", text="Dice", dice=dice))
    (pips,) = log.luck(0, 1)
    assert (pips.got, pips.as_good, pips.as_bad) == (12, round(1 / 36, 4), 1.0)
