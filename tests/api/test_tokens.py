"""Tokens of programs: shown once, kept as hashes, for one seat or all, to look or to play, ended in time."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from pbem.crypto import is_token, new_token
from pbem.service.access import api_tokens
from pbem.service.base.services import RequestRefused
from pbem.service.seats import substitutes
from pbem.store.models import Capability
from pbem.web.api import OPERATIONS
from tests.api.api_client import Program, issued
from tests.api.conftest import Quay
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import start_game
from tests.web.form_browser import Browser, hidden

PAGE = "/settings/programs"


def signed_in(quay: Quay, address: str = "p1@games.test") -> Browser:
    """Somebody at the pages."""
    return Browser(quay.app).sign_in(quay.harness, get_user_id(quay.harness, address))


def made_on_page(guest: Browser, **fields: Any) -> str:
    """The token that the page shows after it was asked for one."""
    form = hidden(guest.get(PAGE).text, "form")
    sent = {"act": "issue", "form": form, "name": "my bot", "scope": "play", "days": "30", "game": "", **fields}
    found = re.search(r"<pre[^>]*>([0-9a-z]{26})</pre>", guest.post(PAGE, sent).text)
    return unescape(found[1]) if found else ""


def test_a_token_is_made_and_shown_once_on_the_page_of_tokens(quay: Quay) -> None:
    """It opens the interface; the page never shows it again, and the same form sent again makes no second one."""
    guest = signed_in(quay)
    form = hidden(guest.get(PAGE).text, "form")
    token = made_on_page(guest, form=form)
    assert is_token(token)
    assert Program(quay.app, token).get("/me").json["name"] == "Player 1"
    assert token not in guest.get(PAGE).text
    assert made_on_page(guest, form=form) == ""
    assert len(api_tokens.list_tokens(quay.harness.web, get_user_id(quay.harness, "p1@games.test"))) == 1
    folder = Path(str(quay.harness.web.db.url.database)).parent
    content = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert (token.encode() in content, b"my bot" in content) == (False, True), "only a hash is kept"


def test_the_page_lists_tokens_with_name_scope_place_end_and_last_use(quay: Quay) -> None:
    """The page says what a token may do, where, until when, and when it was last used, in both languages.

    It makes one for masters' acts only if that is chosen.
    """
    guest = signed_in(quay)
    token = made_on_page(guest, name="  night \n owl ", scope="read", game=quay.game)
    shown = unescape(guest.get(PAGE).text)
    for words in ("night owl", "may look: your seat at Rose", "Expires: Tue 31 Mar 2026", "Never used."):
        assert words in shown
    assert re.findall(r'<option value="(read|play|master)">', shown) == list(api_tokens.SCOPES)
    Program(quay.app, token).get("/me")
    assert "Last used: Sun 1 Mar 2026, 12:00 UTC." in guest.get(PAGE).text
    masters = made_on_page(guest, scope="master", name="the desk")
    assert Program(quay.app, masters).get("/me").json["program"]["scope"] == "master"
    guest.post("/language", {"language": "fr", "back": "/"}, page=PAGE)
    assert "peut regarder" in guest.get(PAGE).text


def test_a_token_is_ended_on_the_page(quay: Quay) -> None:
    """It opens nothing from that moment; nobody else can end it, and ending it twice is no error."""
    guest, other = signed_in(quay), signed_in(quay, "p2@games.test")
    program = Program(quay.app, made_on_page(guest))
    number = hidden(guest.get(PAGE).text, "program")
    other.post(PAGE, {"act": "revoke", "program": number})
    assert program.get("/me").status_code == 200
    assert "no longer works" in guest.post(PAGE, {"act": "revoke", "program": number}).text
    assert program.get("/me").status_code == 401
    assert "had already been revoked" in guest.post(PAGE, {"act": "revoke", "program": number}).text


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"name": " \t"}, "program_name"),
        ({"scope": "rule"}, "program_scope"),
        ({"days": 0}, "program_days"),
        ({"days": 367}, "program_days"),
        ({"game_id": "bcdfghjkmnpq"}, "program_seat"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(quay: Quay, wrong: dict[str, Any], code: str) -> None:
    """The service refuses it, and the page says why in the reader's language."""
    asked: dict[str, Any] = {"name": "x", "scope": "read", "days": 1, **wrong}
    with pytest.raises(RequestRefused, match=code):
        api_tokens.create_token(quay.harness.web, get_user_id(quay.harness, "p1@games.test"), **asked)
    guest = signed_in(quay)
    sent = {"act": "issue", "form": hidden(guest.get(PAGE).text, "form"), **asked, "game": asked.get("game_id", "")}
    answer = guest.post(PAGE, {name: str(value) for name, value in sent.items()})
    assert (answer.status_code, "No token was made" in answer.text) == (422, True)


