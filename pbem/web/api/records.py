"""Finished games: to search, to look at entry by entry as every seat saw them, to take home as a file."""

from engine.kernel.names import PUBLIC
from pbem.service import archive, records
from pbem.web.api import shapes
from pbem.web.api.guard import Call, Reply
from pbem.web.api.plain import at_or_never, plain
from pbem.web.api.problems import Trouble
from pbem.web.telling import Telling


def listed(call: Call) -> shapes.Records:
    """Finished games that you may look at."""
    office, only = call.visit.office, call.bearer.game
    found = records.finished(office, call.user, call.query(shapes.Wanted).q)
    return shapes.Records([_card(call, game) for game in found if only in ("", game.game)])


def _card(call: Call, game: records.Finished) -> shapes.RecordCard:
    title = call.visit.office.rules(game.title).meta.title.shown(call.visit.language)
    return shapes.RecordCard(game.game, game.title, title, game.name, list(game.players), game.entries,
                             at_or_never(game.ended), game.archived)  # fmt: skip


def last(call: Call) -> shapes.Record:
    """How a game ended, as everybody saw it."""
    return _record(call, PUBLIC, None)


def then(call: Call) -> shapes.Record:
    """One entry, as one viewer saw it."""
    return _record(call, call.at["viewer"], call.at["entry"])


def _record(call: Call, viewer: str, entry: int | None) -> shapes.Record:
    found = records.then(call.visit.office, call.user, call.game, viewer, entry)
    if found is None:
        raise Trouble("not_found")
    telling = Telling(call.visit, found.page.frame, found.page.seen)
    return shapes.Record(call.game, found.entry, found.viewer, list(found.viewers), found.earlier, found.later,
                         list(telling.events(found.page.events)), plain(found.page.view))  # fmt: skip


def file(call: Call) -> Reply:
    """The game as a file that anybody can check without this server."""
    blob = archive.kept(call.visit.office, call.game)
    if blob is None:
        raise Trouble("not_found")
    return Reply(blob, headers={"Content-Disposition": f'attachment; filename="{call.game}.zip"'})
