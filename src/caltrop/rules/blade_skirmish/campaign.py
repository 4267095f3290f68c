"""A campaign: a roster that survives its battles, stored as a file, and its next battle (BS-S40 to BS-S48).

A battle of a campaign is an ordinary recorded game whose warband names the campaign and the battle. `after_battle`
returns the campaign after such a record. A record is either counted completely, and only once, or refused without any
change. Dice of the accounting are derived from the record, so its result is always the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec

from caltrop.chance import Dice, Seeded
from caltrop.engine import Book, Event, HouseValue, Procedure, Rolled, Sum, guard, rule, ruleset, total
from caltrop.engine.campaign import result_of
from caltrop.errors import InputError
from caltrop.journal import Record, Setting, encoded
from caltrop.kit.requests import changed_rules
from caltrop.roster import choose, nearest
from caltrop.rules.blade_skirmish.armies import (
    POINTS,
    March,
    Member,
    Warband,
    agreed_warband,
    warband_file,
)
from caltrop.rules.blade_skirmish.courses import USUAL, CampaignCourse, Result, Way, courses
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.scenarios import SCENARIO_FILES
from caltrop.rules.blade_skirmish.season import (
    SCENARIOS,
    Accounting,
    Count,
    Deed,
    Drawing,
    Experienced,
    Fought,
    Name,
    Recruited,
    Rose,
    RosterLine,
    Season,
    SeasonChoices,
    enlisted,
    next_step,
    played,
    recruits,
    season_score,
)
from caltrop.scenarios.campaigns import check_asked, obey, played_out, text_of

NAME = "blade-skirmish"
FORMAT_VERSION = 2
"""Version of the file format; older files are still read. Since version 2, a battle lists all members' deeds."""

ON_ROSTER = guard("BS-S32", "on-roster", "There is no {name} on the roster; {hint}")
RESTING = guard("BS-S47", "resting", "{name}'s wound lingers, and she misses this battle; somebody else has to go")
TOO_MANY = guard("BS-S45", "too-many", "At most {most:model} {most::is} fielded in {title}; you named {asked}")
NOBODY = guard("BS-S45", "nobody", "Choose at least one fighter of the roster, and at most {most}")
NOT_OVER = guard("BS-S48", "not-over", "There {left::is} {left:battle} to be fought before the roster goes on")
NO_WAY = guard("BS-S49", "no-way", "The next battle cannot be {asked}; the ways are {ways}")
SEASON_OVER = guard("BS-S48", "season-over", "A season has {battles:battle}, and all of them have been fought")
COUNTED = guard("BS-S40", "counted", "This battle has been counted already: it is battle {number}")
GOES_ON = guard("BS-S40", "goes-on", "This battle is not over: play it to its end, or give it up and lose it")
OTHER_CAMPAIGN = guard(
    "BS-S40", "other-campaign", "This battle belongs to another campaign: {theirs}; this one is {ours}"
)
OTHER_BATTLE = guard(
    "BS-S40", "other-battle", "This is battle {asked} of the campaign, and battle {number} is the next"
)
RECRUITS = guard("BS-S44", "recruits", "There are {least} to {most} recruits this time; you named {asked}")
NAMESAKE = guard("BS-S44", "namesake", "The roster has, or had, a {name} already: give the recruit another name")


