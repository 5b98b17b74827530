"""The board as a picture, and charts of what everybody can count: SVG, drawn as on the pages and kept with theirs."""

from collections.abc import Callable

from engine.kernel.pictures import Draws, Theme
from engine.kernel.plots import chart
from pbem.service.play import plots
from pbem.service.records import history
from pbem.service.records.history import Board
from pbem.web.api import shapes
from pbem.web.api import shapes_records as s
from pbem.web.api.guard import Call, Reply, tag, tagged
from pbem.web.api.problems import Trouble
from pbem.web.plots import rows

THEMES = {"auto": Theme.AUTO, "light": Theme.LIGHT, "dark": Theme.DARK}


def board(call: Call) -> Reply:
    """Your view of the board; what has changed since your last report but one is marked."""
    asked = call.query(shapes.Drawing)
    found = history.board(call.visit.services, call.user, call.game, call.seat, asked.entry or None)
    return _drawn(call, found, "map", asked.theme, asked.crop)


def common(call: Call) -> Reply:
    """The board as everybody sees it."""
    asked = call.query(shapes.Paper)
    return _drawn(call, history.everybodys(call.visit.services, call.game), "board", asked.theme, asked.crop)


def recorded(call: Call) -> Reply:
    """The board of a finished game after an entry, as one viewer saw it; what had changed is marked."""
    asked = call.query(shapes.Paper)
    found = history.recorded(call.visit.services, call.game, call.at["viewer"], call.at["entry"])
    return _drawn(call, found, "recorded", asked.theme, asked.crop)


def _drawn(call: Call, found: Board | None, what: str, theme: str, crop: str) -> Reply:
    """Drawn once for each reader, view and language, and then kept.  Raises Trouble where there is no such picture."""
    if found is None or not isinstance(found.rules, Draws):
        raise Trouble("not_found")
    draws, view = found.rules, found.view
    if crop and crop not in draws.crops(view):
        raise Trouble("not_found")
    place = (call.game, found.viewer, found.entry, found.since, crop, theme)
    made = tag(call, what, *place)
    language = call.visit.language
    return _kept(
        call,
        ("api", what, call.user, language, *place),
        made,
        lambda: draws.picture(view, language, since=found.before, theme=THEMES[theme], crop=crop),
    )


def _kept(call: Call, key: tuple[object, ...], made: str, draw: Callable[[], str]) -> Reply:
    return Reply(str(call.visit.site.kept.get(key, draw)).encode(), headers={"ETag": made})


# --- figures


def figures(call: Call) -> Reply:
    """The public figures of the game, turn by turn."""
    course = plots.course(call.visit.services, call.game)
    if course is None:
        return Reply(s.Course(call.game, call.visit.place.entry if call.visit.place is not None else 0, [], []))
    made = tag(call, call.game, "figures", course.entry)
    language = call.visit.language
    seats = list(course.rules.called(course.view, language))
    found = [
        s.Figure(
            name,
            words.printed(language),
            [
                s.Count(seat, line.called.name, list(line.numbers))
                for seat, line in zip(seats, rows(course, name, language), strict=True)
            ],
        )
        for name, words in course.rules.figures.items()
    ]
    return tagged(s.Course(call.game, course.entry, list(course.turns), found), made)


def plot(call: Call) -> Reply:
    """One of them as a chart, the first if none is named."""
    asked, course = call.query(shapes.Charted), plots.course(call.visit.services, call.game)
    if course is None:
        raise Trouble("not_found")
    figure = asked.figure or next(iter(course.rules.figures))
    if figure not in course.rules.figures:
        raise Trouble("not_found")
    language = call.visit.language
    place = (call.game, figure, course.entry, asked.theme)
    title = course.rules.figures[figure].printed(language)
    made = tag(call, "plot", *place)
    return _kept(
        call,
        ("api", "plot", call.user, language, *place),
        made,
        lambda: chart(title, list(course.turns), rows(course, figure, language), language, THEMES[asked.theme]),
    )
