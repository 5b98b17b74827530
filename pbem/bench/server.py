"""A real server to measure, `pbem up`, and what its processes use."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pbem.bench.in_process import new_settings
from pbem.config import settings as config
from pbem.config.settings import Settings
from pbem.ops.servers import free_port
from pbem.ops.supervisor import python
from pbem.store.schema import upgrade

PATIENCE_S: Final = 300.0


def prepare(folder: Path, **variables: str) -> Settings:
    """Create keys and tables of a new server on free ports of the loopback, with these settings besides the usual."""
    ports = {name: free_port() for name in ("http_port", "smtp_port", "lmtp_port", "relay_port")}
    settings = Settings.from_env({**new_settings(folder, **ports).variables, **variables})
    upgrade(settings.database_url)
    return settings


@contextmanager
def running(settings: Settings) -> Iterator[int]:
    """Run a server while the block runs; yields the id of its first process once web and smtp answer."""
    env = {name: value for name, value in config.current_environment().items() if not name.startswith("PBEM_")}
    with (settings.state_dir / "up.log").open("wb") as log:
        line = [python(), "-m", "pbem.cli.main", "up"]
        env |= settings.variables
        server = subprocess.Popen(line, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        for entrance in (settings.http_listen, settings.smtp_listen):
            if entrance is not None:
                _wait_for(entrance.port)
        yield server.pid
    finally:
        server.terminate()
        server.wait(60)


def _wait_for(port: int) -> None:
    limit = time.monotonic() + PATIENCE_S
    while time.monotonic() < limit:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("the server did not start in time")


def list_processes(pid: int) -> dict[int, str]:
    """A process and all below it, with what each is called: `web`, `mailer2`, the name of the broker's program, ..."""
    own = Path(f"/proc/{pid}")
    found = {pid: (own / "comm").read_text().strip().removeprefix("pbem ")}
    for child in (own / f"task/{pid}/children").read_text().split():
        found |= list_processes(int(child))
    return found


def memory_mb(pid: int) -> dict[str, float]:
    """The proportional share of memory of a process and those below it, by their names."""
    shares: dict[str, float] = {}
    for process, name in list_processes(pid).items():
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        pss_kb = next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        shares[name] = round(shares.get(name, 0.0) + pss_kb / 1024, 1)
    return shares


def cpu_ms(pid: int) -> dict[str, float]:
    """The CPU time so far of a process and those below it, by their names."""
    spent: dict[str, float] = {}
    for process, name in list_processes(pid).items():
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])  # utime and stime, proc(5)
        spent[name] = spent.get(name, 0.0) + 1000 * ticks / os.sysconf("SC_CLK_TCK")
    return spent
