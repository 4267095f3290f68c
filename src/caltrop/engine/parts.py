"""Types of the optional parts of a ruleset.

A ruleset gives all its parts in one record, `Ruleset.parts`. The property `Ruleset.parts` imports the parts when it is
read, because the parts import the ruleset. Types of higher packages, such as a record or a ruling, are type parameters
here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar, get_type_hints

import msgspec

from caltrop.chance import Dice, Seeded
from caltrop.engine.army import Armoury
from caltrop.engine.campaign import Answers, CampaignResult, Course, Dress, Overview
from caltrop.engine.cards import ScenarioCard
from caltrop.engine.forecast import AttacksInOrder, Forecast, Foresee
from caltrop.engine.form import Form
from caltrop.engine.packs import Sheet
from caltrop.engine.rule import Book, HouseValue, Refusal
from caltrop.engine.sequence import InOrder, odds_in_order
from caltrop.errors import InputError
from caltrop.geometry import Point
from caltrop.picture import Card
from caltrop.picture.sightings import Sighting

Resolved = TypeVar("Resolved", bound=msgspec.Struct)
Chances = TypeVar("Chances", bound=msgspec.Struct)
Answer = TypeVar("Answer")
Ruling = TypeVar("Ruling")
Difference = TypeVar("Difference")
Table_co = TypeVar("Table_co", covariant=True)
Campaign = TypeVar("Campaign")
Battle_co = TypeVar("Battle_co", covariant=True)
Record_contra = TypeVar("Record_contra", contravariant=True)


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """An attack that demonstrates a unit or a weapon."""

    words: str
    """Words of the attack, such as `Fires at Line Troops, range 2`."""
    request: dict[str, Any]
    """The attack request, without dice, house rules and pack."""


class Referee(Generic[Resolved, Chances]):
    """A referee for attacks outside a game.

    Args:
        resolve: Resolves a request, given as plain data; raises `InputError` for an error in it.
        odds: Returns the exact odds of a request; raises `InputError` for an error in it.
        form: Returns the form for an unfinished request; None if a page should only offer the schema of a request.
        in_order: Rules for the odds of several attacks in order; None if the game does not support sequences.
        showing: Returns example attacks for a row, given a book, the sheet's name and the row's key.
    """

    def __init__(
        self,
        request: type[msgspec.Struct],
        resolve: Callable[[Any], Resolved],
        odds: Callable[[Any], Chances],
        form: Callable[[dict[str, Any]], Form] | None = None,
        in_order: InOrder | None = None,
        showing: Callable[[Book, str, str], Sequence[Shown]] = lambda book, sheet, key: (),
    ) -> None:
        self.request, self.form, self.in_order, self.showing = request, form, in_order, showing
        self._resolve, self._odds = resolve, odds

    @property
    def resolved(self) -> type[Resolved]:
        return _answer_of(self._resolve)

    @property
    def chances(self) -> type[Chances]:
        return _answer_of(self._odds)

    def resolve(self, raw: Any) -> dict[str, Any]:
        """Resolve one attack and return the answer, as plain data.

        Raises InputError for a request that is invalid or illegal, and for superfluous dice.
        """
        if self.in_order is not None and isinstance(raw, Mapping) and "sequence" in raw:
            words = "a sequence has odds but cannot be refereed: referee each attack with its dice"
            raise InputError(words, field="sequence")
        return _plain(self._resolve(raw))

    def odds(self, raw: Any) -> dict[str, Any]:
        """Return the exact odds of one attack, or of several attacks at one target in order, as plain data.

        Raises InputError for a request that is invalid or illegal.

        Args:
            raw: The request without dice, as plain data; a `SequenceRequest` for several attacks.
        """
        if self.in_order is not None and isinstance(raw, Mapping) and "sequence" in raw:
            return _plain(odds_in_order(raw, self.in_order, lambda one: _plain(self._odds(one))))
        return _plain(self._odds(raw))


def _answer_of(function: Callable[..., Answer]) -> type[Answer]:
    answer_type: type[Answer] = get_type_hints(function)["return"]
    return answer_type


def _plain(answer: msgspec.Struct) -> dict[str, Any]:
    out: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(answer))
    return out


class See(Protocol):
    def __call__(
        self,
        t: Any,
        unit: int,
        targets: Sequence[int] = (),
        places: Mapping[int, Point] | None = None,
        draw: bool = False,
    ) -> tuple[Sighting, ...]:
        """Return the lines of sight from a unit to others.

        Args:
            unit: The unit that looks.
            targets: The units to look at; if empty, every enemy in play.
            places: Assumed places of models of the unit, by model; all other models are where they stand.
            draw: True to include the lines of sight to draw, with the names of obstacles.
        """
        ...


class WhyNoAttack(Protocol):
    """A function that returns why a unit cannot attack another."""

    def __call__(self, t: Any, unit: int, target: int) -> Refusal | None:
        """Return why a unit cannot attack another from where they stand; None if it can.

        Args:
            t: The state, as the asker sees it.
        """
        ...


class ForeseeWhole(Protocol):
    """A function that forecasts a whole act for all units."""

    def __call__(self, t: Any, side: int, action: Any) -> tuple[Forecast, ...]:
        """Return a forecast for each possible answer of the other side; empty if there is none.

        Args:
            t: The state, as the side may see it, with one question open.
            action: The action whose results are forecast; it must be legal.
        """
        ...


class ForeseeInOrder(Protocol):
    """A function that forecasts several attacks at one target, one after another."""

    def __call__(self, t: Any, side: int, target: int, action: Any, units: Sequence[int], best: bool) -> AttacksInOrder:
        """Return the possible states of a target after several attackers in order, and the units that may also attack
        it.

        Args:
            t: The state, as the side may see it, with one question open.
            target: Unit that is attacked, of another side.
            action: An attack that the player has prepared, which must be legal; None for none.
            units: The attackers in order.
            best: True to look for the best order too.
        """
        ...


class Sights(msgspec.Struct, frozen=True, kw_only=True):
    """Functions and facts by which interfaces draw lines of sight."""

    see: See
    symmetric: bool = False
    """True if sight is mutual under the rules; the tests check it."""


class GroundKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of ground that authors may place on a table."""

    id: str
    """The word for the ground in a scenario."""
    title: str
    words: str
    """Description in one line."""
    look: str
    """Drawing of the ground: the `kind` of a `caltrop.picture.Ground`. Each kind of ground has a drawing of its own."""
    closed: bool = False
    """True if no unit may cross it."""
    cuts: bool = False
    """True if the ground cuts or obscures lines of sight."""
    shelters: bool = False
    """True if units on the ground or behind it are harder to hit."""


