"""The number of inputs for an act: one gesture if the act can be undone, otherwise a confirmation too.

The same counter serves all games, and confirmations count.
"""

from __future__ import annotations

import re
from math import dist
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.counted import Counted
from tests.web.table import Table

pytestmark = pytest.mark.at_once


def battle_of_tanks(table: Table) -> Counted:
    """Play a first battle of Command Horizon until the person's tanks are near the enemy's; return the person."""
    made = table.page.request.post(
        f"{table.address}/api/games",
        data={"ruleset": "command-horizon", "scenario": "first-battle", "seats": ["person", "person"]},
    ).json()
    sides = [Counted(table, made["game"], seat["token"]) for seat in made["seats"]]
    for _ in range(100):
        views = [one.view() for one in sides]
        side = next(n for n, view in enumerate(views) if view["decisions"])
        asked = views[side]["decisions"][0]
        if asked["kind"] == "Orders":
            groups = views[side]["picture"]["groups"]
            fresh = len(asked["regions"]) == len([g for g in groups if g["side"] == 0 and g["pieces"]])
            if side == 0 and fresh and views[0]["picture"]["stage"]["round"] > 1 and gap(groups) < 1600:
                return sides[0]
            if any(advance(sides[side], region["unit"], groups, side) for region in asked["regions"]):
                continue
        final = [offer for offer in asked["offers"] if offer["final"]]
        sides[side].say({"action": (final or asked["offers"])[-1]["action"]})
    raise AssertionError("the armies do not meet")


def gap(groups: list[dict[str, Any]]) -> float:
    """Return the distance between the first side's Medium Tanks and the nearest enemy, from centre to centre."""
    own = next(g for g in groups if g["side"] == 0 and g["name"] == "Medium Tanks")
    enemies = [piece["at"] for g in groups if g["side"] == 1 for piece in g["pieces"]]
    return min(dist(piece["at"], enemy) for piece in own["pieces"] for enemy in enemies)


def advance(player: Counted, unit: int, groups: list[dict[str, Any]], side: int) -> bool:
    """Return True if a unit of tanks could be moved 20 cm towards the enemy."""
    group = next(g for g in groups if g["id"] == unit)
    if group["name"] not in ("Light Tanks", "Medium Tanks"):
        return False
    x, y = group["pieces"][0]["at"]
    return bool(player.say({"wish": {"unit": unit, "to": [x, y + 2000 * (1 - 2 * side)]}})["type"] == "done")


def test_a_turn_of_two_moves_and_a_shot_takes_five_inputs(table: Table) -> None:
    player = battle_of_tanks(table)
    player.open()
    own = {g["name"]: g["id"] for g in player.view()["picture"]["groups"] if g["side"] == 0}
    for name in ("Infantry Platoon", "Medium Tanks"):
        before = player.place_of(own[name])
        player.drag(own[name], 0, 12)
        assert player.moved(own[name], before), f"one drag moves a unit: {table.page.locator('.prepared').inner_text()}"
    assert player.inputs == 2
    player.click(table.page.locator(".end"))
    assert player.is_asked("Targets")
    target = next(o["target"] for o in player.view()["decisions"][0]["offers"] if o["target"] is not None)
    player.unit(target)
    named = player.until(lambda: any(one["kind"] == "attack" for one in player.view()["picture"]["lines"]))
    assert named, "a target is named by one input"
    expect(table.page.locator(".verdict")).to_be_visible()
    expect(table.page.locator(".end small")).to_be_visible()
    player.click(table.page.locator(".end"))
    assert player.until(lambda: player.question_kind() != "Targets"), "the button has said what it brings"
    assert player.inputs <= 5
    assert table.errors == []


def test_a_turn_of_command_horizon_in_which_all_move_and_fire_takes_eight_inputs(table: Table) -> None:
    """The page selects the next unit that can fire, so that one press on a target is enough."""
    player = battle_of_tanks(table)
    player.open()
    own = [g for g in player.view()["picture"]["groups"] if g["side"] == 0 and "Command" not in g["name"]]
    for group in own:
        before = player.place_of(group["id"])
        player.drag(group["id"], 0, 12)
        player.moved(group["id"], before)
    player.click(table.page.locator(".end"))
    assert player.is_asked("Targets")
    fired: set[int] = set()
    while player.question_kind() == "Targets" and len(fired) < 3:
        offers = [o for o in player.view()["decisions"][0]["offers"] if o["target"] is not None]
        offers = [o for o in offers if o["unit"] not in fired]
        if not offers:
            break
        fired.add(offers[0]["unit"])
        player.unit(offers[0]["target"])
        player.until(lambda: not table.page.locator('.bar[aria-busy="true"]').count())
    assert fired
    player.click(table.page.locator(".end"))
    # While an enemy is selected, the end button shows no result, and ending waits for confirmation.
    if table.may_confirm:
        player.confirm()
    assert player.until(lambda: player.question_kind() != "Targets")
    assert player.inputs <= 8, player.inputs
    assert table.errors == []


