"""What your seat was told: the reports that were sent, and the news since."""

from pbem.service.pages import game_pages
from pbem.web.api import shapes
from pbem.web.api.guard import Call, Reply, tag, tagged
from pbem.web.api.plain import plain
from pbem.web.api.problems import Trouble
from pbem.web.presenter import Presenter


def listed(call: Call) -> shapes.Reports:
    """Your reports, and what was told since the last one began."""
    found = game_pages.seat_story(call.visit.services, call.user, call.game, call.seat)
    telling = Presenter(call.visit, found.frame, found.seen)
    cards = [shapes.ReportCard(until, since) for since, until in found.reports]
    return shapes.Reports(call.game, found.frame.entry, cards, list(telling.events(found.events)))


def report(call: Call) -> Reply:
    """A report that was sent to you."""
    found = game_pages.report(call.visit.services, call.user, call.game, call.seat, call.at["entry"])
    if found is None:
        raise Trouble("not_found")
    made = tag(call, call.game, call.seat, "report", found.until)
    telling = Presenter(call.visit, found.frame, found.seen)
    view = plain(telling.view())
    return tagged(shapes.Report(call.game, found.until, list(telling.events(found.events)), view), made)
