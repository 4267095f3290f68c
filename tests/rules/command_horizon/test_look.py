"""The picture of a battle: pieces, tokens, numbers with reasons, steps, and secrets."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from caltrop.chance import Scripted
from caltrop.engine import Match, stored
from caltrop.picture import Group, Picture
from caltrop.rules.command_horizon import ruleset
from caltrop.rules.command_horizon.movement import MovementStep
from caltrop.rules.command_horizon.picture import EARLIER_STEPS, STEPS, depict
from caltrop.rules.command_horizon.placing import Deploy
from caltrop.rules.command_horizon.records import Effect, MarkOn, Objective, Order
from caltrop.rules.command_horizon.scene import put, scene, square
from caltrop.rules.command_horizon.scene import run as started
from caltrop.rules.command_horizon.setup import SecretDeployment

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


def stats(group: Group) -> dict[str, str]:
    """Return the numbers of a unit."""
    return {s.label: s.value for s in group.stats}


def tokens(group: Group) -> dict[str, int]:
    """Return the tokens of a unit."""
    return {t.kind: t.count for t in group.tokens}


@pytest.mark.house("concentrate.reaction", "next-turn", "this-turn")
@pytest.mark.parametrize(("value", "shown"), [("next-turn", {"concentrating": 1}), ("this-turn", {})])
def test_a_unit_shows_its_acts_in_its_own_turn_alone(value: str, shown: dict[str, int]) -> None:
    units = put(0, "infantry", (10, 10), moved=350, frozen=True), put(0, "command", (40, 40), concentrating=True)
    for active, acts, concentrating in ((0, {"frozen": 1, "moved": 1}, {"concentrating": 1}), (1, {}, shown)):
        picture = depict(scene(*units, active=active, rules={"concentrate.reaction": value}), 0)
        assert tokens(picture.groups[0]) == acts
        assert tokens(picture.groups[1]) == concentrating


def test_a_unit_shows_its_numbers_and_where_they_come_from() -> None:
    picture = depict(scene(put(0, "light-tank", (10, 10)), put(1, "command", (60, 60))), 0)
    light, chiron = picture.groups
    assert (light.silhouette, light.reach, light.walk, light.strength) == ("light", 2000, 3000, "5/5")
    assert stats(light)["Attack Dice"] == "5"
    assert stats(light)["Reaction fire"] == "3"
    assert stats(light)["Generates"] == "1 command point"
    dice = next(s for s in light.stats if s.label == "Attack Dice")
    assert [(r.value, r.clause) for r in dice.because] == [(5, "CH-FIRE-08")]
    walk = next(s for s in light.stats if s.label == "Move")
    assert [r.value for r in walk.because] == [0, 2, 5]
    assert stats(chiron) | {"Worth": "3 victory points", "Defence bonus": "+2", "Range": "50 cm"} == stats(chiron)
    assert tokens(chiron) == {"drone": 1}


def test_stuns_and_tokens_take_dice_in_the_picture_too() -> None:
    t = scene(put(0, "medium-tank", (10, 10), stuns=2, worms=(2,)), army=("alliance", "putredine"))
    group = depict(t, 0).groups[0]
    assert tokens(group) == {"stun": 2, "worm": 2}
    assert stats(group)["Attack Dice"] == "4"
    assert stats(group)["Move"] == "10 cm"
    assert "Disabled" in group.pieces[0].tokens[0].words
    still = scene(put(0, "medium-tank", (10, 10), models=1, worms=(2,)), army=("alliance", "putredine"))
    assert stats(depict(still, 0).groups[0])["Attack Dice"] == "0"


@pytest.mark.parametrize(
    ("army", "kind", "silhouette"),
    [
        ("alliance", "infantry", "infantry"),
        ("alliance", "heavy-weapons", "heavy-weapons"),
        ("putredine", "infantry", "worm"),
        ("putredine", "slugger", "slugger"),
        ("putredine", "carrier", "carrier"),
        ("alliance", "artillery", "artillery"),
        ("asori", "heavy-tank", "heavy"),
    ],
)
def test_silhouettes(army: str, kind: str, silhouette: str) -> None:
    group = depict(scene(put(0, kind, (10, 10)), army=(army, "asori")), None).groups[0]
    assert group.silhouette == silhouette


def test_attached_teams_have_a_silhouette_of_their_own() -> None:
    group = depict(scene(put(0, "infantry", (10, 10), squads=3, teams=3)), 0).groups[0]
    assert [p.silhouette for p in group.pieces[:3]] == ["", "", "heavy-weapons"]
    assert group.reach == 2000


def test_all_that_lies_on_a_unit_is_a_token() -> None:
    t = scene(
        put(0, "infantry", (10, 10), locked=(1,), disengaged=True, moved=350),
        put(1, "infantry", (10, 12), overwatch=1),
        put(0, "command", (40, 40), concentrating=True),
        put(0, "light-tank", (60, 60)),
        put(1, "light-tank", (80, 80)),
        marks=[MarkOn(3, 4)],
        orders=[Order(unit=3, target=4)],
        cp=(4, 1),
    )
    picture = depict(t, 0)
    assert tokens(picture.groups[0]) == {"lock": 1, "disengaged": 1, "moved": 1}
    assert tokens(picture.groups[1]) == {"lock": 1, "overwatch": 1}
    assert tokens(picture.groups[2]) == {"concentrating": 1}
    assert tokens(picture.groups[4]) == {"mark": 1, "target": 1}
    assert sorted(line.kind for line in picture.lines) == ["attack", "lock", "mark"]
    assert [[(p.label, p.value) for p in s.points] for s in picture.seats] == [
        [("CP", "4"), ("VP", "0")],
        [("CP saved", "1"), ("VP", "0")],
    ]


def test_terrain_and_objectives() -> None:
    mill = Objective(
        name="Mill", x=5000, y=5000, r=200, worth=2, benefit=Effect("supplies"), secured=1, holder=1, owner=0
    )
    t = scene(terrain=[square("wood", "woods", 10, 10, 20, 20)], objectives=[mill], breakthrough=2)
    picture = depict(t, None)
    assert (picture.grounds[0].name, picture.grounds[0].kind) == ("Wood", "woods")
    spot = picture.spots[0]
    assert (spot.holder, spot.secured, spot.at) == (1, True, (5000, 5000))
    assert "worth 2 victory points" in spot.words
    assert [z.side for z in picture.zones] == [0, 1]
    assert picture.seats[1].points[1].value == "2"


@pytest.mark.clause("CH-TURN-02", "CH-TURN-03")
def test_the_stage_has_the_steps_of_the_edition() -> None:
    now = depict(scene(step=6), 0).stage
    assert (now.steps, now.now, now.steps[now.now]) == (STEPS, 5, "Combat")
    earlier = depict(scene(step=5, edition="v1.5"), 0).stage
    assert (earlier.steps, earlier.steps[earlier.now]) == (EARLIER_STEPS, "Combat")


@pytest.mark.clause("CH-SETUP-06")
def test_a_secret_plan_is_seen_by_its_own_side_alone() -> None:
    t = scene(put(0, "heavy-tank", (0, 0), deployed=False), put(1, "heavy-tank", (0, 0), deployed=False), round=0)
    match = run(t, SecretDeployment())
    match.play(1, Deploy(1, tuple((3000 + 350 * i, 11_500) for i in range(4))))
    for side, count in ((0, 0), (1, 0), (None, 0)):
        assert sum(len(g.pieces) for g in pieces(match, side)) == count, "not before both have answered"
    match.play(0, Deploy(0, ((3000, 500), (3350, 500), (3700, 500))))
    assert all(len(g.pieces) > 2 for g in depict(match.state, 0).groups)
    longer = scene(
        *(put(s, "heavy-tank", (0, 0), deployed=False) for s in (0, 0, 1, 1)),
        round=0,
    )
    second = run(longer, SecretDeployment())
    second.play(0, Deploy(0, ((3000, 500), (3350, 500), (3700, 500))))
    second.play(1, Deploy(2, tuple((3000 + 350 * i, 11_500) for i in range(4))))
    assert [len(g.pieces) for g in pieces(second, 0)] == [3, 0, 0, 0]
    assert [len(g.pieces) for g in pieces(second, 1)] == [0, 0, 4, 0]
    assert [len(g.pieces) for g in pieces(second, None)] == [0, 0, 0, 0]


def pieces(match: Any, side: int | None) -> tuple[Group, ...]:
    """Return the units as a side sees them."""
    picture: Picture = depict(match.view(side), side)
    return picture.groups


def test_a_new_game_is_drawn_at_once() -> None:
    t = ruleset.setup(ruleset.book(), "first-battle")
    match = Match(ruleset, t, Scripted((6, 1)))
    picture = ruleset.depict(match.view(0), 0)
    assert len(picture.groups) == 8
    assert all(g.pieces for g in picture.groups)
    assert picture.stage.words.startswith("Alliance: ")
    moving = depict(started(scene(put(0, "medium-tank", (20, 10))), MovementStep(side=0)).view(0), 0)
    assert moving.stage.words == "Alliance A moves", "the name stands there once"
    assert (picture.form, picture.scale, picture.measure) == ("plane", 100, "cm")


def test_a_unit_that_both_armies_have_is_told_with_its_side() -> None:
    t = scene(put(0, "light-tank", (10, 10)), put(1, "light-tank", (60, 60)), put(1, "command", (80, 60)))
    assert [t.called(unit) for unit in range(3)] == ["Alliance A Light Tanks", "Asori B Light Tanks", "Chiron Command"]
    assert [t.does(unit, "fires") for unit in (0, 2)] == ["Alliance A Light Tanks fire", "Chiron Command fires"]
    groups = depict(t, 0).groups
    assert [(g.name, g.in_words) for g in groups[1:]] == [
        ("Light Tanks", "Asori B Light Tanks"),
        ("Chiron Command", "Chiron Command"),
    ]


def test_a_unit_that_comes_later_makes_the_others_told_with_their_side() -> None:
    t = scene(put(0, "light-tank", (10, 10)), put(1, "command", (80, 60)))
    assert t.called(0) == "Light Tanks"
    t.add_unit(msgspec.structs.replace(t.units[0], side=1, models=()))
    assert (t.called(0), t.called(2)) == ("Alliance A Light Tanks", "Asori B Light Tanks")
    assert "names" not in json.loads(stored(t))
