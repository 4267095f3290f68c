"""Every game can be played over the network, and continues after a restart."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.engine import Event, ruleset, rulesets
from caltrop.host.events import Created, Setup
from caltrop.host.game import HostedGame
from caltrop.host.restoring import restored
from caltrop.host.seats import ServerLibrary
from caltrop.host.storage import StoredRow
from caltrop.picture import Motion
from caltrop.wire import as_action, change_between, patched

ACTS = 120


def begin_game(name: str) -> tuple[HostedGame, list[StoredRow]]:
    """Begin a game between two persons; return it with its first stored row."""
    rules = ServerLibrary().find(name)
    book = rules.book()
    setup = Setup(
        ruleset=name, edition=book.edition, rules=book.rules, scenario=rules.scenarios()[0].id, armies=(), size=None,
        seats=("person", "person"), friendly=True, dice="server", engine_version="0", rules_version=1, salt="salt",
    )  # fmt: skip
    game = HostedGame("g", setup, rules, Seeded(f"server {name}"))
    return game, [game.row("created", Created(setup=setup, entries=tuple(game.match.journal), digest=game.digest))]


def plain(value: Any) -> Any:
    """Return a value as parsed JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def ask_about_places(game: HostedGame, motion: Motion) -> None:
    """Assert that a motion stays on the table, and that it has a target or a side if its sort needs one."""
    picture = game.view(None).picture
    ways = [point for _, way in motion.ways for point in way]
    for x, y in [
        *ways,
        *[point for point in (motion.at, motion.to) if point is not None],
        *[one.piece.at for one in motion.fell],
    ]:
        assert -picture.scale <= x <= picture.width + picture.scale, motion
        assert -picture.scale <= y <= picture.height + picture.scale, motion
    assert motion.sort not in ("shot", "blow", "reaction") or motion.target is not None, motion
    assert motion.sort != "score" or motion.side is not None or motion.at is not None, motion


def shows(event: type[Event]) -> bool:
    """Return whether an event has a motion, declared by its fields or computed by a method."""
    return event.shown is not None or event.motion is not Event.motion


@pytest.mark.parametrize("name", rulesets())
def test_whatever_throws_dice_that_are_read_is_seen_on_the_table(name: str) -> None:
    events: tuple[type[Event], ...] = tuple(ruleset(name).vocabulary().events)
    blind = [one for one in events if one.reading is not Event.reading and not shows(one)]
    assert blind == []


@pytest.mark.parametrize("name", rulesets())
def test_a_game_is_played_over_the_wire_and_restored(name: str, caplog: pytest.LogCaptureFixture) -> None:
    game, rows = begin_game(name)
    dice = Seeded(f"choices {name}")
    views = {e: game.view(e) for e in game.eyes}
    shown = {e: plain(view) for e, view in views.items()}
    while game.ids() and game.acts < ACTS:
        id, decision = game.ids()[dice.below(len(game.ids()))]
        offers = views[decision.side].decisions[0].offers
        if offers and dice.below(2):
            chosen = offers[dice.below(len(offers))].action
        else:
            chosen = decision.options(game.match.view(decision.side)).sample(dice)
        action = as_action(game.ruleset, plain(chosen))
        assert action == chosen, "an action comes back from JSON as it was"
        rows.append(game.act(game.decision(id, (decision.side,)), action))
        if dice.below(5) == 0 and game.match.boundary(decision.side) is None:
            rows.append(game.undo(decision.side))
        for e in game.eyes:
            new = game.view(e)
            shown[e] = patched(shown[e], plain(change_between(views[e], new)))
            views[e] = new
            now = plain(new)
            shown[e]["log"] = shown[e]["log"][-len(now["log"]) :] if now["log"] else []
            assert shown[e] == now
    again = restored("g", rows, ServerLibrary())
    assert again.digest == game.digest
    for e in game.eyes:
        assert plain(again.view(e)) == shown[e]
    moved = [line.motion for line in game.log.lines[None] if line.motion is not None]
    assert {motion.sort for motion in moved} & {"move", "place"}
    for motion in moved:
        ask_about_places(game, motion)
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []
