"""What the page offers is judged in company of the lines that are written, and marked where it would be refused."""

import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from pbem.narration.facts import ReceiptFacts
from pbem.service.orders import web_orders
from pbem.service.pages import game_pages
from pbem.web import order_builder
from pbem.web.order_builder import Part
from tests.budget import budget
from tests.service.master_commands import HOST, get_user_id
from tests.service.server_fixtures import ServerHarness
from tests.web.boards import answer_all, opened
from tests.web.form_browser import Browser, area, hidden, orders
from tests.web.test_boards import PHASES


def offering(harness: ServerHarness, game: str, language: str) -> list[Part]:
    """The open questions of the host's seat that take several lines and offer some."""
    shown = game_pages.load_seat_page(harness.web, get_user_id(harness, HOST), game, "s1")
    owed = {one.decision.topic for one in shown.questions if one.decision.blocking}
    made = order_builder.build_parts(shown.grammar, "fr" if language == "fr" else "en", owed)
    return [part for part in made if part.kind == "open" and part.is_multiple and len(part.likely) > 1]


def checked(guest: Browser, game: str, text: str) -> dict[str, Any]:
    """What the page's script hears of the offered lines."""
    sent = {"entry": hidden(guest.get(f"/games/{game}").text, "entry"), "text": text}
    answer = guest.post(f"/games/{game}/preview", sent, page=f"/games/{game}").get_json()
    assert isinstance(answer, dict)
    return dict(answer["offers"])


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line is tried, however slow the machine is."""
    monkeypatch.setattr(web_orders, "TRYING_S", 600.0)


def refused(harness: ServerHarness, game: str, text: str) -> int:
    """How many lines of a text the judge refuses."""
    facts = web_orders.preview_orders(
        harness.web, get_user_id(harness, HOST), game, harness.load_game(game).entry, text.splitlines()
    )
    assert isinstance(facts, ReceiptFacts)
    return sum(line.problem is not None for one in facts.sets for line in one.lines)


@pytest.mark.parametrize("title", PHASES)
def test_what_is_offered_is_marked_exactly_if_it_would_be_refused(state_dir: Path, title: str) -> None:
    """Behind one line, and behind as many as go together: the marks of lines are what the judge says of the whole.

    A value that a list calls likely is off exactly if no line with it would be accepted.  Both with their reason.
    """
    harness, guest, game = opened(state_dir, title, rounds=3)
    lines_off, values_off = {True: 0, False: 0}, {True: 0, False: 0}
    for _ in range(budget(3, 8)):
        for part in offering(harness, game, "en"):
            lines = order_builder.whole_lines(part.section, "en", ())
            for text in dict.fromkeys((f"{part.likely[0]}\n", together(harness, game, part.likely[:6]))):
                heard, before = checked(guest, game, text), refused(harness, game, text)
                assert not heard["untried"]
                against = {line for line in part.likely if refused(harness, game, f"{text}{line}\n") > before}
                for line in part.likely:
                    if line not in text.splitlines() or not line.startswith("PASS"):  # PASS twice says nothing new
                        assert (line in heard["refused"]) is (line in against), (text, line)
                        lines_off[line in against] += 1
                assert all(heard["refused"].values())
                for held, numbers in web_orders.lines_with_value(part.section).items():
                    off = heard["lists"].get(f"{part.question}.{held.form}.{held.slot}", {})
                    if all(n < len(lines) and lines[n] in part.likely for n in numbers):
                        said = all(lines[n] in against for n in numbers)
                        assert (held.value in off) is said, (text, held)
                        values_off[said] += 1
                    assert all(off.values())
        answer_all(harness, game)
    assert min(*lines_off.values(), *values_off.values()) > 0


def together(harness: ServerHarness, game: str, lines: Sequence[str]) -> str:
    """As many of these lines as the judge takes together."""
    text = ""
    for line in lines:
        if not refused(harness, game, f"{text}{line}\n"):
            text += f"{line}\n"
    return text


def test_lines_that_are_offered_no_more_are_tried_for_what_lists_hold(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value is off only if each later line that holds it was refused, too; of each that is off that is known."""
    harness, guest, game = opened(state_dir, asks="expansion")
    parts = [part for part in offering(harness, game, "en") if part.topic == "expansion"]
    text = together(harness, game, [line for line in parts[0].likely if not line.startswith("PASS")])
    whole = checked(guest, game, text)
    monkeypatch.setattr(order_builder, "MOST_LIKELY", 1)
    few = checked(guest, game, text)
    assert sum(map(len, whole["lists"].values())) > 1
    assert len(few["refused"]) < len(whole["refused"])
    assert {place: off.keys() for place, off in few["lists"].items()} == {
        place: off.keys() for place, off in whole["lists"].items()
    }


