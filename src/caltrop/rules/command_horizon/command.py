"""Step 1: command points are generated unless they are jammed, and command may be concentrated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from caltrop.asking import Act, Guards, OneOf, Pass
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    Procedure,
    Refusal,
    Sum,
    Term,
    agreeing,
    ask,
    guard,
    rule,
    step,
    total,
)
from caltrop.geometry import CM
from caltrop.kit.words import listed
from caltrop.rules.command_horizon.catalogue import ARMIES
from caltrop.rules.command_horizon.places import within
from caltrop.rules.command_horizon.reach import kind_of
from caltrop.rules.command_horizon.records import Battle

JAMMER_RANGE = 15 * CM
NO_COMMAND = guard("CH-CONC-09", "no-command", "A force without a Command unit cannot concentrate")
NO_JAMMER = guard("CH-JAM-01", "no-jammer", "Only an Alliance force with a Command unit has a Radar Jammer")
RECHARGING = guard(
    ("CH-JAM-03", "Q-JAM-3"),
    "recharging",
    "The Radar Jammer was used in the enemy's turn {last} and recharges for one enemy turn",
)
NOBODY_NEAR = guard(
    ("CH-JAM-01", "Q-JAM-1"), "nobody-near", "No enemy unit is within 15 cm of the Alliance Command unit"
)
NOTHING_TO_JAM = guard(
    ("CH-JAM-01", "Q-JAM-2"), "nothing-to-jam", "None of the units within 15 cm of the Command unit earns any CP"
)


class CommandStep(Procedure):
    """Step 1 of a turn: command points."""

    side: int
    jammed: tuple[int, ...] = ()
    left_over: int = 0

    @step("CH-CP-13", "CH-CP-11", "Q-CP-4", "Q-CP-5", "CH-CONC-04", "Q-CONC-2")
    def begin(self, t: Battle) -> None:
        """Saved points that were not spent are lost. A Command unit that concentrated may act again."""
        self.left_over = t.armies[self.side].cp
        t.change_army(self.side, cp=0)
        for u in t.in_play(self.side):
            if t.units[u].concentrating:
                t.change(u, concentrating=False)

    @step("CH-JAM-01", "CH-JAM-02", "Q-JAM-2")
    def offer_jammer(self, t: Battle) -> Ask | Go:
        """Before points are generated, the enemy may activate its Radar Jammer, if it has an effect."""
        near = jammed_units(t, self.side)
        if (
            why_no_jamming(t, 1 - self.side) is not None
            or NOBODY_NEAR(not near)
            or NOTHING_TO_JAM(not taken_by_jamming(t, self.side, near))
        ):
            return Go("generate")
        return ask(JammerOrNot(side=1 - self.side))

    @step("CH-JAM-01", "CH-JAM-03", "Q-JAM-3")
    def jam(self, t: Battle, choice: Act) -> None:
        """Jammed units generate no points. The jammer cannot be used in the next enemy turn."""
        choice.perform(t, self)

    @step("CH-CP-01", "CH-CP-09", "CH-CP-10", "CH-CP-14", "CH-TURN-02", "CH-TURN-03")
    def generate(self, t: Battle) -> None:
        """The active player's units generate points into a common pool."""
        parts = generated(t, self.side, self.jammed)
        amount = total(parts)
        t.change_army(self.side, cp=amount, generated=amount)
        t.tell(Generated(self.side, parts, self.left_over))

    @step("CH-CONC-01", "CH-TURN-04", "CH-CONC-09")
    def offer_to_concentrate(self, t: Battle) -> Ask | End:
        """A side with a Command unit may concentrate command after its points are generated."""
        if NO_COMMAND(command_of(t, self.side) < 0):
            return End()
        return ask(ConcentrateOrNot(side=self.side, jammed=self.jammed))

    @step("CH-CONC-01", "CH-CONC-02", "CH-CONC-03", "CH-CONC-04", "CH-CONC-05", "Q-JAM-4")
    def concentrate(self, t: Battle, choice: Act) -> None:
        choice.perform(t, self)


def traits(t: Battle, unit: int, *rest: Any) -> Iterable[str]:
    """Return the traits that count for amendments about a unit's command points: its army and kind."""
    u = t.units[unit]
    return (t.armies[u.side].army, u.kind)


