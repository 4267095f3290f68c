"""Order cards: the deck, the hands, playing and drawing.

A hand is a secret of its side. The size of the deck and the discarded cards are public. The deck has no order: a card
is chosen at random when it is drawn.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Mapping
from copy import copy
from math import comb
from typing import Annotated, Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Act, Choices, Guards, Offer, OneOf, Pick
from caltrop.chance import Dice, Pool, Roll
from caltrop.engine import (
    Ask,
    Book,
    End,
    Event,
    Go,
    Procedure,
    Refusal,
    Throw,
    ask,
    guard,
    rule,
    step,
)
from caltrop.engine.rule import HasBook
from caltrop.picture import Card, Motion
from caltrop.rules.hex_command.catalogue import (
    CARD_SHEET,
    card_kind,
)
from caltrop.rules.hex_command.records import Battle

NOT_HELD = guard("HX-TRN-01", "not-held", "You have no {title} in your hand")
NOT_DRAWN = guard("HX-S41", "not-drawn", "{title} is not one of the cards that you have drawn")
NOT_A_CARD = guard("HX-S40", "no-card", "There is no card {card}")


class Deal(Procedure):
    """Both sides are dealt their hands, beginning with the side that moves first."""

    side: int = -1
    left: int = 0

    @step("HX-Q03", "HX-S40", "HX-Q29")
    def deal(self, t: Battle) -> None:
        """The side that moves first is dealt its cards first."""
        self.side = t.field.first
        self.left = hand_size(t, self.side)

    @step("HX-S40")
    def draw_a_card(self, t: Battle) -> Throw:
        """Each card left in the deck has the same probability."""
        return Throw(Pool(1, sides=t.in_deck), side=self.side, words="Cards", draw=True)

    @step("HX-S40")
    def take_a_card(self, t: Battle, roll: Roll) -> Go | None:
        take(t, self.side, t.nth_in_deck(roll[0] - 1))
        self.left -= 1
        if self.left == 0 and self.side == t.field.first:
            self.side = 1 - self.side
            self.left = hand_size(t, self.side)
        return Go("draw_a_card") if self.left else None

    @step("HX-S40")
    def hands_are_dealt(self, t: Battle) -> None:
        t.tell(Dealt((t.held[0], t.held[1])))


class Draw(Procedure):
    """A side draws cards. A side that draws several cards keeps one of them."""

    side: int
    cards: int = 1
    count: int = 0
    """Number of cards drawn so far."""
    drawn: tuple[tuple[str, ...] | None, ...] = ((), ())
    """Cards that each side has drawn in this procedure, which only that side knows."""
    secret: ClassVar[tuple[str, ...]] = ("drawn",)

    @step("HX-Q25")
    def look_at_the_deck(self, t: Battle) -> None:
        """If the deck is empty, the discards are shuffled into a new deck."""
        if t.in_deck == 0:
            t.tell(Reshuffled(len(t.discards)))
            t.discards.clear()

    @step("HX-TRN-08", "HX-TRN-01", "HX-Q01")
    def draw_a_card(self, t: Battle) -> Throw:
        """Both sides draw from the same deck. Each card left in the deck has the same probability."""
        return Throw(Pool(1, sides=t.in_deck), side=self.side, words="Draw a card", draw=True)

    @step("HX-TRN-08")
    def take_the_card(self, t: Battle, roll: Roll) -> Go | End | None:
        """The card goes to the hand; the other side does not see it."""
        card = t.nth_in_deck(roll[0] - 1)
        take(t, self.side, card)
        t.tell(Drew(self.side, card))
        self.count += 1
        if self.cards == 1:
            return End()
        so_far = self.drawn[self.side] or ()
        self.drawn = tuple([(*so_far, card) if s == self.side else () for s in range(2)])
        return Go("look_at_the_deck") if self.count < self.cards else None

    @step("HX-S41")
    def choose_one(self, t: Battle) -> Ask:
        """The side keeps one of the cards that it drew.

        The side is asked even if the cards are equal, because otherwise the other side would learn that they are equal.
        """
        return ask(KeepOne(side=self.side))

    @step("HX-S41", "HX-Q25")
    def discard_the_others(self, t: Battle, choice: Keep) -> None:
        others = list(self.drawn[self.side] or ())
        others.remove(choice.card)
        for card in others:
            discard(t, self.side, card)
            t.tell(Discarded(self.side, card))


def title_of(b: HasBook, card: str) -> str:
    """Return a card's title, with its section if several cards have that title, as in `Probe (left)`."""
    kind = card_kind(b, card)
    return f"{kind.title} ({kind.sections[0]})" if len(kind.sections) == 1 else kind.title


