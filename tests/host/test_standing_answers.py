"""Standing answers in every game with questions in the other side's turn: they are repeated, survive a restart, and can
be withdrawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import pytest

from caltrop.asking import Offered, offered
from caltrop.chance import Seeded
from caltrop.engine import Decision, Refused
from caltrop.host.game import HostedGame
from caltrop.host.making import new_game
from caltrop.host.restoring import restored
from caltrop.host.seats import ServerLibrary
from caltrop.host.standing import events_hash, recalled, stamp_of, standing_of, written
from caltrop.host.storage import StoredRow
from caltrop.wire.messages import NewGame

LIBRARY = ServerLibrary()
GAMES: list[tuple[str, str, dict[str, str | int]]] = [
    ("duel", "bridge", {}),
    ("command-horizon", "first-battle", {"overwatch": "on"}),
    ("squad-action", "first-battle", {}),
]
"""Battles with a question in the other side's turn, with their house rules."""
ACTS = 500
GAMES_AT_MOST = 40
T = TypeVar("T")


def elsewhere(game: HostedGame) -> list[Decision]:
    """Return the open questions of sides whose turn it is not."""
    active = game.match.state.active
    fighting = game.ruleset.round(game.match.state) > 0
    return [d for _, d in game.ids() if fighting and d.side != active and isinstance(d, Offered)]


def fixed(game: HostedGame) -> list[tuple[Decision, Any]]:
    """Return such questions, each with an answer that names no unit and no place."""
    return [
        (d, one.action)
        for d in elsewhere(game)
        for one in offered(d).offers(game.match.view(d.side))
        if one.action is not None and not msgspec.structs.fields(type(one.action))
    ]


def goes_on(game: HostedGame, dice: Seeded) -> list[StoredRow]:
    _, asked = game.ids()[0]
    return [game.act(asked, asked.options(game.match.view(asked.side)).sample(dice)), *game.reactions()]


def until_asked(request: NewGame, find: Callable[[HostedGame], list[T]]) -> tuple[HostedGame, list[StoredRow], T]:
    """Play random games until one has a certain question. Return the game with its rows."""
    for seed in range(GAMES_AT_MOST):
        game, dice = new_game(LIBRARY, request), Seeded(seed)
        rows = [game.created()]
        while game.over is None and game.acts < ACTS:
            if asked := find(game):
                return game, rows, asked[0]
            rows += goes_on(game, dice)
    raise AssertionError("nothing is asked in the other side's turn")


@pytest.mark.parametrize(("name", "scenario", "rules"), GAMES, ids=[one[0] for one in GAMES])
def test_a_standing_answer_goes_on_after_a_restart_until_it_is_ended(
    name: str, scenario: str, rules: dict[str, str | int]
) -> None:
    request = NewGame(ruleset=name, scenario=scenario, rules=rules, seats=("person", "person"))
    game, rows, (decision, action) = until_asked(request, fixed)
    rows += [game.get_used(decision, action, False), *game.reactions()]
    (habit,) = game.people.habits.values()
    assert (habit.side, habit.decision) == (decision.side, type(decision).__name__)
    assert all(one != decision for one in elsewhere(game)), "it is given at once"
    again = restored("g", rows, LIBRARY)
    stood = recalled("g", rows, LIBRARY, stamp_of(again.ruleset), written(standing_of(game, events_hash(rows))))
    assert stood is not None
    for one in (again, stood):
        (stored,) = one.people.habits.values()
        assert (stored.side, stored.decision, stored.words) == (habit.side, habit.decision, habit.words)
        one.match.dice, chance = Seeded(1), Seeded(2)
        for _ in range(40):
            if one.over is not None:
                break
            goes_on(one, chance)
            open_ = [d for d in elsewhere(one) if type(d) is type(decision) and d.side == habit.side]
            assert not any(action in d.options(one.match.view(d.side)) for d in open_), "nobody is asked again"
        one.forget_habit([habit.side], habit.number)
        assert not one.people.habits


def test_an_answer_that_names_a_place_is_not_given_for_good() -> None:
    """Troops that fell back to I3 once should not fall back there every time."""
    request = NewGame(ruleset="hex-command", seats=("person", "person"))
    game, _, asked = until_asked(request, lambda game: [d for d in elsewhere(game) if type(d).__name__ == "FallBack"])
    action = next(iter(asked.options(game.match.view(asked.side))))
    with pytest.raises(Refused, match="names a unit or a place"):
        game.get_used(asked, action, False)
