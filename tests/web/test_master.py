"""The masters' page: for whom it is, what it shows, and that its forms write the lines that letters would."""

import html
import re

from engine.kernel.languages import LANGUAGES
from pbem.service.access import users
from pbem.service.masters import api
from pbem.store.models import AuditEntry
from tests.service.master_commands import MASTER, appoint_outsider
from tests.web.conftest import Town

FORM = re.compile(r'name="form" value="(\w+)"')


def path(town: Town) -> str:
    """The page's address."""
    return f"/games/{town.game}/master"


def number(text: str) -> str:
    """A form's number on a page."""
    return str(FORM.findall(text)[0])


def test_a_master_without_a_seat_is_brought_to_their_page(town: Town) -> None:
    """The table's address leads there; the page shows who owes, the forms and the audit, and that the master is blind.

    Each act has its keyword and its sentence in the reader's language.
    """
    number = appoint_outsider(town.harness, town.game)
    guest = town.browser(MASTER)
    assert guest.get(f"/games/{town.game}").headers["Location"] == path(town)
    assert "Rose" in guest.get("/").text
    shown = html.unescape(guest.get(path(town)).text)
    lead = (
        "Where the game stands",
        "BIDS 1: no answer yet from",
        "Game masters see what everyone sees",
        "None so far.",
    )
    assert all(said in shown for said in lead)
    offers = api.load_master_page(town.harness.web, number, town.game).command_forms
    assert len(offers) > 20
    for language in LANGUAGES:
        users.set_language(town.harness.web, number, language)
        shown = html.unescape(guest.get(path(town)).text)
        for offer in offers:
            assert offer.form.keyword.printed(language) in shown
            assert offer.form.about.printed(language) in shown


def test_a_player_sees_the_audit_and_what_they_may_ask_for(town: Town) -> None:
    """No act of a master's is offered to a player; agreeing, calling, electing are."""
    appoint_outsider(town.harness, town.game)
    text = town.browser("p2@games.test").get(path(town)).text
    offered = set(re.findall(r'name="form_of" value="(\w+)"', text))
    assert offered == {"agree", "call", "elect", "vote_out"}
    assert "Where the game stands" not in text


def test_a_form_writes_the_line_and_asks_twice(town: Town) -> None:
    """The fields become a line; its button confirms it with the word; the same form sent again does nothing."""
    appoint_outsider(town.harness, town.game)
    guest = town.browser(MASTER)
    form = number(guest.get(path(town)).text)
    asked = guest.post(path(town), {"act": "do", "form_of": "eject", "f.seat": "s2", "form": form})
    assert "EJECT p2" in asked.text
    part = asked.text.partition('id="answer"')[2]
    word, text = re.findall(r'name="word" value="(\w+)"', part)[0], re.findall(r'name="text" value="(.*?)"', part)[0]
    done = guest.post(path(town), {"act": "do", "text": text, "word": word, "form": number(part)})
    assert "P2 has lost the seat" in done.text
    again = guest.post(path(town), {"act": "do", "text": text, "word": word, "form": number(part)})
    assert (again.status_code, "nothing was done twice" in again.text) == (409, True)
    assert [row.outcome for row in town.harness.load_rows(AuditEntry)] == ["asked", "done"]
    assert "EJECT p2" in guest.get(path(town)).text


def test_a_preview_does_nothing(town: Town) -> None:
    """The button for a preview says what the act would do, and leaves no trace."""
    appoint_outsider(town.harness, town.game)
    shown = town.browser(MASTER).post(path(town), {"act": "preview", "text": "HOLD p2\nHELLO\nHOLD nobody"})
    assert "clock would stop, until RELEASE" in shown.text
    assert "problem unknown_name" in shown.text
    assert town.harness.load_rows(AuditEntry) == []


