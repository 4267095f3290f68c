"""Overwatch: face-down tokens, with which units interrupt the enemy's acts (SQ-ORG-33 to 41, SQ-S30 to S34).

The owner of a unit on overwatch chooses the moment at which it turns a token over: before the act begins, or anywhere
on the moving models' paths (SQ-Q59).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, ClassVar

from caltrop.asking import Act, Offer, Offered, OneOf, Proposal, Region, Usual, Wish
from caltrop.chance import Dice
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    Options,
    Procedure,
    Refusal,
    Run,
    agreeing,
    ask,
    back,
    decimal,
    does,
    guard,
    not_an_option,
    step,
)
from caltrop.geometry import INCH, distance_sq
from caltrop.kit.words import listed
from caltrop.picture import Motion
from caltrop.rules.squad_action.acts import ACTS, Doings, Kind, Paths, name_of
from caltrop.rules.squad_action.places import (
    sees,
    unit_sees,
)
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.watching import (
    Chance,
    chances_to_break_in,
    fires_at,
    has_begun,
    length_of,
    lose_overwatch,
    put_at,
    usable,
)
from caltrop.table.measured import SharedWay

PINNED = guard(("SQ-S30", "SQ-ORG-38"), "pinned", "{name:is} Pinned, and cannot go on overwatch")
NOT_ON_TABLE = guard("SQ-S30", "not-on-table", "{name:is} not on the table")
NO_TOKEN = guard("SQ-ORG-34", "no-token", "{name:has} no token that says {face}")
NOT_A_WATCHER = guard("SQ-S31", "not-a-watcher", "{name} cannot break into this act")
TOO_SOON = guard(
    "SQ-S31", "too-soon", "{name:sees} nobody before {earliest:inch} of the way, and this is {moment:inch}"
)
TOO_LATE = guard("SQ-Q59", "too-late", "The way is {length:inch} long, and this is {moment:inch}")
OUT_OF_SIGHT = guard("SQ-ORG-16", "out-of-sight", "{name:sees} nobody after {moment:inch} of the way")
OTHER_TOKENS = guard("SQ-ORG-35", "other-tokens", "{name:lays} {count:token}; you laid {given}")
NO_USE = guard("SQ-ORG-37", "no-use", "{name:finds} nothing to do with a {face} token now")
STAYS_PUT = guard(
    ("SQ-FMI-04", "SQ-Q03", "SQ-Q72"), "stays-put", "A unit that calls a fire mission does not move in that turn"
)
"""Reason why a unit that has called for fire has no Move tokens."""
ONLY_FIRE = guard("SQ-Q17", "only-fire", "One marker means one shot, and no move")


NOT_THE_ACTOR = guard("SQ-S31", "not-the-actor", "A Fire token breaks into an act of {name}, and is fired at it")


class Interruptions(Procedure):
    """Enemies on overwatch may interrupt an act. The result is the moment that was reached, and whether the act stops
    at that moment.

    The act stops if the unit was Pinned, broken, immobilised or destroyed, or if something blocks it. A stopped unit is
    where it was stopped, or has fallen back (SQ-S33, SQ-Q59, SQ-S23). If the act does not stop, the calling procedure
    moves the models to the ends of their paths.
    """

    actor: int
    paths: Paths = ()
    before: int = 0
    """Only units that went on overwatch before this number may interrupt; 0 for all."""
    moment: int = 0
    reacted: tuple[int, ...] = ()
    pinned: bool = False
    """True if the unit was Pinned when the act began."""
    begun: bool = False
    appeared: bool = False
    """True if the unit becomes visible by this act: it enters the table or leaves a transport."""

    @step("SQ-S31", "SQ-ORG-36", "SQ-ORG-40", "SQ-Q59")
    def offer(self, t: Firefight) -> Ask | Go | End:
        """Enemies that see the acting unit may turn tokens over, one after another."""
        self.begin(t)
        chances = chances_to_break_in(t, self.actor, self.paths, self.moment, self.before, self.reacted)
        if not chances:
            return self.finish(t)
        return ask(
            Interrupt(
                side=1 - t.units[self.actor].side,
                actor=self.actor,
                paths=self.paths,
                start=self.moment,
                chances=chances,
            )
        )

    @step("SQ-ORG-36", "SQ-S31", "SQ-Q59")
    def break_in(self, t: Firefight, choice: Spring | LetPass) -> Run | Go | End:
        """The token is turned over at the chosen moment, with the acting unit at its place at that moment."""
        if isinstance(choice, LetPass):
            return self.finish(t)
        self.halt(t, choice.moment)
        self.reacted = (*self.reacted, choice.watcher)
        return Run(TokenUsed(watcher=choice.watcher, face=choice.face, actor=self.actor))

    @step("SQ-S33", "SQ-ORG-07", "SQ-S34", "SQ-S51", "SQ-Q79")
    def go_on(self, t: Firefight) -> Go | End:
        """A unit that cannot continue stops. An act that is not stopped continues, and may be interrupted again."""
        if self.stopped(t):
            u = t.units[self.actor]
            unspent = u.activated and self.before == 0 and not self.appeared
            if u.pinned and unspent and not has_begun(t, self.actor, self.moment):
                t.change(self.actor, acted=0)
            return End((self.moment, True))
        self.look_again(t)
        return Go("offer")

    def begin(self, t: Firefight) -> None:
        """Store the state of the unit when its act begins; later calls do nothing."""
        if not self.begun:
            self.begun, self.pinned = True, t.units[self.actor].pinned

    def stopped(self, t: Firefight) -> bool:
        """Return whether the unit has to stop: it is off the table, broken, or newly Pinned."""
        u = t.units[self.actor]
        return not u.in_play or u.broken or (u.pinned and not self.pinned)

    def halt(self, t: Firefight, moment: int) -> None:
        """Move the unit to its place on the paths at a moment, and store that moment."""
        self.moment = moment
        self.place(t, moment)

    def place(self, t: Firefight, moment: int) -> None:
        """Move the unit to its place on the paths at a moment."""
        put_at(t, self.actor, self.paths, moment)

    def look_again(self, t: Firefight) -> None:
        """Check whether the rest of the act is still possible after an interruption."""

    def finish(self, t: Firefight) -> End:
        return End((self.moment, False))


class TokenUsed(Procedure):
    """A token is turned over, and its unit fires or moves. Other units may interrupt the watcher's act (SQ-S34)."""

    watcher: int
    face: str
    actor: int | None = None
    """The interrupted unit, at which a Fire token fires; None at the end of a turn, for any target."""
    before: int = 0

    @step("SQ-ORG-36", "SQ-ORG-34", "SQ-S31")
    def turn_over(self, t: Firefight) -> Ask | End:
        """The token is revealed, and then its owner chooses the act."""
        self.before = t.units[self.watcher].watching
        left = t.tokens[self.watcher].without(self.face)
        t.tell(TokenTurned(self.watcher, self.actor, self.face))
        if left.faces:
            t.tokens[self.watcher] = left
        else:
            lose_overwatch(t, self.watcher)
        decision = React(side=t.units[self.watcher].side, watcher=self.watcher, face=self.face, target=self.actor)
        if decision.options(t).several():
            return ask(decision)
        t.tell(TokenWasted(self.watcher, self.face))
        return End()

    @step("SQ-S31", "SQ-S34", "SQ-S32")
    def act(self, t: Firefight, choice: Any) -> Run | End:
        """The chosen act is carried out like any other."""
        if isinstance(choice, Forgo):
            t.tell(TokenWasted(self.watcher, self.face))
            return End()
        if self.face == "move":
            t.change(self.watcher, crept=t.round)
        return Run(choice.procedure(t, token=True, before=self.before))


