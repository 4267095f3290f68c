"""Make the record of a match, without facts that its readers may not know yet.

The `Tale` of an act has everything that each side could learn from it. A program that stores the tales of a game with
its acts and dice can write the record without a replay, even after a change of the rules. `record_of` replays a match
for its tales.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

import msgspec

from caltrop import __version__
from caltrop.engine import Entry, Event, Fell, Match, Outcome, Played, Ruleset, State, Undone, digest, stored
from caltrop.journal.record import (
    ActEntry,
    Record,
    RollEntry,
    Setting,
    Turn,
    UndoEntry,
    carried_pack,
    pack_of,
)
from caltrop.journal.replay import Replayed
from caltrop.roster import carried


class Tale(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The words about the beginning, an act or an undo. With the act and its dice, they are everything that a record
    has about it.
    """

    clauses: tuple[str, ...] = ()
    """The clauses by which the question was asked."""
    secret: bool = False
    """True if the answer is secret from the other sides until the end."""
    question: int | None = None
    """Number of the question, if several were asked at the same time and the answer is sealed; else None."""
    opened: bool = False
    """True if this answer was the last of the sealed ones, which were then opened."""
    digest: str = ""
    """Hash of the resulting state and of the rolls before it."""
    salted: str = ""
    """Digest with a secret salt, for records of an unfinished game."""
    words: tuple[str, ...] = ()
    """Sentences on all events, with all hidden facts."""
    seen: tuple[tuple[int | None, tuple[str, ...]], ...] = ()
    """Sentences for a side, or for None (an onlooker), if they differ from `words`."""
    turn: Turn | None = None
    """Public picture of the table, at the beginning and the end of the game and at the start of a turn; else None."""
    outcome: Outcome | None = None
    """Outcome of the game, if the act ended it."""

    def told(self, side: int | None) -> tuple[str, ...]:
        """Return the sentences that *side* may know."""
        return next((words for eyes, words in self.seen if eyes == side), self.words)


class KeptAct(NamedTuple):
    """An act or an undo with its rolls and its tale."""

    entry: Played | Undone
    rolls: tuple[Fell, ...]
    tale: Tale


class Teller:
    """Collects, for each act of a game, everything that each side could learn from it (a `Tale`).

    Args:
        eyes: Readers with a restricted view: sides, and None for an onlooker.
        salt: The secret of salted digests; without it no salted digests are made.
        everything: True to make digests without salt too.
    """

    def __init__(
        self, ruleset: Ruleset, eyes: Sequence[int | None], salt: bytes = b"", everything: bool = True
    ) -> None:
        self.ruleset, self.eyes, self.salt, self.everything = ruleset, eyes, salt, everything
        self._written: tuple[State, bytes] | None = None

    def written(self, t: State) -> bytes:
        """Return the bytes of a state from `stored`, cached for all digests, because the state no longer changes."""
        if self._written is None or self._written[0] is not t:
            self._written = t, stored(t)
        return self._written[1]

    def beginning(self, match: Match, rolls: Sequence[Fell]) -> Tale:
        """Return the tale of the beginning, before the first act."""
        open_, salted = self._digests(match.state, rolls, 0)
        words, seen = self._words(match.opening, match.state)
        return Tale(digest=open_, salted=salted, words=words, seen=seen, turn=self._view(match))

    def act(self, match: Match, before: State, played: Played, events: Sequence[Event], start: int) -> Tale:
        """Return the tale of an act.

        Args:
            start: Index of the act's first roll in the journal.
        """
        asked, after = before.asked[played.index], match.state
        rolls = fallen(match.journal, start)
        words, seen = self._words(events, after)
        open_, salted = self._digests(after, rolls, start)
        return Tale(
            clauses=asked.clauses,
            secret=asked.secret,
            question=before.asks if len(before.asked) > 1 else None,
            opened=len(before.asked) > 1 and (after.asks != before.asks or not after.asked),
            digest=open_,
            salted=salted,
            words=words,
            seen=seen,
            turn=self._new_turn(match, before),
            outcome=match.over,
        )

    def undo(self, match: Match, before: State) -> Tale:
        return Tale(turn=self._new_turn(match, before))

    def _words(
        self, events: Sequence[Event], t: State
    ) -> tuple[tuple[str, ...], tuple[tuple[int | None, tuple[str, ...]], ...]]:
        seen = []
        for eyes in self.eyes:
            visible = [event for event in (event.seen_by(eyes) for event in events) if event is not None]
            if visible != list(events):
                seen.append((eyes, tuple([event.sentence(t) for event in visible])))
        return tuple([event.sentence(t) for event in events]), tuple(seen)

    def _digests(self, t: State, rolls: Sequence[Fell], start: int) -> tuple[str, str]:
        faces, written = [fell.faces for fell in rolls], self.written(t)
        # All salted digests differ: equal ones would reveal that a hidden answer was given twice.
        salted = digest(written, b"%b %d" % (self.salt, start), faces) if self.salt else ""
        return digest(written, b"", faces) if self.everything else "", salted

    def _view(self, match: Match) -> Turn:
        return Turn(view=self.ruleset.depict(match.view(None), None))

    def _new_turn(self, match: Match, before: State) -> Turn | None:
        if self.ruleset.turn(before) == self.ruleset.turn(match.state) and match.over is None:
            return None
        return self._view(match)


