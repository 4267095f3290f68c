"""Warbands: the fighters of a side, written as YAML, checked for points, numbers and Quality (BS-S30 to S35)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.agreeing import quantity
from caltrop.engine import Book, Refusal, guard, rule
from caltrop.engine.army import ArmyFault, ArmyNumber, ArmyOption, ArmyUnit, held
from caltrop.engine.rule import HasBook
from caltrop.errors import InputError
from caltrop.kit.armies import hold, read_army
from caltrop.kit.files import Library, folder
from caltrop.kit.words import hides
from caltrop.picture import Look, Paint
from caltrop.roster import Read
from caltrop.rules.blade_skirmish.catalogue import QUALITIES
from caltrop.rules.blade_skirmish.figures import LOOKS
from caltrop.rules.blade_skirmish.records import Habit

_HOME = Path(__file__).parent / "data" / "warbands"

POINTS = 12
"""Points of a new warband (BS-S31)."""
EACH = 6
"""Points that each player brings to a shared warband (BS-S35)."""
LEAST_MODELS, MOST_MODELS = 3, 8
"""Least and greatest number of models in a new warband (BS-S31)."""
NEW_CAP = 3
"""The highest Quality in a new warband (BS-S31)."""

MODELS = guard("BS-S31", "models", "A warband has 3 to 8 models; this one has {asked}")
TOO_GOOD = guard("BS-S31", "too-good", "In a new warband the highest Quality is 3; {name} has {asked}")
CALLED_UP = guard("BS-S44", "called-up", "A roster has 1 to 8 models; this one has {asked}")
AGREED = guard(
    ("BS-S31", "BS-S33"),
    "agreed",
    "The warband costs {cost:point}, and {agreed} are agreed on: leave somebody out, or agree on a size of {cost}",
)
SHARES = guard(
    "BS-S35",
    "shares",
    "2 to 4 players share a warband of 6 points each: 12, 18 or 24 points; this one has {asked}",
)

Quality = Annotated[int, msgspec.Meta(ge=1, le=6)]
Saying = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


Person = Annotated[str, msgspec.Meta(min_length=1, max_length=24)]
"""Name of a person at the table."""


def wrong_with_player(text: str) -> str:
    """Return the fault of a name for a fighter's player, in words; empty if there is none.

    >>> wrong_with_player("Ann"), wrong_with_player("A" * 25)
    ('', 'the name of a player has 1 to 24 characters, all of them visible')
    """
    if len(text) <= 24 and not wrong_with_saying(text):
        return ""
    return "the name of a player has 1 to 24 characters, all of them visible"


def wrong_with_saying(text: str) -> str:
    r"""Return the fault of a fighter's battle cry, in words; empty if there is none.

    >>> wrong_with_saying("Never twice"), wrong_with_saying("Never\ntwice")
    ('', 'a saying is one line of 1 to 80 characters, without signs that cannot be seen')
    """
    one_line = not any(sign in "\n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029" for sign in text)
    if 1 <= len(text) <= 80 and one_line and not hides(text) and text == text.strip():
        return ""
    return "a saying is one line of 1 to 80 characters, without signs that cannot be seen"


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fighter of a warband."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    quality: Quality
    look: Look | UnsetType = UNSET
    """Drawing of the fighter; by default it follows from her name or her Quality."""
    habits: tuple[Habit, ...] | UnsetType = UNSET
    """Habits of an automated model (BS-S60 to BS-S65)."""
    cloak: Paint | UnsetType = UNSET
    """Colours of the fighter; by default those of the warband."""
    saying: Saying | UnsetType = UNSET
    player: Person | UnsetType = UNSET
    """Name of the person who plays her, if several people share a side."""


class March(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The mark of a warband that is the part of a campaign's roster fighting one battle."""

    campaign: str
    battle: Annotated[int, msgspec.Meta(ge=1, le=100)]
    nemeses: Annotated[tuple[Member, ...], msgspec.Meta(max_length=40)] = ()
    """Enemies from earlier battles who join the warband's foes without cost (BS-S46)."""


