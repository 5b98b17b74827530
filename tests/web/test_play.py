"""Playing by the pages: the form is the order language, and what counts is what the receipt says."""

import html
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.crypto import new_token
from pbem.narration.letters import render
from pbem.service.orders import web_orders
from pbem.service.seats import deputies, sign_in
from tests.service.server_fixtures import ServerHarness, start_game
from tests.service.test_deputies import named
from tests.service.timed_games import advance_and_run
from tests.web.boards import opened
from tests.web.conftest import Town
from tests.web.form_browser import Browser, area, hidden, orders


def taken(harness: ServerHarness) -> int:
    """How many receipts went out by mail that took a set."""
    harness.run_queued_tasks()
    return sum(1 for facts in harness.sent_facts("receipt") if any(s.taken for s in facts.sets))


def both_bid(town: Town) -> Browser:
    """Both seats have bid by their pages; the first one, who is asked for a march."""
    for seat in (2, 1):
        orders(town.browser(f"p{seat}@games.test"), town.game, "BID 0", "submit")
    town.harness.run_queued_tasks()
    return town.browser("p1@games.test")


def test_a_seat_page_says_what_is_owed_until_it_is_in(town: Town) -> None:
    """It names the question and its default, offers the likely lines as buttons, and says so in the tab's title."""
    guest = town.browser("p1@games.test")
    text = guest.get(f"/games/{town.game}").text
    assert "asks bid" in text
    assert "Without an answer: [en] default bid" in text
    assert "<title>(!) Rose" in text
    assert re.search(r'value="likely:s\d:BID \d+"[^>]*>BID \d+<', text)
    assert area(text) == ""
    orders(guest, town.game, "BID 3", "submit")
    text = guest.get(f"/games/{town.game}").text
    assert "Your orders are in" in text
    assert "default bid" not in text
    assert "<title>Rose" in text


def test_a_likely_line_is_one_button(town: Town) -> None:
    """The button of a likely line writes that line into the text, and sends nothing."""
    guest = town.browser("p1@games.test")
    assert re.fullmatch(r"; mine\nBID \d+\n", area(orders(guest, town.game, "; mine", "likely:s1:BID 2").text))
    for gone in ("likely:s99:BID 2", "likely:s1:", "add:s99.0"):
        assert orders(guest, town.game, "x", gone).status_code == 409
    assert taken(town.harness) == 0


def test_orders_sent_by_the_page_are_sealed_and_receipted(town: Town) -> None:
    """A set that stands is taken, its commitment shown, its receipt mailed, and said once who is still awaited.

    The same form sent again is taken once, and the second answer says so.
    """
    guest = town.browser("p1@games.test")
    shown, path = guest.get(f"/games/{town.game}").text, f"/games/{town.game}/orders"
    sent = {"form": hidden(shown, "form"), "entry": hidden(shown, "entry"), "text": "BID 3", "act": "submit"}
    answer = guest.post(path, sent, page=f"/games/{town.game}")
    assert answer.status_code == 200
    assert "Your orders are in." in answer.text
    assert taken(town.harness) == 1
    assert town.harness.sent_facts("receipt")[-1].sets[0].commitment in answer.text
    assert answer.text.count("Still waiting for:") == 1
    assert "understood:" not in answer.text  # what was written in the printed words is not said twice
    again = guest.post(path, {**sent, "text": "BID 5"}, page=f"/games/{town.game}")
    assert "You have sent this form before" in again.text
    assert taken(town.harness) == 1


