"""How the players of a game are proven, and what its page says beside the figures.

A game's players may have such a page, as the constant `PROOF` of their module `proof`; `caltrop.lab.proof` plays and
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
"""First player, second player, and the bounds of the first one's share: where the second bound is 1, the lower end of
the interval must lie above the first; else the share itself must lie between both."""


class Page(NamedTuple):
    """How the players of one game are proven, and what its part of the page says besides."""

    title: str
    pairings: tuple[tuple[str, str], ...]
    """Armies of the two sides, in rotation; none where scenarios bring their own."""
    kinds: tuple[str, ...]
    """The blunders that are counted."""
    watch: Callable[[], Any]
    """Makes what counts them: `see(decision, before, action, after)` and `counts`, by side and kind."""
    counted: str
    """The module in which they are defined."""
    introduction: str
    made: str
    """The way the table was made, with places for `command`, `games` and `played`."""
    weaknesses: str
    matches: tuple[tuple[str, str, float, float], ...] = MATCHES
    """Which player plays against which, and what is claimed."""
    scenarios: tuple[str, ...] = ()
    """Those that are played; all where none is named."""


MADE = (
    "Made by `{command}` (`make statistics`), {armies}the seats swapped every second game; {played} games were played "
    "for each line. The share counts draws half; intervals are 95 % score intervals. Proven: the lower end lies above "
    "90 % for `veteran`, above 85 % for `regular` and above 80 % for `recruit`. Where the games are few, a line can be "
    "unproven although nothing was lost: its interval is too wide."
)
"""The way a table was made of `MATCHES`, with a place for what is said of the `armies`, besides
those of `Page.made`.
"""


def proof(game: str) -> Page | None:
    """Return the page of a game's players; None if they are not proven."""
    home = home_of(game)
    if home is None or importlib.util.find_spec(f"{home}.proof") is None:
        return None
    page: Page = importlib.import_module(f"{home}.proof").PROOF
    return page


def proven() -> list[str]:
    """Return the games whose players have a page."""
    return [name for name in rulesets() if proof(name) is not None]
