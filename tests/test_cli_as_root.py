"""Commands of root on a server whose processes have users of their own."""

import os
import pwd
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbem.config.settings import Settings
from pbem.crypto import KeyFolder
from tests import server_templates
from tests.budget import budget

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root steps down")
OWNERS = {"web": pwd.getpwnam("nobody"), "resolver": pwd.getpwnam("daemon")}


@pytest.fixture
def installed() -> Iterator[Mapping[str, str]]:
    """The settings of a server in production, where the keys of web and resolver are other users'."""
    with TemporaryDirectory(prefix="pbem-root-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        settings = Settings.with_embedded(folder / "state")
        server_templates.copy_keys(settings.keys_dir)
        settings.keys_dir.chmod(0o755)
        server_templates.copy_migrated_database(folder / "state" / "pbem.sqlite3")
        (folder / "state").chmod(0o777)  # a file of SQLite is all users'
        (folder / "state" / "pbem.sqlite3").chmod(0o666)
        for role, owner in OWNERS.items():
            for path in (settings.keys_dir / role, *(settings.keys_dir / role).iterdir()):
                os.chown(path, owner.pw_uid, owner.pw_gid)
        yield {**settings.variables, "PBEM_PRODUCTION": "yes"}


def call(env: Mapping[str, str], *words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Call a command as root."""
    line = [sys.executable, "-m", "pbem.cli.main", *words]
    return subprocess.run(
        line, env={**os.environ, **env}, capture_output=True, text=True, check=False, timeout=120, cwd=folder
    )


@pytest.mark.parametrize(
    ("words", "user", "code"),
    [
        (("gm", "nosuchgame", "STATUS"), "nobody", 1),
        pytest.param(("transfer", "key"), "daemon", 0, marks=pytest.mark.night),
        pytest.param(("replay",), "daemon", 0, marks=pytest.mark.night),
    ],
)
def test_root_acts_as_the_user_whose_keys_a_command_needs(
    installed: Mapping[str, str], words: tuple[str, ...], user: str, code: int
) -> None:
    """It says as whom, and is not told to give up that each process has a user."""
    found = call(installed, *words)
    assert f"As {user}" in found.stderr
    assert "PBEM_ALLOW_SHARED_USER" not in found.stderr
    assert found.returncode == code, found.stderr


def test_what_root_wants_written_is_written_where_only_root_may(installed: Mapping[str, str], tmp_path: Path) -> None:
    """The file of a game goes into a folder of root's, though the keys that made it are another user's."""
    private = tmp_path / "root"
    private.mkdir(mode=0o700)
    script = (
        "from pathlib import Path; from pbem.cli import record, terminal; "
        "terminal.load_settings('resolver'); record._write(Path('game.zip'), b'a game')"
    )
    found = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **installed, "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
        cwd=private,
    )
    assert found.returncode == 0, found.stderr
    assert (private / "game.zip").read_bytes() == b"a game"
    assert (private / "game.zip").stat().st_uid == 0


def test_a_rotation_keeps_owner_and_mode_of_each_file(installed: Mapping[str, str]) -> None:
    """Root changes the keys of all processes, and each can still read its own."""
    keys = KeyFolder(Path(installed["PBEM_STATE_DIR"]) / "keys")
    before = {path: path.stat() for path in keys.path.rglob("*.*")}
    for kind in ("view", "signing")[: budget(1, 2)]:
        assert call(installed, "keys", "rotate", kind).returncode == 0
        assert call(installed, "keys", "prune", kind, "--yes").returncode == 0
    for path, was in before.items():
        now = path.stat()
        assert (now.st_uid, now.st_gid, now.st_mode) == (was.st_uid, was.st_gid, was.st_mode), path
