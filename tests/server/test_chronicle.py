"""The chronicle of a game agrees with the pictures, draws each picture once, and forgets acts that are taken back."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import ruleset
from caltrop.host.chronicle import NEAR, Changed, Chronicle, value, values
from caltrop.host.game import HostedGame
from caltrop.host.live import Live
from caltrop.host.why import Past, causes
from caltrop.journal import Setting
from caltrop.picture import Picture
from caltrop.wire.messages import Why
from tests.host.test_why import everything, game_of, play
from tests.server.tables import Table, Talk

SETTINGS = [("command-horizon", "secure-objectives"), ("hex-command", "crossroads"), ("duel", "bridge")]


def play_acts(name: str, scenario: str, acts: int) -> HostedGame:
    game = game_of(Setting(ruleset=name, edition=ruleset(name).editions[0], scenario=scenario), 4)
    play(game, acts, 4)
    return game


def as_drawn(pictures: list[Picture], about: Why) -> list[Changed]:
    """Return the acts that changed a value, found by comparing each picture with the one before."""
    result = [value(values(picture), about) for picture in pictures]
    return [
        Changed(act, result[act - 1], result[act])
        for act in range(len(result) - 1, 0, -1)
        if result[act - 1] != result[act]
    ]


def all_questions(pictures: list[Picture]) -> list[Why]:
    """Return everything that can be asked about any of these pictures."""
    return list(dict.fromkeys(about for picture in pictures for about in everything(picture)))


class CountingChronicle(Chronicle):
    """A chronicle that counts the pictures it draws."""

    count = 0

    def picture(self, state: Any) -> Picture:
        self.count += 1
        return super().picture(state)


@pytest.mark.parametrize(("name", "scenario"), SETTINGS)
def test_it_tells_what_the_pictures_tell(name: str, scenario: str) -> None:
    game = play_acts(name, scenario, 70)
    changes = 0
    for eyes in game.eyes:
        pictures = [Past.of(game, eyes).picture(act) for act in range(game.acts + 1)]
        chronicle = CountingChronicle(game.ruleset, eyes)
        chronicle.go_on(game.states[:9])
        chronicle.go_on(game.states, pictures[-1])
        assert chronicle.count == game.acts, "each moment once, and not the last, which was drawn already"
        for about in all_questions(pictures):
            words = list(chronicle.changes(about))
            assert words == as_drawn(pictures, about)
            changes += len(words)
    assert changes > 20 or name == "duel"


def test_what_was_taken_back_is_forgotten_and_what_was_played_since_is_noted() -> None:
    one, other = play_acts("duel", "bridge", 12), play_acts("duel", "bridge", 12)
    chronicle = CountingChronicle(one.ruleset, None)
    chronicle.go_on(one.states)
    before, values_before = chronicle.count, dict(chronicle.now)
    one.match.go_back(7)
    assert chronicle.missing(one.states) == 0
    assert chronicle.now == values(Past.of(one, None).picture(7))
    play(one, 12, 5)
    chronicle.go_on(one.states)
    assert chronicle.count == before + one.acts - 7
    assert chronicle.now != values_before
    chronicle.go_on(other.states)
    fresh = Chronicle(other.ruleset, None)
    fresh.go_on(other.states)
    assert (chronicle.now, chronicle.were) == (fresh.now, fresh.were)


def test_it_goes_on_with_what_is_shown_and_waits_for_nobody() -> None:
    game = play_acts("duel", "bridge", 2)
    chronicle = game.annals.chronicles[0] = CountingChronicle(game.ruleset, 0)
    live = Live(game)
    live.show(0)
    play(game, 3, 6)
    live.publish(live.changes())
    drawn = chronicle.count
    assert drawn == 3, "the moments before it, and not the one that is shown"
    play(game, 4, 6)
    live.publish(live.changes())
    assert chronicle.count == drawn
    assert chronicle.missing(game.states) == 0
    with game.annals.lock:
        play(game, 5, 6)
        live.publish(live.changes())
        assert chronicle.missing(game.states) == 1
    play(game, 5 + NEAR, 6)
    live.publish(live.changes())
    assert chronicle.count == drawn
    assert chronicle.missing(game.states) == game.acts + 1 - 5 > NEAR


def test_a_game_that_is_opened_is_looked_back_on_before_anybody_asks(table: Table) -> None:
    table.begin()
    table.forget()
    with table.live() as session:
        talk = Talk(session, tokens=table.tokens[:1])
        talk.hear("view")
        game: HostedGame = table.client.app.app.state.games.live[table.id].game  # type: ignore[attr-defined]
        for _ in range(500):
            talk.tell({"type": "ping"})
            talk.hear("pong")
            if game.annals.causes is not None and game.annals.causes.acts == game.acts:
                break
        assert len(game.annals.chronicles[0].states) == game.acts + 1
        assert game.annals.causes is not None
        assert game.annals.causes.acts == game.acts == 2


@pytest.mark.parametrize(("name", "scenario"), SETTINGS[:2])
def test_a_question_draws_a_few_pictures_only(name: str, scenario: str) -> None:
    game = play_acts(name, scenario, 90)
    chronicle = game.annals.chronicles[0] = CountingChronicle(game.ruleset, 0)
    past = Past.of(game, 0)
    while past.look_back(8):
        pass
    for about in everything(past.picture(game.acts)):
        chronicle.count = 0
        result = causes(past, about)
        assert chronicle.count <= 6 * len(result)
