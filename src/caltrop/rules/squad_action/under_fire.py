"""An approach under fire: assaulted units on overwatch fire all their Fire tokens (SQ-CQS-01, SQ-Q19, SQ-Q25)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Offered
from caltrop.engine import (
    Action,
    Ask,
    End,
    Go,
    Listed,
    Refusal,
    Run,
    agreeing,
    ask,
    does,
    guard,
    step,
)
from caltrop.rules.squad_action.movement import Moving, UnderWay
from caltrop.rules.squad_action.overwatch import Forgo, Interrupt, LetPass, React, ReactOptions, Spring, TokenUsed
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.watching import chances_to_break_in, first_sight, may_watch, up_to
from caltrop.rules.squad_action.ways_in import (
    WaysIn,
)

MUST_FIRE = guard("SQ-CQS-01", "must-fire", "{name:is} assaulted, and fires at those who come")
NOT_SO_MANY = guard("SQ-CQS-01", "not-so-many", "{name:has} {count:Fire token}; you used {given}")


class WayIn(Moving):
    """The move of an assaulting unit.

    An assaulted unit on overwatch uses all its Fire tokens when it first sees the assaulting unit (SQ-CQS-01).
    """

    targets: tuple[int, ...] = ()
    others: bool = False
    """True if other units still have to move in."""

    def under_way(self, t: Firefight) -> UnderFire:
        """Return the procedure in which enemies may interrupt the approach.

        Assaulted units on overwatch interrupt by their own rule.
        """
        way = Moving.under_way(self, t)
        fields = {name: getattr(way, name) for name in way.__struct_fields__ if hasattr(way, name)}
        alert = tuple([target for target in self.targets if t.units[target].watching])
        return UnderFire(**fields, alert=alert, others=self.others, targets=self.targets)


class UnderFire(UnderWay, kw_only=True):
    """Enemies on overwatch interrupt an assault. An assaulted unit uses every Fire token when it first sees the
    assaulters.
    """

    alert: tuple[int, ...] = ()
    """Assaulted units on overwatch that have not yet fired at this unit."""
    others: bool = False
    """True if more units come after this unit, so that tokens may be kept for them (SQ-Q25)."""
    passed: bool = False
    """True if other enemies on overwatch let the unit pass until an assaulted unit first sees it."""
    firing: int = -1
    shots: int = 0
    """Number of Fire tokens that the firing unit still uses."""
    targets: tuple[int, ...] = ()
    """Ids of the assaulted units."""

    def routes(self, t: Firefight) -> WaysIn:
        return WaysIn(t, self.actor, self.targets, self.act.jump, begun=True)

    @step("SQ-S31", "SQ-ORG-36", "SQ-ORG-40", "SQ-Q59", "SQ-CQS-01", "SQ-Q76")
    def offer(self, t: Firefight) -> Ask | Go | End:
        self.begin(t)
        sight = self.first_to_see(t)
        # Assaulted units use only Fire tokens, and their owner is not asked.
        apart = (*self.reacted, *self.targets)
        chances = chances_to_break_in(t, self.actor, self.paths, self.moment, self.before, apart)
        paths = self.paths
        if sight is not None:
            moment = sight[0]
            chances = tuple([c for c in chances if c[1] < moment])
            paths = up_to(self.paths, moment)
        if not chances or self.passed:
            return self.finish(t) if sight is None else Go("open_fire")
        side = 1 - t.units[self.actor].side
        return ask(Interrupt(side=side, actor=self.actor, paths=paths, start=self.moment, chances=chances))

    @step("SQ-ORG-36", "SQ-S31", "SQ-Q59", "SQ-CQS-01")
    def break_in(self, t: Firefight, choice: Spring | LetPass) -> Run | Go | End:
        if isinstance(choice, LetPass):
            self.passed = True
            return Go("offer")
        self.halt(t, choice.moment)
        self.reacted = (*self.reacted, choice.watcher)
        return Run(TokenUsed(watcher=choice.watcher, face=choice.face, actor=self.actor))

    @step("SQ-S33", "SQ-ORG-07", "SQ-S34", "SQ-CQS-03")
    def go_on(self, t: Firefight) -> Go | End:
        if self.stopped(t):
            return End((self.moment, True))
        self.look_again(t)
        return Go("offer")

    @step("SQ-CQS-01", "SQ-Q19", "SQ-Q25")
    def open_fire(self, t: Firefight) -> Ask | Go:
        """The unit stops where it is first seen, and the assaulted unit fires."""
        sight = self.first_to_see(t)
        assert sight is not None
        moment, self.firing = sight
        self.alert = tuple([target for target in self.alert if target != self.firing])
        self.passed = False
        self.halt(t, moment)
        if self.others:
            side = t.units[self.firing].side
            return ask(AimTokens(side=side, unit=self.firing, actor=self.actor))
        self.shots = fire_tokens(t, self.firing)
        return Go("fire")

    @step("SQ-Q25")
    def aim(self, t: Firefight, choice: AimFire) -> None:
        """The owner may keep some tokens for units that come later."""
        self.shots = choice.count

    @step("SQ-CQS-01", "SQ-Q19")
    def fire(self, t: Firefight) -> Run | Go:
        if not self.shots or not may_watch(t, self.firing, self.actor, 0):
            return Go("offer")
        self.shots -= 1
        return Run(FireAtAssaulters(watcher=self.firing, face="fire", actor=self.actor))

    @step("SQ-CQS-02", "SQ-CQS-03", "SQ-Q19")
    def survive(self, t: Firefight) -> Go | End:
        """If the fire Pins or breaks the assaulters, the assault has failed."""
        if self.stopped(t):
            return End((self.moment, True))
        self.look_again(t)
        return Go("fire")

    def first_to_see(self, t: Firefight) -> tuple[int, int] | None:
        """Return the first moment at which an assaulted unit on overwatch sees the assaulting unit, and the unit that
        sees it; or None.

        The search ignores the faces of tokens, which are secret until they are turned over.
        """
        sights: list[tuple[int, int]] = []
        for target in self.alert:
            if may_watch(t, target, self.actor, 0):
                moment = first_sight(t, target, self.actor, self.paths, self.moment)
                if moment is not None:
                    sights.append((moment, target))
        return min(sights, default=None)


def fire_tokens(t: Firefight, unit: int) -> int:
    """Return the number of Fire tokens that a unit has left."""
    tokens = t.tokens.get(unit)
    return 0 if tokens is None else sum([face == "fire" for face in tokens.faces])


class FireAtAssaulters(TokenUsed):
    """A Fire token of an assaulted unit, which must be fired at the assaulters."""

    @step("SQ-CQS-01", "SQ-ORG-36", "SQ-ORG-34")
    def turn_over(self, t: Firefight) -> Ask | End:
        TokenUsed.turn_over(self, t)
        decision = FireAtThem(side=t.units[self.watcher].side, watcher=self.watcher, face="fire", target=self.actor)
        return ask(decision) if next(iter(decision.options(t)), None) is not None else End()


# --- decisions -------------------------------------------------------------------------------------------------------


class FireOptions(ReactOptions):
    __slots__ = ()

    def refusal(self, action: Any) -> Refusal | None:
        if isinstance(action, Forgo):
            refusal = MUST_FIRE.refuses(True, name=self.t.units[self.decision.watcher].name)
            return None if refusal is None else refusal.towards(self.first())
        return super().refusal(action)

    def __iter__(self) -> Iterator[Any]:
        for act in super().__iter__():
            if not isinstance(act, Forgo):
                yield act

    def several(self) -> bool:
        every = iter(self)
        return next(every, None) is not None and next(every, None) is not None


class FireAtThem(React, frozen=True, kw_only=True):
    """The owner of an assaulted unit chooses how it fires."""

    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQS-01", "SQ-Q19")
    hint: ClassVar[str] = "An assaulted unit on overwatch fires at the assaulters before they arrive."

    def options(self, t: Firefight) -> FireOptions:
        return FireOptions(t, self)

    def offers(self, t: Firefight) -> list[Offer]:
        return [o for o in super().offers(t) if not isinstance(o.action, Forgo)]


class AimFire(Action, frozen=True):
    """Choose how many Fire tokens to use at the approaching unit."""

    count: int


class AimTokens(Offered, frozen=True, kw_only=True):
    """The owner chooses how many Fire tokens to use at this unit while more units are to come."""

    unit: int
    actor: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q25", "SQ-CQS-01")
    hint: ClassVar[str] = (
        "Several units come: each Fire token is aimed at one of them. Tokens that are kept are fired at the last."
    )
    reaction: ClassVar[bool] = True

    def options(self, t: Firefight) -> Listed:
        count = fire_tokens(t, self.unit)
        return Listed([AimFire(n) for n in range(count, -1, -1)], partial(self._why_not, t), "SQ-Q25")

    def _why_not(self, t: Firefight, action: Any) -> Refusal | None:
        if not isinstance(action, AimFire):
            return None
        name, count = t.units[self.unit].name, fire_tokens(t, self.unit)
        return NOT_SO_MANY.refuses(True, name=name, count=count, given=action.count)

    def prompt(self, t: Firefight) -> str:
        own = t.units[self.unit].name
        return f"{does(t.units[self.actor].name, 'comes')}, and others follow: how {agreeing(own, 'does')} {own} fire?"

    def offers(self, t: Firefight) -> list[Offer]:
        return [
            Offer(
                action=a,
                words=f"Use {quantity(a.count, 'Fire token')} now" if a.count else "Keep them for those to come",
                unit=self.unit,
                target=self.actor,
            )
            for a in self.options(t)
        ]
