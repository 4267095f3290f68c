"""The accounting after a battle of a campaign, step by step (BS-S40 to BS-S48).

The accounting is an ordinary procedure that rolls dice and reports events; all of it is one act. The file of a campaign
and its next battle are in `campaign`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.chance import Dice, Pool, Roll
from caltrop.engine import End, Event, Go, Procedure, Run, State, Sum, Term, Throw, advance, rule, step, total
from caltrop.engine.rule import HasBook
from caltrop.picture import Paint
from caltrop.roster import read_yaml
from caltrop.rules.blade_skirmish.armies import Member, Person, Quality, Saying
from caltrop.rules.blade_skirmish.by_chance import one_of, taken
from caltrop.rules.blade_skirmish.catalogue import QUALITIES
from caltrop.rules.blade_skirmish.courses import USUAL, Result, Way, courses
from caltrop.rules.blade_skirmish.records import Fate
from caltrop.rules.blade_skirmish.scenarios import SCENARIO_FILES

BATTLES = courses()[USUAL].length
"""Number of battles of a season (BS-S48)."""
SCENARIOS = courses()[USUAL].drawn
"""Scenarios of a season, by the face of the die that draws them (BS-S48)."""
ROSTER = 8
"""Number of members above which no recruits join a roster (BS-S44)."""
FEWEST = 4
"""Number of members up to which a roster gets extra recruits (BS-S44)."""
DEEDS = (1, 3, 6, 10)
"""Numbers of kills at which a member rises, by a house rule (BS-S43)."""
LEGEND = 10
"""Number of kills of a member who may rise to Quality 6 (BS-S42)."""
_NAMES = Path(__file__).parent / "data" / "names.yaml"
Count = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class Drawing(Procedure):
    """Decide the scenario of the next battle."""

    @step("BS-S48", "BS-S49")
    def draw(self, t: Season) -> Throw | End | None:
        """The next scenario is drawn from the scenarios that were not played last. In some courses the player chooses
        it.

        After the last battle no scenario is drawn.
        """
        if t.number >= t.length:
            t.scenario = ""
            t.tell(SeasonOver(t.number))
            return End()
        ways = t.ways
        if ways:
            open_ones = [way.scenario for way in ways]
            t.scenario = t.choices.next if t.choices.next in open_ones else open_ones[0]
            t.tell(NextBattle(t.scenario, t.number + 1))
            return End()
        return one_of(0, [SCENARIO_FILES.find(id).value.title for id in others_than(t.scenario)], "The next battle")

    @step("BS-S48")
    def take_it(self, t: Season, roll: Roll | None) -> None:
        t.scenario = taken(others_than(t.scenario), roll)
        t.tell(NextBattle(t.scenario, t.number + 1))


class Accounting(Procedure):
    """The accounting after a battle, which is one act."""

    left: tuple[str, ...] = ()
    """Names of wounded members whose die is still to be rolled."""

    def _those(self, t: Season, suits: Callable[[Deed], bool]) -> list[Deed]:
        return [deed for deed in t.fought.deeds if suits(deed)]

    @step("BS-INJ-06", "BS-S32", "BS-S40")
    def write_down_the_deeds(self, t: Season) -> None:
        """The kills and trophies of all who took part are recorded, even of the dead.

        Members who rested are ready again.
        """
        for line in t.roster:
            if line.state == "resting":
                t.write(line.name, state="ready")
        for deed in t.fought.deeds:
            line = t.roster[t.line(deed.name)]
            t.write(
                deed.name,
                kills=line.kills + deed.kills,
                trophies=line.trophies + deed.trophies,
                battles=line.battles + 1,
            )

    @step("BS-S40", "BS-INJ-05")
    def erase_the_dead(self, t: Season) -> None:
        for deed in self._those(t, lambda d: d.fate == "dead"):
            line = t.roster.pop(t.line(deed.name))
            t.fallen.append(msgspec.structs.replace(line, state="dead"))
            t.tell(Erased(line.name, line.quality))

    @step("BS-S40", "BS-INJ-03", "BS-Q40")
    def return_the_wounded(self, t: Season) -> None:
        """Wounded members are ready for the next battle, unless a die decides by a house rule."""
        wounded = tuple([deed.name for deed in self._those(t, lambda d: d.fate == "wounded")])
        if wounds_linger(t):
            self.left = wounded
            return
        for name in wounded:
            t.tell(Returned(name))

    @step("BS-S47")
    def throw_for_a_wound(self, t: Season) -> Throw | Go:
        if not self.left:
            return Go("award_experience")
        return Throw(Pool(1), side=0, words=f"Whether {self.left[0]}'s wound lingers")

    @step("BS-S47")
    def read_the_wound(self, t: Season, roll: Roll) -> Go:
        """House rule: on a 1 a wounded member misses the next battle."""
        name, self.left = self.left[0], self.left[1:]
        if roll[0] == 1:
            t.write(name, state="resting")
            t.tell(MissesTheNext(name))
        else:
            t.tell(Returned(name))
        return Go("throw_for_a_wound")

    @step("BS-S40", "BS-S41")
    def award_experience(self, t: Season) -> None:
        for deed in t.fought.deeds:
            parts = experience(t, deed, t.fought.result == "won")
            if parts:
                line = t.roster[t.line(deed.name)]
                t.write(deed.name, experience=line.experience + total(parts))
                t.tell(Experienced(deed.name, parts))

    @step("BS-S40", "BS-S42", "BS-S43")
    def spend_experience(self, t: Season) -> None:
        """A member who can rise gains one Quality, unless the player holds her back."""
        for line in tuple(t.roster):
            taking = next_step(t, line)
            if taking is None or not taking.reached or line.name in t.choices.hold:
                continue
            spent = taking.needs if taking.of == "experience" else 0
            left = line.experience - spent
            t.write(line.name, quality=line.quality + 1, experience=left)
            t.tell(Rose(line.name, line.quality + 1, spent, left))

    @step("BS-S40", "BS-S44")
    def recruit(self, t: Season) -> None:
        """New members of Quality 1 join."""
        names = t.choices.recruits
        if names is None:
            names = tuple(names_for_recruits(t, total(recruits(t, len(t.roster), t.fought.result == "won"))))
        for name in names:
            t.roster.append(enlisted(name, 1))
            t.tell(Recruited(name))

    @step("BS-S48")
    def draw_the_next(self, t: Season) -> Run:
        """The next scenario is never the one that was just played."""
        return Run(Drawing())

    @step("BS-S46")
    def remember_slayers(self, t: Season) -> None:
        """House rule: enemies who killed members come back in the next battle, and get a name if they have none."""
        members: list[Member] = []
        if not t.scenario:
            t.nemeses = members
            return
        for slayer, member in zip(t.fought.slayers, come_back(t, t.fought.slayers), strict=False):
            name = slayer.name
            if name not in t.infamous:
                (name,) = _free(names_of_the_game().nemeses, set(t.infamous), 1, "Nemesis")
                t.infamous = (*t.infamous, name)
            members.append(msgspec.structs.replace(member, name=name))
            t.tell(Infamous(slayer.name, name, member.quality))
        t.nemeses = members


class RosterLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A member of a roster (BS-S32)."""

    name: Name
    quality: Quality
    began: Quality
    """Quality with which the member joined."""
    experience: Count = 0
    """Experience that the member has not spent yet."""
    kills: Count = 0
    trophies: Count = 0
    battles: Count = 0
    """Number of battles in which the member took part."""
    state: Literal["ready", "resting", "dead"] = "ready"
    """State of the member: she can fight, misses the next battle (BS-S47), or is dead."""
    cloak: Paint | UnsetType = UNSET
    """Colours that the member's player has chosen for her."""
    saying: Saying | UnsetType = UNSET
    player: Person | UnsetType = UNSET
    """Name of the person who plays her, if several people play the roster."""


