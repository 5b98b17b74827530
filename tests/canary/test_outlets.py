"""Nothing tells anybody anything past the search for leaks."""

import pytest

from pbem.service.access.permissions import Permission
from pbem.web import routes
from pbem.web.access import Route
from pbem.web.site import PageRequest
from tests.canary import outlets


def test_every_outlet_is_searched() -> None:
    """Each page, each call of programs and each part of the slash command is searched, or said to be left out."""
    assert outlets.unlooked() == (set(), set(), set())


def test_a_page_that_is_added_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that can be looked at is looked at from its first day; one that only acts must be spoken of."""

    def rumours(visit: PageRequest) -> str:
        return ""

    def shout(visit: PageRequest) -> str:
        return ""

    more = (
        Route("/games/<game>/rumours", ("GET",), Permission.SEES, rumours),
        Route("/games/<game>/shout", ("POST",), Permission.SEES, shout),
    )
    monkeypatch.setattr(outlets, "ROUTES", (*routes.ROUTES, *more))
    assert ("rumours", "/games/g/rumours") in outlets.pages("g", 1, {})
    assert outlets.unlooked()[0] == {"shout"}
