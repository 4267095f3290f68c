"""Decisions, what may be answered to them, and how they are shown to whoever answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.chance import Dice
from caltrop.engine.rule import AnyAction, MaybeAction, Refusal, Sum
from caltrop.engine.state import Action

Point = tuple[int, int]
"""A place on the table, in its picture's own whole units: tenths of a millimetre on a measured table."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """One legal action as a door (page, terminal) shows it."""

    action: AnyAction
    words: str
    """What it does, in the imperative: `Fire at the 2nd Medium Tanks`."""
    first: str = ""
    """The beginning of `words` that says what is done at once, where the rest says what is to follow: doors may ask
    for the two one after the other. Empty where nothing follows."""
    group: str = ""
    """Heading under which it is listed."""
    unit: int | None = None
    """The unit that acts."""
    target: int | None = None
    """The unit that it is aimed at."""
    spot: Point | None = None
    """The place that it is aimed at: on a map of hexes the centre of the hex, as in the picture."""
    card: str | None = None
    """The kind of the card that it plays."""
    price: Sum = ()
    """What it costs, in the game's own points, with the clauses."""
    final: bool = False
    """True for what ends a step or a turn: doors keep it apart."""
    idle: str = ""
    """What is said of the unit where it is to do nothing after that: `Stays`. Doors let it be said in one word, by
    `Decision.usual`; empty where there is no such thing."""


class Usual(msgspec.Struct, frozen=True, kw_only=True):
    """What is answered where nobody says otherwise: doors give it by one word, and again wherever it is asked next."""

    action: AnyAction
    words: str
    """What comes of all of it, in the imperative: `Remove models 3 and 4`; or who does nothing: `All others stay`."""
    unit: int | None = None
    """The unit that it is about; None where it goes on from unit to unit."""
    ready: bool = False
    """Whether doors have it prepared when the question comes: it has to be answered, and most answer it so."""


class Region(msgspec.Struct, frozen=True, kw_only=True):
    """An open choice on the table, answered by dragging: a `Wish` becomes an action by `Decision.propose`."""

    form: str
    """What is chosen: `move` (paths of a unit), `place` (places for a unit), `spot` (a point)."""
    unit: int
    words: str
    first: str = ""
    """The beginning of `words` that says what is done at once, as of an `Offer`."""
    group: str = ""
    bands: tuple[tuple[int, int], ...] = ()
    """Ladder of (length in tenths of a millimetre, price): what each reach costs."""
    act: str = ""
    """Which of the unit's open actions: passed back in the wish."""