# --- hands -----------------------------------------------------------------------------------------------------------


@rule("HX-Q03", "HX-S40")
def hand_size(t: Battle, side: int) -> int:
    return t.field.hands[side]


@hand_size.amended_by("HX-Q03", house={"hand_size": (3, 4, 6, 7)})
def hands_are_of_the_agreed_size(cards: int, t: Battle, side: int) -> int:
    """House rule: both sides hold the agreed number of cards."""
    return int(t.book.rules["hand_size"])


def holds(t: Battle, side: int, card: str) -> bool:
    """Return whether a side holds a card. A state that hides the side's hand always gives False."""
    return card in (t.hands[side] or ())


def may_be_held(t: Battle, side: int, card: str) -> bool:
    """Return whether a side could hold a card, by public information.

    The card must be in the deck, and at least one copy must not be face up.
    """
    return t.held[side] > 0 and card not in t.field.without and t.discards.count(card) < card_kind(t, card).count


def chance_held(t: Battle, side: int, card: str) -> float:
    """Return the probability that a side holds a card, for a player who sees *t*.

    A hidden hand is a random draw from the cards that are not visible anywhere. Cards that its side has not played
    allow no conclusion.
    """
    hand = t.hands[side]
    if hand is not None:
        return float(card in hand)
    if not may_be_held(t, side, card):
        return 0.0
    seen = [*t.discards, *(t.hands[1 - side] or ())]
    unseen = len(t.field.deck) - len(seen)
    copies = card_kind(t, card).count - seen.count(card)
    return 1 - comb(unseen - copies, t.held[side]) / comb(unseen, t.held[side])


def take(t: Battle, side: int, card: str) -> None:
    """Move a card from the deck to a hand."""
    hand = list(t.hands[side] or ())
    insort(hand, card)
    t.hands[side] = tuple(hand)
    t.held[side] += 1


def discard(t: Battle, side: int, card: str) -> None:
    """Move a card from a hand to the discards, face up. Raises ValueError when the side does not hold it."""
    hand = list(t.hands[side] or ())
    hand.remove(card)
    t.hands[side] = tuple(hand)
    t.held[side] -= 1
    t.discards.append(card)


def guess_hands(view: Battle, side: int, dice: Dice) -> Battle:
    """Return a full battle that agrees with a side's view. Hidden hands are dealt at random from the unseen cards."""
    if None not in view.hands:
        return view
    t = view.clone()
    left = Counter(t.field.deck)
    for hand in t.hands:
        left.subtract(hand or ())
    left.subtract(t.discards)
    unseen = sorted(left.elements())
    for other, hand in enumerate(view.hands):
        if hand is None:
            t.hands[other] = tuple(sorted(unseen.pop(dice.below(len(unseen))) for _ in range(t.held[other])))
    for i, frame in enumerate(t.stack):
        if isinstance(frame, Draw) and frame.drawn[frame.side] is None:
            chosen = list(t.hands[frame.side] or ())
            drawn = tuple(chosen.pop(dice.below(len(chosen))) for _ in range(frame.count))
            filled = t.stack[i] = copy(frame)
            filled.drawn = tuple([drawn if s == frame.side else () for s in range(2)])
    return t


def drawn_by(t: Battle, side: int) -> tuple[str, ...]:
    """Return the cards that a side has drawn and chooses from; empty if they are hidden from the viewer."""
    for frame in reversed(t.stack):
        if isinstance(frame, Draw):
            return frame.drawn[side] or ()
    return ()


def card_in_force(t: Battle, side: int, card: str) -> str:
    """Return the card that determines the effect of a played card.

    A Counter-Order copies the last card that the enemy played in its own turn. If the enemy has played no card, a
    Counter-Order orders any one unit (HX-Q32).
    """
    if card_kind(t, card).act != "copy" or not card_kind(t, card).on:
        return card
    return t.played[1 - side] or card


# --- decisions -------------------------------------------------------------------------------------------------------


_NO_CARD = Guards((NOT_A_CARD, lambda t, card: card not in CARD_SHEET.of(t)))


class Keep(Act, frozen=True):
    card: Annotated[str, Pick(lambda t, side: sorted(set(drawn_by(t, side))), NOT_DRAWN)]

    words = "Keep {title}"
    says: ClassVar[Mapping[str, Any]] = {"title": lambda t, card: title_of(t, card)}
    plays = "card"
    guards = Guards(_NO_CARD, ...)


