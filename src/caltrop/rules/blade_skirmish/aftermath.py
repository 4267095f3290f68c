"""The results of blows: first tokens, removals and kills, then tests of terrified comrades, then moves (BS-Q44)."""

from __future__ import annotations

from caltrop.engine import Ask, End, Go, Procedure, Run, ask, back, rule, step
from caltrop.rules.blade_skirmish.challenge import QualityTest
from caltrop.rules.blade_skirmish.conditions import become, remove
from caltrop.rules.blade_skirmish.fatality import (
    CHOPPED,
    DISEMBOWELLED,
    SPLIT_LENGTHWISE,
    Terror,
    leave_lying,
    terrified,
)
from caltrop.rules.blade_skirmish.records import Blow, Skirmish
from caltrop.rules.blade_skirmish.through import (
    GoOrStay,
    GoThrough,
    StandFast,
    all_the_way,
    go_through,
    goes_at_once,
    may_go_through,
)


@rule("BS-Q31", "BS-INJ-06")
def what_removes(t: Skirmish, victim: int) -> Blow | None:
    hers = [blow for blow in t.blows if blow.victim == victim]
    for worst in ("dead", "wounded"):
        for blow in hers:
            if blow.injury == worst:
                return blow
    return None


class Aftermath(Procedure, kw_only=True):
    """Apply blows that were rolled together: the blows of a combat, or the automatic hits on one fighter."""

    left: tuple[int, ...] = ()
    """Ids of the fighters who still have to test whether they stand firm."""
    turn: int = 0
    """Index of the next blow whose attacker may go through her victim's place."""

    @step("BS-INJ-03", "BS-INJ-04", "BS-INJ-05", "BS-INJ-06", "BS-FAT-04", "BS-FAT-07", "BS-FAT-09", "BS-FAT-12")
    def take_off_the_table(self, t: Skirmish) -> None:
        """Wounded and dead fighters leave the table.

        A death counts as a kill of the enemy who dealt the first deadly blow.
        """
        for victim in dict.fromkeys([blow.victim for blow in t.blows]):
            blow = what_removes(t, victim)
            if blow is not None and t.fighters[victim].at is not None:
                remove(t, victim, "dead" if blow.injury == "dead" else "wounded", blow.by)

    @step("BS-INJ-01", "BS-INJ-02", "BS-Q17", "BS-Q20")
    def give_tokens(self, t: Skirmish) -> None:
        for blow in t.blows:
            if blow.injury == "stunned":
                become(t, blow.victim, "stunned", "BS-INJ-01")
            elif blow.injury == "fleeing":
                become(t, blow.victim, "fleeing", "BS-INJ-02")

    @step("BS-FAT-02", "BS-Q25")
    def leave_the_disembowelled(self, t: Skirmish) -> None:
        for blow in t.blows:
            if blow.fatality == DISEMBOWELLED:
                leave_lying(t, blow.place)

    @step("BS-FAT-13", "BS-Q28")
    def find_the_terrified(self, t: Skirmish) -> None:
        """Comrades near a fighter who was chopped to pieces test whether they stand firm."""
        for blow in t.blows:
            if blow.fatality == CHOPPED and (near := terrified(t, blow.by, blow.place)):
                t.tell(Terror(blow.victim, near))
                self.left = (*self.left, *near)

    @step("BS-FAT-13", "BS-QUA-04")
    def test_the_next(self, t: Skirmish) -> Run | Go:
        if not self.left:
            return Go("let_the_next_go_on")
        return Run(QualityTest(fighter=self.left[0], words="to stand firm"))

    @step("BS-FAT-13")
    def read_the_test(self, t: Skirmish, passed: bool) -> Go:
        if not passed:
            become(t, self.left[0], "fleeing", "BS-FAT-13")
        self.left = self.left[1:]
        return Go("test_the_next")

    @step("BS-FAT-08", "BS-Q27", "BS-Q43")
    def let_the_next_go_on(self, t: Skirmish) -> Ask | Go | End:
        """A fighter who has split her victim may go straight through.

        A player chooses the place; an automated model goes all the way.
        """
        waiting = t.blows[self.turn :]
        for number, blow in enumerate(waiting, self.turn + 1):
            waits = blow.fatality == SPLIT_LENGTHWISE and not goes_at_once(t)
            if waits and may_go_through(t, blow.by):
                self.turn = number
                if t.automated(blow.by):
                    return Go("go_all_the_way")
                side = t.fighters[blow.by].side
                decision = GoOrStay(side=side, fighter=blow.by, victim=blow.victim, place=blow.place)
                if decision.options(t).several():
                    return ask(decision)
        t.blows.clear()
        return End()

    @step("BS-FAT-08", "BS-Q27")
    def hear_the_player(self, t: Skirmish, choice: GoThrough | StandFast) -> None:
        if choice.to is not None:
            go_through(t, t.blows[self.turn - 1], choice.to)

    let_another_go_on = back("let_the_next_go_on", "BS-FAT-08", "BS-Q27")

    @step("BS-Q43")
    def go_all_the_way(self, t: Skirmish) -> None:
        """The automated model goes straight through the middle of her victim's place, 4 inches or to an obstacle."""
        blow = t.blows[self.turn - 1]
        go_through(t, blow, all_the_way(t, blow))

    go_on = back("let_the_next_go_on", "BS-FAT-08")
