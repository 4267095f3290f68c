"""Build the compiled package: copy the sources, rewrite their records as plain classes, and compile them with mypyc.

`python -m tools.expand.build INTO [GAME …]` writes a package to INTO/src. The engine is compiled, and so are the rules
and computer players of the named games (of all `GAMES` if none is named). For the other games the compiled engine runs
interpreted rules. `hatch_build.py` makes a wheel of the package.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tools.expand.expand import Module, Package

ROOT = Path(__file__).resolve().parents[2]
NATIVE = Path(__file__).parent / "native"

GAMES = ("hex-command", "duel", "blade-skirmish", "squad-action", "command-horizon")
"""The games whose rules are compiled if the command line names none."""
CORE = (
    "engine/event",
    "engine/decision",
    "engine/procedure",
    "engine/rule",
    "engine/state",
    "engine/flow",
    "engine/match",
    "engine/secrecy",
    "engine/entry",
    "engine/rollout",
    "chance/dice",
    "chance/distribution",
    "clauses/marks",
    "players/uniform",
    "asking/acts",
    "asking/offer",
    "geometry/bodies",
    "geometry/build",
    "geometry/lines",
    "geometry/measure",
    "geometry/segments",
    "table/measured/approach",
    "table/measured/corridor",
    "table/measured/costs",
    "table/measured/driving",
    "table/measured/moments",
    "table/measured/paths",
    "table/measured/sight",
    "table/measured/units",
    "table/hexes/lattice",
    "table/hexes/maps",
    "table/hexes/ways",
)
LEFT_OUT = frozenset(
    [
        "__init__",
        "catalogue",
        "look",
        "rulebook",
        "form",
        "requests",
        "account",
        "resolve",
        "armies",
        "scenario",
        "scenarios",
        "preview",
        "forces",
        "missions",
        "bands",
        "weights",
        "tuning",
        "proof",
        "ledger",
        "campaign",
        "campaign_files",
        "season",
        "sections",
        "roster",
        "members",
        "profiles",
        "stats",
        "advances",
        "picture",
        "rulings",
        "goal",
        "maps",
    ]
)


def modules(source: Path, games: list[str]) -> list[str]:
    """Return the modules to compile."""
    found = list(CORE)
    for game in games:
        for folder in ("rules", "players"):
            home = source / folder / game
            for file in sorted(home.rglob("*.py")):
                name = file.relative_to(source).with_suffix("").as_posix()
                inner = file.parent != home and file.stem == "__init__"
                if (inner or file.stem not in LEFT_OUT) and "rulings" not in name and not _reads_files(file):
                    found.append(name)
    return found


def _reads_files(file: Path) -> bool:
    """Return whether a module has records that msgspec decodes from files, with errors reported in the file."""
    return "forbid_unknown_fields=True" in file.read_text("utf-8")


def rewritten(text: str) -> str:
    """Return the text of a module that is not compiled, with `caltrop.native` imported instead of msgspec."""
    text = re.sub(r"^import msgspec$", "from caltrop import native as msgspec", text, flags=re.MULTILINE)
    text = re.sub(r"^( *)from msgspec( |\.)", r"\1from caltrop.native\2", text, flags=re.MULTILINE)
    return re.sub(r"\b(isinstance|issubclass)\(([^()]*), msgspec\.Struct\b", r"\1(\2, msgspec.RECORDS", text)


def expanded(into: Path, games: list[str]) -> list[str]:
    """Copy the sources and rewrite them; return the files to compile."""
    source = ROOT / "src" / "caltrop"
    left_out = shutil.ignore_patterns("__pycache__", "web", "*.so")
    shutil.rmtree(into / "src", ignore_errors=True)
    shutil.copytree(source, into / "src" / "caltrop", ignore=left_out)
    shutil.copytree(NATIVE, into / "src" / "caltrop" / "native", ignore=left_out)
    names = ["caltrop." + name.replace("/", ".").removesuffix(".__init__") for name in modules(source, games)]
    package = Package(into / "src", names)
    for name, file in package.files.items():
        if name.startswith("caltrop.native"):
            continue
        text = Module(package, name).text() if name in names else rewritten(file.read_text("utf-8"))
        file.write_text(text, "utf-8")
    return [str(package.files[name].relative_to(into)) for name in names] + ["src/caltrop/native/records.py"]


def compiled(into: Path, files: list[str]) -> None:
    """Compile files with mypyc. The environment variable `CALTROP_OPT` (0 to 3) sets the optimization level."""
    from mypyc.build import mypycify
    from setuptools import setup

    os.chdir(into)
    Path("mypy.ini").write_text(
        "[mypy]\npython_version=3.11\nignore_errors=True\nmypy_path=src\nexplicit_package_bases=True\n"
        "follow_imports=silent\nignore_missing_imports=True\n"
    )
    extensions = mypycify(
        ["--config-file", "mypy.ini", *files],
        target_dir="c",
        opt_level=os.environ.get("CALTROP_OPT", "2"),
        debug_level="0",
        multi_file=True,
    )
    setup(
        name="caltrop-compiled",
        packages=[],
        ext_modules=extensions,
        script_args=["-q", "build_ext", "--build-lib", "src", "--build-temp", "c", "-j1"],
    )


def finished(into: Path, files: list[str]) -> None:
    """Put each original source beside the module compiled from it, and rename the files of known odds."""
    for file in files:
        source = ROOT / file
        if source.is_file():
            shutil.copyfile(source, into / file)
    words = [sys.executable, "-c", RENAMED]
    subprocess.run(words, env={**os.environ, "PYTHONPATH": str(into / "src")}, check=True)


RENAMED = """
from caltrop.engine import known
for file in sorted(known.SHIPPED.glob("*" + known.SUFFIX)):
    held = known.read_file(file)
    if held is not None:
        file.rename(file.with_name(held.name()))
"""
"""Program that renames the files of known odds. Their names hold a digest of the sources, which differ in the compiled
package.
"""


def main() -> int:
    """Build the package that the command line describes."""
    into = Path(sys.argv[1]).resolve()
    shutil.rmtree(into / "src", ignore_errors=True)
    into.mkdir(parents=True, exist_ok=True)
    games = [name for name in sys.argv[2:] if not name.startswith("-")]
    files = expanded(into, [name.replace("-", "_") for name in games or GAMES])
    print(f"{len(files)} modules are written out", file=sys.stderr)
    if "--expand" not in sys.argv:
        compiled(into, files)
        finished(into, files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
