"""How text that people write is made fit to be kept and shown."""

import pytest

from pbem.common.text import strip_invisible, to_one_line


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("Zoé", "Zoé"),
        ("a\x00b\x1bc", "a b c"),
        ("a\u2028b\nc\td", "a b c d"),
        ("co\u00adoperate", "cooperate"),
        ("\u202eevil", "evil"),
        ("lone \ud800 half", "lone   half"),
        ("15\u00a0h", "15 h"),
    ],
)
def test_invisible_characters_go(written: str, seen: str) -> None:
    """Formatting marks leave nothing behind; every other invisible character leaves a blank."""
    assert strip_invisible(written) == seen


def test_one_line_has_single_blanks_and_an_end() -> None:
    """Lines are joined, blanks are single, and nothing stands after the last character that fits."""
    assert to_one_line("  Anna \r\n\t van  Dyck ") == "Anna van Dyck"
    assert to_one_line("Anna van Dyck", 5) == "Anna"
    assert to_one_line("\u200b \u2060") == ""
