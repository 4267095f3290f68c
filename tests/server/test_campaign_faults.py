"""Campaigns during storage failures: acknowledged changes are kept, nothing is doubled, and every campaign
continues.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.engine import Refused
from caltrop.errors import InputError
from caltrop.host.campaigns import Begun, ServerCampaigns
from caltrop.host.database import StorageFault
from caltrop.host.games import Games
from caltrop.host.seats import DrawnSecrets, ServerLibrary
from caltrop.wire.messages import CountBattle, DressMember, FieldBattle, NewCampaign
from tests.server.test_queued import Failing

KEY = "a-key-that-the-page-has-drawn"


class Leader:
    """A person who leads a campaign, and repeats requests without an answer under the same key."""

    def __init__(self, games: Games, storage: Failing, dice: random.Random) -> None:
        self.games, self.storage, self.dice = games, storage, dice
        self.id, self.token = "", ""
        self.kept: list[bytes] = []
        """Texts in acknowledged requests."""

    @property
    def campaigns(self) -> ServerCampaigns:
        """Return the campaigns of the server."""
        return ServerCampaigns(self.games)

    def fail(self) -> None:
        """Make storage fail at some of the next events."""
        self.storage.faults = [self.dice.choice(("", "before", "after")) for _ in range(6)]

    async def insist(self, ask: Any, *with_: Any) -> Any:
        """Repeat a request until it is answered."""
        for _ in range(30):
            try:
                return await ask(*with_)
            except StorageFault:
                continue
            except Refused as refused:
                if refused.refusal.code != "come-back":
                    raise
        raise AssertionError("it is never answered")

    async def dress(self, saying: str) -> None:
        """Give the duellist of the campaign a motto."""
        who = (await self.campaigns.look(self.id, [self.token])).overview.roster[0].name
        try:
            await self.campaigns.dress(self.id, [self.token], DressMember(who=who, saying=saying))
        except (Refused, StorageFault):
            return
        self.kept.append(saying.encode())

    def rows(self) -> list[Any]:
        """Return the stored rows of the campaign."""
        return self.storage.events(f"c:{self.id}")


async def at_once(*asked: Awaitable[Any]) -> list[Any]:
    """Send requests at the same time; return their answers and faults."""
    return await asyncio.gather(*asked, return_exceptions=True)


async def one_run(path: Path, seed: int) -> None:
    storage = Failing(str(path))
    storage.faults = []
    games = Games(storage, ServerLibrary())
    leader = Leader(games, storage, random.Random(seed))
    campaigns = leader.campaigns
    try:
        leader.fail()
        new_campaign = NewCampaign(ruleset="duel", title="Three dawns")
        begun = await leader.insist(campaigns.begin, new_campaign, DrawnSecrets(KEY, "begin"))
        leader.id, leader.token = begun.campaign, begun.token
        own = [leader.token]
        for lap in range(2):
            leader.fail()
            await at_once(*[leader.dress(f"{lap}.{n} it is") for n in range(4)])
            leader.fail()
            fought = DrawnSecrets(KEY, f"battle {lap}")
            asks = [leader.insist(campaigns.battle, leader.id, own, FieldBattle(), fought) for _ in range(3)]
            made = await at_once(*asks)
            assert {answer.game for answer in made} == {fought.name()}, made
            leader.fail()
            shared = DrawnSecrets(KEY, f"seat {lap}")
            seats = await at_once(*[leader.insist(campaigns.seat, leader.id, own, shared) for _ in range(2)])
            assert {seat.token for seat in seats} == {shared.secret()}, seats
            leader.fail()
            await leader.insist(campaigns.give_up, leader.id, own)
            leader.fail()
            counted = DrawnSecrets(KEY, f"count {lap}")
            await leader.insist(campaigns.count, leader.id, own, CountBattle(), counted)
            leader.fail()
            store = CountBattle(store=True)
            answers = await at_once(*[leader.insist(campaigns.count, leader.id, own, store, counted) for _ in range(2)])
            assert answers[0] == answers[1], answers
            storage.faults = []
            seen = await campaigns.look(leader.id, own)
            assert (len(seen.overview.battles), seen.playing) == (lap + 1, None)
            assert seen.overview == answers[0].overview
        rows = leader.rows()
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        battles = [msgspec.json.decode(row.body, type=Begun).game for row in rows if row.kind == "battle"]
        assert battles == [DrawnSecrets(KEY, f"battle {lap}").name() for lap in range(2)]
        written = b"".join(row.body for row in rows)
        assert [words for words in leader.kept if words not in written] == []
    finally:
        await games.close()


@pytest.mark.parametrize("seed", range(6))
def test_queued_messages_and_failing_storage_leave_every_campaign_whole(tmp_path: Path, seed: int) -> None:
    asyncio.run(one_run(tmp_path / "games.sqlite", seed))


def test_a_campaign_that_cannot_be_read_is_named_and_left_alone(tmp_path: Path) -> None:
    async def run() -> None:
        storage = Failing(str(tmp_path / "games.sqlite"))
        storage.faults = []
        games = Games(storage, ServerLibrary())
        try:
            made = await ServerCampaigns(games).begin(NewCampaign(ruleset="duel", title="Torn"), DrawnSecrets(KEY))
            before = storage.events(f"c:{made.campaign}")
            for body in (b"{", b"[]", b'{"ruleset": "duel"}'):
                storage.events = lambda name, body=body: [  # type: ignore[method-assign,misc]
                    msgspec.structs.replace(row, body=body) if row.kind == "campaign" else row for row in before
                ]
                with pytest.raises((Exception,)) as caught:
                    await ServerCampaigns(games).look(made.campaign, [made.token])
                assert isinstance(caught.value, InputError) or caught.value.fault == "damaged"  # type: ignore[attr-defined]
        finally:
            await games.close()

    asyncio.run(run())