def first_to_act(table: Table) -> Counted:
    """Return a first battle of Squad Action in which the person has the first turn."""
    for _ in range(12):
        player = Counted.begin(table, ruleset="squad-action", scenario="first-battle", placed=True)
        for _ in range(40):
            if player.question_kind():
                break
            table.page.wait_for_timeout(100)
        if player.question_kind() != "Orders":
            player.say({"action": player.view()["decisions"][0]["offers"][0]["action"]})
            player.is_asked("Orders")
        enemies = [group for group in player.view()["picture"]["groups"] if group["side"] == 1]
        if player.question_kind() == "Orders" and not any(group["tokens"] for group in enemies):
            return player
    raise AssertionError("the other side had the first turn in twelve games")


def test_a_turn_of_squad_action_takes_eight_inputs(table: Table) -> None:
    """One drag moves a unit twice, two presses put a unit on overwatch, and one drag moves a unit and ends its
    activation.
    """
    player = first_to_act(table)
    player.open()
    first, watcher, last = [g["id"] for g in player.view()["picture"]["groups"] if g["side"] == 0]
    before = player.place_of(first)
    player.drag(first, 0, 260)
    assert player.until(lambda: dist(player.place_of(first), before) > 8 * 254), "one drag is both moves"
    assert player.inputs == 1
    player.unit(watcher)
    player.click(table.page.locator(".orders").get_by_role("button", name="Go on overwatch"))
    assert player.is_asked("LayTokens"), "what there is to lay is asked at once"
    player.click(table.page.locator(".orders").get_by_role("button", name="Fire and Fire"))
    assert player.until(lambda: player.question_kind() == "Orders")
    assert player.inputs == 4, "overwatch is two presses, after its unit is named"
    before = player.place_of(last)
    player.drag(last, 0, 60)
    if player.question_kind() == "Orders":
        player.confirm()
    assert player.moved(last, before)
    if player.question_kind() == "NextAct":
        player.click(table.page.locator(".end"))
        player.settle()
        # If the page knows by then that the unit could still move, it asks once more before it hands over.
        if table.may_confirm:
            player.confirm()
    assert player.until(lambda: player.question_kind() not in ("NextAct", "Orders"))
    assert player.inputs <= 8, player.inputs
    assert table.errors == []


def test_a_shot_is_planned_while_units_move_and_proposed_when_its_step_comes(table: Table) -> None:
    player = battle_of_tanks(table)
    player.open()
    groups = player.view()["picture"]["groups"]
    enemy = min((g for g in groups if g["side"] == 1), key=lambda g: g["pieces"][0]["at"][1])
    end = table.page.locator(".end")
    expect(end).to_have_text(re.compile(r"^End movement\s*On to targets: \d units? can fire\s*$"))
    player.unit(enemy["id"])
    orders = table.page.locator(".orders")
    shot = orders.get_by_role("button", name="Medium Tanks: Fire at")
    expect(shot).to_contain_text("Takes at least one model: ")
    expect(orders.get_by_text(re.compile(r"^Why \d other units? cannot$"))).to_be_visible()
    player.click(shot)
    expect(shot).to_have_attribute("aria-pressed", "true")
    player.click(end)
    assert player.is_asked("Targets")
    expect(table.page.locator(".prepared")).to_contain_text("Fire at")
    expect(table.page.locator(".verdict")).to_be_visible()
    player.confirm()
    assert player.until(lambda: any(one["kind"] == "attack" for one in player.view()["picture"]["lines"]))
    assert player.inputs == 4
    assert table.errors == []


def test_a_round_of_six_fighters_who_all_move_takes_seven_inputs(table: Table) -> None:
    """A fighter's run is over when another fighter is selected."""
    player = Counted.begin(table, ruleset="blade-skirmish", scenario="cut-them-down", placed=True)
    player.open()
    fighters = [group["id"] for group in player.view()["picture"]["groups"] if group["side"] == 0]
    for fighter in fighters:
        before = player.place_of(fighter)
        player.drag(fighter, 0, 40)
        assert player.moved(fighter, before), table.page.locator(".prepared").inner_text()
        assert player.is_asked("RunOn"), "a short drag is a move, and no run"
    expect(table.page.locator(".end small")).to_be_visible()
    player.press("Shift+Enter")
    assert player.inputs == 7
    assert player.until(lambda: player.question_kind() != "RunOn"), "the turn is over"
    assert table.errors == []


