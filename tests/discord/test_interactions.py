"""Players write from Discord in requests signed, fresh and used once, and their orders are sealed like any other."""

import json
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.common.cpu_budget import MOST_LINES
from pbem.common.states import GameState
from pbem.crypto import is_token
from pbem.discord import commands
from pbem.discord.endpoint import PATH, mount
from pbem.discord.interactions import MalformedInteraction, parse_interaction
from pbem.discord.words import load_catalogue
from pbem.service.access import users
from pbem.service.channels import chat
from pbem.service.orders import web_orders
from pbem.service.pages.game_pages import DueQuestion, GameCard
from pbem.service.seats import substitutes
from pbem.store.models import Capability, DiscordAccount, QuestionRow, SealedOrdersRow
from pbem.web import WebConfig, create_pages
from tests.archive.bots import play_on
from tests.discord.fake_discord import LIMITS, Fake
from tests.discord.linked_games import town
from tests.discord.signed_requests import Asking
from tests.service.server_fixtures import start_game
from tests.service.test_signed_rows import written

ANN, BOB, EVE = "700000000000001", "700000000000002", "700000000000009"


@pytest.fixture
def asking(state_dir: Path, fake: Fake) -> Asking:
    """A table of three under way, linked to its channel; the first two players have linked their accounts."""
    at = town(state_dir, fake)
    at.account("p1@games.test", ANN)
    at.account("p2@games.test", BOB)
    at.link()
    return Asking(at)


def test_only_a_fresh_request_of_discords_acts_and_once(asking: Asking) -> None:
    """One bit of signature, time or body that differs, another key, or none: 401, and nothing was done.

    So is a good signature of an earlier time, and the same signed bytes a second time.  A ping is answered.
    """
    assert asking.send({"type": 1, "id": "1", "token": "t", "application_id": "1"}) == {"type": 1}
    body = asking.body(ANN, 2, {"name": "pbem", "options": [{"type": 1, "name": "unlink"}]})
    headers, raw = asking.signed(body)
    good = headers["X-Signature-Ed25519"]
    other = Asking(asking.at).signed(body)[0]["X-Signature-Ed25519"]
    flipped = f"{int(good[0], 16) ^ 1:x}{good[1:]}"
    for signature in (other, flipped, good[:-2], "zz" * 64, "", good + "00"):
        assert asking.endpoint.handle({**headers, "X-Signature-Ed25519": signature}, raw)[0] == 401
    later = str(int(headers["X-Signature-Timestamp"]) + 1)
    assert asking.endpoint.handle({**headers, "X-Signature-Timestamp": later}, raw)[0] == 401
    assert asking.endpoint.handle(headers, raw + b" ")[0] == 401
    assert asking.endpoint.handle({}, raw)[0] == 401
    now = asking.at.harness.web.now() // 1000
    for off in (-301, 301, -86_400):
        assert asking.endpoint.handle(*asking.signed(body, now + off))[0] == 401
    assert chat.find_account(asking.at.harness.web, asking.at.host) is not None
    sent = asking.signed(asking.body(ANN, 2, {"name": "pbem", "options": [{"type": 1, "name": "status"}]}), now - 299)
    assert [asking.endpoint.handle(*sent)[0] for _ in range(3)] == [200, 401, 401]


KEYS = "type id token data member user options name value components component custom_id locale".split()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
        max_leaves=20,
    )
)
def test_whatever_is_signed_is_read_or_refused(body: Any) -> None:
    """No shape of a request makes the reading fail."""
    with suppress(MalformedInteraction):
        assert parse_interaction(body).kind in (1, 2, 3, 4, 5)


