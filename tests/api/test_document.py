"""The document and the page about the interface: complete, from one source with the answers, in both languages."""

import json
import re
from html import unescape
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from engine.kernel.languages import LANGUAGES
from pbem.service.access.programs import SCOPES
from pbem.service.seats import tables
from pbem.states import WAITING
from pbem.web.api import OPERATIONS, PREFIX
from pbem.web.api.examples import EXAMPLES
from pbem.web.api.guard import Operation
from pbem.web.api.openapi import described, troubles
from pbem.web.api.problems import STATUS
from pbem.web.words import catalogue
from tests.api.conftest import Quay
from tests.api.programs import Program
from tests.api.test_tokens import user

PLACE = re.compile(r"<(?:int:)?([a-z]+)>")


def document(quay: Quay, language: str = "en") -> Any:
    """The document as anybody gets it, without a token."""
    answer = quay.app.test_client().get("/api/openapi.json", headers={"Accept-Language": language})
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    return answer.json


def test_every_operation_is_described_and_nothing_else(quay: Quay) -> None:
    """The document has method, path, parameters, scope, body and answer of each operation, and no more."""
    paths = document(quay)["paths"]
    told = {(method.upper(), path): what for path, methods in paths.items() for method, what in methods.items()}
    assert set(told) == {(o.method, PLACE.sub(r"{\1}", PREFIX + o.path)) for o in OPERATIONS}
    for operation in OPERATIONS:
        what = told[operation.method, PLACE.sub(r"{\1}", PREFIX + operation.path)]
        assert what["operationId"] == operation.name
        assert what["x-scope"] == operation.scope
        assert operation.scope == "read" or operation.acts or operation.name == "master_preview"
        placed = [p["name"] for p in what.get("parameters", ()) if p["in"] == "path"]
        assert placed == PLACE.findall(operation.path)
        assert ("requestBody" in what) == (operation.takes is not None)
        assert any(p["name"] == "Idempotency-Key" for p in what.get("parameters", ())) == operation.acts


def test_the_document_is_what_the_specification_wants(quay: Quay) -> None:
    """OpenAPI 3.1: every reference leads somewhere, every schema is a schema, every answer has a description."""
    found = document(quay)
    assert found["openapi"] == "3.1.0"
    text = json.dumps(found)
    for name in re.findall(r'"\$ref": "#/components/schemas/([A-Za-z]+)"', text):
        assert name in found["components"]["schemas"]
    for name in found["components"]["schemas"]:
        schema = {"$ref": f"#/components/schemas/{name}", "components": found["components"]}
        jsonschema_rs.validator_for(schema)
    for methods in found["paths"].values():
        for what in methods.values():
            assert what["summary"]
            assert all(answer["description"] for answer in what["responses"].values())


def test_examples_are_of_the_types_that_answer() -> None:
    """An example that does not fit its type is an error; each body that is taken has one."""
    for kind, example in EXAMPLES.items():
        assert msgspec.convert(msgspec.to_builtins(example), kind) == example
    assert {o.takes for o in OPERATIONS if o.takes is not None} <= set(EXAMPLES)


def test_what_is_answered_is_what_is_described(quay: Quay) -> None:
    """Each answer of a real game validates against the schema that the document gives for it."""
    found, program = document(quay), quay.program("p1@games.test")
    later = tables.create(quay.hall.web, user(quay.hall, "p1@games.test"), "toy", "Later", 2, {})
    for operation in OPERATIONS:
        if operation.method == "GET" and operation.gives is not None and "/records/<" not in operation.path:
            game = later if operation.states == WAITING else quay.game
            path = operation.path.replace("<game>", game).replace("<int:entry>", "1")
            schema = {"$ref": f"#/components/schemas/{operation.gives.__name__}", "components": found["components"]}
            jsonschema_rs.validator_for(schema).validate(program.get(path).json)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_said_in_both_languages(language: str) -> None:
    """Every operation and every problem has its words."""
    words = catalogue(language)
    assert {f"api.op.{operation.name}" for operation in OPERATIONS} <= set(words)
    parts = ("title", "why", "instead", "about")
    assert {f"api.problem.{code}.{part}" for code in STATUS for part in parts} <= set(words)
    assert {key.split(".")[2] for key in words if key.startswith("api.op.")} == {o.name for o in OPERATIONS}
    assert {key.split(".")[2] for key in words if key.startswith("api.problem.")} == set(STATUS)
    assert described(language, "https://x")["info"]["description"] == words["api.what"]


