"""Dice: seeds, scripts, typed-in dice and enumerations."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caltrop.chance import (
    Awaiting,
    Common,
    Once,
    Pool,
    Roll,
    Scripted,
    ScriptError,
    Seeded,
    TypedIn,
    every_way,
)


@given(st.integers(), st.integers(0, 40), st.integers(1, 20))
def test_a_roll_has_every_die_and_no_face_out_of_range(seed: int, count: int, sides: int) -> None:
    roll = Seeded(seed).roll(Pool(count, sides))
    assert len(roll) == count
    assert all(1 <= face <= sides for face in roll)
    assert roll == Seeded(seed).roll(Pool(count, sides))


def test_a_seed_gives_the_same_dice_for_ever() -> None:
    # Recorded once: a change of these values would change every game of a seed.
    assert Seeded(7).roll(Pool(8)) == (5, 6, 6, 2, 5, 3, 3, 3)
    assert Seeded("duel 7").roll(Pool(8)) == (4, 4, 4, 6, 3, 5, 6, 3)
    dice = Seeded(7)
    assert [dice.below(n) for n in (1, 2, 10, 1000)] == [0, 1, 9, 298]


def test_a_fork_goes_its_own_way_and_is_decided_by_its_origin() -> None:
    a, b = Seeded(1), Seeded(1)
    assert a.fork().roll(Pool(20)) == b.fork().roll(Pool(20))
    assert a.roll(Pool(20)) == b.roll(Pool(20))
    assert Seeded(1).fork().roll(Pool(20)) != Seeded(1).roll(Pool(20))


def thrown(dice: Common, *throws: tuple[int | None, str, int]) -> list[Roll]:
    """Return the faces of dice that know their owner and their purpose, as in the engine."""
    rolls = []
    for dice.whose, dice.words, count in throws:
        rolls.append(dice.roll(Pool(count), ("C-1",)))
    return rolls


def test_common_dice_show_the_same_for_the_same_whatever_is_thrown_before() -> None:
    one, other, again = (0, "A shoots at B", 6), (1, "B shoots at A", 6), (0, "A shoots at B", 6)
    a, b, second = thrown(Common(5), one, other, again)
    assert thrown(Common(5), other, one, again) == [b, a, second]
    assert len({a, b, second, Common(5).roll(Pool(6), ("C-2",))}) == 4, "each throw has dice of its own"
    # The first of more dice are equal to fewer dice, and a throw of 0 dice does not change the next throw.
    assert thrown(Common(5), (0, "A shoots at B", 0), (0, "A shoots at B", 2)) == [(), a[:2]]
    assert thrown(Common(6), one) != [a]
    assert [Common(5).below(10) for _ in range(3)] == [Common(5).below(10)] * 3


def test_common_dice_fall_evenly() -> None:
    faces = [thrown(Common(seed), (0, "A shoots at B", 1))[0][0] for seed in range(6000)]
    for face in range(1, 7):
        assert abs(faces.count(face) - 1000) < 116  # four standard deviations of 29


def test_faces_are_about_as_frequent_as_each_other() -> None:
    roll = Seeded(3).roll(Pool(60_000))
    for face in range(1, 7):
        assert abs(roll.count(face) - 10_000) < 400  # more than four standard deviations of 91


def test_a_script_complains_of_whatever_does_not_fit() -> None:
    dice = Scripted((1, 2), (7,), (3,))
    with pytest.raises(ScriptError, match="3 dice with 6 sides are asked for by C-1, but the script says"):
        dice.roll(Pool(3), ("C-1",))
    with pytest.raises(ScriptError, match="face out of range"):
        dice.roll(Pool(1))
    with pytest.raises(ScriptError, match="never asked for"):
        dice.finish()
    dice.roll(Pool(1))
    dice.finish()
    with pytest.raises(ScriptError, match="at its end"):
        dice.roll(Pool(1))


def test_typed_in_dice_wait_for_the_person() -> None:
    dice = TypedIn([(1, 2)], Seeded(0))
    assert dice.roll(Pool(2)) == (1, 2)
    assert dice.roll(Pool(0)) == ()
    with pytest.raises(Awaiting) as awaiting:
        dice.roll(Pool(3), ("C-2",))
    assert (awaiting.value.pool, awaiting.value.why) == (Pool(3), ("C-2",))
    dice.add(1, 2)
    with pytest.raises(ScriptError):
        dice.roll(Pool(3), ("C-2",))
    dice.add(4, 5, 6)
    assert dice.roll(Pool(3), ("C-2",)) == (4, 5, 6)
    assert 0 <= dice.below(5) < 5


@given(st.integers(0, 6), st.integers(1, 8))
def test_every_way_counts_every_order(count: int, sides: int) -> None:
    ways = every_way(count, sides)
    assert len(ways) == comb(count + sides - 1, count)
    assert sum(orders for _, orders in ways) == sides**count


def test_what_has_fallen_once_falls_again_in_its_order_and_then_others_do() -> None:
    dice = Once([(3,), (4, 5)], Scripted([6], [1]))
    assert [dice.roll(Pool(1)), dice.roll(Pool(0)), dice.roll(Pool(2)), dice.roll(Pool(1))] == [(3,), (), (4, 5), (6,)]
    assert dice.rolls == [(3,), (4, 5), (6,)]
    again = Once(dice.rolls, Scripted([1]))
    assert [again.roll(Pool(count)) for count in (1, 2, 1, 1)] == [(3,), (4, 5), (6,), (1,)]
