"""Estimates a side's chance of winning by a small network over a game's features, fitted to games of its players.

A game's players may have a module `features` that computes the features, with a file `evaluation.json` that
`python -m caltrop.lab.fit` writes. The file has the weights, the games they were fitted to, and how often the estimate
comes true in other games. Without them, `caltrop.players.thinking` plays random games instead.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import exp, tanh
from pathlib import Path
from typing import Any

import msgspec

from caltrop.players.registry import home_of

LEAST = 0.005
"""Nobody has won or lost before the game is over."""


class ChanceBin(msgspec.Struct, frozen=True):
    """Positions of unseen games in which it said about the same."""

    mean: float = msgspec.field(name="said")
    share: float = msgspec.field(name="came")
    """The share of points that came of them, draws counting half."""
    positions: int
    games: int
    low: float
    """The lower end of the 95 % interval of that share, the positions of a game counting as one."""
    high: float


class Fit(msgspec.Struct, frozen=True):
    """The weights of a game, and their origin."""

    names: tuple[str, ...]
    weights: tuple[float, ...]
    """In logits; a feature is meant for side 0, and a positive one speaks for it."""
    games: int
    """Number of games it was fitted to."""
    seed: int
    hidden: tuple[tuple[float, ...], ...] = ()
    """Weights of further sums of the features, which are bent: of each the hyperbolic tangent counts."""
    heights: tuple[float, ...] = ()
    """Largest effect of each of these, in logits."""
    bins: tuple[ChanceBin, ...] = ()
    """The way it fared in games that it was not fitted to."""
    unseen: int = 0
    error: float = 0.0
    """Mean squared difference between estimates and results."""
    blind: float = 0.0
    """The same for a judge that always says one half."""


def said(fit: Fit, features: Sequence[float]) -> float:
    """Return side 0's chance of winning, from the features of a state."""
    logit = _sum(fit.weights, features)
    for bent, height in zip(fit.hidden, fit.heights, strict=True):
        logit += height * tanh(_sum(bent, features))
    return 1 / (1 + exp(-min(max(logit, -30.0), 30.0)))


def _sum(weights: Sequence[float], features: Sequence[float]) -> float:
    return sum([w * x for w, x in zip(weights, features, strict=True)])


class Evaluation:
    """The chance of winning in a game, from a state or a side's view of it.

    Args:
        features: The features, as numbers that are positive if they favour side 0.
    """

    def __init__(self, features: Callable[[Any], Sequence[float]], fit: Fit) -> None:
        self.features, self.fit = features, fit

    def chance(self, t: Any, side: int) -> float:
        """Return how likely a side is to win, a draw counting half."""
        over = t.over
        if over is not None:
            return 0.5 if over.winner is None else float(over.winner == side)
        first = min(max(said(self.fit, self.features(t)), LEAST), 1 - LEAST)
        return first if side == 0 else 1 - first


def features_of(game: str) -> tuple[tuple[str, ...], Callable[[Any], Sequence[float]]] | None:
    """Return the names of a game's features and the function that computes them; None if the game has none."""
    home = home_of(game)
    if home is None:
        return None
    if not hasattr(importlib.import_module(home), "__path__"):
        return None
    if importlib.util.find_spec(f"{home}.features") is None:
        return None
    module = importlib.import_module(f"{home}.features")
    names: tuple[str, ...] = module.NAMES
    return names, module.features


def fit_path(game: str) -> Path | None:
    """Return the file with the weights of a game; None if the game has no features."""
    home = home_of(game)
    if features_of(game) is None or home is None:
        return None
    spec = importlib.util.find_spec(f"{home}.features")
    return None if spec is None or spec.origin is None else Path(spec.origin).with_name("evaluation.json")


@lru_cache(maxsize=32)
def evaluation(game: str) -> Evaluation | None:
    """Return what tells the chances of a game; None if nothing was fitted.

    Raises ValueError when what was fitted is of other features than there are now.
    """
    features, path = features_of(game), fit_path(game)
    if features is None or path is None or not path.exists():
        return None
    fit = msgspec.json.decode(path.read_bytes(), type=Fit)
    if fit.names != features[0]:
        raise ValueError(f"{path} was fitted to other features; run python -m caltrop.lab.fit {game}")
    return Evaluation(features[1], fit)
