"""What a stranger sees: each game with a real board, tables that look for players, and a practice table to try one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from engine.kernel import samples
from engine.kernel.pictures import DrawsBoard, Theme
from engine.kernel.rules import Meta
from pbem.narration.folders import load_about
from pbem.narration.text_cleanup import fix_all_spaces
from pbem.service.base.services import RequestRefused
from pbem.service.pages import game_pages
from pbem.service.seats import bots, open_tables
from pbem.web import auth, rates
from pbem.web.access import redirect_to
from pbem.web.form_input import browser_zone
from pbem.web.maps import THEMES
from pbem.web.site import PageRequest, render_page


@dataclass(frozen=True)
class GameType:
    """A game as a stranger meets it; `about`: what its own file says, empty for a game that brings none."""

    meta: Meta
    about: Mapping[str, Any]
    picture: bool


def list_game_types(visit: PageRequest) -> Sequence[GameType]:
    """All games that can be played here."""
    return [load_game_type(visit, meta) for meta in game_pages.list_games(visit.services)]


def load_game_type(visit: PageRequest, meta: Meta) -> GameType:
    """One of them."""
    return GameType(meta, _about_text(visit, meta.name), isinstance(visit.services.rules(meta.name), DrawsBoard))


def _about_text(visit: PageRequest, title: str) -> Mapping[str, Any]:
    """What a game says of itself, its marks with the spaces that keep them from beginning a line."""
    told: Mapping[str, Any] = fix_all_spaces(load_about(title, visit.language), visit.language)
    return told


def welcome(visit: PageRequest, problem: str = "") -> str:
    """The page for a visitor who is not signed in."""
    offers = open_tables.list_open(visit.services, 0).rows
    return render_page(visit, "welcome.html", titles=list_game_types(visit), offers=offers, problem=problem)


def sample_board(visit: PageRequest, title: str) -> Response:
    """The board of a game between bots, as everybody would see it: the same for all, drawn once and kept."""
    rules = visit.services.installed.get(title)
    if rules is None or not isinstance(rules, DrawsBoard):
        raise NotFound
    theme = THEMES.get(request.args.get("theme", ""), Theme.AUTO)
    drawn = visit.site.samples.get_or_create(
        (title, visit.language, theme), lambda: samples.build_sample(rules, visit.language, theme)
    )
    return Response(str(drawn), mimetype="image/svg+xml")


def start_practice(visit: PageRequest) -> ResponseReturnValue:
    """Begin a practice table as a guest; who is signed in already has tables of their own."""
    if visit.person is not None:
        return redirect_to("/")
    title = request.form.get("game", "")
    name, table = visit.translate("practice.guest"), visit.translate("practice.table")
    try:
        user, game = bots.start_practice(
            visit.services, title, name, table, visit.language, rates.client_key(), browser_zone()
        )
    except RequestRefused as refused:
        return welcome(visit, visit.refusal(refused)), 409
    auth.start_session(visit, user)
    return redirect_to(f"/games/{game}")


def tutorial(visit: PageRequest, title: str) -> Mapping[str, Any]:
    """The first turn of a game for a guest; nothing for anybody else."""
    return _about_text(visit, title).get("first", {}) if visit.me.is_guest else {}