def test_the_address_is_mounted_beside_the_pages(asking: Asking) -> None:
    """Over HTTP: 401 for what is not signed, an answer for what is, no cookie, no form key, nothing but POST.

    All players come from Discord's few addresses: their requests are counted apart from those of the pages.
    """
    app, without = (create_pages(asking.at.harness.web, WebConfig(requests_per_minute=2)) for _ in range(2))
    assert without.test_client().post(PATH, data=b"{}").status_code == 404, "without an application"
    mount(app, asking.at.harness.web, asking.chat)
    client = app.test_client()
    headers, raw = asking.signed({"type": 1})
    found = client.post(PATH, data=raw, headers=headers, content_type="application/json")
    assert (found.status_code, found.json) == (200, {"type": 1})
    assert "Set-Cookie" not in found.headers
    assert client.post(PATH, data=raw, content_type="application/json").status_code == 401
    assert client.post(PATH, data=b"x" * 70_000, headers=headers).status_code == 401
    assert client.post(PATH, data=b"\xff{", headers=asking.signed(b"\xff{")[0]).status_code == 400
    assert client.get(PATH).status_code == 405
    assert client.post(PATH, data=raw, headers=headers).status_code == 200
    assert 429 in [client.get("/sign-in").status_code for _ in range(4)]


# --- linking


def test_an_account_is_linked_by_a_code_from_the_page(asking: Asking) -> None:
    """The code works once, for a quarter of an hour, and the newest ends the one before; the store has its hash."""
    web, three = asking.at.harness.web, asking.at.user("p3@games.test")
    assert "not linked" in asking.reply_to(EVE, "status")
    old, code = chat.create_link_code(web, three), chat.create_link_code(web, three)
    assert "not valid" in asking.reply_to(EVE, "link", code=old)
    assert "is now linked to p3" in asking.reply_to(EVE, "link", code=f" {code.upper()} ")
    assert "not valid" in asking.reply_to(BOB, "link", code=code)
    linked = chat.find_account(web, three)
    assert linked is not None
    assert linked.name == "user09"
    assert all(code.encode() not in row.hash for row in asking.at.harness.load_rows(Capability))
    late = chat.create_link_code(web, three)
    asking.at.harness.advance_time(minutes=15, seconds=1)
    assert "not valid" in asking.reply_to(BOB, "link", code=late)


def test_one_account_for_each_person_and_codes_cannot_be_tried_out(asking: Asking) -> None:
    """A newer link takes the place of older ones, on both sides; either side ends it.

    After ten tries within the hour even a good code is not taken.
    """
    web, three = asking.at.harness.web, asking.at.user("p3@games.test")
    asking.reply_to(BOB, "link", code=chat.create_link_code(web, three))
    assert {row.discord_id for row in asking.at.harness.load_rows(DiscordAccount)} == {ANN, BOB}
    assert chat.find_account(web, asking.at.user("p2@games.test")) is None
    assert "no longer linked" in asking.reply_to(BOB, "unlink")
    assert "not linked yet" in asking.reply_to(BOB, "status")
    for _ in range(10):
        assert "not valid" in asking.reply_to(EVE, "link", code="b" * 26)
    assert "Too many attempts" in asking.reply_to(EVE, "link", code=chat.create_link_code(web, three))
    asking.at.harness.advance_time(hours=1)
    assert "is now linked to" in asking.reply_to(EVE, "link", code=chat.create_link_code(web, three))


# --- what is asked of me


def test_status_says_what_is_owed_and_to_nobody_else(asking: Asking) -> None:
    """Status tells each open question of one's own tables, with its deadline, and nothing to an unlinked account."""
    assert asking.reply_to(ANN, "status").count("**Rose**: ") == 3
    with asking.at.harness.resolver.db.transaction() as session:
        for row in session.query(QuestionRow).filter(QuestionRow.seat == "s1"):
            row.due_at = asking.at.harness.web.now() + 3_600_000
    assert "by <t:" in asking.reply_to(ANN, "status")
    asking.at.harness.reply("s1", "BID 1")
    assert "your orders are in" in asking.reply_to(ANN, "status")
    assert "Rose" not in asking.reply_to(EVE, "status")


