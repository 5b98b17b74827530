"""Starts the units of `deploy/systemd` where systemd does not run: each ExecStart under its user, as its file says.

Run inside the machine that is tried, by its own Python, until that is switched off.  When all have said that
they serve, each to a socket of its own, it prints a JSON object: unit, process id.
"""

import configparser
import json
import os
import pwd
import shlex
import socket
import subprocess
import time
from pathlib import Path

UNITS = Path("/etc/systemd/system")


def unit(name: str) -> dict[str, list[str]]:
    """The lines of a unit's service, a list for each name."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in (UNITS / name).read_text().splitlines():
        if line.startswith("["):
            section = line
        elif section == "[Service]" and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def environment(lines: dict[str, list[str]]) -> dict[str, str]:
    """What systemd would give it: its own variables, then those of the file of settings, which overrule them."""
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    for word in lines.get("Environment", []):
        name, _, value = word.partition("=")
        env[name] = value
    for file in lines.get("EnvironmentFile", []):
        for line in Path(file).read_text().splitlines():
            if line and not line.startswith("#"):
                name, _, value = line.partition("=")
                env[name] = value
    return env


def listening(name: str) -> socket.socket:
    """A manager's end of the line for one unit."""
    place = Path("/run") / f"notify-{name}"
    line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    line.bind(str(place))
    place.chmod(0o666)
    line.settimeout(300)
    return line


def started(name: str, log: Path) -> "subprocess.Popen[bytes]":
    """Start a unit's command as its user, with nothing else of ours."""
    lines = unit(name)
    user = pwd.getpwnam(lines["User"][-1])
    for folder in lines.get("StateDirectory", []):
        os.chown(Path("/var/lib") / folder, user.pw_uid, user.pw_gid)
    return subprocess.Popen(
        shlex.split(lines["ExecStart"][-1]),
        stdin=subprocess.DEVNULL,
        stdout=log.open("ab"),
        stderr=subprocess.STDOUT,
        env={**environment(lines), "NOTIFY_SOCKET": f"/run/notify-{name}"},
        cwd="/",
        umask=int(lines["UMask"][-1], 8),
        user=user.pw_uid,
        group=user.pw_gid,
        extra_groups=[],
        start_new_session=True,
    )


def main() -> None:
    """Start all that the target wants, tell it, and take note of those that end."""
    target = configparser.ConfigParser()
    target.read(UNITS / "pbem.target")
    logs = Path("/var/log/units")
    logs.mkdir(exist_ok=True)
    wanted = target["Unit"]["Wants"].split()
    ends = {name: listening(name) for name in wanted}
    running = {name: started(name, logs / name) for name in wanted}
    for line in ends.values():
        while line.recv(100) != b"READY=1":
            pass
    print(json.dumps({name: process.pid for name, process in running.items()}), flush=True)
    while True:
        for process in running.values():
            process.poll()
        time.sleep(0.5)


main()
