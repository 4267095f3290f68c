"""Messages of a live connection: messages of clients, and answers other than views and changes.

A new field of a message needs a default, so that messages of older clients stay valid. The function in `server/said.py`
that answers the message fills in new fields of answers. `make generated` adds fields to the page's types and, with
their docstrings, to `docs/wire.md`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.asking import Goal, Outlook, PickedUp, Proposal, Sought, Wish
from caltrop.engine import Loud, Refusal
from caltrop.engine.campaign import Battle, Overview, Question
from caltrop.engine.forecast import AttacksInOrder, Forecast
from caltrop.engine.form import Form
from caltrop.engine.packs import PackFile
from caltrop.engine.parts import GroundKind
from caltrop.engine.rule import AnyAction, MaybeAction
from caltrop.errors import InputError
from caltrop.picture import Picture
from caltrop.picture.sightings import Sighting
from caltrop.players import Hint
from caltrop.wire.actions import WrongMessage, convert, read_json
from caltrop.wire.view import ClockRule, LogEntry, View

Ref = int | str | None
"""Any text that the client chooses. The answer repeats this text, so that the client can tell to which message the
answer belongs.
"""


class MessageBase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields that every message of a client may carry."""

    ref: Ref = None


class Hello(MessageBase, frozen=True, tag="hello"):
    """The first message, with the client's seats and its last received change."""

    tokens: tuple[str, ...] = ()
    """The secrets of the client's seats. An onlooker has none, and a shared screen may have several."""
    eyes: int | None = None
    """Side whose view is shown; by default the side of the first seat."""
    seen: int | None = None
    """Number of the last change that the client received, sent after a lost connection. After this change, the server
    sends the missed changes instead of a view, if it still has them.
    """
    screen: str = ""
    """A name that the page chooses for itself. A seat that another page plays moves to this page, and both pages get
    `moved`. Without a name, several connections may play a seat at once.
    """


class Answer(MessageBase, frozen=True, tag="answer"):
    """Answer a decision with an action or a wish. The `type` of an answer may be omitted."""

    decision: str
    """Id of the decision."""
    action: MaybeAction = None
    """One of the offered actions."""
    wish: Wish | None = None
    """A drag or a card. The server converts it to an action, as for `propose`, and plays that action."""
    dice: tuple[tuple[int, ...], ...] = ()
    """Faces of real dice, if the game uses real dice."""
    quietly: bool = False
    """True to play the act only if no dice are rolled, nothing is revealed, and the same side continues. If one of
    these would happen, no act is played, and the answer has the reason.
    """


class Usually(MessageBase, frozen=True, tag="usual"):
    """Give the usual answer to a decision, and to the following decisions that have a usual answer."""

    decision: str
    """Id of the decision."""
    unit: int | None = None
    """Unit that gets the usual answer; by default all units of the decision."""
    quietly: bool = False
    """True to stop before an answer that could not be played quietly, as in `answer`."""


class Ask(MessageBase, frozen=True, tag="propose"):
    """Ask for the result of a drag, or for the reason why a card cannot be played. Asking plays no act."""

    decision: str
    """Id of the decision."""
    wish: Wish
    """The drag, or the card."""
    brief: bool = False
    """True for a refusal without the nearest legal act, whose search may take a second."""


class PickUp(MessageBase, frozen=True, tag="pick-up"):
    """Ask for the surroundings of a unit, from which a client can predict every drag. Picking up plays no act."""

    decision: str
    """Id of the decision."""
    unit: int
    """Id of the unit."""
    act: str = ""
    """Kind of move, if the unit has several."""


class AskSight(MessageBase, frozen=True, tag="sight"):
    """Ask for a unit's lines of sight. Asking about sight plays no act."""

    unit: int
    """Number of the unit that looks."""
    targets: tuple[int, ...] = ()
    """Units to look at; by default all units of the other side."""
    places: dict[int, tuple[int, int]] = {}
    """Assumed places of the unit's models."""
    named: bool = False
    """True to name the obstacles for every target. With a single target they are named anyway."""
    back: bool = False
    """True to ask which other units see this unit at its present place."""


class Seek(MessageBase, frozen=True, kw_only=True, tag="seek"):
    """Ask for a move that serves a purpose. Seeking a move plays no act."""

    decision: str
    """Id of the decision."""
    unit: int
    """Number of the unit that moves."""
    act: str = ""
    """Kind of move, if the unit has several."""
    goal: Goal
    """The purpose: towards something, into range of a unit, or into cover, over a distance of at most `most`."""


