"""How good each computer player is: in a sentence, and as measured against the others.

What was measured stands beside a game's players, so that a menu can say what an opponent is worth: `measured.json`,
written by `caltrop.lab.proof` together with its page, `rated.json`, written by `caltrop.lab.ladder`, and `lost.json`,
written by `caltrop.lab.losses`.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec

from caltrop.agreeing import quantity
from caltrop.players.registry import home_of, makers, styles_of


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
        return f"has won {self.wins}{drawn} of {quantity(self.games, 'game')} against {self.against}"


class Rating(msgspec.Struct, frozen=True):
    """How strong a player is, on the logistic scale of chess, the veteran of the same game being 1500."""

    elo: int
    low: int
    """The lower end of the 95 % interval."""
    high: int
    games: int


class Lost(msgspec.Struct, frozen=True):
    """What a player's decisions cost beside those of a commander."""

    mean: float
    """In chances of winning, a decision."""
    low: float
    """The lower end of the 95 % interval."""
    high: float
    decisions: int
    games: int


class Level(msgspec.Struct, frozen=True):
    """A computer player as a menu shows it."""

    name: str
    words: str
    """The way it plays, in a clause; empty if it does not say."""
    scores: tuple[Score, ...] = ()
    rating: Rating | None = None
    styles: tuple[str, ...] = ()
    """The styles that it may be asked to play in, as in `veteran+bold`."""

    @property
    def told(self) -> str:
        """What was measured of it, as a menu says it; empty where nothing was."""
        if self.rating is not None:
            low, high = self.rating.low, self.rating.high
            # The veteran's is given, and not measured.
            return f"is rated {self.rating.elo}" + f" ({low} to {high})" * (low < high)
        return ", and ".join([score.words for score in self.scores])


def _beside(game: str, name: str) -> Path | None:
    home = home_of(game)
    spec = None if home is None else importlib.util.find_spec(home)
    return None if spec is None or spec.origin is None else Path(spec.origin).with_name(name)


def measured_path(game: str) -> Path | None:
    """Return where the scores of a game's players stand; None for a game without players of its own."""
    return _beside(game, "measured.json")


def rated_path(game: str) -> Path | None:
    """Return where the ratings of a game's players stand; None for a game without players of its own."""
    return _beside(game, "rated.json")


def lost_path(game: str) -> Path | None:
    """Return where that stands what a game's players lose by their decisions; None for a game without players of its
    own.
    """
    return _beside(game, "lost.json")


@lru_cache(maxsize=32)
def losses(game: str) -> Mapping[str, Lost]:
    """Return what the levels of a game lose by their decisions, the weakest first; empty if that was not measured."""
    path = lost_path(game)
    return {} if path is None or not path.exists() else msgspec.json.decode(path.read_bytes(), type=dict[str, Lost])


@lru_cache(maxsize=32)
def _ratings(game: str) -> Mapping[str, Rating]:
    path = rated_path(game)
    return {} if path is None or not path.exists() else msgspec.json.decode(path.read_bytes(), type=dict[str, Rating])


@lru_cache(maxsize=32)
def _scores(game: str) -> Mapping[str, tuple[Score, ...]]:
    path = measured_path(game)
    if path is None or not path.exists():
        return {}
    return msgspec.json.decode(path.read_bytes(), type=dict[str, tuple[Score, ...]])


def levels(game: str) -> tuple[Level, ...]:
    """Return the computer players of a game, each with how it plays and what it has won.

    Raises:
        ValueError: when there is no such game.
    """
    scores, rated = _scores(game), _ratings(game)
    return tuple(
        Level(name, str(getattr(make, "words", "")), scores.get(name, ()), rated.get(name), styles_of(name, game))
        for name, make in makers(game).items()
    )
