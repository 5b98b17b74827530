"""Nothing tells anybody anything past the search for leaks."""

import pytest

from pbem.service.access.permissions import Permission
from pbem.web import routes
from pbem.web.access import Route
from pbem.web.site import PageRequest
from tests.canary import output_channels


def test_every_outlet_is_searched() -> None:
    """Each page, each call of programs and each part of the slash command is searched, or said to be left out."""
    assert output_channels.unlooked() == (set(), set(), set())


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
    monkeypatch.setattr(output_channels, "ROUTES", (*routes.ROUTES, *more))
    assert ("rumours", "/games/g/rumours") in output_channels.pages("g", 1, {})
    assert output_channels.unlooked()[0] == {"shout"}


def test_no_leak_is_planted_that_a_list_of_its_kind_would_hide() -> None:
    """A card alone of its kind is a whole list by itself, which the search leaves out of a page that names no other."""
    assert output_channels.choose_leak({"alone", "paired"}, [{"alone"}, {"paired", "other"}]) == "paired"
