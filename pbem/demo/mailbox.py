"""The demo's mailbox: the letters that you would receive, and a box to answer them in.  It sends real mail."""

import threading
from email.utils import parseaddr
from html import escape

from flask import Flask, Response, abort, redirect, request
from waitress.server import create_server  # type: ignore[import-untyped]

from pbem.config import Settings
from pbem.demo.players import send
from pbem.demo.post_office import Mail, PostOffice

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>body{{font:16px/1.5 system-ui;max-width:46rem;margin:1rem auto;padding:0 1rem}}
pre{{white-space:pre-wrap;overflow-wrap:anywhere}}textarea{{width:100%;height:18rem;font:14px/1.4 monospace}}
li{{margin:.3rem 0}}</style>{body}</html>"""


class Mailbox:
    """One reader's letters as pages on the loopback."""

    def __init__(self, post: PostOffice, settings: Settings, address: str, name: str) -> None:
        """The box of `address`; answers go through our own entrance."""
        if settings.smtp is None:
            raise LookupError("the demo's server has no entrance for mail")
        self.post, self.address, self.name, self.port = post, address, name, settings.smtp.port
        self.url = ""

    def start(self, port: int) -> None:
        """Serve the pages."""
        app = Flask("mailbox")
        app.add_url_rule("/", view_func=self._list)
        app.add_url_rule("/<int:number>", view_func=self._letter)
        app.add_url_rule("/<int:number>", endpoint="answer", view_func=self._answer, methods=["POST"])
        self._server = create_server(app, host="127.0.0.1", port=port, threads=2)
        self.url = f"http://127.0.0.1:{port}/"
        threading.Thread(target=self._server.run, daemon=True).start()

    def stop(self) -> None:
        """Stop serving."""
        self._server.close()

    def _mail(self, number: int) -> Mail:
        box = self.post.boxes.get(self.address, [])
        if not 1 <= number <= len(box):
            abort(404)
        return box[number - 1]

    def _list(self) -> Response:
        box = self.post.boxes.get(self.address, [])
        rows = "".join(
            f'<li><a href="/{mail.number}">{escape(str(mail.message()["Subject"]))}</a></li>' for mail in reversed(box)
        )
        hint = "<p>Reload to see new letters.</p>" if rows else "<p>No letter yet; reload in a moment.</p>"
        return _page("Your mailbox", f"<h1>Your mailbox</h1>{hint}<ul>{rows}</ul>")

    def _letter(self, number: int) -> Response:
        mail = self._mail(number)
        message = mail.message()
        to = parseaddr(str(message["Reply-To"] or ""))[1]
        filled = "\n".join(line for line in mail.text.splitlines() if line.lstrip().startswith(";"))
        form = (
            f'<h2>Answer</h2><form method="post"><textarea name="text">{escape(filled)}</textarea>'
            f"<p><button>Send to {escape(to)}</button></p></form>"
            if to
            else ""
        )
        subject = escape(str(message["Subject"]))
        back = '<p><a href="/">All letters</a></p>'
        return _page(subject, f"{back}<h1>{subject}</h1><pre>{escape(mail.text)}</pre>{form}")

    def _answer(self, number: int) -> Response:
        mail = self._mail(number)
        send(self.port, self.address, self.name, mail.message(), request.form.get("text", "").splitlines())
        return redirect("/")  # type: ignore[return-value]


def _page(title: str, body: str) -> Response:
    return Response(_PAGE.format(title=title, body=body), mimetype="text/html")
