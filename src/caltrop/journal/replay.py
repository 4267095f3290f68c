"""Replay a recorded game to any moment, and compare the results with the record."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Union

import msgspec

from caltrop.agreeing import agreeing, quantity
from caltrop.chance import Pool, Roll
from caltrop.engine import Event, Match, Refused, Ruleset, State, Stretch, Undone, name_of, stretches
from caltrop.errors import InputError
from caltrop.journal.record import ActEntry, Record, RollEntry, Setting, UndoEntry


class Difference(InputError):
    """A record differs from the replay of its game.

    Attributes:
        entry: Number of the first entry that differs, from 1; 0 for a difference before the first entry.
    """

    def __init__(self, message: str, entry: int, part: str = "") -> None:
        place = f"entries[{entry - 1}]" + (f".{part}" if part else "") if entry else part
        super().__init__(f"entry {entry}: {message}" if entry else message, field=place or None)
        self.entry = entry


class Hidden(Exception):
    """The record leaves out hidden facts from here on, because it was written during the game."""


class Replayed:
    """A source of rolls that returns recorded rolls.

    Args:
        entries: The recorded rolls, in order.
        number: Number of the first roll's entry in the record, from 1.
    """

    def __init__(self, entries: Sequence[RollEntry], number: int) -> None:
        self.entries, self.number, self.taken = entries, number, 0

    def roll(self, pool: Pool, why: tuple[str, ...]) -> Roll:
        """Return the next recorded roll.

        Raises Difference if there is no roll left or it is for another throw, or Hidden if the roll is left out.
        """
        at = self.number + self.taken
        asked = f"{pool.words} {agreeing(pool.count, 'is')} thrown for {', '.join(why)}"
        if self.taken == len(self.entries):
            raise Difference(f"{asked}, and the record has no roll here", at)
        fell = self.entries[self.taken]
        if fell.faces is None:
            raise Hidden
        if fell.sides != pool.sides or len(fell.faces) != pool.count:
            raise Difference(f"{asked}, and the record has {len(fell.faces)} with {fell.sides}", at)
        if any(not 1 <= face <= pool.sides for face in fell.faces):
            raise Difference(f"a die with {pool.sides} sides has no such face: {fell.faces}", at, "faces")
        self.taken += 1
        return fell.faces

    def below(self, n: int) -> int:
        """Return 0, because nothing recorded depends on the number."""
        return 0

    def finish(self) -> None:
        """Raise Difference if rolls are left over."""
        if self.taken < len(self.entries):
            raise Difference("nothing asks for this roll", self.number + self.taken)


class Moment(msgspec.Struct, frozen=True):
    """A moment of a replay."""

    entry: int
    """Number of replayed entries of the record."""
    played: int
    """Number of acts and undos up to here; 0 at the beginning."""
    match: Match
    """The match. The next moment continues the same match, but its states never change."""
    state: State
    events: tuple[Event, ...]
    """Events of the last act."""
    stretches: tuple[Stretch, ...] = ()
    """The events divided into those of the side's own act and those of the rules' moves for each unit without a
    player."""


@lru_cache(maxsize=16)
def _action_type(rules: Ruleset) -> Any:
    return Union[rules.vocabulary().actions]  # noqa: UP007  made at run time


def action_of(rules: Ruleset, raw: Any) -> Any:
    """Decode an action from JSON. Raises msgspec.ValidationError if it is invalid."""
    return msgspec.convert(raw, _action_type(rules), str_keys=True)


def begin(setting: Setting, rolls: Sequence[RollEntry]) -> Match:
    """Return the match at its first decision.

    Raises InputError for an unknown name, or Difference if the rolls do not fit.
    """
    dice = Replayed(rolls, 1)
    try:
        match = setting.begin(dice)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from None
    dice.finish()
    return match


def _rolls(record: Record, start: int) -> list[RollEntry]:
    rolls: list[RollEntry] = []
    for entry in record.entries[start:]:
        if not isinstance(entry, RollEntry):
            break
        rolls.append(entry)
    return rolls


def _play(match: Match, entry: ActEntry, number: int) -> tuple[Event, ...]:
    t = match.state
    if entry.action is None:
        raise Hidden
    if match.over is not None:
        raise Difference("the game is over before it", number)
    if entry.index < 0 or entry.index >= len(t.asked) or t.answers[entry.index] is not None:
        raise Difference("no such decision waits", number, "index")
    asked = t.asked[entry.index]
    if name_of(asked) != entry.decision:
        raise Difference(f"{name_of(asked)} is asked; the record answers {entry.decision}", number, "decision")
    if asked.side != entry.side:
        raise Difference(f"side {asked.side} is asked; the record answers for side {entry.side}", number, "side")
    try:
        action = action_of(match.ruleset, entry.action)
    except msgspec.ValidationError as error:
        names = [name_of(kind) for kind in match.ruleset.vocabulary().actions]
        near = difflib.get_close_matches(str(entry.action.get("type")), names, 1)
        hint = f"; did you mean {near[0]}?" if near and near[0] != entry.action.get("type") else ""
        raise Difference(f"{error}{hint}", number, "action") from None
    try:
        return match.play(entry.side, action, asked)
    except Refused as refused:
        raise Difference(f"the rules refuse it: {refused}", number, "action") from None


def _take_back(match: Match, entry: UndoEntry, number: int) -> None:
    if not 0 <= entry.to < len(match.history):
        raise Difference(
            f"there {agreeing(len(match.history), 'is')} {quantity(len(match.history), 'act')} to take back",
            number,
            "to",
        )
    if match.history[entry.to].side != entry.side:
        raise Difference("the act to be taken back is another side's", number, "side")
    why = match.boundary(entry.side)
    if not entry.consent and why is not None:
        raise Difference(f"it may not be taken back without consent: {why}", number, "consent")
    if not entry.consent and entry.to != len(match.history) - 1:
        raise Difference("without consent a side can take back only its last act", number, "to")
    match.go_back(entry.to)
    match.journal.append(Undone(entry.side, entry.to, entry.consent))


def replay(record: Record, to: int | None = None) -> Iterator[Moment]:
    """Replay a record act by act, and yield a moment for the beginning and after every act or undo.

    Args:
        to: Largest number of entries to play; all by default.

    Raises:
        InputError: for a ruleset, scenario or house rule that does not exist.
        Difference: at the first entry that differs from the replay.
    """
    entries = record.entries
    last = len(entries) if to is None else min(to, len(entries))
    rolls = _rolls(record, 0)
    try:
        match = begin(record.setting, rolls)
    except Hidden:
        return
    at = len(rolls)
    yield Moment(at, 0, match, match.state, match.opening)
    while at < last:
        entry, number = entries[at], at + 1
        rolls = _rolls(record, at + 1)
        parts: list[Stretch] = []
        if isinstance(entry, ActEntry):
            dice = match.dice = Replayed(rolls, number + 1)
            try:
                events = _play(match, entry, number)
            except Hidden:
                return
            dice.finish()
            parts = stretches(match, events, entry.side)
        else:
            if rolls or isinstance(entry, RollEntry):
                raise Difference("nothing asks for this roll", number + 1)
            events = ()
            _take_back(match, entry, number)
        at += 1 + len(rolls)
        yield Moment(at, number, match, match.state, events, tuple(parts))


def told_in(act: ActEntry, stretch: Stretch | None) -> tuple[str, ...]:
    """Return the sentences on one stretch of an act, or on the whole act if *stretch* is None.

    If the sentences do not match the events one by one (some may be left out), all belong to the first stretch.
    """
    if stretch is None:
        return act.words
    if len(act.words) != stretch.of:
        return () if stretch.first else act.words
    return act.words[stretch.first : stretch.end]