class Lot(msgspec.Struct, frozen=True, kw_only=True):
    """A number of pieces of one kind of ground on a random table."""

    kind: str
    count: tuple[int, int]
    """Least and largest number of pieces on a table of the usual size. A piece with a mirror image counts twice."""
    across: tuple[int, int]
    """Least and largest size of a piece, in the game's unit of length, or in hexes."""
    form: Literal["patch", "block", "line", "disc"] = "patch"


class Flip(msgspec.Struct, frozen=True):
    """A symmetry of a table: reflected from west to east, from south to north, or both (a half turn)."""

    x: bool
    y: bool


class HexText(Protocol):
    """Functions for texts that list the hexes of a scenario, such as `A5-D5 F5`.

    The size of a map is given by the number of rows, and the number of hexes in an odd row. Raises `InputError` for an
    impossible size.
    """

    def turned(self, text: str, size: tuple[int, int], flip: Flip) -> str: ...

    def half(self, text: str, size: tuple[int, int], flip: Flip, stays: int) -> str:
        """Return those hexes of a text that lie in the first side's half (-1) or in the second's (1)."""
        ...

    def both(self, text: str, size: tuple[int, int], flip: Flip) -> str: ...

    def symmetric(self, kinds: Mapping[str, str], size: tuple[int, int], flip: Flip, stays: int) -> dict[str, str]:
        """Return the hexes of each kind of ground, after reflecting one half onto the other."""
        ...

    def resized(self, text: str, old: tuple[int, int], new: tuple[int, int]) -> str:
        """Return the corresponding hexes on a map of another size."""
        ...

    def by_chance(
        self, lots: Sequence[tuple[Lot, int]], size: tuple[int, int], flip: Flip | None, dice: Seeded
    ) -> dict[str, str]:
        """Return random ground: hexes by kind. If the map is reflected, only the half of the first side is filled."""
        ...


