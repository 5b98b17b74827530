"""Law: nothing lasting before an address is proven.

Somebody who only named an address plays at one table, and nothing else; what they made goes with them when its owner
comes by the letter.  A page, a call or a table that is added later is covered by itself.
"""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import or_, select

from pbem.common.addresses import is_unverified
from pbem.common.states import GameState
from pbem.crypto import new_token
from pbem.service.access import api_tokens, mail_preferences, users
from pbem.service.access.permissions import Permission
from pbem.service.channels import chat
from pbem.service.orders import web_orders
from pbem.service.pages import feeds
from pbem.service.seats import accounts, sign_in
from pbem.store.models import Base, Capability, Game, QuestionRow, SeatRow, User
from pbem.web.api import OPERATIONS, PREFIX
from pbem.web.routes import ROUTES
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.conftest import Town
from tests.web.form_browser import Browser, hidden, orders, site
from tests.web.test_forming import linked

PLAY = frozenset(
    "seat_page send_orders preview moves own_orders game_status help_page table_page report_page seat_map public_board "
    "charts_page chart_image go_to_entry entry_page seat_steps game_over archived_entry archived_game download_file "
    "archived_view archived_board archived_steps go_to_archived_entry go_to_public_entry public_entry_page "
    "public_steps sign_out".split()
)
"""The pages of playing at a table, and of leaving."""
OPEN = (Permission.ANYBODY, Permission.BEARER)
WHAT_TO_DO = "Open the link in the letter that we sent"
OWNER = "p1@games.test"
"""Somebody who plays here already."""
TRACES = {"users", "seats", "seat_tenures", "capabilities", "outbound_emails"}
"""Tables whose rows may name a guest: who they are, their seat, their session, and letters that do not go out."""


@dataclass
class Stranger:
    """Somebody who follows a table's link and names an address."""

    town: Town
    browser: Browser
    game: str
    answer: Any

    @property
    def row(self) -> User:
        """Whom the server takes them for."""
        (guest,) = [user for user in self.town.harness.load_rows(User) if is_unverified(user.email)]
        return guest

    def letter(self) -> Any:
        """What the last letter to the address says."""
        self.town.harness.run_queued_tasks()
        return self.town.harness.sent_facts("signin")[-1]

    def prove(self) -> Browser:
        """The owner of the address opens the link of that letter, on a device of their own."""
        owner = self.town.browser()
        path = self.letter().frame.links.act.removeprefix("https://games.test")
        assert owner.post(path).status_code == 303
        self.town.harness.run_queued_tasks()
        return owner


def joined(town: Town, address: str, players: str = "2") -> Stranger:
    """A stranger at a table of its own, which begins with them if it is for two."""
    _, path, link = linked(town, players)
    browser = town.browser()
    answer = browser.post(link, {"name": "Eve", "address": address})
    town.harness.run_queued_tasks()
    return Stranger(town, browser, path.rpartition("/")[2], answer)


@pytest.fixture
def town(state_dir: Path) -> Town:
    """A game of two under way, whose first player is the owner."""
    harness = build(state_dir)
    return Town(harness, site(harness, sign_ins_per_minute=10_000), start_game(harness, "toy", 2))


@pytest.fixture(scope="module")
def stranger() -> Iterator[Stranger]:
    """A stranger who has named the owner's address, at a game under way."""
    with TemporaryDirectory(prefix="pbem-law-") as folder:
        harness = build(Path(folder))
        yield joined(Town(harness, site(harness), start_game(harness, "toy", 2)), OWNER)


def address_of(rule: str, game: str) -> str:
    """A page or call about a game; capabilities are made up."""
    filled = rule.replace("<game>", game).replace("<table>", game).replace("<viewer>", "public")
    filled = filled.replace("<title>", "toy").replace("<number>", "0" * 32).replace("<token>", "x" * 26)
    return re.sub("<int:[a-z]+>", "1", filled)