class Told(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of the accounting after a battle."""

    kind: str
    """Name of the event's class, such as `Rose`."""
    words: str
    clauses: tuple[str, ...]
    parts: Sum = ()
    """Terms of the line's number, if it is a sum."""


class Battle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle that has been fought and counted."""

    scenario: str
    result: Result
    given_up: bool = False
    fielded: tuple[Name, ...]
    kills: Count
    trophies: Count
    dead: Count
    digest: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
    rules: dict[str, HouseValue] = {}
    """House rules of the battle that differ from their defaults."""
    deeds: Annotated[tuple[Deed, ...], msgspec.Meta(max_length=40)] = ()
    """Deeds and fates of all members who took part."""
    slayers: Annotated[tuple[Member, ...], msgspec.Meta(max_length=40)] = ()
    """Automated models that killed a member and survived (BS-S46)."""
    hold: tuple[Name, ...] = ()
    """Members that the player kept from rising (BS-S42)."""
    recruits: Annotated[tuple[Name, ...], msgspec.Meta(max_length=40)] = ()
    """Members who joined after the battle (BS-S44)."""
    way: str = ""
    """Next scenario, if the player chose it (BS-S49); empty otherwise."""
    told: tuple[Told, ...] = ()


class Campaign(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A roster with its battles."""

    format: Literal["caltrop-campaign"]
    format_version: Annotated[int, msgspec.Meta(ge=1)] = FORMAT_VERSION
    ruleset: Literal["blade-skirmish"] = "blade-skirmish"
    id: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    rules: dict[str, HouseValue] = {}
    """House rules that differ from their defaults."""
    roster: Annotated[tuple[RosterLine, ...], msgspec.Meta(max_length=40)]
    fallen: tuple[RosterLine, ...] = ()
    """Members who have died and are no longer on the roster (BS-INJ-05)."""
    nemeses: tuple[Member, ...] = ()
    """Enemies from earlier battles who join the next scenario's force (BS-S46)."""
    infamous: tuple[Name, ...] = ()
    """Names of all enemies who have ever come back."""
    battles: tuple[Battle, ...] = ()
    seasons: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=20)] = (USUAL,)
    """Courses of the roster, the present one last (BS-S48, BS-S49)."""
    next: str | None
    """Scenario of the next battle; None after the last."""
    corrected: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """Reason for a correction by hand, which is shown with the campaign; empty if nothing was corrected."""

    @property
    def book(self) -> Book:
        return ruleset(NAME).book(None, self.rules)

    @property
    def course(self) -> CampaignCourse:
        return courses()[self.seasons[-1]]

    @property
    def earlier(self) -> int:
        """Number of battles that were fought before the present course."""
        return sum(courses()[one].length for one in self.seasons[:-1])

    @property
    def length(self) -> int:
        return self.earlier + self.course.length

    @property
    def score(self) -> Sum:
        """Points of the campaign so far (BS-S48)."""
        every = self.battles
        won = sum(b.result == "won" for b in every)
        kills, trophies, dead = (sum(getattr(b, what) for b in every) for what in ("kills", "trophies", "dead"))
        return season_score(self.book, won, kills, trophies, dead)


def check_mode(book: Book) -> None:
    """Raise InputError for a mode in which no campaign can be played.

    A campaign is played in the mode `solo` or `coop`, or in `versus` with a second player for the enemies.
    """
    if book.rules["mode"] not in ("solo", "coop", "versus"):
        raise InputError(f"a campaign is for one side against those of a scenario; this mode is {book.rules['mode']}")


# --- the course of a campaign -----------------------------------------------------------------------------------------


def _season(c: Campaign, procedure: Procedure, **fields: Any) -> Season:
    return Season(
        book=c.book,
        stack=[procedure],
        roster=list(c.roster),
        fallen=list(c.fallen),
        nemeses=list(c.nemeses),
        infamous=c.infamous,
        scenario=c.next or "",
        course=c.seasons[-1],
        earlier=c.earlier,
        **fields,
    )


