"""The requests of a player's browser for the bench: the play page, its map, a check of orders, a pulse."""

import gzip
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from http.client import HTTPConnection
from typing import Final
from urllib.parse import urlencode

from pbem.service.access import users as people
from pbem.service.base.services import Services
from pbem.web import WebConfig, create_pages
from pbem.web.access import SIGNED
from pbem.web.differences import hash_pieces

_LIKELY: Final = re.compile(r'data-line="([^"]*)"')
_TOKEN: Final = re.compile(r'name="csrf_token"[^>]*value="([^"]+)"')
_ENTRY: Final = re.compile(r'name="entry" value="(\d+)"')


@dataclass(frozen=True)
class Request:
    """A request for a page; with `form` it is a POST."""

    path: str
    cookie: str
    form: str = ""

    def send(self, line: HTTPConnection) -> tuple[int, str]:
        """Send it as a browser would; returns the number of bytes and the text.  Raises LookupError unless it is OK."""
        headers = {"Cookie": self.cookie, "Accept-Encoding": "gzip"}
        if self.form:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
        line.request("POST" if self.form else "GET", self.path, self.form or None, headers)
        answer = line.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise LookupError(f"{self.path} answered {answer.status}")
        plain = gzip.decompress(body) if answer.headers["Content-Encoding"] == "gzip" else body
        return len(body), plain.decode()


@dataclass(frozen=True)
class GamePage:
    """The requests of one player's play page; `check` is what its script sends when a line is written."""

    page: Request
    map: Request
    check: Request
    pulse: Request


def sign_in(web: Services, users: Sequence[int]) -> list[str]:
    """The cookie of each user, as the server sets it at sign-in and with the first form."""
    app = create_pages(web, WebConfig())
    sign = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    name, key = app.config["SESSION_COOKIE_NAME"], app.config["WTF_CSRF_FIELD_NAME"]
    known = ({SIGNED: people.open_session(web, user), key: secrets.token_hex(20)} for user in users)
    return [f"{name}={sign.dumps(one)}" for one in known]


def load_page(line: HTTPConnection, game: str, cookie: str) -> GamePage:
    path = f"/games/{game}"
    page, board = Request(path, cookie), Request(f"{path}/map.svg?live=1", cookie)
    html, likely = page.send(line)[1], ""
    token, entry = _TOKEN.search(html), _ENTRY.search(html)
    if token is None or entry is None:
        raise LookupError("a play page has no form for orders")
    if found := _LIKELY.search(html):
        likely = unescape(found[1])
    fields = {"csrf_token": token[1], "entry": entry[1], "text": likely, "map": hash_pieces(board.send(line)[1])}
    check = Request(f"{path}/preview", cookie, urlencode(fields))
    return GamePage(page, board, check, Request(f"{path}/status", cookie))
