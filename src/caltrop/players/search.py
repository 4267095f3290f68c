"""The player that plays whole turns through in its thoughts before it plays one.

When its turn begins it has a plan: its veteran's own. It tries others against it: those that begin with each other
answer to what is asked first, and then changes to the best plan so far, in which one or two of those who act do
something else that seems about as good. Each is played to the end of the other side's
answer, in worlds drawn from what its side sees, with the same luck in the same attacks for all (`Common`), and what
comes of it is evaluated. A plan that does worse than the best so far drops out at once; one that was better, by more
than chance would make of it, takes its place, until the budget is spent. Where something was rolled or revealed that
the plan did not expect, it thinks again with what is left of the turn's budget. Nothing in here names a game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from copy import copy
from itertools import islice
from math import isqrt, sqrt
from time import perf_counter
from types import MappingProxyType
from typing import Any

from caltrop.chance import Common, Dice, Seeded
from caltrop.engine import Decision, Ruleset, answer, next_turn, redacted, rollout, ruleset
from caltrop.players.judgement import PLAIN, Judgement, Partial, Style
from caltrop.players.ladder import WORDS, Rung
from caltrop.players.protocol import UNBOUNDED, Budget, Player
from caltrop.players.thinking import chance_of, forked

AHEAD = 2
"""For how many turns a plan is played: the rest of its own, and the other side's answer."""
FIRST = 60
"""What part of a turn's budget its beginning may take, in per cent; of what is left then, so much every time."""
ERROR = 60
"""By how much those err who do something else in a changed plan, in per cent."""
CHANGES = 2
"""About so many of them at most err in another way than in the plan before."""
OPENINGS = 8
"""How many other answers to what is asked first begin a plan each, where all that can be answered are listed."""
SURE = 0.5
"""Standard errors by which another plan has to be better."""
LEAST = 0.01
"""And the chance of winning that it has to gain besides."""
WORLDS = 4
"""In so many worlds at least a plan is played before it is the best; in more where there is room for many plans."""
TRIES = 200
"""Plans that are tried in all."""
LONGEST = 400
"""Steps of a plan before a die falls, at most."""


class Plan:
    """A way to play the turn, and how it fared."""

    __slots__ = ("begins", "begun", "chances", "errs", "player", "steps")

    def __init__(
        self,
        player: Player,
        begun: bool = False,
        begins: Any = None,
        errs: Mapping[Hashable, int] = MappingProxyType({}),
    ) -> None:
        self.player = player
        """Who plays so, with what it thought when it began: it begins alike in all worlds."""
        self.begun = begun
        self.begins = begins
        """The answer to what is asked first, where it begins with another than its player's."""
        self.errs = errs
        """Of whom it errs, and the seeds of these errors."""
        self.steps: Steps | None = None
        self.chances: list[float] = []


class Steps:
    """What a plan does before a die falls or anybody else is asked: it is alike in all worlds, and thought of once.

    Args:
        player: Who plays so; a copy of it goes through the steps.
        t: The state as the side sees it, which is played on in place.
        side: The side.
    """

    __slots__ = ("asked", "before", "did", "last", "who")

    def __init__(self, player: Player, t: Any, side: int) -> None:
        self.asked: list[tuple[Decision, Any]] = []
        """Questions, each with its answer."""
        self.before: list[Player] = []
        """Who answers, as it was before each of them."""
        self.who = forked(player)
        """And as it is after the last."""
        self.last = t
        """The state in which the last of them is asked."""
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
        self.did = repr([action for _, action in self.asked])
        """All that it answers, in a word that tells it from others."""


class Opening:
    """Gives one answer where a plan begins, and goes on as a player would.

    Args:
        player: Who goes on.
        at: The question.
        action: The answer to it.
    """

    def __init__(self, player: Player, at: Decision, action: Any) -> None:
        self.player, self.at, self.action = player, at, action
        self.begun = False

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """The answer that it begins with, and then what the player says."""
        if not self.begun:
            self.begun = True
            if decision == self.at:
                return self.action
        return self.player.decide(decision, view, dice, budget)

    def fork(self) -> Opening:
        """The same with a player of its own."""
        twin = copy(self)
        twin.player = forked(self.player)
        return twin


