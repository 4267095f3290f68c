"""Measures the exact odds of one attack: with empty caches, and from the cache.

Run it from a checkout: ``python -m benchmarks.bench_odds``. Each line is the best of five runs. The first line is a
plain loop, which shows the present speed of the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from benchmarks.clock import nothing_known
from caltrop.engine import Book, settle
from caltrop.engine.known import forget
from caltrop.rules.command_horizon import odds
from caltrop.rules.command_horizon.attack import Arms, Attack, Target, attack_dice
from caltrop.rules.command_horizon.catalogue import switches


def best_of_five(work: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    """Return the milliseconds of the fastest of five runs."""
    result = []
    for _ in range(5):
        before()
        start = perf_counter()
        work()
        result.append(perf_counter() - start)
    return min(result) * 1000


def empty() -> None:
    """Empty all caches of the odds."""
    forget()
    for thing in vars(odds).values():
        if hasattr(thing, "cache_clear"):
            thing.cache_clear()


def loop() -> None:
    """Add up a million numbers, to show the speed of the machine."""
    n = 0
    for i in range(1_000_000):
        n += i


ATTACKS = (
    Attack(
        mode="fire", army="asori", kind="heavy-tank", arms=(Arms("heavy-tank", 4),),
        target=Target("alliance", "heavy-tank", 3),
    ),
    Attack(
        mode="fire", army="asori", kind="heavy-tank", arms=(Arms("heavy-tank", 4),), boosts=1,
        target=Target("alliance", "light-tank", 5),
    ),
    Attack(
        mode="fire", army="alliance", kind="heavy-weapons", arms=(Arms("heavy-weapons", 9),), boosts=1, platoon=True,
        bases=9, starting=9, target=Target("alliance", "heavy-weapons", 9, 0, 1),
    ),
    Attack(
        mode="charge", army="asori", kind="infantry", arms=(Arms("infantry", 8),),
        target=Target("alliance", "heavy-weapons", 9),
    ),
)  # fmt: skip


def main() -> None:
    """Print the figures."""
    nothing_known()
    book = Book("command-horizon", "current", settle(switches(), {}))
    print(f"{'a million additions':58}{best_of_five(loop):9.1f} ms")
    for attack in ATTACKS:
        target = attack.target
        name = f"{attack_dice(book, attack).total} dice: {attack.army} {attack.kind} at {target.army} {target.kind}"
        cold = best_of_five(lambda attack=attack: odds.distribution(book, attack), empty)  # type: ignore[misc]

        def again(attack: Attack = attack) -> None:
            for _ in range(1000):
                odds.distribution(book, attack)

        print(f"{name:58}{cold:9.1f} ms cold {best_of_five(again):9.2f} µs again")


if __name__ == "__main__":
    main()