class AskOdds(MessageBase, frozen=True, tag="odds"):
    """Ask for the possible results of an action. Asking for odds plays no act."""

    decision: str
    """Id of the decision."""
    action: AnyAction
    """One of the offered actions."""
    whole: bool = False
    """True to add the fates of all units in the whole act: one forecast without interruptions and one with all possible
    interruptions.
    """


class AskInOrder(MessageBase, frozen=True, tag="in-order"):
    """Ask for the fate of a target after several attackers have attacked it one after another. Asking about attackers
    plays no act.
    """

    decision: str
    """Id of the decision."""
    target: int
    """Id of the target unit."""
    action: AnyAction | None = None
    """The prepared attack on the target: one of the offered actions."""
    units: Annotated[tuple[int, ...], msgspec.Meta(max_length=12)] = ()
    """The attackers in order, after attackers whose attacks are already declared. Each makes its simplest attack,
    except the unit of `action`.
    """
    best: bool = False
    """True to search for the best order, which may take seconds."""


class AskHint(MessageBase, frozen=True, kw_only=True, tag="hint"):
    """Ask for the answer of a strong player, computed from the side's own view within seconds. Asking for a hint plays
    no act. The request is refused as `no-hints` if the game gives no hints.
    """

    decision: str
    """Id of the decision."""


class LookAhead(MessageBase, frozen=True, tag="ahead"):
    """Ask about the coming steps: the targets of units, and why they have no other targets. Asking plays no act."""

    decision: str
    """Id of the decision."""
    wish: Wish | None = None
    """A prepared drag. The forecast assumes that it is carried out."""
    target: int | None = None
    """Number of the unit to report; by default all units."""
    odds: bool = False
    """True to add the odds of each attack."""


class Eyes(MessageBase, frozen=True, tag="eyes"):
    """Show the view of another seat on a shared screen."""

    side: int | None
    """Side whose view is shown; null for the view of an onlooker."""


class Undo(MessageBase, frozen=True, tag="undo"):
    """Take back the last act of a side, if that is free."""

    side: int | None = None
    """Side of the act; by default the side whose view is shown."""


class Redo(MessageBase, frozen=True, tag="redo"):
    """Repeat the last act that a side took back, if no other act has been played since."""

    side: int | None = None
    """Side of the act; by default the side whose view is shown."""


class Takeback(MessageBase, frozen=True, tag="takeback"):
    """Ask the other side to agree that an act is taken back, or answer such a request. A computer player agrees in a
    friendly game.
    """

    side: int | None = None
    """Side that asks or answers; by default the side whose view is shown."""
    answer: bool | None = None
    """Null to ask, true or false to answer."""


class Typed(MessageBase, frozen=True, tag="dice"):
    """Enter the real dice for which the game waits."""

    faces: tuple[int, ...]
    """Faces of the dice, in order."""


class Why(MessageBase, frozen=True, tag="why"):
    """Ask for the causes of a unit's strength or marker, of a side's points, or of who holds a place.

    Exactly one of `unit`, `points` with `side`, and `spot` is given.
    """

    unit: int | None = None
    """Id of the unit."""
    token: str | None = None
    """A kind of marker of the unit; by default its strength."""
    side: int | None = None
    """Side whose points are asked about."""
    points: str | None = None
    """Label of the side's points."""
    spot: int | None = None
    """Id of the place on the table."""


class Resign(MessageBase, frozen=True, tag="resign"):
    """Give the game up for a side."""

    side: int | None = None
    """Side that resigns; by default the side whose view is shown."""


class CallMe(MessageBase, frozen=True, tag="name"):
    """Set the name of a person at the table."""

    text: str
    """The name, of at most 24 characters."""
    side: int | None = None
    """Side of the person; by default the side whose view is shown."""


class Speak(MessageBase, frozen=True, tag="talk"):
    """Send a chat message to the other people at the table."""

    text: str
    """The text, of at most 280 characters. Onlookers do not get chat messages."""
    side: int | None = None
    """Side that writes; by default the side whose view is shown."""


class Hush(MessageBase, frozen=True, tag="hush"):
    """Mute the chat for a side, or end that."""

    off: bool
    """True to mute the chat. Others cannot write to a side that has muted the chat."""
    side: int | None = None
    """Side that mutes; by default the side whose view is shown."""


