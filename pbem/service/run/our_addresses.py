"""Which addresses of ours exist: the door asks before it takes a letter, so that a wrong one is refused at once."""

from typing import Final

from sqlalchemy import bindparam, select

from pbem.service.base.services import Services
from pbem.service.game.frames import REPLY
from pbem.service.game.standstill import PROBE
from pbem.service.post.master_letters import MASTER
from pbem.service.seats.deputies import DEPUTY
from pbem.service.seats.offered_seats import SEAT
from pbem.service.talk.messages import TALKING
from pbem.store.models import Game, TokenRow
from pbem.vault import token_hash

JOIN: Final = "join"
ADDRESSES: Final = (REPLY, JOIN, MASTER, TALKING, DEPUTY, SEAT)
"""What an address with a token of ours may be for."""


_TABLE = select(Game.id).where(Game.id == bindparam("token"))
_GIVEN = select(TokenRow.hash).where(TokenRow.hash.in_(bindparam("hashes", expanding=True))).limit(1)


def exists(services: Services, kind: str, token: str) -> bool:
    """Return True if mail to an address of this kind may be for us: one look-up by key, which changes nothing.

    Bounces are let in to any address of their kind: the letter that came back may be one without a token.  Raises what
    the database raises.
    """
    if kind not in ("reply", "table"):
        return kind == "bounce"
    with services.db.reading() as session:
        if kind == "table":
            return session.scalar(_TABLE, {"token": token}) is not None
        hashes = [token_hash(purpose, token) for purpose in (*ADDRESSES, PROBE)]
        return session.scalar(_GIVEN, {"hashes": hashes}) is not None
