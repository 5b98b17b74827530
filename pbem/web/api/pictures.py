"""The board as a picture."""

from engine.kernel.pictures import Draws, Theme
from pbem.service import history
from pbem.web.api import shapes
from pbem.web.api.guard import Call, Reply, tag
from pbem.web.api.problems import Trouble

THEMES = {"auto": Theme.AUTO, "light": Theme.LIGHT, "dark": Theme.DARK}


def board(call: Call) -> Reply:
    """Your view of the board as SVG; what has changed since your last report but one is marked."""
    asked = call.query(shapes.Drawing)
    found = history.board(call.visit.office, call.user, call.game, call.seat, asked.entry or None)
    if found is None or not isinstance(found.rules, Draws):
        raise Trouble("not_found")
    draws, view = found.rules, found.view
    if asked.crop and asked.crop not in draws.crops(view):
        raise Trouble("not_found")
    made = tag(call, call.game, found.viewer, "map", found.entry, found.since, asked.crop, asked.theme)
    drawn = draws.picture(view, call.visit.language, since=found.before, theme=THEMES[asked.theme], crop=asked.crop)
    return Reply(str(drawn).encode(), headers={"ETag": made})