class LeftOver(Procedure):
    """Tokens that are left at the end of the enemy's turn may be used (SQ-ORG-37)."""

    side: int

    @step("SQ-ORG-37", "SQ-S31")
    def offer(self, t: Firefight) -> Ask | End:
        """Any token may be used, at any target. Unused tokens stay beside their unit."""
        return ask(UseTokens(side=self.side)) if usable(t, self.side) else End()

    @step("SQ-ORG-37", "SQ-S31", "SQ-S34")
    def use(self, t: Firefight, choice: Spring | KeepTokens) -> Run | End:
        if isinstance(choice, KeepTokens):
            return End()
        return Run(TokenUsed(watcher=choice.watcher, face=choice.face))

    again = back("offer", "SQ-ORG-37")


# --- decisions -------------------------------------------------------------------------------------------------------


class Spring(Action, frozen=True):
    """Turn a token over."""

    watcher: int
    face: str
    moment: int = 0
    """Position along the longest path of the moving models, in tenths of a millimetre."""


class LetPass(Action, frozen=True):
    """Do not interrupt this act any more."""


class Forgo(Act, frozen=True):
    """Do nothing with the chosen overwatch token."""

    words = "Do nothing after all"
    final = True


class ReactOptions(Doings):
    def __init__(self, t: Firefight, decision: React) -> None:
        super().__init__(t, decision.watcher, True, (decision.kind,))
        self.decision, self.at = decision, decision.target
        self.acts = (*self.acts, Forgo)

    def refusal(self, action: Any) -> Refusal | None:
        d = self.decision
        if isinstance(action, Forgo):
            return None
        if not isinstance(action, self.acts) or action.unit != d.watcher:
            refusal = NOT_A_WATCHER.refuses(True, name=self.t.units[d.watcher].name)
            return refusal and refusal.towards(self.first())
        refusal = super().refusal(action)
        if refusal is None and not self._is_at_it(action):
            refusal = NOT_THE_ACTOR.refuses(True, name=name_of(self.t, d.target))
        if refusal is None or (refusal.nearest is not None and refusal.nearest in self):
            return refusal
        return refusal.towards(self.first())

    def _is_at_it(self, action: Any) -> bool:
        d = self.decision
        return d.kind != "shoot" or d.target is None or isinstance(action, Forgo) or fires_at(action, d.target)

    def of(self, act: type[Act]) -> Iterator[Any]:
        return filter(self._is_at_it, super().of(act))

    def several(self) -> bool:
        """Return whether the token can be used for anything."""
        return any(act.some(self) for act in ACTS[self.decision.kind])

    def sample(self, dice: Dice) -> Any:
        act = Doings(self.t, self.unit, True, self.kinds).drawn(self.decision.kind, dice)
        return act if act is not None and act in self else self.first()