def test_a_fighter_moves_and_runs_in_one_drag(table: Table) -> None:
    player = Counted.begin(table, ruleset="blade-skirmish", scenario="cut-them-down", placed=True)
    player.open()
    fighter, other = [group["id"] for group in player.view()["picture"]["groups"] if group["side"] == 0][:2]
    start = player.place_of(fighter)
    player.drag(fighter, 0, 240)
    assert player.until(lambda: player.question_kind() == "NextFighter"), table.page.locator(".prepared").inner_text()
    assert dist(player.place_of(fighter), start) > 1.5 * 4 * 254, "she has moved 4 inches, and run on"
    assert player.inputs == 1
    # Acts are undone one by one, and the run is undone first.
    player.press("Control+z")
    assert player.is_asked("RunOn")
    player.unit(other)
    assert player.is_asked("Move")
    assert player.inputs == 3
    assert table.errors == []


def test_a_drag_beyond_the_move_shows_where_the_run_would_end(table: Table) -> None:
    player = Counted.begin(table, ruleset="blade-skirmish", scenario="cut-them-down", placed=True)
    player.open()
    fighter = next(group["id"] for group in player.view()["picture"]["groups"] if group["side"] == 0)
    x, y = player.on_screen(fighter)
    page = table.page
    page.mouse.move(x, y)
    page.mouse.down()
    legs = page.locator("[data-ghost]")
    page.mouse.move(x, y - 80, steps=4)
    expect(legs).to_have_count(1)
    page.mouse.move(x, y - 230, steps=4)
    expect(legs).to_have_count(2)
    run = page.locator('[data-ghost="onward"]').bounding_box()
    move = page.locator('[data-ghost]:not([data-ghost="onward"])').bounding_box()
    assert run is not None
    assert move is not None
    assert run["y"] + run["height"] / 2 < move["y"], "the run goes on from where the move ends"
    expect(page.locator(".ghost .pill").first).to_contain_text("then")
    page.mouse.up()


def test_who_does_nothing_takes_one_input_and_all_the_others_one_more(table: Table) -> None:
    player = Counted.begin(table, ruleset="blade-skirmish", scenario="cut-them-down", placed=True)
    player.open()
    orders = table.page.locator(".orders")
    player.click(orders.get_by_role("button", name="Maren: Stays"))
    assert player.inputs == 1
    assert player.is_asked("NextFighter")
    expect(table.question).to_contain_text("5 have not gone yet")
    player.click(orders.get_by_role("button", name="Everybody else stays"))
    assert player.inputs == 2
    expect(table.question).to_have_text("Where does Wren run?")
    expect(table.page.locator(".prepared")).to_contain_text("Stay where she is")
    player.confirm()
    assert table.errors == []


def test_a_unit_of_hex_command_is_ordered_by_one_input(table: Table) -> None:
    player = Counted.begin(table, ruleset="hex-command", lesson="orders")
    player.open()
    player.press("2")
    table.settle()
    assert player.is_asked("OrderUnits")
    before = player.inputs

    def may_be_ordered() -> list[int]:
        """Return the units that the player may still order."""
        return [o["unit"] for asked in player.view()["decisions"] for o in asked["offers"] if o["unit"] is not None]

    unit = may_be_ordered()[0]
    player.unit(unit)
    assert player.inputs == before + 1
    assert player.until(lambda: unit not in may_be_ordered())
    assert player.question_kind() == "OrderUnits"


def battle_for_the_centre(table: Table) -> Counted:
    """Return a first battle of Hex Command in which the person has a card that orders two or more units in the
    centre.
    """
    for _ in range(12):
        player = Counted.begin(
            table, ruleset="hex-command", scenario="first-battle", seats=["person", "person"], friendly=True
        )
        cards = player.view()["decisions"][0]["offers"]
        centre = [offer for offer in cards if re.search(r"Attack \(centre\)|Probe \(centre\)", offer["words"])]
        if centre:
            player.say({"action": centre[0]["action"]})
            return player
    raise AssertionError("no such card was dealt in twelve games")


def test_units_of_hex_command_are_ordered_and_moved_by_one_drag_each(table: Table) -> None:
    player = battle_for_the_centre(table)
    player.open()
    named = {group["name"]: group["id"] for group in player.view()["picture"]["groups"] if group["side"] == 0}
    units = [named["1st Line Troops"], named["2nd Line Troops"]]
    before = {unit: player.place_of(unit) for unit in units}
    for unit in units:
        player.drag(unit, -32, 55)
    if player.question_kind() == "OrderUnits":
        player.click(table.page.locator(".end"))
    for unit in units:
        assert player.moved(unit, before[unit]), (
            f"{player.question_kind()}: {table.page.locator('.prepared').inner_text()}"
        )
    assert player.inputs <= 3
    assert table.errors == []


