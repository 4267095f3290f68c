"""A player that simulates several plans for a turn before it plays one of them.

When the player's turn begins, it makes several plans. One plan is the veteran's own plan. Other plans begin with
another answer to the first decision, or are the veteran's plans in another style or with errors. Each plan is simulated
to the end of the other side's next turn, in worlds drawn from the side's view, and the resulting states are evaluated.
All plans get the same luck in the same attacks (`Common`). The worse plans are dropped until the budget is spent.
Another plan replaces the veteran's only if it is significantly better. If a roll or a discovery contradicts the plan,
the player plans again with the rest of the budget. The code depends on no particular game.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from itertools import islice
from math import sqrt
from time import perf_counter
from typing import Any, NamedTuple

from caltrop.chance import Common, Dice, Seeded
from caltrop.engine import Decision, Ruleset, answer, next_turn, redacted, rollout, ruleset
from caltrop.players.judgement import PLAIN, STYLES, Judgement, Style
from caltrop.players.ladder import WORDS, Rung
from caltrop.players.protocol import UNBOUNDED, Budget, Player, forked
from caltrop.players.thinking import chance_of

AHEAD = 2
"""Number of simulated turns: the rest of the player's turn, and the other side's turn."""
FIRST = 60
"""Share of the remaining budget of a turn that one planning may use, in per cent."""
ERRORS = (25, 50)
"""Sizes of errors for disturbed plans, in per cent."""
OPENINGS = 8
"""Largest number of plans that begin with another answer to the first decision."""
DISTURBED = 8
"""Number of plans that are made with errors."""
SURE = 0.5
"""Number of standard errors by which another plan must be better than the veteran's own."""
LEAST = 0.01
"""Gain in the chance of winning that another plan needs, beyond the standard errors."""
ENOUGH = 3
"""Smallest number of worlds in which a plan is simulated before it can be followed."""
WORLDS = 4
"""Number of worlds for which the number of plans is chosen to fit the budget, roughly."""
MOST = 60
"""Largest number of worlds in which plans are simulated."""
LONGEST = 400
"""Largest number of a plan's steps that are computed before dice are rolled."""
HALVED = (3, 6, 12, 24)
"""Numbers of worlds after which the worse half of the plans is dropped."""


class TurnPlan:
    """A possible plan for the turn, with its results in simulations."""

    __slots__ = ("begun", "chances", "player", "steps")

    def __init__(self, player: Player, begun: bool = False) -> None:
        self.player = player
        """The player that made the plan, with its memory after the first answer, which is the same in all worlds."""
        self.begun = begun
        self.steps: Steps | None = None
        self.chances: list[float] = []


class Found(NamedTuple):
    plan: TurnPlan
    other: bool
    """True unless the plan is the veteran's own."""
    spent: int
    """Number of simulated decisions."""


class Steps:
    """The first steps of a plan, before dice are rolled or the other side decides.

    The first steps are the same in all worlds, so they are computed once.

    Args:
        player: The player of the plan, of which a copy takes the steps.
        t: The state as the side sees it; the state is changed.
    """

    __slots__ = ("asked", "before", "last", "who")

    def __init__(self, player: Player, t: Any, side: int) -> None:
        self.asked: list[tuple[Decision, Any]] = []
        """Questions and answers of the plan."""
        self.before: list[Player] = []
        """Copies of the player as it was before each answer."""
        self.who = forked(player)
        """Copy of the player after the last answer."""
        self.last = t
        """State at the last question."""
        t.told, active = None, t.active
        for _ in range(LONGEST):
            if t.over is not None or t.active != active or [d.side for d in t.asked] != [side]:
                break
            self.last = t.clone()
            self.before.append(forked(self.who))
            action = self.who.decide(t.asked[0], redacted(t, side), Seeded("step"))
            self.asked.append((t.asked[0], action))
            try:
                answer(t, _NoDice(), 0, action)
            except _Thrown:
                break


class FixedOpening:
    """A player that first gives a fixed answer and then plays like another player."""

    def __init__(self, player: Player, at: Decision, action: Any) -> None:
        self.player, self.at, self.action = player, at, action
        self.begun = False

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        if not self.begun:
            self.begun = True
            if decision == self.at:
                return self.action
        return self.player.decide(decision, view, dice, budget)

    def fork(self) -> FixedOpening:
        twin = copy(self)
        twin.player = forked(self.player)
        return twin


