"""What the collection of all tests needs: examples are looked for only where there are any."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Leave out modules without examples: each worker would import them all, and go through all that they define."""
    found = yield
    without = file_path.suffix == ".py" and ">>>" not in file_path.read_text(encoding="utf-8")
    return [one for one in found if not (without and isinstance(one, DoctestModule))]
