"""The time during which the server can answer, and the moments when it collects garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from caltrop.host.garbage import QUIET_SECONDS, Garbage
from caltrop.host.pulse import LONGEST_SECONDS, Pulse


class Hands:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


def test_time_passes_while_the_server_answers_and_stands_still_in_a_stall() -> None:
    hands = Hands()
    pulse = Pulse(hands)
    begun = pulse.now()
    for _ in range(8):
        hands.at += 0.25
        pulse.now()
    assert pulse.now() - begun == pytest.approx(2.0)
    hands.at += 30.0
    assert pulse.now() - begun == pytest.approx(2.0 + LONGEST_SECONDS)
    hands.at += 0.25
    assert pulse.now() - begun == pytest.approx(2.25 + LONGEST_SECONDS)


@pytest.fixture
def usual_collection() -> Iterator[None]:
    """Restore the settings of the garbage collector afterwards."""
    before = gc.get_freeze_count()
    yield
    if before == 0:
        gc.unfreeze()


@pytest.mark.usefixtures("usual_collection")
def test_what_dropped_games_leave_is_collected_in_quiet_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(1))
    hands = Hands()
    garbage = Garbage(hands)
    garbage.keep()
    hands.at += QUIET_SECONDS
    assert not garbage.clear(3)  # no game was dropped
    garbage.dropped = 2
    garbage.busy()
    assert not garbage.clear(3)
    garbage.dropped = 3
    assert garbage.clear(3)
    garbage.dropped = 1
    hands.at += QUIET_SECONDS
    assert garbage.clear(3)
    assert len(collected) == 2
    assert gc.get_freeze_count() > 0
