"""Campaigns: battles that one roster fights, one after the other, kept in a file.

The common half is here: the mark of such a file, and the way to a game's own half, its part
`campaigns`. A campaign is a value: the half of the game has functions from one to the next.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from caltrop.engine import Match, ruleset, rulesets, with_part
from caltrop.engine.parts import Campaigns
from caltrop.engine.rule import Guard
from caltrop.errors import InputError
from caltrop.journal import Record, Setting, replay, verify
from caltrop.roster import nearest, newer, utf8
from caltrop.roster.encoding import MARK

FORMAT = "caltrop-campaign"
"""Mark of a file of a campaign."""


def text_of(value: msgspec.Struct) -> str:
    """Return a campaign, or an army list that it sends into battle, as a file's text: the same for equal values."""
    return msgspec.json.format(msgspec.json.encode(value, order="deterministic"), indent=1).decode() + "\n"


def obey(guard: Guard, forbidden: bool, **values: Any) -> None:
    """Hold a campaign to a guard. Raises InputError if it is forbidden.

    Args:
        guard: The sentence of the rules.
        forbidden: True if they forbid the wish.
        values: Values for the words of the guard.
    """
    refusal = guard.refuses(forbidden, **values)
    if refusal is not None:
        raise InputError(refusal.with_clause)


def check_asked(record: Record, setting: Setting) -> None:
    """Raise an error for a record that is not of the battle that a campaign asks for.

    Args:
        record: The battle as it was recorded.
        setting: The campaign's next battle, with those who fought it.

    Raises:
        InputError: the message names what differs.
    """
    for what in ("ruleset", "scenario", "edition", "rules", "armies", "size"):
        if getattr(record, what) != getattr(setting, what):
            raise InputError(f"this is not the battle that the campaign asks for: its {what} differ", field=what)


def played_out(record: Record) -> Match:
    """Return a recorded battle, played again to where it was left.

    Raises InputError when it does not play as it was recorded.
    """
    verdict = verify(record)
    if not verdict.same or verdict.entries < len(record.entries):
        raise InputError(f"the record cannot be counted: {verdict.words}")
    return list(replay(record))[-1].match


class _CampaignHead(msgspec.Struct):
    format: str = ""
    format_version: int = 1
    engine_version: Any = None
    ruleset: str = ""


def campaign_of(text: bytes) -> str | None:
    """Return the game of the campaign that a file holds, empty if it names none; None if it holds no campaign.

    >>> campaign_of(b'{"format": "caltrop-campaign", "ruleset": "duel"}'), campaign_of(b'{"entries": []}')
    ('duel', None)
    """
    head = _head(text)
    return None if head is None else head.ruleset


def _head(text: bytes) -> _CampaignHead | None:
    try:
        head = msgspec.json.decode(text.removeprefix(MARK), type=_CampaignHead)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return head if head.format == FORMAT else None


def half_of(text: bytes, source: str | None = None) -> Campaigns[Any, Setting, Record]:
    """Return the half of the game whose campaign a file holds.

    Raises InputError when it holds no campaign, or one of a format or of a game that is not known here.

    Args:
        text: The bytes of the file.
        source: Its name, for messages.
    """
    head = _head(utf8(text, source))
    if head is None:
        raise InputError(f'this is no campaign: its format would be "{FORMAT}"', source=source, field="format")
    try:
        half = campaigns(head.ruleset)
    except InputError as error:
        error.source = source
        raise
    if head.format_version > half.FORMAT_VERSION:
        complaint = newer(head.format_version, half.FORMAT_VERSION, head.engine_version)
        raise InputError(complaint, source=source, field="format_version")
    return half


def campaigns(name: str) -> Campaigns[Any, Setting, Record]:
    """Return a game's half of campaigns. Raises InputError when there is no such game, or it has none."""
    half = ruleset(name).campaigns if name in rulesets() else None
    if half is None:
        what = "has no campaigns" if name in rulesets() else "is no game here"
        raise InputError(f"{name!r} {what}; {nearest(name, with_part('campaigns'))}", field="ruleset")
    return half


def read_campaign(file: Path) -> tuple[Campaigns[Any, Setting, Record], Any]:
    """Return a campaign from its file, with its game's half.

    Raises InputError when it is invalid; the message has file, line and column.
    """
    try:
        with file.open("rb") as stream:
            text = stream.read(1_000_001)
    except (OSError, ValueError) as error:
        raise InputError(getattr(error, "strerror", None) or str(error), source=str(file)) from None
    half = half_of(text, str(file))
    return half, half.campaign_file(file)
