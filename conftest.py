"""Collect tests quickly: look for examples only in files that have some, and collect no garbage meanwhile."""

from __future__ import annotations

import contextlib
import gc
import importlib
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

SOURCES = Path(__file__).parent / "src"


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Leave out modules without examples: each worker would import them all, and go through all that they define."""
    found = yield
    without = file_path.suffix == ".py" and ">>>" not in file_path.read_text(encoding="utf-8")
    kept = [one for one in found if not (without and isinstance(one, DoctestModule))]
    if file_path.is_relative_to(SOURCES) and any(isinstance(one, DoctestModule) for one in kept):
        _import_packages_of(file_path)
    return kept


def _import_packages_of(file: Path) -> None:
    """Import the packages around a module, which may import the module itself.

    To import a module, pytest first imports its packages and then always runs the module. A module that its own package
    imports would run twice, and define each of its rules twice.
    """
    package = ".".join(file.relative_to(SOURCES).parent.parts)
    # The collector reports a package that cannot be imported, with the file that it collects.
    with contextlib.suppress(Exception):
        importlib.import_module(package)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what is collected out of the way of the collector of garbage.

    The tests and what they import are half a million objects. To go through them again and again would be a sixth of
    the time of all tests, and a quarter of that of their collection. What the tests leave behind is looked for, but
    not after every few hundred objects.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        gc.enable()
