"""No address, token or code that opens something today can be read in what the server keeps."""

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Final

from pbem.common.states import InboundState
from pbem.crypto import is_token, new_token
from pbem.crypto.tokens import ALPHABET, LENGTH
from pbem.service.access import api_tokens, users
from pbem.service.base.services import ParsedEmail
from pbem.service.channels import chat
from pbem.service.deadlines import gate_timing
from pbem.service.mail import inbox_queue, notifications
from pbem.service.messages import messages
from pbem.service.orders import web_orders
from pbem.service.pages import feeds
from pbem.service.seats import deputies, sign_in
from pbem.store.models import Game, User
from tests.service.canary_words import files, found_in
from tests.service.master_commands import send_confirmed
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.test_messages import player
from tests.service.timed_games import HOUR

_TOKENS: Final = re.compile(rf"\b[{ALPHABET}]{{{LENGTH}}}\b")


def texts(thing: object) -> Iterator[str]:
    """Every text within a letter's facts."""
    if isinstance(thing, str):
        yield thing
    elif is_dataclass(thing) and not isinstance(thing, type):
        for one in fields(thing):
            yield from texts(getattr(thing, one.name))
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from (*texts(key), *texts(value))
    elif isinstance(thing, tuple | list | frozenset | set):
        for one in thing:
            yield from texts(one)


def given_out(harness: ServerHarness) -> set[str]:
    """Every token in every letter that the server has written: reply and master addresses, links."""
    found = {str(address.token) for address, _ in harness.sent if address.token}
    for _, facts in harness.sent:
        for text in texts(facts.frame):
            found.update(_TOKENS.findall(text))
    return {token for token in found if is_token(token)}


def handed_out(harness: ServerHarness, game: str) -> set[str]:
    """What people were given at other doors: links to sign in, calendars and feeds, sessions, programs, codes, masters'
    addresses, cookies of requests.
    """
    with harness.web.db.transaction() as session:
        user, row = session.get_one(User, 1), session.get_one(Game, game)
        address = notifications.create_command_address(harness.web, session, row, user)
    _, cookie = web_orders.request_own_orders(harness.web, 1, game)
    return {
        address,
        cookie,
        sign_in.create_sign_in_link(harness.web, 1).rpartition("/")[2],
        feeds.create_link(harness.web, 1, feeds.CALENDAR),
        feeds.create_link(harness.web, 1, feeds.FEED, game),
        users.open_session(harness.web, 1),
        chat.create_link_code(harness.web, 1),
        api_tokens.create_token(harness.web, 1, name="bot", scope="play", days=3, game_id=game),
    }


def other_letters(harness: ServerHarness, game: str) -> None:
    """Letters with addresses for more than orders: talk, and what asks a deputy and a new player for their consent."""
    messages.send(harness.web, player(harness, 1), game, ["all"], "Peace?", new_token())
    begins = harness.web.now() + HOUR
    gate_timing.add_absence(harness.web, player(harness, 2), begins, begins + 48 * HOUR)
    absence = gate_timing.list_upcoming_absences(harness.web, player(harness, 2))[-1][0]
    deputies.invite(harness.web, player(harness, 2), game, "zoe@games.test", absence)
    send_confirmed(harness, game, "REPLACE p3 BY new@players.test")
    harness.run_queued_tasks()
    assert {"talk", "deputy", "seat"} <= {address.kind for address, _ in harness.sent}


def kept(folder: Path) -> dict[str, bytes]:
    """Every file of the server but its keys, and a copy of the database as a backup writes it."""
    found = {name: blob for name, blob in files(folder).items() if not name.startswith("keys")}
    with sqlite3.connect(folder / "test.sqlite3") as database:
        found["dump"] = "\n".join(database.iterdump()).encode("utf-8", "surrogateescape")
    return found


def assert_kept_from_readers(folder: Path, secrets: set[str]) -> None:
    """None of them stands in any file, in any coding."""
    for name, blob in kept(folder).items():
        assert found_in(blob, secrets) == set(), name
        assert [secret for secret in secrets if secret.encode().hex().encode() in blob.lower()] == [], name


def test_no_token_or_code_stands_in_what_a_reader_of_the_disk_gets(state_dir: Path) -> None:
    """Addresses to answer to, links, sessions, programs and codes: before, while and after letters are read."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24)
    other_letters(harness, game)
    secrets = given_out(harness) | handed_out(harness, game)
    assert len(secrets) > 16
    for seat, bid in (("s1", "BID 1"), ("s2", "gibberish"), ("s3", "BID 2")):
        harness.receive_reply(harness.reply_token(seat), [bid], f"<{seat}@x.test>")
    assert_kept_from_readers(state_dir, secrets)
    harness.run_queued_tasks()
    assert {row.state for row in harness.load_inbound_emails()} == {InboundState.PROCESSED}
    assert_kept_from_readers(state_dir, secrets | given_out(harness))


def test_lengths_tell_letters_apart_by_steps_only(state_dir: Path) -> None:
    """Letters whose lengths differ by a few characters look the same in the database, whatever their address."""
    harness = build(state_dir)
    harness.configure(parse_email=lambda raw, to, null: ParsedEmail("ordinary", False, "unknown", ""))
    for length, domain in ((9, "a"), (310, "abcdefgh")):
        inbox_queue.store_message(harness.smtp, (f"o+x@{domain}.test",), b"x" * length)
    first, second = harness.load_inbound_emails()
    assert first.size == second.size
    assert len({len(content) for content in harness.load_bodies().values()}) == 1
