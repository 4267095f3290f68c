"""The readings of an act declared in one class agree: its reasons, its list and its words.

Positions are drawn from the games of the laws. A ruleset without a `OneOf` has no such acts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Annotated, Any, get_type_hints

import msgspec
import pytest

from caltrop.asking import Act, Choices, Guards, OneOf, Pick
from caltrop.asking.declared import NOT_LISTED, shape_of
from caltrop.chance import Seeded
from caltrop.clauses import MARKS, Mark, counting, switched_off
from caltrop.engine import Guard, ruleset
from caltrop.engine.rule import parts_of
from caltrop.parameters import read_by
from tests.laws.games import NAMES, Game

POSITIONS = 4
"""Number of decisions of a game to check: the last ones, which have most units, and the last of each kind.

The last decision of each kind is added.
"""
JUNK = 40
"""Number of random acts of each kind."""


def asked(game: Game) -> Iterator[Callable[[], Choices]]:
    """Yield functions that compute the choices at some decisions of a game."""
    looks = [look for look in game.looks if isinstance(look.decision, OneOf)]
    last = {type(look.decision): look for look in looks}
    for look in [*[look for look in last.values() if look not in looks[-POSITIONS:]], *looks[-POSITIONS:]]:
        assert isinstance(look.decision, OneOf)
        yield partial(look.decision.options, look.state)


def choices(game: Game) -> Iterator[Choices]:
    """Yield the choices at some decisions of a game."""
    for options in asked(game):
        yield options()


def junk(act: type[Act], o: Choices, seed: str) -> Iterator[Act]:
    """Yield acts of a kind with values that are listed somewhere, next to one, or nowhere."""
    dice = Seeded(seed)
    legal = [*islice(o.of(act), JUNK)]
    hints = get_type_hints(act)
    if act.dragged or not {hints[f] for f in shape_of(act).fields} <= {int, int | None}:
        yield from legal
        return
    for n in range(JUNK):
        values = [dice.below(26) - 1 for _ in shape_of(act).fields]
        if legal and n % 2:
            values = [getattr(legal[dice.below(len(legal))], f) for f in shape_of(act).fields]
            if values and n % 4 == 1:
                which = dice.below(len(values))
                values[which] = (values[which] or 0) + dice.below(3) - 1
        yield act(*values)


def test_every_listed_act_is_legal_and_can_be_offered(game: Game) -> None:
    for o in choices(game):
        for act in o.acts:
            for one in islice(o.of(act), JUNK):
                assert one.why(o) is None, one
                assert one.may(o), one
                assert one.offer(o).words
                assert one.told(o).words


def test_an_act_is_legal_exactly_where_no_row_refuses_it(game: Game) -> None:
    for n, o in enumerate(choices(game)):
        for act in o.acts:
            legal = [] if act.dragged or act.sampled else list(o.of(act))
            for one in junk(act, o, f"{game.setting.scenario} {n} {act.__name__}"):
                refusal = one.why(o)
                assert one.may(o) == (refusal is None), one
                if refusal is None:
                    assert act.dragged or act.sampled or one in legal, one
                else:
                    assert refusal.message
                    assert "{" not in refusal.message
                    nearest = one.nearest(o) or o.first()
                    assert nearest.may(o), one


def test_a_guard_that_is_switched_off_refuses_nothing(game: Game) -> None:
    for n, options in enumerate(asked(game)):
        o = options()
        for act in o.acts:
            acts = list(junk(act, o, f"{game.setting.scenario} {n} {act.__name__}"))
            refused = [(one, one.why(o)) for one in acts]
            guards = {row.guard.code: row.guard for row in shape_of(act).rows if row.guard is not None}
            for one, refusal in refused:
                g = None if refusal is None else guards.get(refusal.code)
                if g is None or g is NOT_LISTED:
                    continue
                with switched_off(g.mark.id):
                    again = options()
                    later = one.why(again)
                    assert later is None or later.code != g.code, one
                    assert one.may(again) == (later is None), one


def test_a_listing_follows_the_switch_of_every_guard(game: Game) -> None:
    for options in asked(game):
        o = options()
        for act in o.acts:
            if act.dragged or act.sampled:
                continue
            listed = set(o.of(act))
            for row in shape_of(act).rows:
                if row.guard in (None, NOT_LISTED) or row.field:
                    continue
                with switched_off(row.guard.mark.id):
                    wider = list(options().of(act))
                    assert listed <= set(wider), row.guard.code
                    assert all(one.may(options()) for one in wider), row.guard.code


def test_a_listing_is_counted_and_the_quick_answer_is_not(game: Game) -> None:
    for n, o in enumerate(choices(game)):
        for act in o.acts:
            acts = list(junk(act, o, str(n)))
            if any(row.guard in (None, NOT_LISTED) for row in shape_of(act).rows):
                continue  # functions that return a refusal count their own guards; guards without a clause do not count
            with counting() as fired:
                quick = [one.may(o) for one in acts]
            codes = {row.guard.mark.id for row in shape_of(act).rows if row.guard is not None}
            assert not codes & set(fired)
            with counting() as fired:
                legal = [one.why(o) is None for one in acts]
            assert quick == legal
            assert all(legal) or codes & set(fired)


@pytest.mark.parametrize("name", NAMES)
def test_every_declared_act_is_checked_with_the_vocabulary(name: str) -> None:
    for act in ruleset(name).vocabulary().actions:
        if issubclass(act, Act):
            assert callable(shape_of(act).may)


def test_guards_are_read_without_an_act(monkeypatch: pytest.MonkeyPatch) -> None:
    far = Guard("XX-MOVE-01", "far", "{name} is {gap} away", Mark("laws:far", "guard", ("XX-MOVE-01",), "", 1))
    monkeypatch.setitem(MARKS, "laws:far", far.mark)
    guards = Guards(
        (far, lambda t, unit: t[unit] > 2),
        lambda t, other: SOME.refuses(other == 9, name="It"),
        name=lambda t, unit: f"Unit {unit}",
        gap=lambda t, unit: t[unit],
    )
    gaps = [1, 3]
    refusal = guards.why(gaps, unit=1, other=9)
    assert refusal is not None
    assert (refusal.code, refusal.message) == ("far", "Unit 1 is 3 away")
    assert guards.why(gaps, unit=0, other=1) is None
    assert guards.may(gaps, unit=0, other=1)
    with switched_off("laws:far"):
        assert guards.may(gaps, unit=1, other=1)
        assert not guards.may(gaps, unit=1, other=9)
        refusal = guards.why(gaps, unit=1, other=9)
        assert refusal is not None
        assert refusal.code == "some-guard"
    with counting() as fired:
        assert not guards.may(gaps, unit=1, other=1)
        assert "laws:far" not in fired
        guards.why(gaps, unit=1, other=1)
        assert "laws:far" in fired


@pytest.mark.parametrize("name", NAMES)
def test_every_template_has_a_value_for_each_of_its_names(name: str) -> None:
    words = ruleset(name).vocabulary()
    for events in (*words.events, *words.decisions):
        given: Any = events
        fields = set(given.__struct_fields__)
        names = {part for _, part, _ in parts_of(given.template) if part is not None}
        assert names <= fields | set(given.says), events
        for function in given.says.values():
            assert set(read_by(function)) <= fields | {"t"}, events
        answers = {field for act in words.actions for field in getattr(act, "__struct_fields__", ())}
        assert set(given.about) <= fields | answers | {"unit"}, events


@pytest.mark.parametrize("name", NAMES)
def test_acts_read_only_fields_that_their_decisions_have(name: str) -> None:
    for decision in ruleset(name).vocabulary().decisions:
        if issubclass(decision, OneOf):
            for act in decision.menu.acts:
                assert set(act.context) <= set(decision.__struct_fields__), (decision, act)
                fields = (*act.__struct_fields__, *act.context)
                assert callable(act.actor) or act.actor in (*fields, "unit"), (decision, act)


SOME = Guard("XX-MOVE-01", "some-guard", "{name} may not", Mark("laws:some", "guard", ("XX-MOVE-01",), "", 1))
UNIT = Pick(lambda t: [1, 2])


class Unknown(Act, frozen=True):
    """An act whose condition reads an unknown name."""

    unit: Annotated[int, UNIT]
    guards = Guards((SOME, lambda t, unti: True), name="unit")


class Wordless(Act, frozen=True):
    """An act whose guard uses an unknown value in its words."""

    unit: Annotated[int, UNIT]
    guards = Guards((SOME, lambda t, unit: True))


class Early(Act, frozen=True):
    """An act in which the list of a field depends on a later field."""

    unit: Annotated[int, Pick(lambda target: [target])]
    target: Annotated[int, UNIT]


class Priceless(Act, frozen=True):
    """A condition reads the price of an act that has none."""

    unit: Annotated[int, UNIT]
    guards = Guards((SOME, lambda price: bool(price)), name="unit")


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (Unknown, "Unknown, row 1 (some-guard): there is no 'unti'; did you mean 'unit'?"),
        (Wordless, "Wordless, row 1 (some-guard), {name}: there is no 'name'; it has t, side, o, unit"),
        (Early, "Early, field unit: there is no 'target'; it has t, side, o"),
        (Priceless, "Priceless, row 1 (some-guard): there is no 'price'; it has t, side, o, unit"),
    ],
)
def test_a_wrong_name_is_an_error_that_names_act_row_and_name(act: Any, message: str) -> None:
    with pytest.raises(TypeError) as error:
        act.check_declaration()
    assert str(error.value) == message


SUNK = (-1, -2)
"""Numbers that are not a unit, count or place. As the default of a field, -1 may mean that none is named."""


def sunk(act: Any) -> Iterator[Any]:
    """Yield an act with each of its numbers in turn replaced by one below its range."""
    begins = dict(zip(reversed(act.__struct_fields__), reversed(act.__struct_defaults__), strict=False))
    for field in act.__struct_fields__:
        value = getattr(act, field)
        if isinstance(value, int) and not isinstance(value, bool):
            for number in SUNK:
                if number not in (value, begins.get(field)):
                    yield msgspec.structs.replace(act, **{field: number})


def test_no_number_of_an_answer_may_be_below_all_that_it_means(game: Game) -> None:
    last = {type(look.action): look for look in game.looks}
    for look in last.values():
        options = look.decision.options(look.state)
        firsts = {type(act): act for act in islice(options, JUNK)}
        for act in (look.action, *firsts.values()):
            for one in sunk(act):
                refusal = options.refusal(one)
                assert refusal is not None, one
                assert refusal.message, one
