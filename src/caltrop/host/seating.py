"""The seats of a table: how they are shared, claimed, renewed, given to somebody else, or left to a computer player."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from caltrop.errors import InputError
from caltrop.host.faults import refused
from caltrop.host.game import HostedGame
from caltrop.host.live import Changing, Live
from caltrop.host.seats import DrawnSecrets, PersonKey, ServerLibrary, key_of, new_token
from caltrop.host.storage import StoredRow
from caltrop.journal import PERSON
from caltrop.wire.messages import AwaitedBack, Done, MadeSeat

RENEW_SECONDS = 15 * 60
"""Seconds for a player to return before their seat is given to somebody else."""

SHARED = 8
"""Largest number of secrets for one seat."""


class Seating:
    """The seats of all games of a database, and their people.

    Every method returns once the change is stored. If a method raises Refused, nothing has changed.

    Args:
        change: Function that changes a game.
        today: Function that returns the seconds since 1970.
    """

    def __init__(self, change: Changing, library: ServerLibrary, today: Callable[[], float]) -> None:
        self.change, self.library, self.today = change, library, today

    async def share(self, live: Live, side: int, drawn: DrawnSecrets | None = None) -> MadeSeat:
        """Give a seat an additional secret for another person who shares it.

        Raises Refused if the seat has too many secrets.

        Args:
            drawn: The secret. The additional secret. Nothing is changed if the secret already opens the seat.
        """
        token = (drawn or DrawnSecrets()).secret()

        def play(game: HostedGame) -> list[StoredRow]:
            if game.keys.get(key_of(token)) == side:
                return []
            if sum(1 for of in game.keys.values() if of == side) >= SHARED:
                raise refused("too-many", f"{SHARED} have this seat already")
            return [game.share(side, key_of(token))]

        await self.change(live, play)
        return MadeSeat(side=side, player=PERSON, token=token)

    async def claim(self, live: Live, side: int, presented: Sequence[str], token: str | None = None) -> MadeSeat:
        """Give a seat a new secret for a player who came by its link. The old secret no longer works.

        Raises Refused when none of the secrets opens the seat, for instance because somebody else has used the link.

        Args:
            token: The new secret, if the player's page has made it.
        """
        token = token or new_token()

        def play(game: HostedGame) -> StoredRow:
            if all(game.keys.get(key_of(one)) != side for one in presented):
                raise refused("wrong-token", "This link does not open a seat of this game: somebody else sits there")
            if key_of(token) in game.keys or key_of(token) in game.lapsed:
                raise refused("wrong-value", "This secret is already in use; make a new one")
            return game.claim(side, key_of(token))

        await self.change(live, play)
        await live.lose((side,), lambda looker: True, for_good=True)
        live.tell_presence()
        return MadeSeat(side=side, player=PERSON, token=token)

    async def attach(self, live: Live, side: int, person: PersonKey, name: str = "") -> None:
        """Link a seat with a person, so that all browsers of the person have the seat.

        Raises Refused if the person has another seat of this game, or too many people share this seat.

        Args:
            name: Name of the person, if the seat has no name yet.
        """

        def play(game: HostedGame) -> list[StoredRow]:
            if game.keys.get(person, side) != side:
                raise refused("so-already", "You have another seat of this game; it has one seat for a person")
            if person in game.keys:
                return []
            if len(game.persons(side)) >= SHARED:
                raise refused("too-many", f"{SHARED} have this seat already")
            return [game.share(side, person), *_called(game, side, name)]

        await self.change(live, play)

    async def take(self, live: Live, side: int, person: PersonKey, name: str = "") -> None:
        """Give a free seat to a person; for the parameters see `attach`.

        Raises Refused if the seat is taken, or the person has another seat.
        """

        def play(game: HostedGame) -> list[StoredRow]:
            if game.keys.get(person) == side:
                return []
            if game.over is not None or side not in game.people.awaited:
                raise refused("so-already", "Somebody else sits there already")
            if person in game.keys:
                raise refused("so-already", "You have another seat of this game; it has one seat for a person")
            return [game.claim(side, person), *_called(game, side, name)]

        await self.change(live, play)
        await live.lose((side,), lambda looker: True, for_good=True)
        live.tell_presence()

    async def renew(self, live: Live, by: Sequence[int], side: int, drawn: DrawnSecrets) -> MadeSeat | AwaitedBack:
        """Invite somebody else to a seat whose player is away. The player first gets time to come back.

        Returns the invitation; or the time in which its player may come back. Raises Refused when the seat may not be
        given to somebody else, for instance because its player is here.

        Args:
            drawn: The invitation. The new secret. Nothing is changed if the secret already opens the seat.
        """
        token, wait = drawn.secret(), 0

        def play(game: HostedGame) -> list[StoredRow]:
            nonlocal wait
            if game.over is not None:
                raise refused("over", f"The game is over: {game.over.reason}")
            if game.keys.get(key_of(token)) == side:
                return []
            game.people.check_host(by, side)
            if any(side in looker.sides for looker in live.lookers):
                raise refused("is-here", "The player of this seat is at the table")
            _, after = game.people.renewals.get(side, (0, None))
            now = int(self.today())
            if side in game.people.awaited or (after is not None and now >= after):
                return [game.renew(by, side, key_of(token))]
            wait = RENEW_SECONDS if after is None else after - now
            return [] if after is not None else [game.ask_renewal(by, side, now + RENEW_SECONDS)]

        await self.change(live, play, plays=False)
        return (
            AwaitedBack(side=side, wait=wait) if wait else MadeSeat(side=side, player=PERSON, token=token, invited=True)
        )

    async def lose(self, live: Live, by: Sequence[int], side: int) -> Done:
        """End the game as a loss for a side whose player has gone. Raises the errors of `HostedGame.check_late`."""
        return Done(seq=await self.change(live, lambda game: game.lose(by, side)))

    async def replace(self, live: Live, by: Sequence[int], side: int, player: str) -> Done:
        """Let a computer player replace a player who has left.

        Raises Refused as `HostedGame.check_late` does, or InputError when there is no such player.
        """
        names = self.library.playable(live.game.setup.ruleset)
        if player not in names:
            raise InputError(f"there is no player {player!r}; there are {', '.join(names)}", field="player")
        done = Done(seq=await self.change(live, lambda game: game.replace(by, side, player)))
        await live.lose((side,), lambda looker: True, for_good=True)
        live.tell_presence()
        return done

    async def give(self, live: Live, by: Sequence[int], side: int, drawn: DrawnSecrets) -> MadeSeat:
        """Invite somebody else to the seat of a player who has gone. Raises Refused as `HostedGame.check_late` does.

        Args:
            drawn: The invitation. The new secret. Nothing is changed if the secret already opens the seat.
        """
        token = drawn.secret()

        def play(game: HostedGame) -> list[StoredRow]:
            return [] if game.keys.get(key_of(token)) == side else [game.give(by, side, key_of(token))]

        await self.change(live, play)
        await live.lose((side,), lambda looker: True, for_good=True)
        live.tell_presence()
        return MadeSeat(side=side, player=PERSON, token=token, invited=True)

    async def come_back(self, live: Live, sides: Sequence[int]) -> None:
        """Record that the players of some seats have returned and keep them."""

        def play(game: HostedGame) -> list[StoredRow]:
            waited_for = [side for side in sides if game.people.renewals.get(side, (0, None))[1] is not None]
            return [game.come_back(side) for side in waited_for]

        if any(live.game.people.renewals.get(side, (0, None))[1] is not None for side in sides):
            await self.change(live, play)


def _called(game: HostedGame, side: int, name: str) -> list[StoredRow]:
    return [] if not name or game.people.names.get(side) else [game.call(side, name)]
