"""Forces: the costs of units, valid forces, and complaints about others."""

from __future__ import annotations

import pytest

from caltrop import InputError
from caltrop.rules.squad_action.armies import (
    ForceUnit,
    arms_of,
    cut_to,
    every_force,
    find,
    force_file,
    points_of,
    unit_points,
)
from caltrop.rules.squad_action.catalogue import SUPPLIED, TRAITS

HEAD = "ruleset: squad-action\nid: mine\ntitle: Mine\n"


def force(*units: str, more: str = "") -> str:
    return HEAD + "units:\n" + "".join(f"  - {{{u}}}\n" for u in units) + more


@pytest.mark.clause("SQ-S60", "SQ-W40")
def test_border_company_costs_what_its_parts_cost() -> None:
    company = find("border-company")
    parts = {u.name: unit_points(company.lists, u) for u in company.units}
    assert parts == {
        "Command": 60,
        "1st Squad": 74 + 5,
        "2nd Squad": 74 + 10,
        "3rd Squad": 74,
        "Conscripts": 56,
        "Launcher Team": 44,
        "Spotters": 26,
        "Fighting Vehicle": 75,
    }
    assert points_of(company) == 60 + 222 + 5 + 10 + 56 + 44 + 26 + 75 == 498
    assert len(company.units) == 8


@pytest.mark.clause("SQ-S61", "SQ-W41")
def test_talon_strike_costs_what_its_parts_cost() -> None:
    talons = find("talon-strike")
    assert [unit_points(talons.lists, u) for u in talons.units] == [110, 134, 122, 54, 80]
    assert points_of(talons) == 500


@pytest.mark.clause("SQ-S12", "SQ-S13", "SQ-S14")
def test_models_weapons_traits_officer_and_kit_are_added() -> None:
    plain = ForceUnit(name="a", profile="regular", models=5)
    assert unit_points(SUPPLIED, plain) == 40
    assert unit_points(SUPPLIED, ForceUnit(name="a", profile="regular", models=5, officer=True)) == 60
    assert unit_points(SUPPLIED, ForceUnit(name="a", profile="regular", models=5, spotter=True)) == 50
    assert (
        unit_points(SUPPLIED, ForceUnit(name="a", profile="regular", models=5, weapons=("rpg", "flamethrower"))) == 60
    )
    for name, row in TRAITS.items():
        traited = ForceUnit(name="a", profile="regular", models=5, traits=(name,))
        assert unit_points(SUPPLIED, traited) == 40 + 5 * row.points
    assert unit_points(SUPPLIED, ForceUnit(name="a", vehicle="heavy-tank")) == 200


@pytest.mark.clause("SQ-ORG-68")
def test_ratings_are_those_of_the_period_that_a_force_is_of() -> None:
    """A heavy tank of one period is a light one in another. A force uses the ratings of its own period."""
    older = force_file(
        force(
            "name: Riflemen, profile: regular, models: 6",
            "name: Tank, vehicle: heavy-tank",
            more="profiles:\n"
            "  regular: {title: Regular, plural: Regulars, fire: 5, cqb: 4, morale: 3, armour: 7, points: 6}\n"
            "vehicles:\n  heavy-tank: {title: Heavy tank, move: 4, armour: [Lt, VLt, U], morale: 3, points: 60}\n",
        )
    ).value
    assert points_of(older) == 6 * 6 + 60
    assert older.lists.vehicles["heavy-tank"].face("front") == "Lt"
    assert older.lists.profiles["veteran"] == SUPPLIED.profiles["veteran"], "the others are those supplied"
    assert SUPPLIED.vehicles["heavy-tank"].face("front") == "VHvy"


def test_special_weapons_are_with_the_last_models() -> None:
    assert arms_of(ForceUnit(name="a", profile="regular", models=4, weapons=("rpg", "flamethrower"))) == (
        "rifle",
        "rifle",
        "flamethrower",
        "rpg",
    )
    assert arms_of(ForceUnit(name="a", profile="assault", models=2, arms="pistol")) == ("pistol", "pistol")


@pytest.mark.parametrize("id", [f.id for f in every_force()])
def test_every_force_and_its_cut_keep_their_points(id: str) -> None:
    result = find(id)
    assert points_of(result) <= 500
    assert points_of(result, cut_to(result, 350)) <= 350
    assert len({u.name for u in result.units}) == len(result.units)


