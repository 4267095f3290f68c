"""The facts by which a game is not rated: each entry of its journal is read only once."""

from __future__ import annotations

from typing import Any

from caltrop.engine import Fell, Undone
from caltrop.host.rated import Helped


class CountedJournal(list[Any]):
    """A journal that counts how many of its entries are read."""

    reads = 0

    def __getitem__(self, index: Any) -> Any:
        self.reads += 1
        return super().__getitem__(index)


def fell(*, typed: bool) -> Fell:
    """Return a journal entry of a roll."""
    return Fell(faces=(1,), sides=6, clauses=(), typed=typed)


def test_the_facts_follow_the_journal() -> None:
    journal, helped = CountedJournal([fell(typed=False), Undone(side=0, to=0)]), Helped()
    helped.follow(journal)
    assert (helped.taken_back, helped.typed) == (False, False)
    journal.append(fell(typed=True))
    helped.follow(journal)
    assert (helped.taken_back, helped.typed) == (False, True)
    journal.append(Undone(side=0, to=0, consent=True))
    helped.follow(journal)
    assert (helped.taken_back, helped.typed) == (True, True)
    helped.follow([fell(typed=False)])
    assert (helped.taken_back, helped.typed) == (False, False), "another journal"


def test_entries_are_read_once() -> None:
    journal, helped = CountedJournal([fell(typed=False)] * 300), Helped()
    for _ in range(50):
        helped.follow(journal)
    assert journal.reads == 300
