"""The view of a game for one reader: the whole view, the acts that can be taken back, and destroyed units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from caltrop import __version__
from caltrop.agreeing import quantity
from caltrop.engine import Decision, Match, Outcome, Ruleset, redacted, stretches_of
from caltrop.host import dice
from caltrop.host.coach import Coach
from caltrop.host.events import Pending, Setup
from caltrop.host.faults import refused
from caltrop.host.log import Log, in_force
from caltrop.host.people import People
from caltrop.host.rated import Helped, why_unrated
from caltrop.picture import Picture
from caltrop.wire import GoneView, LogEntry, SeatView, UndoView, Versions, View, decision_view
from caltrop.wire.view import SCHEMA_VERSION

LOG_LINES = 400
"""Largest number of log lines in a whole view."""


class SeatedGame(Protocol):
    """A game with people at its table."""

    setup: Setup
    people: People


class Viewed(SeatedGame, Protocol):
    """The interface of a game for views."""

    id: str
    ruleset: Ruleset
    match: Match
    seq: int
    log: Log
    coach: Coach | None
    gone: GoneUnits
    drawn: DrawnTable
    pending: Pending | None
    helped: Helped

    @property
    def acts(self) -> int: ...

    @property
    def waiting_for(self) -> tuple[int, ...]: ...

    @property
    def over(self) -> Outcome | None: ...

    @property
    def kept_back(self) -> bool: ...

    @property
    def secret(self) -> bool: ...

    @property
    def gives_hints(self) -> bool: ...

    def ids(self) -> list[tuple[str, Decision]]: ...

    def may_undo(self, eyes: int | None) -> UndoView: ...


def view_of(
    game: Viewed, eyes: int | None, at: int | None = None, step: int | None = None, *, is_past: bool = False
) -> View:
    """Return a game as a reader may see it. Raises Refused if the game has no such moment.

    Args:
        eyes: A side, or None for an onlooker.
        at: Number of acts; now by default. An earlier moment has no decisions.
        step: Number of the moment within the last act, from 0; by default the last.
        is_past: True to treat the present as an earlier moment.
    """
    match, setup, pending = game.match, game.setup, game.pending
    done = game.log.done.get(at, ())[:-1] if at is not None else ()
    within = done[step] if step is not None and step < len(done) else None
    past = is_past or within is not None or (at is not None and at != game.acts)
    lines = game.log.lines[eyes]
    if past:
        if at is None or not 0 <= at <= game.acts:
            raise refused("no-such-moment", f"The game has {quantity(game.acts, 'act')}", acts=game.acts)
        lines = [entry for entry in in_force(lines) if entry.act <= at]
        if within is None or step is None:
            t = redacted(match.history[at].state if at < game.acts else match.state, eyes)
        else:
            t = redacted(stretches_of(game.ruleset, match.history[at - 1])[step].state, eyes)
            lines = [entry for entry in lines if entry.n <= within.lines[eyes]]
        picture = game.ruleset.depict(t, eyes)
    else:
        _, t, picture = game.drawn.now(eyes)
    asked = () if past else game.ids()
    return View(
        seq=game.seq,
        game=game.id,
        ruleset=game.ruleset.name,
        edition=setup.edition,
        rules=setup.rules,
        scenario=setup.scenario,
        you=eyes,
        seats=seats_in(picture, game),
        act=game.acts if at is None else at,
        picture=picture,
        decisions=tuple(decision_view(id, d, t) for id, d in asked if d.side == eyes),
        waiting_for=() if past else game.waiting_for,
        over=None if past else game.over,
        kept_back=game.kept_back,
        secret=not past and game.secret,
        undo=UndoView() if past else game.may_undo(eyes),
        log=tuple(lines[-LOG_LINES:]),
        luck=game.log.luck(eyes, lines[-1].n if lines else 0),
        dice=None if past or pending is None else dice.wanted(pending),
        lesson=None if past or game.coach is None else game.coach.says(game.acts),
        unrated=""
        if past or eyes is None
        else why_unrated(setup, match.journal, game.people.hinted, eyes, game.helped),
        hints=game.gives_hints and eyes is not None and not past,
        draw=None if past or game.over is not None else game.people.draw,
        talk=() if past or eyes is None else tuple(game.people.talk),
        hushed=tuple(sorted(game.people.hushed)),
        again=tuple(sorted(game.people.again)),
        clock=setup.clock,
        armies=setup.armies,
        size=setup.size,
        gone=game.gone.view(eyes, picture, in_force(lines)),
        fallen=tuple(
            one for line in in_force(lines[:-LOG_LINES]) if line.motion is not None for one in line.motion.fell
        ),
        versions=Versions(wire=SCHEMA_VERSION, engine=__version__, rules=game.ruleset.rules_version),
    )


def seats_in(picture: Picture, game: SeatedGame) -> tuple[SeatView, ...]:
    people = game.people
    return tuple(
        SeatView(
            side=s.side,
            player=game.setup.player(s.side),
            name=s.name,
            letter=s.letter,
            shape=s.shape,
            called=people.names.get(s.side, ""),
            awaited=s.side in people.awaited,
        )
        for s in picture.seats
    )


class SeenTable(NamedTuple):
    """The table as some eyes see it now."""

    state: Any
    seen: Any
    """The state as the reader may see it."""
    picture: Picture


class DrawnTable:
    """The current table, drawn once for each reader."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._sheets: dict[int | None, SeenTable] = {}

    def now(self, eyes: int | None) -> SeenTable:
        match = self.match
        sheet = self._sheets.get(eyes)
        if sheet is None or sheet.state is not match.state:
            seen = match.view(eyes)
            sheet = self._sheets[eyes] = SeenTable(match.state, seen, match.ruleset.depict(seen, eyes))
        return sheet


class GoneUnits:
    """Units that have left the table, as they were last seen."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._were: dict[tuple[int | None, int, int], tuple[int, str] | None] = {}
        """For each reader and log line, units as they were before its act: side and name."""

    def kept(self) -> tuple[tuple[int | None, int, int, tuple[int, str] | None], ...]:
        return tuple([(*key, was) for key, was in self._were.items()])

    def take_in(self, losses: Iterable[tuple[int | None, int, int, tuple[int, str] | None]]) -> None:
        self._were.update({(eyes, line, unit): was for eyes, line, unit, was in losses})

    def view(self, eyes: int | None, picture: Picture, lines: Sequence[LogEntry]) -> tuple[GoneView, ...]:
        there = {group.id for group in picture.groups}
        by_unit: dict[int, GoneView] = {}
        for line in reversed(lines):
            for unit in line.touches:
                if line.act and unit not in there and unit not in by_unit:
                    was = self._seen_before(eyes, line, unit)
                    if was is not None:
                        by_unit[unit] = GoneView(id=unit, side=was[0], name=was[1], act=line.act)
        return tuple(by_unit[unit] for unit in sorted(by_unit))

    def _seen_before(self, eyes: int | None, line: LogEntry, unit: int) -> tuple[int, str] | None:
        key = (eyes, line.n, unit)
        if key not in self._were:
            groups = self.match.ruleset.depict(redacted(self.match.history[line.act - 1].state, eyes), eyes).groups
            self._were[key] = next(((group.side, group.in_words) for group in groups if group.id == unit), None)
        return self._were[key]
