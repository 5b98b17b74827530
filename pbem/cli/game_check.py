"""Checks that a game can be told and shown: all that needs its words is made once, before a table waits for it."""

import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any, Final, cast

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, StrictUndefined, TemplateNotFound

import engine
from engine.kernel.languages import LANGUAGES, Language
from engine.kernel.odds import to_percent, to_shares
from engine.kernel.orders import Question
from engine.kernel.pictures import DrawsBoard
from engine.kernel.position import Position
from engine.kernel.printing import to_keyword
from engine.kernel.rules import Rules, View
from engine.kernel.run import start
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import PUBLIC, Seat, Viewer
from pbem.narration.facts import EmailContext, OpenQuestion, Reader, StartedFacts, TableFacts
from pbem.narration.folders import template_folders
from pbem.narration.game_texts import ShownRows
from pbem.narration.letters import render
from pbem.narration.narrator import Context, Narrator, narrator
from pbem.narration.text_cleanup import FILTERS
from pbem.web.locales import translate
from pbem.web.site import board_template

_MACHINERY: Final = sys.stdlib_module_names | {"jinja2", "markupsafe", "pbem"}

REQUIRED_KEYS: Final = ("turn", "phase")
"""What `present` gives every viewer, for the head of a letter."""


def list_problems(title: str) -> tuple[str, ...]:
    """A sentence for each thing without which a game cannot be told or shown; raises KeyError if there is no such game.

    The game is dealt for its smallest table, and told and shown as it begins, in every language.
    """
    rules = engine.rules(title)
    try:
        dealt = start(rules, _seats(rules), rules.meta.chosen({}), b"check", b"check").position
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a game, it is to be said
        return (f"{title} cannot be dealt: {_reason_of(error)}.",)
    return tuple(_collect(title, rules, dealt))


def _seats(rules: Rules[Any]) -> tuple[Seat, ...]:
    return tuple(Seat(f"s{number}") for number in range(1, min(rules.meta.seats) + 1))


def _collect(title: str, rules: Rules[Any], dealt: Position[Any]) -> Iterator[str]:
    """One sentence for what is shown, one for what is drawn, two for each language that it cannot be told in."""
    yield from _list_failure(f"{title} cannot be shown", lambda: _check_view(rules, dealt))
    if isinstance(rules, DrawsBoard):
        yield from _list_failure(f"{title} cannot be drawn", partial(_draw, rules, dealt))
    for language in LANGUAGES:
        yield from _list_failure(f"{title} cannot be told ({language})", partial(_first_letter, title, language, dealt))
        yield from _list_failure(f"{title} has no page ({language})", partial(render_page, rules, language, dealt))


def _list_failure(what: str, made: Callable[[], object]) -> Iterator[str]:
    try:
        made()
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a game, it is to be said
        yield f"{what}: {_reason_of(error)}."


def _reason_of(error: Exception) -> str:
    """What is wrong, and in which template or module of the game and line, or else in which module."""
    frames = tuple(traceback.walk_tb(error.__traceback__))
    frame, line = next((found for found in reversed(frames) if _is_game_frame(found[0])), frames[-1])
    template = frame.f_globals.get("__jinja_template__")
    if template is not None:  # a macro that is called from here is met as the code that was made of it
        line = template.get_corresponding_lineno(line)
    absent = f"there is no template {error.name}" if isinstance(error, TemplateNotFound) else ""
    said = absent or str(error) or "nothing is said"
    return f"{type(error).__name__}, {said} ({_shorten(frame.f_code.co_filename)}, line {line})"


def _is_game_frame(frame: FrameType) -> bool:
    """Return True for a template, and for a module that is none of this project's machinery and of no library."""
    module = str(frame.f_globals.get("__name__", ""))
    if frame.f_code.co_filename.endswith((".j2", ".html")):
        return True
    return module.partition(".")[0] not in _MACHINERY and not module.startswith("engine.kernel")


