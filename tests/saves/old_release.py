"""The code of the last release, out of the history of this project, and a server of which some processes run it.

They run it with the libraries of today: only the code is of then.
"""

import io
import signal
import subprocess
import tarfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from pbem.config import Settings
from pbem.servers import Child
from pbem.supervisor import Supervisor, command
from tests import unpacked

ROOT = Path(__file__).parent.parent.parent
RELEASE = "0.4.0"
COMMIT = "df6f3eb6d1d37d59a7f1420748f4286cd44a1447"
STEP = "0032"
"""The last migration of that release."""
VERSIONS: Mapping[str, str] = {"renaissance": "2"}
"""The versions of its games that have risen since."""


class NoHistory(Exception):
    """The history does not reach back to the release; the text says why."""


def lay_out(folder: Path) -> Path:
    """Write the sources of the release into an empty folder; NoHistory where they are not at hand."""
    words = ("git", "-C", str(ROOT), "archive", "--format=tar", COMMIT, "engine", "pbem", "worker", "mail_templates")
    try:
        done = subprocess.run(words, capture_output=True, check=False)
    except FileNotFoundError:
        raise NoHistory("there is no git") from None
    if done.returncode != 0:
        raise NoHistory(f"the history has no {RELEASE}: {done.stderr.decode(errors='replace').strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as tar:
        unpacked.unpack(tar, folder)
    return folder


def environment(tree: Path, plain: Mapping[str, str]) -> dict[str, str]:
    """With these variables Python finds the code in `tree` before ours."""
    return {**plain, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}


class Beside(Supervisor):
    """A server of which some processes run the code of another version."""

    def __init__(self, settings: Settings, roles: Sequence[str], tree: Path, old: Collection[str]) -> None:
        """`tree`: the sources of the other version; `old`: the names of the processes that run it."""
        super().__init__(settings, roles, calm_s=0.0)
        self._tree, self.old = tree, frozenset(old)

    def _launch(self, role: str) -> None:
        if role not in self.old:
            super()._launch(role)
            return
        child = Child(role, self.logs / f"{role}.log", signal.SIGKILL)
        child.launch(command(role), environment(self._tree, self._environment()))
        self.children[role] = child
        self._began[role] = 0.0

    def change(self, old: Collection[str]) -> None:
        """Let these processes run the other version, and all others ours: who changes is stopped in good order."""
        changed = [role for role in self.roles if (role in self.old) != (role in old)]
        for role in changed:
            self.children[role].stop(signal.SIGTERM)
        self.old = frozenset(old)
        for role in changed:
            self._launch(role)

    def olds(self) -> set[str]:
        """The names of the processes that found the other version's code, by what the system says of them."""
        mark = f"PYTHONPATH={self._tree}".encode()
        return {
            role for role, pid in self.pids().items() if mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        }
