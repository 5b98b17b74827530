"""Programs that mean ill, or are broken: every text of every call replaced by what no form sends, on each database."""

import copy
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from pbem.service.access import programs
from pbem.service.seats import substitutes, tables
from pbem.service.time import absences
from pbem.states import WAITING
from pbem.store.models import Game, LetterOut
from pbem.web.api import OPERATIONS
from pbem.web.api.examples import EXAMPLES
from tests.api.conftest import Quay
from tests.api.programs import Program, issued
from tests.api.test_tokens import user
from tests.service.hall import build, seated
from tests.web.guests import site

TEXTS: Final = (
    "\x00",
    "a\x00b@example.org",
    "x@exam\x00ple.org",
    "\u202eevil",
    "\uffff",
    "\U0010ffff",
    "; DROP TABLE users; --",
    "{0}",
    "\r\nSubject: x",
    "x" * 5000,
    "",
    " ",
    "bcdfghjkmnp\n",
)
LINES: Final = (
    "EXTEND 99999999999999999999 days",
    "DEADLINE 9999-99-99 99:99",
    "BROADCAST \x00\x01",
    "PROMOTE \x00@example.org",
    "PROMOTE a\x00b@example.org",
    "ELECT a\x00b@example.org",
    "REPLACE p1 BY a\x00b@example.org",
    "CONFIRM \x00",
    "AGREE \x00",
    "LUCK \x00",
    "FOR TURN 99999999999999999999 BIDS",
    "BID \U0001d7db",
    "IF I HOLD \x00: BID 3",
)
NUMBERS: Final[tuple[Any, ...]] = (0, -1, 2**31, 10**18, 1.5, None, True, "1", {})


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def quay(request: pytest.FixtureRequest, state_dir: Path) -> Iterator[Quay]:
    """The same table on each database: what one swallows may choke the other."""
    url = str(request.getfixturevalue("fresh_postgres_url")) if request.param == "postgresql" else ""
    hall = build(state_dir, url)
    game = seated(hall, "toy", 2, hours=48)
    hall.everywhere(
        most=dict.fromkeys(
            ("letters", "sign_ins", "tables", "invitations", "invited", "table_invitations", "acts", "talk"), 10**9
        )
    )
    yield Quay(hall, site(hall), game)
    hall.web.db.close()


def spoilt(body: Any) -> Iterator[Any]:
    """A body with one of its values replaced, each in turn by each thing that is none."""
    for path, value in list(_leaves(body, ())):
        lines = LINES if "lines" in path else ()
        for other in (*TEXTS, *lines, None, []) if isinstance(value, str) else (*NUMBERS, "\x00"):
            made = copy.deepcopy(body)
            place = made
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = other
            yield made


def _leaves(body: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(body, dict | list):
        for key, value in body.items() if isinstance(body, dict) else enumerate(body):
            yield from _leaves(value, (*path, key))
    else:
        yield path, body


def test_no_value_of_any_body_makes_a_500(quay: Quay) -> None:
    """No replaced text or number of an example makes an error of ours, and each refusal says why."""
    failed: list[str] = []
    later = tables.create(quay.hall.web, user(quay.hall, "p1@games.test"), "toy", "Later", 4, {})
    quay.hall.settle()
    kinds = {scope: quay.program("p1@games.test", scope=scope) for scope in programs.SCOPES}
    for operation in OPERATIONS:
        if operation.takes is None:
            continue
        example = msgspec.to_builtins(EXAMPLES[operation.takes])
        for body in spoilt(example):
            path = operation.path.replace("<game>", later if operation.states == WAITING else quay.game)
            path = path.replace("<number>", "0" * 32)
            answer = kinds[operation.scope].post(path, body)
            if answer.status_code >= 500 or (answer.status_code >= 400 and "detail" not in (answer.json or {})):
                failed.append(f"{operation.name} {answer.status_code}: {body!r:.200}")
    assert failed == []


def test_no_word_of_any_query_makes_a_500(quay: Quay) -> None:
    """No text behind the question mark makes an error of ours."""
    program, failed = quay.program("p1@games.test"), []
    for operation in OPERATIONS:
        if operation.asks is not None:
            path = operation.path.replace("<game>", quay.game).replace("<int:entry>", "1").replace("<viewer>", "s1")
            for name in operation.asks.__struct_fields__:
                for text in TEXTS:
                    answer = program.client.get(
                        f"/api/v2{path}",
                        query_string={name: text},
                        headers={"Authorization": f"Bearer {program.token}"},
                    )
                    if answer.status_code >= 500:
                        failed.append(f"{operation.name} {name}={text!r:.80}: {answer.status_code}")
    assert failed == []


def test_the_same_key_at_the_same_moment_acts_once(quay: Quay) -> None:
    """Calls that race make one table and one receipt, and everybody gets an answer."""
    tokens = [issued(quay.hall, "p1@games.test")] * 6
    new = {"rules": "toy", "title": "Lily", "players": 2}
    before = len(quay.hall.rows(Game))
    made = _at_once(quay, tokens, "/tables", new)
    assert sorted(answer.json["outcome"] for answer in made) == ["done", *["repeated"] * 5]
    assert len(quay.hall.rows(Game)) == before + 1
    sent = _at_once(quay, tokens, f"{quay.at}/orders", {"entry": 1, "lines": ["BID 3"]})
    assert sorted(answer.json["outcome"] for answer in sent) == [*["repeated"] * 5, "taken"]
    assert len([row for row in quay.hall.rows(LetterOut) if row.kind == "receipt"]) == 1


def _at_once(quay: Quay, tokens: list[str], path: str, body: Any) -> list[Any]:
    """The same call by several at the same moment."""
    start, answers = threading.Barrier(len(tokens)), []

    def call(token: str) -> None:
        program = Program(quay.app, token)
        start.wait()
        answers.append(program.post(path, body, key="same"))

    threads = [threading.Thread(target=call, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [200] * len(tokens)
    return answers


def test_a_player_who_lost_a_seat_reaches_nothing_of_it_any_more(quay: Quay) -> None:
    """With the tokens of a seat that was lost, each call about the table answers as if there were no such table."""
    now = quay.hall.web.now()
    absences.announce(quay.hall.web, user(quay.hall, "p2@games.test"), now, now + 86_400_000)
    kept = {scope: quay.program("p2@games.test", scope=scope) for scope in programs.SCOPES}
    seat = quay.program("p2@games.test", game=quay.game)
    substitutes.resign_signed_in(quay.hall.web, user(quay.hall, "p2@games.test"), quay.game)
    substitutes.take_over(quay.hall.web, user(quay.hall, "new@games.test"), quay.game, "s2")
    quay.hall.settle()
    for operation in OPERATIONS:
        if "<game>" in operation.path:
            for number, program in enumerate((kept[operation.scope], seat)):
                path = operation.path.replace("<game>", quay.game).replace("<int:entry>", "1").replace("<viewer>", "s2")
                path, takes = path.replace("<number>", "0" * 32), operation.takes
                body = msgspec.to_builtins(EXAMPLES[takes]) if takes is not None else None
                answer = program.get(path) if operation.method == "GET" else program.post(path, body)
                assert answer.status_code == (404, 401)[number], operation.name
