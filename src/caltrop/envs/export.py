"""Export the positions of a study's games as Parquet for training: the view, the possible answers and the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from caltrop.chance import Dice
from caltrop.engine import Decision, name_of
from caltrop.envs.numbered import Numbered, prepared
from caltrop.lab.extras import needed
from caltrop.lab.studies.playing import GameRow, begun_again
from caltrop.lab.studies.running import Folder
from caltrop.lab.studies.tables import copy
from caltrop.players import UNBOUNDED, Budget

COLUMNS = {
    "game": "INTEGER",
    "act": "INTEGER",
    "side": "INTEGER",
    "question": "VARCHAR",
    "observation": "FLOAT[]",
    "answers": "VARCHAR[]",
    "choice": "INTEGER",
    "outcome": "INTEGER",
}
"""The columns of `positions.parquet`. The game is as in `results.parquet`. Then come the number of acts before, the
side that is asked, and the name of the question. The array of `caltrop.envs.layout`, the numbered answers as JSON and
the number of the given one follow. The last column is 1, -1 or 0 for a game that the side has won, lost or drawn.
"""


def export(folder: Folder, most: int, progress: Callable[[int, int], None] | None = None) -> tuple[Path, int]:
    """Write the positions of all games of a study to `positions.parquet` in its folder.

    Returns the file, and its number of positions. Raises InputError if there is no study, or ModuleNotFoundError if
    NumPy or DuckDB is not installed.

    Args:
        most: The largest number of answers written for a question; the given one is always among them.
        progress: Called with the number of finished games and the total.
    """
    needed("caltrop study export", "envs", "numpy")
    needed("caltrop study export", "studies", "duckdb")
    study = folder.study()
    lines, table = folder / ".positions.jsonl", folder / "positions.parquet"
    count = 0
    try:
        with lines.open("wb") as stream:
            for done, row in enumerate(folder.rows()):
                for position in positions(row, most):
                    stream.write(msgspec.json.encode(position) + b"\n")
                    count += 1
                if progress is not None:
                    progress(done + 1, study.total)
        columns = ", ".join([f"{name}: '{kind}'" for name, kind in COLUMNS.items()])
        source = "'" + str(lines).replace("'", "''") + "'"
        read = f"read_json({source}, format = 'newline_delimited', columns = {{{columns}}})"
        copy(f"SELECT * FROM {read} ORDER BY game, act", table)
    finally:
        lines.unlink(missing_ok=True)
    return table, count


class _Said:
    """A player that proposes the answer given in the recorded game, so that it gets a number."""

    def __init__(self) -> None:
        self.answer: Any = None

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        return self.answer


def positions(row: GameRow, most: int) -> Iterator[dict[str, Any]]:
    """Yield the positions of a game with two answers or more, in order.

    Args:
        row: The game; it is played again.
        most: The largest number of answers to a question.
    """
    from caltrop.envs.layout import Layout

    setting, seated = begun_again(row)
    start = prepared(setting)
    layout = Layout(start, most)
    sayings = _Said()
    match = seated.match
    act = 0
    while match.over is None:
        asked = match.waiting[0]
        side = asked.side
        view = match.view(side)
        sayings.answer = seated.players[side].decide(asked, view, seated.dice[side])
        if asked.options(view).several():
            game = Numbered(start, f"{row.seed} {act}", most, (lambda: sayings,), match, asked=asked)
            yield {
                "game": row.game,
                "act": act,
                "side": side,
                "question": name_of(asked),
                "observation": layout.array(game, side).tolist(),
                "answers": [msgspec.json.encode(one).decode() for one in game.answers],
                "choice": game.answers.index(sayings.answer),
                "outcome": 0 if row.side is None else 1 if row.side == side else -1,
            }
        match.follow(asked, sayings.answer)
        act += 1