def test_behind_pass_every_value_is_off_and_without_time_none(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PASS goes with no line; what was not tried is not off."""
    harness, guest, game = opened(state_dir, asks="expansion")
    part = next(part for part in offering(harness, game, "en") if part.section.topic.may_pass)
    text = f"{order_builder.pass_line(part.section, 'en')}\n"
    off = checked(guest, game, text)["lists"]
    held = web_orders.lines_with_value(part.section)
    assert held
    assert all(one.value in off[f"{part.question}.{one.form}.{one.slot}"] for one in held)
    monkeypatch.setattr(web_orders, "TRYING_S", 0.0)
    assert checked(guest, game, f"{part.likely[0]}\n")["lists"] == {}


def test_a_heading_above_is_told_so_that_lines_are_tried_there(state_dir: Path) -> None:
    """Under a row that may be a heading an offered line may be read as another question's; remarks are none."""
    harness, guest, game = opened(state_dir, "amalfi", asks="action")
    parts = [part for part in offering(harness, game, "en") if part.topic == "action"]
    line = parts[0].likely[0]
    title = parts[0].section.topic.words.printed("en")
    assert checked(guest, game, f"{title}:\n{line}\n")["has_heading"] is True
    assert checked(guest, game, f"; {title}:\n{line}\n")["has_heading"] is False


def test_without_scripts_what_would_be_refused_is_off_with_its_reason_and_is_not_written(state_dir: Path) -> None:
    """A page that comes back with lines marks what does not go with them, in the reader's language; a click on that
    writes nothing and says why; what goes is written.
    """
    harness, guest, game = opened(state_dir, "amalfi", asks="action", language="fr")
    (part,) = [part for part in offering(harness, game, "fr") if part.topic == "action"]
    text = f"{part.likely[0]}\n"
    off = checked(guest, game, text)["refused"]
    page = orders(guest, game, text, "preview").text
    chips = re.findall(r'data-line="([^"]*)"( aria-disabled="true")?[^>]*>(.*?)</button>', page, re.S)
    marked = {unescape(line): unescape(said) for line, is_off, said in chips if is_off}
    assert marked.keys() == off.keys()
    assert all(off[line] in said for line, said in marked.items())
    number = next(n for n, line in enumerate(part.likely) if line in off)
    answer = orders(guest, game, text, f"likely:{part.key}.{number}")
    assert answer.status_code == 422
    assert area(answer.text).strip() == text.strip()
    assert off[part.likely[number]] in unescape(answer.text).partition('class="notice bad">')[2].partition("</p>")[0]
    number = next(n for n, line in enumerate(part.likely) if line not in off)
    assert part.likely[number] in area(orders(guest, game, text, f"likely:{part.key}.{number}").text).splitlines()
    lists = checked(guest, game, text)["lists"]
    assert lists
    for place, gone in lists.items():
        name = part.key + place.removeprefix(part.question)
        (menu,) = re.findall(rf'<select id="{re.escape(name)}\.0".*?</select>', page, re.S)
        likely = "".join(re.findall(r"<optgroup[^>]*data-likely>(.*?)</optgroup>", menu, re.S))
        assert all(f'value="{one}"' in menu and f'value="{one}"' not in likely for one in gone)
    assert "aria-disabled" not in guest.get(f"/games/{game}").text.partition('id="desk"')[2].partition("</form>")[0]


def test_what_there_is_no_time_for_is_said_to_be_untried(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the trials would take, the check comes, and names the lines that nobody has tried."""
    harness, guest, game = opened(state_dir, "amalfi", asks="action")
    parts = [part for part in offering(harness, game, "en") if part.topic == "action"]
    text = f"{parts[0].likely[0]}\n"
    assert checked(guest, game, text)["untried"] == []
    monkeypatch.setattr(web_orders, "TRYING_S", 0.0)
    heard = checked(guest, game, text)
    known = set(heard["refused"]) | set(heard["untried"])
    assert set(parts[0].likely) <= known
    assert len(heard["untried"]) >= len(parts[0].likely) - 1