class Warband(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    ruleset: Literal["blade-skirmish"]
    id: str
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    words: str = ""
    """Description of the warband in one sentence."""
    paint: Paint | UnsetType = UNSET
    """Colours of the warband; by default each fighter has colours of her own."""
    fighters: Annotated[tuple[Member, ...], msgspec.Meta(max_length=40)]
    march: March | None = None
    """Campaign and battle of the warband; None for a new warband."""


@rule("BS-S30")
def cost(b: HasBook, quality: int) -> int:
    """A fighter of Quality 1 costs 1 point, and each further Quality doubles the cost."""
    return 1 << (quality - 1)


def worth(b: HasBook, qualities: Iterable[int]) -> int:
    """Return the cost of some models together. For an automated force this is its threat (BS-S34)."""
    return sum([cost(b, quality) for quality in qualities])


@rule("BS-S34", "BS-S35")
def threat(b: HasBook, ordinary: int, points: int) -> int:
    """The threat of a scenario is meant for 12 points. The threat is scaled to the points of the warband, rounded down.

    Args:
        b: Holder of the house rules in force.
        ordinary: The scenario's threat against 12 points.
        points: Points of the warband, or of all players who share a side.
    """
    return ordinary * points // POINTS


@threat.amended_by("BS-S34", house={"difficulty": "easy"})
def weaker_foes(value: int, b: HasBook, ordinary: int, points: int) -> int:
    """House rule: the threat is reduced by 2 points of Quality 1."""
    return max(value - 2, 1)


@threat.amended_by("BS-S34", house={"difficulty": "hard"})
def stronger_foes(value: int, b: HasBook, ordinary: int, points: int) -> int:
    """House rule: the threat is increased by 2 points of Quality 1."""
    return value + 2


def warband_file(file: Path | str) -> Read[Warband]:
    """Read a warband from a file, a text, or a link, and check that it can be fielded.

    Raises InputError if the file is invalid; the message has file, line and column.
    """
    read = read_army(file, Warband, "blade-skirmish")
    hold(read, members_at_fault(read.value))
    return read


def members_at_fault(w: Warband) -> Iterator[ArmyFault]:
    """Yield every reason why a warband cannot be fielded, apart from its points."""
    count, new = len(w.fighters), w.march is None
    few = count < LEAST_MODELS
    yield from held(MODELS, new and not LEAST_MODELS <= count <= MOST_MODELS, "fighters", unfinished=few, asked=count)
    yield from held(CALLED_UP, not new and not 1 <= count <= MOST_MODELS, "fighters", unfinished=few, asked=count)
    names = Counter([f.name for f in w.fighters])
    for i, f in enumerate(w.fighters):
        values: dict[str, Any] = {"name": f.name, "asked": f.quality}
        yield from held(TOO_GOOD, new and f.quality > NEW_CAP, "fighters", i, "quality", **values)
        if names[f.name] > 1:
            yield ArmyFault(message=f"two fighters are called {f.name!r}", path=("fighters", i, "name"))
        if f.habits is not UNSET:
            problem = "habits are for automated models; players decide for their own models"
            yield ArmyFault(message=problem, path=("fighters", i, "habits"))
        if f.saying is not UNSET and (complaint := wrong_with_saying(f.saying)):
            yield ArmyFault(message=complaint, path=("fighters", i, "saying"))
        if f.player is not UNSET and (complaint := wrong_with_player(f.player)):
            yield ArmyFault(message=complaint, path=("fighters", i, "player"))


def faults(book: Book, w: Warband, agreed: int | None = None) -> Iterator[ArmyFault]:
    yield from members_at_fault(w)
    if agreed is not None and w.march is None:
        refusal = check_points(book, points_of(book, w), agreed)
        if refusal is not None:
            yield ArmyFault(message=refusal.message, clause=refusal.clause, path=("fighters",))


# --- options ----------------------------------------------------------------------------------------------------------


def catalogue(book: Book, draft: Mapping[str, Any]) -> tuple[ArmyUnit, ...]:
    """Return the fighters that a warband may have, one for each Quality. A campaign has more Qualities than a single
    battle.
    """
    most = NEW_CAP if draft.get("march") is None else 6
    options = (
        ArmyOption(field="name", words="Name", sort="line", usual="", most=40),
        ArmyOption(field="saying", words="Saying", sort="line", usual="", most=80),
        ArmyOption(field="player", words="Player", sort="line", usual="", most=24),
    )
    return tuple(
        [
            ArmyUnit(
                key=f"quality-{quality}",
                title=f"{QUALITIES[quality]} fighter",
                entry={"quality": quality},
                numbers=(ArmyNumber(words="Quality", value=str(quality)),),
                points=cost(book, quality),
                options=options,
                look=LOOKS.fighters[quality],
            )
            for quality in range(1, most + 1)
        ]
    )


def price(book: Book, w: Warband, number: int) -> int:
    return cost(book, w.fighters[number].quality)


@rule("BS-S31", "BS-S33", stages=("mode",))
def check_points(b: HasBook, cost: int, agreed: int) -> Refusal | None:
    """A warband may not cost more than the agreed points."""
    return AGREED.refuses(cost > agreed, cost=cost, agreed=agreed)


@check_points.amended_by("BS-S35", stage="mode", house={"mode": "coop"})
def several_share_it(refusal: Refusal | None, b: HasBook, cost: int, agreed: int) -> Refusal | None:
    """In co-op mode, two to four players bring 6 points each."""
    return SHARES.refuses(agreed not in (2 * EACH, 3 * EACH, 4 * EACH), asked=agreed) or refusal


LISTS = Library("warband", folder(_HOME), warband_file, of="blade-skirmish")
"""The warbands: those supplied with the game, and those of authors."""


def every_warband(b: HasBook) -> tuple[Warband, ...]:
    """Return the supplied warbands: first those of 12 points, beginning with the standard one."""
    return LISTS.every(lambda w: ((points := points_of(b, w)) != POINTS, points, w.id != "six-blades", w.id))


def points_of(b: HasBook, w: Warband) -> int:
    return worth(b, [f.quality for f in w.fighters])


def known_points(b: HasBook) -> tuple[int, ...]:
    """Return the costs of the supplied warbands, the lowest first."""
    return tuple(sorted({points_of(b, w) for w in every_warband(b)}))


def agreed_warband(book: Book, word: str | None, size: int | None, usual: int | None = POINTS) -> Warband:
    """Return the warband of a player's side.

    Raises InputError for an unknown warband, or a warband that costs more than agreed.

    Args:
        book: Edition and house rules.
        word: Id, file or text of the warband; None for a supplied warband that costs exactly the agreed points.
        size: Points that the players agreed; None for the usual points.
        usual: Limit for a named warband if no points are agreed; None for no limit.
    """
    if word is None:
        agreed = POINTS if size is None else size
        fitting = [w for w in every_warband(book) if points_of(book, w) == agreed]
        if not fitting:
            names = ", ".join(map(str, known_points(book)))
            raise InputError(
                f"there is no warband of {quantity(agreed, 'point')}; there are warbands of {names}, or name a file"
            )
        chosen = fitting[0]
    else:
        chosen = LISTS.find(word).value
        agreed = size if size is not None else usual if usual is not None else points_of(book, chosen)
    refusal = check_points(book, points_of(book, chosen), agreed)
    if refusal is not None:
        raise InputError(f"{chosen.title}: {refusal.with_clause}")
    return chosen
