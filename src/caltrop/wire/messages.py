"""Messages of a live connection: what a client may say, and what it hears besides views and changes.

A new field has a default, so that older clients are still understood. It is filled in by the function of
`server/said.py` that answers the message, described in `docs/wire.md`, and brought into the page's types by
`make generated`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.asking import Goal, Outlook, PickedUp, Proposal, Sought, Wish
from caltrop.engine import Loud, Refusal
from caltrop.engine.campaign import Battle, Overview, Question
from caltrop.engine.forecast import Forecast
from caltrop.engine.form import Form
from caltrop.engine.packs import PackFile
from caltrop.engine.parts import GroundKind
from caltrop.engine.rule import AnyAction, MaybeAction
from caltrop.picture import Picture
from caltrop.picture.sightings import Sighting
from caltrop.players import Hint
from caltrop.wire.actions import WrongMessage, convert, read_json
from caltrop.wire.view import ClockRule, LogEntry, View

Ref = int | str | None
"""Chosen by the client, and sent back with whatever answers the message."""


class MessageBase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields that every message of a client may carry."""

    ref: Ref = None


class Hello(MessageBase, frozen=True, tag="hello"):
    """The first message: who looks, and what it has seen."""

    tokens: tuple[str, ...] = ()
    """The secrets of the seats that play here: none for an onlooker, several on a shared screen."""
    eyes: int | None = None
    """Side whose view is shown; by default the first seat's."""
    seen: int | None = None
    """The last number seen, for who comes back."""
    screen: str = ""
    """A name that a page gives itself: a seat that is played at another page moves here then, and both pages are
    informed. Without it, a seat may be played at several connections at once.
    """


class Answer(MessageBase, frozen=True, tag="answer"):
    """An answer to a decision, as an action or as a wish that is proposed and played in one go."""

    decision: str
    action: MaybeAction = None
    wish: Wish | None = None
    dice: tuple[tuple[int, ...], ...] = ()
    """Real dice, typed in, where the game was made for them."""
    quietly: bool = False
    """True to play it only if it rolls nothing, reveals nothing, and the same side goes on. Otherwise nothing is
    played, and the answer says why.
    """


class Usually(MessageBase, frozen=True, tag="usual"):
    """Give the usual answer to a decision, and to what is asked next for as long as there is one."""

    decision: str
    unit: int | None = None
    """The unit that nothing else is said of; all that are asked about by default."""
    quietly: bool = False
    """True if it stops before what is not quiet, as in an answer."""


class Ask(MessageBase, frozen=True, tag="propose"):
    """Asks for the result of a drag; nothing is played."""

    decision: str
    wish: Wish


class PickUp(MessageBase, frozen=True, tag="pick-up"):
    """Asks for the surroundings of a unit that is about to be dragged; nothing is played."""

    decision: str
    unit: int
    act: str = ""


class AskSight(MessageBase, frozen=True, tag="sight"):
    """Asks for a unit's sight; nothing is played."""

    unit: int
    targets: tuple[int, ...] = ()
    """The units looked at; all of the others where it is empty."""
    places: dict[int, tuple[int, int]] = {}
    """Places that models of the unit would have."""
    named: bool = False
    """True if what is in the way is named for every target; else it is if there is one."""
    back: bool = False
    """True if it is asked what the others see of the unit, from where it stands."""


class Seek(MessageBase, frozen=True, kw_only=True, tag="seek"):
    """Asks for a move that meets a goal: into range of somebody, into cover; nothing is played."""

    decision: str
    unit: int
    act: str = ""
    goal: Goal


class AskOdds(MessageBase, frozen=True, tag="odds"):
    """Asks for the possible results of an action; nothing is played."""

    decision: str
    action: AnyAction
    whole: bool = False
    """True to hear of the whole act as well, with what the other side may do to it."""


class AskHint(MessageBase, frozen=True, kw_only=True, tag="hint"):
    """Asks for a strong player's answer, if hints are allowed; nothing is played."""

    decision: str


class LookAhead(MessageBase, frozen=True, tag="ahead"):
    """Asks about the coming steps: the targets of units, and why they have no others; nothing is played."""

    decision: str
    wish: Wish | None = None
    """A drag that is prepared: the answer tells what comes after it."""
    target: int | None = None
    """The unit about which it is asked."""
    odds: bool = False
    """True if the odds of these are wanted."""


class Eyes(MessageBase, frozen=True, tag="eyes"):
    """On a shared screen: another of the seats looks now."""

    side: int | None