def traces(harness: ServerHarness, user: int) -> dict[str, int]:
    """How many rows of each table name a person."""
    found = dict[str, int]()
    with harness.web.db.engine.connect() as connection:
        for table in Base.metadata.sorted_tables:
            names = [c for c in table.columns if any(key.target_fullname == "users.id" for key in c.foreign_keys)]
            if names:
                rows = connection.execute(select(table).where(or_(*(c == user for c in names)))).all()
                found |= {table.name: len(rows)} if rows else {}
    return found


# --- the table's link


def test_a_tables_link_answers_alike_whoever_has_the_address(town: Town) -> None:
    """What follows, and what is mailed, is the same for a player, the host, and an address that nobody knows."""
    for address in ("absent@games.test", "host@games.test"):
        mail_preferences.set_invitation_opt_out_by_user(town.harness.web, town.user(address), wanted=False)
    seen = set()
    for address in (OWNER, "host@games.test", "absent@games.test", "P2@games.test", "never@games.test"):
        before = len(town.harness.sent)
        found = joined(town, address, "3")
        shown = found.browser.get(f"/games/{found.game}").text.replace(found.game, "GAME")
        plain = re.sub(r'value="[^"]*"|[0-9a-f]{64}', "", shown)
        mailed = [a.kind for a, _ in town.harness.sent[before:] if a.to_address == address.lower()]
        seen.add((found.answer.status_code, plain, tuple(mailed)))
    assert len(seen) == 1
    assert next(iter(seen))[2] == ("signin",)


# --- before


def test_before_proof_every_page_but_the_tables_play_is_refused_with_what_to_do(stranger: Stranger) -> None:
    """By each method; pages that are for anybody show no more than a stranger sees."""
    key = hidden(stranger.browser.get("/sign-in").text, "csrf_token")
    before = traces(stranger.town.harness, stranger.row.id)
    for route in ROUTES:
        if route.endpoint == "sign_out":
            continue
        path = address_of(route.rule, stranger.game)
        for method in route.methods:
            sent = {"csrf_token": key} if method == "POST" else None
            answer = stranger.browser.client.open(path, method=method, data=sent)
            if route.permission in OPEN or route.endpoint in PLAY:
                assert answer.status_code != 403, (method, path)
            elif route.permission is Permission.OPERATOR:
                assert answer.status_code == 404
            else:
                assert answer.status_code == 403, (method, path)
                assert WHAT_TO_DO in answer.text, (method, path)
    stranger.town.harness.run_queued_tasks()
    after = traces(stranger.town.harness, stranger.row.id)
    assert after.keys() <= TRACES | {"games"}
    assert {**after, "outbound_emails": 0} == {**before, "outbound_emails": 0}


def test_before_proof_no_call_of_a_program_is_done(stranger: Stranger) -> None:
    """Nor would one be if there were a token: each answers with what to do first."""
    web, client = stranger.town.harness.web, stranger.town.app.test_client()
    user = stranger.row.id
    tokens = {s: api_tokens.create_token(web, user, name="x", scope=s, days=366) for s in api_tokens.SCOPES}
    for operation in OPERATIONS:
        headers = {"Authorization": f"Bearer {tokens[operation.scope]}", "Idempotency-Key": new_token()}
        path = PREFIX + address_of(operation.path, stranger.game)
        answer = client.open(path, method=operation.method, headers=headers, json={} if operation.body else None)
        assert answer.status_code == 403, path
        assert WHAT_TO_DO in answer.text, path


def test_before_proof_the_table_is_played(town: Town) -> None:
    """The seat's page is there, orders count, and the page says that the address is not confirmed."""
    found = joined(town, "nora@games.test")
    shown = found.browser.get(f"/games/{found.game}").text
    assert "Your address is not confirmed yet" in shown
    assert found.browser.get("/").headers["Location"] == f"/games/{found.game}"
    assert "OK" in orders(found.browser, found.game, "BID 1", "submit").text


@pytest.mark.parametrize(
    "line", ["ABSENT 2099-01-01 2099-01-05", "RESIGN YES", "PRESS TO ALL: hello END", "DIARY: x END"]
)
def test_before_proof_the_field_for_orders_takes_orders_alone(town: Town, line: str) -> None:
    """What lasts, or reaches others, is refused there as on its own page."""
    found = joined(town, "nora@games.test")
    assert "Sign in with your address first" in orders(found.browser, found.game, line, "submit").text
    assert traces(town.harness, found.row.id).keys() <= TRACES