class Await(MessageBase, frozen=True, tag="await"):
    """Release a seat until somebody takes it by its link, or keep the seat."""

    on: bool
    """True to release the seat, false to keep it."""
    side: int | None = None
    """Side of the seat; by default the side whose view is shown."""


class OfferDraw(MessageBase, frozen=True, tag="draw"):
    """Offer a draw, or answer an offer.

    An offer of a draw ends if the other side plays on. The side that made the offer withdraws it with `false`.
    """

    side: int | None = None
    """Side that offers or answers; by default the side whose view is shown."""
    answer: bool | None = None
    """Null to offer, true or false to answer."""


class ShowAll(MessageBase, frozen=True, tag="show-all"):
    """Show everything that was hidden, after the end of the game. After that, no act can be taken back any more."""

    side: int | None = None
    """Side that shows everything; by default the side whose view is shown."""


class Standing(MessageBase, frozen=True, tag="standing"):
    """Answer a question in the other side's turn, and give the same answer whenever the question is repeated and the
    answer is legal.
    """

    decision: str
    """Id of the decision."""
    action: AnyAction
    """One of the offered actions."""
    far: bool = False
    """True to repeat the answer only if no target is nearer than now."""


class NotStanding(MessageBase, frozen=True, tag="not-standing"):
    """Withdraw a standing answer."""

    number: int
    """Number of the standing answer."""


class Ping(MessageBase, frozen=True, tag="ping"):
    """Ask whether the server is there."""


Message = (
    Hello
    | Answer
    | Usually
    | Ask
    | PickUp
    | AskSight
    | Seek
    | AskOdds
    | AskInOrder
    | AskHint
    | LookAhead
    | Eyes
    | Undo
    | Redo
    | Takeback
    | Typed
    | Why
    | Resign
    | CallMe
    | Speak
    | Hush
    | Await
    | OfferDraw
    | ShowAll
    | Standing
    | NotStanding
    | Ping
)

_KINDS = {kind.__struct_config__.tag: kind for kind in Message.__args__}


def read_message(raw: bytes | str) -> Message:
    """Return one message of a client.

    Raises:
        WrongMessage: when the message is invalid; the error names the field and the nearest right value.
    """
    value = read_json(raw.encode() if isinstance(raw, str) else raw)
    if not isinstance(value, dict):
        raise WrongMessage("a message is an object")
    kind = value.get("type", "answer")
    if kind not in _KINDS if isinstance(kind, str) else True:
        raise WrongMessage(f"there is no message {str(kind)[:60]!r}; there are {', '.join(map(str, _KINDS))}", "type")
    message: Message = convert({"type": kind, **value}, _KINDS[kind])
    if isinstance(message, Answer) and (message.action is None) == (message.wish is None):
        raise WrongMessage("an answer has either an action or a wish", "action")
    return message


class RefusalMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="refusal"):
    """The reason why a message is refused. A refusal means that the game has not changed."""

    code: str
    """Short name of the reason. `docs/wire.md` lists the server's names; other names belong to the ruleset."""
    clause: str
    """Clause of the rulebook; empty if no clause forbids it."""
    message: str
    """The reason in words."""
    values: dict[str, Any]
    """The values in the sentence, for programs."""
    nearest: MaybeAction = None
    """The nearest legal action, or null."""
    field: str = ""
    """Field of the message that could not be read; empty if all could."""
    ref: Ref = None

    @classmethod
    def of(cls, refusal: Refusal, ref: Ref = None) -> RefusalMessage:
        """Return a refusal by the rules as a message."""
        return cls(
            code=refusal.code,
            clause=refusal.clause,
            message=refusal.message,
            values=dict(refusal.values),
            nearest=refusal.nearest,
            ref=ref,
        )

    @classmethod
    def of_fault(cls, error: InputError | WrongMessage, ref: Ref = None) -> RefusalMessage:
        """Return the refusal of a message that cannot be read, or of a wrong value in it."""
        if isinstance(error, WrongMessage):
            message = f"This message cannot be read: {error}"
            return cls(code="wrong-message", clause="", message=message, values={}, field=error.field, ref=ref)
        # The paths of the server's files do not concern clients.
        here = error.source is not None and Path(error.source).is_absolute()
        words, field = error.message if here else str(error), error.field or ""
        return cls(code="wrong-value", clause="", message=words, values=dict(error.values), field=field, ref=ref)


