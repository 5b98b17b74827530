"""Browsers that were signed in before: a cookie by which one gets a link though strangers ask for too many.

It outlives the session, says nothing of its owner, and opens nothing: it holds a number, and a signature over that
number and the mailbox of the person who was signed in last.
"""

from hashlib import sha256
from typing import Final

from flask import Response, current_app, request
from itsdangerous import Signer

from pbem.common.addresses import parse_mailbox
from pbem.crypto import is_token, new_token

LASTING_S: Final = 400 * 24 * 3_600
"""The longest that browsers keep a cookie (RFC 6265bis §5.5)."""


def remember(answer: Response, address: str) -> None:
    """Let this browser be recognized as one of a person's own."""
    number = new_token()
    answer.set_cookie(
        _cookie(),
        f"{number}.{_signer().get_signature(_signed(number, address)).decode()}",
        max_age=LASTING_S,
        httponly=True,
        secure=bool(current_app.config["SESSION_COOKIE_SECURE"]),
        samesite="Strict",
    )


def recognize(address: str) -> str:
    """Return the number of a browser that was signed in last as the owner of an address; empty for any other."""
    number, _, signature = request.cookies.get(_cookie(), "").partition(".")
    known = is_token(number) and _signer().verify_signature(_signed(number, address), signature)
    return number if known else ""


def _cookie() -> str:
    return f"{current_app.config['SESSION_COOKIE_NAME']}-browser"


def _signer() -> Signer:
    config = current_app.config
    return Signer(
        [*reversed(config["SECRET_KEY_FALLBACKS"]), config["SECRET_KEY"]], salt=b"known browser", digest_method=sha256
    )


def _signed(number: str, address: str) -> bytes:
    return f"{number} {parse_mailbox(address)}".encode()
