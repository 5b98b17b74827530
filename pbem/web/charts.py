"""Charts of a game's public figures, turn by turn, and the same as tables."""

from typing import Any

from flask import Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from engine.kernel.charts import Line, draw_chart
from engine.kernel.languages import Language
from engine.kernel.pictures import Theme
from pbem.service.resolver import turn_statistics
from pbem.service.resolver.turn_statistics import Series
from pbem.web.maps import THEMES
from pbem.web.site import PageRequest, render_page


def charts_page(visit: PageRequest) -> ResponseReturnValue:
    """All charts of a game, each with its table."""
    course = _load_series(visit)
    found = figures_of(course, visit.language)
    turn = course.turn.printed(visit.language).capitalize()
    return render_page(
        visit, "charts.html", turns=list(course.turns), turn_called=turn, figures=found, entry=course.entry
    )


def figures_of(course: Series, language: Language) -> list[dict[str, Any]]:
    """Every figure of which somebody has a number, with its name and its lines."""
    found: list[dict[str, Any]] = [
        {"id": figure, "name": words.printed(language), "lines": table_rows(course, figure, language)}
        for figure, words in course.rules.figures.items()
    ]
    return [one for one in found if any(n is not None for line in one["lines"] for n in line.numbers)]


def chart_image(visit: PageRequest) -> Response:
    """One of them as a picture, the first if none is named; the same for everybody who sees the table."""
    course = _load_series(visit)
    figure = request.args.get("figure", next(iter(course.rules.figures)))
    if figure not in course.rules.figures:
        raise NotFound
    theme = THEMES.get(request.args.get("theme", ""), Theme.AUTO)
    title = course.rules.figures[figure].printed(visit.language)
    drawn = draw_chart(title, list(course.turns), table_rows(course, figure, visit.language), visit.language, theme)
    answer = Response(drawn, mimetype="image/svg+xml")
    answer.set_etag(f"{visit.game}.{figure}.{course.entry}.{visit.language}.{theme}")
    answer.make_conditional(request)
    return answer


def _load_series(visit: PageRequest) -> Series:
    found = turn_statistics.load_series(visit.services, visit.game)
    if found is None:
        raise NotFound
    return found


def table_rows(course: Series, figure: str, language: Language) -> list[Line]:
    """A line for each seat, called by what it plays."""
    called = course.rules.labels(course.view, language)
    return [
        Line(called[seat], [course.turns[turn].get(figure, {}).get(seat) for turn in course.turns]) for seat in called
    ]