class Done(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="done"):
    """Acknowledgement: the message was carried out and stored. The change that the message caused was sent before."""

    seq: int
    """Number of the change."""
    ref: Ref = None
    view: View | UnsetType = UNSET
    """New view of the seat, if its request has `?view=SIDE`."""


class LoudMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="loud"):
    """Answer to an act that should be played quietly but would not be quiet. The game has not changed."""

    loud: Loud
    """The reason: a name (`why`), the number of `dice` that would be thrown first, and `words`."""
    ref: Ref = None


class ProposalMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="proposal"):
    """The result of a drag."""

    decision: str
    """Id of the decision."""
    proposal: Proposal
    """The paths, the price, and the action or the reason why no action is possible."""
    loud: Loud | None = None
    """Reason why the drag was not played, if it should have been played quietly."""
    ref: Ref = None


class PickedUpMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="picked-up"):
    """The surroundings of a unit; null if every drag must use `propose`."""

    decision: str
    """Id of the decision."""
    around: PickedUp | None
    """The surroundings of the unit."""
    ref: Ref = None


class SightMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="sight"):
    """The lines of sight of a unit. Single lines of sight are included if one target was asked about."""

    sightings: tuple[Sighting, ...]
    """Sight of each requested unit."""
    ref: Ref = None


class SoughtMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="sought"):
    """The move that serves a purpose best."""

    decision: str
    """Id of the decision."""
    sought: Sought
    """The place (`to`), the `proposal`, and in `words` how well the purpose is served."""
    ref: Ref = None


class OddsMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="odds"):
    """The possible results of an action."""

    decision: str
    """Id of the decision."""
    odds: Forecast
    """The possible results."""
    whole: tuple[Forecast, ...] = ()
    """Fates of all units, for each possible answer of the other side, if the request asked for fates."""
    loud: Loud | None = None
    """Reason why the action would not be quiet, such as dice that would be thrown; null if it would be."""
    ref: Ref = None


class InOrderMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="in-order"):
    """The fate of a target after several attackers in order."""

    decision: str
    """Id of the decision."""
    forecast: AttacksInOrder
    """The possible attackers, the odds after all attackers in the order, and the best order if it was asked for."""
    ref: Ref = None


class HintMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="hint"):
    """The answer of a strong player."""

    decision: str
    """Id of the decision."""
    hint: Hint
    """The answer, short `reasons`, and for an open choice the place of the unit's first model (`to`)."""
    ref: Ref = None


class AheadMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="ahead"):
    """The acts of the coming steps."""

    decision: str
    """Id of the decision."""
    outlook: Outlook
    """The coming questions (`coming`), and the units without a target (`aimless`)."""
    ending: Loud | None = None
    """First effect of ending the step, if the end is not quiet and the request named no target."""
    ref: Ref = None


class Led(msgspec.Struct, frozen=True, kw_only=True):
    """One link of the chain of causes: an event or a decision."""

    n: int
    """Place in the chain, from 1. Causes have lower places than their effects."""
    act: int
    """Number of the act; 0 for the opening."""
    clauses: tuple[str, ...]
    """Clauses of the step of the rulebook, or of the decision."""
    line: LogEntry | None = None
    """Line of the log; None for a decision."""
    side: int | None = None
    """Side that decided."""
    decided: str = ""
    """Words of the decision's offer, with the acting unit. For another side's decision, its first result, unless that
    is in the chain.
    """
    because: tuple[int, ...] = ()
    """Indices of the links that led to it directly."""


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """An act that changed the requested value."""

    act: int
    before: str
    after: str
    links: tuple[Led, ...]
    """Links of the chain, oldest first. The last link is the change itself."""


class BecauseMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="because"):
    """The causes of a value, the newest change first."""

    steps: tuple[Cause, ...]
    """The changes."""
    ref: Ref = None


class Presence(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="presence"):
    """The seats whose players are at the table now."""

    here: tuple[int, ...]
    """Sides of the seats whose players are at the table."""


class Moved(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="moved"):
    """A notice that seats have moved to another page. Both pages get this message. If the old page showed the view of
    such a seat, a new view follows for it.
    """

    sides: tuple[int, ...]
    """Sides of the seats that moved."""
    here: bool
    """True if the person has moved to this page, false if away from it."""
    for_good: bool = False
    """True if this page's secrets no longer open the seats."""