def fallen(journal: Sequence[Entry], start: int) -> tuple[Fell, ...]:
    """Return the consecutive rolls in a journal from *start*."""
    return tuple([e for e in takewhile(lambda e: isinstance(e, Fell), journal[start:]) if isinstance(e, Fell)])


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """A game with its tales, from which a record for one side or for everybody is written."""

    setting: Setting
    rules_version: int
    rules_digest: str = ""
    engine_version: str = __version__
    """Version of Caltrop that made the tales."""
    dealt: tuple[Fell, ...]
    """Rolls before the first decision."""
    opening: Tale
    passages: tuple[KeptAct, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Rolls, acts and undos, as in the match's journal."""
        later = [entry for passage in self.passages for entry in (passage.entry, *passage.rolls)]
        return (*self.dealt, *later)

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of the game; None while it is unfinished."""
        return self.passages[-1].tale.outcome if self.passages else self.opening.outcome

    def record(
        self,
        *,
        players: Sequence[str] = (),
        seed: int | str | None = None,
        resigned: int | None = None,
        late: int | None = None,
        agreed: bool = False,
        side: int | None = None,
        salted: bool = False,
        everything: bool = False,
        kept_back: bool = False,
    ) -> Record:
        """Return the record of the game; for the parameters see `record_of`."""
        if kept_back:
            resigned, late, agreed = None, None, False
        outcome = None if kept_back else self.outcome or _called_off(len(players), resigned, late, agreed)
        every = everything or outcome is not None
        entries: list[ActEntry | RollEntry | UndoEntry] = [_roll(fell, every, side) for fell in self.dealt]
        sealed: dict[int, int] = {}
        """Sealed answers not opened yet: the index of each entry with the number of its question."""
        for entry, rolls, tale in self.passages:
            if isinstance(entry, Undone):
                entries.append(UndoEntry(side=entry.side, to=entry.to, consent=entry.consent, turn=tale.turn))
                continue
            if tale.question is not None:
                sealed[len(entries)] = tale.question
                if tale.opened:
                    sealed = {place: question for place, question in sealed.items() if question != tale.question}
            seen = every or side == entry.side or not tale.secret
            entries.append(
                ActEntry(
                    side=entry.side,
                    decision=entry.decision,
                    index=entry.index,
                    clauses=tale.clauses,
                    action=msgspec.json.decode(msgspec.json.encode(entry.action)) if seen else None,
                    digest=tale.digest if every else tale.salted if salted else "",
                    words=tale.words if every else tale.told(side),
                    turn=tale.turn,
                )
            )
            entries += [_roll(fell, every, side) for fell in rolls]
        if not every:
            for place in sealed:
                act = entries[place]
                if isinstance(act, ActEntry) and act.side != side:
                    entries[place] = msgspec.structs.replace(act, action=None)
        assert self.opening.turn is not None
        setting = self.setting
        return Record(
            engine_version=self.engine_version,
            ruleset=setting.ruleset,
            edition=setting.edition,
            rules=setting.rules,
            scenario=carried(setting.scenario),
            armies=tuple(carried(army) for army in setting.armies),
            size=setting.size,
            pack=carried_pack(setting),
            players=tuple(players),
            rules_version=self.rules_version,
            rules_digest=self.rules_digest,
            seed=seed if every else None,
            salted=salted and not every,
            outcome=outcome,
            resigned=resigned,
            late=late,
            agreed=agreed,
            opening=self.opening.turn,
            digest=self.opening.digest if every else self.opening.salted if salted else "",
            entries=tuple(entries),
        )


def _called_off(seats: int, resigned: int | None, late: int | None, agreed: bool) -> Outcome | None:
    if agreed:
        return Outcome(None, "A draw was agreed on")
    lost = resigned if resigned is not None else late
    if lost is None:
        return None
    others = [side for side in range(max(seats, 2)) if side != lost]
    why = "The other side has given up" if lost == resigned else "The other side has no time left"
    return Outcome(others[0] if len(others) == 1 else None, why)


def _roll(fell: Fell, every: bool, side: int | None) -> RollEntry:
    hidden = not every and (fell.draw or (fell.secret and fell.side != side))
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
    late: int | None = None,
    agreed: bool = False,
    side: int | None = None,
    salt: bytes = b"",
    everything: bool = False,
    kept_back: bool = False,
) -> Record:
    """Return the record of a match. The match is replayed for it, and is not changed.

    Before the end of the game the record has no seed, no answers or dice that *side* may not see, and only salted
    digests.

    Args:
        match: A match that was begun by `setting.begin`.
        setting: The game before the first act.
        resigned: The side that gave up, if that ended the game.
        late: The side whose time ran out, if that ended the game.
        agreed: True if the sides agreed on a draw.
        side: The side for which an unfinished game is recorded; by default everybody.
        salt: A secret for the digests of an unfinished game; without it they are left out.
        everything: True to include hidden facts of an unfinished game, for debugging.
        kept_back: True if the game has ended, but hidden facts are not revealed yet because it may be continued. Such a
            game is recorded as unfinished.
    """
    every = everything or (
        not kept_back and (match.over is not None or resigned is not None or late is not None or agreed)
    )
    teller = Teller(match.ruleset, () if every else (side,), b"" if every else salt, every)
    return story_of(match, setting, teller).record(
        players=players,
        seed=seed,
        resigned=resigned,
        late=late,
        agreed=agreed,
        side=side,
        salted=bool(salt),
        everything=everything,
        kept_back=kept_back,
    )


def story_of(match: Match, setting: Setting, teller: Teller) -> Story:
    """Replay a match from the beginning, and return it with its tales."""
    journal = match.journal
    dealt = fallen(journal, 0)
    again = setting.begin(Replayed(_rolls(dealt), 1))
    opening = teller.beginning(again, dealt)
    begun = again.state
    passages: list[KeptAct] = []
    for at in range(len(dealt), len(journal)):
        entry, before = journal[at], again.state
        if isinstance(entry, Played):
            rolls = fallen(journal, at + 1)
            again.dice = Replayed(_rolls(rolls), at + 2)
            events = again.follow(before.asked[entry.index], entry.action)
            passages.append(KeptAct(entry, rolls, teller.act(again, before, entry, events, at + 1)))
        elif isinstance(entry, Undone):
            again.go_back(entry.to)
            again.journal.append(entry)
            passages.append(KeptAct(entry, (), teller.undo(again, before)))
    return Story(
        setting=msgspec.structs.replace(
            setting, edition=begun.book.edition, rules=begun.book.rules, pack=pack_of(begun.book)
        ),
        rules_version=match.ruleset.rules_version,
        rules_digest=match.ruleset.rules_digest(begun),
        dealt=dealt,
        opening=opening,
        passages=tuple(passages),
    )


def _rolls(dice: Sequence[Fell]) -> list[RollEntry]:
    return [RollEntry(faces=f.faces, sides=f.sides, clauses=f.clauses) for f in dice]
