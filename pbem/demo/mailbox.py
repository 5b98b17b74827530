"""The demo's mailboxes: everybody's letters as mail programs show them, and a box to answer in.  It sends real mail."""

import re
import threading
from collections.abc import Callable
from email.utils import parseaddr
from html import escape
from typing import Final

from flask import Flask, Response, abort, redirect, request
from waitress.server import create_server  # type: ignore[import-untyped]
from werkzeug.wrappers import Response as Answer

from engine.kernel.languages import DEFAULT, LANGUAGES, Language
from pbem.config.settings import Settings
from pbem.demo.players import send
from pbem.demo.post_office import Mail, PostOffice
from pbem.web.locales import translate

_PAGE: Final = """<!doctype html><html lang="{language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">{head}<title>{title}</title>
<style>:root{{color-scheme:light dark}}body{{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:1rem auto;
padding:0 1rem}}pre{{white-space:pre-wrap;overflow-wrap:anywhere}}li{{margin:.4rem 0}}textarea{{width:100%;
box-sizing:border-box;height:14rem;font:14px/1.4 ui-monospace,monospace}}iframe{{width:100%;height:75vh;border:1px solid
GrayText;border-radius:.5rem}}button{{font:inherit;padding:.5rem 1rem}}nav a{{margin-right:1.25rem}}
[aria-current]{{font-weight:bold;color:inherit;text-decoration:none}}</style>{body}</html>"""
_AGAIN: Final = '<meta http-equiv="refresh" content="5">'
"""Lists look for new letters by themselves."""
_SHAPES: Final = ("html", "text", "raw")
_ENCLOSED: Final = re.compile(r'src="cid:([^"]+)"')
_SANDBOX: Final = "allow-popups allow-popups-to-escape-sandbox"
_POLICY: Final = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"
"""A letter loads nothing but the pictures that came with it."""


