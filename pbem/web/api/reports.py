"""What your seat was told: the reports that were sent, and the news since."""

from pbem.service.pages import game_pages
from pbem.web.api import shapes
from pbem.web.api.guard import ApiRequest, ApiResponse, make_etag, with_etag
from pbem.web.api.plain import to_plain
from pbem.web.api.problems import ApiProblem
from pbem.web.presenter import Presenter


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
    made = make_etag(call, call.game, call.seat, "report", found.until)
    telling = Presenter(call.visit, found.frame, found.seen)
    view = to_plain(telling.view())
    return with_etag(shapes.Report(call.game, found.until, list(telling.events(found.events)), view), made)
