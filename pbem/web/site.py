"""What a page may reach, and the way every page is made."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any, Final, Protocol

from babel.dates import format_timedelta
from flask import current_app, render_template, session
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from engine.kernel.events import Event
from engine.kernel.languages import NAMES, Language
from engine.kernel.orders import Problem, Question
from engine.kernel.viewers import Seat, Viewer
from pbem.narration.narrator import Context
from pbem.narration.time_format import TimeFormatter
from pbem.narration.typography import load_typography
from pbem.service.access.permissions import REQUIREMENTS, Membership, Permission
from pbem.service.access.users import Person
from pbem.service.base.services import RequestRefused, Services
from pbem.service.messages.messages import MessageRefused
from pbem.web.fragment_cache import FragmentCache
from pbem.web.locales import translate


class Narrator(Protocol):
    """What the pages ask of the narrator of a game in a language."""

    def sentence(self, event: Event, viewer: Viewer, context: Context) -> str | None:
        """One fact; None when it is not for this viewer."""
        ...

    def problem(self, problem: Problem, context: Context) -> str:
        """Why an order cannot stand."""
        ...

    def question(self, decision: Question, context: Context) -> str:
        """What is asked."""
        ...

    def default(self, decision: Question, context: Context) -> str:
        """What happens without an answer."""
        ...

    def name(self, kind: str, thing: str) -> object:
        """How a thing of the game is called."""
        ...

    def actor(self, seat: Seat, context: Context) -> object:
        """How a seat is called."""
        ...

    def render_macro(self, macro: str, argument: object, context: Context) -> str:
        """A part of a report, untidied."""
        ...

    def tidy(self, text: str) -> str:
        """A line of it, tidied."""
        ...

    def effect(self, kind: str, thing: str) -> str:
        """What a thing of the game does; empty where nothing is told of it."""
        ...

    def effects(self) -> Iterable[tuple[str, str]]:
        """Everything that is told of what things do, by name."""
        ...


PLAIN_BOARD: Final = "plain_board.html"


def board_template(title: str) -> tuple[str, ...]:
    """The templates of a game's table, of which the first that exists is shown."""
    return f"boards/{title}.html", PLAIN_BOARD


def is_plain_board(title: str) -> bool:
    """Return True if a game has no page of its own for its table, which is then shown as its letters tell it."""
    return current_app.jinja_env.select_template(board_template(title)).name == PLAIN_BOARD


def hand_template(title: str) -> tuple[str, ...]:
    """Those of a hand, where it stands apart."""
    return f"boards/{title}.hand.html", "plain_hand.html"


def progress_template(title: str) -> tuple[str, ...]:
    """Those of where a game stands, in a few words and steps."""
    return f"boards/{title}.course.html", "plain_course.html"


@dataclass(frozen=True)
class WebConfig:
    """How the pages are served.

    `is_secure`: over https.  `host`: the only name they answer to (None: any).  `trusted_proxies`: how many stand
    in front.  `discord`: whether accounts there can be linked.
    """

    is_secure: bool = False
    host: str | None = None
    requests_per_minute: int = 240
    sign_ins_per_minute: int = 10
    trusted_proxies: int = 0
    time_zone: str = "UTC"
    discord: bool = False


@dataclass(frozen=True)
class Site:
    """The services that the pages ask, how they are served, and who tells a game in a language.

    `samples`: boards that strangers are shown, which parts of pages do not drive out.
    """

    services: Services
    config: WebConfig
    narrator_for: Callable[[str, Language], Narrator]
    fragments: FragmentCache = field(default_factory=FragmentCache)
    samples: FragmentCache = field(default_factory=FragmentCache)


@dataclass(frozen=True)
class PageRequest:
    """One request: by whom, in which language, and what they are to the table that it is about."""

    site: Site
    person: Person | None
    language: Language
    membership: Membership | None = None

    @property
    def services(self) -> Services:
        """The services."""
        return self.site.services

    @property
    def me(self) -> Person:
        """Who is signed in; only for pages that demand it."""
        if self.person is None:
            raise LookupError("this page is for people who are signed in")
        return self.person

    @property
    def is_verified(self) -> bool:
        """Return True if somebody is signed in whose address is confirmed: guests find little of what others do."""
        return self.person is not None and self.person.email_verified

    def allows(self, permission: str) -> bool:
        """Return True if a page of this table that is for a permission, by its name, and not for guests, is open."""
        if self.membership is None or not self.is_verified:
            return False
        return REQUIREMENTS[Permission[permission]](self.membership)

    @property
    def seat(self) -> str:
        """One's seat; a table that one has no seat at is not found."""
        if self.membership is None or self.membership.seat is None:
            raise NotFound
        return self.membership.seat

    @property
    def game(self) -> str:
        """The table that the page is about."""
        if self.membership is None:
            raise NotFound
        return self.membership.game

    @property
    def zone(self) -> str:
        """In which zone moments are told."""
        return self.person.zone if self.person is not None else self.site.config.time_zone

    def translate(self, key: str, **terms: object) -> str:
        """Words of the catalogue in the reader's language."""
        return translate(self.language, key, **terms)

    def refusal(self, refused: RequestRefused | MessageRefused, words: str = "refused") -> str:
        """Say why a request was refused; `words`: the chapter of the catalogue."""
        return self.translate(f"{words}.{refused.code}", **refused.terms)

    def moment(self, seconds: int) -> str:
        """Format seconds since 1970 in the reader's zone and in UTC: `Fri 20 Nov 2026, 20:00 Paris (19:00 UTC)`."""
        return TimeFormatter(self.language, self.zone).moment(seconds)

    def time_left(self, seconds: int, now: int) -> str:
        """Say how long it is until a moment, or since: `In 2 days`."""
        span, locale = timedelta(seconds=seconds - now), load_typography(self.language).locale
        said = format_timedelta(span, add_direction=True, locale=locale)
        return said[:1].upper() + said[1:]


def render_page(visit: PageRequest, template: str, **facts: Any) -> str:
    """A page of our own templates."""
    languages = {language: name for language, name in NAMES.items() if language != visit.language}
    return render_template(
        template,
        visit=visit,
        t=partial(translate, visit.language),
        language=visit.language,
        languages=languages,
        signed_in=visit.person is not None,
        **facts,
    )


def render_form(
    visit: PageRequest, template: str, problem: str, status: int = 422, **facts: Any
) -> ResponseReturnValue:
    """Render a page that holds a form; where there is a problem with what was sent, it is answered with `status`."""
    page = render_page(visit, template, problem=problem, **facts)
    return (page, status) if problem else page


NEXT = "next"


def remember_next(path: str) -> None:
    """Where a visitor wanted to go before they had to sign in."""
    session[NEXT] = path[:200]
