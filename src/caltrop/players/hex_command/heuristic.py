"""A player that plans its turn around the cards in its hand, and evaluates every attack by exact odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from caltrop.chance import Dice
from caltrop.engine import Decision
from caltrop.players.hex_command.outlook import SideOutlook
from caltrop.players.hex_command.plan import PLAIN, Plan, UnitChoice, effect_of
from caltrop.players.hex_command.weights import VETERAN, Weights
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
from caltrop.rules.hex_command.cards import Keep, KeepOne, Play, PlayACard, chance_held
from caltrop.rules.hex_command.catalogue import (
    card_kind,
)
from caltrop.rules.hex_command.movement import EndMoves, March, MoveUnits
from caltrop.rules.hex_command.orders import EndOrders, OrderUnit, OrderUnits
from caltrop.rules.hex_command.records import Battle, Unit
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


class Heuristic:
    """Answers every decision by rules of thumb and exact odds, using only what its side sees."""

    words: ClassVar[str] = "plans each turn around the cards in its hand, by exact odds"

    def __init__(self, judgement: Judgement = SOUND, weights: Weights = VETERAN) -> None:
        self.judgement, self.weights = judgement, weights
        self._seen: tuple[Battle, int] | None = None
        self._plan: Plan | None = None
        self._stands: tuple[Any, ...] = ()

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        answer = _ANSWERS.get(type(decision))
        if answer is None:
            return decision.options(view).sample(dice)
        self.judgement = self.judgement.begun(dice)
        return answer(self, decision, view, dice)

    def plan(self, t: Battle, side: int) -> Plan:
        # A state that is played in place remains the same object, so moments are distinguished by the number of
        # questions.
        same = self._seen is not None and self._seen[0] is t and self._seen[1] == t.asks
        # Copies of a player share computed plans, and a copy may have continued with another state.
        if self._plan is None or not same or self._plan.side != side or self._plan.t is not t:
            stands = (side, self.judgement, *_stands(t, side))
            if self._plan is not None and stands == self._stands:
                # After a card or an order is chosen, the units' options are unchanged.
                self._plan.go_on(t)
            else:
                self._plan, self._stands = Plan(t, side, self.judgement, self.weights), stands
            self._seen = (t, t.asks)
        return self._plan

    # --- the card and its orders -------------------------------------------------------------------------------------

    def play(self, d: PlayACard, t: Battle, dice: Dice) -> Any:
        """Return the card with the greatest gain now beyond its worth in a later turn."""
        plan = self.plan(t, d.side)
        best, most = None, 0
        for action in d.options(t):
            if not isinstance(action, Play):
                continue
            # A card without effect now should be played if it will also be worth little later.
            worth = self.judgement.odds(plan.value(action.card), "card", t.turns[d.side], action.card)
            value = self.weights.now * worth // 100 - self.weights.keep(action.card)
            if best is None or value > most:
                best, most = action, value
        return best or d.options(t).sample(dice)

    def order(self, d: OrderUnits, t: Battle, dice: Dice) -> Any:
        plan = self.plan(t, d.side)
        card = card_kind(t, t.card)
        best, most = None, 0
        struck = {plan.choice(t.units[id]).target for id in t.ordered} if self.weights.again else set()
        for id in d.choices:
            unit = t.units[id]
            gain = plan.repair(unit) if card.act == "repair" else plan.less(plan.choice(unit, _effect(t)), struck)
            if card.act == "dig-in":
                gain += plan.saved(unit)
            if gain > most:
                best, most = id, gain
        return EndOrders() if best is None else OrderUnit(best)

    # --- moving ------------------------------------------------------------------------------------------------------

    def move(self, d: MoveUnits, t: Battle, dice: Dice) -> Any:
        """Return the move with the greatest gain beyond staying."""
        plan = self.plan(t, d.side)
        options: Any = d.options(t)
        best: UnitChoice | None = None
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
        host = plan.t.host_of(leader)
        assert host is not None
        assert host.hex is not None
        return host.strength == 1 and full(host) > 1 and plan.outlook.fear(host, host.hex) > BANNER // 4

    # --- battle ------------------------------------------------------------------------------------------------------

    def engage(self, d: ChooseBattle, t: Battle, dice: Dice) -> Any:
        """Return the battle with the greatest gain."""
        outlook = self.plan(t, d.side).outlook
        battles = [a for a in d.options(t) if isinstance(a, Engage)]
        if not battles:
            return EndBattles()
        harms = {(a.unit, a.target): outlook.harm(t.units[a.unit], t.units[a.target]) for a in battles}
        worths = harms
        if self.weights.follow and len({a.unit for a in battles}) > 1:
            worths = {pair: harm + self._follows(outlook, harms, pair) for pair, harm in harms.items()}
        best = max(battles, key=lambda a: worths[a.unit, a.target])
        return best if worths is not harms or harms[best.unit, best.target] >= 0 else EndBattles()

    def _follows(self, outlook: SideOutlook, harms: Mapping[tuple[int, int], int], pair: tuple[int, int]) -> int:
        """Return the change that a battle makes to the gain of other units' battles."""
        unit, target = outlook.t.units[pair[0]], outlook.t.units[pair[1]]
        others: dict[int, list[tuple[int, int]]] = {}
        for (one, victim), harm in harms.items():
            if one != unit.id:
                others.setdefault(one, []).append((victim, harm))
        total = 0.0
        for strength, chance in outlook.leaves(unit, target):
            for one, some in others.items():
                best = 0
                for victim, harm in some:
                    if victim != target.id or strength == target.strength:
                        best = max(best, harm)
                    elif strength:
                        best = max(best, outlook.harm_at(outlook.t.units[one], target, strength))
                total += chance * best
        return int(total * self.weights.follow / 100)

    def ambush(self, d: AmbushOrNot, t: Battle, dice: Dice) -> Any:
        """Play an Ambush if the attacker loses by it."""
        if SpringAmbush() not in d.options(t):
            return LetItCome()
        mine, foe = t.units[d.unit], t.units[d.attacker]
        outlook = SideOutlook(t, d.side, judgement=self.judgement, weights=self.weights)
        worth = outlook.worth_of(profile_of(t, mine, foe), foe)
        return SpringAmbush() if worth >= self.weights.ambush else LetItCome()

    def surge(self, d: SurgeOrNot, t: Battle, dice: Dice) -> Any:
        """Play Shield Surge if it cancels 2 hits or more, or saves the God Machine."""
        if SurgeShields() not in d.options(t):
            return HoldSurge()
        return SurgeShields() if d.hits >= 2 or d.hits >= t.units[d.unit].strength else HoldSurge()

    def shields(self, d: RollShields, t: Battle, dice: Dice) -> Any:
        """Return all dice left if much is at stake, otherwise half of them."""
        unit = t.units[d.unit]
        return RollSome(d.left if d.hits >= 2 or d.hits >= unit.strength else (d.left + 1) // 2)

    def stand(self, d: IgnoreRetreats, t: Battle, dice: Dice) -> Any:
        """Ignore retreats if the hex is worth more than the place to which the unit would fall back."""
        unit = t.units[d.unit]
        assert unit.hex is not None
        outlook = SideOutlook(t, d.side, judgement=self.judgement, weights=self.weights)
        back = max([outlook.place(unit, h) for h in t.map.neighbours[unit.hex] if h not in t.board], default=-BANNER)
        return Ignore(d.most if outlook.place(unit, unit.hex) >= back or d.most == d.retreats else 0)

    def fall_back(self, d: FallBack, t: Battle, dice: Dice) -> Any:
        unit = t.units[d.unit]
        outlook = SideOutlook(t, d.side, judgement=self.judgement, weights=self.weights)
        return FallBackTo(max(ways_back(t, unit, d.source), key=lambda h: (outlook.place(unit, h), h)))

    def ground(self, d: TakeGroundOrNot, t: Battle, dice: Dice) -> Any:
        unit = t.units[d.unit]
        assert unit.hex is not None
        outlook = SideOutlook(t, d.side, judgement=self.judgement, weights=self.weights)
        return TakeGround() if outlook.place(unit, d.to) > outlook.place(unit, unit.hex) else StandFast()

    # --- special cards -----------------------------------------------------------------------------------------------

    def keep(self, d: KeepOne, t: Battle, dice: Dice) -> Any:
        plan = self.plan(t, d.side)
        options = [a for a in d.options(t) if isinstance(a, Keep)]
        return max(options, key=lambda a: (self.weights.keep(a.card) + plan.value(a.card) // 4, a.card))

    def strike(self, d: ChooseTarget, t: Battle, dice: Dice) -> Any:
        plan = self.plan(t, d.side)
        options = list(d.options(t))
        return max(options, key=lambda a: plan.struck(t.units[a.target], 4, t.card))

    def name(self, d: NameHex, t: Battle, dice: Dice) -> Any:
        """Return the hex where the lance harms the enemy most."""
        _, hex = self.plan(t, d.side).lance(t.card)
        action = Name(hex)
        return action if action in d.options(t) else d.options(t).sample(dice)

    def next_target(self, d: ChooseNext, t: Battle, dice: Dice) -> Any:
        """Return the next target: enemies that lose most come first, while they have room to fall back; friends come
        last.
        """
        plan = self.plan(t, d.side)
        return max(
            d.options(t), key=lambda a: (t.units[a.target].side != d.side, plan.struck(t.units[a.target], 1, t.card))
        )

    def inspire(self, d: ChooseLeader, t: Battle, dice: Dice) -> Any:
        """Return the leader whose order to the units around gains most."""
        plan = self.plan(t, d.side)
        row = card_kind(t, t.card)
        return max(d.options(t), key=lambda a: plan.circle(t.units[a.unit], row))

    # --- before the battle -------------------------------------------------------------------------------------------

    def place(self, d: PlaceUnit, t: Battle, dice: Dice) -> Any:
        """Place slow and strong units in the middle of the front row, fast units on the flanks, and leaders behind."""
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


def _stands(t: Battle, side: int) -> tuple[Any, ...]:
    card = card_kind(t, t.card) if t.card else None
    # The effects of a card on units count from the moment when they are ordered.
    does = card is not None and (card.dice or card.farther or card.act)
    return (
        (t.card, tuple(t.ordered), tuple(t.beside)) if does else None,
        tuple(t.units),
        t.board.copy(),
        t.guests.copy(),
        tuple(t.turns),
        tuple(t.medals),
        t.captured.copy(),
        tuple(t.entrenchments),
        t.moved.copy(),
        tuple(t.by_road),
        tuple(t.entered),
        tuple(t.battled),
        t.parted.copy(),
        t.spent.copy(),
        tuple([chance_held(t, 1 - side, held) for held in ("ambush", "shield-surge")]),
    )


def _effect(t: Battle) -> Any:
    return effect_of(card_kind(t, t.card)) if t.card else PLAIN


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
