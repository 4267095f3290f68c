"""Runs a server on which equal battles always take the same course: `python -m benchmarks.steady`.

It works like `caltrop serve`, but games have fixed dice, computer players make the same errors, and names and secrets
are counters. So new pictures show the same positions. Everything is predictable, so use it only for pictures.
"""

from __future__ import annotations

import itertools
import sys
from types import ModuleType, SimpleNamespace

from caltrop.chance import Seeded
from caltrop.cli import main
from caltrop.host import campaigns, computers, making, restoring, seating, seats, standing

SEED = "pictures"

DRAWING: dict[ModuleType, tuple[str, ...]] = {
    making: ("SecureDice", "new_id", "secrets"),
    restoring: ("SecureDice",),
    campaigns: ("SecureDice",),
    standing: ("SecureDice",),
    seats: ("new_token",),
    seating: ("new_token",),
    computers: ("secrets",),
}
"""Modules of the server with random choices, and the names in them that are replaced."""

_count = itertools.count(1)


def _name() -> str:
    """Return a name for a game, different from all earlier ones."""
    return f"{next(_count):0>12}".translate(str.maketrans("0123456789", "abcdefghjk"))


def _secret() -> str:
    """Return a secret for a seat, as long as those of a real server."""
    return f"{next(_count):0>32}"


def _dice() -> Seeded:
    return Seeded(SEED)


def steady() -> None:
    """Replace all random choices in this process by fixed sequences."""
    text = SimpleNamespace(token_hex=lambda length: SEED.encode().hex().ljust(2 * length, "0"))
    put = {"SecureDice": _dice, "new_id": _name, "new_token": _secret, "secrets": text}
    for module, names in DRAWING.items():
        for name in names:
            if not hasattr(module, name):
                raise SystemExit(f"{module.__name__} has no {name} any more: benchmarks/steady.py takes chance from it")
            setattr(module, name, put[name])


if __name__ == "__main__":
    steady()
    sys.exit(main(["serve", *sys.argv[1:]]))
