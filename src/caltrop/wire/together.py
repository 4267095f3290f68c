"""Messages about people beyond one game: their identity, their notices, and ways to find somebody to play with.

A new field of a message needs a default, so that messages of older clients stay valid. `docs/together.md` describes
these messages.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from caltrop.wire.messages import NewGame
from caltrop.wire.view import ClockRule

Way = Literal["push", "hook", "mail"]


class Sent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a request."""


class BeSomebody(Sent, frozen=True):
    """A request to become a person, or to change the person's name."""

    name: str
    browser: str = ""
    """The person's name for this browser."""


class CarryOver(Sent, frozen=True):
    """A request to add this browser to the person who made a code."""

    code: str
    browser: str = ""


class GivePasskey(Sent, frozen=True):
    """A passkey of a browser, new or existing."""

    credential: dict[str, Any]
    browser: str = ""
    """Name of the browser that signs in with the passkey."""


class ForgetBrowser(Sent, frozen=True):
    """A request to remove a browser from this person."""

    browser: str


class AddPush(Sent, frozen=True):
    """A request to send web push to this browser."""

    endpoint: str
    p256dh: str
    auth: str


class DropPush(Sent, frozen=True):
    """A request to send no more web push to a browser."""

    endpoint: str


class SetHook(Sent, frozen=True):
    """A request to post notices to an address; an empty address stops them."""

    url: str


class SetMail(Sent, frozen=True):
    """A request to send notices by e-mail; an empty address stops them."""

    address: str


class ConfirmMail(Sent, frozen=True):
    """A request to confirm an e-mail address."""

    code: str


class StopMail(Sent, frozen=True):
    """A request to stop the mails to a person, with the key from a mail."""

    stop: str


class ChooseWays(Sent, frozen=True):
    """A request to choose the ways of notices about a game; null for all ways."""

    ways: tuple[Way, ...] | None


class BrowserView(msgspec.Struct, frozen=True, kw_only=True):
    """One of a person's browsers."""

    id: str
    words: str
    here: bool
    """True for the browser that sent the request."""


