"""Campaigns of a server: kept beside the games as events, of which the last one says how a campaign stands.

A campaign is known by its address, as a game is, and its battles are games like any other. A battle is counted by one
event with the whole campaign after it; two that would follow the same event cannot both be stored.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from sqlalchemy.exc import IntegrityError

from caltrop import InputError
from caltrop.engine.parts import Campaigns as Half
from caltrop.journal import Record, Setting
from caltrop.scenarios.campaigns import campaign_of, campaigns
from caltrop.server.game import CannotContinue, NoSuchGame, refused
from caltrop.server.games import Games
from caltrop.server.live import Live
from caltrop.server.seats import SecureDice, new_id
from caltrop.server.storage import Row
from caltrop.wire.messages import CountBattle, MadeGame, NewCampaign, NewGame, NextBattle


class Begun(msgspec.Struct, frozen=True, kw_only=True):
    """A battle of a campaign has been made."""

    game: str


class _Kept(msgspec.Struct, frozen=True):
    """A campaign as it is stored."""

    id: str
    seq: int
    """The number of its last event."""
    half: Half[Setting, Record]
    value: Any
    playing: str | None
    """The game of its battle that is not counted yet."""


def _key(id: str) -> str:
    """The name under which a campaign's events stand among those of games; no game has such a one."""
    return f"c:{id[:30]}"


class Campaigns:
    """The campaigns of a server.

    Args:
        games: Its games, with whose storage they are kept.
    """

    def __init__(self, games: Games) -> None:
        self.games = games

    async def _find(self, id: str) -> _Kept:
        rows = await self.games.stored(_key(id))
        if not rows:
            raise refused("not-found", "There is no such campaign here")

        def read() -> _Kept:
            last = max(i for i, row in enumerate(rows) if row.kind == "campaign")
            text = rows[last].body
            half = campaigns(campaign_of(text) or "")
            later = [msgspec.json.decode(row.body, type=Begun).game for row in rows[last + 1 :]]
            return _Kept(id, rows[-1].seq, half, half.campaign_file(text.decode()), later[-1] if later else None)

        return await asyncio.to_thread(read)

    async def _store(self, id: str, seq: int, kind: str, body: bytes) -> None:
        """Add an event after the one with the number *seq*.

        Raises:
            Refused: when something else was added meanwhile.
        """
        try:
            await self.games.store(_key(id), [Row(seq + 1, kind, body)])
        except IntegrityError:
            raise refused("goes-on", "The campaign has gone on meanwhile; look at it again") from None

    async def begin(self, wanted: NewCampaign) -> dict[str, str]:
        """Begin a campaign.

        Raises:
            InputError: for what does not exist or does not fit.
        """
        half, id = campaigns(wanted.ruleset), new_id()
        if wanted.warband is not None:
            ruleset = self.games.library.find(wanted.ruleset)
            self.games.library.check(ruleset, ruleset.scenarios()[0].id, [wanted.warband])
        title = " ".join(wanted.title.split())[:60]
        if not title:
            raise InputError("a campaign has a title", field="title")
        made = await asyncio.to_thread(
            lambda: half.begin(title, SecureDice(), id=id, warband=wanted.warband, rules=wanted.rules)
        )
        await self._store(id, 0, "campaign", half.encoded_campaign(made))
        return {"campaign": id}

    async def take_in(self, text: bytes) -> dict[str, str]:
        """Keep a campaign from its file.

        Raises:
            InputError: when it is none, or does not add up.
        """
        name = campaign_of(text)
        if name is None:
            raise InputError("this file is no campaign", field="format")
        half, id = campaigns(name), new_id()
        read = await asyncio.to_thread(half.campaign_file, text.decode("utf-8", "replace"))
        await self._store(id, 0, "campaign", half.encoded_campaign(read))
        return {"campaign": id}

    async def look(self, id: str) -> dict[str, Any]:
        """How a campaign stands, with its battle that is played."""
        kept = await self._find(id)
        shown = await asyncio.to_thread(kept.half.overview, kept.value)
        live = await self._live(kept)
        playing = None if live is None else {"game": live.game.id, "over": live.game.over is not None}
        return {"id": id, "overview": shown, "playing": playing}

    async def _live(self, kept: _Kept) -> Live | None:
        """The battle that is played; None where there is none, or none that can go on: it may be made anew then."""
        if kept.playing is None:
            return None
        try:
            return await self.games.open(kept.playing)
        except (NoSuchGame, CannotContinue):
            return None

    async def file(self, id: str) -> bytes:
        """A campaign as a file."""
        kept = await self._find(id)
        return kept.half.encoded_campaign(kept.value)

    async def battle(self, id: str, wanted: NextBattle) -> MadeGame:
        """Make the next battle.

        Raises:
            Refused: when one is played already.
            InputError: when the season is over, or somebody cannot be fielded.
        """
        kept = await self._find(id)
        if await self._live(kept) is not None:
            raise refused("battle-goes-on", "A battle of this campaign is being played; end it, or give it up, first")
        setting = await asyncio.to_thread(kept.half.next_battle, kept.value, wanted.fielded)
        made = await self.games.make(
            NewGame(
                ruleset=setting.ruleset,
                edition=setting.edition,
                scenario=setting.scenario,
                armies=setting.armies,
                size=setting.size,
                rules=setting.rules,
                friendly=False,
            )
        )
        await self._store(id, kept.seq, "battle", msgspec.json.encode(Begun(game=made.game)))
        return made

    async def _played(self, kept: _Kept) -> Live:
        live = await self._live(kept)
        if live is None:
            raise refused("no-battle", "No battle of this campaign is being played")
        return live

    async def give_up(self, id: str) -> dict[str, Any]:
        """Give the battle up."""
        live = await self._played(await self._find(id))
        if live.game.over is None:
            # Whoever has the campaign's address may do so: the seat's own secret may be in a browser that is gone.
            await self.games.resign(live, 0)
        return await self.look(id)

    async def count(self, id: str, wanted: CountBattle) -> dict[str, Any]:
        """What the battle comes to; it is counted where that is asked for.

        Raises:
            Refused: when none is played, or it goes on.
            InputError: when the choices cannot be made.
        """
        kept = await self._find(id)
        live = await self._played(kept)
        if live.game.over is None:
            raise refused("battle-goes-on", "This battle is not over: play it to its end, or give it up")
        record = await self.games.record(live, None)
        choices = kept.half.Choices(hold=wanted.hold, recruits=wanted.recruits)
        counted = await asyncio.to_thread(kept.half.after_battle, kept.value, record, choices)
        if wanted.store:
            await self._store(id, kept.seq, "campaign", kept.half.encoded_campaign(counted.campaign))
        return {
            "battle": counted.battle,
            "least": counted.least,
            "most": counted.most,
            "could_rise": counted.could_rise,
            "overview": await asyncio.to_thread(kept.half.overview, counted.campaign),
        }
