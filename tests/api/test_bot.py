"""The small program plays over a real line by what the server offers, with patience, and with care for its token."""

import json
import random
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem import bot
from pbem.cli.main import main
from pbem.web import WebConfig, create_pages
from tests.api.api_client import Inside, issued
from tests.api.conftest import Quay
from tests.api.world import MANY, TITLES, narrate
from tests.http_server import served
from tests.service.server_fixtures import build, start_game

MOST_LOOKS = 1200


@pytest.mark.parametrize(
    ("title", "players"), [("toy", 2), pytest.param("age_of_renaissance", 4, marks=pytest.mark.long)]
)
def test_bots_play_a_turn_over_http(title: str, players: int, state_dir: Path) -> None:
    """Processes of `pbem dev bot`, each with the token of one seat and nothing else, play a whole turn."""
    harness = build(state_dir, installed=TITLES)
    harness.configure(limits=MANY)
    game = start_game(harness, title, players)
    app = create_pages(harness.web, WebConfig(requests_per_minute=100_000), narrate)
    tokens = [issued(harness, f"p{n}@games.test", game=game) for n in range(1, players + 1)]
    with served(app) as url:
        bots = [started(url, token) for token in tokens]
        try:
            for _ in range(MOST_LOOKS):
                harness.run_queued_tasks()
                if harness.load_state(game).board.turn > 1:
                    break
                alive = [process.poll() is None for process in bots]
                assert all(alive), [output_of(process) for process in bots if process.poll() is not None]
                threading.Event().wait(0.2)
        finally:
            for process in bots:
                process.terminate()
        told = [output_of(process) for process in bots]
    assert harness.load_state(game).board.turn > 1, told
    assert all("Rose: " in words for words in told)
    assert not any(token in words for words in told for token in tokens)


def started(url: str, token: str) -> subprocess.Popen[str]:
    """A bot of its own process; the token comes by its standard input."""
    command = [
        sys.executable,
        "-u",
        "-m",
        "pbem.cli.main",
        "dev",
        "bot",
        "--url",
        url,
        "--token-file",
        "-",
        "--every",
        "1",
    ]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdin is not None
    process.stdin.write(token + "\n")
    process.stdin.close()
    process.stdin = None
    return process


def output_of(process: subprocess.Popen[str]) -> str:
    """All that a bot wrote until it ended."""
    words, _ = process.communicate(timeout=30)
    return words


def test_a_bot_answers_what_is_owed_and_then_nothing(quay: Quay) -> None:
    """A bot says what it sent; asked again, it has nothing to do."""
    told: list[str] = []
    player = bot.Bot(Inside(quay.program("p1@games.test")), random.Random(1), told.append)
    assert player.play_once() == 1
    assert told[0].startswith("Rose: Bids: BID ")
    assert player.play_once() == 0
    assert len(told) == 1


def test_once_by_the_command_line(quay: Quay, tmp_path: Path) -> None:
    """`pbem dev bot --once` takes the token from a file; a token that opens nothing is answered with what is needed."""
    file = tmp_path / "token"
    file.write_text(issued(quay.harness, "p1@games.test") + "\n")
    with served(quay.app) as url:
        done = CliRunner().invoke(main, ["dev", "bot", "--url", url, "--token-file", str(file), "--once"])
        assert (done.exit_code, done.output.splitlines()[-1]) == (0, "answered: 1"), done.output
        wrong = CliRunner().invoke(
            main, ["dev", "bot", "--url", url, "--token-file", "-", "--once", "--language", "fr"], input="b" * 26
        )
    assert wrong.exit_code == 1
    assert "Pas de jeton valable" in wrong.output
    assert "Traceback" not in wrong.output


@pytest.mark.parametrize(
    ("url", "token", "why"),
    [
        ("http://games.example.org", "x", "use https://"),
        ("ftp://localhost", "x", "must begin with https://"),
        ("https://", "x", "must begin with https://"),
        ("http://localhost", "é", "That is not a token"),
        ("http://localhost", "", "That is not a token"),
    ],
)
def test_what_cannot_work_is_said_before_anything_is_sent(url: str, token: str, why: str) -> None:
    """A token is never sent in the clear to another machine, and what is no token is never sent."""
    done = CliRunner().invoke(main, ["dev", "bot", "--url", url, "--token-file", "-", "--once"], input=f"{token}\n")
    assert done.exit_code == 1
    assert why in done.output


class Moody(BaseHTTPRequestHandler):
    """A server that answers as it was told to, one after the other."""

    answers: list[tuple[int, dict[str, str], Any]]
    keys: list[str | None]

    def do_POST(self) -> None:
        """Answer the next one."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.keys.append(self.headers["Idempotency-Key"])
        status, headers, body = self.answers.pop(0)
        if status == 0:
            self.connection.close()
            return
        content = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


def test_a_call_is_sent_again_under_the_same_key() -> None:
    """After a broken line, an outage and a 429, as long as the server asks for; the key makes them one call.

    After a number of tries the last answer counts.
    """
    server = HTTPServer(("127.0.0.1", 0), Moody)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        waits: list[float] = []
        Moody.keys = []
        Moody.answers = [
            (0, {}, {}),
            (503, {"Retry-After": "7"}, {}),
            (429, {"Retry-After": "9999"}, {}),
            (200, {}, {"a": 1}),
            *[(429, {}, {"title": "Too many calls"})] * bot.TRIES,
        ]
        client = bot.Client(f"http://127.0.0.1:{server.server_port}/below/", "secret-token", sleep=waits.append)
        assert client.post("/x", {}) == {"a": 1}
        assert len(set(Moody.keys)) == 1
        assert waits == [2.0, 7.0, bot.PATIENCE_S]
        with pytest.raises(bot.ApiError, match="Too many calls"):
            client.post("/x", {})
        assert "secret-token" not in repr(client), "no text of the client shows its token"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def test_it_plays_on_through_outages_until_its_token_ends() -> None:
    """A server that fails is asked again after a rest; one that refuses the token is not."""
    told: list[str] = []
    outcomes: list[Exception | None] = [
        OSError("gone"),
        bot.ApiError(500, {}),
        None,
        bot.ApiError(401, {"title": "No"}),
    ]

    class Calls:
        def get(self, path: str) -> Any:
            problem = outcomes.pop(0)
            if problem is not None:
                raise problem
            return {"games": []}

        def post(self, path: str, body: Any) -> Any:
            raise AssertionError("nothing is owed")

    rests: list[float] = []
    with pytest.raises(bot.ApiError, match="401"):
        bot.play_forever(bot.Bot(Calls(), random.Random(1), told.append), 60.0, rests.append)
    assert rests == [60.0] * 3
    assert len(told) == 2
