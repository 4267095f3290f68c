"""Step through a recorded game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caltrop.engine import Stretch
    from caltrop.journal import Record
    from caltrop.picture import Picture


def replay(file: Path, /, *, to: int | None = None, json: bool = False) -> None:
    """Show a recorded game, entry by entry.

    The moves of a side without a player are shown unit by unit, each after its dice.

    Args:
        file: The record (`.caltrop.json`, gzipped or not).
        to: Stop after this many entries, which may be after an act, or after the dice of a unit that the rules move.
        json: Print the moment reached as one JSON object, with the public view of the table.
    """
    import sys

    from caltrop.cli import UsageError, print_json
    from caltrop.journal import ActEntry, UndoEntry, load, transcript

    record = load(file)
    if to is not None and not 0 <= to <= len(record.entries):
        raise UsageError(f"--to is from 0 to {len(record.entries)}, the number of entries of this game")
    at = len(record.entries) if to is None else to
    today = record.setting.rulebook.rules_version
    if record.rules_version != today:
        print(
            f"caltrop: {file}: played by version {record.rules_version} of the rules with Caltrop "
            f"{record.engine_version}, and the present rules are version {today}; shown from the record",
            file=sys.stderr,
        )
    if not json:
        print(transcript(record, at, _stretches(record, at)), end="")
        return
    turn, digest = record.opening, record.digest
    for entry in record.entries[:at]:
        if isinstance(entry, ActEntry | UndoEntry):
            turn = entry.turn or turn
            digest = entry.digest if isinstance(entry, ActEntry) else ""
    view, again = _view(record, at, file)
    moment = {
        "ruleset": record.ruleset,
        "edition": record.edition,
        "scenario": record.scenario,
        "players": record.players,
        "entries": len(record.entries),
        "at": at,
        "entry": record.entries[at - 1] if at else None,
        "digest": digest,
        "view": view if view is not None else turn.view,
        "played_again": again,
        "outcome": record.outcome if at == len(record.entries) else None,
    }
    print_json(moment)


def _stretches(record: Record, at: int) -> dict[int, tuple[Stretch, ...]]:
    """Return the stretches of the acts among the first *at* entries; empty if there are none or the rules changed."""
    from caltrop.journal import Difference
    from caltrop.journal import replay as played

    stretches: dict[int, tuple[Stretch, ...]] = {}
    try:
        if record.rules_version == record.setting.rulebook.rules_version:
            for moment in played(record, at):
                if not moment.match.ruleset.automated(moment.state):
                    break
                stretches[moment.played] = moment.stretches
    except Difference:
        pass  # the words of the record are shown as they stand
    return stretches


def _view(record: Record, at: int, file: Path) -> tuple[Picture | None, bool]:
    """Return the public view after *at* entries, if these rules can still play the game; otherwise None, and the
    record's own view is shown.
    """
    import sys

    from caltrop.engine import redacted
    from caltrop.journal import Difference
    from caltrop.journal import replay as played

    if record.rules_version != record.setting.rulebook.rules_version:
        return None, False
    view = None
    try:
        for moment in played(record, at):
            match, t = moment.match, moment.state
            if moment.entry > at and len(moment.stretches) > 1:
                # The dice of some units that the rules move have fallen, and those of the others not yet.
                there = [one for one in moment.stretches if moment.played + one.rolls <= at]
                if not there:
                    break
                t = there[-1].state
            view = match.ruleset.depict(redacted(t, None), None)
    except Difference as difference:
        print(f"caltrop: {file}: {difference.message}; shown from the record", file=sys.stderr)
        return None, False
    return view, True