class ClockNow(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="clock"):
    """The remaining time of the sides.

    The message follows the first view and each change of a game with a clock. Time runs only while the game is in the
    server's memory.
    """

    left: tuple[int, ...]
    """Milliseconds left, by side."""
    running: tuple[int, ...]
    """The sides whose time runs."""


class Pong(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="pong"):
    """An answer to `ping`."""

    ref: Ref = None


class RefereeUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit on a real table."""

    id: int
    side: int
    name: str
    strength: int
    """The unit's models, or points of strength, at the beginning."""
    stats: tuple[tuple[str, str], ...]
    """Numbers of the unit, as pairs of a label and a value."""


class KitFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file with which a browser runs the rules by itself."""

    path: str
    """Address of the file on the server, which changes with its contents."""
    size: int
    """Size of the file in bytes."""
    sent: int
    """Number of bytes that are sent for the file, since it is compressed."""


class RefereeKit(msgspec.Struct, frozen=True, kw_only=True):
    """The files with which the referee's page settles attacks without a network."""

    files: tuple[KitFile, ...]
    """Files of a Python for browsers, then the rules as an archive; empty if the client is not built."""
    games: tuple[str, ...]
    """The games whose rules are in the archive."""


class RefereeTable(msgspec.Struct, frozen=True, kw_only=True):
    """A battle on a real table, for the page of the referee."""

    ruleset: str
    edition: str
    title: str
    """Title of the game."""
    scenario: str
    """The scenario's title."""
    rounds: int | None
    steps: tuple[tuple[str, str], ...]
    """The steps of a turn, as pairs of a name and a description."""
    once: int
    """Number of steps at the beginning of `steps` that are taken only before the first turn."""
    victory: tuple[str, ...]
    """Sentences on how the battle is won."""
    sides: tuple[tuple[str, str], ...]
    """Each side's name and letter."""
    points: tuple[tuple[tuple[str, int], ...], ...]
    """For each side, the things to count, with their initial numbers."""
    units: tuple[RefereeUnit, ...]
    markers: tuple[str, ...]
    """Texts of the markers."""
    faces: tuple[str, ...]
    """Symbols on the faces of the die, in order; empty if the faces have numbers."""


class NewGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to make a game."""

    ruleset: str
    edition: str | None = None
    scenario: str | None = None
    """The edition; by default the ruleset's first."""
    armies: tuple[str, ...] = ()
    size: int | None = None
    rules: dict[str, str | int] = {}
    pack: PackFile | None = None
    """Content of a pack. An installed pack is named by the house rule `pack` instead."""
    seats: tuple[str, ...] = ()
    """For each side `person` or the name of a computer player; by default a person against an easy computer. Entries
    for sides that the rules play are ignored.
    """
    always_ask: bool = False
    """True to ask people at one screen even about reactions without a choice. If it is false, a question reveals that
    the person has a choice.
    """
    placed: bool = False
    """True to begin with all units of people in their usual places."""
    hints: bool | None = None
    """True if people may ask for a strong player's answer; by default, only if fewer than two people play."""
    friendly: bool = True
    """True if computer players agree when an act is taken back."""
    invited: tuple[int, ...] = ()
    """Sides whose players are invited by a link. Secrets of these sides are invitations, which players exchange for
    private secrets.
    """
    clock: ClockRule | None = None
    """Time for people; unlimited by default."""
    rated: bool = False
    """True for a rated game of two people, without house rules, hints or typed dice."""
    delay: int = 0
    """Number of acts by which onlookers see the game later, until the game is over."""
    lesson: str | None = None
    """A lesson of the game, which decides the position and the seats."""
    ruling: str | None = None
    """A ruling of the game. A person plays both sides from the position of the ruling."""
    dice: str | tuple[str, ...] = "server"
    """`server` for virtual dice, `typed` for real dice of people, or one of these words for each side."""


class Settle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A choice about a side whose player has gone."""

    side: int
    then: Literal["lose", "computer", "person"]
    player: str = ""
    """The computer player that takes over."""


class HabitView(msgspec.Struct, frozen=True, kw_only=True):
    """A standing answer of the asker."""

    number: int
    side: int
    decision: str
    """The kind of the question."""
    words: str
    measure: str = ""
    """Smallest distance at which a target gets this answer, in words; empty for any distance."""


class HabitsView(msgspec.Struct, frozen=True, kw_only=True):
    """The asker's standing answers, and the sides whose players have left."""

    habits: tuple[HabitView, ...]
    may: tuple[str, ...]
    """Ids of the current questions that allow a standing answer."""
    late: tuple[int, ...]