class Mailbox:
    """All readers' letters as pages on the loopback."""

    def __init__(
        self,
        post: PostOffice,
        settings: Settings,
        me: tuple[str, str],
        link: Callable[[], str],
        met: Callable[[Language], None],
    ) -> None:
        """`me`: address and name of who plays by hand; `link` signs them in; `met` is told once what they speak."""
        if settings.smtp_listen is None:
            raise LookupError("the demo's server has no entrance for mail")
        self.post, self.port = post, settings.smtp_listen.port
        self.address, self.name = me
        self._link, self._met = link, met
        self._known = False
        self.url = ""

    def pages(self) -> Flask:
        """The pages as an application."""
        app = Flask("mailbox")
        app.add_url_rule("/", view_func=self._boxes)
        app.add_url_rule("/sign-in", view_func=self._sign_in)
        app.add_url_rule("/<address>/", view_func=self._list)
        app.add_url_rule("/<address>/<int:number>", view_func=self._letter)
        app.add_url_rule("/<address>/<int:number>", endpoint="answer", view_func=self._answer, methods=["POST"])
        app.add_url_rule("/<address>/<int:number>/page", view_func=self._shown)
        app.add_url_rule("/<address>/<int:number>/<enclosed>", view_func=self._enclosed)
        return app

    def start(self, port: int) -> None:
        """Serve the pages."""
        self._server = create_server(self.pages(), host="127.0.0.1", port=port, threads=4)
        self.url = f"http://127.0.0.1:{port}/"
        threading.Thread(target=self._server.run, daemon=True).start()

    def stop(self) -> None:
        """Stop serving."""
        self._server.close()

    def _mail(self, address: str, number: int) -> Mail:
        box = self.post.boxes.get(address, [])
        if not 1 <= number <= len(box):
            abort(404)
        return box[number - 1]

    def _boxes(self) -> Response:
        language = spoken()
        if not self._known:
            self._known = True
            self._met(language)
        boxes = {self.address: self.post.boxes.get(self.address, []), **self.post.boxes}
        rows = "".join(
            f'<li><a href="/{escape(address)}/">{escape(address)}</a> '
            f"{translate(language, 'demo.letters', n=len(box))}</li>"
            for address, box in boxes.items()
        )
        title, way = translate(language, "demo.title"), translate(language, "demo.sign_in", name=escape(self.name))
        first = translate(language, "demo.first", address=self.address)
        said = f"<h1>{title}</h1><p>{translate(language, 'demo.what')}</p><p>{first}</p>"
        body = f'{said}<p><a href="/sign-in">{way}</a></p><ul>{rows}</ul><p>{translate(language, "demo.join")}</p>'
        return _page(language, title, body, _AGAIN)

    def _sign_in(self) -> Answer:
        return redirect(self._link())

    def _list(self, address: str) -> Response:
        language, box = spoken(), self.post.boxes.get(address, [])
        rows = "".join(
            f'<li><a href="/{escape(address)}/{mail.number}">{escape(str(mail.message()["Subject"]))}</a></li>'
            for mail in reversed(box)
        )
        title = translate(language, "demo.mailbox", address=escape(address))
        empty = "" if rows else f"<p>{translate(language, 'demo.none')}</p>"
        back = f'<p><a href="/">{translate(language, "demo.all")}</a></p>'
        return _page(language, title, f"{back}<h1>{title}</h1>{empty}<ul>{rows}</ul>", _AGAIN)

    def _letter(self, address: str, number: int) -> Response:
        """A letter in one of its shapes: in a frame that can do nothing but open links, as text, or byte by byte."""
        language, mail, here = spoken(), self._mail(address, number), f"/{escape(address)}/{number}"
        asked = request.args.get("as", "html" if mail.html else "text")
        shape = asked if asked in _SHAPES else "text"
        current = {shape: " aria-current=page"}
        ways = "".join(
            f'<a href="{here}?as={one}"{current.get(one, "")}>{translate(language, f"demo.{one}")}</a>'
            for one in _SHAPES
        )
        subject = escape(str(mail.message()["Subject"]))
        frame = f'<iframe sandbox="{_SANDBOX}" src="{here}/page" title="{subject}"></iframe>'
        raw = mail.path.read_bytes().decode("utf-8", "replace")
        shown = {"html": frame, "text": f"<pre>{escape(mail.text)}</pre>", "raw": f"<pre>{escape(raw)}</pre>"}[shape]
        back = (
            f'<p><a href="/{escape(address)}/">{translate(language, "demo.mailbox", address=escape(address))}</a></p>'
        )
        return _page(language, subject, f"{back}<h1>{subject}</h1><nav>{ways}</nav>{shown}{_reply(language, mail)}")

    def _shown(self, address: str, number: int) -> Response:
        """The HTML part as it came, its pictures beside it; its links open pages of their own."""
        page = _ENCLOSED.sub(rf'src="/{escape(address)}/{number}/\1"', self._mail(address, number).html)
        response = Response(page.replace("<head>", '<head><base target="_blank">', 1), mimetype="text/html")
        response.headers["Content-Security-Policy"] = _POLICY
        return response

    def _enclosed(self, address: str, number: int, enclosed: str) -> Response:
        parts = self._mail(address, number).message().walk()
        part = next((part for part in parts if part["Content-ID"] == f"<{enclosed}>"), None)
        if part is None or part.get_content_maintype() != "image":
            abort(404)
        return Response(part.get_payload(decode=True), mimetype=part.get_content_type())

    def _answer(self, address: str, number: int) -> Answer:
        mail = self._mail(address, number)
        name = self.name if address == self.address else address.partition("@")[0]
        send(self.port, address, name, mail.message(), request.form.get("text", "").splitlines())
        return redirect(f"/{address}/")


def spoken() -> Language:
    """The language of a browser, as far as there are words in it."""
    return request.accept_languages.best_match(LANGUAGES, DEFAULT) or DEFAULT


def _reply(language: Language, mail: Mail) -> str:
    """A box with the letter's own lines, for letters that can be answered."""
    to = parseaddr(str(mail.message()["Reply-To"] or ""))[1]
    if not to:
        return ""
    filled = "\n".join(line for line in mail.text.splitlines() if line.lstrip().startswith(";"))
    title, send = translate(language, "demo.answer"), translate(language, "demo.send", address=escape(to))
    return (
        f'<h2 id="answer">{title}</h2><form method="post"><textarea name="text" aria-labelledby="answer">\n'
        f"{escape(filled)}</textarea><p><button>{send}</button></p></form>"
    )


def _page(language: Language, title: str, body: str, head: str = "") -> Response:
    return Response(_PAGE.format(language=language, title=title, body=body, head=head), mimetype="text/html")
