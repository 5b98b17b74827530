"""A false Discord for each test."""

from collections.abc import Iterator

import pytest

from tests.discord.fake import Fake


@pytest.fixture
def fake() -> Iterator[Fake]:
    """It listens on the loopback until the test is over."""
    with Fake() as found:
        yield found
