"""Chains of causes, for tests: the causes of an event, back to decisions."""

from __future__ import annotations

from typing import Any

from caltrop.engine import Event, Match, Rolled
from caltrop.engine.cause import Answered, Causes, Link


class Chains:
    """The links of a match, with their causes."""

    def __init__(self, match: Match) -> None:
        causes = Causes(match)
        assert causes.go_on(match.history)
        self.links = causes.links

    def last(self, kind: type[Event], **fields: Any) -> Link:
        """Return the last event of a kind with these fields."""
        return [
            link
            for link in self.links
            if isinstance(link.what, kind) and all(getattr(link.what, name) == value for name, value in fields.items())
        ][-1]

    def back(self, link: Link) -> list[Any]:
        """Return the causes of a link, oldest first. A decision ends its chain, and the opening has no cause."""
        waiting, seen = list(link.because), set(link.because)
        while waiting:
            before = self.links[waiting.pop()]
            if isinstance(before.what, Event):
                new = set(before.because) - seen
                seen |= new
                waiting += new
        return [self.links[number].what for number in sorted(seen)]

    def decisions(self, link: Link) -> list[Any]:
        """Return the answers that led to a link."""
        return [what.action for what in self.back(link) if isinstance(what, Answered)]

    def dice(self, link: Link) -> list[tuple[int, ...]]:
        """Return the rolls that led to a link."""
        return [what.faces for what in self.back(link) if isinstance(what, Rolled)]

    def events(self, link: Link) -> list[str]:
        """Return the kinds of events, other than dice, that led to a link."""
        return [
            type(what).__name__ for what in self.back(link) if isinstance(what, Event) and not isinstance(what, Rolled)
        ]
