"""The board as a picture: for the page's script, for whoever has none, and to look at alone."""

from flask import Response, request
from werkzeug.exceptions import NotFound

from engine.kernel.pictures import Draws, Theme
from pbem.service import history
from pbem.service.history import Board
from pbem.web.site import Visit

THEMES = {"light": Theme.LIGHT, "dark": Theme.DARK}


def board(visit: Visit) -> Response:
    """One's own view of the board; what has changed since one's last letter but one is marked.

    `entry`: how it stood then.  `crop`: a part of it.  `live`: to choose places from.  `theme`: light or dark paper.
    """
    entry = request.args.get("entry", "")
    wanted = int(entry) if entry.isascii() and entry.isdecimal() and len(entry) < 9 else None
    found = history.board(visit.office, visit.me.id, visit.game, visit.seat, wanted)
    if found is None or not isinstance(found.rules, Draws):
        raise NotFound
    return picture(visit, found, found.rules)


def picture(visit: Visit, found: Board, draws: Draws) -> Response:
    """The picture of a board, as the address asks for it; made once for each reader and entry."""
    theme = THEMES.get(request.args.get("theme", ""), Theme.AUTO)
    crop, live = request.args.get("crop", ""), "live" in request.args
    if crop and crop not in draws.crops(found.view):
        raise NotFound
    key = ("map", visit.game, found.entry, found.since, visit.me.id, found.viewer, visit.language, theme, crop, live)
    drawn = visit.site.kept.get(
        key,
        lambda: draws.picture(found.view, visit.language, since=found.before, theme=theme, crop=crop, live=live),
    )
    answer = Response(str(drawn), mimetype="image/svg+xml")
    answer.set_etag(f"{visit.game}.{found.viewer}.{found.entry}.{found.since}.{visit.language}")
    answer.make_conditional(request)
    return answer
