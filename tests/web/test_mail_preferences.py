"""How much mail a person gets: by the link at the foot of a letter, and on the page of their letters."""

from pathlib import Path

import pytest

from pbem.crypto import new_token
from pbem.service.access import mail_preferences, users
from pbem.service.access.mail_preferences import MailPreferences
from pbem.service.orders import web_orders
from pbem.service.seats import tables
from pbem.store.models import OutboundEmail, User
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.timed_games import advance_and_run
from tests.web.conftest import Town
from tests.web.form_browser import orders

ADA = "p1@games.test"


def link(town: Town, game: str) -> str:
    """The path of the link at the foot of a letter of a table."""
    number = town.user(ADA)
    with town.harness.web.db.snapshot() as session:
        owner = session.get_one(User, number)
        return f"/unsubscribe/{users.load_unsubscribe_token(town.harness.web, owner)}/{game}"


def letters(harness: ServerHarness, game: str, since: int = 0) -> list[str]:
    """The kinds of letters of a table that went to p1@ since."""
    return [a.kind for a, _ in harness.sent[since:] if a.to_address == ADA and a.game == game]


def test_the_link_of_a_letter_ends_one_tables_letters(town: Town) -> None:
    """It ends those of its table only, by one POST without a key; looking does nothing; the foot of letters has it."""
    other = tables.create(town.harness.web, town.user(ADA), "toy", "Iris", 2, {})
    town.harness.run_queued_tasks()
    guest, path = town.browser(), link(town, town.game)
    assert town.harness.sent_facts("started")[0].frame.links.mute == f"https://games.test{path}"
    assert guest.get(path).status_code == 200
    assert letters_come(town, town.game)
    assert guest.client.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not letters_come(town, town.game)
    assert letters_come(town, other)
    assert guest.client.post(path.rpartition("/")[0] + "/zzzz").status_code == 200
    assert guest.client.post(f"/unsubscribe/{new_token()}/{other}").status_code == 404


def test_the_link_of_ones_letters_tells_nothing_of_tables_of_others(town: Town) -> None:
    """With the number of a table that one has no part in it does nothing, and no letter names that table."""
    stranger = town.user("stranger@games.test")
    with town.harness.web.db.snapshot() as session:
        token = users.load_unsubscribe_token(town.harness.web, session.get_one(User, stranger))
    before = len(town.harness.sent)
    assert town.browser().client.post(f"/unsubscribe/{token}/{town.game}").status_code == 200
    town.harness.run_queued_tasks()
    assert town.harness.sent[before:] == []


def letters_come(town: Town, game: str) -> bool:
    """Return True if the page of the letters of a table says that they come."""
    text = town.browser(ADA).get(f"/games/{game}/mute").text
    return "You get the letters" in text


def test_unsubscribing_is_confirmed_once_with_the_way_back(town: Town) -> None:
    """One letter says it, however often the link is used; the link, and the page, turn the letters on again."""
    guest, path = town.browser(), link(town, town.game)
    for _ in range(3):
        guest.client.post(path)
    town.harness.run_queued_tasks()
    (said,) = [facts for facts in town.harness.sent_facts("notice") if facts.kind == "muted"]
    assert said.frame.links.page.endswith(f"/games/{town.game}")
    guest.client.post(path, data={"letters": "on"})
    assert letters_come(town, town.game)
    guest.client.post(path)
    town.browser(ADA).post(f"/games/{town.game}/mute", {"letters": "on"})
    assert letters_come(town, town.game)


def test_the_page_keeps_what_one_chose(town: Town) -> None:
    """Amount, receipts of the page and pictures are kept together; an amount that there is not is refused."""
    signed, path = town.browser(ADA), f"/games/{town.game}/mute"
    assert signed.post(path, {"amount": "owed", "pictures": "yes"}).status_code == 303
    assert mail_preferences.load_preferences_by_id(town.harness.web, town.user(ADA)) == MailPreferences(
        "owed", web_receipts=False, pictures=True
    )
    assert signed.post(path, {"amount": "end", "page_receipts": "yes"}).status_code == 303
    assert mail_preferences.load_preferences_by_id(town.harness.web, town.user(ADA)) == MailPreferences(
        "end", web_receipts=True, pictures=False
    )
    assert signed.post(path, {"amount": "some"}).status_code == 422
    assert 'value="end" selected' in signed.get(path).text