def test_remind_calls_on_those_who_are_late_and_seldom(asking: Asking) -> None:
    """In the table's channel, those and no others; again only after six hours; by nobody who does not sit there."""
    asking.at.account("p9@games.test", EVE)
    assert "You have no games" in asking.reply_to(EVE, "remind")
    for line in ("KEEP 1", "BID 1"):
        asking.at.harness.reply("s1", line)
    told = asking.reply_to(ANN, "remind")
    assert "p2" in told
    asking.at.announce(2)
    calls = [body for body in asking.at.fake.new() if "asks for the orders" in str(body["content"])]
    assert len(calls) == 1
    assert "Player 1 asks" in calls[0]["content"]
    assert BOB in calls[0]["allowed_mentions"]["users"]
    assert "a short while ago" in asking.reply_to(BOB, "remind")
    asking.at.harness.advance_time(hours=6)
    assert "Reminder sent" in asking.reply_to(BOB, "remind")


def test_a_table_is_found_by_its_name_its_channel_or_what_it_asks(asking: Asking) -> None:
    """It is the one named, that of the channel, or the only one that waits; a name of another's table finds nothing."""
    focused = {"type": 3, "name": "table", "value": "ro", "focused": True}
    orders = {"type": 1, "name": "orders", "options": [focused]}
    found = asking.send(asking.body(ANN, 4, {"name": "pbem", "options": [orders]}))
    assert found["data"]["choices"] == [{"name": "Rose", "value": asking.at.game}]
    assert asking.command(ANN, "orders", table="rose")["type"] == 9
    assert asking.command(ANN, "orders", table=asking.at.game)["type"] == 9
    assert asking.command(ANN, "orders")["type"] == 9
    assert "You have no seat" in asking.reply_to(ANN, "orders", table="other")
    assert asking.send(asking.body(EVE, 4, {"name": "pbem", "options": []}))["data"]["choices"] == []
    start_game(asking.at.harness, "amalfi", 2)
    form = asking.command(ANN, "orders")
    assert form["data"]["custom_id"].startswith(f"orders/{asking.at.game}/")
    orders = {"type": 1, "name": "orders", "options": []}
    elsewhere = asking.body(ANN, 2, {"name": "pbem", "options": [orders]}, channel_id="1")
    assert "You have several games" in str(asking.send(elsewhere)["data"].get("content"))


# --- orders


def test_orders_are_written_into_a_private_form_and_sealed(asking: Asking) -> None:
    """The form offers lines; what is written is judged and sealed like any orders, told to its author alone, and
    acknowledged by letter; nothing of it lies anywhere in the clear, and nothing of it is told in the channel.
    """
    form = asking.command(BOB, "orders")
    assert form["type"] == 9
    mark = form["data"]["custom_id"]
    field = form["data"]["components"][0]["component"]
    assert field["value"].startswith("; ")
    answer = asking.send(asking.written(BOB, mark, "BID 7\nLUCK heliotrope"))
    assert answer["data"]["flags"] == LIMITS["ephemeral_flag"]
    assert "BID 7" in answer["data"]["content"]
    row = [row for row in asking.at.harness.load_rows(SealedOrdersRow) if row.seat == "s2"]
    assert [orders.kind for orders in row] == ["orders"]
    asking.at.harness.run_queued_tasks()
    asking.at.announce(3, seconds=20)
    assert [a.to_address for a, f in asking.at.harness.sent if a.kind == "receipt"] == ["p2@games.test"]
    told = json.dumps([one.body for one in asking.at.fake.taken])
    assert "heliotrope" not in told
    asking.at.harness.web.db.engine.dispose()
    folder = Path(str(asking.at.harness.web.db.url.database)).parent
    assert [p for p in folder.rglob("*") if p.is_file() and b"heliotrope" in p.read_bytes()] == []


def test_orders_that_cannot_stand_are_refused_and_a_form_counts_once(asking: Asking) -> None:
    """The receipt is that of a letter: what was written, and why it is refused; half a sign is a question mark.

    Discord may deliver a form again under another signature: it is the same, and acts once.
    """
    mark = asking.command(BOB, "orders")["data"]["custom_id"]
    said = asking.send(asking.written(BOB, mark, "BID 70000"))["data"]["content"]
    assert "BID 70000" in said
    assert "NOTHING WAS CHANGED" in said
    assert asking.at.harness.load_rows(SealedOrdersRow) == []
    body = asking.written(BOB, mark, "BID 7")
    asking.send(body)
    asking.at.harness.advance_time(seconds=2)
    assert "came before" in asking.send(body)["data"]["content"]
    assert len(asking.at.harness.load_rows(SealedOrdersRow)) == 1
    assert "BID 8?" in asking.send(asking.written(BOB, mark, "BID 8\ud800"))["data"]["content"]


