"""The document that describes the interface (OpenAPI 3.1), made from the very types that read and answer."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from itertools import groupby
from typing import Any

import msgspec

from engine.kernel.languages import Language
from pbem.service.access.api_tokens import PLAY, READ
from pbem.web.api import shapes
from pbem.web.api.examples import EXAMPLES
from pbem.web.api.guard import JSON, KEY, KEY_PATTERN, PREFIX, Operation
from pbem.web.api.operations import OPERATIONS
from pbem.web.api.problems import MEDIA, STATUS
from pbem.web.locales import translate

_REF = "#/components/schemas/{name}"
PARAMETER = re.compile(r"<(?:int:)?([a-z]+)>")
"""A part of a path that each call fills in."""
_PARAMETERS: Mapping[str, Any] = {
    "game": shapes.Id,
    "table": shapes.Id,
    "absence": shapes.Number,
    "deputy": shapes.Number,
    "entry": shapes.Entry,
    "viewer": shapes.Viewer,
    "number": shapes.RequestNumber,
}
_TAG = {"type": "string", "description": "Send it back as If-None-Match."}


@cache
def build_document(language: Language, url: str) -> bytes:
    """The whole document in a language, for a server at an address."""
    return msgspec.json.encode(describe(language, url))


def describe(language: Language, url: str) -> dict[str, Any]:
    """The same as plain values."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        path = PARAMETER.sub(r"{\1}", PREFIX + operation.path)
        paths.setdefault(path, {})[operation.method.lower()] = _operation(operation, language)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "pbem",
            "version": version("pbem"),
            "description": translate(language, "api.what"),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": url}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": translate(language, "api.token")},
            },
        },
    }


@cache
def _schemas() -> dict[str, Any]:
    """Every type that goes in or out, by its name."""
    known = {kind for o in OPERATIONS for kind in (o.returns, o.body) if kind is not None} | {shapes.Problem}
    _, found = msgspec.json.schema_components(sorted(known, key=lambda kind: kind.__name__), ref_template=_REF)
    return found


def _operation(operation: Operation, language: Language) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": operation.name,
        "summary": translate(language, f"api.op.{operation.name}"),
        "x-scope": operation.scope,
        "responses": {str(status): answer for status, answer in _responses(operation, language)},
    }
    parameters = [*_path_parameters(operation), *_query_parameters(operation), *_header_parameters(operation, language)]
    if parameters:
        found["parameters"] = parameters
    if operation.body is not None:
        body: dict[str, Any] = {"schema": _schema_reference(operation.body)}
        if operation.body in EXAMPLES:
            body["example"] = msgspec.to_builtins(EXAMPLES[operation.body])
        found["requestBody"] = {"required": True, "content": {JSON: body}}
    return found


def _path_parameters(operation: Operation) -> Iterator[dict[str, Any]]:
    for name in PARAMETER.findall(operation.path):
        yield {"name": name, "in": "path", "required": True, "schema": msgspec.json.schema(_PARAMETERS[name])}


def _query_parameters(operation: Operation) -> Iterator[dict[str, Any]]:
    if operation.query is not None:
        schema = msgspec.json.schema(operation.query)["$defs"][operation.query.__name__]
        for name, told in schema["properties"].items():
            yield {"name": name, "in": "query", "required": False, "schema": told}


def _header_parameters(operation: Operation, language: Language) -> Iterator[dict[str, Any]]:
    if operation.writes:
        yield {
            "name": KEY,
            "in": "header",
            "required": True,
            "description": translate(language, "api.key"),
            "schema": {"type": "string", "pattern": KEY_PATTERN},
        }


def _responses(operation: Operation, language: Language) -> Iterator[tuple[int, dict[str, Any]]]:
    """What may come back, with what it means."""
    good: dict[str, Any] = {"description": translate(language, f"api.op.{operation.name}")}
    if operation.returns is None:
        good["content"] = {operation.media: {"schema": {"type": "string", "format": "binary"}}}
    else:
        shown: dict[str, Any] = {"schema": _schema_reference(operation.returns)}
        if operation.returns in EXAMPLES:
            shown["example"] = msgspec.to_builtins(EXAMPLES[operation.returns])
        good["content"] = {JSON: shown}
    if operation.etag:
        good["headers"] = {"ETag": {"schema": _TAG}}
        yield 304, {"description": translate(language, "api.unchanged"), "headers": {"ETag": {"schema": _TAG}}}
    yield operation.status, good
    for status, codes in groupby(problem_responses(operation), STATUS.__getitem__):
        titles = [translate(language, f"api.problem.{code}.title") for code in codes]
        answer: dict[str, Any] = {
            "description": " / ".join(titles),
            "content": {MEDIA: {"schema": _schema_reference(shapes.Problem)}},
        }
        if status == STATUS["too_many"]:
            answer["headers"] = {"Retry-After": {"schema": {"type": "integer", "minimum": 0}}}
        yield status, answer


def problem_responses(operation: Operation) -> list[str]:
    """The problems that an operation may answer with."""
    found = ["no_token", "unverified", "cannot_answer_so", "too_many", "unreadable"]
    if operation.scope == PLAY:
        found += ["looks_only"]
    if operation.scope != READ:
        found += ["other_scope"]
    if operation.whole_account:
        found += ["one_seat"]
    if "<" in operation.path:
        found += ["not_found"]
    if "<game>" in operation.path:
        found += ["held"]
    if operation.states:
        found += ["not_running"]
    if operation.writes:
        found += ["no_key"]
    if operation.body is not None:
        found += ["too_long", "wrong_type", "not_json"]
    if operation.body is not None or operation.query is not None:
        found += ["does_not_fit"]
    return sorted([*found, *operation.extra_problems], key=STATUS.__getitem__)


def _schema_reference(kind: type[msgspec.Struct]) -> dict[str, str]:
    return {"$ref": _REF.format(name=kind.__name__)}
