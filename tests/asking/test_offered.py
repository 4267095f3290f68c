"""Questions for people in a ruleset that declares only the legal answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from caltrop.asking import Offer, Offered, Wish, offered
from caltrop.engine import Decision, Listed


class Wait(msgspec.Struct, frozen=True, tag=True):
    """Nothing is done."""


class LayCard(msgspec.Struct, frozen=True, tag=True):
    """A card is laid."""


class Plain(Offered, frozen=True, kw_only=True):
    """A decision with options and a prompt alone."""

    def options(self, t: Any) -> Listed:
        return Listed([Wait(), LayCard()])

    def prompt(self, t: Any) -> str:
        return "Which?"


class WithCards(Plain, frozen=True, kw_only=True):
    """A decision with a card as one of its answers."""

    def offers(self, t: Any) -> Sequence[Offer]:
        return [Offer(action=Wait(), words="Wait"), Offer(action=LayCard(), words="Lay it", card="ambush")]


class Bare(Decision, frozen=True, kw_only=True):
    """A decision that people are never asked."""


def test_options_are_offered_in_words_and_nothing_is_dragged() -> None:
    asked = offered(Plain(side=0))
    assert [(one.action, one.words) for one in asked.offers(None)] == [(Wait(), "Wait"), (LayCard(), "Lay card")]
    assert asked.told(None, LayCard()).words == "Lay card"
    assert (asked.regions(None), asked.usual(None), asked.pick_up(None, 0)) == ((), None, None)
    refusal = asked.propose(None, Wish(unit=0)).refusal
    assert refusal is not None
    assert refusal.code == "nothing-to-drag"


def test_a_card_that_is_pointed_at_is_played_by_its_offer_or_it_is_said_what_is_asked() -> None:
    asked = offered(WithCards(side=0))
    assert asked.propose_card(None, "ambush").action == LayCard()
    refusal = asked.propose_card(None, "pincer").refusal
    assert refusal is not None
    assert refusal.message.endswith("Which?")


def test_a_decision_that_is_no_offered_cannot_be_put_to_a_person() -> None:
    with pytest.raises(TypeError, match=r"write class Bare\(Offered"):
        offered(Bare(side=0))
