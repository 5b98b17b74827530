"""Makes pictures of every page and of the letters into a folder: narrow, middling and wide, light and dark.

python -m tests.screenshots [FOLDER] [--language fr] [--only PART-OF-A-NAME]
"""

import argparse
import base64
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from playwright.sync_api import Page, sync_playwright

from pbem.narration.letters import render
from pbem.service.post.pictures import CONTENT_ID
from tests.screenshots.town import RULES, Sights, build_town
from tests.serving import served
from tests.web.test_browser import CHROMIUM

WIDTHS = (360, 768, 1280, 1920)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LETTERS = ("report", "started", "receipt", "invitation", "reminder", "over")
ARGUMENTS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
WRITTEN = {"age_of_renaissance": 3, "renaissance": 1}
"""How many likely lines are clicked before the page of a seat is taken."""


def letters(town: Sights) -> Mapping[str, str]:
    """The newest letter of each kind to a player of a real game, as HTML."""
    found: dict[str, str] = {}
    for address, facts in town.hall.sent:
        game = getattr(facts.frame.table, "game", "")
        if address.kind in LETTERS and game in town.running:
            shown = f"data:image/png;base64,{base64.b64encode(address.picture).decode()}"
            found[f"letter-{address.kind}-{game}"] = render(facts).html.replace(f"cid:{CONTENT_ID}", shown)
    return found


def write_some(page: Page, name: str) -> None:
    """On the page of a seat, orders by some clicks, so that their judgement is in the picture."""
    title = name.removeprefix("seat-")
    chips = page.locator('.part[data-kind="open"] .chip')
    for n in range(min(WRITTEN.get(title, 0), chips.count())):
        chips.nth(n).click()
    if chips.count():
        page.wait_for_timeout(600)


def take(page: Page, folder: Path, name: str) -> None:
    """The page as a whole, at every width, light and dark."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)


def tour(town: Sights, folder: Path, only: str) -> int:
    """Look at everything; how many things were looked at."""
    with served(town.app) as url, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        page: Any = browser.new_page()
        page.goto(f"{url}/")
        if only in "welcome":
            take(page, folder, "welcome")
        page.goto(town.sign_in(url))
        page.locator("main button").first.click()
        paths = [name for name in RULES if only in name]
        for name in paths:
            page.goto(url + town.path(name))
            if name.startswith("seat-"):
                write_some(page, name)
            take(page, folder, name)
        mails = {name: html for name, html in letters(town).items() if only in name}
        for name, html in mails.items():
            page.goto("about:blank")
            page.set_content(html)
            take(page, folder, name)
        browser.close()
    return len(paths) + len(mails)


def main() -> None:
    """The command."""
    asked = argparse.ArgumentParser(prog="python -m tests.screenshots", description=__doc__)
    asked.add_argument("folder", nargs="?", default="var/screenshots", type=Path)
    asked.add_argument("--language", default="en", choices=("en", "fr"))
    asked.add_argument("--only", default="")
    given = asked.parse_args()
    if not CHROMIUM:
        sys.exit("No chromium was found: set PBEM_CHROMIUM, or put one on the PATH.")
    given.folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="pbem-shots-") as state:
        number = tour(build_town(Path(state), given.language), given.folder, given.only)
    print(f"{number} pages and letters, at {len(WIDTHS)} widths, light and dark, in {given.folder}")


if __name__ == "__main__":
    main()
