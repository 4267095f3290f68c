"""A player that answers every decision by rules of thumb and exact odds."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Any, ClassVar

from caltrop.asking import Choices, every
from caltrop.chance import Dice
from caltrop.engine import Decision, total
from caltrop.geometry import CM, CONTACT, distance_sq, gap_within
from caltrop.players.command_horizon import fire, plan
from caltrop.players.command_horizon.outlook import SideOutlook, middle_of, spread_of
from caltrop.players.command_horizon.weights import VETERAN, Weights
from caltrop.players.command_horizon.worth import damage_of, loss, strength, worth
from caltrop.players.judgement import SOUND, Judgement
from caltrop.players.protocol import UNBOUNDED, Budget
from caltrop.rules.command_horizon.artillery import NewTarget, NoTarget, Redirect, redirected
from caltrop.rules.command_horizon.attack import Attack, Ending, damage, ending, result_of
from caltrop.rules.command_horizon.charge import (
    Charge,
    ChargeReaction,
    JoinCharge,
    LetThemCome,
    NoMoreChargers,
    ReactToCharge,
)
from caltrop.rules.command_horizon.close_combat import FightOn, FightToTheDeath, LetBe, NameEnemy, blow_of, foes
from caltrop.rules.command_horizon.combat import LeaveDisabled, Reactions, Reactivate, ReactivateDrone
from caltrop.rules.command_horizon.command import (
    ActivateJammer,
    Concentrate,
    ConcentrateOrNot,
    DoNotConcentrate,
    JammerOrNot,
    SpareJammer,
    command_of,
    jammed_units,
    points_of,
    who_qualifies,
)
from caltrop.rules.command_horizon.contact import MakeContact
from caltrop.rules.command_horizon.damage import Casualty, Lose
from caltrop.rules.command_horizon.disengage import Leave, LeaveCombat, Stake, StakePoints, StayAndFight
from caltrop.rules.command_horizon.infantry import EatStun, Join, PlaceOddMarker, TakeOdd
from caltrop.rules.command_horizon.limits import longest, why_still
from caltrop.rules.command_horizon.movement import EndStep, Move, Orders
from caltrop.rules.command_horizon.overwatch import (
    ChooseWatchers,
    FireFromOverwatch,
    FireOrWait,
    HoldOverwatch,
    Watch,
    WatchNoMore,
)
from caltrop.rules.command_horizon.placing import Deploy
from caltrop.rules.command_horizon.putredine import disabled, token_limit
from caltrop.rules.command_horizon.reach import is_infantry, kind_of
from caltrop.rules.command_horizon.reaction import reaction_of
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.routes import Routes
from caltrop.rules.command_horizon.setup import DeployUnit, FirstTurn, GiveFirstTurn, PlanUnit, TableEdge
from caltrop.rules.command_horizon.shooting import attack_of
from caltrop.rules.command_horizon.spawn import PlaceBase, Spawn
from caltrop.rules.command_horizon.stuns import BuyOffStun, BuyOffWorm, KeepMarkers, RemoveMarkers
from caltrop.rules.command_horizon.targets import EndAllocation, FireAtSpot, Marks, Targets, why_not
from caltrop.rules.command_horizon.volley import AssignDefence, Combine, CombinePairs
from caltrop.rules.command_horizon.way_out import ChooseWayOut
from caltrop.rules.command_horizon.worms import ChooseHost, ChooseVictim
from caltrop.table.measured import coherent

NODES = 3
"""Number of places to evaluate for each reach of a unit."""


class Heuristic:
    """Answers every decision by rules of thumb and exact odds, using only what its side sees."""

    words: ClassVar[str] = "plans each turn by exact odds"

    def __init__(self, judgement: Judgement = SOUND, weights: Weights = VETERAN) -> None:
        self.judgement, self.weights = judgement, weights
        self._turn: tuple[int, ...] = ()
        self._units: list[int] = []
        self._planned: dict[int, plan.UnitChoice] = {}
        self._orders: list[Any] | None = None
        self._waves = 0

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        answer = _ANSWERS.get(type(decision))
        if answer is None:
            return decision.options(view).sample(dice)
        self.judgement = self.judgement.begun(dice)
        # The method is looked up by name, so that a derived player can replace it.
        return getattr(self, answer.__name__)(decision, view, dice, budget)

    def _outlook(self, t: Battle, side: int) -> SideOutlook:
        return SideOutlook(t, side, self.judgement, self.weights)

    def _harm(self, t: Battle, attack: Attack, unit: int) -> int:
        return damage_of(t, attack, unit, self.weights).harm

    def _fresh(self, t: Battle, side: int) -> None:
        turn = (t.round, side, t.armies[side].turns, t.step)
        if turn != self._turn:
            self._turn = turn
            self._planned, self._units, self._orders = {}, [], None
            self._waves = 0

    # --- before the battle -----------------------------------------------------------------------------------------

    def first_turn(self, d: FirstTurn, t: Battle, dice: Dice, budget: Budget) -> Any:
        return GiveFirstTurn(d.side)

    def deploy(self, d: DeployUnit | PlanUnit, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Deploy light units near objectives, then guns; command and artillery go behind them and to the flanks."""
        ways = d.options(t)
        x0, y0, x1, y1 = ways.zone
        front = y1 if t.armies[d.side].edge == 0 else y0
        order = sorted(ways.left, key=lambda u: (_LATE.get(t.units[u].kind, 2), u))
        unit = order[0]
        kind = t.units[unit].kind
        middle = (x0 + x1) // 2
        gone = sum(1 for u in t.units if u.side == d.side) - len(ways.left)
        spots = sorted(
            [(o.x, o.y, self._pull(t, d.side, i)) for i, o in enumerate(t.objectives)],
            key=lambda s: (-s[2], abs(s[1] - front), s[0]),
        )
        goals = [x for x, _, pull in spots if pull > 0]
        target = goals[gone % len(goals)] if goals and _LATE.get(kind, 2) < 2 else goals[0] if goals else middle
        if kind == "command":
            # The Command unit stays in one place for most of the game, so it is placed where it blocks no friend.
            target = x0 if target >= middle else x1
        ids = ways.chosen(unit, ())
        r = max([t.models[m].r for m in ids])
        south = t.armies[d.side].edge == 0
        y = (y0 + r if south else y1 - r) if kind in ("artillery", "command") else (y1 - r if south else y0 + r)
        mine = [disc for disc in ways.taken if y0 <= disc[1] <= y1]
        # Every unit has a lane of its own, so that no unit starts behind a slower friend.
        for rows in (1, 2, 3):
            per = -(-len(ids) // rows)
            half = per * (r + 15)
            for x in sorted(range(x0 + half, x1 - half + 1, CM), key=lambda lane: (abs(lane - target), lane)):
                if all(abs(x - disc[0]) >= half + disc[2] + CM // 4 for disc in mine):
                    discs = ways.shaped(ids, (x, y), rows, 30)
                    if ways.fits(discs):
                        return Deploy(unit, tuple([(a, b) for a, b, _ in discs]))
        place = ways.find(unit, (), (target, y))
        return place if place is not None else ways.sample(dice)

    def _pull(self, t: Battle, side: int, objective: int) -> int:
        o = t.objectives[objective]
        return o.worth * 3 + int(o.benefit is not None) * 2 + int(o.sabotage is not None and o.owner != side)

    # --- command ----------------------------------------------------------------------------------------------------

    def jammer(self, d: JammerOrNot, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Use the jammer if it removes two or more points, or any number in a short game."""
        points = sum([total(points_of(t, u)) for u in jammed_units(t, 1 - d.side)])
        late = t.rounds is not None and t.round >= t.rounds - 1
        return ActivateJammer() if points >= 2 or (points and late) else SpareJammer()

    def concentrate(self, d: ConcentrateOrNot, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Concentrate if the points are worth more than an act of the Command unit."""
        command = command_of(t, d.side)
        if command < 0:
            return DoNotConcentrate()
        gain = len(who_qualifies(t, d.side, command, d.jammed))
        outlook = self._outlook(t, d.side)
        shot = outlook.judge(t, command).shot
        use = self._use_of_points(t, d.side, t.armies[d.side].cp, gain)
        return Concentrate() if use > shot + self.weights.rather else DoNotConcentrate()

    def _use_of_points(self, t: Battle, side: int, cp: int, gain: int) -> int:
        """Return an estimate of the worth of additional command points. The first points let units act, further points
        buy boosts, and the remaining points buy little.
        """
        need = boosts = 0
        for u in t.in_play(side):
            kind = kind_of(t, u)
            if t.units[u].locked:
                continue
            need += t.units[u].stuns
            if not kind.infantry:
                need += 1
            if kind.range_cm and not t.units[u].stuns:
                boosts += 1
        acts = max(0, min(gain, need - cp))
        w = self.weights
        return w.act * acts + w.boost * min(gain - acts, boosts) + w.spare * max(0, gain - acts - boosts)

    # --- markers ----------------------------------------------------------------------------------------------------

    def markers(self, d: RemoveMarkers, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Remove the most harmful markers while points are left for firing."""
        side, cp = d.side, t.armies[d.side].cp
        guns = [u for u in t.in_play(side) if kind_of(t, u).range_cm and not kind_of(t, u).infantry]
        shooters_ = sum([1 for u in guns if not t.units[u].locked])
        if t.armies[side].army == "putredine":
            shooters_ = 0
        best: tuple[int, Any] | None = None
        outlook = self._outlook(t, side)
        for action in d.options(t):
            value = 0
            if isinstance(action, BuyOffStun):
                value = self._marker(t, outlook, action.unit)
            elif isinstance(action, BuyOffWorm):
                m = t.models[action.model]
                kind = kind_of(t, m.unit)
                value = self.weights.token + (60 if disabled(t, action.model) else 0)
                if m.worms + 2 >= token_limit(t, action.model):
                    value += worth(t, m.unit, self.weights).model // 3
                if not kind.dice:
                    value -= 40
            elif isinstance(action, EatStun):
                value = self._marker(t, outlook, action.vehicle) - 170
                if value > 0 and (best is None or value > best[0]):
                    best = (value, action)
                continue
            else:
                continue
            # A point may be needed for a shot. The fewer points there are, the more a removal has to gain.
            price = 55 if cp > shooters_ + 2 else 95 if cp > shooters_ else 125
            if value > price * self.weights.rid // 100 and (best is None or value > best[0]):
                best = (value, action)
        return KeepMarkers() if best is None else best[1]

    def _marker(self, t: Battle, outlook: SideOutlook, unit: int) -> int:
        u = t.units[unit]
        kind = kind_of(t, unit)
        n = len(u.models)
        near = [e for e in outlook.enemies if _away(t, unit, e.unit) <= (kind.range or 15 * CM) + 12 * CM]
        value = 70 if near and kind.range_cm else 25
        if u.stuns == 1:
            # A unit without markers can be boosted and make long moves again.
            value += 30 + (25 * kind.dice * n // 2 if near and kind.range_cm else 10)
        elif kind.range_cm and near and u.stuns == 2 and kind.dice * n >= 6:
            value += 40
        if kind.infantry and t.armies[u.side].army == "putredine" and u.frozen:
            value = 60 * n // u.stuns
        threatened = any(e.range and _away(t, unit, e.unit) <= e.range + 10 * CM for e in outlook.enemies)
        if threatened and u.stuns >= 2 * n - 2:
            of = worth(t, unit, self.weights)
            value += of.model // 2 + (of.last // 2 if n == 1 else 0)
        return value

    # --- close combat -----------------------------------------------------------------------------------------------

    def _exchange(self, t: Battle, unit: int) -> int:
        if not foes(t, unit):
            return 0
        mine = max([self._harm(t, blow_of(t, unit, e), e) for e in foes(t, unit)])
        theirs = sum([self._harm(t, blow_of(t, e, unit), unit) // max(1, len(foes(t, e))) for e in foes(t, unit)])
        return mine - theirs

    def leave(self, d: LeaveCombat, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Leave a combat that is going badly, if the points give a fair chance."""
        saved = t.armies[1 - d.side].cp
        cp = t.armies[d.side].cp
        worst: tuple[int, int] | None = None
        for unit in [act.unit for act in every(Leave, t, d.side)]:
            value = self._exchange(t, unit)
            if value < -120 and cp >= min(saved, 3) + 1 and (worst is None or value < worst[0]):
                worst = (value, unit)
        return StayAndFight() if worst is None else Leave(worst[1])

    def stake(self, d: StakePoints, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Stake one point more than the enemy probably does. To hold an enemy, stake as much as the fight is worth."""
        least, most = d.stakes(t)[0], d.stakes(t)[-1]
        other = t.armies[1 - d.side].cp
        if d.leaving:
            bid = min(3, other) + 1
        else:
            bid = 2 if self._exchange(t, d.unit) < -60 else 1
        return Stake(max(least, min(most, bid)))

    def way_out(self, d: ChooseWayOut, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Return the way that ends farthest from the enemy, in cover if possible."""
        enemies = self._outlook(t, d.side).enemies

        def merit(action: Any) -> int:
            at = middle_of([(*path[-1], 0) for _, path in action.paths])
            near = min([distance_sq(e.at, at) for e in enemies], default=0)
            return near + (19 * CM) ** 2 * int(t.ground.in_cover(at))

        return max(d.options(t), key=merit)

    def name_enemy(self, d: NameEnemy, t: Battle, dice: Dice, budget: Budget) -> Any:
        best: tuple[int, Any] | None = None
        for action in d.options(t):
            value = self._harm(t, blow_of(t, d.unit, action.enemy, action.boost, d.number), action.enemy)
            value -= 90 * action.boost
            if best is None or value > best[0]:
                best = (value, action)
        assert best is not None
        return best[1]

    def fight_on(self, d: FightToTheDeath, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Fight another round if this side is winning."""
        mine = [u for u in d.combat if t.units[u].side == d.side and t.units[u].models]
        value = 0
        for unit in mine:
            for e in foes(t, unit)[:1]:
                value += self._harm(t, blow_of(t, unit, e, 0, 2), e)
                value -= self._harm(t, blow_of(t, e, unit, 0, 2), unit)
        return FightOn() if value > 60 else LetBe()

    # --- movement ---------------------------------------------------------------------------------------------------

    def orders(self, d: Orders, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Carry out the plan of the turn, made when the step begins."""
        side = d.side
        self._fresh(t, side)
        if not self._units and not self._planned:
            self._make_plan(t, side, dice, budget, plan.movers(t, side))
        while self._units:
            unit = self._units.pop(0)
            action = self._carry_out(t, side, unit)
            if action is not None:
                return action
        spawning = next(every(Spawn, t, side), None)
        if spawning is not None:
            return spawning
        for action in every(Join, t, side):
            a, b = t.units[action.unit], t.units[action.into]
            if (a.move_over or a.appeared or a.frozen) and (b.move_over or b.appeared or b.frozen):
                return action
        late = [
            u
            for u in plan.movers(t, side)
            if (u not in self._planned or self._planned[u].paths) and why_still(t, side, u) is None
        ]
        if late and self._waves < 3:
            # New units, and units whose planned path was blocked, are planned again.
            self._make_plan(t, side, dice, budget, late)
            if self._units:
                return self.orders(d, t, dice, budget)
        return EndStep()

    def _make_plan(self, t: Battle, side: int, dice: Dice, budget: Budget, units: list[int]) -> None:
        nodes = NODES if budget.nodes is None else max(1, min(NODES, budget.nodes // (3 * max(1, len(units)))))
        outlook = self._outlook(t, side)
        self._waves += 1
        ghosts = [u for u in units if why_still(t, side, u) is None] if self._waves == 1 else []
        choice = plan.plan(outlook, units, nodes, ghosts)
        self._planned.update(choice)
        # Units in front move first. Charges follow when the path is free.
        acting = [u for u, c in choice.items() if c.paths or c.charge is not None]
        ends = {e.unit: e.at for e in outlook.enemies}
        self._units = sorted(
            acting,
            key=lambda u: (
                choice[u].charge is not None,
                min([distance_sq(at, middle_of(t.discs(u))) for at in ends.values()], default=0),
                u,
            ),
        )

    def _carry_out(self, t: Battle, side: int, unit: int) -> Any:
        """Return a unit's planned act, adapted to the present table; None if it is no longer possible."""
        choice = self._planned[unit]
        if not t.units[unit].models or why_still(t, side, unit) is not None:
            return None
        if choice.charge is not None:
            return choice.charge if choice.charge.may(Choices(t, side)) else None
        routes = Routes(t, unit)
        if routes.legal(choice.paths):
            return Move(unit, choice.paths)
        if choice.goal is None or choice.reach > routes.top:
            return None
        paths = plan.path_to(routes, middle_of(routes.discs), choice.goal, choice.reach)
        if paths is None or total(routes.price(paths, longest(paths))) > max(choice.price, 0):
            return None
        return Move(unit, paths)

    def join_charge(self, d: JoinCharge, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Join a charge if that is planned, or if the unit gains by it."""
        for action in d.options(t):
            if isinstance(action, Charge):
                planned = self._planned.get(action.unit)
                mine = planned is not None and planned.charge is not None and planned.charge.target == action.target
                if mine or (
                    action.unit in self._units
                    and plan.worth_of_charge(t, action.unit, action.target, self.weights) > 350
                ):
                    if action.unit in self._units:
                        self._units.remove(action.unit)
                    return action
        return NoMoreChargers()

    def react_to_charge(self, d: ChargeReaction, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Fire at the charger with the greatest expected loss, with a boost if points were saved."""
        best: tuple[int, Any] = (0, LetThemCome())
        for action in d.options(t):
            if isinstance(action, ReactToCharge):
                attack = reaction_of(t, d.unit, action.charger, action.boost, against_charge=True)
                value = self._harm(t, attack, action.charger) - 10 * action.boost
                if value > best[0]:
                    best = (value, action)
        return best[1]

    def make_contact(self, d: MakeContact, t: Battle, dice: Dice, budget: Budget) -> Any:
        return d.options(t).first()

    # --- Putredine --------------------------------------------------------------------------------------------------

    def place_base(self, d: PlaceBase, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Place the base nearest to an enemy vehicle."""
        vehicles = [disc for e in t.enemies(d.side) if not is_infantry(t, e) for disc in t.discs(e)]

        def away(action: Any) -> int:
            return min([distance_sq((action.x, action.y), v[:2]) for v in vehicles], default=0)

        return min(d.options(t), key=away)

    def put_token(self, d: ChooseVictim, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Destroy a model if there are enough tokens. If there are too few, take away the dice of one model after
        another.
        """

        def merit(action: Any) -> tuple[int, int, int]:
            m = t.models[action.model]
            limit = token_limit(t, action.model)
            needed = limit - m.worms
            if needed <= d.left:
                return (3, -needed, -action.model)
            if not disabled(t, action.model):
                return (2, m.worms, -action.model)
            return (1, m.worms, -action.model)

        return max(d.options(t), key=merit)

    def host(self, d: ChooseHost, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Return the unit with the most to lose."""
        return max(d.options(t), key=lambda a: (kind_of(t, a.unit).dice, strength(t, a.unit, self.weights), -a.unit))

    # --- fire -------------------------------------------------------------------------------------------------------

    def marks(self, d: Marks, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Make each mark whose gain for the artillery exceeds its cost."""
        return fire.next_mark(self._outlook(t, d.side))

    def targets(self, d: Targets, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Return the orders that were computed when the step began, one after another; Pod launchers come last."""
        self._fresh(t, d.side)
        if self._orders is None:
            self._orders = list(fire.allocate(self._outlook(t, d.side)))
        while self._orders:
            order = self._orders.pop(0)
            if why_not(t, d.side, order) is None:
                return order
        return self._launch(d, t)

    def _launch(self, d: Targets, t: Battle) -> Any:
        """Fire a Pod launcher that has no order at a spot, or end the naming of targets."""
        for unit in t.in_play(d.side):
            if "seeding" in kind_of(t, unit).traits and unit not in [o.unit for o in t.orders]:
                spots = [a for a in d.options(t) if isinstance(a, FireAtSpot) and a.unit == unit]
                shot = fire.pod_shot(t, d.side, spots)
                if shot is not None:
                    return shot
        return EndAllocation()

    def reactions(self, d: Reactions, t: Battle, dice: Dice, budget: Budget) -> Any:
        return fire.next_reaction(t, d.side, self.weights)

    def redirect(self, d: Redirect, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Return the enemy with the greatest expected loss."""
        order = t.orders[d.order]
        best: tuple[int, Any] = (0, None)
        for action in d.options(t):
            if isinstance(action, NewTarget):
                value = self._harm(t, attack_of(t, redirected(t, order, action.target)), action.target)
                if value > best[0]:
                    best = (value, action)
        return NoTarget() if best[1] is None else best[1]

    def drone(self, d: ReactivateDrone, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Reactivate a drone if that gains more than anything else that the points can buy in this step."""
        return next((a for a in d.options(t) if isinstance(a, Reactivate)), LeaveDisabled())

    def combine(self, d: CombinePairs, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Combine as many pairs as gain most against the expected Defence Dice."""
        return Combine(fire.pairs_to_combine(t, d, self.weights))

    def assign(self, d: AssignDefence, t: Battle, dice: Dice, budget: Budget) -> Any:
        attack = d.shot.attack
        target = attack.target
        of = worth(t, d.shot.target, self.weights)

        def lost(action: Any) -> int:
            end: Ending = ending(t, target, damage(t, attack, d.hits, result_of(d.hits, action.hits)))
            return loss(of, target.models, target.stuns, target.drone, end)

        return min(d.options(t), key=lost)

    def casualty(self, d: Casualty, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Return the least valuable model: with Worm Tokens, no gland, off the objective, not needed for coherency."""
        unit = d.losses.unit
        left = [m for m in t.units[unit].models if m not in d.picked]

        def missed(action: Lose) -> tuple[int, int]:
            m = t.models[action.model]
            value = 60 * m.glands - 50 * m.worms
            if m.kind == "heavy-weapons" and t.units[unit].kind == "infantry":
                value += 50
            for o in t.objectives:
                if gap_within(m.disc, (o.x, o.y, o.r), CONTACT):
                    others = [i for i in left if i != action.model]
                    if not any(gap_within(t.models[i].disc, (o.x, o.y, o.r), CONTACT) for i in others):
                        value += 80
            rest = [t.models[i].disc for i in left if i != action.model]
            if rest and not coherent(rest):
                value += 40
            return (value, action.model)

        return min(d.options(t), key=missed)

    def odd_marker(self, d: PlaceOddMarker, t: Battle, dice: Dice, budget: Budget) -> Any:
        return TakeOdd(max(d.units, key=lambda u: (len(t.units[u].models), -u)))

    # --- overwatch --------------------------------------------------------------------------------------------------

    def watchers(self, d: ChooseWatchers, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Choose units at which no enemy can shoot now, but which enemies will probably approach."""
        outlook = self._outlook(t, d.side)
        best: tuple[int, int] | None = None
        for unit in [act.unit for act in every(Watch, t, d.side)]:
            reach = kind_of(t, unit).range
            inside = [e for e in outlook.enemies if _away(t, unit, e.unit) <= e.range]
            coming = [e for e in outlook.enemies if reach < _away(t, unit, e.unit) <= reach + 10 * CM]
            if not inside and coming:
                value = max([outlook.offer(unit, e.unit) for e in coming]) // 2
                if value > 80 and (best is None or value > best[0]):
                    best = (value, unit)
        return WatchNoMore() if best is None else Watch(best[1])

    def fire_or_wait(self, d: FireOrWait, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Fire at a target that is worth the shot, because a better target may not come."""
        value = self._harm(t, reaction_of(t, d.watcher, d.target), d.target)
        return FireFromOverwatch() if value >= 60 else HoldOverwatch()

    def edge(self, d: TableEdge, t: Battle, dice: Dice, budget: Budget) -> Any:
        """Return the side with more cover near its zone."""
        height = t.table.height

        def cover(action: Any) -> int:
            score = 0
            for piece in t.table.terrain:
                if piece.kind.cover:
                    y = sum([p[1] for p in piece.polygon]) // len(piece.polygon)
                    score += int((y < height // 2) == (action.edge == 0))
            return score

        return max(d.options(t), key=cover)


_LATE = {
    "light-tank": 0,
    "carrier": 0,
    "infantry": 1,
    "heavy-weapons": 1,
    "medium-tank": 2,
    "slugger": 3,
    "heavy-tank": 3,
    "command": 4,
    "artillery": 5,
}
"""The sequence in which units are placed: units that tell the enemy least come first."""


def _away(t: Battle, a: int, b: int) -> int:
    p, q = t.discs(a), t.discs(b)
    x, y = middle_of(p), middle_of(q)
    return max(0, isqrt(distance_sq(x, y)) - (spread_of(p, x) + spread_of(q, y)) * 3 // 4)


_ANSWERS: dict[type, Callable[..., Any]] = {
    FirstTurn: Heuristic.first_turn,
    TableEdge: Heuristic.edge,
    DeployUnit: Heuristic.deploy,
    PlanUnit: Heuristic.deploy,
    JammerOrNot: Heuristic.jammer,
    ConcentrateOrNot: Heuristic.concentrate,
    RemoveMarkers: Heuristic.markers,
    LeaveCombat: Heuristic.leave,
    StakePoints: Heuristic.stake,
    ChooseWayOut: Heuristic.way_out,
    Orders: Heuristic.orders,
    JoinCharge: Heuristic.join_charge,
    ChargeReaction: Heuristic.react_to_charge,
    MakeContact: Heuristic.make_contact,
    PlaceBase: Heuristic.place_base,
    ChooseVictim: Heuristic.put_token,
    ChooseHost: Heuristic.host,
    PlaceOddMarker: Heuristic.odd_marker,
    Marks: Heuristic.marks,
    Targets: Heuristic.targets,
    Redirect: Heuristic.redirect,
    ReactivateDrone: Heuristic.drone,
    Reactions: Heuristic.reactions,
    NameEnemy: Heuristic.name_enemy,
    FightToTheDeath: Heuristic.fight_on,
    CombinePairs: Heuristic.combine,
    AssignDefence: Heuristic.assign,
    Casualty: Heuristic.casualty,
    ChooseWatchers: Heuristic.watchers,
    FireOrWait: Heuristic.fire_or_wait,
}