class KeepOne(OneOf, frozen=True, kw_only=True):
    """A side chooses which of the drawn cards it keeps."""

    clauses: ClassVar[tuple[str, ...]] = ("HX-S41",)
    hint: ClassVar[str] = "You keep one of the two cards, and the other is discarded where everybody sees it."
    secret: ClassVar[bool] = True
    template = "Which of the two cards do you keep?"
    acts = (Keep,)

    def why_no_card(self, t: Battle, card: str) -> Refusal:
        return self.options(t).refusal(Keep(card)) or super().why_no_card(t, card)


class Play(Act, frozen=True):
    card: Annotated[str, Pick(lambda t, side: dict.fromkeys(t.hands[side] or ()), NOT_HELD)]

    words = "Play {title}"
    says: ClassVar[Mapping[str, Any]] = {"title": lambda t, card: title_of(t, card)}
    plays = "card"
    guards = Guards(_NO_CARD, ...)

    def told(self, o: Choices) -> Offer:
        return self.offer(o)


class PlayACard(OneOf, frozen=True, kw_only=True):
    clauses: ClassVar[tuple[str, ...]] = ("HX-TRN-01", "HX-Q01", "HX-Q24")
    hint: ClassVar[str] = (
        "A card says how many units you may order, and where. Only those may move and battle this turn; "
        "you draw a new card at the end of it."
    )
    template = "Which card do you play?"
    acts = (Play,)

    def why_no_card(self, t: Battle, card: str) -> Refusal:
        return self.options(t).refusal(Play(card)) or super().why_no_card(t, card)


# --- events ----------------------------------------------------------------------------------------------------------


def card_of(b: HasBook, kind: str, drawn: bool = False) -> Card:
    card = card_kind(b, kind)
    return Card(
        kind=kind,
        title=card.title,
        words=card.words,
        area=card.area,
        clauses=(card.clause,),
        drawn=drawn,
        orders=card.orders,
        sky=card.picture.sky,
        scene=card.picture.scene,
        figures=card.picture.figures,
    )


def cards_to_print(book: Book) -> tuple[tuple[Card, int], ...]:
    """Return every kind of card with its text, and its number in the deck."""
    return tuple([(card_of(book, kind), card.count) for kind, card in CARD_SHEET.of(book).items()])


class CardPlayed(Event, frozen=True):
    """A side played a card face up."""

    side: int
    card: str
    copied: str = ""
    """The played card, if it copies another; otherwise empty."""
    clauses: ClassVar[tuple[str, ...]] = ("HX-TRN-01",)

    def sentence(self, t: Battle) -> str:
        of = f" as a copy of {title_of(t, self.copied)}" if self.copied else ""
        return f"{t.field.names[self.side]} plays {title_of(t, self.card)}{of}"

    def motion(self, t: Battle) -> Motion:
        return Motion(sort="card", side=self.side, card=card_of(t, self.copied or self.card))


class Drew(Event, frozen=True):
    side: int
    card: str = ""
    """The drawn card; empty for the other side."""
    clauses: ClassVar[tuple[str, ...]] = ("HX-TRN-08",)

    def seen_by(self, side: int | None) -> Event | None:
        return self if side == self.side else Drew(self.side)

    def sentence(self, t: Battle) -> str:
        return f"{t.field.names[self.side]} draws {title_of(t, self.card) if self.card else 'a card'}"


class Dealt(Event, frozen=True):
    """Both sides were dealt their hands."""

    cards: tuple[int, int]
    clauses: ClassVar[tuple[str, ...]] = ("HX-Q03", "HX-S40")

    def sentence(self, t: Battle) -> str:
        south, north = t.field.names
        return f"{south} is dealt {quantity(self.cards[0], 'card')}, and {north} {self.cards[1]}"


class Discarded(Event, frozen=True):
    """A side put a drawn card on the discards, face up, without playing it."""

    side: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("HX-S41", "HX-Q25")
    reveals: ClassVar[bool] = True

    def sentence(self, t: Battle) -> str:
        return f"{t.field.names[self.side]} keeps the other card and discards {title_of(t, self.card)}"


class Reshuffled(Event, frozen=True):
    """The deck was empty, and the discards became the deck."""

    cards: int
    clauses: ClassVar[tuple[str, ...]] = ("HX-Q25",)
    template = "The deck is empty: {cards} discards are shuffled into a new one"
