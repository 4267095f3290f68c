"""The gain of a search in random positions: equal seeds draw equal positions, and following the veteran gains
nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from caltrop.lab.gains import Gained, GainJob, main, mean, position, table, think
from caltrop.players.search import Searcher, TurnPlan


def job(number: int = 0, nodes: int = 120) -> GainJob:
    return GainJob("hex-command", "commander", nodes, number, 1, 3)


def test_positions_are_turns_that_begin_and_are_drawn_by_their_number() -> None:
    scenario, asked, view = position(job())
    again = position(job())
    assert (scenario, asked, view) == again
    assert view.active == asked.side
    assert position(job(1))[2] != view
    # Positions come from the scenarios in turn.
    assert len({position(job(n))[0] for n in range(6)}) == 6


def test_a_gain_is_the_difference_from_the_veterans_own_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    def better(self: Searcher, one: TurnPlan, *with_: Any) -> tuple[str, int]:
        who: Any = one.player
        judgement = getattr(who, "player", who).judgement
        one.chances.append(0.7 if judgement.style.name == "bold" else 0.5)
        return f"{judgement.style.name} {judgement.seed}", 10

    monkeypatch.setattr(Searcher, "played", better)
    result = think(job(nodes=3000))
    assert result.follows
    assert result.gain == pytest.approx(0.2)
    assert 0 < result.spent <= 1810

    monkeypatch.setattr(Searcher, "played", lambda self, one, *with_: (one.chances.append(0.5), 10))
    same = think(job(nodes=3000))
    assert (same.follows, same.gain) == (False, 0.0)


def test_positions_are_kept_and_gone_on_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = tmp_path / "kept.jsonl"
    arguments = ["hex-command", "--nodes", "60", "--worlds", "1", "--keep", str(stored)]
    main([*arguments, "--positions", "1"])
    before = stored.read_bytes()
    main([*arguments, "--positions", "2"])
    assert stored.read_bytes().startswith(before)
    assert len(stored.read_bytes().splitlines()) == 2
    assert "| all | 2 |" in capsys.readouterr().out


def test_who_does_not_search_is_refused() -> None:
    with pytest.raises(SystemExit, match="'veteran' of hex-command does not search"):
        main(["hex-command", "--player", "veteran"])


def test_the_table_tells_scenarios_and_all() -> None:
    results = [
        Gained(job(n), name, gain, gain != 0, 100, 0.5) for n, (name, gain) in enumerate([("a", 0.1), ("b", 0.0)])
    ]
    assert table(results).splitlines()[2:] == [
        "| a | 1 | 1 | +10.0 ± 0.0 % | 100 | 0.50 |",
        "| b | 1 | 0 | +0.0 ± 0.0 % | 100 | 0.50 |",
        "| all | 2 | 1 | +5.0 ± 5.0 % | 100 | 0.50 |",
    ]
    assert mean([1.0]) == (1.0, 0.0)
