"""Messages of a live connection: what a client may say, and what it hears besides views and changes.

A new field has a default, so that older clients are still understood. The function of `server/said.py` that answers the
message fills it in. `make generated` brings it into the page's types, and with its docstring into `docs/wire.md`.
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
"""Mark that the client chooses. It comes back in the answer."""


class MessageBase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields that every message of a client may carry."""

    ref: Ref = None


class Hello(MessageBase, frozen=True, tag="hello"):
    """The first message: the seats that play here, and the last change that was seen."""

    tokens: tuple[str, ...] = ()
    """The secrets of the seats that play here: none for an onlooker, several on a shared screen."""
    eyes: int | None = None
    """Side whose view is shown; by default the first seat's."""
    seen: int | None = None
    """Number of the last change seen, to go on after a lost connection. The answer is then the changes missed, if they
    are all there, instead of a view.
    """
    screen: str = ""
    """A name that a page gives itself. A seat that is played at another page moves here, and both hear `moved`. Without
    it, a seat may be played at several connections at once.
    """


class Answer(MessageBase, frozen=True, tag="answer"):
    """Answer a decision, by an action or by a wish. The `type` may be left out."""

    decision: str
    """Id of the decision."""
    action: MaybeAction = None
    """One of the actions that were offered."""
    wish: Wish | None = None
    """A drag or a card. The server makes an action of it, as of `propose`, and plays it in the same round trip."""
    dice: tuple[tuple[int, ...], ...] = ()
    """Real dice that were typed in, if the game was made for them."""
    quietly: bool = False
    """True to play it only if it rolls nothing, reveals nothing, and the same side goes on. Otherwise nothing is
    played, and the answer says why.
    """


class Usually(MessageBase, frozen=True, tag="usual"):
    """Give the usual answer to a decision, and to what is asked next for as long as there is one."""

    decision: str
    """Id of the decision."""
    unit: int | None = None
    """Unit that gets the usual answer; by default all that are asked about."""
    quietly: bool = False
    """True to stop before an answer that is not quiet, as in `answer`."""


class Ask(MessageBase, frozen=True, tag="propose"):
    """Ask for the result of a drag, or for the reason why a card cannot be played. Nothing is played."""

    decision: str
    """Id of the decision."""
    wish: Wish
    """The drag, or the card."""


class PickUp(MessageBase, frozen=True, tag="pick-up"):
    """Ask for the surroundings of a unit, enough to foresee every drag of it. Nothing is played."""

    decision: str
    """Id of the decision."""
    unit: int
    """Number of the unit."""
    act: str = ""
    """Kind of move, if the unit has several."""


class AskSight(MessageBase, frozen=True, tag="sight"):
    """Ask for a unit's sight. Nothing is played."""

    unit: int
    """Number of the unit that looks."""
    targets: tuple[int, ...] = ()
    """The units looked at; by default all of the other side."""
    places: dict[int, tuple[int, int]] = {}
    """Places that models of the unit would have."""
    named: bool = False
    """True to name the obstacles for every target. With a single target they are named anyway."""
    back: bool = False
    """True to ask for the sight of the others to this unit instead, from its present place."""


class Seek(MessageBase, frozen=True, kw_only=True, tag="seek"):
    """Ask for a move that meets a goal. Nothing is played."""

    decision: str
    """Id of the decision."""
    unit: int
    """Number of the unit that moves."""
    act: str = ""
    """Kind of move, if the unit has several."""
    goal: Goal
    """The goal: towards something, into range of a unit, or into cover, over a distance of at most `most`."""


class AskOdds(MessageBase, frozen=True, tag="odds"):
    """Ask for the possible results of an action. Nothing is played."""

    decision: str
    """Id of the decision."""
    action: AnyAction
    """One of the actions that were offered."""
    whole: bool = False
    """True for the fates of all units in the whole act as well: once if nobody breaks in, once if everybody does who
    may.
    """


class AskHint(MessageBase, frozen=True, kw_only=True, tag="hint"):
    """Ask for a strong player's answer from the side's own view, which takes seconds. Refused as `no-hints` if the game
    gives none. Nothing is played.
    """

    decision: str
    """Id of the decision."""


