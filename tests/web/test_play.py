"""Playing by the pages: the form is the order language, and what counts is what the receipt says."""

import html
import re
from pathlib import Path
from typing import Any

import pytest

from engine import GAMES
from pbem.narration.letters import render
from pbem.service.orders import web_orders
from pbem.service.seats import deputies, signing_in
from pbem.vault import new_token
from pbem.work import MOST_LINES
from tests.service.hall import Hall, build, seated
from tests.service.masterly import user
from tests.service.test_deputies import named
from tests.service.timed import tick
from tests.web.conftest import Town
from tests.web.guests import Browser, area, hidden, orders, site


def taken(hall: Hall) -> int:
    """How many receipts went out by mail that took a set."""
    hall.settle()
    return sum(1 for facts in hall.of("receipt") if any(s.taken for s in facts.sets))


def test_a_seat_page_says_what_is_owed(town: Town) -> None:
    """The page of a seat names the question, its default, and offers the likely lines as buttons."""
    text = town.browser("p1@games.test").get(f"/games/{town.game}").text
    assert "asks bid" in text
    assert "default bid" in text
    assert re.search(r'value="likely:s\d\.0"[^>]*>BID \d+<', text)
    assert area(text) == ""


def test_a_likely_line_is_one_button(town: Town) -> None:
    """The button of a likely line writes that line into the text, and sends nothing."""
    answer = orders(town.browser("p1@games.test"), town.game, "; mine", "likely:s1.0")
    assert re.fullmatch(r"; mine\nBID \d+\n", area(answer.text))
    assert orders(town.browser("p1@games.test"), town.game, "x", "likely:s1.99").status_code == 409
    assert taken(town.hall) == 0


def test_orders_sent_by_the_page_are_sealed_and_receipted(town: Town) -> None:
    """A set that stands is taken, its commitment shown, its receipt mailed, and said once who is still awaited."""
    guest = town.browser("p1@games.test")
    answer = orders(guest, town.game, "BID 3", "submit")
    assert answer.status_code == 200
    assert "Your orders are in." in answer.text
    assert "BID 3" in answer.text
    assert taken(town.hall) == 1
    facts = town.hall.of("receipt")[-1]
    assert facts.sets[0].commitment in answer.text
    assert answer.text.count("Still waiting for:") == 1
    assert "understood:" not in answer.text  # what was written in the printed words is not said twice
    assert "your orders are in" in guest.get(f"/games/{town.game}").text