class Fairness(msgspec.Struct, frozen=True, kw_only=True):
    """Limits for a fair random table, in per cent."""

    covered: tuple[int, int]
    """Least and largest share of the table that is covered by ground."""
    open_lines: tuple[int, int] = (0, 100)
    """Least and largest share of unblocked lines between the starting places of the sides."""
    shelter: int = 25
    """Largest difference between the shelter of the two sides."""
    ways: int = 10
    """Largest difference between the lengths of the sides' ways to the goals."""


class Maps(msgspec.Struct, frozen=True, kw_only=True):
    """Support for authors of tables. The type of a scenario and its marks are in `caltrop.scenarios.forms`."""

    files: Mapping[str, Path]
    grounds: tuple[GroundKind, ...]
    """The kinds of ground, the most common first."""
    plain: Callable[[dict[str, Any]], dict[str, Any]] = dict
    """Returns a scenario in full: with the pieces of a named layout, and with twins as two pieces."""
    sides: Literal["rows", "columns"] = "rows"
    """Position of the sides: `rows` for south and north, `columns` for west and east."""
    bases: tuple[str, ...]
    """Scenarios whose goals and zones are used for random tables."""
    lots: tuple[Lot, ...]
    fairness: Fairness
    hexes: HexText | None = None
    """Functions on hexes; None for a measured table."""


class Files(msgspec.Struct, frozen=True, kw_only=True):
    """One sort of files that authors write for a game, such as scenarios."""

    form: type[msgspec.Struct]
    check: Callable[[Path], str]
    """Checks a file and returns a short description. Raises `InputError` for a fault, with file, line and column."""
    card: Callable[[str], ScenarioCard] | None = None
    """Returns the entry of a file in a lobby, given its id, a path or a text. Raises `InputError` for a fault."""


class Rulings(Protocol[Ruling, Difference, Table_co]):
    """Rulings: answers to questions about the rules, as playable files (`caltrop.scenarios.rulings`)."""

    @property
    def RulingFile(self) -> type[msgspec.Struct]:  # noqa: N802
        ...

    def read(self, file: Path | str) -> Ruling:
        """Read a ruling of the game from a file or its text. Raises `InputError` for an error in the ruling."""
        ...

    def check(self, ruling: Ruling, edition: str | None = None) -> list[Difference]:
        """Play every case of a ruling and return the differences from the results that the ruling states."""
        ...

    def act(self, ruling: Ruling) -> tuple[Table_co, Any, Any]:
        """Return the table before the last line of the first case, the open question, and the action of that line."""
        ...

    def position(self, ruling: Ruling, case: str | None = None, edition: str | None = None) -> Table_co:
        """Return the initial table of a case, ready to be played."""
        ...


