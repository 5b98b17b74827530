"""Mail addresses: which there are, and which are the same."""

import pytest

from pbem.common.addresses import InvalidAddress, is_address, normalize, parse_mail_address


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Ada@Player.Example", "ada@player.example"),
        (" <ada@player.example> ", "ada@player.example"),
        ("ada+rose@localhost", "ada+rose@localhost"),
        ("zoé@joueur.example", "zoé@joueur.example"),
        ("zoe\u0301@joueur.example", "zoé@joueur.example"),
        ("ada@BÜCHER.example", "ada@xn--bcher-kva.example"),
        ("ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"),
        ("ada@straße.example", "ada@xn--strae-oqa.example"),
        ("用户@例え.テスト", "用户@xn--r8jz45g.xn--zckzah"),
    ],
)
def test_an_address_is_kept_in_one_form(written: str, kept: str) -> None:
    """However a person writes an address, it is kept in small letters with its domain in ASCII, and stays so."""
    assert parse_mail_address(written) == normalize(written) == kept
    assert parse_mail_address(kept) == kept


@pytest.mark.parametrize(
    "written",
    [
        "",
        "ada",
        "@player.example",
        "ada@",
        "ada@b@c.example",
        "ada lovelace@player.example",
        "ada@player..example",
        "ada@-player.example",
        "ada@bad_host.example",
        "ada,bob@player.example",
        "ada(x)@player.example",
        "a@b\r\nBcc: c@d",
        "ada\u200b@player.example",
        "ada@\ud800.example",
        "ada@[127.0.0.1]",
        "ada@☃☃☃.example",
        "a" * 65 + "@player.example",
        "é" * 33 + "@player.example",
        "ada@" + "p" * 64 + ".example",
        "ada@" + ".".join(["player"] * 40),
    ],
)
def test_anything_else_is_no_address(written: str) -> None:
    """What no mail server would take, or what could break a header, is refused."""
    assert not is_address(written)
    with pytest.raises(InvalidAddress):
        parse_mail_address(written)


def test_other_text_is_compared_in_small_letters() -> None:
    """A name or a broken address compares without regard to case, and never raises."""
    assert normalize(" <Ada Lovelace> ") == "ada lovelace"
