"""The browser client is built when its sources change, and only then."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
WEB = ROOT / "src/caltrop/web"


def load_build() -> ModuleType:
    """Load the build file, which is not part of a package."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout with one source file and a client built from it."""
    web, static = tmp_path / "src/caltrop/web", tmp_path / "src/caltrop/static"
    web.mkdir(parents=True)
    static.mkdir()
    (web / "page.ts").write_text("export {};\n")
    (static / ".built-from").write_text(load_build().fingerprint(web) + "\n")
    return tmp_path


def test_a_client_built_from_the_present_sources_is_current(checkout: Path) -> None:
    assert load_build().is_current(checkout)
    assert load_build().build_client(checkout) is False


def test_a_changed_a_new_and_a_renamed_source_make_it_stale(checkout: Path) -> None:
    build, page = load_build(), checkout / "src/caltrop/web/page.ts"
    page.write_text("export const a = 1;\n")
    assert not build.is_current(checkout)
    page.write_text("export {};\n")
    assert build.is_current(checkout)
    (page.parent / "more.ts").write_text("")
    assert not build.is_current(checkout)
    (page.parent / "more.ts").unlink()
    page.rename(page.with_name("other.ts"))
    assert not build.is_current(checkout)


def test_installed_packages_are_not_sources(checkout: Path) -> None:
    modules = checkout / "src/caltrop/web/node_modules/some"
    modules.mkdir(parents=True)
    (modules / "index.js").write_text("")
    assert load_build().is_current(checkout)


def test_a_wheel_has_compiled_modules_in_place_of_their_sources(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = load_build()
    package, compiler = checkout / "src/caltrop", checkout / "tools/expand/build.py"
    (package / "__init__.py").write_text('__version__ = "1"\n')
    (package / "rules.py").write_text("written = 1\n")
    compiler.parent.mkdir(parents=True)
    compiler.write_text(
        "import sys, pathlib, shutil\n"
        "built = pathlib.Path(sys.argv[1]) / 'src'\n"
        "shutil.copytree('src', built)\n"
        "(built / 'caltrop/rules.py').write_text('expanded = 1\\n')\n"
        "(built / 'caltrop/rules.so').write_text('native')\n"
    )
    shutil.copy(ROOT / "hatch_build.py", checkout)
    (checkout / "pyproject.toml").write_text(
        '[project]\nname = "caltrop"\nversion = "1"\n'
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[tool.hatch.build.hooks.custom]\npath = "hatch_build.py"\n'
        '[tool.hatch.build.targets.wheel]\npackages = ["src/caltrop"]\nexclude = ["src/caltrop/web"]\n'
    )
    monkeypatch.chdir(checkout)
    monkeypatch.setenv(build.COMPILED, "1")
    from hatchling.build import build_wheel

    with ZipFile(checkout / build_wheel(str(checkout))) as wheel:
        names = [name for name in wheel.namelist() if name.endswith((".py", ".so"))]
        assert sorted(names) == [
            "caltrop/__init__.py", "caltrop/plain/rules.py", "caltrop/rules.py", "caltrop/rules.so",
        ]  # fmt: skip
        assert wheel.read("caltrop/rules.py") == b"expanded = 1\n"
        assert wheel.read("caltrop/plain/rules.py") == b"written = 1\n", "browsers run what was written"


def test_the_clients_lock_names_no_hosts() -> None:
    packages = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    assert [name for name, package in packages.items() if "resolved" in package] == []


@pytest.mark.parametrize(
    "lock", [*sorted(ROOT.glob("requirements*.lock")), WEB / "python.lock"], ids=lambda path: path.name
)
def test_the_locks_name_no_hosts_and_hash_everything(lock: Path) -> None:
    text = lock.read_text("utf-8")
    assert "://" not in text
    pinned = [line for line in text.splitlines() if "==" in line and not line.lstrip().startswith("#")]
    assert pinned
    assert [line for line in pinned if not line.endswith("\\")] == []
