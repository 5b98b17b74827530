"""The embedded broker and the PostgreSQL of tests: found, private, durable, and gone with their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from pbem.ops import servers
from pbem.ops.servers import SOCKET_PATH_BYTES, ServerError, Valkey, find_server


def _until(true: Callable[[], bool], seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def _has_ended(pid: int) -> bool:
    """No such process, or a zombie that nobody has fetched yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("name", ["valkey-server", "postgres"])
def test_wheel_has_the_program(name: servers.Server) -> None:
    """Without anything installed on the machine, the program of a wheel is found."""
    (found,) = servers._find_in_wheel(name)
    assert os.access(found, os.X_OK)


def test_path_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PATH decides before the wheel does; where no program is, a sentence says so."""
    program = tmp_path / "valkey-server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_server("valkey-server", {"PATH": str(tmp_path)}) == program
    assert find_server("valkey-server", {"PATH": "/nowhere"}) != program
    monkeypatch.setattr(servers, "_candidate_paths", lambda name, env: iter(()))
    with pytest.raises(ServerError, match=r"No valkey-server was found.*add the folder of the program to PATH"):
        find_server("valkey-server", {})


def test_broker_has_no_port_and_a_private_socket(valkey: Valkey) -> None:
    """The broker listens on its socket only, which its owner alone may use, and never forgets under pressure."""
    with redis.Redis.from_url(valkey.redis_url, decode_responses=True) as client:
        settings = client.config_get("port", "appendfsync", "maxmemory-policy", "appendonly", "save")
    assert settings == {
        "port": "0",
        "appendfsync": "everysec",
        "maxmemory-policy": "noeviction",
        "appendonly": "yes",
        "save": "",
    }
    assert valkey.socket.stat().st_mode & 0o077 == 0
    assert (valkey.folder / "broker").stat().st_mode & 0o077 == 0


def test_broker_keeps_what_it_said_is_on_disk_across_a_crash(state_dir: Path) -> None:
    """It is there after a kill -9 and the next start in the same folder; what is due the database knows anyway."""
    with Valkey(state_dir) as server:
        with redis.Redis.from_url(server.redis_url) as client:
            for number in range(50):
                client.rpush("queue", number)
            assert client.waitaof(1, 0, 0) == [1, 0]
        server.kill()
        server.start()
        with redis.Redis.from_url(server.redis_url) as client:
            assert client.lrange("queue", 0, -1) == [b"%d" % number for number in range(50)]


def test_second_broker_in_a_folder_is_refused(state_dir: Path) -> None:
    """Two brokers never share a folder: the second says that one is at work, and the first ends with its context."""
    with Valkey(state_dir) as server:
        pid = server.pid
        with pytest.raises(ServerError, match="already at work"):
            Valkey(state_dir).start()
    assert _has_ended(pid)


def test_too_long_a_path_is_refused_before_the_start(tmp_path: Path) -> None:
    """A socket's path of 108 bytes is refused with both numbers; nothing is created."""
    long = tmp_path / ("x" * (SOCKET_PATH_BYTES + 1 - len(f"{tmp_path}//broker.sock")))
    with pytest.raises(ServerError, match=r"108 bytes.* may have 107: choose a state folder with a shorter name"):
        Valkey(long).start()
    assert not long.exists()


def test_program_that_ends_at_once_is_told_with_its_log(state_dir: Path) -> None:
    """A server that does not come up raises, quoting the end of its log."""
    program = state_dir / "valkey-server"
    program.write_text("#!/bin/sh\necho out of order\nexit 1\n")
    program.chmod(0o755)
    server = Valkey(state_dir, {"PATH": f"{state_dir}:/usr/bin:/bin"})
    with pytest.raises(ServerError, match=r"ended at once.*out of order"):
        server.start()


def test_program_that_does_not_answer_is_ended(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that runs and does not answer in time is ended, so that no process is left when the start fails."""
    program = state_dir / "valkey-server"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setattr(servers, "START_SECONDS", 0.1)
    server = Valkey(state_dir, {"PATH": f"{state_dir}:/usr/bin:/bin"})
    with pytest.raises(ServerError, match="does not answer"):
        server.start()
    assert _has_ended(server.pid)


def test_server_gets_nothing_of_our_environment(state_dir: Path) -> None:
    """A server sees PATH, language and zone, and no variable of ours."""
    program = state_dir / "valkey-server"
    program.write_text("#!/bin/sh\nenv\nexit 1\n")
    program.chmod(0o755)
    env = {"PBEM_RELAY_USER": "somebody", "PATH": f"{state_dir}:/usr/bin:/bin"}
    with pytest.raises(ServerError):
        Valkey(state_dir, env).start()
    told = (state_dir / "broker" / "valkey.log").read_text()
    assert "LC_ALL=C" in told
    assert "PBEM_" not in told


_PARENT = """
import sys, time
from pathlib import Path
from pbem.ops.servers import Postgres, Valkey
server = Valkey(Path(sys.argv[2])) if sys.argv[1] == "valkey" else Postgres()
server.start()
print(server.pid if sys.argv[1] == "valkey" else server._child.pid, server.folder, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the death signal is Linux's")
@pytest.mark.parametrize("kind", ["valkey", pytest.param("postgres", marks=pytest.mark.long)])
def test_server_dies_with_its_parent(kind: str, state_dir: Path) -> None:
    """A parent killed with -9 leaves no server behind."""
    command = [sys.executable, "-c", _PARENT, kind, str(state_dir)]
    env = os.environ | {"TMPDIR": str(state_dir)}
    os.chmod(state_dir, 0o711)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline().split()[0])
        assert not _has_ended(pid)
        parent.send_signal(signal.SIGKILL)
    assert _until(lambda: _has_ended(pid))