class LookAhead(MessageBase, frozen=True, tag="ahead"):
    """Ask about the coming steps: the targets of units, and why they have no others. Nothing is played."""

    decision: str
    """Id of the decision."""
    wish: Wish | None = None
    """A drag that is prepared: the steps after it are asked about."""
    target: int | None = None
    """Number of the unit whose steps alone are asked about."""
    odds: bool = False
    """True to add the odds."""


class Eyes(MessageBase, frozen=True, tag="eyes"):
    """Let another of the seats at a shared screen look."""

    side: int | None
    """Side whose view is shown; null for an onlooker's."""


class Undo(MessageBase, frozen=True, tag="undo"):
    """Take the side's last act back, freely."""

    side: int | None = None
    """Side that acted; by default the side that looks."""


class Redo(MessageBase, frozen=True, tag="redo"):
    """Play the side's act again that was taken back last, if nothing else has been played since."""

    side: int | None = None
    """Side that acted; by default the side that looks."""


class Takeback(MessageBase, frozen=True, tag="takeback"):
    """Ask the other side for leave to take an act back, or answer such a request. A computer gives leave in a friendly
    game.
    """

    side: int | None = None
    """Side that speaks; by default the side that looks."""
    answer: bool | None = None
    """Null to ask, true or false to answer."""


class Typed(MessageBase, frozen=True, tag="dice"):
    """Enter the real dice for which the game waits."""

    faces: tuple[int, ...]
    """Faces of the dice, in order."""


class Why(MessageBase, frozen=True, tag="why"):
    """Ask for the causes of a marker or the strength of a unit, of points of a side, or of who holds a place. One of
    `unit`, `points` with `side`, and `spot` is given.
    """

    unit: int | None = None
    """Number of the unit."""
    token: str | None = None
    """A kind of marker of the unit; its strength by default."""
    side: int | None = None
    """Side whose points are asked about."""
    points: str | None = None
    """The label of the side's points."""
    spot: int | None = None
    """Number of the place."""


class Resign(MessageBase, frozen=True, tag="resign"):
    """Give the game up."""

    side: int | None = None
    """Side that gives up; by default the side that looks."""


class CallMe(MessageBase, frozen=True, tag="name"):
    """Give the name by which the person is called."""

    text: str
    """The name, of at most 24 characters."""
    side: int | None = None
    """Seat of the person; by default the side that looks."""


class Speak(MessageBase, frozen=True, tag="talk"):
    """Say something to the other people at the table."""

    text: str
    """The words, of at most 280 characters. Onlookers do not get them."""
    side: int | None = None
    """Side that speaks; by default the side that looks."""


class Hush(MessageBase, frozen=True, tag="hush"):
    """Switch the talk off, or on again."""

    off: bool
    """True to switch it off. Nobody speaks to a side that has switched it off."""
    side: int | None = None
    """Side that hears no more; by default the side that looks."""


class Await(MessageBase, frozen=True, tag="await"):
    """Hand one's own seat over: it is awaited until somebody takes it by its link. Or keep it after all."""

    on: bool
    """True to hand the seat over, false to keep it."""
    side: int | None = None
    """The seat; by default that of the side that looks."""


class OfferDraw(MessageBase, frozen=True, tag="draw"):
    """Offer a draw, or answer such an offer. It ends if the other side plays on. `false` takes one's own back."""

    side: int | None = None
    """Side that speaks; by default the side that looks."""
    answer: bool | None = None
    """Null to offer, true or false to answer."""


class ShowAll(MessageBase, frozen=True, tag="show-all"):
    """Show everything that was hidden, after the end. Nothing is taken back after that."""

    side: int | None = None
    """Side that speaks; by default the side that looks."""


