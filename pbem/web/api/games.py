"""A table: who sits there, what is awaited, what everybody sees and what you see."""

from engine.kernel.names import PUBLIC
from pbem.service.pages import feeds, outline
from pbem.web.api import shapes
from pbem.web.api.guard import Call, Reply, tag, tagged
from pbem.web.api.plain import duties, moment, plain, seats
from pbem.web.api.problems import Trouble
from pbem.web.presenter import Presenter


def game(call: Call) -> shapes.TableDetails:
    """The table in a few lines."""
    place = call.visit.place
    found = outline.outline(call.visit.services, call.user, call.game, place.seat if place is not None else None)
    telling = Presenter(call.visit, found.frame, found.seen) if found.seen is not None else None
    waits = found.frame.table.waits
    chairs = [
        shapes.Chair(seat, telling.who(seat) if telling is not None else "", player) for seat, player in found.players
    ]
    return shapes.TableDetails(
        call.game,
        found.meta.name,
        found.meta.version,
        found.meta.title.printed(call.visit.language),
        found.frame.table.title,
        found.state,
        found.frame.entry,
        found.frame.digest,
        chairs,
        place.seat if place is not None else None,
        seats(found.awaited),
        duties(telling, found.owed) if telling is not None else [],
        found.options,
        shapes.BeaconRound(waits.round, moment(waits.due)) if waits is not None else None,
    )


def public(call: Call) -> Reply:
    """The table as everybody sees it."""
    return _board_reply(call, PUBLIC)


def mine(call: Call) -> Reply:
    """The table as your seat sees it: your hand, your prices, your odds."""
    return _board_reply(call, call.seat)


def _board_reply(call: Call, viewer: str) -> Reply:
    made = tag(call, call.game, viewer, "view", outline.entry_of(call.visit.services, call.game))
    found = outline.seen(call.visit.services, call.game, viewer)
    return tagged(shapes.Shown(call.game, found.entry, viewer, plain(found.view)), made)


def feed(call: Call) -> Reply:
    """The last entries as everybody was told them."""
    made = tag(call, call.game, "feed", outline.entry_of(call.visit.services, call.game))
    found = feeds.chronicle_for(call.visit.services, call.user, call.game)
    if found is None:
        raise Trouble("not_found")
    telling = Presenter(call.visit, found.frame, found.seen)  # type: ignore[arg-type]
    told = [shapes.EntryStory(item.number, moment(item.made), list(telling.events(item.events))) for item in found.told]
    return tagged(shapes.Feed(call.game, found.frame.entry, told), made)