class Undo(MessageBase, frozen=True, tag="undo"):
    """Take the side's last act back, freely."""

    side: int | None = None
    """Side that acted; by default the side that looks."""


class Redo(MessageBase, frozen=True, tag="redo"):
    """Play the side's act again that was taken back last."""

    side: int | None = None
    """Side that acted; by default the side that looks."""


class Takeback(MessageBase, frozen=True, tag="takeback"):
    """Ask the other side for leave to take an act back, or answer such a request."""

    side: int | None = None
    answer: bool | None = None
    """None to ask, true or false to answer."""


class Typed(MessageBase, frozen=True, tag="dice"):
    """Real dice that the game waits for, as they fell."""

    faces: tuple[int, ...]


class Why(MessageBase, frozen=True, tag="why"):
    """Ask how something came about: a marker or the strength of a unit, points of a side, or who holds a place."""

    unit: int | None = None
    token: str | None = None
    """A kind of marker of the unit; its strength by default."""
    side: int | None = None
    points: str | None = None
    """The label of the side's points."""
    spot: int | None = None


class Resign(MessageBase, frozen=True, tag="resign"):
    """Give the game up."""

    side: int | None = None


class CallMe(MessageBase, frozen=True, tag="name"):
    """Say what one is called."""

    text: str
    side: int | None = None


class Speak(MessageBase, frozen=True, tag="talk"):
    """Say something to the other people at the table."""

    text: str
    side: int | None = None


class Hush(MessageBase, frozen=True, tag="hush"):
    """Switch the talk off, or on again."""

    off: bool
    side: int | None = None


class Await(MessageBase, frozen=True, tag="await"):
    """Hand one's own seat over: it is awaited until somebody comes by its link; or keep it after all."""

    on: bool
    side: int | None = None


class OfferDraw(MessageBase, frozen=True, tag="draw"):
    """Offer a draw, or answer such an offer; what one has offered oneself is taken back by `false`."""

    side: int | None = None
    answer: bool | None = None
    """None to offer, true or false to answer."""


class ShowAll(MessageBase, frozen=True, tag="show-all"):
    """Show everything that was hidden, after the end: the last act is not taken back any more."""

    side: int | None = None


class Standing(MessageBase, frozen=True, tag="standing"):
    """Give an answer to a question of the other side's turn, now and whenever it is asked again and may be given."""

    decision: str
    action: AnyAction
    far: bool = False
    """True if it is given only if no target is nearer than now."""


class NotStanding(MessageBase, frozen=True, tag="not-standing"):
    """Give a standing answer no more."""

    number: int


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
        WrongMessage: when it is none; the message names the field and the nearest right value.
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
    """The reason of a refusal. Nothing has changed."""

    code: str
    clause: str
    message: str
    values: dict[str, Any]
    nearest: MaybeAction = None
    """The nearest legal action, or null."""
    field: str = ""
    """Field of the message at fault, if it could not be read."""
    ref: Ref = None

    @classmethod
    def of(cls, refusal: Refusal, ref: Ref = None) -> RefusalMessage:
        """Return a refusal of the rules as a message."""
        return cls(
            code=refusal.code,
            clause=refusal.clause,
            message=refusal.message,
            values=dict(refusal.values),
            nearest=refusal.nearest,
            ref=ref,
        )


class Done(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="done"):
    """It is done and stored; the change that it made has this number."""

    seq: int
    ref: Ref = None
    view: View | UnsetType = UNSET
    """New view of the seat, if its request has `?view=SIDE`."""


class LoudMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="loud"):
    """It was to be played quietly, and would not be quiet. Nothing has changed."""

    loud: Loud
    ref: Ref = None


class ProposalMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="proposal"):
    """The result of a drag."""

    decision: str
    proposal: Proposal
    loud: Loud | None = None
    """Reason why it was not played, where it was to be played quietly and would not be quiet."""
    ref: Ref = None


class PickedUpMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="picked-up"):
    """The surroundings of a unit; None if every place of a drag is to be asked for."""

    decision: str
    around: PickedUp | None
    ref: Ref = None


class SightMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="sight"):
    """A unit's sight; lines are included if one target was asked for."""

    sightings: tuple[Sighting, ...]
    ref: Ref = None


class SoughtMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="sought"):
    """The move whose result is the nearest to the wish."""

    decision: str
    sought: Sought
    ref: Ref = None


class OddsMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="odds"):
    """The possible results of an action."""

    decision: str
    odds: Forecast
    whole: tuple[Forecast, ...] = ()
    """Fates of all units, for each way in which the other side may answer."""
    ref: Ref = None


class HintMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="hint"):
    """A strong player's answer."""

    decision: str
    hint: Hint
    ref: Ref = None


class AheadMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="ahead"):
    """The acts of the coming steps."""

    decision: str
    outlook: Outlook
    ending: Loud | None = None
    """First thing that happens when the step is ended, if it is not quiet and only the steps to
    come were asked about.
    """
    ref: Ref = None


class Led(msgspec.Struct, frozen=True, kw_only=True):
    """One link of the chain that led to a change: something that happened, or a decision."""

    n: int
    """Its place in the chain, from 1: what led to something has a lower one."""
    act: int
    """The act in which it was: 0 for the opening."""
    clauses: tuple[str, ...]
    """The clauses of the rulebook's step that brought it about, or of the decision."""
    line: LogEntry | None = None
    """Line of the log; None for a decision."""
    side: int | None = None
    """Side that decided."""
    decided: str = ""
    """Words of the decision, as it was offered, with the unit that acts. For another side's decision, its first result,
    unless the chain has it already.
    """
    because: tuple[int, ...] = ()
    """The links of the chain that led to it directly."""


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """One act that changed what was asked about."""

    act: int
    before: str
    after: str
    links: tuple[Led, ...]
    """Links of the chain, oldest first; the last is the change itself."""


class BecauseMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="because"):
    """The causes of something, the newest change first."""

    steps: tuple[Cause, ...]
    ref: Ref = None


class Presence(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="presence"):
    """The seats of persons that are at the table now."""

    here: tuple[int, ...]


class Moved(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="moved"):
    """Seats are played at another page from now on; that page is informed too."""

    sides: tuple[int, ...]
    here: bool
    """True if they have moved to this page, or away from it."""
    for_good: bool = False
    """True if the secrets that this page has open them no more."""


class ClockNow(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="clock"):
    """The time that the sides have left."""

    left: tuple[int, ...]
    """Milliseconds, by side."""
    running: tuple[int, ...]
    """The sides whose time runs."""


class Pong(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="pong"):
    """The server is there."""

    ref: Ref = None


class RefereeUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit on a real table."""

    id: int
    side: int
    name: str
    strength: int
    """Its models, or points of strength, at the beginning."""
    stats: tuple[tuple[str, str], ...]
    """Its numbers: what each is called, and its value."""


class RefereeTable(msgspec.Struct, frozen=True, kw_only=True):
    """A battle that is played on a real table, as its referee begins it."""

    ruleset: str
    edition: str
    title: str
    """The game's."""
    scenario: str
    """The scenario's title."""
    rounds: int | None
    steps: tuple[tuple[str, str], ...]
    """The steps of a turn: what each is called, and what happens in it."""
    victory: tuple[str, ...]
    """Sentences on how the battle is won."""
    sides: tuple[tuple[str, str], ...]
    """Each side's name and letter."""
    points: tuple[tuple[tuple[str, int], ...], ...]
    """For each side, what it counts, and how many it begins with."""
    units: tuple[RefereeUnit, ...]
    markers: tuple[str, ...]
    """Texts of the markers."""
    faces: tuple[str, ...]
    """Symbols of the die's faces, from the first; empty for numbers."""


class NewGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game to be made."""

    ruleset: str
    edition: str | None = None
    scenario: str | None = None
    """The ruleset's first by default."""
    armies: tuple[str, ...] = ()
    size: int | None = None
    rules: dict[str, str | int] = {}
    pack: PackFile | None = None
    """Content of a pack that is laid over the rulebook. One that is installed here is named by
    the house rule `pack`.
    """
    seats: tuple[str, ...] = ()
    """For each side that somebody plays `person`, or the name of a computer player; a person against an easy one where
    it is left out. Sides that the rules move may be named too: what is said of them is passed over."""
    always_ask: bool = False
    """True if people at one screen are asked for reactions in which they have no choice too: who is asked tells nothing
    then.
    """
    placed: bool = False
    """True if it begins with everything placed: people are not asked where theirs go, but have them where they usually
    stand.
    """
    hints: bool | None = None
    """True if people may ask what a strong player would do; by default they may unless two people play."""
    friendly: bool = True
    """True if computer players give leave to take acts back."""
    invited: tuple[int, ...] = ()
    """The sides whose people come by a link: their secrets are invitations, which those who come exchange for one of
    their own. Until then they are awaited."""
    clock: ClockRule | None = None
    """Time for people; unlimited by default."""
    rated: bool = False
    """True if it counts for the ratings of two people; then it has no house rules, hints or typed dice."""
    delay: int = 0
    """Number of acts by which onlookers see it later, until it is over."""
    lesson: str | None = None
    """A lesson of the game: its position and its seats are the lesson's own."""
    ruling: str | None = None
    """A ruling of the game, whose position is laid on the table for a person to play both sides of."""
    dice: str | tuple[str, ...] = "server"
    """`server`, `typed` where persons throw real dice and type them in, or one of both for each side."""


