"""The computer players of a game as menus show them: descriptions, results and ratings.

Measurements are stored with a game's players: `measured.json` by `caltrop.lab.proof`, `rated.json` by
`caltrop.lab.ladder`, and `lost.json` by `caltrop.lab.losses`.
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
    """Result of a series between two players, over all scenarios, with seats swapped."""

    against: str
    games: int
    wins: int
    draws: int
    low: float
    """Lower end of the 95 % interval of the share of points; a draw counts half."""
    high: float

    @property
    def share(self) -> float:
        """Share of points; a draw counts half."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def words(self) -> str:
        """Text on the player's results for a menu."""
        drawn = f" and drawn {self.draws}" if self.draws else ""
        return f"has won {self.wins}{drawn} of {quantity(self.games, 'game')} against {self.against}"


class Rating(msgspec.Struct, frozen=True):
    """The strength of a player on the logistic scale of chess, on which the game's veteran has 1500."""

    elo: int
    low: int
    """Lower end of the 95 % interval of the rating."""
    high: int
    games: int


class Lost(msgspec.Struct, frozen=True):
    """The average loss of the chance of winning by a player's decisions, compared with a commander's."""

    mean: float
    """Mean loss of a decision, in chance of winning from 0 to 1."""
    low: float
    """Lower end of the 95 % interval of the mean loss."""
    high: float
    decisions: int
    games: int


class Level(msgspec.Struct, frozen=True):
    """A computer player as a menu shows it."""

    name: str
    words: str
    """Description of how the player plays, as a clause; empty if there is none."""
    scores: tuple[Score, ...] = ()
    rating: Rating | None = None
    styles: tuple[str, ...] = ()
    """Styles that can follow the name, such as `veteran+bold`."""

    @property
    def told(self) -> str:
        """Text on the player's measurements for a menu; empty if there are none."""
        if self.rating is not None:
            low, high = self.rating.low, self.rating.high
            # The veteran's rating defines the scale, so it has no interval.
            return f"is rated {self.rating.elo}" + f" ({low} to {high})" * (low < high)
        return ", and ".join([score.words for score in self.scores])


def _beside(game: str, name: str) -> Path | None:
    home = home_of(game)
    spec = None if home is None else importlib.util.find_spec(home)
    return None if spec is None or spec.origin is None else Path(spec.origin).with_name(name)


def measured_path(game: str) -> Path | None:
    """Return the file with the scores of a game's players; None if the game has no players of its own."""
    return _beside(game, "measured.json")


def rated_path(game: str) -> Path | None:
    """Return the file with the ratings of a game's players; None if the game has no players of its own."""
    return _beside(game, "rated.json")


def lost_path(game: str) -> Path | None:
    """Return the file with the measured losses of a game's players; None if the game has no players of its own."""
    return _beside(game, "lost.json")


@lru_cache(maxsize=32)
def losses(game: str) -> Mapping[str, Lost]:
    """Return the mean loss of a decision by level, the weakest first; empty if it was not measured."""
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
    """Return the computer players of a game, with descriptions and results.

    Raises ValueError for an unknown game.
    """
    scores, rated = _scores(game), _ratings(game)
    return tuple(
        Level(name, str(getattr(make, "words", "")), scores.get(name, ()), rated.get(name), styles_of(name, game))
        for name, make in makers(game).items()
    )
