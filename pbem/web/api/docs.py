"""The pages about the interface: the document for programs, and the same to read."""

import json
from inspect import getsource

import msgspec
from flask import Response
from flask.typing import ResponseReturnValue

from pbem.bot import legal_line
from pbem.web.api.examples import EXAMPLES, PATH_EXAMPLES
from pbem.web.api.guard import KEY, PREFIX, Operation
from pbem.web.api.openapi import PARAMETER, build_document, problem_responses
from pbem.web.api.operations import OPERATIONS
from pbem.web.api.problems import STATUS
from pbem.web.site import PageRequest, render_page


def api_document(visit: PageRequest) -> Response:
    """The document, in the visitor's language."""
    answer = Response(build_document(visit.language, visit.services.public_url), mimetype="application/json")
    answer.headers["Content-Language"], answer.headers["Vary"] = visit.language, "Accept-Language, Cookie"
    return answer


def api_docs(visit: PageRequest) -> ResponseReturnValue:
    """Every operation with an example, and every problem."""
    shown = [_operation_row(visit, operation) for operation in OPERATIONS]
    problems = sorted(((code, status) for code, status in STATUS.items() if code != "failed"), key=lambda one: one[1])
    walk, url = getsource(legal_line), visit.services.public_url
    return render_page(visit, "api.html", operations=shown, problems=problems, url=url, legal_line=walk)


def _operation_row(visit: PageRequest, operation: Operation) -> dict[str, object]:
    return {
        "operation": operation,
        "path": PREFIX + PARAMETER.sub(r"<\1>", operation.path),
        "call": _example_call(visit, operation),
        "answer": _example_json(operation.returns) if operation.returns in EXAMPLES else "",
        "troubles": problem_responses(operation),
    }


def _example_call(visit: PageRequest, operation: Operation) -> str:
    """The call as one would try it by hand."""
    path = PARAMETER.sub(lambda found: PATH_EXAMPLES[found[1]], operation.path)
    parts = ["curl", '-H "Authorization: Bearer $TOKEN"']
    if operation.writes:
        parts.append(f'-H "{KEY}: 1"')
    if operation.body is not None:
        body = msgspec.json.encode(EXAMPLES[operation.body]).decode()
        parts += ['-H "Content-Type: application/json"', f"-d '{body}'"]
    elif operation.method != "GET":
        parts.append(f"-X {operation.method}")
    if operation.returns is None:
        parts.append("-O")
    return " ".join((*parts, visit.services.public_url + PREFIX + path))


def _example_json(kind: type[msgspec.Struct] | None) -> str:
    """An example of an answer, laid out to be read."""
    found = msgspec.to_builtins(EXAMPLES[kind]) if kind is not None else {}
    return json.dumps(found, indent=1, ensure_ascii=False)
