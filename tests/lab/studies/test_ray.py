"""Studies on a Ray cluster. No lock contains Ray, so these tests run if it is installed."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from caltrop.cli import main
from caltrop.lab.studies.executors import Here
from caltrop.lab.studies.running import Folder, run

ROOT = Path(__file__).resolve().parents[3]
STUDY = """\
format: caltrop-study
title: The price of a parry
ruleset: duel
vary: {rules: {parry.price: [0, 3]}}
games: 48
seed: 4
"""


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")
@pytest.mark.skipif(
    shutil.which("unshare") is None or os.geteuid() != 0, reason="there is no network of its own for it"
)
def test_a_node_that_is_killed_in_the_middle_changes_no_figure(tmp_path: Path) -> None:
    file = tmp_path / "price.yaml"
    file.write_text(STUDY, encoding="utf-8")
    alone = run(file, Folder(tmp_path / "alone"), Here())
    script = f'ip link set lo up; exec "{sys.executable}" -m tests.lab.studies.two_nodes "{file}" "{tmp_path / "ray"}"'
    away = {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["unshare", "-n", "bash", "-c", script],
        env={**os.environ, **away},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode == 75:
        pytest.skip("Ray does not begin in time on this machine")
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [line for line in done.stdout.splitlines() if line.startswith("figures: ")]  # among the messages of Ray
    assert lines == [f"figures: {alone.digest} done True 1"]
    assert sorted(row.game for row in Folder(tmp_path / "ray").rows()) == list(range(96))


def test_where_ray_is_missing_the_command_says_how_it_is_installed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "price.yaml"
    file.write_text(STUDY, encoding="utf-8")
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "ray" else find(name))
    assert main(["study", "run", str(file), "--on", "ray"]) == 1
    assert 'pip install "caltrop[ray]"' in capsys.readouterr().err
