"""Procedures as steps: order, replies, nesting, triggers, and errors when a class is defined."""

from __future__ import annotations

from pathlib import Path

import pytest

from caltrop.chance import SUM, Common, Pool, Roll, Scripted, ScriptError
from caltrop.engine import (
    Action,
    Ask,
    Book,
    Decision,
    End,
    Event,
    Go,
    Listed,
    Outcome,
    Procedure,
    Rolled,
    Run,
    State,
    Throw,
    advance,
    answer,
    ask,
    back,
    step,
    trigger,
)
from caltrop.engine.explore import live_fields


class Log(State, kw_only=True):
    """A state that records its steps."""

    done: list[str]


class Say(Action, frozen=True):
    word: str


class Word(Decision, frozen=True, kw_only=True):
    def options(self, t: Log) -> Listed:
        return Listed([Say("yes"), Say("no")])


class Bang(Event, frozen=True):
    unit: int = 0


class Inner(Procedure):
    name: str = "inner"

    @step("T-1")
    def throw(self, t: Log) -> Throw:
        return Throw(Pool(2), reads=SUM, side=1)

    @step("T-2")
    def read(self, t: Log, roll: Roll) -> End:
        t.done.append(f"{self.name} {roll}")
        return End(sum(roll))


class Outer(Procedure):
    rounds: int = 0

    @step("T-3")
    def begin(self, t: Log) -> Ask:
        return ask(Word(side=0))

    @step("T-4")
    def hear(self, t: Log, choice: Say) -> Run:
        t.done.append(choice.word)
        return Run(Inner())

    @step("T-5")
    def count(self, t: Log, total: int) -> Go | None:
        t.done.append(f"total {total}")
        self.rounds += 1
        return Go("begin") if self.rounds < 2 else None

    @step("T-6")
    def finish(self, t: Log) -> None:
        t.over = Outcome(None, "done")


def log(*frames: Procedure) -> Log:
    return Log(book=Book("test", "current"), stack=list(frames), done=[])


def test_steps_run_in_the_order_written_and_replies_arrive() -> None:
    t, dice = log(Outer()), Scripted((1, 2), (3, 4))
    advance(t, dice)
    assert [decision.side for decision in t.asked] == [0]
    answer(t, dice, 0, Say("yes"))
    answer(t, dice, 0, Say("no"))
    assert t.done == ["yes", "inner (1, 2)", "total 3", "no", "inner (3, 4)", "total 7"]
    assert not t.asked
    assert t.over == Outcome(None, "done")
    dice.finish()


class Rounds(Procedure):
    left: int = 3
    unused: int = 0

    @step("T-9")
    def take_the_next(self, t: Log) -> Run | End:
        if not self.left:
            return End()
        self.left -= 1
        return Run(Inner(name=f"inner {self.left}"))

    and_another = back("take_the_next", "T-10")


class Fewer(Rounds):
    @step("T-9")
    def take_the_next(self, t: Log) -> Run | End:
        """Override a step to which another step goes back."""
        return End() if self.left < 2 else super().take_the_next(t)


def test_a_loop_takes_the_next_runs_what_it_calls_for_and_goes_back() -> None:
    for kind, rounds in ((Rounds, 3), (Fewer, 2)):
        t = log(kind())
        advance(t, Scripted(*[(1, 1)] * rounds))
        assert [words.partition(" (")[0] for words in t.done] == [f"inner {2 - n}" for n in range(rounds)]
        assert [*kind.plan] == ["take_the_next", "and_another"]
    mark = Rounds.plan["and_another"].mark
    assert (mark.id, mark.clauses) == (f"{__name__}:Rounds.and_another", ("T-10",))
    assert Path(mark.path).name == Path(__file__).name
    assert live_fields(Rounds) == {"take_the_next": ("left",), "and_another": ("left",), "-": ()}


def test_common_dice_are_told_whose_they_are() -> None:
    t, dice = log(Outer()), Common(1)
    advance(t, dice)
    answer(t, dice, 0, Say("yes"))
    assert dice.whose == 1
    rolled = dice.roll(Pool(2), ("T-1",))
    assert t.done[1] != f"inner {rolled}", "the first throw for it has fallen"
    again = Common(1)
    again.whose = 1
    assert t.done[1] == f"inner {again.roll(Pool(2), ('T-1',))}"


def test_nothing_runs_after_the_end() -> None:
    t = log(Outer())
    t = Log(book=t.book, stack=t.stack, done=[], over=Outcome(0, "early"))
    advance(t, Scripted())
    assert not t.asked
    assert not t.done


class EndsWhileAsking(Procedure):
    @step("T-7")
    def ask_and_end(self, t: Log) -> Ask:
        t.over = Outcome(1, "at once")
        return ask(Word(side=0))

    @step("T-8")
    def never(self, t: Log, choice: Say) -> None:
        raise AssertionError


def test_a_step_that_ends_the_game_asks_nobody() -> None:
    t = log(EndsWhileAsking())
    advance(t, Scripted())
    assert t.asked == ()
    assert t.over == Outcome(1, "at once")


