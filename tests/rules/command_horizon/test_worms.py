"""Worm Tokens: attaching bases, choices, and effects."""

from __future__ import annotations

import pytest

from caltrop.engine import Match, Refused
from caltrop.rules.command_horizon.damage import Casualty
from caltrop.rules.command_horizon.movement import Move, MovementStep, OrderOptions, Orders
from caltrop.rules.command_horizon.putredine import disabled, token_limit
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.scene import Length, cm, done, put, run, scene
from caltrop.rules.command_horizon.turn import Turn
from caltrop.rules.command_horizon.worms import (
    AttachWorms,
    BaseSpent,
    ChooseHost,
    ChooseVictim,
    Cling,
    PutToken,
    remove_token,
)

PUTREDINE = ("putredine", "alliance")


def now(match: Match) -> Battle:
    state = match.state
    assert isinstance(state, Battle)
    return state


def shift(t: Battle, unit: int, dx: Length, dy: Length = 0) -> Move:
    ends = {m: (t.models[m].x + cm(dx), t.models[m].y + cm(dy)) for m in t.units[unit].models}
    return Move(unit, tuple([(m, ((t.models[m].x, t.models[m].y), end)) for m, end in ends.items()]))


def attach(t: Battle, count: int, *models: int) -> Match:
    """Attach tokens to the models with these places in unit 0, one after another; return the match."""
    match = run(t, AttachWorms(side=1, unit=0, count=count))
    for n in models:
        match.play(1, PutToken(t.units[0].models[n]))
    return match


@pytest.mark.clause("CH-WORM-01", "CH-WORM-04", "Q-WORM-1", "W80")
def test_a_base_that_ends_its_move_in_contact_becomes_a_token() -> None:
    t = scene(put(0, "infantry", (20, 20), models=1), put(1, "medium-tank", (20, 28)), army=PUTREDINE)
    match = run(t, MovementStep(side=0))
    match.play(0, shift(t, 0, 0, "5.5"))
    decision = match.waiting[0]
    assert isinstance(decision, ChooseVictim)
    assert decision.side == 0
    assert [o.words for o in decision.offers(now(match))][:2] == ["Model 1 (0 of 4 tokens)", "Model 2 (0 of 4 tokens)"]
    with pytest.raises(Refused) as refused:
        match.play(0, PutToken(t.units[0].models[0]))
    assert refused.value.refusal.code == "not-of-that-unit"
    match.play(0, PutToken(t.units[1].models[3]))
    after = done(match)
    assert [after.models[m].worms for m in after.units[1].models] == [0, 0, 0, 1]
    assert after.units[0].models == ()
    assert after.armies[1].vp == 0
    assert after.armies[0].cp == 10


@pytest.mark.clause("Q-WORM-7", "CH-WORM-01")
def test_bases_that_are_not_in_contact_stay_in_play() -> None:
    t = scene(put(0, "infantry", (20, 20), models=3, along="y"), put(1, "command", (20, 36), models=1), army=PUTREDINE)
    match = run(t, MovementStep(side=0))
    first = t.units[0].models[-1]
    match.play(0, shift(t, 0, 0, "7.98"))
    after = now(match)
    assert len(after.units[0].models) == 2
    assert first not in after.units[0].models
    assert after.models[after.units[1].models[0]].worms == 1


@pytest.mark.clause("Q-WORM-7")
def test_a_base_attaches_to_nothing_that_it_passes_over() -> None:
    t = scene(put(0, "infantry", (20, 20), models=1), put(1, "medium-tank", (20, 25), models=1), army=PUTREDINE)
    match = run(t, MovementStep(side=0))
    match.play(0, shift(t, 0, 0, 10))
    assert done(match).models[t.units[1].models[0]].worms == 0


@pytest.mark.clause("Q-WORM-7")
def test_a_base_that_touches_two_units_picks_one() -> None:
    t = scene(
        put(0, "infantry", (20, 20), models=1),
        put(1, "medium-tank", (18, 28), models=1),
        put(1, "heavy-tank", (22, 28), models=1),
        army=PUTREDINE,
    )
    m = t.units[0].models[0]
    reach = next(y for y in range(2000, 2800) if (200**2 + (2800 - y) ** 2) <= 252**2)
    match = run(t, MovementStep(side=0))
    match.play(0, Move(0, ((m, ((2000, 2000), (2000, reach))),)))
    decision = match.waiting[0]
    assert isinstance(decision, ChooseHost)
    assert [o.target for o in decision.offers(now(match))] == [1, 2]
    with pytest.raises(Refused) as refused:
        match.play(0, Cling(0))
    assert refused.value.refusal.code == "not-touched"
    match.play(0, Cling(2))
    after = done(match)
    assert [after.models[after.units[u].models[0]].worms for u in (1, 2)] == [0, 1]


@pytest.mark.clause("CH-WORM-04", "Q-WORM-7")
def test_bases_of_one_unit_attach_to_two() -> None:
    t = scene(
        put(0, "infantry", (20, 20), (24, 20), models=2),
        put(1, "medium-tank", (20, 28), models=1),
        put(1, "heavy-tank", (24, 28), models=1),
        army=PUTREDINE,
    )
    match = run(t, MovementStep(side=0))
    events = match.play(0, shift(t, 0, 0, "5.5"))
    after = done(match)
    assert [after.models[after.units[u].models[0]].worms for u in (1, 2)] == [1, 1]
    spent = [(event.model, event.why) for event in events if isinstance(event, BaseSpent)]
    assert spent == [(base, f"attaches to {after.called(host)}") for base, host in ((0, 1), (1, 2))]


