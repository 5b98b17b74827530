"""The board as everybody sees it, and as anybody saw it in a game that is over."""

from flask import Response, request
from werkzeug.exceptions import NotFound

from engine.kernel.pictures import DrawsBoard, Theme
from pbem.service.archive import library
from pbem.service.archive.library import BoardAt
from pbem.web.maps import THEMES
from pbem.web.site import PageRequest


def public_board(visit: PageRequest) -> Response:
    """The board as everybody sees it."""
    return svg_response(visit, visit.game, library.public_board(visit.services, visit.game))


def archived_board(visit: PageRequest, viewer: str, entry: int) -> Response:
    """The board of a finished game after an entry, as one viewer saw it; what had changed is marked."""
    return svg_response(visit, visit.game, library.archived_board(visit.services, visit.game, viewer, entry))


def svg_response(visit: PageRequest, game: str, found: BoardAt | None) -> Response:
    """The picture, drawn once for each view and language, and then kept; `live`: with the names of its places."""
    if found is None or not isinstance(found.rules, DrawsBoard):
        raise NotFound
    theme, crop = THEMES.get(request.args.get("theme", ""), Theme.AUTO), request.args.get("crop", "")[:40]
    if crop and crop not in found.rules.crops(found.view):
        raise NotFound
    live = "live" in request.args
    place = (game, found.viewer, found.entry, found.since, visit.language, theme, crop, live)
    drawn = visit.site.fragments.get_or_create(("board", *place), lambda: _draw(found, visit, theme, crop, live=live))
    answer = Response(str(drawn), mimetype="image/svg+xml")
    answer.set_etag(".".join(map(str, place)))
    answer.make_conditional(request)
    return answer


def _draw(found: BoardAt, visit: PageRequest, theme: Theme, crop: str, *, live: bool) -> str:
    if not isinstance(found.rules, DrawsBoard):
        raise NotFound
    return found.rules.draw(found.view, visit.language, since=found.before, theme=theme, crop=crop, live=live)