class Wish(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person drags: enough to propose a legal action near it."""

    unit: int = -1
    """The unit; -1 where a card is meant."""
    card: str = ""
    """The kind of a card that somebody would play or keep; empty where a unit is meant."""
    act: str = ""
    to: Point | None = None
    """Where the unit's first (or nearest) model should go."""
    waypoints: tuple[Point, ...] = ()
    facing: tuple[int, int] | None = None
    """Where a formation faces. `keep` is turned by the angle from (0, 1), straight up the table."""
    shape: str = "keep"
    """`keep`, `line`, `column` or `wedge`."""
    models: dict[int, tuple[Point, ...]] = {}
    """Paths or places of single models, which overrule the formation."""


class Mover(msgspec.Struct, frozen=True, kw_only=True):
    """A model of a unit that is picked up."""

    id: int
    at: Point
    radius: int
    stays: bool = False
    """Whether it may not move."""


class Solid(msgspec.Struct, frozen=True, kw_only=True):
    """Something that no base may overlap."""

    outline: tuple[Point, ...] = ()
    """Its corners; none where it is round."""
    circle: tuple[int, int, int] | None = None
    """Where it is round: x, y and radius."""
    corners: dict[int, tuple[Point, ...]] = {}
    """For each radius among the unit's bases, the places by which such a base may go round it."""


class SlowGround(msgspec.Struct, frozen=True, kw_only=True):
    """Ground that takes more of a move than its length."""

    outline: tuple[Point, ...] = ()
    """Its corners; none where it is round."""
    circle: tuple[int, int, int] | None = None
    """Where it is round: x, y and radius."""
    factor: int = 1
    """How much each length of the centre's way in it counts."""
    toll: int = 0
    """What each entry of the centre into it costs besides."""


class Nearness(msgspec.Struct, frozen=True, kw_only=True):
    """How near to some bases a unit has to end: the gap between its nearest base and the nearest of them."""

    bases: tuple[tuple[int, int, int], ...]
    """x, y and radius of each."""
    least: int | None = None
    """The least gap; None for any."""
    most: int | None = None
    """The greatest gap; None for any."""
    unless: int | None = None
    """A drag at least this long is free of it; None for none."""


class PutDown(msgspec.Struct, frozen=True, kw_only=True):
    """Where a unit is put down that is not on the table yet."""

    box: tuple[int, int, int, int]
    """Left, low, right and high edge: every base has to be wholly within."""
    ahead: Point = (0, 1)
    """Where a formation faces, unless the wish says otherwise."""
    gap: int = 100
    """The gap between neighbours in the row in which a unit stands that is given no shape, its middle at the place."""


class PickedUp(msgspec.Struct, frozen=True, kw_only=True):
    """All that a door needs to foresee where a unit may be dragged to, without asking for every pixel.

    The page's twin of the rules' paths (`lib/reach`) takes these numbers and finds the same paths, length and price as
    `Decision.propose`, exactly. Places are on the plane, in tenths of a millimetre.
    """

    unit: int
    pieces: tuple[Mover, ...]
    """Its models, the leading one first."""
    size: tuple[int, int]
    """Width and height of the table."""
    bands: tuple[tuple[int, int], ...]
    """Ladder of (length, price)."""
    purse: int = 0
    """The points that may be spent."""
    others: tuple[tuple[int, int, int], ...] = ()
    """The bases that block: x, y and radius."""
    clear_of: tuple[tuple[int, int, int], ...] = ()
    """Those of them that it may not end in contact with."""
    contact: int = 0
    """Up to which gap bases are in contact."""
    solid: tuple[Solid, ...] = ()
    slow: tuple[SlowGround, ...] = ()
    """Ground in which a way costs more than its length; the bands are of costs."""
    rough: tuple[tuple[Point, ...], ...] = ()
    """Outlines of ground that has a price."""
    rough_prices: tuple[int, ...] = ()
    """What touching one, two, three pieces of it adds to the price."""
    coherency: int | None = None
    """The greatest gap in the chain in which the unit ends; None for none."""
    crosses: bool = False
    """Whether it passes over everything, and is only stopped where it ends."""
    round: bool = False
    """Whether a way round is looked for, leg by leg; else the unit goes straight or not at all."""
    rests: bool = True
    """Whether a leg of a way may have no length."""
    may_stay: bool = False
    """Whether it is enough that nobody moves, where all else holds."""
    shortest: int = 0
    """The least length of its longest path."""
    whole: bool = False
    """Whether a drag of the whole unit always goes its full length, in the direction of its last leg."""
    near: tuple[Nearness, ...] = ()
    """How near it has to end to whom, or how far from whom."""
    down: PutDown | None = None
    """Where it is put down; None where it moves."""


class Template(msgspec.Struct, frozen=True, kw_only=True):
    """What would be laid on the table: a circle, or an outline, with who would be under it."""

    circle: tuple[int, int, int] | None = None
    """x, y and radius; None where it is no circle."""
    outline: tuple[Point, ...] = ()
    """Its corners; none where it is a circle."""
    words: str = ""
    under: tuple[int, ...] = ()
    """Models that would be under it."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """What comes of a wish: an action with its price, or the reason why not."""

    action: MaybeAction = None
    paths: dict[int, tuple[Point, ...]] = {}
    """The polyline of each model, from where it stands."""
    length: int = 0
    """The longest path, in tenths of a millimetre."""
    left: int = 0
    """Length still free at this price."""
    price: Sum = ()
    refusal: Refusal | None = None
    faults: tuple[Point, ...] = ()
    """Where on the table it goes wrong, where it is refused for something at a place."""
    templates: tuple[Template, ...] | UnsetType = UNSET
    """What would be laid where somebody points."""
    headings: dict[int, Point] | UnsetType = UNSET
    """Where the front of each model looks at the end of its path, of those that have one."""
    notes: tuple[str, ...] | UnsetType = UNSET
    """What else is to be known of it before it is done, as who would see it where it ends."""
    watched: tuple[tuple[Point, ...], ...] | UnsetType = UNSET
    """Stretches of the ways in which an enemy may break in."""


class Options(ABC):
    """What may be answered: a lazy, exact, set-like view, for finite choices and open regions alike."""

    @abstractmethod
    def refusal(self, action: Any) -> Refusal | None:
        """Why *action* may not be taken, None where it may."""

    @abstractmethod
    def __iter__(self) -> Iterator[Any]:
        """Finitely many legal actions in canonical order: all of a finite choice, a good sample of an open one."""

    def __contains__(self, action: object) -> bool:
        return self.refusal(action) is None

    def __repr__(self) -> str:
        first = [repr(action) for action in islice(self, 4)]
        return f"<{type(self).__name__}: {', '.join([*first[:3], *['…'] * (len(first) > 3)])}>"

    def sample(self, dice: Dice) -> Any:
        """One legal action, without listing all where that is possible."""
        every = tuple(self)
        return every[dice.below(len(every))]

    def first(self) -> Any:
        """The first legal action in canonical order."""
        return next(iter(self))

    def several(self) -> bool:
        """Whether there are two or more. It looks at the first two: let a costly listing be lazy, or overrule this."""
        every = iter(self)
        return next(every, None) is not None and next(every, None) is not None


class Listed(Options):
    """A finite choice, written out.

    Args:
        actions: The legal actions in canonical order, never empty.
        why_not: Asked for an action that is not among them: the refusal with its clause, or None for the general one.
        clause: The clause of the general refusal.
    """

    __slots__ = ("actions", "clause", "why_not")

    def __init__(
        self,
        actions: Sequence[Any],
        why_not: Callable[[Any], Refusal | None] | None = None,
        clause: str = "",
    ) -> None:
        self.actions, self.why_not, self.clause = actions, why_not, clause

    def __iter__(self) -> Iterator[Any]:
        return iter(self.actions)

    def __len__(self) -> int:
        return len(self.actions)

    def __contains__(self, action: object) -> bool:
        return action in self.actions

    def several(self) -> bool:
        """Whether there are two or more."""
        return len(self.actions) > 1

    def sample(self, dice: Dice) -> Any:
        """One of the actions, each as likely as the others."""
        return self.actions[dice.below(len(self.actions))]

    def refusal(self, action: Any) -> Refusal | None:
        """Why *action* is not among the actions."""
        if action in self.actions:
            return None
        found = self.why_not(action) if self.why_not else None
        if found is None:
            found = Refusal(
                code="not-an-option",
                clause=self.clause,
                message=f"{type(action).__name__} is not one of the choices here",
            )
        if found.nearest is None or found.nearest not in self.actions:
            alike = [a for a in self.actions if type(a) is type(action)]
            found = found.towards((alike or list(self.actions))[0])
        return found


class Decision(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """A question put to one side."""

    side: int

    clauses: ClassVar[tuple[str, ...]] = ()
    """The clauses that put the question."""
    hint: ClassVar[str] = ""
    """One or two sentences for somebody who meets this decision for the first time."""
    secret: ClassVar[bool] = False
    """True where the answer stays unknown to the others after it is given: what comes of it is hidden by the state."""
    reaction: ClassVar[bool] = False
    """True where it is asked also of who has no choice, so that nobody learns anything from its being asked. Doors
    answer it for a person, at once, where it has but one option."""

    def options(self, t: Any) -> Options:
        """What may be answered."""
        raise NotImplementedError(type(self).__name__)

    def prompt(self, t: Any) -> str:
        """The question, in one line."""
        raise NotImplementedError(type(self).__name__)

    def touches(self, action: Any) -> tuple[int, ...]:
        """The units that an answer is about, where units are named one after another and what comes is each one's own.

        Args:
            action: The answer.
        """
        return ()

    def offers(self, t: Any) -> Sequence[Offer]:
        """The finite choices, ready to be shown. An open choice shows here what is not open, the rest as regions."""
        return [Offer(action=a, words=words_of(a)) for a in self.options(t)]

    def told(self, t: Any, action: Any) -> Offer:
        """An answer that was given, in the words in which it was offered.

        Args:
            t: The state in which it was given, as whoever is told of it sees it: any side, or an onlooker.
            action: The answer. Its name stands for an open choice, and for one that is not to be seen in *t*.
        """
        offers = self.offers(t)
        return next((offer for offer in offers if offer.action == action), Offer(action=action, words=words_of(action)))

    def usual(self, t: Any, unit: int | None = None) -> Usual | None:
        """The usual answer, where there is one.

        Args:
            t: The state, as the side sees it that is asked.
            unit: The unit that nothing else is to be said of; None for all that are asked about.
        """
        return None

    def regions(self, t: Any) -> Sequence[Region]:
        """The open choices."""
        return ()

    def propose(self, t: Any, wish: Wish) -> Proposal:
        """Turn what a person drags into an action, its price, or the reason why not."""
        return Proposal(refusal=Refusal(code="nothing-to-drag", clause="", message="There is nothing to drag here"))

    def propose_card(self, t: Any, card: str) -> Proposal:
        """Turn a card that a person points at into the action that plays it, or the reason why not."""
        for offer in self.offers(t):
            if offer.card == card:
                return Proposal(action=offer.action, price=offer.price)
        return Proposal(refusal=self.why_no_card(t, card))

    def why_no_card(self, t: Any, card: str) -> Refusal:
        """Why a card is no answer."""
        clause = self.clauses[0] if self.clauses else ""
        message = f"This card is no answer to what is asked now: {self.prompt(t)}"
        return Refusal(code="no-card-now", clause=clause, message=message)

    def pick_up(self, t: Any, unit: int, act: str = "") -> PickedUp | None:
        """What is around a unit that is picked up; None where each place of a drag is to be asked for by `propose`."""
        return None


def words_of(action: Action) -> str:
    """An action's class name as words: `HoldFire` becomes `Hold fire`."""
    name = type(action).__name__
    words = "".join(" " + c.lower() if c.isupper() else c for c in name).strip()
    return words[:1].upper() + words[1:]