class Settle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fate of a side whose player has gone."""

    side: int
    then: Literal["lose", "computer", "person"]
    player: str = ""
    """The computer player that goes on."""


class HabitView(msgspec.Struct, frozen=True, kw_only=True):
    """A standing answer of one's own."""

    number: int
    side: int
    decision: str
    """The kind of the question."""
    words: str
    measure: str = ""
    """The distance from which on it is given, in words; empty for any."""


class HabitsView(msgspec.Struct, frozen=True, kw_only=True):
    """One's own standing answers, and the sides whose players have gone, so that one chooses what becomes of them."""

    habits: tuple[HabitView, ...]
    may: tuple[str, ...]
    """The ids of the questions just now to which a standing answer may be given."""
    late: tuple[int, ...]


class PlayOn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game to be made that begins with the acts of one that is over, and goes on from there with other dice."""

    at: int
    """Number of its acts that are in force where it goes on."""
    seats: tuple[str, ...] = ()
    """As of `NewGame`; by default, those who played then play again, and where that were computers alone, a
    person has the seat of the side that is asked there."""


class OpenDoor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open the server to the local network, or shut it again."""

    open: bool


class DoorView(msgspec.Struct, frozen=True, kw_only=True):
    """The addresses of the server."""

    alone: bool
    """True if nobody beyond its own machine can reach it."""
    addresses: tuple[str, ...]
    """Addresses in the local network, the likeliest first; given at its own machine alone, and empty if a page's own
    address is the one to use.
    """
    opened: bool
    """True if somebody at its machine has opened it."""
    may_open: bool
    """True if the asker may open and shut it."""


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """A game at a glance."""

    picture: Picture | None
    """The table at the beginning of its last turn, as everybody may see it; None where that was not stored."""
    round: int = 0
    """The round of that turn, 0 before the first."""
    rounds: int | None = None
    """Number of there are to be."""
    last: str = ""
    """Last event, as one's own side may know it."""


