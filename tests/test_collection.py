"""The examples of any one module can be run alone, whatever its package imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from caltrop.lab.sentences import ROOMS, ROOT


def with_rules_and_an_example(folder: Path) -> list[Path]:
    sources = {file: file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.py"))}
    return [file for file, source in sources.items() if ">>>" in source and "@rule(" in source]


@pytest.mark.parametrize("room", [room for room in ROOMS if with_rules_and_an_example(ROOT / "rules" / room)])
def test_a_module_with_rules_is_collected_alone(room: str) -> None:
    file = with_rules_and_an_example(ROOT / "rules" / room)[0]
    pytest_alone = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", str(file)]
    collected = subprocess.run(pytest_alone, cwd=ROOT.parents[1], capture_output=True, text=True, check=False)
    assert collected.returncode == 0, collected.stdout[-2000:]