@pytest.mark.parametrize(
    ("amount", "wanted"),
    [("all", {"reminder", "report", "talk"}), ("owed", {"reminder", "report"}), ("end", set())],
)
def test_letters_come_as_often_as_one_chose(state_dir: Path, amount: str, wanted: set[str]) -> None:
    """Everything; what is owed; or the end only: answers to what one does come in any case."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2, 24)
    mail_preferences.update_preferences(harness.web, get_user_id(harness, ADA), MailPreferences(amount))
    before = len(harness.sent)
    harness.reply("s2", "BID 1", "PRESS TO ALL: hello", "END")
    advance_and_run(harness, hours=20)
    receipt = harness.reply("s1", "BID 1")
    assert receipt.sets[0].taken
    assert set(letters(harness, game, before)) - {"receipt", "notice"} == wanted


def test_receipts_of_the_page_are_mailed_to_those_who_want_them(state_dir: Path) -> None:
    """A receipt of the page goes by mail too, unless its reader does without; a letter is receipted in any case."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    for wanted in (True, False):
        mail_preferences.update_preferences(
            harness.web, get_user_id(harness, ADA), MailPreferences(web_receipts=wanted)
        )
        before = len(harness.sent_facts("receipt"))
        web_orders.submit_orders(harness.web, get_user_id(harness, ADA), game, 1, new_token(), ["BID 1"])
        harness.run_queued_tasks()
        assert len(harness.sent_facts("receipt")) - before == wanted
    assert harness.reply("s1", "BID 2") is not None
    assert not [row for row in harness.load_rows(OutboundEmail) if row.state == "queued"]


def test_the_page_promises_a_receipt_by_mail_to_those_alone_who_get_one(town: Town) -> None:
    """Not to who does without, and not to a guest, who has no mailbox here."""
    ada, guest, promise = town.browser(ADA), town.browser(), "is on its way by e-mail"
    assert promise in orders(ada, town.game, "BID 1", "submit").text
    choices = MailPreferences(web_receipts=False)
    mail_preferences.update_preferences(town.harness.web, town.user(ADA), choices)
    assert promise not in orders(ada, town.game, "BID 2", "submit").text
    table = guest.post("/practice", {"game": "toy"}, page="/").headers["Location"]
    town.harness.run_queued_tasks()
    sent = orders(guest, table.rpartition("/")[2], "BID 1", "submit").text
    assert ("OK" in sent, promise in sent) == (True, False)


# --- invitations


def never(town: Town) -> str:
    """The path of the link in letters that ask p1@ for something."""
    with town.harness.web.db.snapshot() as session:
        owner = session.get_one(User, town.user(ADA))
        return mail_preferences.invitation_opt_out_link(town.harness.web, owner).removeprefix("https://games.test")


def test_the_link_of_an_invitation_ends_all_by_a_post_alone(town: Town) -> None:
    """Looking at it does nothing; the button, or a mail program's POST (RFC 8058), ends them, as often as it comes."""
    guest, path = town.browser(), never(town)
    for sent in ({"List-Unsubscribe": "One-Click"}, {"invitations": "off"}, {}):
        assert "People here can invite you" in guest.get(path).text
        guest.client.head(path)
        assert mail_preferences.accepts_invitations(town.harness.web, town.user(ADA))
        for _ in range(2):
            assert "Nobody here can invite you any more" in guest.client.post(path, data=sent).text
        assert not mail_preferences.accepts_invitations(town.harness.web, town.user(ADA))
        guest.client.post(path, data={"invitations": "on"})
        assert mail_preferences.accepts_invitations(town.harness.web, town.user(ADA))


def test_the_settings_end_invitations_and_take_it_back(town: Town) -> None:
    """A person who signs in finds the same there, in their language; name and zone stay."""
    guest = town.browser(ADA)
    guest.post("/language", {"language": "fr", "back": "/settings"}, page="/settings")
    assert "On peut vous inviter" in guest.get("/settings").text
    assert "Plus personne ici ne peut vous inviter" in guest.post("/settings", {"invitations": "off"}).text
    assert not mail_preferences.accepts_invitations(town.harness.web, town.user(ADA))
    assert "Player 1" in guest.post("/settings", {"invitations": "on"}).text
    assert mail_preferences.accepts_invitations(town.harness.web, town.user(ADA))