def test_before_proof_another_tables_link_seats_nobody(town: Town) -> None:
    """A second seat would be a second table."""
    found = joined(town, "nora@games.test")
    _, _, other = linked(town)
    for answer in (found.browser.get(other), found.browser.client.post(other, data={"csrf_token": found_key(found)})):
        assert (answer.status_code, WHAT_TO_DO in answer.text) == (403, True)


def found_key(found: Stranger) -> str:
    """The key of the forms that they are shown."""
    return hidden(found.browser.get(f"/games/{found.game}").text, "csrf_token")


def test_before_proof_no_other_game_is_open(stranger: Stranger) -> None:
    """Not even one that is over and that everybody with an account may read."""
    harness, other = stranger.town.harness, stranger.town.game
    with harness.web.db.transaction() as session:
        session.get_one(Game, other).state = GameState.ARCHIVED
    for route in ROUTES:
        if route.permission is Permission.RECORD and "GET" in route.methods:
            answer = stranger.browser.get(address_of(route.rule, other))
            assert (answer.status_code, WHAT_TO_DO in answer.text) == (403, True), route.rule


# --- proof


def openings(town: Town, user: int, game: str) -> list[Callable[[], bool]]:
    """Things that would open a table to whoever holds them, made as if there were a way; whether each still does."""
    web, client = town.harness.web, town.app.test_client()
    session = users.open_session(web, user)
    token = api_tokens.create_token(web, user, name="x", scope="play", days=366)
    calendar = feeds.create_link(web, user, feeds.CALENDAR)
    feed = feeds.create_link(web, user, feeds.FEED, game)
    assert chat.link_account(web, chat.create_link_code(web, user), "123", "eve") is not None
    number, key = web_orders.request_own_orders(web, user, game)

    def reads() -> bool:
        try:
            return not isinstance(web_orders.read_own_orders(web, user, game, number, key), web_orders.AnswerNotFound)
        except LookupError:
            return False

    def linked_account() -> bool:
        person = chat.find_user(web, "123")
        return person is not None and chat.load_seat_page(web, person.id, game) is not None

    return [
        lambda: users.user_of_session(web, session) is not None,
        lambda: api_tokens.authenticate(web, token) is not None,
        lambda: "BEGIN:VEVENT" in client.get(f"/calendar/{calendar}.ics").text,
        lambda: client.get(f"/feed/{feed}.atom").status_code == 200,
        linked_account,
        reads,
    ]


@pytest.mark.both_databases
@pytest.mark.parametrize("address", [OWNER, "nora@games.test"])
def test_at_proof_everything_made_before_is_void_and_the_letter_says_so(town: Town, address: str) -> None:
    """The owner has the seat and its letters; orders stored before do not count; nothing else opens the table."""
    found = joined(town, address)
    guest = found.row.id
    orders(found.browser, found.game, "BID 1", "submit")
    opens = openings(town, guest, found.game)
    assert [opening() for opening in opens] == [True] * len(opens)
    letter = found.letter()
    assert (letter.name, bool(letter.table)) == ("Eve", True)
    owner = found.prove()
    assert [opening() for opening in opens] == [False] * len(opens)
    assert found.browser.get(f"/games/{found.game}").headers["Location"] == "/sign-in"
    assert "asks bid" in owner.get(f"/games/{found.game}").text
    answered = {row.seat: row.answered_at for row in town.harness.load_rows(QuestionRow) if row.game_id == found.game}
    assert answered["s2"] is None
    assert town.harness.sent[-1][0].to_address == address
    seats = [row.user_id for row in town.harness.load_rows(SeatRow) if row.game_id == found.game]
    assert guest not in seats
    assert town.user(address) in seats


@pytest.mark.both_databases
@pytest.mark.parametrize("address", [OWNER, "nora@games.test"])
def test_at_proof_before_the_game_begins_nothing_of_the_guest_is_left(town: Town, address: str) -> None:
    """The seat is the owner's, who is welcomed; no row of any table names the guest."""
    found = joined(town, address, "3")
    guest = found.row.id
    owner = found.prove()
    assert traces(town.harness, guest) == {}
    assert guest not in {user.id for user in town.harness.load_rows(User)}
    assert [a.to_address for a, _ in town.harness.sent if a.kind == "joined"][-1] == address
    assert "Seats taken: 2 of 3" in owner.get(f"/games/{found.game}").text


