"""Messages about people beyond one game: their identity, their notices, and ways to find somebody to play with.

A new field has a default, so that older clients are still understood. `docs/together.md` describes all of it.
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
    """Be a person, or be called otherwise."""

    name: str
    browser: str = ""
    """The words by which the person knows this browser."""


class CarryOver(Sent, frozen=True):
    """Be the person who has drawn a code at another browser."""

    code: str
    browser: str = ""


class GivePasskey(Sent, frozen=True):
    """A passkey as a browser gives it, made or found."""

    credential: dict[str, Any]
    browser: str = ""
    """Name of the browser that signs in."""


class ForgetBrowser(Sent, frozen=True):
    """Have another browser be somebody of this person no more."""

    browser: str


class AddPush(Sent, frozen=True):
    """Have this browser receive web push."""

    endpoint: str
    p256dh: str
    auth: str


class DropPush(Sent, frozen=True):
    """Have a browser receive web push no more."""

    endpoint: str


class SetHook(Sent, frozen=True):
    """Have notices posted to an address; an empty one ends that."""

    url: str


class SetMail(Sent, frozen=True):
    """Have notices sent by e-mail; an empty address ends that."""

    address: str


class ConfirmMail(Sent, frozen=True):
    """Confirm an address for e-mail."""

    code: str


class StopMail(Sent, frozen=True):
    """End the mails to somebody, by the key of such a mail."""

    stop: str


class ChooseWays(Sent, frozen=True):
    """Choose how one hears of a game; null for all ways."""

    ways: tuple[Way, ...] | None


class BrowserView(msgspec.Struct, frozen=True, kw_only=True):
    """One of a person's browsers."""

    id: str
    words: str
    here: bool
    """True if it is the one that asks."""


class HookView(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook."""

    url: str
    secret: str
    """Secret that signs its posts."""


class MailView(msgspec.Struct, frozen=True, kw_only=True):
    """An address for e-mail."""

    address: str
    confirmed: bool


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """A person, as they see themselves."""

    person: str
    name: str
    bot: bool
    browsers: tuple[BrowserView, ...]
    ways: tuple[Way, ...]
    """The ways by which this server tells people."""
    vapid: str
    """The key that a browser subscribes to web push with; empty if there is none."""
    pushes: tuple[str, ...]
    """The addresses of the browsers that receive web push."""
    hook: HookView | None
    mail: MailView | None
    passkeys: int | None = None
    """Number of passkeys the person has; null if the server knows none."""


class CodeView(msgspec.Struct, frozen=True, kw_only=True):
    """A code that carries a person over to another browser."""

    code: str
    seconds: int


class WaysView(msgspec.Struct, frozen=True, kw_only=True):
    """The notices that a person gets of one game."""

    ways: tuple[Way, ...] | None
    may: tuple[Way, ...]
    """The ways that the person has."""


class OfferSeat(Sent, frozen=True):
    """Make a game with a seat that anybody may take."""

    new: NewGame
    words: str = ""


class Befriend(Sent, frozen=True):
    """Have somebody as a friend, or no longer."""

    on: bool = True


class KeepApart(Sent, frozen=True):
    """Be brought together with somebody no more, or again; see nothing of what they say, or again."""

    blocked: bool | None = None
    muted: bool | None = None


class InviteFriend(Sent, frozen=True):
    """Keep a seat for a friend."""

    person: str
    side: int


class Complain(Sent, frozen=True):
    """Tell the host of the server of somebody's conduct."""

    words: str
    game: str = ""


class StrengthView(msgspec.Struct, frozen=True, kw_only=True):
    """A person's strength in a game."""

    ruleset: str
    rating: int
    deviation: int
    """Two thirds of the time the true strength is at most this many points away."""
    games: int


class PersonView(msgspec.Struct, frozen=True, kw_only=True):
    """A person, as others see them."""

    person: str
    name: str
    bot: bool = False
    here: bool = False
    """True if they look at a game now; told to friends alone."""
    ratings: tuple[StrengthView, ...] = ()


class SeatPerson(msgspec.Struct, frozen=True, kw_only=True):
    """The person of a seat."""

    side: int
    person: PersonView


class PeopleView(msgspec.Struct, frozen=True, kw_only=True):
    """The people of a game, for those who play in it."""

    people: tuple[SeatPerson, ...]
    rated: bool
    unrated: str
    """Reason why it does not count for ratings; empty if it does, or was not to."""


class OpeningView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that anybody may take."""

    game: str
    ruleset: str
    title: str
    scenario: str
    """The name of the battle in words."""
    side: int
    words: str
    clock: ClockRule | None
    live: bool
    """True if both play at the same time."""
    rated: bool
    host: PersonView
    here: bool
    own: bool


class OpeningsView(msgspec.Struct, frozen=True, kw_only=True):
    """All seats that anybody may take."""

    openings: tuple[OpeningView, ...]


class TakenSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that is the person's from now on: the key of their browser opens it."""

    game: str
    side: int
    ruleset: str
    title: str


class QueueView(msgspec.Struct, frozen=True, kw_only=True):
    """A person's place in the queue for an opponent of about their strength."""

    waiting: bool
    seconds: int = 0
    others: int = 0
    """Number of wait besides."""
    seat: TakenSeat | None = None


class InvitationView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that a friend keeps."""

    game: str
    side: int
    ruleset: str
    title: str
    by: str


class FriendsView(msgspec.Struct, frozen=True, kw_only=True):
    """The friends of a person, those who are asked to be, and those who ask."""

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
    """Have somebody be a member of a club no more; oneself if nobody is named."""

    person: str | None = None


class PlanTournament(Sent, frozen=True):
    """Plan a tournament of a club."""

    name: str
    form: Literal["swiss", "all"]
    new: NewGame
    rounds: int = 0
    """Rounds of the Swiss system; where all meet all there are as many as it takes."""


class EnterTournament(Sent, frozen=True):
    """Enter a tournament, or leave it."""

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
    """The game and the battle in words."""
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
    """True if the one who asks is a member."""


class PairingView(msgspec.Struct, frozen=True, kw_only=True):
    """A game of a tournament."""

    people: tuple[str, str]
    """Their ids; the second is empty for a round without an opponent."""
    game: str
    score: float | None
    """Points of the first; null while it goes on."""


class StandingView(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the table of a tournament."""

    person: PersonView
    points: float
    against: float
    """The points of the opponents, which decide between equals."""
    gone: bool


class TournamentView(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament."""

    entry: TournamentEntry
    club: str
    owner: str
    length: int
    """Number of rounds there are to be; 0 if that is not known before it begins."""
    table: tuple[StandingView, ...]
    rounds: tuple[tuple[PairingView, ...], ...]
