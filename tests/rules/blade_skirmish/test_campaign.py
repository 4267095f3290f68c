"""The campaign: the accounting of battles, the choice of the next battle, and that each battle counts exactly once."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop import InputError
from caltrop.chance import Scripted, Seeded
from caltrop.engine import Book, Event, Rolled, total
from caltrop.engine.campaign import Dress, Value
from caltrop.journal import Record, record_of
from caltrop.players import player
from caltrop.players.table import Seated
from caltrop.rules.blade_skirmish import campaign, ledger
from caltrop.rules.blade_skirmish.armies import Member
from caltrop.rules.blade_skirmish.campaign import (
    Campaign,
    SeasonResult,
    after_battle,
    begin,
    go_on,
    may_be_fielded,
    next_battle,
    usual_field,
)
from caltrop.rules.blade_skirmish.campaign_files import campaign_file, encoded_campaign
from caltrop.rules.blade_skirmish.courses import courses
from caltrop.rules.blade_skirmish.muster import skirmish
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.rulebook import ruleset
from caltrop.rules.blade_skirmish.scenarios import SCENARIO_FILES
from caltrop.rules.blade_skirmish.scene import put as placed
from caltrop.rules.blade_skirmish.scene import scene
from caltrop.rules.blade_skirmish.season import (
    SCENARIOS,
    Accounting,
    Deed,
    Drawing,
    Fought,
    Infamous,
    MissesTheNext,
    NextBattle,
    Returned,
    RosterLine,
    Season,
    SeasonChoices,
    SeasonOver,
    enlisted,
    experience,
    highest,
    names_for_recruits,
    next_step,
    played,
    recruits,
    season_score,
)
from caltrop.rules.blade_skirmish.tale import tale
from caltrop.rules.blade_skirmish.turn import Game

Events = tuple[Event, ...]

OLDER = sorted((Path(__file__).parents[2] / "corpus").glob("*/campaigns/blade-skirmish-after-[26]*"))
"""Files that earlier versions have written."""


def book(**rules: Any) -> Book:
    return ruleset.book(None, rules)


def line(name: str, quality: int = 1, **fields: Any) -> RosterLine:
    return msgspec.structs.replace(enlisted(name, quality), **fields)


def deed(name: str, fate: Any = "ready", **fields: Any) -> Deed:
    return Deed(name=name, fate=fate, **fields)


def accounted(
    *roster: RosterLine,
    deeds: Sequence[Deed] = (),
    result: Any = "won",
    dice: Sequence[Sequence[int]] = ((1,),),
    rules: dict[str, Any] | None = None,
    number: int = 1,
    scenario: str = "cut-them-down",
    slayers: Sequence[Member] = (),
    infamous: tuple[str, ...] = (),
    choices: SeasonChoices | None = None,
) -> tuple[Season, Events]:
    """Return the accounting after a battle. The last die decides the next scenario."""
    thrown = Scripted(*dice)
    t = Season(
        book=book(**(rules or {})),
        stack=[Accounting()],
        roster=list(roster),
        number=number,
        scenario=scenario,
        fought=Fought(result=result, deeds=tuple(deeds), slayers=tuple(slayers)),
        infamous=infamous,
        choices=choices or SeasonChoices(),
    )
    after, events = played(t, thrown)
    thrown.finish()
    return after, events


def called(t: Season) -> list[str]:
    return [one.name for one in t.roster]


def told(events: Events, kind: type[Event] = Event) -> list[str]:
    return [event.sentence(None) for event in events if isinstance(event, kind)]


def kinds(events: Events) -> list[str]:
    return list(dict.fromkeys(type(event).__name__ for event in events if not isinstance(event, Rolled)))


# --- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S41", "BS-S42", "BS-W31")
def test_who_wins_her_first_battle_with_a_kill_rises_with_nothing_left() -> None:
    t, events = accounted(line("Wren"), deeds=[deed("Wren", kills=1)])
    wren = t.roster[0]
    assert (wren.quality, wren.experience, wren.kills, wren.battles) == (2, 0, 1, 1)
    sentences = told(events)
    assert "Wren gains 3 experience: took part 1, kills 1, the battle was won 1" in sentences
    assert "Wren rises to Quality 2 (Trained) for 3 experience, 0 left" in sentences


@pytest.mark.clause("BS-S41")
@pytest.mark.parametrize(
    ("one", "won", "gains"),
    [
        (deed("A"), False, 1),
        (deed("A"), True, 2),
        (deed("A", fate="wounded", kills=2), False, 3),
        (deed("A", fate="away", trophies=1), True, 3),
        (deed("A", fate="dead", kills=3, trophies=2), True, 0),
    ],
)
def test_experience_is_for_taking_part_kills_victory_and_trophies(one: Deed, won: bool, gains: int) -> None:
    assert total(experience(book(), one, won)) == gains


@pytest.mark.clause("BS-S41")
def test_who_did_not_take_part_gains_nothing() -> None:
    t, _ = accounted(line("A"), line("B"), deeds=[deed("A")])
    assert [(one.experience, one.battles) for one in t.roster[:2]] == [(2, 1), (0, 0)]


@pytest.mark.clause("BS-S42", "BS-Q39")
@pytest.mark.house("advancement", "xp")
def test_each_step_costs_three_times_the_quality_that_it_leads_from() -> None:
    steps = [next_step(book(), line("A", q, kills=10)) for q in range(1, 6)]
    assert [step.needs for step in steps if step is not None and step.of == "experience"] == [3, 6, 9, 12, 15]


@pytest.mark.clause("BS-S42")
def test_one_step_a_battle_at_most_and_what_is_not_spent_stays() -> None:
    t, _ = accounted(line("A", experience=20), deeds=[deed("A")])
    assert (t.roster[0].quality, t.roster[0].experience) == (2, 20 + 2 - 3)


@pytest.mark.clause("BS-S42")
def test_a_step_that_is_not_reached_costs_nothing() -> None:
    t, _ = accounted(line("A", 2, experience=3), deeds=[deed("A")])
    assert (t.roster[0].quality, t.roster[0].experience) == (2, 5)


@pytest.mark.clause("BS-S42")
def test_who_has_saved_enough_rises_though_she_did_not_take_part() -> None:
    t, _ = accounted(line("A", experience=3), line("B"), deeds=[deed("B")])
    assert t.roster[0].quality == 2


@pytest.mark.clause("BS-S42", "BS-Q09")
@pytest.mark.house("quality_cap", 5, 6)
def test_the_cap_is_five_and_six_for_ten_kills_or_for_everybody() -> None:
    assert highest(book(), line("A", 5, kills=9)) == 5
    assert highest(book(), line("A", 5, kills=10)) == 6
    assert highest(book(quality_cap=6), line("A", 5)) == 6
    assert next_step(book(), line("A", 5, experience=99)) is None
    assert next_step(book(quality_cap=6), line("A", 6, experience=99)) is None
    t, _ = accounted(line("A", 5, experience=15), line("B", 5, experience=15, kills=10), deeds=[deed("A"), deed("B")])
    assert [one.quality for one in t.roster[:2]] == [5, 6]


@pytest.mark.clause("BS-S43", "BS-Q39")
@pytest.mark.house("advancement", "kills")
@pytest.mark.parametrize(("risen", "needs"), [(0, 1), (1, 3), (2, 6), (3, 10)])
def test_where_kills_count_a_step_takes_one_three_six_and_ten(risen: int, needs: int) -> None:
    rules = {"advancement": "kills"}
    short = line("A", 1 + risen, began=1, kills=needs - 1, experience=50)
    enough = line("B", 1 + risen, began=1, kills=needs)
    t, events = accounted(short, enough, rules=rules, result="lost")
    assert [one.quality for one in t.roster[:2]] == [1 + risen, 2 + risen]
    assert t.roster[0].experience == 50
    assert any(words.endswith("for her kills") for words in told(events))


@pytest.mark.clause("BS-S43")
def test_where_kills_count_there_are_four_steps_and_one_a_battle() -> None:
    b = book(advancement="kills", quality_cap=6)
    assert next_step(b, line("A", 5, began=1, kills=30)) is None
    t, _ = accounted(line("A"), deeds=[deed("A", kills=7)], rules={"advancement": "kills"})
    assert t.roster[0].quality == 2


@pytest.mark.clause("BS-Q39")
@pytest.mark.house("advancement", "off")
def test_without_advancement_nobody_rises() -> None:
    t, _ = accounted(line("A", experience=40, kills=20), deeds=[deed("A")], rules={"advancement": "off"})
    assert (t.roster[0].quality, t.roster[0].experience) == (1, 42)


@pytest.mark.clause("BS-S44")
@pytest.mark.parametrize(
    ("left", "won", "come"),
    [(6, False, 1), (6, True, 2), (7, True, 1), (8, True, 0), (8, False, 0), (3, False, 1), (2, False, 2), (0, True, 4),
     (0, False, 4), (2, True, 2)],
)  # fmt: skip
def test_recruits_after_victory_and_defeat(left: int, won: bool, come: int) -> None:
    assert total(recruits(book(), left, won)) == come


@pytest.mark.clause("BS-S48")
def test_the_score_of_a_season() -> None:
    assert total(season_score(book(), 3, 17, 2, 4)) == 3 * 5 + 17 + 2 - 8


# --- the accounting ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S40", "BS-INJ-05", "BS-INJ-06", "BS-S32", "BS-S44")
def test_the_dead_are_erased_with_their_kills_before_recruits_come() -> None:
    roster = [line("Alis", 3), *[line(f"F{i}") for i in range(7)]]
    t, events = accounted(*roster, deeds=[deed("Alis", "dead", kills=2, trophies=1)], result="lost")
    assert "Alis" not in called(t)
    assert len(t.roster) == 8
    assert t.roster[-1] == enlisted("Brenna", 1), "the name of the dead is not given again"
    (fallen,) = t.fallen
    assert (fallen.state, fallen.kills, fallen.trophies, fallen.battles) == ("dead", 2, 1, 1)
    assert kinds(events) == ["Erased", "Recruited", "NextBattle"]


@pytest.mark.clause("BS-S40")
def test_the_order_is_dead_wounded_experience_rising_recruits() -> None:
    roster = [line("A", experience=2), line("B"), line("C"), line("D")]
    deeds = [deed("A"), deed("B", "dead"), deed("C", "wounded")]
    _, events = accounted(*roster, deeds=deeds, result="lost")
    assert kinds(events) == ["Erased", "Returned", "Experienced", "Rose", "Recruited", "NextBattle"]


@pytest.mark.clause("BS-Q40", "BS-INJ-03")
@pytest.mark.house("lingering_wounds", "off")
def test_the_wounded_are_back_for_the_next_battle() -> None:
    t, events = accounted(line("A"), line("B"), deeds=[deed("A", "wounded")])
    assert t.roster[0].state == "ready"
    assert told(events, Returned) == ["A, who was wounded, is back"]


@pytest.mark.clause("BS-S47", "BS-Q40")
@pytest.mark.house("lingering_wounds", "on")
def test_on_a_one_a_wounded_model_misses_the_next_battle_and_that_alone() -> None:
    deeds = [deed("A", "wounded"), deed("B", "wounded"), deed("C")]
    rules = {"lingering_wounds": "on"}
    t, events = accounted(line("A"), line("B"), line("C"), deeds=deeds, dice=[(1,), (2,), (1,)], rules=rules)
    assert [one.state for one in t.roster[:3]] == ["resting", "ready", "ready"]
    assert told(events, MissesTheNext) == ["A's wound lingers: she misses the next battle"]
    assert told(events, Returned) == ["B, who was wounded, is back"]
    again, _ = accounted(*t.roster, deeds=[deed("B"), deed("C")], rules=rules)
    assert again.roster[0].state == "ready"


@pytest.mark.clause("BS-S46")
@pytest.mark.house("nemesis", "off", "on")
def test_a_killer_comes_back_with_a_name_and_one_step_better() -> None:
    slayers = [Member(name="Brigand 3", quality=1), Member(name="Captain", quality=6)]
    t, events = accounted(line("A"), slayers=slayers, rules={"nemesis": "on"})
    assert t.nemeses == [Member(name="Grim Hela", quality=2), Member(name="Black Annis", quality=6)]
    assert t.infamous == ("Grim Hela", "Black Annis")
    assert (
        told(events, Infamous)[0]
        == "Brigand 3 is now called Grim Hela; she comes back in the next battle with Quality 2"
    )
    again, events = accounted(line("A"), slayers=t.nemeses[:1], rules={"nemesis": "on"}, infamous=t.infamous)
    assert again.nemeses == [Member(name="Grim Hela", quality=3)]
    assert told(events, Infamous) == ["Grim Hela comes back in the next battle with Quality 3"]
    without, events = accounted(line("A"), slayers=slayers)
    assert (without.nemeses, without.infamous, told(events, Infamous)) == ([], (), [])


@pytest.mark.clause("BS-S48")
def test_no_scenario_is_played_twice_running() -> None:
    for last in SCENARIOS:
        drawn = [accounted(line("A"), scenario=last, dice=[(face,)])[0].scenario for face in (1, 2, 3)]
        assert drawn == [id for id in SCENARIOS if id != last]


@pytest.mark.clause("BS-S48")
def test_the_first_of_four_and_none_after_the_sixth() -> None:
    for face, id in enumerate(SCENARIOS, 1):
        t = Season(book=book(), stack=[Drawing()], roster=[line("A")])
        _, events = played(t, Scripted((face,)))
        assert told(events, NextBattle) == [f"Battle 1 is {SCENARIO_FILES.find(id).value.title}"]
    t, events = accounted(line("A"), number=6, dice=[])
    assert t.scenario == ""
    assert told(events, SeasonOver) == ["The season is over: 6 battles have been fought"]
    slayers = [Member(name="Brigand", quality=1)]
    t, events = accounted(line("A"), number=6, dice=[], slayers=slayers, rules={"nemesis": "on"})
    assert (t.nemeses, told(events, Infamous)) == ([], []), "there is no next scenario to join"


@pytest.mark.clause("BS-S40", "BS-S42", "BS-S44")
def test_what_the_player_decides() -> None:
    roster = [line("A", experience=5), line("B", experience=5), line("C"), line("D"), line("E")]
    t, _ = accounted(*roster, choices=SeasonChoices(hold=("B",), recruits=("Zoe",)))
    assert [one.quality for one in t.roster[:2]] == [2, 1]
    assert called(t)[5:] == ["Zoe"]
    assert [campaign._held(t, line(name, quality)) for name, quality in (("A", 1), ("B", 6))] == [False, False]
    assert campaign._held(t, line("B", experience=5))


def test_names_run_out_into_numbers() -> None:
    t = Season(book=book(), roster=[])
    names = names_for_recruits(t, 42)
    assert len(set(names)) == 42
    assert names[-1] == "Recruit 2"


# --- the next battle --------------------------------------------------------------------------------------------------


def begun(*dice: Sequence[int], **rules: Any) -> Campaign:
    return begin("Test", Scripted(*(dice or ((1,),))), id="test", rules=rules)


def eight(c: Campaign, **fields: Any) -> Campaign:
    """Return the same campaign with a roster of eight."""
    more = (line("Ash", 4), line("Bel"))
    return msgspec.structs.replace(c, roster=(*c.roster, *more), **fields)


@pytest.mark.clause("BS-S31", "BS-S32")
def test_a_roster_begins_with_a_new_warband() -> None:
    c = begun()
    assert [(one.name, one.quality) for one in c.roster][:2] == [("Maren", 3), ("Idony", 2)]
    assert {(one.experience, one.kills, one.trophies, one.battles, one.state) for one in c.roster} == {
        (0, 0, 0, 0, "ready")
    }
    assert c.next == "cut-them-down"
    with pytest.raises(InputError, match="24 points, and 12 are agreed on"):
        begin("Test", Scripted((1,)), id="test", army="four-friends")
    with pytest.raises(InputError, match="one side against those of a scenario; this mode is versus_with_automata"):
        begun(mode="versus_with_automata")


@pytest.mark.clause("BS-S45", "BS-S32")
def test_at_most_six_are_fielded_the_best_unless_somebody_says_otherwise() -> None:
    c = eight(begun())
    assert usual_field(c) == ("Maren", "Idony", "Sabeth", "Ursel", "Linnet", "Ash")
    with pytest.raises(InputError, match=r"At most 6 models are fielded in Cut Them Down; you named 7 \(BS-S45\)"):
        next_battle(c, [one.name for one in c.roster][:7])
    with pytest.raises(InputError, match="There is no Marenn on the roster; did you mean 'Maren'"):
        next_battle(c, ["Marenn"])
    with pytest.raises(InputError, match="Choose at least one fighter"):
        next_battle(c, [])


@pytest.mark.clause("BS-S45", "BS-S34", "BS-S31")
def test_those_fielded_are_the_warband_whatever_their_quality_and_the_foes_are_worth_as_much() -> None:
    t = next_battle(eight(begun()), ["Ash", "Maren"]).begin(Seeded(1)).state
    assert isinstance(t, Skirmish)
    own = [(f.member, f.quality) for f in t.fighters if f.side == 0]
    assert own == [("Maren", 3), ("Ash", 4)]
    assert sum(1 << (f.quality - 1) for f in t.fighters if f.side == 1) == 10 * (4 + 8) // 12
    assert {f.member for f in t.fighters if f.side == 1} == {""}


@pytest.mark.clause("BS-S47")
def test_whose_wound_lingers_is_not_fielded_unless_there_is_nobody_else() -> None:
    c = begun()
    resting = [msgspec.structs.replace(one, state="resting") for one in c.roster]
    c = msgspec.structs.replace(c, roster=(resting[0], *c.roster[1:]))
    assert usual_field(c) == ("Idony", "Sabeth", "Ursel", "Linnet", "Wren")
    with pytest.raises(InputError, match=r"Maren's wound lingers, and she misses this battle.*BS-S47"):
        next_battle(c, ["Maren"])
    nobody = msgspec.structs.replace(c, roster=tuple(resting))
    assert may_be_fielded(nobody) == tuple(resting)


@pytest.mark.clause("BS-S46")
@pytest.mark.parametrize("id", SCENARIOS)
def test_a_nemesis_joins_the_next_force_free(id: str) -> None:
    c = msgspec.structs.replace(begun(nemesis="on"), next=id)
    plain, joined = (
        skirmish(c.book, SCENARIO_FILES.find(id).value, next_battle(one).armies, None, Game())
        for one in (c, msgspec.structs.replace(c, nemeses=(Member(name="Grim Hela", quality=2),)))
    )
    extra = [f for f in joined.fighters if f.name == "Grim Hela"]
    assert len(joined.fighters) == len(plain.fighters) + 1
    assert [(f.side, f.quality, f.member) for f in extra] == [(1, 2, "")]
    places = len(joined.field.posts) + sum(len(wave.fighters) for wave in joined.field.waves)
    assert places == sum(f.side == 1 for f in joined.fighters)


# --- a battle counts once, and completely
# ----------------------------------------------------------------------------------


def fought(c: Campaign, seed: int = 1, acts: int | None = None, resigned: int | None = None, **fields: Any) -> Record:
    """Play the next battle of a campaign at random, to its end or to a number of acts; return the record."""
    setting = next_battle(c, **fields)
    match = setting.begin(Seeded(f"table {seed}"))
    seated = Seated(match, (player("random", "blade-skirmish"),) * 2, (Seeded(f"{seed} a"), Seeded(f"{seed} b")))
    while match.over is None and (acts is None or len(match.history) < acts):
        seated.act()
    other = "rules" if match.ruleset.automated(match.state) else "random"
    return record_of(match, setting, players=("random", other), resigned=resigned)


@pytest.fixture(scope="module")
def battle() -> tuple[Campaign, Record, SeasonResult]:
    c = begun()
    record = fought(c)
    return c, record, after_battle(c, record)


@pytest.mark.clause("BS-S40", "BS-S48")
def test_a_battle_is_counted_as_it_was_recorded(battle: tuple[Campaign, Record, SeasonResult]) -> None:
    c, record, counted = battle
    after = counted.campaign
    assert record.outcome is not None
    assert (counted.battle.result == "won") == (record.outcome.winner == 0)
    assert counted.battle.fielded == tuple(one.name for one in c.roster)
    every = (*after.roster, *after.fallen)
    assert sum(one.kills for one in every) == counted.battle.kills
    assert len(after.fallen) == counted.battle.dead
    assert {one.battles for one in every if one.name in counted.battle.fielded} == {1}
    assert after.next in SCENARIOS
    assert after.next != c.next
    assert campaign_file(encoded_campaign(after).decode()) == after
    assert ledger.overview(after).points == total(after.score)


@pytest.mark.clause("BS-S40")
def test_the_same_record_always_comes_to_the_same(battle: tuple[Campaign, Record, SeasonResult]) -> None:
    c, record, counted = battle
    before = encoded_campaign(c)
    assert after_battle(c, record) == counted
    assert encoded_campaign(c) == before


@pytest.mark.clause("BS-S40")
def test_a_battle_counts_once(battle: tuple[Campaign, Record, SeasonResult]) -> None:
    _, record, counted = battle
    with pytest.raises(InputError, match=r"This battle has been counted already: it is battle 1 \(BS-S40\)"):
        after_battle(counted.campaign, record)
    other = msgspec.structs.replace(record, players=("somebody", "rules"))
    with pytest.raises(InputError, match="This is battle 1 of the campaign, and battle 2 is the next"):
        after_battle(counted.campaign, other)


@pytest.mark.clause("BS-S40")
def test_a_battle_of_another_campaign_roster_or_rule_is_refused(battle: tuple[Campaign, Record, SeasonResult]) -> None:
    c, record, _ = battle
    with pytest.raises(InputError, match="belongs to another campaign: test; this one is other"):
        after_battle(msgspec.structs.replace(c, id="other"), record)
    better = msgspec.structs.replace(c, roster=(line("Maren", 4), *c.roster[1:]))
    with pytest.raises(InputError, match="not the battle that the campaign asks for: its armies differ"):
        after_battle(better, record)
    with pytest.raises(InputError, match="its rules differ"):
        after_battle(msgspec.structs.replace(c, rules={"fatality": "off"}), record)
    with pytest.raises(InputError, match="its scenario differ"):
        after_battle(msgspec.structs.replace(c, next="the-reliquary"), record)
    with pytest.raises(InputError, match="not called up from a roster"):
        after_battle(c, msgspec.structs.replace(record, armies=("six-blades",)))


@pytest.mark.clause("BS-S40")
def test_a_record_that_was_doctored_is_refused(battle: tuple[Campaign, Record, SeasonResult]) -> None:
    c, record, _ = battle
    rolls = [i for i, entry in enumerate(record.entries) if getattr(entry, "sides", 0) == 6]
    entries = list(record.entries)
    at = rolls[len(rolls) // 2]
    entries[at] = msgspec.structs.replace(entries[at], faces=(entries[at].faces[0] % 6 + 1, *entries[at].faces[1:]))  # type: ignore[union-attr,index]
    with pytest.raises(InputError, match="the record cannot be counted: entry"):
        after_battle(c, msgspec.structs.replace(record, entries=tuple(entries)))


@pytest.mark.clause("BS-S40", "BS-S41")
def test_a_battle_given_up_is_lost_and_its_deaths_count() -> None:
    c = begun()
    tried = (fought(c, seed, acts=60, resigned=0) for seed in range(20))
    counted = next(one for one in (after_battle(c, record) for record in tried) if one.battle.dead)
    assert (counted.battle.result, counted.battle.given_up) == ("lost", True)
    assert len(counted.campaign.fallen) == counted.battle.dead
    assert not any("won" in words.words for words in counted.battle.told)


@pytest.mark.clause("BS-S41")
def test_only_who_was_on_the_table_took_part_in_a_battle_given_up_while_it_was_set_up() -> None:
    c = begun()
    counted = after_battle(c, fought(c, acts=2, resigned=0))
    assert len(counted.battle.fielded) == 2
    assert sorted(one.battles for one in counted.campaign.roster) == [0, 0, 0, 0, 0, 1, 1]


@pytest.mark.clause("BS-S40")
def test_a_battle_that_goes_on_is_refused() -> None:
    c = begun()
    with pytest.raises(InputError, match="This battle is not over: play it to its end, or give it up"):
        after_battle(c, fought(c, acts=9))


@pytest.mark.clause("BS-S44")
def test_recruits_are_as_many_as_are_granted_and_have_names_of_their_own() -> None:
    c = eight(begun())
    record = fought(c, acts=1, resigned=0)
    for names, words in (
        (("Zoe", "Ada"), r"There are 0 to 0 recruits this time; you named 2 \(BS-S44\)"),
        (("Zoe",), "There are 0 to 0 recruits this time; you named 1"),
    ):
        with pytest.raises(InputError, match=words):
            after_battle(c, record, SeasonChoices(recruits=names))
    c = begun()
    record = fought(c, acts=1, resigned=0)
    with pytest.raises(InputError, match="had, a Maren already"):
        after_battle(c, record, SeasonChoices(recruits=("Maren",)))
    assert after_battle(c, record, SeasonChoices(recruits=("Zoe",))).campaign.roster[-1].name == "Zoe"
    assert len(after_battle(c, record, SeasonChoices(recruits=())).campaign.roster) == 6
    with pytest.raises(InputError, match="There is no Nobody on the roster"):
        after_battle(c, record, SeasonChoices(hold=("Nobody",)))


@pytest.mark.clause("BS-S42", "BS-S43")
def test_who_could_rise_is_told_with_the_clause_whether_she_is_held_back_or_not() -> None:
    c = begun()
    rich = [msgspec.structs.replace(one, experience=6) for one in c.roster]
    c = msgspec.structs.replace(c, roster=tuple(rich))
    record = fought(c, acts=1, resigned=0)
    all_rise = after_battle(c, record)
    one_held = after_battle(c, record, SeasonChoices(hold=("Sabeth", "Maren")))
    assert all_rise.could_rise == one_held.could_rise == ("Idony", "Sabeth", "Ursel", "Linnet", "Wren")
    assert {words.clauses for words in all_rise.battle.told if words.kind == "Rose"} == {("BS-S42",)}
    assert one_held.campaign.roster[2].quality == c.roster[2].quality
    kills = msgspec.structs.replace(
        begun(advancement="kills"), roster=tuple([msgspec.structs.replace(one, kills=1) for one in begun().roster])
    )
    counted = after_battle(kills, fought(kills, acts=1, resigned=0))
    assert {words.clauses for words in counted.battle.told if words.kind == "Rose"} == {("BS-S43",)}


@pytest.mark.clause("BS-S48", "BS-S40", "BS-S44")
def test_a_whole_season_adds_up_and_ends() -> None:
    c = begun(nemesis="on", lingering_wounds="on")
    for seed in range(6):
        c = after_battle(c, fought(c, seed)).campaign
        assert 4 <= len(c.roster) <= 8
        assert campaign_file(encoded_campaign(c).decode()) == c
    assert c.next is None
    assert len({b.digest for b in c.battles}) == 6
    with pytest.raises(InputError, match=r"A season has 6 battles, and all of them have been fought \(BS-S48\)"):
        next_battle(c)


# --- courses ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S49", "BS-S40")
def test_the_salt_road_is_three_battles_and_the_player_says_which_way() -> None:
    c = begin("Test", Scripted(), id="salt", course="salt-road")
    assert (c.next, c.length) == ("hold-the-stones", 3)
    first = fought(c, acts=1, resigned=0)
    counted = ledger.counted(c, first)
    asked = {one.id: one for one in counted.questions}["next"]
    assert (asked.options, asked.chosen) == (("The Long Bridge", "The Reliquary"), ("The Long Bridge",))
    assert (asked.least, asked.most) == (1, 1)
    chosen = ledger.counted(c, first, {"next": ["The Reliquary"]}).campaign
    assert chosen.next == "the-reliquary"
    for wrong, words in (
        (["Cut Them Down"], "The next battle cannot be cut-them-down; the ways are the-long-bridge, the-reliquary"),
        (["The Relic"], "not a battle of The Salt Road; did you mean 'the-reliquary'"),
        (["The Reliquary", "The Long Bridge"], "only 1 battle can be next"),
    ):
        with pytest.raises(InputError, match=words):
            ledger.counted(c, first, {"next": wrong})
    second = after_battle(chosen, fought(chosen, acts=1, resigned=0))
    assert [way.scenario for way in second.ways] == ["cut-them-down", "run-the-gauntlet"], "it was lost"
    last = after_battle(second.campaign, fought(second.campaign, acts=1, resigned=0))
    assert (last.campaign.next, last.ways) == (None, ())
    for one in (chosen, second.campaign, last.campaign):
        assert campaign_file(encoded_campaign(one).decode()) == one
    lie = json.loads(encoded_campaign(chosen))
    lie["next"] = "the-long-bridge"
    with pytest.raises(InputError, match="next: after battle 1 the dice call for The Reliquary"):
        campaign_file(json.dumps(lie))


@pytest.mark.clause("BS-S49")
def test_the_captain_is_met_after_a_battle_that_was_not_lost() -> None:
    road = courses()["salt-road"]
    assert [way.scenario for way in road.ways(2, "won")] == ["head-of-the-band", "cut-them-down"]
    assert [way.scenario for way in road.ways(2, "drawn")] == ["head-of-the-band", "cut-them-down"]
    every = {scenario for course in courses().values() for scenario in course.scenarios}
    assert all(SCENARIO_FILES.find(scenario).value.solo for scenario in every)


@pytest.mark.clause("BS-S48")
def test_a_roster_goes_on_into_another_season() -> None:
    c = begin("Test", Scripted(), id="salt", course="salt-road")
    with pytest.raises(InputError, match=r"There are 3 battles to be fought before the roster goes on \(BS-S48\)"):
        go_on(c)
    for _ in range(3):
        c = after_battle(c, fought(c, acts=1, resigned=0)).campaign
    assert [one.id for one in ledger.overview(c).courses] == ["season", "salt-road"]
    again = go_on(c)
    assert (again.roster, again.battles, again.seasons) == (c.roster, c.battles, ("salt-road", "season"))
    assert again.next in SCENARIOS
    assert again == go_on(c), "its first battle is drawn by dice that come of the campaign"
    assert (ledger.overview(again).length, ledger.overview(again).courses) == (9, ())
    assert campaign_file(encoded_campaign(again).decode()) == again
    later = after_battle(again, fought(again, acts=1, resigned=0)).campaign
    assert campaign_file(encoded_campaign(later).decode()) == later
    assert len(later.battles) == 4
    for edit, words in (
        (put("seasons", 0, "sesaon"), r"seasons\[0\]: there is no course 'sesaon'; did you mean 'season'"),
        (put("seasons", ["salt-road"]), "battles: its seasons have 3 battles; the file has 4"),
        (put("seasons", ["season", "season"]), "there have been 6 battles before this season; the file has 4"),
    ):
        file = json.loads(encoded_campaign(later))
        edit(file)
        with pytest.raises(InputError, match=words):
            campaign_file(json.dumps(file))
    with pytest.raises(InputError, match="did you mean 'salt-road'"):
        go_on(c, "salt-raod")


@pytest.mark.clause("BS-S35", "BS-S48")
@pytest.mark.house("mode", "coop")
def test_two_people_play_a_season_together() -> None:
    c = begun(mode="coop")
    after = after_battle(c, fought(c)).campaign
    assert after.battles[0].rules == {"mode": "coop"}
    assert campaign_file(encoded_campaign(after).decode()) == after


@pytest.mark.clause("BS-Q38", "BS-S46", "BS-S48")
@pytest.mark.house("mode", "versus")
def test_a_second_player_may_have_the_enemies_of_a_season() -> None:
    c = begun(mode="versus", nemesis="on")
    # A side that resigns has lost. If the other side resigns, the roster's side has not.
    mine, hers = (after_battle(c, fought(c, acts=20, resigned=side)).campaign for side in (0, 1))
    assert [(b.result, b.given_up) for b in (mine.battles[0], hers.battles[0])] == [("lost", True), ("won", False)]
    assert campaign_file(encoded_campaign(hers).decode()) == hers
    # A fighter who has killed comes back, even if a person played her.
    slayer = Member(name="Raider 1", quality=2)
    deeds = (Deed(name="Maren", fate="dead", kills=0, trophies=0),)
    lost = Fought(result="lost", deeds=deeds, slayers=(slayer,))
    after = campaign.accounted(c, lost, given_up=False, digest="0").campaign
    (nemesis,) = after.nemeses
    again = next_battle(after).begin(Seeded(1))
    assert not again.ruleset.automated(again.state)
    assert isinstance(again.state, Skirmish)
    assert nemesis.name in {f.name for f in again.state.fighters if f.side == 1}
    t = scene(placed(0, 2, 12, 12), placed(1, 1, 14, 12, kills=1), placed(1, 1, 16, 12), field={"automated": ()})
    assert [one.name for one in campaign._fought(t, set(), "lost").slayers] == ["Automata 1"]


# --- the file ---------------------------------------------------------------------------------------------------------


def changed(c: Campaign, **fields: Any) -> str:
    return encoded_campaign(msgspec.structs.replace(c, **fields)).decode()


@pytest.mark.clause("BS-S32", "BS-S44", "BS-S48")
def test_a_file_that_does_not_add_up_is_refused_with_its_place(battle: tuple[Campaign, Record, SeasonResult]) -> None:
    c, _, counted = battle
    after = counted.campaign
    first = after.roster[0]
    for text, words in (
        (changed(c, next="blood-price"), "next: 'blood-price' is not a scenario of a season"),
        (changed(c, next=None), "next: a season has 6 battles, and 0 have been fought"),
        (changed(after, next="cut-them-down"), "next: no scenario is played twice running"),
        (changed(c, roster=(*c.roster, line("Maren"))), r"roster\[0\].name: two are called 'Maren'"),
        (
            changed(c, roster=(line("A", 6, began=1),)),
            r"roster\[0\].quality: nobody rises from Quality 1 to 6 like this",
        ),
        (
            changed(c, roster=(line("A", 2, began=3),)),
            r"roster\[0\].quality: nobody rises from Quality 3 to 2 like this",
        ),
        (
            changed(c, roster=(line("A", battles=1),)),
            r"roster\[0\].battles: there have been 0 battles; this line has 1",
        ),
        (
            changed(c, roster=(line("A", state="dead"),)),
            r"roster\[0\].state: the dead have fallen, and nobody else has",
        ),
        (
            changed(c, roster=tuple(line(f"F{i}") for i in range(9))),
            "roster: a roster has 1 to 8 models; this one has 9",
        ),
        (changed(c, fallen=(line("A", state="dead"),)), "fallen: 0 have died in battle, and 1 have fallen"),
        (changed(c, rules={"nemsis": "on"}), "did you mean nemesis"),
        (changed(after, roster=(msgspec.structs.replace(first, kills=99), *after.roster[1:])), "kills, and the models"),
        (changed(c).replace('"title"', '"titel"'), "did you mean 'title'"),
        (changed(c).replace('"format_version": 2', '"format_version": 3'), "written by a newer Caltrop"),
    ):
        with pytest.raises(InputError, match=words) as raised:
            campaign_file(text)
        assert raised.value.line is not None


Edit = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def two_battles() -> tuple[Campaign, dict[str, Any]]:
    """Return a campaign of two battles with its file. The second battle was lost, and somebody may come back."""
    first = begun(nemesis="on", lingering_wounds="on")
    first = after_battle(first, fought(first, 1)).campaign
    # The record provides the dice for counting a battle. The return of a fighter is decided for each battle.
    ways = (after_battle(first, fought(first, seed)).campaign for seed in range(1, 30))
    lost = (c for c in ways if c.nemeses and c.battles[1].result == "lost" and any(b.kills for b in c.battles))
    c = next(c for c in lost if {line.name for line in c.roster} & set(c.battles[0].fielded))
    return c, msgspec.json.decode(encoded_campaign(c))


def put(*path: Any) -> Edit:
    """Move the last place of a path as near as possible to the goal of the others."""

    def edit(file: dict[str, Any]) -> None:
        at: Any = file
        for key in path[:-2]:
            at = at[key]
        at[path[-2]] = path[-1]

    return edit


LIES: list[tuple[str, Edit, str]] = [
    (
        "experience without battles",
        put("roster", -1, "experience", 30),
        r"roster\[\d\].experience: the battles of \w+ give",
    ),
    ("Quality without experience", put("roster", 1, "quality", 4), r"roster\[1\].quality: the battles of \w+ give"),
    ("a recruit who came with it", put("roster", -1, "began", 2), r"roster\[\d\].quality: nobody rises from Quality 2"),
    (
        "a better beginner",
        lambda f: f["roster"][0].update(quality=4, began=4),
        "highest Quality is 3|give 1; the file has 4",
    ),
    (
        "resting without wounds",
        lambda f: whole(f).update(state="resting"),
        r"roster\[\d\].state: .* ready; the file has",
    ),
    ("nobody fielded", put("battles", 0, "fielded", ["Nobody"]), r"battles\[0\].fielded\[0\]: there was no 'Nobody'"),
    ("somebody fielded who stayed away", lambda f: f["battles"][0]["fielded"].pop(), r"battles\[0\].deeds"),
    ("a lost battle won", put("battles", 1, "result", "won"), r"by its battles|the battles of \w+ give"),
    ("given up and not lost", lambda f: f["battles"][1].update(result="won", given_up=True), "given up is lost"),
    ("rules emptied", put("rules", {}), r"battles\[0\].rules: a campaign keeps its house rules"),
    (
        "rules emptied everywhere",
        lambda f: [put("rules", {})(one) for one in (f, *f["battles"])],
        "by its battles|the dice call for",
    ),
    ("nemeses dropped", put("nemeses", []), r"nemeses: by its battles .* comes back"),
    ("a nemesis forgotten", put("infamous", []), "infamous: by its battles these have made a name"),
    ("a recruit too many", lambda f: f["battles"][0]["recruits"].append("Zoe"), r"battles\[0\]: There are \d to \d"),
    (
        "somebody who never joined",
        lambda f: f["roster"].append({**f["roster"][0], "name": "Zoe", "kills": 0, "trophies": 0}),
        "began with",
    ),
    ("kills made up", lambda f: f["battles"][0].update(kills=f["battles"][0]["kills"] + 1), "kills, and the models to"),
    ("the next battle chosen", lambda f: f.update(next=other(f)), "next: after battle 2 the dice call for"),
]


def whole(file: dict[str, Any]) -> dict[str, Any]:
    """Return the first member of the roster who is ready."""
    result: dict[str, Any] = next(line for line in file["roster"] if line.get("state", "ready") == "ready")
    return result


def other(file: dict[str, Any]) -> str:
    return next(id for id in SCENARIOS if id not in (file["next"], file["battles"][-1]["scenario"]))


@pytest.mark.clause("BS-S40", "BS-S41", "BS-S42", "BS-S44", "BS-S46", "BS-S47", "BS-S48")
@pytest.mark.parametrize(("edit", "words"), [lie[1:] for lie in LIES], ids=[lie[0] for lie in LIES])
def test_a_file_that_lies_is_refused_unless_it_says_why(
    two_battles: tuple[Campaign, dict[str, Any]], edit: Edit, words: str
) -> None:
    file = copy.deepcopy(two_battles[1])
    edit(file)
    with pytest.raises(InputError, match=words) as raised:
        campaign_file(json.dumps(file, indent=1))
    assert raised.value.line is not None
    if "by hand says so" in str(raised.value):
        read = campaign_file(json.dumps({**file, "corrected": "Ada cannot count"}))
        assert ledger.overview(read).notes == ("Corrected by hand: Ada cannot count",)


@pytest.mark.clause("BS-S40")
def test_what_was_corrected_by_hand_goes_on_and_says_so_for_ever(two_battles: tuple[Campaign, dict[str, Any]]) -> None:
    read = campaign_file(json.dumps({**two_battles[1], "nemeses": [], "corrected": "She has left the country"}))
    again = after_battle(read, fought(read, acts=1, resigned=0)).campaign
    assert campaign_file(encoded_campaign(again).decode()) == again
    assert ledger.overview(again).notes == ("Corrected by hand: She has left the country",)


@pytest.mark.clause("BS-S40")
def test_a_name_of_ones_own_stands_in_every_battle_and_in_all_that_is_told(
    two_battles: tuple[Campaign, dict[str, Any]],
) -> None:
    c = two_battles[0]
    old = next(deed.name for deed in c.battles[0].deeds if deed.name in {line.name for line in c.roster})
    called = ledger.dressed(c, old, Dress(name=" Ada the Second ", cloak="wine", saying="Count me in"))
    text = encoded_campaign(called).decode()
    assert campaign_file(text) == called, "its battles come to it as before"
    assert not re.search(rf"\b{old}\b", text)
    back = ledger.dressed(called, "Ada the Second", Dress(name=old, cloak="", saying=""))
    assert encoded_campaign(back) == encoded_campaign(c)
    # Clothes and battle cries belong to the player. They never hide values that a file is checked for.
    file = json.loads(text)
    put("roster", 1, "quality", 4)(file)
    with pytest.raises(InputError, match="the battles of"):
        campaign_file(json.dumps(file))
    file = json.loads(text)
    put("roster", 0, "saying", "Up\u202eside down")(file)
    with pytest.raises(InputError, match=r"roster\[0\].saying: a saying is one line"):
        campaign_file(json.dumps(file))


def test_a_name_that_another_begins_with_is_told_apart() -> None:
    c = begun()
    names = [line.name for line in c.roster]
    c = ledger.dressed(ledger.dressed(c, names[0], Dress(name="Ada")), names[1], Dress(name="Ada Lee"))
    after = after_battle(c, fought(c, acts=1, resigned=0, fielded=["Ada Lee"])).campaign

    def told(c: Campaign) -> list[str]:
        return [one.words for one in c.battles[0].told]

    assert any(words.startswith("Ada Lee gains ") for words in told(after))
    assert told(ledger.dressed(after, "Ada", Dress(name="Bo"))) == told(after)
    renamed = told(ledger.dressed(after, "Ada Lee", Dress(name="Bo")))
    assert renamed == [words.replace("Ada Lee", "Bo") for words in told(after)] != told(after)


def test_the_tale_of_a_battle_comes_of_its_deeds(two_battles: tuple[Campaign, dict[str, Any]]) -> None:
    c = two_battles[0]
    everybody = [line.name for line in (*c.roster, *c.fallen)]
    for name in [line.name for line in c.roster]:
        c = ledger.dressed(c, name, Dress(saying=f"I am {name}"))
    for b, shown in zip(c.battles, ledger.overview(c).battles, strict=True):
        text = " ".join(shown.tale)
        assert shown.title in shown.tale[0]
        assert (", and lost." in shown.tale[0]) == (b.result == "lost")
        for one in b.deeds:
            sentence = next((words for words in shown.tale if "killed" in words and one.name in words), "")
            assert bool(sentence) == bool(one.kills), (one, text)
        for fate, words in (("dead", " died there."), ("wounded", " wounded.")):
            line = next((sentence for sentence in shown.tale if sentence.endswith(words)), "")
            assert {n for n in everybody if n in line} == {d.name for d in b.deeds if d.fate == fate}
        assert all(f"{foe.name}, who had killed at least one of them, got away" in text for foe in b.slayers)
        assert all(name in shown.tale[-1] for name in b.recruits)
    first, second = (line.name for line in c.roster[:2])
    best = [deed(second), deed(first, kills=2, trophies=1)]
    now = tale(c, msgspec.structs.replace(c.battles[0], deeds=tuple(best)), "The Reliquary")
    assert now[1:3] == (f"{first} killed two and took a trophy.", f"“I am {first}”, said {first}.")
    best = [deed(second, kills=1), deed(first, "dead", kills=1)]
    now = tale(c, msgspec.structs.replace(c.battles[0], deeds=tuple(best)), "The Reliquary")
    assert now[1] == f"{second} and {first} each killed one."
    c = msgspec.structs.replace(c, roster=c.roster[1:], fallen=(*c.fallen, c.roster[0]))
    now = tale(c, msgspec.structs.replace(c.battles[0], deeds=tuple(best)), "The Reliquary")
    assert f"“I am {first}” was what {first} used to say." in now


def test_a_battle_counts_whatever_was_put_on_since_it_began(battle: tuple[Campaign, Record, SeasonResult]) -> None:
    c, record, counted = battle
    name = c.roster[0].name
    later = after_battle(ledger.dressed(c, name, Dress(cloak="snow", saying="Late")), record).campaign
    assert later.battles == counted.campaign.battles
    assert next(line for line in (*later.roster, *later.fallen) if line.name == name).cloak == "snow"


@pytest.mark.clause("BS-S40", "BS-S46")
@pytest.mark.parametrize("path", OLDER, ids=lambda path: path.parts[-3])
def test_a_file_of_before_tells_in_words_what_it_is_held_to(path: Path) -> None:
    c = campaign_file(path)
    assert campaign_file(encoded_campaign(c).decode()) == c
    file = json.loads(path.read_text())
    assert file["format_version"] == 1
    file["roster"][0]["experience"] += 1
    with pytest.raises(InputError, match=r"roster\[0\].experience: the battles of \w+ give"):
        campaign_file(json.dumps(file))
    if file["nemeses"]:
        file = {**json.loads(path.read_text()), "nemeses": []}
        with pytest.raises(InputError, match="nemeses: by its battles"):
            campaign_file(json.dumps(file))


def test_a_campaign_is_read_from_a_file(tmp_path: Path) -> None:
    c = begun(advancement="kills")
    path = tmp_path / "x.caltrop-campaign.json"
    path.write_bytes(encoded_campaign(c))
    assert campaign_file(path) == c
    assert c.rules == {"advancement": "kills"}


def test_the_roster_shows_what_the_next_step_takes(battle: tuple[Campaign, Record, SeasonResult]) -> None:
    c, _, _ = battle
    c = msgspec.structs.replace(c, fallen=(line("Ada", quality=3, kills=1), line("Ida", quality=2, kills=2)))
    assert ledger.overview(c).gone == ("Ada (Quality 3, 1 kill)", "Ida (Quality 2, 2 kills)")
    first = ledger.overview(c).roster[0]
    assert first.values[0] == Value(value=3, of=6, words="Seasoned")
    step = next_step(c.book, c.roster[0])
    assert step is not None
    assert (
        first.values[1]
        == Value(value=step.has, of=step.needs, words=step.of)
        == Value(value=0, of=9, words="experience")
    )


def test_what_the_player_decides_is_asked_by_the_names_of_questions(
    battle: tuple[Campaign, Record, SeasonResult],
) -> None:
    c, record, own = battle
    plain = ledger.counted(c, record)
    assert (plain.campaign, plain.battle.told[0].words) == (own.campaign, own.battle.told[0].words)
    asked = {one.id: one for one in plain.questions}
    assert asked["recruits"].most == own.most
    new = asked["recruits"].chosen
    assert len(new) == own.most
    names = tuple(f"Zoe {i}" for i in range(own.most))
    answers = {"recruits": names, **({"hold": own.could_rise} if own.could_rise else {})}
    chosen = ledger.counted(c, record, answers)
    assert {one.id: one.chosen for one in chosen.questions} == answers
    assert [line.name for line in chosen.campaign.roster][-own.most :] == list(names)
    for wrong, words in (
        ({"rise": ()}, "it is one of hold, recruits"),
        ({"recruits": ("Z" * 41,)}, "1 to 40 characters"),
    ):
        with pytest.raises(InputError, match=words):
            ledger.counted(c, record, wrong)
