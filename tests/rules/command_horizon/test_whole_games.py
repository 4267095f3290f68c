"""Whole games at random, every state looked at; `tests/soak.py` plays as many as one likes."""

from __future__ import annotations

import pytest

from tests.soak import play, setting


@pytest.mark.clause("CH-TURN-01", "CH-TURN-02", "CH-TURN-03")
@pytest.mark.parametrize("seed", range(12))
def test_a_game_of_a_seed_comes_to_its_end(seed: int) -> None:
    assert play(setting(seed), look=8).reason
