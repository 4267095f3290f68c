"""The sizes between which a form lets one choose: each is played, with every army that is offered beside it."""

from __future__ import annotations

from itertools import product

import pytest

from caltrop.engine import ArmyCard, ScenarioCard, ruleset, rulesets
from caltrop.terminal.custom import Custom

OFFERED = [(game, card) for game in rulesets() for card in ruleset(game).scenarios()]


def beside(game: str, card: ScenarioCard, size: int) -> list[tuple[ArmyCard, ...]]:
    """Return the armies that may be chosen together in a battle of this size."""
    fitting = [army for army in ruleset(game).armies() if card.takes_armies and size in army.sizes]
    return list(product(fitting, repeat=card.players))


@pytest.mark.parametrize(("game", "card"), [pytest.param(game, card, id=f"{game}-{card.id}") for game, card in OFFERED])
def test_every_size_that_is_offered_can_be_played(game: str, card: ScenarioCard) -> None:
    rules = ruleset(game)
    assert list(card.sizes) == sorted(set(card.sizes))
    assert len(card.sizes) != 1
    for size in card.sizes:
        rules.setup(rules.book(), card.id, (), size)
        for armies in beside(game, card, size):
            rules.setup(rules.book(), card.id, [army.id for army in armies], size)


def test_sizes_are_those_at_which_something_else_comes() -> None:
    offered = {(game, card.id): card.sizes for game, card in OFFERED}
    assert offered["command-horizon", "first-battle"] == (4, 7, 11)
    assert offered["blade-skirmish", "blood-price"] == (6, 12, 18, 24)
    assert offered["squad-action", "meeting-engagement"] == (350, 500)
    # The defender of the crossroads has the smallest cut of its force already, and a first section has none.
    assert offered["squad-action", "hold-the-crossroads"] == offered["squad-action", "first-battle"] == ()
    # Armies that stand on the map, or are placed one by one, are as large as they are.
    assert {sizes for (game, _), sizes in offered.items() if game == "hex-command"} == {()}


@pytest.mark.parametrize(("game", "card"), [pytest.param(game, card, id=f"{game}-{card.id}") for game, card in OFFERED])
def test_the_terminal_asks_for_a_size_where_there_is_one(game: str, card: ScenarioCard) -> None:
    custom = Custom(ruleset(game), card)
    asks = [entry.value for entry in custom.asked().entries]
    assert ("size" in asks) == bool(card.sizes)
    if not card.sizes:
        return
    custom.path = ("size",)
    assert [entry.value for entry in custom.asked().entries] == [None, *card.sizes]
    custom.take(card.sizes[-1])
    assert custom.wanted["size"] == card.sizes[-1]
    custom.path = ("size",)
    asked = custom.asked()
    assert asked.entries[asked.at].value == card.sizes[-1]
