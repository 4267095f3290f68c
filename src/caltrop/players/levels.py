"""How good each computer player is: in a sentence, and as measured against the others.

What was measured stands in `measured.json` beside a game's players, written by `caltrop.lab.proof` together with its
page, so that a menu can say what an opponent is worth.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec

from caltrop.players.registry import home_of, makers


class Score(msgspec.Struct, frozen=True):
    """A series of games of one player against another, over all scenarios, seats swapped."""

    against: str
    games: int
    wins: int
    draws: int
    low: float
    """The lower end of the 95 % interval of the share of points, draws counting half."""
    high: float

    @property
    def share(self) -> float:
        """The share of points, draws counting half."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def words(self) -> str:
        """What was won, as a menu says it of the player."""
        drawn = f" and drawn {self.draws}" if self.draws else ""
        return f"has won {self.wins}{drawn} of {self.games} games against {self.against}"


class Level(msgspec.Struct, frozen=True):
    """A computer player as a menu shows it."""

    name: str
    words: str
    """How it plays, in a clause; empty where it does not say."""
    scores: tuple[Score, ...] = ()


def measured_path(game: str) -> Path | None:
    """Where the scores of a game's players stand; None for a game without players of its own."""
    home = home_of(game)
    found = None if home is None else importlib.util.find_spec(home)
    return None if found is None or found.origin is None else Path(found.origin).with_name("measured.json")


@lru_cache(maxsize=32)
def _scores(game: str) -> Mapping[str, tuple[Score, ...]]:
    path = measured_path(game)
    if path is None or not path.exists():
        return {}
    return msgspec.json.decode(path.read_bytes(), type=dict[str, tuple[Score, ...]])


def levels(game: str) -> tuple[Level, ...]:
    """The computer players of a game, each with how it plays and what it has won.

    Raises:
        ValueError: when there is no such game.
    """
    scores = _scores(game)
    return tuple(
        Level(name, str(getattr(make, "words", "")), scores.get(name, ())) for name, make in makers(game).items()
    )
