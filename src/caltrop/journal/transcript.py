"""Write a recorded game as text, line by line, for reading and comparing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from caltrop.agreeing import quantity
from caltrop.engine import Stretch, decimal
from caltrop.journal.record import ActEntry, Record, RollEntry, UndoEntry
from caltrop.journal.replay import told_in


def _written(action: Mapping[str, Any] | None) -> str:
    if action is None:
        return "(kept back until the game is over)"
    rest = " ".join(f"{name}={_value(value)}" for name, value in action.items() if name != "type")
    return f"{action.get('type', '')} {rest}".strip()


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + " ".join(f"{k}:{_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + " ".join(_value(v) for v in value) + "]"
    return str(value)


def lines_of(entry: ActEntry | RollEntry | UndoEntry) -> list[str]:
    if isinstance(entry, RollEntry):
        faces = "hidden" if entry.faces is None else " ".join(map(str, entry.faces)) or "none"
        return [f"      dice d{entry.sides}: {faces} ({', '.join(entry.clauses)})"]
    if isinstance(entry, UndoEntry):
        leave = ", with consent of the other side" if entry.consent else ""
        lines = [f"side {entry.side} takes back{leave}: {quantity(entry.to, 'act', 'remains')}"]
    else:
        clauses = f" ({', '.join(entry.clauses)})" if entry.clauses else ""
        lines = [f"side {entry.side} {entry.decision}{clauses}: {_written(entry.action)}"]
        lines += [f"      {sentence}" for sentence in entry.words]
    if entry.turn is not None:
        stage = entry.turn.view.stage
        lines.append(f"  === round {stage.round}: {stage.words}")
    if isinstance(entry, ActEntry) and entry.digest:
        lines.append(f"      digest {entry.digest}")
    return lines


def transcript(record: Record, to: int | None = None, stretches: Mapping[int, Sequence[Stretch]] | None = None) -> str:
    """Return the whole record as text, or its first *to* entries.

    Args:
        to: Number of entries to write; all by default.
        stretches: Parts of each act by the number of its entry, from 1; each part is written after its own dice.
    """
    view = record.opening.view
    measure = f"{decimal(view.width, view.scale)} by {decimal(view.height, view.scale)} {view.measure}"
    players = " against ".join(record.players) or "nobody"
    lines = [
        f"{record.ruleset}, edition {record.edition}, {record.scenario}: {players}",
        *(f"  {name} = {value}" for name, value in sorted(record.rules.items())),
        f"  table {measure}; rules version {record.rules_version}",
    ]
    last = len(record.entries) if to is None else to
    beginning = takewhile(lambda one: isinstance(one, RollEntry), record.entries)
    blocks = [(sum(1 for _ in beginning), [f"  === {view.stage.words}"])]
    """Blocks of text, each with the number of the entry after which it is written: the last roll of its act."""
    for number, entry in enumerate(record.entries[:to], 1):
        first, *more = lines_of(entry)
        while blocks and blocks[0][0] < number:
            lines += blocks.pop(0)[1]
        if isinstance(entry, ActEntry):
            for stretch in (stretches or {}).get(number, ())[:-1]:
                words = told_in(entry, stretch)
                blocks.append((number + stretch.rolls, [f"      {sentence}" for sentence in words]))
                more = more[len(words) :]
        if not isinstance(entry, RollEntry):
            dice = takewhile(lambda one: isinstance(one, RollEntry), record.entries[number:])
            blocks.append((number + sum(1 for _ in dice), more))
        lines.append(f"{number:4}  {first.strip()}")
    for due, more in blocks:
        # The results of an act are written after its dice.
        lines += more if due <= last else []
    if record.outcome is not None and last >= len(record.entries):
        winner = record.outcome.winner
        lines.append(f"{'draw' if winner is None else f'side {winner} wins'}: {record.outcome.reason}")
    return "\n".join(lines) + "\n"
