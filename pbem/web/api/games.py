"""A table: who sits there, what is awaited, what everybody sees, what you see, and what your seat was told."""

from engine.kernel.viewers import PUBLIC
from pbem.service.pages import feeds, game_pages, game_summary
from pbem.web.api import shapes
from pbem.web.api.guard import ApiRequest, ApiResponse, make_etag, with_etag
from pbem.web.api.plain import to_moment, to_plain, to_questions, to_seats
from pbem.web.api.problems import ApiProblem
from pbem.web.presenter import Presenter


def get_game(call: ApiRequest) -> shapes.TableDetails:
    """The table in a few lines."""
    place = call.visit.membership
    found = game_summary.load_summary(
        call.visit.services, call.user, call.game, place.seat if place is not None else None
    )
    telling = Presenter(call.visit, found.frame, found.seen) if found.seen is not None else None
    waits = found.frame.table.waits
    chairs = [
        shapes.SeatInfo(seat, telling.actor(seat) if telling is not None else "", player)
        for seat, player in found.players
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
        to_seats(found.pending),
        to_questions(telling, found.questions) if telling is not None else [],
        found.options,
        shapes.BeaconRound(waits.round, to_moment(waits.due)) if waits is not None else None,
    )


def get_public_view(call: ApiRequest) -> ApiResponse:
    """The table as everybody sees it."""
    return _board_reply(call, PUBLIC)


def get_own_view(call: ApiRequest) -> ApiResponse:
    """The table as your seat sees it: your hand, your prices, your odds."""
    return _board_reply(call, call.seat)


def _board_reply(call: ApiRequest, viewer: str) -> ApiResponse:
    made = make_etag(call, call.game, viewer, "view", game_summary.load_entry_number(call.visit.services, call.game))
    found = game_summary.load_view(call.visit.services, call.game, viewer)
    return with_etag(shapes.BoardView(call.game, found.entry, viewer, to_plain(found.view)), made)


def get_feed(call: ApiRequest) -> ApiResponse:
    """The last entries as everybody was told them."""
    made = make_etag(call, call.game, "feed", game_summary.load_entry_number(call.visit.services, call.game))
    found = feeds.load_feed_for(call.visit.services, call.user, call.game)
    if found is None:
        raise ApiProblem("not_found")
    telling = Presenter(call.visit, found.frame, found.seen)  # type: ignore[arg-type]
    told = [
        shapes.EntryStory(item.number, to_moment(item.created_at), list(telling.events(item.events)))
        for item in found.entries
    ]
    return with_etag(shapes.Feed(call.game, found.frame.entry, told), made)


def list_reports(call: ApiRequest) -> shapes.Reports:
    """Your reports, and what was told since the last one began."""
    found = game_pages.load_seat_story(call.visit.services, call.user, call.game, call.seat)
    telling = Presenter(call.visit, found.frame, found.seen)
    cards = [shapes.ReportCard(until, since) for since, until in found.reports]
    return shapes.Reports(call.game, found.frame.entry, cards, list(telling.events(found.events)))


def get_report(call: ApiRequest) -> ApiResponse:
    """A report that was sent to you."""
    found = game_pages.load_report(call.visit.services, call.user, call.game, call.seat, call.at["entry"])
    if found is None:
        raise ApiProblem("not_found")
    made = make_etag(call, call.game, call.seat, "report", found.to_entry)
    telling = Presenter(call.visit, found.frame, found.seen)
    view = to_plain(telling.view())
    return with_etag(shapes.Report(call.game, found.to_entry, list(telling.events(found.events)), view), made)
