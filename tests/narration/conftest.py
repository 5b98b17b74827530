"""Every game of the laws of telling is known under its name, registered or not yet."""

from collections.abc import Iterator

import pytest

from engine import GAMES
from pbem.narration.glossary import load_glossary
from tests.narration.cases import cases


@pytest.fixture(autouse=True, scope="module")
def known() -> Iterator[None]:
    """The smallest game is in the registry."""
    added = [case.rules for case in cases() if case.game not in GAMES]
    GAMES.update({rules.meta.name: rules for rules in added})
    load_glossary.cache_clear()  # what was read of a game before it was known lacks its topics
    yield
    for rules in added:
        del GAMES[rules.meta.name]
