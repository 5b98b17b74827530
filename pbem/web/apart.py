"""Requests that have orders validated are answered in a process of their own: the whole request, by the same views."""

from collections.abc import Callable
from functools import wraps
from io import BytesIO
from typing import Any, Final, TypeVar

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import TooManyRequests
from werkzeug.wrappers import Response as PlainResponse

from pbem.ops.validators import VALIDATORS, Busy, Validators
from pbem.web.form_input import is_post

F = TypeVar("F", bound=Callable[..., Any])

_APART: Final = "pbem.apart"
"""What marks a request in such a process: who asks was looked at, and counted, before."""
_RETRY_S: Final = 1

Answer = tuple[int, list[tuple[str, str]], bytes]
"""Status, headers and body."""


def is_apart() -> bool:
    """Return True if this request was handed over by the process of the pages, which has counted it."""
    return _APART in request.environ


def keep_body() -> None:
    """Before a request is looked at: its body can be read again, to be handed over."""
    if VALIDATORS in current_app.extensions and is_post():
        request.get_data()


def validates(*, replaceable: bool = False) -> Callable[[F], F]:
    """A view of a page or of the interface for programs whose forms have orders validated.

    `replaceable`: a newer request of this person to this view, about this table, may take its place.  It raises
    TooManyRequests if one did, or if too many wait.
    """

    def decorate(view: F) -> F:
        @wraps(view)
        def answered(asked: Any, **at: Any) -> Any:
            validators: Validators | None = current_app.extensions.get(VALIDATORS)
            if validators is None or is_apart() or not is_post():
                return view(asked, **at)
            visit = getattr(asked, "visit", asked)
            topic = (view.__name__, visit.game) if replaceable else None
            try:
                status, headers, body = validators.run(visit.me.id, topic, _answer, _environ(), request.get_data())
            except Busy:
                raise TooManyRequests(retry_after=_RETRY_S) from None
            return Response(body, status, headers)

        return answered  # type: ignore[return-value]

    return decorate


def _environ() -> dict[str, Any]:
    """What the request says, without what belongs to this process."""
    plain = (str, int, tuple, bool)
    return {name: value for name, value in request.environ.items() if isinstance(value, plain)}


def _answer(app: Flask, environ: dict[str, Any], body: bytes) -> Answer:
    """Answer a request here."""
    environ = {**environ, _APART: True, "wsgi.input": BytesIO(body), "wsgi.multithread": False}
    made = PlainResponse.from_app(app, environ, buffered=True)
    return made.status_code, list(made.headers), made.get_data()