def begin(
    title: str,
    dice: Dice,
    *,
    id: str,
    army: str | None = None,
    rules: Mapping[str, HouseValue] | None = None,
    course: str | None = None,
) -> Campaign:
    """Return a new campaign, for which the scenario of the first battle has been drawn.

    Raises InputError for an unknown name, or an unsuitable warband or mode.

    Args:
        dice: Dice that draw the first scenario.
        army: Warband that becomes the roster; by default the standard warband.
        course: Course of battles; by default a season.
    """
    course = choose(course or USUAL, list(courses()), "course", "course")
    try:
        book = ruleset(NAME).book(None, rules)
    except ValueError as error:
        raise InputError(str(error)) from None
    check_mode(book)
    band = agreed_warband(book, army, POINTS)
    if band.march is not None:
        raise InputError("a campaign begins with a new warband, and not with a part of another's roster")
    c = Campaign(
        format="caltrop-campaign",
        id=id,
        title=title,
        rules=changed_rules(book),
        roster=tuple([enlisted(f.name, f.quality) for f in band.fighters]),
        seasons=(course,),
        next="",
    )
    drawn, _ = played(_season(c, Drawing()), dice)
    return msgspec.structs.replace(c, next=drawn.scenario)


def go_on(c: Campaign, course: str | None = None) -> Campaign:
    """Return the campaign with the same roster at the beginning of another course. Wounds of the roster are healed.

    Raises InputError if a battle has not been fought yet.

    Args:
        course: The next course; by default a season.
    """
    obey(NOT_OVER, c.next is not None, left=c.length - len(c.battles))
    course = choose(course or USUAL, list(courses()), "course", "course")
    rested = tuple([msgspec.structs.replace(one, state="ready") for one in c.roster])
    begun = msgspec.structs.replace(c, roster=rested, seasons=(*c.seasons, course))
    number = len(c.seasons) + 1
    season = _season(begun, Drawing(), number=len(c.battles))
    season.scenario = c.battles[-1].scenario
    drawn, _ = played(season, Seeded(f"{c.id} season {number}"))
    return msgspec.structs.replace(begun, next=drawn.scenario)


@rule("BS-S45", "BS-S47")
def may_be_fielded(c: Campaign) -> tuple[RosterLine, ...]:
    """Members who do not rest because of wounds may be fielded. If all rest, all may be fielded."""
    return tuple([line for line in c.roster if line.state == "ready"]) or c.roster


@rule("BS-S45")
def most_fielded(c: Campaign) -> int:
    """At most 6 members are fielded, unless the scenario has another limit."""
    return SCENARIO_FILES.find(c.next or SCENARIOS[0]).value.fielded


def usual_field(c: Campaign) -> tuple[str, ...]:
    """Return the names of the best members who may be fielded, in the order of the roster."""
    ready = may_be_fielded(c)
    best = sorted(ready, key=lambda line: -line.quality)[: most_fielded(c)]
    return tuple([line.name for line in ready if line in best])


def next_battle(c: Campaign, fielded: Sequence[str] | None = None) -> Setting:
    """Return the next battle as a setting for a game.

    Raises InputError if the campaign is over, or a member cannot be fielded.

    Args:
        fielded: Names of the fighters; by default the best members.
    """
    obey(SEASON_OVER, c.next is None, battles=c.length)
    assert c.next is not None
    names = usual_field(c) if fielded is None else tuple(dict.fromkeys(fielded))
    obey(NOBODY, not names, most=most_fielded(c))
    held_to(c, names)
    band = Warband(
        ruleset="blade-skirmish",
        id="roster",
        title=c.title,
        fighters=tuple(
            [
                Member(name=line.name, quality=line.quality, cloak=line.cloak, saying=line.saying, player=line.player)
                for line in c.roster
                if line.name in names
            ]
        ),
        march=March(campaign=c.id, battle=len(c.battles) + 1, nemeses=c.nemeses),
    )
    book, armies = c.book, (text_of(band),)
    return Setting.of(book, c.next, armies)


def held_to(c: Campaign, names: Sequence[str]) -> None:
    """Raise InputError if the named members may not fight the next battle.

    Every named member must be fit to fight, and their number is limited.
    """
    ready, most = [line.name for line in may_be_fielded(c)], most_fielded(c)
    _check_names(c, names)
    for name in names:
        obey(RESTING, name not in ready, name=name)
    title = SCENARIO_FILES.find(c.next or SCENARIOS[0]).value.title
    obey(TOO_MANY, len(names) > most, most=most, title=title, asked=len(names))


