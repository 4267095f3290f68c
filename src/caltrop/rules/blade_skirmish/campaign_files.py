"""Campaign files, which are checked against their own battles (BS-S40 to BS-S48).

A file lists the deeds of all members in every battle. The accounting is repeated from the first warband, and its result
has to match the file. Experience, Quality, recruits and enemies can therefore only come from battles. A player who
wants a change writes a reason into the file, which is then shown as corrected by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn, Protocol

import msgspec
from msgspec import UNSET

from caltrop.agreeing import agreeing, quantity
from caltrop.errors import InputError
from caltrop.kit.files import obey
from caltrop.kit.words import listed
from caltrop.roster import Read, nearest, newer, read_yaml
from caltrop.rules.blade_skirmish.armies import (
    LEAST_MODELS,
    MODELS,
    MOST_MODELS,
    NEW_CAP,
    POINTS,
    TOO_GOOD,
    Member,
    worth,
    wrong_with_player,
    wrong_with_saying,
)
from caltrop.rules.blade_skirmish.campaign import (
    FORMAT_VERSION,
    Battle,
    Campaign,
    accounted,
    check_mode,
    go_on,
    held_to,
)
from caltrop.rules.blade_skirmish.courses import courses
from caltrop.rules.blade_skirmish.records import Fate
from caltrop.rules.blade_skirmish.scenarios import SCENARIO_FILES
from caltrop.rules.blade_skirmish.season import (
    ROSTER,
    Deed,
    Fought,
    RosterLine,
    SeasonChoices,
    enlisted,
    highest,
)
from caltrop.scenarios.campaigns import text_of

BY_HAND = '; a change by hand needs a reason, as in "corrected": "she was given a medal"'


class Wrong(Protocol):
    """Function that raises an error at a place in the file."""

    def __call__(self, message: str, *path: str | int) -> NoReturn: ...


def encoded_campaign(c: Campaign) -> bytes:
    """Return the contents of a campaign file. Equal campaigns give equal bytes."""
    return text_of(c).encode()


def campaign_file(file: Path | str) -> Campaign:
    """Read a campaign from a file or a text, and check that it is consistent.

    Raises InputError if the file is invalid or contradicts itself; the message has file, line and column.
    """
    read = read_yaml(file, Campaign)

    def wrong(message: str, *path: str | int) -> NoReturn:
        raise read.wrong(message, *path)

    _agrees(read.value, wrong)
    c = read.value if read.value.format_version == FORMAT_VERSION else _of_today(read.value)
    if not c.corrected:
        _is_what_its_battles_made(c, read, wrong)
    return c


# --- each part alone --------------------------------------------------------------------------------------------------


def _agrees(c: Campaign, wrong: Wrong) -> None:
    if c.format_version > FORMAT_VERSION:
        wrong(newer(c.format_version, FORMAT_VERSION), "format_version")
    try:
        book = c.book
    except ValueError as error:
        wrong(str(error), "rules")
    check_mode(book)
    names = Counter([line.name for line in (*c.roster, *c.fallen)])
    for kind, lines in (("roster", c.roster), ("fallen", c.fallen)):
        for i, line in enumerate(lines):
            if names[line.name] > 1:
                wrong(f"two are called {line.name!r}", kind, i, "name")
            if (line.state == "dead") != (kind == "fallen"):
                wrong("the dead have fallen, and nobody else has", kind, i, "state")
            if not line.began <= line.quality <= max(highest(book, line), line.began):
                wrong(f"nobody rises from Quality {line.began} to {line.quality} like this", kind, i, "quality")
            if line.saying is not UNSET and (complaint := wrong_with_saying(line.saying)):
                wrong(complaint, kind, i, "saying")
            if line.player is not UNSET and (complaint := wrong_with_player(line.player)):
                wrong(complaint, kind, i, "player")
            if line.battles > len(c.battles):
                wrong(f"{_so_many(len(c.battles))}; this line has {line.battles}", kind, i, "battles")
    if not 1 <= len(c.roster) <= ROSTER:
        wrong(f"a roster has 1 to {ROSTER} models; this one has {len(c.roster)}", "roster")
    every = (*c.roster, *c.fallen)
    for what in ("kills", "trophies"):
        lines_have, battles_have = (sum(getattr(one, what) for one in of) for of in (every, c.battles))
        if lines_have != battles_have:
            wrong(f"the battles add up to {battles_have} {what}, and the models to {lines_have}", "battles")
    if len(c.fallen) != sum(b.dead for b in c.battles):
        wrong(f"{sum(b.dead for b in c.battles)} have died in battle, and {len(c.fallen)} have fallen", "fallen")
    _are_a_season(c, wrong)


def _so_many(count: int) -> str:
    return f"there {agreeing(count, 'has')} been {quantity(count, 'battle')}"


def _are_a_season(c: Campaign, wrong: Wrong) -> None:
    for i, course in enumerate(c.seasons):
        if course not in courses():
            wrong(f"there is no course {course!r}; {nearest(course, courses())}", "seasons", i)
    played = [b.scenario for b in c.battles]
    if len(played) < c.earlier:
        wrong(f"{_so_many(c.earlier)} before this season; the file has {len(played)}", "battles")
    if len(played) > c.length:
        wrong(f"its seasons have {quantity(c.length, 'battle')}; the file has {len(played)}", "battles")
    if (c.next is None) != (len(played) == c.length):
        wrong(
            f"a season has {quantity(c.course.length, 'battle')}, and {len(played) - c.earlier} have been fought",
            "next",
        )
    of = [courses()[one] for one in c.seasons for _ in range(courses()[one].length)]
    for i, id in enumerate([*played, *([c.next] if c.next is not None else [])]):
        where: tuple[str | int, ...] = ("battles", i, "scenario") if i < len(played) else ("next",)
        if id not in of[i].scenarios:
            wrong(f"{id!r} is not a scenario of a season; {nearest(id, of[i].scenarios)}", *where)
        if of[i].drawn and i and played[i - 1] == id:
            wrong("no scenario is played twice running", *where)
    digests = [b.digest for b in c.battles]
    for i, digest in enumerate(digests):
        if digest in digests[:i]:
            wrong("a battle belongs to a campaign once", "battles", i, "digest")


# --- repeating the battles --------------------------------------------------------------------------------------------


def _is_what_its_battles_made(c: Campaign, read: Read[Campaign], wrong: Wrong) -> None:
    made = _as_begun(c, read, wrong)
    for i, b in enumerate(c.battles):
        made = _after(made, c, i, wrong)
        battle = made.battles[-1]
        if made.next is None and len(made.seasons) < len(c.seasons):
            made = go_on(made, c.seasons[len(made.seasons)])
        if battle.recruits != b.recruits:
            wrong(f"{listed(battle.recruits) or 'nobody'} joined after it{BY_HAND}", "battles", i, "recruits")
        if made.next != (later := c.battles[i + 1].scenario if i + 1 < len(c.battles) else c.next):
            where: tuple[str | int, ...] = ("battles", i + 1, "scenario") if i + 1 < len(c.battles) else ("next",)
            asked = "nothing" if made.next is None else SCENARIO_FILES.find(made.next).value.title
            wrong(f"after battle {i + 1} the dice call for {asked}; the file has {later!r}{BY_HAND}", *where)
    for kind in ("roster", "fallen"):
        _are_alike(kind, getattr(made, kind), getattr(c, kind), wrong)
    if made.nemeses != c.nemeses:
        back = listed([f"{one.name} of Quality {one.quality}" for one in made.nemeses]) or "nobody"
        wrong(f"by its battles {back} comes back in the next{BY_HAND}", "nemeses")
    if made.infamous != c.infamous:
        wrong(
            f"by its battles these have made a name: {listed(made.infamous) or 'nobody'}{BY_HAND}",
            "infamous",
        )


def _as_begun(c: Campaign, read: Read[Campaign], wrong: Wrong) -> Campaign:
    """Return the campaign before its first battle: all members except later recruits, as they started (BS-S31)."""
    joined = {name for b in c.battles for name in b.recruits}
    first = [line for line in (*c.roster, *c.fallen) if line.name not in joined]
    obey(read, MODELS, not LEAST_MODELS <= len(first) <= MOST_MODELS, "roster", asked=len(first))
    for kind, lines in (("roster", c.roster), ("fallen", c.fallen)):
        for i, line in enumerate(lines):
            new = line.name not in joined
            obey(read, TOO_GOOD, new and line.began > NEW_CAP, kind, i, "began", name=line.name, asked=line.began)
    points = worth(c.book, [line.began for line in first])
    if points > POINTS:
        wrong(
            f"a campaign begins with at most {quantity(POINTS, 'point')}, and this roster began with {points}{BY_HAND}",
            "roster",
        )
    scenario = c.battles[0].scenario if c.battles else c.next
    return msgspec.structs.replace(
        c,
        roster=tuple([enlisted(line.name, line.began) for line in first]),
        fallen=(),
        nemeses=(),
        infamous=(),
        battles=(),
        seasons=c.seasons[:1],
        next=scenario,
    )


def _after(made: Campaign, c: Campaign, number: int, wrong: Wrong) -> Campaign:
    b, where = c.battles[number], ("battles", number)
    roster = [line.name for line in made.roster]
    names = [deed.name for deed in b.deeds]
    for i, name in enumerate(b.fielded):
        if name not in roster:
            wrong(f"there was no {name!r} on the roster; {nearest(name, roster)}", *where, "fielded", i)
        if name in b.fielded[:i]:
            wrong(f"{name} is fielded once", *where, "fielded", i)
    if tuple(names) != b.fielded:
        wrong(
            f"{listed(b.fielded) or 'nobody'} took part; these deeds name {listed(names) or 'nobody'}", *where, "deeds"
        )
    for what, counted in (
        ("kills", sum(deed.kills for deed in b.deeds)),
        ("trophies", sum(deed.trophies for deed in b.deeds)),
        ("dead", sum(deed.fate == "dead" for deed in b.deeds)),
    ):
        if getattr(b, what) != counted:
            wrong(f"the deeds add up to {counted}; the file has {getattr(b, what)}", *where, what)
    if b.given_up and b.result != "lost":
        wrong("a battle that is given up is lost", *where, "result")
    if b.rules != c.rules:
        wrong(f"a campaign keeps its house rules, and this battle was fought by others{BY_HAND}", *where, "rules")
    try:
        held_to(made, b.fielded)
        counted_now = accounted(
            made,
            Fought(result=b.result, deeds=b.deeds, slayers=b.slayers),
            SeasonChoices(hold=b.hold, recruits=b.recruits, next=b.way),
            given_up=b.given_up,
            digest=b.digest,
        )
    except InputError as error:
        wrong(error.message, *where)
    return counted_now.campaign


def _are_alike(kind: str, made: tuple[RosterLine, ...], lines: tuple[RosterLine, ...], wrong: Wrong) -> None:
    names = [line.name for line in made]
    if names != [line.name for line in lines]:
        wrong(f"by its battles these are on it: {listed(names) or 'nobody'}{BY_HAND}", kind)
    for i, (old, line) in enumerate(zip(made, lines, strict=True)):
        for field in ("quality", "experience", "kills", "trophies", "battles", "state"):
            one, other = getattr(old, field), getattr(line, field)
            if one != other:
                wrong(f"the battles of {line.name} give {one}; the file has {other}{BY_HAND}", kind, i, field)


# --- old files --------------------------------------------------------------------------------------------------------

_TOLD = {
    "Erased": re.compile(r"(.+), \w+, has died and "),
    "Returned": re.compile(r"(.+), who was wounded, is back"),
    "MissesTheNext": re.compile(r"(.+)'s wound lingers: "),
    "Experienced": re.compile(r"(.+) gains \d+ experience: "),
    "Rose": re.compile(r"(.+) rises to Quality \d"),
    "Recruited": re.compile(r"(.+), \w+, joins"),
    "Infamous": re.compile(r"(.+?)(?: is now called .+; she)? comes back in the next battle with Quality (\d)"),
}
"""Patterns that find deeds in the text of the accounting, for files of version 1, which list no deeds."""


def _told_of(b: Battle, kind: str) -> Iterator[tuple[re.Match[str], dict[str, int]]]:
    for line in b.told:
        match = _TOLD[kind].match(line.words) if line.kind == kind else None
        if match is not None:
            yield match, {part.words: part.value for part in line.parts}


def _of_today(c: Campaign) -> Campaign:
    """Return a file of version 1 in the present format. Deeds are read from the lines after each battle."""
    battles: list[Battle] = []
    earlier: Counter[tuple[str, str]] = Counter()
    last = {line.name: line for line in c.fallen}
    joined = {match[1] for b in c.battles for match, _ in _told_of(b, "Recruited")}
    there = [line.name for line in (*c.roster, *c.fallen) if line.name not in joined]
    for b in c.battles:
        dead = {match[1] for match, _ in _told_of(b, "Erased")}
        hurt = {match[1] for kind in ("Returned", "MissesTheNext") for match, _ in _told_of(b, kind)}
        gained = {match[1]: parts for match, parts in _told_of(b, "Experienced")}
        deeds = []
        for name in b.fielded:
            fate: Fate = "dead" if name in dead else "wounded" if name in hurt else "ready"
            counts = {}
            for what, words in (("kills", "Kills"), ("trophies", "Trophies")):
                if name in dead and name in last:  # a dead member's gains are not reported
                    counts[what] = max(getattr(last[name], what) - earlier[name, what], 0)
                else:
                    counts[what] = gained.get(name, {}).get(words, 0)
                earlier[name, what] += counts[what]
            deeds.append(Deed(name=name, fate=fate, **counts))
        rose = {match[1] for match, _ in _told_of(b, "Rose")}
        there = [name for name in there if name not in dead]
        recruits = tuple([match[1] for match, _ in _told_of(b, "Recruited")])
        battles.append(
            msgspec.structs.replace(
                b,
                rules=c.rules,
                deeds=tuple(deeds),
                # An enemy of Quality 6 may have had Quality 5 or 6 before; both lead to the same result.
                slayers=tuple(
                    [Member(name=match[1], quality=max(int(match[2]) - 1, 1)) for match, _ in _told_of(b, "Infamous")]
                ),
                hold=tuple([name for name in there if name not in rose]),
                recruits=recruits,
            )
        )
        there += recruits
    return msgspec.structs.replace(c, format_version=FORMAT_VERSION, battles=tuple(battles))
