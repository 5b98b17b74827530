"""`deploy/compose.yml` with podman: what it says is read here, and started in the order that it asks for.

No registry is asked for images: a Debian that was made here stands in for each that is named, with the interpreter, the
database or the broker in it, and does with the settings what theirs would.
"""

import json
import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from tests.operator.machine import CERTIFICATES, taken

NEEDED = ("podman", "crun", "debootstrap", "iptables")
HELPERS = Path("/usr/lib/podman")
PACKAGES = "ca-certificates,python3,python3-venv,postgresql,redis-server"
PORTS = (2424, 8000, 9464)
"""What the compose file publishes."""
_DATABASE = """#!/bin/sh
set -eu
programs=$(echo /usr/lib/postgresql/*/bin) data=/var/lib/postgresql/data
run() { setpriv --reuid=postgres --regid=postgres --clear-groups -- "$programs/$@"; }
if [ ! -s $data/PG_VERSION ]; then
	chown postgres $data && chmod 700 $data
	install -m 600 -o postgres "$POSTGRES_PASSWORD_FILE" /tmp/password
	run initdb -D $data -U "$POSTGRES_USER" --pwfile=/tmp/password --encoding=UTF8 --auth-local=trust
	echo "host all all all scram-sha-256" >>$data/pg_hba.conf
	echo "CREATE DATABASE $POSTGRES_DB" | run postgres --single -D $data postgres
	run pg_ctl -w -D $data -o "-c listen_addresses= -k /tmp" start
	for script in /docker-entrypoint-initdb.d/*.sql; do
		run psql -h /tmp -U "$POSTGRES_USER" -d "$POSTGRES_DB" -f "$script"
	done
	run pg_ctl -w -D $data stop
fi
install -d -o postgres /run/postgresql
exec setpriv --reuid=postgres --regid=postgres --clear-groups -- \\
	"$programs/postgres" -D $data -c listen_addresses='*' -k /run/postgresql
"""
"""What the image of PostgreSQL does when it starts."""
_BROKER = """#!/bin/sh
exec redis-server "$@" --protected-mode no
"""
"""In a container its other readers are strangers; the image of Valkey was built for that."""
_STANDS_IN = {
    "python:3.11-slim-trixie": "RUN ln -s python3 /usr/bin/python\n",
    "postgres:17": 'COPY --chmod=755 database /entry\nENTRYPOINT ["/entry"]\n',
    "valkey/valkey:8": "RUN ln -s redis-cli /usr/bin/valkey-cli\nCOPY --chmod=755 broker /usr/bin/valkey-server\n",
}
_LIMIT = 4096


def lacking() -> str:
    """Why no containers can be run here; empty if they may be tried."""
    if os.geteuid() != 0:
        return "only root can run containers as the compose file wants them"
    if absent := [name for name in NEEDED if shutil.which(name) is None]:
        return f"no {', '.join(absent)} is installed"
    if absent := [name for name in ("netavark", "aardvark-dns") if not (HELPERS / name).exists()]:
        return f"no {', '.join(absent)} is installed, by which containers find each other"
    return taken(PORTS)


@dataclass
class Engine:
    """Podman with a folder of its own, in a mount namespace of its own."""

    folder: Path
    shell: "subprocess.Popen[bytes]"

    def run(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """A command of podman's to its end."""
        places = [f"--root={self.folder / 'storage'}", f"--runroot={self.folder / 'run'}", "--storage-driver=overlay"]
        line = ["nsenter", f"--mount=/proc/{self.shell.pid}/ns/mnt", "podman", *places, *words]
        env = {"PATH": os.environ["PATH"], "CONTAINERS_CONF": str(self.folder / "containers.conf")}
        done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=900, env=env)
        assert done.returncode == 0 or not check, (words, done.stdout[-2000:], done.stderr[-2000:])
        return done

    def address(self, name: str) -> str:
        """Where a container is reached from this machine."""
        form = "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}"
        return self.run("inspect", "--format", form, name).stdout.strip()


@contextmanager
def engine(folder: Path) -> Iterator[Engine]:
    """An engine; all that it ran and stored is gone afterwards."""
    names = {"nofile": resource.RLIMIT_NOFILE, "nproc": resource.RLIMIT_NPROC}
    most = {name: min(resource.getrlimit(which)[1] % 2**63, _LIMIT) for name, which in names.items()}
    limits = json.dumps([f"{name}={number}:{number}" for name, number in most.items()])
    (folder / "containers.conf").write_text(
        f'[containers]\ncgroups = "disabled"\ndefault_ulimits = {limits}\n'
        '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\nruntime = "crun"\n'
        f'[network]\nnetwork_backend = "netavark"\nnetwork_config_dir = "{folder / "networks"}"\n'
    )
    # Where both versions of control groups are mounted, crun runs nothing; in /run lie the names of other containers.
    alone = """
        [ ! -d /sys/fs/cgroup/unified ] || umount /sys/fs/cgroup/unified
        mkdir -p /run/containers && mount -t tmpfs tmpfs /run/containers && exec sleep infinity
    """
    with subprocess.Popen(["unshare", "--mount", "sh", "-c", alone]) as shell:
        found = Engine(folder, shell)
        try:
            while Path(f"/proc/{shell.pid}/comm").read_text() != "sleep\n":
                time.sleep(0.05)
            yield found
        finally:
            found.run("rm", "--force", "--all", "--time=10", check=False)
            found.run("network", "prune", "--force", check=False)
            found.run("volume", "prune", "--force", check=False)
            shell.kill()