def test_a_link_passes_the_seat_of_the_guest_who_asked_and_of_no_later_one(town: Town) -> None:
    """A guest names two addresses; the owner of one takes the seat and leaves; the other's link signs in, no more."""
    web, (_, path, link) = town.harness.web, linked(town)
    eve, game = town.browser(), path.rpartition("/")[2]
    eve.post(link, {"name": "Eve", "address": "nora@games.test"})
    eve.post("/sign-in", {"address": OWNER})
    town.harness.run_queued_tasks()
    first, second = (f.frame.links.act.removeprefix("https://games.test") for f in town.harness.sent_facts("signin"))
    assert town.browser().post(first).status_code == 303
    accounts.request_deletion(web, town.user("nora@games.test"))
    town.harness.run_queued_tasks()
    assert accounts.confirm_deletion(web, town.harness.sent_facts("account")[-1].frame.links.act.rpartition("/")[2])
    town.harness.advance_time(seconds=1)
    bob, owner = town.browser(), town.browser()
    bob.post(link, {"name": "Bob", "address": "bob@games.test"})
    assert owner.post(second).status_code == 303
    assert owner.get("/settings").status_code == 200
    assert town.user(OWNER) not in [row.user_id for row in town.harness.load_rows(SeatRow) if row.game_id == game]
    assert bob.get(path).status_code == 200


@pytest.mark.parametrize(("address", "name"), [("nora@games.test", "Nora B"), ("status@games.test", "Player")])
def test_a_stranger_does_not_rename_the_owner_of_an_address(town: Town, address: str, name: str) -> None:
    """Who chose a name keeps it; who has one that was made for them is called as was written at the table."""
    owner = town.browser(address)
    if name == "Nora B":
        owner.post("/settings", {"name": name, "zone": "UTC"})
    shown = joined(town, address, "3").prove().get("/settings").text
    assert ('value="Nora B"' in shown, 'value="Eve"' in shown) == (name == "Nora B", name != "Nora B")


def test_what_a_stranger_calls_themselves_names_no_account_before_proof(town: Town) -> None:
    """The owner of an address who comes by a letter of their own has a name made of the address."""
    joined(town, "nora@games.test", "3")
    assert 'value="nora"' in town.browser("nora@games.test").get("/settings").text


@pytest.mark.both_databases
def test_a_link_that_many_open_at_once_signs_one_of_them_in(town: Town) -> None:
    """However close together: it is good for one session."""
    link = sign_in.create_sign_in_link(town.harness.web, town.user(OWNER)).rpartition("/")[2]
    start = Barrier(6)

    def redeem(_: int) -> int | None:
        start.wait()
        return sign_in.redeem_link(town.harness.web, link)

    with ThreadPoolExecutor(6) as pool:
        assert sum(user is not None for user in pool.map(redeem, range(6))) == 1


def test_an_owner_who_cannot_take_the_seat_is_signed_in_and_loses_nothing(town: Town) -> None:
    """The host's address was named at the host's own table: one person has one seat there."""
    found = joined(town, "host@games.test", "3")
    owner = found.prove()
    assert owner.get("/settings").status_code == 200
    assert found.browser.get(f"/games/{found.game}").status_code == 200


def test_nobody_is_signed_in_as_the_owner_of_an_address_but_by_a_letter_to_it(town: Town) -> None:
    """After everything above, sessions of a person with an address come from links that were mailed to it."""
    found = joined(town, OWNER)
    sessions = [row for row in town.harness.load_rows(Capability) if row.purpose == users.SESSION]
    assert {row.user_id for row in sessions} <= {town.user("host@games.test"), found.row.id}


# --- what a token may read


