"""A broker of several machines is found where sentinels say that it is."""

import pytest
from redis.sentinel import SentinelConnectionPool

from pbem.broker import redis_client
from pbem.config import redis_sentinel
from pbem.config.redis_sentinel import SentinelUrl

URL = "sentinel://:w%40rd@one:26379,two,10.0.0.3:5000/pbem"


def test_an_address_of_sentinels_is_read() -> None:
    """Hosts, with the usual port where none stands, the name that they watch over, and the broker's password."""
    assert redis_sentinel.parse(URL) == SentinelUrl(
        (("one", 26379), ("two", 26379), ("10.0.0.3", 5000)), "pbem", "w@rd"
    )
    assert redis_sentinel.parse("redis://one:6379/0") is None


@pytest.mark.parametrize("url", ["sentinel://one:26379", "sentinel://one/a/b", "sentinel:///pbem", "sentinel://a:b/c"])
def test_an_address_that_cannot_be_understood_is_an_error(url: str) -> None:
    """No name, two names, no host, a port that is none."""
    with pytest.raises(ValueError, match=r"no name|no host|[Pp]ort"):
        redis_sentinel.parse(url)


def test_celery_is_told_in_its_own_words() -> None:
    """Each sentinel an address, the name beside them; one server's address stays as it is."""
    assert redis_sentinel.celery_url(URL) == (
        "sentinel://:w%40rd@one:26379;sentinel://:w%40rd@two:26379;sentinel://:w%40rd@10.0.0.3:5000"
    )
    assert redis_sentinel.celery_options(URL) == {"master_name": "pbem"}
    assert redis_sentinel.celery_url("redis://one/0") == "redis://one/0"
    assert redis_sentinel.celery_options("redis://one/0") == {}


def test_who_counts_asks_the_sentinels_too() -> None:
    """Connections are opened to whichever server leads; to one server's address as ever."""
    assert isinstance(redis_client.connection_pool(URL, 1.0), SentinelConnectionPool)
    assert not isinstance(redis_client.connection_pool("redis://one/0", 1.0), SentinelConnectionPool)
