"""Improves a policy by evolution, with the engine alone: no arrays, no networks, nothing to install.

The policy has a number for each kind of act. It draws some answers from the options, and takes the one whose kind has
the highest number, with a little noise. A generation consists of the best policy so far and some changed copies. All
play the same games against random play, and the best of them is the parent of the next generation.
Run it as `python examples/evolution.py`.
"""

from __future__ import annotations

import sys
from random import Random

import caltrop

Genes = dict[str, float]


class Policy:
    """Takes the kind of act with the highest number."""

    def __init__(self, genes: Genes, draws: int = 6) -> None:
        self.genes, self.draws = genes, draws

    def decide(self, decision, view, dice, budget=None):  # type: ignore[no-untyped-def]
        """Draw some answers from the options, and return the best of them."""
        options = decision.options(view)
        drawn = [options.sample(dice) for _ in range(self.draws)]
        return max(drawn, key=lambda action: self.genes.get(type(action).__name__, 0.0) + dice.below(100) / 1000)


def share(genes: Genes, game: str, scenario: str, games: int, seed: int, against: str = "random") -> float:
    """Return the share of points that a policy wins, with a draw as half a point. Seats change every second game."""
    players = (lambda: Policy(genes), against)
    report = caltrop.simulate(game, players, num=games, seed=seed, scenario=scenario, swap=True)
    return float((report["wins"]["0"] + report["draws"] / 2) / games)


def evolve(game: str, scenario: str, generations: int, children: int, games: int, seed: int = 1) -> Genes:
    """Return the best policy after some generations."""
    chance = Random(seed)
    kinds = [kind.__name__ for kind in caltrop.new(game, scenario=scenario, seed=0).ruleset.vocabulary().actions]
    best: Genes = dict.fromkeys(kinds, 0.0)
    for generation in range(generations):
        brood = [best, *[{k: v + chance.gauss(0, 0.5) for k, v in best.items()} for _ in range(children)]]
        # A generation plays the same games, and the next generation plays new ones, so that luck is not inherited.
        marks = [share(genes, game, scenario, games, seed=generation) for genes in brood]
        best = brood[marks.index(max(marks))]
        print(f"generation {generation + 1}: {100 * max(marks):.0f} % of the points against random play")
    return best


def main(generations: int = 8, children: int = 9, games: int = 40) -> float:
    """Evolve a policy, and return its share of points in new games."""
    best = evolve("hex-command", "first-battle", generations, children, games)
    liked = sorted(best, key=lambda kind: -best[kind])
    print(f"likes {', '.join(liked[:3])}; dislikes {', '.join(liked[-3:])}")
    reached = share(best, "hex-command", "first-battle", 5 * games, seed=10_000)
    print(f"{100 * reached:.0f} % of the points in {5 * games} new games")
    return reached


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
