"""Orders written by clicks, on the pages of real games: whole lines, counts, and what does not go with what is written.

A line that would be refused is off, with its reason in reach, and a click does not write it.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.web.boards import opened
from tests.web.chromium import ASIDE, INSIDE, at_orders, click

pytestmark = pytest.mark.night

ANSWERS = {"amalfi": "action", "age_of_renaissance": "expansion", "renaissance": "combat"}
"""What the first player is asked."""


@contextmanager
def answering(
    state: Path, browser: Browser, title: str = "amalfi", width: int = 1280
) -> Iterator[tuple[Page, Locator, Locator]]:
    """The page of a player who owes an answer, its text, and what it says; its console notes nothing."""
    harness, _, game = opened(state, title, asks=ANSWERS[title], words="war")
    with at_orders(harness, game, browser, width) as (page, noted):
        yield page, page.locator("#text"), page.locator("#said")
        assert [line for line in noted if "ERR_FAILED" not in line] == []
        assert page.evaluate(ASIDE) <= width


def accepted(page: Page, chip: str = ".part .chip") -> str:
    """Choose a likely line, and return it once it was accepted."""
    page.locator(chip).first.click()
    expect(page.locator("#said")).to_have_attribute("data-state", "all")
    return page.locator("#text").input_value()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_destination_clicked_sends_a_ship_and_lines_queue_up(state_dir: Path, chromium: Browser, width: int) -> None:
    """A free destination that can be sailed to is one whole accepted line; what one has counts down; the second action
    is behind it, is moved before it, and is taken away.
    """
    with answering(state_dir, chromium, width=width) as (page, text, said):
        line = page.locator('.chip[data-line*="SAIL "]').first.get_attribute("data-line") or ""
        names = page.locator("#map svg [data-name]").evaluate_all("all => all.map(one => one.dataset.name)")
        place = max((name for name in names if f"SAIL {name}" in line), key=len)
        click(page, page.locator(f'#map svg [data-name="{place}"]').first)
        if page.locator("#offers").is_visible():
            page.locator("#offers .chip", has_text="SAIL").first.click()
        expect(said).to_have_attribute("data-state", "all")
        assert text.input_value().strip() == line
        expect(page.locator('#budget [data-held="bay"]')).to_have_class("moved")
        page.locator(f'.chips > .chip:not([data-line="{line}"])').first.click()
        expect(page.locator("#judged [data-line]")).to_have_count(2)
        page.get_by_role("button", name="Move up").click()
        expect(text).to_have_value(re.compile(rf"^[^\n]+\n{re.escape(line)}\n$"))
        page.get_by_role("button", name="Remove this line").first.click()
        expect(text).to_have_value(f"{line}\n")


def test_a_sheet_counts_what_is_paid(state_dir: Path, chromium: Browser) -> None:
    """Each press writes so many into the line, and none takes the words away again; the judge reads along; the number
    of the question itself is no count.
    """
    with answering(state_dir, chromium) as (page, text, _):
        page.get_by_text("Write as text").click()
        artwork = page.locator('[data-keyword="ACQUIRE"] select').first.locator("option").nth(1).text_content()
        prefix = (page.locator('.part[data-kind="open"]').first.get_attribute("data-prefix") or "").strip()
        line = f"{prefix} ACQUIRE {artwork}".strip()
        text.fill(f"{line} TAKE the rightmost\n")
        page.get_by_text("How many of each").click()
        expect(page.locator(".counts").get_by_text("you have").first).to_be_visible()
        assert page.get_by_role("button", name="One more").count() == 0
        page.get_by_role("button", name="PAY wine: 1").click()
        expect(text).to_have_value(f"{line} TAKE the rightmost PAY wine\n")
        page.get_by_role("button", name="PAY wine: 2").click()
        page.get_by_role("button", name="EMERGENCY wood: 1").click()
        expect(text).to_have_value(f"{line} TAKE the rightmost PAY wine, wine EMERGENCY wood\n")
        expect(page.locator("#judged .refused")).to_have_count(1)
        page.get_by_role("button", name="PAY wine: 1").click()
        page.get_by_role("button", name="PAY wine: 0").click()
        expect(text).to_have_value(f"{line} TAKE the rightmost EMERGENCY wood\n")
        text.fill(f"{line} PAY 2 wine, cloth\n")
        expect(page.get_by_role("button", name="PAY wine: 3")).to_be_visible()
        expect(page.get_by_role("button", name="PAY cloth: 2")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_what_does_not_go_with_the_written_lines_is_off_and_says_why(
    state_dir: Path, chromium: Browser, width: int
) -> None:
    """Its name holds the reason, shown while it has the focus, and nothing moves for it; a click says it and writes
    nothing, and so does a second time of the same line; without the lines it is on again.
    """
    with answering(state_dir, chromium, width=width) as (page, text, said):
        before = accepted(page)
        off = page.locator('.chips > .chip[aria-disabled="true"]').first
        why = off.locator(".why").text_content() or ""
        assert why
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")
        high = off.evaluate("chip => chip.offsetHeight")
        off.hover()
        off.focus()
        assert off.evaluate("chip => chip.offsetHeight") == high
        assert off.locator(".why").evaluate("why => why.getBoundingClientRect().height") > 8
        assert page.evaluate(ASIDE) <= width
        page.keyboard.press("Enter")
        expect(said).to_contain_text("Not written")
        expect(said).to_contain_text(why)
        expect(said).to_have_attribute("data-state", "all")
        assert text.input_value() == before
        page.get_by_role("button", name="Remove this line").click()
        expect(page.locator(".chip[aria-disabled]")).to_have_count(0)
        accepted(page)
        page.get_by_role("button", name="Write again").click()
        expect(said).to_contain_text("Not written")
        assert text.input_value() == before
        assert page.locator("#judged [data-line]").count() == 1


MARKED = """() => {
  const places = [...document.querySelectorAll('#map svg [data-name]')];
  const names = found => [...new Set(found.map(place => place.dataset.name))].sort();
  return [names(places.filter(place => place.matches('.can'))), names(places.filter(place => place.ariaDescription))];
}"""
"""The names of the places at which something can be ordered, and of those that say why nothing can now."""


def test_places_are_marked_in_company_of_the_written_lines(state_dir: Path, chromium: Browser) -> None:
    """With lines written, the targets that would be refused behind them are marked no more, say why, and are not called
    likely in the lists; a click there writes nothing; without the lines they are marked again.
    """
    with answering(state_dir, chromium, "age_of_renaissance") as (page, text, said):
        page.locator("#map svg .can").first.wait_for()
        before, none = page.evaluate(MARKED)
        assert none == []
        likely = '[data-keyword="PLACE"] [data-slot] optgroup[data-likely] option'
        assert set(page.locator(likely).all_text_contents()) <= set(before)
        off, new, written = list[str](), "", ""
        while not new:
            page.locator('.part .chip[data-line*="PLACE "]:not([aria-disabled])').first.evaluate("chip => chip.click()")
            expect(said).to_have_attribute("data-state", "all")
            marked, off = page.evaluate(MARKED)
            assert set(off).isdisjoint(marked)
            assert set(off) | set(marked) == set(before)
            written = text.input_value()
            new = next((name for name in off if f"PLACE {name} " not in written), "")
        assert set(off).isdisjoint(page.locator(likely).all_text_contents())
        assert set(off) <= set(page.locator('[data-keyword="PLACE"] [data-slot] option').all_text_contents())
        spot = page.locator(f'#map svg [data-name="{new}"]').first
        why = spot.get_attribute("aria-description") or ""
        assert why
        click(page, spot)
        expect(said).to_contain_text("Not written")
        expect(said).to_contain_text(why)
        assert text.input_value() == written
        page.mouse.move(5, 5)
        page.mouse.move(*spot.evaluate(INSIDE))
        expect(page.locator(".place-card .why")).to_have_text(why)
        text.evaluate("text => { text.value = ''; text.dispatchEvent(new Event('input')); }")
        expect(said).to_have_attribute("data-state", "empty")
        assert page.evaluate(MARKED) == [before, []]


def test_a_click_on_the_board_that_the_judge_refuses_writes_nothing(state_dir: Path, chromium: Browser) -> None:
    """A province is clicked for more and more tokens: the click that would take one too many leaves the line as it
    was, and why is said.
    """
    with answering(state_dir, chromium, "age_of_renaissance") as (page, text, said):
        name = page.locator('[data-keyword="PLACE"] optgroup[data-likely] option').first.text_content() or ""
        spot = page.locator(f'#map svg [data-name="{name}"]').first
        texts = [text.input_value()]
        while "Not written" not in (said.text_content() or ""):
            assert len(texts) < 40
            click(page, spot)
            if page.locator("#offers").is_visible():
                page.locator("#offers .chip", has_text=f"PLACE {name}").first.click()
            expect(said).not_to_have_attribute("data-state", "busy")
            texts.append(text.input_value())
        assert texts[-1] == texts[-2]
        assert len(set(texts)) > 1
        assert page.locator("#judged .refused").count() == 0
        expect(said).to_have_attribute("data-state", "all")


def test_where_the_connection_is_lost_a_click_is_written_as_by_hand(state_dir: Path, chromium: Browser) -> None:
    """While it is tried the judge cannot be reached: the line stands, the page says that it was not judged, and judges
    it when it can.
    """
    with answering(state_dir, chromium) as (page, text, said):
        row = accepted(page)

        def lose(route: Route) -> None:
            route.abort()

        page.route("**/preview", lose)
        page.get_by_role("button", name="Write again").click()
        expect(text).to_have_value(row + row)
        expect(said).to_have_attribute("data-state", "lost")
        page.unroute("**/preview", lose)
        text.evaluate("text => text.dispatchEvent(new Event('input'))")
        expect(page.locator("#judged .refused")).to_have_count(1)


def test_under_a_heading_an_offered_line_is_tried_before_it_stands(state_dir: Path, chromium: Browser) -> None:
    """There nothing is known of it from the lines without a heading: the judge is asked before it is written."""
    with answering(state_dir, chromium) as (page, text, said):
        line = page.locator(".chips > .chip").first.get_attribute("data-line") or ""
        page.get_by_text("Write as text").click()
        text.fill(f"ACTION:\n{line}\n")
        page.locator("#judged [data-line]").first.wait_for()
        expect(said).not_to_have_attribute("data-state", "busy")
        before, stood = text.input_value(), list[str]()

        def look(route: Route) -> None:
            stood.append(text.input_value())
            route.continue_()

        page.route("**/preview", look)
        page.locator(".chips > .chip:not([aria-disabled])").nth(1).click()
        expect(said).to_contain_text("ritten")
        expect(said).not_to_have_attribute("data-state", "busy")
        page.unroute("**/preview", look)
        assert stood[:1] == [before]


def test_a_second_quick_step_that_is_refused_is_not_lost(state_dir: Path, chromium: Browser) -> None:
    """Two presses at once, before the judge has answered: the first is written, the second refused.  The sheet shows
    what is meant and why it is not written, and goes on from there; undone, it shows what stands.
    """
    with answering(state_dir, chromium) as (page, text, said):
        written = accepted(page, '.part .chip[data-line*="SAIL "]').strip()
        page.get_by_text("How many of each").click()
        page.locator(".counts button").first.wait_for()
        press = page.locator('.counts button[data-press="SEND wood +"]')
        counted = page.locator('.counts fieldset:has-text("SEND") output').last
        press.evaluate("button => { button.click(); button.click(); }")
        expect(text).to_have_value(f"{written} SEND wood\n")
        expect(page.locator(".counts .why")).to_contain_text("Not written yet")
        expect(counted).to_have_text("2")
        expect(said).to_contain_text("Not written")
        press.click()
        expect(counted).to_have_text("3")
        expect(page.locator(".counts .why")).to_contain_text("Not written yet")
        page.get_by_role("button", name="Undo").click()
        expect(text).to_have_value(f"{written}\n")
        expect(page.locator(".counts .why")).to_be_hidden()
        expect(counted).to_have_text("0")


CHOSEN = """() => {
  const names = (line, label) => ` ${line} `.replaceAll(',', ' ').includes(` ${label} `);
  for (const form of document.querySelectorAll('.part[data-kind="open"] .builder')) {
    const lines = [...form.closest('.part').querySelectorAll('.chip')].map(chip => chip.dataset.line);
    const [two, one] = [...form.querySelectorAll('[data-slot]')].map(slot => slot.querySelector('select'));
    const likely = select => [...select.querySelectorAll('[data-likely] option')].map(option => option.label);
    if (!one || !two) continue;
    for (const label of likely(one)) {
      const own = lines.filter(line => line.startsWith(`${form.dataset.keyword} `) && names(line, label));
      const left = likely(two).filter(other => own.some(line => names(line, other)));
      if (left.length && left.length < likely(two).length) return [one.id, two.id, label, left, likely(two)];
    }
  }
}"""
"""Two lists of a form: a value of the first, the likely values of the second that stand in a line with it, and all."""


def test_what_is_filled_in_by_hand_counts_for_places_and_lists(state_dir: Path, chromium: Browser) -> None:
    """With one field of a form filled in, only what goes with it in a likely line is likely in the next one, and marked
    on the board; emptied, all of it is again.

    A click on the board takes the value, though no likely line has it: its line is written, or refused and said why.
    """
    with answering(state_dir, chromium, "renaissance") as (page, _, said):
        page.locator("#map svg .can").first.wait_for()
        page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
        one, two, label, left, every = page.evaluate(CHOSEN)
        first, second = (page.locator(f'[id="{name}"]') for name in (one, two))
        likely = second.locator("[data-likely] option")
        first.select_option(label=label)
        expect(likely).to_have_text(left)
        assert set(every) <= set(second.locator("option").all_text_contents())
        names = page.locator("#map svg [data-name]").evaluate_all("all => all.map(one => one.dataset.name)")
        assert page.evaluate(MARKED)[0] == sorted(set(left) & set(names))
        first.select_option("")
        expect(likely).to_have_text(every)
        form = page.locator('.part[data-kind="open"] [data-keyword="ATTACK"]').first
        target = form.locator("[data-likely] option").first.text_content() or ""
        lines = page.locator('.chip[data-line^="ATTACK "]').evaluate_all("all => all.map(one => one.dataset.line)")
        cards = form.locator('[data-lead="WITH"] select').first
        held = cards.locator("option").evaluate_all("all => all.filter(one => one.value).map(one => one.label)")
        card = next(text for text in held if not any(text in line for line in lines if target in line))
        cards.select_option(label=card)
        click(page, page.locator(f'#map svg [data-name="{target}"]').first)
        expect(said).to_contain_text(f"ATTACK {target} WITH {card}")
