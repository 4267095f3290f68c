"""Compares a wheel with compiled rules with the sources from which it was compiled.

`python -m benchmarks.twins dist/caltrop-….whl` unpacks the wheel. It plays games of every ruleset with the wheel and
with the sources of this checkout, over all scenarios in turn. Digests must be equal, records must be equal byte for
byte, and procedures must have the same live fields. It prints the time of the compiled rules as a ratio. Then it runs
the tests of engine, journal, geometry, table and rules on the wheel. `--games N` sets the number of games of each
ruleset, and `--no-tests` leaves the tests out. `make twins` builds the wheel first.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.pairs import HERE, digest_in, run
from caltrop.engine import ruleset, rulesets
from caltrop.players import players
from tools.expand.build import rewritten

GAMES = 40
"""Number of games of each ruleset, divided among its scenarios."""
SEARCHED = 2
"""Number of games of each ruleset between commanders, which search and take long."""
RECORDS = 3
"""Number of scenarios of each ruleset in which a game is recorded."""
TESTS = ("geometry", "table", "chance", "engine", "journal", "rules")
BESIDE = ("docs", "examples", "benchmarks", "notebook", "README.md", "CHANGELOG.md", "CONTRIBUTING.md")
"""Files and folders of the checkout that tests read."""


RECORDED = """
import sys
from caltrop.chance import Seeded
from caltrop.engine.store import restored, stored
from caltrop.journal import Setting, encoded, record_of
from caltrop.players import player
name, scenario, out = sys.argv[1:]
setting = Setting.chosen(name, scenario=scenario)
match = setting.begin(Seeded("twins"))
dice, sides = Seeded("twins player"), [player("random", name) for _ in range(2)]
while match.over is None:
    asked = match.waiting[0]
    match.play(asked.side, sides[asked.side].decide(asked, match.view(asked.side), dice))
    state = stored(match.state)
    if stored(restored(match.ruleset, match.state.book, state)) != state:
        sys.exit("a state is another one after it was stored")
everything = encoded(record_of(match, setting, players=["random"] * 2, seed="twins", everything=True))
open(out, "wb").write(everything)
"""
"""Program that plays and records a game. It stores each state and reads it back, and prints the record."""


LIVE = """
from caltrop.engine import Procedure, ruleset, rulesets
from caltrop.engine.explore import live_fields
for name in rulesets():
    ruleset(name)
kinds = [Procedure]
for kind in kinds:
    kinds += kind.__subclasses__()
