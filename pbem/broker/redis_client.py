"""Connections to the broker's store, for those who ask or count there rather than send tasks."""

from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.connection import ConnectionPool
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool

from pbem.config import redis_sentinel


def connection_pool(url: str, patience_s: float, tries: int = 0) -> ConnectionPool:
    """Connections to the broker, where it is when each is opened; `tries`: how often one is tried again."""
    patience: dict[str, Any] = {
        "socket_timeout": patience_s,
        "socket_connect_timeout": patience_s,
        "retry": Retry(NoBackoff(), tries),
    }
    found = redis_sentinel.parse(url)
    if found is None:
        return ConnectionPool.from_url(url, **patience)
    asked = Sentinel(found.sentinels, sentinel_kwargs=patience)  # type: ignore[no-untyped-call]
    made: ConnectionPool = SentinelConnectionPool(  # type: ignore[no-untyped-call]
        found.name, asked, password=found.password, **patience
    )
    return made


def connect(url: str, patience_s: float, tries: int = 0) -> Redis:
    """A client of the broker that tries nothing twice, or so often again; closing it closes its connections."""
    return Redis.from_pool(connection_pool(url, patience_s, tries))
