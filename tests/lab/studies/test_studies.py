"""Studies: their games, their continuation after a kill, and the meaning of their results."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import msgspec
import pytest

from caltrop import InputError
from caltrop.cli import main
from caltrop.engine import ruleset
from caltrop.journal import verify
from caltrop.lab.series import SeriesOrder, play_game
from caltrop.lab.studies import Study, read_study, running
from caltrop.lab.studies.executors import Here, LostTooOften, Processes, executor
from caltrop.lab.studies.figures import Estimate, Figures, figures_of
from caltrop.lab.studies.page import forest, page, with_figures
from caltrop.lab.studies.playing import GameRow, play_row, recorded
from caltrop.lab.studies.running import Folder, StudyProgress, run
from tests.lab.studies.falling import falls

PRICE = """\
format: caltrop-study
title: The price of a parry
ruleset: duel
vary:
  scenario: [bridge, crossroads]
  rules:
    parry.price: [0, 3]
games: 6
seed: 4
looks: 2
clauses: true
"""


EVERY_RULE = {switch.name: switch.values for switch in ruleset("squad-action").switches if len(switch.values or ()) > 1}


SHIPPED = sorted(Path(__file__).parents[3].glob("docs/*/*.yaml"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "price.yaml"
    path.write_text(PRICE, encoding="utf-8")
    return path


def changed(file: Path, *lines: str) -> Path:
    """Return the study with other lines instead of those that begin with the same words."""
    words = tuple(line.partition(":")[0] + ":" for line in lines)
    rest = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith(words)]
    file.write_text("\n".join([*rest, *lines]) + "\n", encoding="utf-8")
    return file


class Cut(Here):
    """Plays in this process, and stops after some pieces of work as if it were killed."""

    def __init__(self, pieces: int) -> None:
        self.pieces = pieces
        self.given: list[int] = []

    def done(self, do: Callable[..., Any], pieces: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        for piece in pieces:
            if self.pieces == 0:
                raise KeyboardInterrupt
            self.pieces -= 1
            self.given += piece[2]
            yield do(*piece)


def without_clock(figures: Figures) -> Any:
    return msgspec.to_builtins(figures)


# --- which games ------------------------------------------------------------------------------------------------------


def test_a_grid_has_every_combination_and_its_games_are_played_by_turns() -> None:
    study = read_study(PRICE)
    assert (study.cells, study.total) == (4, 24)
    levels = [study.levels(cell) for cell in range(4)]
    assert levels == [
        {"scenario": s, "rules.parry.price": p}
        for s, p in (("bridge", 0), ("bridge", 3), ("crossroads", 0), ("crossroads", 3))
    ]
    assert [study.cell_of(index) for index in (0, 1, 3, 4, 23)] == [(0, 0), (1, 0), (3, 0), (0, 1), (3, 5)]
    assert study.order(3).setting.scenario == "crossroads"
    assert study.order(3).setting.rules["parry.price"] == 3
    assert [study.look_at(look) for look in (1, 2)] == [12, 24]
    assert [study.looked_at(played) for played in (0, 11, 12, 23, 24)] == [0, 0, 1, 1, 2]


def test_dice_are_common_to_all_settings_or_each_setting_has_its_own() -> None:
    common, own = read_study(PRICE), read_study(PRICE + "common_dice: false\n")
    assert {common.order(cell).seed for cell in range(4)} == {4}
    assert len({own.order(cell).seed for cell in range(4)}) == 4


@pytest.mark.parametrize("swap", [True, False])
def test_a_random_design_has_every_level_equally_often_and_draws_factors_apart(swap: bool) -> None:
    study = read_study(f"{PRICE}design: random\nswap: {str(swap).lower()}\n".replace("games: 6", "games: 480"))
    assert study.total == 480
    drawn = [study.cell_of(index)[0] for index in range(480)]
    for factor, levels in study.factors.items():
        count = Counter(study.levels(cell)[factor] for cell in drawn)
        assert {count[level] for level in levels} == {240}
    cells = Counter(str(study.levels(cell)) for cell in drawn)
    assert len(cells) == 4
    assert all(90 < count < 150 for count in cells.values())
    assert [study.cell_of(index)[1] for index in range(4)] == [0, 1, 2, 3]
    if swap:  # the two seats of a pair have the same levels
        assert all(drawn[n] == drawn[n + 1] for n in range(0, 480, 2))


def test_a_random_design_has_any_number_of_factors(file: Path, tmp_path: Path) -> None:
    """The number of settings is too large for a table."""
    rules = ", ".join([f"{name}: [{', '.join(map(repr, values))}]" for name, values in EVERY_RULE.items()])
    study = read_study(
        "format: caltrop-study\ntitle: All\nruleset: squad-action\ndesign: random\ngames: 2\n"
        f"vary: {{rules: {{{rules}}}}}\n"
    )
    assert study.cells > 2**31
    file.write_text(PRICE.replace("  scenario", "  edition: [current, sharp]\n  scenario") + "design: random\n")
    figures = run(file, Folder(tmp_path / "kept"), Here())
    assert (figures.state, figures.games, len(figures.effects)) == ("done", 6, 3)
    rows = list(Folder(tmp_path / "kept").rows())
    assert max(row.cell for row in rows) == 2
    assert play_row(msgspec.json.encode(study), 1).cell == 0


@pytest.mark.parametrize("study", SHIPPED, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_study_of_the_documentation_can_be_run(study: Path) -> None:
    read = read_study(study)
    act = "points" if read.design == "drawn" else "run"
    assert f"caltrop study {act} docs/{study.parent.name}/{study.name} --output FOLDER" in study.read_text()
    assert read.total > 0
    assert all(read.order(cell).setting.ruleset == read.ruleset for cell in {0, read.cells - 1})


def test_a_list_has_its_cases() -> None:
    study = read_study(
        """\
