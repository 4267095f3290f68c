"""Step through a recorded game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caltrop.journal import Record
    from caltrop.picture import Picture


def replay(file: Path, /, *, to: int | None = None, json: bool = False) -> None:
    """Show a recorded game, entry by entry.

    Args:
        file: The record (`.caltrop.json`, gzipped or not).
        to: Stop after this many entries.
        json: Print the moment reached as one JSON object, with the public view of the table.
    """
    import sys

    import msgspec

    from caltrop.cli import UsageError
    from caltrop.journal import ActEntry, UndoEntry, load, transcript

    record = load(file)
    if to is not None and not 0 <= to <= len(record.entries):
        raise UsageError(f"--to is from 0 to {len(record.entries)}, the number of entries of this game")
    at = len(record.entries) if to is None else to
    if not json:
        print(transcript(record, at), end="")
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
    sys.stdout.buffer.write(msgspec.json.encode(moment) + b"\n")


def _view(record: Record, at: int, file: Path) -> tuple[Picture | None, bool]:
    """The public view after *at* entries, where these rules can still play the game; else the record's own is shown."""
    import sys

    from caltrop.journal import Difference
    from caltrop.journal import replay as played

    if record.rules_version != record.setting.rulebook.rules_version:
        print(
            f"caltrop: {file}: played by version {record.rules_version} of the rules; shown from the record",
            file=sys.stderr,
        )
        return None, False
    view = None
    try:
        for moment in played(record, at):
            match = moment.match
            view = match.ruleset.depict(match.view(None), None)
    except Difference as difference:
        print(f"caltrop: {file}: {difference.message}; shown from the record", file=sys.stderr)
        return None, False
    return view, True
