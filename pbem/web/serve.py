"""The process that serves pages: one, with threads.  It keeps no log of requests, for some addresses let people in."""

import signal
import time
from typing import Any

from flask import Flask
from waitress import create_server  # type: ignore[import-untyped]
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]

from pbem.config.settings import Settings
from pbem.ops import systemd_notify
from pbem.ops.memory import freeze_gc
from pbem.ops.validators import VALIDATORS, Validators
from pbem.web.security import BODY_LIMIT

THREADS = 12
"""Of these some wait for orders to be validated: at most as many as `validators` let wait and work."""
LINE_LIMIT = 16_384
"""The longest head of a request, in bytes: our cookies and addresses are far shorter."""
CONNECTIONS, PER_PEER = 1_000, 50
"""How many connections there may be, and how many from one peer; behind a proxy that is for the proxy to say."""
IDLE_S, REQUEST_S, CHECK_INTERVAL_S = 30, 30, 5
"""Seconds that a connection may lie idle, that a request may take to arrive, and between two looks at both."""


class _Channel(HTTPChannel):  # type: ignore[misc]
    """A connection that knows since when its request has been arriving."""

    started_at = 0.0

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self.started_at = time.monotonic()
        return bool(super().received(data))

    @property
    def is_too_slow(self) -> bool:
        """Return True if a request has been arriving for too long, however little at a time."""
        return self.request is not None and not self.requests and time.monotonic() - self.started_at > REQUEST_S


def serve(app: Flask, settings: Settings) -> None:
    """Serve until a signal to stop comes; requests in hand are finished."""
    if settings.http_listen is None:
        raise LookupError("this process has no address for pages")
    server = build_server(app, settings.http_listen.host, settings.http_listen.port, proxies=settings.trusted_proxies)
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, _stop)
    freeze_gc()
    validators = Validators()
    validators.start(app)
    app.extensions[VALIDATORS] = validators
    systemd_notify.notify(systemd_notify.READY)
    try:
        server.run()
    finally:
        server.close()
        validators.stop()


def build_server(app: Flask, host: str, port: int, *, proxies: int = 0) -> Any:
    """A server that is bound and not yet run; connections that hold it up are closed, and too many are not taken."""
    server = create_server(
        app,
        host=host,
        port=port,
        threads=THREADS,
        ident=None,
        max_request_body_size=4 * BODY_LIMIT,
        max_request_header_size=LINE_LIMIT,
        connection_limit=CONNECTIONS,
        channel_timeout=IDLE_S,
        cleanup_interval=CHECK_INTERVAL_S,
        asyncore_use_poll=True,
        clear_untrusted_proxy_headers=proxies == 0,
    )
    usual = server.maintenance

    def maintenance(now: float) -> None:
        usual(now)
        systemd_notify.notify(systemd_notify.ALIVE)
        for channel in server.active_channels.values():
            channel.will_close = channel.will_close or channel.is_too_slow

    def channel(owner: Any, connection: Any, address: Any, *rest: Any, **more: Any) -> Any:
        same = sum(one.addr[0] == address[0] for one in server.active_channels.values())
        if proxies == 0 and same >= PER_PEER:
            connection.close()
            return None
        return _Channel(owner, connection, address, *rest, **more)

    server.maintenance, server.channel_class = maintenance, channel
    return server


def _stop(number: int, frame: object) -> None:
    raise SystemExit(0)
