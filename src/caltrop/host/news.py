"""News of games: the side whose turn it is, the players who look, and the result.

Notices, streams, tournaments and open seats use only the news of games. News therefore work the same for the games of
all workers.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from caltrop.host.game import HostedGame
from caltrop.host.seats import AUTOMATED
from caltrop.host.shelved import Shelved


class GameNews(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The news of a game. Unless a field says otherwise, tuples have a value for each side."""

    game: str
    ruleset: str
    scenario: str
    title: str
    moment: str
    """A text that changes whenever another side is asked."""
    names: tuple[str, ...]
    people: tuple[tuple[str, ...], ...]
    """The ids of the people of each side who have a name beyond the game."""
    acts: tuple[int, ...]
    playing: tuple[int, ...]
    """Sides with a player, as opposed to those that the rules move."""
    turn: str
    waiting: tuple[int, ...] = ()
    """The sides that must act."""
    awaited: tuple[int, ...] = ()
    """Sides whose player has not come yet."""
    here: tuple[int, ...] = ()
    """Sides with somebody who is looking now."""
    late: tuple[int, ...] = ()
    """The sides whose time is up."""
    again: tuple[int, ...] = ()
    """The sides that ask for a rematch."""
    returning: tuple[tuple[int, int], ...] = ()
    """Sides that will lose their seats unless they return, each with the number of warnings."""
    over: bool = False
    winner: int | None = None
    closed: bool = False
    """True if the host of the server has closed or deleted the game. All other news of a closed game are unknown."""

    def mark(self, side: int) -> str:
        return f"{side} {self.acts[side]} {self.turn}"[:200]

    def name(self, side: int) -> str:
        return self.names[side]


def news_of_closed(game: str) -> GameNews:
    return GameNews(
        game=game, ruleset="", scenario="", title="", moment="", names=(), people=(), acts=(), playing=(), turn="",
        closed=True,
    )  # fmt: skip


def news_of(game: HostedGame, here: Iterable[int] = ()) -> GameNews | None:
    """Return the news of a game; None if the game cannot go on, or if nobody in it has a name beyond the game."""
    if isinstance(game, Shelved) or not any(key.startswith("p:") for key in game.keys):
        return None
    return all_news_of(game, here)


def all_news_of(game: HostedGame, here: Iterable[int] = ()) -> GameNews:
    sides = range(len(game.setup.seats))
    acts = [0 for _ in sides]
    for point in game.match.history:
        acts[point.side] += 1
    return GameNews(
        game=game.id,
        ruleset=game.ruleset.name,
        scenario=game.setup.scenario,
        title=game.ruleset.title,
        moment=str(game.asked_at),
        names=tuple([game.people.names.get(side) or game.name(side) for side in sides]),
        people=tuple([tuple(game.persons(side)) for side in sides]),
        acts=tuple(acts),
        playing=tuple([side for side in sides if game.setup.player(side) != AUTOMATED]),
        turn=str(game.ruleset.turn(game.match.state)),
        waiting=() if game.over is not None else tuple(game.waiting_for),
        awaited=tuple(sorted(game.people.awaited)),
        here=tuple(sorted(set(here))),
        late=tuple([side for side in sides if game.is_late(side)]),
        again=tuple(sorted(game.people.again)),
        returning=tuple([(side, times) for side, (times, after) in game.people.renewals.items() if after is not None]),
        over=game.over is not None,
        winner=None if game.over is None else game.over.winner,
    )
