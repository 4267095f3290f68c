"""Worm Tokens: their effect on a model, and bases that attach to enemy vehicles and become tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Offered
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    Procedure,
    Refusal,
    Run,
    ask,
    back,
    guard,
    step,
)
from caltrop.geometry import CONTACT, boxes_within, disc_box
from caltrop.rules.command_horizon.damage import DamageBatch, lose_model, unlock
from caltrop.rules.command_horizon.places import discs_within, standing
from caltrop.rules.command_horizon.putredine import disabled, token_limit
from caltrop.rules.command_horizon.reach import is_infantry
from caltrop.rules.command_horizon.records import Battle, Wound

NOT_OF_THAT_UNIT = guard(
    ("CH-WORM-04", "Q-WORM-3"), "not-of-that-unit", "The token goes on one of the models that the base has reached"
)
NOT_TOUCHED = guard("Q-WORM-7", "not-touched", "The base is not in contact with that unit")


class AttachWorms(Procedure):
    """Bases have attached to an enemy vehicle unit. Worm Tokens of the base are placed one at a time."""

    side: int
    """The Putredine side, which chooses the models."""
    unit: int
    count: int
    lost: int = 0
    waits: bool = False
    """True if the unit's markers are compared with its models only when the damage of the step is applied."""

    @step("CH-WORM-01", "CH-WORM-04", "Q-WORM-3")
    def choose_victim(self, t: Battle) -> Ask | Go:
        """The Putredine player chooses the model for each token."""
        models = t.units[self.unit].models
        if self.count <= 0 or not models:
            return Go("hold_markers_against_models")
        if len(models) == 1:
            self._put(t, models[0])
            return Go("choose_victim")
        return ask(ChooseVictim(side=self.side, unit=self.unit, left=self.count))

    @step("CH-WORM-03", "CH-WORM-07", "Q-WORM-6")
    def put_token(self, t: Battle, choice: PutToken) -> Go:
        """Tokens on a model add up. A model is destroyed by twice as many tokens as it has dice."""
        self._put(t, choice.model)
        return Go("choose_victim")

    def _put(self, t: Battle, model: int) -> None:
        self.count -= 1
        tokens = t.models[model].worms + 1
        t.change_model(model, worms=tokens)
        t.tell(WormToken(unit=self.unit, model=model, tokens=tokens, disabled=disabled(t, model)))
        if tokens >= token_limit(t, model):
            self.lost += 1
            lose_model(t, model, by_enemy=True)

    @step("Q-STUN-8", "Q-SEQ-3", "Q-WORM-8")
    def hold_markers_against_models(self, t: Battle) -> Run | End:
        if not self.lost or not t.units[self.unit].models or not t.units[self.unit].stuns:
            return End()
        if self.waits:
            t.wounds.append(Wound(unit=self.unit))
            return End()
        return Run(DamageBatch(also=(self.unit,)))


class Infest(Procedure):
    """At the end of its move, each base in contact with an enemy vehicle attaches to it."""

    side: int
    unit: int
    bases: tuple[int, ...]
    """Ids of the bases that still have to attach."""
    tokens: tuple[tuple[int, int], ...] = ()
    """Enemy units, each with its number of new tokens."""

    @step("CH-WORM-01", "Q-WORM-1", "Q-WORM-7", "CH-PUTINF-15")
    def choose_host(self, t: Battle) -> Ask | Go:
        """Contact counts at the end of the move. A base in contact with several units attaches to one of them."""
        if not self.bases:
            return Go("next_unit")
        hosts = hosts_of(t, self.bases[0])
        if len(hosts) == 1:
            self._attach(t, hosts[0])
            return Go("choose_host")
        return ask(ChooseHost(side=self.side, base=self.bases[0], hosts=hosts))

    @step("Q-WORM-7")
    def attach(self, t: Battle, choice: Cling) -> Go:
        """The base is removed from the game, and its token goes to the chosen unit."""
        self._attach(t, choice.unit)
        return Go("choose_host")

    def _attach(self, t: Battle, host: int) -> None:
        base, self.bases = self.bases[0], self.bases[1:]
        spend_base(t, base, f"attaches to {t.called(host)}", "CH-WORM-01")
        self.tokens = _one_more(self.tokens, host)

    @step("CH-WORM-04")
    def next_unit(self, t: Battle) -> Run | End:
        if not self.tokens:
            return End()
        (host, count), self.tokens = self.tokens[0], self.tokens[1:]
        return Run(AttachWorms(side=self.side, unit=host, count=count))

    and_the_next = back("next_unit", "CH-WORM-04")


def _one_more(tokens: Sequence[tuple[int, int]], host: int) -> tuple[tuple[int, int], ...]:
    if any(unit == host for unit, _ in tokens):
        return tuple([(unit, n + (unit == host)) for unit, n in tokens])
    return (*tokens, (host, 1))