def _shorten(path: str) -> str:
    """A file's name as far as it helps: from the folder of templates on, or its last two parts."""
    inside = next((Path(path).relative_to(f) for f in template_folders() if Path(path).is_relative_to(f)), None)
    return str(inside) if inside is not None else "/".join(Path(path).parts[-2:])


def _view(rules: Rules[Any], dealt: Position[Any], viewer: Viewer) -> View:
    seen = redact(dealt, viewer)
    with seen_by(viewer):
        return rules.present_view(seen, viewer)


def _check_view(rules: Rules[Any], dealt: Position[Any]) -> None:
    """Raises KeyError for what a report or a page would look for in vain."""
    for viewer in (dealt.core.seats[0], PUBLIC):
        view = _view(rules, dealt, viewer)
        missing = [key for key in REQUIRED_KEYS if key not in view]
        if missing:
            raise KeyError(f"`present` gives {viewer} no {', '.join(missing)}")


def _draw(rules: DrawsBoard, dealt: Position[Any]) -> None:
    view = _view(cast(Rules[Any], rules), dealt, dealt.core.seats[0])
    for language in LANGUAGES:
        for crop in ("", *rules.crops(view)):
            rules.draw(view, language, crop=crop)


def _first_letter(title: str, language: Language, dealt: Position[Any]) -> None:
    """The first letter to the first seat: it has every part that a report has."""
    told, seat = narrator(title, language), dealt.core.seats[0]
    names = {other: f"P{number}" for number, other in enumerate(dealt.core.seats, 1)}
    table = TableFacts(title, "", names, told.teller.meta.chosen({}))
    seen = redact(dealt, seat)
    owed = tuple(OpenQuestion(asked) for asked in seen.core.questions if asked.seat == seat)
    render(StartedFacts(EmailContext(Reader(names[seat], language, seat=seat), table), seen, owed))


def render_page(rules: Rules[Any], language: Language, dealt: Position[Any]) -> None:
    """The page of the table, and the hand where it is a page of its own, for a seat and for everybody."""
    title = rules.meta.name
    told, made = narrator(title, language), _environment(language, template_folders())
    for viewer in (dealt.core.seats[0], PUBLIC):
        view = _view(rules, dealt, viewer)
        shown = SimpleNamespace(view=view, meta=rules.meta)
        made.select_template(board_template(title)).render(shown=shown, told=_presenter(told, view, dealt, viewer))


@cache
def _environment(language: Language, folders: tuple[Path, ...]) -> Environment:
    """The templates of pages in one language, compiled once for all games that are checked."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader("pbem.web"), FileSystemLoader(folders)]),
        undefined=StrictUndefined,
        autoescape=True,
    )
    made.globals.update(t=partial(translate, language), language=language)
    made.filters.update(FILTERS)
    return made


def _presenter(told: Narrator, view: View, dealt: Position[Any], viewer: Viewer) -> SimpleNamespace:
    """What a page asks of who tells it."""

    def part(name: str) -> list[str]:
        context = Context(viewer, redact(dealt, viewer))
        shown = ShownRows(told.teller.rules, told.language, view)
        return told.render_macro(name, shown, context).splitlines()

    def name(kind: str, thing: str) -> str:
        return str(told.name(kind, thing))

    def shares(parts: Iterable[int]) -> Sequence[str]:
        return to_shares(tuple(parts), told.language)

    def keyword(asks: str, **fixed: object) -> str:
        forms = told.teller.rules.forms(dealt, Question(asks, Seat(viewer), asks))
        return to_keyword(next(form for form in forms if dict(form.fixed) == fixed).keyword, told.language)

    chance = partial(to_percent, language=told.language)
    return SimpleNamespace(
        keyword=keyword,
        name=name,
        effect=told.effect,
        actor=str,
        player=str,
        part=part,
        chance=chance,
        shares=shares,
        words=told.teller.telling.words,
    )