class React(OneOf, frozen=True, kw_only=True):
    """The owner chooses what a unit on overwatch does with its token."""

    watcher: int
    face: str
    target: int | None = None
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S31", "SQ-ORG-36")
    occasion: ClassVar[str] = "when a token has been turned over"
    hint: ClassVar[str] = "A Fire token is one full shot, a Move token one move."

    @property
    def kind(self) -> Kind:
        """The kind of act that the token allows."""
        return "move" if self.face == "move" else "shoot"

    def options(self, t: Firefight) -> ReactOptions:
        """Return every shot at the acting unit, or every move, and the option to do nothing."""
        return ReactOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        name = t.units[self.watcher].name
        if self.face == "move":
            return f"Where {agreeing(name, 'does')} {name} move?"
        at = "" if self.target is None else f" at {t.units[self.target].name}"
        return f"How {agreeing(name, 'does')} {name} fire{at}?"


def at_moment(t: Firefight, asked: Interrupt, moment: int) -> Firefight:
    """Return the firefight as an interruption at a moment finds it, with the acting unit's place, direction and
    distance.
    """
    there = t.clone()
    act = next((f for f in reversed(t.stack) if isinstance(f, Interruptions) and f.actor == asked.actor), None)
    if act is None:
        put_at(there, asked.actor, asked.paths, moment)
    else:
        act.place(there, moment)
    return there


