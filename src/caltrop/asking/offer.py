"""Offers: legal actions in words, and decisions that are offered to people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from caltrop.asking.drag import PickedUp, Point, Proposal, Region, Wish
from caltrop.engine import Decision, Refusal, Sum, words_of
from caltrop.engine.rule import AnyAction


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """One legal action as an interface (page, terminal) shows it."""

    action: AnyAction
    words: str
    """Description in the imperative: `Fire at the 2nd Medium Tanks`."""
    first: str = ""
    """The part of `words` for the first act, if the rest names the next act. Interfaces may ask for the two separately.
    Empty if no act follows.
    """
    group: str = ""
    """Heading of its group in a list."""
    unit: int | None = None
    target: int | None = None
    """The target unit."""
    spot: Point | None = None
    """The target place; on a map of hexes the centre of the hex, as in the picture."""
    card: str | None = None
    """The kind of the card to play."""
    price: Sum = ()
    """Price in the game's own points, with the clauses."""
    final: bool = False
    """True for the end of a step or a turn, which interfaces show apart."""
    undoes: bool = False
    """True if the action takes back an earlier answer of the unit, which has nothing else left to do."""
    idle: str = ""
    """Sentence about a unit that does nothing after the act, such as `Stays`. Interfaces offer it as a single default
    by `Decision.usual`. Empty if no unit stays idle.
    """


class Usual(msgspec.Struct, frozen=True, kw_only=True):
    """The default answer: interfaces offer it as one button, and repeat it for similar questions."""

    action: AnyAction
    words: str
    """Summary in the imperative: `Remove models 3 and 4`; or a statement about the rest: `All others stay`."""
    unit: int | None = None
    """The unit of the answer; None if it covers several units in turn."""
    ready: bool = False
    """True if interfaces preselect it when the question comes, because most people answer so."""
    said: bool = False
    """True if an earlier answer of the same person announced it, or if there is no other: interfaces then give it at
    once.
    """
    opens: bool = False
    """True if the answer belongs to setting up. A person who starts with everything placed is not asked for it."""


class Offered(Decision, frozen=True, kw_only=True):
    """A decision that people answer too, with its words and its display on the table."""

    hint: ClassVar[str] = ""
    """One or two sentences for somebody who meets this decision for the first time."""
    occasion: ClassVar[str] = ""
    """Time when the question is asked, such as `when an enemy charges`; a standing answer names it, because it is given
    every time.
    """
    picks: ClassVar[str] = ""
    """Field of the answers that lists chosen models, such as `models`; empty for other questions. Interfaces let people
    press the models, and send sets that are not offered too.
    """
    opens: ClassVar[tuple[str, str]] = ("", "act")
    """Name of the step that begins with the decision, and the verb of the units in it, such as `("targets", "fire")`.
    The button that ends the step before uses name and verb. Empty for a step without a name.
    """

    def offers(self, t: Any) -> Sequence[Offer]:
        """Return the finite choices, ready to be shown. Regions show the open choices."""
        return [Offer(action=a, words=words_of(a)) for a in self.options(t)]

    def told(self, t: Any, action: Any) -> Offer:
        """Return an answer in the words of its offer.

        Args:
            t: The state at that time, as the reader sees it: a side, or an onlooker.
            action: The answer. An open choice, or a choice that is hidden in *t*, is described by its name.
        """
        offers = self.offers(t)
        return next((offer for offer in offers if offer.action == action), Offer(action=action, words=words_of(action)))

    def usual(self, t: Any, unit: int | None = None) -> Usual | None:
        """Return the usual answer, if there is one.

        Args:
            t: The state, as the side sees it that is asked.
            unit: The unit to give the default answer for; None for all units of the question.
        """
        return None

    def passed_by(self, t: Any) -> Sequence[int]:
        """Return the units that may act in place of the unit in question, if choosing one ends this question.

        Interfaces then give the final answer, if exactly one exists and it is quiet.
        """
        return ()

    def regions(self, t: Any) -> Sequence[Region]:
        return ()

    def propose(self, t: Any, wish: Wish) -> Proposal:
        return Proposal(refusal=Refusal(code="nothing-to-drag", clause="", message="There is nothing to drag here"))

    def propose_card(self, t: Any, card: str) -> Proposal:
        """Convert a card that a person points at into the action that plays it, or into a refusal."""
        for offer in self.offers(t):
            if offer.card == card:
                return Proposal(action=offer.action, price=offer.price)
        return Proposal(refusal=self.why_no_card(t, card))

    def why_no_card(self, t: Any, card: str) -> Refusal:
        clause = self.clauses[0] if self.clauses else ""
        message = f"This card does not answer the present question: {self.prompt(t)}"
        return Refusal(code="no-card-now", clause=clause, message=message)

    def pick_up(self, t: Any, unit: int, act: str = "") -> PickedUp | None:
        """Return the surroundings of a unit at the start of a drag; None if `propose` must check each place of the
        drag.
        """
        return None


def offered(decision: Decision) -> Offered:
    """Return a decision as an `Offered`. Raises TypeError if people do not answer it."""
    if not isinstance(decision, Offered):
        name = type(decision).__name__
        raise TypeError(f"{name} is asked of people, and is not an Offered: write class {name}(Offered, frozen=True)")
    return decision
