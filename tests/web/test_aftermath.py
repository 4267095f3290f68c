"""After a battle: remains of units in a recorded file, and a picture of the end to save."""

from __future__ import annotations

import base64
import re
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from caltrop.chance import Seeded
from caltrop.host.frames import frames
from caltrop.journal import ActEntry, Record, Setting, record_of, save
from caltrop.players import players_of
from tests.web.table import Table


def play_battle(game: str, scenario: str, players: int) -> Record:
    """Play a battle between computer players to its end."""
    setting = Setting.chosen(game, None, scenario, (), None, {})
    match = setting.begin(Seeded(4))
    who = ["recruit"] * players
    players_of(match, *who).play()
    return record_of(match, setting, players=who)


@pytest.mark.parametrize(
    ("game", "scenario", "players"),
    [
        ("command-horizon", "first-battle", 2),
        ("blade-skirmish", "cut-them-down", 1),
        ("squad-action", "first-battle", 2),
    ],
)
def test_what_fell_lies_on_the_table_of_a_file_that_is_opened(
    table: Table, tmp_path: Path, game: str, scenario: str, players: int
) -> None:
    record = play_battle(game, scenario, players)
    file = tmp_path / "battle.caltrop.json"
    save(record, file)
    lines = [line for frame in frames(record) for line in frame.lines]
    fell = {one.piece.id for line in lines if line.motion for one in line.motion.fell}
    assert fell
    page = table.page
    table.open("/replay")
    page.get_by_label("Open a file").set_input_files(file)
    line = page.get_by_role("region", name="Timeline")
    locator = page.locator("[data-fallen]")
    expect(line).to_be_visible()
    expect(locator).to_have_count(0)
    # Once the replay is complete, its end shows all remains, and each earlier moment those so far.
    expect(page.get_by_text("The table is drawn as it stood")).to_have_count(0, timeout=30_000)
    page.keyboard.press("End")
    expect(locator).to_have_count(len(fell))
    assert {int(one.get_attribute("data-fallen") or 0) for one in locator.all()} == fell
    # The signs of a moment, as dice or a line of fire, stay while the moment is shown.
    threw = next(i for i, frame in enumerate(frames(record)) if any(line.reading for line in frame.lines))
    line.get_by_label("Moment").fill(str(threw))
    left = page.locator(".happened")
    expect(left.locator(".m-die").first).to_be_attached()
    page.keyboard.press("Home")
    expect(left).to_have_count(0)
    # A new game can begin from any of its moments, with a person on the side that was asked.
    line.get_by_label("Moment").fill(str(threw - 1))
    table.button("Play on from here").click()
    expect(page).to_have_url(re.compile(r"/[a-z0-9]{12}$"), timeout=30_000)
    expect(table.question).to_be_visible()
    assert table.errors == []


def test_a_record_that_is_not_what_was_played_is_called_so(table: Table, tmp_path: Path) -> None:
    record = play_battle("command-horizon", "first-battle", 2)
    act = next(n for n, entry in enumerate(record.entries) if isinstance(entry, ActEntry))
    entries = [*record.entries]
    entries[act] = msgspec.structs.replace(entries[act], digest="0" * 16)
    page = table.page
    for name, changed, words in (
        ("as-played", record, None),
        (
            "other-dice",
            msgspec.structs.replace(record, entries=tuple(entries)),
            "This record is damaged, or was changed: ",
        ),
        ("nowhere", msgspec.structs.replace(record, scenario="nowhere"), "It could not be replayed: .*nowhere"),
    ):
        file = tmp_path / f"{name}.caltrop.json"
        save(changed, file)
        table.open("/replay")
        with page.expect_response(lambda answer: "/api/verify" in answer.url or answer.status >= 400, timeout=30_000):
            page.get_by_label("Open a file").set_input_files(file)
        expect(page.get_by_role("region", name="Timeline")).to_be_visible()
        doubt = page.get_by_role("status").filter(has_text=re.compile("damaged|could not"))
        expect(doubt).to_have_count(0 if words is None else 1)
        if words is not None:
            expect(doubt).to_have_text(re.compile(words))


