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
from caltrop.engine.parts import GroundKind
from caltrop.engine.rule import AnyAction, MaybeAction
from caltrop.picture import Picture
from caltrop.picture.sightings import Sighting
from caltrop.players import Hint
from caltrop.wire.actions import WrongMessage, convert, read_json
from caltrop.wire.view import ClockRule, LogEntry, View

Ref = int | str | None
"""Chosen by the client, and sent back with whatever answers the message."""


class Said(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every message of a client may carry."""

    ref: Ref = None


class Hello(Said, frozen=True, tag="hello"):
    """The first message: who looks, and what it has seen."""

    tokens: tuple[str, ...] = ()
    """The secrets of the seats that play here: none for an onlooker, several on a shared screen."""
    eyes: int | None = None
    """Whose view is shown; the first seat's where it is left out."""
    seen: int | None = None
    """The last number seen, for who comes back."""
    screen: str = ""
    """A name that a page gives itself: a seat that is played at another page moves here then, and both are told. Where
    it is left out, a seat may be played at several connections at once."""


class Answer(Said, frozen=True, tag="answer"):
    """An answer to a decision, as an action or as a wish that is proposed and played in one go."""

    decision: str
    action: MaybeAction = None
    wish: Wish | None = None
    dice: tuple[tuple[int, ...], ...] = ()
    """Real dice, typed in, where the game was made for them."""
    quietly: bool = False
    """Whether it is played only where it rolls nothing, reveals nothing, and leaves it to the same side to go on. Where
    it would not, nothing is played, and it is told why."""


class Usually(Said, frozen=True, tag="usual"):
    """Give the usual answer to a decision, and to what is asked next for as long as there is one."""

    decision: str
    unit: int | None = None
    """The unit that nothing else is said of; all that are asked about where it is left out."""
    quietly: bool = False
    """Whether it stops before what is not quiet, as in an answer."""


class Ask(Said, frozen=True, tag="propose"):
    """What a drag would come to; nothing is played."""

    decision: str
    wish: Wish


class PickUp(Said, frozen=True, tag="pick-up"):
    """What is around a unit that is about to be dragged; nothing is played."""

    decision: str
    unit: int
    act: str = ""


class AskSight(Said, frozen=True, tag="sight"):
    """What a unit sees; nothing is played."""

    unit: int
    targets: tuple[int, ...] = ()
    """The units looked at; all of the others where it is empty."""
    places: dict[int, tuple[int, int]] = {}
    """Where models of the unit would stand."""
    named: bool = False
    """Whether what is in the way is named for every target; else it is where there is one."""
    back: bool = False
    """Whether it is asked what the others see of the unit, from where it stands."""


class Seek(Said, frozen=True, kw_only=True, tag="seek"):
    """What move comes to what is wished for: into range of somebody, into cover; nothing is played."""

    decision: str
    unit: int
    act: str = ""
    goal: Goal


class AskOdds(Said, frozen=True, tag="odds"):
    """What an action may end in; nothing is played."""

    decision: str
    action: AnyAction
    whole: bool = False
    """Whether the whole act is told as well, with what the other side may do to it."""


class AskHint(Said, frozen=True, kw_only=True, tag="hint"):
    """What a strong player would answer, where hints are allowed; nothing is played."""

    decision: str


class LookAhead(Said, frozen=True, tag="ahead"):
    """What the steps to come hold: which targets units have, and why no others; nothing is played."""

    decision: str
    wish: Wish | None = None
    """A drag that is prepared: what comes after it is told."""
    target: int | None = None
    """The unit about which it is asked."""
    odds: bool = False
    """Whether the odds of what is told are wanted."""


class Eyes(Said, frozen=True, tag="eyes"):
    """On a shared screen: another of the seats looks now."""

    side: int | None


class Undo(Said, frozen=True, tag="undo"):
    """Take the side's last act back, freely."""

    side: int | None = None
    """Whose act; the side that looks where it is left out."""


class Redo(Said, frozen=True, tag="redo"):
    """Play the side's act again that was taken back last."""

    side: int | None = None
    """Whose act; the side that looks where it is left out."""


class Takeback(Said, frozen=True, tag="takeback"):
    """Ask the other side for leave to take an act back, or answer such a request."""

    side: int | None = None
    answer: bool | None = None
    """None to ask, true or false to answer."""


class Typed(Said, frozen=True, tag="dice"):
    """Real dice that the game waits for, as they fell."""

    faces: tuple[int, ...]


class Why(Said, frozen=True, tag="why"):
    """Ask how something came about: a marker or the strength of a unit, points of a side, or who holds a place."""

    unit: int | None = None
    token: str | None = None
    """A kind of marker of the unit; its strength where it is left out."""
    side: int | None = None
    points: str | None = None
    """The label of the side's points."""
    spot: int | None = None


class Resign(Said, frozen=True, tag="resign"):
    """Give the game up."""

    side: int | None = None


class CallMe(Said, frozen=True, tag="name"):
    """Say what one is called."""

    text: str
    side: int | None = None


class Speak(Said, frozen=True, tag="talk"):
    """Say something to the other people at the table."""

    text: str
    side: int | None = None


class Hush(Said, frozen=True, tag="hush"):
    """Switch the talk off, or on again."""

    off: bool
    side: int | None = None


class Await(Said, frozen=True, tag="await"):
    """Hand one's own seat over: it is awaited until somebody comes by its link; or keep it after all."""

    on: bool
    side: int | None = None


class OfferDraw(Said, frozen=True, tag="draw"):
    """Offer a draw, or answer such an offer; what one has offered oneself is taken back by `false`."""

    side: int | None = None
    answer: bool | None = None
    """None to offer, true or false to answer."""


class ShowAll(Said, frozen=True, tag="show-all"):
    """Show everything that was hidden, after the end: the last act is not taken back any more."""

    side: int | None = None


class Standing(Said, frozen=True, tag="standing"):
    """Give an answer to a question of the other side's turn, now and whenever it is asked again and may be given."""

    decision: str
    action: AnyAction
    far: bool = False
    """Whether it is given only where no target is nearer than now."""


class NotStanding(Said, frozen=True, tag="not-standing"):
    """Give a standing answer no more."""

    number: int


class Ping(Said, frozen=True, tag="ping"):
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
    """One message of a client.

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
    """Why not. Nothing has changed."""

    code: str
    clause: str
    message: str
    values: dict[str, Any]
    nearest: MaybeAction = None
    """The nearest legal action, or null."""
    field: str = ""
    """Which part of the message was wrong, where it could not be read."""
    ref: Ref = None

    @classmethod
    def of(cls, refusal: Refusal, ref: Ref = None) -> RefusalMessage:
        """A refusal of the rules as a message."""
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
    """What the seat sees then, which has `?view=SIDE` in its request."""


class LoudMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="loud"):
    """It was to be played quietly, and would not be quiet. Nothing has changed."""

    loud: Loud
    ref: Ref = None


class ProposalMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="proposal"):
    """What a drag would come to."""

    decision: str
    proposal: Proposal
    loud: Loud | None = None
    """Why it was not played, where it was to be played quietly and would not be quiet."""
    ref: Ref = None


class PickedUpMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="picked-up"):
    """What is around a unit; None where every place of a drag is to be asked for."""

    decision: str
    around: PickedUp | None
    ref: Ref = None


class SightMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="sight"):
    """What a unit sees; lines are told where one target was asked for."""

    sightings: tuple[Sighting, ...]
    ref: Ref = None


class SoughtMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="sought"):
    """The move that comes to what was wished for."""

    decision: str
    sought: Sought
    ref: Ref = None


class OddsMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="odds"):
    """What an action may end in."""

    decision: str
    odds: Forecast
    whole: tuple[Forecast, ...] = ()
    """What becomes of all units, for each way in which the other side may answer."""
    ref: Ref = None


class HintMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="hint"):
    """What a strong player would answer."""

    decision: str
    hint: Hint
    ref: Ref = None


class AheadMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="ahead"):
    """What the steps to come hold."""

    decision: str
    outlook: Outlook
    ending: Loud | None = None
    """Where nothing but the steps to come was asked about: what happens at once when the step is ended, if it is not
    quiet."""
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
    """What happened; None for a decision."""
    side: int | None = None
    """Who decided."""
    decided: str = ""
    """What was decided, as it was offered, with the unit that acts; of another side's decision, what came of it first,
    where the chain does not tell that already."""
    because: tuple[int, ...] = ()
    """The links of the chain that led to it directly."""


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """One act that changed what was asked about."""

    act: int
    before: str
    after: str
    links: tuple[Led, ...]
    """What led to it and what it was, oldest first; the last is the change itself."""


class BecauseMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="because"):
    """How something came about, the newest change first."""

    steps: tuple[Cause, ...]
    ref: Ref = None


class Presence(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="presence"):
    """Which seats of persons are at the table now."""

    here: tuple[int, ...]


class Moved(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="moved"):
    """Seats are played at another page from now on; that page is told too."""

    sides: tuple[int, ...]
    here: bool
    """Whether they have moved to this page, or away from it."""
    for_good: bool = False
    """Whether the secrets that this page has open them no more."""


class ClockNow(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="clock"):
    """How much time the sides have left."""

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
    """How the battle is won, in sentences."""
    sides: tuple[tuple[str, str], ...]
    """Each side's name and letter."""
    points: tuple[tuple[tuple[str, int], ...], ...]
    """For each side, what it counts, and how many it begins with."""
    units: tuple[RefereeUnit, ...]
    markers: tuple[str, ...]
    """What markers say."""
    faces: tuple[str, ...]
    """What the faces of the die show, from the first; empty for numbers."""


class NewGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game to be made."""

    ruleset: str
    edition: str | None = None
    scenario: str | None = None
    """The ruleset's first where it is left out."""
    armies: tuple[str, ...] = ()
    size: int | None = None
    rules: dict[str, str | int] = {}
    seats: tuple[str, ...] = ()
    """For each side that somebody plays `person`, or the name of a computer player; a person against an easy one where
    it is left out. Sides that the rules move may be named too: what is said of them is passed over."""
    always_ask: bool = False
    """Whether people at one screen are asked for reactions in which they have no choice too: who is asked tells nothing
    then."""
    placed: bool = False
    """Whether it begins with everything placed: people are not asked where theirs go, but have them where they usually
    stand."""
    hints: bool | None = None
    """Whether people may ask what a strong player would do; where it is left out they may unless two people play."""
    friendly: bool = True
    """Whether computer players give leave to take acts back."""
    invited: tuple[int, ...] = ()
    """The sides whose people come by a link: their secrets are invitations, which those who come exchange for one of
    their own. Until then they are awaited."""
    clock: ClockRule | None = None
    """How much time people have; as much as they want where it is left out."""
    rated: bool = False
    """Whether it counts for the ratings of two people; then it has no house rules, hints or typed dice."""
    lesson: str | None = None
    """A lesson of the game: its position and its seats are the lesson's own."""
    ruling: str | None = None
    """A ruling of the game, whose position is laid on the table for a person to play both sides of."""
    dice: str | tuple[str, ...] = "server"
    """`server`, `typed` where persons throw real dice and type them in, or one of both for each side."""


class Settle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What becomes of a side whose player has gone."""

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
    """How many of its acts are in force where it goes on."""
    seats: tuple[str, ...] = ()
    """As of `NewGame`; where it is left out, those who played then play again, and where that were computers alone, a
    person has the seat of the side that is asked there."""


class OpenDoor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open the server to the local network, or shut it again."""

    open: bool


class DoorView(msgspec.Struct, frozen=True, kw_only=True):
    """Where the server can be reached."""

    alone: bool
    """Whether nobody beyond its own machine can reach it."""
    addresses: tuple[str, ...]
    """Where others in the local network reach it, the likeliest first; told at its own machine alone, and empty where a
    page's own address is the one to be told."""
    opened: bool
    """Whether somebody at its machine has opened it."""
    may_open: bool
    """Whether the asker may open and shut it."""


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """A game at a glance."""

    picture: Picture | None
    """The table at the beginning of its last turn, as everybody may see it; None where that was not stored."""
    round: int = 0
    """The round of that turn, 0 before the first."""
    rounds: int | None = None
    """How many there are to be."""
    last: str = ""
    """What happened last, as one's own side may know it."""


class NewCampaign(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A campaign to be begun."""

    ruleset: str
    title: str
    army: str | None = None
    """The army list that its roster begins with; the game's usual one where it is left out."""
    rules: dict[str, str | int] = {}
    course: str | None = None
    """Of which battles it is made; the game's usual ones where it is left out."""


class AnotherCourse(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The roster of a campaign that is over is to go on."""

    course: str | None = None
    """Into which battles; the game's usual ones where it is left out."""


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
    """Who plays it, where several people play the roster; empty for anybody."""


class FieldBattle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The next battle of a campaign is to be made."""

    fielded: tuple[str, ...] | None = None
    """Who fights it; the best where it is left out."""
    friend: bool = False
    """Whether a friend comes by a link to play the other side, where somebody plays it; else a computer does."""


class CountBattle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The battle that a campaign has played is to be counted."""

    answers: dict[str, tuple[str, ...]] = {}
    """What the player decides, by the questions' ids; the game's usual answers to those that are left out."""
    store: bool = False
    """False to see what it comes to; nothing has changed then."""


class MadeCampaign(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign that is kept now, with its secret, which is told once."""

    campaign: str
    token: str


class PlayedBattle(msgspec.Struct, frozen=True, kw_only=True):
    """The battle of a campaign that is not counted yet."""

    game: str
    over: bool


class CampaignView(msgspec.Struct, frozen=True, kw_only=True):
    """How a campaign stands."""

    id: str
    overview: Overview
    playing: PlayedBattle | None


class CountedBattle(msgspec.Struct, frozen=True, kw_only=True):
    """What a battle comes to, or has come to."""

    battle: Battle
    questions: tuple[Question, ...]
    """What the player may decide about it, with what is answered so far."""
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
    """The ruleset's first where it is left out."""
    armies: tuple[str, ...] = ()
    size: int | None = None
    rules: dict[str, str | int] = {}
    swap: bool = False
    """Whether the players change seats every second game."""
    begin: bool = True
    """False to look only whether it has been played here already."""


class AskSheet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An army list to be looked at while somebody builds it: one of `draft`, `box` and `start` says which."""

    ruleset: str | None = None
    """The game; it may be left out if `box` says it."""
    edition: str | None = None
    """The ruleset's first where it is left out."""
    rules: dict[str, str | int] = {}
    agreed: int | None = None
    """The points agreed on: the usual ones where it is left out, 0 for none."""
    draft: dict[str, Any] | None = None
    """The list as plain data; nothing in it need be right."""
    box: str | None = None
    """A link, a text to paste, or the text of a file."""
    start: str | None = None
    """The id of a list that the game comes with, to begin from."""


class AttackForm(msgspec.Struct, frozen=True, kw_only=True):
    """What an attack request may hold, for a page that puts one together."""

    schema: dict[str, Any]
    """The JSON Schema of the game's attack requests."""
    form: Form | None
    """What may be filled in, given what is; None where the game's requests have no form."""
    shared: tuple[str, ...] = ()
    """Fields, or groups of them, that several attackers at one target have in common; empty if they have no odds."""


class MapTitle(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario that a table may be begun with."""

    id: str
    title: str


class MapKit(msgspec.Struct, frozen=True, kw_only=True):
    """What an author of tables for a game is given."""

    title: str
    """The game's name."""
    schema: dict[str, Any]
    """The JSON Schema of the game's scenarios; `x-drawn` says what is drawn on the table."""
    grounds: tuple[GroundKind, ...]
    """The kinds of ground, the most usual first."""
    scenarios: tuple[MapTitle, ...]
    """The scenarios that the game comes with."""
    sides: Literal["rows", "columns"]
    """Whether the sides begin in the south and the north, or in the west and the east."""


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
    """Whether the secret is an invitation for somebody else."""


class AwaitedBack(msgspec.Struct, frozen=True, kw_only=True):
    """A seat is given to somebody else unless its player comes back."""

    side: int
    wait: int
    """Seconds for the player to come back; ask again after that."""


class ClaimSeat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What goes with taking the seat of an invitation."""

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
    """The sides that are to act; None where that is not known without opening it."""
    called: tuple[str, ...] = ()
    """What the people are called, side by side; empty where they said nothing."""
    fault: Literal["damaged", "other-rules", "no-rules"] | None = None
    """`damaged` where what is stored of it cannot be read; `no-rules` where its rulebook is not installed;
    `other-rules` where it was opened, and by the rules of today does not play as it did."""