class PlayOn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to make a game that begins with acts of a finished game and continues with other dice."""

    at: int
    """Number of acts to take over."""
    seats: tuple[str, ...] = ()
    """The players, as in `NewGame`; by default those of the finished game. If the finished game had only computer
    players, a person plays the side of the next decision.
    """


class OpenDoor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open the server to the local network, or close it."""

    open: bool


class DoorView(msgspec.Struct, frozen=True, kw_only=True):
    """The addresses of the server."""

    alone: bool
    """True if no other machine can reach the server."""
    addresses: tuple[str, ...]
    """Addresses in the local network, the likeliest first. Addresses are given only on the server's machine, and are
    empty if the page's own address can be shared.
    """
    opened: bool
    """True if somebody on the server's machine has opened the server."""
    may_open: bool
    """True if the asker may open and close the server."""


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """A summary of a game."""

    picture: Picture | None
    """The table at the beginning of the latest turn, as onlookers may see it; None if it was not stored."""
    round: int = 0
    """The round of that turn, 0 before the first."""
    rounds: int | None = None
    """Number of rounds of the game; None if it is not fixed."""
    last: str = ""
    """The latest event that the asker may know."""


class NewCampaign(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to begin a campaign."""

    ruleset: str
    title: str
    army: str | None = None
    """The army list of the first roster; by default the usual list of the game."""
    rules: dict[str, str | int] = {}
    course: str | None = None
    """The course of battles; by default the usual course of the game."""


class AnotherCourse(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to continue with the roster of a finished campaign."""

    course: str | None = None
    """The course of battles; by default the usual course of the game."""


class DressMember(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to change a member of a roster. Omitted fields of the member stay unchanged."""

    who: str
    """The present name of the member."""
    name: str | None = None
    cloak: str | None = None
    """Colours of the cloak, one of the campaign's `cloaks`; empty for the original colours."""
    saying: str | None = None
    """Motto of the member; empty for none."""
    player: str | None = None
    """The person who plays the member, if several people play the roster; empty for anybody."""


class FieldBattle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to make the next battle of a campaign."""

    fielded: tuple[str, ...] | None = None
    """Members who fight; by default the best members."""
    friend: bool = False
    """True to invite a friend to play the other side. If no friend is invited, a computer plays that side, unless the
    rules do.
    """


class CountBattle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to count the battle of a campaign."""

    answers: dict[str, tuple[str, ...]] = {}
    """The player's decisions, by the ids of the questions; by default the usual answers."""
    store: bool = False
    """False to return the result without storing it."""


class MadeCampaign(msgspec.Struct, frozen=True, kw_only=True):
    """A stored campaign with its secret. The secret is given only once."""

    campaign: str
    token: str


class PlayedBattle(msgspec.Struct, frozen=True, kw_only=True):
    """The latest battle of a campaign, as long as it has not been counted."""

    game: str
    over: bool


class CampaignView(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a campaign."""

    id: str
    overview: Overview
    playing: PlayedBattle | None


class CountedBattle(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a battle, counted or not yet."""

    battle: Battle
    questions: tuple[Question, ...]
    """Questions to the player about the battle, with the answers so far."""
    overview: Overview
    """The campaign after the battle."""


class NewSeries(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A series of computer battles to be played."""

    ruleset: str
    players: tuple[str, str]
    games: int
    seed: int
    edition: str | None = None
    scenario: str | None = None
    """The edition; by default the ruleset's first."""
    armies: tuple[str, ...] = ()
    size: int | None = None
    rules: dict[str, str | int] = {}
    pack: PackFile | None = None
    """The content of a pack to use."""
    swap: bool = False
    """True if the players change seats every second game."""
    begin: bool = True
    """False to return only an existing series."""


class AskSheet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to check an army list in the builder. Exactly one of `draft`, `box` and `start` is given."""

    ruleset: str | None = None
    """The game; optional if `box` names it."""
    edition: str | None = None
    """The edition; by default the ruleset's first."""
    rules: dict[str, str | int] = {}
    agreed: int | None = None
    """The agreed points; by default the usual points. Agreed points of a battle; 0 means no limit."""
    draft: dict[str, Any] | None = None
    """The list as plain data, which may contain errors."""
    box: str | None = None
    """A link, a text to paste, or the text of a file."""
    start: str | None = None
    """The id of a supplied list to begin with."""
    pack: PackFile | None = None
    """The content of a pack to use."""


class AttackForm(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of an attack request, for a form on the page."""

    schema: dict[str, Any]
    """The JSON Schema of the game's attack requests."""
    form: Form | None
    """Possible values of the fields; None if the game's requests have no form."""
    shared: tuple[str, ...] = ()
    """Fields, or groups of fields, that several attackers of one target share; empty if the game has no odds for
    several attackers.
    """
    examples: tuple[tuple[str, dict[str, Any]], ...] = ()
    """Examples of requests about whole acts, each with its title."""


class MapTitle(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario from which a new table can be made."""

    id: str
    title: str


class MapKit(msgspec.Struct, frozen=True, kw_only=True):
    """Data with which the page draws tables for a game."""

    title: str
    """Title of the game."""
    schema: dict[str, Any]
    """The JSON Schema of the game's scenarios; `x-drawn` marks the fields that the page draws."""
    grounds: tuple[GroundKind, ...]
    """The kinds of ground, the most common first."""
    scenarios: tuple[MapTitle, ...]
    """The supplied scenarios of the game."""
    sides: Literal["rows", "columns"]
    """`rows` if the sides begin in the south and the north, `columns` if in the west and the east."""


class PackToLookAt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to check a pack. Exactly one of `draft`, `text` and `zip` is given."""

    draft: dict[str, Any] | None = None
    """The pack as plain data, which may contain errors."""
    text: str = ""
    """The text of a pack's file, or a link."""
    zip: str = ""
    """A zip file in Base64."""


class OwnBattle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for the choices of a battle with a pack, a scenario or armies of the asker's own."""

    scenario: str = ""
    """The id or the text of a scenario."""
    armies: tuple[str, ...] = ()
    """Texts and links of army lists."""
    pack: PackFile | str | None = None
    """The content of a pack, or the name of a pack that the server knows."""


class PackToCompare(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to compare a row of a pack with the printed row."""

    pack: PackFile
    sheet: str
    key: str


class DraftToCheck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to check a draft of a scenario, as plain data or as the text of a file."""

    draft: dict[str, Any] | None = None
    text: str = ""


class DraftToMirror(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to make a draft symmetric."""

    draft: dict[str, Any]
    how: Literal["rotate", "mirror"]
    """`rotate` for half a turn, or `mirror` for a reflection in the line between the sides."""
    keep: Literal["first", "second"] = "first"
    """The half to keep: the first side's half or the second side's."""


class DraftToWrite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to convert a draft to a file."""

    draft: dict[str, Any]


class TableToDraw(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to draw a random table from a seed."""

    seed: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    symmetry: Literal["rotate", "mirror", "none"] = "rotate"
    size: tuple[int, int] | None = None
    """Width and height, or numbers of rows and columns; by default the usual size."""


class MadeSeat(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat of a new game."""

    side: int
    player: str
    token: str | None
    """The seat's secret, given only once; None for a computer's seat."""
    invited: bool = False
    """True if the secret is an invitation for somebody else."""


class AwaitedBack(msgspec.Struct, frozen=True, kw_only=True):
    """The seat will be given to somebody else unless its player returns."""

    side: int
    wait: int
    """Seconds until the request can be repeated. The player may return until then."""


class ClaimSeat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The data for taking the seat of an invitation."""

    token: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{24,64}$")] | None = None
    """The seat's new secret, if the page makes it, so that the request can be repeated."""


class MadeGame(msgspec.Struct, frozen=True, kw_only=True):
    """A new game."""

    game: str
    seats: tuple[MadeSeat, ...]


class GameEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the asker's list."""

    game: str
    ruleset: str
    title: str
    scenario: str
    sides: tuple[int, ...]
    """The sides of the seats whose secrets the request presented."""
    seats: tuple[str, ...]
    acts: int
    over: bool
    at: str
    """Time of the last event, in UTC."""
    waiting_for: tuple[int, ...] | None = None
    """The sides that must act; None if that is unknown without opening the game."""
    called: tuple[str, ...] = ()
    """Names of the players by side; empty if they gave none."""
    fault: Literal["damaged", "other-rules", "no-rules"] | None = None
    """The fault that makes the game unplayable; null if there is none. `damaged`: its data cannot be read. `no-rules`:
    its rulebook is not installed. `other-rules`: it was opened, and plays differently by the present rules.
    """
