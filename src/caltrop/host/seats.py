"""Seats of a game: their secrets, the server's dice, and computer players."""

from __future__ import annotations

import base64
import difflib
import hashlib
import secrets
from collections.abc import Sequence

from caltrop.agreeing import agreeing, quantity
from caltrop.chance import Pool, Roll
from caltrop.engine import Ruleset, State, ruleset, rulesets
from caltrop.engine.packs import Pack
from caltrop.errors import InputError
from caltrop.players import Level, Player, levels, playable, player, players
from caltrop.roster import is_text

AUTOMATED = "rules"
"""The player of a side that the rules move, and that is never asked."""

TEXT = 65_536
"""Largest length of a scenario or an army list in characters; supplied files have some thousand."""

_EASY_FIRST = ("recruit", "random")


class SecureDice:
    """Dice from the system's source of randomness, without a seed that could be revealed, stored or guessed."""

    __slots__ = ()

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        return tuple(secrets.randbelow(pool.sides) + 1 for _ in range(pool.count))

    def below(self, n: int) -> int:
        """Return a uniform whole number from 0 to n - 1."""
        return secrets.randbelow(n)


_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters of names, without letters that look alike."""


class DrawnSecrets:
    """The name and the secrets of a new game, campaign or tournament.

    The same key always gives the same secrets, so that a repeated request gets the same answer.

    Args:
        key: A secret of the client; by default a random secret.
        what: The kind of thing that gets the secrets. For another kind, the same key gives other secrets.
    """

    def __init__(self, key: str | None = None, what: str = "") -> None:
        self._key, self._what = (key or new_token()).encode(), what

    def name(self) -> str:
        """Return a name that cannot be guessed and does not reveal the key."""
        number = int.from_bytes(self._hash("name"))
        letters = []
        for _ in range(12):
            number, letter = divmod(number, len(_LETTERS))
            letters.append(_LETTERS[letter])
        return "".join(letters)

    def secret(self, number: int = 0) -> str:
        """Return the secret of a number, which reveals neither the key nor other secrets."""
        return base64.urlsafe_b64encode(self._hash(f"secret {number}")).decode()

    def _hash(self, what: str) -> bytes:
        return hashlib.blake2b(f"{what} {self._what}".encode(), key=self._key, digest_size=24).digest()


def new_id() -> str:
    return DrawnSecrets().name()


def new_token() -> str:
    return secrets.token_urlsafe(24)


class PersonKey(str):
    """The key for all seats of a person, which their browsers open.

    The server makes it from the person's id. No secret hashes to it, because hashes have no colon.
    """

    __slots__ = ()

    @classmethod
    def of(cls, person: str) -> PersonKey:
        return cls(f"p:{person}")


def key_of(token: str) -> str:
    """Return the stored form of a secret: a one-way hash."""
    if isinstance(token, PersonKey):
        return str(token)
    return hashlib.sha256(token.encode()).hexdigest()


def seated(ruleset: Ruleset, t: State, named: Sequence[str]) -> tuple[str, ...]:
    """Return the player of each side: the named player, or the rules.

    Raises ValueError for another number of players.

    Args:
        named: The player of each side with a player, or of every side. Names for sides that the rules move are ignored.
    """
    sides, automated = len(ruleset.depict(t, None).seats), ruleset.automated(t)
    played = [side for side in range(sides) if side not in automated]
    if len(named) not in (len(played), sides):
        given = f"{len(named)} {agreeing(len(named), 'was')} given"
        raise ValueError(f"this game has {quantity(len(played), 'seat')}, and {given}")
    who = dict(zip(played if len(named) == len(played) else range(sides), named, strict=True))
    return tuple([AUTOMATED if side in automated else who[side] for side in range(sides)])


class ServerLibrary:
    """The games and players that a server offers.

    Args:
        files: Additional files of scenarios and armies that may be played. No other file that a client names is ever
            opened.
        text: Largest length of a scenario or an army that is given as a text.
    """

    def __init__(self, files: Sequence[str] = (), text: int = TEXT) -> None:
        self.files, self.text = tuple(files), text

    def check(self, ruleset: Ruleset, scenario: str, armies: Sequence[str], pack: Pack | None = None) -> None:
        """Raise an error for a scenario or an army that is neither in the game, nor in the pack, nor given as a text.

        Raises:
            InputError: the message names the nearest existing name.
        """
        names = {"scenario": [s.id for s in ruleset.scenarios()], "army": [a.id for a in ruleset.armies()]}
        if pack is not None:
            names["scenario"] += pack.file.scenarios
            names["army"] += pack.file.armies
        for kind, name in (("scenario", scenario), *(("army", army) for army in armies)):
            if name not in names[kind] and name not in self.files and not is_text(name):
                near = difflib.get_close_matches(name[:80], names[kind], 1, 0.4) or names[kind][:1]
                hint = f"; did you mean {near[0]}?" if near else ""
                raise InputError(f"{ruleset.name} has no {kind} {name[:80]!r}{hint}")
            if len(name) > self.text:
                raise InputError(
                    f"the text of a {kind} has at most {self.text} characters here; this one has {len(name)}"
                )

    def names(self) -> Sequence[str]:
        return rulesets()

    def find(self, name: str) -> Ruleset:
        """Return the game called *name*. Raises ValueError when there is no such game."""
        return ruleset(name)

    def players(self, name: str) -> Sequence[str]:
        return players(name)

    def playable(self, name: str) -> Sequence[str]:
        """Return all names of the players, including other names and styles."""
        return dict.fromkeys([*self.players(name), *playable(name)])  # type: ignore[return-value]

    def levels(self, name: str) -> Sequence[Level]:
        """Return the computer players of a game with their styles and records."""
        by_name = {level.name: level for level in levels(name)}
        return [by_name.get(player) or Level(player, "") for player in self.players(name)]

    def usual_player(self, name: str) -> str:
        """Return the computer player to begin against."""
        names = self.players(name)
        return next((p for p in _EASY_FIRST if p in names), names[0])

    def player(self, name: str, game: str) -> Player:
        """Return a computer player for one seat of one game. Raises ValueError when no player has that name."""
        return player(name, game)
