"""The picture of a battle: hexes, ground, sections, units with numbers, cards, steps, and secrets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from caltrop.chance import Seeded
from caltrop.engine import Match
from caltrop.engine.secrecy import redacted
from caltrop.picture import Group, Picture
from caltrop.players import levels
from caltrop.rules.hex_command.cards import Play, PlayACard, card_of
from caltrop.rules.hex_command.catalogue import CARDS, GROUNDS, UNITS
from caltrop.rules.hex_command.picture import STEPS, depict, ground_words
from caltrop.rules.hex_command.records import NORTH, SOUTH, STEP, Battle
from caltrop.rules.hex_command.rulebook import ruleset
from caltrop.rules.hex_command.victory import end_turn, lose
from caltrop.table.hexes import CORNERS
from caltrop.wire.catalogue import entry

BOOK = ruleset.book()


def opened(scenario: str = "crossroads", **rules: Any) -> Battle:
    """Return a battle in its starting position."""
    return ruleset.setup(ruleset.book(None, rules), scenario)


def at(picture: Picture, t: Battle, hex: str, *, attached: bool = False) -> Group:
    """Return the unit in a hex, or the leader attached to it."""
    shelf = t.guests if attached else t.board
    return next(g for g in picture.groups if g.id == shelf[hex])


def stats(group: Group) -> dict[str, str]:
    """Return the numbers of a unit."""
    return {s.label: s.value for s in group.stats}


def test_the_map_lies_on_the_plane() -> None:
    t = opened()
    picture = depict(t, SOUTH)
    assert (picture.form, picture.measure, picture.corners) == ("hexes", "hexes", CORNERS)
    assert (picture.width, picture.height) == t.map.size
    assert [cell.name for cell in picture.cells] == list(t.map.hexes)
    assert {cell.name: cell.at for cell in picture.cells}["E5"] == t.map.centre("E5")
    assert t.map.centre("B1")[0] - t.map.centre("A1")[0] == STEP
    assert picture.faces == ("infantry", "vehicle", "god-machine", "leader", "target", "retreat")
    assert len(depict(opened(battle_die="d8_weighted"), SOUTH).faces) == 8


def test_a_unit_is_called_by_its_side_where_the_other_army_has_one_of_its_name() -> None:
    called = {g.called for g in depict(opened(), SOUTH).groups if g.name == "1st Battle Tanks"}
    assert called == {"Iron Concord 1st Battle Tanks", "Ashen Horde 1st Battle Tanks"}
    assert {g.called for g in depict(opened(), SOUTH).groups if g.name == "Battle Titan"} == {UNSET}


def test_ground_and_markers() -> None:
    t = opened("hold-the-bastion")
    grounds = depict(t, None).grounds
    assert len({g.id for g in grounds}) == len(grounds) == len(t.field.terrain) + 2
    by_place = {(g.kind, g.outline[0]): g for g in grounds}
    x, y = t.map.centre("C3")
    dug = by_place["entrenchment", (x + CORNERS[0][0], y + CORNERS[0][1])]
    assert dug.words == "Attackers -1 die, God Machines 0; may ignore one Retreat"
    assert len(dug.outline) == 6
    t.entrenchments.remove("C3")
    assert len(depict(t, None).grounds) == len(grounds) - 1


@pytest.mark.parametrize("kind", GROUNDS)
def test_every_ground_says_what_it_does(kind: str) -> None:
    words, ground = ground_words(GROUNDS[kind]), GROUNDS[kind]
    assert words[0].isupper()
    assert (words == "No effect") == (kind == "open")
    assert ("nobody may enter" in words.lower()) == (kind == "spire")
    assert ("stops" in words.lower()) == ground.stop
    assert ("Retreat" in words) == bool(ground.favours)
    for number in (n for n in ground.less if n):
        assert f"-{number}" in words
    assert ("no battle in that turn" in words) == (ground.entering is not None)
    assert (f"size {ground.size}" in words) == bool(ground.size)
    assert len(words) < 130, "it stands in two lines over the map"


@pytest.mark.clause("HX-S32", "HX-S35", "HX-S38")
def test_who_stops_is_said_as_it_is() -> None:
    assert ground_words(GROUNDS["woods"]).startswith(
        "Stops all but God Machines; no battle in that turn but for Scouts"
    )
    assert "vehicles -2" in ground_words(GROUNDS["woods"])
    assert "stops all who enter" in ground_words(GROUNDS["citadel"])
    assert "stops all who enter" in ground_words(GROUNDS["ford"])


# --- sections ---------------------------------------------------------------------------------------------------------


def zones(t: Battle, side: int | None) -> dict[str, bool]:
    """Return the sections and whether they are lit."""
    return {zone.name: zone.lit for zone in depict(t, side).zones}


@pytest.mark.clause("HX-S13", "HX-S14")
def test_a_section_is_lit_as_the_side_that_plays_the_card_sees_it() -> None:
    t = opened()
    assert zones(t, SOUTH) == {"West, your left": False, "Centre": False, "East, your right": False}
    t.card = "probe-left"
    assert zones(t, SOUTH)["West, your left"]
    assert zones(t, NORTH) == {"West, your right": True, "Centre": False, "East, your left": False}
    t.active = NORTH
    assert zones(t, None) == {"West": False, "Centre": False, "East": True}
    t.card = "pincer"
    assert list(zones(t, None).values()) == [True, False, True]
    t.card = "direct-command"
    assert not any(zones(t, None).values())


@pytest.mark.clause("HX-S13")
def test_the_borders_of_sections_run_through_the_hexes_in_both() -> None:
    t = opened()
    west, centre, east = depict(t, None).zones
    assert west.outline[1][0] == centre.outline[0][0] == t.map.centre("D4")[0]
    assert centre.outline[1][0] == east.outline[0][0] == t.map.centre("I4")[0]
    assert west.outline[0] == (0, 0)
    assert east.outline[2] == t.map.size


# --- units ------------------------------------------------------------------------------------------------------------


def test_a_unit_shows_its_numbers_and_where_they_come_from() -> None:
    t = opened()
    picture = depict(t, SOUTH)
    titan = at(picture, t, "G9")
    assert (titan.name, titan.kind, titan.silhouette) == ("Battle Titan", "god-machine-heavy", "walker-heavy")
    assert (titan.strength, titan.reach, titan.walk) == ("6/6", 5 * STEP, 2 * STEP)
    assert stats(titan) == {
        "Damage Capacity": "6 of 6",
        "Size": "6",
        "Move": "2 hexes",
        "Dice by range": "6/5/4/4/3",
        "Void shields": "6",
        "Worth": "3 banners",
    }
    assert all(reason.clause.startswith("HX-") for stat in titan.stats for reason in stat.because)
    foot = at(picture, t, "D8")
    assert stats(foot) == {
        "Models": "4 of 4",
        "Size": "1",
        "Move": "2 hexes, battle after 1",
        "Dice by range": "3/2/1",
        "Worth": "1 banner",
    }
    tank = at(picture, t, "E8")
    t.put(tank.id, "E5")
    t.change(tank.id, strength=2)
    t.ordered.append(tank.id)
    t.card = "armoured-spearhead"
    seen = at(depict(t, SOUTH), t, "E5")
    assert stats(seen) | {"Models": "2 of 3", "Cover": "-1/-2/-1", "Dice by range": "2/2/2"} == stats(seen)
    dice = next(s for s in seen.stats if s.label == "Dice by range")
    assert {"HX-S20", "HX-S50", "HX-S33"} <= {reason.clause for reason in dice.because}


@pytest.mark.clause("HX-VOI-01")
def test_shields_fade_with_damage() -> None:
    t = opened()
    t.change(t.board["G9"], strength=2)
    assert stats(at(depict(t, SOUTH), t, "G9"))["Void shields"] == "2"


def test_every_kind_has_a_silhouette() -> None:
    result: dict[str, str] = {}
    for scenario in ("crossroads", "hold-the-bastion", "godfall"):
        result |= {g.kind: g.silhouette for g in depict(opened(scenario), None).groups}
    assert result == {
        "god-machine-heavy": "walker-heavy",
        "god-machine-light": "walker-light",
        "god-machine-super-heavy": "walker-super-heavy",
        "vehicle-light": "light",
        "vehicle-medium": "medium",
        "vehicle-heavy": "heavy",
        "vehicle-super-heavy": "super-heavy",
        "infantry-light": "infantry-light",
        "infantry-medium": "infantry",
        "infantry-heavy": "heavy-weapons",
        "infantry-super-heavy": "infantry-super-heavy",
        "leader-light": "leader",
        "leader-medium": "leader-unit",
    }


def test_an_attached_leader_stands_beside_its_unit() -> None:
    t = opened()
    picture = depict(t, SOUTH)
    unit, leader = at(picture, t, "F8"), at(picture, t, "F8", attached=True)
    assert unit.pieces[0].at == t.map.centre("F8") != leader.pieces[0].at
    assert unit.pieces[0].radius > leader.pieces[0].radius
    assert [token.kind for token in unit.tokens] == ["leader"]
    assert [token.kind for token in leader.tokens] == ["attached"]
    t.put(unit.id, None)
    alone = at(depict(t, SOUTH), t, "F8")
    assert (alone.id, alone.pieces[0].at, alone.tokens) == (leader.id, t.map.centre("F8"), ())


def test_tokens_of_a_turn() -> None:
    t = opened("hold-the-bastion")
    unit = t.board["C3"]
    t.ordered, t.moved, t.battled = [unit], {unit: 1}, [unit]
    tokens = at(depict(t, NORTH), t, "C3").tokens
    assert [token.kind for token in tokens] == ["entrenched", "ordered", "moved", "battled"]
    assert tokens[2].words == "Has moved 1 hex"


def test_what_is_lost_is_gone_and_what_waits_has_no_place() -> None:
    t = opened()
    lose(t, t.board["G9"], NORTH)
    assert len(depict(t, None).groups) == 22
    waiting = depict(opened("free-battle"), None)
    assert len(waiting.groups) == 23
    assert all(g.pieces == () for g in waiting.groups)


# --- seats, cards, steps ----------------------------------------------------------------------------------------------


def test_banners_and_objectives() -> None:
    t = opened()
    t.put(t.board["E8"], "G5")
    t.captured["G5"] = SOUTH
    t.medals[SOUTH] = 2
    picture = depict(t, None)
    south, north = picture.seats
    assert (south.points[0].value, north.points[0].value) == ("3/5", "0/5")
    assert [r.value for r in south.points[0].because] == [2, 1]
    assert (south.letter, south.shape, north.name) == ("A", "circle", "Ashen Horde")
    spot = picture.spots[0]
    assert (spot.name, spot.at, spot.holder, spot.secured) == ("G5", t.map.centre("G5"), SOUTH, False)
    assert spot.words == "1 banner while held; Iron Concord has it"
    walls = depict(opened("hold-the-bastion"), None).spots
    assert walls[0].words == "1 banner for good once Attacker takes it"


def test_a_hand_is_seen_by_its_own_side_alone() -> None:
    match = Match(ruleset, opened(), Seeded(3))
    t: Any = match.state
    for side in (SOUTH, NORTH):
        mine = depict(match.view(side), side)
        assert [card.kind for card in mine.hand] == list(t.hands[side])
        assert [seat.cards for seat in mine.seats] == [5, 5]
    assert depict(match.view(None), None).hand == ()
    for card in depict(match.view(SOUTH), SOUTH).hand:
        assert (card.title, card.words) == (CARDS[card.kind].title, CARDS[card.kind].words)
        assert card.clauses[0].startswith("HX-S")


@pytest.mark.clause("HX-S59", "HX-Q32")
def test_a_card_that_copies_says_what_it_would_be_now() -> None:
    t = opened()
    t.hands[SOUTH], t.held[SOUTH] = ("counter-order",), 1
    (plain,) = depict(t, SOUTH).hand
    assert (plain.words, plain.area) == (CARDS["counter-order"].words, "")
    t.played[NORTH] = "assault-left"
    (card,) = depict(t, SOUTH).hand
    assert (card.kind, card.area) == ("counter-order", "left")
    assert card.words == f"{CARDS['counter-order'].words} Now: Assault (left)."


def test_the_steps_of_a_turn() -> None:
    match = Match(ruleset, opened(), Seeded(3))
    first = depict(match.view(None), None).stage
    assert (first.steps, first.now, first.round, first.rounds) == (STEPS, 0, 1, 25)
    assert first.words.startswith("Iron Concord: ")
    seen: list[tuple[str, int]] = []
    dice = Seeded(4)
    while match.state.over is None and len(seen) < 400:
        decision = match.waiting[0]
        stage = depict(match.view(None), None).stage
        seen.append((type(decision).__name__, stage.now))
        match.play(decision.side, decision.options(match.view(decision.side)).sample(dice))
    steps: dict[str, set[int]] = {}
    for name, now in seen:
        steps.setdefault(name, set()).add(now)
    assert steps["PlayACard"] == {0}
    assert steps["OrderUnits"] == {1}
    assert steps["MoveUnits"] == {2}
    assert steps["ChooseBattle"] == {3}
    assert -1 not in {now for name, now in seen}


def test_the_card_played_last_lies_face_up() -> None:
    match = Match(ruleset, opened(), Seeded(3))
    decision = match.waiting[0]
    assert isinstance(decision, PlayACard)
    action = decision.options(match.view(SOUTH)).first()
    assert isinstance(action, Play)
    match.play(SOUTH, action)
    played = depict(match.view(NORTH), NORTH).seats[SOUTH].played
    assert played is not None
    assert played.kind == action.card
    assert depict(match.view(NORTH), NORTH).seats[NORTH].played is None


def test_the_end_is_told() -> None:
    t = opened()
    t.turns = [25, 25]
    end_turn(t, NORTH)
    assert t.over is not None
    stage = depict(t, None).stage
    assert (stage.now, stage.words) == (-1, t.over.reason)


def test_a_lobby_is_told_what_size_means_and_who_brings_an_army() -> None:
    words = entry(ruleset, levels("hex-command"))
    assert words.players == tuple(level.name for level in words.levels)
    assert words.size.words == "Points a side"
    fixed = {scenario.id for scenario in words.scenarios if not scenario.takes_armies}
    assert "godfall" in fixed
    assert "free-battle" not in fixed


FIGURES = Path(__file__).parents[3] / "src/caltrop/web/src/table/figures.ts"


def test_every_figure_that_is_named_is_on_the_shelf() -> None:
    shelf = set(re.findall(r'^  "?([a-z-]+)"?: (?:\[|at\()', FIGURES.read_text("utf-8"), re.MULTILINE))
    named = {unit.silhouette for unit in UNITS.values()} | {f for card in CARDS.values() for f in card.picture.figures}
    assert named <= shelf
    assert len({unit.silhouette for unit in UNITS.values()}) == len(UNITS)


def test_a_card_says_how_many_it_orders_where() -> None:
    orders = {card: card_of(BOOK, card).orders for card in CARDS}
    assert orders["probe-left"] == (2, 0, 0)
    assert orders["assault-centre"] == (0, -1, 0)
    assert orders["pincer"] == (2, 0, 2)
    assert orders["direct-command"] == (4,)
    assert orders["god-machines-walk"] == (-1,)
    assert orders["barrage"] == ()
    # Cards with one title differ in their pictures.
    pictures = [(card.title, c.area, c.orders) for card, c in ((CARDS[k], card_of(BOOK, k)) for k in CARDS)]
    assert len(set(pictures)) == len(pictures)


def test_the_deck_lies_face_down_and_the_discards_face_up() -> None:
    t = opened()
    deck, discards = depict(t, SOUTH).piles
    assert (deck.cards, deck.top, deck.lines) == (t.in_deck, None, ())
    assert (discards.cards, discards.top, discards.lines) == (0, None, ())
    for card in ("barrage", "probe-left", "probe-left"):
        t.discards.append(card)
    for side in (SOUTH, NORTH, None):
        deck, discards = depict(redacted(t, side), side).piles
        assert deck.cards == t.in_deck
        assert discards.cards == 3
        assert discards.top == card_of(BOOK, "probe-left")
        assert discards.lines == ("1 Barrage", "2 Probe (left)")
