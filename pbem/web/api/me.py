"""Who asks, and what is due: the first things that a program looks at."""

from typing import Literal, cast

from pbem.service.pages import feeds, game_pages
from pbem.web.api import shapes
from pbem.web.api.guard import ApiRequest
from pbem.web.api.plain import to_card, to_moment, topic_title


def get_me(call: ApiRequest) -> shapes.Me:
    """Whom you act for, and with which token."""
    person, found = call.visit.me, call.client
    scope = cast(Literal["read", "play", "master"], found.scope)
    program = shapes.TokenInfo(found.name, scope, to_moment(found.expires), found.game or None, found.seat or None)
    return shapes.Me(person.name, person.address, person.language, person.zone, person.muted, program)


def list_games(call: ApiRequest) -> shapes.Games:
    """Your tables, what you owe first."""
    home, only = game_pages.load_home(call.visit.services, call.user), call.client.game
    mine = [to_card(call.visit, found) for found in home.games if only in ("", found.game)]
    asked = [] if only else [to_card(call.visit, found) for found in home.invitations]
    return shapes.Games(mine, asked)


def list_deadlines(call: ApiRequest) -> shapes.Deadlines:
    """Every deadline that runs for you."""
    only = call.client.game
    found = [term for term in feeds.load_deadlines(call.visit.services, call.user) if only in ("", term.game)]
    return shapes.Deadlines(
        [
            shapes.Deadline(
                term.game,
                term.title,
                term.topic,
                topic_title(call.visit, term.rules, term.topic),
                to_moment(term.due),
                to_moment(term.created_at),
                term.answered,
            )
            for term in found
        ]
    )
