"""The interface for programs: JSON over HTTP, the same services as the pages, described by its own document."""

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from pbem.service.base.services import Services
from pbem.web.api.guard import PREFIX, client_of, make_view
from pbem.web.api.operations import OPERATIONS
from pbem.web.api.problems import BY_STATUS, build_problem
from pbem.web.rates import client_key, limited
from pbem.web.site import WebConfig

__all__ = ["OPERATIONS", "PREFIX", "invalid_signature_response", "is_api_path", "refused_response", "register"]

_FOLDER = "/api/"


def register(app: Flask, services: Services, look: WebConfig) -> None:
    """Add every operation.  Calls are counted for each token, and for each line where there is none."""
    for operation in OPERATIONS:
        name = f"api_{operation.name}"
        view = limited(services, name, make_view(operation), look.requests_per_minute, _find_client)
        app.add_url_rule(
            PREFIX + operation.path,
            name,
            view,
            methods=[operation.method],
            provide_automatic_options=False,
            strict_slashes=True,
        )


def _find_client() -> str:
    """For whom a call is counted."""
    found = client_of()
    return f"program {found.id}" if found is not None else client_key()


def is_api_path() -> bool:
    """Return True if this request is a program's, which reads no pages."""
    return request.path.startswith(_FOLDER) and not request.path.startswith(f"{_FOLDER}docs")


def refused_response(error: HTTPException) -> Response:
    """What stopped a call before or beneath its operation, as a problem."""
    code = error.code or 500
    if code < 400:  # a detour to another spelling of the address: there is one spelling
        code = 404
    known = BY_STATUS.get(code) or ("failed" if code >= 500 else "unreadable")
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    return build_problem(known, headers, status=code if known != "not_found" else 404)


def invalid_signature_response() -> Response:
    """A record does not fit its seal, as a problem."""
    return build_problem("unbelieved")
