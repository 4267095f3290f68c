"""What the dice have given is added up roll by roll, and is the same for every moment however it is asked for."""

from __future__ import annotations

from fractions import Fraction

from caltrop.chance import Seeded
from caltrop.host.log import Log
from caltrop.picture import Tally
from caltrop.wire import LogEntry, LuckView


def test_luck_is_the_same_asked_for_forward_backward_or_once() -> None:
    asked, dice = Log((0, None), lambda: 0, lambda: 1), Seeded(5)
    wanted: list[tuple[LuckView, ...]] = []
    rolls: list[tuple[int, int]] = []
    for n in range(1, 30):
        asked.note(None, "note", "Nothing falls")
        side, got = dice.below(2), dice.below(7)
        asked.rolled[0].append((2 * n, Tally(side=side, label="hits", got=got, expected="7/3", mean=7 / 3)))
        asked.add(0, LogEntry(n=0, act=0, side=side, kind="roll", text="Dice"))
        rolls.append((side, got))
        mine = [[got for one, got in rolls if one == side] for side in (0, 1)]
        wanted.append(
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
        assert asked.luck(0, asked.last(0)) == wanted[-1]
        assert asked.luck(None, asked.last(None)) == ()
    for n in (3, 28, 1, 29, 12):
        assert asked.luck(0, 2 * n) == wanted[n - 1] == asked.luck(0, 2 * n + 1)
    assert asked.luck(0, 1) == ()
