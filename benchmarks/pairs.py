"""One command from two checkouts, in turn: how much processor time it takes here, as a share of what it takes there.

`python -m benchmarks.pairs ../before simulate squad-action --num 18 --seed 1 --json` runs `caltrop simulate …` from the
checkout `../before` and from this one, A B A B, nine times each, with one environment. A machine that others share is
fast now and slow then, and both to equal parts: the ratio of a pair says more than either time. Where the command
prints a digest as JSON, the two have to be the same. The first pair does not count: it fills the folder of what earlier
programs have worked out; with `--cold` before the checkout every program begins with nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import quantiles
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parents[1]
TIMES = 9
"""How many pairs are run, after one that does not count."""


def used() -> float:
    """Seconds of processor time that all programs have used that were started here and have ended."""
    spent = getrusage(RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def run(checkout: Path, words: list[str], cache: str) -> tuple[float, bytes]:
    """Run `caltrop` from a checkout: its processor time in seconds, and what it printed.

    Args:
        checkout: Its folder.
        words: What is run.
        cache: The folder of what earlier runs have worked out; empty if each begins with nothing.

    Raises:
        subprocess.CalledProcessError: when it fails.
    """
    place = {**os.environ, "PYTHONPATH": str(checkout.resolve() / "src"), "CALTROP_CACHE": cache}
    before = used()
    ended = subprocess.run([sys.executable, "-m", "caltrop", *words], env=place, stdout=subprocess.PIPE, check=True)
    return used() - before, ended.stdout


def digest_in(printed: bytes) -> object:
    """The digest that was printed; None if there is none."""
    try:
        words = json.loads(printed)
    except ValueError:
        return None
    return words.get("digest") if isinstance(words, dict) else None


def main() -> int:
    """Print the ratio; 1 where the digests differ."""
    cold = "--cold" in sys.argv
    other, *words = [word for word in sys.argv[1:] if word != "--cold"]
    ratios = []
    with TemporaryDirectory() as cache:
        for number in range(TIMES + 1):
            (there, one), (here, two) = [run(place, words, "" if cold else cache) for place in (Path(other), HERE)]
            if digest_in(one) != digest_in(two):
                print(f"the digests differ: {digest_in(one)} and {digest_in(two)}", file=sys.stderr)
                return 1
            if number:
                ratios.append(here / there)
    low, middle, high = quantiles(ratios, n=4)
    print(f"{middle:.2f} of the time (half of the pairs between {low:.2f} and {high:.2f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