@pytest.mark.parametrize("game", ["command-horizon", "hex-command", "blade-skirmish", "squad-action"])
@pytest.mark.painted
def test_the_end_is_saved_as_a_picture_and_shared_as_a_link(table: Table, game: str) -> None:
    page, request = table.page, table.page.request
    scenario = "cut-them-down" if game == "blade-skirmish" else "first-battle"
    seats = ["person"] * (1 if game == "blade-skirmish" else 2)
    expected = {"ruleset": game, "scenario": scenario, "seats": seats, "placed": True}
    made = request.post(table.address + "/api/games", data=expected).json()
    bearer = {"Authorization": f"Bearer {made['seats'][0]['token']}"}
    words = request.post(f"{table.address}/api/games/{made['game']}/messages", data={"type": "resign"}, headers=bearer)
    assert words.ok, words.text()
    table.open(f"/end/{made['game']}")
    small = page.get_by_role("img", name="The table as it stood at the end")
    expect(small).to_be_visible()
    page.locator("canvas.done, svg [data-painted]").first.wait_for(state="attached")
    with page.expect_download() as saved:
        table.button("Save picture").click()
    assert saved.value.suggested_filename == f"caltrop-{made['game']}.png"
    # The picture has words on the left, and on the right a painted table with pieces of both sides.
    text = base64.b64encode(Path(saved.value.path()).read_bytes()).decode()
    wide, high, light, tones, *sides = page.evaluate(
        """async (text) => {
          const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
          const found = await createImageBitmap(new Blob([bytes]));
          const canvas = new OffscreenCanvas(found.width, found.height);
          const pen = canvas.getContext("2d");
          pen.drawImage(found, 0, 0);
          const { data } = pen.getImageData(0, 0, found.width, found.height);
          let [light, a, b] = [0, 0, 0];
          const tones = new Set();
          const near = (i, rgb) => rgb.every((n, j) => Math.abs(n - data[i + j]) < 24);
          for (let i = 0; i < data.length; i += 4) {
            if ((i / 4) % found.width < 480) light += data[i] > 240 && data[i + 1] > 240;
            else {
              tones.add((data[i] >> 3) * 1024 + (data[i + 1] >> 3) * 32 + (data[i + 2] >> 3));
              a += near(i, [31, 90, 153]);
              b += near(i, [178, 58, 27]);
            }
          }
          return [found.width, found.height, light, tones.size, a, b];
        }""",
        text,
    )
    assert (wide, high) == (1200, 630)
    assert light > 1000, "no words"
    assert tones > 300, "no painted table"
    assert min(sides) > 20, "not the pieces of both sides"
    table.button("Share").click()
    expect(page.get_by_role("status").filter(has_text="replay")).to_be_visible()
    assert table.errors == []


def test_an_explanation_leads_back_to_where_it_turned_and_on_from_there(table: Table) -> None:
    page, request = table.page, table.page.request
    made = request.post(table.address + "/api/games", data={"ruleset": "duel", "seats": ["person", "person"]}).json()
    secrets = [seat["token"] for seat in made["seats"]]
    table.open(f"/{made['game']}#0={secrets[0]}&1={secrets[1]}")
    expect(table.question).to_be_visible()
    bearer = {"Authorization": "Bearer " + ",".join(secrets)}
    for side in (0, 1):
        view = request.get(f"{table.address}/api/games/{made['game']}?eyes={side}", headers=bearer).json()
        stake = {"decision": view["decisions"][0]["id"], "action": {"type": "Stake", "points": 2 - side}}
        assert request.post(f"{table.address}/api/games/{made['game']}/messages", data=stake, headers=bearer).ok
    gives_up = {"type": "resign", "side": 0}
    assert request.post(f"{table.address}/api/games/{made['game']}/messages", data=gives_up, headers=bearer).ok
    table.open(f"/end/{made['game']}")
    table.button("Explain this battle").click()
    turn = page.get_by_role("listitem").filter(has_text="gives up")
    expect(turn).to_be_visible(timeout=60_000)
    expect(turn).to_contain_text("Better: play on")
    # Labels are wholly within the chart, and the numbers in them link to their moments.
    label = page.locator("svg text", has_text="100 %").first
    assert label.evaluate("(one) => one.getBBox().x") >= 0
    page.locator("svg a", has_text="1").first.click()
    expect(page).to_have_url(re.compile(rf"/{made['game']}\?at=\d+$"))
    page.go_back()
    turn.get_by_role("link").click()
    expect(page.get_by_role("heading", name="Moment 2 of")).to_be_visible()
    page.go_back()
    turn.get_by_role("button", name="Play on from here").click()
    expect(page).not_to_have_url(re.compile(made["game"]))
    expect(page).to_have_url(re.compile(r"/[a-z0-9]{12}$"))
    expect(table.question).to_be_visible()
    expect(table.log).to_contain_text("The game continues from here with other dice")
    assert table.errors == []


