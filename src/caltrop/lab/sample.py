"""A sample of computer games that covers everything in a ruleset.

The conformance table counts the uses of clauses in this sample. For good coverage, the sample has every army, scenario
and edition, and players who use the possibilities of the rules.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import cycle, islice, product
from pathlib import Path
from time import monotonic

import msgspec

from caltrop.clauses import MARKS, counting
from caltrop.engine import HouseValue, Ruleset, ruleset
from caltrop.journal import Setting
from caltrop.lab.series import GameFailed, SeriesOrder, play_game
from caltrop.lab.workers import workers
from caltrop.players import players

WORDS = (
    "The games go through every scenario, edition and pairing of races in turn. Half of them have the default house "
    "rules. The other half have each other value of a house rule in turn, three at a time."
)
"""Description of the sample's games."""
SEATINGS = 4
"""Number of ways to seat the best and the random player: each against itself, and against the other on both sides."""


CHANGED = 3
"""Number of house rules changed in every second setting."""


def settings(name: str) -> Iterator[Setting]:
    """Yield every scenario with every pair of factions in every edition that has them, repeated endlessly.

    Every second setting has the default house rules. The other settings change three house rules each, so that in the
    end every value has been played. Open numbers, such as the number of rounds, keep their default. Combinations that a
    ruleset refuses are left out.
    """
    rules = ruleset(name)
    houses = {edition: cycle(_differing(rules, edition)) for edition in rules.editions}
    every = [
        (scenario.id, edition, tuple(pairing))
        for scenario, edition in product(rules.scenarios(), rules.editions)
        for pairing in (_pairings(rules, edition, scenario.players) if scenario.takes_armies else [()])
    ]
    for number, (scenario, edition, armies) in enumerate(cycle(every)):
        # The offset grows with each repetition of the settings, so that other settings have the default rules then.
        differs = (number + number // len(every)) % 2 == 1
        house = dict(islice(houses[edition], CHANGED)) if differs else {}
        setting = Setting(ruleset=name, edition=edition, scenario=scenario, armies=armies, rules=house)
        if _may_be_played(rules, setting):
            yield setting


def _may_be_played(rules: Ruleset, setting: Setting) -> bool:
    try:
        setting.start()
    except ValueError:
        return False
    return True


def _differing(rules: Ruleset, edition: str) -> list[tuple[str, HouseValue]]:
    acting = [s for s in rules.switches if s.min is None and (not s.editions or edition in s.editions)]
    every = [(s.name, value) for s in acting for value in s.values[1:]]
    # If the number of values is a multiple of `CHANGED`, the groups would never change; one value is therefore
    # repeated.
    return every if len(every) % CHANGED else [*every, *every[:1]]


def _pairings(rules: Ruleset, edition: str, sides: int) -> Iterator[tuple[str, ...]]:
    factions = list(dict.fromkeys(a.faction for a in rules.armies() if not a.editions or edition in a.editions))
    yield from product(factions, repeat=sides) if factions else [()]


def skilled(name: str) -> str:
    """Return the name of a game's best player without a search; `random` if there is no other."""
    return "veteran" if "veteran" in players(name) else "random"


def play_sample(
    name: str, games: int, seed: int, jobs: int = 1, *, every: int = 1, keep: Path | None = None
) -> tuple[tuple[str, ...], dict[str, int]]:
    """Play *games* games, and count the uses of each mark. The counts are the same for any number of *jobs*.

    Returns the names of the players, and the counts by mark. Raises GameFailed if a game raises an error.

    Args:
        every: In the first four of each 4 × *every* games, the seats of the best and the random player vary; in the
            others both players are random. Use more than 1 for games with a slow best player.
        keep: A file with a line for each game's counts. Games in that file are not played again, even if the rules have
            changed. A long sample can therefore be stopped and continued.
    """
    best = skilled(name)
    numbers = [range(first, games, jobs) for first in range(jobs)]
    counts = _kept(keep, name, seed, best, every)
    parts = [(name, left, seed, best, every, keep) for one in numbers if (left := [n for n in one if n not in counts])]
    if len(parts) < 2:
        counted = [_part(part) for part in parts]
    else:
        with workers(len(parts)) as pool:
            counted = list(pool.map(_part, parts))
    counted += [fired for number, fired in counts.items() if number < games]
    fired: dict[str, int] = {}
    for one in counted:
        for mark, times in one.items():
            fired[mark] = fired.get(mark, 0) + times
    return tuple(dict.fromkeys((best, "random"))), fired


def seats_of(number: int, best: str, every: int) -> tuple[str, str]:
    """Return the players of a game in the sample.

    >>> [seats_of(number, "best", 2)[0] for number in range(8)]
    ['best', 'best', 'random', 'random', 'random', 'random', 'random', 'random']
    """
    if number // SEATINGS % every:
        return "random", "random"
    return ((best, best), (best, "random"), ("random", best), ("random", "random"))[number % SEATINGS]


class SampleGame(msgspec.Struct, frozen=True):
    """The number of uses of each mark in one game of a sample."""

    ruleset: str
    seed: int
    number: int
    seats: tuple[str, str]
    fired: dict[str, int]


def _kept(keep: Path | None, name: str, seed: int, best: str, every: int) -> dict[int, dict[str, int]]:
    counts: dict[int, dict[str, int]] = {}
    if keep is None or not keep.exists():
        return counts
    whole, _, cut = keep.read_bytes().rpartition(b"\n")
    if cut:
        keep.write_bytes(whole + b"\n" if whole else b"")
    for line in whole.splitlines():
        game = msgspec.json.decode(line, type=SampleGame)
        if (game.ruleset, game.seed, game.seats) == (name, seed, seats_of(game.number, best, every)):
            counts[game.number] = game.fired
    return counts


def _part(part: tuple[str, Sequence[int], int, str, int, Path | None]) -> dict[str, int]:
    name, numbers, seed, best, often, keep = part
    ruleset(name).vocabulary()
    shown_at, last = monotonic(), max(numbers) + 1
    every, mine = settings(name), set(numbers)
    counted = dict.fromkeys(MARKS, 0)
    for number, setting in enumerate(islice(every, last)):
        if number not in mine:
            continue
        seats = seats_of(number, best, often)
        with counting() as fired:
            result = play_game(SeriesOrder(setting=setting, players=seats, games=last, seed=seed), number)
        if result.failed:
            raise GameFailed(result)
        new = {mark: times for mark in MARKS if (times := fired[mark])}
        for mark, times in new.items():
            counted[mark] = counted.get(mark, 0) + times
        if keep is not None:
            with keep.open("ab") as file:
                file.write(msgspec.json.encode(SampleGame(name, seed, number, seats, new)) + b"\n")
        if monotonic() - shown_at > 10:
            shown_at = monotonic()
            print(f"{name}: game {number + 1} of {last}", file=sys.stderr, flush=True)
    return counted
