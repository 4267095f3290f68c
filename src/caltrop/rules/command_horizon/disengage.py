"""Step 3: attempts to leave close combat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec.structs import replace

from caltrop.asking import Act, Guards, Nearness, NoMore, Offer, Offered, OneOf, Pick, PickedUp, Proposal, Region, Wish
from caltrop.chance import SUM, Dice, Pool, Roll
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
    Sum,
    Term,
    Throw,
    agreeing,
    ask,
    guard,
    rule,
    step,
    total,
)
from caltrop.engine.rule import decimal
from caltrop.geometry import CM, CONTACT, Disc, Point, directions, path_length, point_along
from caltrop.picture import Motion
from caltrop.rules.command_horizon.advance import Advance
from caltrop.rules.command_horizon.damage import unlock
from caltrop.rules.command_horizon.drags import drawn, faults_at, picked_up
from caltrop.rules.command_horizon.reach import called, kind_of
from caltrop.rules.command_horizon.records import Battle, of_dice
from caltrop.rules.command_horizon.routes import Paths, Routes, Wrong, longest
from caltrop.rules.command_horizon.shooting import model_kind, traits_of
from caltrop.table.measured import Ending, nearest_end, nearest_gap, nearest_pair

NOT_LOCKED = guard("CH-DISENGAGE-01", "not-locked", "Only a unit of yours that is locked in close combat can leave it")
TRIED = guard("Q-DIS-8", "tried", "{name:has} tried to leave this turn and can only fight")
STUNNED = guard(
    ("Q-DIS-4", "CH-PUTSTUN-01"), "stunned", "{name:has} Stun markers: Putredine infantry cannot move this turn"
)
NO_CP = guard(("CH-COST-14", "Q-DIS-2"), "no-cp-to-leave", "An attempt costs 1 CP or more, and {cp} are at hand")
STAKE = guard(
    ("CH-DISENGAGE-03", "Q-DIS-2"), "stake", "The stake is a number of CP from {least} to {most}, and not {stake}"
)
IN_CONTACT = guard(("Q-DIS-7", "CH-DISENGAGE-06"), "still-in-contact", "{name} would end in contact with {enemy}")
NO_FARTHER = guard(("Q-DIS-7", "CH-DISENGAGE-07"), "no-farther", "{name} would be no farther from {enemy} than before")
TOO_SHORT = guard(
    ("Q-DIS-7", "CH-DISENGAGE-07"), "too-short", "There is room for the full {limit:cm}, and the path is {length:cm}"
)
NEARER = guard("Q-DIS-7", "nearer", "{name} would end nearer to {enemy}, and there is a way that does not")


FULL = 10
"""How much may be missing from the full distance, for paths that round off: 1 mm."""


class DisengageStep(Procedure):
    """Step 3 of a turn."""

    side: int
    unit: int = -1
    stakes: tuple[int, int] = (0, 0)
    """What the one who leaves and the other have staked."""
    rolled: tuple[int, ...] = ()

    @step("CH-DISENGAGE-01", "CH-DISENGAGE-02", "CH-TURN-06", "Q-DIS-8")
    def offer_to_leave(self, t: Battle) -> Ask | End:
        """Each locked unit of the active player may try once, one after another."""
        leave = LeaveCombat(side=self.side)
        return ask(leave) if leave.options(t).left() else End()

    @step("CH-DISENGAGE-02")
    def announce(self, t: Battle, choice: Any) -> End | None:
        """The attempt is announced before anybody stakes anything."""
        self.unit = -1 if choice.final else choice.unit
        over: End | None = choice.perform(t, self.side)
        return over

    @step("CH-DISENGAGE-03", "Q-DIS-2")
    def ask_for_stakes(self, t: Battle) -> Ask:
        """Both players fix their stake, unseen by the other; who has nothing to stake is not asked."""
        mine = StakePoints(side=self.side, unit=self.unit, leaving=True)
        if most_to_stake(t, 1 - self.side, False) == 0:
            return ask(mine)
        return ask(mine, StakePoints(side=1 - self.side, unit=self.unit, leaving=False))

    @step("CH-DISENGAGE-03", "CH-DISENGAGE-04", "CH-COST-14")
    def open_stakes(self, t: Battle, stakes: Stake | tuple[Stake, Stake]) -> Throw:
        """Stakes are spent; each point of the one who leaves is a die."""
        every = stakes if isinstance(stakes, tuple) else (stakes, Stake(0))
        self.stakes = (every[0].points, every[1].points)
        for side, points in ((self.side, self.stakes[0]), (1 - self.side, self.stakes[1])):
            t.pay(side, (Term(points, "CH-COST-14", "staked on a contest in close combat"),), self.unit)
        t.tell(Staked(self.unit, *self.stakes))
        return Throw(Pool(self.stakes[0]), reads=SUM, side=self.side, words=f"{t.does(self.unit, 'tries')} to leave")

    @step("CH-DISENGAGE-04")
    def hold(self, t: Battle, roll: Roll) -> Throw | Go:
        """Each point of the other player is a die."""
        self.rolled = roll
        if self.stakes[1] == 0:
            return Go("decide_unopposed")
        return Throw(Pool(self.stakes[1]), reads=SUM, side=1 - self.side, words="Holding on to it")

    @step("CH-DISENGAGE-05", "CH-DISENGAGE-10", "CH-DISENGAGE-11", "CH-DISENGAGE-12", "Q-DIS-1")
    def decide(self, t: Battle, roll: Roll) -> Go:
        """The higher total wins; on a tie the unit stays locked, and has to fight this turn."""
        return Go("choose_way_out" if self._leaves(t, roll) else "offer_to_leave")

    @step("CH-DISENGAGE-05", "Q-DIS-2")
    def decide_unopposed(self, t: Battle) -> Go | None:
        """Against no dice the total is 0."""
        return None if self._leaves(t, ()) else Go("offer_to_leave")

    def _leaves(self, t: Battle, holding: Roll) -> bool:
        modifier = outnumbered(t, self.unit)
        leaves = sum(self.rolled) + total(modifier) > sum(holding)
        t.tell(Contested(self.unit, self.rolled, holding, modifier, leaves))
        return leaves

    @step("CH-DISENGAGE-06", "CH-DISENGAGE-07", "Q-DIS-6", "Q-DIS-7")
    def choose_way_out(self, t: Battle) -> Ask | Go:
        """The owner chooses the way; a unit that cannot break contact stays."""
        if WaysOut(t, self.unit).best is None:
            t.tell(CannotGetAway(self.unit))
            return Go("offer_to_leave")
        return ask(ChooseWayOut(side=self.side, unit=self.unit))

    @step("CH-DISENGAGE-06", "CH-DISENGAGE-07", "CH-DISENGAGE-08")
    def withdraw(self, t: Battle, choice: Withdraw) -> Run:
        """It leaves the combat, moves away, and does nothing else this turn."""
        unlock(t, self.unit)
        length = longest(choice.paths)
        t.change(self.unit, disengaged=True, move_over=True, moved=length, may_fire=False)
        t.tell(Withdrew(self.unit, choice.paths, length))
        return Run(Advance(side=self.side, unit=self.unit, paths=choice.paths))

    @step("Q-DIS-8")
    def next_unit(self, t: Battle) -> Go:
        """Then the next unit may try."""
        return Go("offer_to_leave")


@rule("Q-DIS-2", "CH-CP-12", "Q-CP-3", stages=("house",))
def most_to_stake(t: Battle, side: int, leaving: bool) -> int:
    """Either side stakes what it has: the other one what it saved."""
    return t.armies[side].cp


@most_to_stake.amended_by("Q-CP-3", stage="house", house={"cp.savedForDisengage": "no"})
def saved_points_are_for_reaction_fire_only(most: int, t: Battle, side: int, leaving: bool) -> int:
    """House rule: saved command points cannot be spent here."""
    return most if leaving else 0


def _bases(t: Battle, unit: int) -> int:
    return len(t.units[unit].models)


@rule("Q-DIS-3", stages=("count",))
def strength_in_combat(t: Battle, unit: int) -> int:
    """Bases are counted."""
    return _bases(t, unit)


@strength_in_combat.amended_by("Q-DIS-3", stage="count", house={"disengage.count": "figures"})
def figures_are_counted(found: int, t: Battle, unit: int) -> int:
    """House rule: figures are counted, a Heavy Weapon base as 4."""
    return sum(model_kind(t, m).number("figures") for m in t.units[unit].models)


@rule("CH-DISENGAGE-12", "CH-DISENGAGE-13", "Q-DIS-3", "Q-DIS-5")
def outnumbered(t: Battle, unit: int) -> Sum:
    """The unit that leaves takes -N where the enemies locked with it outnumber it N to 1, N being 2 or more."""
    enemies = sum(strength_in_combat(t, e) for e in t.units[unit].locked)
    ratio = enemies // max(1, strength_in_combat(t, unit))
    if ratio < 2:
        return ()
    clause = "CH-DISENGAGE-12" if ratio == 2 else "CH-DISENGAGE-13"
    return (Term(-ratio, clause, f"outnumbered {ratio} to 1"),)


# --- the way out -----------------------------------------------------------------------------------------------------


@rule("CH-DISENGAGE-07", "Q-DIS-4", stages=("house", "stun"), traits=traits_of)
def leaving_distance(t: Battle, unit: int) -> int:
    """The unit moves its maximum movement, for nothing: 10 cm, Asori infantry 20, Putredine 15."""
    kind = kind_of(t, unit)
    return max(kind.number("move_cm"), kind.number("long_move_cm")) * CM


@leaving_distance.amended_by("Q-DIS-4", stage="house", house={"disengage.distance": "free"})
def only_the_free_move(distance: int, t: Battle, unit: int) -> int:
    """House rule: the unit moves its free 10 cm."""
    return min(distance, 10 * CM)


@leaving_distance.amended_by("Q-DIS-4", "CH-STUN-06", stage="stun")
def a_stunned_unit_goes_10_cm(distance: int, t: Battle, unit: int) -> int:
    """A unit with a Stun marker goes no farther than 10 cm."""
    return min(distance, 10 * CM) if t.units[unit].stuns else distance


class Merit(msgspec.Struct, frozen=True, order=True):
    """How well a way out does what is asked where it is possible; the greatest that there is has to be reached."""

    no_nearer: bool
    full: bool


# --- what is asked ---------------------------------------------------------------------------------------------------


class Leave(Act, frozen=True):
    """Try to leave close combat with a unit."""

    unit: Annotated[
        int, Pick(lambda t, side: [i for i in t.in_play(side) if t.units[i].locked], NOT_LOCKED, shown=called)
    ]

    words = "Try to leave with {unit}{modifier}"
    says: ClassVar[Mapping[str, Any]] = {
        "modifier": lambda t, unit: f" ({modifier})" if (modifier := total(outnumbered(t, unit))) else ""
    }
    guards = Guards(
        (TRIED, lambda t, unit: t.units[unit].tried_to_leave),
        (STUNNED, lambda t, unit: t.units[unit].frozen),
        (NO_CP, lambda t, side: t.armies[side].cp < 1),
        name="unit",
        cp=lambda t, side: t.armies[side].cp,
    )

    def perform(self, t: Battle, side: int) -> None:
        """The attempt is announced; the unit has no other this turn."""
        t.change(self.unit, tried_to_leave=True)
        t.tell(Announced(self.unit))


class StayAndFight(NoMore, frozen=True):
    """Announce no more attempts."""

    words = "Stay and fight"


class LeaveCombat(OneOf, frozen=True, kw_only=True):
    """Which unit tries to leave close combat?"""

    clauses: ClassVar[tuple[str, ...]] = ("CH-DISENGAGE-01", "CH-DISENGAGE-02", "Q-DIS-8")
    hint: ClassVar[str] = (
        "Both players stake command points in secret and roll that many dice: you must have the higher total. "
        "A unit that is outnumbered two to one or worse takes a modifier."
    )
    acts = (Leave, StayAndFight)

    def prompt(self, t: Battle) -> str:
        """The question."""
        return f"Leave close combat? You have {t.armies[self.side].cp} CP"


class Stake(Act, frozen=True):
    """Stake command points."""

    points: Annotated[
        int,
        Pick(
            lambda o: o.asked.stakes(o.t),
            STAKE,
            stake="points",
            least=lambda o: o.asked.stakes(o.t)[0],
            most=lambda o: o.asked.stakes(o.t)[-1],
        ),
    ]

    words = "Stake {points} CP: {dice}"
    context = ("unit",)
    says: ClassVar[Mapping[str, Any]] = {"dice": lambda points: of_dice(points)}

    @staticmethod
    def price(points: int) -> Sum:
        """Each costs what it is."""
        return (Term(points, "CH-COST-14", "CP staked"),)

    def nearest(self, o: Any) -> Stake:
        """The least or the most."""
        stakes = o.asked.stakes(o.t)
        return Stake(max(stakes[0], min(stakes[-1], self.points)))


class StakePoints(OneOf, frozen=True, kw_only=True):
    """How many command points do you stake?"""

    unit: int
    leaving: bool
    clauses: ClassVar[tuple[str, ...]] = ("CH-DISENGAGE-03", "CH-DISENGAGE-04", "CH-COST-14", "Q-DIS-2")
    hint: ClassVar[str] = "Each point is a die. Both stakes are opened together and are spent, no matter who wins."

    acts = (Stake,)

    def stakes(self, t: Battle) -> range:
        """From the least to the most."""
        return range(int(self.leaving), most_to_stake(t, self.side, self.leaving) + 1)

    def prompt(self, t: Battle) -> str:
        """The question."""
        name = t.called(self.unit)
        return f"How many CP to {'get' if self.leaving else 'keep'} {name} {'out of' if self.leaving else 'in'} combat?"


class Withdraw(Action, frozen=True):
    """Leave along these paths."""

    unit: int
    paths: Paths


Found = tuple[Merit | None, tuple[Withdraw, ...]]
"""What the best ways out achieve, and some of them."""


class WaysOut(Options):
    """The ways by which a unit may leave close combat (Q-DIS-7)."""

    def __init__(self, t: Battle, unit: int) -> None:
        self.t, self.unit = t, unit
        u = t.units[unit]
        self.limit = leaving_distance(t, unit)
        self.routes = Routes(t, unit, reach=self.limit)
        self.discs = t.discs(unit)
        self.foes = {e: t.discs(e) for e in t.enemies(u.side)}
        self.locked = u.locked
        self.before = {e: nearest_gap(self.discs, d) for e, d in self.foes.items()}
        others = [e for e in self.foes if e not in self.locked]
        self.other = min(others, key=lambda e: (self.before[e], e)) if others else -1
        self._best: Found | None = None

    def _broken(self, ends: Sequence[Disc]) -> Wrong | None:
        for e, discs in self.foes.items():
            gap, i, _ = nearest_pair(ends, discs)
            found = None
            if IN_CONTACT(gap <= CONTACT):
                found = IN_CONTACT
            elif e in self.locked and NO_FARTHER(gap <= self.before[e]):
                found = NO_FARTHER
            if found is not None:
                return Wrong(found, self._values(e, ends[i]))
        return None

    def _values(self, enemy: int, end: Disc) -> dict[str, Any]:
        t = self.t
        return {"name": t.called(self.unit), "enemy": t.called(enemy), "x": end[0], "y": end[1]}

    def merit(self, ends: Sequence[Disc], length: int) -> Merit:
        """What a way out achieves."""
        nearer = self.other >= 0 and nearest_gap(ends, self.foes[self.other]) < self.before[self.other]
        return Merit(not nearer, length >= self.limit - FULL)

    def _tried(self) -> Iterator[Withdraw]:
        """Ways out from the farthest to the nearest: the unit as it stands in 32 directions, then in new formations."""
        legal = self.routes.wrong
        for part in range(8, 0, -1):
            for d in directions(32):
                paths = self.routes.shifted(d, self.limit * part // 8)
                if paths and legal(paths) is None:
                    yield Withdraw(self.unit, paths)
            if part in (8, 4):
                x, y, _ = self.discs[0]
                for d in directions(8):
                    marched = self.routes.marched(point_along((x, y), d, self.limit * part // 8), self.limit)
                    if marched:
                        yield Withdraw(self.unit, marched)

    def _found(self) -> Found:
        if self._best is None:
            # The same ways are wanted for the question, the answer and the drawing: kept until a model changes.
            kept_ways: dict[tuple[int, int, int], Found] = self.t.book.scratch.setdefault("ways out", {})
            key = (self.t.stamp, self.unit, self.limit)
            if self.t.stamp and key in kept_ways:
                self._best = kept_ways[key]
                return self._best
            best: Merit | None = None
            kept: list[Withdraw] = []
            for way in self._tried():
                ends = self.routes.ends(way.paths)
                if self._broken(ends) is not None:
                    continue
                merit = self.merit(ends, longest(way.paths))
                if best is None or merit > best:
                    best, kept = merit, [way]
                elif merit == best:
                    kept.append(way)
                if len(kept) >= 32 and best == Merit(True, True):
                    break
            self._best = (best, tuple(kept))
            kept_ways.clear()
            kept_ways[key] = self._best
        return self._best

    @property
    def best(self) -> Merit | None:
        """What the best way out achieves; None where there is none."""
        return self._found()[0]

    def refusal(self, action: Any) -> Refusal | None:
        """Why not; the nearest is the way out that ends nearest."""
        if not isinstance(action, Withdraw) or action.unit != self.unit:
            return Refusal(
                code="no-way-out", clause="CH-DISENGAGE-07", message="The unit has to move away", nearest=self.first()
            )
        wrong = self.wrong(action.paths)
        return None if wrong is None else wrong.refusal().towards(self.nearest(action.paths))

    def nearest(self, paths: Paths) -> Withdraw:
        """The way out on which the first base ends nearest to where it was wanted."""
        routes = self.routes
        x, y, _ = routes.discs[0]

        def straight(end: Point) -> Ending[Withdraw] | None:
            found = routes.shifted((end[0] - x, end[1] - y), path_length(((x, y), end)))
            return (routes.ends(found)[0][:2], Withdraw(self.unit, found)) if self.wrong(found) is None else None

        known = [(routes.ends(way.paths)[0][:2], way) for way in self._found()[1]]
        found = nearest_end(routes.ends(paths)[0][:2], (x, y), self.limit, routes.ground.box, straight, known=known)
        return found or known[0][1]

    def wrong(self, paths: Paths) -> Wrong | None:
        """What is wrong with a way out, None where it is legal."""
        ends = self.routes.ends(paths)
        found = self._broken(ends) or self.routes.wrong(paths)
        if found is not None:
            return found
        length = longest(paths)
        merit, best = self.merit(ends, length), self.best
        if best is None or merit >= best:
            return None
        if NEARER(best.no_nearer and not merit.no_nearer):
            _, i, _ = nearest_pair(ends, self.foes[self.other])
            return Wrong(NEARER, self._values(self.other, ends[i]))
        if TOO_SHORT(best.full and not merit.full):
            x, y = max([path for _, path in paths], key=path_length)[-1]
            return Wrong(TOO_SHORT, {"limit": self.limit, "length": length, "x": x, "y": y})
        return None

    def asked(self) -> tuple[tuple[Nearness, ...], int]:
        """What `wrong` asks of where the unit ends, as numbers, and the least length that it asks for."""
        best = self.best
        apart = [
            Nearness(bases=tuple(discs), least=max(CONTACT, self.before[e] if e in self.locked else 0) + 1)
            for e, discs in self.foes.items()
        ]
        full = self.limit - FULL if best is not None and best.full else 0
        no_nearer = best is not None and best.no_nearer
        if self.other >= 0 and (no_nearer or full):
            least, others = self.before[self.other], tuple(self.foes[self.other])
            apart.append(Nearness(bases=others, least=least, unless=None if no_nearer else full))
        return tuple(apart), full if no_nearer else 0

    def __iter__(self) -> Iterator[Withdraw]:
        return iter(self._found()[1])

    def sample(self, dice: Dice) -> Withdraw:
        """One of the ways found."""
        ways = self._found()[1]
        return ways[dice.below(len(ways))]


class ChooseWayOut(Offered, frozen=True, kw_only=True):
    """Where does the unit go?"""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-DISENGAGE-07", "Q-DIS-7")
    hint: ClassVar[str] = (
        "The unit goes its full distance away from those it was locked with, and if it can no nearer to anyone else. "
        "It does nothing else this turn."
    )

    def options(self, t: Battle) -> WaysOut:
        """Every way out."""
        return WaysOut(t, self.unit)

    def prompt(self, t: Battle) -> str:
        """The question."""
        return f"Where {agreeing(t.called(self.unit), 'does')} {t.called(self.unit)} withdraw to?"

    def offers(self, t: Battle) -> Sequence[Offer]:
        """One way out, for those who do not want to drag."""
        return [Offer(action=self.options(t).first(), words="Withdraw straight away", unit=self.unit, final=True)]

    def told(self, t: Battle, action: Withdraw) -> Offer:
        """That it withdraws, whatever the way."""
        return Offer(action=action, words="Withdraw", unit=self.unit)

    def regions(self, t: Battle) -> Sequence[Region]:
        """The reach."""
        bands = ((leaving_distance(t, self.unit), 0),)
        return [Region(form="move", unit=self.unit, words="Withdraw", bands=bands)]

    def propose(self, t: Battle, wish: Wish) -> Proposal:
        """The way out in the direction of a drag: its full length, unless single models are put somewhere."""
        ways = self.options(t)
        paths = drawn(ways.routes, wish, lambda paths: ways.wrong(paths) is None, whole=True)
        if not paths:
            return Proposal(refusal=Refusal(code="no-way", clause="CH-DISENGAGE-07", message="Say where to"))
        wrong = ways.wrong(paths)
        length = longest(paths)
        return Proposal(
            action=Withdraw(self.unit, paths) if wrong is None else None,
            paths=dict(paths),
            length=length,
            left=max(0, ways.limit - length),
            refusal=None if wrong is None else wrong.refusal().towards(ways.nearest(paths)),
            faults=() if wrong is None else faults_at(ways.routes, paths, wrong),
        )

    def pick_up(self, t: Battle, unit: int, act: str = "") -> PickedUp | None:
        """What is around the unit, the enemies it has to get away from, and how far."""
        if unit != self.unit:
            return None
        ways = self.options(t)
        near, shortest = ways.asked()
        return replace(picked_up(ways.routes), near=near, shortest=shortest, whole=True)


# --- what is told ----------------------------------------------------------------------------------------------------


class Announced(Event, frozen=True):
    """An attempt to leave was announced."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-DISENGAGE-02",)
    template = "{unit:tries} to leave close combat"