class InterruptOptions(Options):
    """The possible interruptions: a moment, and a token."""

    __slots__ = ("decision", "length", "t")

    def __init__(self, t: Firefight, decision: Interrupt) -> None:
        self.t, self.decision = t, decision
        self.length = length_of(decision.paths)

    def refusal(self, action: Any) -> Refusal | None:
        if isinstance(action, LetPass):
            return None
        t, d = self.t, self.decision
        if not isinstance(action, Spring):
            return not_an_option("SQ-S31").towards(self.first())
        earliest = dict(d.chances).get(action.watcher)
        if earliest is None or not 0 <= action.watcher < len(t.units):
            name = t.units[action.watcher].name if 0 <= action.watcher < len(t.units) else "Nobody"
            return (NOT_A_WATCHER.refuses(True, name=name) or not_an_option("SQ-S31")).towards(self.first())
        name, tokens = t.units[action.watcher].name, t.tokens.get(action.watcher)
        moment = min(max(action.moment, earliest), self.length)
        refusal = (
            NO_TOKEN.refuses(tokens is None or action.face not in tokens.faces, name=name, face=action.face)
            or TOO_SOON.refuses(action.moment < earliest, name=name, earliest=earliest, moment=action.moment)
            or TOO_LATE.refuses(action.moment > self.length, length=self.length, moment=action.moment)
            or OUT_OF_SIGHT.refuses(
                action.face == "fire" and not self._sees(action.watcher, action.moment), name=name, moment=action.moment
            )
        )
        if refusal is None:
            return None
        near = Spring(action.watcher, action.face, moment)
        return refusal.towards(near if near != action and near in self else self.first())

    def _sees(self, watcher: int, moment: int) -> bool:
        d = self.decision
        if not d.paths:
            return unit_sees(self.t, watcher, d.actor)
        twin = at_moment(self.t, d, moment)
        return any(sees(twin, a, b) for a in twin.units[watcher].models for b in twin.units[d.actor].models)

    def _faces(self, watcher: int) -> list[str]:
        tokens = self.t.tokens.get(watcher)
        return sorted({face for face in (tokens.faces if tokens else ()) if face is not None})

    def __iter__(self) -> Iterator[Any]:
        yield LetPass()
        for watcher, earliest in self.decision.chances:
            rest = self.length - earliest
            moments = dict.fromkeys(earliest + rest * part // 4 for part in range(5))
            for face in self._faces(watcher):
                for moment in moments:
                    if face == "move" or moment == earliest or self._sees(watcher, moment):
                        yield Spring(watcher, face, moment)

    def sample(self, dice: Dice) -> Any:
        d = self.decision
        if dice.below(2) == 0:
            return LetPass()
        watcher, earliest = d.chances[dice.below(len(d.chances))]
        faces = self._faces(watcher)
        if not faces:
            return LetPass()
        act = Spring(watcher, faces[dice.below(len(faces))], earliest + dice.below(self.length - earliest + 1))
        return act if act in self else Spring(watcher, act.face, earliest)

    def several(self) -> bool:
        """Return True: a side can always use its token or keep it."""
        return True


class Interrupt(Offered, frozen=True, kw_only=True):
    """The owner of units on overwatch chooses whether one of them interrupts, and when."""

    actor: int
    paths: Paths = ()
    start: int = 0
    chances: tuple[Chance, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S31", "SQ-ORG-36", "SQ-Q59")
    occasion: ClassVar[str] = "when an enemy acts in sight"
    hint: ClassVar[str] = (
        "Turn a token over at the first moment at which the unit is seen, or later on its way. "
        "A Pinned unit stays where it was stopped."
    )

    def options(self, t: Firefight) -> InterruptOptions:
        return InterruptOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        who = listed([t.units[w].name for w, _ in self.chances])
        return f"{does(t.units[self.actor].name, 'acts')} in sight of {who}: interrupt?"

    def offers(self, t: Firefight) -> list[Offer]:
        """Return each token of each unit, at the first moment and some later moments, and the option to use none."""
        return [
            *[self._offer(t, a) for a in self.options(t) if isinstance(a, Spring)],
            Offer(action=LetPass(), words="Let it pass", final=True),
        ]

    def regions(self, t: Firefight) -> list[Region]:
        options = self.options(t)
        return [
            Region(form="spot", unit=watcher, words=f"{face.capitalize()} token: where on the way", act=face)
            for watcher, _ in self.chances
            for face in (options._faces(watcher) if self.paths else ())
        ]

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        if wish.to is None or not self.paths or wish.unit not in dict(self.chances):
            return super().propose(t, wish)
        to, way = wish.to, SharedWay([path for _, path in self.paths], in_step=True)
        moments = [*range(dict(self.chances)[wish.unit], way.length, INCH // 10), way.length]
        nearest = min(moments, key=lambda moment: min([distance_sq(to, at) for at in way.at(moment)]))
        action = Spring(wish.unit, wish.act, nearest)
        refusal = self.options(t).refusal(action)
        return Proposal(action=action) if refusal is None else Proposal(refusal=refusal, faults=(to,))

    def told(self, t: Firefight, action: Any) -> Offer:
        return self._offer(t, action) if isinstance(action, Spring) else super().told(t, action)

    def _offer(self, t: Firefight, a: Spring) -> Offer:
        far = decimal(a.moment, INCH)
        if not length_of(self.paths):
            when = ""
        else:
            when = " at once" if a.moment == self.start else f" after {far} inch{'' if far == '1' else 'es'}"
        spot = None
        if self.paths:
            spot = SharedWay([p for _, p in self.paths], in_step=True).at(a.moment)[0]
        return Offer(
            action=a,
            words=f"{t.units[a.watcher].name}: use a {a.face.capitalize()} token{when}",
            group=t.units[a.watcher].name,
            unit=a.watcher,
            target=self.actor,
            spot=spot,
        )


class KeepTokens(Action, frozen=True):
    """Use no more tokens this turn."""


class UseTokens(Offered, frozen=True, kw_only=True):
    """The owner chooses a token to use at the end of the enemy's turn."""

    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-37", "SQ-S31")
    occasion: ClassVar[str] = "when the enemy's turn ends"
    hint: ClassVar[str] = "Unused tokens may be used now at any target, or kept until the unit is activated."

    def options(self, t: Firefight) -> Listed:
        units = usable(t, self.side)
        faces = {u: sorted({face for face in t.tokens[u].faces if face is not None}) for u in units}
        springs = [Spring(u, face) for u in units for face in faces[u]]
        why_not = partial(self._why_not, t, springs)
        useful = [spring for spring in springs if why_not(spring) is None]
        return Listed([KeepTokens(), *useful], why_not, "SQ-ORG-37")

    def _why_not(self, t: Firefight, springs: list[Spring], action: Any) -> Refusal | None:
        if not isinstance(action, Spring) or action not in springs:
            return None
        use = React(side=self.side, watcher=action.watcher, face=action.face).options(t).several()
        return NO_USE.refuses(not use, name=t.units[action.watcher].name, face=action.face.capitalize())

    def prompt(self, t: Firefight) -> str:
        if t.book.rules["activation"] != "side":
            return "The turn ends: use a token that is left?"
        return "The enemy's turn ends: use a token that is left?"

    def offers(self, t: Firefight) -> list[Offer]:
        return [
            Offer(action=a, words=f"{t.units[a.watcher].name}: use a {a.face.capitalize()} token", unit=a.watcher)
            if isinstance(a, Spring)
            else Offer(action=a, words="Keep the tokens", final=True)
            for a in self.options(t)
        ]

    def usual(self, t: Firefight, unit: int | None = None) -> Usual | None:
        """Keep the tokens if none can be used."""
        first, *others = self.offers(t)
        return None if others or unit is not None else Usual(action=first.action, words=first.words, said=True)


# --- events ----------------------------------------------------------------------------------------------------------


class TokenTurned(Event, frozen=True):
    watcher: int
    actor: int | None
    """The unit whose act is interrupted; None at the end of a turn."""
    face: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-36", "SQ-S31")
    reveals: ClassVar[bool] = True
    about = ("watcher", "actor")

    def sentence(self, t: Firefight) -> str:
        into = "" if self.actor is None else f" as {does(t.units[self.actor].name, 'acts')}"
        return f"{does(t.units[self.watcher].name, 'turns')} over a {self.face.capitalize()} token{into}"

    def motion(self, t: Firefight) -> Motion | None:
        """Return the interrupting unit; None at the end of a turn."""
        if self.actor is None:
            return None
        return Motion(sort="reaction", unit=self.watcher, target=self.actor)


class TokenWasted(Event, frozen=True):
    """A token was turned over without effect."""

    watcher: int
    face: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S31", "SQ-ORG-36")

    def sentence(self, t: Firefight) -> str:
        return f"{does(t.units[self.watcher].name, 'does')} nothing with the {self.face.capitalize()} token"
