"""Lost units are listed, and can be asked about."""

from __future__ import annotations

import pytest

from caltrop.chance import Seeded
from caltrop.engine import ruleset
from caltrop.host.events import Setup
from caltrop.host.game import HostedGame
from caltrop.host.seats import ServerLibrary
from caltrop.host.why import Past, causes
from caltrop.wire import View
from caltrop.wire.messages import Why

SEED = "units that go 3"


@pytest.fixture(scope="module")
def game() -> HostedGame:
    """Play a random battle until units are lost on both sides; return the game."""
    rules = ruleset("command-horizon")
    book = rules.book(None, {})
    setup = Setup(
        ruleset=rules.name,
        edition=book.edition,
        rules=book.rules,
        scenario="first-battle",
        armies=(),
        size=None,
        seats=("heuristic", "heuristic"),
        friendly=True,
        dice="server",
        engine_version="",
        rules_version=rules.rules_version,
        salt="",
    )
    battle = HostedGame("g", setup, rules, Seeded(SEED))
    players = [ServerLibrary().player("heuristic", rules.name) for _ in (0, 1)]
    while battle.over is None:
        _, asked = battle.ids()[0]
        view = battle.match.view(asked.side)
        battle.act(asked, players[asked.side].decide(asked, view, Seeded(f"{SEED} {battle.acts}")))
    return battle


def names(view: View) -> set[str]:
    return {group.in_words for group in view.picture.groups}


def test_every_unit_of_the_beginning_is_there_or_gone(game: HostedGame) -> None:
    for eyes in game.eyes:
        began, ended = game.view(eyes, 0), game.view(eyes)
        assert began.gone == ()
        assert ended.gone
        ids = {group.id for group in began.picture.groups}
        left = {group.id for group in ended.picture.groups}
        assert ids - left <= {unit.id for unit in ended.gone}
        assert {unit.id for unit in ended.gone}.isdisjoint(left)
        assert {unit.name for unit in ended.gone if unit.id in ids} <= names(began)


def test_a_unit_is_gone_from_the_act_that_took_it_away(game: HostedGame) -> None:
    for unit in game.view(0).gone:
        assert unit.id in {group.id for group in game.view(0, unit.act - 1).picture.groups}
        after = game.view(0, unit.act)
        assert unit.id not in {group.id for group in after.picture.groups}
        assert unit in after.gone


def test_a_unit_that_is_gone_tells_why(game: HostedGame) -> None:
    for unit in game.view(0).gone:
        last = causes(Past.of(game, 0), Why(unit=unit.id))[0]
        assert (last.act, last.after) == (unit.act, "not there")
        change = last.links[-1].line
        assert change is not None
        assert unit.id in change.touches


def test_an_objective_tells_why_it_is_held(game: HostedGame) -> None:
    held = [spot for spot in game.view(0).picture.spots if spot.holder is not None]
    assert held
    for spot in held:
        steps = causes(Past.of(game, 0), Why(spot=spot.id))
        assert steps
        assert steps[-1].before == "nobody"
        assert all(step.links[-1].line is not None for step in steps)