def _check_names(c: Campaign, names: Iterable[str]) -> None:
    roster = [line.name for line in c.roster]
    for name in names:
        obey(ON_ROSTER, name not in roster, name=name, hint=nearest(name, roster))


class SeasonResult(msgspec.Struct, frozen=True, kw_only=True):
    campaign: Campaign
    """The campaign after the battle."""
    battle: Battle
    least: int
    """Smallest number of recruits."""
    most: int
    """Largest number of recruits."""
    could_rise: tuple[str, ...]
    """Members who rise, or could rise if the player did not hold them back."""
    ways: tuple[Way, ...] = ()
    """Possible next battles from which the player chooses; empty if a die decides."""


def digest_of(record: Record) -> str:
    return hashlib.blake2b(encoded(record), digest_size=16).hexdigest()


def after_battle(
    c: Campaign, record: Record, choices: SeasonChoices | None = None, dice: Dice | None = None
) -> SeasonResult:
    """Return the campaign after a battle, as a new object.

    Raises InputError if the record is not the next battle of the campaign or contradicts the rules, or if the choices
    are impossible.

    Args:
        record: The battle, played to its end or given up.
        choices: The player's decisions. By default all members rise, and recruits get names from a list.
        dice: Dice of the accounting; by default derived from campaign and record.
    """
    digest = digest_of(record)
    given_up, final, there = _end(c, record, digest)
    fought = _fought(final, there, result_of(record.outcome, given_up))
    return accounted(c, fought, choices, given_up=given_up, digest=digest, dice=dice)


def accounted(
    c: Campaign,
    fought: Fought,
    choices: SeasonChoices | None = None,
    *,
    given_up: bool,
    digest: str,
    dice: Dice | None = None,
) -> SeasonResult:
    """Return the campaign after a battle with a known result.

    Raises InputError if the choices are impossible.

    Args:
        choices: The player's decisions. By default all members rise, and recruits get names from a list.
        dice: Dice of the accounting; by default derived from campaign and record.
    """
    assert c.next is not None
    chosen = choices or SeasonChoices()
    dead = [deed.name for deed in fought.deeds if deed.fate == "dead"]
    could = total(recruits(c.book, len(c.roster) - len(dead), fought.result == "won"))
    least = max(min(could, 4 - len(c.roster) + len(dead)), 0)
    _check_choices(c, chosen, least, could)
    number = len(c.battles) + 1
    season = _season(c, Accounting(), number=number, fought=fought, choices=chosen)
    open_ones = [way.scenario for way in season.ways] if number < season.length else []
    wrong_way = chosen.next != "" and chosen.next not in open_ones
    obey(NO_WAY, wrong_way, asked=chosen.next, ways=", ".join(open_ones) or "drawn by a die, or none")
    t, events = played(season, dice or Seeded(f"{c.id} {number} {digest}"))
    battle = Battle(
        scenario=c.next,
        result=fought.result,
        given_up=given_up,
        fielded=tuple([deed.name for deed in fought.deeds]),
        kills=sum(deed.kills for deed in fought.deeds),
        trophies=sum(deed.trophies for deed in fought.deeds),
        dead=len(dead),
        digest=digest,
        rules=c.rules,
        deeds=fought.deeds,
        slayers=fought.slayers,
        hold=chosen.hold,
        recruits=tuple([event.name for event in events if isinstance(event, Recruited)]),
        way=t.scenario if open_ones else "",
        told=tuple([_told(event, t) for event in events]),
    )
    after = msgspec.structs.replace(
        c,
        roster=tuple(t.roster),
        fallen=tuple(t.fallen),
        nemeses=tuple(t.nemeses),
        infamous=t.infamous,
        battles=(*c.battles, battle),
        next=t.scenario or None,
    )
    rose = {event.name for event in events if isinstance(event, Rose)}
    could_rise = tuple([line.name for line in t.roster if line.name in rose or _held(t, line)])
    ways = season.ways if number < season.length else ()
    return SeasonResult(campaign=after, battle=battle, least=least, most=could, could_rise=could_rise, ways=ways)


