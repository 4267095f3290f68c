"""The action Enter CQB: the reach of an assault, the approach under fire, and assaults with several units on a side.

The approach is a Move in which all models go at the same time, so watchers interrupt it like any other Move. Assaulted
units on overwatch fire all Fire tokens when they first see the assaulters. After the approach, models that are near
enough move into base contact, and the fight begins (`close_quarters`).

Readings:

- An assault on one enemy that falls short is still an act: the move is made, but no fight follows (SQ-Q18). An assault
  on two enemies has to reach both. With the house rule `all_within_3`, an assault that would fall short is not allowed.
- A model in contact may stand near other enemies. A model of a unit that falls short stays more than 2 inches from all
  enemies (SQ-S10, SQ-Q63).
- A split unit has to close up first and cannot assault (SQ-ORG-13).
- Move tokens of assaulted units cannot be used against the assault, and are lost (SQ-CQS-01, SQ-Q48). Other units on
  overwatch interrupt as they interrupt any act.
- Against several units, the assaulted unit may keep Fire tokens for assaulters that come later. The assaulted unit
  fires the rest of its tokens at the last assaulter.
- Before an assault a partner may do the actions that it could do if it assaulted alone. A partner may also stay back
  (SQ-Q25). The last unit may move in even if the first was stopped.
- If a unit that assaults two enemies reaches only one, because of losses on the way, it fights that one alone.
- Assaulting a Broken unit removes it. Nobody is Pinned after an assault without a fight (SQ-S23).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any, ClassVar

import msgspec

from caltrop.agreeing import quantity
from caltrop.asking import Guards, Offer, Offered, Proposal, Region, Wish
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
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
from caltrop.geometry import INCH, path_length
from caltrop.kit.words import listed
from caltrop.picture import Motion
from caltrop.rules.squad_action.activation import (
    NextAct,
    PassUp,
    Prelude,
    close_activation,
    open_activation,
    why_not_in_order,
)
from caltrop.rules.squad_action.acts import ACTS, MOST_WAYS, Doings, Kind, Paths, UnitAct
from caltrop.rules.squad_action.broken import Terror
from caltrop.rules.squad_action.catalogue import Cover
from caltrop.rules.squad_action.close_quarters import CloseQuarters
from caltrop.rules.squad_action.consolidation import alive
from caltrop.rules.squad_action.entering import (
    ENTERS,
    MOST_TARGETS,
    ONE_TARGET,
    actions_before,
    away_at_least,
    why_no_partner,
    why_not_them,
)
from caltrop.rules.squad_action.limits import Way
from caltrop.rules.squad_action.movement import PACKS, Move
from caltrop.rules.squad_action.places import bodies, cover_of, gap
from caltrop.rules.squad_action.reach import allowance
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.under_fire import WayIn
from caltrop.rules.squad_action.vehicle_assault import unarmed
from caltrop.rules.squad_action.victory import after_action
from caltrop.rules.squad_action.watched import foretold_in
from caltrop.rules.squad_action.ways_in import (
    FALLS_SHORT,
    RUSH,
    TRIGGER,
    WaysIn,
    drawn_in,
    enemy_at,
    may_fight,
    proposal_in,
    rush,
    who_is_reached,
    why_not_in,
)

NOT_COMING = guard("SQ-Q25", "not-coming", "This unit is not one of those that may move in")

FIRST: tuple[Kind, ...] = ("move", "shoot", "transport", "smoke", "rally")
"""Actions that are possible before an assault: the unit must still be able to move after them."""


class Storm(Procedure):
    """An assault: partners prepare, all units move in, and the units that arrive fight (SQ-CQB-01, SQ-CQS-08)."""

    act: Assault
    before: int = 0
    coming: tuple[int, ...] = ()
    """Units that have not moved in yet."""
    now: int = -1
    """The unit that prepares or moves in."""
    paths: Paths = ()
    jump: bool = False
    ready: tuple[int, ...] = ()
    covers: tuple[Cover, ...] = ()
    watching: tuple[int, ...] = ()
    """Targets that were on overwatch before the first unit moved in."""
    through: tuple[int, ...] = ()
    """Units that have arrived in close quarters."""

    @step("SQ-ACT-04", "SQ-CQS-07", "SQ-CQS-08", "SQ-Q03", "SQ-Q73")
    def declare(self, t: Firefight) -> None:
        t.tell(Declared((self.act.unit, *self.act.partners), self.act.targets))
        t.change(self.act.unit, acted=actions_before(t) + 1)
        self.ready, self.coming = (self.act.unit,), self.act.partners

    @step("SQ-CQS-08", "SQ-Q25")
    def muster(self, t: Firefight) -> Run | Go:
        """All units of an assault are activated together. One after another, the units do their actions before the
        assault.
        """
        if not self.coming:
            return Go("look_at_them")
        self.now, self.coming = self.coming[0], self.coming[1:]
        return Run(GetReady(unit=self.now))

    @step("SQ-CQS-08", "SQ-Q25")
    def mustered(self, t: Firefight, ready: bool) -> Go:
        if ready:
            self.ready = (*self.ready, self.now)
        return Go("muster")

    @step("SQ-CQS-01", "SQ-CQS-05", "SQ-S19", "SQ-S16", "SQ-Q22")
    def look_at_them(self, t: Firefight) -> None:
        """The cover of assaulted units is measured from the nearest assaulter, before any unit moves in."""
        self.coming = tuple([u for u in self.ready if ENTERS.may(t, unit=u)])
        firers = [b[:2] for u in self.coming for b in bodies(t, u)]
        self.covers = tuple([cover_of(t, t.units[target].models, firers) for target in self.act.targets])
        self.watching = tuple([target for target in self.act.targets if t.units[target].watching])

    @step("SQ-Q25", "SQ-CQB-01")
    def who_moves_in(self, t: Firefight) -> Ask | Go:
        """The units move in one by one, in the order that their owner chooses."""
        self.coming = tuple([u for u in self.coming if ENTERS.may(t, unit=u)])
        if not self.coming or not alive(t, self.act.targets):
            return Go("come_to_blows")
        if not self.act.partners:
            self.now, self.paths, self.jump = self.act.unit, self.act.paths, self.act.jump
            return Go("move_in")
        side = t.units[self.act.unit].side
        return ask(NextIn(side=side, coming=self.coming, targets=self.act.targets, first=self.act))

    @step("SQ-Q25")
    def choose(self, t: Firefight, choice: MoveIn | StayBack) -> Go | None:
        self.now = choice.unit
        if isinstance(choice, StayBack):
            self.coming = tuple([u for u in self.coming if u != choice.unit])
            return Go("who_moves_in")
        self.paths, self.jump = choice.paths, choice.jump
        return None

    @step("SQ-CQB-01", "SQ-CQS-01", "SQ-Q18", "SQ-Q19", "SQ-Q59")
    def move_in(self, t: Firefight) -> Run:
        """All models of the unit move at the same time."""
        self.coming = tuple([u for u in self.coming if u != self.now])
        return Run(
            WayIn(
                act=Move(self.now, self.paths, jump=self.jump),
                before=self.before,
                targets=self.act.targets,
                others=bool(self.coming),
            )
        )

    @step("SQ-CQB-01", "SQ-CQS-03", "SQ-ORG-42", "SQ-ORG-44", "SQ-Q18", "SQ-Q63")
    def arrive(self, t: Firefight) -> Go:
        """Models of a unit that was not stopped, and is near enough, move into base contact."""
        targets = who_is_reached(t, self.now, self.act.targets)
        if targets:
            self.through = (*self.through, self.now)
            rush(t, self.now, targets)
        elif ENTERS.may(t, unit=self.now):
            t.tell(FellShort(self.now))
        return Go("who_moves_in")

    @step("SQ-CQB-02", "SQ-CQS-08", "SQ-Q25", "SQ-Q26")
    def come_to_blows(self, t: Firefight) -> Run | None:
        through = tuple([u for u in self.through if may_fight(t, u)])
        order = tuple([u for u in self.ready if u in through])
        here = [
            n
            for n, target in enumerate(self.act.targets)
            if any(target in who_is_reached(t, u, self.act.targets) for u in order)
        ]
        if not here:
            return None
        return Run(
            CloseQuarters(
                assaulters=order,
                defenders=tuple([self.act.targets[n] for n in here]),
                covers=tuple([self.covers[n] for n in here]),
                watching=self.watching,
            )
        )

    @step("SQ-TRT-17", "SQ-Q37")
    def frighten(self, t: Firefight) -> Run | Go:
        """A unit that stepped back from a fight may have come near another Terrifying enemy."""
        if not self.through:
            return Go("end")
        unit, self.through = self.through[0], self.through[1:]
        return Run(Terror(unit=unit))

    next_one = back("frighten", "SQ-Q37")

    @step("SQ-ACT-04", "SQ-S72")
    def end(self, t: Firefight) -> None:
        """The assault has ended. The assault counts as an action of every unit that took part, and partners have
        finished their activation.
        """
        for partner in self.act.partners:
            after_action(t, partner)
            if t.units[partner].activated:
                close_activation(t, partner)


class GetReady(Procedure):
    """A partner's activation before it moves in. The result is True if the unit can move in (SQ-Q25)."""

    unit: int
    barred: bool = False
    """True if Conscripts failed their roll, and may only rally (SQ-Q34)."""
    did: tuple[Kind, ...] = ()
    """Kinds of the actions that the partner has carried out."""

    @step("SQ-CQS-08", "SQ-Q25", "SQ-ORG-01")
    def begin(self, t: Firefight) -> Run:
        open_activation(t, self.unit)
        return Run(Prelude(unit=self.unit))

    @step("SQ-CQS-08", "SQ-Q34", "SQ-Q25")
    def obey(self, t: Firefight, may: str) -> End | None:
        """Conscripts that fail their roll, and units that have to regroup, stay where they are and may only rally."""
        self.barred = may == "rally"
        if may != "nothing":
            return None
        t.change(self.unit, acted=actions_before(t) + 1)
        return End(False)

    @step("SQ-CQS-08", "SQ-Q25", "SQ-ORG-43", "SQ-Q03", "SQ-Q08", "SQ-ORG-07", "SQ-ORG-26", "SQ-S33", "SQ-Q34")
    def offer(self, t: Firefight) -> Ask | End:
        """A unit may do an action first. A Pinned unit has to use its actions for rallying."""
        u = t.units[self.unit]
        last = actions_before(t) + 1
        tries = u.pinned and u.acted < last
        out = u.where in ("gone", "away") or u.broken
        if out or not (tries or (u.acted < last - 1 and not self.barred)):
            ready = u.in_play and not u.broken and not self.barred and u.acted < last
            t.change(self.unit, acted=last)
            return End(ready)
        did = self.did
        kinds = tuple([k for k in FIRST if k in ACTS and why_not_in_order(t, self.unit, (k, "assault"), did) is None])
        kinds = ("rally",) if u.pinned else kinds
        return ask(NextAct(side=u.side, unit=self.unit, kinds=kinds, free=True, then=("assault",), did=did))

    @step("SQ-Q25", "SQ-ORG-01", "SQ-Q49")
    def act(self, t: Firefight, choice: Any) -> Run | End:
        """The unit carries out the chosen act, or moves in."""
        if isinstance(choice, PassUp):
            t.change(self.unit, acted=actions_before(t) + 1)
            return End(not self.barred)
        t.change(self.unit, acted=t.units[self.unit].acted + 1)
        self.did = (*self.did, choice.kind)
        return Run(choice.procedure(t))

    @step("SQ-Q25", "SQ-ORG-06", "SQ-S72")
    def again(self, t: Firefight, carried: bool | str | None) -> Go:
        """The unit chooses again while it has actions left. An act whose target was gone does not count as one."""
        if carried is False:
            t.change(self.unit, acted=t.units[self.unit].acted - 1)
            self.did = self.did[:-1]
        after_action(t, self.unit)
        if not t.units[self.unit].acted:
            self.did = ()
        return Go("offer")


