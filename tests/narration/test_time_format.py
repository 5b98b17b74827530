"""Moments in the reader's zone and in UTC."""

import pytest

from pbem.narration.time_format import TimeFormatter

FRIDAY = 1763751600  # 2025-11-21 19:00 UTC


@pytest.mark.parametrize(
    ("language", "zone", "said"),
    [
        ("en", "Europe/Paris", "Fri 21 Nov 2025, 20:00 Paris (19:00 UTC)"),
        ("fr", "Europe/Paris", "vendredi 21 novembre 2025 à 20 h 00, heure de Paris (19 h 00 UTC)"),
        ("fr", "Europe/London", "vendredi 21 novembre 2025 à 19 h 00, heure de Londres (19 h 00 UTC)"),
        ("fr", "Europe/Athens", "vendredi 21 novembre 2025 à 21 h 00, heure d'Athènes (19 h 00 UTC)"),
        ("fr", "Africa/Cairo", "vendredi 21 novembre 2025 à 21 h 00, heure du Caire (19 h 00 UTC)"),
        ("fr", "Asia/Tokyo", "samedi 22 novembre 2025 à 4 h 00, heure de Tokyo (vendredi 19 h 00 UTC)"),
        ("fr", "UTC", "vendredi 21 novembre 2025 à 19 h 00 UTC"),
        ("en", "UTC", "Fri 21 Nov 2025, 19:00 UTC"),
        ("en", "Atlantis/Capital", "Fri 21 Nov 2025, 19:00 UTC"),
        ("en", "Asia/Tokyo", "Sat 22 Nov 2025, 04:00 Tokyo (Fri 19:00 UTC)"),
    ],
)
def test_a_moment_is_told_in_the_readers_zone_and_in_utc(language: str, zone: str, said: str) -> None:
    """The city is named in the reader's language, UTC tells its day if it differs; an unknown zone counts as UTC."""
    assert TimeFormatter(language, zone).moment(FRIDAY).replace("\u00a0", " ") == said


def test_the_first_of_a_month_is_written_as_french_does() -> None:
    """`1er mars`, and `2 mars` on the day after; the parts of a date and of an hour stay together on a line."""
    first = FRIDAY + 10 * 86400
    assert TimeFormatter("fr", "UTC").brief(first) == "lundi 1er\u00a0décembre 2025 à 19\u00a0h\u00a000"
    assert "mardi 2\u00a0décembre 2025" in TimeFormatter("fr", "UTC").moment(first + 86400)
    assert TimeFormatter("en", "UTC").brief(first) == "Mon 1 Dec 2025, 19:00"


def test_summer_time_is_followed() -> None:
    """The same hour in UTC is another one in July."""
    assert "21:00 Paris (19:00 UTC)" in TimeFormatter("en", "Europe/Paris").moment(FRIDAY + 240 * 86400)
