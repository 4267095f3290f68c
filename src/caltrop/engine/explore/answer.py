"""The odds of a procedure: exact if it can be explored, otherwise estimated from many playouts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from math import ceil, sqrt
from typing import Any, ClassVar

import msgspec

from caltrop.agreeing import quantity
from caltrop.chance import Distribution, Seeded
from caltrop.clauses import Mark, uncounted
from caltrop.engine.explore.change import ShelfReplaced
from caltrop.engine.explore.solve import (
    NODES,
    STOP,
    Best,
    CannotExplore,
    Explorer,
    Policy,
    View,
    first_option,
)
from caltrop.engine.flow import advance, answer
from caltrop.engine.procedure import PlannedStep, Procedure
from caltrop.engine.state import State, copied

TIMES = 2000
"""Number of playouts for an estimate."""

Stops = Mapping[tuple[type[Procedure], str], Callable[[Any, Any], Any]]


class Explored(msgspec.Struct, frozen=True):
    """The odds of a procedure."""

    odds: Distribution[Any]
    times: int = 0
    """Number of playouts; 0 if the odds are exact."""
    reason: str = ""
    """Reason why the odds are not exact."""

    @property
    def exact(self) -> bool:
        return not self.reason

    @property
    def words(self) -> str:
        """Words for the possible error of an estimate; empty if the odds are exact."""
        if not self.times:
            return ""
        off = ceil(100 * 1.96 * sqrt(0.25 / self.times))
        played = quantity(self.times, "time")
        return f"Estimated: it was played {played}, and 19 of 20 such chances are within {off} in 100 of the true one."


def explore(
    root: State,
    procedure: Procedure,
    end: Callable[[Any, Any], Hashable],
    policy: Policy = first_option,
    *,
    views: Mapping[type[Procedure], View] | None = None,
    stops: Stops | None = None,
    nodes: int = NODES,
    times: int = TIMES,
    seed: str = "estimate",
) -> Explored:
    """Return the odds of a procedure's results.

    Raises CannotExplore if exploring fails and playouts are impossible, because `stops` or `Best` is given.

    Args:
        root: The state, as the asking side may see it (`redacted`); it is not changed.
        end: Returns the outcome for a state and a result; the result is None if the game is over.
        policy: Answers decisions.
        views: The parts of a state that procedures depend on, by kind of procedure (see `Explorer`).
        stops: Steps at which a procedure counts as ended, with the result (see `Explorer`).
        nodes: Largest number of nodes; beyond it the odds are estimated.
        times: Number of playouts for an estimate.
    """
    try:
        return Explored(Explorer(root, policy, views=views, stops=stops, nodes=nodes).odds(procedure, end))
    except (CannotExplore, ShelfReplaced) as reason:
        if stops or isinstance(policy, Best):
            raise CannotExplore(str(reason)) from None
        return estimate(root, procedure, end, policy, times=times, seed=seed, reason=str(reason))


def play_on(t: State, dice: Seeded, policy: Policy) -> None:
    """Play a state on until the policy stops at a question, no question is left, or the game is over."""
    while t.asked and t.over is None:
        index = t.answers.index(None)
        given = policy(t, t.asked[index])
        if given is STOP:
            return
        answer(t, dice, index, given)


def estimate(
    root: State,
    procedure: Procedure,
    end: Callable[[Any, Any], Hashable],
    policy: Policy = first_option,
    *,
    reason: str,
    times: int = TIMES,
    seed: str = "estimate",
) -> Explored:
    """Return an estimate of the odds of a procedure; *reason* says why they are not exact."""

    def ended(dice: Seeded) -> Hashable:
        t = root.clone()
        bottom = put_under_way(t, [copied(procedure)])
        advance(t, dice)
        play_on(t, dice, policy)
        return end(t, bottom.result)

    return played(ended, reason, times, seed)


def played(play: Callable[[Seeded], Hashable], reason: str, times: int = TIMES, seed: str = "estimate") -> Explored:
    """Return an estimate of odds from many playouts; *play* plays once and returns the outcome."""
    dice = Seeded(seed)
    with uncounted():
        return Explored(Distribution([(play(dice), 1) for _ in range(times)]), times, reason)


def put_under_way(t: State, frames: list[Any]) -> Any:
    """Replace the running procedures of a state by others. Return the frame below them, which receives their result."""
    bottom: Any = Bottom()
    t.stack, t.queue, t.asked, t.answers = [bottom, *frames], [], (), ()
    return bottom


class Bottom(msgspec.Struct):
    """The lowest frame of a stack, which receives the result of a procedure. This frame is never stored."""

    at: str = "keep"
    result: Any = None

    start: ClassVar[str] = "keep"
    secret: ClassVar[tuple[str, ...]] = ()
    steps: ClassVar[dict[str, str]] = {"keep": "keep"}
    plan: ClassVar[dict[str, PlannedStep]] = {}

    def keep(self, t: State, result: Any) -> None:
        self.result = result


Bottom.plan["keep"] = PlannedStep(
    "keep", "keep", Bottom.keep, True, Mark(f"{__name__}:keep", "step", (), __file__, 0), "End"
)
Bottom.plan["keep"].next = "-"
