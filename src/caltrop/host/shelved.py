"""A stored game that cannot continue under the present rules: it is shown as it was recorded.

The texts and tables of the beginning and of each act were stored with the game, so it can be viewed and exported up to
its last act. No act of the game is replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from caltrop import __version__
from caltrop.agreeing import quantity
from caltrop.engine import Decision, Fell, Outcome, Played, Ruleset, Undone
from caltrop.host.events import (
    Acted,
    Created,
    Habit,
    Named,
    Noted,
    Renewing,
    Replaced,
    Said,
    Spent,
    Talked,
    TookBack,
    opened_by,
    read_rows,
    tales_of,
)
from caltrop.host.faults import CannotContinue, DamagedGame, NoRules, refused
from caltrop.host.game import HostedGame
from caltrop.host.log import Log, places
from caltrop.host.past import ShownPast
from caltrop.host.people import People
from caltrop.host.rated import why_unrated
from caltrop.host.restoring import restored
from caltrop.host.seats import ServerLibrary
from caltrop.host.standing import recalled
from caltrop.host.storage import StoredRow
from caltrop.host.views import seats_in
from caltrop.journal import PERSON, Record
from caltrop.journal.keep import KeptAct, Story, Tale
from caltrop.picture import Picture
from caltrop.wire import LogEntry, UndoView, Versions, View
from caltrop.wire.view import SCHEMA_VERSION


def opened(
    id: str, rows: Sequence[StoredRow], library: ServerLibrary, standing: tuple[str, bytes] | None = None
) -> HostedGame:
    """Return a stored game: from its stored state, or replayed from its events, or as recorded if the rules have
    changed.

    Args:
        standing: Stored state of the game, with the stamp of the program that wrote it.

    Raises:
        CannotContinue: if the game can neither be replayed nor shown; `DamagedGame` if its events cannot be read.
    """
    if standing is not None and (game := recalled(id, rows, library, *standing)) is not None:
        return game
    try:
        return restored(id, rows, library)
    except (DamagedGame, NoRules):
        raise
    except CannotContinue as error:
        created, acted = read_rows(rows)
        tales = tales_of(created, acted)
        for place, tale in enumerate(error.retold):
            # The stored words have priority over words of the present rules.
            tales[place] = tales[place] or tale
        if tales[0] is None:
            raise
        return Shelved(id, rows, tales, library.find(created.setup.ruleset), error)


UNSEEN = Outcome(None, "The game is over; how it ended was not recorded")
"""Reason of an end by the rules of which no other text is stored."""


class Shelved(HostedGame):
    """A game that is shown from its stored texts and tables. Requests that need the rules are refused, with the
    conditions for continuing.

    Args:
        tales: Texts and tables of the beginning and of each act and undo; None from the first missing one.
        why: The reason why it cannot continue.
    """

    def __init__(
        self, id: str, rows: Sequence[StoredRow], tales: Sequence[Tale | None], ruleset: Ruleset, why: CannotContinue
    ) -> None:
        created, acted = read_rows(rows)
        assert tales[0] is not None
        assert tales[0].turn is not None
        self.id, self.setup, self.ruleset, self.why = id, created.setup, ruleset, why
        self.coach = self.takeback = self.pending = self.retold = self.clock = None
        self.resigned = self.late = self.shown_by = None
        self.agreed = False
        self.unseen_end: Outcome | None = None
        """End of the game, if it cannot be shown."""
        self.hides = False
        self.keys, self.lapsed = {}, {}
        self.seq = rows[0].seq
        tales_told: list[tuple[int, Tale, Picture]] = []
        first: Picture = tales[0].turn.view
        self.told = tales_told
        """For each act in force its side, its texts, and the last picture."""
        self.first = first
        self.log = Log(
            self.eyes, lambda: len(tales_told), lambda: (tales_told[-1][2] if tales_told else first).stage.round
        )
        self.people = People(self.setup, self.log, self.name)
        self.story = _story(created, acted, tales)
        self._tell_tale(tales[0], None)
        rest, shown = list(tales[1:]), True
        for row, body in acted:
            if isinstance(body, Acted | TookBack):
                tale = rest.pop(0)
                if shown and tale is None:
                    self.log.note(None, "player", "The game cannot be shown from here on")
                shown = shown and tale is not None
                if tale is not None and shown:
                    self._again_shown(body, tale)
                else:
                    self.unseen_end = UNSEEN if isinstance(body, Acted) and body.over else None
            elif isinstance(body, Said | Noted | Named | Talked | Spent | Renewing | Replaced | Habit):
                self.hear(row.kind, body, row.key)
        self.keys = opened_by(rows)  # also moments that cannot be shown
        self.takeback = None
        self.seq = rows[-1].seq
        self.log.note(None, "player", f"This game is shown as it was recorded: to go on, {why}")

    def __getattr__(self, name: str) -> NoReturn:
        """Raise CannotContinue: any other attribute needs the rules version of this game, which is not installed."""
        if name.startswith("__"):
            raise AttributeError(name)
        raise self.why

    def _again_shown(self, body: Acted | TookBack, tale: Tale) -> None:
        if isinstance(body, TookBack):
            self.hides = self.hides or any(tale.question is not None for _, tale, _ in self.told[body.acts :])
            del self.told[body.acts :]
            self.log.taken_back(body.side, self.name(body.side), body.consent)
            return
        played = body.entries[0]
        assert isinstance(played, Played)
        self.told.append((played.side, tale, tale.turn.view if tale.turn is not None else self._now))
        rolls = [fell for fell in body.entries if isinstance(fell, Fell)]
        self.hides = self.hides or tale.secret or bool(tale.seen) or any(fell.draw or fell.secret for fell in rolls)
        self._tell_tale(tale, played.side)

    def _tell_tale(self, tale: Tale, side: int | None) -> None:
        for eyes in self.log.eyes:
            for text in tale.told(eyes):
                self.log.add(eyes, LogEntry(n=0, act=self.acts, side=side, kind="told", text=text))

    @property
    def _now(self) -> Picture:
        return self.told[-1][2] if self.told else self.first

    def name(self, side: int) -> str:
        return next((seat.name for seat in self.first.seats if seat.side == side), f"Side {side + 1}")

    @property
    def over(self) -> Outcome | None:
        ended = self.told[-1][1].outcome if self.told else None
        return ended or self.unseen_end or self.called_off

    @property
    def kept_back(self) -> bool:
        return self.hides and self.over is not None and self.shown_by is None and PERSON in self.setup.seats

    @property
    def acts(self) -> int:
        return len(self.told)

    @property
    def moment(self) -> tuple[int, ...]:
        return self.seq, self.acts

    def ids(self) -> list[tuple[str, Decision]]:
        return []

    def decision(self, id: str, sides: Sequence[int]) -> Decision:
        if self.over is not None:
            raise refused("over", f"The game is over: {self.over.reason}")
        raise self.why

    def reactions(self, sides: Sequence[int] = (), *, watched: bool = False) -> list[StoredRow]:
        return []

    def remember(self, eyes: int | None, picture: Picture) -> None: ...

    def on_the_way(self, eyes: int | None, after: int) -> list[tuple[Picture, int]]:
        return []

    @property
    def places(self) -> list[tuple[int, int]]:
        return places(self.acts, {})

    def view(self, eyes: int | None, at: int | None = None, step: int | None = None) -> View:
        """Return the game as a reader saw it; for the parameters and errors see `HostedGame.view`."""
        past = at is not None and at != self.acts
        if past and (at is None or not 0 <= at <= self.acts):
            raise refused("no-such-moment", f"The game has {quantity(self.acts, 'act')}", acts=self.acts)
        act = self.acts if at is None else at
        lines = self.log.lines[eyes]
        if past:
            lines = [entry for entry in self.lines_in_force(eyes) if entry.act <= act]
        picture = self.told[act - 1][2] if act else self.first
        setup = self.setup
        return View(
            seq=self.seq,
            game=self.id,
            ruleset=setup.ruleset,
            edition=setup.edition,
            rules=setup.rules,
            scenario=setup.scenario,
            you=eyes,
            seats=seats_in(picture, self),
            act=act,
            picture=picture,
            decisions=(),
            waiting_for=(),
            over=None if past else self.over,
            kept_back=self.kept_back,
            undo=UndoView(),
            unrated="" if eyes is None else why_unrated(setup, self.story.entries, self.people.hinted, eyes),
            talk=() if past or eyes is None else tuple(self.people.talk),
            hushed=tuple(sorted(self.people.hushed)),
            again=tuple(sorted(self.people.again)),
            clock=setup.clock,
            log=tuple(lines),
            as_recorded=str(self.why),
            versions=Versions(wire=SCHEMA_VERSION, engine=__version__, rules=self.ruleset.rules_version),
        )

    def shown_past(self, eyes: int | None) -> ShownPast:
        """Return the game's moments as a reader saw them, without movements between turns."""
        pictures = (self.first, *[picture for _, _, picture in self.told])
        return ShownPast(
            eyes=eyes,
            movers=tuple(side for side, _, _ in self.told),
            lines=tuple(self.lines_in_force(eyes)),
            done={},
            picture=lambda act: pictures[act],
            active=lambda act: None,
            within=lambda act: ((pictures[act], None),),
            over=self.over,
            setup=self.setup,
        )

    def record(self, side: int | None) -> Record:
        return self.story.record(
            players=self.setup.seats,
            resigned=self.resigned,
            late=self.late,
            agreed=self.agreed,
            side=side,
            salted=True,
            kept_back=self.kept_back,
        )


def _story(created: Created, acted: Sequence[tuple[StoredRow, Any]], tales: Sequence[Tale | None]) -> Story:
    setup, opening = created.setup, tales[0]
    assert opening is not None
    passages: list[KeptAct] = []
    for body, tale in zip((b for _, b in acted if isinstance(b, Acted | TookBack)), tales[1:], strict=True):
        if tale is None:
            break
        if isinstance(body, TookBack):
            passages.append(KeptAct(Undone(body.side, body.acts, body.consent), (), tale))
        else:
            played = body.entries[0]
            assert isinstance(played, Played)
            rolls = tuple(fell for fell in body.entries[1:] if isinstance(fell, Fell))
            passages.append(KeptAct(played, rolls, tale))
    return Story(
        setting=setup.setting,
        rules_version=setup.rules_version,
        rules_digest=setup.rules_digest,
        engine_version=setup.engine_version,
        dealt=tuple(fell for fell in created.entries if isinstance(fell, Fell)),
        opening=opening,
        passages=tuple(passages),
    )
