"""The project as it is delivered: dependencies, locks, licences, the wheel, and the purity of the engine."""

import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path
from typing import Any

import pytest

from tests.product_sources import PACKAGES, sources

ROOT = Path(__file__).resolve().parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = {
    "run": (),
    "beacon": ("beacon",),
    "demo": ("embedded",),
    "release": ("release",),
    "test": ("beacon", "embedded", "test"),
}
"""The extras that each lock holds beside the dependencies of a server."""
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


def _imports() -> Iterator[tuple[Path, int, str]]:
    """Each import of the product: file, line, module."""
    return ((source.path, one.line, one.module) for source in sources() for one in source.imports)


@cache
def _modules() -> dict[str, set[str]]:
    """The top-level modules that each installed package brings."""
    found: dict[str, set[str]] = {}
    for module, packages in packages_distributions().items():
        for package in packages:
            found.setdefault(_canonical(package), set()).add(module)
    return found


def test_every_dependency_is_imported_or_excused() -> None:
    """A server imports what it installs, or a sentence beside the dependency says what it is for."""
    imported = {name.split(".")[0] for _, _, name in _imports()}
    text = (ROOT / "pyproject.toml").read_text()
    for requirement in PROJECT["project"]["dependencies"]:
        remark = re.search(rf'^ *"{re.escape(requirement)}", *(.*)$', text, re.M)
        assert remark
        assert _modules()[_named(requirement)] & imported or len(remark[1].split()) > 3, requirement


def test_every_import_of_a_package_is_declared() -> None:
    """The product imports nothing that is there only because something else needs it."""
    project = PROJECT["project"]
    asked_for = (*project["dependencies"], *project["optional-dependencies"]["beacon"])
    declared = set().union(*(_modules()[_named(asked)] for asked in asked_for))
    known = {*declared, *sys.stdlib_module_names, *PACKAGES}
    assert [f"{path}:{line} {name}" for path, line, name in _imports() if name.split(".")[0] not in known] == []


def test_engine_is_pure() -> None:
    """The engine imports itself, and nothing of the standard library that knows time, chance or the machine."""
    known = (sys.stdlib_module_names - IMPURE) | {"engine"}
    engine = [found for found in _imports() if found[0].parts[0] == "engine"]
    assert engine
    assert [f"{path}:{line} {name}" for path, line, name in engine if name.split(".")[0] not in known] == []


@pytest.mark.parametrize("lock", EXTRAS)
def test_a_lock_is_whole(lock: str) -> None:
    """A lock holds each direct dependency in one version with hashes, and names no place to take it from."""
    asked = {*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]}
    asked |= {one for extra in EXTRAS[lock] for one in PROJECT["project"]["optional-dependencies"][extra]}
    assert {_named(requirement) for requirement in asked} <= _locked(lock).keys()
    text = (ROOT / "requirements" / f"{lock}.lock").read_text()
    entries = re.split(r"\n(?=[a-z0-9])", text)[1:]
    assert len(entries) == len(_locked(lock))
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry or "==" not in entry] == []
    assert [line for line in text.splitlines() if "://" in line or line.startswith(("-i", "--index", "--find"))] == []


def test_tests_run_with_the_versions_that_are_delivered() -> None:
    """Larger locks hold all of the smaller ones, what is installed is what is locked, and a server gets no broker."""
    assert _locked("run").items() <= _locked("demo").items() <= _locked("test").items()
    assert _locked("run").items() <= _locked("beacon").items() <= _locked("test").items()
    assert not {_named(one) for one in PROJECT["project"]["optional-dependencies"]["embedded"]} & _locked("run").keys()
    installed = {_canonical(name): distribution(name).version for name in _modules() if name in _locked("test")}
    assert len(installed) > 50
    assert installed.items() <= _locked("test").items()


def test_no_licence_binds_the_project() -> None:
    """Nothing that is delivered is under a licence stricter than the LGPL."""
    strict = []
    for package in _locked("run"):
        try:
            meta = distribution(package).metadata.json
        except PackageNotFoundError:
            continue
        licence = f"{meta.get('license_expression', '')} {str(meta.get('license', ''))[:60]}"
        strict += [package] if re.search(r"AGPL|(?<!L)GPL-3", licence) else []
    assert strict == []


def test_wheel_holds_code_and_data(tmp_path: Path) -> None:
    """A wheel is built without the network; it holds the three packages with their data, and no test."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    data = {str(path.relative_to(ROOT)) for package in PACKAGES for path in (ROOT / package).rglob("*.json")}
    assert {f"{package}/__init__.py" for package in PACKAGES} | data | {"pbem/py.typed"} <= names
    assert not [name for name in names if name.startswith(("tests/", "deploy/", "requirements/"))]
    assert [name for name in names if name.startswith("pbem/mail_templates/")]
