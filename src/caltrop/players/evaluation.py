"""Estimate a side's chance of winning, by a small network over a game's features.

The module `features` of a game's players computes the features. `python -m caltrop.lab.fit` fits the network to games
of these players and writes `evaluation.json` beside that module: the weights, the games, and how well the estimates
agree with other games. Without this file, `caltrop.players.thinking` plays random games instead.
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
"""Smallest chance that is returned during a game; the largest is 1 minus this."""


class ChanceBin(msgspec.Struct, frozen=True):
    """Results of positions with similar estimates, in games left out of the fit."""

    mean: float = msgspec.field(name="said")
    share: float = msgspec.field(name="came")
    """Share of points won from these positions; a draw counts half."""
    positions: int
    games: int
    low: float
    """Lower end of the 95 % interval of that share. Positions of one game count as one position."""
    high: float


class Fit(msgspec.Struct, frozen=True):
    """Fitted weights for a game's features, with the games of the fit."""

    names: tuple[str, ...]
    weights: tuple[float, ...]
    """Weight of each feature in logits. A positive contribution favours side 0."""
    games: int
    """Number of games in the fit."""
    seed: int
    hidden: tuple[tuple[float, ...], ...] = ()
    """Weights of the features for each hidden unit, whose activation is the hyperbolic tangent."""
    heights: tuple[float, ...] = ()
    """Largest contribution of each hidden unit, in logits."""
    bins: tuple[ChanceBin, ...] = ()
    """Comparison of estimates and results, in games left out of the fit."""
    unseen: int = 0
    error: float = 0.0
    """Mean squared difference between estimates and results."""
    blind: float = 0.0
    """Mean squared difference for a constant estimate of one half."""


def said(fit: Fit, features: Sequence[float]) -> float:
    """Return side 0's chance of winning, given the features of a state."""
    logit = _sum(fit.weights, features)
    for bent, height in zip(fit.hidden, fit.heights, strict=True):
        logit += height * tanh(_sum(bent, features))
    return 1 / (1 + exp(-min(max(logit, -30.0), 30.0)))


def _sum(weights: Sequence[float], features: Sequence[float]) -> float:
    return sum([w * x for w, x in zip(weights, features, strict=True)])


class Evaluation:
    """Estimates the chance of winning from a state or a side's view of it.

    Args:
        features: Returns the features of a state, as numbers that are positive if they favour side 0.
    """

    def __init__(self, features: Callable[[Any], Sequence[float]], fit: Fit) -> None:
        self.features, self.fit = features, fit

    def chance(self, t: Any, side: int) -> float:
        """Return a side's chance of winning, from 0 to 1; a draw counts half."""
        over = t.over
        if over is not None:
            return 0.5 if over.winner is None else float(over.winner == side)
        first = min(max(said(self.fit, self.features(t)), LEAST), 1 - LEAST)
        return first if side == 0 else 1 - first


def features_of(game: str) -> tuple[tuple[str, ...], Callable[[Any], Sequence[float]]] | None:
    """Return the names of a game's features and the function that computes the features; None if the game has none."""
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
    """Return the path of a game's weights, which may not exist yet; None if the game has no features."""
    home = home_of(game)
    if features_of(game) is None or home is None:
        return None
    spec = importlib.util.find_spec(f"{home}.features")
    return None if spec is None or spec.origin is None else Path(spec.origin).with_name("evaluation.json")


@lru_cache(maxsize=32)
def evaluation(game: str) -> Evaluation | None:
    """Return the fitted evaluation of a game; None if no evaluation was fitted.

    Raises ValueError if the weights were fitted to other features than the game has now.
    """
    features, path = features_of(game), fit_path(game)
    if features is None or path is None or not path.exists():
        return None
    fit = msgspec.json.decode(path.read_bytes(), type=Fit)
    if fit.names != features[0]:
        raise ValueError(f"{path} was fitted to other features; run python -m caltrop.lab.fit {game}")
    return Evaluation(features[1], fit)
