"""A firefight by keys alone: two announced actions, tokens, smoke, fire missions, vehicles and their passengers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from caltrop.chance import Seeded
from caltrop.rules.squad_action.orders import Begin
from caltrop.terminal.app import Terminal
from caltrop.terminal.desk import Desk
from caltrop.terminal.sitting import Sitting
from tests.terminal.playing import answer, my_turn, pane

Sit = Callable[[], Sitting]


class Turns:
    """Makes choices of the kind that was made least so far, so that a short game has every kind."""

    def __init__(self, seed: str) -> None:
        self.chance, self.taken = Seeded(seed), Counter[str]()

    def choose(self, here: Desk) -> int:
        """Return a choice whose first words were chosen least; one that ends a step only if there is no other."""
        open_ones = [i for i, c in enumerate(here.listed) if not c.final] or [0]
        begins = {i: " ".join(here.listed[i].words.split()[:2]) for i in open_ones}
        least = min(self.taken[words] for words in begins.values())
        result = [i for i in open_ones if self.taken[begins[i]] == least]
        at = result[self.chance.below(len(result))]
        self.taken[begins[at]] += 1
        return at


async def test_a_whole_first_battle_is_played_by_keys(sit: Sit) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "squad-action", "scenario": "first-battle", "seats": ["person", "random"]})
    turns, kinds, longest = Turns("c"), set(), 0
    async with Terminal(sitting).run_test(size=(80, 24)) as driver:
        while (here := await my_turn(driver)).view.over is None:
            longest = max(longest, len(here.listed))
            kinds.add(await answer(driver, turns.choose(here), turns.chance.below))
        assert "The game is over" in pane(driver, "choices")
    assert {"Orders", "NextAct", "LayTokens", "Interrupt", "React"} <= kinds
    assert longest <= 20, "no list is longer than a person reads"


async def test_every_kind_of_act_of_a_large_force_is_done_by_keys(sit: Sit) -> None:
    sitting = sit()
    expected = {"Move", "Shoot", "Watch", "Board", "Alight", "CallFire", "LaySmoke", "Rally"}
    await sitting.begin({"ruleset": "squad-action", "scenario": "meeting-engagement", "seats": ["person", "random"]})
    # With this seed, every kind of act comes early.
    turns, acts, longest = Turns("d"), set[str](), 0
    async with Terminal(sitting).run_test(size=(100, 30)) as driver:
        while (here := await my_turn(driver)).view.over is None:
            longest = max(longest, len(here.listed))
            await answer(driver, turns.choose(here), turns.chance.below)
            done = [p.action for p in sitting.table.game.match.history if p.side == 0]
            acts = {type(a.act if isinstance(a, Begin) else a).__name__ for a in done}
            if expected <= acts:
                break
    assert expected <= acts
    assert longest <= 20, "no list is longer than a person reads"
