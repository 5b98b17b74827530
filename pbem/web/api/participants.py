"""Deputies: who answers for one's seat while one is away."""

from pbem.service.seats import deputies
from pbem.web.api import shapes
from pbem.web.api import shapes_tables as s
from pbem.web.api.acting import done
from pbem.web.api.guard import Call
from pbem.web.api.plain import moment

WORDS = "deputy.refused"


def own(call: Call) -> s.Deputies:
    """Whom you have asked to answer for your seat, and who answers for anybody at the table."""
    services = call.visit.services
    mine = [
        s.Deputy(one.number, one.name, moment(one.since), moment(one.until), one.agreed, one.began)
        for one in deputies.named(services, call.user, call.game)
    ]
    acting = [s.Acting(player, name, moment(until)) for player, name, until in deputies.at_table(services, call.game)]
    return s.Deputies(call.game, mine, acting)


def name(call: Call) -> shapes.Done:
    """Ask a person to answer for your seat during an absence; they must agree to it."""
    asked = call.sent(s.Naming)
    return done(
        call,
        "deputies",
        lambda: deputies.name(call.visit.services, call.user, call.game, asked.address, asked.absence),
        words=WORDS,
    )


def call_off(call: Call) -> shapes.Done:
    """Do without a deputy."""
    number = call.sent(s.Numbered).number
    return done(
        call, "deputies/end", lambda: deputies.call_off(call.visit.services, call.user, call.game, number), words=WORDS
    )