def army_traits(t: Battle, side: int, *rest: Any) -> Iterable[str]:
    """Return the traits that count for amendments about a side: its army, and the army's traits."""
    army = t.armies[side].army
    return (army, *ARMIES[army].traits)


# --- generating ------------------------------------------------------------------------------------------------------


@rule(
    "CH-CP-01",
    "CH-CP-02",
    "CH-CP-06",
    "CH-CP-07",
    "CH-CP-14",
    "Q-CP-2",
    stages=("artillery", "glands"),
    traits=traits,
)
def points_of(t: Battle, unit: int) -> Sum:
    """A unit generates its printed points, whatever its losses. Infantry generates no command points."""
    kind = kind_of(t, unit)
    points = kind.number("cp")
    return (Term(points, kind.clause("cp"), t.called(unit)),) if points else ()


@points_of.amended_by("Q-CP-1", stage="artillery", trait="artillery", edition="v1.5", house={"v15.artilleryCp": 0})
def earlier_artillery_generates_nothing(points: Sum, t: Battle, unit: int) -> Sum:
    """House rule: artillery generates no points, because the earlier list leaves it out."""
    return ()


@points_of.amended_by("CH-PUT-01", "CH-PUT-02", "CH-PUT-03", "CH-PUT-04", stage="glands", trait="putredine")
def node_glands_generate(points: Sum, t: Battle, unit: int) -> Sum:
    """A Putredine unit generates 1 for each Small Node Gland and 2 for each Large one."""
    glands = [t.models[m].glands for m in t.units[unit].models]
    return tuple(
        Term(g, "CH-PUT-04" if g == 2 else "CH-PUT-03", f"{'Large' if g == 2 else 'Small'} Node Gland of "
             f"{t.called(unit)}")
        for g in glands
        if g
    )  # fmt: skip


@rule("CH-CP-09", "Q-CP-6", "Q-JAM-1", stages=("trait", "lost", "scenario"), traits=army_traits)
def generated(t: Battle, side: int, jammed: tuple[int, ...] = ()) -> Sum:
    """All units on the table generate points into a common pool, except those that are jammed."""
    parts: list[Term] = []
    for unit in t.in_play(side):
        if unit not in jammed:
            parts.extend(points_of(t, unit))
    return tuple(parts)


@generated.amended_by("CH-ALL-01", "CH-CP-08", "Q-CP-6", stage="trait", trait="tactical-minds")
def tactical_minds(points: Sum, t: Battle, side: int, jammed: tuple[int, ...] = ()) -> Sum:
    """An Alliance player generates 1 extra point, whatever losses and jamming."""
    return (*points, Term(1, "CH-ALL-01", "Tactical Minds"))


@generated.amended_by("Q-PUT-1", stage="lost", trait="putredine", house={"glands.lostWithModel": "no"})
def lost_glands_go_on(points: Sum, t: Battle, side: int, jammed: tuple[int, ...] = ()) -> Sum:
    """House rule: Node Glands generate points even after their model is lost."""
    lost = tuple(
        Term(m.glands, "Q-PUT-1", "Node Gland of a model that is gone")
        for m in t.models
        if m.glands and t.units[m.unit].side == side and not (m.alive and t.units[m.unit].deployed)
    )
    return (*points, *lost)


@generated.amended_by("Q-OBJ-4", stage="scenario")
def objectives_supply_and_interfere(points: Sum, t: Battle, side: int, jammed: tuple[int, ...] = ()) -> Sum:
    """Secured objectives add command points, or remove points of the enemy, as the scenario says."""
    more: list[Term] = []
    effects = [
        (o, effect)
        for o in t.objectives
        if o.secured is not None
        and (effect := o.sabotage if o.owner is not None and o.secured == 1 - o.owner else o.benefit) is not None
    ]
    for o, effect in effects:
        if effect.what == "supplies" and o.secured == side:
            more.append(Term(effect.amount, "Q-OBJ-4", f"supplies from {o.name}"))
    # Supplies are added first, so that the order of objectives does not matter.
    for o, effect in effects:
        if effect.what == "interference" and o.secured == 1 - side:
            taken = min(effect.amount, total(points) + total(tuple(more)))
            if taken:
                more.append(Term(-taken, "Q-OBJ-4", f"interference from {o.name}"))
    return (*points, *more) if more else points


