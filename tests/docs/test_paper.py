"""The attack on the page about the real table is refereed, and has odds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import caltrop


def test_the_attack_is_settled_with_its_dice_and_without() -> None:
    page = (Path(__file__).parents[2] / "docs" / "paper.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    request = json.loads(block)
    assert caltrop.resolve(request)["casualties"] == 3
    del request["dice"]
    assert caltrop.odds(request)["exact"]
