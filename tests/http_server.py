"""An application behind a real server on loopback, for programs and browsers."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from waitress import create_server  # type: ignore[import-untyped]
from waitress.wasyncore import close_all  # type: ignore[import-untyped]

PATIENCE_S = 10


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """The application on a port of its own; its address."""
    connections: dict[int, object] = {}
    server = create_server(app, map=connections, host="127.0.0.1", port=0, threads=4, ident=None)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        server.task_dispatcher.shutdown(timeout=PATIENCE_S)
        # The server's own thread closes the connections: another would close them while it waits for them.
        server.trigger.pull_trigger(lambda: close_all(connections))
        thread.join(PATIENCE_S)
