"""Makes pictures of every page, of the play page as a turn goes on, and of the letters: four widths, light and dark.

python -m tests.screenshots [FOLDER] [--language fr] [--only PART-OF-A-NAME] [--readme FOLDER]
"""

import argparse
import base64
import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

from PIL import Image
from playwright.sync_api import Error, Page, expect, sync_playwright

from engine.kernel.languages import Language
from pbem.app import sample_board
from pbem.narration.facts import InvitationFacts, NoticeFacts
from pbem.narration.letters import LETTERS, render
from pbem.service.mail.pictures import CONTENT_ID
from tests.http_server import served
from tests.narration.test_letters import letters as every_letter
from tests.screenshots.sample_server import RULES, Sights, build_town, settled
from tests.web.authenticator import Authenticator
from tests.web.chromium import CHROMIUM, PATIENCE_MS

WIDTHS = (360, 768, 1280, 1920)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
ARGUMENTS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
NARROW = (360, 768)
"""Where letters are read."""
WRITTEN = {"age_of_renaissance": 3}
"""How many likely lines are clicked before the page of a seat is taken; one, where nothing is said."""


def letters(town: Sights, language: Language) -> Mapping[str, str]:
    """The newest letter of each kind, and of each game where it tells of one, as HTML."""
    found: dict[str, str] = {}
    for address, facts in town.harness.sent:
        game = facts.frame.table.game
        if game and game not in town.running:
            continue
        frame = replace(facts.frame, reader=replace(facts.frame.reader, language=language))
        written, picture = replace(facts, frame=frame), address.picture
        if isinstance(facts, InvitationFacts):
            written, picture = replace(written, picture=CONTENT_ID), sample_board(game, language)
        shown = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
        page = render(written).html.replace(f"cid:{CONTENT_ID}", shown)
        found["-".join(filter(None, ("letter", address.kind, game)))] = page
    return found


def examples(language: Language) -> Mapping[str, str]:
    """One letter of every kind there is, and of each variant that its wording knows, as HTML."""
    found: dict[str, str] = {}
    for number, facts in enumerate(every_letter(language)):
        about = facts.kind if isinstance(facts, NoticeFacts) else str(number)
        found[f"example-{LETTERS[type(facts)][0]}-{about}"] = render(facts).html
    return found


# --- the play page as a turn goes on

JUDGED: Final = '#said[data-state]:not([data-state="busy"], [data-state="empty"])'
"""There when the judge has spoken of what is written."""


def owing(page: Page, title: str) -> None:
    """What is owed, and nothing written."""


def partly(page: Page, title: str) -> None:
    """Orders by some clicks, so that their judgement is in the picture."""
    chips = page.locator('.part[data-kind="open"] .chip')
    for _ in range(WRITTEN.get(title, 1)):
        before, line = page.locator("#text").input_value(), chips.first.get_attribute("data-line") or ""
        if line in before.splitlines():
            break
        chips.first.click()
        expect(page.locator("#text")).not_to_have_value(before, timeout=PATIENCE_MS)
        page.locator(JUDGED).wait_for(timeout=PATIENCE_MS)
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")


def sent(page: Page, title: str) -> None:
    """The first likely answer alone, sent: its receipt, and what waits."""
    page.evaluate("localStorage.clear(), sessionStorage.clear()")
    page.reload()
    page.locator('.part[data-kind="open"] .chip').first.click()
    page.locator('#said[data-state="all"]').wait_for()
    page.locator('button[name="act"][value="submit"]').click()
    page.locator(".receipt").first.wait_for()


def show_news(page: Page, title: str) -> None:
    """The news, walked by one step."""
    page.locator('a[href="#news"]').click()
    page.locator('[data-walk="1"]').first.click()


def held(page: Page, title: str) -> None:
    """What one holds, as a phone shows it."""
    page.set_viewport_size({"width": NARROW[0], "height": 900})
    page.locator('.tabs a[href="#hand"]').click()


def show_table(page: Page, title: str) -> None:
    """The table in words, as a phone shows it."""
    page.set_viewport_size({"width": NARROW[0], "height": 900})
    page.locator('.tabs a[href="#table"]').click()


STATES: Final[Mapping[str, Callable[[Page, str], None]]] = {
    "owe": owing,
    "partly": partly,
    "news": show_news,
    "hand": held,
    "table": show_table,
    "sent": sent,
}
"""In this order: what was sent stays."""


def states(page: Page, address: str, title: str, only: str) -> Iterator[str]:
    """Brings the page of a seat from state to state; yields the name of each when it is there."""
    for state, bring in STATES.items():
        name = f"seat-{title}-{state}"
        if only in name:
            page.goto(address)
            with suppress(
                Error, AssertionError
            ):  # a game whose first likely line is no whole answer is taken as it stands
                bring(page, title)
            yield name


