"""Plans: the best choice of each unit this turn, and the resulting value of each card in the hand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from caltrop.engine import Term
from caltrop.players.hex_command.outlook import SideOutlook
from caltrop.players.hex_command.weights import VETERAN, Weights
from caltrop.players.hex_command.worth import full, stake
from caltrop.players.judgement import SOUND, Judgement
from caltrop.rules.hex_command.attack import Profile, dice_at, target_of
from caltrop.rules.hex_command.cards import card_in_force
from caltrop.rules.hex_command.catalogue import (
    ALL,
    CardKind,
    card_kind,
)
from caltrop.rules.hex_command.orders import orders_any_one, those_of
from caltrop.rules.hex_command.places import sections_of
from caltrop.rules.hex_command.records import Battle, Unit
from caltrop.rules.hex_command.routes import within_reach
from caltrop.table.hexes import Hex


class UnitChoice(NamedTuple):
    """A possible act of an ordered unit."""

    gain: int
    """Gain compared with staying without an order."""
    to: Hex
    target: int | None
    harm: int


class CardEffect(NamedTuple):
    """The effect of a card on the units that it orders."""

    dice: int = 0
    when: str = ""
    farther: int = 0
    stays: bool = False


PLAIN = CardEffect()


def effect_of(card: CardKind) -> CardEffect:
    return CardEffect(card.dice, card.when, card.farther, card.stays or card.act == "dig-in")


def stuck(unit: Unit, ground: str) -> bool:
    """Return whether a unit that enters a kind of ground may not battle this turn."""
    return ground == "woods" and unit.kind != "infantry-light"


def _gain(choice: UnitChoice) -> int:
    return choice.gain


def _gain_first(one: tuple[UnitChoice, int]) -> tuple[int, int]:
    return one[0].gain, one[1]


class Plan:
    """The best choices of all units of a side, for one state."""

    def __init__(self, t: Battle, side: int, judgement: Judgement = SOUND, weights: Weights = VETERAN) -> None:
        self.t, self.side, self.weights = t, side, weights
        self.outlook = SideOutlook(t, side, judgement=judgement, weights=weights)
        self._choices: dict[tuple[int, CardEffect], UnitChoice] = {}
        self._reached: dict[tuple[int, int], dict[Hex, int]] = {}

    def go_on(self, t: Battle) -> None:
        """Update the plan for a state in which everything that the plan depends on is unchanged."""
        self.t = self.outlook.t = t

    def choice(self, unit: Unit, effect: CardEffect = PLAIN) -> UnitChoice:
        key = (unit.id, effect)
        choice = self._choices.get(key)
        if choice is None:
            choice = self._choices[key] = self._best(unit, effect)
        return choice

    def _best(self, unit: Unit, effect: CardEffect) -> UnitChoice:
        t, outlook = self.t, self.outlook
        start = unit.hex
        assert start is not None
        row = unit.row
        base = outlook.place(unit, start)
        best = self._here(unit, effect)
        if effect.stays or unit.id in t.moved:
            return best
        battle_most = row.battle_move + effect.farther
        hexes = max(row.move, battle_most)
        terrain, bother = t.field.terrain, self.weights.bother
        reached = self._reached.get((unit.id, hexes))
        if reached is None:
            reached = self._reached[unit.id, hexes] = within_reach(t, unit, hexes)
        for hex, far in reached.items():
            value = outlook.place(unit, hex) - base
            harm, target = 0, None
            if far <= battle_most and not stuck(unit, terrain.get(hex, "open")):
                harm, foe = outlook.best_attack(unit, hex)
                if foe is not None:
                    target = foe.id
                    harm += self._more(unit, foe, hex, harm, effect)
            if value + harm > best.gain + (bother if best.to == start else 0):
                best = UnitChoice(value + harm, hex, target, harm)
        return best

    def _here(self, unit: Unit, effect: CardEffect) -> UnitChoice:
        assert unit.hex is not None
        harm, foe = self.outlook.best_attack(unit, unit.hex)
        if foe is None:
            return UnitChoice(0, unit.hex, None, 0)
        harm += self._more(unit, foe, unit.hex, harm, effect)
        return UnitChoice(harm, unit.hex, foe.id, harm)

    def _more(self, unit: Unit, foe: Unit, at: Hex, harm: int, effect: CardEffect) -> int:
        t = self.t
        if not effect.dice or unit.id in t.ordered:
            return 0
        close = t.map.distance(at, foe.hex or at) == 1
        if effect.when == ("fire" if close else "close"):
            return 0
        return harm * effect.dice // max(1, dice_at(t, unit, foe, at))

    # --- cards -------------------------------------------------------------------------------------------------------

    def value(self, card: str) -> int:
        t = self.t
        row = card_kind(t, card_in_force(t, self.side, card))
        if row.react:
            return 0
        if row.act == "barrage":
            return max([self.struck(foe, 4, row.key) for foe in self.outlook.foes], default=0)
        if row.act == "lance":
            return self.lance(row.key)[0]
        if row.act == "repair":
            return max([self.repair(u) for u in self.outlook.mine], default=0)
        if orders_any_one(t, self.side, row):
            return self._most(self.outlook.mine, 1, PLAIN)
        if row.only == "leadership":
            return max([self.circle(u, row) for u in self.outlook.mine if u.row.is_leader], default=0)
        mine = those_of(t, self.side, row)
        value = self._by_section(mine, row) if row.sections else self._most(mine, row.units, effect_of(row))
        if row.act == "dig-in":
            value += sum(sorted([self.saved(u) for u in mine], reverse=True)[: row.units])
        always = t.field.always
        if always is not None and t.units[always].side == self.side and t.units[always].hex is not None:
            value += max(0, self.choice(t.units[always]).gain)
        return value

    def circle(self, leader: Unit, row: CardKind) -> int:
        near = [u for u in self.outlook.mine if self.t.map.distance(u.hex or "", leader.hex or "") <= 1]
        return self._most(near, ALL, effect_of(row))

    def saved(self, unit: Unit) -> int:
        return self.outlook.fear(unit, unit.hex or "") // self.weights.dig

    def less(self, choice: UnitChoice, struck: Collection[int | None]) -> int:
        """Return the gain of a choice, reduced if it attacks an enemy that others attack first."""
        if not self.weights.again or choice.target is None or choice.target not in struck:
            return choice.gain
        return choice.gain - choice.harm * self.weights.again // 100

    def _most(self, units: Sequence[Unit], most: int, effect: CardEffect) -> int:
        value, struck = 0, set[int | None]()
        for choice in sorted([self.choice(u, effect) for u in units], key=_gain, reverse=True)[:most]:
            value += max(0, self.less(choice, struck))
            struck.add(choice.target)
        return value

    def _by_section(self, units: Sequence[Unit], row: CardKind) -> int:
        """Return the gains of the units that a card with sections can order. A unit on a border counts for the section
        where there is room.
        """
        t = self.t
        room = dict.fromkeys(row.sections, row.units)
        value, struck = 0, set[int | None]()
        effect = effect_of(row)
        for choice, unit in sorted([(self.choice(u, effect), u.id) for u in units], key=_gain_first, reverse=True):
            if choice.gain <= 0:
                break
            gain = self.less(choice, struck)
            if gain <= 0:
                continue
            for section in sections_of(t, t.units[unit].hex or "", self.side):
                if room.get(section, 0):
                    room[section] -= 1
                    value += gain
                    struck.add(choice.target)
                    break
        return value

    # --- effects of cards themselves ---------------------------------------------------------------------------------

    def struck(self, unit: Unit, dice: int, card: str) -> int:
        t = self.t
        return self.outlook.worth_of(
            Profile(None, target_of(t, unit), extra=(Term(dice, card_kind(t, card).clause, card_kind(t, card).title),)),
            unit,
        )

    def lance(self, card: str) -> tuple[int, Hex]:
        """Return the gain and the hex of the Orbital Lance that harms the enemy most, less harm to friends."""
        t = self.t
        best, where = 0, ""
        for foe in self.outlook.foes:
            assert foe.hex is not None
            for hex in (foe.hex, *t.map.neighbours[foe.hex]):
                value = 0
                for at in (hex, *t.map.neighbours[hex]):
                    unit = t.unit_at(at)
                    if unit is not None:
                        harm = self.struck(unit, 3 if at == hex else 1, card)
                        value += -harm * self.weights.friends // 100 if unit.side == self.side else harm
                if value > best or not where:
                    best, where = max(best, value), hex
        return best, where

    def repair(self, unit: Unit) -> int:
        """Return the average gain of a repair by six dice, less the gain that the unit would have had otherwise."""
        lost = full(unit) - unit.strength
        if lost <= 0 or (unit.alone and not unit.was):
            return 0
        w = self.weights
        each = stake(self.t, unit, w) * (100 - w.last_model) // (100 * full(unit))
        worth = min(lost, 2) * each * w.mend // 100
        return worth - max(0, self.choice(unit).gain) // 4