def test_an_explanation_judges_every_decision_of_people_and_every_roll(table: Table) -> None:
    """Only decisions of people and rolls are judged, not decisions of the computer. A roll links to its moment."""
    page, request = table.page, table.page.request
    expected = {"ruleset": "duel", "seats": ["person", "random"]}
    until = time.monotonic() + 60
    while True:
        made = request.post(table.address + "/api/games", data=expected).json()
        (token,) = [seat["token"] for seat in made["seats"] if seat["token"]]
        bearer = {"Authorization": f"Bearer {token}"}
        path = f"{table.address}/api/games/{made['game']}"
        while (view := request.get(path, headers=bearer).json())["over"] is None:
            assert time.monotonic() < until
            if not view["decisions"]:
                continue
            (asked,) = view["decisions"]
            strikes = [offer for offer in asked["offers"] if offer["target"] is not None]
            answer = {"decision": asked["id"], "action": (strikes or asked["offers"])[-1]["action"]}
            assert request.post(f"{path}/messages", data=answer, headers=bearer).ok
        if sum(one["rolls"] for one in view["luck"]) > 1:
            break  # some duels end before the dice have decided much
    table.open(f"/{made['game']}#0={token}")
    table.open(f"/end/{made['game']}")
    page.get_by_role("button", name=re.compile("xplain this battle")).click()
    decisions = page.get_by_role("region", name=re.compile("Decisions of"))
    expect(decisions).to_be_visible(timeout=60_000)
    expect(table.button("Stop")).to_have_count(0, timeout=60_000)
    expect(decisions).to_have_count(1)  # the computer's decisions are not judged
    expect(decisions).to_contain_text(re.compile(r"\d+ decisions looked at, \d+ could have been better"))
    dice = page.get_by_role("region", name="The dice that changed most")
    expect(dice.get_by_role("listitem").first).to_contain_text(
        re.compile(r"\d+ % with these dice, \d+ %\s+on average; dice as (good|bad) as these come up in")
    )
    assert not table.is_wide()
    dice.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile(rf"/{made['game']}\?at=\d+$"))
    assert table.errors == []


