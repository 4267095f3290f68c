"""The files with which a browser runs the rules by itself: a Python for browsers, and Caltrop's own sources.

The archive holds sources and data of the installed package alone, never anything of a game, a person or the machine.
"""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path

import yaml

import caltrop
from caltrop.engine import ruleset, with_part
from caltrop.engine.ruleset import own_rulesets
from caltrop.wire.messages import KitFile, RefereeKit

FOLDER = "referee"
"""Folder of the built client with the files that only the referee's page loads."""

SOURCES = (
    *("*.py", "asking/*.py", "chance/*.py", "clauses/*.py", "engine/**/*.py", "geometry/*.py", "journal/*.py"),
    *("kit/*.py", "picture/*.py", "players/*.py", "roster/*.py", "rules/**/*.py", "scenarios/*.py", "table/**/*.py"),
    *("wire/*.py", "rules/*/data/*.yaml", "rules/*/data/place", "scenarios/*/*.yaml"),
)
"""Patterns of the package's files that a referee needs, besides the armies of the games."""


PACKAGE = Path(caltrop.__file__).parent


def as_written(file: Path) -> Path:
    """Return the source of a module as it was written: a compiled wheel has the source in the folder `plain`."""
    plain = PACKAGE / "plain" / file.relative_to(PACKAGE)
    return plain if plain.is_file() else file


class Archive:
    """An archive of the rules.

    Attributes:
        packed: The archive, compressed.
        path: Address of the archive, which contains its digest.
        size: Size of the archive in bytes when unpacked.
    """

    def __init__(self, files: dict[str, bytes]) -> None:
        text = io.BytesIO()
        with tarfile.open(fileobj=text, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, content in sorted(files.items()):
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
        plain = text.getvalue()
        self.size, self.packed = len(plain), gzip.compress(plain, 9, mtime=0)
        self.digest = sha256(plain).hexdigest()[:16]
        self.path = f"{FOLDER}/rules-{self.digest}.tar"


@lru_cache(maxsize=1)
def archive() -> Archive:
    """Return the archive of the rules, and of PyYAML, which reads their data."""
    sources = [file for pattern in SOURCES for file in PACKAGE.glob(pattern)]
    for name in own_rulesets():
        armoury = ruleset(name).army_lists
        sources += armoury.shipped().values() if armoury is not None else ()
    files = {
        f"caltrop/{file.relative_to(PACKAGE).as_posix()}": as_written(file).read_bytes()
        for file in sources
        if file.is_file() and "__pycache__" not in file.parts
    }
    for file in Path(yaml.__file__).parent.glob("*.py"):
        files[f"yaml/{file.name}"] = file.read_bytes()
    for licence in distribution("pyyaml").files or ():
        if licence.name.startswith("LICENSE"):
            files["yaml/LICENSE"] = Path(str(licence.locate())).read_bytes()
    return Archive(files)


def kit(static: Path) -> RefereeKit:
    """Return the files that a browser needs; without any if the client is not built.

    Args:
        static: The folder of the built client.
    """
    built = sorted((static / FOLDER).glob("python-*/*.gz"))
    if not built:
        return RefereeKit(files=(), games=())
    files = [
        KitFile(
            path=file.relative_to(static).as_posix().removesuffix(".gz"),
            size=_unpacked_size(file),
            sent=file.stat().st_size,
        )
        for file in built
    ]
    rules = archive()
    own = own_rulesets()
    return RefereeKit(
        files=(*files, KitFile(path=rules.path, size=rules.size, sent=len(rules.packed))),
        games=tuple([name for name in with_part("referee") if name in own]),
    )


def _unpacked_size(file: Path) -> int:
    """Return the number of bytes that a compressed file unpacks to: its last four bytes."""
    with file.open("rb") as stream:
        stream.seek(-4, os.SEEK_END)
        return int.from_bytes(stream.read(), "little")