def test_what_a_call_needs_is_named_among_what_may_be_wrong() -> None:
    """Whatever acts wants a key, and whatever takes a body wants it in JSON; nothing else names these problems."""
    for operation in OPERATIONS:
        named = troubles(operation)
        assert ("no_key" in named) == operation.acts, operation.name
        assert ("not_json" in named) == (operation.takes is not None), operation.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_lists_every_operation_with_an_example(quay: Quay, language: str) -> None:
    """The page is plain and open to anybody, loads nothing from elsewhere, and its links lead somewhere."""
    answer = quay.app.test_client().get("/api/docs", headers={"Accept-Language": language})
    shown = unescape(answer.text)
    for operation in OPERATIONS:
        assert f"{operation.method} {PREFIX}{operation.path.replace('int:', '')}" in shown
        assert f'id="{operation.name}"' in shown
    for code in (code for operation in OPERATIONS for code in troubles(operation)):
        assert f'id="{code}"' in shown
    assert set(re.findall(r'(?:src|href)="(https?:[^"]+)"', shown)) == set()
    assert "<script" not in shown


UNFIT = {
    **dict.fromkeys(("record", "then", "file", "recorded_board", "recorded_talk"), 404),  # the game is not over
    "rematch": 409,  # the game is not over
    **dict.fromkeys(("read_back", "accept"), 404),  # there is no such request, and no invitation
    **dict.fromkeys(
        ("waiting", "invite", "publish", "seat_bots", "make_link", "end_link", "cancel"), 409
    ),  # the game has begun
    **dict.fromkeys(("sit_down", "take", "look_on", "give_back"), 409),  # there is nothing to take
    **dict.fromkeys(("name_deputy", "end_deputy"), 409),  # the absence was already taken back
}
"""Examples that are refused at a game under way, and as what."""


def calls(text: str) -> list[tuple[str, dict[str, str], str]]:
    """The example calls of the page: path, headers, body."""
    found = []
    for line in re.findall(r"<pre[^>]*>(curl .*?)</pre>", text):
        line = unescape(line)
        headers = dict(h.split(": ", 1) for h in re.findall(r'-H "([^"]+)"', line))
        body = re.search(r"-d '(.*)'", line)
        found.append((line.rpartition(" https://games.test")[2], headers, body[1] if body else ""))
    return found


def test_the_examples_on_the_page_can_be_tried(quay: Quay) -> None:
    """With a token and a game put in, each example does what it says, and none is refused as malformed."""
    programs = {scope: quay.program("p1@games.test", scope=scope) for scope in SCOPES}
    found = calls(quay.app.test_client().get("/api/docs", headers={"Accept-Language": "en"}).text)
    assert len(found) == len(OPERATIONS)
    for operation, (path, headers, body) in zip(OPERATIONS, found, strict=True):
        path, body = (text.replace("bcdfghjkmnpq", quay.game) for text in (path, body))
        status = _tried(programs[operation.scope], operation, path, headers, body)
        assert status == UNFIT.get(operation.name, 202 if operation.name == "ask_back" else 200), operation.name


def _tried(program: Program, operation: Operation, path: str, headers: dict[str, str], body: str) -> int:
    shown = {**headers, "Authorization": f"Bearer {program.token}"}
    return program.client.open(path, method=operation.method, headers=shown, data=body.encode()).status_code
