"""What is in an address cannot harm what looks it up."""

from tests.web.conftest import Town


def test_what_no_database_takes_is_found_nowhere(town: Town) -> None:
    """Odd names, and numbers that are too large, signed or in other digits, are not found by any method, before
    anything is looked up; what belongs there is found.
    """
    guest = town.browser("p1@games.test")
    for name in ("%00", "%0A", "%C3%A9", "%F0%9F%8E%B2", "a" * 129, "%7f", "%ff"):
        for path in (f"/games/{name}", f"/games/{name}/table", f"/feed/{name}.atom", f"/api/v2/games/{name}/talk"):
            assert guest.get(path).status_code == 404
        assert guest.client.post(f"/api/v2/games/{name}/talk").status_code == 404
    for number in ("1000000000", "9" * 30, "-1", "1e3", "%D9%A1", "+1"):
        assert guest.get(f"/games/{town.game}/reports/{number}").status_code == 404
    assert guest.get(f"/games/{town.game}/reports/1").status_code == 200
