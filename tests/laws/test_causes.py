"""What every recorded game owes the question why: every event has a cause that precedes it, and was told as it fell."""

from __future__ import annotations

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Event, Match, Played, digest, ruleset, rulesets
from caltrop.engine.cause import Answered, Begun, Causes, Link
from caltrop.journal import Setting, decoded, encoded, record_of, replay

SETTINGS = [
    Setting(ruleset=name, edition=ruleset(name).editions[0], scenario=card.id)
    for name in rulesets()
    for card in ruleset(name).scenarios()
]


def played(setting: Setting) -> Match:
    """A game by chance, to its end."""
    match, dice = setting.begin(Seeded(f"causes {setting.scenario}")), Seeded("choices")
    while match.over is None:
        asked = match.waiting[0]
        match.follow(asked, asked.options(match.view(asked.side)).sample(dice))
    return match


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.ruleset}-{setting.scenario}")
def test_every_event_of_a_recorded_game_has_a_cause_that_precedes_it(setting: Setting) -> None:
    record = decoded(encoded(record_of(played(setting), setting)))
    moments = list(replay(record))
    match = moments[-1].match
    before = digest(match.state)
    causes = Causes(match)
    assert causes.go_on(match.history)
    found = causes.links
    assert digest(match.state) == digest(causes.t) == before
    assert [link.number for link in found] == list(range(len(found)))
    for link in found[1:]:
        assert link.because
        assert all(0 <= number < link.number for number in link.because)
        assert all(found[number].act <= link.act for number in link.because)
        assert link.clauses
    assert [link.what for link in found if isinstance(link.what, Event)] == [
        event for moment in moments for event in moment.events
    ]
    answers = [link.what for link in found if isinstance(link.what, Answered)]
    entries = [entry for entry in match.journal if isinstance(entry, Played)]
    assert [(a.side, a.decision, a.action) for a in answers] == [(p.side, p.decision, p.action) for p in entries]
    for link in found:
        if link.act and isinstance(link.what, Event):
            assert led_by_an_answer(found, link), link


def led_by_an_answer(found: list[Link], link: Link) -> bool:
    """Whether a link leads back to something that somebody has decided."""
    waiting, seen = list(link.because), set(link.because)
    while waiting:
        before = found[waiting.pop()]
        if isinstance(before.what, Answered):
            return True
        if isinstance(before.what, Begun):
            continue
        new = set(before.because) - seen
        seen |= new
        waiting += new
    return False
