"""Somebody with a browser of their own at a real server, and an operator who looks at their page there."""

import re
import urllib.error
import urllib.parse
import urllib.request
from base64 import b32decode
from datetime import UTC, datetime, timedelta
from html import unescape
from http.cookiejar import CookieJar

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from pbem.app import build_services
from pbem.service.access import operators, users
from pbem.service.seats import sign_in
from tests.crashes.server import OPERATOR, Server

PAGE = "/operator"
NO_ANSWER = "no answer"
_TIMEOUT_S = 30


class Visitor:
    """Somebody at the pages, over HTTP, with cookies."""

    def __init__(self, server: Server) -> None:
        """Nobody yet."""
        self.server, self._at = server, server.settings.public_url
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def enter(self, link: str) -> None:
        """Sign in by a link."""
        self.send(link.removeprefix(self._at), {})

    def send(self, path: str, fields: dict[str, str], to: str = "") -> str:
        """Send a form of a page, `to` its address if that is another; the page that follows, as it was sent."""
        shown = self.get(path)[0]
        form = urllib.parse.urlencode({"csrf_token": hidden(shown, "csrf_token"), **fields}).encode()
        asked = urllib.request.Request(self._at + (to or path), form, {"Referer": self._at + path})
        with self._opener.open(asked, timeout=_TIMEOUT_S) as answer:
            assert answer.status == 200
            return str(answer.read().decode())

    def get(self, path: str) -> tuple[str, str]:
        """A page as it was sent, and its words in one line; those of an error; or that nobody answered."""
        try:
            with self._opener.open(self._at + path, timeout=_TIMEOUT_S) as answer:
                shown = answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                shown = error.read().decode()
        except OSError:
            return NO_ANSWER, NO_ANSWER
        return shown, " ".join(unescape(re.sub(r"<[^>]+>", " ", shown)).split())


def hidden(shown: str, name: str) -> str:
    """What a form of a page brings along."""
    found = re.search(rf'name="{name}" value="([^"]*)"', shown)
    assert found, shown
    return unescape(found[1])


class Desk(Visitor):
    """An operator at the pages, with an authenticator."""

    def __init__(self, server: Server) -> None:
        """Sign in by a link and open the page with a code, while the server is well."""
        services = build_services(server.settings, "resolver")
        with services.db.transaction() as session:
            user = users.get_or_create_user(services, session, OPERATOR, "Root", "en")
            uri, number = operators.enroll(services, session, user), user.id
        services.db.close()
        secret = b32decode(urllib.parse.parse_qs(urllib.parse.urlsplit(uri).query)["secret"][0])
        self._codes = TOTP(secret, operators.DIGITS, SHA1(), operators.STEP_S)
        super().__init__(server)
        self.enter(sign_in.create_sign_in_link(server.services, number))
        self.unlock(timedelta())

    def unlock(self, ahead: timedelta) -> None:
        """Give the code of now, by a clock that goes so far ahead."""
        moment = int((datetime.now(UTC) + ahead).timestamp())
        self.send(PAGE, {"code": self._codes.generate(moment).decode()})

    def read_page(self) -> str:
        """The words of the page, in one line; those of an error where it cannot be shown; or that nobody answered."""
        return self.get(PAGE)[1]
