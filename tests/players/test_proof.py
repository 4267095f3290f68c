"""The proof of the computer players: fair rotations, correct intervals, and stored results."""

from __future__ import annotations

from pathlib import Path

import pytest

from caltrop.lab.proof import ProofJob, armies_of, interval, jobs, main, put_into, verdict
from caltrop.players.command_horizon.proof import PAIRINGS
from caltrop.players.proof import proof, proven


def job(number: int, edition: str = "current") -> ProofJob:
    return ProofJob(("veteran", "random"), "first-battle", edition, number, 1, "command-horizon")


def test_every_pairing_is_played_twice_in_a_rotation() -> None:
    armies = [armies_of(job(n)) for n in range(2 * len(PAIRINGS))]
    assert all(armies.count(p) == 2 for p in PAIRINGS)
    assert armies[0] == armies[1] != armies[2]


def test_the_earlier_edition_has_no_putredine() -> None:
    assert not any("putredine" in armies_of(job(n, "v1.5")) for n in range(40))


def test_scenarios_that_bring_their_armies_are_played_with_them() -> None:
    page = proof("hex-command")
    assert page is not None
    assert page.pairings == ()
    assert armies_of(ProofJob(("veteran", "random"), "godfall", "current", 0, 1, "hex-command")) == ()


def test_a_games_part_takes_the_place_of_its_earlier_one() -> None:
    page = "# One\n\nold\n\n## More\n\nold\n\n# Two\n\nstays\n"
    assert put_into(page, "# One\n\nnew\n") == "# One\n\nnew\n\n# Two\n\nstays\n"
    assert put_into(page, "# Three\n\nnew\n") == page + "\n# Three\n\nnew\n"
    assert put_into("", "# One\n\nnew\n") == "# One\n\nnew\n"


def test_games_without_proven_players_have_no_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert proof("duel") is None
    with pytest.raises(SystemExit):
        main(["duel"])
    assert "the players of 'duel' have no page" in capsys.readouterr().err


def test_lines_grow_alike() -> None:
    some = list(jobs(2, "current", 1, ["a", "b"], "hex-command"))
    assert len(some) == 3 * 2 * 2
    assert [j.number for j in some] == sorted(j.number for j in some)


def test_the_interval_counts_draws_half() -> None:
    assert interval(100, 100)[0] < 0.5 < interval(100, 100)[1]
    assert interval(0, 0) == (0.0, 1.0)
    low, high = interval(2 * 190, 200)
    assert low == pytest.approx(0.9104, abs=1e-4)
    assert high == pytest.approx(0.9726, abs=1e-4)


def test_a_line_is_proven_by_its_lower_end_and_easy_by_its_share() -> None:
    assert verdict(0.91, 0.95, (0.90, 1.0)) == "yes"
    assert verdict(0.89, 0.95, (0.90, 1.0)) == "no"
    assert verdict(0.5, 0.7, (0.60, 0.80)) == "yes"
    assert verdict(0.8, 0.9, (0.60, 0.80)) == "no"


@pytest.mark.parametrize("game", proven())
def test_results_are_kept_and_gone_on_from(game: str, tmp_path: Path) -> None:
    stored, page = tmp_path / "kept.jsonl", tmp_path / "page.md"
    own = proof(game)
    assert own is not None
    scenario = own.scenarios[0] if own.scenarios else "first-battle"
    arguments = [game, "--games", "1", "--scenario", scenario, "--jobs", "1"]
    arguments += ["--keep", str(stored), "--output", str(page)]
    main(arguments)
    results = stored.read_bytes()
    assert len(results.splitlines()) == len(own.matches)
    first = page.read_text(encoding="utf-8")
    main(arguments)
    assert stored.read_bytes() == results
    assert page.read_text(encoding="utf-8") == first
    assert f"| veteran against random | {scenario} |" in first


def test_one_players_games_leave_the_lines_of_the_others(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    arguments = ["hex-command", "--scenario", "first-battle", "--jobs", "1", "--output", str(page)]
    main([*arguments, "--games", "1"])
    before = page.read_text(encoding="utf-8").splitlines()
    main([*arguments, "--games", "2", "--player", "recruit"])
    after = page.read_text(encoding="utf-8").splitlines()
    rows = [[line for line in lines if line.startswith("| veteran")] for lines in (before, after)]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 4
    own = [
        [line for line in lines if line.startswith("| recruit against random | first-battle")]
        for lines in (before, after)
    ]
    assert [sum(int(cell) for cell in line.split("|")[3:6]) for (line,) in own] == [1, 2]
    main([*arguments, "--games", "1", "--player", "regular"])
    main([*arguments, "--games", "1", "--player", "recruit"])
    (made,) = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("Made by")]
    whole = "python -m caltrop.lab.proof hex-command --games 1 --edition current --seed 1"
    assert made.startswith(f"Made by `{whole}` and `{whole} --player regular` and `{whole} --player recruit` (")


def test_a_player_without_a_claim_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["hex-command", "--player", "commander"])
    assert (
        "nothing is claimed of 'commander' in hex-command; there are recruit, regular, veteran"
        in capsys.readouterr().err
    )