format: caltrop-study
title: Cases
ruleset: duel
rules: {parry.price: 1}
design: list
cases:
  - {name: as it is}
  - {name: dear, rules: {parry.price: 3}, scenario: marsh, players: [random, random]}
games: 2
"""
    )
    assert study.cells == 2
    assert [study.order(cell).setting.rules["parry.price"] for cell in (0, 1)] == [1, 3]
    assert [study.order(cell).setting.scenario for cell in (0, 1)] == ["crossroads", "marsh"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("ruleset: dule",), "did you mean duel"),
        (("seeds: 3",), r":\d+:\d+: seeds: there is no such key; did you mean 'seed'"),
        (("vary: {scenario: [bridge, brigde]}",), r"vary.scenario\[1\]: .*bridge"),
        (("vary: {rules: {parry.prize: [0, 1]}}",), "parry.price"),
        (("vary: {scenario: [bridge, bridge]}",), "listed twice"),
        (("players: [random]",), "two players; this study has 1"),
        (("players: [random, nobody]",), "nobody"),
        (("design: list",), "lists its settings"),
        (("cases: [{name: one}]",), "and no cases"),
        (("games: 0",), "nearest right value is 1"),
        (("precise: 2.0",), "between 0 and 1"),
        (("design: random", "vary: {}"), "nothing to vary"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_place(file: Path, lines: tuple[str, ...], words: str) -> None:
    if lines[-1].startswith("vary"):
        file.write_text(PRICE.replace("  scenario: [bridge, crossroads]\n  rules:\n    parry.price: [0, 3]\n", ""))
    with pytest.raises(InputError, match=words) as caught:
        read_study(changed(file, *lines))
    assert caught.value.line is not None


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("armies: [ashen-horde, ashen-hord]", "6:23: armies[1]"),
        ("players: [random, recrut]", "6:19: players[1]"),
        ("vary: {armies: [[granite-guard, ashen-horde], [iron-concord, ashen-hord]]}", "6:62: vary.armies[1][1]"),
        ("rules: {hand.size: 3}", "6:9: rules.hand.size"),
        ("rules: {hand_size: many}", "6:9: rules.hand_size"),
        ("scenario: fist-battle", "6:1: scenario"),
        ("players: [random]", "6:1: players"),
        ("vary: {players: [[random, random], [random]]}", "6:36: vary.players[1]"),
        ("armies: [ashen-horde, ashen-horde]\nsize: 99", "7:1: size"),
    ],
)
def test_a_wrong_name_is_where_the_fault_is_said_to_be(tmp_path: Path, line: str, place: str) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(f"format: caltrop-study\ntitle: T\nruleset: hex-command\ngames: 2\nseed: 3\n{line}\n", "utf-8")
    with pytest.raises(InputError) as caught:
        read_study(file)
    assert str(caught.value).startswith(f"{file}:{place}: ")


# --- playing, stopping, continuing
# --------------------------------------------------------------------------------------


def test_a_study_is_the_same_for_any_number_of_workers_and_however_often_it_is_stopped(
    file: Path, tmp_path: Path
) -> None:
    steps: list[StudyProgress] = []
    whole = run(file, Folder(tmp_path / "whole"), Here(), steps.append)
    assert (whole.state, whole.played, whole.games, whole.looks) == ("done", 24, 24, 2)
    assert [one.played for one in steps] == sorted({one.played for one in steps})
    assert steps[-1].played == 24
    shared = run(file, Folder(tmp_path / "shared"), executor("processes", 2))
    assert without_clock(shared) == without_clock(whole)

    folder = Folder(tmp_path / "stopped")
    given: list[int] = []
    stopped = whole
    for pieces in (5, 4, 100):
        on = Cut(pieces)
        try:
            stopped = run(file, folder, on)
        except KeyboardInterrupt:
            with (folder / running.RESULTS).open("ab") as stream:
                stream.write(b'{"game": 23, "cell"')  # part of a line, as a kill may leave
        given += on.given
    assert without_clock(stopped) == without_clock(whole)
    assert sorted(given) == list(range(24)), "no game is played twice"
    rows = [sorted(row.game for row in Folder(tmp_path / name).rows()) for name in ("whole", "shared", "stopped")]
    assert rows == [list(range(24))] * 3
    tables = [
        duckdb.execute("SELECT * FROM read_parquet(?)", [str(tmp_path / name / running.TABLE)]).fetchall()
        for name in ("whole", "shared", "stopped")
    ]
    assert tables[0] == tables[1] == tables[2]

    again = Cut(0)
    assert without_clock(run(file, folder, again)) == without_clock(whole)
    assert again.given == []


FIRM = """\
format: caltrop-pack
ruleset: duel
id: firm
title: Firm
rows: {terrain: {mud: {going: {walker: {factor: 6}}}}}
"""


@pytest.fixture
def packed(file: Path) -> Path:
    """Return the study with a pack as a level that is compared with the printed values."""
    (file.parent / "firm.yaml").write_text(FIRM, encoding="utf-8")
    text = file.read_text(encoding="utf-8").replace("parry.price: [0, 3]", "parry.price: [1]")
    text = text.replace("bridge, crossroads", "marsh").replace("vary:", "vary:\n  pack: [none, firm.yaml]")
    file.write_text(text, encoding="utf-8")
    return file


def test_a_study_compares_packs_and_keeps_what_they_say(packed: Path, tmp_path: Path) -> None:
    folder = Folder(tmp_path / "out")
    figures = run(packed, folder, Here())
    assert [cell.levels["pack"] for cell in figures.cells] == ["none", "firm.yaml"]
    rows = sorted(folder.rows(), key=lambda row: row.game)
    assert [str(row.rules.get("pack", "")).partition("@")[0] for row in rows[:2]] == ["", "firm"]
    assert {row.digest for row in rows[::2]} != {row.digest for row in rows[1::2]}
    # The folder stores the contents of the pack: the study can be read without its file.
    (packed.parent / "firm.yaml").unlink()
    assert folder.study().packs["firm.yaml"].id == "firm"
    assert verify(recorded(rows[1])).same


def test_a_pack_of_the_command_line_is_laid_over_all_battles(
    packed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack, plain = packed.parent / "firm.yaml", tmp_path / "plain.yaml"
    plain.write_text(packed.read_text(encoding="utf-8").replace("vary:\n  pack: [none, firm.yaml]", "vary:"))
    assert "pack" not in plain.read_text(encoding="utf-8")
    folder = Folder(tmp_path / "out")
    assert main(["study", "run", str(plain), "--output", str(folder.path), "--pack", str(pack)]) == 0, (
        capsys.readouterr()
    )
    assert {str(row.rules.get("pack", "")).partition("@")[0] for row in folder.rows()} == {"firm"}
    # The study continues without the file of its pack, and differs from a study without the pack.
    text = pack.read_text(encoding="utf-8")
    pack.unlink()
    assert folder.study().packs[str(pack)].id == "firm"
    assert main(["study", "run", str(plain), "--output", str(folder.path)]) == 1
    pack.write_text(text, encoding="utf-8")
    assert main(["study", "run", str(plain), "--output", str(folder.path), "--pack", str(pack)]) == 0
    capsys.readouterr()
    assert main(["study", "run", str(packed), "--output", str(tmp_path / "two"), "--pack", str(pack)]) == 1
    assert "the study names packs itself" in capsys.readouterr().err
    assert main(["study", "report", str(folder.path), "--pack", str(pack)]) == 2


def test_a_pack_that_was_changed_makes_another_study(packed: Path, tmp_path: Path) -> None:
    run(packed, Folder(tmp_path / "out"), Here())
    (packed.parent / "firm.yaml").write_text(FIRM.replace("factor: 6", "factor: 5"), encoding="utf-8")
    with pytest.raises(InputError, match="another study is in this folder"):
        run(packed, Folder(tmp_path / "out"), Here())


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("missing.yaml", r"vary.pack\[1\]: the file cannot be read"),
        ("nowhere", r"vary.pack\[1\]: there is no pack 'nowhere' here"),
    ],
)
def test_a_pack_that_is_not_there_is_named_with_its_place(packed: Path, words: str, complaint: str) -> None:
    packed.write_text(packed.read_text(encoding="utf-8").replace("firm.yaml", words), encoding="utf-8")
    with pytest.raises(InputError, match=complaint):
        read_study(packed)


def test_figures_are_of_looks_alone(file: Path, tmp_path: Path) -> None:
    folder = Folder(tmp_path / "kept")
    with pytest.raises(KeyboardInterrupt):
        run(file, folder, Cut(5))
    early = running.report(folder)
    assert (early.looks, early.games, early.played, early.cells[0].games) == (0, 0, 5, 0)
    assert "before the first look, after 12 games" in early.open[0]
    with pytest.raises(KeyboardInterrupt):
        run(file, folder, Cut(10))
    middle = running.report(folder)
    assert (middle.looks, middle.games, middle.played) == (1, 12, 15)
    assert [cell.games for cell in middle.cells] == [3, 3, 3, 3]
    assert middle.level == pytest.approx(0.975)


def test_a_budget_stops_a_study_and_a_larger_one_goes_on(file: Path, tmp_path: Path) -> None:
    whole = run(file, Folder(tmp_path / "whole"), Here())
    folder = Folder(tmp_path / "kept")
    little = run(changed(file, "budget: {games: 14}"), folder, Here())
    assert (little.state, little.played, little.total, little.looks, little.games) == ("stopped", 14, 14, 1, 12)
    late = run(changed(file, "budget: {minutes: 0.0}"), Folder(tmp_path / "late"), Here())
    assert (late.state, late.played, late.looks) == ("stopped", 0, 0)
    assert without_clock(run(changed(file, "budget: {minutes: 60.0}"), folder, Here())) == without_clock(whole)


def test_a_study_that_is_precise_enough_stops_at_a_look(file: Path, tmp_path: Path) -> None:
    wide = run(changed(file, "precise: 0.6"), Folder(tmp_path / "wide"), Here())
    assert (wide.state, wide.looks, wide.played) == ("precise enough", 1, 12)
    narrow = run(changed(file, "precise: 0.01"), Folder(tmp_path / "narrow"), Here())
    assert (narrow.state, narrow.looks, narrow.played) == ("done", 2, 24)


def test_a_folder_is_of_one_study_and_of_one_set_of_rules_and_of_one_run(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(tmp_path / "kept")
    run(file, folder, Here())
    with folder.alone(), pytest.raises(InputError, match="being run already"):
        run(file, folder, Here())
    monkeypatch.setattr("caltrop.lab.studies.running.rules_of", lambda study: "others")
    with pytest.raises(InputError, match="another version of Caltrop"):
        run(file, folder, Here())
    with pytest.raises(InputError, match="another version of Caltrop"):
        run(file, Folder(tmp_path / "new"), Here())  # the worker has other rules than the study names
    monkeypatch.undo()
    with pytest.raises(InputError, match="another study is in this folder"):
        run(changed(file, "seed: 5"), folder, Here())
    with pytest.raises(InputError, match="not a folder of a study"):
        running.report(Folder(tmp_path))


class Clumsy:
    """A player that fails in its third decision."""

    asked = 0

    def decide(self, decision: Any, view: Any, dice: Any, budget: Any = None) -> Any:
        Clumsy.asked += 1
        if Clumsy.asked > 2:
            raise RuntimeError("it has dropped its blade")
        return decision.options(view).sample(dice)


def test_a_game_that_goes_wrong_ends_the_run_with_its_journal(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(file, f"players: [random, '{__name__}:Clumsy']")
    assert main(["study", "run", str(file), "--output", str(tmp_path / "kept")]) == 1
    assert "it has dropped its blade" in capsys.readouterr().err
    assert (tmp_path / "kept" / "failed-0.caltrop.json").exists()


def test_work_whose_worker_is_lost_is_given_out_again(tmp_path: Path) -> None:
    result = Processes(2).done(falls, [(str(tmp_path), number, 1) for number in range(6)])
    assert sorted(result) == [0, 1, 4, 9, 16, 25]


def test_work_that_loses_every_worker_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caltrop.lab.studies.executors.TRIES", 2)
    with pytest.raises(LostTooOften):
        list(Processes(1).done(falls, [(str(tmp_path), 2, 99)]))


# --- rows -------------------------------------------------------------------------------------------------------------


def test_a_row_says_what_came_of_its_game_and_the_game_can_be_played_again(file: Path) -> None:
    study = read_study(file)
    text = msgspec.json.encode(study)
    swapped = 0
    for index in (0, 5, 6, 22):
        row = play_row(text, index)
        cell, number = study.cell_of(index)
        result = play_game(study.order(cell), number)
        assert (row.winner, row.rounds, row.digest) == (result.winner, result.rounds, result.digest.hex())
        assert (row.cell, row.number, row.swapped) == (cell, number, number % 2 == 1)
        swapped += row.swapped
        record = recorded(row)
        verify(record)
        assert record.outcome is not None
        assert record.outcome.winner == row.side
        assert record.scenario == row.scenario == row.levels["scenario"]
        assert row.names == ("Ash", "Briar")
        assert row.winner_name == (None if row.side is None else row.names[row.side])
        assert {row.first_name, row.second_name} == {"Ash", "Briar"}
        assert any(clause.startswith("DU-") for clause in row.clauses)
    assert 0 < swapped < 4


# --- figures ----------------------------------------------------------------------------------------------------------


def a_row(study: Study, index: int, side: int | None, rounds: int = 5) -> GameRow:
    """Return a row of results with only the fields that the figures use."""
    cell, number = study.cell_of(index)
    levels = {name: str(level) for name, level in study.levels(cell).items()}
    swapped = study.swap and number % 2 == 1
    return GameRow(
        game=index, cell=cell, number=number, levels=levels, ruleset="duel", edition="current", scenario="bridge",
        armies=(), size=None, rules={}, players=("random", "random"), seed="", swapped=swapped,
        winner=None if side is None else side ^ swapped, side=side, winner_name=None, first=0, first_name=None,
        second_name=None, names=("Ash", "Briar"), rounds=rounds, decisions=1, rolls=1, points=(), reason="",
        lost=(), clauses=(), digest=f"{index:032x}",
    )  # fmt: skip


def drawn(study: Study, dice: random.Random, chance: Callable[[dict[str, Any]], float]) -> list[GameRow]:
    rows = []
    for index in range(study.total):
        levels = study.levels(study.cell_of(index)[0])
        rows.append(a_row(study, index, int(dice.random() >= chance(levels))))
    return rows


def test_ends_of_games_are_counted_whatever_their_numbers() -> None:
    study = read_study(PRICE)
    rows = [
        msgspec.structs.replace(a_row(study, index, 0), reason=f"Ash wins by {index + 8} points to {index}")
        for index in range(3)
    ]
    assert figures_of(study, rows, 2, "done", "", 24).endings == {"Ash wins by … points to …": 3}


def test_an_effect_is_found_where_there_is_one_and_its_size_is_in_the_interval() -> None:
    study = read_study(PRICE.replace("games: 6", "games: 2000") + "design: random\n")
    rows = drawn(study, random.Random(1), lambda levels: 0.5 + 0.15 * (levels["rules.parry.price"] == 3))
    figures = figures_of(study, rows, 2, "done", "", len(rows))
    scenario, price = figures.effects
    assert (scenario.factor, price.factor) == ("scenario", "rules.parry.price")
    assert price.clear
    assert price.p < 0.001
    assert price.share.low < 0.15 < price.share.high
    assert not scenario.clear
    assert any("scenario crossroads against bridge" in words for words in figures.open)
    assert not any("parry.price" in words for words in figures.open)
    other = figures_of(study, reversed(rows), 2, "done", "", len(rows))
    assert without_clock(other) == without_clock(figures), "rows may come in any order"


def test_where_nothing_differs_looking_often_at_many_effects_misleads_at_most_one_time_in_twenty() -> None:
    study = read_study(PRICE.replace("games: 6", "games: 100").replace("looks: 2", "looks: 4") + "design: random\n")
    dice, misled, tries = random.Random(7), 0, 100
    for _ in range(tries):
        rows = drawn(study, dice, lambda levels: 0.5)
        looks = [figures_of(study, rows, look, "", "", 0) for look in range(1, 5)]
        misled += any(effect.clear for figures in looks for effect in figures.effects)
    assert misled <= 0.05 * tries + 2 * (0.05 * 0.95 * tries) ** 0.5


def test_games_of_equal_dice_are_compared_in_pairs() -> None:
    """Pairs of games show a small effect even if the dice decide nearly everything. Independent games would not."""
    text = PRICE.replace("games: 6", "games: 300").replace("looks: 2", "looks: 1")
    paired, apart = read_study(text), read_study(text + "common_dice: false\n")
    dice = random.Random(3)
    luck = [dice.random() for _ in range(300)]
    result = []
    for study in (paired, apart):
        rows = []
        for index in range(study.total):
            cell, number = study.cell_of(index)
            better = 0.05 * (study.levels(cell)["rules.parry.price"] == 3)
            rows.append(a_row(study, index, int(luck[number] >= 0.5 + better), rounds=4 + cell % 2))
        result.append(figures_of(study, rows, 1, "done", "", len(rows)).effects[1])
    assert [effect.paired for effect in result] == [True, False]
    assert [effect.clear for effect in result] == [True, False]
    assert result[0].share.value == pytest.approx(result[1].share.value)
    assert result[0].rounds is not None
    assert result[0].rounds.value == 1
    assert result[0].games == 600


def test_shares_are_of_the_first_player_where_the_players_differ_and_of_a_side_where_they_do_not(file: Path) -> None:
    study = read_study(
        PRICE.replace("games: 6", "games: 4") + "players: [random, 'tests.lab.studies.test_studies:Clumsy']\n"
    )
    rows = [a_row(study, index, 0) for index in range(study.total)]
    figures = figures_of(study, rows, 2, "done", "", len(rows))
    assert figures.measure == "player"
    assert [cell.share.value for cell in figures.cells] == [0.5] * 4
    same = figures_of(read_study(PRICE), [a_row(read_study(PRICE), n, 0) for n in range(24)], 2, "done", "", 24)
    assert same.measure == "side"
    assert [cell.share.value for cell in same.cells] == [1.0] * 4
    assert same.first is not None
    assert same.first.value == 1.0


def test_the_report_is_one_page_with_plots_and_nothing_from_elsewhere() -> None:
    study = read_study(PRICE.replace("The price of a parry", "Parry <dear & cheap>"))
    rows = [a_row(study, index, index % 3 if index % 3 < 2 else None) for index in range(24)]
    text = page(figures_of(study, rows, 2, "done", "abc", 24))
    assert "<h1>Parry &lt;dear &amp; cheap&gt;</h1>" in text
    assert text.count("<svg") == text.count("</svg>") == 2
    assert text.count("<circle") == 4 + 2
    assert "http" not in text
    assert '<th class="n">side 0</th>' in text
    for heading in ("Who wins", "What changes who wins", "Who goes first", "What cannot be said yet"):
        assert heading in text


# --- the commands -----------------------------------------------------------------------------------------------------


def test_a_page_in_markdown_tells_effects_and_the_clauses_that_go_with_who_wins() -> None:
    study = read_study(PRICE.replace("games: 6", "games: 200") + "design: random\n")
    rows = []
    for index in range(study.total):
        wins = index % 2 == 0
        row = a_row(study, index, int(not wins))
        heard = ["DU-ALL-01", *(["DU-OFF-01"] if wins else []), *(["DU-WIN-01", "DU-WIN-02"] if index % 4 == 0 else [])]
        rows.append(msgspec.structs.replace(row, clauses=tuple(heard)))
    figures = figures_of(study, rows, 2, "done", "", len(rows))
    words = with_figures("", figures)
    assert "| setting |" not in words, "rules that are drawn make no settings"
    assert "| rules.parry.price 3 | 0 | " in words
    lines = words.splitlines()
    head = lines.index("| clause | games in which it was used | share there | share elsewhere |")
    assert lines[head + 2 : head + 5] == [
        "| DU-OFF-01 | 100 | 100.0 % | 0.0 % |",
        "| DU-WIN-01 and 1 more in the same games | 50 | 100.0 % | 33.3 % |",
        "",
    ], "and none that came to bear in every game"


def test_the_commands_run_report_and_export(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(file)]) == 0
    assert "the study The price of a parry of duel, 24 games in 4 settings" in capsys.readouterr().out
    assert main(["study", "run", str(file), "--json"]) == 0
    words = msgspec.json.decode(capsys.readouterr().out)
    folder = tmp_path / "price"
    assert sorted(path.name for path in folder.iterdir()) == [
        "report.html", "results.jsonl", "results.parquet", "study.yaml", "summary.json",
    ]  # fmt: skip
    assert words == msgspec.json.decode((folder / "summary.json").read_bytes())
    assert (folder / "study.yaml").read_text() == PRICE
    for name in ("report.html", "summary.json", "results.parquet"):
        (folder / name).unlink()
    assert main(["study", "report", str(folder)]) == 0
    assert "done, 24 of 24 games of duel" in capsys.readouterr().out
    assert (folder / "report.html").exists()
    stored = tmp_path / "price.md"
    assert main(["study", "report", str(folder), "--page", str(stored)]) == 0
    text = stored.read_text()
    assert text.startswith("# The price of a parry\n")
    for cell in words["cells"]:
        name = ", ".join(f"{factor} {level}" for factor, level in cell["levels"].items())
        (line,) = [line for line in text.splitlines() if line.startswith(f"| {name} |")]
        share = cell["share"]
        assert f"| {100 * share['low']:.1f} to {100 * share['high']:.1f} %" in line
        assert [int(n) for n in line.split("|")[2:6]] == [cell["games"], *cell["sides"], cell["draws"]]
    assert "](price.svg)" in text
    drawing = ElementTree.parse(tmp_path / "price.svg").getroot()
    assert len(drawing.findall("{*}circle")) == len(words["effects"]) > 0
    for effect in words["effects"]:
        (line,) = [n for n in text.splitlines() if n.startswith(f"| {effect['factor']} {effect['level']} | ")]
        assert f"| {100 * effect['share']['value']:+.1f} ({100 * effect['share']['low']:+.1f} to " in line
    assert f"The side with the first turn won {100 * words['first']['value']:.1f} %" in text
    # Text around the figures is unchanged.
    stored.write_text(
        text.replace("\n\n<!--", "\n\nOur words.\n\n<!--").replace(" 24 games", " 23 games") + "\nAnd these.\n"
    )
    assert main(["study", "report", str(folder), "--page", str(stored)]) == 0
    assert stored.read_text() == text.replace("\n\n<!--", "\n\nOur words.\n\n<!--", 1) + "\nAnd these.\n"
    stored.write_text("# Nothing\n")
    assert main(["study", "report", str(folder), "--page", str(stored)]) == 1
    assert "between the lines <!-- figures: begin -->" in capsys.readouterr().err
    rows = {row.game: row for row in Folder(folder).rows()}
    asked = f"SELECT winner_name, count(*) FROM '{folder}/results.parquet' WHERE second_name = 'Briar' GROUP BY ALL"
    assert dict(duckdb.execute(asked).fetchall()) == Counter(
        r.winner_name for r in rows.values() if r.second_name == "Briar"
    )

    assert main(["study", "export", str(folder), "--max-actions", "12"]) == 0
    count = int(capsys.readouterr().out.split()[0])
    table = f"'{folder}/positions.parquet'"
    assert duckdb.execute(f"SELECT count(*) FROM {table}").fetchall() == [(count,)]
    games = duckdb.execute(f"SELECT game, side, answers[choice + 1], len(answers), outcome FROM {table}").fetchall()
    assert {game for game, *_ in games} == set(rows)
    for game, side, answer, answers, outcome in games:
        assert msgspec.json.decode(answer)["type"]
        assert 2 <= answers <= 12
        won = rows[game].side
        assert outcome == (0 if won is None else 1 if won == side else -1)


def test_what_is_not_there_is_named(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "report", str(tmp_path / "none")]) == 1
    assert "not a folder of a study" in capsys.readouterr().err
    assert main(["study", "run", str(tmp_path / "none.yaml")]) == 1
    assert main(["study", "run", str(file), "--on", "cloud"]) == 2
    assert main(["study", "run", str(file), "--jobs", "0"]) == 2


def test_the_order_of_a_setting_is_a_series(file: Path) -> None:
    assert isinstance(read_study(file).order(0), SeriesOrder)


def test_a_plot_tells_names_whole() -> None:
    """The difference between two settings may be at the end of their names."""
    same = "armies alliance and asori, scenario secure-objectives, "
    rows = [(f"{same}{end}", Estimate(0.5, 0.4, 0.6), False) for end in ("movement.double on", "movement.double off")]
    drawn = forest(rows, 0.0, 1.0, 0.5)
    shown = re.sub(r"<title>.*?</title>", "", drawn)
    for name, _, _ in rows:
        assert name in " ".join(re.findall(r"<tspan[^>]*>([^<]*)</tspan>", shown))
    places = [float(y) for y in re.findall(r'<tspan[^>]* y="([0-9.]+)"', shown)]
    assert places == sorted(places)
    assert all(b - a >= 12 for a, b in itertools.pairwise(places))
