"""Standing answers in real games are given whenever the question returns and the answer is legal, unless an enemy is
too near.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.asking import offered
from caltrop.chance import Seeded
from caltrop.engine import Decision, name_of
from caltrop.host.game import HostedGame
from caltrop.host.making import new_game
from caltrop.host.nearness import between, measured, nearest
from caltrop.host.seats import ServerLibrary
from caltrop.picture import Group, Picture, Piece
from caltrop.wire.messages import NewGame

GAMES = 40
"""Number of random games among which one has a repeated question in the other side's turn."""


def begun(ruleset: str) -> HostedGame:
    """Return a new game of two people."""
    return new_game(ServerLibrary(), NewGame(ruleset=ruleset, seats=("person", "person")), "agame")


def aimed(game: HostedGame) -> tuple[Decision, Any, int] | None:
    """Return a question in the other side's turn with a target, the answer that does nothing, and the distance; or
    None.
    """
    for _, asked in game.ids():
        if asked.side == game.match.state.active:
            continue
        view = game.match.view(asked.side)
        offers = offered(asked).offers(view)
        far = nearest(game.ruleset.depict(view, asked.side), offers)
        idle = next((one.action for one in offers if one.target is None), None)
        if far is not None and idle is not None:
            return asked, idle, far
    return None


def play_on(game: HostedGame, dice: Seeded) -> bool:
    """Play one random act; return False if there was none."""
    if game.over is not None or not game.ids():
        return False
    asked = game.ids()[0][1]
    game.act(asked, asked.options(game.match.view(asked.side)).sample(dice))
    return True


def checked(game: HostedGame, dice: Seeded, far: bool) -> int:
    """Give a standing answer if possible, and check its use; return how often the question returned."""
    result = aimed(game)
    while result is None:
        if not play_on(game, dice):
            return 0
        result = aimed(game)
    asked, idle, distance = result
    game.get_used(asked, idle, far)
    habit = game.people.habits[1]
    assert (habit.side, habit.beyond) == (asked.side, distance if far else None)
    acts, again = game.acts, 0
    game.reactions()
    assert game.acts > acts, "it is given at once"
    logs = [[line.text for line in game.log.lines[eyes]] for eyes in (habit.side, 1 - habit.side, None)]
    words = f"By your standing answer: {habit.words}"
    assert habit.words.endswith(offered(asked).occasion)
    assert [lines.count(words) for lines in logs] == [1, 0, 0], "only who has given it is told of it"
    while play_on(game, dice):
        for _, one in game.ids():
            if one.side != habit.side or name_of(one) != habit.decision or one.side == game.match.state.active:
                continue
            view = game.match.view(one.side)
            now = nearest(game.ruleset.depict(view, one.side), offered(one).offers(view))
            legal = one.options(view).refusal(idle) is None
            stands = legal and (not far or (now is not None and now >= distance))
            acts = game.acts
            game.reactions()
            assert (game.acts > acts) is stands
            again += 1
            break
    assert habit.number in game.people.habits
    game.forget_habit((habit.side,), habit.number)
    assert not game.people.habits
    return again


@pytest.mark.parametrize("far", [False, True])
def test_an_answer_stands_at_its_distance_and_beyond(far: bool) -> None:
    dice = Seeded("standing answers")
    assert any(checked(begun("command-horizon"), dice, far) for _ in range(GAMES))


def square(*places: tuple[int, int]) -> Group:
    """Return a unit with a model of radius 10 at each place."""
    pieces = tuple([Piece(id=number, at=at, radius=10) for number, at in enumerate(places)])
    return Group(id=0, side=0, name="", kind="", silhouette="", pieces=pieces)


def test_distances_are_between_the_nearest_edges() -> None:
    assert between(square((0, 0), (0, 500)), square((300, 400), (30, 540))) == 30
    assert between(square((0, 0)), square((15, 0))) == 0
    assert between(square(), square((15, 0))) is None


def test_a_distance_is_told_in_the_game_s_own_measure() -> None:
    table = begun("duel").ruleset.depict(begun("duel").match.state, None)
    assert measured(table, 1450) == "14.5 cm"
    assert measured(table, 1400) == "14 cm"
    hexes: Picture = msgspec.structs.replace(table, form="hexes", measure="hexes")
    assert measured(hexes, 320) == "3 hexes"
