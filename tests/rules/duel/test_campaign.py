"""Files of authors for the duel, and its campaign of two duels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.engine import total
from caltrop.journal import Record, record_of
from caltrop.players import players_of
from caltrop.rules.duel import campaign
from caltrop.rules.duel.campaign import Campaign
from caltrop.rules.duel.rulebook import ruleset

OWN = """\
ruleset: duel
id: cedar
title: Cedar alone
units:
  - {name: Cedar, wounds: 3, breath: 4, traits: [steady-handed]}
"""
PLACE = """\
ruleset: duel
id: yard
title: In the yard
minutes: 2
words: Four walls.
table: [10, 10]
rounds: 4
duellists:
  - {name: Ash, at: [2, 5], wounds: 1, breath: 1}
  - {name: Briar, at: [8, 5], wounds: 1, breath: 1}
"""


def begun(**more: Any) -> Campaign:
    return campaign.begin("Two duels", Seeded("campaign"), id="abc", **more)


def fought(c: Campaign, expected: str) -> Record:
    """Return a record of the next duel, played at random until it has the wanted result."""
    setting = campaign.next_battle(c)
    for seed in range(100):
        match = setting.begin(Seeded(f"{seed}"))
        players_of(match, "random", "random", seed=str(seed)).play()
        record = record_of(match, setting, players=["random", "random"])
        if campaign.counted(c, record).battle.result == expected:
            return record
    raise AssertionError(f"no duel of a hundred was {expected}")


@pytest.mark.clause("DU-LIST-01")
def test_a_duellist_of_twelve_points_may_be_brought() -> None:
    t: Any = ruleset.setup(ruleset.book(), "bridge", (OWN,))
    assert [(d.name, d.wounds, d.breath) for d in t.duellists] == [("Cedar", 3, 4), ("Briar", 2, 2)]
    assert t.duellists[0].at == (200, 200)
    with pytest.raises(InputError, match="Cedar costs 13 points, and a duellist costs at most 12") as error:
        ruleset.setup(ruleset.book(), "bridge", (OWN.replace("breath: 4", "breath: 5"),))
    assert error.value.line == 5


def test_files_of_authors_are_said_what_they_are(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    scenarios, armies = ruleset.scenario_files, ruleset.army_lists
    assert scenarios is not None
    assert armies is not None
    file.write_text(OWN, encoding="utf-8")
    assert armies.check(file) == "the army list Cedar alone, a duellist for 12 points"
    file.write_text(PLACE, encoding="utf-8")
    assert scenarios.check(file) == "the scenario In the yard"
    for old, new, words, line in (
        ("[2, 5]", "[0, 5]", "does not stand on the table here", 9),
        ("[8, 5]", "[3, 5]", "the two stand on one another", 10),
    ):
        file.write_text(PLACE.replace(old, new), encoding="utf-8")
        with pytest.raises(InputError, match=words) as error:
            scenarios.check(file)
        assert error.value.line == line


@pytest.mark.clause("DU-CAMP-01")
def test_a_campaign_is_two_duels_of_one_duellist() -> None:
    c = begun(army=OWN)
    first = campaign.next_battle(c)
    assert (first.scenario, campaign.next_battle(c, ["Cedar"])) == ("crossroads", first)
    with pytest.raises(InputError, match="Cedar fights every duel"):
        campaign.next_battle(c, ["Briar"])
    t: Any = first.begin(Seeded("1")).state
    assert [d.name for d in t.duellists] == ["Cedar", "Briar"]
    with pytest.raises(InputError, match="This duel is not over"):
        campaign.counted(c, record_of(first.begin(Seeded("1")), first))
    record = fought(c, "lost")
    after = campaign.counted(c, record).campaign
    with pytest.raises(InputError, match="not the battle that the campaign asks for: its scenario differ"):
        campaign.counted(after, record)
    assert campaign.next_battle(after).scenario == "bridge"
    end = campaign.counted(after, fought(after, "lost")).campaign
    assert campaign.overview(end).next is None
    with pytest.raises(InputError, match="A campaign has 2 duels"):
        campaign.next_battle(end)


@pytest.mark.clause("DU-CAMP-02")
def test_one_wound_heals_between_duels() -> None:
    c = begun()
    record = fought(c, "lost")
    after = campaign.counted(c, record)
    left = after.campaign.duellist.wounds - 1
    assert [words.words for words in after.battle.told] == [f"Wounds left: {left}, and one heals: {left + 1}"]
    assert after.questions == ()
    assert (campaign.healed(c, 0), campaign.healed(c, 2), campaign.healed(c, 3)) == (1, 3, 3)


@pytest.mark.clause("DU-CAMP-03")
def test_a_duel_that_was_won_has_a_reward() -> None:
    c = begun()
    record = fought(c, "won")
    usual = campaign.counted(c, record)
    (question,) = usual.questions
    assert (question.id, question.options, question.chosen) == ("reward", ("breath", "wound"), ("breath",))
    assert usual.campaign.duellist.breath == c.duellist.breath + 1
    other = campaign.counted(c, record, {"reward": ["wound"]}).campaign.duellist
    assert other.breath == c.duellist.breath
    assert other.wounds == min(usual.campaign.duellist.wounds + 1, 3)
    for answers, words in (
        ({"reward": ["brandy"]}, "'brandy' is not a reward; it is one of breath, wound"),
        ({"reward": []}, "has one reward"),
        ({"rewards": ["breath"]}, "did you mean 'reward'"),
    ):
        with pytest.raises(InputError, match=words):
            campaign.counted(c, record, answers)


@pytest.mark.clause("DU-CAMP-04")
def test_a_duel_that_was_won_is_worth_two_points_and_a_draw_one() -> None:
    c = begun()
    won = campaign.counted(c, fought(c, "won")).campaign
    assert (campaign.overview(won).points, total(campaign.score(won))) == (2, 2)
    assert campaign.overview(campaign.counted(won, fought(won, "drawn")).campaign).points == 3


def test_a_campaign_comes_back_from_its_file() -> None:
    c = begun(rules={"parry.price": 2})
    after = campaign.counted(c, fought(c, "lost")).campaign
    text = campaign.encoded_campaign(after).decode()
    assert campaign.campaign_file(text) == after
    with pytest.raises(InputError, match="more wounds than its full number"):
        campaign.campaign_file(text.replace('"whole": 3', '"whole": 1').replace('"wounds": 1', '"wounds": 2'))
    with pytest.raises(InputError, match="did you mean"):
        campaign.campaign_file(text.replace("parry.price", "parry.prize"))
