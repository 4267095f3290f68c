"""A player's changes to a member of a campaign: name, cloak and battle cry. No rule depends on names, cloaks and
sayings.

A new name replaces the old one everywhere: on the roster, in every battle that the member has fought, and in the texts
about her. The campaign file therefore still matches its battles.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from caltrop.engine.campaign import Dress
from caltrop.errors import InputError
from caltrop.kit.words import JOINERS, hides
from caltrop.picture.shelf import PAINTS
from caltrop.roster import choose, nearest
from caltrop.rules.blade_skirmish.armies import wrong_with_player, wrong_with_saying
from caltrop.rules.blade_skirmish.campaign import ON_ROSTER, Battle, Campaign, Told
from caltrop.scenarios.campaigns import obey

_NAME = re.compile(r"(?=.{1,24}\Z)\w+(?:[ '’.-]{1,2}\w+)*\.?")
LONGEST = 24

BAD_NAME = "a name has 1 to 24 letters and digits, with spaces, hyphens, apostrophes and full stops between them"


def dressed(c: Campaign, who: str, dress: Dress) -> Campaign:
    """Return the campaign with changes to one member, as a new object.

    Raises InputError for an unknown name or an invalid value.

    Args:
        dress: The changes. Spaces at the ends are ignored.
    """
    names = [line.name for line in c.roster]
    obey(ON_ROSTER, who not in names, name=who, hint=nearest(who, names))
    given: dict[str, Any] = {}
    if dress.cloak is not None:
        given["cloak"] = choose(dress.cloak, list(PAINTS), "cloak", "cloak") if dress.cloak else UNSET
    if dress.saying is not None:
        saying = dress.saying.strip()
        if saying and (complaint := wrong_with_saying(saying)):
            raise InputError(complaint, field="saying")
        given["saying"] = saying or UNSET
    if dress.player is not None:
        person = dress.player.strip()
        if person and (complaint := wrong_with_player(person)):
            raise InputError(complaint, field="player")
        given["player"] = person or UNSET
    roster = [msgspec.structs.replace(line, **given) if line.name == who else line for line in c.roster]
    c = msgspec.structs.replace(c, roster=tuple(roster))
    name = who if dress.name is None else dress.name.strip()
    return c if name == who else _renamed(c, who, name)


def _renamed(c: Campaign, old: str, new: str) -> Campaign:
    # Names in Hindi and Persian need combining marks and joiners between letters.
    letters = "".join([sign for sign in new if unicodedata.category(sign)[0] != "M" and sign not in JOINERS])
    if _NAME.fullmatch(letters) is None or "_" in new or len(new) > LONGEST or hides(new):
        raise InputError(BAD_NAME, field="name")
    every = [line.name for line in (*c.roster, *c.fallen)]
    taken = {name.casefold() for name in every if name != old}
    if new.casefold() in taken:
        raise InputError(f"the roster has, or had, a {new} already", field="name")
    roster = [msgspec.structs.replace(line, name=new) if line.name == old else line for line in c.roster]
    battles = [_battle(b, every, old, new) for b in c.battles]
    return msgspec.structs.replace(c, roster=tuple(roster), battles=tuple(battles))


def _battle(b: Battle, every: Sequence[str], old: str, new: str) -> Battle:
    def names(of: tuple[str, ...]) -> tuple[str, ...]:
        return tuple([new if name == old else name for name in of])

    deeds = [msgspec.structs.replace(deed, name=new) if deed.name == old else deed for deed in b.deeds]
    return msgspec.structs.replace(
        b,
        fielded=names(b.fielded),
        hold=names(b.hold),
        recruits=names(b.recruits),
        deeds=tuple(deeds),
        told=tuple([_told(line, every, old, new) for line in b.told]),
    )


_OF_FOES = ("Infamous", "NextBattle", "SeasonOver")
"""Kinds of lines that do not begin with the name of a member."""


def _told(line: Told, every: Sequence[str], old: str, new: str) -> Told:
    """Return a line of the accounting with the new name.

    A line begins with the name, or with a question about the wound for which a die was rolled.
    """
    start = "Whether " if line.kind == "Rolled" else ""
    rest = line.words.removeprefix(start)
    if line.kind in _OF_FOES or (start and rest == line.words):
        return line
    # If one name begins with another name, the longer name is meant.
    of = max([name for name in every if re.match(rf"{re.escape(name)}(?:,| |'s )", rest)], key=len, default="")
    return msgspec.structs.replace(line, words=f"{start}{new}{rest[len(old) :]}") if of == old else line
