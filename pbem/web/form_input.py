"""What a request brings: whether it is a form, and the numbers in its fields."""

from collections.abc import Mapping

from flask import request
from werkzeug.exceptions import MethodNotAllowed

from pbem.common import parsers
from pbem.service.base.database_access import PageWindow


def is_post() -> bool:
    """Return True if the request is a form that was sent.

    Nothing else acts: what comes with any other method is a look, also by HEAD, which mail scanners and browsers use
    unasked (RFC 9110 §9.2.1).
    """
    return request.method == "POST"


def reject_head() -> None:
    """Raise MethodNotAllowed for HEAD: an answer that is shown once is not used up unseen."""
    if request.method == "HEAD":
        raise MethodNotAllowed(["GET", "POST"])


def browser_zone() -> str:
    """The time zone that a script of the page wrote into its form; empty without scripts."""
    return request.form.get("zone", "")[:64]


def page_window() -> PageWindow:
    """The part of a long list that the address asks for."""
    return PageWindow(parse_number(request.args, "from"))


def parse_number(given: Mapping[str, str], name: str, otherwise: int = 0) -> int:
    """The whole number in a field; `otherwise` where the field is missing or holds anything else."""
    try:
        return parsers.parse_whole(given.get(name, "").strip())
    except ValueError:
        return otherwise