@pytest.mark.clause("Q-VP-4", "CH-WORM-07")
@pytest.mark.parametrize("others", [0, 1])
def test_a_battle_is_over_with_the_last_vehicle_that_bases_bring_down(others: int) -> None:
    """No further moves are offered, although a tank of the winner has not moved."""
    units = [put(0, "infantry", (20, 20), models=1), put(0, "medium-tank", (60, 20), models=1)]
    units += [put(1, "light-tank", (20, 28), models=1, worms=[1])]
    units += [put(1, "light-tank", (90, 90), models=1)] * others
    t = scene(*units, army=PUTREDINE)
    match = run(t, Turn(side=0, at="move"))
    match.play(0, shift(t, 0, 0, "5.5"))
    assert now(match).units[2].models == ()
    if others:
        assert isinstance(match.waiting[0], Orders)
    else:
        assert match.over is not None
        assert match.over.winner == 0


@pytest.mark.clause("CH-WORM-01", "CH-PUTINF-12", "CH-PUTINF-15")
def test_putredine_touch_infantry_only_by_a_charge() -> None:
    t = scene(put(0, "infantry", (20, 20), models=1), put(1, "infantry", (20, 28)), army=PUTREDINE)
    refusal = OrderOptions(t, 0).refusal(shift(t, 0, 0, 6))
    assert refusal is not None
    assert refusal.clause == "Q-MOVE-12"


@pytest.mark.clause("W36", "CH-WORM-03", "CH-WORM-05", "CH-WORM-07", "Q-WORM-5")
def test_thresholds() -> None:
    kinds = [(0, "light-tank"), (0, "medium-tank"), (0, "heavy-tank"), (1, "command")]
    t = scene(*[put(side, kind, (10, 10 + 10 * i)) for i, (side, kind) in enumerate(kinds)])
    result = []
    for unit in range(4):
        model = t.units[unit].models[0]
        tokens = 1
        t.change_model(model, worms=tokens)
        while not disabled(t, model):
            tokens += 1
            t.change_model(model, worms=tokens)
        result.append((tokens, token_limit(t, model)))
    assert result == [(1, 2), (2, 4), (3, 6), (4, 8)]
    t = scene(put(0, "carrier"), put(0, "slugger", (10, 30)), army=("putredine", "putredine"))
    assert [token_limit(t, t.units[u].models[0]) for u in (0, 1)] == [2, 6]


@pytest.mark.clause("W36", "CH-WORM-03", "CH-WORM-05", "CH-WORM-07")
def test_tokens_add_up_disable_and_remove() -> None:
    t = scene(put(0, "medium-tank", (20, 20)), army=("alliance", "putredine"))
    two = done(attach(t, 2, 0, 0))
    assert disabled(two, two.units[0].models[0])
    one_each = done(attach(t, 2, 0, 1))
    assert not any(disabled(one_each, m) for m in one_each.units[0].models)
    four = done(attach(t, 4, 0, 0, 0, 0))
    assert len(four.units[0].models) == 3


@pytest.mark.clause("CH-WORM-07", "CH-VP-02")
def test_tokens_that_take_the_last_model_destroy_the_unit() -> None:
    t = scene(put(0, "light-tank", (20, 20), models=1), army=("alliance", "putredine"), active=1)
    after = done(attach(t, 3))
    assert after.units[0].models == ()
    assert after.armies[1].vp == 1


@pytest.mark.clause("Q-STUN-8")
def test_a_model_lost_to_tokens_may_bring_the_doubling_check() -> None:
    t = scene(put(0, "light-tank", (20, 20), models=3, stuns=4), army=("alliance", "putredine"), active=1)
    match = attach(t, 2, 0, 0)
    assert isinstance(match.waiting[0], Casualty)
    match.play(0, match.waiting[0].options(now(match)).first())
    after = done(match)
    assert (len(after.units[0].models), after.units[0].stuns) == (1, 1)


@pytest.mark.clause("Q-WORM-6")
def test_tokens_go_with_their_model() -> None:
    t = scene(put(0, "light-tank", (20, 20), models=2), army=("alliance", "putredine"), active=1)
    after = done(attach(t, 2, 0, 0))
    assert sum(m.worms for m in after.models if m.alive) == 0


@pytest.mark.clause("Q-WORM-3", "CH-WORM-04")
def test_the_shield_drone_takes_no_token() -> None:
    t = scene(put(0, "command", (20, 20)), army=("asori", "putredine"), active=1)
    after = done(attach(t, 1))
    assert after.models[0].worms == 1
    assert after.units[0].drone == "active"


@pytest.mark.clause("CH-WORM-08")
def test_a_token_comes_off() -> None:
    t = scene(put(0, "light-tank", (20, 20), worms=(2,)))
    remove_token(t, t.units[0].models[0])
    assert t.models[0].worms == 1


@pytest.mark.clause("CH-WORM-01")
def test_bots_find_contact_with_enemy_vehicles() -> None:
    t = scene(put(0, "infantry", (20, 20)), put(1, "medium-tank", (24, 32)), army=PUTREDINE)
    tokens = 0
    for action in Orders(side=0).options(t):
        if isinstance(action, Move):
            match = run(t, MovementStep(side=0))
            match.play(0, action)
            tokens = max(tokens, 6 - len(now(match).units[0].models))
    assert tokens > 0
