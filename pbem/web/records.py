"""Finished games: a list to search, and each of them entry by entry, as every seat saw it then."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from babel.numbers import format_decimal
from flask import Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from engine.kernel.odds import per_cent
from engine.kernel.searching import searched
from pbem.narration.manner import manner
from pbem.service.base.parts import WHOLE, Part
from pbem.service.records import archive, finished_games, search, statistics
from pbem.web import maps
from pbem.web.fields import part
from pbem.web.presenter import Presenter, moment
from pbem.web.site import PageVisit, board_of, page
from pbem.web.visitor import see

MOST_WORDS = 100
MOST_ENTRIES = 24
"""Entries of one game that the list of what was found names."""


def listed(visit: PageVisit) -> ResponseReturnValue:
    """The finished games that one may look at, by the words that were asked for: names, and what is told."""
    wanted = request.args.get("q", "")[:MOST_WORDS]
    matches = search.find(visit.services, visit.me.id, visit.language, searched(wanted), part())
    found = [
        {
            "game": match.game,
            "rules": visit.services.called(match.game.rules, visit.language),
            "ended": moment(match.game.ended, visit.zone, visit.language) if match.game.ended is not None else "",
            "entries": match.entries[:MOST_ENTRIES],
            "more": len(match.entries) > MOST_ENTRIES,
        }
        for match in matches.rows
    ]
    return page(visit, "records.html", found=found, onward=matches.onward, wanted=wanted)


def entry_page(visit: PageVisit, entry: int) -> ResponseReturnValue:
    """An entry as everybody saw it, or the next one that was shown: not every entry was."""
    shown = finished_games.shown_at(visit.services, visit.game, entry)
    if shown is None:
        raise NotFound
    return see(f"/records/{visit.game}/public/{shown}")


# --- figures


def figures(visit: PageVisit) -> ResponseReturnValue:
    """Players and powers over all that is finished."""
    found = _figures(visit, part())
    players, powers = (_rows(visit, lines) for lines in (found.players, found.powers))
    return page(visit, "figures.html", players=players, powers=powers, onward=found.onward)


def plain_figures(visit: PageVisit) -> ResponseReturnValue:
    """The same as text."""
    found = _figures(visit, WHOLE)
    heads = [visit.say(f"figures.{name}") for name in ("name", "games", "firsts", "place", "points", "on_time")]
    parts = [
        (visit.say("figures.players"), _rows(visit, found.players)),
        (visit.say("figures.powers"), [row[:-1] for row in _rows(visit, found.powers)]),
    ]
    text = "\n\n".join(f"{title}\n\n{_table([heads[: len(rows[0]) if rows else 1], *rows])}" for title, rows in parts)
    return Response(text + "\n", mimetype="text/plain")


def _figures(visit: PageVisit, part: Part) -> statistics.Figures:
    """The figures, powers called as the reader calls them."""
    found = statistics.figures(visit.services, visit.me.id, part)
    return replace(found, powers=tuple(replace(line, name=_power(visit, line)) for line in found.powers))


def _power(visit: PageVisit, line: statistics.Line) -> str:
    kind, _, thing = line.name.partition(":")
    title = visit.services.called(line.rules, visit.language)
    return f"{visit.site.narrate(line.rules, visit.language).name(kind, thing)} ({title})"


def _rows(visit: PageVisit, lines: Sequence[statistics.Line]) -> list[list[str]]:
    """What stands in a table of figures, as the reader's language writes numbers."""
    locale = manner(visit.language).locale
    return [
        [
            line.name,
            str(line.games),
            str(line.firsts),
            *(format_decimal(tenths / 10, "0.0", locale=locale) for tenths in (line.place, line.points)),
            per_cent(line.on_time, line.turns, visit.language) if line.turns else "",
        ]
        for line in lines
    ]


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Rows under each other, names to the left and numbers to the right; at most 72 columns, names cut to fit."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    widths[0] = min(widths[0], max(8, 72 - sum(widths[1:]) - 2 * len(widths[1:])))
    lines = (
        [row[0][: widths[0]].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        for row in rows
    )
    return "\n".join("  ".join(line).rstrip() for line in lines)


def last(visit: PageVisit) -> ResponseReturnValue:
    """How a game ended, as everybody saw it."""
    return _then(visit, finished_games.then(visit.services, visit.me.id, visit.game))


def then(visit: PageVisit, viewer: str, entry: int) -> ResponseReturnValue:
    """One entry, as one viewer saw it."""
    return _then(visit, finished_games.then(visit.services, visit.me.id, visit.game, viewer, entry))


def file(visit: PageVisit) -> ResponseReturnValue:
    """The game as a file that anybody can check without us."""
    blob = archive.kept(visit.services, visit.game)
    if blob is None:
        raise NotFound
    response = Response(blob, mimetype="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename=f"{visit.game}.zip")
    return response


def _then(visit: PageVisit, found: finished_games.Then | None) -> ResponseReturnValue:
    if found is None:
        raise NotFound
    shown = found.page
    facts: dict[str, Any] = {"then": found, "shown": shown, "told": Presenter(visit, shown.frame, shown.seen)}
    facts |= maps.drawn(visit.services.rules(shown.meta.name), shown.view, visit.language)
    return page(visit, "record.html", board=board_of(shown.meta.name), **facts)
