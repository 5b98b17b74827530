"""Which addresses of ours exist: the door asks before it takes a letter, so that a wrong one is refused at once."""

from collections.abc import Collection
from typing import Final, cast

from sqlalchemy import Connection, Table, select

from pbem.crypto import token_hash
from pbem.service.base.services import Services
from pbem.service.game.clock_state import PROBE
from pbem.service.game.email_context import REPLY
from pbem.service.mail.master_mail import MASTER
from pbem.service.messages.messages import TALKING
from pbem.service.seats.account_deletion import FORGET
from pbem.service.seats.address_change import MOVE
from pbem.service.seats.deputies import DEPUTY
from pbem.service.seats.pending_offers import SEAT
from pbem.store.columns import InClause
from pbem.store.models import Capability, Game

JOIN: Final = "join"
ADDRESSES: Final = (REPLY, JOIN, MASTER, TALKING, DEPUTY, SEAT, MOVE, FORGET)
"""What an address with a token of ours may be for."""
_RESERVED: Final = (*ADDRESSES, PROBE)


_GAMES, _TOKENS = cast(Table, Game.__table__), cast(Table, Capability.__table__)
_TABLES = InClause(_GAMES.c.id, lambda these: select(_GAMES.c.id).where(these))
_KNOWN = InClause(_TOKENS.c.hash, lambda these: select(_TOKENS.c.hash).where(these))


def exists(services: Services, kind: str, token: str) -> bool:
    """Return True if mail to an address of this kind may be for us; raises what the database raises."""
    with services.db.read() as look:
        return (kind, token) in filter_existing(look, [(kind, token)])


def filter_existing(look: Connection, addresses: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    """Those of these addresses, each its kind and token, to which mail may be for us: looked up by key at once.

    Bounces are let in to any address of their kind: the letter that came back may be one without a token.
    """
    tables = {token for kind, token in addresses if kind == "table"}
    hashes = {
        token_hash(purpose, token): token for kind, token in addresses if kind == "reply" for purpose in _RESERVED
    }
    there = set(look.scalars(*_TABLES.of(tables))) if tables else set()
    given = {hashes[found] for found in look.scalars(*_KNOWN.of(hashes))} if hashes else set()
    known = {"table": there, "reply": given}
    return {(kind, token) for kind, token in addresses if kind == "bounce" or token in known.get(kind, ())}
