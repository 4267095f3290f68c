"""Measures single questions of Hex Command: copies, options, odds, sight, and an act on the local server.

`python -m benchmarks.bench_hex` prints the results. Times are processor time. That of the server covers all its
threads, including the acting side's next view.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import partial
from http.client import HTTPConnection
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.bench_games import HEX, Series, begin
from benchmarks.clock import busy, clock, nothing_known, servers
from benchmarks.pictures import serving
from caltrop.chance import Seeded
from caltrop.engine import Decision, referee_of
from caltrop.engine.known import forget
from caltrop.rules.hex_command import odds
from caltrop.rules.hex_command.attack import Attacker, Profile, Target
from caltrop.rules.hex_command.battling import AmbushOrNot
from caltrop.rules.hex_command.movement import Marches, MoveUnits
from caltrop.rules.hex_command.places import sees
from caltrop.rules.hex_command.rulebook import ruleset
from caltrop.rules.hex_command.sight import sight

REQUEST: dict[str, Any] = {
    "ruleset": "hex-command",
    "attacker": {"class": "god-machine", "type": "heavy", "leader": False},
    "target": {"class": "god-machine", "type": "heavy", "strength": 5},
    "range": 1,
    "free_retreat": 0,
}
DICE = {"battle": "GGTLRI", "shields": "GIVLT"}
"""Dice with which the attack is refereed."""

SIMPLE = Profile(Attacker("vehicle-medium", "vehicle"), Target("infantry-medium", 4), range=2)


def moments(kind: type[Decision], games: int = 12) -> Iterator[tuple[Any, int, Seeded]]:
    """Yield moments of random games with one kind of decision: the view of the asked side, the side, and dice."""
    for number in range(games):
        match, dice = begin(number, HEX), Seeded(f"bench {number} moments")
        while match.over is None:
            asked = match.waiting[0]
            view = match.view(asked.side)
            if isinstance(asked, kind):
                yield view, asked.side, dice
            match.follow(asked, asked.options(view).sample(dice))


def copying() -> float:
    """Return the microseconds to copy a battle in which a side may play an Ambush."""
    t, _, _ = next(moments(AmbushOrNot, 100))
    return clock(t.clone, 20_000)


def sampling() -> float:
    """Return the microseconds to draw one act of the move step (a march or the end): the median."""
    draws = [partial(Marches(view, side).sample, dice) for view, side, dice in moments(MoveUnits)]
    return median([clock(draw, rounds=1) for draw in draws])


def listing() -> float:
    """Return the microseconds to list all marches of a side: the median."""
    return median([clock(partial(list, Marches(view, side)), rounds=1) for view, side, _ in moments(MoveUnits, 6)])


def odds_cold() -> float:
    """Return the microseconds of the exact odds of medium vehicles firing at infantry, with empty caches."""
    return clock(partial(odds.chances, ruleset.book(), SIMPLE), before=forget)


def request_cold() -> float:
    """Return the microseconds of a whole request for odds, including strict reading: two Battle Titans in contact, with
    shields.
    """
    return clock(partial(referee_of(REQUEST).odds, REQUEST), before=forget)


def odds_kept() -> float:
    """Return the microseconds of odds that are in the cache."""
    b = ruleset.book()
    odds.chances(b, SIMPLE)
    return clock(partial(odds.chances, b, SIMPLE), 5_000)


def refereed() -> float:
    """Return the microseconds to referee one attack with given dice."""
    return clock(partial(referee_of(REQUEST).resolve, {**REQUEST, "dice": {k: list(v) for k, v in DICE.items()}}), 20)


def seeing() -> tuple[float, float]:
    """Return the microseconds of one line of sight between two units, and of all that a unit sees: medians."""
    single, every = [], []
    for view, side, _ in moments(MoveUnits, 4):
        unit = view.of_side(side)[0]
        foes = view.of_side(1 - side)
        for foe in foes:
            single.append(clock(partial(sees, view, unit, unit.hex, foe, foe.hex), 20, 1))
        every.append(clock(partial(sight, view, unit.id, draw=True), rounds=1))
    return median(single), median(every)


class Acts(NamedTuple):
    """Milliseconds of acts on the local server."""

    worked: float
    """Processor time of the server in milliseconds: the median."""
    waited: float
    """Elapsed milliseconds from the request to the answer: the median."""


def acting(times: int = 120, series: Series = HEX) -> Acts:
    """Play random listed acts of two players. The answer to each act contains the new view of its side."""
    by = random.Random(1)
    worked: list[float] = []
    waited: list[float] = []
    with serving() as address:
        line = HTTPConnection(address.partition("//")[2])

        def say(method: str, path: str, body: Any = None, token: str = "") -> Any:
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
            line.request(method, path, None if body is None else json.dumps(body), headers)
            return json.loads(line.getresponse().read())

        start = {"ruleset": series.ruleset, "scenario": series.scenarios[0], "seats": ["person"] * 2}
        processes = servers()
        while len(waited) < times:
            made = say("POST", "/api/games", start)
            path, tokens = f"/api/games/{made['game']}", [seat["token"] for seat in made["seats"]]
            side, view = 0, say("GET", path, token=tokens[0])
            while len(waited) < times and view["over"] is None:
                if not view["decisions"]:
                    side = 1 - side
                    view = say("GET", path, token=tokens[side])
                    continue
                decision = view["decisions"][0]
                if not decision["offers"]:
                    break  # this question lists no acts, so another game begins
                message = {"decision": decision["id"], "action": by.choice(decision["offers"])["action"]}
                before, began = busy(processes), perf_counter()
                view = say("POST", f"{path}/messages?view={side}", message, tokens[side])["view"]
                waited.append((perf_counter() - began) * 1000)
                worked.append(busy(processes) - before)
        line.close()
    return Acts(median(worked), median(waited))


def main() -> None:
    """Print the figures."""
    nothing_known()
    one, every = seeing()
    acts = acting()
    for name, value, unit in (
        ("copy of a battle in mid-question", copying(), "µs"),
        ("an act of the move step drawn", sampling(), "µs"),
        ("all marches of a side listed", listing(), "µs"),
        ("odds, cold", odds_cold(), "µs"),
        ("odds, kept", odds_kept(), "µs"),
        ("a request for the odds of two heavy God Machines, cold", request_cold(), "µs"),
        ("an attack refereed", refereed(), "µs"),
        ("a line of sight", one, "µs"),
        ("all that a unit sees, with lines", every, "µs"),
        ("an act on the local server, its processor", acts.worked, "ms"),
        ("an act on the local server, by the clock", acts.waited, "ms"),
    ):
        print(f"{name:58}{value:10.2f} {unit}")


if __name__ == "__main__":
    main()
