"""The deck, hands, playing and drawing."""

from __future__ import annotations

import math
from collections import Counter

import msgspec
import pytest

from caltrop.asking import offered
from caltrop.chance import Seeded
from caltrop.engine import Fell, redacted, ruleset
from caltrop.rules.hex_command.cards import (
    Deal,
    Dealt,
    Discarded,
    Draw,
    Drew,
    Keep,
    Play,
    PlayACard,
    Reshuffled,
    card_in_force,
    chance_held,
    discard,
    guess_hands,
    hand_size,
    may_be_held,
    title_of,
)
from caltrop.rules.hex_command.catalogue import CARDS, DECK
from caltrop.rules.hex_command.picture import depict
from tests.rules.hex_command.tables import asked, battle, begin, done, now, options, refused

SPECIAL = (
    *("direct-command", "infantry-storm", "armoured-spearhead", "god-machines-walk", "barrage", "orbital-lance"),
    *("field-repair", "ambush", "dig-in", "shield-surge", "inspired-leadership", "counter-order", "fire-zone"),
    "cold-steel",
)

BOOK = ruleset("hex-command").book()


@pytest.mark.clause("HX-S40", "HX-Q29", "HX-S41", "HX-S42", "HX-S43", "HX-S44", "HX-S45", "HX-S46", "HX-S47")
def test_the_deck_has_forty_section_cards_and_twenty_specials() -> None:
    # Worked examples 32 and 41.
    count = Counter(DECK)
    assert [sum(n for key, n in count.items() if key.startswith(name)) for name in ("scout", "probe", "attack")] == [
        *(6, 13, 10)
    ]
    assert sum(n for key, n in count.items() if key.startswith("assault")) == 6
    assert count["broad-front"] + count["general-advance"] + count["pincer"] == 5
    assert [count[key] for key in SPECIAL] == [2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1]
    for section, cards in (("left", 11), ("centre", 13), ("right", 11)):
        assert sum(n for key, n in count.items() if key.endswith(f"-{section}")) == cards
    assert len(DECK) == 60


@pytest.mark.clause("HX-S40", "HX-Q03")
def test_both_sides_are_dealt_five_cards_from_one_deck_the_first_side_first() -> None:
    match = begin(battle(first=1), *[(1,)] * 10, at=Deal())
    t = now(match)
    # The first face is the first remaining card in alphabetical order.
    first = sorted(DECK)[:10]
    assert t.hands == [tuple(first[5:]), tuple(first[:5])]
    assert t.held == [5, 5]
    assert t.in_deck == len(t.deck()) == 50
    assert match.opening == (Dealt((5, 5)),)
    assert [entry.sides for entry in match.journal if isinstance(entry, Fell)] == list(range(60, 50, -1))
    done(match)


@pytest.mark.clause("HX-S40")
def test_every_card_of_the_deck_can_be_named_by_its_place() -> None:
    t = battle(hands=(("probe-left", "probe-right"), ("ambush",)), discards=["probe-left", "cold-steel"])
    deck = t.deck()
    assert len(deck) == 55
    assert [t.nth_in_deck(n) for n in range(55)] == deck
    with pytest.raises(IndexError, match="no such card"):
        t.nth_in_deck(55)


@pytest.mark.clause("HX-Q03", "HX-S72")
def test_a_scenario_sets_the_hands() -> None:
    t = battle()
    t.field = msgspec.structs.replace(t.field, hands=(5, 4))
    match = begin(t, *[(1,)] * 9, at=Deal())
    assert now(match).held == [5, 4]
    done(match)


@pytest.mark.clause("HX-Q03")
@pytest.mark.house("hand_size", 5, 3, 4, 6, 7)
@pytest.mark.parametrize("cards", [3, 4, 5, 6, 7])
def test_hands_may_be_agreed_to_be_of_another_size(cards: int) -> None:
    t = battle(rules={"hand_size": cards})
    assert [hand_size(t, side) for side in (0, 1)] == [cards, cards]
    match = begin(t, *[(1,)] * 2 * cards, at=Deal())
    assert now(match).held == [cards, cards]
    done(match)


@pytest.mark.clause("HX-TRN-01", "HX-Q01", "HX-Q25")
def test_a_card_is_played_from_the_hand_and_discarded_face_up() -> None:
    match = begin(battle("I-M G7", "I-M G1", hands=(("probe-left", "broad-front", "broad-front"), ("ambush",))), (1,))
    assert options(match) == [Play("broad-front"), Play("probe-left")]
    result = refused(match, Play("ambush"))
    assert (result.code, result.clause) == ("not-held", "HX-TRN-01")
    assert refused(match, Play("probe")).code == "no-card"
    match.play(0, Play("probe-left"))
    t = now(match)
    assert t.discards == ["probe-left"]
    assert (t.card, t.played) == ("probe-left", ["probe-left", ""])


