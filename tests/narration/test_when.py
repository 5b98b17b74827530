"""Moments in the reader's zone and in UTC."""

import pytest

from pbem.narration.when import Clock

FRIDAY = 1763751600  # 2025-11-21 19:00 UTC


@pytest.mark.parametrize(
    ("language", "zone", "said"),
    [
        ("en", "Europe/Paris", "Fri 21 Nov 2025, 20:00 Paris (19:00 UTC)"),
        ("fr", "Europe/Paris", "ven. 21 nov. 2025, 20:00 Paris (19:00 UTC)"),
        ("fr", "Europe/London", "ven. 21 nov. 2025, 19:00 Londres (19:00 UTC)"),
        ("en", "UTC", "Fri 21 Nov 2025, 19:00 UTC"),
        ("en", "Atlantis/Capital", "Fri 21 Nov 2025, 19:00 UTC"),
        ("en", "Asia/Tokyo", "Sat 22 Nov 2025, 04:00 Tokyo (Fri 19:00 UTC)"),
    ],
)
def test_a_moment_is_told_in_the_readers_zone_and_in_utc(language: str, zone: str, said: str) -> None:
    """The city as his language calls it; the day in UTC where it is another; a zone nobody knows is UTC."""
    assert Clock(language, zone).moment(FRIDAY) == said


def test_summer_time_is_followed() -> None:
    """The same hour in UTC is another one in July."""
    assert "21:00 Paris (19:00 UTC)" in Clock("en", "Europe/Paris").moment(FRIDAY + 240 * 86400)
