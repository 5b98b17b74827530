"""Who asks, and what is due: the first things that a program looks at."""

from typing import Literal, cast

from pbem.service.pages import feeds, game_pages
from pbem.web.api import shapes
from pbem.web.api.guard import Call
from pbem.web.api.plain import card, moment, topic


def me(call: Call) -> shapes.Me:
    """Whom you act for, and with which token."""
    person, found = call.visit.me, call.bearer
    scope = cast(Literal["read", "play", "master"], found.scope)
    program = shapes.ProgramShape(found.name, scope, moment(found.expires), found.game or None, found.seat or None)
    return shapes.Me(person.name, person.address, person.language, person.zone, person.muted, program)


def games(call: Call) -> shapes.Games:
    """Your tables, what you owe first."""
    home, only = game_pages.home(call.visit.services, call.user), call.bearer.game
    mine = [card(call.visit, found) for found in home.games if only in ("", found.game)]
    asked = [] if only else [card(call.visit, found) for found in home.invitations]
    return shapes.Games(mine, asked)


def deadlines(call: Call) -> shapes.Deadlines:
    """Every deadline that runs for you."""
    only = call.bearer.game
    found = [term for term in feeds.terms(call.visit.services, call.user) if only in ("", term.game)]
    return shapes.Deadlines(
        [
            shapes.Term(
                term.game,
                term.title,
                term.asks,
                topic(call.visit, term.rules, term.asks),
                moment(term.due),
                moment(term.made),
                term.answered,
            )
            for term in found
        ]
    )
