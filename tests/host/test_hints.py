"""Hints come from a commander in a separate process, or from a faster player if that fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Decision
from caltrop.host import questions
from caltrop.host.questions import Questions
from caltrop.journal import Setting
from caltrop.players import hint, player, players_of
from caltrop.players.advice import adviser

GAME = "hex-command"


@pytest.fixture
def asked() -> tuple[Decision, Any]:
    """Return a question of a battle, and the view of the asked side."""
    match = Setting.chosen(GAME).begin(Seeded(3), keep=False)
    players_of(match, "recruit", "recruit", seed=1).act()
    decision = match.waiting[0]
    return decision, match.view(decision.side)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Questions]:
    """Yield a desk that answers questions without a time limit."""
    monkeypatch.setattr(questions, "HINT_SECONDS", 60.0)
    monkeypatch.setattr(questions, "LATEST_HINT", 90.0)
    result = Questions()
    yield result
    result._apart.end()


def test_a_hint_is_what_a_commander_would_do(desk: Questions, asked: tuple[Decision, Any]) -> None:
    decision, view = asked
    rules = Setting.chosen(GAME).rulebook
    words = desk._hint(rules, decision, view)
    assert words == hint(rules, decision, view, player("commander", GAME))
    assert words == hint(rules, decision, view)
    assert words.action in decision.options(view)


def test_who_thinks_less_gives_it_where_the_commander_is_late(
    desk: Questions, asked: tuple[Decision, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    decision, view = asked
    rules = Setting.chosen(GAME).rulebook
    monkeypatch.setattr(questions, "LATEST_HINT", 0.0)
    assert desk._hint(rules, decision, view) == hint(rules, decision, view, player("veteran", GAME))


def test_who_does_not_think_long_is_asked_here(desk: Questions) -> None:
    match = Setting.chosen("duel").begin(Seeded(3), keep=False)
    decision = match.waiting[0]
    view = match.view(decision.side)
    assert desk._hint(match.ruleset, decision, view) == hint(match.ruleset, decision, view, adviser("duel"))
    assert all(worker.process is None for worker in desk._apart.workers)
