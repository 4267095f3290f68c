"""Choose shots with targets and boosts, marks for artillery, and reaction fire."""

from __future__ import annotations

from math import comb

from msgspec.structs import replace

from caltrop.asking import Choices
from caltrop.engine import total
from caltrop.geometry import CM
from caltrop.players.command_horizon.outlook import SideOutlook
from caltrop.players.command_horizon.weights import VETERAN, Weights
from caltrop.players.command_horizon.worth import damage_of, worth
from caltrop.rules.command_horizon.aim import aim, is_artillery
from caltrop.rules.command_horizon.attack import Attack, Mode, attack_dice, defence_dice, face_counts, read, standing
from caltrop.rules.command_horizon.combat import EndReactions, React, attacks_to_answer
from caltrop.rules.command_horizon.places import within
from caltrop.rules.command_horizon.reach import kind_of, price_of_shot
from caltrop.rules.command_horizon.reaction import reaction_of, why_no_boosted_reaction
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.shooting import FIRES, attack_of, attack_with, best_sighter, marks_on
from caltrop.rules.command_horizon.targets import EndMarks, Fire, FireAtSpot, MarkTarget, why_not
from caltrop.rules.command_horizon.volley import CombinePairs


class PendingOrders:
    """Expected results of attacks that have been ordered."""

    def __init__(self, t: Battle, weights: Weights = VETERAN) -> None:
        self.t, self.weights = t, weights
        self.kills: dict[int, int] = {}
        self.stuns: dict[int, int] = {}
        for order in t.orders:
            if order.target >= 0 and not order.done:
                self.add(order.target, attack_of(t, order))

    def add(self, target: int, attack: Attack) -> None:
        damage = damage_of(self.t, attack, target, self.weights)
        self.kills[target] = self.kills.get(target, 0) + damage.kills
        self.stuns[target] = self.stuns.get(target, 0) + damage.stuns

    def gain(self, target: int, attack: Attack) -> int:
        """Return the gain of another attack on the expected remains of its target."""
        kills = self.kills.get(target, 0)
        if not kills:
            return damage_of(self.t, attack, target, self.weights).harm
        models = attack.target.models
        left = 100 * models - kills
        if left <= 0:
            return damage_of(self.t, attack, target, self.weights).harm // (16 if models > 1 else 40)
        after = max(1, (left + 50) // 100)
        stuns = min(attack.target.stuns + self.stuns.get(target, 0) // 100, 2 * after - 1)
        rest = replace(attack, target=replace(attack.target, models=after, stuns=stuns))
        harm = damage_of(self.t, rest, target, self.weights).harm
        return harm * min(100, max(6, left)) // 100


class Option:
    """A possible shot of a unit at a target."""

    __slots__ = ("action", "attack", "back", "cost", "target", "unit")

    def __init__(self, unit: int, target: int, action: Fire, attack: Attack, back: int, cost: int) -> None:
        self.unit, self.target, self.action, self.attack = unit, target, action, attack
        self.back, self.cost = back, cost


def shots_of(outlook: SideOutlook, unit: int) -> list[Option]:
    """Return every plain shot of a unit, with its attack and the expected reaction fire."""
    t, side = outlook.t, outlook.side
    options: list[Option] = []
    cost = total(price_of_shot(t, unit))
    artillery = is_artillery(t, unit)
    for e in outlook.enemies:
        if e.locked:
            continue
        sighter = best_sighter(t, unit, e.unit) if artillery else -1
        if artillery and sighter < 0:
            continue
        view = aim(t, unit, e.unit, sighter=sighter)
        if not view.models:
            continue
        action = Fire(unit, e.unit, sighter=sighter)
        marks = 0
        if artillery and kind_of(t, unit).ranged_in_cm and marks_on(t, e.unit):
            ranged = replace(action, ranged_in=True)
            if why_not(t, side, ranged) is None:
                action, marks = ranged, marks_on(t, e.unit)
        if why_not(t, side, action) is not None:
            continue
        mode: Mode = "artillery" if artillery else "fire"
        attack = attack_with(
            t,
            unit,
            e.unit,
            mode,
            view.models,
            cover=view.cover,
            marks=marks,
            marked=t.units[unit].marking >= 0,
        )
        if view.cover:
            bare = replace(action, exposed=True)
            if 2 * len(view.exposed) >= len(t.units[e.unit].models) and why_not(t, side, bare) is None:
                action, attack = bare, replace(attack, target=replace(attack.target, cover=0))
        options.append(
            Option(
                unit, e.unit, action, attack, outlook.answer(t, e.unit, unit) * outlook.weights.answered // 100, cost
            )
        )
    return options


def allocate(outlook: SideOutlook) -> list[Fire]:
    t, side = outlook.t, outlook.side
    ordered = [o.unit for o in t.orders]
    able = [u for u in outlook.mine if u not in ordered and FIRES.may(t, unit=u)]
    every = {u: shots_of(outlook, u) for u in able}
    pending = PendingOrders(t, outlook.weights)
    cp = t.armies[side].cp
    picked: list[Option] = []
    while True:
        best: tuple[int, int, Option] | None = None
        for some in every.values():
            for option in some:
                if option.cost > cp:
                    continue
                gain = pending.gain(option.target, option.attack)
                net = outlook.judgement.odds(gain, option.unit, t.round, option.target) - option.back
                if net <= outlook.weights.saved * option.cost:
                    continue
                density = net // max(1, option.cost) if option.cost else net * 4
                if best is None or density > best[0]:
                    best = (density, net, option)
        if best is None:
            break
        option = best[2]
        picked.append(option)
        pending.add(option.target, option.attack)
        cp -= option.cost
        del every[option.unit]
    return [option.action for option in _with_boosts(t, side, picked, pending, cp)]


def _with_boosts(t: Battle, side: int, picked: list[Option], pending: PendingOrders, cp: int) -> list[Option]:
    """Return the chosen shots, with boosts for the most useful ones as far as points are left."""
    gains: list[tuple[int, int]] = []
    w = pending.weights
    for n, option in enumerate(picked):
        bold = replace(option.action, boost=1)
        if cp > 0 and why_not(t, side, bold) is None:
            stronger = replace(option.attack, boosts=1)
            gain = damage_of(t, stronger, option.target, w).harm - damage_of(t, option.attack, option.target, w).harm
            left = 100 * len(t.units[option.target].models) - pending.kills.get(option.target, 0)
            gain = gain * min(100, max(5, left + 15 * (len(t.units[option.target].models) > 1))) // 100
            if gain > w.saved:
                gains.append((-gain, n))
    gains.sort()
    for _, n in gains[:cp]:
        picked[n].action = replace(picked[n].action, boost=1)
    return picked


# --- marks ----------------------------------------------------------------------------------------------------------


def next_mark(outlook: SideOutlook) -> MarkTarget | EndMarks:
    """Return the mark with the greatest gain for the artillery; end the marks if none is worth its cost."""
    t, side, w = outlook.t, outlook.side, outlook.weights
    guns = [u for u in outlook.mine if is_artillery(t, u) and FIRES.may(t, unit=u) and kind_of(t, u).ranged_in_cm]
    cp, choices = t.armies[side].cp, Choices(t, side)
    best: tuple[int, MarkTarget] | None = None
    marked = list(dict.fromkeys(m.target for m in t.marks))
    if len(marked) < len(guns):
        marked = []  # a gun without a marked target is left
    for gun in guns:
        shot = total(price_of_shot(t, gun))
        for e in outlook.enemies:
            if e.locked or (marked and e.unit not in marked):
                continue
            sighter = best_sighter(t, gun, e.unit)
            if sighter < 0:
                continue
            view = aim(t, gun, e.unit, sighter=sighter)
            action = Fire(gun, e.unit, sighter=sighter)
            if not view.models or why_not(t, side, action) is not None:
                continue
            already = marks_on(t, e.unit)
            helpers = [u for u in outlook.mine if u != gun and MarkTarget(u, e.unit).may(choices)]
            if not helpers or already >= 3 or _too_near(t, gun, e.unit):
                continue
            helpers.sort(key=lambda u: (bool(FIRES.may(t, unit=u) and shots_of(outlook, u)), u))
            attack = attack_with(t, gun, e.unit, "artillery", view.models, cover=view.cover, marks=already)
            now = damage_of(t, attack, e.unit, w).harm
            for more in range(1, min(3 - already, len(helpers), max(0, cp - shot)) + 1):
                gain = damage_of(t, replace(attack, marks=already + more), e.unit, w).harm - now
                net = gain - more * w.mark
                if net > 0 and (best is None or net > best[0]):
                    best = (net, MarkTarget(helpers[0], e.unit))
    return EndMarks() if best is None else best[1]


def _too_near(t: Battle, gun: int, enemy: int) -> bool:
    return within(t, gun, enemy, kind_of(t, gun).ranged_in_cm * CM)


# --- the Pod launcher -----------------------------------------------------------------------------------------------


def pod_shot(t: Battle, side: int, options: list[FireAtSpot]) -> FireAtSpot | None:
    """Return the spot nearest to an enemy vehicle, if the artillery has no better target; otherwise None."""
    best: tuple[int, int, FireAtSpot] | None = None
    for n, action in enumerate(options):
        if action.boost:
            continue
        near = min(
            [
                (d[0] - action.spot[0]) ** 2 + (d[1] - action.spot[1]) ** 2
                for e in t.enemies(side)
                if not kind_of(t, e).infantry
                for d in t.discs(e)
            ],
            default=1 << 40,
        )
        if best is None or (near, n) < best[:2]:
            best = (near, n, action)
    return None if best is None else best[2]


# --- reaction fire --------------------------------------------------------------------------------------------------


def next_reaction(t: Battle, side: int, weights: Weights = VETERAN) -> React | EndReactions:
    """Return the most useful reaction that is left. Boosts are used where they add most."""
    open_ = attacks_to_answer(t, side)
    cp = t.armies[side].cp
    plain: list[tuple[int, int, int, int]] = []
    for unit, order in open_:
        attacker = t.orders[order].unit
        attack = reaction_of(t, unit, attacker)
        if not attack_dice(t, attack).total:
            continue
        harm = damage_of(t, attack, attacker, weights).harm
        gain = 0
        if cp and why_no_boosted_reaction(t, unit, attacker, 1) is None:
            gain = damage_of(t, reaction_of(t, unit, attacker, 1), attacker, weights).harm - harm
        if harm > 0 or gain > 0:
            plain.append((-gain, -harm, unit, order))
    if not plain:
        return EndReactions()
    plain.sort()
    gain, _, unit, order = plain[0]
    return React(unit, order, 1 if cp and gain < -10 else 0)


# --- pairs of 6s ----------------------------------------------------------------------------------------------------


def pairs_to_combine(t: Battle, decision: CombinePairs, weights: Weights = VETERAN) -> int:
    """Return the number of pairs of 6s to combine, by the expected effect of the Defence Dice."""
    attack, target = decision.shot.attack, decision.shot.target
    if attack.target.drone == "active":
        return decision.possible
    of = worth(t, target, weights)
    models = attack.target.models
    best, choice = -1, 0
    for pairs in range(decision.possible + 1):
        hits = standing(t, attack, read(t, attack, [face_counts(r) for r in decision.roll], pairs))
        dice = total(defence_dice(t, attack, hits.count)) if hits.count else 0
        singles = hits.kills[5]
        value = 0
        for sixes in range(dice + 1):
            chance = comb(dice, sixes) * 5 ** (dice - sixes) * 10**6 // 6**dice
            cancelled = min(sixes, singles)
            negated = min(hits.pairs, (sixes - cancelled) // 2)
            kills = min(models, singles - cancelled + hits.pairs - negated + sum(hits.kills[:5]))
            gone = kills * of.model + (of.last if kills >= models else of.marker * hits.pairs)
            value += chance * gone
        if value > best:
            best, choice = value, pairs
    return choice
