"""The process that serves pages: one, with threads.  It keeps no log of requests, for some addresses let people in."""

import signal

from flask import Flask
from waitress import create_server  # type: ignore[import-untyped]

from pbem.config import Settings
from pbem.web.security import BODY_LIMIT

THREADS = 4
LINE_LIMIT = 16_384
"""The longest head of a request, in bytes: our cookies and addresses are far shorter."""


def serve(app: Flask, settings: Settings) -> None:
    """Serve until a signal to stop comes; requests in hand are finished."""
    if settings.http is None:
        raise LookupError("this process has no address for pages")
    server = create_server(
        app,
        host=settings.http.host,
        port=settings.http.port,
        threads=THREADS,
        ident=None,
        max_request_body_size=4 * BODY_LIMIT,
        max_request_header_size=LINE_LIMIT,
        clear_untrusted_proxy_headers=settings.proxies == 0,
    )
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, _stop)
    try:
        server.run()
    finally:
        server.close()


def _stop(number: int, frame: object) -> None:
    raise SystemExit(0)
