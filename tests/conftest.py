"""Tools of every test: Hypothesis without deadlines, and the system's Chromium for the browser tests."""

from __future__ import annotations

import os
import random
import secrets
import shutil
from typing import Any

import pytest
from hypothesis import settings

from tests.tiers import everything, examples, rotation

# Results are not cached from run to run, so a test never uses the results of other code, such as a mutant.
os.environ["CALTROP_CACHE"] = ""

# There are no deadlines, because a shared machine may be slow. In CI the examples are the same in every run, so that a
# failure can be repeated anywhere.
settings.register_profile("local", deadline=None, max_examples=examples(100))
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "local"))


# Dice and names of a server's games are secrets. Tests draw them by test and commit, so that a failure repeats.
_drawn = random.Random()
secrets.token_bytes = lambda nbytes=None: _drawn.randbytes(nbytes or 32)
secrets.randbits = lambda k: _drawn.getrandbits(k)
secrets.randbelow = lambda exclusive_upper_bound: _drawn.randrange(exclusive_upper_bound)
secrets.choice = _drawn.choice


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seed the secrets by the test, before its fixtures draw any."""
    _drawn.seed(f"{rotation()} {item.nodeid}")


def pytest_report_header() -> str:
    """Print which share of the long series is run."""
    return "all of every series" if everything() else f"a share of long series: ROTATION={rotation()}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that drive a browser, and run them last.

    Playwright keeps an event loop running in the thread of the tests from its first use to the end. A test that is
    itself a coroutine could not start another one beside it.
    """
    for item in items:
        if "playwright" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Launch the Chromium of the system, or the one that CHROMIUM names, quietly and without a graphics card."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    assert program, "the browser tests need Chromium: install it, or set CHROMIUM to the program's path"
    arguments = [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    return {**browser_type_launch_args, "executable_path": program, "args": arguments}
