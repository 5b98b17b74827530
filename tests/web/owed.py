"""The page of a player who owes an answer, in a browser."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page

from pbem.service.seats import signing_in, tables
from pbem.web import Look, make
from tests.service.hall import Hall
from tests.serving import served
from tests.web.test_browser import PATIENCE_MS, go_in
from tests.web.walker import errors_of


@contextmanager
def at_orders(
    hall: Hall, game: str, browser: Browser, width: int, there: str = "#map svg", *, seat: str = "s1"
) -> Iterator[tuple[Page, list[str]]]:
    """The page of a seat at its orders, once what is named `there` is on it; and what its console notes."""
    with hall.web.db.writing() as session:
        user = tables.user_of(hall.web, session, f"p{seat.removeprefix('s')}@games.test").id
    with served(make(hall.web, Look(requests_per_minute=1_000_000))) as url:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, locale="en", base_url=url, reduced_motion="reduce"
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        noted = errors_of(page)
        go_in(page, signing_in.sign_in_link(hall.web, user), url)
        page.goto(f"/games/{game}#orders")
        page.locator(there).wait_for()
        yield page, noted
        context.close()