def test_a_token_ends_by_itself_and_makes_room(quay: Quay) -> None:
    """A token works on its last day, and not after it; a person has at most twenty tokens at a time."""
    token, me = issued(quay.harness, "p1@games.test", days=2), get_user_id(quay.harness, "p1@games.test")
    for _ in range(1, api_tokens.MAX_TOKENS):
        issued(quay.harness, "p1@games.test", days=2)
    with pytest.raises(RequestRefused, match="program_many"):
        issued(quay.harness, "p1@games.test")
    quay.harness.advance_time(days=1, hours=23)
    assert Program(quay.app, token).get("/me").status_code == 200
    assert api_tokens.revoke(quay.harness.web, me, api_tokens.list_tokens(quay.harness.web, me)[-1].id)
    assert issued(quay.harness, "p1@games.test", days=2)
    quay.harness.advance_time(hours=1)
    assert Program(quay.app, token).get("/me").status_code == 401
    assert len(api_tokens.list_tokens(quay.harness.web, me)) == 1


def test_a_token_for_one_seat_knows_no_other_table(quay: Quay) -> None:
    """Another table is neither in its lists nor found by name."""
    quay.harness.sent.clear()
    other = start_game(quay.harness, "toy", 2, 48)
    here, all_mine = quay.program("p1@games.test", game=quay.game), quay.program("p1@games.test")
    assert {g["game"] for g in here.get("/games").json["games"]} == {quay.game}
    assert {g["game"] for g in all_mine.get("/games").json["games"]} == {quay.game, other}
    assert {d["game"] for d in here.get("/deadlines").json["deadlines"]} == {quay.game}
    assert (here.get(f"/games/{other}").status_code, all_mine.get(f"/games/{other}").status_code) == (404, 200)
    assert here.get("/me").json["program"]["seat"] == "s1"


def test_a_token_that_only_looks_changes_nothing(quay: Quay) -> None:
    """It may preview; every act is refused, before it is told whether the table exists."""
    looker = quay.program("p1@games.test", scope="read")
    body = {"entry": 1, "lines": ["BID 3"]}
    assert looker.post(f"{quay.at}/preview", body).status_code == 200
    for path in (quay.at, "/games/bcdfghjkmnpq"):
        for call, sent in (("orders", body), ("withdraw", {"entry": 1}), ("pace", {"entry": 1, "pace": "wait"})):
            answer = looker.post(f"{path}/{call}", sent)
            assert answer.status_code == 403
            assert "insufficient_scope" in answer.headers["WWW-Authenticate"]
    assert not looker.get(f"{quay.at}").json["questions"][0]["is_answered"]


def test_taking_over_a_seat_ends_its_tokens(quay: Quay) -> None:
    """Tokens of the seat end; with those of its former owner for all tables each call about this one answers as if
    there were no such table.
    """
    kept = {scope: quay.program("p2@games.test", scope=scope) for scope in api_tokens.SCOPES}
    seat = quay.program("p2@games.test", game=quay.game)
    assert seat.get(f"{quay.at}/view").status_code == kept["play"].get(f"{quay.at}/view").status_code == 200
    substitutes.offer_own_seat(quay.harness.web, get_user_id(quay.harness, "p2@games.test"), quay.game)
    substitutes.take_over(quay.harness.web, get_user_id(quay.harness, "new@games.test"), quay.game, "s2")
    quay.harness.run_queued_tasks()
    assert (seat.get("/me").status_code, kept["play"].get("/me").status_code) == (401, 200)
    for operation in OPERATIONS:
        if "<game>" in operation.path:
            for program, status in ((kept[operation.scope], 404), (seat, 401)):
                assert program.tried(operation, quay.game).status_code == status, operation.name
    assert quay.program("new@games.test", game=quay.game).get(f"{quay.at}/view").status_code == 200


def test_no_other_capability_opens_the_interface_nor_a_token_anything_else(quay: Quay) -> None:
    """A reply token is no program's token; a program's token is no link."""
    reply = quay.harness.reply_token("s1")
    assert Program(quay.app, reply).get("/me").status_code == 401
    assert Program(quay.app, new_token()).get("/me").status_code == 401
    token, guest = issued(quay.harness, "p1@games.test"), Browser(quay.app)
    for path in (f"/feed/{token}.atom", f"/calendar/{token}.ics", f"/unsubscribe/{token}/x", f"/join/{token}"):
        assert guest.get(path).status_code == 404
    assert quay.harness.reply("s1", "STATUS") is not None
    purposes = {row.purpose for row in quay.harness.load_rows(Capability)}
    assert api_tokens.PURPOSE in purposes


def test_that_a_token_is_used_is_written_once_a_minute(quay: Quay) -> None:
    """The last use is written once a minute, not at every call."""
    program = quay.program("p1@games.test")
    moments = []
    for _ in range(3):
        program.get("/me")
        moments.append(api_tokens.list_tokens(quay.harness.web, get_user_id(quay.harness, "p1@games.test"))[0].used)
        quay.harness.advance_time(seconds=40)
    assert moments[0] == moments[1]
    assert moments[2] == (moments[0] or 0) + 80
