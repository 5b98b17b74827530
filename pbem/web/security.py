"""What guards every answer: headers, cookies, limits, and error pages that tell nothing of the inside.

Content-Security-Policy lets in our own files alone: no script and no style stands in a page.  Nothing may be cached,
framed or sniffed; no page tells another where its reader came from, since some addresses are capabilities.
"""

import logging
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import Any

from flask import Flask, Response, current_app, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from flask_wtf.csrf import CSRFError, CSRFProtect
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.middleware.proxy_fix import ProxyFix

from pbem.common.cpu_budget import BudgetExceeded
from pbem.common.outage_log import SIGNATURE_ERRORS, is_connection_error
from pbem.crypto import DecryptionError, SessionSecret
from pbem.service.base.services import NoMailKey
from pbem.web.form_input import is_post
from pbem.web.site import PageRequest, WebConfig, render_page

BODY_LIMIT = 256_000
STATIC = "static"
POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""A picture carries its own style, which makes it dark on a dark screen, and nothing else."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
KNOWN_ERRORS = frozenset({400, 404, 405, 413, 429, 500})


class PageErrors(Flask):
    """An application whose log never holds an address that was asked for, nor the text of an exception."""

    def log_exception(self, exc_info: tuple[type, BaseException, TracebackType] | tuple[None, None, None]) -> None:
        """Which page failed, the class of the error, and where in the code."""
        kind, _, trace = exc_info
        rule = request.url_rule.rule if request.url_rule is not None else "-"
        frames = " < ".join(f"{f.name} {f.filename}:{f.lineno}" for f in reversed(traceback.extract_tb(trace)[-12:]))
        if is_connection_error(exc_info[1]):
            return  # the log has a line of that already
        self.logger.error("%s %s failed: %s at %s", request.method, rule, kind.__name__ if kind else "-", frames)


def configure_cookies(app: Flask, look: WebConfig, secret: SessionSecret) -> None:
    """Session cookies: strict, out of reach of scripts, signed under the newest secret, read under all."""
    newest, *older = secret.reveal()
    app.session_interface = Sessions()
    app.config.update(
        SECRET_KEY=newest,
        SECRET_KEY_FALLBACKS=older,
        SESSION_COOKIE_NAME="__Host-pbem" if look.is_secure else "pbem",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SECURE=look.is_secure,
        SESSION_COOKIE_SAMESITE="Strict",
        PERMANENT_SESSION_LIFETIME=30 * 24 * 3600,
        MAX_CONTENT_LENGTH=BODY_LIMIT,
        MAX_FORM_MEMORY_SIZE=BODY_LIMIT,
        MAX_FORM_PARTS=400,
        TRUSTED_HOSTS=[look.host] if look.host else None,
        WTF_CSRF_CHECK_DEFAULT=False,
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,  # it wants a Referer, which our own pages forbid browsers to send
    )


POLLED_PAGE = "game_status"
"""The endpoint that a page asks without a reader."""


class Sessions(SecureCookieSessionInterface):
    """Sessions that stay off what no reader asked for.

    A shared cache may keep static files, and hand one reader's cookie to another.  A page left open asks on and on for
    the reader of before: its answer must not put their cookie back when another one has just signed in.
    """

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        return request.endpoint not in (STATIC, POLLED_PAGE) and super().should_set_cookie(app, session)


def install_guards(app: Flask, look: WebConfig) -> CSRFProtect:
    """Headers on every answer, proxies understood."""
    if look.trusted_proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=look.trusted_proxies, x_proto=look.trusted_proxies, x_host=look.trusted_proxies
        )
    app.after_request(lambda response: _with_headers(response, look))
    return CSRFProtect(app)


def _with_headers(response: Response, look: WebConfig) -> Response:
    for name, value in HEADERS.items():
        response.headers[name] = value
    if response.mimetype == "image/svg+xml":
        response.headers["Content-Security-Policy"] = PICTURE_POLICY
    if look.is_secure:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    response.headers["Cache-Control"] = "max-age=3600" if _is_file(response) else "no-store"
    return response


def _is_file(response: Response) -> bool:
    """Return True for a static file, the same for everybody, and not for the page that says that there is none."""
    return request.endpoint == STATIC and response.status_code < 400


def is_cross_site() -> bool:
    """Return True if a browser says that another site began this request (Fetch Metadata)."""
    return request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none")


def lacks_session_cookie() -> bool:
    """Return True if a reader comes by a link of another site, so that their strict cookie stayed behind."""
    name = current_app.config["SESSION_COOKIE_NAME"]
    return not is_post() and is_cross_site() and name not in request.cookies


# --- errors


def install_error_pages(
    app: Flask,
    visitor: Any,
    concerns: Callable[[], bool],
    refused: Callable[[HTTPException], Response],
    unbelieved: Callable[[], Response],
) -> None:
    """A page for each error, in the visitor's language; `visitor()` gives the PageRequest.

    `concerns`: whether the request is a program's, which is told by `refused` instead, or by `unbelieved` where a
    record does not fit its seal.
    """

    def respond(error: HTTPException) -> Response:
        if concerns():
            return refused(error)
        cause = getattr(error, "original_exception", None)
        code = 503 if is_connection_error(cause) or isinstance(cause, NoMailKey) else error.code or 500
        known = code if code in KNOWN_ERRORS else 500 if code >= 500 else 400
        key = "csrf" if isinstance(error, CSRFError) else f"e{known}"
        response = Response(_error_page(visitor, key, known), known if code in (301, 302) else code)
        for name, value in error.get_headers():
            if name in ("Allow", "Retry-After"):
                response.headers[name] = value
        return response

    def disbelieved(error: DecryptionError) -> Response:
        SIGNATURE_ERRORS.record(error)
        return unbelieved() if concerns() else Response(_error_page(visitor, "seal", 503), 503)

    app.register_error_handler(HTTPException, respond)
    app.register_error_handler(DecryptionError, disbelieved)
    app.register_error_handler(BudgetExceeded, lambda _: respond(RequestEntityTooLarge()))


def _error_page(visitor: Any, key: str, code: int) -> str:
    visit: PageRequest = visitor(unsure=True)
    return render_page(visit, "error.html", code=code, key=key)


def silence_request_log() -> None:
    """The log of requests would hold addresses, and some of them are capabilities."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
