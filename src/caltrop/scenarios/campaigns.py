"""Campaigns: battles that one roster fights, one after the other, kept in a file.

The shared half is here: the mark of such a file, and access to a game's own half, its part `campaigns`. A campaign is
an immutable value, and the game's half has functions that return the next one.
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
"""Value of the key `format` in a campaign's file."""


def text_of(value: msgspec.Struct) -> str:
    """Return the text of a file for a campaign or for an army list that it sends into battle; equal values give equal
    text.
    """
    return msgspec.json.format(msgspec.json.encode(value, order="deterministic"), indent=1).decode() + "\n"


def obey(guard: Guard, forbidden: bool, **values: Any) -> None:
    """Check a campaign by a guard of the rules. Raises InputError if the wish is forbidden.

    Args:
        guard: The guard with its sentence.
        forbidden: True if the rules forbid the wish.
        values: Values for the placeholders of the sentence.
    """
    refusal = guard.refuses(forbidden, **values)
    if refusal is not None:
        raise InputError(refusal.with_clause)


def check_asked(record: Record, setting: Setting) -> None:
    """Raise an error if a record is not of the battle that a campaign expects.

    Args:
        record: The battle as it was recorded.
        setting: The campaign's next battle, with the forces that fight it.

    Raises:
        InputError: for a different battle; the message names the difference.
    """
    for what in ("ruleset", "scenario", "edition", "rules", "armies", "size"):
        if getattr(record, what) != getattr(setting, what):
            raise InputError(f"this is not the battle that the campaign asks for: its {what} differ", field=what)


def played_out(record: Record) -> Match:
    """Replay a recorded battle to its last entry.

    Raises InputError if the replay differs from the record.
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
    """Return the ruleset of a campaign's file, empty if it names none; None if the file is not a campaign.

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
    """Return the game's half for a campaign's file.

    Raises InputError if the file is not a campaign, or its format or game is unknown.

    Args:
        text: The bytes of the file.
        source: Name of the file, for messages.
    """
    head = _head(utf8(text, source))
    if head is None:
        raise InputError(f'this is not a campaign: its format would be "{FORMAT}"', source=source, field="format")
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
    """Return a game's half of campaigns. Raises InputError if the game does not exist or has no campaigns."""
    half = ruleset(name).campaigns if name in rulesets() else None
    if half is None:
        what = "has no campaigns" if name in rulesets() else "is not a game here"
        raise InputError(f"{name!r} {what}; {nearest(name, with_part('campaigns'))}", field="ruleset")
    return half


def read_campaign(file: Path) -> tuple[Campaigns[Any, Setting, Record], Any]:
    """Read a campaign from its file, and return it with its game's half.

    Raises InputError when the campaign is invalid; the message has file, line and column.
    """
    try:
        with file.open("rb") as stream:
            text = stream.read(1_000_001)
    except (OSError, ValueError) as error:
        raise InputError(getattr(error, "strerror", None) or str(error), source=str(file)) from None
    half = half_of(text, str(file))
    return half, half.campaign_file(file)
