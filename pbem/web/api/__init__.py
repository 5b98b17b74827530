"""The interface for programs: JSON over HTTP, the same services as the pages, described by its own document."""

from collections.abc import Callable
from time import time

from flask import Flask, Response, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from werkzeug.exceptions import HTTPException

from pbem.web.api.guard import PREFIX, bearer, view_of
from pbem.web.api.operations import OPERATIONS
from pbem.web.api.problems import BY_STATUS, problem
from pbem.web.site import Look

__all__ = ["OPERATIONS", "PREFIX", "concerns", "open_to_programs", "refused"]

_FOLDER = "/api/"


def open_to_programs(app: Flask, limiter: Limiter, look: Look) -> None:
    """Add every operation.  Calls are counted for each token, and for each line where there is none."""
    limit = limiter.limit(f"{look.requests_per_minute} per minute", key_func=_who)
    for operation in OPERATIONS:
        view: Callable[..., Response] = limit(view_of(operation))
        app.add_url_rule(
            PREFIX + operation.path, f"api_{operation.name}", view, methods=[operation.method],
            provide_automatic_options=False, strict_slashes=True,
        )  # fmt: skip


def _who() -> str:
    """For whom a call is counted."""
    found = bearer()
    return f"program {found.id}" if found is not None else get_remote_address()


def concerns() -> bool:
    """Whether this request is a program's, which reads no pages."""
    return request.path.startswith(_FOLDER) and not request.path.startswith(f"{_FOLDER}docs")


def refused(error: HTTPException, limiter: Limiter | None) -> Response:
    """What stopped a call before or beneath its operation, as a problem."""
    code = error.code or 500
    if code < 400:  # a detour to another spelling of the address: there is one spelling
        code = 404
    known = BY_STATUS.get(code) or ("failed" if code >= 500 else "unreadable")
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    if known == "too_many" and limiter is not None and limiter.current_limit is not None:
        headers["Retry-After"] = str(max(1, int(limiter.current_limit.reset_at - time()) + 1))
    return problem(known, headers, status=code if known != "not_found" else 404)
