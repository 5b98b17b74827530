"""Finished games: a list to search, and each of them entry by entry, as every seat saw it then."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from babel.numbers import format_decimal
from flask import Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from engine.kernel.odds import to_percent
from engine.kernel.spelling import search_terms
from pbem.narration.typography import load_typography
from pbem.service.archive import files, library, search
from pbem.service.base.database_access import ALL_ROWS, PageWindow
from pbem.web import maps
from pbem.web.access import redirect_to
from pbem.web.form_input import page_window
from pbem.web.presenter import Presenter
from pbem.web.site import PageRequest, board_template, render_page

MOST_WORDS = 100
MOST_ENTRIES = 24
"""Entries of one game that the list of what was found names."""


def list_archive(visit: PageRequest) -> ResponseReturnValue:
    """The finished games that one may look at, by the words that were asked for: names, and what is told."""
    wanted = request.args.get("q", "")[:MOST_WORDS]
    matches = search.search(visit.services, visit.me.id, visit.language, search_terms(wanted), page_window())
    found = [
        {
            "game": match.game,
            "rules": visit.services.game_title(match.game.rules, visit.language),
            "ended": visit.moment(match.game.ended) if match.game.ended is not None else "",
            "entries": match.entries[:MOST_ENTRIES],
            "more": len(match.entries) > MOST_ENTRIES,
        }
        for match in matches.rows
    ]
    return render_page(visit, "archive.html", found=found, onward=matches.next_offset, wanted=wanted)


def archived_entry(visit: PageRequest, entry: int) -> ResponseReturnValue:
    """An entry as everybody saw it, or the next one that was shown: not every entry was."""
    shown = library.next_visible_entry(visit.services, visit.game, entry)
    if shown is None:
        raise NotFound
    return redirect_to(f"/records/{visit.game}/public/{shown}")


# --- figures


def statistics_page(visit: PageRequest) -> ResponseReturnValue:
    """Players and powers over all that is finished, game by game."""
    found = _load_statistics(visit, page_window())
    players, powers = (_tables_of(visit, lines) for lines in (found.players, found.powers))
    return render_page(visit, "statistics.html", players=players, powers=powers, onward=found.next_offset)


def plain_statistics(visit: PageRequest) -> ResponseReturnValue:
    """The same as text."""
    found = _load_statistics(visit, ALL_ROWS)
    heads = [visit.translate(f"figures.{name}") for name in ("name", "games", "firsts", "place", "points", "on_time")]
    parts = []
    for kind, lines in (("players", found.players), ("powers", found.powers)):
        for title, rows in _tables_of(visit, lines):
            shown = rows if kind == "players" else [row[:-1] for row in rows]
            table = _text_table([heads[: len(shown[0])], *shown])
            parts.append(f"{visit.translate(f'figures.{kind}')} · {title}\n\n{table}")
    return Response("\n\n".join(parts) + "\n", mimetype="text/plain")


def _tables_of(visit: PageRequest, lines: Sequence[library.PlayerStats]) -> list[tuple[str, list[list[str]]]]:
    """A table for each game, under its title."""
    return [
        (visit.services.game_title(rules, visit.language), _table_rows(visit, list(one)))
        for rules, one in groupby(lines, key=lambda line: line.rules)
    ]


def _load_statistics(visit: PageRequest, part: PageWindow) -> library.Statistics:
    """The figures, powers called as the reader calls them."""
    found = library.load_statistics(visit.services, visit.me.id, part)
    return replace(found, powers=tuple(replace(line, name=_power_title(visit, line)) for line in found.powers))


def _power_title(visit: PageRequest, line: library.PlayerStats) -> str:
    kind, _, thing = line.name.partition(":")
    return str(visit.site.narrator_for(line.rules, visit.language).name(kind, thing))


def _table_rows(visit: PageRequest, lines: Sequence[library.PlayerStats]) -> list[list[str]]:
    """What stands in a table of figures, as the reader's language writes numbers."""
    locale = load_typography(visit.language).locale
    return [
        [
            line.name,
            str(line.games),
            str(line.firsts),
            *(format_decimal(tenths / 10, "0.0", locale=locale) for tenths in (line.place, line.points)),
            to_percent(line.on_time, line.turns, visit.language) if line.turns else "",
        ]
        for line in lines
    ]


def _text_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows under each other, names to the left and numbers to the right; at most 72 columns, names cut to fit."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    widths[0] = min(widths[0], max(8, 72 - sum(widths[1:]) - 2 * len(widths[1:])))
    lines = (
        [row[0][: widths[0]].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        for row in rows
    )
    return "\n".join("  ".join(line).rstrip() for line in lines)


def last_archived_entry(visit: PageRequest) -> ResponseReturnValue:
    """How a game ended, as everybody saw it."""
    return _archived_page(visit, library.load_entry(visit.services, visit.me.id, visit.game))


def archived_view(visit: PageRequest, viewer: str, entry: int) -> ResponseReturnValue:
    """One entry, as one viewer saw it."""
    return _archived_page(visit, library.load_entry(visit.services, visit.me.id, visit.game, viewer, entry))


def download_file(visit: PageRequest) -> ResponseReturnValue:
    """The game as a file that anybody can check without us."""
    blob = files.load_file(visit.services, visit.game)
    if blob is None:
        raise NotFound
    response = Response(blob, mimetype="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename=f"{visit.game}.zip")
    return response


def _archived_page(visit: PageRequest, found: library.EntryPage | None) -> ResponseReturnValue:
    if found is None:
        raise NotFound
    shown = found.page
    facts: dict[str, Any] = {"then": found, "shown": shown, "told": Presenter(visit, shown.frame, shown.seen)}
    facts |= maps.draw_map(visit.services.rules(shown.meta.name), shown.view, visit.language)
    return render_page(visit, "record.html", board=board_template(shown.meta.name), **facts)
