"""Pages of proofs: the measured strength of a game's players, with text.

Such a page is the constant `PROOF` in the module `proof` of a game's players; `caltrop.lab.proof` plays the games and
writes it.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import Any, NamedTuple

from caltrop.engine import rulesets
from caltrop.players.registry import home_of

MATCHES: tuple[tuple[str, str, float, float], ...] = (
    ("veteran", "random", 0.90, 1.0),
    ("regular", "random", 0.85, 1.0),
    ("recruit", "random", 0.80, 1.0),
)
"""First player, second player, and two bounds for the first player's share of points.

If the second bound is 1, the lower end of the interval must exceed the first bound. If the second bound is lower, the
share must lie between the two.
"""


class Page(NamedTuple):
    """Title, pairings and text of a game's page of proofs."""

    title: str
    pairings: tuple[tuple[str, str], ...]
    """Armies of the two sides, used in rotation; empty if scenarios have their own."""
    kinds: tuple[str, ...]
    """Kinds of obvious mistakes that are counted."""
    watch: Callable[[], Any]
    """Returns a counter of obvious mistakes.

    The watch has a method `see(decision, before, action, after)`, and the attribute `counts` by side and kind.
    """
    counted: str
    """Name of the module that defines these mistakes."""
    introduction: str
    made: str
    """Text on how the table was made, with placeholders for `command`, `games` and `played`."""
    weaknesses: str
    matches: tuple[tuple[str, str, float, float], ...] = MATCHES
    """Pairings to be played, each with bounds for the first player's share."""
    scenarios: tuple[str, ...] = ()
    """Scenarios to be played; empty for all."""


MADE = (
    "Made by `{command}` (`make statistics`), {armies}the seats swapped every second game; {played} games were played "
    "for each line. The share counts draws half; intervals are 95 % score intervals. Proven: the lower end lies above "
    "90 % for `veteran`, above 85 % for `regular` and above 80 % for `recruit`. Where the games are few, a line can be "
    "unproven although nothing was lost: its interval is too wide."
)
"""Text on how the table of `MATCHES` was made, for `Page.made`, with the placeholder `armies`."""


def proof(game: str) -> Page | None:
    """Return a game's page of proofs; None if it has none."""
    home = home_of(game)
    if home is None or importlib.util.find_spec(f"{home}.proof") is None:
        return None
    page: Page = importlib.import_module(f"{home}.proof").PROOF
    return page


def proven() -> list[str]:
    """Return the names of the games with a page of proofs."""
    return [name for name in rulesets() if proof(name) is not None]