# --- base to base ----------------------------------------------------------------------------------------------------


def assaults_of(t: Firefight, unit: int, targets: tuple[int, ...]) -> Iterator[Assault]:
    """Yield the ways in which a unit can assault some enemies, those on foot first. Each way reaches all of them."""
    for jump in (False, True) if PACKS.may(t, unit=unit) else (False,):
        for gone in WaysIn(t, unit, targets, jump).ways():
            yield Assault(unit, targets, gone.paths, jump)


def partners_of(t: Firefight, unit: int, target: int) -> Iterator[int]:
    """Yield friends that could join a unit's assault on an enemy: at once, after a Move, or after rallying.

    For a friend in a transport or in reserve, the distance is measured from the place where it starts.
    """
    for friend in t.units:
        if friend.side != t.units[unit].side or why_no_partner(t, unit, (friend.id,)) is not None:
            continue
        far = allowance(t, friend.id, PACKS.may(t, unit=friend.id)) + TRIGGER
        away = away_at_least(t, friend.id, target)
        if away <= far:
            if not friend.in_play or friend.pinned or next(assaults_of(t, friend.id, (target,)), None) is not None:
                yield friend.id
        elif (
            friend.in_play and not friend.pinned and actions_before(t) and away - far <= allowance(t, friend.id, False)
        ):
            yield friend.id


