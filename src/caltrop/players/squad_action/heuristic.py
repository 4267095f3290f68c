"""A player that plans every activation by exact odds, places and the mission's goals."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Any, ClassVar

from caltrop.chance import Dice
from caltrop.engine import Decision
from caltrop.geometry import INCH, Point
from caltrop.players.judgement import SOUND, Judgement
from caltrop.players.protocol import UNBOUNDED, Budget
from caltrop.players.squad_action.fire import apart, best_shot, faces_from, potential
from caltrop.players.squad_action.outlook import KEPT, SURE, SideOutlook, is_support
from caltrop.players.squad_action.plan import Plan, UnitChoice, shelters
from caltrop.players.squad_action.weights import VETERAN, Weights
from caltrop.players.squad_action.worth import POINT, averages_of, now
from caltrop.rules.squad_action.activation import (
    Hover,
    HoverOrFly,
    NextAct,
    PassUp,
    ends_activation,
    has_prelude,
    what_may_follow,
)
from caltrop.rules.squad_action.acts import Kind
from caltrop.rules.squad_action.airstrike import Share, ShareOut, Strike, WhichStrike
from caltrop.rules.squad_action.assault import MoveIn, NextIn
from caltrop.rules.squad_action.casualties import Fall, WhoFalls, usual_order
from caltrop.rules.squad_action.consolidation import Consolidate, HoldGround
from caltrop.rules.squad_action.covers import LeaveOut, PlacePiece, PutPiece
from caltrop.rules.squad_action.line import LayLine, Line, middle_of_line, under_line
from caltrop.rules.squad_action.movement import MOVES
from caltrop.rules.squad_action.orders import Activate, Announce, Begin, EndTurn, Orders, Pass, StandStill, to_act
from caltrop.rules.squad_action.overwatch import Forgo, Interrupt, KeepTokens, LetPass, React, Spring, UseTokens
from caltrop.rules.squad_action.places import COHERENCY, FOOT, LINEAR, unit_sees
from caltrop.rules.squad_action.reach import BASE_MOVE
from caltrop.rules.squad_action.recon import Scout, StayPut
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.setup import Deploy, DeployUnit, KeepBack, why_not_so
from caltrop.rules.squad_action.shells import MarkTarget
from caltrop.rules.squad_action.shots import arms
from caltrop.rules.squad_action.striking import ShareAmong, ShareAttacks
from caltrop.rules.squad_action.tokens import Lay, LayTokens
from caltrop.rules.squad_action.transport import WhereOut
from caltrop.rules.squad_action.turn import TakeFirst, WhoIsFirst
from caltrop.rules.squad_action.under_fire import AimTokens, FireAtThem
from caltrop.rules.squad_action.volley import WhichFace
from caltrop.rules.squad_action.watching import length_of, put_at
from caltrop.table.measured import coherent

STEP = 2 * FOOT + INCH // 8
"""Distance between neighbouring soldiers in the ranks in which a unit is placed."""
DEEP = INCH
"""Smallest distance from the edge of a piece of terrain to places in it that are considered."""
PLACES = 5
"""Number of places considered along each edge of the deployment area, and number of ranks considered."""


class Heuristic:
    """Answers every decision by rules of thumb and exact odds, using only what its side sees."""

    words: ClassVar[str] = (
        "weighs shots, places and close quarters by exact odds, keeps to cover and overwatch, and plays for the mission"
    )
    wary: ClassVar[bool] = True
    """True if the player considers the enemy's next acts."""

    def __init__(self, judgement: Judgement = SOUND, weights: Weights = VETERAN) -> None:
        self.judgement, self.weights = judgement, weights
        self._nodes = KEPT
        self._turn: tuple[int, ...] = ()
        self._order: dict[int, int] = {}

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        answer = _ANSWERS.get(type(decision))
        if answer is None:
            return decision.options(view).sample(dice)
        self.judgement = self.judgement.begun(dice)
        self._nodes = KEPT if budget.nodes is None else max(1, min(KEPT, budget.nodes))
        # The method is looked up by name, so that a derived player can replace it.
        return getattr(self, answer.__name__)(decision, view, dice)

    def outlook(self, t: Firefight, side: int) -> SideOutlook:
        return SideOutlook(t, side, averages_of(t), self.wary, self.weights, self.judgement, self._nodes)

    # --- before the battle --------------------------------------------------------------------------------------------

    def first(self, d: WhoIsFirst, t: Firefight, dice: Dice) -> Any:
        return TakeFirst(d.side)

    def piece(self, d: PlacePiece, t: Firefight, dice: Dice) -> Any:
        """Place terrain near an objective, or near the centre of the table if there is none."""
        options = d.options(t)
        ahead = 1 if d.side == 0 else -1
        goals = [o.at for o in t.field.objectives] or [(t.field.table.width // 2, t.field.table.height // 2)]
        if d.kind == "wall":
            x, y = goals[0]
            for dy in (-3, -4, -5, -2):
                for dx in (0, -5, 5, -3, 3):
                    piece = PutPiece((x + dx * INCH, y + (-dy if d.side == 0 else dy) * INCH), (1, 0))
                    if options.wrong(piece) is None:
                        return piece
            return options.first()
        for x, y in goals[len(t.placed) % len(goals) :] + goals:
            for dy in (4, 5, 6, 7):
                for dx in (0, -3, 3):
                    piece = PutPiece((x + dx * INCH, y - dy * ahead * INCH), (1, 0))
                    if options.wrong(piece) is None:
                        return piece
        return LeaveOut()

    def deploy(self, d: DeployUnit, t: Firefight, dice: Dice) -> Any:
        """Deploy units in close ranks near their goals, in cover if possible, with teams behind."""
        options = d.options(t)
        o = self.outlook(t, d.side)
        unit = min(options.left, key=lambda u: (is_support(t, t.units[u]), t.units[u].machine, -t.units[u].points, u))
        area = t.field.areas[d.side]
        assert area is not None
        x0, y0, x1, y1 = area.box
        places = [
            (x0 + (x1 - x0) * (2 * i + 1) // 18, y0 + (y1 - y0) * (2 * j + 1) // (2 * PLACES))
            for i in range(9)
            for j in range(PLACES)
        ]
        places += [p for p in (*shelters(o), *depths(o)) if x0 < p[0] < x1 and y0 < p[1] < y1]
        scored = sorted([(-self._post(o, unit, p), p) for p in places])
        for _, place in scored:
            placed = block(t, unit, place)
            if why_not_so(t, unit, placed.places, placed.heading, area) is None:
                reserve = KeepBack(unit)
                out = t.first != d.side and self._struck(o, unit, place) > self.weights.stays_out
                return reserve if out and options.refusal(reserve) is None else placed
        return options.sample(dice)

    def _post(self, o: SideOutlook, unit: int, at: Point) -> int:
        t, w = o.t, self.weights
        table = t.field.table
        ahead = (at[0], table.height if o.side == 0 else 0)
        ranks = {"none": 0, "soft": w.begins_soft, "hard": w.begins_hard, "fortified": w.begins_fortified}
        score = o.goal(unit, at) + ranks[o.cover([at], ahead)]
        middle = abs(2 * at[0] - table.width) // 2
        score -= middle // INCH * w.middle
        crowd = [p for u, p in o.leads.items() if t.units[u].side == o.side and apart(p, at) < 4 * INCH]
        score -= w.together * len(crowd)
        if o.foes:
            score += o.prospects(unit, at) - o.danger(unit, at)
        if t.first != o.side:
            # A side that shoots second should be out of sight in the enemy's first turn.
            score -= t.units[unit].points * POINT * self._struck(o, unit, at) // 100 * w.struck // 100
        if is_support(t, t.units[unit]):
            score -= abs(at[1] - (0 if o.side == 0 else table.height)) // INCH * w.behind
        return score

    def _struck(self, o: SideOutlook, unit: int, at: Point) -> int:
        """Return the expected loss of a unit in the enemy's first turn at a starting place, in per cent.

        The danger counts enemies that have not been placed. Enemies on the table are part of the danger of a place.
        """
        t = o.t
        off = [e for e in t.units if e.side != o.side and e.where == "reserve" and e.carrier is None]
        coming = [e for e in off if arms(t, e.id)]
        front = front_of(t, 1 - o.side)
        if not front or not coming:
            return 0
        every = block(t, unit, at).places
        # The enemy first sees models at the edges of the unit.
        some = {*(min(every), max(every)), *(f(every, key=lambda p: (p[1], p[0])) for f in (min, max))}
        # Places of the front from which the enemy sees the unit, now and after a Move.
        stand = [p for p in front if any(o.sees(p, q) for q in some)]
        ahead = BASE_MOVE if o.side else -BASE_MOVE
        come = [p for x, y in front for p in [(x, y + ahead)] if any(o.sees(p, q) for q in some)]
        stake = o.stake(unit)
        whole = max(now(t, unit, stake), 1)
        safe = SURE
        for places, moved, times in ((stand, False, 2), (come, True, 1)):
            place = min(places, key=lambda p: (apart(p, at), p), default=None)
            if place is None:
                continue
            cover, faces = o.cover([at], place), faces_from(o, unit, place)
            gap = max(apart(place, at) - INCH, 0)
            for e in coming:
                volley = SURE * min(potential(o, e.id, unit, gap, cover, faces, moved), whole) // whole
                # Some enemies may not find room near the unit, or may have a better target.
                for _ in range(times):
                    safe = safe * (SURE - volley * self.weights.finds // 100) // SURE
            if stand:
                break
        return 100 * (SURE - safe) // SURE

    def scout(self, d: Scout, t: Firefight, dice: Dice) -> Any:
        plan = Plan(self.outlook(t, d.side), d.unit)
        ways = plan.ways()
        best = max(ways, key=lambda w: w.value, default=None)
        return best.act if best is not None and best.value > plan.value_here() else StayPut()

    # --- the turn -----------------------------------------------------------------------------------------------------

    def orders(self, d: Orders, t: Firefight, dice: Dice) -> Any:
        """Activate units with good shots first, then assaulters, then all others."""
        options = d.options(t)
        o = self.outlook(t, d.side)
        turn = (t.round, d.side)
        waiting = [u.id for u in to_act(t, d.side)]
        if turn != self._turn:
            self._turn = turn
            self._order = {}
        for unit in waiting:
            if unit not in self._order:
                self._order[unit] = self._rank(o, unit)
        for unit in sorted(waiting, key=lambda u: (-self._order[u], u)):
            if has_prelude(t, unit):
                return Activate(unit)
            choice = self._plan(o, unit, list(options.kinds(unit)))
            if choice is not None:
                begin = begun_with(unit, choice)
                if options.refusal(begin) is None:
                    return begin
        if d.passes:
            return Pass()
        return EndTurn() if d.ends and options.refusal(EndTurn()) is None else options.first()

    def _rank(self, o: SideOutlook, unit: int) -> int:
        """Return the rank of a unit for the sequence of activations: good shots first, then units near an enemy."""
        lead = o.leads.get(unit)
        worth = 0 if lead is None else o.fire_from(unit, lead, False)
        slip = o.judgement.slip(o.grain, unit, o.t.round, "order")
        if worth + slip > 0:
            return 10**6 + worth + slip
        return 0 if lead is None else -min([apart(lead, o.leads[e.id]) for e in o.foes], default=0)

    def _plan(self, o: SideOutlook, unit: int, kinds: list[Kind]) -> UnitChoice | None:
        return Plan(o, unit).best(lambda first: what_may_follow(o.t, unit, first), kinds)

    def announce(self, d: Announce, t: Firefight, dice: Dice) -> Any:
        options = d.options(t)
        choice = self._plan(self.outlook(t, d.side), d.unit, list(options.kinds(d.unit)))
        if choice is not None:
            begin = begun_with(d.unit, choice)
            if options.refusal(begin) is None:
                return begin
        return StandStill() if options.refusal(StandStill()) is None else options.first()

    def next_act(self, d: NextAct, t: Firefight, dice: Dice) -> Any:
        choice = Plan(self.outlook(t, d.side), d.unit).next(d.kinds)
        if choice is None or d.options(t).refusal(choice.act) is not None:
            return PassUp()
        return choice.act

    def hover(self, d: HoverOrFly, t: Firefight, dice: Dice) -> Any:
        if not t.units[d.unit].in_play:
            return Hover(False)
        shot = best_shot(self.outlook(t, d.side), d.unit, False)
        return Hover(shot is not None or not MOVES.may(t, unit=d.unit))

    # --- overwatch ----------------------------------------------------------------------------------------------------

    def lay(self, d: LayTokens, t: Firefight, dice: Dice) -> Any:
        lay = Lay(d.unit, ("fire",) * d.count)
        options = d.options(t)
        return lay if options.refusal(lay) is None else options.first()

    def interrupt(self, d: Interrupt, t: Firefight, dice: Dice) -> Any:
        """Interrupt at the moment with the greatest gain, if it is worth a token."""
        options = d.options(t)
        length = length_of(d.paths)
        best: tuple[int, Any] = (self.weights.spring, LetPass())
        for watcher, earliest in d.chances:
            tokens = t.tokens.get(watcher)
            if tokens is None or "fire" not in tokens.faces:
                continue
            rest = length - earliest
            moments = dict.fromkeys(earliest + rest * part // self._nodes for part in range(self._nodes + 1))
            for moment in moments:
                twin = t.clone()
                if d.paths:
                    put_at(twin, d.actor, d.paths, moment)
                if moment != earliest and not unit_sees(twin, watcher, d.actor):
                    continue
                shot = best_shot(self.outlook(twin, d.side), watcher, True, d.actor, True)
                if shot is not None and shot.worth > best[0]:
                    spring = Spring(watcher, "fire", moment)
                    if options.refusal(spring) is None:
                        best = (shot.worth, spring)
        return best[1]

    def react(self, d: React, t: Firefight, dice: Dice) -> Any:
        options = d.options(t)
        o = self.outlook(t, d.side)
        if d.face == "move":
            plan = Plan(o, d.watcher)
            way = max(plan.ways(), key=lambda w: w.value, default=None)
            if way is not None and way.value > plan.value_here() and options.refusal(way.act) is None:
                return way.act
            return Forgo()
        shot = best_shot(o, d.watcher, True, d.target, True)
        if shot is not None and options.refusal(shot.act) is None:
            return shot.act
        return Forgo() if options.refusal(Forgo()) is None else options.first()

    def left_over(self, d: UseTokens, t: Firefight, dice: Dice) -> Any:
        """Let a unit with a target shoot, because its tokens are lost at its activation."""
        o = self.outlook(t, d.side)
        best: tuple[int, Any] = (0, KeepTokens())
        for action in d.options(t):
            if not isinstance(action, Spring):
                continue
            if action.face == "fire":
                shot = best_shot(o, action.watcher, True, None, True)
                worth = shot.worth if shot is not None else 0
            else:
                plan = Plan(o, action.watcher)
                worth = max([w.value for w in plan.ways()], default=-(10**9)) - plan.value_here()
            if worth > best[0]:
                best = (worth, action)
        return best[1]

    # --- close quarters -----------------------------------------------------------------------------------------------

    def aim(self, d: AimTokens, t: Firefight, dice: Dice) -> Any:
        return d.options(t).first()

    def next_in(self, d: NextIn, t: Firefight, dice: Dice) -> Any:
        options = d.options(t)
        return next((a for a in options if isinstance(a, MoveIn)), None) or options.first()

    def share(self, d: ShareAttacks, t: Firefight, dice: Dice) -> Any:
        """Share attacks in proportion to the numbers of enemy models."""
        counts = [max(len(t.units[u].models), 1) for u in d.targets]
        shares = [d.attacks * c // sum(counts) for c in counts]
        shares[0] += d.attacks - sum(shares)
        return ShareAmong(tuple(shares))

    def consolidate(self, d: Consolidate, t: Firefight, dice: Dice) -> Any:
        o = self.outlook(t, d.side)
        plan = Plan(o, d.unit)
        best: tuple[int, Any] = (plan.value_here(), HoldGround())
        options = d.options(t)
        for n, act in enumerate(options):
            if n >= 10:
                break
            if not isinstance(act, HoldGround):
                end = options.routes.ends(act)[options.routes.lead]
                worth = o.value(d.unit, end)
                if worth > best[0]:
                    best = (worth, act)
        return best[1]

    # --- casualties and shells ----------------------------------------------------------------------------------------

    def falls(self, d: WhoFalls, t: Firefight, dice: Dice) -> Any:
        """Return a sniper's best victim; of the side's own models, the least valuable whose loss does not split the
        unit.
        """
        options = d.options(t)
        u = t.units[d.unit]
        if u.side != d.side or u.machine:
            return options.first()
        left = {m: (*at, FOOT) for m in u.models if (at := t.models[m].at) is not None}
        order = usual_order(t, d.among)[::-1]
        fallen: list[int] = []
        while len(fallen) < d.lost:
            able = [m for m in order if m not in fallen]
            whole = (m for m in able if coherent([at for n, at in left.items() if n != m], COHERENCY))
            fallen.append(next(whole, able[0]))
            left.pop(fallen[-1], None)
        fall = Fall(tuple(sorted(fallen)))
        return fall if options.refusal(fall) is None else options.first()

    def face(self, d: WhichFace, t: Firefight, dice: Dice) -> Any:
        return d.options(t).first()

    def ways_out(self, d: WhereOut, t: Firefight, dice: Dice) -> Any:
        o = self.outlook(t, d.side)
        best: tuple[int, Any] | None = None
        for n, act in enumerate(d.options(t)):
            if n >= 6:
                break
            places = getattr(act, "places", ())
            worth = o.value(d.unit, places[0][1]) if places else 0
            if best is None or worth > best[0]:
                best = (worth, act)
        return best[1] if best is not None else d.options(t).first()

    def strike(self, d: WhichStrike, t: Firefight, dice: Dice) -> Any:
        """Strike armour if a machine is in the open, otherwise soldiers."""
        kinds = [a.kind for a in d.options(t)]
        foes = t.of_side(1 - d.side)
        machines = sum([u.points for u in foes if u.machine])
        soldiers = sum([u.points for u in foes if not u.machine])
        prefix = "anti-vehicle" if machines > soldiers else "strafing"
        kind = next((k for k in kinds if k.startswith(prefix)), kinds[0])
        return Strike(kind)

    def mark(self, d: MarkTarget, t: Firefight, dice: Dice) -> Any:
        """Return the place where the fire harms the enemy most, after subtracting harm to friends."""
        plan = Plan(self.outlook(t, d.side), d.unit)
        return max(d.options(t), key=lambda a: plan.fallen(a.aim, d.asset))

    def line(self, d: LayLine, t: Firefight, dice: Dice) -> Any:
        """Lay the line over as many enemies as possible, and over no friends."""

        def worth(action: Line) -> int:
            under = [t.units[u] for u in under_line(t, middle_of_line(d.aim, action), action.direction)]
            friends = self.weights.struck_friends
            return sum([100 * u.points if u.side != d.side else -friends * u.points for u in under])

        return max(d.options(t), key=worth)

    def share_out(self, d: ShareOut, t: Firefight, dice: Dice) -> Any:
        """Share the side's own losses evenly, and hits on enemies by worth, the most valuable first."""
        if any(t.units[u].side == d.side for u in d.units):
            return d.options(t).first()
        dear = max(range(len(d.units)), key=lambda n: t.units[d.units[n]].points)
        return Share(tuple([d.count * (n == dear) for n in range(len(d.units))]))


def begun_with(unit: int, choice: UnitChoice) -> Begin:
    """Return the first act of a choice with its announcement, which is empty if the unit leaves the table."""
    return Begin(unit, choice.act, () if ends_activation(choice.act) else choice.then)


def front_of(t: Firefight, side: int) -> list[Point]:
    """Return places along the front of the area in which a side deploys."""
    area = t.field.areas[side]
    if area is None:
        return []
    x0, y0, x1, y1 = area.box
    ahead = y1 - INCH if side == 0 else y0 + INCH
    return [(x0 + (x1 - x0) * (2 * n + 1) // 12, ahead) for n in range(6)]


def depths(o: SideOutlook) -> list[Point]:
    """Return places within woods and ruins that are too deep to be seen from outside."""
    points = []
    for piece, terrain, _ in o.pieces:
        if terrain.kind.name in LINEAR:
            continue
        x0, y0, x1, y1 = piece.box
        points += [(x, y) for x in range(x0 + DEEP, x1 - DEEP + 1, INCH) for y in range(y0 + DEEP, y1 - DEEP + 1, INCH)]
    return points


def block(t: Firefight, unit: int, at: Point) -> Deploy:
    """Return a placement of a unit in close ranks around a place, as broad as deep; a machine faces the enemy."""
    u = t.units[unit]
    ahead = (0, 1) if u.side == 0 else (0, -1)
    if u.machine:
        return Deploy(unit, (at,), ahead)
    n = len(u.models)
    wide = isqrt(n - 1) + 1
    deep = -(-n // wide)
    places = []
    for m in range(n):
        row, column = divmod(m, wide)
        across = min(wide, n - row * wide)
        x = at[0] + (2 * column - across + 1) * STEP // 2
        places.append((x, at[1] + ahead[1] * ((deep - 1) * STEP // 2 - row * STEP)))
    return Deploy(unit, tuple(places))


_ANSWERS: dict[type, Callable[..., Any]] = {
    WhoIsFirst: Heuristic.first,
    PlacePiece: Heuristic.piece,
    DeployUnit: Heuristic.deploy,
    Scout: Heuristic.scout,
    Orders: Heuristic.orders,
    Announce: Heuristic.announce,
    NextAct: Heuristic.next_act,
    HoverOrFly: Heuristic.hover,
    LayTokens: Heuristic.lay,
    Interrupt: Heuristic.interrupt,
    React: Heuristic.react,
    FireAtThem: Heuristic.react,
    UseTokens: Heuristic.left_over,
    AimTokens: Heuristic.aim,
    NextIn: Heuristic.next_in,
    ShareAttacks: Heuristic.share,
    Consolidate: Heuristic.consolidate,
    WhoFalls: Heuristic.falls,
    WhichFace: Heuristic.face,
    WhereOut: Heuristic.ways_out,
    WhichStrike: Heuristic.strike,
    MarkTarget: Heuristic.mark,
    LayLine: Heuristic.line,
    ShareOut: Heuristic.share_out,
}
