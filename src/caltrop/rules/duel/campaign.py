"""A campaign of two duels. One duellist fights both duels, and keeps the wounds of the first in the second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from caltrop.chance import Dice
from caltrop.engine import HouseValue, Sum, Term, guard, rule, ruleset, total
from caltrop.engine.campaign import (
    Answers,
    Battle,
    CampaignResult,
    Column,
    Course,
    Dress,
    Member,
    NextBattle,
    Overview,
    Question,
    Result,
    Told,
    Value,
    check_answers,
    result_of,
)
from caltrop.errors import InputError
from caltrop.journal import Record, Setting
from caltrop.kit.requests import changed_rules
from caltrop.roster import nearest, read_yaml
from caltrop.rules.duel.armies import ARMIES, ArmyList, DuellistGiven, Name
from caltrop.rules.duel.scenarios import SCENARIOS
from caltrop.scenarios.campaigns import check_asked, obey, played_out, text_of

DUELS = ("crossroads", "bridge")
"""The scenarios in the order in which they are fought (DU-CAMP-01)."""
NO_COURSE = "a campaign of the duel is two duels, and cannot be continued"

REWARD = "reward"
"""Key of the question asked after a duel that was won."""

ALL_FOUGHT = guard("DU-CAMP-01", "all-fought", "A campaign has {duels} duels, and all of them have been fought")
OTHER = guard("DU-CAMP-01", "other", "{name} fights every duel of this campaign, and nobody else")
GOES_ON = guard("DU-CAMP-01", "goes-on", "This duel is not over: play it to its end, or give it up to lose it")
NO_REWARD = guard("DU-CAMP-03", "no-reward", "A duel that was won has one reward; a duel that was not won has none")


class Fought(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    result: Result
    given_up: bool = False
    told: tuple[Told, ...] = ()


FORMAT_VERSION = 1
"""Version of the file's format: increased when it changes. Older files can still be read."""


