"""The board as a picture: for the page's script, for browsers without scripts, and to look at alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import Response, request
from werkzeug.exceptions import NotFound

from engine.kernel.languages import Language
from engine.kernel.panels import HasLegend
from engine.kernel.pictures import DrawsBoard, Theme
from engine.kernel.rules import View
from engine.kernel.samples import WHOLE
from engine.kernel.zones import HasZones
from pbem.service.archive import library
from pbem.web.differences import hash_pieces
from pbem.web.form_input import parse_number
from pbem.web.site import PageRequest


@dataclass(frozen=True)
class MapPart:
    """A part of a board on a page: its name in an address, its title, its window, whether it concerns the reader."""

    name: str
    title: str
    box: str
    concerns: bool


def crop_windows(rules: object, view: View, language: Language) -> Sequence[MapPart]:
    """The parts of a board that are legible on a phone, first those that concern the reader; none where all is."""
    found = rules.crops(view) if isinstance(rules, DrawsBoard) else {}
    titles = {name: part.words.printed(language) for name, part in found.items()}
    return [
        MapPart(name, titles[name][:1].upper() + titles[name][1:], " ".join(map(str, part.box)), part.weight > 0)
        for name, part in found.items()
        if name != WHOLE
    ]


def draw_map(rules: object, view: View, language: Language) -> Mapping[str, object]:
    """What a page needs that shows a board from the past: whether there is one, its parts, its zones."""
    shown, zones = isinstance(rules, DrawsBoard), isinstance(rules, HasZones)
    return {"drawn": shown, "parts": crop_windows(rules, view, language), "zones": zones}


THEMES = {"light": Theme.LIGHT, "dark": Theme.DARK}


def seat_map(visit: PageRequest) -> Response:
    """One's own view of the board; what has changed since one's last letter but one is marked.

    `entry`: how it stood then.  `crop`: a part of it.  `live`: to choose places from.  `theme`: light or dark paper.
    `legend`: what its signs mean, and nothing of the board.
    Each is drawn once for each reader and entry, and then kept.
    """
    latest = visit.membership.entry if visit.membership is not None else 0
    theme = THEMES.get(request.args.get("theme", ""), Theme.AUTO)
    crop, live = request.args.get("crop", "")[:40], "live" in request.args
    entry = min(parse_number(request.args, "entry", latest), latest)
    if "legend" in request.args:
        key = ("legend", visit.game, entry, visit.me.id, visit.seat, visit.language, theme)
        shown = str(visit.site.fragments.get_or_create(key, lambda: _draw_legend(visit, entry, theme)))
    else:
        shown = str(_cached(visit, entry, theme, crop, live=live))
    answer = Response(shown, mimetype="image/svg+xml")
    answer.set_etag(hash_pieces(shown))
    answer.make_conditional(request)
    return answer


def load_live_board(visit: PageRequest, entry: int) -> str:
    """The board to choose places from, as the page's script has fetched it."""
    return str(_cached(visit, entry, Theme.AUTO, "", live=True))


def _cached(visit: PageRequest, entry: int, theme: Theme, crop: str, *, live: bool) -> str:
    key = ("map", visit.game, entry, visit.me.id, visit.seat, visit.language, theme, crop, live)
    return visit.site.fragments.get_or_create(key, lambda: _draw(visit, entry, theme, crop, live=live))


def _draw(visit: PageRequest, entry: int, theme: Theme, crop: str, *, live: bool) -> str:
    found = library.load_board(visit.services, visit.me.id, visit.game, visit.seat, entry)
    if found is None or not isinstance(found.rules, DrawsBoard):
        raise NotFound
    if crop and crop not in found.rules.crops(found.view):
        raise NotFound
    return found.rules.draw(found.view, visit.language, since=found.before, theme=theme, crop=crop, live=live)


def _draw_legend(visit: PageRequest, entry: int, theme: Theme) -> str:
    found = library.load_board(visit.services, visit.me.id, visit.game, visit.seat, entry)
    if found is None or not isinstance(found.rules, HasLegend):
        raise NotFound
    return found.rules.legend(found.view, visit.language, theme)