def test_a_correction_is_chosen_in_fields_and_shown_before_it_counts(town: Town) -> None:
    """What can be corrected is loaded when it is asked for; its fields write the lines, and the difference is shown."""
    appoint_outsider(town.harness, town.game)
    guest = town.browser(MASTER)
    plain = guest.get(path(town)).text
    assert 'name="correction"' not in plain
    assert 'href="?put=right#act-correct"' in plain
    shown = guest.get(f"{path(town)}?put=right").text
    line = re.findall(r'name="correction" value="(.*?)"', shown)[1]
    part = shown[shown.index(f'value="{line}"') :].partition("</form>")[0]
    value = re.findall(r'<option value="(\w+)"', part.partition('name="c.value"')[2])[1]
    sent = {"form_of": "correct", "correction": html.unescape(line), "c.value": value, "f.reason": "misread"}
    asked = guest.post(path(town), {"act": "preview", **sent})
    assert "CORRECT &#34;misread&#34;" in asked.text
    assert "This is what would happen; nothing was done." in asked.text
    assert f'<option value="{value}" selected>' in asked.text, "what was filled in stays"
    assert guest.post(path(town), {"act": "preview", **sent, "correction": "GIVE ALL"}).status_code == 404
    assert town.harness.load_rows(AuditEntry) == []


def test_each_figure_stands_in_its_field_and_is_corrected_there(town: Town) -> None:
    """The master sees what stands now, writes what is right, and is shown the difference for all before it counts."""
    appoint_outsider(town.harness, town.game)
    guest = town.browser(MASTER)
    shown = guest.get(f"{path(town)}?put=right").text
    fields = dict(re.findall(r'name="((?:was|now)\.coins\.\w+)" (?:value|class="figure" value)="(\d+)"', shown))
    fields |= dict(re.findall(r'class="figure" name="(\S+)" value="(\d+)"', shown))
    coins = town.harness.load_state(town.game).board.coins
    assert fields == {f"{when}.coins.{seat}": str(count) for seat, count in coins.items() for when in ("was", "now")}
    assert 'value="GIVE' not in shown, "each figure has a field, so no other form gives or takes"
    sent = {"form_of": "correct", "correction": "figures", "f.reason": "miscounted", **fields}
    right = {"now.coins.s1": str(coins["s1"] - 1), "now.coins.s2": str(coins["s2"] + 2)}
    asked = html.unescape(guest.post(path(town), {"act": "preview", **sent, **right}).text)
    assert "This is what would happen; nothing was done." in asked
    assert all(said in asked for said in ("1 coin", "2 coins")), "the difference, for both"
    assert f'name="now.coins.s2" value="{coins["s2"] + 2}"' in asked, "what was filled in stays"
    refused = guest.post(path(town), {"act": "preview", **sent, "now.coins.s1": "many"}).text
    assert "many" in refused
    assert town.harness.load_state(town.game).board.coins == coins


def test_lines_that_belong_to_an_act_follow_it(town: Town) -> None:
    """The field below the form of ANSWER FOR holds the orders, and its player has the receipt for them."""
    appoint_outsider(town.harness, town.game)
    guest = town.browser(MASTER)
    form = number(guest.get(path(town)).text)
    done = guest.post(path(town), {"act": "do", "form_of": "answer", "f.seat": "s2", "text": "BID 2", "form": form})
    assert "Your lines for p2 were checked like all orders" in done.text
    town.harness.run_queued_tasks()
    (receipt,) = (facts for address, facts in town.harness.sent if (address.kind, address.seat) == ("receipt", "s2"))
    assert [made.taken for made in receipt.sets] == [True]


def test_an_address_for_letters_is_sent(town: Town) -> None:
    """A master who asks for it gets a letter that they can answer with acts."""
    appoint_outsider(town.harness, town.game)
    answer = town.browser(MASTER).post(path(town), {"act": "address"})
    assert "A letter is on its way" in answer.text
    town.harness.run_queued_tasks()
    assert [a.to_address for a, _ in town.harness.sent if a.kind == "master"] == [MASTER]


def test_unknown_acts_and_too_long_texts_are_refused_in_pages(town: Town) -> None:
    """An unknown act and a text too long each get a page that says so."""
    appoint_outsider(town.harness, town.game)
    guest = town.browser(MASTER)
    assert guest.post(path(town), {"act": "do", "form_of": "nonsense"}).status_code == 404
    assert guest.post(path(town), {"act": "do", "text": "x" * 9000}).status_code == 413
    assert guest.post(path(town), {"act": "do", "text": "HOLD p2"}).status_code == 409
    assert guest.post(path(town), {}).status_code in (200, 409)
