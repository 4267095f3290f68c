"""The story of a campaign: a few sentences about each battle, made from its deeds and its accounting."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import UNSET

from caltrop.agreeing import agreeing
from caltrop.kit.words import listed
from caltrop.rules.blade_skirmish.campaign import Battle, Campaign
from caltrop.rules.blade_skirmish.season import called

_ENDED = {"won": "and won", "lost": "and lost", "drawn": "and neither side won"}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ROSE = re.compile(r"(.+) rises to Quality (\d)")
_RESTS = re.compile(r"(.+)'s wound lingers: ")
_COMES_BACK = re.compile(r"(?:(.+) is now called )?(.+?)(?:; she)? comes back in the next battle with Quality (\d)")


def tale(c: Campaign, b: Battle, title: str) -> tuple[str, ...]:
    sayings = {line.name: line.saying for line in (*c.roster, *c.fallen) if line.saying is not UNSET}
    return tuple([f"{words[0].upper()}{words[1:]}." for words in _sentences(b, title, sayings)])


def _sentences(b: Battle, title: str, sayings: dict[str, str]) -> Iterator[str]:
    who = listed(b.fielded)
    if b.fielded:
        yield f"{who} fought in “{title}”, {'but gave it up' if b.given_up else _ENDED[b.result]}"
    else:
        yield f"“{title}” was given up before anybody had taken her place"
    # Files of version 1 list no deeds; theirs were read from the lines of the accounting.
    doers = sorted([deed for deed in b.deeds if deed.kills or deed.trophies], key=lambda d: (-d.kills, -d.trophies))
    if doers:
        alike: dict[tuple[int, int], list[str]] = {}
        for deed in doers:
            alike.setdefault((deed.kills, deed.trophies), []).append(deed.name)
        yield "; ".join([_did(names, *counts) for counts, names in alike.items()])
        best = doers[0]
        if best.name in sayings and best.fate != "dead":
            yield f"“{sayings[best.name]}”, said {best.name}"
    elif b.deeds:
        yield "they killed no enemy" if len(b.deeds) > 1 else "she killed no enemy"
    yield from _hurt(b, sayings)
    yield from _afterwards(b)


def _did(names: Sequence[str], kills: int, trophies: int) -> str:
    did = []
    if kills:
        did.append(f"killed {_many(kills)}")
    if trophies:
        did.append("took a trophy" if trophies == 1 else f"took {_many(trophies)} trophies")
    return f"{listed(names)} {'each ' if len(names) > 1 else ''}{' and '.join(did)}"


def _hurt(b: Battle, sayings: dict[str, str]) -> Iterator[str]:
    resting = [match[1] for line in b.told if line.kind == "MissesTheNext" and (match := _RESTS.match(line.words))]
    wounded = [deed.name for deed in b.deeds if deed.fate == "wounded"]
    if wounded:
        yield f"{listed(wounded)} {agreeing(len(wounded), 'was')} wounded"
    if resting:
        yield f"{listed(resting)} had to rest for a battle"
    dead = [deed.name for deed in b.deeds if deed.fate == "dead"]
    if dead:
        yield f"{listed(dead)} died there"
    for name in dead:
        if name in sayings:
            yield f"“{sayings[name]}” was what {name} used to say"
    returns = [match for line in b.told if line.kind == "Infamous" and (match := _COMES_BACK.match(line.words))]
    for slayer in b.slayers:
        after = next((match for match in returns if slayer.name in (match[1], match[2])), None)
        words = f"{slayer.name}, who had killed at least one of them, got away"
        if after is not None:
            again = f"was to come back in the next battle, {called(int(after[3]))}"
            words += f"; as {after[2]} she {again}" if after[1] else f" once more, and {again}"
        yield words


def _afterwards(b: Battle) -> Iterator[str]:
    rose = [match for line in b.told if line.kind == "Rose" and (match := _ROSE.match(line.words))]
    if rose:
        yield f"{listed([f'{match[1]} had become {called(int(match[2]))}' for match in rose])}"
    if b.recruits:
        yield f"{listed(b.recruits)} joined"


def _many(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)
