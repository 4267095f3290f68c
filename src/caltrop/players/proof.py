"""Proofs of the players of a game, and the text of the proof page besides its figures.

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
"""First player, second player, and bounds of the first one's share. If the second bound is 1, the lower end of the
interval must lie above the first; otherwise the share itself must lie between both.
"""


class Page(NamedTuple):
    """The proof of the players of one game, and the text for its part of the page."""

    title: str
    pairings: tuple[tuple[str, str], ...]
    """Armies of the two sides, in rotation; none if scenarios bring their own."""
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
    """The matches between players, each with its claim."""
    scenarios: tuple[str, ...] = ()
    """The scenarios that are played; all if none is named."""


MADE = (
    "Made by `{command}` (`make statistics`), {armies}the seats swapped every second game; {played} games were played "
    "for each line. The share counts draws half; intervals are 95 % score intervals. Proven: the lower end lies above "
    "90 % for `veteran`, above 85 % for `regular` and above 80 % for `recruit`. Where the games are few, a line can be "
    "unproven although nothing was lost: its interval is too wide."
)
"""Text on how the table of `MATCHES` was made, with a place for the `armies`, besides `Page.made`."""


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
