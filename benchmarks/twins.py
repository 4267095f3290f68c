"""Whether the compiled kernels are what they were compiled from: the same answers, the same games.

`python -m benchmarks.twins dist/caltrop-….whl` unpacks a wheel with compiled kernels, runs the tests of geometry and of
the table on it, and plays random games of every ruleset with it and with the plain package of this checkout: both have
to come to the same digests. `make test-compiled` builds the wheel first. It says how much of the time the compiled ones
took.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.pairs import HERE, digest_in, run
from caltrop.engine import ruleset, rulesets

GAMES = 40
"""How many games of each ruleset are played, over all of its scenarios in turn."""
TESTS = ("tests/geometry", "tests/table", "tests/chance")


def unpacked(wheel: Path, into: Path) -> Path:
    """A checkout of nothing but what a wheel holds.

    Raises:
        SystemExit: when the wheel has no compiled kernels.
    """
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(into / "src")
    if not [*into.rglob("geometry/*.so"), *into.rglob("geometry/*.pyd")]:
        raise SystemExit(f"{wheel} has no compiled kernels: make wheel builds one that has")
    return into


def tested(place: Path) -> bool:
    """Whether the tests of what is compiled pass on an unpacked wheel."""
    environment = {**os.environ, "PYTHONPATH": str(place / "src")}
    where = [sys.executable, "-c", "import caltrop.geometry.segments as kernel; print(kernel.__file__)"]
    file = subprocess.run(where, env=environment, stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
    if place.resolve() not in Path(file).resolve().parents or file.endswith(".py"):
        raise SystemExit(f"this Python does not take the compiled kernels: it takes {file}")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS]
    return subprocess.run(command, cwd=HERE, env=environment, check=False).returncode == 0


def same_games(place: Path, name: str) -> bool:
    """Whether games of a ruleset come to the same digests, and a line about it."""
    scenarios = [card.id for card in ruleset(name).scenarios()]
    spent = {place: 0.0, HERE: 0.0}
    for checkout in spent:  # what Python compiles and what files say is kept from then on
        run(checkout, ["simulate", name, "--players", "random,random", "--num", "1", "--seed", "1"], "")
    for number, scenario in enumerate(scenarios):
        games = len(range(number, GAMES, len(scenarios)))
        words = ["simulate", name, "--scenario", scenario, "--players", "random,random", "--num", str(games)]
        digests = []
        for checkout in spent if games else ():
            took, printed = run(checkout, [*words, "--seed", "1", "--json"], "")
            spent[checkout] += took
            digests.append(digest_in(printed))
        if len(set(digests)) > 1:
            print(f"{name}, {scenario}: the games differ, {' and '.join(map(str, digests))}", file=sys.stderr)
            return False
    print(f"{name}: the same {GAMES} games, in {spent[place] / spent[HERE]:.2f} of the time", flush=True)
    return True


def main() -> int:
    """Compare; 1 where anything differs."""
    with TemporaryDirectory() as folder:
        place = unpacked(Path(sys.argv[1]), Path(folder))
        return 0 if tested(place) and all(same_games(place, name) for name in rulesets()) else 1


if __name__ == "__main__":
    sys.exit(main())