def test_a_form_of_another_table_or_seat_opens_nothing(asking: Asking) -> None:
    """The mark of a form is not a key: it is read with the rights of its sender."""
    asking.at.account("p9@games.test", EVE)
    mark = asking.command(BOB, "orders")["data"]["custom_id"]
    assert "accepts no orders" in asking.send(asking.written(EVE, mark, "BID 7"))["data"]["content"]
    for wrong in ("orders/nosuchgame/1", "orders/x", f"orders/{asking.at.game}/-1", "orders/" + "9" * 90):
        assert asking.send(asking.written(BOB, wrong, "BID 7"))["type"] == 4
    assert asking.at.harness.load_rows(SealedOrdersRow) == []


def test_who_has_left_or_unlinked_sends_no_form_any_more(asking: Asking) -> None:
    """A form that was opened before the seat passed on, or before the link ended, files nothing and tells nothing."""
    at, mark = asking.at, asking.command(BOB, "orders")["data"]["custom_id"]
    at.harness.reply("s2", "RESIGN YES")
    substitutes.take_over(at.harness.web, at.user("p9@games.test"), at.game, "s2")
    before = len(at.harness.load_rows(SealedOrdersRow))
    assert "accepts no orders" in asking.send(asking.written(BOB, mark, "BID 7"))["data"]["content"]
    assert "You have no games" in asking.reply_to(BOB, "status")
    mark = asking.command(ANN, "orders")["data"]["custom_id"]
    asking.reply_to(ANN, "unlink")
    assert "not linked yet" in asking.send(asking.written(ANN, mark, "BID 7"))["data"]["content"]
    assert len(at.harness.load_rows(SealedOrdersRow)) == before


