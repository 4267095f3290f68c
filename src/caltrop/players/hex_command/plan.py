"""Plans: the best that each unit can do this turn, and what each card in the hand makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from caltrop.engine import Term
from caltrop.players.hex_command.outlook import Outlook, worth_of
from caltrop.players.hex_command.worth import full, stake
from caltrop.players.judgement import SOUND, Judgement
from caltrop.rules.hex_command.attack import Profile, dice_at, target_of
from caltrop.rules.hex_command.battle import Battle, Unit
from caltrop.rules.hex_command.cards import card_in_force
from caltrop.rules.hex_command.catalogue import ALL, CARDS, CardKind
from caltrop.rules.hex_command.moving import within_reach
from caltrop.rules.hex_command.orders import orders_any_one, those_of
from caltrop.rules.hex_command.sections import sections_of
from caltrop.table.hexes import Hex


class Choice(NamedTuple):
    """What a unit does with an order."""

    gain: int
    """How much better that is than standing still without one."""
    to: Hex
    target: int | None
    harm: int


class Effect(NamedTuple):
    """What a card does for the units that it orders."""

    dice: int = 0
    when: str = ""
    farther: int = 0
    stays: bool = False


PLAIN = Effect()

BOTHER = 2
"""What a move has to gain: nobody marches about for next to nothing."""

KEEP = {
    "scout": 6,
    "probe": 12,
    "attack": 22,
    "assault": 30,
    "broad-front": 22,
    "general-advance": 36,
    "pincer": 26,
    "direct-command": 32,
    "infantry-storm": 26,
    "armoured-spearhead": 28,
    "god-machines-walk": 34,
    "barrage": 40,
    "orbital-lance": 40,
    "field-repair": 30,
    "ambush": 45,
    "dig-in": 16,
    "shield-surge": 45,
    "inspired-leadership": 30,
    "counter-order": 22,
    "fire-zone": 26,
    "cold-steel": 30,
}
"""What a card in the hand is worth for a later turn: about what it does in a good one."""


def family(card: str) -> str:
    """A card's name without its section."""
    for section in ("-left", "-centre", "-right"):
        card = card.removesuffix(section)
    return card


def keep(card: str) -> int:
    """What a card is worth in the hand."""
    return KEEP[family(card)]


def effect_of(card: CardKind) -> Effect:
    """What a card does for the units that it orders."""
    return Effect(card.dice, card.when, card.farther, card.stays or card.act == "dig-in")


def stuck(unit: Unit, ground: str) -> bool:
    """Whether a unit that enters such ground may not battle this turn."""
    return ground == "woods" and unit.kind != "infantry-light"


class Plan:
    """The best choices of every unit of a side, for one state.

    Args:
        t: The side's view.
        side: Whose.
        judgement: How it judges.
    """

    def __init__(self, t: Battle, side: int, judgement: Judgement = SOUND) -> None:
        self.t, self.side = t, side
        self.outlook = Outlook(t, side, judgement=judgement)
        self._choices: dict[tuple[int, Effect], Choice] = {}

    def choice(self, unit: Unit, effect: Effect = PLAIN) -> Choice:
        """The best that a unit can do with an order."""
        key = (unit.id, effect)
        known = self._choices.get(key)
        if known is None:
            known = self._choices[key] = self._best(unit, effect)
        return known

    def _best(self, unit: Unit, effect: Effect) -> Choice:
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
        terrain = t.field.terrain
        for hex, far in within_reach(t, unit, hexes).items():
            value = outlook.place(unit, hex) - base
            harm, target = 0, None
            if far <= battle_most and not stuck(unit, terrain.get(hex, "open")):
                harm, foe = outlook.best_attack(unit, hex)
                if foe is not None:
                    target = foe.id
                    harm += self._more(unit, foe, hex, harm, effect)
            if value + harm > best.gain + (BOTHER if best.to == start else 0):
                best = Choice(value + harm, hex, target, harm)
        return best

    def _here(self, unit: Unit, effect: Effect) -> Choice:
        assert unit.hex is not None
        harm, foe = self.outlook.best_attack(unit, unit.hex)
        if foe is None:
            return Choice(0, unit.hex, None, 0)
        harm += self._more(unit, foe, unit.hex, harm, effect)
        return Choice(harm, unit.hex, foe.id, harm)

    def _more(self, unit: Unit, foe: Unit, at: Hex, harm: int, effect: Effect) -> int:
        """What the dice of a card that is not yet in force add to an attack."""
        t = self.t
        if not effect.dice or unit.id in t.ordered:
            return 0
        close = t.map.distance(at, foe.hex or at) == 1
        if effect.when == ("fire" if close else "close"):
            return 0
        return harm * effect.dice // max(1, dice_at(t, unit, foe, at))

    # --- cards -------------------------------------------------------------------------------------------------------

    def value(self, card: str) -> int:
        """What playing a card now brings, before what it would be worth later."""
        t = self.t
        row = CARDS[card_in_force(t, self.side, card)]
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
        found = self._by_section(mine, row) if row.sections else self._most(mine, row.units, effect_of(row))
        if row.act == "dig-in":
            found += sum(sorted([self.outlook.fear(u, u.hex or "") // 3 for u in mine], reverse=True)[: row.units])
        always = t.field.always
        if always is not None and t.units[always].side == self.side and t.units[always].hex is not None:
            found += max(0, self.choice(t.units[always]).gain)
        return found

    def circle(self, leader: Unit, row: CardKind) -> int:
        near = [u for u in self.outlook.mine if self.t.map.distance(u.hex or "", leader.hex or "") <= 1]
        return self._most(near, ALL, effect_of(row))

    def _most(self, units: Sequence[Unit], most: int, effect: Effect) -> int:
        gains = sorted([self.choice(u, effect).gain for u in units], reverse=True)
        return sum([g for g in gains[:most] if g > 0])

    def _by_section(self, units: Sequence[Unit], row: CardKind) -> int:
        """The gains of the units that the sections of a card can order; one on a border counts where there is room."""
        t = self.t
        room = dict.fromkeys(row.sections, row.units)
        found = 0
        effect = effect_of(row)
        for gain, unit in sorted([(self.choice(u, effect).gain, u.id) for u in units], reverse=True):
            if gain <= 0:
                break
            for section in sections_of(t, t.units[unit].hex or "", self.side):
                if room.get(section, 0):
                    room[section] -= 1
                    found += gain
                    break
        return found

    # --- what a card does by itself ----------------------------------------------------------------------------------

    def struck(self, unit: Unit, dice: int, card: str) -> int:
        """What the dice of a card take from a unit on average."""
        t = self.t
        return worth_of(
            t, Profile(None, target_of(t, unit), extra=(Term(dice, CARDS[card].clause, CARDS[card].title),)), unit
        )

    def lance(self, card: str) -> tuple[int, Hex]:
        """The hex at which an Orbital Lance takes the most from the enemy, friends struck too taken off."""
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
                        value += -harm * 5 // 4 if unit.side == self.side else harm
                if value > best or not where:
                    best, where = max(best, value), hex
        return best, where

    def repair(self, unit: Unit) -> int:
        """What six dice bring back of a unit on average, and what it would have done otherwise."""
        lost = full(unit) - unit.strength
        if lost <= 0 or (unit.alone and not unit.was):
            return 0
        each = stake(self.t, unit) * 65 // (100 * full(unit))
        found = min(lost, 2) * each * 8 // 10
        return found - max(0, self.choice(unit).gain) // 4
