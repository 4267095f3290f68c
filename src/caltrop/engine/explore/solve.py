"""Exact odds of a procedure, computed by running it for all distinguishable rolls.

A procedure is explored once for each set of values of the state that it depends on. The graph of a procedure has a node
for each step after a roll: live fields, changes of the state, and the reply. Equal nodes of the graph are merged.
Probabilities are whole-number weights, passed along the graph. Cycles in the graph, such as re-rolls of ties, are
solved exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import gcd, lcm
from typing import Any, NamedTuple

from caltrop.chance import Distribution, TooManyOutcomes, outcomes
from caltrop.clauses import uncounted
from caltrop.engine.decision import Decision
from caltrop.engine.explore.change import StateChange, Workbench
from caltrop.engine.explore.live import live_fields
from caltrop.engine.flow import turn_order
from caltrop.engine.procedure import Ask, End, Go, Procedure, Run, Throw
from caltrop.engine.state import State, copied

NODES = 30_000
"""Largest number of nodes of an exploration; reaching it takes about half a second."""

Policy = Callable[[Any, Decision], Any]
"""Returns the answer to a decision, given the state."""
View = Callable[[Any, Any], Hashable]
"""Returns everything in a state that a procedure depends on."""

Finish = tuple[StateChange, Any]
"""An end of a procedure: the change of the state, and the result."""
Finishes = tuple[Sequence[tuple[Finish, int]], int]
"""The ends of a procedure with their weights, and the sum of the weights."""
Edges = tuple[Sequence[tuple[int, int]], int]
"""The successors of a node with their weights, and the sum of the weights."""


class CannotExplore(Exception):
    """Raised for a procedure that needs too many nodes or has an unsupported effect."""


class ClosedForm(NamedTuple):
    """Known odds in place of a procedure."""

    odds: Distribution[Any]
    write: Callable[[Any, Any], None]
    """Writes one outcome into a state."""


FormOf = Callable[[Any, Any], ClosedForm | None]
"""Returns the closed form of a procedure in a state, or None to run the procedure."""


class Halt:
    """A result that ends all running procedures."""

    def __init__(self, why: str) -> None:
        self.why = why

    def __repr__(self) -> str:
        return f"Halt({self.why!r})"


OVER = Halt("the game is over")
STOP = Halt("the odds are taken at this question")
"""Returned by a policy in place of an answer, to end the act at this question."""
GO_ON = Halt("a step is run as it is written")
"""Returned by a stop to run the step normally."""
LEFT_OUT = Halt("a step is left out")
"""Returned by a stop to skip a step without effect on the outcome, and also the step that takes its reply."""


def first_option(t: Any, decision: Decision) -> Any:
    """Answer a decision by its first option."""
    return decision.options(t).first()


class Best:
    """A policy that gives some decisions the answer with the best expected value for the rest of the procedure.

    Of equally good answers, the policy takes the first.

    Args:
        kind: Kind of the decisions to be answered well.
        value: Returns the value of an end of the procedure, given a state and a result: numbers, compared in order.
        otherwise: Policy for all other decisions.
    """

    def __init__(
        self,
        kind: type[Decision],
        value: Callable[[Any, Any], tuple[int | Fraction, ...]],
        otherwise: Policy = first_option,
    ) -> None:
        self.kind, self.value, self.otherwise = kind, value, otherwise

    def __call__(self, t: Any, decision: Decision) -> Any:
        return self.otherwise(t, decision)


class Explorer:
    """Solves procedures from one state on. An explorer must not be shared between threads.

    Args:
        root: The state, as the asking side may see it; it is not changed.
        policy: Answers decisions.
        views: The parts of a state that procedures depend on, by kind of procedure; by default everything.
        stops: Results with which a procedure ends at a step, by the procedure's kind and the step's stored name; or
            `GO_ON`, `LEFT_OUT`.
        closed_forms: Closed forms by kind of procedure, for procedures whose result no step reads.
    """

    def __init__(
        self,
        root: State,
        policy: Policy = first_option,
        *,
        views: Mapping[type[Procedure], View] | None = None,
        closed_forms: Mapping[type[Procedure], FormOf] | None = None,
        stops: Mapping[tuple[type[Procedure], str], Callable[[Any, Any], Any]] | None = None,
        nodes: int = NODES,
    ) -> None:
        self.bench: Workbench[Any] = Workbench(root)
        self.policy, self.views, self.stops = policy, views or {}, stops or {}
        self.closed_forms = closed_forms or {}
        self.left = self.nodes = nodes
        self.halts = False
        """True if a `Halt` has occurred in a procedure so far."""
        self._solved: dict[Hashable, Any] = {}
        self._kinds: set[type[Procedure]] = set()

    @property
    def made(self) -> int:
        return self.nodes - self.left

    @property
    def kinds(self) -> frozenset[type[Procedure]]:
        return frozenset(self._kinds)

    def odds(self, procedure: Procedure, end: Callable[[Any, Any], Hashable]) -> Distribution[Any]:
        """Return the odds of a procedure's results.

        Raises CannotExplore if the procedure needs too many nodes or has an unsupported effect.

        Args:
            procedure: The procedure, at its first or at a later step.
            end: Returns the outcome for a state and a result; the result is None if the game is over.
        """
        with uncounted():
            return self.told(Distribution(self.solve(procedure, self.bench.none, True)[0]), end)

    def run_on(self, frames: Sequence[Procedure], reply: Any) -> Distribution[Finish]:
        """Return the ends of running procedures after the innermost procedure gets a reply.

        The procedures run until the policy returns `STOP`, the game is over, or the outermost procedure has ended.
        Raises CannotExplore if the procedures need too many nodes or have an unsupported effect.

        Args:
            frames: The procedures, the innermost last, as a state has them on its stack.
            reply: Reply for the next step of the innermost procedure: the answer to its question.
        """
        ends: Distribution[Finish] = Distribution.certain((self.bench.none, reply))
        for frame in reversed(frames):
            ends = ends.then(partial(self._ended, frame))
        return ends

    def _ended(self, frame: Procedure, before: Finish) -> Distribution[Finish]:
        if isinstance(before[1], Halt):
            return Distribution.certain(before)
        return Distribution(Graph(self, type(frame), True).finishes(frame, *before)[0])

    def told(self, ends: Distribution[Finish], end: Callable[[Any, Any], Hashable]) -> Distribution[Any]:
        """Return the odds of the outcomes, where *end* computes the outcome from a state and a result."""

        def outcome(finish: Finish) -> Hashable:
            change, result = finish
            self.bench.go(change)
            return end(self.bench.t, None if isinstance(result, Halt) else result)

        return ends.map(outcome)

    def spend(self, nodes: int, what: str) -> None:
        """Subtract nodes from the limit; raise CannotExplore if none are left. *what* names the procedure."""
        self.left -= nodes
        if self.left < 0:
            raise CannotExplore(f"{what} has more than {self.nodes} nodes")

    def solve(self, procedure: Procedure, change: StateChange, replied: bool) -> Finishes:
        """Return the ends of a procedure that begins after a change.

        Args:
            replied: True if another step reads the result of the procedure. If no step reads the result, ends that
                differ only in the result count as one.
        """
        kind, bench = type(procedure), self.bench
        self._kinds.add(kind)
        fields = tuple([getattr(procedure, name) for name in live_fields(kind)[procedure.at or kind.start]])
        view = self.views.get(kind)
        seen: Hashable = change.number
        if view is not None:
            bench.go(change)
            seen = view(procedure, bench.t)
        key = (kind, procedure.at, fields, seen, replied)
        cached = self._solved.get(key)
        if view is None:
            if cached is None:
                closed = None if replied else self._in_closed_form(procedure, change)
                cached = closed or Graph(self, kind, replied).finishes(procedure, change)
                self._solved[key] = cached
            ends: Finishes = cached
            return ends
        if cached is None:
            finishes, whole = Graph(self, kind, replied).finishes(procedure, change)
            entries = [(bench.written(change, after), result, weight) for (after, result), weight in finishes]
            self._solved[key] = entries, whole
            return finishes, whole
        entries, whole = cached
        return [((bench.joined(change, writes), result), weight) for writes, result, weight in entries], whole

    def _in_closed_form(self, procedure: Procedure, change: StateChange) -> Finishes | None:
        form_of, bench = self.closed_forms.get(type(procedure)), self.bench
        if form_of is None:
            return None
        bench.go(change)
        part = form_of(procedure, bench.t)
        if part is None:
            return None
        ends = self.written(part, change)
        return list(ends.weights()), ends.total

    def written(self, part: ClosedForm, change: StateChange) -> Distribution[Finish]:
        """Return the ends of a part with known odds that begins after a change."""
        self.spend(len(part.odds), "the act")

        def end(outcome: Any) -> Finish:
            self.bench.go(change)
            part.write(self.bench.t, outcome)
            return self.bench.collect(), None

        return part.odds.map(end)


class Graph:
    """The graph of one procedure, starting from one state."""

    def __init__(self, explorer: Explorer, kind: type[Procedure], replied: bool) -> None:
        self.explorer, self.kind, self.wanted = explorer, kind, replied
        self.bench, self.live = explorer.bench, live_fields(kind)
        self.places: dict[Hashable, int] = {}
        self.end_places: dict[tuple[int, Any], int] = {}
        self.ends: dict[int, Finish] = {}
        self.edges: list[Edges | None] = []
        self.waiting: list[tuple[int, Any, StateChange, Any]] = []

    def finishes(self, procedure: Procedure, change: StateChange, reply: Any = None) -> Finishes:
        """Return the ends of the procedure with their weights. *reply* is the value for its next step."""
        start = self._node(self._seen(procedure), procedure, change, reply)
        self._expand()
        return self._flow(start)

    def _seen(self, frame: Procedure) -> tuple[Any, ...]:
        at = frame.at or frame.start
        return (at, *[getattr(frame, name) for name in self.live[at]])

    def _node(self, seen: tuple[Any, ...], frame: Procedure, change: StateChange, reply: Any) -> int:
        key = (seen, change.number, reply)
        place = self.places.get(key)
        if place is None:
            self.explorer.spend(1, self.kind.__name__)
            place = self.places[key] = len(self.edges)
            self.edges.append(None)
            self.waiting.append((place, frame, change, reply))
        return place

    def _end(self, change: StateChange, result: Any) -> int:
        key = (change.number, result)
        place = self.end_places.get(key)
        if place is None:
            place = self.end_places[key] = len(self.edges)
            self.edges.append(((), 1))
            self.ends[place] = change, result
        return place

    def _expand(self, leave: int = 0) -> None:
        while len(self.waiting) > leave:
            place, frame, change, reply = self.waiting.pop()
            self.edges[place] = self._run(copied(frame), change, reply)

    def _run(self, frame: Procedure, change: StateChange, reply: Any) -> Edges:
        """Run steps of a frame up to a throw, another procedure, or a decision."""
        bench, plan, stops = self.bench, frame.plan, self.explorer.stops
        bench.go(change)
        t = bench.t
        while True:
            at = frame.at or frame.start
            stop = stops.get((self.kind, at)) if stops else None
            if stop is not None:
                result = stop(frame, t)
                if result is LEFT_OUT:
                    after = plan[at].next
                    frame.at, reply = plan[after].next if after != "-" and plan[after].replied else after, None
                    continue
                if result is not GO_ON:
                    return [(self._end(bench.collect(), result), 1)], 1
            if t.queue and reply is None:
                return self._triggered(frame)
            if at == "-":
                return [(self._end(bench.collect(), None), 1)], 1
            now = plan[at]
            frame.at = now.next
            effect = now.do(frame, t, reply) if now.replied else now.do(frame, t)
            if t.over is not None:
                t.queue.clear()
                self.explorer.halts = True
                return [(self._end(bench.collect(), OVER), 1)], 1
            reply = None
            if effect is None:
                continue
            kind = type(effect)
            if kind is Go:
                frame.at = frame.steps[effect.to]
            elif kind is Throw:
                pool = effect.pool
                if not pool.count:
                    reply = ()
                    continue
                self._refuse_triggers(frame)
                try:
                    rolls, whole = outcomes(effect.reads, pool.count, pool.sides)
                except TooManyOutcomes as reason:
                    raise CannotExplore(str(reason)) from None
                here, seen = bench.collect(), self._seen(frame)
                return [(self._node(seen, frame, here, roll), weight) for roll, weight in rolls], whole
            elif kind is Run:
                self._refuse_triggers(frame)
                replied = frame.at != "-" and plan[frame.at].replied
                return self._after(frame, *self.explorer.solve(effect.procedure, bench.collect(), replied))
            elif kind is End:
                if t.queue:
                    if effect.result is not None:
                        raise CannotExplore(f"{self.kind.__name__}.{at} ends with a result while triggers wait")
                    frame.at = "-"
                    return self._triggered(frame)
                return [(self._end(bench.collect(), effect.result if self.wanted else None), 1)], 1
            elif kind is Ask:
                self._refuse_triggers(frame)
                policy = self.explorer.policy
                asked = effect.decisions
                if len(asked) == 1 and isinstance(policy, Best) and isinstance(asked[0], policy.kind):
                    return self._best(frame, asked[0], policy)
                replies = tuple([policy(t, one) for one in asked])
                if STOP in replies:
                    self.explorer.halts = True
                    return [(self._end(bench.collect(), STOP), 1)], 1
                reply = replies[0] if len(replies) == 1 else replies
            else:
                raise TypeError(f"{self.kind.__name__}.{at} returned {effect!r}, which is not an effect")

    def _refuse_triggers(self, frame: Procedure) -> None:
        if self.bench.t.queue:
            raise CannotExplore(f"triggers wait behind the reply to a step of {type(frame).__name__}")

    def _after(self, frame: Procedure, listed: Sequence[tuple[Finish, int]], whole: int) -> Edges:
        edges: list[tuple[int, int]] = []
        if self.explorer.halts:
            for (change, result), weight in listed:
                if isinstance(result, Halt):
                    edges.append((self._end(change, result), weight))
            listed = [(finish, weight) for finish, weight in listed if not isinstance(finish[1], Halt)]
        if frame.at == "-":
            merged: dict[int, int] = {}
            for (change, _), weight in listed:
                place = self._end(change, None)
                merged[place] = merged.get(place, 0) + weight
            return [*edges, *merged.items()], whole
        seen, replied = self._seen(frame), frame.plan[frame.at].replied
        for (change, result), weight in listed:
            edges.append((self._node(seen, frame, change, result if replied else None), weight))
        return edges, whole

    def _triggered(self, frame: Procedure) -> Edges:
        """Run the procedures that triggers have queued, before the next step."""
        t = self.bench.t
        queued = sorted(t.queue, key=turn_order(t))
        t.queue.clear()
        states: dict[StateChange, int] = {self.bench.collect(): 1}
        whole = 1
        for procedure in queued:
            solved = [(self.explorer.solve(procedure, change, False), weight) for change, weight in states.items()]
            common = lcm(*[of for (_, of), _ in solved])
            states = {}
            for (listed, of), weight in solved:
                for (change, result), chance in listed:
                    if isinstance(result, Halt):
                        raise CannotExplore(f"{result.why}, in a procedure of a trigger")
                    states[change] = states.get(change, 0) + weight * chance * (common // of)
            whole *= common
        return self._after(frame, [((change, None), weight) for change, weight in states.items()], whole)

    def _best(self, frame: Procedure, decision: Decision, policy: Best) -> Edges:
        bench = self.bench
        here, seen = bench.collect(), self._seen(frame)
        best: tuple[list[Fraction], int] | None = None
        for action in list(decision.options(bench.t)):
            waiting = len(self.waiting)
            place = self._node(seen, frame, here, action)
            self._expand(waiting)
            finishes, whole = self._flow(place)
            sums: list[int | Fraction] = []
            for (change, result), weight in finishes:
                bench.go(change)
                values = policy.value(bench.t, None if isinstance(result, Halt) else result)
                sums = [weight * value + sum_ for value, sum_ in zip(values, sums or [0] * len(values), strict=True)]
            worth = [Fraction(value) / whole for value in sums]
            if best is None or worth > best[0]:
                best = worth, place
            bench.go(here)
        if best is None:
            raise CannotExplore(f"{type(decision).__name__} has no option")
        return [(best[1], 1)], 1

    # --- weights ------------------------------------------------------------------------------------------------------

    def _of(self, place: int) -> Edges:
        edges = self.edges[place]
        assert edges is not None, "a node was not expanded"
        return edges

    def _ordered(self, start: int) -> tuple[list[int], bool]:
        order: list[int] = []
        done: dict[int, bool] = {}
        stack, circle = [(start, 0)], False
        while stack:
            place, child = stack.pop()
            done.setdefault(place, False)
            children = self._of(place)[0]
            while child < len(children):
                after = children[child][0]
                child += 1
                number = done.get(after)
                if number is None:
                    stack += [(place, child), (after, 0)]
                    break
                circle = circle or not number
            else:
                done[place] = True
                order.append(place)
        return order, circle

    def _flow(self, start: int) -> Finishes:
        """Return the ends that a node leads to, with their weights reduced to lowest terms."""
        order, circle = self._ordered(start)
        if circle:
            return self._around(start, order)
        weights: dict[int, tuple[int, int]] = {start: (1, 1)}
        reached: list[tuple[int, int, int]] = []
        for place in reversed(order):
            share, of = weights.pop(place)
            if place in self.ends:
                reached.append((place, share, of))
                continue
            children, whole = self._of(place)
            of *= whole
            for child, weight in children:
                weight *= share
                old = weights.get(child)
                if old is None:
                    weights[child] = weight, of
                elif old[1] == of:
                    weights[child] = old[0] + weight, of
                else:
                    common = lcm(old[1], of)
                    weights[child] = old[0] * (common // old[1]) + weight * (common // of), common
        common = lcm(*[of for _, _, of in reached])
        shares = [(self.ends[place], share * (common // of)) for place, share, of in reached]
        least = gcd(common, *[weight for _, weight in shares])
        return [(finish, weight // least) for finish, weight in shares], common // least

    def _around(self, start: int, order: Sequence[int]) -> Finishes:
        """Return the ends that a node on a cycle leads to, by eliminating the nodes of the cycle."""
        rows: dict[int, dict[int, Fraction]] = {}
        for place in order:
            if place not in self.ends:
                children, whole = self._of(place)
                row = rows.setdefault(place, {})
                for child, weight in children:
                    row[child] = row.get(child, Fraction(0)) + Fraction(weight, whole)
        for place in [place for place in order if place not in self.ends and place != start]:
            row = _without(rows.pop(place), place)
            for other in rows.values():
                share = other.pop(place, None)
                if share:
                    for child, chance in row.items():
                        other[child] = other.get(child, Fraction(0)) + share * chance
        finishes = [(self.ends[place], chance) for place, chance in _without(rows[start], start).items() if chance]
        common = lcm(*[chance.denominator for _, chance in finishes])
        return [(finish, chance.numerator * (common // chance.denominator)) for finish, chance in finishes], common


def _without(row: dict[int, Fraction], place: int) -> dict[int, Fraction]:
    stay = row.pop(place, Fraction(0))
    if stay == 1:
        raise CannotExplore("a procedure goes round for ever")
    return {child: chance / (1 - stay) for child, chance in row.items()}