def test_what_was_carried_out_at_once_is_not_in_the_field_any_more(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all is in with one's own orders, the page already asks the next question, and holds no text for it."""
    sent = web_orders.submit_orders

    def carried_out(*given: Any) -> Any:
        found = sent(*given)
        town.harness.run_queued_tasks()
        return found

    orders(town.browser("p2@games.test"), town.game, "BID 1", "submit")
    monkeypatch.setattr(web_orders, "submit_orders", carried_out)
    answer = orders(town.browser("p1@games.test"), town.game, "BID 3", "submit")
    assert "Everyone has answered" in answer.text
    assert hidden(answer.text, "entry") == str(town.harness.load_game(town.game).entry)
    assert area(answer.text) == ""
    text = town.browser("p2@games.test").get(f"/games/{town.game}").text
    assert "Bought" in text
    assert "asks march" in text


def test_what_is_still_owed_is_said_beside_what_is_in(state_dir: Path) -> None:
    """With one of three questions answered, page and letter name the other two in the same breath."""
    harness, guest, game = opened(state_dir)
    page = html.unescape(orders(guest, game, "BID 0", "submit").text).replace("\u00a0", " ")
    assert "Your orders are in, but an answer is still due: Cards, Capitals." in page
    harness.run_queued_tasks()
    letter = render(harness.sent_facts("receipt")[-1])
    said = "Your orders are in, but the cards to keep and the choice of capital still need an answer."
    assert said in " ".join(letter.text.split())
    assert letter.subject == "[Rose] Turn 1"


def test_a_refused_set_changes_nothing_and_says_what_would_do(town: Town) -> None:
    """Each line is shown as written and understood, why it is refused, and a line that would be accepted.

    A line that is no order is refused by itself, and is no talk; the text stays in the field.
    """
    guest = town.browser("p1@games.test")
    orders(guest, town.game, "BID 3", "submit")
    answer = orders(guest, town.game, "BID 99", "submit")
    assert answer.status_code == 422
    assert "NOTHING WAS CHANGED" in answer.text
    assert "problem" in answer.text
    assert "try:" in answer.text
    assert area(answer.text) == "BID 99"
    answer = orders(guest, town.game, "BID 4\nsee you all Sunday!", "submit")
    assert answer.status_code == 422
    assert 'class="receipt bad"' in answer.text
    assert re.search(r'<li value="2" class="refused">\s*<code>see you all Sunday!</code>', answer.text)
    assert area(answer.text) == "BID 4\nsee you all Sunday!"
    assert taken(town.harness) == 1


def test_a_preview_files_nothing(town: Town) -> None:
    """A preview leaves neither sealed orders nor a letter; one of WITHDRAW leaves what stands where it is.

    A march is tried on the author's own view: its events are told, its draw is taken as won.
    """
    guest = town.browser("p1@games.test")
    for text in ("BID 3", "BID 3\nWITHDRAW"):
        assert "Nothing was" in orders(guest, town.game, text, "preview").text
    assert taken(town.harness) == 0
    assert not town.harness.sent_facts("receipt")
    orders(guest, town.game, "BID 3", "submit")
    orders(guest, town.game, "WITHDRAW", "preview")
    assert "Your orders are in" in guest.get(f"/games/{town.game}").text
    orders(town.browser("p2@games.test"), town.game, "BID 0", "submit")
    town.harness.run_queued_tasks()
    answer = orders(guest, town.game, "ATTACK Mill WITH 2", "preview")
    assert "If nobody else acts" in answer.text
    assert "Fought" in answer.text


def test_the_button_withdraws_what_was_sent(town: Town) -> None:
    """Withdrawn orders are asked for again."""
    guest = town.browser("p1@games.test")
    orders(guest, town.game, "BID 3", "submit")
    assert "withdrawn" in orders(guest, town.game, "", "withdraw").text
    assert "Your orders are in" not in guest.get(f"/games/{town.game}").text


def test_a_page_of_before_cannot_answer_a_later_question(town: Town) -> None:
    """Orders from a page made before the gate closed are not taken for the next question."""
    old = town.browser("p1@games.test").get(f"/games/{town.game}").text
    guest = both_bid(town)
    before = taken(town.harness)
    sent = {"form": new_token(), "entry": hidden(old, "entry"), "text": "ATTACK Mill", "act": "submit"}
    answer = guest.post(f"/games/{town.game}/orders", sent, page=f"/games/{town.game}")
    assert answer.status_code == 422
    assert "The game has moved on" in answer.text
    assert taken(town.harness) == before


def test_the_fields_of_a_form_write_a_line(town: Town) -> None:
    """A line built from lists and numbers is the printed line, in its place; nothing is sent by it.

    An answer ahead is written with ON before all headings; lines for a later phase under their heading.
    """
    guest = town.browser("p1@games.test")
    shown = orders(guest, town.game, "", "unfold:r0").text
    assert 'name="r0.0.card"' in shown
    text = area(orders(guest, town.game, "FOR MARCH\nPASS", "add:r0.0", **{"r0.0.card": "oak"}).text)
    assert text.splitlines() == ["ON PARRY: PARRY Oak Shield", "FOR MARCH", "PASS"]
    ahead = next(
        k for k in ("s0", "s1", "s2") if f'name="{k}.0.town"' in orders(guest, town.game, "", f"unfold:{k}").text
    )
    text = area(orders(guest, town.game, "BID 1", f"add:{ahead}.0", **{f"{ahead}.0.town": "mill"}).text)
    assert text.splitlines() == ["BID 1", "FOR TURN 1 MARCH", "ATTACK Mill"]
    guest = both_bid(town)
    shown, before = guest.get(f"/games/{town.game}").text, taken(town.harness)
    key = next(k for k in ("s0.0", "s1.0", "s2.0") if f'name="{k}.town"' in shown)
    fields = {f"{key}.town": "mill", f"{key}.armies": "2", f"{key}.times": "3"}
    answer = orders(guest, town.game, "; a remark\nEND", f"add:{key}", **fields)
    assert area(answer.text) == "; a remark\nATTACK Mill WITH 2 UP TO 3 TIMES\nEND\n"
    assert taken(town.harness) == before


def test_the_page_says_what_it_did_not_read(town: Town) -> None:
    """A line below END that would be an order is named, and one behind a semicolon is refused."""
    guest = town.browser("p1@games.test")
    answer = orders(guest, town.game, "BID 1\nEND\nBID 2", "submit").text
    assert "Your orders are in." in answer
    assert "<q>BID 2</q>" in answer
    assert "Your orders are in." not in orders(guest, town.game, "BID 1; BID 2", "submit").text


def test_orders_ahead_and_reactions_are_taken_by_the_page(town: Town) -> None:
    """Sets for a later phase and reactions are sealed with the set of the open question."""
    text = "BID 1\nON PARRY: PARRY Oak Shield\nFOR TURN 1 MARCH\nATTACK Mill"
    assert "Your orders are in." in orders(town.browser("p1@games.test"), town.game, text, "submit").text
    town.harness.run_queued_tasks()
    facts = town.harness.sent_facts("receipt")[-1]
    assert [s.topic for s in facts.sets if s.taken] == ["bid", "march"]
    assert facts.reactions[0].topic == "shield"


def test_leaving_needs_a_second_consent(town: Town) -> None:
    """The page of leaving does nothing when looked at or unconfirmed; confirmed, the seat is offered to others."""
    guest, path = town.browser("p1@games.test"), f"/games/{town.game}/resign"
    form = hidden(guest.get(path).text, "form")
    assert guest.post(path, {"form": form}).status_code == 422
    assert "in place of" not in town.browser("p2@games.test").get("/seats/open").text
    assert guest.post(path, {"form": form, "sure": "yes"}).status_code == 200
    town.harness.run_queued_tasks()
    assert town.harness.load_game(town.game).state == "running"
    assert "in place of" in town.browser("p2@games.test").get("/seats/open").text


def test_pages_beside_the_orders(town: Town) -> None:
    """Help explains every form with an example, and what things do; the table page and old reports open."""
    guest = town.browser("p1@games.test")
    shown = guest.get(f"/games/{town.game}/help").text
    for said in ("BID &lt;coins&gt;", "I HOLD &lt;town&gt;", "<dt>plague</dt><dd>[en] does plague</dd>"):
        assert said in shown
    assert "Dealt" not in guest.get(f"/games/{town.game}/table").text
    entry = town.harness.load_game(town.game).entry
    own, other = (town.browser(f"p{n}@games.test").get(f"/games/{town.game}/reports/{entry}").text for n in (1, 2))
    assert own != other, "each its own"
    assert own.count("Dealt") == other.count("Dealt") == 1
    assert guest.get(f"/games/{town.game}/reports/999").status_code == 404


def test_the_same_lines_in_french(town: Town) -> None:
    """The page, its keywords and its refusals are in the reader's language; either language is understood."""
    guest = town.browser("p1@games.test")
    guest.post("/language", {"language": "fr", "back": "/"}, page="/")
    shown = guest.get(f"/games/{town.game}").text
    assert 'lang="fr"' in shown
    assert re.search(r">ENCHÈRE \d+<", shown)
    answer = orders(guest, town.game, "BID 3", "submit")
    assert "Vos ordres sont enregistrés." in answer.text
    assert "ENCHÈRE 3" in answer.text


def test_the_pulse_says_where_the_game_stands_and_no_more(town: Town) -> None:
    """Entry, state, who is awaited, and the next table that waits for its reader; nothing at all while that stays as it
    is.  A page left open does not put its reader's cookie back after another has signed in there; a page opened does.
    """
    guest, path = town.browser("p1@games.test"), f"/games/{town.game}/status"
    first = guest.get(path)
    assert first.get_json() == {"entry": 1, "state": "running", "waiting": ["s1", "s2"], "away": [], "next": None}
    assert "Set-Cookie" not in first.headers
    assert "Set-Cookie" in guest.get(f"/games/{town.game}").headers
    tag = {"If-None-Match": first.headers["ETag"]}
    assert (guest.get(path, headers=tag).status_code, guest.get(path, headers=tag).data) == (304, b"")
    orders(guest, town.game, "BID 3", "submit")
    assert guest.get(path, headers=tag).get_json()["waiting"] == ["s2"]
    orders(town.browser("p2@games.test"), town.game, "BID 1", "submit")
    town.harness.run_queued_tasks()
    assert guest.get(path, headers=tag).get_json()["entry"] > 1
    other = start_game(town.harness, "toy", 2)
    assert guest.get(path).get_json()["next"][0] == other


def test_who_is_away_is_told_once_a_deputy_answers_and_not_before(town: Town) -> None:
    """Everybody was told of the deputy; an absence alone is its player's own affair.

    The page that is first sent marks the seat for which a deputy answers, in words too, and no other seat.
    """
    guest, path = town.browser("p1@games.test"), f"/games/{town.game}/status"
    asked = named(town.harness, town.game)
    assert guest.get(path).get_json()["away"] == []
    assert panels(guest, town.game) == {"s1": (False, False), "s2": (False, False)}
    deputies.answer(town.harness.web, asked, agrees=True)
    advance_and_run(town.harness, minutes=1)
    assert guest.get(path).get_json()["away"] == ["s2"]
    assert panels(guest, town.game) == {"s1": (False, False), "s2": (True, True)}


def panels(guest: Browser, game: str) -> dict[str, tuple[bool, bool]]:
    """By seat, whether its panel beside the board is drawn as away, and whether its words say so."""
    shown = guest.get(f"/games/{game}").text.partition('<ul class="players"')[2].partition("</ul>")[0]
    found = re.findall(r'<li data-seat="(\w+)"[^>]*class="([^"]*)"[^>]*>(.*?)</li>', shown, re.DOTALL)
    return {seat: ("away" in look.split(), '<span class="off">' in words) for seat, look, words in found}


def test_a_check_tells_requests_from_an_empty_text(town: Town) -> None:
    """What holds no order but asks for something can be sent; a comment alone is still nothing."""
    guest = town.browser("p1@games.test")

    def found(text: str) -> object:
        sent = {"entry": "1", "text": text}
        return guest.post(f"/games/{town.game}/preview", sent, page=f"/games/{town.game}").get_json()["verdict"]

    assert (found("RESIGN"), found("; nothing yet")) == ("command", "nothing")


def test_a_check_sends_the_board_as_what_changes_in_it(state_dir: Path) -> None:
    """To a page that holds the board as it is; the whole board to one that holds another."""
    _, guest, game = opened(state_dir, "patchistory")
    shown = guest.get(f"/games/{game}").text
    line = html.unescape(re.findall(r'value="likely:\w+:([^"]*)"', shown)[0])
    held = guest.get(f"/games/{game}/map.svg?live=1").get_etag()[0]
    sent = {"entry": hidden(shown, "entry"), "text": line}
    short = guest.post(f"/games/{game}/preview", {**sent, "map": held}, page=f"/games/{game}")
    whole = guest.post(f"/games/{game}/preview", {**sent, "map": "other"}, page=f"/games/{game}")
    assert ("changes" in short.get_json(), "map" in short.get_json()) == (True, False)
    assert whole.get_json()["map"].startswith("<svg")
    assert len(short.data) < min(30_000, len(whole.data))


def test_a_shared_computer_keeps_nothing_of_what_is_written(town: Town) -> None:
    """Whoever says so when they sign in gets a page that keeps no draft; signing out empties what a browser kept."""
    guest = town.browser("p1@games.test")
    assert re.search(r'data-whose="\d+\.', guest.get(f"/games/{town.game}").text)
    assert guest.post("/sign-out", page="/").headers["Clear-Site-Data"] == '"storage"'
    link = sign_in.create_sign_in_link(town.harness.web, town.user("p1@games.test")).removeprefix("https://games.test")
    guest.post(link, {"shared": "1"})
    assert 'data-whose=""' in guest.get(f"/games/{town.game}").text


COMMAND_LINES = """
STATUS / HELP / HELP me / HELP BID / REPORT / REPORT 1 / REPORT 99 / PREVIEW / WITHDRAW / WITHDRAW BID / WITHDRAW x
WAIT / READY / ALWAYS / ABSENT / ABSENT next week / ABSENT whenever / RESIGN / MY ADDRESS a@b.example / MY ADDRESS
MY FILE / FORGET ME / PRESS TO ALL: hello END / PRESS TO nobody: hello END / PRESS TO ALL: hello / DIARY: mine END
"""


@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=pytest.mark.long)])
def test_each_command_is_answered_on_the_page(town: Town, language: str) -> None:
    """Sent or previewed, alone or with an order, a command has its sentence: none is an error of the server."""
    guest = town.browser("p1@games.test")
    guest.post("/language", {"language": language, "back": "/"}, page="/")
    for line in re.split(r" / |\n", COMMAND_LINES.strip()):
        for act in ("preview", "submit"):
            answer = orders(guest, town.game, f"{line}\nBID 1", act)
            assert answer.status_code in (200, 422), (line, act)