# --- pictures

DESK: Final = "operator-desk"
"""The operator's page, behind its second factor."""


def opened(page: Page, town: Sights, url: str) -> None:
    """The host opens the operator's page by the code of an authenticator."""
    mine = Authenticator(town.harness, town.host)
    page.goto(f"{url}/operator")
    page.locator('input[name="code"]').fill(mine.code())
    page.locator("main button").first.click()
    page.locator('select[name="act"]').wait_for()


def there(page: Page) -> None:
    """Wait for what a page loads late: its board, and pictures that nobody has scrolled to."""
    if page.locator("figure#map").count():
        page.locator("figure#map svg").first.wait_for(state="attached", timeout=PATIENCE_MS)
    late = "(image) => { image.loading = 'eager'; return image.decode().catch(() => {}); }"
    for image in page.locator("img").all():
        image.evaluate(late)


def take(page: Page, folder: Path, name: str, widths: Sequence[int] = WIDTHS) -> None:
    """The page as a whole, at every width, light and dark."""
    there(page)
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)


def tour(town: Sights, folder: Path, only: str, language: Language) -> int:
    """Look at everything; how many things were looked at."""
    with served(town.app) as url, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        page: Any = browser.new_page(locale=language)
        page.set_default_timeout(10_000)
        number = 0
        for name, address in (("welcome", "/"), ("practice-guest", "")):
            if only in name:
                page.goto(url)
                if not address:
                    page.locator('form[action="/practice"] button').first.click()
                    page.wait_for_url("**/games/*")
                    settled(town.harness, page)
                take(page, folder, name)
                number += 1
        page.context.clear_cookies()
        page.goto(town.sign_in(url))
        page.locator("main button").first.click()
        for name in RULES:
            if name.startswith("seat_page-"):
                for state in states(page, url + town.path(name), name.removeprefix("seat_page-"), only):
                    take(page, folder, state)
                    number += 1
            elif only in name:
                answer = page.goto(url + town.path(name))
                if answer.status != (404 if name == "nothing" else 200):
                    raise LookupError(f"{name} is no page here: {answer.status}")
                take(page, folder, name)
                number += 1
        if only in DESK:
            opened(page, town, url)
            take(page, folder, DESK)
            number += 1
        found = {**letters(town, language), **examples(language)}
        mails = {name: html for name, html in found.items() if only in name}
        for name, html in mails.items():
            page.goto("about:blank")
            page.set_content(html)
            take(page, folder, name, NARROW)
        browser.close()
    return number + len(mails)


# --- the two pictures at the beginning of README.md

COLOURS: Final = 256
MOST_BYTES: Final = 150_000
"""They lie in the project's history for ever."""


def readme(town: Sights, folder: Path) -> None:
    """The play page with some lines written, and a letter, small enough to be kept."""
    title = next(iter(town.running))
    with served(town.app) as url, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        page: Any = browser.new_page(locale="en", viewport={"width": 1280, "height": 800}, color_scheme="light")
        page.goto(town.sign_in(url))
        page.locator("main button").first.click()
        page.goto(url + town.path(f"seat_page-{title}"))
        partly(page, title)
        keep(page.screenshot(), folder / "play.png")
        page.set_viewport_size({"width": 680, "height": 1000})
        page.goto("about:blank")
        page.set_content(letters(town, "en")[f"letter-report-{title}"])
        keep(page.screenshot(), folder / "letter.png")
        browser.close()


def keep(taken: bytes, path: Path) -> None:
    """Write a picture in few colours; raises ValueError for one that is too big all the same."""
    with Image.open(io.BytesIO(taken)) as image:
        few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(path, "PNG", optimize=True)
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path.name} is longer than {MOST_BYTES} bytes")


def main() -> None:
    """The command."""
    asked = argparse.ArgumentParser(prog="python -m tests.screenshots", description=__doc__)
    asked.add_argument("folder", nargs="?", default="var/screenshots", type=Path)
    asked.add_argument("--language", default="en", choices=("en", "fr"))
    asked.add_argument("--only", default="")
    asked.add_argument("--readme", type=Path, help="make the two pictures of README.md into this folder, and no others")
    given = asked.parse_args()
    if not CHROMIUM:
        sys.exit("No chromium was found: set PBEM_CHROMIUM, or put one on the PATH.")
    folder: Path = given.readme or given.folder
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="pbem-shots-") as state:
        town = build_town(Path(state), given.language)
        if given.readme:
            readme(town, folder)
            return
        number = tour(town, folder, given.only, given.language)
    if not number:
        sys.exit(f"Nothing that is looked at has {given.only!r} in its name.")
    print(f"{number} pages and letters, at {len(WIDTHS)} widths, light and dark, in {folder}")


if __name__ == "__main__":
    main()
