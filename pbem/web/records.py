"""Finished games: a list to search, and each of them entry by entry, as every seat saw it then."""

from typing import Any

from flask import Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from pbem.service import archive, records
from pbem.web.site import Visit, page
from pbem.web.telling import Telling, moment

MOST_WORDS = 100


def listed(visit: Visit) -> ResponseReturnValue:
    """The finished games that one may look at, by the words that were asked for."""
    wanted = request.args.get("q", "")[:MOST_WORDS]
    found = [
        {
            "game": game,
            "title": visit.office.rules(game.title).meta.title.shown(visit.language),
            "ended": moment(game.ended, visit.zone, visit.language) if game.ended is not None else "",
        }
        for game in records.finished(visit.office, visit.me.id, wanted)
    ]
    return page(visit, "records.html", found=found, wanted=wanted)


def last(visit: Visit) -> ResponseReturnValue:
    """How a game ended, as everybody saw it."""
    return _then(visit, records.then(visit.office, visit.me.id, visit.game))


def then(visit: Visit, viewer: str, entry: int) -> ResponseReturnValue:
    """One entry, as one viewer saw it."""
    return _then(visit, records.then(visit.office, visit.me.id, visit.game, viewer, entry))


def file(visit: Visit) -> ResponseReturnValue:
    """The game as a file that anybody can check without us."""
    blob = archive.kept(visit.office, visit.game)
    if blob is None:
        raise NotFound
    response = Response(blob, mimetype="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename=f"{visit.game}.zip")
    return response


def _then(visit: Visit, found: records.Then | None) -> ResponseReturnValue:
    if found is None:
        raise NotFound
    shown = found.page
    facts: dict[str, Any] = {"then": found, "shown": shown, "told": Telling(visit, shown.frame, shown.seen)}
    return page(visit, "record.html", board=f"boards/{shown.meta.name}.html", **facts)