def build_images(engine: Engine, folder: Path) -> str:
    """Make the images that the files of `deploy/` name; why not, if they cannot be."""
    root = folder / "root"
    line = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", str(root)]
    made = subprocess.run(line, capture_output=True, text=True, check=False, timeout=1200)
    if made.returncode:
        return f"debootstrap could not make a Debian: {made.stdout.splitlines()[-1:]}"
    if CERTIFICATES.exists():  # what this machine trusts, those trust: packages come the same way
        shutil.copyfile(CERTIFICATES, root / "etc/ssl/certs/ca-certificates.crt")
        (root / "etc/pip.conf").write_text("[global]\ncert = /etc/ssl/certs/ca-certificates.crt\n")
    subprocess.run(["tar", "-C", str(root), "-cf", str(folder / "root.tar"), "."], check=True, timeout=300)
    engine.run("import", str(folder / "root.tar"), "debian:made-here")
    if (tried := engine.run("run", "--rm", "debian:made-here", "true", check=False)).returncode:
        return f"podman runs no container here: {tried.stderr.splitlines()[-1:]}"
    context = folder / "context"
    context.mkdir()
    (context / "database").write_text(_DATABASE)
    (context / "broker").write_text(_BROKER)
    for name, lines in _STANDS_IN.items():
        (context / "Containerfile").write_text(f"FROM debian:made-here\n{lines}")
        engine.run("build", "--pull=never", "--isolation=chroot", f"--tag={name}", str(context))
    return ""


@dataclass
class Composed:
    """The services of a compose file, each a container under its own name."""

    engine: Engine
    file: Path
    started: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.said: dict[str, Any] = yaml.safe_load(self.file.read_text(encoding="utf-8"))
        self.services: dict[str, dict[str, Any]] = self.said["services"]

    def build(self) -> None:
        """Build the images, by a builder that may reach the index of packages."""
        for image, build in {one["image"]: one["build"] for one in self.services.values() if "build" in one}.items():
            context = (self.file.parent / build["context"]).resolve()
            file = context / build["dockerfile"]
            about = [
                f"--file={file}",
                f"--ignorefile={file}.dockerignore",
                f"--target={build['target']}",
                f"--tag={image}",
            ]
            self.engine.run("build", "--pull=never", "--isolation=chroot", "--network=host", *about, str(context))

    def up(self) -> None:
        """Start all, each when what it depends on is as it should be."""
        self.engine.run("network", "create", f"--subnet={self.subnet()}", self.network())
        for name in self.services:
            self._start(name)

    def healthy(self, name: str) -> bool:
        """Run a service's own check in its container."""
        kind, *words = self.services[name]["healthcheck"]["test"]
        assert kind == "CMD"
        return self.engine.run("exec", name, *words, check=False).returncode == 0

    def state(self, name: str) -> str:
        """Whether a container is `running`, or what else."""
        return self.engine.run("inspect", "--format", "{{.State.Status}}", name).stdout.strip()

    def logs(self) -> str:
        """The end of what every container wrote."""
        ends = {name: self.engine.run("logs", "--tail=15", name, check=False) for name in self.started}
        return "\n".join(f"{name}: {end.stdout}{end.stderr}" for name, end in ends.items())

    def _start(self, name: str) -> None:
        if name in self.started:
            return
        for other, how in self.services[name].get("depends_on", {}).items():
            self._start(other)
            if how["condition"] == "service_healthy":
                self.until(other, partial(self.healthy, other))
            else:
                assert self.engine.run("wait", other).stdout.strip() == "0", self.logs()
        self.engine.run("run", "--detach", f"--name={name}", *self._options(name, self.services[name]))
        self.started.append(name)

    def until(self, what: str, ready: Callable[[], bool]) -> None:
        """Wait until something is so."""
        end = time.monotonic() + 180
        while not ready():
            assert time.monotonic() < end, f"waited in vain for {what}: {self.logs()}"
            time.sleep(0.5)

    def _options(self, name: str, service: Mapping[str, Any]) -> list[str]:
        """The words for podman; a key that is not known here is a fault of the test."""
        words = [f"--network={self.network()}"]
        here = self.file.parent
        for key, value in service.items():
            match key:
                case "env_file" | "user" | "restart":
                    words += [f"--{key.replace('_', '-')}={here / value if key == 'env_file' else value}"]
                case "environment":
                    words += [f"--env={variable}={text}" for variable, text in value.items()]
                case "read_only":
                    words += ["--read-only", "--read-only-tmpfs=false"]
                case "tmpfs" | "cap_drop" | "security_opt":
                    words += [f"--{key.replace('_', '-')}={one}" for one in value]
                case "ports":
                    words += [f"--publish={one}" for one in value]
                case "volumes":
                    words += [f"--volume={(here / one) if one.startswith('./') else one}" for one in value]
                case "secrets":
                    words += [
                        f"--volume={here / self.said['secrets'][one]['file']}:/run/secrets/{one}:ro" for one in value
                    ]
                case "extra_hosts":
                    words += [f"--add-host={one.replace('host-gateway', self.gateway())}" for one in value]
                case _:
                    assert key in ("image", "build", "command", "depends_on", "healthcheck"), (name, key)
        return [*words, service["image"], *service.get("command", [])]

    def network(self) -> str:
        """The name that compose gives the network."""
        (name,) = self.said["networks"]
        return f"{self.said['name']}_{name}"

    def subnet(self) -> str:
        """The addresses of the network."""
        return str(self.said["networks"]["default"]["ipam"]["config"][0]["subnet"])

    def gateway(self) -> str:
        """The address of this machine on the network of the containers."""
        return f"{self.subnet().rpartition('.')[0]}.1"


def down(composed: Composed) -> None:
    """Stop all in the order that is the other way round, and take the containers away."""
    for name in reversed(composed.started):
        with suppress(AssertionError):
            composed.engine.run("stop", "--time=20", name)
    composed.engine.run("rm", "--all")
