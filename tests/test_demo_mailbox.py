"""The demo's mailboxes: in the browser's language, letters as mail programs show them and as they came, everybody's."""

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from pbem.config.settings import Settings
from pbem.demo.mailbox import Mailbox
from pbem.demo.post_office import Mail

ME, ANN = "you@players.localhost", "ann@players.localhost"


class Boxes:
    """A post office with a letter for each of two people; one has a picture."""

    def __init__(self, folder: Path) -> None:
        self.boxes = {ANN: [self._mail(folder, ANN, "Come & play")], ME: [self._mail(folder, ME, "[Rose] Turn 1")]}

    def _mail(self, folder: Path, to: str, subject: str) -> Mail:
        letter = EmailMessage()
        letter["To"], letter["Subject"], letter["Reply-To"] = to, subject, "o+7h2k9qxw4m@games.test"
        letter.set_content("Orders due.\n; BID 3\nEND\n")
        page = '<!doctype html><html lang="en"><head></head><body><p>Orders due.</p><img src="cid:b.1@x"></body></html>'
        letter.add_alternative(page, subtype="html")
        html = letter.get_payload()[1]  # type: ignore[index]
        html.add_related(b"\x89PNG", "image", "png", cid="<b.1@x>")  # type: ignore[union-attr]
        path = folder / f"{to}.eml"
        path.write_bytes(letter.as_bytes())
        return Mail(1, to, path)


@pytest.fixture
def met() -> list[str]:
    """The languages that the demo was told of."""
    return []


@pytest.fixture
def guest(tmp_path: Path, met: list[str]) -> FlaskClient:
    """A browser that speaks French."""
    link: Callable[[], str] = lambda: "http://127.0.0.1:1/enter/x"  # noqa: E731
    settings = Settings.with_embedded(tmp_path, http_port=1, smtp_port=2, lmtp_port=3, relay_port=4)
    box = Mailbox(Boxes(tmp_path), settings, (ME, "Romain"), link, met.append)  # type: ignore[arg-type]
    guest = box.pages().test_client()
    guest.environ_base["HTTP_ACCEPT_LANGUAGE"] = "fr-CA,fr;q=0.9,en;q=0.5"
    return guest


def test_the_first_page_speaks_the_browsers_language_and_has_everybodys_boxes(
    guest: FlaskClient, met: list[str]
) -> None:
    """Who plays is told of once, their own box comes first, and the way in is there."""
    text = guest.get("/").text
    assert '<html lang="fr">' in text
    assert "Se connecter comme Romain" in text
    assert text.index(f'href="/{ME}/"') < text.index(f'href="/{ANN}/"')
    guest.get("/")
    assert met == ["fr"]
    assert guest.get("/sign-in").headers["Location"].endswith("/enter/x")


def test_a_letter_is_shown_with_its_pictures_as_text_and_as_it_came(guest: FlaskClient) -> None:
    """The HTML stands in a frame that loads nothing from elsewhere; its picture is the one that was enclosed."""
    text = guest.get(f"/{ANN}/1").text
    assert "Come &amp; play" in text
    assert f'src="/{ANN}/1/page"' in text
    page = guest.get(f"/{ANN}/1/page")
    assert f'src="/{ANN}/1/b.1@x"' in page.text
    assert '<base target="_blank">' in page.text
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")
    picture = guest.get(f"/{ANN}/1/b.1@x")
    assert (picture.data, picture.mimetype) == (b"\x89PNG", "image/png")
    assert "; BID 3" in guest.get(f"/{ANN}/1?as=text").text
    assert "Content-ID: &lt;b.1@x&gt;" in guest.get(f"/{ANN}/1?as=raw").text


def test_what_is_not_there_is_not_found_and_an_empty_box_says_so(guest: FlaskClient) -> None:
    """Any address has a box; a letter that did not come has no page, and no enclosure is given but pictures."""
    assert "Pas encore de lettre" in guest.get("/zoe@players.localhost/").text
    for path in (f"/{ANN}/2", f"/{ANN}/0", f"/{ANN}/1/other", "/zoe@players.localhost/1/page"):
        assert guest.get(path).status_code == 404
