"""What cannot be done, told to a program (RFC 9457): what, why, and what would be accepted, in the reader's language.

Nothing here tells whether something exists that its asker may not see.
"""

import json
from collections.abc import Mapping

from flask import Response, request

from engine.kernel.languages import DEFAULT, Language, find_language
from pbem.web.locales import translate

MEDIA = "application/problem+json"
STATUS: Mapping[str, int] = {
    "not_json": 400,
    "no_key": 400,
    "no_token": 401,
    "unverified": 403,
    "looks_only": 403,
    "other_scope": 403,
    "one_seat": 403,
    "not_found": 404,
    "wrong_method": 405,
    "cannot_answer_so": 406,
    "not_running": 409,
    "held": 503,
    "cannot_say": 409,
    "refused": 409,
    "too_long": 413,
    "wrong_type": 415,
    "does_not_fit": 422,
    "too_many": 429,
    "unbelieved": 503,
    "failed": 500,
    "unreadable": 400,
}
"""Every problem by its code, with the status that it is answered with."""

BY_STATUS: Mapping[int, str] = {
    400: "unreadable",
    404: "not_found",
    405: "wrong_method",
    413: "too_long",
    415: "wrong_type",
    429: "too_many",
}
"""What is raised beneath us is told as one of these."""


class ApiProblem(Exception):
    """A call that cannot be done; `terms` fill the words, `headers` go with the answer."""

    def __init__(self, code: str, headers: Mapping[str, str] | None = None, **terms: object) -> None:
        """`code`: a key of STATUS."""
        super().__init__(code)
        self.code, self.terms, self.headers = code, terms, dict(headers or {})


def problem_language() -> Language:
    """The language that the caller likes best of ours, whatever its region (RFC 4647 §3.4); empty if they like none."""
    wanted = (find_language(tag) for tag, quality in request.accept_languages if quality > 0)
    return next((tag for tag in wanted if tag), "")


def build_problem(
    code: str,
    headers: Mapping[str, str] | None = None,
    said_in: Language = "",
    status: int = 0,
    terms: Mapping[str, object] | None = None,
) -> Response:
    """The answer that tells a problem."""
    chosen, number = said_in or problem_language() or DEFAULT, status or STATUS[code]
    body = {
        "type": f"/api/docs#{code}",
        "title": translate(chosen, f"api.problem.{code}.title"),
        "status": number,
        "detail": translate(chosen, f"api.problem.{code}.why", **(terms or {})),
        "instead": translate(chosen, f"api.problem.{code}.instead", **(terms or {})),
    }
    answer = Response(json.dumps(body, ensure_ascii=False), number, mimetype=MEDIA)
    answer.headers["Content-Language"] = chosen
    answer.headers["Vary"] = "Accept-Language"
    for name, value in (headers or {}).items():
        answer.headers[name] = value
    return answer


def problem_response(error: ApiProblem, said_in: Language = "") -> Response:
    """The same, of a trouble that was raised."""
    return build_problem(error.code, error.headers, said_in, terms=error.terms)