def test_who_sits_at_many_tables_is_told_of_those_that_fit(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer ends between two lines, and says how many more there are and where."""
    names, duty = [f"{n} " + "*" * 60 for n in range(30)], DueQuestion("bid", 1_800_000_000, False)
    found = [GameCard(name, "age_of_renaissance", name, GameState.RUNNING, (duty,), 0) for name in names]
    monkeypatch.setattr(chat, "list_games_of_user", lambda services, user: found)
    lines = asking.reply_to(ANN, "status").splitlines()
    assert all(line.endswith(":R>)") for line in lines[:-1])
    assert lines[-1] == f"… and {30 - len(lines) + 1} more lines on the page of your tables."


def test_the_longest_request_is_answered(asking: Asking) -> None:
    """Options of many thousand signs, and many of them, are read as far as they can mean something."""
    options = [{"type": 3, "name": "table", "value": "@everyone " * 600}] + [
        {"type": 3, "name": "x", "value": "y"}
    ] * 900
    part = {"type": 1, "name": "orders", "options": options}
    said = asking.send(asking.body(ANN, 2, {"name": "pbem", "type": 1, "options": [part]}))
    assert "You have no seat" in said["data"]["content"]


def test_an_old_form_does_not_answer_a_new_question(asking: Asking) -> None:
    """A form knows the game up to the entry at which it was opened, like the address of a letter; it has a token."""
    mark = asking.command(BOB, "orders")["data"]["custom_id"]
    play_on(asking.at.harness, asking.at.game, 6)
    before = len(asking.at.harness.load_rows(SealedOrdersRow))
    assert "BID 7" in asking.send(asking.written(BOB, mark, "BID 7"))["data"]["content"]
    assert len(asking.at.harness.load_rows(SealedOrdersRow)) == before
    assert all(is_token(users.form_id("discord", number)) for number in ("1", "5094871234567890000", "x"))
    assert users.form_id("discord", "1") == users.form_id("discord", "1") != users.form_id("discord", "2")


# --- three seconds


def test_what_takes_long_is_answered_later(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord waits three seconds: the asker alone is asked to wait, and the answer takes that place."""
    mark = asking.command(BOB, "orders")["data"]["custom_id"]
    go, real = threading.Event(), web_orders.submit_orders

    def slow(*given: Any) -> Any:
        go.wait(60)
        return real(*given)

    monkeypatch.setattr(web_orders, "submit_orders", slow)
    asking.endpoint.wait_s = 0.05
    done = threading.Event()
    wrapped = asking.endpoint._send_follow_up

    def followed_up(asked: Any, said: Any) -> None:
        wrapped(asked, said)
        done.set()

    monkeypatch.setattr(asking.endpoint, "_send_follow_up", followed_up)
    answer = asking.send(asking.written(BOB, mark, "BID 7"))
    assert answer == {"type": 5, "data": {"flags": LIMITS["ephemeral_flag"]}}
    asking.at.fake.trouble = ["503", "200"]
    go.set()
    assert done.wait(60)
    followed = [one for one in asking.at.fake.taken if "@original" in one.path]
    assert [one.method for one in followed] == ["PATCH", "PATCH"]
    assert followed[-1].path.endswith(f"/{asking.chat.discord_application}/token{BOB}/messages/@original")
    assert "BID 7" in followed[-1].body["content"]
    assert len(asking.at.harness.load_rows(SealedOrdersRow)) == 1


def test_a_form_cannot_come_later(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    """A form that comes too late for Discord is answered with where else to write; a list of choices stays empty."""
    go = threading.Event()
    monkeypatch.setattr(chat, "claim_request", lambda *_: go.wait(60))
    asking.endpoint.wait_s = 0.05
    monkeypatch.setattr(asking.endpoint, "_send_follow_up", lambda asked, said: None)
    assert "by e-mail or on its page" in asking.reply_to(BOB, "orders")
    found = asking.send(asking.body(ANN, 4, {"name": "pbem", "options": [{"type": 1, "name": "orders"}]}))
    assert found["data"]["choices"] == []
    go.set()


def test_what_fails_is_told_without_its_reason(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of ours ends in words that tell nothing of its cause."""
    monkeypatch.setattr(chat, "find_user", lambda *_: 1 // 0)
    assert "failed on our side" in asking.reply_to(BOB, "status")


def test_what_is_too_much_is_told_with_what_would_do(asking: Asking) -> None:
    """Orders beyond what may be judged at once are refused in words that say what would be taken, in both languages."""
    body = asking.written(BOB, f"orders/{asking.at.game}/1", "BID 1\n" * (MOST_LINES + 1))
    for language, told in (("en", "fewer lines, at most 400"), ("fr", "400 au plus")):
        assert told in asking.send({**body, "locale": language})["data"]["content"]
    assert asking.at.harness.load_rows(SealedOrdersRow) == []


def test_the_commands_fit_what_discord_takes() -> None:
    """Names, descriptions in both languages, numbers of options and their whole length are within its limits."""
    told = commands.command_definition()
    rules = LIMITS["command"]

    def parts(thing: dict[str, Any]) -> list[dict[str, Any]]:
        return [thing, *(inner for one in thing.get("options", ()) for inner in parts(one))]

    for one in parts(told):
        assert one["name"].islower()
        texts = [one["description"], *one["description_localizations"].values()]
        assert all(rules["description"][0] <= len(text) <= rules["description"][1] for text in texts)
        assert len(one.get("options", ())) <= rules["options"]
    assert sum(len(one["name"]) + len(one["description"]) for one in parts(told)) < rules["total_chars"]
    french, english = load_catalogue("fr"), load_catalogue("en")
    assert {c: set(words) for c, words in french.items()} == {c: set(words) for c, words in english.items()}


def test_a_record_that_does_not_fit_its_seal_is_named(asking: Asking) -> None:
    """Where the asker's row was changed in the database, they are told that, and nothing is done."""
    body = asking.body(ANN, 2, {"name": "pbem", "options": [{"type": 1, "name": "unlink"}]})
    with written(asking.at.harness, "UPDATE users SET name = 'x'"):
        assert "failed its integrity check" in asking.send(body)["data"]["content"]
    assert chat.find_account(asking.at.harness.web, asking.at.host) is not None
