"""What the log of a process looks like, and that it holds ids alone."""

import json
import logging
import threading
import warnings
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from pbem.ops import logs
from pbem.web import serve
from tests.service.server_fixtures import ServerHarness, build, start_game

SECRET = "qzvxjbellum"


@pytest.fixture(autouse=True)
def _logging() -> Iterator[None]:
    """Whatever a test does about logging is undone."""
    root, ours = logging.getLogger(), [logging.getLogger(name) for name in ("pbem", "worker")]
    before = root.handlers[:], root.level, [logger.level for logger in ours]
    yield
    logging.captureWarnings(False)
    root.handlers[:], root.level = before[0], before[1]
    for logger, level in zip(ours, before[2], strict=True):
        logger.setLevel(level)


def written(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines that went to standard error."""
    return capsys.readouterr().err.splitlines()


def fail() -> None:
    """Log an error whose text holds what nobody may read, and so does its cause."""
    try:
        try:
            raise ValueError(SECRET)
        except ValueError as error:
            raise RuntimeError(SECRET) from error
    except RuntimeError:
        logging.getLogger("pbem.some").exception("it failed", extra={"game": "abc", "stranger": SECRET})


def test_production_writes_a_json_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """In production each line is one JSON object: what, how bad, when, which process, and the ids."""
    logs.configure(production=True, process="mailer")
    logging.getLogger("pbem.some").info("a letter was sent", extra={"letter": "abc.3.s1.report"})
    logging.getLogger("elsewhere").warning("two\nlines")
    first, second = map(json.loads, written(capsys))
    assert {key: first[key] for key in ("event", "level", "process", "letter")} == {
        "event": "a letter was sent",
        "level": "info",
        "process": "mailer",
        "letter": "abc.3.s1.report",
    }
    assert first["timestamp"].endswith("Z")
    assert second["event"] == "two\nlines"


def test_a_terminal_gets_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """Elsewhere a line begins with the time and the sentence stands in it as it is, followed by the ids."""
    logs.configure(production=False, process="mailer")
    logging.getLogger("pbem.some").warning("the %s is away", "broker", extra={"game": "abc"})
    (line,) = written(capsys)
    assert "the broker is away" in line
    assert "game=abc" in line
    assert "warning" in line


@pytest.mark.parametrize("production", [True, False])
def test_the_text_of_an_error_is_not_told(production: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """An error is one line with its class and where it was raised; its text, its causes and unknown fields are not."""
    logs.configure(production, "web")
    fail()
    (line,) = written(capsys)
    assert SECRET not in line
    assert "RuntimeError" in line
    assert f"fail {__file__}" in line
    assert "abc" in line


def test_a_failed_task_tells_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    """What the queue writes of a task that failed, which holds the error's text and the arguments, is left out."""
    logs.configure(production=True, process="resolver")
    context = {"name": "resolve_game", "exc": SECRET, "args": SECRET}
    logging.getLogger("celery.app.trace").error("Task %(name)s: %(exc)s", context, extra={"data": context})
    (line,) = written(capsys)
    assert json.loads(line)["event"] == "the task resolve_game failed"
    assert SECRET not in line


def test_the_chatter_of_libraries_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    """Of libraries warnings are written, and nothing below them."""
    logs.configure(production=True, process="web")
    logging.getLogger("celery.worker").info("chatter")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("soon gone", stacklevel=1)
    assert [json.loads(line)["level"] for line in written(capsys)] == ["warning"]


def test_a_letter_is_followed_by_its_id(state_dir: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A letter on its way in, its game and the letters out are a line each, by their ids and no word of theirs."""
    caplog.set_level(logging.INFO, logger="pbem")
    harness: ServerHarness = build(state_dir)
    game = start_game(harness, "toy", 2)
    caplog.clear()
    harness.reply("s1", SECRET, "BID 1")
    harness.reply("s2", SECRET, "BID 2")
    said = [record for record in caplog.records if record.name.startswith("pbem")]
    taken = next(record for record in said if record.getMessage() == "a letter was taken in")
    dealt = next(record for record in said if record.getMessage() == "a letter was dealt with")
    assert vars(taken)["letter"] == vars(dealt)["letter"]
    assert any(record.getMessage() == "a letter was sent" for record in said)
    assert {vars(record)["game"] for record in said if record.getMessage() == "a game went on"} == {game}
    whole = " ".join(repr(vars(record)) for record in said)
    assert SECRET not in whole
    assert "@" not in whole


@pytest.mark.parametrize("production", [True, False])
def test_no_address_is_written_where_a_page_fails_outside_of_ours(
    production: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where an answer fails in the hands of the server of pages, the line says so, and not which address it was."""
    logs.configure(production=production, process="web")

    def answers(environ: Any, start_response: Any) -> list[bytes]:
        raise RuntimeError(SECRET)

    server = serve.build_server(answers, "127.0.0.1", 0)  # type: ignore[arg-type]
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        with closing(HTTPConnection("127.0.0.1", server.effective_port, timeout=60)) as line:
            line.request("GET", f"/sign-in/{SECRET}")
            assert line.getresponse().status == 500
    finally:
        server.close()
        server.task_dispatcher.shutdown()
        thread.join(10)
    text = "\n".join(written(capsys))
    assert "a page could not be served" in text
    assert SECRET not in text