class Searcher:
    """Follows the best of several plans of a whole turn.

    Args:
        ruleset: The rulebook.
        make: Makes a player of the game that judges so; it carries plans out.
        nodes: How many decisions may be thought through in a turn, those of both sides counted.
        style: What it cares for.
        clock: Seconds that it may think in a turn where a person waits; who lets it play gives them as its budget.
        glance: How much the other side may look at in a decision, in its thoughts.
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
        self._known: dict[Hashable, None] = {}
        """Who was judged in this turn: they may do something else."""
        self.following = self._veteran()
        """Who carries out the plan."""
        self.cut = False
        """Whether a clock has cut its thinking short in this turn."""
        self._turn: Any = None
        self._left = 0
        self._thought = 0.0
        """Seconds that it has thought in this turn, where a clock counts."""
        self._expected: Any = None

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """What the plan answers; a new plan where the turn is new or something came otherwise."""
        turn = self.ruleset.turn(view)
        if turn != self._turn:
            self._turn, self.cut = turn, False
            self._thought = 0.0
            self._known = {}
            self._left = self.nodes if budget.nodes is None else min(self.nodes, budget.nodes)
            self.following, self._expected = self._veteran(), None
        news = self._expected is None or self._expected != view
        if news and self._left > 0 and self.is_open(decision, view):
            self._think(decision, view, dice, budget)
        action = self.following.decide(decision, view, dice, budget)
        self._expected = self._foreseen(decision, view, action)
        return action

    def fork(self) -> Searcher:
        """The same with a plan of its own."""
        twin = copy(self)
        twin.following = forked(self.following)
        return twin

    def _veteran(self) -> Player:
        return self.make(Partial(ERROR, self.style, {}, self._known))

    def is_open(self, decision: Decision, view: Any) -> bool:
        """Whether it is the side's own turn, and something can be decided."""
        mine = view.active == decision.side and decision in view.asked
        return mine and self.ruleset.round(view) > 0 and bool(decision.options(view).several())

    def _foreseen(self, decision: Decision, view: Any, action: Any) -> Any:
        """What the side will see next if no die falls otherwise than thought and nothing is revealed."""
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

    def _openings(self, own: Plan, decision: Decision, view: Any) -> Iterator[Plan]:
        """Plans that begin with each other answer to what is asked first, and go on as the veteran does."""
        # What it thinks when it begins is of use whatever it begins with.
        first = self._begun(own, decision, view)
        options = decision.options(view)
        begins = [a for a in islice(options, OPENINGS + 1) if a != first] if options.finite else []
        for action in begins[:OPENINGS]:
            yield Plan(Opening(own.player, decision, action), True, action)

    def _changed(self, best: Plan, decision: Decision, dice: Dice) -> Plan:
        """A plan like the best so far, in which one or two of those who act do something else."""
        who, errs = list(self._known), dict(best.errs)
        for _ in range(1 + dice.below(CHANGES)):
            errs[who[dice.below(len(who))]] = dice.below(1 << 48)
        player = self.make(Partial(ERROR, self.style, errs, self._known))
        if best.begins is None:
            return Plan(player, errs=errs)
        return Plan(Opening(player, decision, best.begins), True, best.begins, errs)

    def _think(self, decision: Decision, view: Any, dice: Dice, budget: Budget) -> None:
        """Find the plan to follow."""
        begun = perf_counter()
        until = None if budget.seconds is None else begun + budget.seconds - self._thought
        best, spent = self.best(decision, view, dice, self._left * FIRST // 100, until)
        self._thought += perf_counter() - begun
        self._left -= spent
        self.following = forked(best.player)

    def best(
        self, decision: Decision, view: Any, dice: Dice, nodes: int, until: float | None = None
    ) -> tuple[Plan, int]:
        """The best plan that is found with so many decisions and before a clock cuts in, and how many it took."""
        seed = dice.below(1 << 48)
        spent = 0

        def play(plan: Plan) -> bool:
            """Play a plan in its next world; False where there is no room for it."""
            nonlocal spent
            if spent >= nodes or self.cut:
                return False
            spent += self.played(plan, decision, view, f"{seed} {len(plan.chances)}")
            self.cut = until is not None and perf_counter() > until
            return True

        own = best = Plan(forked(self.following))
        openings = self._openings(own, decision, view)
        play(own)
        seen = {self._steps(own, decision, view).did}
        # As many worlds as plans, where there is room for many.
        worlds = max(WORLDS, isqrt(nodes // max(1, spent)))
        for _ in range(TRIES):
            plan = next(openings, None) or (self._changed(best, decision, dice) if self._known else None)
            if plan is None or spent >= nodes or self.cut:
                break
            steps = self._steps(plan, decision, view)
            if steps.did in seen:
                # It is the same until something is thrown or asked, and then it is thought of anew.
                spent += len(steps.asked)
                continue
            seen.add(steps.did)
            play(plan)
            while len(plan.chances) < worlds and not _is_worse(plan, best):
                if (len(best.chances) <= len(plan.chances) and not play(best)) or not play(plan):
                    break
            if len(plan.chances) == worlds and _gain(plan, best) > 0:
                best = plan
        return best, spent

    @staticmethod
    def _begun(plan: Plan, decision: Decision, view: Any) -> Any:
        """What a plan begins with. It thinks that but once, and of a state that is not played on in place."""
        plan.player, plan.begun = forked(plan.player), True
        return plan.player.decide(decision, view, Seeded("begin"))

    def _steps(self, plan: Plan, decision: Decision, view: Any) -> Steps:
        """What a plan does first; it is thought of once."""
        if not plan.begun:
            self._begun(plan, decision, view)
        if plan.steps is None:
            plan.steps = Steps(plan.player, view.clone(), decision.side)
        return plan.steps

    def played(self, plan: Plan, decision: Decision, view: Any, seed: str) -> int:
        """Play a plan in a world, and note how likely the side is to win after it; how many acts it took."""
        side, glance = decision.side, self.glance
        steps = self._steps(plan, decision, view)
        world = self.ruleset.guess(view, side, Seeded(seed))
        # Where nothing is hidden, what the plan does first leads to one state in all worlds.
        done = max(0, len(steps.asked) - 1) if world is view else 0
        t = (steps.last if done else world).clone()
        who: Player | None = None

        def follow(asked: Decision, seen: Any, dice: Dice) -> Any:
            nonlocal done, who
            if who is None and done < len(steps.asked):
                if steps.asked[done][0] == asked:
                    done += 1
                    return steps.asked[done - 1][1]
                # Here somebody else was asked in between, or something came otherwise.
                who = forked(steps.before[done])
            if who is None:
                who = forked(steps.who)
            return who.decide(asked, seen, dice)

        other = self.make(Judgement())

        def reply(asked: Decision, seen: Any, dice: Dice) -> Any:
            return other.decide(asked, seen, dice, glance)

        policies: list[Any] = [reply] * (1 + max(1, side, *[d.side for d in t.asked]))
        policies[side] = follow
        acts = rollout(t, policies, next_turn(self.ruleset.turn, t, AHEAD), Common(f"{seed} dice"))
        plan.chances.append(chance_of(self.ruleset, t, side, Seeded(seed), 4))
        return acts


def _gains(plan: Plan, best: Plan) -> list[float]:
    """By how much a plan did better than another, world by world."""
    return [a - b for a, b in zip(plan.chances, best.chances, strict=False)]


def _is_worse(plan: Plan, best: Plan) -> bool:
    """Whether a plan did no better than the best so far, where both were played."""
    return sum(_gains(plan, best)) < 0


def _gain(plan: Plan, best: Plan) -> float:
    """What a plan gains for sure; positive where it is to be followed rather than the best so far."""
    gains = _gains(plan, best)
    mean = sum(gains) / len(gains)
    error = sqrt(sum([(g - mean) ** 2 for g in gains]) / (len(gains) - 1) / len(gains))
    return mean - LEAST - SURE * error


class _Thrown(Exception):
    """A die is thrown."""


class _NoDice:
    """Dice that must not be thrown: what they would show is not known."""

    def roll(self, pool: Any, why: tuple[str, ...] = ()) -> Any:
        if pool.count:
            raise _Thrown
        return ()

    def below(self, n: int) -> int:
        raise _Thrown


def searching(
    game: str, make: Callable[[Judgement], Player], commander: int, marshal: int, glance: Budget = UNBOUNDED
) -> dict[str, Rung]:
    """The levels that search.

    Args:
        game: The game.
        make: Makes a player of it that judges so.
        commander: How many decisions the commander may think through in a turn.
        marshal: How many the marshal.
        glance: How much the other side may look at in a decision, in their thoughts.
    """

    def maker(nodes: int, clock: float) -> Callable[[Judgement], Player]:
        return lambda judgement: Searcher(ruleset(game), make, nodes, judgement.style, clock, glance)

    return {
        name: Rung(maker(nodes, clock), 0, WORDS[name])
        for name, nodes, clock in (("commander", commander, 2.0), ("marshal", marshal, 10.0))
    }
