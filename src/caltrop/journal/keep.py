"""Making the record of a match, with nothing in it that somebody may not know yet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import msgspec

from caltrop.engine import Event, Fell, Match, Outcome, Played, State, digest
from caltrop.journal.record import ActEntry, Record, RollEntry, Setting, Turn, UndoEntry
from caltrop.journal.replay import Replayed
from caltrop.roster import carried


class _Eyes(msgspec.Struct, frozen=True):
    """Who will read the record: everybody, everything (a game that is over), or one side (its own secrets too)."""

    all: bool
    side: int | None

    def told(self, events: Sequence[Event], t: State) -> tuple[str, ...]:
        """What happened, in sentences."""
        seen = events if self.all else [e for e in (event.seen_by(self.side) for event in events) if e is not None]
        return tuple([e.sentence(t) for e in seen])

    def roll(self, fell: Fell) -> RollEntry:
        """How dice fell."""
        hidden = not self.all and (fell.draw or (fell.secret and fell.side != self.side))
        return RollEntry(
            faces=None if hidden else fell.faces,
            sides=fell.sides,
            clauses=fell.clauses,
            side=fell.side,
            secret=fell.secret,
            typed=fell.typed,
        )


def record_of(
    match: Match,
    setting: Setting,
    *,
    players: Sequence[str] = (),
    seed: int | str | None = None,
    resigned: int | None = None,
    side: int | None = None,
    salt: bytes = b"",
    everything: bool = False,
    kept_back: bool = False,
) -> Record:
    """The record of a match; the match is played again for it, and is left alone.

    Before the end of the game the record has no seed, no answers and dice that *side* may not see, and no digest that
    is not salted.

    Args:
        match: A match that was begun by `setting.begin`.
        setting: What it was before anybody had played.
        players: Who plays each side.
        seed: Where the dice came from.
        resigned: The side that has given up, where the game is over because of that.
        side: For whom the record is, while the game goes on; for everybody where it is left out.
        salt: A secret for the digests while the game goes on; without it they are left out.
        everything: Keep nothing back even while the game goes on, to find out what went wrong in it.
        kept_back: The game is over, but nobody has shown yet what was hidden, and it may go on by leave: it is recorded
            as one that goes on.
    """
    if kept_back:
        resigned = None
    outcome = None if kept_back else match.over
    if outcome is None and resigned is not None:
        others = [s for s in range(max(len(players), 2)) if s != resigned]
        outcome = Outcome(others[0] if len(others) == 1 else None, "The other side has given up")
    eyes = _Eyes(everything or outcome is not None, side)
    return _Keeping(match, setting, eyes, salt).record(tuple(players), seed, outcome, resigned)


class _Keeping:
    """The making of one record: the match is played again from the beginning."""

    def __init__(self, match: Match, setting: Setting, eyes: _Eyes, salt: bytes) -> None:
        self.journal, self.setting, self.eyes, self.salt = match.journal, setting, eyes, salt
        opening = self._rolls(0)
        self.again = setting.begin(Replayed(opening, 1))
        self.entries: list[ActEntry | RollEntry | UndoEntry] = [eyes.roll(fell) for fell in self._fallen(0)]
        self.turn = match.ruleset.turn(self.again.state)
        self.opening, self.digest = self._view(), self._digest(0)
        self.sealed: dict[int, Any] = {}
        """Answers that nobody has opened yet, by the place of their entries."""

    def _fallen(self, start: int) -> list[Fell]:
        return [e for e in takewhile(lambda e: isinstance(e, Fell), self.journal[start:]) if isinstance(e, Fell)]

    def _rolls(self, start: int) -> list[RollEntry]:
        return [RollEntry(faces=f.faces, sides=f.sides, clauses=f.clauses) for f in self._fallen(start)]

    def _view(self) -> Turn:
        return Turn(view=self.again.ruleset.depict(self.again.view(None), None))

    def _digest(self, start: int) -> str:
        """The digest of the state, and of the rolls that led to it: those that follow in the journal from *start*."""
        if not (self.eyes.all or self.salt):
            return ""
        rolls = [fell.faces for fell in self._fallen(start)]
        # Salted digests are all different: two that are equal would tell that a hidden answer was given twice.
        return digest(self.again.state, b"" if self.eyes.all else b"%b %d" % (self.salt, start), rolls)

    def _new_turn(self) -> Turn | None:
        turn = self.again.ruleset.turn(self.again.state)
        if turn == self.turn and self.again.over is None:
            return None
        self.turn = turn
        return self._view()

    def _act(self, played: Played, at: int) -> None:
        before = self.again.state
        asked = before.asked[played.index]
        self.again.dice = Replayed(self._rolls(at + 1), at + 2)
        events = self.again.follow(asked, played.action)
        after = self.again.state
        if len(before.asked) > 1:
            self.sealed[len(self.entries)] = before.asks
            if after.asks != before.asks or not after.asked:
                self.sealed = {place: asks for place, asks in self.sealed.items() if asks != before.asks}
        seen = self.eyes.all or self.eyes.side == asked.side or not asked.secret
        self.entries.append(
            ActEntry(
                side=played.side,
                decision=played.decision,
                index=played.index,
                clauses=asked.clauses,
                action=msgspec.json.decode(msgspec.json.encode(played.action)) if seen else None,
                digest=self._digest(at + 1),
                words=self.eyes.told(events, after),
                turn=self._new_turn(),
            )
        )

    def record(
        self, players: tuple[str, ...], seed: int | str | None, outcome: Outcome | None, resigned: int | None
    ) -> Record:
        """The whole record."""
        for at in range(len(self.entries), len(self.journal)):
            entry = self.journal[at]
            if isinstance(entry, Played):
                self._act(entry, at)
            elif isinstance(entry, Fell):
                self.entries.append(self.eyes.roll(entry))
            else:
                self.again.go_back(entry.to)
                self.entries.append(
                    UndoEntry(side=entry.side, to=entry.to, consent=entry.consent, turn=self._new_turn())
                )
        if not self.eyes.all:
            for place in self.sealed:
                act = self.entries[place]
                if isinstance(act, ActEntry) and act.side != self.eyes.side:
                    self.entries[place] = msgspec.structs.replace(act, action=None)
        rules, book = self.again.ruleset, self.again.state.book
        return Record(
            ruleset=rules.name,
            edition=book.edition,
            rules=book.rules,
            scenario=carried(self.setting.scenario),
            armies=tuple(carried(army) for army in self.setting.armies),
            size=self.setting.size,
            players=players,
            rules_version=rules.rules_version,
            seed=seed if self.eyes.all else None,
            salted=bool(self.salt) and not self.eyes.all,
            outcome=outcome,
            resigned=resigned,
            opening=self.opening,
            digest=self.digest,
            entries=tuple(self.entries),
        )
