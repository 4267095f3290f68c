"""Every message of a client has its own function."""

from __future__ import annotations

from caltrop.server.said import REPLIES, answers
from caltrop.wire import RefusalMessage
from caltrop.wire.messages import Done, Eyes, Hello, Message, Pong


def test_every_message_has_its_answer_but_those_of_live_connections_alone() -> None:
    assert set(REPLIES) == set(Message.__args__) - {Hello, Eyes}


def test_the_answers_that_a_page_may_hear_are_read_off_the_functions() -> None:
    heard = answers()
    assert heard[0] is Done
    assert heard[-1] is Pong
    assert RefusalMessage not in heard, "any message may be refused"
    assert len(set(heard)) == len(heard)
