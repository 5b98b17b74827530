"""How often a page may be asked for within a minute: counted for each page and each line, program or person."""

from collections.abc import Callable
from functools import wraps
from ipaddress import IPv6Address, IPv6Network
from typing import Any

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import TooManyRequests

from pbem.service.base import limits
from pbem.service.base.services import Services
from pbem.web.apart import is_apart
from pbem.web.form_input import is_post

View = Callable[..., ResponseReturnValue]


def client_key() -> str:
    """The address that a request comes from, as our own proxies name it; of IPv6 its network of 64 bits (RFC 6177)."""
    known = request.remote_addr or "unknown"
    try:
        address = IPv6Address(known)
    except ValueError:
        return known
    return str(address.ipv4_mapped or IPv6Network((int(address), 64), strict=False))


def limited(
    services: Services,
    name: str,
    view: View,
    most: int,
    who: Callable[[], str] = client_key,
    *,
    posts: int | None = None,
) -> View:
    """A view that raises TooManyRequests beyond `most` requests a minute; `posts`: the most forms sent, if fewer."""

    @wraps(view)
    def counted(**at: Any) -> ResponseReturnValue:
        form = posts is not None and is_post()
        if is_apart():
            return view(**at)
        allowed = posts if posts is not None and form else most
        if limits.hit(services, f"{name} {'sent' if form else 'asked'}", who(), limits.MINUTE_S) > allowed:
            raise TooManyRequests(retry_after=limits.retry_after_seconds(services, limits.MINUTE_S))
        return view(**at)

    return counted