@rule("CH-CP-11", "Q-CP-7")
def opening_reserve(t: Battle, side: int) -> int:
    """The player who goes second has no saved points in the first turn."""
    return 0


@opening_reserve.amended_by("Q-CP-7", house={"cp.openingReserve": "full"})
def a_full_set_in_reserve(reserve: int, t: Battle, side: int) -> int:
    """House rule: the player who goes second starts with the points that all its units would generate."""
    return sum(total(points_of(t, unit)) for unit in t.in_play(side))


# --- the Radar Jammer ------------------------------------------------------------------------------------------------


@rule("CH-JAM-01", "Q-JAM-1", "Q-JAM-2")
def jammed_units(t: Battle, side: int) -> tuple[int, ...]:
    """Units of *side* are jammed if a model is within 15 cm of the enemy's Alliance Command unit."""
    if t.armies[1 - side].army != "alliance":
        return ()
    commands = [c for c in t.in_play(1 - side) if t.units[c].kind == "command"]
    return tuple(u for u in t.in_play(side) if any(within(t, u, c, JAMMER_RANGE) for c in commands))


def taken_by_jamming(t: Battle, side: int, units: tuple[int, ...]) -> int:
    """Return the command points, also concentrated ones, that *side* would lose if some units were jammed."""
    lost = total(generated(t, side)) - total(generated(t, side, units))
    command = command_of(t, side)
    if command >= 0:
        lost += len(who_qualifies(t, side, command, ())) - len(who_qualifies(t, side, command, units))
    return lost


def why_no_jamming(t: Battle, side: int) -> Refusal | None:
    has = t.armies[side].army == "alliance" and any(t.units[u].kind == "command" for u in t.in_play(side))
    last = t.armies[side].jammed_on
    return NO_JAMMER.refuses(not has) or RECHARGING.refuses(t.armies[1 - side].turns - last < 2, last=last)


# --- Concentrate Command ---------------------------------------------------------------------------------------------


@rule("CH-CONC-05", "Q-CONC-1", "Q-CONC-3", stages=("stuns", "worms", "self", "jam"))
def who_qualifies(t: Battle, side: int, command: int, jammed: tuple[int, ...]) -> tuple[int, ...]:
    """Each unit of the force counts for concentrated command, even infantry and the Command unit."""
    return tuple(t.in_play(side))


@who_qualifies.amended_by("CH-CONC-07", "Q-CONC-4", stage="stuns")
def the_stunned_do_not_count(
    units: tuple[int, ...], t: Battle, side: int, command: int, jammed: tuple[int, ...]
) -> tuple[int, ...]:
    """A unit with a Stun marker does not count."""
    return tuple(u for u in units if not t.units[u].stuns)


@who_qualifies.amended_by("CH-CONC-08", stage="worms")
def the_infested_do_not_count(
    units: tuple[int, ...], t: Battle, side: int, command: int, jammed: tuple[int, ...]
) -> tuple[int, ...]:
    """A unit with a Worm Token does not count."""
    return tuple(u for u in units if not any(t.models[m].worms for m in t.units[u].models))


def _others(units: tuple[int, ...], command: int) -> tuple[int, ...]:
    return tuple(u for u in units if u != command)


@who_qualifies.amended_by("CH-CONC-06", "Q-CONC-1", stage="self", edition="v1.5",
                          house={"concentrate.countSelf": "edition"})  # fmt: skip
def only_others_count(
    units: tuple[int, ...], t: Battle, side: int, command: int, jammed: tuple[int, ...]
) -> tuple[int, ...]:
    return _others(units, command)


@who_qualifies.amended_by("Q-CONC-1", stage="self", house={"concentrate.countSelf": "no"})
def the_command_does_not_count_itself(
    units: tuple[int, ...], t: Battle, side: int, command: int, jammed: tuple[int, ...]
) -> tuple[int, ...]:
    """House rule: the Command unit does not count itself."""
    return _others(units, command)


@who_qualifies.amended_by("Q-JAM-4", stage="jam", house={"jammer.blocksConcentrate": "yes"})
def the_jammed_do_not_count(
    units: tuple[int, ...], t: Battle, side: int, command: int, jammed: tuple[int, ...]
) -> tuple[int, ...]:
    """House rule: a jammed unit does not count."""
    return tuple(u for u in units if u not in jammed)


