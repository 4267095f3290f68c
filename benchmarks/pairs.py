"""Compares the processor time of a command in two checkouts, as a ratio.

`python -m benchmarks.pairs ../before simulate squad-action --num 18 --seed 1 --json` runs `caltrop simulate …` from the
checkout `../before` and from this one in turn, nine times each, in the same Python environment. The speed of a shared
machine varies, but equally for both, so the ratio of a pair says more than either time. If the command prints a digest
as JSON, both digests must be equal. The first pair does not count, because it fills the cache. With `--cold` before the
checkout every program starts with an empty cache.
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
"""Number of pairs, without the first, which does not count."""


def used() -> float:
    """Return the seconds of processor time of all finished child processes."""
    spent = getrusage(RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def run(checkout: Path, words: list[str], cache: str) -> tuple[float, bytes]:
    """Run `caltrop` from a checkout. Return its processor time in seconds, and its output.

    Args:
        checkout: Folder of the checkout.
        words: The arguments.
        cache: Folder of the cache; empty to start without one.

    Raises:
        subprocess.CalledProcessError: when it fails.
    """
    place = {**os.environ, "PYTHONPATH": str(checkout.resolve() / "src"), "CALTROP_CACHE": cache}
    before = used()
    ended = subprocess.run([sys.executable, "-m", "caltrop", *words], env=place, stdout=subprocess.PIPE, check=True)
    return used() - before, ended.stdout


def digest_in(printed: bytes) -> object:
    """Return the digest in the output; None if there is none."""
    try:
        words = json.loads(printed)
    except ValueError:
        return None
    return words.get("digest") if isinstance(words, dict) else None


def main() -> int:
    """Print the ratio. Return 1 if the digests differ."""
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
