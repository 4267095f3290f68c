"""The games of the laws, as a fixture."""

from __future__ import annotations

import pytest

from tests.laws.games import Game, games, name_of, played


@pytest.fixture(scope="session", params=games(), ids=lambda game: name_of(*game))
def game(request: pytest.FixtureRequest) -> Game:
    """Return each game in turn, so that pytest runs all tests of a game together."""
    return played(*request.param)