class Campaign(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A campaign between two duels."""

    format: Literal["caltrop-campaign"] = "caltrop-campaign"
    format_version: Literal[1] = 1
    ruleset: Literal["duel"] = "duel"
    id: Name
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    rules: dict[str, HouseValue] = {}
    """House rules that are not at their default."""
    duellist: DuellistGiven
    """The duellist at the beginning of the next duel."""
    whole: Annotated[int, msgspec.Meta(ge=1, le=20)]
    """Wounds of the duellist without injuries."""
    duels: Annotated[tuple[Fought, ...], msgspec.Meta(max_length=len(DUELS))] = ()

    @property
    def next(self) -> str | None:
        """The scenario of the next duel; None after the last."""
        return (*DUELS, None)[len(self.duels)]


@rule("DU-CAMP-02")
def healed(c: Campaign, left: int) -> int:
    """Return the wounds after a duel: one lost wound is healed."""
    return min(left + 1, c.whole)


@rule("DU-CAMP-03")
def rewards(c: Campaign, result: Result) -> tuple[str, ...]:
    """Return the possible rewards after a victory: a breath (the default), or another wound healed."""
    return ("breath", "wound") if result == "won" else ()


@rule("DU-CAMP-04")
def score(c: Campaign) -> Sum:
    """Two points for each duel won, one point for each draw."""
    won, drawn = (sum(d.result == result for d in c.duels) for result in ("won", "drawn"))
    return (Term(2 * won, "DU-CAMP-04", "Duels won"), Term(drawn, "DU-CAMP-04", "Draws"))


def begin(
    title: str,
    dice: Dice,
    *,
    id: str,
    army: str | None = None,
    rules: Mapping[str, HouseValue] | None = None,
    course: str | None = None,
) -> Campaign:
    """Return a new campaign; see `caltrop.engine.parts.Campaigns`."""
    if course is not None:
        raise InputError(NO_COURSE, field="course")
    book = ruleset("duel").book(None, rules)
    d: DuellistGiven = SCENARIOS.find(DUELS[0]).value.duellists[0]
    if army is not None:
        (d,) = ARMIES.find(army).value.units
    one = DuellistGiven(name=d.name, wounds=d.wounds, breath=d.breath, traits=d.traits)
    return Campaign(id=id, title=title, rules=changed_rules(book), duellist=one, whole=one.wounds)


CampaignFile = Campaign


def every_course() -> tuple[Course, ...]:
    return ()


def go_on(c: Campaign, course: str | None = None) -> Campaign:
    """Raise InputError, because the campaign cannot be continued."""
    raise InputError(NO_COURSE, field="course")


def dressed(c: Campaign, who: str, dress: Dress) -> Campaign:
    """Raise InputError, because the duellist cannot differ from the army list."""
    raise InputError(
        "the duellist of a campaign has the name that its army list gives it, and nothing more", field="who"
    )


def campaign_file(file: Path | str) -> Campaign:
    """Read a campaign from a file or its text. Raises InputError for an error in it."""
    read = read_yaml(file, Campaign)
    if read.value.duellist.wounds > read.value.whole:
        raise read.wrong("it has more wounds than its full number", "duellist", "wounds")
    try:
        ruleset("duel").book(None, read.value.rules)
    except ValueError as error:
        raise read.wrong(str(error), "rules") from None
    return read.value


def encoded_campaign(c: Campaign) -> bytes:
    return text_of(c).encode()


def next_battle(c: Campaign, fielded: Sequence[str] | None = None) -> Setting:
    obey(ALL_FOUGHT, c.next is None, duels=len(DUELS))
    obey(OTHER, fielded is not None and list(fielded) != [c.duellist.name], name=c.duellist.name)
    assert c.next is not None
    called_up = f"{c.id} {len(c.duels) + 1}"
    one = ArmyList(ruleset="duel", id="roster", title=c.title, units=(c.duellist,), called_up=called_up)
    book = ruleset("duel").book(None, c.rules)
    return Setting.of(book, c.next, (text_of(one),))


def counted(c: Campaign, record: Record, answers: Answers | None = None) -> CampaignResult[Campaign]:
    """Return the result of a duel, with the campaign after it. Raises `InputError` for invalid answers.

    Args:
        record: The duel, played to its end or given up.
        answers: The reward (`reward`): a `breath`, or a `wound` healed; by default a breath.
    """
    check_answers(answers or {}, (REWARD,))
    check_asked(record, next_battle(c))
    given_up = record.resigned == 0  # if the other side gives up, the outcome says so
    obey(GOES_ON, record.outcome is None and not given_up)
    t: Any = played_out(record).state
    result, one, left = result_of(record.outcome, given_up), c.duellist, t.duellists[0].wounds
    won = rewards(c, result)
    reward = _reward(answers or {}, won)
    wounds = healed(c, left)
    tales = [Told(words=f"Wounds left: {left}, and one heals: {wounds}", clauses=("DU-CAMP-02",))]
    if reward == "wound":
        wounds = healed(c, wounds)
    if reward:
        words = "A breath more for the duel that was won" if reward == "breath" else "Another wound heals"
        tales.append(Told(words=words, clauses=("DU-CAMP-03",), tone="better"))
    after = msgspec.structs.replace(one, wounds=wounds, breath=min(one.breath + (reward == "breath"), 20))
    duel = Fought(result=result, given_up=given_up, told=tuple(tales))
    question = Question(
        id=REWARD, words="The reward of the duel", form="some", options=won, least=1, most=1, chosen=(reward,)
    )
    return CampaignResult(
        campaign=msgspec.structs.replace(c, duellist=after, duels=(*c.duels, duel)),
        battle=_battle(c, len(c.duels), duel),
        questions=(question,) if reward else (),
    )


def _reward(answers: Answers, won: tuple[str, ...]) -> str:
    chosen = answers.get(REWARD, won[:1])
    obey(NO_REWARD, len(chosen) != bool(won))
    for one in chosen:
        if one not in won:
            raise InputError(f"{one!r} is not a reward; {nearest(one, won)}", field="answers")
    return "".join(chosen)


def _title(scenario: str) -> str:
    return SCENARIOS.find(scenario).value.title


def _battle(c: Campaign, number: int, duel: Fought) -> Battle:
    return Battle(
        scenario=DUELS[number],
        title=_title(DUELS[number]),
        result=duel.result,
        given_up=duel.given_up,
        fielded=(c.duellist.name,),
        came=f"{duel.result}, given up" if duel.given_up else duel.result,
        told=duel.told,
    )


def overview(c: Campaign) -> Overview:
    one, traits = c.duellist, ", ".join(c.duellist.traits) or "none"
    values = (Value(value=one.wounds, of=c.whole), Value(value=one.breath), Value(words=traits))
    following = None
    if c.next is not None:
        following = NextBattle(scenario=c.next, title=_title(c.next), most=1, field=(one.name,), players=2)
    return Overview(
        ruleset=c.ruleset,
        title=c.title,
        rules=c.rules,
        battles=tuple([_battle(c, i, duel) for i, duel in enumerate(c.duels)]),
        length=len(DUELS),
        next=following,
        columns=(Column(words="Wounds", form="rating"), Column(words="Breath", form="count"), Column(words="Traits")),
        roster=(Member(name=one.name, values=values, ready=following is not None),),
        score=score(c),
        points=total(score(c)),
    )
