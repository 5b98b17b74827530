"""Static files, pictures and steps of a replay are sent compressed.  Pages are not: they hold form keys, and what is
compressed together with words that a stranger chose can be guessed from its length (BREACH).
"""

import gzip
from functools import lru_cache

from flask import Flask, Response, request

STATIC = "static"
STEPS = "_steps"
"""The end of the names of views that answer with pictures of boards, and no words of players."""
MIN_BYTES = 1_000
"""Bytes below which it is not worth it."""


def compress(app: Flask) -> None:
    """Compress what may be, for whoever takes it so."""
    app.after_request(_compressed)


def _compressed(response: Response) -> Response:
    safe = request.endpoint == STATIC or (request.endpoint or "").endswith(STEPS)
    if not (safe or response.mimetype == "image/svg+xml"):
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code != 200 or request.accept_encodings.quality("gzip") <= 0:
        return response
    response.direct_passthrough = False
    plain = response.get_data()
    if len(plain) < MIN_BYTES:
        return response
    response.set_data(_gzip(plain))
    response.headers["Content-Encoding"] = "gzip"
    if (tag := response.get_etag()[0]) is not None:
        response.set_etag(tag, weak=True)  # the same content, not the same bytes
    return response


@lru_cache(maxsize=96)
def _gzip(plain: bytes) -> bytes:
    return gzip.compress(plain, 6, mtime=0)