class Standing(MessageBase, frozen=True, tag="standing"):
    """Answer a question of the other side's turn, now and each time it comes again and the answer is legal."""

    decision: str
    """Id of the decision."""
    action: AnyAction
    """One of the actions that were offered."""
    far: bool = False
    """True to give it only if no target is nearer than now."""


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
        WrongMessage: when it is invalid; the message names the field and the nearest right value.
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
    """The reason why a message is refused. Nothing has changed."""

    code: str
    """Short name of the reason. `docs/wire.md` lists those of the server; others are the ruleset's."""
    clause: str
    """Clause of the rulebook, or empty."""
    message: str
    """The reason in words."""
    values: dict[str, Any]
    """Values of the message, for programs."""
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
    """The message is carried out and stored. The change that it made was sent before."""

    seq: int
    """Number of the change."""
    ref: Ref = None
    view: View | UnsetType = UNSET
    """New view of the seat, if its request has `?view=SIDE`."""


class LoudMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="loud"):
    """The act was to be played quietly, and would not be quiet. Nothing has changed."""

    loud: Loud
    """The reason: `why`, the number of `dice` thrown first, and `words`."""
    ref: Ref = None


class ProposalMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="proposal"):
    """The result of a drag."""

    decision: str
    """Id of the decision."""
    proposal: Proposal
    """The paths, the price, and the action or the reason why there is none."""
    loud: Loud | None = None
    """Reason why it was not played, if it was to be played quietly and would not be quiet."""
    ref: Ref = None


class PickedUpMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="picked-up"):
    """The surroundings of a unit; null if the ruleset leaves every drag to `propose`."""

    decision: str
    """Id of the decision."""
    around: PickedUp | None
    """The surroundings of the unit."""
    ref: Ref = None


class SightMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="sight"):
    """A unit's sight; lines are included if one target was asked for."""

    sightings: tuple[Sighting, ...]
    """Sight of each unit that was asked about."""
    ref: Ref = None


class SoughtMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="sought"):
    """The move that meets a goal as far as possible."""

    decision: str
    """Id of the decision."""
    sought: Sought
    """The place (`to`), the `proposal`, and in `words` how far the goal is met."""
    ref: Ref = None


class OddsMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="odds"):
    """The possible results of an action."""

    decision: str
    """Id of the decision."""
    odds: Forecast
    """The possible results."""
    whole: tuple[Forecast, ...] = ()
    """Fates of all units, for each way in which the other side may answer."""
    ref: Ref = None


class HintMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="hint"):
    """A strong player's answer."""

    decision: str
    """Id of the decision."""
    hint: Hint
    """The answer, the place of the unit's first model after an open choice (`to`), and `reasons` of a few words each.
    """
    ref: Ref = None


class AheadMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="ahead"):
    """The acts of the coming steps."""

    decision: str
    """Id of the decision."""
    outlook: Outlook
    """The questions to come (`coming`), and the units that have no target (`aimless`)."""
    ending: Loud | None = None
    """First thing that happens when the step is ended, if it is not quiet and only the steps to
    come were asked about.
    """
    ref: Ref = None


class Led(msgspec.Struct, frozen=True, kw_only=True):
    """One link of the chain that led to a change: something that happened, or a decision."""

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
    """Words of the decision, as it was offered, with the unit that acts. For another side's decision, its first result,
    unless the chain has it already.
    """
    because: tuple[int, ...] = ()
    """Places of the links that led to it directly."""


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """An act that changed the thing asked about."""

    act: int
    before: str
    after: str
    links: tuple[Led, ...]
    """Links of the chain, oldest first; the last is the change itself."""


class BecauseMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="because"):
    """The causes of something, the newest change first."""

    steps: tuple[Cause, ...]
    """The changes."""
    ref: Ref = None


class Presence(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="presence"):
    """The seats of persons that are at the table now."""

    here: tuple[int, ...]
    """The sides of these seats."""


class Moved(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="moved"):
    """Seats have moved to another page, which is informed too. If the old page looked with the eyes of
    such a seat, another view follows.
    """

    sides: tuple[int, ...]
    """The sides of the seats."""
    here: bool
    """True if they have moved to this page, false if away from it."""
    for_good: bool = False
    """True if the secrets that this page has no longer open them."""


class ClockNow(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="clock"):
    """The time that the sides have left. It follows the first view and each change of a game with a clock. Time runs
    while the server holds the game.
    """

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
    """Number of rounds of the game; None where it has no fixed number."""
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
    it was opened, and by the present rules does not play as it did.
    """