@pytest.mark.clause("HX-TRN-08", "HX-TRN-01", "HX-Q01")
def test_the_turn_ends_by_drawing_a_card_that_only_its_side_sees() -> None:
    t = battle("I-M G7", "I-M G1", hands=(("probe-left",), ("ambush",)))
    deck = [card for card in t.deck() if card != "probe-left"]
    assert len(t.deck()) == 58
    match = begin(t, (58,))
    events = match.play(0, Play("probe-left"))
    drawn = now(match).hands[0]
    assert drawn == (sorted(deck)[-1],)
    drew = next(e for e in events if isinstance(e, Drew))
    assert (drew.card, drew.seen_by(0), drew.seen_by(1), drew.seen_by(None)) == (drawn[0], drew, Drew(0), Drew(0))
    assert now(match).hands != match.view(1).hands == [None, ("ambush",)]
    done(match)


@pytest.mark.clause("HX-Q25")
def test_an_empty_deck_is_made_of_the_discards() -> None:
    rest = Counter(DECK) - Counter(["probe-left", "pincer"])
    t = battle(hands=(("probe-left",), ("pincer",)), discards=sorted(rest.elements()))
    assert t.in_deck == 0
    events = (match := begin(t, (1,), at=Draw(side=0))).opening
    assert Reshuffled(58) in events
    t = now(match)
    assert (t.discards, t.in_deck, t.held) == ([], 57, [2, 1])
    # If only one card is left it is drawn, without a shuffle.
    t = battle(hands=(("probe-left",), ()), discards=sorted(rest.elements()))
    match = begin(t, (1,), at=Draw(side=0))
    assert now(match).hands[0] == ("pincer", "probe-left")
    assert len(now(match).discards) == 58


@pytest.mark.clause("HX-S41")
@pytest.mark.parametrize("section", ["left", "centre", "right"])
def test_a_scout_orders_one_unit_and_draws_two_cards_of_which_one_is_kept(section: str) -> None:
    card = CARDS[f"scout-{section}"]
    assert (card.units, card.sections, card.draw) == (1, (section,), 2)
    match = begin(battle("I-M G5", hands=((f"scout-{section}",), ("ambush",))), (1,), (57,))
    match.play(0, Play(f"scout-{section}"))
    while asked(match) != [("KeepOne", 0)]:
        match.play(0, options(match)[-1])
    hand = now(match).hands[0]
    assert hand is not None
    low, high = hand
    assert now(match).held == [2, 1]
    assert options(match) == [Keep(low), Keep(high)]
    assert refused(match, Keep("ambush")).clause == "HX-S41"
    # Only their own side sees which cards were just drawn. The same rule refuses any other card.
    assert [(card.kind, card.drawn) for card in depict(match.view(0), 0).hand] == [(low, True), (high, True)]
    assert depict(match.view(1), 1).hand[0].drawn is False
    question = now(match).asked[0]
    assert offered(question).propose_card(match.view(0), high).action == Keep(high)
    other = next(kind for kind in CARDS if kind not in hand)
    why = offered(question).propose_card(match.view(0), other).refusal
    assert why is not None
    assert (why.clause, why.code) == ("HX-S41", "not-drawn")
    # The other side cannot tell which they are.
    assert match.view(1).hands[0] is None
    assert match.view(1).stack[-1].drawn[0] is None
    events = match.play(0, Keep(high))
    assert Discarded(0, low) in events
    assert now(match).hands[0] == (high,)
    assert now(match).discards[-1] == low


def test_a_card_is_no_answer_to_a_question_about_units() -> None:
    match = begin(battle("I-M A9, I-M B9", hands=(("pincer", "probe-left"), ("ambush",))))
    assert offered(match.waiting[0]).propose_card(match.view(0), "ambush").refusal == refused(match, Play("ambush"))
    match.play(0, Play("probe-left"))
    assert asked(match) == [("OrderUnits", 0)]
    why = offered(match.waiting[0]).propose_card(match.view(0), "pincer").refusal
    assert why is not None
    assert (why.clause, why.code) == ("HX-TRN-02", "no-card-now")
    assert "Which unit do you order" in why.message


@pytest.mark.clause("HX-S41")
def test_two_cards_of_a_kind_are_chosen_between_like_any_others() -> None:
    twice = "armoured-spearhead"
    match = begin(battle(), (2,), (2,), at=Draw(side=1, cards=2))
    assert asked(match) == [("KeepOne", 1)]
    assert options(match, 1) == [Keep(twice)]
    match.play(1, Keep(twice))
    assert now(match).hands[1] == (twice,)