def spend_base(t: Battle, model: int, why: str, clause: str) -> None:
    """Remove an infantry base from the game. The enemy gets no victory points for a spent base, as the enemy did not
    destroy it (Q-VP-3).
    """
    m = t.models[model]
    unit = m.unit
    left = tuple([i for i in t.units[unit].models if i != model])
    t.change_model(model, alive=False)
    t.change(unit, models=left)
    if not left:
        unlock(t, unit)
        t.change(unit, stuns=0)
    t.tell(BaseSpent(unit=unit, model=model, x=m.x, y=m.y, why=why, clause=clause))


def remove_token(t: Battle, model: int) -> None:
    m = t.models[model]
    t.change_model(model, worms=m.worms - 1)
    t.tell(TokenRemoved(unit=m.unit, model=model, tokens=m.worms - 1))


def hosts_of(t: Battle, base: int) -> tuple[int, ...]:
    """Return the enemy vehicle units in contact with a Putredine base."""
    own, side = (t.models[base].disc,), t.units[t.models[base].unit].side
    box = disc_box(own[0])
    return tuple(
        [
            s.unit
            for s in standing(t)
            if s.side != side
            and boxes_within(s.box, box, CONTACT)
            and not is_infantry(t, s.unit)
            and discs_within(own, s.discs, CONTACT)
        ]
    )


def bases_in_contact(t: Battle, unit: int) -> tuple[int, ...]:
    return tuple([m for m in t.units[unit].models if hosts_of(t, m)])


# --- decisions -------------------------------------------------------------------------------------------------------


class PutToken(Action, frozen=True):
    """Put the Worm Token on this model."""

    model: int


class ChooseVictim(Offered, frozen=True, kw_only=True):
    """The Putredine player chooses which model takes the token."""

    unit: int
    left: int
    """Number of tokens that still have to be placed."""
    clauses: ClassVar[tuple[str, ...]] = ("CH-WORM-04",)
    settles: ClassVar[bool] = True
    hint: ClassVar[str] = (
        "Each token takes an Attack Die. A model without dice is Disabled; twice its dice in tokens destroys it."
    )

    def options(self, t: Battle) -> Listed:
        return Listed([PutToken(m) for m in t.units[self.unit].models], self._why_not, "CH-WORM-04")

    def _why_not(self, action: Any) -> Refusal | None:
        return NOT_OF_THAT_UNIT.refuses(True)

    def prompt(self, t: Battle) -> str:
        return f"Which model of {t.called(self.unit)} takes the Worm Token ({self.left} to place)?"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        return tuple(
            Offer(
                action=PutToken(m),
                words=f"Model {n + 1} ({t.models[m].worms} of {quantity(token_limit(t, m), 'token')})",
                unit=self.unit,
                target=self.unit,
                spot=(t.models[m].x, t.models[m].y),
            )
            for n, m in enumerate(t.units[self.unit].models)
        )


class Cling(Action, frozen=True):
    unit: int


class ChooseHost(Offered, frozen=True, kw_only=True):
    """The owner chooses to which of several enemy units a base attaches."""

    base: int
    hosts: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CH-WORM-01", "Q-WORM-7")
    hint: ClassVar[str] = "A base that touches several enemy vehicle units becomes a token on one of them."

    def options(self, t: Battle) -> Listed:
        return Listed([Cling(u) for u in self.hosts], self._why_not, "Q-WORM-7")

    def _why_not(self, action: Any) -> Refusal | None:
        return NOT_TOUCHED.refuses(True)

    def prompt(self, t: Battle) -> str:
        return "To which unit does the base attach?"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        return tuple(
            Offer(action=Cling(u), words=f"Attach to {t.called(u)}", target=u, unit=t.models[self.base].unit)
            for u in self.hosts
        )


# --- events ----------------------------------------------------------------------------------------------------------


class WormToken(Event, frozen=True):
    unit: int
    model: int
    tokens: int
    disabled: bool
    clauses: ClassVar[tuple[str, ...]] = ("CH-WORM-01", "CH-WORM-03")

    def sentence(self, t: Battle) -> str:
        text = f"{t.called(self.unit)}: a model now carries {quantity(self.tokens, 'Worm Token')}"
        return text + (" and is Disabled" if self.disabled else "")


class TokenRemoved(Event, frozen=True):
    unit: int
    model: int
    tokens: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-WORM-08",)
    template = "{unit}: a Worm Token is removed, {tokens} left on that model"


class BaseSpent(Event, frozen=True):
    """An infantry base was given up: it became a token, or removed markers or tokens."""

    unit: int
    model: int
    x: int
    y: int
    why: str
    clause: str

    def sentence(self, t: Battle) -> str:
        left = len(t.units[self.unit].models)
        return f"A base of {t.called(self.unit)} {self.why}: {left} left"
