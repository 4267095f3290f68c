"""The course of a duel: the secret stakes, the rounds, the turns and the end."""

from __future__ import annotations

from typing import ClassVar

from caltrop.asking import Offer, Offered
from caltrop.chance import Pool, Roll
from caltrop.engine import (
    Action,
    Ask,
    End,
    Go,
    Listed,
    Outcome,
    Procedure,
    Run,
    Throw,
    ask,
    rule,
    step,
)
from caltrop.rules.duel.movement import Move, Stay, Walk
from caltrop.rules.duel.records import Began, Duel, Staked, Walked
from caltrop.rules.duel.strike import HoldBack, Strike, StrikeOrHold, Thrust, is_in_reach

HIGHEST_STAKE = 3


class Duelling(Procedure):
    """A duel from the stakes to its end."""

    @step("DU-BID-01")
    def bid(self, t: Duel) -> Ask:
        """Both sides secretly stake breath."""
        return ask(Bid(side=0), Bid(side=1))

    @step("DU-BID-02", "DU-BID-03")
    def open_the_stakes(self, t: Duel, stakes: tuple[Stake, Stake]) -> Throw | None:
        """Open and spend both stakes. The side with the higher stake has the first turn."""
        a, b = stakes
        for side, stake in enumerate(stakes):
            t.change(side, breath=t.duellists[side].breath - stake.points)
        t.tell(Staked((a.points, b.points)))
        t.first = int(b.points > a.points)
        return Throw(Pool(1), words="First turn") if a == b and a_die_breaks_ties(t) else None

    @step("DU-BID-03", "DU-BID-04")
    def name_the_first(self, t: Duel, tie: Roll | None) -> None:
        if tie is not None:
            t.first = int(tie[0] > 3)
        t.tell(Began(t.first))

    @step("DU-TURN-01")
    def take_the_first_turn(self, t: Duel) -> Run:
        t.round += 1
        t.active = t.first
        return Run(Turn(side=t.active))

    @step("DU-TURN-01")
    def take_the_second_turn(self, t: Duel) -> Run:
        t.active = 1 - t.first
        return Run(Turn(side=t.active))

    @step("DU-END-02", "DU-END-03")
    def look_at_the_sun(self, t: Duel) -> Go | None:
        """End the duel after the last round: the side with more wounds left wins, and equal wounds are a draw."""
        if t.round < t.rounds:
            return Go("take_the_first_turn")
        winner, left = better(t), tuple(d.wounds for d in t.duellists)
        reason = "Neither is the better" if winner is None else f"{t.duellists[winner].name} has taken fewer wounds"
        t.over = Outcome(winner, f"The last round is over. {reason}", left)
        return None


def better(t: Duel) -> int | None:
    left = [d.wounds for d in t.duellists]
    return None if left[0] == left[1] else left.index(max(left))


class Turn(Procedure):
    """The turn of one side: a walk, then a strike."""

    side: int

    @step("DU-TURN-02")
    def offer_a_walk(self, t: Duel) -> Ask:
        return ask(Move(side=self.side))

    @step("DU-MOVE-01")
    def walk(self, t: Duel, choice: Walk | Stay) -> None:
        """Move the duellist to the end of the path."""
        if isinstance(choice, Walk):
            t.change(self.side, at=choice.path[-1])
            t.tell(Walked(self.side, choice.path))

    @step("DU-TURN-02", "DU-STRIKE-01")
    def offer_a_strike(self, t: Duel) -> Ask | End:
        return ask(StrikeOrHold(side=self.side)) if is_in_reach(t) else End()

    @step("DU-STRIKE-01")
    def strike(self, t: Duel, choice: Thrust | HoldBack) -> Run | None:
        return Run(Strike(side=self.side)) if isinstance(choice, Thrust) else None


@rule("DU-BID-04")
def a_die_breaks_ties(t: Duel) -> bool:
    """A die decides equal stakes: 1 to 3 for the first side, 4 to 6 for the second."""
    return True


@a_die_breaks_ties.amended_by("DU-BID-05", house={"bid.tie": "first-side"})
def the_first_side_wins_ties(thrown: bool, t: Duel) -> bool:
    """House rule: the scenario's first side begins if the stakes are equal."""
    return False


# --- questions -------------------------------------------------------------------------------------------------------


class Stake(Action, frozen=True):
    """Stake some breath for the first turn."""

    points: int


class Bid(Offered, frozen=True, kw_only=True):
    """The question how much breath a side stakes for the first turn."""

    clauses: ClassVar[tuple[str, ...]] = ("DU-BID-01",)
    hint: ClassVar[str] = "Both stakes are opened together and are spent. The higher one has the first turn."

    def options(self, t: Duel) -> Listed:
        """Return the stakes from 0 to the largest that the rules and the duellist's breath allow."""
        most = min(HIGHEST_STAKE, t.duellists[self.side].breath)
        return Listed([Stake(points) for points in range(most + 1)], clause="DU-BID-01")

    def prompt(self, t: Duel) -> str:
        return "How much breath do you stake for the first turn?"

    def offers(self, t: Duel) -> list[Offer]:
        return [Offer(action=stake, words=f"Stake {stake.points or 'nothing'}") for stake in self.options(t)]