class Louder(Outer):
    @step("T-9")
    def hear(self, t: Log, choice: Say) -> Run:
        t.done.append(choice.word.upper())
        return Run(Inner(name="loud"))


def test_an_overridden_step_keeps_its_place() -> None:
    assert list(Louder.plan) == list(Outer.plan)
    t, dice = log(Louder()), Scripted((1, 1))
    advance(t, dice)
    answer(t, dice, 0, Say("yes"))
    assert t.done == ["YES", "loud (1, 1)", "total 2"]


class Shock(Procedure):
    side: int
    unit: int = 0

    @step("T-10")
    def shock(self, t: Log) -> None:
        t.done.append(f"shock {self.side}.{self.unit}")


class ZCalm(Shock):
    @step("T-0")
    def shock(self, t: Log) -> None:
        t.done.append(f"calm {self.side}.{self.unit}")


@trigger(Bang, "T-10")
def bang_shocks_both(t: Log, event: Bang) -> Shock | None:
    return Shock(side=1, unit=event.unit)


@trigger(Bang, "T-11")
def bang_shocks_the_active(t: Log, event: Bang) -> Shock | None:
    return Shock(side=0, unit=event.unit)


@trigger(Bang, "T-12")
def bang_calms(t: Log, event: Bang) -> Shock | None:
    return ZCalm(side=0, unit=event.unit) if event.unit == 1 else None


class Bangs(Procedure):
    @step("T-13")
    def bang(self, t: Log) -> Throw:
        t.tell(Bang(2))
        t.tell(Bang(1))
        return Throw(Pool(1))

    @step("T-14")
    def read(self, t: Log, roll: Roll) -> None:
        t.done.append(f"roll {roll}")

    @step("T-15")
    def after(self, t: Log) -> None:
        t.done.append("after")


def test_triggers_run_active_side_first_then_by_clause_then_by_unit() -> None:
    t = log(Bangs())
    advance(t, Scripted((6,)))
    # The reply of the throw is not delayed: triggered procedures run after the step that takes it.
    assert t.done == ["roll (6,)", "calm 0.1", "shock 0.1", "shock 0.2", "shock 1.1", "shock 1.2", "after"]


def test_frames_that_wait_in_the_queue_are_copied_with_the_state() -> None:
    t = log()
    t.queue = [Shock(side=0)]
    twin = t.clone()
    twin.queue[0].at = "-"
    assert t.queue[0].at == ""


def test_a_roll_triggers_nothing_because_playouts_do_not_tell_it() -> None:
    with pytest.raises(ValueError, match="a roll triggers nothing"):
        trigger(Rolled, "T-16")


class Lost(Procedure):
    @step("T-17")
    def wander(self, t: Log) -> Go:
        return Go("nowhere")


class Odd(Procedure):
    @step("T-18")
    def wander(self, t: Log) -> int:
        return 5


@pytest.mark.parametrize(("frame", "words"), [(Lost(), "not one of its steps"), (Odd(), "not an effect")])
def test_a_step_that_returns_nonsense_is_named(frame: Procedure, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        advance(log(frame), Scripted())


class Round(Procedure):
    @step("T-22")
    def again(self, t: Log) -> Go:
        return Go("again")


@pytest.mark.interpreted
def test_a_procedure_that_goes_round_for_ever_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caltrop.engine.flow.ENDLESS", 50)
    with pytest.raises(RuntimeError, match="50 steps have asked nobody: Round goes round"):
        advance(log(Round()), Scripted())


def test_a_step_that_takes_a_reply_follows_one_that_asks() -> None:
    with pytest.raises(TypeError, match="takes a reply"):

        class Deaf(Procedure):
            @step("T-19")
            def one(self, t: Log) -> None: ...

            @step("T-19")
            def two(self, t: Log, reply: int) -> None: ...


def test_a_step_that_asks_is_followed_by_one_that_takes_the_reply() -> None:
    with pytest.raises(TypeError, match="takes no reply"):

        class Forgetful(Procedure):
            @step("T-20")
            def one(self, t: Log) -> Ask:
                return ask(Word(side=0))

            @step("T-20")
            def two(self, t: Log) -> None: ...

    with pytest.raises(TypeError, match="no step takes the reply"):

        class Cut(Procedure):
            @step("T-21")
            def one(self, t: Log) -> Throw:
                return Throw(Pool(1))


def test_a_frame_holds_no_list() -> None:
    with pytest.raises(TypeError, match="immutable"):

        class Shared(Procedure):
            seen: list[int]


def test_a_step_is_replaced_by_a_step_alone() -> None:
    with pytest.raises(TypeError, match="not marked as one"):

        class Quiet(Inner):
            def read(self, t: Log, roll: Roll) -> End:
                return End()


def test_a_step_that_asks_needs_a_decision() -> None:
    with pytest.raises(ValueError, match="needs a decision"):
        ask()


def test_scripted_dice_of_another_size_are_refused() -> None:
    with pytest.raises(ScriptError, match="2 dice with 6 sides are asked for by T-1"):
        advance(log(Inner()), Scripted((1,)))
