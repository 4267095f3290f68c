"""Campaigns of a server, stored beside the games as events. The last event holds the current state of a campaign.

A campaign has a name and a secret. The name is public, because it appears in the records of battles, and gives no
access. The secret appears in no game, and its holder leads the campaign. A campaign from a server without such secrets
is given to a player who proves to have played a battle of it (`ServerCampaigns.claim`).

Battles of a campaign are ordinary games. A battle is counted by one event with the whole campaign. The storage refuses
a second event that follows the same event.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy.exc import IntegrityError

from caltrop.engine import Refused, rulesets
from caltrop.engine.campaign import Dress
from caltrop.engine.parts import Campaigns as Half
from caltrop.errors import InputError
from caltrop.host.faults import CannotContinue, DamagedGame, NoRules, NoSuchGame, refused
from caltrop.host.games import Games
from caltrop.host.live import Live
from caltrop.host.seats import DrawnSecrets, SecureDice, key_of
from caltrop.host.shelved import Shelved
from caltrop.host.storage import StoredRow
from caltrop.host.turns import in_turn
from caltrop.journal import PERSON, Record, Setting
from caltrop.scenarios.campaigns import campaigns, half_of
from caltrop.wire.messages import (
    AnotherCourse,
    CampaignView,
    CountBattle,
    CountedBattle,
    DressMember,
    FieldBattle,
    MadeCampaign,
    MadeGame,
    MadeSeat,
    NewCampaign,
    NewGame,
    PlayedBattle,
)


class Begun(msgspec.Struct, frozen=True, kw_only=True):
    """Event that says that a battle of a campaign was made."""

    game: str


class _OfRuleset(msgspec.Struct):
    ruleset: str


class Owned(msgspec.Struct, frozen=True, kw_only=True):
    """Event that links a secret with a campaign; the event's key is the hash of the secret."""


class _StoredCampaign(msgspec.Struct, frozen=True):
    id: str
    seq: int
    """Number of the campaign's last event."""
    half: Half[Any, Setting, Record]
    value: Any
    playing: str | None
    """Name of the game of the present battle, which has not been counted yet."""
    done: bool
    """True if the request had been carried out before; the campaign is then shown as it was at that time."""


def _key(id: str) -> str:
    """Return the key of a campaign's events; no game has a key of this form."""
    return f"c:{id[:30]}"


def _owner(seq: int, token: str) -> StoredRow:
    return StoredRow(seq, "owner", msgspec.json.encode(Owned()), key_of(token))


def _opens(rows: Sequence[StoredRow], token: str) -> bool:
    key = key_of(token)
    return any(row.kind == "owner" and row.key == key for row in rows)


def _read(id: str, rows: Sequence[StoredRow], drawn: DrawnSecrets | None) -> _StoredCampaign:
    """Return a campaign from its events; for the parameters and errors see `ServerCampaigns._find`."""
    key = None if drawn is None else key_of(drawn.secret())
    end = next((i for i, row in enumerate(rows) if key is not None and row.key == key), len(rows))
    before = rows[:end]
    texts = [row for row in before if row.kind == "campaign"]
    try:
        last = texts[-1]
        text = last.body.decode()
        battles = [row for row in before[before.index(last) :] if row.kind == "battle"]
        playing = msgspec.json.decode(battles[-1].body, type=Begun).game if battles else None
    except (IndexError, UnicodeDecodeError, msgspec.DecodeError) as error:
        raise DamagedGame("its last state cannot be read") from error
    try:
        ruleset = msgspec.json.decode(last.body, type=_OfRuleset).ruleset
    except msgspec.DecodeError as error:
        raise DamagedGame("its last state cannot be read") from error
    if ruleset not in rulesets():
        raise NoRules(ruleset)
    half = half_of(last.body)
    return _StoredCampaign(id, before[-1].seq, half, half.campaign_file(text), playing, end < len(rows))