class HookView(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook."""

    url: str
    secret: str
    """Secret with which posts to the webhook are signed."""


class MailView(msgspec.Struct, frozen=True, kw_only=True):
    """An e-mail address for notices."""

    address: str
    confirmed: bool


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """A person's own data."""

    person: str
    name: str
    bot: bool
    browsers: tuple[BrowserView, ...]
    ways: tuple[Way, ...]
    """The kinds of notices that this server supports."""
    vapid: str
    """The server's public key for web push; empty without web push."""
    pushes: tuple[str, ...]
    """The addresses of the browsers that receive web push."""
    hook: HookView | None
    mail: MailView | None
    passkeys: int | None = None
    """Number of the person's passkeys; null if the server does not support passkeys."""


class CodeView(msgspec.Struct, frozen=True, kw_only=True):
    """A code that adds another browser to a person."""

    code: str
    seconds: int


class WaysView(msgspec.Struct, frozen=True, kw_only=True):
    """A person's notices about one game."""

    ways: tuple[Way, ...] | None
    may: tuple[Way, ...]
    """The ways of notices that the person has set up."""


class OfferSeat(Sent, frozen=True):
    """A request to make a game with a seat that anybody may take."""

    new: NewGame
    words: str = ""


class Befriend(Sent, frozen=True):
    """A request to add or remove a friend."""

    on: bool = True


class KeepApart(Sent, frozen=True):
    """A request to block a person from pairings and messages, or to undo that."""

    blocked: bool | None = None
    muted: bool | None = None


class InviteFriend(Sent, frozen=True):
    """A request to reserve a seat for a friend."""

    person: str
    side: int


class Complain(Sent, frozen=True):
    """A complaint about a person's conduct, for the host of the server."""

    words: str
    game: str = ""


class StrengthView(msgspec.Struct, frozen=True, kw_only=True):
    """A person's strength in a game."""

    ruleset: str
    rating: int
    deviation: int
    """Standard deviation of the rating: the true strength is within this distance with a probability of two thirds."""
    games: int


class PersonView(msgspec.Struct, frozen=True, kw_only=True):
    """A person as other people see them."""

    person: str
    name: str
    bot: bool = False
    here: bool = False
    """True if the person is looking at a game; shown only to friends."""
    ratings: tuple[StrengthView, ...] = ()


class SeatPerson(msgspec.Struct, frozen=True, kw_only=True):
    """The person of a seat."""

    side: int
    person: PersonView
    blocked: bool = False
    """True if the asker has blocked this person."""
    muted: bool = False
    """True if the asker has muted this person."""


class PeopleView(msgspec.Struct, frozen=True, kw_only=True):
    """The people of a game, for its players."""

    people: tuple[SeatPerson, ...]
    rated: bool
    unrated: str
    """Reason why the game does not count for ratings; empty if it counts, or if it was not to be rated."""


class OpeningView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that anybody may take."""

    game: str
    ruleset: str
    title: str
    scenario: str
    """The name of the battle."""
    side: int
    words: str
    clock: ClockRule | None
    live: bool
    """True if the people play at the same time."""
    rated: bool
    host: PersonView
    here: bool
    own: bool


class OpeningsView(msgspec.Struct, frozen=True, kw_only=True):
    """All seats that anybody may take."""

    openings: tuple[OpeningView, ...]


class TakenSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that now belongs to the asker. The key of the asker's browser opens it."""

    game: str
    side: int
    ruleset: str
    title: str


class QueueView(msgspec.Struct, frozen=True, kw_only=True):
    """A person's place in the queue for an opponent of about their strength."""

    waiting: bool
    seconds: int = 0
    others: int = 0
    """Number of other people in the queue."""
    seat: TakenSeat | None = None


class InvitationView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that a friend has reserved."""

    game: str
    side: int
    ruleset: str
    title: str
    by: str


class FriendsView(msgspec.Struct, frozen=True, kw_only=True):
    """A person's friends, with open requests from and to them."""

    friends: tuple[PersonView, ...]
    asked: tuple[PersonView, ...]
    asking: tuple[PersonView, ...]
    invitations: tuple[InvitationView, ...]


class RatingsView(msgspec.Struct, frozen=True, kw_only=True):
    """The strongest people of a game."""

    people: tuple[PersonView, ...]


class MakeClub(Sent, frozen=True):
    """Make a club."""

    name: str
    words: str = ""


class TakeOut(Sent, frozen=True):
    """A request to remove a member from a club; by default the asker."""

    person: str | None = None


class PlanTournament(Sent, frozen=True):
    """A request to plan a tournament of a club."""

    name: str
    form: Literal["swiss", "all"]
    new: NewGame
    rounds: int = 0
    """Number of rounds in the Swiss system. The number is ignored if everybody meets everybody."""
    days: float = 0.0
    """Days for each round, at most 60; 0 for no limit. If a round ends during a game, the side that must act loses."""


class DecideGame(Sent, frozen=True):
    """A request to decide an unfinished game of a tournament."""

    game: str
    score: float | None
    """Points of the first player: 1, 0.5 or 0; null if nobody gets points."""


class EnterTournament(Sent, frozen=True):
    """A request to enter a tournament or to leave it."""

    on: bool = True


class ResultView(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a person's games in the tournaments of a club."""

    person: PersonView
    wins: int
    draws: int
    losses: int


class TournamentEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament in the list of a club."""

    id: str
    name: str
    form: Literal["swiss", "all"]
    title: str
    """The game and the scenario in words."""
    players: int
    stage: Literal["open", "going", "over"]


class ClubEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A club in the list of all."""

    id: str
    name: str
    words: str
    members: int


class ClubsView(msgspec.Struct, frozen=True, kw_only=True):
    """All clubs."""

    clubs: tuple[ClubEntry, ...]


class ClubView(msgspec.Struct, frozen=True, kw_only=True):
    """A club."""

    id: str
    name: str
    words: str
    owner: str
    members: tuple[PersonView, ...]
    results: tuple[ResultView, ...]
    tournaments: tuple[TournamentEntry, ...]
    member: bool
    """True if the asker is a member of the club."""


class PairingView(msgspec.Struct, frozen=True, kw_only=True):
    """A game of a tournament."""

    people: tuple[str, str]
    """Ids of the two players; the second is empty for a round without an opponent."""
    game: str
    score: float | None
    """Points of the first player; null during the game, and if nobody gets points."""
    by: Literal["", "host", "server", "time"] = ""
    """Reason for an early end: the host's decision, the server that closed the game, or the end of the round."""


class StandingView(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the table of a tournament."""

    person: PersonView
    points: float
    against: float
    """The sum of the opponents' points, which decides between players with equal points."""
    gone: bool


class TournamentView(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament."""

    entry: TournamentEntry
    club: str
    owner: str
    length: int
    """Number of rounds; 0 if unknown before the start."""
    table: tuple[StandingView, ...]
    rounds: tuple[tuple[PairingView, ...], ...]
    days: float = 0.0
    """Days for each round; 0 for no limit."""
    due: str = ""
    """End of the current round, in UTC; empty for no limit."""