# --- decisions -------------------------------------------------------------------------------------------------------


class MoveIn(Action, frozen=True):
    """Move in with one unit of a multiple assault."""

    unit: int
    paths: Paths
    jump: bool = False


class StayBack(Action, frozen=True):
    """Keep one unit of a multiple assault out of the fight."""

    unit: int


class NextInOptions(Options):
    """The units that may move in next, with their paths."""

    __slots__ = ("decision", "t")

    def __init__(self, t: Firefight, decision: NextIn) -> None:
        self.t, self.decision = t, decision

    def refusal(self, action: Any) -> Refusal | None:
        d, t = self.decision, self.t
        if not isinstance(action, (MoveIn, StayBack)) or action.unit not in d.coming:
            return (NOT_COMING.refuses(True) or not_an_option("SQ-ACT-04")).towards(self.first())
        if isinstance(action, StayBack):
            return None
        refusal = PACKS.why(t, unit=action.unit) if action.jump else None
        if refusal is None:
            refusal = why_not_in(t, action.unit, alive(t, d.targets), action.paths, action.jump)
        return None if refusal is None else refusal.towards(next(self._of(action.unit)))

    def _of(self, unit: int) -> Iterator[Any]:
        """Yield the options of one unit: its paths, the declared path first, and then staying back."""
        d, t = self.decision, self.t
        declared = MoveIn(unit, d.first.paths, d.first.jump) if unit == d.first.unit else None
        if declared is not None:
            ways = WaysIn(t, unit, alive(t, d.targets), declared.jump)
            packs = not declared.jump or PACKS.may(t, unit=unit)
            if packs and ways.reaches(Way(declared.paths)):
                yield declared
        for jump in (False, True) if PACKS.may(t, unit=unit) else (False,):
            for way_in in WaysIn(t, unit, alive(t, d.targets), jump).ways():
                act = MoveIn(unit, way_in.paths, jump)
                if act != declared:
                    yield act
        yield StayBack(unit)

    def __iter__(self) -> Iterator[Any]:
        for unit in self.decision.coming:
            yield from self._of(unit)

    def several(self) -> bool:
        return len(self.decision.coming) > 1 or super().several()


