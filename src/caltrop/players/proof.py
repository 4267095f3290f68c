"""Pages that prove how strong the players of a game are, with their text.

A game's players may have such a page as the constant `PROOF` of their module `proof`; `caltrop.lab.proof` plays the
games and writes the page.
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
"""First player, second player, and bounds for the first one's share of points.

If the second bound is 1, the lower end of the interval must lie above the first bound; otherwise the share must lie
between the two.
"""


class Page(NamedTuple):
    """Title, matches and text of the page that proves the players of one game."""

    title: str
    pairings: tuple[tuple[str, str], ...]
    """Armies of the two sides, in rotation; empty if scenarios bring their own."""
    kinds: tuple[str, ...]
    """Kinds of blunders that are counted."""
    watch: Callable[[], Any]
    """Function that makes a counter of blunders.

    The counter has the method `see(decision, before, action, after)` and the attribute `counts`, by side and kind.
    """
    counted: str
    """Name of the module that defines the blunders."""
    introduction: str
    made: str
    """Text on how the table was made, with placeholders for `command`, `games` and `played`."""
    weaknesses: str
    matches: tuple[tuple[str, str, float, float], ...] = MATCHES
    """Matches to be played, each with the bounds that the first player's share must reach."""
    scenarios: tuple[str, ...] = ()
    """Scenarios that are played; an empty tuple stands for all of them."""


MADE = (
    "Made by `{command}` (`make statistics`), {armies}the seats swapped every second game; {played} games were played "
    "for each line. The share counts draws half; intervals are 95 % score intervals. Proven: the lower end lies above "
    "90 % for `veteran`, above 85 % for `regular` and above 80 % for `recruit`. Where the games are few, a line can be "
    "unproven although nothing was lost: its interval is too wide."
)
"""Text on how the table of `MATCHES` was made, for `Page.made`; it still needs the `armies`."""


def proof(game: str) -> Page | None:
    """Return the page that proves a game's players; None if it has none."""
    home = home_of(game)
    if home is None or importlib.util.find_spec(f"{home}.proof") is None:
        return None
    page: Page = importlib.import_module(f"{home}.proof").PROOF
    return page


def proven() -> list[str]:
    """Return the names of the games that have a page of proofs."""
    return [name for name in rulesets() if proof(name) is not None]
