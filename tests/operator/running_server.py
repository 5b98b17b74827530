"""A server whose processes the test does not start itself, played at by letters and read as a page."""

import http.client
import re
import socket
import ssl
from contextlib import closing

from pbem.app import build_services
from pbem.broker.task_queue import TaskQueue
from pbem.demo.post_office import PostOffice
from tests.crashes.server import ADDRESSES, Server


class Elsewhere(Server):
    """Who makes one says how letters come to it, and what its processes wrote."""

    def open_post_office(self, port: int, host: str = "127.0.0.1") -> None:
        """Open the players' post office, and the database for what the test asks."""
        self.post = PostOffice(self.settings.state_dir / "mailboxes", port, lambda mail: None, host)
        self.post.start()
        self.services = build_services(self.settings, "web", TaskQueue(self.settings))

    def stop(self) -> None:
        """The processes are not ours to end."""
        self.post.stop()
        self.services.db.close()

    def quiet(self) -> bool:
        """Nothing is left to do."""
        with self.services.db.snapshot() as look:
            asked = (
                "SELECT count(*) FROM outbound_emails WHERE state IN ('queued', 'rendered', 'held')",
                "SELECT count(*) FROM inbound_emails WHERE state = 'received'",
                "SELECT count(*) FROM games WHERE resolve_requested_at IS NOT NULL",
            )
            return not any(look.connection().exec_driver_sql(one).scalar() for one in asked)

    def pass_time(self) -> None:
        """Nobody dies here, so nothing need look old."""
        self.services.enqueue("requeue_stuck_work", "")

    def play_a_turn(self) -> None:
        """A table is made, dealt, and goes on by everybody's orders."""
        self.deal()
        entry = self.outcome().entry
        self.round()
        assert self.outcome().entry > entry
        assert self.resent == 0


class Reader:
    """A browser that comes through the proxy; Caddy wants to be told which name is asked for."""

    def __init__(self, domain: str) -> None:
        self.domain = domain
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, form: str = "") -> tuple[int, str, str]:
        """Status, text, and where it leads on."""
        with closing(http.client.HTTPConnection(self.domain)) as line:
            line.sock = ssl._create_unverified_context().wrap_socket(
                socket.create_connection(("127.0.0.1", 443), timeout=60), server_hostname=self.domain
            )
            return self.post_form(line, path, form)

    def post_form(self, line: http.client.HTTPConnection, path: str, form: str, **more: str) -> tuple[int, str, str]:
        """The answer on a line that stands."""
        head = {
            **more,
            "Host": self.domain,
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        if form:
            head |= {"Content-Type": "application/x-www-form-urlencoded"}
        line.request("POST" if form else "GET", path, form or None, head)
        answer = line.getresponse()
        for cookie in answer.msg.get_all("Set-Cookie") or ():
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, answer.read().decode(), answer.getheader("Location", "")

    def send(self, path: str, **fields: str) -> tuple[int, str, str]:
        """Send the form of a page."""
        _, page, _ = self.ask(path)
        token = re.search(r'name="csrf_token" value="([^"]+)"', page)
        assert token is not None, page
        return self.ask(path, "&".join(f"{name}={value}" for name, value in {"csrf_token": token[1], **fields}.items()))


class Direct(Reader):
    """A browser without a proxy: it says itself what that would say."""

    def __init__(self, domain: str, port: int) -> None:
        super().__init__(domain)
        self.port = port

    def ask(self, path: str, form: str = "") -> tuple[int, str, str]:
        """Status, text, and where it leads on."""
        told = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": self.domain, "X-Forwarded-For": "192.0.2.1"}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as line:
            return self.post_form(line, path, form, **told)


def read_a_page(server: Server, reader: Reader) -> None:
    """Sign in by a letter's link, through the proxy, and look at the table."""
    assert reader.ask("/readyz")[:2] == (200, "ok\n")
    seen = len(server.post.boxes[ADDRESSES[0]])
    assert reader.send("/sign-in", address=ADDRESSES[0].replace("@", "%40"))[0] == 200
    server.until("the link", lambda: len(server.post.boxes[ADDRESSES[0]]) > seen)
    link = re.search(rf"https://{re.escape(reader.domain)}(/sign-in/\S+)", server.post.boxes[ADDRESSES[0]][-1].text)
    assert link is not None
    assert reader.send(link[1])[0] == 303
    status, page, _ = reader.ask(f"/games/{server.game}")
    assert status == 200
    assert "Rose" in page
