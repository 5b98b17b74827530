"""A hand on the play page: it touches what glows, follows what glows next, and hears what the judge says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.web.browser_players import in_front, open_questions

PLACES = "#map svg [data-name], #hand [data-name]"
TOUCH = """([name, places]) => {
  const found = [...document.querySelectorAll(places)].filter(thing => thing.getAttribute('data-name') === name);
  (found.find(thing => thing.closest('.can')) || found[0]).dispatchEvent(new MouseEvent('click', { bubbles: true }));
}"""
NAMES = """places => {
  const lit = new Set(), all = new Set();
  for (const thing of document.querySelectorAll(places)) {
    all.add(thing.getAttribute('data-name'));
    if (thing.closest('.can')) lit.add(thing.getAttribute('data-name'));
  }
  return [[...lit], [...all].filter(name => !lit.has(name))];
}"""
MOST_STEPS = 16
"""The touches after which an order that was begun must be written."""


@dataclass
class Touched:
    """How much was touched: lit things, dim things, ways to write, suggested lines; and the lines that were written."""

    lit: int = 0
    dim: int = 0
    verbs: int = 0
    chips: int = 0
    lines: int = 0


class Hand:
    """Touches the page of a player; whatever it writes must be accepted."""

    def __init__(self, page: Page, count: Touched, noted: Sequence[str] = ()) -> None:
        self.page, self.count, self.noted = page, count, noted

    def settle(self) -> str:
        """Wait until the judge has spoken of what stands; return what he said of it."""
        page = self.page
        expect(page.locator("#desk")).not_to_have_attribute("aria-busy", "true")
        said = page.locator("#said")
        expect(said).to_have_attribute("data-state", re.compile("^(?!busy$)."))
        state = said.get_attribute("data-state") or ""
        assert state != "lost", self.noted
        return state

    def names(self) -> tuple[list[str], list[str]]:
        """The names of what glows, and of all else that can be looked at."""
        lit, dim = self.page.evaluate(NAMES, PLACES)
        return lit, dim

    def touch(self, name: str) -> None:
        """Touch a thing by its name."""
        self.page.evaluate(TOUCH, [name, PLACES])
        self.settle()

    def empty(self) -> None:
        """Take all lines away."""
        self.page.keyboard.press("Escape")
        text = "text => { text.value = ''; text.dispatchEvent(new Event('input')); }"
        self.page.locator("#text").evaluate(text)
        expect(self.page.locator("#said")).to_have_attribute("data-state", "empty")
        self.settle()

    @property
    def text(self) -> str:
        """What is written."""
        return self.page.locator("#text").input_value()

    def finish(self, begun: str) -> None:
        """Go on with what was begun, by what is offered next, until a line is written; the judge must accept it."""
        for _ in range(MOST_STEPS):
            if self.text:
                break
            assert self.step(), f"{begun}: nothing to go on with; {self.page.locator('#look').inner_text()}"
        assert self.text, f"{begun}: no line after {MOST_STEPS} touches"
        assert self.settle() == "all", f"{begun}: {self.text}: {self.page.locator('#judged').inner_text()}"
        self.count.lines += 1

    def step(self) -> bool:
        """Press what is offered next; False if nothing is."""
        look = self.page.locator("#look")
        field = look.locator(".slot.open input")
        if field.count():
            field.fill("a word")
            field.dispatch_event("change")
            self.settle()
            return True
        for way in (".chips > .chip", ".slot.open .chip:not(.on)", ".slot.open button:not(.on):not([disabled])"):
            if look.locator(way).count():
                look.locator(way).first.evaluate("button => button.click()")
                self.settle()
                return True
        lit, _ = self.names()
        if lit:
            self.touch(lit[0])
        return bool(lit)

    def touch_everything(self, most: int, step: int = 1) -> None:
        """Each lit thing, each dim thing, each way to write and each suggested line, alone; so many of each."""
        self.empty()
        lit, dim = self.names()
        for name in lit[::step][:most]:
            self.touch(name)
            self.count.lit += 1
            self.finish(name)
            self.empty()
        for name in dim[::step][:most]:
            self.touch(name)
            self.count.dim += 1
            assert self.text == "", f"{name} is dim and was written"
            why = self.page.locator("#look .why")
            assert why.count(), f"{name} is dim and does not say why"
            assert why.first.inner_text().strip()
            self.page.keyboard.press("Escape")
        for key in open_questions(self.page):
            for verb in self._buttons(key, ".verbs button:not([aria-disabled])", most):
                self.count.verbs += 1
                self.finish(verb)
                self.empty()
            for chip in self._buttons(key, ".chip", most):
                self.count.chips += 1
                assert self.settle() == "all", chip
                self.empty()

    def _buttons(self, key: str, kind: str, most: int) -> Iterator[str]:
        for n in range(min(most, in_front(self.page, key).locator(kind).count())):
            button = in_front(self.page, key).locator(kind).nth(n)
            name = button.inner_text()
            button.evaluate("button => button.click()")
            self.settle()
            yield name
