"""Measures the engine: copies, steps, decisions, refusals and stores.

`python -m benchmarks.bench_engine` prints medians. The copied state has 40 units and 200 models and is in the middle of
an interrupt, as demanded by the target for copies: under 5 µs.
"""

from __future__ import annotations

from statistics import median
from time import perf_counter
from typing import Any

import msgspec

from caltrop.chance import Pool, Roll, Seeded
from caltrop.chance.reading import counted
from caltrop.engine import (
    Action,
    Ask,
    Book,
    Decision,
    Go,
    Listed,
    Match,
    Procedure,
    Run,
    State,
    Throw,
    advance,
    answer,
    ask,
    redacted,
    restored,
    rule,
    ruleset,
    step,
    stored,
)


class Model(msgspec.Struct, frozen=True):
    """A model of a unit."""

    at: tuple[int, int]
    radius: int


class Unit(msgspec.Struct, frozen=True):
    """A unit of five models."""

    side: int
    models: tuple[int, ...]
    stuns: int = 0


class Field(State, kw_only=True):
    """A state with 40 units and 200 models."""

    units: list[Unit]
    models: list[Model]
    marks: list[int]


class Pass(Action, frozen=True):
    """Do not react."""


class React(Decision, frozen=True, kw_only=True):
    """The question whether a unit reacts."""

    def options(self, t: Any) -> Listed:
        return Listed([Pass()])


@rule("B-1")
def dice(t: Field, unit: int) -> int:
    """Return the number of a unit's dice."""
    return len(t.units[unit].models)


class Fire(Procedure):
    """An attack to which the target may react."""

    shooter: int
    target: int

    @step("B-2")
    def offer(self, t: Field) -> Ask:
        """Ask the target whether it reacts."""
        return ask(React(side=1))

    @step("B-3")
    def throw(self, t: Field, choice: Pass) -> Throw:
        """Throw the dice."""
        return Throw(Pool(dice(t, self.shooter)), reads=counted((6,)))

    @step("B-4")
    def read(self, t: Field, roll: Roll) -> None:
        """Count the dice that stun."""
        unit = t.units[self.target]
        t.units[self.target] = msgspec.structs.replace(unit, stuns=roll.count(6))


class Charge(Procedure):
    """A charge that is interrupted by an attack."""

    unit: int
    shots: int = 0

    @step("B-5")
    def fire(self, t: Field) -> Run:
        """Run the attack."""
        return Run(Fire(shooter=self.unit, target=39))

    @step("B-6")
    def arrive(self, t: Field) -> Go:
        self.shots += 1
        return Go("fire")


class Movement(Procedure):
    """A phase with one charge after another."""

    @step("B-7")
    def charge(self, t: Field) -> Run:
        return Run(Charge(unit=3))

    @step("B-8")
    def go_on(self, t: Field) -> Go:
        """Go to the next charge."""
        return Go("charge")


def field() -> Field:
    """Return a state in the middle of an interruption."""
    t = Field(
        book=Book("bench", "current"),
        stack=[Movement()],
        units=[Unit(i % 2, tuple(range(5 * i, 5 * i + 5))) for i in range(40)],
        models=[Model((i * 10, i * 7), 125) for i in range(200)],
        marks=[0] * 40,
    )
    advance(t, Seeded(1))
    return t


def clock(work: Any, times: int, rounds: int = 15) -> float:
    """Return the median time of one call, in microseconds."""
    taken = []
    for _ in range(rounds):
        start = perf_counter()
        for _ in range(times):
            work()
        taken.append((perf_counter() - start) / times * 1e6)
    return median(taken)


def main() -> dict[str, float]:
    """Print and return all measurements."""
    t, seeded = field(), Seeded(2)
    playing = t.clone()
    pass_ = Pass()
    rules = ruleset("duel")
    match = Match(rules, rules.setup(rules.book(), "crossroads"), Seeded(3))
    for stake in (2, 1):
        decision = match.waiting[0]
        match.play(decision.side, list(decision.options(match.view(decision.side)))[stake])
    move = match.waiting[0]
    options = move.options(match.state)
    text = stored(match.state)
    lean = Match(rules, match.state, Seeded(4), keep=False, record=False)
    walk = options.first()

    def follow() -> None:
        lean.state = match.state
        lean.follow(move, walk)

    result = {
        "clone, 40 units and 200 models in an interrupt, µs": clock(t.clone, 20_000),
        "one decision in place (5 steps, 1 throw, 1 rule), µs": clock(lambda: answer(playing, seeded, 0, pass_), 5_000),
        "one decision on a clone (duel), µs": clock(follow, 5_000),
        "view where nothing is hidden, µs": clock(lambda: redacted(t, 0), 20_000),
        "options of a walk, µs": clock(lambda: move.options(match.state), 5_000),
        "sample of a walk, µs": clock(lambda: options.sample(seeded), 5_000),
        "all options of a walk, µs": clock(lambda: list(options), 1_000),
        "two options or more?, µs": clock(options.several, 2_000),
        "stored (duel), µs": clock(lambda: stored(match.state), 5_000),
        "restored (duel), µs": clock(lambda: restored(rules, match.state.book, text), 5_000),
        "a random duel, from setup to end, µs": clock(_duel(), 20),
    }
    for name, value in result.items():
        print(f"{name:55} {value:9.2f}")
    return result


def _duel() -> Any:
    rules, numbers = ruleset("duel"), iter(range(10**9))

    def play() -> None:
        n = next(numbers)
        match = Match(rules, rules.setup(rules.book(), "crossroads"), Seeded(n), keep=False)
        choices = Seeded(-1 - n)
        while match.over is None:
            decision = match.waiting[0]
            match.follow(decision, decision.options(match.view(decision.side)).sample(choices))

    return play


if __name__ == "__main__":
    main()
