"""The past: finished games to search and to look at as every seat saw them, entries of a running one, and figures."""

from collections.abc import Iterable

from engine.kernel.spelling import search_terms
from engine.kernel.viewers import PUBLIC
from pbem.service.archive import files, library, search
from pbem.service.base.database_access import PageWindow
from pbem.web.api import shapes_records as s
from pbem.web.api.guard import ApiRequest, ApiResponse
from pbem.web.api.plain import to_optional_moment, to_plain
from pbem.web.api.problems import ApiProblem
from pbem.web.presenter import Presenter

MAX_GAMES, MOST_ENTRIES = 100, 200
"""Games, and entries, in one answer."""


def list_archive(call: ApiRequest) -> s.Records:
    """Finished games that you may look at, by the words that were asked for."""
    asked, only, services = call.query(s.ArchiveQuery), call.client.game, call.visit.services
    part = PageWindow(asked.leave_out, MAX_GAMES)
    found = search.search(services, call.user, call.visit.language, search_terms(asked.q), part, only)
    return s.Records([_to_card(call, match) for match in found.rows], found.next_offset)


def _to_card(call: ApiRequest, match: search.Match) -> s.RecordCard:
    game = match.game
    title = call.visit.services.game_title(game.rules, call.visit.language)
    return s.RecordCard(
        game.game,
        game.rules,
        title,
        game.title,
        list(game.players),
        game.entries,
        to_optional_moment(game.ended),
        game.archived,
        list(match.entries),
    )


def get_archived_game(call: ApiRequest) -> s.Record:
    """How a game ended, as everybody saw it."""
    return _to_record(call, library.load_entry(call.visit.services, call.user, call.game, PUBLIC, None))


def get_archived_entry(call: ApiRequest) -> s.Record:
    """One entry, as one viewer saw it."""
    return _to_record(
        call, library.load_entry(call.visit.services, call.user, call.game, call.at["viewer"], call.at["entry"])
    )


def _to_record(call: ApiRequest, found: library.EntryPage | None) -> s.Record:
    if found is None:
        raise ApiProblem("not_found")
    telling = Presenter(call.visit, found.page.frame, found.page.seen)
    return s.Record(
        call.game,
        found.entry,
        found.viewer,
        list(found.viewers),
        found.earlier,
        found.later,
        list(telling.events(found.page.events)),
        to_plain(found.page.view),
    )


def get_game_file(call: ApiRequest) -> ApiResponse:
    """The game as a file that anybody can check without this server."""
    blob = files.load_file(call.visit.services, call.game)
    if blob is None:
        raise ApiProblem("not_found")
    return ApiResponse(blob, headers={"Content-Disposition": f'attachment; filename="{call.game}.zip"'})


# --- a game under way


def list_entries(call: ApiRequest) -> s.History:
    """The entries after which your seat was shown something."""
    before = call.query(s.HistoryQuery).before
    found = library.list_entries(call.visit.services, call.user, call.game, call.seat, before, MOST_ENTRIES + 1)
    shown = list(found[:MOST_ENTRIES])
    now = call.visit.membership.entry if call.visit.membership is not None else 0
    return s.History(call.game, now, shown, shown[-1] if len(found) > MOST_ENTRIES else 0)


def get_past_entry(call: ApiRequest) -> s.Record:
    """The game as your seat was shown it at an entry, or last before it."""
    return _to_record(
        call, library.load_seat_entry(call.visit.services, call.user, call.game, call.seat, call.at["entry"])
    )


# --- figures over all


def get_statistics(call: ApiRequest) -> s.Figures:
    """Players and powers over finished games."""
    found = library.load_statistics(call.visit.services, call.user)
    players = [
        s.Standings(one.name, one.rules, one.games, one.firsts, one.place, one.points, one.share)
        for one in found.players
    ]
    return s.Figures(players, list(_to_powers(call, found.powers)))


def _to_powers(call: ApiRequest, found: Iterable[library.PlayerStats]) -> Iterable[s.PowerStandings]:
    for one in found:
        kind, _, thing = one.name.partition(":")
        title = str(call.visit.site.narrator_for(one.rules, call.visit.language).name(kind, thing))
        yield s.PowerStandings(title, one.rules, one.games, one.firsts, one.place, one.points)
