"""One side types real dice, and the server throws for the other. Each of the server's dice is thrown once and kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from caltrop.chance import Once, Pool, Roll, Seeded
from caltrop.engine import Fell, rulesets
from caltrop.host.seats import SecureDice, ServerLibrary
from tests.corpus.record import Guest
from tests.server.tables import TestClient, served


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with served(f"sqlite:///{tmp_path / 'games.sqlite'}", library=ServerLibrary()) as client:
        yield client


@pytest.fixture
def thrown(monkeypatch: pytest.MonkeyPatch) -> list[Roll]:
    """Return a list to which every roll of the server is added."""
    rolls: list[Roll] = []
    roll = SecureDice.roll

    def noted(self: SecureDice, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        fell = roll(self, pool, why)
        if fell:
            rolls.append(fell)
        return fell

    monkeypatch.setattr(SecureDice, "roll", noted)
    return rolls


@pytest.mark.parametrize("game", rulesets())
@pytest.mark.parametrize("dice", [["typed", "server"], "typed"])
def test_every_die_that_the_server_throws_stands_in_the_journal(
    game: str, dice: Any, client: TestClient, thrown: list[Roll]
) -> None:
    for played in range(8):  # a short duel may end before the side that types has thrown a die
        thrown.clear()
        guest = Guest(client, f"{game} once {played}", ruleset=game, seats=["person", "person"], dice=dice)
        guest.play(60, back=False)
        rolled = [fell for fell in guest.game.match.journal if isinstance(fell, Fell) and fell.faces]
        waiting = () if guest.game.pending is None else guest.game.pending.thrown
        assert thrown == [*[fell.faces for fell in rolled if not fell.typed], *waiting]
        guest.client.app.app.state.games.live.clear()  # type: ignore[attr-defined]
        assert client.get(f"/api/games/{guest.id}", headers=guest.bearer()).status_code == 200
        if any(fell.typed for fell in rolled):
            return
    pytest.fail("no die was typed in eight games")


def test_dice_fall_once() -> None:
    first = Once((), Seeded(3))
    rolls = [first.roll(Pool(4)), first.roll(Pool(2)), first.roll(Pool(0))]
    again = Once(first.rolls, Seeded(9))
    assert [again.roll(Pool(4)), again.roll(Pool(2)), again.roll(Pool(0))] == rolls
    assert again.rolls == first.rolls == rolls[:2]
    third = again.roll(Pool(3))
    assert again.rolls == [*rolls[:2], third]
