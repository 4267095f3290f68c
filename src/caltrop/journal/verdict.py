"""Check whether the rules can have produced a record: it is replayed, recorded again, and compared."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import msgspec

from caltrop import __version__
from caltrop.agreeing import quantity
from caltrop.engine import Match
from caltrop.errors import InputError
from caltrop.journal.keep import record_of
from caltrop.journal.record import Record
from caltrop.journal.replay import Difference, replay

TOLD = ("words", "turn", "opening", "clauses", "reason")
"""Fields with words and pictures, which another version of Caltrop may write differently."""

SEEN = frozenset(("look", "paint", "land", "seed", "piles", "orders", "sky", "scene", "figures", "tiles", "label"))
"""Fields for drawing that older pictures lack; their absence does not count as a difference."""

UNSAID = (msgspec.UNSET, "", 0, "dawn")
"""Default values of missing fields for drawing."""

LIKE_BEFORE = (("building", "block"), ("rough", "mud"))
"""Pairs of a drawing of ground in old records and the drawing that may replace it now."""

CLAIMED = ("typed",)
"""Claims of a record about its dice that no replay can check."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of verifying a record."""

    same: bool
    """True if nothing differs in the replayed part."""
    verified: bool
    """True if the game was replayed; a game of older rules is not."""
    entries: int
    """Number of replayed entries."""
    differs: int | None = None
    """Number of the first entry that differs, from 1; 0 for a difference outside the entries."""
    field: str | None = None
    """Path of the first difference in the file."""
    words: str
    """The verdict in one sentence."""


def verify(record: Record) -> Verdict:
    """Replay a record, record the game again, and compare everything that the rules decide or say.

    A game that was played under an older version of the rules is not played again: it is unverified. Facts that only
    the players know are not checked: their names, the seed, and whether dice were typed in. The sentences and pictures
    of another version of Caltrop may differ from the present ones, and the verdict says so. Raises InputError if the
    record's rules are unknown or newer.
    """
    try:
        rules = record.setting.rulebook
    except ValueError as error:
        raise InputError(str(error), field="ruleset") from None
    if record.rules_version > rules.rules_version:
        raise InputError(
            f"played by version {record.rules_version} of the rules with Caltrop {record.engine_version}, and this is "
            f"Caltrop {__version__}, which has version {rules.rules_version}; update Caltrop",
            field="rules_version",
        )
    if record.rules_version < rules.rules_version:
        return Verdict(
            same=True,
            verified=False,
            entries=0,
            words=f"unverified: played by version {record.rules_version} of the rules, which have been corrected since "
            f"(version {rules.rules_version}); it is shown from the record, and not played again",
        )
    played = 0
    match: Match | None = None
    fault: Difference | None = None
    otherwise = 0
    try:
        _claims(record)
        for moment in replay(record):
            played, match = moment.entry, moment.match
    except Difference as difference:
        fault = difference
    if match is not None:
        mismatch, otherwise = _compared(record, match, played, fault is None)
        # An earlier difference may be the cause of an act that cannot be played.
        fault = mismatch if mismatch is not None and (fault is None or mismatch.entry < fault.entry) else fault
    # A record of this version whose rows of rules data differ was not made by it.
    if fault is not None and record.engine_version != __version__ and not of_today(record):
        return Verdict(
            same=True,
            verified=False,
            entries=0,
            words=f"unverified: Caltrop {record.engine_version} played it with other numbers of the rules than those "
            "of today; it is shown from the record, and not played again",
        )
    if fault is not None:
        return Verdict(
            same=False,
            verified=True,
            entries=played,
            differs=fault.entry,
            field=fault.field,
            words=fault.message,
        )
    rest = len(record.entries) - played
    words = f"{quantity(played, 'entry')} played again, and every digest is the same"
    if record.salted or not record.digest:
        words = (
            f"{quantity(played, 'entry')} played again; the game went on, so that the record has no digests to compare"
        )
    if rest:
        words += f"; the last {quantity(rest, 'entry', 'is')} kept back until the game is over"
    if otherwise:
        words += f"; Caltrop {record.engine_version} described {otherwise} of them in other words or pictures"
    return Verdict(same=True, verified=True, entries=played, words=words)


def of_today(record: Record) -> bool:
    """Return whether a record has the present rules: their version, and the rows of rules data that its game uses."""
    if record.rules_version != record.setting.rulebook.rules_version:
        return False
    if not record.rules_digest:
        return True
    try:
        begun = next(replay(record, 0), None)
    except InputError:
        return False
    return begun is None or record.rules_digest == begun.match.ruleset.rules_digest(begun.state)


def _claims(record: Record) -> None:
    if record.outcome is not None and record.salted:
        raise Difference("a game that is over has digests that everybody can compare, and no salt", 0, "salted")
    ends = {"resigned": record.resigned is not None, "late": record.late is not None, "agreed": record.agreed}
    called = [name for name, so in ends.items() if so]
    if record.outcome is None and called:
        words = {
            "resigned": "a side that gives up",
            "late": "a side without time",
            "agreed": "a draw that is agreed on",
        }
        raise Difference(f"{words[called[0]]} ends the game, and this one goes on", 0, called[0])
    if len(called) > 1:
        raise Difference("a game ends in one way", 0, called[1])
    open_ = record.outcome is not None or (bool(record.digest) and not record.salted)
    if record.seed is not None and not open_:
        raise Difference("the seed of a game that goes on is kept back", 0, "seed")


