"""The board as a picture, and charts of what everybody can count: SVG, drawn as on the pages and kept with theirs."""

from collections.abc import Callable

from engine.kernel.charts import draw_chart
from engine.kernel.pictures import DrawsBoard, Theme
from pbem.service.archive import library
from pbem.service.archive.library import BoardAt
from pbem.service.resolver import turn_statistics
from pbem.web.api import shapes
from pbem.web.api import shapes_records as s
from pbem.web.api.guard import ApiRequest, ApiResponse, make_etag, with_etag
from pbem.web.api.problems import ApiProblem
from pbem.web.charts import table_rows

THEMES = {"auto": Theme.AUTO, "light": Theme.LIGHT, "dark": Theme.DARK}


def get_own_board(call: ApiRequest) -> ApiResponse:
    """Your view of the board; what has changed since your last report but one is marked."""
    asked = call.query(shapes.BoardQuery)
    found = library.load_board(call.visit.services, call.user, call.game, call.seat, asked.entry or None)
    return _draw(call, found, "map", asked.theme, asked.crop)


def get_public_board(call: ApiRequest) -> ApiResponse:
    """The board as everybody sees it."""
    asked = call.query(shapes.ArchivedBoardQuery)
    return _draw(call, library.public_board(call.visit.services, call.game), "board", asked.theme, asked.crop)


def get_archived_board(call: ApiRequest) -> ApiResponse:
    """The board of a finished game after an entry, as one viewer saw it; what had changed is marked."""
    asked = call.query(shapes.ArchivedBoardQuery)
    found = library.archived_board(call.visit.services, call.game, call.at["viewer"], call.at["entry"])
    return _draw(call, found, "recorded", asked.theme, asked.crop)


def _draw(call: ApiRequest, found: BoardAt | None, what: str, theme: str, crop: str) -> ApiResponse:
    """Draw a picture, once for each reader, view and language.  Raises ApiProblem where there is no such picture."""
    if found is None or not isinstance(found.rules, DrawsBoard):
        raise ApiProblem("not_found")
    draws, view = found.rules, found.view
    if crop and crop not in draws.crops(view):
        raise ApiProblem("not_found")
    place = (call.game, found.viewer, found.entry, found.since, crop, theme)
    made = make_etag(call, what, *place)
    language = call.visit.language
    return _cached(
        call,
        ("api", what, call.user, language, *place),
        made,
        lambda: draws.draw(view, language, since=found.before, theme=THEMES[theme], crop=crop),
    )


def _cached(call: ApiRequest, key: tuple[object, ...], made: str, draw: Callable[[], str]) -> ApiResponse:
    return ApiResponse(str(call.visit.site.fragments.get_or_create(key, draw)).encode(), headers={"ETag": made})


# --- figures


def get_series(call: ApiRequest) -> ApiResponse:
    """The public figures of the game, turn by turn."""
    course = turn_statistics.load_series(call.visit.services, call.game)
    if course is None:
        return ApiResponse(
            s.Series(call.game, call.visit.membership.entry if call.visit.membership is not None else 0, [], [])
        )
    made = make_etag(call, call.game, "figures", course.entry)
    language = call.visit.language
    seats = list(course.rules.labels(course.view, language))
    found = [
        s.Figure(
            name,
            words.printed(language),
            [
                s.Count(seat, line.called.name, list(line.numbers))
                for seat, line in zip(seats, table_rows(course, name, language), strict=True)
            ],
        )
        for name, words in course.rules.figures.items()
    ]
    return with_etag(s.Series(call.game, course.entry, list(course.turns), found), made)


def get_chart(call: ApiRequest) -> ApiResponse:
    """One of them as a chart, the first if none is named."""
    asked, course = call.query(shapes.ChartQuery), turn_statistics.load_series(call.visit.services, call.game)
    if course is None:
        raise ApiProblem("not_found")
    figure = asked.figure or next(iter(course.rules.figures))
    if figure not in course.rules.figures:
        raise ApiProblem("not_found")
    language = call.visit.language
    place = (call.game, figure, course.entry, asked.theme)
    title = course.rules.figures[figure].printed(language)
    made = make_etag(call, "plot", *place)
    return _cached(
        call,
        ("api", "plot", call.user, language, *place),
        made,
        lambda: draw_chart(
            title, list(course.turns), table_rows(course, figure, language), language, THEMES[asked.theme]
        ),
    )
