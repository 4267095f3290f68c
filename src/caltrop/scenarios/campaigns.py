"""Campaigns: battles that one roster fights, one after the other, kept in a file.

What is the same for every game is here: how a file says that it is one, and where a game's own half is found, which is
the module `campaign` of its package. A campaign is a value: the half of the game has functions from one to the next.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from caltrop import InputError
from caltrop.chance import Dice
from caltrop.engine import HouseValue, ruleset, rulesets
from caltrop.journal import Record, Setting
from caltrop.roster import nearest

FORMAT = "caltrop-campaign"
"""What a file of a campaign says of itself."""


class Campaigns(Protocol):
    """What a game's module `campaign` offers; `Any` stands for the game's own records."""

    Choices: type[Any]
    """What the player decides about the accounting after a battle."""

    def begin(
        self,
        title: str,
        dice: Dice,
        *,
        id: str,
        warband: str | None = None,
        rules: Mapping[str, HouseValue] | None = None,
    ) -> Any:
        """A new campaign, or `InputError` for what does not exist or fit."""
        ...

    def campaign_file(self, file: Path | str) -> Any:
        """Read a campaign, from a file or as the text itself, or raise `InputError` for what is wrong with it."""
        ...

    def encoded_campaign(self, c: Any) -> bytes:
        """The campaign as a file."""
        ...

    def next_battle(self, c: Any, fielded: Sequence[str] | None = None) -> Setting:
        """The next battle, fought by those named, or `InputError`."""
        ...

    def after_battle(self, c: Any, record: Record, choices: Any = None) -> Any:
        """What a battle has come to, with the campaign after it, or `InputError`."""
        ...

    def overview(self, c: Any) -> Any:
        """A campaign with what follows from it, as plain records."""
        ...


class _Head(msgspec.Struct):
    format: str = ""
    ruleset: str = ""


def campaign_of(text: bytes) -> str | None:
    """The game of the campaign that a file holds, empty where it names none; None where it holds no campaign.

    >>> campaign_of(b'{"format": "caltrop-campaign", "ruleset": "duel"}'), campaign_of(b'{"entries": []}')
    ('duel', None)
    """
    try:
        head = msgspec.json.decode(text, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return head.ruleset if head.format == FORMAT else None


def with_campaigns() -> list[str]:
    """The games that have campaigns."""
    return [name for name in rulesets() if importlib.util.find_spec(_module(name)) is not None]


def campaigns(name: str) -> Campaigns:
    """A game's half of campaigns.

    Raises:
        InputError: when there is no such game, or it has none.
    """
    known = with_campaigns()
    if name not in known:
        what = "has no campaigns" if name in rulesets() else "is no game here"
        raise InputError(f"{name!r} {what}; {nearest(name, known)}", field="ruleset")
    ruleset(name)  # imports every module of the game: an amendment that nobody has imported would not be in force
    found: Any = importlib.import_module(_module(name))
    half: Campaigns = found
    return half


def _module(name: str) -> str:
    return f"caltrop.rules.{name.replace('-', '_')}.campaign"


def read_campaign(file: Path) -> tuple[Campaigns, Any]:
    """A campaign from its file, with its game's half.

    Raises:
        InputError: when it is none; the message has file, line and column.
    """
    try:
        with file.open("rb") as stream:
            text = stream.read(1_000_001)
    except OSError as error:
        raise InputError(error.strerror or str(error), source=str(file)) from None
    name = campaign_of(text)
    if name is None:
        raise InputError(f'this is no campaign: its format would be "{FORMAT}"', source=str(file), field="format")
    try:
        half = campaigns(name)
    except InputError as error:
        error.source = str(file)
        raise
    return half, half.campaign_file(file)
