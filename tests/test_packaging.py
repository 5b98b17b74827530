"""The project as it is delivered: its locks, its metadata, and the laws of its tree that no other tool checks."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = {
    "run": (),
    "beacon": ("beacon",),
    "demo": ("embedded",),
    "release": ("release",),
    "test": ("beacon", "embedded", "test"),
}
"""What each lock holds beside the dependencies of a server."""
PACKAGES = ("engine", "pbem", "worker")
ENVIRONMENT = frozenset({"environ", "environb", "getenv", "getenvb"})
TOP_LEVEL = frozenset(
    "CHANGELOG.md CONTRIBUTING.md LICENSE Makefile README.md deploy engine mail_templates pbem pyproject.toml"
    " requirements tests worker".split()
)
IMPURE = frozenset("random time datetime os socket secrets uuid logging".split())


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _named(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found
    return _canonical(found[0])


@cache
def _locked(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{name}.lock").read_text()
    return {_canonical(n): v for n, v in re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", text, re.M)}


@cache
def _sources() -> dict[Path, ast.Module]:
    found = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return {path.relative_to(ROOT): ast.parse(path.read_text(), str(path)) for path in found}


def _imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module


def _top_level(package: str) -> set[str]:
    """The modules that a package brings."""
    found = packages_distributions().items()
    return {module for module, brought_by in found if package in map(_canonical, brought_by)}


@pytest.mark.parametrize("requirement", PROJECT["project"]["dependencies"])
def test_every_dependency_is_imported_or_excused(requirement: str) -> None:
    """A server imports what it installs, or a sentence beside the dependency says what it is for."""
    imported = {name.split(".")[0] for tree in _sources().values() for _, name in _imports(tree)}
    beside = re.search(rf'^ *"{re.escape(requirement)}", *(.*)$', (ROOT / "pyproject.toml").read_text(), re.M)
    assert beside
    assert _top_level(_named(requirement)) & imported or len(beside[1].split()) > 3


def test_every_import_of_a_package_is_declared() -> None:
    """The product imports nothing that is there only because something else needs it."""
    project = PROJECT["project"]
    asked_for = (*project["dependencies"], *project["optional-dependencies"]["beacon"])
    declared = set().union(*(_top_level(_named(asked)) for asked in asked_for))
    wrong = [
        f"{path}:{line} {name}"
        for path, tree in _sources().items()
        for line, name in _imports(tree)
        if name.split(".")[0] not in {*declared, *sys.stdlib_module_names, *PACKAGES}
    ]
    assert wrong == []


@pytest.mark.parametrize("lock", EXTRAS)
def test_everything_asked_for_is_locked(lock: str) -> None:
    """Each direct dependency, and what builds the project, stands in the lock."""
    asked = {*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]}
    asked |= {one for extra in EXTRAS[lock] for one in PROJECT["project"]["optional-dependencies"][extra]}
    assert {_named(requirement) for requirement in asked} <= _locked(lock).keys()


def test_tests_run_with_the_versions_that_are_delivered() -> None:
    """Each larger lock holds every package of the smaller one in the same version."""
    assert _locked("run").items() <= _locked("demo").items() <= _locked("test").items()
    assert _locked("run").items() <= _locked("beacon").items() <= _locked("test").items()


def test_a_server_installs_no_broker_of_its_own() -> None:
    """What only the demo and the tests need is not in the lock of a server."""
    only = {_named(one) for one in PROJECT["project"]["optional-dependencies"]["embedded"]}
    assert only
    assert not only & _locked("run").keys()


@pytest.mark.parametrize("lock", EXTRAS)
def test_every_locked_package_has_hashes(lock: str) -> None:
    """Each package of a lock is pinned to one version and to hashes of its files."""
    entries = re.split(r"\n(?=[a-z0-9])", (ROOT / "requirements" / f"{lock}.lock").read_text())[1:]
    assert len(entries) == len(_locked(lock))
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry or "==" not in entry] == []


@pytest.mark.parametrize("lock", EXTRAS)
def test_lock_names_no_place(lock: str) -> None:
    """A lock names packages, and no index, host or folder to take them from."""
    text = (ROOT / "requirements" / f"{lock}.lock").read_text()
    assert [line for line in text.splitlines() if "://" in line or line.startswith(("-i", "--index", "--find"))] == []


def test_installed_versions_are_the_locked_ones() -> None:
    """What the tests run with is what the lock says, so that a pass means something."""
    found: dict[str, Distribution] = {}
    for name in _locked("test"):
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue
    assert found, "nothing of the lock is installed"
    assert {name: dist.version for name, dist in found.items()} == {name: _locked("test")[name] for name in found}


@pytest.mark.parametrize("name", ["AGPL", "GPL-3"])
def test_no_licence_that_binds_the_project(name: str) -> None:
    """Nothing that is delivered stands under a licence stricter than the LGPL."""
    strict = []
    for package in _locked("run"):
        try:
            meta = distribution(package).metadata.json
        except PackageNotFoundError:
            continue
        licence = f"{meta.get('license_expression', '')} {str(meta.get('license', ''))[:60]}"
        if re.search(rf"(?<!L){name}", licence):
            strict.append(package)
    assert strict == []


def test_engine_is_pure() -> None:
    """The engine imports the standard library and itself, and nothing of it that knows time, chance or the machine."""
    allowed = (sys.stdlib_module_names - IMPURE) | {"engine"}
    wrong = [
        f"{path}:{line} {name}"
        for path, tree in _sources().items()
        if path.parts[0] == "engine"
        for line, name in _imports(tree)
        if name.split(".")[0] not in allowed
    ]
    assert wrong == []


def test_narration_imports_the_engine_only() -> None:
    """Narration imports the engine, itself and what renders; nothing else of ours."""
    wrong = [
        f"{path}:{line} {name}"
        for path, tree in _sources().items()
        if path.parts[:2] == ("pbem", "narration")
        for line, name in _imports(tree)
        if name.split(".")[0] in ("pbem", "worker") and not name.startswith("pbem.narration")
    ]
    assert wrong == []


def test_only_config_reads_the_environment() -> None:
    """No module but pbem/config.py touches os.environ or os.getenv."""
    wrong = [
        f"{path}:{node.lineno}"
        for path, tree in _sources().items()
        if path != Path("pbem/config.py")
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr in ("environ", "environb", "getenv"))
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "os"
            and {a.name for a in node.names} & {"environ", "getenv"}
        )
    ]
    assert wrong == []


def test_nothing_else_lies_beside_the_project() -> None:
    """The top level holds the project, hidden files and what .gitignore leaves out; no test leaves a file there."""
    ignored = [".*", *(line.rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines())]
    there = (path.name for path in ROOT.iterdir() if not any(path.match(pattern) for pattern in ignored))
    assert set(there) <= TOP_LEVEL


def test_every_test_says_its_requirement() -> None:
    """Each test begins with one sentence that says what it holds."""
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not (ast.get_docstring(node) or "").strip().endswith(".")
    ]
    assert wrong == []


def test_no_skip_without_a_reason() -> None:
    """A test that is skipped says why."""
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("skip", "skipif", "xfail")
        and not (node.args[node.func.attr == "skipif" :] or any(word.arg == "reason" for word in node.keywords))
    ]
    assert wrong == []


def test_wheel_holds_code_and_data(tmp_path: Path) -> None:
    """A wheel can be built without the network; it holds the three packages with their data, and no test."""
    if not any((ROOT / "mail_templates").rglob("*.j2")):
        pytest.skip("mail_templates, which the wheel takes along, are not written yet")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    data = {str(path.relative_to(ROOT)) for package in PACKAGES for path in (ROOT / package).rglob("*.json")}
    assert {f"{package}/__init__.py" for package in PACKAGES} | data | {"pbem/py.typed"} <= names
    assert not [name for name in names if name.startswith(("tests/", "deploy/", "requirements/"))]
    assert [name for name in names if name.startswith("pbem/mail_templates/")]


def test_every_import_contract_is_kept() -> None:
    """The contracts on who imports whom hold, and none of them has been dropped."""
    program = Path(sys.executable).with_name("lint-imports")
    kept = subprocess.run([program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert kept.returncode == 0, kept.stdout
    assert f"{len(PROJECT['tool']['importlinter']['contracts'])} kept, 0 broken" in kept.stdout
    assert len(PROJECT["tool"]["importlinter"]["contracts"]) >= 6


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("engine/kernel/spoilt.py", "import pbem.config"),
        ("engine/kernel/spoilt.py", "import time"),
        ("engine/kernel/spoilt.py", "import engine.amalfi.board"),
        ("engine/amalfi/spoilt.py", "import engine.renaissance.board"),
        ("pbem/store/spoilt.py", "import pbem.service.play.resolution"),
        ("pbem/web/spoilt.py", "import pbem.mail.inbound"),
        ("pbem/web/spoilt.py", "import pbem.store.models"),
        ("pbem/mail/spoilt.py", "import sqlalchemy"),
        ("pbem/service/spoilt.py", "import jinja2"),
        ("pbem/service/spoilt.py", "import pbem.narration.narrator"),
        ("pbem/narration/spoilt.py", "import pbem.store.models"),
        ("pbem/service/spoilt.py", "import worker"),
        ("pbem/service/base/spoilt.py", "import pbem.service.play.resolution"),
    ],
)
def test_contracts_catch_what_they_forbid(intended: Path, module: str, line: str) -> None:
    """In a tree of the intended shape, each kind of forbidden import breaks a contract."""
    (intended / module).write_text(line + "\n")
    sound, told = _contracts(intended)
    (intended / module).unlink()
    assert not sound, told


@pytest.fixture(scope="module")
def intended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of the intended shape, which keeps every contract."""
    tree = tmp_path_factory.mktemp("intended")
    shape = "engine.kernel.table engine.amalfi.board engine.renaissance.board pbem.config pbem.store.models"
    shape += " pbem.service.play.resolution pbem.service.base.services pbem.narration.narrator pbem.web.play"
    shape += " pbem.mail.inbound pbem.discord.notify worker.tasks"
    for name in shape.split():
        path = tree / (name.replace(".", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        for parent in path.relative_to(tree).parents[:-1]:
            (tree / parent / "__init__.py").touch()
    (tree / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    (tree / "pbem/web/play.py").write_text("import pbem.service.play.resolution\n")
    (tree / "pbem/service/play/resolution.py").write_text("import pbem.store.models\n")
    sound, told = _contracts(tree)
    assert sound, told
    return tree


def _contracts(folder: Path) -> tuple[bool, str]:
    run = (
        "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports; "
        "sys.exit(lint_imports(no_cache=True))"
    )
    command = [sys.executable, "-P", "-c", run]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def test_metadata_is_sound() -> None:
    """Name, licence and entry point are those that the documents speak of."""
    project = PROJECT["project"]
    assert (project["name"], project["license"]) == ("pbem", "MIT")
    assert project["scripts"] == {"pbem": "pbem.cli:main"}
    assert (ROOT / "LICENSE").read_text().startswith("MIT License")
    assert project["requires-python"] == ">=3.11"
