"""The cost of armies, measured in battles: in lists, in the lobby, and as the limit of a scenario."""

from __future__ import annotations

from pathlib import Path

import pytest

from caltrop import InputError
from caltrop.kit.costs import Costs, Paired, Priced, costs
from caltrop.rules.command_horizon import armies, ruleset
from caltrop.rules.command_horizon.armies import army_list, cost_of
from caltrop.scenarios import built_in

TANK, GUNS, FOOT = {"kind": "heavy-tank"}, {"kind": "artillery"}, {"kind": "infantry"}
PAID = Costs(
    (
        Priced(pool="alliance", unit=TANK, points=150.4),
        Priced(pool="alliance", unit=FOOT, points=90.0),
        Priced(pool="alliance", unit={"kind": "infantry", "squads": 1}, points=25.0),
        Priced(pool="putredine", unit=TANK, points=120.0),
        Priced(pool="putredine", unit={"kind": "heavy-tank", "gland": "large"}, points=145.0),
        Priced(pool="putredine", unit={"kind": "carrier", "models": 3}, points=60.0),
    ),
    (
        Paired(pool="alliance", units=(TANK, TANK), points=10.0),
        Paired(pool="alliance", units=(TANK, FOOT), points=-5.0),
    ),
    {"alliance": 0.0, "putredine": -20.0},
)


def listed(army: str, *units: str) -> str:
    return f"ruleset: command-horizon\nid: own\ntitle: Own\narmy: {army}\nunits: [{', '.join(units)}]\n"


@pytest.fixture
def paid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(armies, "COSTS", PAID)


@pytest.mark.usefixtures("paid")
@pytest.mark.parametrize(
    ("army", "units", "cost"),
    [
        ("alliance", ["{kind: command}", "{kind: heavy-tank}"], 150),
        ("alliance", ["{kind: command}"], 0),
        # Two tanks count as a pair, and three as three. A tank and a Platoon count for every two of them.
        ("alliance", ["{kind: heavy-tank}", "{kind: heavy-tank}"], 311),
        ("alliance", ["{kind: heavy-tank}", "{kind: heavy-tank}", "{kind: heavy-tank}"], 481),
        ("alliance", ["{kind: heavy-tank}", "{kind: heavy-tank}", "{kind: infantry}"], 391),
        # Extra data makes another unit.
        ("alliance", ["{kind: infantry, squads: 3}"], 90),
        ("alliance", ["{kind: infantry, name: Us}"], 90),
        ("alliance", ["{kind: infantry, squads: 1}"], 25),
        ("alliance", ["{kind: infantry, squads: 2}"], None),
        ("alliance", ["{kind: artillery}"], None),
        ("putredine", ["{kind: heavy-tank}"], 100),
        ("putredine", ["{kind: heavy-tank, gland: small}"], 100),
        ("putredine", ["{kind: heavy-tank, gland: large}"], 125),
        ("putredine", ["{kind: carrier}", "{kind: carrier, models: 3}"], 100),
        ("putredine", ["{kind: carrier, models: 2}"], None),
        ("asori", ["{kind: heavy-tank}"], None),
    ],
)
def test_an_army_costs_what_its_units_are_worth(army: str, units: list[str], cost: int | None) -> None:
    assert cost_of(ruleset.book(), army_list(listed(army, *units)).value) == cost


@pytest.mark.usefixtures("paid")
def test_points_are_those_of_the_edition_that_was_measured() -> None:
    assert cost_of(ruleset.book("v1.5"), army_list(listed("alliance", "{kind: heavy-tank}")).value) is None


def test_a_game_without_points_says_nothing_of_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert costs(tmp_path / "points.json") is None
    monkeypatch.setattr(armies, "COSTS", None)
    assert {card.points for card in ruleset.armies()} == {None}


@pytest.mark.usefixtures("paid")
def test_who_looks_for_an_army_sees_what_it_costs(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(listed("alliance", "{kind: heavy-tank}"))
    files = ruleset.army_lists
    assert files is not None
    assert files.check(file) == "the army list Own, 1 unit (150 points)"


@pytest.mark.usefixtures("paid")
def test_a_scenario_may_limit_what_an_army_costs(tmp_path: Path) -> None:
    text = Path(built_in("command-horizon")["first-battle"]).read_text()
    file = tmp_path / "dear.yaml"
    own = listed("alliance", "{kind: heavy-tank}", "{kind: infantry}")
    for most, fits in ((235, True), (234, False)):
        file.write_text(text + f"cost: {most}\n")
        if fits:
            ruleset.setup(ruleset.book(), str(file), (own, own))
        else:
            with pytest.raises(InputError, match="Own costs 235 points, and First battle allows 234"):
                ruleset.setup(ruleset.book(), str(file), (own, own))
    # A unit without measured points cannot evade the limit.
    guns = listed("alliance", "{kind: artillery}")
    with pytest.raises(InputError, match="nobody has measured what Own costs in the edition current, and First battle"):
        ruleset.setup(ruleset.book(), str(file), (own.replace("heavy-tank", "infantry"), guns))
    with pytest.raises(InputError, match=r"in the edition v1\.5"):
        ruleset.setup(ruleset.book("v1.5"), str(file), (own, own))


def test_every_list_that_comes_with_the_game_has_its_points() -> None:
    """Lists of the same size cost about the same. The pairing of races matters too, so they are not equal."""
    sizes: dict[int, list[int]] = {}
    for card in ruleset.armies():
        assert card.points is not None, card.id
        sizes.setdefault(card.size, []).append(card.points)
    assert sorted(sizes) == [4, 7, 11]
    for size, some in sizes.items():
        assert 3 * max(some) <= 4 * min(some), (size, some)