class NextIn(Offered, frozen=True, kw_only=True):
    """The owner chooses the next unit of a multiple assault, and its path."""

    coming: tuple[int, ...]
    targets: tuple[int, ...]
    first: Assault
    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q25", "SQ-CQS-08")
    hint: ClassVar[str] = "All units that are ready move in, in the order that you choose; then they fight together."

    def options(self, t: Firefight) -> NextInOptions:
        return NextInOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        return f"Who moves in next: {' or '.join(t.units[u].name for u in self.coming)}?"

    def offers(self, t: Firefight) -> list[Offer]:
        return [
            Offer(action=a, words=does(t.units[a.unit].name, _how(t, a)), group=t.units[a.unit].name, unit=a.unit)
            for a in self.options(t)
        ]

    def regions(self, t: Firefight) -> list[Region]:
        return [
            Region(form="move", unit=u, words="Move in", bands=((allowance(t, u, False), 0),), act="assault")
            for u in self.coming
        ]

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        if wish.unit not in self.coming:
            return super().propose(t, wish)
        ways = WaysIn(t, wish.unit, alive(t, self.targets))
        act = drawn_in(ways, wish)
        if act is None:
            return proposal_in(ways, None, None, None)
        entry = MoveIn(wish.unit, act.paths)
        refusal = self.options(t).refusal(entry)
        way = proposal_in(ways, act, entry, refusal)
        return way if refusal is not None else foretold_in(t, wish.unit, act.paths, alive(t, self.targets), way)


