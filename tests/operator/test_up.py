"""`pbem up` as it is typed: a file of settings, all processes from one, and Ctrl-C."""

import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbem.config.settings import Settings
from pbem.demo.run import settings_of
from pbem.store.schema import upgrade
from tests.operator.runbook import ROOT
from tests.traps import set_traps

PATIENCE_S = 400.0
"""How long it may take to begin on a busy machine: it reads every game first."""

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


CONFINED = """
import ctypes, sys
from pathlib import Path
from pbem.config.settings import Settings
from pbem.ops.supervisor import ROLES
from tests.crashes.server import opened

call = ctypes.CDLL(None, use_errno=True)
NEW_MOUNTS, PRIVATE, SET_MDWE = 0x20000, 0x44000, 65
if call.unshare(NEW_MOUNTS) or call.mount(b"none", b"/", None, PRIVATE, None):
    sys.exit(77)
if call.mount(b"proc", b"/proc", b"proc", 0, b"subset=pid") or call.prctl(SET_MDWE, 1, 0, 0, 0):
    sys.exit(77)
assert not Path("/proc/meminfo").exists()
server = opened(Path(sys.argv[1]), "renaissance")
server.settings = Settings.from_env({**server.settings.variables, "PBEM_PICTURES": "yes"})
server.start(ROLES)
try:
    server.deal()
    before = server.outcome().entry
    server.round()
    assert server.outcome().entry > before
    assert server.deaths == []
    parts = [part for box in server.post.boxes.values() for mail in box for part in mail.message().walk()]
    assert "image/png" in {part.get_content_type() for part in parts}
finally:
    server.stop()
"""


def ready(settings: Settings) -> bool:
    """Return True once the pages and their database answer."""
    try:
        with urllib.request.urlopen(f"http://{settings.http_listen}/readyz", timeout=10) as answer:
            return bool(answer.read().strip() == b"ok")
    except urllib.error.URLError:
        return False


def test_up_runs_a_server_until_it_is_stopped() -> None:
    """With the settings of a file it serves pages, and Ctrl-C ends it and all that it started without an error.

    None of its processes imports a file of the folder that it was started in, whatever its name.
    """
    with TemporaryDirectory(prefix="pbem-up-") as name:
        folder = Path(name)
        settings = settings_of(folder / "state")
        upgrade(settings.database_url)
        file = folder / "pbem.env"
        file.write_text("".join(f"{key}={value}\n" for key, value in settings.variables.items()), encoding="utf-8")
        line, here = [str(Path(sys.executable).with_name("pbem")), "--env", str(file), "up"], set_traps(folder / "here")
        with subprocess.Popen(line, cwd=here, env={"PATH": "/usr/bin:/bin"}, stderr=subprocess.PIPE) as process:
            try:
                end = time.monotonic() + PATIENCE_S
                while not ready(settings):
                    assert process.poll() is None, "it ended by itself"
                    assert time.monotonic() < end, "no pages came"
                    time.sleep(0.2)
            finally:
                process.send_signal(signal.SIGINT)
                _, said = process.communicate(timeout=120)
        assert (process.returncode, b"Traceback" in said) == (0, False)
        assert not (here / "imported").exists()


def test_every_process_works_as_confined_as_its_unit() -> None:
    """No memory is both written and executed, and of /proc only processes are seen: a turn is played, with pictures."""
    with TemporaryDirectory(prefix="pbem-mw-") as name:
        made = subprocess.run([sys.executable, "-c", CONFINED, name], cwd=ROOT, check=False, timeout=800)
    if made.returncode == 77:
        pytest.skip("this machine cannot confine a process so")
    assert made.returncode == 0
