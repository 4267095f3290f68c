"""The player that plans its turn around the cards in its hand, and weighs every attack by the exact odds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from caltrop.chance import Dice
from caltrop.engine import Decision
from caltrop.players.hex_command.outlook import Outlook, worth_of
from caltrop.players.hex_command.plan import PLAIN, Choice, Plan, effect_of, keep
from caltrop.players.hex_command.worth import BANNER, full
from caltrop.players.judgement import SOUND, Judgement
from caltrop.players.protocol import UNBOUNDED, Budget
from caltrop.rules.hex_command.attack import (
    FallBack,
    FallBackTo,
    HoldSurge,
    Ignore,
    IgnoreRetreats,
    RollShields,
    RollSome,
    SurgeOrNot,
    SurgeShields,
    profile_of,
)
from caltrop.rules.hex_command.battle import Battle, Unit
from caltrop.rules.hex_command.battling import (
    AmbushOrNot,
    ChooseBattle,
    EndBattles,
    Engage,
    LetItCome,
    SpringAmbush,
    StandFast,
    TakeGround,
    TakeGroundOrNot,
)
from caltrop.rules.hex_command.cards import Keep, KeepOne, Play, PlayACard
from caltrop.rules.hex_command.catalogue import CARDS
from caltrop.rules.hex_command.moving import EndMoves, March, MoveUnits
from caltrop.rules.hex_command.orders import EndOrders, OrderUnit, OrderUnits
from caltrop.rules.hex_command.retreat import ways_back
from caltrop.rules.hex_command.setup import PlaceUnit, to_place
from caltrop.rules.hex_command.specials import (
    ChooseLeader,
    ChooseNext,
    ChooseTarget,
    Name,
    NameHex,
)
from caltrop.table.hexes import Hex

AMBUSH = 15
"""What an ambush has to bring."""


class Heuristic:
    """Plays every decision sensibly; knows nothing that its side does not see."""

    words: ClassVar[str] = "plans each turn around the cards in its hand, by exact odds"

    def __init__(self, judgement: Judgement = SOUND) -> None:
        self.judgement = judgement
        self._seen: tuple[Battle, int] | None = None
        self._plan: Plan | None = None

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """The best answer that it knows; any option where it has no idea."""
        answer = _ANSWERS.get(type(decision))
        if answer is None:
            return decision.options(view).sample(dice)
        self.judgement = self.judgement.begun(dice)
        return answer(self, decision, view, dice)

    def plan(self, t: Battle, side: int) -> Plan:
        """What its units can do, for this state."""
        # A state that is played on in place stays the same one: how often it has asked tells its moments apart.
        same = self._seen is not None and self._seen[0] is t and self._seen[1] == t.asks
        if self._plan is None or not same or self._plan.side != side:
            self._seen, self._plan = (t, t.asks), Plan(t, side, self.judgement)
        return self._plan

    # --- the card and its orders -------------------------------------------------------------------------------------

    def play(self, d: PlayACard, t: Battle, dice: Dice) -> Any:
        """The card that brings the most now, beyond what it would be worth later."""
        plan = self.plan(t, d.side)
        best, most = None, 0
        for action in d.options(t):
            if not isinstance(action, Play):
                continue
            # A card that does nothing now and is worth little is the one to be rid of.
            worth = self.judgement.odds(plan.value(action.card), "card", t.turns[d.side], action.card)
            value = 2 * worth - keep(action.card)
            if best is None or value > most:
                best, most = action, value
        return best or d.options(t).sample(dice)

    def order(self, d: OrderUnits, t: Battle, dice: Dice) -> Any:
        """The unit that gains the most by an order."""
        plan = self.plan(t, d.side)
        card = CARDS[t.card]
        best, most = None, 0
        for id in d.choices:
            unit = t.units[id]
            gain = plan.repair(unit) if card.act == "repair" else plan.choice(unit, _effect(t)).gain
            if card.act == "dig-in":
                gain += plan.outlook.fear(unit, unit.hex or "") // 3
            if gain > most:
                best, most = id, gain
        return EndOrders() if best is None else OrderUnit(best)

    # --- moving ------------------------------------------------------------------------------------------------------

    def move(self, d: MoveUnits, t: Battle, dice: Dice) -> Any:
        """The move that gains the most beyond what its unit could do where it stands."""
        plan = self.plan(t, d.side)
        options: Any = d.options(t)
        best: Choice | None = None
        mover: Unit | None = None
        for id in t.ordered:
            unit = t.units[id]
            if unit.hex is None or id in t.moved or unit.side != d.side:
                continue
            if t.host_of(unit) is not None and not self._better_alone(plan, unit):
                continue
            choice = plan.choice(unit)
            if choice.to == unit.hex or (best is not None and choice.gain <= best.gain):
                continue
            if options.refusal(March(id, choice.to)) is None:
                best, mover = choice, unit
        if best is None or mover is None:
            return EndMoves()
        return March(mover.id, best.to)

    def _better_alone(self, plan: Plan, leader: Unit) -> bool:
        """Whether an attached leader should leave: its unit is about to fall."""
        host = plan.t.host_of(leader)
        assert host is not None
        assert host.hex is not None
        return host.strength == 1 and full(host) > 1 and plan.outlook.fear(host, host.hex) > BANNER // 4

    # --- battle ------------------------------------------------------------------------------------------------------

    def engage(self, d: ChooseBattle, t: Battle, dice: Dice) -> Any:
        """The battle that takes the most from the enemy."""
        outlook = self.plan(t, d.side).outlook
        best, most = None, -1
        for action in d.options(t):
            if isinstance(action, Engage):
                harm = outlook.harm(t.units[action.unit], t.units[action.target])
                if harm > most:
                    best, most = action, harm
        return best or EndBattles()

    def ambush(self, d: AmbushOrNot, t: Battle, dice: Dice) -> Any:
        """Sprung where it takes something from the attacker."""
        if SpringAmbush() not in d.options(t):
            return LetItCome()
        mine, foe = t.units[d.unit], t.units[d.attacker]
        return SpringAmbush() if worth_of(t, profile_of(t, mine, foe), foe) >= AMBUSH else LetItCome()

    def surge(self, d: SurgeOrNot, t: Battle, dice: Dice) -> Any:
        """Played where two hits or more are to be cancelled, or the machine would be destroyed."""
        if SurgeShields() not in d.options(t):
            return HoldSurge()
        return SurgeShields() if d.hits >= 2 or d.hits >= t.units[d.unit].strength else HoldSurge()

    def shields(self, d: RollShields, t: Battle, dice: Dice) -> Any:
        """All that are left where much is at stake, else half of them."""
        unit = t.units[d.unit]
        return RollSome(d.left if d.hits >= 2 or d.hits >= unit.strength else (d.left + 1) // 2)

    def stand(self, d: IgnoreRetreats, t: Battle, dice: Dice) -> Any:
        """Stand where the hex is worth more than the way back."""
        unit = t.units[d.unit]
        assert unit.hex is not None
        outlook = Outlook(t, d.side, judgement=self.judgement)
        back = max([outlook.place(unit, h) for h in t.map.neighbours[unit.hex] if h not in t.board], default=-BANNER)
        return Ignore(d.most if outlook.place(unit, unit.hex) >= back or d.most == d.retreats else 0)

    def fall_back(self, d: FallBack, t: Battle, dice: Dice) -> Any:
        """The way back that is the best place."""
        unit = t.units[d.unit]
        outlook = Outlook(t, d.side, judgement=self.judgement)
        return FallBackTo(max(ways_back(t, unit, d.source), key=lambda h: (outlook.place(unit, h), h)))

    def ground(self, d: TakeGroundOrNot, t: Battle, dice: Dice) -> Any:
        """Taken where it is the better place."""
        unit = t.units[d.unit]
        assert unit.hex is not None
        outlook = Outlook(t, d.side, judgement=self.judgement)
        return TakeGround() if outlook.place(unit, d.to) > outlook.place(unit, unit.hex) else StandFast()

    # --- special cards -----------------------------------------------------------------------------------------------

    def keep(self, d: KeepOne, t: Battle, dice: Dice) -> Any:
        """The card that is worth more."""
        plan = self.plan(t, d.side)
        options = [a for a in d.options(t) if isinstance(a, Keep)]
        return max(options, key=lambda a: (keep(a.card) + plan.value(a.card) // 4, a.card))

    def strike(self, d: ChooseTarget, t: Battle, dice: Dice) -> Any:
        """The enemy that loses most."""
        plan = self.plan(t, d.side)
        options = list(d.options(t))
        return max(options, key=lambda a: plan.struck(t.units[a.target], 4, t.card))

    def name(self, d: NameHex, t: Battle, dice: Dice) -> Any:
        """The hex around which the enemy loses most."""
        _, hex = self.plan(t, d.side).lance(t.card)
        action = Name(hex)
        return action if action in d.options(t) else d.options(t).sample(dice)

    def next_target(self, d: ChooseNext, t: Battle, dice: Dice) -> Any:
        """Enemies that lose most come first: behind them is still room to lose more, and friends come last."""
        plan = self.plan(t, d.side)
        return max(
            d.options(t), key=lambda a: (t.units[a.target].side != d.side, plan.struck(t.units[a.target], 1, t.card))
        )

    def inspire(self, d: ChooseLeader, t: Battle, dice: Dice) -> Any:
        """The leader whose circle gains the most."""
        plan = self.plan(t, d.side)
        row = CARDS[t.card]
        return max(d.options(t), key=lambda a: plan.circle(t.units[a.unit], row))

    # --- before the battle -------------------------------------------------------------------------------------------

    def place(self, d: PlaceUnit, t: Battle, dice: Dice) -> Any:
        """The slow and the strong in the middle of the front row, the fast on the flanks, leaders behind."""
        options = d.options(t)
        unit = max(to_place(t, d.side), key=lambda u: (not u.alone, u.row.points, -u.id))
        middle = t.map.columns // 2
        reach = unit.row.move

        def good(hex: Hex) -> tuple[int, Hex]:
            off = abs(t.map.column(hex) - middle)
            front = abs(t.map.row(hex) - (t.map.rows + 1) // 2)
            crowd = sum([n in t.board for n in t.map.neighbours[hex]])
            return (-3 * front * (not unit.alone) - abs(off - (reach - 1) * 2) - crowd, hex)

        return max(options.of_unit(unit), key=lambda a: good(a.to))


def _effect(t: Battle) -> Any:
    return effect_of(CARDS[t.card]) if t.card else PLAIN


_ANSWERS: dict[type[Decision], Callable[[Heuristic, Any, Battle, Dice], Any]] = {
    PlayACard: Heuristic.play,
    OrderUnits: Heuristic.order,
    MoveUnits: Heuristic.move,
    ChooseBattle: Heuristic.engage,
    AmbushOrNot: Heuristic.ambush,
    SurgeOrNot: Heuristic.surge,
    RollShields: Heuristic.shields,
    IgnoreRetreats: Heuristic.stand,
    FallBack: Heuristic.fall_back,
    TakeGroundOrNot: Heuristic.ground,
    KeepOne: Heuristic.keep,
    ChooseTarget: Heuristic.strike,
    NameHex: Heuristic.name,
    ChooseNext: Heuristic.next_target,
    ChooseLeader: Heuristic.inspire,
    PlaceUnit: Heuristic.place,
}