def command_of(t: Battle, side: int) -> int:
    """Return the id of the side's Command unit; -1 if it has none."""
    return next((u for u in t.in_play(side) if t.units[u].kind == "command"), -1)


# --- decisions -------------------------------------------------------------------------------------------------------


class ActivateJammer(Act, frozen=True):
    words = "Activate the Radar Jammer"
    guards = Guards(why_no_jamming)

    def perform(self, t: Battle, by: CommandStep) -> None:
        by.jammed = jammed_units(t, by.side)
        t.change_army(1 - by.side, jammed_on=t.armies[by.side].turns)
        t.tell(Jammed(1 - by.side, by.jammed))


class SpareJammer(Pass, frozen=True):
    """Keep the Radar Jammer for later."""

    words = "Keep it for a later turn"


class JammerOrNot(OneOf, frozen=True, kw_only=True):
    """The owner chooses whether to use the Radar Jammer in this enemy turn."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-JAM-01", "CH-JAM-02", "CH-JAM-03", "Q-JAM-2")
    clause = "CH-JAM-02"
    hint: ClassVar[str] = (
        "Jammed units generate no command points this turn. The jammer then rests for one enemy turn, so wait if "
        "more of them will be near."
    )
    acts = (ActivateJammer, SpareJammer)

    def prompt(self, t: Battle) -> str:
        near = jammed_units(t, 1 - self.side)
        points = taken_by_jamming(t, 1 - self.side, near)
        return f"Activate the Radar Jammer? It would take {points} CP from {', '.join(t.called(u) for u in near)}"


class Concentrate(Act, frozen=True):
    words = "Concentrate command: {unit:stays} still"
    says: ClassVar[Mapping[str, Any]] = {"unit": lambda t, side: t.called(command_of(t, side))}
    actor = command_of
    guards = Guards((NO_COMMAND, lambda t, side: command_of(t, side) < 0))

    def perform(self, t: Battle, by: CommandStep) -> None:
        command = command_of(t, by.side)
        counted = who_qualifies(t, by.side, command, by.jammed)
        army = t.armies[by.side]
        gained = len(counted)
        t.change_army(by.side, cp=army.cp + gained, generated=army.generated + gained)
        t.change(command, concentrating=True)
        t.tell(Concentrated(by.side, command, counted))


class DoNotConcentrate(Pass, frozen=True):
    """Let the Command unit move and fight."""

    words = "Do not concentrate"
    actor = command_of


class ConcentrateOrNot(OneOf, frozen=True, kw_only=True):
    """A side chooses whether to concentrate command this turn."""

    jammed: tuple[int, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("CH-CONC-01", "CH-CONC-02", "CH-CONC-03", "CH-CONC-04", "CH-TURN-04")
    hint: ClassVar[str] = (
        "You gain 1 CP for each unit without markers. Your Command unit then neither moves nor attacks. "
        "By the rulebook it also has no reaction fire until your next turn."
    )

    acts = (Concentrate, DoNotConcentrate)

    def prompt(self, t: Battle) -> str:
        command = command_of(t, self.side)
        gain = len(who_qualifies(t, self.side, command, self.jammed))
        return f"Concentrate command for {gain} CP more?"


# --- events ----------------------------------------------------------------------------------------------------------


class Jammed(Event, frozen=True):
    side: int
    units: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CH-JAM-01", "CH-JAM-02")
    about = ("units",)

    def sentence(self, t: Battle) -> str:
        names = listed([t.called(u) for u in self.units])
        return f"{t.armies[self.side].name} activates the Radar Jammer: no CP from {names}"


class Generated(Event, frozen=True):
    side: int
    parts: Sum
    lost: int
    """Points that were saved in the last turn and are now lost."""
    clauses: ClassVar[tuple[str, ...]] = ("CH-CP-01", "CH-CP-09", "CH-CP-13", "CH-CP-14")

    def sentence(self, t: Battle) -> str:
        lost = f"; {self.lost} left over {agreeing(self.lost, 'is')} lost" if self.lost else ""
        return f"{t.armies[self.side].name} generates {total(self.parts)} CP{lost}"


class Concentrated(Event, frozen=True):
    side: int
    unit: int
    counted: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CH-CONC-01", "CH-CONC-05", "CH-CONC-06")

    def sentence(self, t: Battle) -> str:
        return f"{t.does(self.unit, 'concentrates')} command: {len(self.counted)} CP more"