def test_what_was_carried_out_at_once_is_not_in_the_field_any_more(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all is in with one's own orders, the page already asks the next question, and holds no text for it."""
    sent = web_orders.submit

    def carried_out(*given: Any) -> Any:
        found = sent(*given)
        town.hall.settle()
        return found

    orders(town.browser("p2@games.test"), town.game, "BID 1", "submit")
    monkeypatch.setattr(web_orders, "submit", carried_out)
    answer = orders(town.browser("p1@games.test"), town.game, "BID 3", "submit")
    assert "Your orders are in." in answer.text
    assert hidden(answer.text, "entry") == str(town.hall.game(town.game).entry)
    assert area(answer.text) == ""


def test_a_default_is_told_until_there_is_an_answer(town: Town) -> None:
    """It says that it is for want of an answer, and is gone once there is one."""
    guest = town.browser("p1@games.test")
    assert "Without an answer: [en] default bid" in guest.get(f"/games/{town.game}").text
    orders(guest, town.game, "BID 3", "submit")
    assert "default bid" not in guest.get(f"/games/{town.game}").text


STILL_OWED = {
    "en": (
        "Your orders are in, but an answer is still due: Cards, Capitals.",
        "Your orders are in, but the cards to keep and the choice of capital still need an answer.",
        "[Rose] Turn 1",
    ),
    "fr": (
        "Vos ordres sont enregistrés, mais une réponse manque encore : Cartes, Capitales.",
        "Vos ordres sont enregistrés, mais il manque encore votre réponse pour",
        "[Rose] Tour 1",
    ),
}
"""What the page and the letter say where one of three questions was answered; its subject is that of the turn."""


@pytest.mark.parametrize("language", STILL_OWED)
def test_what_is_still_owed_is_said_beside_what_is_in(state_dir: Path, language: str) -> None:
    """With one of three questions answered, page and letter name the other two in the same breath."""
    hall = build(state_dir, installed=GAMES)
    game = seated(hall, "age_of_renaissance", 3)
    guest = Browser(site(hall)).sign_in(hall, user(hall, "p1@games.test"))
    guest.post("/language", {"language": language, "back": "/"}, page="/")
    page = html.unescape(orders(guest, game, "BID 0", "submit").text).replace("\u00a0", " ")
    hall.settle()
    letter = render(hall.of("receipt")[-1])
    on_page, in_letter, in_subject = STILL_OWED[language]
    assert (on_page in page, in_letter in " ".join(letter.text.split()), in_subject == letter.subject) == (True,) * 3


def test_on_the_page_a_misspelt_line_is_no_talk(town: Town) -> None:
    """It is refused under no green mark, with the lines beside it; nothing is sent."""
    guest = town.browser("p1@games.test")
    answer = orders(guest, town.game, "BID 3\nOFFER 4", "submit")
    assert (answer.status_code, taken(town.hall)) == (422, 0)
    assert 'class="receipt bad"' in answer.text
    assert re.search(r'<li value="2" class="refused">\s*<code>OFFER 4</code>', answer.text)


def test_a_gate_closes_when_all_have_answered_by_the_pages(town: Town) -> None:
    """When the last seat has sent its bid, play goes on, and its report can be read on the page."""
    before = town.hall.game(town.game).entry
    orders(town.browser("p1@games.test"), town.game, "BID 3", "submit")
    last = town.browser("p2@games.test")
    answer = orders(last, town.game, "BID 1", "submit")
    assert "Everyone has answered" in answer.text
    town.hall.settle()
    assert town.hall.game(town.game).entry > before
    text = last.get(f"/games/{town.game}").text
    assert "Bought" in text
    assert "asks march" in text


def test_a_form_acts_once(town: Town) -> None:
    """The same form sent twice is taken once, and the second answer says so."""
    guest = town.browser("p1@games.test")
    shown = guest.get(f"/games/{town.game}").text
    sent = {"form": hidden(shown, "form"), "entry": hidden(shown, "entry"), "text": "BID 3", "act": "submit"}
    path = f"/games/{town.game}/orders"
    assert "Your orders are in." in guest.post(path, sent, page=f"/games/{town.game}").text
    again = guest.post(path, {**sent, "text": "BID 5"}, page=f"/games/{town.game}")
    assert "You have sent this form before" in again.text
    assert taken(town.hall) == 1


def test_a_refused_set_changes_nothing_and_says_what_would_do(town: Town) -> None:
    """Each line is shown as written and understood, why it is refused, and a line that would be accepted."""
    guest = town.browser("p1@games.test")
    orders(guest, town.game, "BID 3", "submit")
    answer = orders(guest, town.game, "BID 99", "submit")
    assert answer.status_code == 422
    assert "NOTHING WAS CHANGED" in answer.text
    assert "problem" in answer.text
    assert "try:" in answer.text
    assert area(answer.text) == "BID 99"
    assert taken(town.hall) == 1


def test_what_was_written_is_never_lost_to_an_unreadable_line(town: Town) -> None:
    """A line that is no order is refused by itself; the text stays in the field."""
    answer = orders(town.browser("p1@games.test"), town.game, "see you all Sunday!\nBID 2", "preview")
    assert re.search(r'<li value="1" class="refused">\s*<code>see you all Sunday!</code>', answer.text)
    assert area(answer.text) == "see you all Sunday!\nBID 2"


def test_a_preview_files_nothing(town: Town) -> None:
    """A preview shows rulings and trial events, and leaves neither ballot nor letter."""
    guest = town.browser("p1@games.test")
    for text in ("BID 3", "BID 3\nWITHDRAW"):
        answer = orders(guest, town.game, text, "preview")
        assert "Nothing was" in answer.text
    assert taken(town.hall) == 0
    assert not town.hall.of("receipt")


def test_a_preview_of_a_withdrawal_takes_nothing_back(town: Town) -> None:
    """WITHDRAW in a preview leaves what stands where it is."""
    guest = town.browser("p1@games.test")
    orders(guest, town.game, "BID 3", "submit")
    orders(guest, town.game, "WITHDRAW", "preview")
    assert "your orders are in" in guest.get(f"/games/{town.game}").text


def test_a_preview_tells_the_trial_of_lines(town: Town) -> None:
    """A march is tried on the author's own view: its events are told, its draw is taken as won."""
    for seat in (1, 2):
        orders(town.browser(f"p{seat}@games.test"), town.game, "BID 0", "submit")
    town.hall.settle()
    guest = town.browser("p1@games.test")
    answer = orders(guest, town.game, "ATTACK Mill WITH 2", "preview")
    assert "If nobody else acts" in answer.text
    assert "Fought" in answer.text


def test_the_button_withdraws_what_was_sent(town: Town) -> None:
    """Withdrawn orders are asked for again."""
    guest = town.browser("p1@games.test")
    orders(guest, town.game, "BID 3", "submit")
    answer = orders(guest, town.game, "", "withdraw")
    assert "taken back" in answer.text
    assert "your orders are in" not in guest.get(f"/games/{town.game}").text


def test_a_page_of_before_cannot_answer_a_later_question(town: Town) -> None:
    """Orders from a page made before the gate closed are not taken for the next question."""
    guest, other = town.browser("p1@games.test"), town.browser("p2@games.test")
    old = guest.get(f"/games/{town.game}").text
    orders(guest, town.game, "BID 0", "submit")
    orders(other, town.game, "BID 0", "submit")
    town.hall.settle()
    before = taken(town.hall)
    sent = {"form": new_token(), "entry": hidden(old, "entry"), "text": "ATTACK Mill", "act": "submit"}
    answer = guest.post(f"/games/{town.game}/orders", sent, page=f"/games/{town.game}")
    assert answer.status_code == 422
    assert "The table has moved on" in answer.text
    assert taken(town.hall) == before


def test_the_fields_of_a_form_write_a_line(town: Town) -> None:
    """A line built from lists and numbers is the printed line, in its place; nothing is sent by it."""
    for seat in (1, 2):
        orders(town.browser(f"p{seat}@games.test"), town.game, "BID 0", "submit")
    town.hall.settle()
    guest = town.browser("p1@games.test")
    shown = guest.get(f"/games/{town.game}").text
    key = next(k for k in ("s0.0", "s1.0", "s2.0") if f'name="{k}.town"' in shown)
    fields = {f"{key}.town": "mill", f"{key}.armies": "2", f"{key}.times": "3"}
    before = taken(town.hall)
    answer = orders(guest, town.game, "; a remark\nEND", f"add:{key}", **fields)
    assert area(answer.text) == "; a remark\nATTACK Mill WITH 2 UP TO 3 TIMES\nEND\n"
    assert taken(town.hall) == before


def test_a_rider_and_a_later_phase_can_be_built(town: Town) -> None:
    """An answer ahead is written with ON before all headings; lines for a later phase under their heading."""
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


def test_orders_ahead_and_riders_are_taken_by_the_page(town: Town) -> None:
    """Sets for a later phase and riders are sealed with the set of the open question."""
    text = "BID 1\nON PARRY: PARRY Oak Shield\nFOR TURN 1 MARCH\nATTACK Mill"
    answer = orders(town.browser("p1@games.test"), town.game, text, "submit")
    assert "Your orders are in." in answer.text
    town.hall.settle()
    facts = town.hall.of("receipt")[-1]
    assert [s.asks for s in facts.sets if s.taken] == ["bid", "march"]
    assert facts.riders[0].asks == "shield"


def test_leaving_needs_a_second_consent(town: Town) -> None:
    """The page of leaving does nothing when looked at or unconfirmed; confirmed, the seat is offered to others."""
    guest, path = town.browser("p1@games.test"), f"/games/{town.game}/leave"
    assert guest.get(path).status_code == 200
    form = hidden(guest.get(path).text, "form")
    assert guest.post(path, {"form": form}).status_code == 422
    assert town.hall.game(town.game).state == "running"
    assert guest.post(path, {"form": form, "sure": "yes"}).status_code == 200
    town.hall.settle()
    assert town.hall.game(town.game).state == "running"
    assert "in place of" in town.browser("p2@games.test").get("/seats").text


def test_pages_beside_the_orders(town: Town) -> None:
    """Help explains every form with an example, and what things do; the table page and old reports open."""
    guest = town.browser("p1@games.test")
    shown = guest.get(f"/games/{town.game}/help").text
    assert "BID &lt;coins&gt;" in shown
    assert "I HOLD &lt;town&gt;" in shown
    assert "<dt>plague</dt><dd>[en] does plague</dd>" in shown
    assert "Dealt" not in guest.get(f"/games/{town.game}/table").text
    entry = town.hall.game(town.game).entry
    assert "Dealt" in guest.get(f"/games/{town.game}/reports/{entry}").text
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


def test_no_page_of_a_seat_shows_another_hand(town: Town) -> None:
    """The cards of one seat are on its own page, and on no page of another."""
    own = town.browser("p1@games.test").get(f"/games/{town.game}").text
    other = town.browser("p2@games.test")
    cards = own.partition("Player 1")[2].partition("</tr>")[0].rpartition("<td>")[2].partition("</td>")[0]
    assert ", " in cards
    for path in ("", "/table", "/help"):
        assert cards not in other.get(f"/games/{town.game}{path}").text


def test_more_text_than_any_orders_is_refused(town: Town) -> None:
    """The page says so; text within the limit is judged, however little sense it makes."""
    guest = town.browser("p1@games.test")
    assert orders(guest, town.game, "x" * 20_001, "submit").status_code == 413
    assert orders(guest, town.game, "BID 3 " * 3_000, "preview").status_code == 422
    assert orders(guest, town.game, "ATTACK Mill\n" * MOST_LINES, "preview").status_code in (200, 422)
    assert orders(guest, town.game, "\x00\u202e\ud7ff;;;\nIF IF IF\nON ON: ON", "preview").status_code == 422


def test_the_pulse_says_where_the_game_stands_and_no_more(town: Town) -> None:
    """Entry, state and who is awaited; nothing at all while that stays as it is; new once somebody has answered."""
    guest = town.browser("p1@games.test")
    path = f"/games/{town.game}/pulse"
    first = guest.get(path)
    assert first.get_json() == {"entry": 1, "state": "running", "waiting": ["s1", "s2"], "away": [], "next": None}
    tag = {"If-None-Match": first.headers["ETag"]}
    assert (guest.get(path, headers=tag).status_code, guest.get(path, headers=tag).data) == (304, b"")
    orders(guest, town.game, "BID 3", "submit")
    assert guest.get(path, headers=tag).get_json()["waiting"] == ["s2"]
    orders(town.browser("p2@games.test"), town.game, "BID 1", "submit")
    town.hall.settle()
    assert guest.get(path, headers=tag).get_json()["entry"] > 1


def test_what_a_page_asks_by_itself_brings_no_cookie(town: Town) -> None:
    """A page left open does not put its reader's cookie back after another has signed in there; a page opened does."""
    guest = town.browser("p1@games.test")
    assert "Set-Cookie" not in guest.get(f"/games/{town.game}/pulse").headers
    assert "Set-Cookie" in guest.get(f"/games/{town.game}").headers


def test_who_is_away_is_told_once_a_deputy_answers_and_not_before(town: Town) -> None:
    """Everybody was told of the deputy; an absence alone is its player's own affair."""
    guest, path = town.browser("p1@games.test"), f"/games/{town.game}/pulse"
    asked = named(town.hall, town.game)
    assert guest.get(path).get_json()["away"] == []
    deputies.decide(town.hall.web, asked, agrees=True)
    tick(town.hall, minutes=1)
    assert guest.get(path).get_json()["away"] == ["s2"]


def test_without_scripts_too_a_dot_says_who_is_away(town: Town) -> None:
    """The page that is first sent marks the seat for which a deputy answers, in words too, and no other seat."""
    guest = town.browser("p1@games.test")
    asked = named(town.hall, town.game)
    assert dots(guest, town.game) == {"s1": (False, False), "s2": (False, False)}
    deputies.decide(town.hall.web, asked, agrees=True)
    tick(town.hall, minutes=1)
    assert dots(guest, town.game) == {"s1": (False, False), "s2": (True, True)}


def dots(guest: Browser, game: str) -> dict[str, tuple[bool, bool]]:
    """By seat, whether its dot in the bar is drawn as away, and whether its words say so."""
    bar = guest.get(f"/games/{game}").text.partition('<ul class="dots"')[2].partition("</ul>")[0]
    found = re.findall(r'<li data-seat="(\w+)"[^>]*class="([^"]*)"[^>]*>(.*?)</li>', bar)
    return {seat: ("away" in look.split(), '<span class="off">' in words) for seat, look, words in found}


def test_a_check_tells_requests_from_an_empty_text(town: Town) -> None:
    """What holds no order but asks for something can be sent; a comment alone is still nothing."""
    guest = town.browser("p1@games.test")

    def found(text: str) -> object:
        sent = {"entry": "1", "text": text}
        return guest.post(f"/games/{town.game}/check", sent, page=f"/games/{town.game}").get_json()["verdict"]

    assert (found("RESIGN"), found("; nothing yet")) == ("command", "nothing")


def test_a_check_sends_the_board_as_what_changes_in_it(state_dir: Path) -> None:
    """To a page that holds the board as it is; the whole board to one that holds another."""
    hall = build(state_dir, installed=GAMES)
    game = seated(hall, "patchistory", 3)
    guest = Browser(site(hall)).sign_in(hall, user(hall, "p1@games.test"))
    shown = guest.get(f"/games/{game}").text
    line = html.unescape(re.findall(r'data-line="([^"]*)"', shown)[0])
    held = guest.get(f"/games/{game}/map.svg?live=1").get_etag()[0]
    sent = {"entry": hidden(shown, "entry"), "text": line}
    short = guest.post(f"/games/{game}/check", {**sent, "map": held}, page=f"/games/{game}")
    whole = guest.post(f"/games/{game}/check", {**sent, "map": "other"}, page=f"/games/{game}")
    assert ("changes" in short.get_json(), "map" in short.get_json()) == (True, False)
    assert whole.get_json()["map"].startswith("<svg")
    assert len(short.data) < min(30_000, len(whole.data))


def test_the_page_learns_of_the_next_table_that_waits(town: Town) -> None:
    """None where no other table waits for this person; the other table once one does."""
    guest = town.browser("p1@games.test")
    assert guest.get(f"/games/{town.game}/pulse").get_json()["next"] is None
    other = seated(town.hall, "toy", 2)
    assert guest.get(f"/games/{town.game}/pulse").get_json()["next"][0] == other


def test_the_title_says_that_one_owes_an_answer(town: Town) -> None:
    """Until it is in."""
    guest = town.browser("p1@games.test")
    assert "<title>(!) Rose" in guest.get(f"/games/{town.game}").text
    orders(guest, town.game, "BID 3", "submit")
    assert "<title>Rose" in guest.get(f"/games/{town.game}").text


def test_a_shared_computer_keeps_nothing_of_what_is_written(town: Town) -> None:
    """Whoever says so when they sign in gets a page that keeps no draft; signing out empties what a browser kept."""
    guest = town.browser("p1@games.test")
    assert re.search(r'data-whose="\d+\.', guest.get(f"/games/{town.game}").text)
    assert guest.post("/sign-out", page="/").headers["Clear-Site-Data"] == '"storage"'
    link = signing_in.sign_in_link(town.hall.web, town.user("p1@games.test")).removeprefix("https://games.test")
    guest.post(link, {"shared": "1"})
    assert 'data-whose=""' in guest.get(f"/games/{town.game}").text
