"""Numbers in forms and addresses."""

import pytest

from pbem.web.fields import number


@pytest.mark.parametrize(
    ("written", "found"),
    [("12", 12), (" 7 ", 7), ("", 5), ("-1", 5), ("1.5", 5), ("٣", 5), ("²", 5), ("1000000000", 5), ("9" * 5000, 5)],
)
def test_a_field_is_a_whole_number_that_a_database_holds(written: str, found: int) -> None:
    """ASCII digits up to nine places are a number; for anything else, and for no field, the other value stands."""
    assert number({"n": written}, "n", 5) == found
    assert number({}, "n", 5) == 5
