"""The turn: play a card, order, move, battle, draw. A battle is a sequence of turns."""

from __future__ import annotations

from typing import ClassVar

from caltrop.engine import Ask, Event, Go, Procedure, Run, ask, step
from caltrop.rules.hex_command.battling import Battles
from caltrop.rules.hex_command.cards import CardPlayed, Deal, Draw, Play, PlayACard, card_in_force, discard
from caltrop.rules.hex_command.catalogue import (
    card_kind,
)
from caltrop.rules.hex_command.movement import Moves
from caltrop.rules.hex_command.orders import GiveOrders
from caltrop.rules.hex_command.records import Battle
from caltrop.rules.hex_command.specials import Barrage, FieldRepair, Inspiration, Lance, entrench
from caltrop.rules.hex_command.victory import begin_turn, end_turn


class Game(Procedure):
    """A whole battle, once the units are on the map."""

    @step("HX-S40", "HX-Q03")
    def deal(self, t: Battle) -> Run | None:
        """Both sides are dealt their hands, unless they already have cards."""
        return None if any(t.held) else Run(Deal())

    @step("HX-S40")
    def begin(self, t: Battle) -> None:
        t.active = t.field.first

    @step("HX-TRN-01")
    def take_turn(self, t: Battle) -> Run:
        return Run(Turn(side=t.active))

    @step("HX-TRN-01")
    def hand_over(self, t: Battle) -> Go:
        t.active = 1 - t.active
        return Go("take_turn")


class Turn(Procedure):
    side: int

    @step("HX-TRN-01", "HX-S61")
    def begin(self, t: Battle) -> None:
        """Effects that last one turn end, and the turn counts as begun."""
        t.card = ""
        for shelf in (t.ordered, t.beside, t.moved, t.by_road, t.entered, t.battled, t.parted, t.spent):
            shelf.clear()
        t.turns[self.side] += 1
        t.round = max(t.turns)
        t.tell(TurnBegan(self.side, t.turns[self.side]))
        begin_turn(t, self.side)

    @step("HX-TRN-01", "HX-Q01")
    def choose_a_card(self, t: Battle) -> Ask:
        """A side must play a card from its hand, even if it can order no unit with it (HX-Q24)."""
        return ask(PlayACard(side=self.side))

    @step("HX-TRN-01", "HX-Q25", "HX-Q32", "HX-S59")
    def play_the_card(self, t: Battle, choice: Play) -> None:
        """The card is discarded face up and is in force. A Counter-Order counts as the card that it copies."""
        discard(t, self.side, choice.card)
        t.card = t.played[self.side] = card_in_force(t, self.side, choice.card)
        t.tell(CardPlayed(self.side, choice.card, t.card if t.card != choice.card else ""))

    @step("HX-S52", "HX-S53", "HX-S58")
    def do_what_it_says(self, t: Battle) -> Run | None:
        """A Barrage or an Orbital Lance strikes now. With Inspired Leadership, a leader orders the units around."""
        card = card_kind(t, t.card)
        if not card.on:
            return None
        if card.act == "barrage":
            return Run(Barrage(side=self.side))
        if card.act == "lance":
            return Run(Lance(side=self.side))
        return Run(Inspiration(side=self.side)) if card.act == "inspire" else None

    @step("HX-TRN-02")
    def order(self, t: Battle) -> Run:
        return Run(GiveOrders(side=self.side))

    @step("HX-S54", "HX-S56")
    def before_the_moves(self, t: Battle, spent: tuple[int, ...]) -> Run | None:
        """Units dig in or are repaired instead of moving."""
        card = card_kind(t, t.card)
        if card.act == "dig-in" and card.on:
            entrench(t, spent)
        return Run(FieldRepair(unit=spent[0])) if card.act == "repair" and spent and card.on else None

    @step("HX-TRN-03", "HX-MOV-05")
    def move(self, t: Battle) -> Run:
        """Ordered units move. All moves come before any battle."""
        return Run(Moves(side=self.side))

    @step("HX-TRN-04", "HX-MOV-05")
    def battle(self, t: Battle) -> Run:
        return Run(Battles(side=self.side))

    @step("HX-TRN-08", "HX-S41")
    def draw(self, t: Battle) -> Run:
        """A side draws a card at the end of its turn. With some cards it draws several, and keeps one of them."""
        card = card_kind(t, t.card)
        return Run(Draw(side=self.side, cards=card.draw if card.on else 1))

    @step("HX-TRN-01", "HX-S61")
    def end(self, t: Battle) -> None:
        """After the last turn of a scenario the battle is decided."""
        end_turn(t, self.side)


# --- events ----------------------------------------------------------------------------------------------------------


class TurnBegan(Event, frozen=True):
    side: int
    turn: int
    clauses: ClassVar[tuple[str, ...]] = ("HX-TRN-01",)
    begins: ClassVar[bool] = True

    def sentence(self, t: Battle) -> str:
        return f"Turn {self.turn} of {t.field.names[self.side]}"