class ServerCampaigns:
    def __init__(self, games: Games) -> None:
        self.games = games

    async def _rows(self, id: str) -> list[StoredRow]:
        rows = await self.games.stored(_key(id))
        if not rows:
            raise refused("not-found", "There is no such campaign here")
        return rows

    async def _find(self, id: str, tokens: Sequence[str], drawn: DrawnSecrets | None = None) -> _StoredCampaign:
        """Return a campaign, for the player who leads it.

        Raises Refused when there is no such campaign, or none of the secrets opens it; or Damaged when the campaign
        cannot be read.
        """
        rows = await self._rows(id)
        if not any(_opens(rows, token) for token in tokens):
            raise refused("wrong-token", "This link does not open the campaign: its secret is missing or wrong")

        return await in_turn(_read, id, rows, drawn)

    async def _store(
        self, campaign: _StoredCampaign, kind: str, body: bytes, drawn: DrawnSecrets | None = None
    ) -> None:
        """Add an event after the last known event, unless the request was already done.

        Raises Refused if another event was added in the meantime.
        """
        if campaign.done:
            return
        key = None if drawn is None else key_of(drawn.secret())
        try:
            await self._add(campaign.id, [StoredRow(campaign.seq + 1, kind, body, key)])
        except Refused:  # an earlier event may come from the same request, whose answer was lost
            if key is None or all(row.key != key for row in await self._rows(campaign.id)):
                raise

    async def _add(self, id: str, rows: Sequence[StoredRow]) -> None:
        try:
            await self.games.store(_key(id), rows)
        except IntegrityError:
            raise refused("goes-on", "The campaign has changed in the meantime; load it again") from None

    async def begin(self, request: NewCampaign, drawn: DrawnSecrets) -> MadeCampaign:
        """Begin a campaign and return it with its secret. Raises InputError for an unknown or unsuitable value.

        Args:
            drawn: Name and secret of the new campaign. A campaign that was begun with them is returned again.
        """
        half, id = campaigns(request.ruleset), drawn.name()
        if request.army is not None:
            ruleset = self.games.library.find(request.ruleset)
            self.games.library.check(ruleset, ruleset.scenarios()[0].id, [request.army])
        title = " ".join(request.title.split())[:60]
        if not title:
            raise InputError("a campaign has a title", field="title")
        made = await in_turn(
            lambda: half.begin(
                title, SecureDice(), id=id, army=request.army, rules=request.rules, course=request.course
            )
        )
        return await self._keep(drawn, half.encoded_campaign(made))

    async def _keep(self, drawn: DrawnSecrets, text: bytes) -> MadeCampaign:
        id, token = drawn.name(), drawn.secret()
        try:
            # The campaign's own secret comes first. A server without such secrets stored no event before the campaign.
            await self._add(id, [_owner(1, token), StoredRow(2, "campaign", text)])
        except Refused:
            if not _opens(await self._rows(id), token):
                raise
        return MadeCampaign(campaign=id, token=token)

    async def claim(self, id: str, tokens: Sequence[str], drawn: DrawnSecrets) -> MadeCampaign:
        """Give a secret to the leader of an old campaign, for which its name was enough.

        The leader's name appears in the records of the battles, and so proves nothing. The proof is the secret of a
        seat in one of the campaign's battles, which only the leader has. Before the first battle nobody else knows the
        campaign's name, so the name is enough once. Raises Refused without a proof.

        Args:
            drawn: The new secret of the campaign. Nothing is changed if the secret already opens the campaign.
        """
        rows, token = await self._rows(id), drawn.secret()
        if _opens(rows, token):
            return MadeCampaign(campaign=id, token=token)
        first = next((i for i, row in enumerate(rows) if row.kind == "owner"), len(rows))
        before = rows[:first]
        fought = [msgspec.json.decode(row.body, type=Begun).game for row in before if row.kind == "battle"]
        presented = {key_of(token) for token in tokens}
        proven = False
        for game in fought:
            events = await self.games.stored(game)
            proven = proven or any(row.kind == "seat" and row.key in presented for row in events)
        if before and not fought and first == len(rows):
            proven = not await self.games.names(id)
        if not proven:
            raise refused("wrong-token", "A link to a seat in one of its battles is needed to open this campaign")
        await self._add(id, [_owner(rows[-1].seq + 1, token)])
        return MadeCampaign(campaign=id, token=token)

    async def take_in(self, text: bytes, drawn: DrawnSecrets) -> MadeCampaign:
        """Import a campaign from its file; the answer contains the new secret of the campaign.

        Raises InputError for an invalid or inconsistent file.

        Args:
            drawn: Name and secret, as in `begin`.
        """
        half = half_of(text)
        read = await in_turn(half.campaign_file, text.decode())
        return await self._keep(drawn, half.encoded_campaign(read))

    async def look(self, id: str, tokens: Sequence[str]) -> CampaignView:
        campaign = await self._find(id, tokens)
        shown = await in_turn(campaign.half.overview, campaign.value)
        live = await self._live(campaign)
        playing = None if live is None else PlayedBattle(game=live.game.id, over=live.game.over is not None)
        return CampaignView(id=id, overview=shown, playing=playing)

    async def _live(self, campaign: _StoredCampaign) -> Live | None:
        if campaign.playing is None:
            return None
        try:
            live = await self.games.look(campaign.playing)
        except (NoSuchGame, CannotContinue):
            return None
        # The result of the battle is computed by replaying it.
        return None if isinstance(live.game, Shelved) else live

    async def file(self, id: str, tokens: Sequence[str]) -> bytes:
        campaign = await self._find(id, tokens)
        return campaign.half.encoded_campaign(campaign.value)

    async def go_on(self, id: str, tokens: Sequence[str], request: AnotherCourse, drawn: DrawnSecrets) -> CampaignView:
        """Continue with the same roster after the campaign is over.

        Raises InputError when a battle is still to be fought, or the course does not exist.

        Args:
            drawn: A secret. A repeated request with the same secret has no effect.
        """
        campaign = await self._find(id, tokens, drawn)
        after = await in_turn(campaign.half.go_on, campaign.value, request.course)
        await self._store(campaign, "campaign", campaign.half.encoded_campaign(after), drawn)
        return await self.look(id, tokens)

    async def dress(self, id: str, tokens: Sequence[str], request: DressMember) -> CampaignView:
        """Give a member of the roster a name, a cloak or a battle cry.

        Raises:
            Refused: during a battle, whose record uses the old names.
            InputError: when there is no member of that name, or a value is invalid.
        """
        campaign = await self._find(id, tokens)
        if await self._live(campaign) is not None:
            raise refused(
                "battle-goes-on", "Names and cloaks can be changed again once the battle of this campaign is counted"
            )
        dress = Dress(name=request.name, cloak=request.cloak, saying=request.saying, player=request.player)
        after = await in_turn(campaign.half.dressed, campaign.value, request.who, dress)
        await self._store(campaign, "campaign", campaign.half.encoded_campaign(after))
        return await self.look(id, tokens)

    async def battle(self, id: str, tokens: Sequence[str], request: FieldBattle, drawn: DrawnSecrets) -> MadeGame:
        """Make the next battle.

        Raises Refused if a battle is in progress, or InputError if the campaign is over or a member cannot fight.
        """
        campaign = await self._find(id, tokens, drawn)
        if campaign.done:
            return await self.games.made_before(drawn)
        if await self._live(campaign) is not None:
            raise refused("battle-goes-on", "A battle of this campaign is being played; end it, or give it up, first")
        setting = await in_turn(campaign.half.next_battle, campaign.value, request.fielded)
        made = await self.games.make(
            NewGame(
                ruleset=setting.ruleset,
                edition=setting.edition,
                scenario=setting.scenario,
                armies=setting.armies,
                size=setting.size,
                rules=setting.rules,
                friendly=False,
                seats=(PERSON, PERSON) if request.friend else (),
                invited=(1,) if request.friend else (),
            ),
            drawn,
        )
        await self._store(campaign, "battle", msgspec.json.encode(Begun(game=made.game)), drawn)
        return made

    async def seat(self, id: str, tokens: Sequence[str], drawn: DrawnSecrets) -> MadeSeat:
        """Return an additional secret for the roster's seat in the current battle.

        Two people who lead a campaign together have a secret each, and share the seat. Raises Refused if no battle is
        being played.

        Args:
            drawn: The new secret of the seat. Nothing is changed if the secret already opens the seat.
        """
        live = await self._played(await self._find(id, tokens))
        return await self.games.seating.share(live, 0, drawn)

    async def _played(self, campaign: _StoredCampaign) -> Live:
        live = await self._live(campaign)
        if live is None:
            raise refused("no-battle", "No battle of this campaign is being played")
        return live

    async def give_up(self, id: str, tokens: Sequence[str]) -> CampaignView:
        live = await self._played(await self._find(id, tokens))
        if live.game.over is None:
            # Only the leader of the campaign may give the battle up, because the browser with the seat's own secret may
            # be lost.
            await self.games.acts.resign(live, 0)
        return await self.look(id, tokens)

    async def count(self, id: str, tokens: Sequence[str], request: CountBattle, drawn: DrawnSecrets) -> CountedBattle:
        """Return the accounting of the battle, and store it on request.

        Raises Refused when there is no battle, or the battle is in progress; or InputError for invalid answers.

        Args:
            drawn: A secret. A repeated request with the same secret counts the battle once.
        """
        campaign = await self._find(id, tokens, drawn)
        live = await self._played(campaign)
        if live.game.over is None:
            raise refused("battle-goes-on", "This battle is not over: play it to its end, or give it up")
        if live.game.kept_back:  # hidden parts of the battle are known then
            await self.games.acts.show_all(live, live.game.setup.seats.index(PERSON))
        record = await self.games.questions.record(live, None)
        counted = await in_turn(campaign.half.counted, campaign.value, record, request.answers)
        if request.store:
            await self._store(campaign, "campaign", campaign.half.encoded_campaign(counted.campaign), drawn)
        return CountedBattle(
            battle=counted.battle,
            questions=counted.questions,
            overview=await in_turn(campaign.half.overview, counted.campaign),
        )
