"""The table of house rules on the page of a game's clauses has those of the data: `data/house_rules.yaml`."""

from __future__ import annotations

import re

import pytest

from caltrop.clauses.inventory import folder
from caltrop.engine import ruleset, rulesets

IN_FULL = 5
"""Largest number of values that a row lists; more may be described."""


@pytest.mark.parametrize("game", rulesets())
def test_the_page_of_clauses_lists_every_house_rule_with_its_values(game: str) -> None:
    page = folder() / f"{game}.md"
    rows = dict(re.findall(r"^\| `([\w.]+)` \| (.+) \| [^|]+ \|$", page.read_text(encoding="utf-8"), re.MULTILINE))
    switches = {switch.name: switch for switch in ruleset(game).switches}
    table = f"the table of house rules in docs/rules/{game}.md"
    assert not switches.keys() - rows.keys(), f"give them rows in {table}: | `name` | values | clauses |"
    assert not rows.keys() - switches.keys(), f"take their rows from {table}: they are no house rules"
    for name, switch in switches.items():
        listed = switch.values if len(switch.values) <= IN_FULL else switch.values[:1]
        missing = [value for value in listed if not re.search(rf"(?<!\w){re.escape(str(value))}(?!\w)", rows[name])]
        assert not missing, f"{table}: the row of `{name}` does not name these values"
        assert rows[name].lstrip("`").startswith(str(switch.default)), f"{table}: `{name}` begins with its default"
