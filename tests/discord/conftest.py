"""A false Discord for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.discord.fake_discord import Fake
from tests.discord.linked_games import Town, town


@pytest.fixture
def fake() -> Iterator[Fake]:
    """It listens on the loopback until the test is over."""
    with Fake() as found:
        yield found


@pytest.fixture
def at(state_dir: Path, fake: Fake) -> Town:
    """A table of three that is under way, linked to a channel which knows already."""
    found = town(state_dir, fake)
    found.link()
    return found
