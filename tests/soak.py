"""Whole games of Command Horizon at random, with every state looked at: a hunt for what single tests do not think of.

    python tests/soak.py [FIRST [LAST]]

plays one game for each seed, with a scenario, armies, an edition and house rules that the seed decides. It prints what
was played, and complains of the first state that cannot be, or the first answer that is offered and refused.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from caltrop.asking import offered
from caltrop.chance import Dice, Seeded
from caltrop.engine import Decision, HouseValue, Match, Outcome, restored, ruleset, stored
from caltrop.geometry import disc_inside, overlapping
from caltrop.rules.command_horizon.records import Battle

CLOSE = str(Path(__file__).parent / "rules" / "command_horizon" / "close.yaml")

ENDS = (
    "DoNotConcentrate",
    "EndAllocation",
    "EndDeclarations",
    "EndMarks",
    "EndReactions",
    "EndStep",
    "HoldOverwatch",
    "KeepMarkers",
    "SpareJammer",
    "StayAndFight",
    "WatchNoMore",
)
"""Answers that do nothing: taken only if a few tries bring nothing else, so that games are eventful."""


class Setting(msgspec.Struct, frozen=True):
    """One game, as a seed decides it."""

    seed: int
    edition: str
    scenario: str
    armies: tuple[str, str]
    size: int
    rules: dict[str, HouseValue]


def setting(seed: int) -> Setting:
    """Return the game of a seed. Half of the games are in close quarters, and two thirds have house rules."""
    game, chance = ruleset("command-horizon"), Random(seed)
    edition = chance.choice(["current", "current", "v1.5"])
    races = ["alliance", "asori", "putredine"][: 3 if edition == "current" else 2]
    scenario = CLOSE if chance.random() < 0.5 else chance.choice([s.id for s in game.scenarios()])
    rules: dict[str, HouseValue] = {}
    if chance.random() < 0.67:
        for switch in game.switches:
            if switch.name != "game.rounds" and chance.random() < 0.35:
                rules[switch.name] = chance.choice(switch.values)
    armies = (chance.choice(races), chance.choice(races))
    return Setting(seed, edition, scenario, armies, chance.choice([4, 7, 11]), rules)


def choice(decision: Decision, t: Battle, dice: Dice) -> Any:
    """Return a random answer that does something; of six moves or charges, the one that ends nearest to an enemy."""
    options = decision.options(t)
    sample = options.sample(dice)
    if type(decision).__name__ != "Orders":
        for _ in range(3):
            if type(sample).__name__ not in ENDS:
                break
            sample = options.sample(dice)
        return sample
    every = [sample, *(options.sample(dice) for _ in range(5))]
    active = [a for a in every if type(a).__name__ not in ENDS]
    bold = [a for a in active if type(a).__name__ not in ("Move", "Detach", "FormUp")]
    if bold and dice.below(3):
        return bold[0]
    moves = [a for a in active if type(a).__name__ == "Move"]
    if moves:
        return min(moves, key=lambda a: _nearest(t, decision.side, a))
    return (active or every)[0]


def _nearest(t: Battle, side: int, move: Any) -> int:
    foes = [t.models[t.units[e].models[0]] for e in t.enemies(side)]
    return min(
        ((p[-1][0] - m.x) ** 2 + (p[-1][1] - m.y) ** 2 for _, p in move.paths for m in foes),
        default=0,
    )


def faults(t: Battle) -> list[str]:
    """Yield faults that no state of a battle can have."""
    result: list[str] = []
    box = (0, 0, t.table.width, t.table.height)
    seen: Counter[int] = Counter()
    for i, u in enumerate(t.units):
        seen.update(u.models)
        for m in u.models:
            if t.models[m].unit != i or not t.models[m].alive:
                result.append(f"model {m} is listed by {u.name} and is not its own")
        if u.stuns and not u.models:
            result.append(f"{u.name} is gone and has markers")
        for enemy in u.locked:
            if i not in t.units[enemy].locked or not u.models or u.side == t.units[enemy].side:
                result.append(f"{u.name} is locked with {t.units[enemy].name}, and not the other way round")
    result += [f"model {m} is in {n} units" for m, n in seen.items() if n > 1]
    # A unit that a watcher fires at on its way may stand on what it is crossing.
    crossing = any(type(frame).__name__ == "Advance" for frame in t.stack)
    discs = [(i, t.models[m].disc) for i in t.in_play() for m in t.units[i].models]
    for n, (i, d) in enumerate(discs):
        if not disc_inside(d, box):
            result.append(f"a model of {t.units[i].name} is off the table")
        for j, e in discs[n + 1 :]:
            if overlapping(d, e) and not crossing:
                result.append(f"models of {t.units[i].name} and {t.units[j].name} overlap")
    result += [f"{a.name} has {a.cp} CP" for a in t.armies if a.cp < 0]
    return result


def play(chosen: Setting, tally: Counter[str] | None = None, *, look: int = 1) -> Outcome:
    """Play one game and look at its states.

    Args:
        chosen: The game.
        tally: Counts the answers given.
        look: Every how many answers the state, the offers and the record of the state are looked at.

    Raises:
        AssertionError: for a state that cannot be, or an answer that is offered and refused.
    """
    game = ruleset("command-horizon")
    book = game.book(chosen.edition, chosen.rules)
    state = game.setup(book, chosen.scenario, chosen.armies, chosen.size)
    match, dice, n = Match(game, state, Seeded(chosen.seed)), Seeded(f"players {chosen.seed}"), 0
    while match.waiting:
        n += 1
        assert n < 20_000, "the game does not end"
        decision = match.waiting[dice.below(len(match.waiting))]
        view = match.view(decision.side)
        action = choice(decision, view, dice)
        if n % look == 0:
            options = decision.options(view)
            for offer in offered(decision).offers(view):
                refusal = options.refusal(offer.action)
                assert refusal is None, f"{offer.words!r} is offered and refused: {refusal}"
            offered(decision).regions(view)
            game.depict(view, decision.side)
            text = stored(match.state)
            assert stored(restored(game, book, text)) == text, "a stored state comes back as another"
            wrong = faults(_battle(match))
            assert not wrong, wrong
        if tally is not None:
            tally[type(action).__name__] += 1
        for event in match.play(decision.side, action, decision):
            assert event.sentence(match.state)
    assert match.over is not None, "nobody is asked, and the game is not over"
    wrong = faults(_battle(match))
    assert not wrong, wrong
    return match.over


def _battle(match: Match) -> Battle:
    assert isinstance(match.state, Battle)
    return match.state


def main(first: int = 0, last: int = 100) -> None:
    """Play the games of some seeds."""
    tally: Counter[str] = Counter()
    for seed in range(first, last):
        chosen = setting(seed)
        try:
            over = play(chosen, tally)
        except Exception:
            print(f"seed {seed}: {chosen}", file=sys.stderr)
            raise
        print(f"{seed}: {over.reason}")
    for name, count in tally.most_common():
        print(f"{count:7} {name}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