@pytest.mark.clause("HX-S59", "HX-Q32")
def test_a_counter_order_copies_what_the_enemy_played_last_in_its_own_turn() -> None:
    t = battle("I-M A7, I-M M7", "I-M G1", hands=(("counter-order",), ("counter-order",)))
    t.played[1] = "assault-left"
    match = begin(t)
    match.play(0, Play("counter-order"))
    t = now(match)
    assert (t.card, t.played[0], t.discards) == ("assault-left", "assault-left", ["counter-order"])
    # Left and right are as the card's own side sees them.
    assert t.ordered == [0]
    # A Counter-Order that copied a card counts as that card.
    assert card_in_force(t, 1, "counter-order") == "assault-left"
    assert card_in_force(t, 1, "pincer") == "pincer"
    assert card_in_force(battle(), 0, "counter-order") == "counter-order"


@pytest.mark.clause("HX-Q32", "HX-Q24")
@pytest.mark.parametrize("card", ["ambush", "shield-surge"])
def test_in_ones_own_turn_a_card_for_the_enemys_is_played_for_nothing(card: str) -> None:
    match = begin(battle("I-M G2", "I-M G1", hands=((card,), ("pincer",))), (1,))
    match.play(0, Play(card))
    t = now(match)
    assert (t.ordered, t.held, t.discards) == ([], [1, 1], [card])
    assert not match.waiting


@pytest.mark.clause("HX-Q32", "HX-S55", "HX-S57")
def test_a_card_may_be_held_until_all_its_copies_lie_face_up() -> None:
    t = battle(hands=((), ("pincer",)), discards=["ambush", "counter-order"])
    assert not may_be_held(t, 1, "ambush")
    assert may_be_held(t, 1, "counter-order")
    assert may_be_held(t, 1, "shield-surge")
    assert not may_be_held(t, 0, "shield-surge")
    assert not may_be_held(battle(hands=((), ("pincer",)), without=("shield-surge",)), 1, "shield-surge")


def test_how_likely_an_unseen_hand_holds_a_card() -> None:
    t = battle(hands=(("scout-left", "pincer"), ("ambush", "probe-left", "probe-right")), discards=["barrage"])
    unseen = len(t.field.deck) - 3
    view = redacted(t, 0)
    # There is one copy, and three cards are unknown to the viewer.
    assert chance_held(view, 1, "ambush") == pytest.approx(3 / unseen)
    assert chance_held(view, 1, "barrage") == 0
    assert chance_held(view, 0, "pincer") == 1
    assert chance_held(view, 0, "ambush") == 0
    # One of the two copies is in the viewer's own hand.
    copies = CARDS["pincer"].count - 1
    missed = math.prod((unseen - copies - i) / (unseen - i) for i in range(3))
    assert chance_held(view, 1, "pincer") == pytest.approx(1 - missed)
    # The chance is 0 or 1 for a viewer who sees both hands.
    assert chance_held(t, 1, "ambush") == 1
    assert chance_held(redacted(battle(hands=((), ("pincer",)), without=("ambush",)), 0), 1, "ambush") == 0


def test_a_card_that_is_not_held_cannot_be_discarded() -> None:
    t = battle(hands=(("pincer",), ()))
    with pytest.raises(ValueError, match="not in list"):
        discard(t, 0, "ambush")


def test_titles_name_the_section_of_cards_that_share_one() -> None:
    assert [title_of(BOOK, card) for card in ("probe-left", "pincer", "ambush")] == ["Probe (left)", "Pincer", "Ambush"]


def test_a_guess_fills_the_hands_that_are_not_seen_from_the_cards_that_are_not() -> None:
    t = battle(hands=(("pincer", "ambush"), ("barrage", "fire-zone", "cold-steel")), discards=["dig-in"])
    for side in (0, 1):
        view = redacted(t, side)
        result = set()
        for seed in range(40):
            whole = guess_hands(view, side, Seeded(seed))
            assert whole.hands[side] == t.hands[side]
            hand = whole.hands[1 - side]
            assert hand is not None
            assert len(hand) == t.held[1 - side]
            assert list(hand) == sorted(hand)
            assert len(whole.deck()) == t.in_deck
            assert "dig-in" not in hand
            result.add(hand)
        assert len(result) > 20
        assert view.hands[1 - side] is None
    assert guess_hands(t, 0, Seeded(1)) is t


def test_a_guess_fills_what_the_other_side_has_just_drawn() -> None:
    match = begin(battle(hands=((), ("pincer",))), (1,), (58,), at=Draw(side=1, cards=2))
    whole = guess_hands(match.view(0), 0, Seeded(3))
    drawn = whole.stack[-1]
    assert isinstance(drawn, Draw)
    cards = drawn.drawn[1]
    assert cards is not None
    assert len(cards) == 2
    assert not Counter(cards) - Counter(whole.hands[1] or ())
    assert list(PlayACard(side=1).options(whole))