def test_there_are_six_forces_of_500_unlike_one_another() -> None:
    full = [f for f in every_force() if points_of(f) > 450]
    assert len(full) == 6
    foot = {f.id: sum(u.models for u in f.units if u.profile) for f in full}
    machines = {f.id: sum(bool(u.vehicle) for u in f.units) for f in full}
    assert len({(foot[f.id], machines[f.id]) for f in full}) == 6
    assert foot["levy-of-the-plain"] > 2 * foot["talon-strike"]


def test_some_force_fields_every_profile_trait_and_machine() -> None:
    """A row that no supplied force fields is never seen by players of the supplied forces."""
    units = [u for f in every_force() for u in f.units]
    fielded = {u.profile or u.vehicle for u in units}
    give = (
        "no supplied force fields these; give them to a unit of a new force in "
        "src/caltrop/rules/squad_action/data/forces (recorded games are played with the old ones)"
    )
    assert sorted({*SUPPLIED.profiles, *SUPPLIED.vehicles} - fielded) == [], give
    traits = {t for u in units for t in (*u.traits, *(SUPPLIED.profiles[u.profile].traits if u.profile else ()))}
    assert sorted({*TRAITS} - traits) == [], give


@pytest.mark.clause("SQ-S70", "SQ-S71", "SQ-S73")
def test_a_force_that_is_too_dear_names_its_cuts() -> None:
    with pytest.raises(
        InputError, match=r"costs 498 points, and 200 are agreed on; its smallest part costs 350 points"
    ):
        cut_to(find("border-company"), 200)
    assert [u.name for u in cut_to(find("border-company"), 498)] == [u.name for u in find("border-company").units]
    assert points_of(find("border-company"), cut_to(find("border-company"), 497)) == 339


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            force("name: A, profile: reglar, models: 4"),
            r":5:\d+: units\[0\]\.profile: there is no profile 'reglar'; .*regular",
        ),
        (force("name: A, models: 4"), "a unit has a profile, or else it is a vehicle"),
        (force("name: A, profile: regular, vehicle: apc"), "a unit has a profile, or else it is a vehicle"),
        (force("name: A, vehicle: ap"), "there is no vehicle 'ap'; .*apc"),
        (force("name: A, vehicle: apc, models: 2"), "a vehicle is one model"),
        (force("name: A, profile: regular, traits: [brave]"), "there is no trait 'brave'"),
        (force("name: A, profile: regular, weapons: [rife]"), "no soldier carries 'rife'; .*rifle"),
        (force("name: A, profile: regular, weapons: [solid-shot]"), "no soldier carries 'solid-shot'"),
        (force("name: A, profile: regular, models: 1, weapons: [rpg, rpg]"), "1 model does not carry 2 weapons"),
        (force("name: A, profile: regular", "name: A, profile: elite"), "two units are called 'A'"),
        (force("name: A, profile: regular, models: 21"), "20"),
        (force("name: A, profile: regular", more="cuts: {350: [B]}\n"), "there is no unit 'B'"),
        (
            force("name: A, profile: regular", more="cuts: {5: [A]}\n"),
            "these units cost 8 points; at most 5 may be spent",
        ),
        ("ruleset: duel\nid: a\ntitle: A\nunits: []\n", "squad-action"),
    ],
)
def test_what_is_wrong_with_a_force_is_named_with_its_place(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        force_file(text)


def test_a_players_own_rows_are_laid_over_those_supplied() -> None:
    text = force(
        "name: A, profile: guard, models: 2, weapons: [laser]",
        "name: B, vehicle: buggy",
        more="""profiles:
  guard: {title: Guard, plural: Guards, fire: 2, cqb: 4, morale: 2, armour: 4, points: 20}
weapons:
  laser: {title: laser, effective: 30, shots: 2, ap: -2, at: Lt, points: 12}
vehicles:
  buggy: {title: Buggy, move: 12, armour: [U, U, U], weapons: [laser], morale: 4, points: 25}
""",
    )
    mine = force_file(text).value
    assert points_of(mine) == 40 + 12 + 25
    assert mine.lists.profiles["regular"] is SUPPLIED.profiles["regular"]
    with pytest.raises(InputError, match="there is no weapon 'lasser'"):
        force_file(text.replace("weapons: [laser], morale", "weapons: [lasser], morale"))