class Staked(Event, frozen=True):
    """The stakes were opened."""

    unit: int
    leaving: int
    holding: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-DISENGAGE-03",)
    reveals: ClassVar[bool] = True

    def sentence(self, t: Battle) -> str:
        """Both stakes."""
        side = t.units[self.unit].side
        a, b = t.armies[side].name, t.armies[1 - side].name
        return f"{a} stakes {self.leaving} CP, {b} {self.holding}"


class Contested(Event, frozen=True):
    """The contest was decided."""

    unit: int
    leaving: tuple[int, ...]
    holding: tuple[int, ...]
    modifier: Sum
    leaves: bool
    clauses: ClassVar[tuple[str, ...]] = (
        "CH-DISENGAGE-05",
        "CH-DISENGAGE-06",
        "CH-DISENGAGE-10",
        "CH-DISENGAGE-11",
        "Q-DIS-1",
    )

    def sentence(self, t: Battle) -> str:
        """The totals and what they mean."""
        bonus = total(self.modifier)
        mine = f"{sum(self.leaving)}{f' - {-bonus}' if bonus else ''}"
        end = t.does(self.unit, "leaves") if self.leaves else f"{t.does(self.unit, 'stays')} locked, to fight"
        return f"{mine} against {sum(self.holding)}: {end}"


class CannotGetAway(Event, frozen=True):
    """There is no way out."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-DIS-6",)
    template = "There is no room to break contact: {unit:stays} locked"


class Withdrew(Event, frozen=True):
    """A unit left close combat."""

    unit: int
    paths: Paths
    length: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-DISENGAGE-06", "CH-DISENGAGE-07", "CH-DISENGAGE-08")

    def sentence(self, t: Battle) -> str:
        """How far it went."""
        back = f"{agreeing(t.called(self.unit), 'withdraws')} {decimal(self.length, CM)} cm"
        return f"{t.does(self.unit, 'leaves')} close combat and {back}"

    def motion(self, t: Battle) -> Motion:
        """Along its paths."""
        return Motion(sort="move", unit=self.unit, ways=self.paths)
