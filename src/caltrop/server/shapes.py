"""TypeScript types for the page, generated from the server's types by `make generated`.

Types of the client are stored with its sources; a test fails if they are out of date.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import caltrop
from caltrop.host.frames import Frame, PastGame
from caltrop.kit.army_sheet import ArmySheet
from caltrop.lab.series import Comparison
from caltrop.scenarios.drafts import Checked
from caltrop.scenarios.packs import Compared, PackKit, PackLook
from caltrop.server.explaining import Explained
from caltrop.server.lab import Series
from caltrop.server.said import answers
from caltrop.server.studies import StudyEntry, StudyGames, StudyView
from caltrop.wire import Catalogue, Change, RefusalMessage, View
from caltrop.wire.catalogue import OwnEntries
from caltrop.wire.messages import (
    AnotherCourse,
    AskSheet,
    AttackForm,
    AwaitedBack,
    CampaignView,
    ClockNow,
    CountBattle,
    CountedBattle,
    DoorView,
    DraftToCheck,
    DraftToMirror,
    DraftToWrite,
    DressMember,
    FieldBattle,
    GameEntry,
    Glance,
    HabitsView,
    MadeCampaign,
    MadeGame,
    MapKit,
    Message,
    Moved,
    NewCampaign,
    NewGame,
    NewSeries,
    OpenDoor,
    OwnBattle,
    PackToCompare,
    PackToLookAt,
    PlayOn,
    Presence,
    RefereeKit,
    RefereeTable,
    Settle,
    TableToDraw,
)
from caltrop.wire.schemas import components
from caltrop.wire.together import (
    ClubsView,
    ClubView,
    CodeView,
    FriendsView,
    Me,
    OpeningsView,
    PeopleView,
    QueueView,
    RatingsView,
    TakenSeat,
    TournamentView,
    WaysView,
)
from caltrop.wire.typescript import typescript

SPOKEN: tuple[Any, ...] = (View, Change, RefusalMessage, *answers(), Presence, Moved, ClockNow)
"""Messages that the page receives."""

SENT: tuple[Any, ...] = (
    *SPOKEN, Catalogue, MadeGame, GameEntry, Glance, PastGame, Frame, AttackForm, Series, Explained, Comparison,
    CodeView, Me, WaysView, OpeningsView, HabitsView, TakenSeat, QueueView, FriendsView, PeopleView, RatingsView,
    ClubsView, ClubView, TournamentView,
    AwaitedBack, CampaignView, MadeCampaign, CountedBattle, DoorView, StudyEntry, StudyView, StudyGames,
    ArmySheet, MapKit, PackKit, PackLook, Compared, OwnEntries, Checked, RefereeKit, RefereeTable,
)  # fmt: skip
"""Messages that the server sends."""

SAID: tuple[Any, ...] = (
    *Message.__args__,
    NewGame,
    PlayOn,
    NewCampaign,
    AnotherCourse,
    DressMember,
    FieldBattle,
    CountBattle,
    NewSeries,
    AskSheet,
    OpenDoor,
    OwnBattle,
    PackToCompare,
    PackToLookAt,
    DraftToCheck,
    DraftToMirror,
    DraftToWrite,
    TableToDraw,
    RefereeTable,
    Settle,
)
"""Messages that the page sends."""

FILE = Path(caltrop.__file__).parent / "web/src/wire/shapes.ts"

_HEAD = """\
/** Everything that comes over the wire, made by `make generated` of the types that the server sends and reads. */

"""


def shapes() -> str:
    union = "\n".join(f"  | {type.__name__}" for type in SPOKEN)
    heard = f"/** What a live connection hears. */\nexport type ServerMessage =\n{union};\n"
    return _HEAD + typescript(components(SENT, SAID)) + "\n" + heard


if __name__ == "__main__":
    FILE.write_text(shapes(), encoding="utf-8")