def _held(t: Season, line: RosterLine) -> bool:
    step = next_step(t, line)
    return line.name in t.choices.hold and step is not None and step.reached


def _told(event: Event, t: Season) -> Told:
    clauses = event.why if isinstance(event, Rolled) else event.clauses
    if isinstance(event, Rose):  # experience and kills have clauses of their own
        clauses = event.clauses[:1] if event.spent else event.clauses[1:]
    parts = event.parts if isinstance(event, Experienced) else ()
    return Told(kind=type(event).__name__, words=event.sentence(t), clauses=tuple(clauses), parts=parts)


def _check_choices(c: Campaign, chosen: SeasonChoices, least: int, most: int) -> None:
    _check_names(c, chosen.hold)
    if chosen.recruits is None:
        return
    asked = len(chosen.recruits)
    obey(RECRUITS, not least <= asked <= most, least=least, most=most, asked=asked)
    names = {line.name for line in (*c.roster, *c.fallen)}
    for i, name in enumerate(chosen.recruits):
        obey(NAMESAKE, name in names or name in chosen.recruits[:i], name=name)


def _end(c: Campaign, record: Record, digest: str) -> tuple[bool, Skirmish, set[str]]:
    """Return whether a battle was given up, its last state, and the members who took part.

    Raises InputError if the record is not the next battle, or contradicts the rules.
    """
    counted = [b.digest for b in c.battles]
    if digest in counted:
        obey(COUNTED, True, number=counted.index(digest) + 1)
    obey(SEASON_OVER, c.next is None, battles=c.length)
    if record.ruleset != NAME or not record.armies or "\n" not in record.armies[0]:
        raise InputError("this record is not a battle of a campaign: its warband was not called up from a roster")
    band = warband_file(record.armies[0]).value
    if band.march is None:
        raise InputError("this record is not a battle of a campaign: its warband was not called up from a roster")
    number = len(c.battles) + 1
    obey(OTHER_CAMPAIGN, band.march.campaign != c.id, theirs=band.march.campaign, ours=c.id)
    obey(OTHER_BATTLE, band.march.battle != number, asked=band.march.battle, number=number)
    check_asked(record, next_battle(_dressed_as(c, band.fighters), [f.name for f in band.fighters]))
    given_up = record.resigned == 0  # the roster's side gave up; if the other side gives up, the outcome says so
    obey(GOES_ON, record.outcome is None and not given_up)
    final = played_out(record)
    states = [point.state for point in final.history] + [final.state]
    there = {f.member for t in states if isinstance(t, Skirmish) for f in t.on_table() if f.member}
    assert isinstance(final.state, Skirmish)
    return given_up, final.state, there


def _dressed_as(c: Campaign, fighters: Sequence[Member]) -> Campaign:
    """Return the campaign with the cloaks, battle cries and players that these fighters had in their battle."""
    then = {f.name: {"cloak": f.cloak, "saying": f.saying, "player": f.player} for f in fighters}
    roster = [msgspec.structs.replace(line, **then.get(line.name, {})) for line in c.roster]
    return msgspec.structs.replace(c, roster=tuple(roster))


def _fought(t: Skirmish, there: set[str], result: Result) -> Fought:
    return Fought(
        result=result,
        deeds=tuple(
            [
                Deed(name=f.member, fate=f.fate, kills=f.kills, trophies=f.trophies)
                for f in t.fighters
                if f.member in there
            ]
        ),
        slayers=tuple(
            [
                Member(name=f.name, quality=f.quality, look=f.look, habits=f.habits)
                for f in t.fighters
                if f.side and f.kills and f.fate != "dead"
            ]
        ),
    )
