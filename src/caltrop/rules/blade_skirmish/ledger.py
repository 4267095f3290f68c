"""Campaigns in the form that pages and programs share: conversions from the records in `campaign`."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from caltrop.agreeing import quantity
from caltrop.engine import total
from caltrop.engine.campaign import (
    Answers,
    Battle,
    CampaignResult,
    Column,
    Course,
    Member,
    NextBattle,
    Overview,
    Question,
    Told,
    Tone,
    Value,
    check_answers,
)
from caltrop.errors import InputError
from caltrop.journal import Record
from caltrop.picture.shelf import PAINTS
from caltrop.roster import nearest
from caltrop.rules.blade_skirmish import campaign as own
from caltrop.rules.blade_skirmish.campaign import FORMAT_VERSION as FORMAT_VERSION
from caltrop.rules.blade_skirmish.campaign import Campaign, may_be_fielded, most_fielded, usual_field
from caltrop.rules.blade_skirmish.campaign import begin as begin
from caltrop.rules.blade_skirmish.campaign import go_on as go_on
from caltrop.rules.blade_skirmish.campaign import next_battle as next_battle
from caltrop.rules.blade_skirmish.campaign_files import campaign_file as campaign_file
from caltrop.rules.blade_skirmish.campaign_files import encoded_campaign as encoded_campaign
from caltrop.rules.blade_skirmish.courses import courses
from caltrop.rules.blade_skirmish.dressing import dressed as dressed
from caltrop.rules.blade_skirmish.figures import look_of
from caltrop.rules.blade_skirmish.muster import automated_sides
from caltrop.rules.blade_skirmish.scenarios import SCENARIO_FILES
from caltrop.rules.blade_skirmish.season import RosterLine, SeasonChoices, called, next_step
from caltrop.rules.blade_skirmish.tale import tale

COLUMNS = (
    Column(words="Quality", form="rating"),
    Column(words="Next step", form="progress"),
    Column(words="Kills", form="count"),
    Column(words="Trophies", form="count", minor=True),
    Column(words="Battles", form="count", minor=True),
)
CampaignFile = Campaign
BEST = 6
"""Highest Quality."""
HOLD, RECRUITS, NEXT = "hold", "recruits", "next"
"""Ids of the questions after a battle: members who do not rise yet, names of recruits, and the next battle."""

_TONES: dict[str, Tone] = {
    "Erased": "gone",
    "MissesTheNext": "worse",
    "Rose": "better",
    "Recruited": "new",
    "Infamous": "beware",
    "Rolled": "dice",
}


def overview(c: Campaign) -> Overview:
    """Return the public form of a campaign, with everything derived from it."""
    score = c.score
    return Overview(
        ruleset=c.ruleset,
        title=c.title,
        course=c.course.title,
        rules=c.rules,
        battles=tuple([_battle(c, b) for b in c.battles]),
        length=c.length,
        next=_next(c),
        columns=COLUMNS,
        roster=tuple([_member(c, line) for line in c.roster]),
        gone=tuple([f"{line.name} (Quality {line.quality}, {quantity(line.kills, 'kill')})" for line in c.fallen]),
        score=score,
        points=total(score),
        notes=(f"Corrected by hand: {c.corrected}",) if c.corrected else (),
        courses=every_course() if c.next is None else (),
        cloaks=dict(PAINTS),
    )


def every_course() -> tuple[Course, ...]:
    """Return the courses of a new or continued campaign, the usual one first."""
    return tuple([Course(id=id, title=one.title, words=one.words) for id, one in courses().items()])


def _title(scenario: str) -> str:
    return SCENARIO_FILES.find(scenario).value.title


def _next(c: Campaign) -> NextBattle | None:
    if c.next is None:
        return None
    scenario = SCENARIO_FILES.find(c.next).value
    words = [scenario.words.removesuffix("."), "The stronger they are together, the more enemies come"]
    words += [f"{one.name}, Quality {one.quality}, comes back to fight you" for one in c.nemeses]
    return NextBattle(
        scenario=c.next,
        title=scenario.title,
        words=tuple(words),
        most=most_fielded(c),
        field=usual_field(c),
        players=2 - len(automated_sides(c, scenario)),
    )


def _member(c: Campaign, line: RosterLine) -> Member:
    step = next_step(c.book, line)
    return Member(
        name=line.name,
        values=(
            Value(value=line.quality, of=BEST, words=called(line.quality)),
            Value() if step is None else Value(value=step.has, of=step.needs, words=step.of),
            *[Value(value=count) for count in (line.kills, line.trophies, line.battles)],
        ),
        ready=c.next is not None and line in may_be_fielded(c),
        note="misses this battle" if line.state == "resting" else "",
        look=look_of(line.name, line.quality),
        cloak=line.cloak,
        saying="" if line.saying is UNSET else line.saying,
        player="" if line.player is UNSET else line.player,
    )


def _battle(c: Campaign, b: own.Battle) -> Battle:
    tales = [Told(words=t.words, clauses=t.clauses, parts=t.parts, tone=_TONES.get(t.kind, "")) for t in b.told]
    return Battle(
        scenario=b.scenario,
        title=SCENARIO_FILES.find(b.scenario).value.title,
        result=b.result,
        given_up=b.given_up,
        fielded=b.fielded,
        came=f"{quantity(b.kills, 'kill')}, {b.dead} dead",
        tale=tale(c, b, _title(b.scenario)),
        told=tuple(tales),
    )


def counted(c: Campaign, record: Record, answers: Answers | None = None) -> CampaignResult[Campaign]:
    """Return the result of a battle, with the campaign after it as a new object.

    Raises InputError if the record is not the next battle of the campaign or contradicts the rules, or if the answers
    are impossible.

    Args:
        record: The battle, played to its end or given up.
        answers: Members who do not rise yet (`hold`), and names of recruits (`recruits`). By default all members
            rise, and recruits get names from a list.
    """
    given = answers or {}
    check_answers(given, (HOLD, RECRUITS, NEXT))
    try:
        choices = msgspec.convert({key: names for key, names in given.items() if key != NEXT}, SeasonChoices)
        if given.get(NEXT):
            choices = msgspec.structs.replace(choices, next=_scenario(c, given[NEXT]))
    except msgspec.ValidationError as error:
        raise InputError(f"a name has 1 to 40 characters: {error}", field="answers") from None
    counts = own.after_battle(c, record, choices)
    return CampaignResult(
        campaign=counts.campaign,
        battle=_battle(counts.campaign, counts.battle),
        questions=tuple(_questions(c, choices, counts)),
    )


def _scenario(c: Campaign, answer: Sequence[str]) -> str:
    if len(answer) > 1:
        raise InputError("only 1 battle can be next", field="answers")
    ids = {word: id for id in c.course.scenarios for word in (id, _title(id))}
    if answer[0] not in ids:
        raise InputError(
            f"{answer[0]!r} is not a battle of {c.course.title}; {nearest(answer[0], ids)}", field="answers"
        )
    return ids[answer[0]]


def _questions(c: Campaign, choices: SeasonChoices, counted: own.SeasonResult) -> list[Question]:
    questions = []
    if counted.could_rise:
        words = "Members who do not rise yet: a better roster meets more enemies"
        held = tuple([name for name in counted.could_rise if name in choices.hold])
        questions.append(
            Question(
                id=HOLD, words=words, form="some", options=counted.could_rise, most=len(counted.could_rise), chosen=held
            )
        )
    if counted.most:
        before = {line.name for line in (*c.roster, *c.fallen)}
        new = tuple([line.name for line in counted.campaign.roster if line.name not in before])
        words = "Recruits, by name" + (f"; at least {counted.least} are needed" if counted.least else "")
        questions.append(
            Question(
                id=RECRUITS,
                words=words,
                form="names",
                each="Recruit",
                least=counted.least,
                most=counted.most,
                chosen=new,
            )
        )
    if len(counted.ways) > 1:
        words = "; ".join([f"{_title(way.scenario)}: {way.words}" for way in counted.ways])
        questions.append(
            Question(
                id=NEXT,
                words=f"Which way now? {words}",
                form="some",
                options=tuple([_title(way.scenario) for way in counted.ways]),
                least=1,
                most=1,
                chosen=(_title(counted.campaign.next or ""),),
            )
        )
    return questions
