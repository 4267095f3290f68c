"""Laws of every ruleset for the engine: copies, storage, options, secrecy, undo, replay and an end.

The laws are checked for every ruleset in the registry, with every scenario. `LAWS=duel` in the environment selects one
ruleset. The games are those of `tests.laws.games`. Of long games, a sample of decisions is checked, so that the suite
stays quick.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice, pairwise

import msgspec
import pytest

from caltrop import InputError
from caltrop.asking import offered
from caltrop.chance import Scripted, Seeded
from caltrop.engine import (
    Match,
    Played,
    Procedure,
    Refused,
    State,
    Veiled,
    answer,
    digest,
    loud,
    redacted,
    restored,
    ruleset,
    stored,
)
from caltrop.journal import ActEntry, RollEntry, decoded, encoded, verify
from tests.laws.games import NAMES, Game, Look, settings

FIRST = 12
"""Number of options to compare if comparing all would take too long."""


def again(game: Game, look: Look, state: State) -> bytes:
    """Play the action of *look* on another state, with the dice that fell."""
    match = Match(game.rules, state, Scripted(*look.rolls), keep=False)
    match.follow(look.decision, look.action)
    return stored(match.state)


def test_a_clone_is_equal_and_independent(game: Game) -> None:
    for look in game.looks:
        clone = look.state.clone()
        assert clone == msgspec.structs.replace(look.state, told=None)
        frames = [repr(frame) for frame in look.state.stack]
        assert again(game, look, clone) == look.after
        assert stored(look.state) == stored(clone) == look.text
        # Change the state in place, as `advance` does, to find shared lists and frames.
        answer(clone, Scripted(*look.rolls), look.state.asked.index(look.decision), look.action)
        assert stored(clone) == look.after
        assert stored(look.state) == look.text
        assert [repr(frame) for frame in look.state.stack] == frames


def test_a_stored_state_comes_back_equal_and_goes_on_equally(game: Game) -> None:
    for look in game.looks:
        back = restored(game.rules, look.state.book, look.text)
        assert stored(back) == look.text
        for field in back.__struct_fields__:
            if field not in back.unstored:
                assert getattr(back, field) == getattr(look.state, field), field
        side = look.decision.side
        there, here = (look.decision.options(redacted(t, side)) for t in (back, look.state))
        assert [*islice(there, FIRST)] == [*islice(here, FIRST)]
        assert there.sample(Seeded(1)) == here.sample(Seeded(1))
        assert again(game, look, back) == look.after


def test_options_keep_their_promises(game: Game) -> None:
    for n, look in enumerate(game.looks):
        view = redacted(look.state, look.decision.side)
        options = look.decision.options(view)
        every = list(options)
        assert every, "a decision without options"
        assert options.first() == every[0]
        assert options.several() == (len(every) > 1)
        for action in every:
            assert options.refusal(action) is None, action
        for action in every[:: max(1, len(every) // FIRST)]:
            assert action in options
        assert len({msgspec.json.encode(a) for a in every}) == len(every), "an option comes twice"
        dice = Seeded(n)
        for _ in range(3):
            assert options.sample(dice) in options
        assert stored(look.state) == look.text, "looking at options has changed the state"


def test_a_refusal_says_why_and_what_instead_and_changes_nothing(game: Game) -> None:
    foreign = [look.action for look in game.looks]
    for look in game.looks:
        options = look.decision.options(redacted(look.state, look.decision.side))
        match = Match(game.rules, look.state, Seeded(0))
        for action in foreign[:: max(1, len(foreign) // 12)]:
            refusal = options.refusal(action)
            assert (refusal is None) == (action in options)
            if refusal is None:
                continue
            assert refusal.code
            assert refusal.message
            assert refusal.clause, f"{refusal.message}: no clause says so"
            assert refusal.nearest is not None
            assert refusal.nearest in options, refusal
            with pytest.raises(Refused):
                match.play(look.decision.side, action, look.decision)
            assert match.state is look.state
            assert stored(look.state) == look.text
            assert not match.journal


def test_options_are_the_same_from_a_sides_own_view(game: Game) -> None:
    for look in game.looks:
        view = redacted(look.state, look.decision.side)
        if view is look.state:
            continue  # nothing is hidden, so the views are equal
        seen = look.decision.options(view)
        whole = look.decision.options(look.state)
        assert list(seen) == list(whole)
        for action in (look.action, *(a.action for a in game.looks[:5])):
            assert seen.refusal(action) == whole.refusal(action)


def test_a_view_tells_nothing_of_a_sealed_answer(game: Game) -> None:
    """States that differ only in a sealed answer of one side look the same to everybody else."""
    for look in game.looks:
        if len(look.state.asked) < 2:
            continue
        i = look.state.asked.index(look.decision)
        others = [*range(len(look.state.asked)), None]
        dice = Seeded(7)
        options = look.decision.options(redacted(look.state, look.decision.side))
        seen = set()
        for action in [look.action, *(options.sample(dice) for _ in range(4))]:
            answers = list(look.state.answers)
            answers[i] = action
            t = look.state.clone()
            t.answers = tuple(answers)
            if None not in [a for j, a in enumerate(answers) if j != i]:
                continue
            for side in others:
                if side != look.decision.side:
                    seen.add((side, stored(redacted(t, side))))
            assert redacted(t, look.decision.side).answers[i] == action
        assert len(seen) == len({side for side, _ in seen})


def test_a_view_of_hidden_fields_holds_only_what_is_the_sides_own(game: Game) -> None:
    for look in game.looks:
        for side in (0, 1, None):
            view = redacted(look.state, side)
            records: tuple[State | Procedure, ...] = (view, *view.stack, *view.queue)
            for record in records:
                for name in record.secret:
                    stored = getattr(record, name)
                    entries = list(stored.values() if isinstance(stored, dict) else stored)
                    if any(isinstance(entry, Veiled) for entry in entries):
                        assert entries == [None if entry is None else entry.seen_by(side) for entry in entries]
                    else:
                        assert all(entry is None for owner, entry in enumerate(entries) if owner != side)


def test_a_picture_and_every_offer_can_be_shown(game: Game) -> None:
    for look in game.looks:
        side = look.decision.side
        view = redacted(look.state, side)
        options = look.decision.options(view)
        assert look.decision.prompt(view)
        offers = offered(look.decision).offers(view)
        # A person who can neither see nor drag can choose an answer from a list.
        assert offers
        for offer in offers:
            assert offer.words
            assert offer.action in options
        for region in offered(look.decision).regions(view):
            assert region.words
        for eyes in (side, None):
            picture = game.rules.depict(redacted(look.state, eyes), eyes)
            assert msgspec.json.decode(msgspec.json.encode(picture), type=type(picture)) == picture


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_a_sentence_tells_whose_unit_it_is(name: str) -> None:
    own = [one for one in settings() if one.ruleset == name]
    cards = ruleset(name).armies()
    # The same army on both sides, if a scenario lets players bring armies: every unit name is then on both sides.
    twice = [msgspec.structs.replace(one, armies=(cards[0].id, cards[0].id)) for one in own] if cards else []
    mirrored = False
    for setting in [*own, *twice]:
        if setting.armies and mirrored:
            break
        try:
            match = setting.begin(Seeded("names"))
        except InputError:
            assert setting.armies, setting
            continue
        mirrored = mirrored or bool(setting.armies)
        sides: dict[str, set[int]] = {}
        for group in ruleset(name).depict(match.view(None), None).groups:
            sides.setdefault(group.in_words, set()).add(group.side)
        assert [called for called, whose in sides.items() if len(whose) > 1] == [], setting
    assert mirrored or not cards


def test_an_answer_can_be_told_to_everybody_who_may_know_it(game: Game) -> None:
    for look in game.looks:
        for eyes in (0, 1, None):
            if eyes == look.decision.side or not look.decision.secret:
                words = offered(look.decision).told(redacted(look.state, eyes), look.action)
                assert words.words
                assert words.action == look.action


def test_an_act_can_be_taken_back_until_dice_or_knowledge(game: Game) -> None:
    match, acts = game.match, game.match.history
    assert len(acts) == sum(isinstance(entry, Played) for entry in match.journal)
    for point, following in pairwise(acts):
        i = next(n for n, d in enumerate(point.state.asked) if d.side == point.side)
        if following.state.asks == point.state.asks:
            assert not point.boundary, "a sealed answer may be taken back until the last is in"
        elif len(point.state.asked) > 1:
            assert point.boundary
        assert point.state.asked[i].side == point.side
    look = game.looks[len(game.looks) // 2]
    fresh = Match(game.rules, look.state, Scripted(*look.rolls))
    assert not fresh.undo(look.decision.side)
    fresh.follow(look.decision, look.action)
    free = fresh.boundary(look.decision.side) is None
    assert not (free and look.rolls)
    assert not fresh.undo(1 - look.decision.side)
    assert fresh.undo(look.decision.side, consent=not free)
    assert fresh.state is look.state
    assert stored(fresh.state) == look.text


def test_what_is_quiet_can_be_taken_back_and_leaves_the_side_to_go_on(game: Game) -> None:
    """Answers that are not quiet are checked too. The view of the side is enough to tell them apart."""
    for look in game.looks:
        side = look.decision.side
        match = Match(game.rules, look.state, Scripted(*look.rolls))
        before = stored(look.state)
        result = loud(match.view(side), look.decision, look.action)
        assert stored(look.state) == before
        match.play(side, look.action, look.decision)
        goes_on = len(look.state.asked) == 1 and bool(match.waiting) and all(d.side == side for d in match.waiting)
        assert (result is None) == (goes_on and match.boundary(side) is None), (look.decision, look.action, result)
        if result is not None:
            assert result.words
            if result.why == "dice":
                assert len(look.rolls[0]) == result.dice


def test_the_game_has_ended(game: Game) -> None:
    assert game.match.over is not None
    assert game.match.over.reason
    assert not game.match.waiting


def test_the_record_comes_back_and_replays_to_the_same_digests(game: Game) -> None:
    record = decoded(encoded(game.record, packed=True))
    assert record == game.record
    verdict = verify(record)
    assert verdict.same, verdict.words
    assert verdict.entries == len(record.entries)
    at, last = [(i, entry) for i, entry in enumerate(record.entries) if isinstance(entry, ActEntry)][-1]
    rolls = [entry.faces or () for entry in record.entries[at + 1 :] if isinstance(entry, RollEntry)]
    assert last.digest == digest(game.match.state, rolls=rolls)


PLAY = """
import sys
import msgspec
from caltrop.chance import Seeded
from caltrop.engine import digest, ruleset
from caltrop.journal import Setting
for edition in ruleset(sys.argv[1]).editions:
    setting = Setting(ruleset=sys.argv[1], edition=edition, scenario=ruleset(sys.argv[1]).scenarios()[0].id)
    match, choices = setting.begin(Seeded("dice"), keep=False), Seeded("choices")
    while match.over is None:
        decision = match.waiting[0]
        match.follow(decision, decision.options(match.view(decision.side)).sample(choices))
    print(digest(match.state), len(match.journal))
"""


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_the_same_under_any_hash_seed(name: str) -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PLAY, name],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "4711")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].strip()
