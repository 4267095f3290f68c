"""Offers: legal actions in words, and decisions that are offered to people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from caltrop.asking.drag import PickedUp, Point, Proposal, Region, Wish
from caltrop.engine import Decision, Refusal, Sum, words_of
from caltrop.engine.rule import AnyAction


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """One legal action as a door (page, terminal) shows it."""

    action: AnyAction
    words: str
    """Description in the imperative: `Fire at the 2nd Medium Tanks`."""
    first: str = ""
    """The part of `words` for the first act, if the rest names the next act. Doors may ask for the two one after the
    other. Empty if nothing follows.
    """
    group: str = ""
    """Heading under which it is listed."""
    unit: int | None = None
    target: int | None = None
    """The unit that it is aimed at."""
    spot: Point | None = None
    """The place that it is aimed at: on a map of hexes the centre of the hex, as in the picture."""
    card: str | None = None
    """The kind of the card that it plays."""
    price: Sum = ()
    """Price in the game's own points, with the clauses."""
    final: bool = False
    """True for the end of a step or a turn, which doors keep apart."""
    idle: str = ""
    """Sentence about a unit that does nothing after that: `Stays`. Doors offer it as a single default by
    `Decision.usual`; empty if there is no such thing.
    """


class Usual(msgspec.Struct, frozen=True, kw_only=True):
    """The default answer: doors give it by one word, and again whenever it is asked next."""

    action: AnyAction
    words: str
    """Summary in the imperative: `Remove models 3 and 4`; or a statement about the rest: `All others stay`."""
    unit: int | None = None
    """The unit that it is about; None if it is about several units in turn."""
    ready: bool = False
    """True if doors have it prepared when the question comes: it has to be answered, and most answer it so."""
    said: bool = False
    """True if the person has said it already, in an earlier answer that announced it: doors give it at once."""
    opens: bool = False
    """True if it belongs to setting up: who begins with everything placed has it answered so."""


class Offered(Decision, frozen=True, kw_only=True):
    """A decision that people answer too: how doors ask it, in words and on the table.

    Everything here has a plain answer made of the options, so that a decision says only what is to be shown otherwise.
    """

    hint: ClassVar[str] = ""
    """One or two sentences for somebody who meets this decision for the first time."""
    opens: ClassVar[tuple[str, str]] = ("", "act")
    """The step that it opens, and what units do in it, such as `("targets", "fire")`. The end of the step before is
    named after them. Empty if the step has no name of its own.
    """

    def offers(self, t: Any) -> Sequence[Offer]:
        """Return the finite choices, ready to be shown. An open choice shows here what is not open, the rest as
        regions.
        """
        return [Offer(action=a, words=words_of(a)) for a in self.options(t)]

    def told(self, t: Any, action: Any) -> Offer:
        """Return an answer that was given, in the words in which it was offered.

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
            unit: The unit that nothing else is to be said of; None for all that are asked about.
        """
        return None

    def passed_by(self, t: Any) -> Sequence[int]:
        """Return the units that may act in place of the one that is asked about: to take one up is to end this
        question.

        Doors give the final answer then, if there is one alone and it is quiet.
        """
        return ()

    def regions(self, t: Any) -> Sequence[Region]:
        return ()

    def propose(self, t: Any, wish: Wish) -> Proposal:
        return Proposal(refusal=Refusal(code="nothing-to-drag", clause="", message="There is nothing to drag here"))

    def propose_card(self, t: Any, card: str) -> Proposal:
        """Turn a card that a person points at into the action that plays it, or the reason why not."""
        for offer in self.offers(t):
            if offer.card == card:
                return Proposal(action=offer.action, price=offer.price)
        return Proposal(refusal=self.why_no_card(t, card))

    def why_no_card(self, t: Any, card: str) -> Refusal:
        clause = self.clauses[0] if self.clauses else ""
        message = f"This card is no answer to what is asked now: {self.prompt(t)}"
        return Refusal(code="no-card-now", clause=clause, message=message)

    def pick_up(self, t: Any, unit: int, act: str = "") -> PickedUp | None:
        """Return the surroundings of a unit that is picked up; None if each place of a drag is to be asked for by
        `propose`.
        """
        return None


def offered(decision: Decision) -> Offered:
    """Return a decision as the interfaces ask it. Raises TypeError if people do not answer it."""
    if not isinstance(decision, Offered):
        name = type(decision).__name__
        raise TypeError(f"{name} is asked of people, and is no Offered: write class {name}(Offered, frozen=True)")
    return decision