def test_a_token_that_may_only_look_reads_no_sealed_orders(town: Town) -> None:
    """No call that it may make shows them, nor opens what another token has asked for."""
    harness, client = town.harness, town.app.test_client()
    harness.reply("s1", "BID 3", "LUCK xylophone")
    number, key = web_orders.request_own_orders(harness.web, town.user(OWNER), town.game)
    harness.run_queued_tasks()
    read_only = api_tokens.create_token(harness.web, town.user(OWNER), name="x", scope="read", days=1)
    for operation in OPERATIONS:
        path = PREFIX + address_of(operation.path, town.game).replace("0" * 32, number)
        headers = {"Authorization": f"Bearer {read_only}", "Idempotency-Key": new_token()}
        sent = {"key": key} if operation.body else None
        answer = client.open(path, method=operation.method, headers=headers, json=sent)
        assert "xylophone" not in answer.text, path
        if operation.name in ("request_own_orders", "get_own_orders"):
            assert answer.status_code == 403
            assert "/api/docs#looks_only" in answer.text


# --- sign-in letters


def ask(browser: Browser, address: str, line: str) -> None:
    """Ask for a link from somewhere."""
    answer = browser.post("/sign-in", {"address": address}, environ_overrides={"REMOTE_ADDR": line})
    assert answer.status_code == 200


def links(town: Town, address: str) -> int:
    """How many links went to an address."""
    town.harness.run_queued_tasks()
    return sum((a.kind, a.to_address) == ("signin", address) for a, _ in town.harness.sent)


def test_strangers_who_ask_in_anothers_name_use_up_their_own_links(town: Town) -> None:
    """Two lines send 24 requests an hour; the owner, from a third, still gets a link, this hour and all day."""
    for _ in range(3):
        for number in range(24):
            ask(town.browser(), OWNER, f"198.51.100.{number % 2}")
        before = links(town, OWNER)
        ask(town.browser(), OWNER, "192.0.2.1")
        assert links(town, OWNER) == before + 1
        town.harness.advance_time(hours=1)


def test_a_browser_that_was_signed_in_as_the_owner_always_gets_a_link(town: Town) -> None:
    """However many strangers ask, from however many lines, its own included; as another it is like any."""
    own = town.browser(OWNER)
    own.post("/sign-out", page="/settings")
    for number in range(60):
        ask(town.browser(), OWNER, f"198.51.100.{number}")
        ask(town.browser(), "p2@games.test", f"198.51.100.{number}")
    for _ in range(9):
        ask(town.browser(), OWNER, "127.0.0.1")
    before, other = links(town, OWNER), links(town, "p2@games.test")
    ask(own, OWNER, "127.0.0.1")
    ask(own, "p2@games.test", "127.0.0.1")
    assert (links(town, OWNER), links(town, "p2@games.test")) == (before + 1, other)
    assert before <= 20


def test_an_owner_has_a_link_in_the_mailbox_while_anybody_asks(town: Town) -> None:
    """A mailbox is not filled by many lines; but in each hour in which somebody asks, one valid link is mailed."""
    for hour in range(30):
        before = links(town, OWNER)
        for number in range(6):
            sign_in.request_sign_in(town.harness.web, OWNER, asker=sign_in.Asker(f"198.51.{hour}.{number}"))
        assert links(town, OWNER) > before
        town.harness.advance_time(hours=1)
    assert links(town, OWNER) <= 2 * (40 + 24)


def test_the_mark_of_a_browser_is_no_secret_of_an_account(town: Town) -> None:
    """It opens nothing, names nobody, and is not left on a shared computer."""
    header = town.browser(OWNER).last.headers.getlist("Set-Cookie")  # type: ignore[union-attr]
    (mark,) = [text for text in header if text.startswith("pbem-browser=")]
    assert "HttpOnly" in mark
    assert not any(name in mark for name in (OWNER, "example.org"))
    thief = town.browser()
    thief.client.set_cookie("pbem-browser", mark.partition("=")[2].partition(";")[0])
    assert thief.get("/settings").headers["Location"] == "/sign-in"
    link = sign_in.create_sign_in_link(town.harness.web, town.user(OWNER)).removeprefix("https://games.test")
    shared = town.browser().post(link, {"shared": "1"})
    assert not any("pbem-browser" in text for text in shared.headers.getlist("Set-Cookie"))