def _compared(record: Record, match: Match, played: int, whole: bool) -> tuple[Difference | None, int]:
    """Return the first difference between a record and a new record of the same game, and the number of entries whose
    words differ.

    Args:
        match: The replayed game, as far as it could be played.
    """
    seats = len(match.ruleset.depict(match.view(None), None).seats)
    heading = None
    if whole:
        try:
            _heading(record, match, played, seats)
        except Difference as difference:
            heading = difference
    open_ = record.outcome is not None or (bool(record.digest) and not record.salted)
    eyes: tuple[int | None, ...] = (None,) if open_ else (None, *range(seats))
    best: Difference | None = None
    for side in eyes:
        anew = record_of(
            match,
            record.setting,
            players=record.players,
            resigned=record.resigned if played == len(record.entries) else None,
            late=record.late if played == len(record.entries) else None,
            agreed=record.agreed and played == len(record.entries),
            side=side,
            salt=b"any" if record.salted else b"",
            everything=open_,
            # Hidden facts have not been revealed, so the game is recorded as unfinished.
            kept_back=match.over is not None and record.outcome is None and not open_,
        )
        mismatch, otherwise = _first(record, anew, open_)
        if mismatch is None:
            return heading, otherwise
        # The record is for one reader, who is unknown. The right reader gives the last difference.
        if best is None or mismatch.entry > best.entry:
            best = mismatch
    return best, 0


def _heading(record: Record, match: Match, played: int, seats: int) -> None:
    automated = match.ruleset.automated(match.state)
    if len(record.players) not in (0, seats):
        raise Difference(
            f"the game has {quantity(seats, 'seat')}, and {quantity(len(record.players), 'player', 'is')} named",
            0,
            "players",
        )
    for side, name in enumerate(record.players):
        if name == "rules" and side not in automated:
            raise Difference(f"side {side} is played by somebody, and not by the rules", 0, "players")
    if played < len(record.entries):
        if record.outcome is not None:
            raise Difference("a game that is over keeps nothing back", played + 1)
        return
    for field, lost in (("resigned", record.resigned), ("late", record.late)):
        if lost is not None:
            if match.over is not None:
                raise Difference(f"a game that is over cannot be given up: {match.over.reason}", 0, field)
            if not 0 <= lost < seats or lost in automated:
                raise Difference(f"there is no side {lost} that somebody plays", 0, field)
    if record.agreed and match.over is not None:
        raise Difference(f"no draw is agreed on in a game that is over: {match.over.reason}", 0, "agreed")


def _first(record: Record, anew: Record, open_: bool) -> tuple[Difference | None, int]:
    """Return the first difference between two records (the second may end earlier), and the number of entries whose
    sentences differ.
    """
    same_words = record.engine_version == __version__
    otherwise: set[int] = set()
    pairs: list[tuple[int, Any, Any]] = [(0, _head(record), _head(anew))]
    pairs += [(i, a, b) for i, (a, b) in enumerate(zip(record.entries, anew.entries, strict=False), 1)]
    over: Difference | None = None
    for number, recorded, replayed in pairs:
        # Usually the entries are identical.
        if _ENCODER.encode(recorded) == _ENCODER.encode(replayed):
            continue
        for path, was, now in differences(msgspec.to_builtins(recorded), msgspec.to_builtins(replayed)):
            parts = path.replace("[", ".").split(".")
            if parts[0] in CLAIMED or (parts[0] == "digest" and not open_ and bool(was) == bool(now)):
                continue
            if not same_words and (parts[0] in TOLD or parts[-1] in TOLD):
                otherwise.add(number)
                continue
            if number == 0 and parts[0] == "rules" and was is _NOTHING:
                continue  # This house rule did not exist yet.
            if number == 0 and parts[0] == "rules_digest" and not same_words:
                continue  # The rest of the comparison decides whether the game plays as recorded.
            if SEEN & {*parts} and was in UNSAID:
                continue
            if "grounds" in parts and parts[-1] == "kind" and (was, now) in LIKE_BEFORE:
                continue
            what = f"{_said(now)} is the result of playing it; {_said(was)} was recorded"
            if parts[0] == "digest":
                what = f"the digest is {now}, and {was or 'none'} was recorded"
            if parts[0] == "outcome" and len(record.entries) > len(anew.entries):
                continue  # The replay did not reach the end.
            difference = Difference(what, number, path)
            if parts[0] == "outcome":
                over = over or Difference(what, 0, "outcome")
                continue
            return difference, 0
    return over, len(otherwise)


def _head(record: Record) -> dict[str, Any]:
    return {
        "edition": record.edition,
        "rules": record.rules,
        "rules_digest": record.rules_digest,
        "opening": record.opening,
        "digest": record.digest,
        "outcome": record.outcome,
    }


_NOTHING: Any = msgspec.UNSET
_SIMPLE = frozenset({str, int, bool, float, type(None)})
_ENCODER = msgspec.json.Encoder()


def differences(a: Any, b: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the places where two plain values differ, with both values; UNSET for a missing one.

    >>> list(differences({"x": [1, 2]}, {"x": [1, 3]}))
    [('x[1]', 2, 3)]
    """
    if isinstance(a, dict) and isinstance(b, dict):
        for key in dict.fromkeys((*a, *b)):
            one, other = a.get(key, _NOTHING), b.get(key, _NOTHING)
            if not _alike(one, other):
                yield from differences(one, other, f"{path}.{key}" if path else str(key))
    elif isinstance(a, list | tuple) and isinstance(b, list | tuple):
        for i, (one, other) in enumerate(zip_longest(a, b, fillvalue=_NOTHING)):
            if not _alike(one, other):
                yield from differences(one, other, f"{path}[{i}]")
    elif a != b or type(a) is not type(b):
        yield path, a, b


def _alike(one: Any, other: Any) -> bool:
    """Return whether two values are equal words, numbers or booleans: a fast path for most comparisons."""
    return one == other if (kind := type(one)) is type(other) and kind in _SIMPLE else False


def _said(value: Any) -> str:
    text = "nothing" if value is _NOTHING else repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
