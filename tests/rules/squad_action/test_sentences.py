"""Sentences: verbs agree with the names of units, nouns with their numbers, and checks name the needed dice."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from caltrop.agreeing import several
from caltrop.asking import offered
from caltrop.chance import Seeded
from caltrop.engine import Match
from caltrop.rules.squad_action.assault import Declared
from caltrop.rules.squad_action.broken import FellBack
from caltrop.rules.squad_action.casualties import LAST_MODEL, Gone, MoraleChecked, WhoFalls
from caltrop.rules.squad_action.damage import MachineChecked
from caltrop.rules.squad_action.limits import ONE_TOO_FAR
from caltrop.rules.squad_action.overwatch import React
from caltrop.rules.squad_action.rally import Rallied, Rallying
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.rulebook import ruleset
from caltrop.rules.squad_action.scenarios import every_mission, find_mission, firefight
from caltrop.rules.squad_action.scene import machine, run, scene, squad
from caltrop.rules.squad_action.shells import Shelled
from caltrop.rules.squad_action.striking import StruckByHand
from caltrop.rules.squad_action.turn import Game
from caltrop.rules.squad_action.vehicle_assault import Reached

NOUNS = "inch|model|point|hit|token|marker|shot|attack|rifle|die"
NOT_VERBS = {"as", "is"}


def wrong(words: str, names: list[str]) -> Iterator[str]:
    """Yield the disagreements in a sentence, given the names of units."""
    for name in names:
        for verb in re.findall(rf"(?:^|: |and ){re.escape(name)} ([a-z]+)", words):
            third = verb.endswith("s") and not verb.endswith("ss")
            if third if several(name) else verb in ("are", "have", "do", "fire", "lose", "move"):
                yield f"{name} {verb}"
    yield from re.findall(rf"(?<![\d.+-])1 (?:{NOUNS})(?:s|es)\b", words)
    yield from re.findall(rf"(?:\d\d|[02-9]|\.\d+) (?:{NOUNS})\b(?! (?:long|wide))", words)
    yield from re.findall(r"\ba (?!uni)[aeiou]\w*|\ban [bcdfgjklmpqtvwxyz]\w*|\ba [\w ]*bombs|\d of it run", words)


def test_what_is_wrong_is_found() -> None:
    names = ["Divers", "Carrier", "Woodsmen"]
    for words in (
        "Divers assaults Carrier",
        "Woodsmen fires",
        "Carrier are",
        "8 inch away",
        "8.74 inch",
        "1 models",
        "a light bombs",
    ):
        assert list(wrong(words, names)), words
    for words in ("Divers assault Carrier", "1 inch", "8.1 inches", "an RPG", "a rifle", "11 hits", "D3 hits"):
        assert not list(wrong(words, names)), words


PLAYED = [
    *[(m.id, ()) for m in every_mission()],
    ("meeting-engagement", ("iron-column", "high-wardens")),
    ("meeting-engagement-orchard", ("hollow-brood", "grey-lancers")),
    ("break-through", ("levy-of-the-plain", "hollow-brood")),
]
"""Missions with the forces that play them: their own by default."""


@pytest.mark.parametrize(("mission", "forces"), PLAYED)
def test_every_sentence_of_a_played_game_agrees(mission: str, forces: tuple[str, ...]) -> None:
    rules = {"break_result": "fall_back", "leadership_die": "2d6_under"}
    t = firefight(ruleset.book("current", rules), find_mission(mission), forces, None, Game())
    match, dice, result = Match(ruleset, t, Seeded("sentences")), Seeded("choices"), set[str]()
    names = [u.name for u in t.units]
    for _ in range(150):
        if not match.waiting:
            break
        asked = match.waiting[0]
        result.update(wrong(offered(asked).prompt(match.state), names))
        events = match.play(asked.side, asked.options(match.state).sample(dice))
        for event in events:
            words = event.sentence(match.state)
            result.update(wrong(words, names))
            assert not re.search(r"morale \d", words), "two dice are held against leadership"
    assert result == set()


def called(*names: str) -> Firefight:
    """Squads with these names, the last of them a truck."""
    squads = [squad(n % 2, "regular", 10 + n, 10 + 9 * n, 3) for n in range(len(names) - 1)]
    t = scene(*squads, machine(1, "truck", 40, 40))
    for n, name in enumerate(names):
        t.change(n, name=name)
    return t


def test_the_sentences_that_tripped_a_player() -> None:
    t = called("Divers", "Rangers", "Lorry")
    assert Declared((0,), (2,)).sentence(t) == "Divers assault Lorry"
    assert Declared((2,), (0,)).sentence(t) == "Lorry assaults Divers"
    assert StruckByHand(0, 1, (4, 5), (), 4, 2).sentence(t) == "Divers strike at Rangers on 4+: 4 5: 2 hits"
    assert Reached(0, 2, (), 0, 3, "fusion-gun", 1).sentence(t) == (
        "Divers strike with their fusion gun at Lorry, which stood still: 3 hits"
    )
    assert Shelled(2, "light", 4, True, False).sentence(t) == "The shells do nothing to Lorry"
    assert Shelled(0, "light", 4, True, False).sentence(t) == "Divers take cover from the shells"
    assert FellBack(1, 7 * 254, 4).sentence(t).endswith("up to 7 inches, and 4 of them run off the table")
    assert Gone(1, LAST_MODEL).sentence(t) == "Only one of Rangers is left: the unit is removed"
    assert WhoFalls(side=1, unit=1, among=(3, 4), lost=1).prompt(t) == "Rangers lose 1 model: which?"
    assert React(side=1, watcher=1, face="move", target=0).prompt(t) == "Where do Rangers move?"
    refused = ONE_TOO_FAR.refuses(True, name="Rangers", limit=2032, length=2219)
    assert refused is not None
    assert refused.message == "No model of Rangers may move more than 8 inches; one would move 8.74 inches"


@pytest.mark.clause("SQ-Q06")
@pytest.mark.house("leadership_die", "d6_over", "2d6_under")
@pytest.mark.parametrize(
    ("rule", "needs", "against"), [("d6_over", "3+", "morale 3+"), ("2d6_under", "8 or less", "leadership 8")]
)
def test_a_check_says_what_its_dice_need(rule: str, needs: str, against: str) -> None:
    t = scene(squad(0, "regular", 10, 10, 3, pinned=True), rules={"leadership_die": rule})
    assert run(t, Rallying(unit=0), *[(6, 6)[: 1 + (rule != "d6_over")]]).journal
    thrown = Rallying(unit=0).roll(t)
    assert thrown.words == f"South 0 rallies: {needs}"  # type: ignore[union-attr]
    assert Rallied(0, (3, 3), 3, True).sentence(t).endswith(against)
    assert MoraleChecked(0, (3, 3), (), 3, True, "break test", "SQ-ORG-27").sentence(t).endswith(against)
    assert MachineChecked(0, (3, 3), 3, True).sentence(t).endswith(against)