print(*sorted(f"{kind.__module__} {kind.__name__} {live_fields(kind)}" for kind in kinds), sep="\\n")
"""
"""Program that prints the live fields of each procedure, by which its odds distinguish positions. They are found from
the sources. If they are unknown, exact odds take too long.
"""


def same_fields(place: Path) -> bool:
    """Return whether the procedures of the wheel and of the checkout have the same live fields."""
    printed = []
    for checkout in (place, HERE):
        environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
        ended = subprocess.run([sys.executable, "-c", LIVE], env=environment, stdout=subprocess.PIPE, check=True)
        printed.append(ended.stdout.decode().splitlines())
    for one in sorted(set(printed[0]) ^ set(printed[1])):
        print(f"the live fields differ: {one}", file=sys.stderr)
    return printed[0] == printed[1]


def same_record(place: Path, name: str, scenario: str) -> bool:
    """Return whether a game has the same record with both, byte for byte. The compiled rules verify it, too."""
    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{n}.caltrop.json") for n in range(2)]
        for checkout, file in zip((place, HERE), files, strict=True):
            environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "CALTROP_CACHE": ""}
            words = [sys.executable, "-c", RECORDED, name, scenario, str(file)]
            subprocess.run(words, env=environment, check=True)
        run(place, ["verify", str(files[1])], "")
        return files[0].read_bytes() == files[1].read_bytes()


def unpacked(wheel: Path, into: Path) -> Path:
    """Unpack a wheel into the folder of an otherwise empty checkout. Return the folder.

    Raises:
        SystemExit: if the wheel has no compiled rules.
    """
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(into / "src")
    if not [*into.rglob("engine/*.so"), *into.rglob("engine/*.pyd")]:
        raise SystemExit(f"{wheel} has no compiled rules: make wheel builds one that has")
    return into


def compiled(place: Path) -> list[str]:
    """Return the rulesets of an unpacked wheel whose rules are compiled."""
    program = (
        "from caltrop.engine import rulesets; from caltrop.engine.compiled import is_compiled;"
        "print(*[name for name in rulesets() if is_compiled(name)])"
    )
    environment = {**os.environ, "PYTHONPATH": str(place / "src")}
    ended = subprocess.run([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, check=True)
    return ended.stdout.decode().split()


def tested(place: Path, games: list[str]) -> bool:
    """Return whether the tests of the compiled modules pass on an unpacked wheel."""
    shutil.copytree(HERE / "tests", place / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    for file in (place / "tests").rglob("*.py"):
        file.write_text(rewritten(file.read_text("utf-8")), "utf-8")
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copyfile(HERE / name, place / name)
    for name in BESIDE:
        (place / name).symlink_to(HERE / name)
    (place / "src/caltrop/web").symlink_to(HERE / "src/caltrop/web")
    folders = [f"tests/{name}" for name in TESTS if name != "rules"]
    folders += [f"tests/rules/{game.replace('-', '_')}" for game in games]
    environment = {**os.environ, "PYTHONPATH": str(place / "src")}
    options = ["-q", "-p", "no:cacheprovider", "-m", "not interpreted"]
    command = [sys.executable, "-m", "pytest", *options, *folders]
    return subprocess.run(command, cwd=place, env=environment, check=False).returncode == 0


def same_games(place: Path, name: str, player: str, most: int) -> bool:
    """Play games of a ruleset with both, print a line, and return whether digests and records are equal."""
    scenarios = [card.id for card in ruleset(name).scenarios()]
    players = f"{player},{player}"
    spent = {place: 0.0, HERE: 0.0}
    for checkout in spent:  # fills the caches, so that later runs use them
        run(checkout, ["simulate", name, "--players", players, "--num", "1", "--seed", "1"], "")
    for number, scenario in enumerate(scenarios):
        games = len(range(number, most, len(scenarios)))
        words = ["simulate", name, "--scenario", scenario, "--players", players, "--num", str(games), "--seed", "1"]
        digests = []
        for checkout in spent if games else ():
            took, printed = run(checkout, [*words, "--json"], "")
            spent[checkout] += took
            digests.append(digest_in(printed))
        if games and number < RECORDS and player == "random" and not same_record(place, name, scenario):
            print(f"{name}, {scenario}: the records differ", file=sys.stderr)
            return False
        if len(set(digests)) > 1:
            print(f"{name}, {scenario}: the games differ, {' and '.join(map(str, digests))}", file=sys.stderr)
            return False
    share = spent[place] / spent[HERE]
    print(f"{name}, {player}: the same {most} games, in {share:.2f} of the time", flush=True)
    return True


def main() -> int:
    """Compare a wheel with the checkout. Return 1 if they differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.twins")
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--games", type=int, default=GAMES, help="games of each ruleset and player")
    parser.add_argument("--no-tests", action="store_true", help="play games alone")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        place = unpacked(given.wheel, Path(folder))
        games = compiled(place)
        print(f"compiled: {', '.join(games)}", flush=True)
        if not same_fields(place):
            return 1
        for name in rulesets():
            for player in [one for one in ("random", "veteran", "commander") if one in players(name)]:
                games_of = min(SEARCHED, given.games) if player == "commander" else given.games
                if not same_games(place, name, player, games_of):
                    return 1
        return 0 if given.no_tests or tested(place, games) else 1


if __name__ == "__main__":
    sys.exit(main())
