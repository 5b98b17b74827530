"""A broker that is away, in each of the ways in which that happens, for tests of everything that only wakes others."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis

from pbem.config.settings import Settings
from pbem.ops.servers import Valkey

WAYS = ("stopped", "hung", "full")


@contextmanager
def break_broker(server: Valkey, way: str) -> Iterator[None]:
    """A broker at work goes away in this way, and is back when the context ends."""
    if way == "stopped":
        server.stop()
        yield
        server.start()
    elif way == "hung":
        os.kill(server.pid, signal.SIGSTOP)
        yield
        os.kill(server.pid, signal.SIGCONT)
    else:
        with Redis.from_url(server.redis_url) as client:
            client.config_set("maxmemory", "1")
            yield
            client.config_set("maxmemory", "0")


@contextmanager
def broker(folder: Path, way: str) -> Iterator[Settings]:
    """The settings of a server whose broker is away in this way; it is there again when the context ends."""
    with Valkey(folder) as server, break_broker(server, way):
        yield Settings.with_embedded(folder)
