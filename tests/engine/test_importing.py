"""Rulesets are imported by one thread at a time, because two threads could wait for each other's modules."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, BrokenBarrierError
from types import SimpleNamespace
from typing import Any

import pytest

from caltrop.engine.ruleset import ruleset


def test_two_threads_never_import_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Barrier(2)
    met: list[str] = []

    def imported(name: str) -> Any:
        try:
            both.wait(0.2)
            met.append(name)
        except BrokenBarrierError:
            both.reset()
        return SimpleNamespace(rules=SimpleNamespace(name=name, vocabulary=lambda: None))

    engine = sys.modules["caltrop.engine.ruleset"]
    monkeypatch.setattr(engine, "_home_of", lambda name: f"{name}:rules")
    monkeypatch.setattr(engine.importlib, "import_module", imported)
    with ThreadPoolExecutor(2) as threads:
        names = [one.name for one in threads.map(ruleset.__wrapped__, ("one", "other"))]
    assert names == ["one", "other"]
    assert met == []
