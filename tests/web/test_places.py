"""What stands in an address cannot harm what looks it up."""

import pytest

from tests.web.conftest import Town


@pytest.mark.parametrize("name", ["%00", "%0A", "%C3%A9", "%F0%9F%8E%B2", "a" * 129, "%7f", "%ff"])
def test_names_that_no_database_takes_are_found_nowhere(town: Town, name: str) -> None:
    """By any method they are not found, before anything is looked up."""
    guest = town.browser("p1@games.test")
    for path in (f"/games/{name}", f"/games/{name}/table", f"/feed/{name}.atom", f"/api/v2/games/{name}/talk"):
        assert guest.get(path).status_code == 404
    assert guest.client.post(f"/api/v2/games/{name}/talk").status_code == 404


@pytest.mark.parametrize("number", ["1000000000", "9" * 30, "-1", "1e3", "%D9%A1", "+1"])
def test_numbers_that_no_database_takes_are_found_nowhere(town: Town, number: str) -> None:
    """Numbers that are too large, signed or in other digits are not found."""
    guest = town.browser("p1@games.test")
    assert guest.get(f"/games/{town.game}/reports/{number}").status_code == 404


def test_what_belongs_there_is_found(town: Town) -> None:
    """A table's number and an entry are found."""
    assert town.browser("p1@games.test").get(f"/games/{town.game}/reports/1").status_code == 200