class Campaigns(Protocol[Campaign, Battle_co, Record_contra]):
    """Consecutive battles of one roster. A campaign is an immutable record of a type of the game."""

    @property
    def CampaignFile(self) -> Any:  # noqa: N802
        """The type of a campaign, as stored in files."""
        ...

    @property
    def FORMAT_VERSION(self) -> int:  # noqa: N802
        """Version of the file format."""
        ...

    def begin(
        self,
        title: str,
        dice: Dice,
        *,
        id: str,
        army: str | None = None,
        rules: Mapping[str, HouseValue] | None = None,
        course: str | None = None,
    ) -> Campaign:
        """Return a new campaign. Raises `InputError` for an unknown or unsuitable value.

        Args:
            army: Army list for the first roster; by default the game's usual one.
            rules: House rules that differ from their defaults.
            course: One of `every_course`; by default the game's usual one.
        """
        ...

    def every_course(self) -> tuple[Course, ...]:
        """Return the courses of a campaign, the usual one first; empty if there is no choice."""
        ...

    def go_on(self, c: Campaign, course: str | None = None) -> Campaign:
        """Return a finished campaign with another course for its roster. Raises `InputError` if that course is
        impossible.
        """
        ...

    def campaign_file(self, file: Path | str) -> Campaign:
        """Read a campaign from a file or its text. Raises `InputError` for an error in the campaign."""
        ...

    def encoded_campaign(self, c: Campaign) -> bytes: ...

    def next_battle(self, c: Campaign, fielded: Sequence[str] | None = None) -> Battle_co:
        """Return the next battle, fought by the named members. Raises `InputError` for members who cannot fight."""
        ...

    def counted(self, c: Campaign, record: Record_contra, answers: Answers | None = None) -> CampaignResult[Campaign]:
        """Return the result of a battle, with the campaign after it. Raises `InputError` for an invalid record or
        answer.

        Args:
            record: Record of the battle, played to its end or given up.
            answers: Answers of the player, by the questions' ids; by default the usual answers.
        """
        ...

    def dressed(self, c: Campaign, who: str, dress: Dress) -> Campaign:
        """Return the campaign after changing a member's name, cloak or saying. Raises `InputError` for a fault."""
        ...

    def overview(self, c: Campaign) -> Overview: ...


class Supplies(msgspec.Struct, frozen=True, kw_only=True):
    """Things to print for a real table, besides miniatures and terrain."""

    deck: Callable[[Book], Sequence[tuple[Card, int]]] | None = None
    """Returns every card of a ruleset, with the number of copies."""
    markers: tuple[str, ...] = ()
    """Texts of the markers placed beside units, such as `Pinned`."""
    templates: Callable[[Any], Sequence[tuple[str, int]]] | None = None
    """Returns the round templates of a ruleset: the purpose and the radius of each, in the table's unit of length."""
    terms: Callable[[Any, int], Iterable[tuple[str, str]]] | None = None
    """Returns terms on the sheet of a side, such as traits and weapons, each with its explanation."""


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """The optional parts of a ruleset; None for a missing part."""

    forecasts: Foresee | None = None
    """Forecasts for single actions."""
    whole_acts: ForeseeWhole | None = None
    """Forecasts of a whole act for all units, one for each possible answer of the other side."""
    in_order: ForeseeInOrder | None = None
    """Forecasts for several attackers at one target, one after another."""
    why_no_attack: WhyNoAttack | None = None
    """Function that returns why a unit cannot attack another."""
    referee: Referee[Any, Any] | None = None
    """Referee for attacks outside a game."""
    sights: Sights | None = None
    rulings: Rulings[Any, Any, Any] | None = None
    """Rulings: answers to questions about the rules, as files in the folder `rulings` of its data."""
    campaigns: Campaigns[Any, Any, Any] | None = None
    """Campaigns, if the ruleset has them."""
    scenario_files: Files | None = None
    """Scenarios that authors write."""
    army_lists: Armoury | None = None
    """Functions and data for editing army lists."""
    maps: Maps | None = None
    """Support for authors of tables."""
    supplies: Supplies | None = None
    """Things to print for a real table, such as cards and templates."""
    sheets: tuple[Sheet[Any], ...] = ()
