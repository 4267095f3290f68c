"""Odds of a whole act with the other side's reactions, such as a charge under fire with the fight after it.

The act is explored by its own procedures (`engine.explore`), once for each possible reaction of the other side. A game
defines how units are described, and which questions interrupt an act.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec

from caltrop.agreeing import does
from caltrop.chance import Distribution
from caltrop.engine.decision import Decision
from caltrop.engine.explore import (
    STOP,
    CannotExplore,
    ClosedForm,
    Explored,
    FormOf,
    Policy,
    View,
    explore_answer,
    first_option,
)
from caltrop.engine.forecast import Forecast, Value, foreseen, in_hundred
from caltrop.engine.procedure import Procedure
from caltrop.engine.state import State

NODES = 25_000
"""Number of nodes after which an act is played many times instead. Few acts need more and are explored all the same."""
TIMES = 300
"""Number of playouts of an act that has too many nodes."""

QUIET = "No enemy reacts"
ANSWERED = "Every enemy that can react does so"


class Telling(msgspec.Struct, frozen=True, kw_only=True):
    """A game's description of the fates of its units, and of the other side's reactions to an act."""

    units: Callable[[Any], Iterable[int]]
    state: Callable[[Any, int], Hashable]
    """Returns the description of a unit: equal values are one outcome."""
    words: Callable[[Any, int, Any], str]
    """Returns such a state of a unit in words."""
    parts: Callable[[Any, Any], dict[str, Value]]
    means: Callable[[Any, int, Any], dict[str, int]] | None = None
    """Returns the numbers of such a state whose means are shown, by the nouns that a forecast of one attack has for
    them; by default the numbers among its parts.
    """
    is_gone: Callable[[Any], bool]
    """Returns whether the unit is destroyed."""
    name: Callable[[Any, int], str]
    breaks_in: tuple[type[Decision], ...]
    """Questions with which the other side interrupts an act."""
    lets_pass: tuple[type, ...]
    """Answers to these questions that let the act continue."""
    passes: tuple[type[Decision], ...] = ()
    """Questions of either side during an act, whose first answer is to do nothing."""
    usual: Policy = first_option
    """Answers the other questions during an act."""
    suppose: Callable[[Any], Any] = lambda view: view
    """Returns a view in which hidden units that could interrupt the act are assumed to do so."""
    within: tuple[type[Procedure], ...] = ()
    """The procedures that end an act at the latest, when they end; none if empty."""
    after: Callable[[Any, Any, Any, int], Procedure | ClosedForm | None] = lambda view, t, action, number: None
    """Returns the next procedure that follows from the act later in the turn, such as its fight, or None. The
    function's arguments are the view before, the state after, the act, and the number of procedures so far.
    """
    views: Mapping[type[Procedure], View] = {}
    """The parts of a state that procedures depend on (see `Explorer`)."""
    closed_forms: Mapping[type[Procedure], FormOf] = {}
    """Closed forms of procedures (see `Explorer`)."""
    holder: Callable[[Any, Any, Any], int | None] = lambda view, t, action: None
    """Returns the unit that holds the place that an act was about, given the view before and the state after."""


def left_alone(in_play: Callable[[int], bool], unit: int, target: int) -> int | None:
    """Return the survivor of two units if only one is in play."""
    left = [one for one in (unit, target) if in_play(one)]
    return left[0] if len(left) == 1 else None


def whole_act(telling: Telling, view: State, side: int, action: Any) -> tuple[Forecast, ...]:
    """Return what happens to all units in a whole act: a forecast for each way in which the other side may answer.

    Args:
        telling: The game's description of fates.
        view: The state as the side sees it, with one question open.
    """
    if len(view.asked) != 1:
        return ()
    quiet = AnswersUnderWay(telling, side, False)
    act = _WholeAct(telling, view, action)
    exploration = act.explored(view, quiet)
    if exploration is None:
        return ()
    forecasts = [act.forecast(QUIET if quiet.asked else "", exploration)]
    supposed = telling.suppose(view)
    answered = AnswersUnderWay(telling, side, True)
    exploration = act.explored(supposed, answered) if quiet.asked or supposed is not view else None
    if exploration is not None and answered.asked:
        forecasts[0] = msgspec.structs.replace(forecasts[0], about=QUIET)
        forecasts.append(act.forecast(ANSWERED, exploration))
    return tuple([one for one in forecasts if one.outcomes])


class _ActEnd(NamedTuple):
    changes: tuple[tuple[int, Hashable], ...]
    """The units that changed, each with its state."""
    holder: int | None
    """The unit that holds the place in question."""


class AnswersUnderWay:
    """Answers the questions during an act, and stops at the first question after it."""

    def __init__(self, telling: Telling, side: int, answers: bool) -> None:
        self.telling, self.side, self.answers = telling, side, answers
        self.asked = False
        """True if the other side was asked whether to break in; where it answers, if it did."""

    def __call__(self, t: Any, decision: Decision) -> Any:
        if decision.side == self.side or not isinstance(decision, self.telling.breaks_in):
            mid_act = decision.settles or isinstance(decision, self.telling.passes)
            return self.telling.usual(t, decision) if mid_act else STOP
        options, lets_pass = list(decision.options(t)), self.telling.lets_pass
        fitting = [action for action in options if isinstance(action, lets_pass) != self.answers]
        self.asked |= bool(fitting)
        return (fitting or options)[0]


NOT_THERE = "not on the table"
"""State, and its words, of a unit that an act may bring about, if it does not."""


class _WholeAct:
    """An act with the names of its units, of which some may appear during the act."""

    def __init__(self, telling: Telling, view: State, action: Any) -> None:
        self.telling, self.view, self.action = telling, view, action
        self.before = {unit: telling.state(view, unit) for unit in telling.units(view)}
        self.names = {unit: telling.name(view, unit) for unit in self.before}

    def explored(self, view: State, policy: AnswersUnderWay) -> Explored | None:
        """Return the odds of the ends of the act from a view; None if it can neither be explored nor played."""
        telling = self.telling

        def ended(t: Any) -> _ActEnd:
            now = [(unit, telling.state(t, unit)) for unit in telling.units(t)]
            for unit, _ in now:
                if unit not in self.names:
                    self.names[unit] = telling.name(t, unit)
            changes = [(unit, state) for unit, state in now if self.before.get(unit, NOT_THERE) != state]
            return _ActEnd(tuple(changes), telling.holder(view, t, self.action))

        def after(t: Any, number: int) -> Procedure | ClosedForm | None:
            return telling.after(view, t, self.action, number)

        try:
            return explore_answer(
                view,
                self.action,
                ended,
                policy,
                after=after,
                within=telling.within,
                views=telling.views,
                closed_forms=telling.closed_forms,
                nodes=NODES,
                times=TIMES,
            )
        except CannotExplore:
            return None

    def forecast(self, about: str, exploration: Explored) -> Forecast:
        """Return the fates of all units, without outcomes if nothing is left to chance."""
        odds, telling = exploration.odds, self.telling
        units = list(dict.fromkeys(unit for end in odds for unit, _ in end.changes))
        if not units or len(odds) == 1:
            return Forecast(about=about)
        gone = {unit: odds.chance(partial(_is_gone, telling, unit)) for unit in units}
        units.sort(key=lambda unit: (-gone[unit], unit))
        each = [self._of_unit(unit, exploration) for unit in units]
        name = self.names.__getitem__
        gist = [f"{name(unit)} lost: {in_hundred(gone[unit])}" for unit in units if gone[unit]]
        holders = odds.map(lambda end: end.holder)
        gist += [
            f"{does(name(unit), 'holds')} the place: {in_hundred(holders[unit])}"
            for unit in sorted(unit for unit in holders if unit is not None)
        ]
        return msgspec.structs.replace(
            each[0],
            about=about,
            headline="; ".join(gist),
            exact=exploration.exact,
            also=tuple(each[1:]),
            note=exploration.words,
        )

    def _of_unit(self, unit: int, exploration: Explored) -> Forecast:
        stays = self.before.get(unit, NOT_THERE)
        states = exploration.odds.map(lambda end: dict(end.changes).get(unit, stays))
        fate = told_fate(self.telling, self.view, unit, states, exploration.times)
        return msgspec.structs.replace(fate, exact=exploration.exact)


def told_fate(
    telling: Telling,
    view: State,
    unit: int,
    states: Distribution[Any],
    times: int = 0,
    key: Callable[[Any], Any] | None = None,
) -> Forecast:
    """Return the odds of the states of a unit as a forecast.

    Args:
        times: Number of playouts; 0 if the odds are exact.
        key: Returns the sort key of a state; by default its words.
    """

    def words(state: Any) -> str:
        return NOT_THERE if state is NOT_THERE else telling.words(view, unit, state)

    def parts(state: Any) -> dict[str, Value]:
        return {} if state is NOT_THERE else telling.parts(view, state)

    order = key or words
    listed = Distribution(sorted(states.weights(), key=lambda one: order(one[0])))
    return Forecast(target=unit, outcomes=foreseen(listed, words, parts, times))


def _is_gone(telling: Telling, unit: int, end: _ActEnd) -> bool:
    return any(one == unit and telling.is_gone(state) for one, state in end.changes)
