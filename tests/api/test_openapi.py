"""The document and the page about the interface: complete, from one source with the answers, in both languages."""

import json
import re
from html import unescape
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from engine.kernel.languages import LANGUAGES
from pbem.common.states import WAITING
from pbem.service.access.api_tokens import SCOPES
from pbem.service.seats import tables
from pbem.web.api import OPERATIONS, PREFIX
from pbem.web.api.examples import EXAMPLES
from pbem.web.api.openapi import problem_responses
from tests.api.conftest import Quay
from tests.service.master_commands import get_user_id

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
        acts = operation.writes or operation.opens_sealed or operation.name == "preview_commands"
        assert acts == (operation.scope != "read")
        placed = [p["name"] for p in what.get("parameters", ()) if p["in"] == "path"]
        assert placed == PLACE.findall(operation.path)
        assert ("requestBody" in what) == (operation.body is not None)
        assert any(p["name"] == "Idempotency-Key" for p in what.get("parameters", ())) == operation.writes


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
    assert {o.body for o in OPERATIONS if o.body is not None} <= set(EXAMPLES)


def test_what_is_answered_is_what_is_described(quay: Quay) -> None:
    """Each answer of a real game validates against the schema that the document gives for it."""
    found, program = document(quay), quay.program("p1@games.test")
    later = tables.create(quay.harness.web, get_user_id(quay.harness, "p1@games.test"), "toy", "Later", 2, {})
    for operation in OPERATIONS:
        if operation.method == "GET" and operation.returns is not None and "/records/<" not in operation.path:
            game = later if operation.states == WAITING else quay.game
            path = operation.path.replace("<game>", game).replace("<int:entry>", "1")
            schema = {"$ref": f"#/components/schemas/{operation.returns.__name__}", "components": found["components"]}
            jsonschema_rs.validator_for(schema).validate(program.get(path).json)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_lists_every_operation_with_an_example(quay: Quay, language: str) -> None:
    """The page is plain and open to anybody, loads nothing from elsewhere, and its links lead somewhere."""
    answer = quay.app.test_client().get("/api/docs", headers={"Accept-Language": language})
    shown = unescape(answer.text)
    for operation in OPERATIONS:
        assert f"{operation.method} {PREFIX}{operation.path.replace('int:', '')}" in shown
        assert f'id="{operation.name}"' in shown
    for code in (code for operation in OPERATIONS for code in problem_responses(operation)):
        assert f'id="{code}"' in shown
    assert set(re.findall(r'(?:src|href)="(https?:[^"]+)"', shown)) == set()
    assert re.findall("<script[^>]*>", shown) == ['<script type="module" src="/static/zone.js">']


UNFIT = {
    **dict.fromkeys(
        ("get_archived_game", "get_archived_entry", "get_game_file", "get_archived_board", "get_archived_talk"), 404
    ),  # the game is not over
    "create_rematch": 409,  # the game is not over
    **dict.fromkeys(("get_own_orders", "accept_invitation", "withdraw_application"), 404),  # there are none
    **dict.fromkeys(
        ("get_lobby", "send_invitations", "set_open", "seat_bots", "create_link", "revoke_link", "cancel_game"), 409
    ),  # it began
    **dict.fromkeys(("join_open_table", "take_seat", "follow_game", "return_seat"), 409),  # there is nothing to take
    **dict.fromkeys(("invite_deputy", "cancel_deputy"), 409),  # the absence was already taken back
    "request_own_orders": 202,
}
"""Examples that are answered otherwise than by 200 at a game under way."""


def test_the_examples_on_the_page_can_be_tried(quay: Quay) -> None:
    """With a token and a game put in, each example does what it says, and none is refused as malformed."""
    programs = {scope: quay.program("p1@games.test", scope=scope) for scope in SCOPES}
    page = quay.app.test_client().get("/api/docs", headers={"Accept-Language": "en"}).text
    lines = re.findall("<pre[^>]*>(curl .*?)</pre>", page.replace("bcdfghjkmnpq", quay.game))
    for operation, line in zip(OPERATIONS, map(unescape, lines), strict=True):
        program, sent = programs[operation.scope], re.search(r"-d '(.*)'", line)
        shown = dict(header.split(": ", 1) for header in re.findall(r'-H "([^"]+)"', line))
        answer = program.client.open(
            line.rpartition(" https://games.test")[2],
            method=operation.method,
            headers={**shown, "Authorization": f"Bearer {program.token}"},
            data=sent[1].encode() if sent else b"",
        )
        assert answer.status_code == UNFIT.get(operation.name, 200), operation.name
