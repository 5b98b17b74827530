"""What a stranger sees: each game with a real board, tables that look for players, and a practice table to try one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from engine.kernel import samples
from engine.kernel.covers import HasCover
from engine.kernel.pictures import DrawsBoard, Theme
from engine.kernel.rules import Meta, Rules
from pbem.narration.folders import load_about
from pbem.narration.text_cleanup import fix_all_spaces
from pbem.service.archive import library
from pbem.service.base.services import RequestRefused
from pbem.service.pages import game_pages
from pbem.service.seats import bots, open_tables
from pbem.web import auth, boards, maps, rates
from pbem.web.access import redirect_to
from pbem.web.form_input import browser_zone
from pbem.web.maps import THEMES
from pbem.web.presenter import Presenter
from pbem.web.site import PageRequest, board_template, render_page


@dataclass(frozen=True)
class GameType:
    """A game as a stranger meets it; `about`: what its own file says, empty for a game that brings none.

    `picture`: the address of what stands for it in a list, empty for none.  `board`: whether it draws one.
    """

    meta: Meta
    about: Mapping[str, Any]
    picture: str
    board: bool


def list_game_types(visit: PageRequest) -> Sequence[GameType]:
    """All games that can be played here."""
    return [load_game_type(visit, meta) for meta in game_pages.list_games(visit.services)]


def load_game_type(visit: PageRequest, meta: Meta) -> GameType:
    """One of them."""
    rules = visit.services.rules(meta.name)
    return GameType(meta, _about_text(visit, meta.name), picture_of(rules, meta.name), isinstance(rules, DrawsBoard))


def picture_of(rules: Rules[Any] | None, title: str) -> str:
    """Return the address of the picture that stands for a game; empty for one that draws nothing."""
    drawn = rules is not None and isinstance(rules, (HasCover, DrawsBoard))
    return f"/game-types/{title}/cover.svg" if drawn else ""


def _about_text(visit: PageRequest, title: str) -> Mapping[str, Any]:
    """What a game says of itself, its marks with the spaces that keep them from beginning a line."""
    told: Mapping[str, Any] = fix_all_spaces(load_about(title, visit.language), visit.language)
    return told


def welcome(visit: PageRequest, problem: str = "") -> str:
    """The page for a visitor who is not signed in."""
    offers = open_tables.list_open(visit.services, 0).rows
    show = bots.find_show_game(visit.services)
    called = visit.services.game_title(show.rules, visit.language) if show is not None else ""
    facts = {"titles": list_game_types(visit), "offers": offers, "show": show, "show_title": called}
    return render_page(visit, "welcome.html", problem=problem, **facts)


def watch(visit: PageRequest) -> ResponseReturnValue:
    """The table that bots play for everybody who looks on."""
    show = bots.find_show_game(visit.services)
    if show is None:
        return redirect_to("/")
    shown = game_pages.load_public_page(visit.services, show.host_id, show.game, "")
    rules = visit.services.rules(shown.meta.name)
    facts: dict[str, Any] = {
        "shown": shown,
        "told": Presenter(visit, shown.frame, shown.seen),
        "board": board_template(shown.meta.name),
        "drawn": isinstance(rules, DrawsBoard),
        "parts": maps.crop_windows(rules, shown.view, visit.language),
    }
    return render_page(visit, "watch.html", **facts)


def watched_board(visit: PageRequest) -> Response:
    """Its board."""
    show = bots.find_show_game(visit.services)
    if show is None:
        return redirect_to("/")
    return boards.svg_response(visit, show.game, library.public_board(visit.services, show.game))


def game_cover(visit: PageRequest, title: str) -> Response:
    """The cover of a game, or else its board."""
    rules = visit.services.installed.get(title)
    if rules is None or not isinstance(rules, HasCover):
        return sample_board(visit, title)
    return Response(rules.cover(), mimetype="image/svg+xml")


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
    """Begin a practice table as a new guest; not for a person with tables of their own, or with one under way."""
    me = visit.person
    if visit.is_verified or (
        me is not None and open_tables.find_game_of_guest(visit.services, me.id, finished=not me.is_guest)
    ):
        return redirect_to("/")
    title = request.form.get("game", "")
    name, table = visit.translate("practice.guest"), visit.translate("practice.table")
    try:
        user, game = bots.start_practice(
            visit.services, title, name, table, visit.language, rates.client_key(), browser_zone()
        )
    except RequestRefused as refused:
        return welcome(visit, visit.refusal(refused)), 409
    bots.keep_show_game(visit.services, visit.translate("welcome.show"), visit.language)
    auth.start_session(visit, user)
    return redirect_to(f"/games/{game}")


def tutorial(visit: PageRequest, title: str) -> Mapping[str, Any]:
    """The first turn of a game for a guest; nothing for anybody else."""
    return _about_text(visit, title).get("first", {}) if visit.me.is_guest else {}
