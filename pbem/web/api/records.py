"""The past: finished games to search and to look at as every seat saw them, entries of a running one, and figures."""

from collections.abc import Iterable

from engine.kernel.names import PUBLIC
from engine.kernel.searching import searched
from pbem.service.base.parts import Part
from pbem.service.records import archive, finished_games, history, search, statistics
from pbem.web.api import shapes_records as s
from pbem.web.api.guard import Call, Reply
from pbem.web.api.plain import at_or_never, plain
from pbem.web.api.problems import Trouble
from pbem.web.presenter import Presenter

MOST, MOST_ENTRIES = 100, 200
"""Games, and entries, in one answer."""


def listed(call: Call) -> s.Records:
    """Finished games that you may look at, by the words that were asked for."""
    asked, only, services = call.query(s.Wanted), call.bearer.game, call.visit.services
    part = Part(asked.leave_out, MOST)
    found = search.find(services, call.user, call.visit.language, searched(asked.q), part, only)
    return s.Records([_card(call, match) for match in found.rows], found.onward)


def _card(call: Call, match: search.Match) -> s.RecordCard:
    game = match.game
    title = call.visit.services.called(game.rules, call.visit.language)
    return s.RecordCard(
        game.game,
        game.rules,
        title,
        game.title,
        list(game.players),
        game.entries,
        at_or_never(game.ended),
        game.archived,
        list(match.entries),
    )


def last(call: Call) -> s.Record:
    """How a game ended, as everybody saw it."""
    return _record(call, finished_games.then(call.visit.services, call.user, call.game, PUBLIC, None))


def then(call: Call) -> s.Record:
    """One entry, as one viewer saw it."""
    return _record(
        call, finished_games.then(call.visit.services, call.user, call.game, call.at["viewer"], call.at["entry"])
    )


def _record(call: Call, found: finished_games.Then | None) -> s.Record:
    if found is None:
        raise Trouble("not_found")
    telling = Presenter(call.visit, found.page.frame, found.page.seen)
    return s.Record(
        call.game,
        found.entry,
        found.viewer,
        list(found.viewers),
        found.earlier,
        found.later,
        list(telling.events(found.page.events)),
        plain(found.page.view),
    )


def file(call: Call) -> Reply:
    """The game as a file that anybody can check without this server."""
    blob = archive.kept(call.visit.services, call.game)
    if blob is None:
        raise Trouble("not_found")
    return Reply(blob, headers={"Content-Disposition": f'attachment; filename="{call.game}.zip"'})


# --- a game under way


def entries(call: Call) -> s.History:
    """The entries after which your seat was shown something."""
    before = call.query(s.Earlier).before
    found = history.entries(call.visit.services, call.user, call.game, call.seat, before, MOST_ENTRIES + 1)
    shown = list(found[:MOST_ENTRIES])
    now = call.visit.place.entry if call.visit.place is not None else 0
    return s.History(call.game, now, shown, shown[-1] if len(found) > MOST_ENTRIES else 0)


def past(call: Call) -> s.Record:
    """The game as your seat was shown it at an entry, or last before it."""
    return _record(call, history.then(call.visit.services, call.user, call.game, call.seat, call.at["entry"]))


# --- figures over all


def figures(call: Call) -> s.Figures:
    """Players and powers over finished games."""
    found = statistics.figures(call.visit.services, call.user)
    players = [s.Standings(one.name, one.games, one.firsts, one.place, one.points, one.share) for one in found.players]
    return s.Figures(players, list(_powers(call, found.powers)))


def _powers(call: Call, found: Iterable[statistics.Line]) -> Iterable[s.PowerStandings]:
    for one in found:
        kind, _, thing = one.name.partition(":")
        title = str(call.visit.site.narrate(one.rules, call.visit.language).name(kind, thing))
        yield s.PowerStandings(title, one.rules, one.games, one.firsts, one.place, one.points)
