"""A player that considers all its models together, and evaluates fights by exact odds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, ClassVar

from caltrop.chance import Dice
from caltrop.engine import Decision
from caltrop.geometry import INCH, Point, distance_sq
from caltrop.players.blade_skirmish.outlook import SideOutlook
from caltrop.players.blade_skirmish.plan import Option, Plan, Reach, flown
from caltrop.players.blade_skirmish.weights import VETERAN, Weights
from caltrop.players.blade_skirmish.worth import comes_by, inches, length
from caltrop.players.judgement import SOUND, Judgement
from caltrop.players.protocol import UNBOUNDED, Budget
from caltrop.rules.blade_skirmish.automata import NextAutomated
from caltrop.rules.blade_skirmish.catalogue import FLIGHT
from caltrop.rules.blade_skirmish.charge import Charge, CloseIn, EnemyToCharge, StayInContact, straight_charge
from caltrop.rules.blade_skirmish.combat import AttackAll, AttackEnemy, ChooseAttack, counts_at_once
from caltrop.rules.blade_skirmish.fatality import SecondAttack, StrikeAgain
from caltrop.rules.blade_skirmish.flight import FleeFrom, HowToFlee
from caltrop.rules.blade_skirmish.movement import Flee, Move
from caltrop.rules.blade_skirmish.places import flank_partners
from caltrop.rules.blade_skirmish.records import Fighter, Skirmish
from caltrop.rules.blade_skirmish.routes import Stay, Walk
from caltrop.rules.blade_skirmish.running import HowToSteady, PassTest, RunOn, TakeTest
from caltrop.rules.blade_skirmish.setup import Deploy, PlaceFighter
from caltrop.rules.blade_skirmish.through import GoOrStay, GoThrough
from caltrop.rules.blade_skirmish.turn import Begin, NextFighter, Take, WhoBegins
from caltrop.rules.blade_skirmish.victory import Leave, LeaveOrStay

CLOSINGS = 12
"""Number of ways of moving towards an enemy that are compared."""


class Heuristic:
    """Answers every decision by rules of thumb and exact odds, using only what its side sees."""

    words: ClassVar[str] = "plans for all its fighters at once, so that they flank, by exact odds"

    def __init__(self, judgement: Judgement = SOUND, weights: Weights = VETERAN) -> None:
        self.judgement, self.weights = judgement, weights
        self._plan: Plan | None = None
        self._known: tuple[object, ...] = ()
        """The turn and the positions for which the plan was made."""

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        answer = _ANSWERS.get(type(decision))
        if answer is None:
            return decision.options(view).sample(dice)
        self.judgement = self.judgement.begun(dice)
        return answer(self, decision, view, dice)

    def outlook(self, t: Skirmish, side: int) -> SideOutlook:
        return SideOutlook(t, side, judgement=self.judgement, weights=self.weights)

    # --- the turn -----------------------------------------------------------------------------------------------------

    def plan(self, t: Skirmish, side: int, also: int = -1) -> Plan:
        """Return the plan of a side, which is valid while everything happens as planned.

        Args:
            also: A fighter who has begun her phases but not finished them.
        """
        if self._plan is None or self._known != self._foreseen(t, side):
            going = [f.id for f in t.of_side(side) if f.id not in t.gone or f.id == also]
            self._plan = Plan(self.outlook(t, side), going)
            self._known = self._foreseen(t, side)
        return self._plan

    def _foreseen(self, t: Skirmish, side: int) -> tuple[object, ...]:
        return (
            t.turns[side],
            *[(f.id, f.stunned, f.fleeing, f.at is None, f.at if f.side != side else None) for f in t.fighters],
        )

    def take(self, d: NextFighter, t: Skirmish, dice: Dice) -> Any:
        left = {action.fighter for action in d.options(t)}
        plan = self.plan(t, d.side)
        return Take(next((id for id in plan.order() if id in left), min(left)))

    def move(self, d: Move, t: Skirmish, dice: Dice) -> Any:
        option = self._option(t, d.side, d.fighter)
        if option.flees:
            return Flee()
        walk = Walk(option.move) if option.move else Stay()
        if d.options(t).refusal(walk) is None and self._leads_on(t, d.fighter, option):
            return walk
        option = self._anew(t, d.side, d.fighter)
        return Flee() if option.flees else Walk(option.move) if option.move else Stay()

    def _option(self, t: Skirmish, side: int, id: int) -> Option:
        plan = self.plan(t, side, id)
        return plan.chosen[id] if id in plan.chosen else self._anew(t, side, id)

    def _leads_on(self, t: Skirmish, id: int, option: Option) -> bool:
        """Return whether a planned charge is possible from the end of the walk."""
        if option.target < 0:
            return True
        there = t.clone()
        if option.move:
            there.change(id, at=option.move[-1])
        return straight_charge(there, id, option.target) == option.end

    def _anew(self, t: Skirmish, side: int, id: int) -> Option:
        self._plan = None
        return self.plan(t, side, id).chosen[id]

    def charge(self, d: EnemyToCharge, t: Skirmish, dice: Dice) -> Any:
        """Return the planned enemy if the fighter stands where the plan expects her, otherwise the best enemy."""
        charges = {(action.target if isinstance(action, Charge) else -1): action for action in d.options(t)}
        option = self._plan.chosen.get(d.fighter) if self._plan is not None else None
        outlook = self.outlook(t, d.side)
        f = t.fighters[d.fighter]
        if option is not None and option.target >= 0:
            action = charges.get(option.target, charges.get(-1))
            if action is not None and self._ends(t, f, action) == option.end:
                return action
        return self._best(outlook, f, [(self._ends(t, f, action), action) for action in charges.values()])

    def _ends(self, t: Skirmish, f: Fighter, action: Charge | StayInContact) -> Point:
        here = t.disc(f.id)[:2]
        return (straight_charge(t, f.id, action.target) if isinstance(action, Charge) else None) or here

    def close_in(self, d: CloseIn, t: Skirmish, dice: Dice) -> Any:
        """Move to the best of the first legal places, into contact if possible."""
        ways = list(islice(d.options(t), CLOSINGS))
        return self._best(self.outlook(t, d.side), t.fighters[d.fighter], [(way.path[-1], way) for way in ways])

    def run(self, d: RunOn, t: Skirmish, dice: Dice) -> Any:
        """Move as planned. If the fighter stands elsewhere, move to the best place."""
        option = self._plan.chosen.get(d.fighter) if self._plan is not None else None
        has_come_by = t.relic is not None and t.relic.carrier == d.fighter
        if option is not None and option.target < 0 and not option.flees and not has_come_by:
            stands = t.disc(d.fighter)[:2] == (option.move[-1] if option.move else t.disc(d.fighter)[:2])
            answer = Walk(option.run) if option.run else Stay()
            if stands and d.options(t).refusal(answer) is None:
                return answer
        outlook, f = self.outlook(t, d.side), t.fighters[d.fighter]
        here = t.disc(f.id)[:2]
        runs = Reach(outlook, f).runs()
        return self._best(outlook, f, [(run[-1] if run else here, Walk(run) if run else Stay()) for run in runs])

    def _best(self, outlook: SideOutlook, f: Fighter, answers: list[tuple[Point, Any]]) -> Any:
        """Return the answer with the best place for a model, given the places of the other models of her side."""
        others = [outlook.spot(o, o.at) for o in outlook.own if o.id != f.id and o.at is not None]
        return max(
            answers,
            key=lambda one: (
                outlook.value([*others, outlook.spot(f, one[0])])
                + (0 if isinstance(one[1], Charge) else comes_by(outlook.t, f, one[0], outlook.weights))
            ),
        )[1]

    # --- flight -------------------------------------------------------------------------------------------------------

    def flee(self, d: HowToFlee, t: Skirmish, dice: Dice) -> Any:
        """Flee 8 inches, or a rolled distance, from the enemy that leaves the best end."""
        outlook, f = self.outlook(t, d.side), t.fighters[d.fighter]
        # A fleeing model is not drawn towards enemies. No place has been evaluated before this.
        outlook.pull = 0
        others = [outlook.spot(o, o.at) for o in outlook.own if o.id != f.id and o.at is not None]

        def worth(action: FleeFrom) -> int:
            lengths = [FLIGHT] if action.far else [pips * INCH for pips in range(1, 7)]
            ends = [flown(outlook, t, f, action.enemy, length) for length in lengths]
            return sum([outlook.value([*others, spot]) - cost for spot, cost in ends]) // len(ends)

        return max(d.options(t), key=worth)

    def steady(self, d: HowToSteady, t: Skirmish, dice: Dice) -> Any:
        return PassTest() if PassTest() in d.options(t) else TakeTest()

    # --- combat -------------------------------------------------------------------------------------------------------

    def attack(self, d: ChooseAttack, t: Skirmish, dice: Dice) -> Any:
        """Return the attack with the greatest gain, taking into account attacks that are already named."""
        options = list(d.options(t))
        if AttackAll() in options:
            return AttackAll()
        attacks = [option for option in options if isinstance(option, AttackEnemy)]
        outlook = self.outlook(t, d.side)
        left: dict[int, int] = {}
        # If attacks take effect at once, attacks named earlier are already resolved.
        for one in () if counts_at_once(t) else t.named:
            if t.fighters[one.attacker].side == d.side:
                left[one.target] = (
                    left.get(one.target, 1000) * (1000 - self._hit(outlook, one.attacker, one.target)) // 1000
                )
        worths = {foe.id: foe.worth for foe in outlook.foes}
        return max(
            attacks,
            key=lambda a: self._hit(outlook, a.attacker, a.target) * worths[a.target] * left.get(a.target, 1000),
        )

    def _hit(self, outlook: SideOutlook, attacker: int, target: int) -> int:
        t = outlook.t
        flanks = bool(flank_partners(t, attacker, target))
        return outlook.chance(t.fighters[attacker].quality, t.fighters[target].quality, flanks)

    def again(self, d: SecondAttack, t: Skirmish, dice: Dice) -> Any:
        """Attack the enemy who loses most, because a second attack has no cost."""
        outlook = self.outlook(t, d.side)
        worths = {foe.id: foe.worth for foe in outlook.foes}
        return StrikeAgain(max(d.targets, key=lambda id: self._hit(outlook, d.fighter, id) * worths[id]))

    def go_through(self, d: GoOrStay, t: Skirmish, dice: Dice) -> Any:
        """Go to the best place on the straight line."""
        here = t.disc(d.fighter)[:2]
        answers = [(a.to if isinstance(a, GoThrough) else here, a) for a in d.options(t)]
        return self._best(self.outlook(t, d.side), t.fighters[d.fighter], answers)

    # --- before and after ---------------------------------------------------------------------------------------------

    def begin(self, d: WhoBegins, t: Skirmish, dice: Dice) -> Any:
        """Move second, to see the enemy's moves; but first if stones are held, because the first turn counts."""
        return Begin(d.side if t.field.goal == "stones" else 1 - d.side)

    def place(self, d: PlaceFighter, t: Skirmish, dice: Dice) -> Any:
        """Place strong units where they are needed most, and other units beside them as support."""
        options, w = d.options(t), self.weights
        f = max(options.left.values(), key=lambda f: (f.quality, -f.id))
        own = [o.at for o in t.of_side(d.side) if o.at is not None]
        middle = (t.field.table.width // 2, t.field.table.height // 2)
        # Automated enemies reach a corner one after another, but the middle of the table all at once.
        aim = t.field.place or (middle if t.field.goal == "blood" else (inches(w.corner), 0))

        spacing = inches(w.spacing) ** 2

        def good(action: Deploy) -> tuple[int, int]:
            at = action.at
            near = min([length(at, o) // INCH for o in own], default=0)
            apart = min([distance_sq(at, o) for o in own], default=spacing)
            crowd = 0 if apart >= spacing else w.packed
            front = length(at, aim) // INCH
            return (-(w.front * front + w.astray * max(0, near - w.in_touch) + crowd), -distance_sq(at, aim))

        return max([a for a in options if a.fighter == f.id], key=good)

    def leave(self, d: LeaveOrStay, t: Skirmish, dice: Dice) -> Any:
        return Leave()

    def order_foes(self, d: NextAutomated, t: Skirmish, dice: Dice) -> Any:
        """Let the weakest automated enemy act first, because the first enemy blocks the others."""
        return min(d.options(t), key=lambda a: (t.fighters[a.fighter].quality, a.fighter))


_ANSWERS: dict[type[Decision], Callable[[Heuristic, Any, Skirmish, Dice], Any]] = {
    NextFighter: Heuristic.take,
    Move: Heuristic.move,
    EnemyToCharge: Heuristic.charge,
    CloseIn: Heuristic.close_in,
    RunOn: Heuristic.run,
    HowToFlee: Heuristic.flee,
    HowToSteady: Heuristic.steady,
    ChooseAttack: Heuristic.attack,
    SecondAttack: Heuristic.again,
    GoOrStay: Heuristic.go_through,
    WhoBegins: Heuristic.begin,
    PlaceFighter: Heuristic.place,
    LeaveOrStay: Heuristic.leave,
    NextAutomated: Heuristic.order_foes,
}