def _how(t: Firefight, act: MoveIn | StayBack) -> str:
    if isinstance(act, StayBack):
        return "stays back"
    longest = max([path_length(path) for _, path in act.paths], default=0)
    return f"moves in{' with packs' if act.jump else ''}, {quantity(decimal(longest, INCH), 'inch')}"


class Assault(UnitAct, frozen=True):
    """Enter close quarters."""

    targets: tuple[int, ...]
    """One enemy unit, or two (SQ-CQS-10)."""
    paths: Paths
    jump: bool = False
    partners: tuple[int, ...] = ()
    """Units that assault the same enemy together with this unit, in order (SQ-CQS-07)."""

    kind = "assault"
    words = "Assault {targets}{packs}, {away} away{friends}"
    says: ClassVar = {
        "targets": lambda t, targets: listed([t.units[e].name for e in targets]),
        "packs": lambda jump: " with packs" if jump else "",
        "away": lambda t, unit, targets: quantity(decimal(min([gap(t, unit, e) for e in targets]), INCH), "inch"),
        "friends": lambda t, partners: "".join(f", together with {t.units[p].name}" for p in partners),
    }
    sampled = True
    guards = Guards(
        ENTERS,
        why_not_them,
        (ONE_TARGET, lambda targets, partners: partners and len(targets) > 1),
        why_no_partner,
        lambda t, unit, jump: PACKS.why(t, unit=unit) if jump else None,
        why_not_in,
        given=lambda targets: len(targets),
    )

    @staticmethod
    def aim(targets: Sequence[int]) -> int:
        return targets[0]

    def procedure(self, t: Firefight, *, token: bool = False, before: int = 0) -> Storm:
        return Storm(act=self, before=before)

    @classmethod
    def is_open_to(cls, t: Firefight, unit: int) -> bool:
        u = t.units[unit]
        return u.on_foot or (u.kind == "walker" and not unarmed(t, unit))

    def nearest(self, o: Doings) -> Assault | None:
        t, unit = o.t, self.unit
        if not ENTERS.may(t, unit=unit):
            return None
        targets = tuple([e for e in dict.fromkeys(self.targets) if why_not_them(t, unit, (e,)) is None])
        partners = self.partners if why_no_partner(t, unit, self.partners) is None else ()
        for goals in dict.fromkeys((targets[:MOST_TARGETS], targets[:1])):
            if goals:
                for assault in assaults_of(t, unit, goals):
                    return msgspec.structs.replace(assault, partners=partners if len(goals) == 1 else ())
        return next(self.every(o), None)

    @classmethod
    def every(cls, o: Doings, **fixed: Any) -> Iterator[Assault]:
        t, unit = o.t, o.unit
        if not ENTERS.may(t, unit=unit):
            return
        far = allowance(t, unit, PACKS.may(t, unit=unit)) + RUSH
        near = sorted([(gap(t, unit, e.id), e.id) for e in t.enemies(unit) if e.kind != "flyer" and not e.locked])
        units: list[int] = []
        for between, e in near:
            for act in assaults_of(t, unit, (e,)) if between <= far else ():
                if not units or units[-1] != e:
                    units.append(e)
                yield act
        for e in units:
            for partner in partners_of(t, unit, e):
                for act in islice(assaults_of(t, unit, (e,)), 1):
                    yield msgspec.structs.replace(act, partners=(partner,))
        for pair in combinations(units, 2):
            yield from islice(assaults_of(t, unit, pair), 1)

    @classmethod
    def offered(cls, o: Doings) -> Iterator[Assault]:
        """Yield one way for each choice of targets, and of friends who join. `every` leaves out several partners.

        With many friends, several join in pairs, and otherwise the nearest. Other choices are legal too.
        """
        ways: dict[Any, Assault] = {}
        joint: dict[int, list[Assault]] = {}
        """Assaults with one partner, by target."""
        for act in o.of(cls):
            if ways.setdefault((act.targets, act.partners, act.jump), act) is act:
                yield act
                if act.partners:
                    joint.setdefault(act.targets[0], []).append(act)
        for target, acts in joint.items():
            acts.sort(key=lambda act: away_at_least(o.t, act.partners[0], target))
            for count in range(2, len(acts) + 1):
                most = MOST_WAYS if count == 2 or 2 ** len(acts) <= MOST_WAYS else 1
                for several in islice(combinations(acts, count), most):
                    partners = tuple([partner for act in several for partner in act.partners])
                    yield msgspec.structs.replace(acts[0], partners=partners)

    @classmethod
    def regions(cls, o: Doings) -> Iterator[Region]:
        t, unit = o.t, o.unit
        if not cls.some(o):
            return
        bands = ((allowance(t, unit, False), 0),)
        yield Region(form="move", unit=unit, words="Enter close quarters", bands=bands, act="assault")
        if PACKS.may(t, unit=unit):
            bands = ((allowance(t, unit, True), 0),)
            yield Region(form="move", unit=unit, words="Enter close quarters with packs", bands=bands, act="storm")

    @classmethod
    def propose(cls, o: Doings, wish: Wish) -> Proposal | None:
        t, unit, jump = o.t, o.unit, wish.act == "storm"
        if wish.act not in ("", "assault", "storm") or wish.unit != unit or wish.to is None:
            return None
        enemy = enemy_at(t, unit, wish.to, wish.act != "")
        if enemy is None:
            return None
        objection = (
            ENTERS.why(t, unit=unit) or why_not_them(t, unit, (enemy,)) or (PACKS.why(t, unit=unit) if jump else None)
        )
        if objection is not None:
            return Proposal(refusal=objection)
        ways = WaysIn(t, unit, (enemy,), jump)
        way = drawn_in(ways, wish)
        if way is None:
            return proposal_in(ways, None, None, None)
        action = cls(unit, (enemy,), way.paths, jump)
        refusal = o.refusal(action)
        if refusal is None:
            near = min(ways.gaps(ways.ends(way))[0])
            # An assault that falls short is legal, but a plain Move would do the same, so a drag does not offer it.
            refusal = FALLS_SHORT.refuses(not ways.reaches(way), gap=near, target=t.units[enemy].name, need=TRIGGER)
        shown = proposal_in(ways, way, action, refusal)
        return shown if refusal is not None else foretold_in(t, unit, way.paths, (enemy,), shown)


# --- events ----------------------------------------------------------------------------------------------------------


class Declared(Event, frozen=True):
    units: tuple[int, ...]
    targets: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ACT-04", "SQ-CQS-08")
    about = ("units", "targets")

    def sentence(self, t: Firefight) -> str:
        mine = listed([t.units[u].name for u in self.units])
        verb = agreeing(mine, "assaults") if len(self.units) == 1 else "assault"
        return f"{mine} {verb} {' and '.join(t.units[u].name for u in self.targets)}"

    def motion(self, t: Firefight) -> Motion:
        return Motion(sort="aim", unit=self.units[0], units=self.units, target=self.targets[0])


class FellShort(Event, frozen=True):
    """An assaulting unit did not come near enough."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-42", "SQ-Q18")
    template = "{unit:does} not come near enough"