def lone_battle(table: Table) -> Counted:
    """Return a battle of Hex Command in which each unit of the person that may battle has one target."""
    for _ in range(12):
        made = table.page.request.post(
            f"{table.address}/api/games",
            data={"ruleset": "hex-command", "scenario": "first-battle", "seats": ["person", "person"]},
        ).json()
        sides = [Counted(table, made["game"], seat["token"]) for seat in made["seats"]]
        for _ in range(150):
            views = [one.view() for one in sides]
            side = next((n for n, view in enumerate(views) if view["decisions"]), None)
            if side is None:
                break
            offers = views[side]["decisions"][0]["offers"]
            attackers = [offer["unit"] for offer in offers if offer["target"] is not None]
            if side == 0 and attackers and len(attackers) == len(set(attackers)):
                return sides[0]
            ahead = [offer for offer in offers if offer["spot"] is not None and not offer["final"]]
            forward = max(ahead or offers, key=lambda offer: (offer["spot"] or (0, 0))[1] * (1 - 2 * side))
            sides[side].say({"action": forward["action"]})
    raise AssertionError("nobody has one target in twelve games")


def test_a_battle_of_hex_command_against_the_only_target_takes_one_input(table: Table) -> None:
    player = lone_battle(table)
    player.open()
    thrower = table.page.get_by_role("button", name=re.compile("^Confirm: Throw "))
    expect(thrower).to_be_visible()
    expect(table.page.locator(".verdict")).to_contain_text("Takes at least one")
    before = player.view()["act"]
    table.page.wait_for_timeout(600)  # an answer that the page prepared can be confirmed only after a pause
    player.press("Enter")
    assert player.until(lambda: player.view()["act"] > before)
    assert player.inputs == 1
    assert table.errors == []


@pytest.mark.parametrize("always", [False, True])
def test_a_yes_or_no_takes_one_input_and_two_where_everything_is_confirmed(table: Table, always: bool) -> None:
    player = Counted.begin(table, ruleset="command-horizon", scenario="first-battle")
    if always:
        table.page.add_init_script("localStorage['caltrop.confirming'] = 'always'")
    player.open()
    no = table.page.locator(".orders").get_by_role("button", name="Do not concentrate")
    expect(no.or_(table.button("Skip ahead")).first).to_be_visible(timeout=30000)
    if table.button("Skip ahead").is_visible():
        table.button("Skip ahead").click()
    expect(no).to_be_visible(timeout=30000)
    player.click(no)
    if always:
        assert player.question_kind() == "ConcentrateOrNot"
        player.confirm()
    assert player.is_asked("Orders")
    assert player.inputs == 1 + always


def test_casualties_are_removed_by_one_input(table: Table) -> None:
    player = Counted.begin(
        table, ruleset="squad-action", scenario="meeting-engagement", seats=["person", "veteran"], placed=True
    )

    def fallen(view: dict[str, Any]) -> int:
        """Return the number of models to be removed; 0 if another question is asked."""
        asked = [d for d in view["decisions"] if d["kind"] == "WhoFalls"]
        return len(asked[0]["offers"][0]["action"]["models"]) if asked else 0

    def standing(view: dict[str, Any]) -> int:
        return sum(len(group["pieces"]) for group in view["picture"]["groups"] if group["side"] == 0)

    view = player.view()
    for _ in range(600):
        if fallen(view) > 1:
            break
        for asked in view["decisions"][:1]:
            player.say({"action": next((o for o in asked["offers"] if o["final"]), asked["offers"][0])["action"]})
        if not view["decisions"]:
            table.page.wait_for_timeout(50)
        view = player.view()
    lost, models, asked = fallen(view), standing(view), view["decisions"][0]["id"]
    assert lost > 1
    player.open()
    while table.button("Skip ahead").is_visible():
        table.button("Skip ahead").click()
    expect(table.confirm).to_be_enabled()
    table.page.wait_for_timeout(600)  # an answer that the page suggests can be confirmed only after a pause
    player.confirm()
    assert player.until(lambda: asked not in [d["id"] for d in player.view()["decisions"]])
    assert standing(player.view()) <= models - lost
    assert player.inputs == 1


def test_play_now_begins_with_everything_placed(table: Table) -> None:
    page = table.page
    for title in ("Command Horizon", "Hex Command", "Blade Skirmish", "Squad Action"):
        table.open("/")
        page.get_by_role("button", name=re.compile(rf"^Play now \({title}: ")).click()
        page.wait_for_url(re.compile(r"/[\w-]{6,}"))
        expect(table.question).not_to_be_empty()
        game = re.sub(r"[?#].*", "", page.url).rsplit("/", 1)[1]
        picture = page.request.get(f"{table.address}/api/games/{game}").json()["picture"]
        own = [group for group in picture["groups"] if group["side"] == 0]
        assert own, title
        assert all(group["pieces"] for group in own), f"{title}: {[g['name'] for g in own if not g['pieces']]}"
