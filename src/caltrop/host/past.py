"""The past of a game: its moments in force, and the pictures between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from caltrop.engine import Match, Outcome, Ruleset, redacted, stretches_of
from caltrop.host.chronicle import Annals
from caltrop.host.events import Setup
from caltrop.host.log import DonePart, Log
from caltrop.picture import Picture
from caltrop.wire import LogEntry


class Remembered(Protocol):
    """The interface of a game with a past."""

    setup: Setup
    ruleset: Ruleset
    match: Match
    log: Log
    annals: Annals

    @property
    def states(self) -> tuple[Any, ...]: ...

    @property
    def over(self) -> Outcome | None: ...


class ShownPast(NamedTuple):
    """The moments of a game in force for one reader. The past is immutable and may be read in a thread."""

    eyes: int | None
    movers: tuple[int, ...]
    """Side of each act."""
    lines: tuple[LogEntry, ...]
    done: Mapping[int, Sequence[DonePart]]
    """The stretches of each act, if it has several."""
    picture: Callable[[int], Picture]
    """Returns the table after a number of acts."""
    active: Callable[[int], int | None]
    """Side whose turn it is after a number of acts; None if unknown."""
    within: Callable[[int], Sequence[tuple[Picture, int | None]]]
    """Returns the table after each stretch of an act, with the side whose turn it is."""
    over: Outcome | None
    setup: Setup


def shown_past(game: Remembered, eyes: int | None) -> ShownPast:
    states, points, chronicle = game.states, tuple(game.match.history), game.annals.chronicles[eyes]
    return ShownPast(
        eyes=eyes,
        movers=tuple(point.side for point in points),
        lines=tuple(game.log.in_force(eyes)),
        done={act: tuple(done) for act, done in game.log.done.items()},
        picture=lambda act: chronicle.picture(states[act]),
        active=lambda act: states[act].active,
        within=lambda act: [
            (chronicle.picture(one.state), one.state.active) for one in stretches_of(game.ruleset, points[act - 1])
        ],
        over=game.over,
        setup=game.setup,
    )


def on_the_way(game: Remembered, eyes: int | None, after: int) -> list[tuple[Picture, int]]:
    """Return the pictures before the present, each with its last line.

    Args:
        eyes: A side, or None for an onlooker.
        after: The last log line that has been shown.
    """
    return [
        (game.ruleset.depict(redacted(one.stretch.state, eyes), eyes), one.lines[eyes])
        for one in game.log.passing
        if one.lines[eyes] > after
    ]