class Searcher:
    """A player that follows the best of several plans for a whole turn.

    Args:
        make: Returns a player of the game with a given judgement, which carries out plans.
        nodes: Largest number of simulated decisions in a turn, counting both sides.
        clock: Seconds for a turn while a person waits; callers pass them on in the budget.
        glance: Number of positions at which the simulated other side may look for a decision.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        make: Callable[[Judgement], Player],
        nodes: int,
        style: Style = PLAIN,
        clock: float = 2.0,
        glance: Budget = UNBOUNDED,
    ) -> None:
        self.ruleset, self.make, self.nodes, self.style = ruleset, make, nodes, style
        self.clock, self.glance = clock, glance
        self.following = make(Judgement(0, style))
        """The player that carries out the plan."""
        self.cut = False
        """True if a time limit has ended the search early in this turn."""
        self._turn: Any = None
        self._left = 0
        self._thought = 0.0
        """Seconds of thinking in this turn, if there is a time limit."""
        self._expected: Any = None

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """Return the plan's answer, after making a new plan for a new turn or a surprise."""
        turn = self.ruleset.turn(view)
        if turn != self._turn:
            self._turn, self.cut = turn, False
            self._thought = 0.0
            self._left = self.nodes if budget.nodes is None else min(self.nodes, budget.nodes)
            self.following, self._expected = self._veteran(), None
        thinks = budget.nodes != 0 and (self._expected is None or self._expected != view)
        if thinks and self.is_open(decision, view):
            self._think(decision, view, dice, budget)
        action = self.following.decide(decision, view, dice, budget)
        self._expected = self._foreseen(decision, view, action)
        return action

    def fork(self) -> Searcher:
        twin = copy(self)
        twin.following = forked(self.following)
        return twin

    def _veteran(self) -> Player:
        return self.make(Judgement(0, self.style))

    def is_open(self, decision: Decision, view: Any) -> bool:
        mine = view.active == decision.side and decision in view.asked
        return mine and self.ruleset.round(view) > 0 and bool(decision.options(view).several())

    def _foreseen(self, decision: Decision, view: Any, action: Any) -> Any:
        """Return the side's next view if no die has a surprising result and nothing is revealed."""
        if view.active != decision.side or self._left <= 0:
            return None
        t = view.clone()
        index = next((n for n, d in enumerate(t.asked) if d == decision and t.answers[n] is None), None)
        if index is None:
            return None
        try:
            answer(t, _NoDice(), index, action)
        except _Thrown:
            return None
        return redacted(t, decision.side)

    # --- plans --------------------------------------------------------------------------------------------------------

    def _plans(self, decision: Decision, view: Any, dice: Dice) -> list[TurnPlan]:
        own = TurnPlan(forked(self.following))
        plans = [own]
        # The veteran's first answer is computed once. Every other plan begins with a different answer.
        first = self._begun(own, decision, view)
        options = decision.options(view)
        if options.finite:
            for action in islice(options, OPENINGS + 1):
                if action != first and len(plans) <= OPENINGS:
                    plans.append(TurnPlan(FixedOpening(own.player, decision, action), begun=True))
        styles = [TurnPlan(self.make(Judgement(0, style))) for style in STYLES.values() if style != self.style]
        for n in range(DISTURBED):
            seed = dice.below(1 << 48)
            plans.append(TurnPlan(self.make(Judgement(ERRORS[n % len(ERRORS)], self.style, seed))))
            plans += styles[n : n + 1]
        return plans

    def _think(self, decision: Decision, view: Any, dice: Dice, budget: Budget) -> None:
        begun = perf_counter()
        until = None if budget.seconds is None else begun + budget.seconds - self._thought
        thought = self.search(decision, view, dice, self._left * FIRST // 100, until)
        self._thought += perf_counter() - begun
        self._left -= thought.spent
        self.following = forked(thought.plan.player)

    def search(self, decision: Decision, view: Any, dice: Dice, nodes: int, until: float | None = None) -> Found:
        """Return the best plan, and the number of simulated decisions.

        Args:
            view: The state as the side sees it.
            dice: Dice for the plans' errors and for the worlds.
            nodes: Largest number of simulated decisions.
            until: Time limit, in seconds of `perf_counter`.
        """
        seed = dice.below(1 << 48)
        plans = self._plans(decision, view, dice)
        own = plans[0]
        seen: set[str] = set()
        spent = world = 0
        while len(plans) > 1 and world < MOST:
            for plan in list(plans):
                if plan not in plans:
                    continue  # the budget does not suffice for this plan
                did, cost = self.played(plan, decision, view, f"{seed} {world}")
                spent += cost
                if plan is own and not world:
                    # Keep as many plans as can be compared in enough worlds.
                    del plans[max(2, nodes // max(1, cost * WORLDS)) :]
                if not world and did in seen:
                    plans.remove(plan)  # another plan gave the same answers
                seen.add(did)
                self.cut = until is not None and perf_counter() > until
                if spent >= nodes or self.cut:
                    break
            if spent >= nodes or self.cut:
                break
            world += 1
            if world in HALVED and len(plans) > 2:
                plans.sort(key=lambda plan: (-sum(plan.chances), plan is not own))
                plans = plans[: (len(plans) + 1) // 2]
                if own not in plans:
                    plans[-1] = own
        plan = self._best(own, plans)
        return Found(plan, plan is not own, spent)

    @staticmethod
    def _best(own: TurnPlan, plans: list[TurnPlan]) -> TurnPlan:
        """Return the plan to follow: the veteran's own, unless another is significantly better."""
        best, most = own, 0.0
        for plan in plans:
            count = min(len(plan.chances), len(own.chances))
            if plan is own or count < ENOUGH:
                continue
            gains = [a - b for a, b in zip(plan.chances, own.chances, strict=False)][:count]
            mean = sum(gains) / count
            error = sqrt(sum([(g - mean) ** 2 for g in gains]) / (count - 1) / count)
            if mean - LEAST - SURE * error > most:
                best, most = plan, mean - LEAST - SURE * error
        return best

    @staticmethod
    def _begun(plan: TurnPlan, decision: Decision, view: Any) -> Any:
        """Return the first answer of a plan.

        The plan is computed once, from a view that is not changed afterwards.
        """
        plan.player, plan.begun = forked(plan.player), True
        return plan.player.decide(decision, view, Seeded("begin"))

    def played(self, plan: TurnPlan, decision: Decision, view: Any, seed: str) -> tuple[str, int]:
        """Simulate a plan in a world. Return the side's acts up to the first surprise, and the number of decisions."""
        side, glance = decision.side, self.glance
        if not plan.begun:
            self._begun(plan, decision, view)
        if plan.steps is None:
            plan.steps = Steps(plan.player, view.clone(), side)
        steps = plan.steps
        did = [action for _, action in steps.asked]
        world = self.ruleset.guess(view, side, Seeded(seed))
        # If nothing is hidden, the first steps of a plan lead to the same state in all worlds.
        done = max(0, len(steps.asked) - 1) if world is view else 0
        t = (steps.last if done else world).clone()
        active = t.active
        who: Player | None = None

        def follow(asked: Decision, seen: Any, dice: Dice) -> Any:
            nonlocal done, who
            if who is None and done < len(steps.asked):
                if steps.asked[done][0] == asked:
                    done += 1
                    return steps.asked[done - 1][1]
                # The stored steps end here because another decision was asked, so a copy of the player decides.
                who = forked(steps.before[done])
                del did[done:]
            if who is None:
                who = forked(steps.who)
            action = who.decide(asked, seen, dice)
            if seen.active == active:
                did.append(action)
            return action

        other = self.make(Judgement())

        def reply(asked: Decision, seen: Any, dice: Dice) -> Any:
            return other.decide(asked, seen, dice, glance)

        policies: list[Any] = [reply] * (1 + max(1, side, *[d.side for d in t.asked]))
        policies[side] = follow
        acts = rollout(t, policies, next_turn(self.ruleset.turn, t, AHEAD), Common(f"{seed} dice"))
        plan.chances.append(chance_of(self.ruleset, t, side, Seeded(seed), 4))
        return repr(did), acts


class _Thrown(Exception):
    """Raised when an act rolls a die."""


class _NoDice:
    """Dice that raise an error when rolled."""

    def roll(self, pool: Any, why: tuple[str, ...] = ()) -> Any:
        if pool.count:
            raise _Thrown
        return ()

    def below(self, n: int) -> int:
        raise _Thrown


def searching(
    game: str, make: Callable[[Judgement], Player], commander: int, marshal: int, glance: Budget = UNBOUNDED
) -> dict[str, Rung]:
    """Return the levels that search.

    Args:
        commander: Number of decisions that the commander may simulate in a turn.
        glance: Budget of the simulated other side for a decision.
    """

    def maker(nodes: int, clock: float) -> Callable[[Judgement], Player]:
        return lambda judgement: Searcher(ruleset(game), make, nodes, judgement.style, clock, glance)

    return {
        name: Rung(maker(nodes, clock), 0, WORDS[name])
        for name, nodes, clock in (("commander", commander, 2.0), ("marshal", marshal, 10.0))
    }
