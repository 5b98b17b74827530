"""A watch over every test: while a transaction that may write is open, nothing is begun that takes long.

Others wait for its locks.  What takes long goes through a few functions, which are watched; what still does such work
inside is left out by the name of the function that is in charge of it.
"""

import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import jinja2
import pytest

from engine.kernel import parse, run, validation
from pbem.crypto import keys
from pbem.mail import parser
from pbem.service.base import limits
from pbem.store.database import in_transaction

WORK: Final[tuple[tuple[str, Any, str], ...]] = (
    ("reading a letter", parser, "_parse"),
    ("wording", jinja2.Template, "render"),
    ("the network", socket.socket, "connect"),
    ("counting", limits, "hit"),
    ("reading orders", parse._Parser, "parse"),
    ("judging", validation, "_check_single"),
    ("judging", validation, "_run_in_sequence"),
    ("carrying out", run, "_loop"),
    ("sealing", keys.SealingKey, "seal"),
    ("opening", keys.OpeningKeys, "open"),
)
"""What takes long, and the function through which all of it goes; counting asks the broker."""

PLAY: Final = frozenset({"carrying out", "judging", "reading orders", "sealing", "opening"})
ORDERS: Final = frozenset({"reading orders", "judging", "sealing"})
LEFT_OUT: Final = {
    ("outbox", "enqueue"): frozenset({"sealing"}),
    ("resolve_game", "_run_locked"): PLAY,
    ("resolve_game", "_serve_seats_only"): frozenset({"opening", "sealing"}),
    ("transfer", "export"): PLAY,
    ("database_access", "run_locked"): ORDERS,
    ("preparation", "approve"): ORDERS,
    ("ruling_request", "enqueue_ruling"): frozenset({"sealing"}),
    ("seats", "eliminate_seat"): frozenset({"sealing"}),
    ("people", "find_or_invite"): frozenset({"counting"}),
}
"""Functions that may do such work inside a transaction, and which.

A letter that is laid out (`outbox.enqueue`), and what play is to carry out (`ruling_request.enqueue_ruling`,
`eliminate_seat`), is sealed where it is known what it says, which takes a fifth of a millisecond.  A visit of play's
is prepared before its transaction; under the lock (`_run_locked`) a game is made, dealt and finished, rulings are
carried out, a round of the beacon is waited for, orders filed ahead are taken up, and a visit is done that was
overtaken too often.  A game that cannot go on serves its players alone (`_serve_seats_only`).  Who was overtaken too
often is judged `run_locked`. An act to which somebody agrees is read again (`approve`).  An invitation of a master's
is counted only when it goes out (`find_or_invite`).
"""


class TransactionWatch:
    """Notes the work of `WORK`: what was begun at all, and what was begun inside a transaction and is not left out."""

    def __init__(self) -> None:
        self.begun = set[str]()
        self.found = list[str]()

    @contextmanager
    def on(self) -> Iterator[None]:
        """Watch what is done within."""
        with pytest.MonkeyPatch.context() as patch:
            for kind, place, name in WORK:
                patch.setattr(place, name, self._watched(kind, getattr(place, name)))
            yield

    def _watched(self, kind: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def watch(*given: Any, **named: Any) -> Any:
            self.begun.add(kind)
            if in_transaction() and not _left_out(kind):
                self.found.append(kind)
            return work(*given, **named)

        return watch


def _left_out(kind: str) -> bool:
    """Return True if one of the functions that are running may do this inside a transaction."""
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        module = str(frame.f_globals.get("__name__", "")).rpartition(".")[2]
        if kind in LEFT_OUT.get((module, frame.f_code.co_name), ()):
            return True
    return False