def enlisted(name: str, quality: int) -> RosterLine:
    return RosterLine(name=name, quality=quality, began=quality)


class Deed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The deeds of a member in a battle, and her fate."""

    name: Name
    fate: Fate
    kills: Count = 0
    trophies: Count = 0


class Fought(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a battle that the accounting needs."""

    result: Result
    deeds: tuple[Deed, ...]
    """Deeds of all members who were on the table."""
    slayers: tuple[Member, ...] = ()
    """Automated models that killed a member and survived."""


class SeasonChoices(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player's decisions during the accounting."""

    hold: tuple[Name, ...] = ()
    """Members who could rise, but do not yet."""
    recruits: tuple[Name, ...] | None = None
    """Names of the recruits; by default as many as possible, with names from a list."""
    next: str = ""
    """Next scenario, if the player chooses the scenario; by default the first possible one."""


class Season(State, kw_only=True):
    """The state during the accounting: a roster after a battle."""

    roster: list[RosterLine]
    fallen: list[RosterLine] = msgspec.field(default_factory=list)
    nemeses: list[Member] = msgspec.field(default_factory=list)
    """Enemies who come back in the next scenario (BS-S46)."""
    infamous: tuple[str, ...] = ()
    """Names of all enemies who have ever come back (BS-S46)."""
    number: int = 0
    """Number of battles so far, including the present one."""
    scenario: str = ""
    """Scenario of the next battle, or of the last battle until the next is drawn; empty after the last battle."""
    fought: Fought = Fought(result="lost", deeds=())
    choices: SeasonChoices = SeasonChoices()
    course: str = USUAL
    """Course of the campaign."""
    earlier: int = 0
    """Number of battles that the roster fought in earlier courses."""

    @property
    def length(self) -> int:
        """Number of battles at the end of the present course, including the battles of earlier courses."""
        return self.earlier + courses()[self.course].length

    @property
    def ways(self) -> tuple[Way, ...]:
        return courses()[self.course].ways(self.number - self.earlier, self.fought.result)

    def line(self, name: str) -> int:
        """Return the index of a member on the roster; -1 if she is not on it."""
        return next((i for i, line in enumerate(self.roster) if line.name == name), -1)

    def write(self, name: str, **fields: Any) -> RosterLine:
        at = self.line(name)
        changed = self.roster[at] = msgspec.structs.replace(self.roster[at], **fields)
        return changed


# --- numbers ---------------------------------------------------------------------------------------------------------


@rule("BS-S41")
def experience(b: HasBook, deed: Deed, won: bool) -> Sum:
    """A member gains 1 experience for taking part, 1 for a victory, and 1 for each kill and each trophy.

    Dead members gain no experience.
    """
    if deed.fate == "dead":
        return ()
    parts = (
        Term(1, "BS-S41", "Took part"),
        Term(deed.kills, "BS-S41", "Kills"),
        Term(int(won), "BS-S41", "The battle was won"),
        Term(deed.trophies, "BS-S41", "Trophies"),
    )
    return tuple([part for part in parts if part.value])


class NextStep(msgspec.Struct, frozen=True, kw_only=True):
    """The price of the next Quality."""

    of: Literal["experience", "kills"]
    needs: int
    has: int

    @property
    def reached(self) -> bool:
        return self.has >= self.needs


@rule("BS-S42", "BS-Q09", stages=("cap",))
def highest(b: HasBook, line: RosterLine) -> int:
    """A model can rise to Quality 5, or to 6 if she has 10 kills."""
    return 6 if line.kills >= LEGEND else 5


@highest.amended_by("BS-Q09", "BS-S42", stage="cap", house={"quality_cap": 6})
def anybody_may_be_a_legend(value: int, b: HasBook, line: RosterLine) -> int:
    """House rule: every member can rise to Quality 6."""
    return 6


@rule("BS-S42", "BS-Q39", stages=("advancement",))
def next_step(b: HasBook, line: RosterLine) -> NextStep | None:
    """To rise, a member pays 3 experience for each point of her present Quality. None if she cannot rise further."""
    if line.quality >= highest(b, line):
        return None
    return NextStep(of="experience", needs=3 * line.quality, has=line.experience)


@next_step.amended_by("BS-S43", stage="advancement", house={"advancement": "kills"})
def kills_count_instead(step: NextStep | None, b: HasBook, line: RosterLine) -> NextStep | None:
    """House rule: a member rises at 1, 3, 6 and 10 kills."""
    risen = line.quality - line.began
    if step is None or risen >= len(DEEDS):
        return None
    return NextStep(of="kills", needs=DEEDS[risen], has=line.kills)


@next_step.amended_by("BS-Q39", stage="advancement", house={"advancement": "off"})
def nobody_rises(step: NextStep | None, b: HasBook, line: RosterLine) -> NextStep | None:
    return None


@rule("BS-S44")
def recruits(b: HasBook, left: int, won: bool) -> Sum:
    """One recruit joins after a loss, two after a win, up to a roster of 8.

    More join if the roster would otherwise have fewer than 4.
    """
    free = 2 if won else 1
    room = max(ROSTER - left, 0)
    more = max(FEWEST - left - free, 0)
    parts = (
        Term(free, "BS-S44", "After a victory" if won else "After a battle that was not won"),
        Term(min(room - free, 0), "BS-S44", f"A roster is filled up to {ROSTER}"),
        Term(more, "BS-S44", f"So that there are {FEWEST}"),
    )
    return tuple([part for part in parts if part.value])


@rule("BS-Q40", stages=("house",))
def wounds_linger(b: HasBook) -> bool:
    """Every wounded model is ready for the next battle."""
    return False


@wounds_linger.amended_by("BS-S47", stage="house", house={"lingering_wounds": "on"})
def she_may_miss_the_next(value: bool, b: HasBook) -> bool:
    """House rule: a die is rolled for each wounded member, who misses the next battle on a 1."""
    return True


@rule("BS-S46", stages=("house",))
def come_back(b: HasBook, slayers: tuple[Member, ...]) -> tuple[Member, ...]:
    """Automated models do not come back in later battles."""
    return ()


@come_back.amended_by("BS-S46", stage="house", house={"nemesis": "on"})
def they_are_remembered(value: tuple[Member, ...], b: HasBook, slayers: tuple[Member, ...]) -> tuple[Member, ...]:
    return tuple([msgspec.structs.replace(m, quality=min(m.quality + 1, 6)) for m in slayers])


@rule("BS-S48")
def season_score(b: HasBook, won: int, kills: int, trophies: int, dead: int) -> Sum:
    """A season scores 5 for each battle won, 1 for each kill and trophy, and -2 for each dead member."""
    parts = (
        Term(5 * won, "BS-S48", f"Battles won: {won}, 5 each"),
        Term(kills, "BS-S48", "Kills"),
        Term(trophies, "BS-S48", "Trophies"),
        Term(-2 * dead, "BS-S48", f"Own dead: {dead}, 2 less each"),
    )
    return tuple([part for part in parts if part.value])


# --- names -----------------------------------------------------------------------------------------------------------


class _Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    recruits: tuple[str, ...]
    nemeses: tuple[str, ...]


@lru_cache(maxsize=1)
def names_of_the_game() -> _Names:
    return read_yaml(_NAMES, _Names).value


def _free(names: Iterable[str], used: set[str], count: int, otherwise: str) -> list[str]:
    free = [name for name in names if name not in used][:count]
    number = 1
    while len(free) < count:
        if (name := f"{otherwise} {number}") not in used:
            free.append(name)
        number += 1
    return free


def names_for_recruits(t: Season, count: int) -> list[str]:
    """Return names for recruits that no member has or had."""
    return _free(names_of_the_game().recruits, {line.name for line in (*t.roster, *t.fallen)}, count, "Recruit")


def called(quality: int) -> str:
    """Return the title of a Quality.

    >>> called(3)
    'Seasoned'
    """
    return QUALITIES[quality]


def others_than(last: str) -> list[str]:
    """Return the scenarios that may follow a scenario."""
    return [id for id in SCENARIOS if id != last]


def played(t: Season, dice: Dice) -> tuple[Season, tuple[Event, ...]]:
    after, events = t.clone(), list[Event]()
    after.told = events
    advance(after, dice, None, [])
    after.told = None
    return after, tuple(events)


# --- events ----------------------------------------------------------------------------------------------------------


class Erased(Event, frozen=True):
    name: str
    quality: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-INJ-05", "BS-S40")

    def sentence(self, t: Any) -> str:
        return f"{self.name}, {called(self.quality)}, has died and is erased from the roster"


class Returned(Event, frozen=True):
    """A wounded member is ready again."""

    name: str
    clauses: ClassVar[tuple[str, ...]] = ("BS-S40", "BS-Q40")
    template = "{name}, who was wounded, is back"


class MissesTheNext(Event, frozen=True):
    name: str
    clauses: ClassVar[tuple[str, ...]] = ("BS-S47",)
    template = "{name}'s wound lingers: she misses the next battle"


class Experienced(Event, frozen=True):
    name: str
    parts: Sum
    clauses: ClassVar[tuple[str, ...]] = ("BS-S41",)

    def sentence(self, t: Any) -> str:
        words = ", ".join([f"{part.words.lower()} {part.value}" for part in self.parts])
        return f"{self.name} gains {total(self.parts)} experience: {words}"


class Rose(Event, frozen=True):
    """A member's Quality rose."""

    name: str
    quality: int
    spent: int
    """Experience that the member paid; 0 if kills count instead."""
    left: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-S42", "BS-S43")

    def sentence(self, t: Any) -> str:
        cost = f"for {self.spent} experience, {self.left} left" if self.spent else "for her kills"
        return f"{self.name} rises to Quality {self.quality} ({called(self.quality)}) {cost}"


class Recruited(Event, frozen=True):
    name: str
    clauses: ClassVar[tuple[str, ...]] = ("BS-S44",)

    def sentence(self, t: Any) -> str:
        return f"{self.name}, {called(1)}, joins"


class Infamous(Event, frozen=True):
    """An automated model will come back in the next battle."""

    was: str
    name: str
    quality: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-S46",)

    def sentence(self, t: Any) -> str:
        name = f"{self.was} is now called {self.name}; she" if self.was != self.name else self.name
        return f"{name} comes back in the next battle with Quality {self.quality}"


class NextBattle(Event, frozen=True):
    """The scenario of the next battle was decided."""

    scenario: str
    number: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-S48",)

    def sentence(self, t: Any) -> str:
        return f"Battle {self.number} is {SCENARIO_FILES.find(self.scenario).value.title}"


class SeasonOver(Event, frozen=True):
    """The last battle of a season was fought."""

    battles: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-S48",)
    template = "The season is over: {battles:battle} {battles::has} been fought"
