"""The procedure of one battle: dice, shields, losses, the leader, retreats (HX-Q10), with its questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.asking import Act, Choices, Guards, OneOf, Pick, carried_out
from caltrop.chance import Roll
from caltrop.engine import (
    Ask,
    End,
    Go,
    Procedure,
    Run,
    Term,
    Throw,
    ask,
    guard,
    rule,
    step,
    total,
)
from caltrop.engine.rule import HasBook
from caltrop.rules.hex_command.attack.aiming import profile_of, target_of
from caltrop.rules.hex_command.attack.counting import battle_dice
from caltrop.rules.hex_command.attack.damage import (
    favours,
    leader_falls,
    left_of,
    losses_of_blocked,
    saves,
    shield_dice,
)
from caltrop.rules.hex_command.attack.events import (
    Attacked,
    Blocked,
    How,
    LeaderIsLeft,
    RetreatsIgnored,
    does,
)
from caltrop.rules.hex_command.attack.reading import (
    LEADER,
    RETREAT,
    Hits,
    count,
    hits_of,
    reading_of_attack,
    symbols_of,
)
from caltrop.rules.hex_command.attack.record import Profile
from caltrop.rules.hex_command.cards import CardPlayed, Draw, discard, holds, may_be_held
from caltrop.rules.hex_command.catalogue import (
    battle_throw,
    card_kind,
    reading_of_symbols,
)
from caltrop.rules.hex_command.records import Battle, Unit, centre_of, placed
from caltrop.rules.hex_command.retreat import fall_back, ways_back
from caltrop.rules.hex_command.victory import lose, lose_leader, settle
from caltrop.table.hexes import Hex

NO_SURGE = guard(("HX-S57", "HX-Q32"), "no-surge", "You have no Shield Surge in your hand")
NO_SUCH_DICE = guard("HX-Q11", "no-such-dice", "You have {left:shield die} left this turn; the number rolled is {dice}")
NO_SUCH_FAVOUR = guard(
    ("HX-RET-01", "HX-LDS-04", "HX-S35", "HX-S39"),
    "no-such-favour",
    "The unit may ignore 0 to {most} of {rolled:Retreat symbol}",
)
NO_WAY_BACK = guard(
    ("HX-RET-02", "HX-Q07", "HX-Q08"),
    "no-way-back",
    "{to} is not a way back for the {unit} at {hex}; a way back leads to {ways}",
)


class Attack(Procedure, kw_only=True):
    """A unit rolls battle dice at another."""

    attacker: int | None = None
    """Id of the attacker; None for the dice of a card."""
    target: int
    how: How = "fire"

    side: int = 0
    stood: Hex | None = None
    source: Hex | None = None
    """Hex from which the target retreats; None if it retreats towards its own base line."""
    profile: Profile | None = None
    roll: Roll = ()
    hits: Hits = Hits()
    shields: Roll = ()
    saved: int = 0
    retreats: int = 0
    """Number of hexes that the target still has to fall back."""

    @step("HX-TRN-06", "HX-TRN-07", "HX-BAT-03", "HX-Q19", "HX-Q32")
    def roll_battle_dice(self, t: Battle) -> Throw | End:
        """Range, card, terrain and losses determine the number of dice. An attack without dice has no battle."""
        return self._throw(t)

    def aim(self, t: Battle) -> Profile:
        """Determine the dice, the target, and the hex from which it would retreat."""
        assert self.attacker is not None
        unit = t.units[self.attacker]
        self.side, self.stood, self.source = unit.side, unit.hex, unit.hex
        return profile_of(t, unit, t.units[self.target])

    def _throw(self, t: Battle) -> Throw | End:
        p = self.profile = self.aim(t)
        dice = total(battle_dice(t, p))
        if dice < 1:
            return End()
        return battle_throw(t, dice, reading_of_attack(t, p), self.side, f"At the {t.called(self.target)}")

    @step("HX-Q10", "HX-DIE-08")
    def count_hits(self, t: Battle, roll: Roll) -> Go | None:
        """Symbols become hits, and rank cancels a Target symbol. Without hits no shield dice are rolled."""
        p = self._profile
        self.roll = roll
        self.hits = hits_of(t, p, count(symbols_of(t, roll)))
        if not self.hits.total or not shield_dice(t, p):
            return Go("take_losses")
        side = t.units[self.target].side
        # In a side's own turn the card can be played for no effect, but not as an answer.
        if side == t.active or not may_be_held(t, side, "shield-surge"):
            return Go("gather_shields")
        return None

    @property
    def _profile(self) -> Profile:
        assert self.profile is not None
        return self.profile

    @step("HX-S57", "HX-Q32")
    def offer_a_surge(self, t: Battle) -> Ask:
        """A side is asked if, by public information, it could hold a Shield Surge."""
        dice = total(shield_dice(t, self._profile))
        return ask(SurgeOrNot(side=t.units[self.target].side, unit=self.target, hits=self.hits.total, dice=dice))

    @step("HX-S57", "HX-Q32")
    def surge(self, t: Battle, choice: SurgeShields | HoldSurge) -> Run | Go | End | None:
        """The card doubles the shield dice, and its side draws a new card at once."""
        return carried_out(choice, t, self)

    @step("HX-VOI-02", "HX-Q11")
    def gather_shields(self, t: Battle) -> Ask | Go:
        """All shield dice are rolled. If they can be rolled only once in a turn, the owner chooses their number."""
        left = total(shield_dice(t, replace(self._profile, surged=False)))
        if not left:
            return Go("take_losses")
        if not owner_chooses_shields(t):
            return Go("roll_shields")
        side = t.units[self.target].side
        return ask(RollShields(side=side, unit=self.target, hits=self.hits.total, left=left))

    @step("HX-Q11")
    def choose_shields(self, t: Battle, choice: RollSome) -> None:
        p = self._profile
        # Dice that the owner keeps count as already rolled, so that a Surge doubles only the other dice.
        self.profile = replace(p, target=replace(p.target, spent=p.target.strength - choice.dice))
        t.spent[self.target] = t.spent.get(self.target, 0) + choice.dice

    @step("HX-VOI-01", "HX-VOI-02")
    def roll_shields(self, t: Battle) -> Throw:
        dice = total(shield_dice(t, self._profile))
        u = t.units[self.target]
        reads = reading_of_symbols(t, ["god-machine"])
        return battle_throw(t, dice, reads, u.side, f"Shields of the {t.called(u.id)}")

    @step("HX-VOI-03")
    def read_shields(self, t: Battle, roll: Roll) -> None:
        self.shields = roll
        self.saved = saves(t, self.hits.total, count(symbols_of(t, roll)))

    @step("HX-Q10", "HX-LDS-05", "HX-LDS-06", "HX-Q16", "HX-SMU-01")
    def take_losses(self, t: Battle) -> End | None:
        """Models are removed, and an attached leader may fall. A leader who survives stays in the hex."""
        p, target = self._profile, t.units[self.target]
        assert target.hex is not None
        counts = count(symbols_of(t, self.roll))
        left = left_of(t, p.target, self.hits, self.saved)
        lost = target.strength - left
        leader = t.leader_of(target)
        falls = leader if leader is not None and leader_falls(t, p.target, counts[LEADER], lost) else None
        self.retreats = counts[RETREAT]
        t.tell(
            Attacked(
                attacker=self.attacker,
                target=self.target,
                side=self.side,
                how=self.how,
                at=self.stood,
                to=target.hex,
                profile=p,
                roll=self.roll,
                shields=self.shields,
                hits=self.hits,
                saved=self.saved,
                lost=lost,
                leader_lost=falls is not None,
            )
        )
        if falls is not None:
            lose_leader(t, falls.id, self.side)
        if lost:
            weaken(t, self.target, left, self.side)
            settle(t)
        return None if left and self.retreats else End()

    @step("HX-LDS-04", "HX-S35", "HX-S39", "HX-Q22")
    def offer_to_ignore(self, t: Battle) -> Ask | Go:
        """If a leader, the ground or a house rule lets a unit ignore Retreat symbols, its owner chooses how many."""
        most = min(self.retreats, total(favours(t, self._profile)))
        if not most:
            return Go("fall_back")
        side = t.units[self.target].side
        return ask(IgnoreRetreats(side=side, unit=self.target, retreats=self.retreats, most=most))

    @step("HX-LDS-04", "HX-S35", "HX-S39", "HX-Q22")
    def ignore(self, t: Battle, choice: Ignore) -> None:
        self.retreats -= choice.symbols
        if choice.symbols:
            t.tell(RetreatsIgnored(self.target, choice.symbols, self.retreats))

    @step("HX-DIE-07", "HX-RET-01", "HX-RET-02", "HX-Q07")
    def fall_back(self, t: Battle) -> Ask | Go | End:
        """The unit falls back a hex for each symbol, in a new direction each time; its owner chooses among equals."""
        if not self.retreats:
            return End()
        unit = t.units[self.target]
        ways = ways_back(t, unit, self.source)
        if not ways:
            return Go("lose_what_is_blocked")
        if len(ways) > 1:
            return ask(FallBack(side=unit.side, unit=self.target, source=self.source))
        self.retreats -= 1
        fall_back(t, self.target, ways[0])
        return Go("fall_back")

    @step("HX-RET-02", "HX-Q07", "HX-Q08", "HX-S15")
    def go_the_way_chosen(self, t: Battle, choice: FallBackTo) -> Go:
        self.retreats -= 1
        fall_back(t, self.target, choice.to)
        return Go("fall_back")

    @step("HX-Q08", "HX-Q10")
    def lose_what_is_blocked(self, t: Battle) -> None:
        """Each hex that the unit cannot fall back costs it a model or point, without shields. Models lost to a blocked
        retreat never include a leader.
        """
        unit = t.units[self.target]
        assert unit.hex is not None
        lost = min(unit.strength, losses_of_blocked(t, self.retreats))
        t.tell(Blocked(self.target, unit.hex, self.source, self.retreats, lost))
        if lost:
            weaken(t, self.target, unit.strength - lost, self.side)
            settle(t)


class Bombard(Attack, kw_only=True):
    """A card rolls dice at a unit, without an attacker."""

    caller: int
    """The side that played the card."""
    dice: int
    away_from: Hex | None = None
    """Hex from which the target retreats; None if it retreats towards its own base line."""

    @step("HX-Q33", "HX-S52", "HX-S53", "HX-TRN-07")
    def roll_battle_dice(self, t: Battle) -> Throw | End:
        return self._throw(t)

    def aim(self, t: Battle) -> Profile:
        self.side, self.source, self.how = self.caller, self.away_from, "card"
        card = card_kind(t, t.card)
        dice = (Term(self.dice, card.clause, card.title),)
        return Profile(None, target_of(t, t.units[self.target]), extra=dice)


# --- shields ----------------------------------------------------------------------------------------------------------


@rule("HX-Q11", stages=("house",))
def owner_chooses_shields(b: HasBook) -> bool:
    """All shield dice are rolled, so the owner is not asked."""
    return False


@owner_chooses_shields.amended_by("HX-Q11", stage="house", house={"void_shields": "per_turn_pool"})
def dice_of_the_pool_are_chosen(chooses: bool, b: HasBook) -> bool:
    """House rule: if each die can be rolled only once in a turn, the owner chooses how many to roll."""
    return True


# --- losses -----------------------------------------------------------------------------------------------------------


@rule("HX-LDU-05", "HX-LDR-01", "HX-LDR-03", "HX-Q15")
def becomes(t: Battle, unit: Unit, left: int) -> str:
    """A unit keeps its row, except that the last model of a Leader unit becomes a single leader."""
    return "leader-light" if unit.row.is_leader and left == 1 else unit.kind


def weaken(t: Battle, unit: int, left: int, by: int | None) -> None:
    """Reduce a unit to a strength; at 0 it is destroyed. Call `settle` after the function."""
    u = t.units[unit]
    if left == 0:
        lose(t, unit, by)
    elif left != u.strength:
        kind = becomes(t, u, left)
        if kind == u.kind:
            t.change(unit, strength=left)
        else:
            assert u.hex is not None
            t.change(unit, strength=left, kind=kind, was=u.kind)
            t.tell(LeaderIsLeft(unit, u.hex))


# --- decisions --------------------------------------------------------------------------------------------------------


class SurgeShields(Act, frozen=True):
    """Play Shield Surge, which doubles the shield dice."""

    words = "Play Shield Surge and roll {twice:shield die}"
    says: ClassVar[Mapping[str, Any]] = {"twice": lambda dice: 2 * dice}
    context = ("unit", "dice")
    plays = "shield-surge"
    guards = Guards((NO_SURGE, lambda t, side: not holds(t, side, "shield-surge")))

    def perform(self, t: Battle, by: Attack) -> Draw:
        side = t.units[by.target].side
        discard(t, side, "shield-surge")
        t.tell(CardPlayed(side, "shield-surge"))
        assert by.profile is not None
        by.profile = replace(by.profile, surged=True)
        return Draw(side=side)


class HoldSurge(Act, frozen=True):
    """Do not play Shield Surge."""

    words = "Roll {dice:shield die}"
    context = ("unit", "dice")

    def perform(self, t: Battle, by: Attack) -> None: ...


class SurgeOrNot(OneOf, frozen=True, kw_only=True):
    """The owner chooses whether to play Shield Surge."""

    unit: int
    hits: int
    dice: int
    """Number of shield dice without the card."""
    clauses: ClassVar[tuple[str, ...]] = ("HX-S57", "HX-Q32")
    settles: ClassVar[bool] = True
    template = "{hits:hit} on the {name}, and {dice:shield die}: play Shield Surge?"
    says: ClassVar[Mapping[str, Any]] = {"name": lambda t, unit: placed(t, unit)}
    hint: ClassVar[str] = "The card doubles the shield dice of this attack, and you draw a new card at once."
    reaction: ClassVar[bool] = True
    acts = (SurgeShields, HoldSurge)


class RollSome(Act, frozen=True):
    """Roll some of the shield dice that are left this turn."""

    dice: Annotated[int, Pick(lambda left: range(left, -1, -1), NO_SUCH_DICE)]

    words = "Roll {some}"
    says: ClassVar[Mapping[str, Any]] = {"some": lambda dice: quantity(dice, "shield die") if dice else "none"}
    context = ("unit", "left")

    def nearest(self, o: Choices) -> RollSome:
        return RollSome(max(0, min(self.dice, o.asked.left)))


class RollShields(OneOf, frozen=True, kw_only=True):
    """The owner chooses how many of the shield dice left this turn to roll."""

    unit: int
    hits: int
    left: int
    clauses: ClassVar[tuple[str, ...]] = ("HX-Q11", "HX-VOI-02")
    settles: ClassVar[bool] = True
    template = "{hits:hit} on the {name}: you have {left:shield die} left. How many do you roll?"
    says: ClassVar[Mapping[str, Any]] = {"name": lambda t, unit: placed(t, unit)}
    hint: ClassVar[str] = (
        "Each shield die may be rolled once in a turn: dice that you keep can be used against the next attack."
    )
    acts = (RollSome,)


class Ignore(Act, frozen=True):
    symbols: Annotated[int, Pick(lambda most: range(most, -1, -1), NO_SUCH_FAVOUR, rolled="retreats")]

    words = "Ignore {some} and {back}"
    says: ClassVar[Mapping[str, Any]] = {
        "some": lambda symbols: symbols or "none",
        "back": lambda retreats, symbols: (
            f"fall back {quantity(retreats - symbols, 'hex')}" if retreats > symbols else "stand"
        ),
    }
    context = ("unit", "retreats", "most")

    def nearest(self, o: Choices) -> Ignore:
        return Ignore(max(0, min(self.symbols, o.asked.most)))


class IgnoreRetreats(OneOf, frozen=True, kw_only=True):
    """The owner chooses how many Retreat symbols to ignore."""

    unit: int
    retreats: int
    """Number of Retreat symbols rolled."""
    most: int
    """Largest number of Retreat symbols that may be ignored."""
    clauses: ClassVar[tuple[str, ...]] = ("HX-LDS-04", "HX-S35", "HX-S39", "HX-Q22", "HX-Q10")
    settles: ClassVar[bool] = True
    template = "{retreats:Retreat symbol} against the {name}: ignore up to {most}?"
    says: ClassVar[Mapping[str, Any]] = {"name": lambda t, unit: placed(t, unit)}
    hint: ClassVar[str] = "A leader, a citadel or an entrenchment lets a unit stand. Falling back may still be wiser."
    acts = (Ignore,)


def _ways(t: Battle, unit: int, source: Hex | None) -> tuple[Hex, ...]:
    return ways_back(t, t.units[unit], source)


class FallBackTo(Act, frozen=True):
    to: Annotated[
        Hex,
        Pick(
            _ways,
            NO_WAY_BACK,
            unit=lambda t, unit: t.called(unit),
            hex=lambda t, unit: t.units[unit].hex,
            ways=lambda t, unit, source: " and ".join(_ways(t, unit, source)),
        ),
    ]

    words = "Fall back to {to}"
    context = ("unit", "source")
    spot = centre_of

    def nearest(self, o: Choices) -> Act:
        ways, map = o.listed(FallBackTo), o.t.map
        nearest: Act = min(ways, key=lambda way: map.distance(way.to, self.to)) if self.to in map else ways[0]
        return nearest


class FallBack(OneOf, frozen=True, kw_only=True):
    unit: int
    source: Hex | None
    """Hex from which the unit retreats; None if it retreats towards its own base line."""
    clauses: ClassVar[tuple[str, ...]] = ("HX-RET-02", "HX-Q07", "HX-Q08", "HX-S15")
    settles: ClassVar[bool] = True
    hint: ClassVar[str] = "Several ways lead back: you choose where your unit goes."
    acts = (FallBackTo,)

    def prompt(self, t: Battle) -> str:
        u = t.units[self.unit]
        return f"Where {does(u, 'do', 'does')} the {t.called(u.id)} at {u.hex} fall back?"