class NewCampaign(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A campaign to be begun."""

    ruleset: str
    title: str
    army: str | None = None
    """The army list that its roster begins with; the game's usual one by default."""
    rules: dict[str, str | int] = {}
    course: str | None = None
    """Of which battles it is made; the game's usual ones by default."""


class AnotherCourse(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The roster of a campaign that is over is to go on."""

    course: str | None = None
    """Into which battles; the game's usual ones by default."""


class DressMember(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of a campaign's roster is to have a name, a cloak or a saying; what is left out stays as it is."""

    who: str
    """The name until now."""
    name: str | None = None
    cloak: str | None = None
    """One of the campaign's `cloaks`; empty to wear what it came with."""
    saying: str | None = None
    """Empty for none."""
    player: str | None = None
    """Person who plays it, if several people play the roster; empty for anybody."""


class FieldBattle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The next battle of a campaign is to be made."""

    fielded: tuple[str, ...] | None = None
    """Members who fight it; the best by default."""
    friend: bool = False
    """True if a friend comes by a link to play the other side, if somebody plays it; else a computer does."""


class CountBattle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The battle that a campaign has played is to be counted."""

    answers: dict[str, tuple[str, ...]] = {}
    """Decisions of the player, by the questions' ids; the game's usual answers by default."""
    store: bool = False
    """False to see the result alone; nothing has changed then."""


class MadeCampaign(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign that is kept now, with its secret, which is given once."""

    campaign: str
    token: str


class PlayedBattle(msgspec.Struct, frozen=True, kw_only=True):
    """The battle of a campaign that is not counted yet."""

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
    """Decisions of the player about it, with the answers so far."""
    overview: Overview
    """The campaign after it."""


class NewSeries(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A series of computer battles to be played."""

    ruleset: str
    players: tuple[str, str]
    games: int
    seed: int
    edition: str | None = None
    scenario: str | None = None
    """The ruleset's first by default."""
    armies: tuple[str, ...] = ()
    size: int | None = None
    rules: dict[str, str | int] = {}
    pack: PackFile | None = None
    """A pack that is laid over the rulebook: what it says."""
    swap: bool = False
    """True if the players change seats every second game."""
    begin: bool = True
    """False to look only whether it has been played here already."""


class AskSheet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An army list to be looked at while somebody builds it: one of `draft`, `box` and `start` says which."""

    ruleset: str | None = None
    """The game; it may be left out if `box` says it."""
    edition: str | None = None
    """The ruleset's first by default."""
    rules: dict[str, str | int] = {}
    agreed: int | None = None
    """The points agreed on: the usual ones by default, 0 for none."""
    draft: dict[str, Any] | None = None
    """The list as plain data; it may be wrong anywhere."""
    box: str | None = None
    """A link, a text to paste, or the text of a file."""
    start: str | None = None
    """The id of a list that the game or the pack comes with, to begin from."""
    pack: PackFile | None = None
    """A pack that is laid over the rulebook: what it says."""


class AttackForm(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of an attack request, for a page that puts one together."""

    schema: dict[str, Any]
    """The JSON Schema of the game's attack requests."""
    form: Form | None
    """Values that may be filled in next; None if the game's requests have no form."""
    shared: tuple[str, ...] = ()
    """Fields, or groups of them, that several attackers at one target have in common; empty if they have no odds."""
    examples: tuple[tuple[str, dict[str, Any]], ...] = ()
    """Requests of whole acts to begin with, each with its title."""


class MapTitle(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario that a table may be begun with."""

    id: str
    title: str


class MapKit(msgspec.Struct, frozen=True, kw_only=True):
    """The support for an author of tables for a game."""

    title: str
    """The game's name."""
    schema: dict[str, Any]
    """The JSON Schema of the game's scenarios; `x-drawn` says what is drawn on the table."""
    grounds: tuple[GroundKind, ...]
    """The kinds of ground, the most usual first."""
    scenarios: tuple[MapTitle, ...]
    """The scenarios that the game comes with."""
    sides: Literal["rows", "columns"]
    """True if the sides begin in the south and the north, or in the west and the east."""


class PackToLookAt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pack that somebody makes or opens: one of `draft`, `text` and `zip` says which."""

    draft: dict[str, Any] | None = None
    """The pack as plain data; it may be wrong anywhere."""
    text: str = ""
    """A document, or a link."""
    zip: str = ""
    """A zip, in Base64."""


class PackToCompare(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of a pack that is to be compared with the printed one."""

    pack: PackFile
    sheet: str
    key: str


class DraftToCheck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A draft of a scenario that is to be checked: plain data, or the text of a file."""

    draft: dict[str, Any] | None = None
    text: str = ""


class DraftToMirror(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A draft that is to be made symmetric."""

    draft: dict[str, Any]
    how: Literal["rotate", "mirror"]
    """By half a turn, or by a reflection in the line between the sides."""
    keep: Literal["first", "second"] = "first"
    """The half that stays: that of the first side or of the second."""


class DraftToWrite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A draft that is to be written as a file."""

    draft: dict[str, Any]


class TableToDraw(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table that a seed decides."""

    seed: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    symmetry: Literal["rotate", "mirror", "none"] = "rotate"
    size: tuple[int, int] | None = None
    """Width and height, or rows and columns; as usual if it is left out."""


class MadeSeat(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat of a new game."""

    side: int
    player: str
    token: str | None
    """The seat's secret, told once; None for a computer's seat."""
    invited: bool = False
    """True if the secret is an invitation for somebody else."""


class AwaitedBack(msgspec.Struct, frozen=True, kw_only=True):
    """A seat is given to somebody else unless its player comes back."""

    side: int
    wait: int
    """Seconds for the player to come back; ask again after that."""


class ClaimSeat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The data for taking the seat of an invitation."""

    token: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{24,64}$")] | None = None
    """The seat's new secret, if the page makes it: then a request whose answer was lost can be repeated."""


class MadeGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was made."""

    game: str
    seats: tuple[MadeSeat, ...]


class GameEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the list of one's own."""

    game: str
    ruleset: str
    title: str
    scenario: str
    sides: tuple[int, ...]
    """The seats whose secrets were presented."""
    seats: tuple[str, ...]
    acts: int
    over: bool
    at: str
    """When something last happened, in universal time."""
    waiting_for: tuple[int, ...] | None = None
    """The sides that are to act; None if that is not known without opening it."""
    called: tuple[str, ...] = ()
    """Names of the people, side by side; empty if they gave none."""
    fault: Literal["damaged", "other-rules", "no-rules"] | None = None
    """`damaged` if what is stored of it cannot be read; `no-rules` if its rulebook is not installed. `other-rules` if
    it was opened, and by the rules of today does not play as it did.
    """