def test_an_explanation_shows_games_played_on_from_rounds_and_from_better_answers(table: Table) -> None:
    """The page gets a prepared analysis, because computing one takes minutes."""
    page, request = table.page, table.page.request
    made = request.post(table.address + "/api/games", data={"ruleset": "duel", "seats": ["person", "random"]}).json()
    (token,) = [seat["token"] for seat in made["seats"] if seat["token"]]
    path = f"{table.address}/api/games/{made['game']}"
    assert request.post(f"{path}/messages", data={"type": "resign"}, headers={"Authorization": f"Bearer {token}"}).ok

    def act(number: int, cost: float) -> dict[str, Any]:
        trial = {"games": 48, "better": 0.75, "given": 0.5}
        games = "won 75 % of 48 games played on from here, the given answer 50 %"
        better = {"words": "Hold back: it is safer", "chance": 0.6, "trial": trial, "games": games} if cost else None
        words = {"words": f"Thrust {number}", "play": -cost, "luck": 0, "error": 0}
        worth = {"average": 0.5, "after": 0.5, "likely": None, "roll": ""}
        return {"act": number, "side": 0, **words, **worth, "judged": {"cost": cost, "better": better}}

    analysis = {
        "ruleset": "duel",
        "sides": ["A", "B"],
        "chances": [{"act": n - 1, "chance": [0.5 - n / 20, 0.5 + n / 20]} for n in range(11)],
        "luck": [0, 0],
        "play": [-0.5, 0.5],
        "turning": [
            {
                "act": 4,
                "side": 0,
                "words": "Thrust 4",
                "before": 0.3,
                "after": 0.2,
                "better": None,
                "change": "A: 30 % to 20 %",
            }
        ],
        "summary": ["B wins", "It turned most in round 2", "The dice were even"],
        "courses": ["A: 50 % at first", "B: 50 % at first"],
        "verdicts": ["10 decisions looked at, 1 could have been better", ""],
        "acts": [act(n, 0.08 if n == 4 else 0) for n in range(10)],
        "played": [
            {"act": -1, "round": 1, "games": 24, "chance": [0.25, 0.75], "error": 0.09},
            {"act": 5, "round": 2, "games": 24, "chance": [0, 1], "error": 0.04},
        ],
    }
    answer = {"stage": "done", "done": 1, "of": 1, "words": "", "analysis": analysis}
    page.route(re.compile(r"/analysis$"), lambda route: route.fulfill(json=answer))
    table.open(f"/{made['game']}#0={token}")
    expect(table.log).to_be_visible()
    table.open(f"/end/{made['game']}")
    expect(page.get_by_text("Results of up to 24 games that veterans continued from there")).to_be_visible()
    # First come the three sentences, then the turning points, and then the curve.
    graph = page.get_by_role("img", name="50 % at first, 0 % at last")
    order = [page.get_by_text("It turned most in round 2"), page.get_by_text("A: 30 % to 20 %"), graph]
    boxes = [one.bounding_box() for one in order]
    heights = [box["y"] for box in boxes if box]
    assert len(heights) == len(order)
    assert heights == sorted(heights)
    expect(graph.locator("circle.played")).to_have_count(2)
    expect(graph.get_by_text("won 25 % of 24 games from here")).to_be_attached()
    # The confidence interval lies within the chart, and the rounds are numbered.
    box, ends = graph.bounding_box(), graph.locator("path.interval").last.bounding_box()
    assert box
    assert ends
    assert box["y"] <= ends["y"] <= ends["y"] + ends["height"] <= box["y"] + box["height"]
    decisions = page.get_by_role("region", name=re.compile("^Decisions of"))
    expect(decisions).to_contain_text("10 decisions looked at, 1 could have been better")
    expect(decisions).to_contain_text("Hold back: it is safer (won 75 % of 48 games played on from here")
    assert table.errors == []


def test_turning_points_move_the_slider_of_a_replay(table: Table) -> None:
    """The explanation of a battle that was worked out before stands beside its replay."""
    page, request = table.page, table.page.request
    made = request.post(table.address + "/api/games", data={"ruleset": "duel", "seats": ["random", "random"]}).json()
    path = f"{table.address}/api/games/{made['game']}"
    until = time.monotonic() + 60
    while request.get(path).json()["over"] is None:
        assert time.monotonic() < until
    asked = request.post(f"{path}/analysis", data={})
    assert asked.ok, asked.text()
    while (explained := request.get(f"{path}/analysis").json())["stage"] in ("waiting", "working"):
        assert time.monotonic() < until
        time.sleep(0.2)
    analysis = explained["analysis"]
    table.open(f"/replay/{made['game']}")
    why = page.get_by_role("region", name="Why it was won")
    for line in analysis["summary"]:
        expect(why.get_by_role("listitem").filter(has_text=line).first).to_be_visible()
    points = why.get_by_role("list", name="Turning points")
    points.get_by_role("button").last.click()
    slider = page.get_by_role("slider", name="Moment")
    expect(slider).not_to_have_value("0")
    assert int(slider.input_value()) > analysis["turning"][-1]["act"]
    assert table.errors == []
