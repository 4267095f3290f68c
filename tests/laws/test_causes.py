"""A law of causes: in every recorded game, each event has an earlier cause, and was reported when it happened."""

from __future__ import annotations

from caltrop.engine import Event, Played, digest
from caltrop.engine.cause import Answered, Causes, GameStart, Link
from caltrop.journal import decoded, encoded, replay
from tests.laws.games import Game


def test_every_event_of_a_recorded_game_has_a_cause_that_precedes_it(game: Game) -> None:
    record = decoded(encoded(game.record))
    moments = list(replay(record))
    match = moments[-1].match
    before = digest(match.state)
    causes = Causes(match)
    assert causes.go_on(match.history)
    links = causes.links
    assert digest(match.state) == digest(causes.t) == before
    assert [link.number for link in links] == list(range(len(links)))
    for link in links[1:]:
        assert link.because
        assert all(0 <= number < link.number for number in link.because)
        assert all(links[number].act <= link.act for number in link.because)
        assert link.clauses
    assert [link.what for link in links if isinstance(link.what, Event)] == [
        event for moment in moments for event in moment.events
    ]
    answers = [link.what for link in links if isinstance(link.what, Answered)]
    entries = [entry for entry in match.journal if isinstance(entry, Played)]
    assert [(a.side, a.decision, a.action) for a in answers] == [(p.side, p.decision, p.action) for p in entries]
    for link in links:
        if link.act and isinstance(link.what, Event):
            assert led_by_an_answer(links, link), link


def led_by_an_answer(links: list[Link], link: Link) -> bool:
    """Return whether a link leads back to a decision."""
    waiting, seen = list(link.because), set(link.because)
    while waiting:
        before = links[waiting.pop()]
        if isinstance(before.what, Answered):
            return True
        if isinstance(before.what, GameStart):
            continue
        new = set(before.because) - seen
        seen |= new
        waiting += new
    return False
