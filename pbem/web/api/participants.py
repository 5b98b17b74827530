"""Deputies: who answers for one's seat while one is away."""

from pbem.service.seats import deputies
from pbem.web.api import shapes
from pbem.web.api import shapes_tables as s
from pbem.web.api.acting import execute
from pbem.web.api.guard import ApiRequest
from pbem.web.api.plain import to_moment

WORDS = "deputy.refused"


def list_deputies(call: ApiRequest) -> s.Deputies:
    """Whom you have asked to answer for your seat, and who answers for anybody at the table."""
    services = call.visit.services
    mine = [
        s.Deputy(one.number, one.name, to_moment(one.starts_at), to_moment(one.ends_at), one.has_agreed, one.has_begun)
        for one in deputies.list_invited(services, call.user, call.game)
    ]
    acting = [
        s.ActingDeputy(player, name, to_moment(until))
        for player, name, until in deputies.list_acting(services, call.game)
    ]
    return s.Deputies(call.game, mine, acting)


def invite_deputy(call: ApiRequest) -> shapes.ActionResult:
    """Ask a person to answer for your seat during an absence; they must agree to it."""
    asked = call.sent(s.DeputyInvitation)
    return execute(
        call,
        lambda: deputies.invite(call.visit.services, call.user, call.game, asked.address, asked.absence),
        words=WORDS,
    )


def cancel_deputy(call: ApiRequest) -> shapes.ActionResult:
    """Do without a deputy."""
    number = call.at["deputy"]
    services = call.visit.services
    return execute(call, lambda: deputies.cancel(services, call.user, call.game, number), words=WORDS)
