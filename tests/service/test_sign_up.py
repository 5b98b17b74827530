"""Who may have an account, open tables and practise: anybody, people who were invited, or nobody new."""

from contextlib import nullcontext
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.service.base.services import RequestRefused
from pbem.service.seats import bots, open_tables, sign_in, tables
from pbem.store.models import User
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness, build

OPERATOR = "olga@games.test"
STRANGER = "stranger@elsewhere.test"


def build_server(folder: Path, sign_up: str) -> tuple[ServerHarness, str]:
    """A server with a table of p1 that waits for two, one of whom is invited; and the link to it."""
    harness = build(folder)
    host = get_user_id(harness, "p1@games.test")
    game = tables.create(harness.web, host, "toy", "Lily", 3, {})
    harness.run_queued_tasks()
    tables.invite(harness.web, game, host, ["p2@games.test"])
    harness.run_queued_tasks()
    open_tables.create_link(harness.web, game, host)
    harness.configure(sign_up=sign_up, operator_emails=frozenset({OPERATOR}))
    return harness, open_tables.get_link(harness.web, game).rpartition("/")[2]


def gets_link(harness: ServerHarness, address: str) -> bool:
    """Return True if somebody who asks for a sign-in link gets one."""
    before = len(harness.sent_facts("signin"))
    sign_in.request_sign_in(harness.web, address)
    harness.run_queued_tasks()
    return len(harness.sent_facts("signin")) > before


def is_known(harness: ServerHarness, address: str) -> bool:
    """Return True if there is an account."""
    with harness.web.db.snapshot() as session:
        return session.scalars(select(User).where(User.email == address)).first() is not None


@pytest.mark.parametrize(
    ("sign_up", "stranger"), [("open", True), ("invitation", False), ("closed", False)], ids=lambda value: str(value)
)
def test_a_stranger_gets_an_account_on_an_open_server_alone(sign_up: str, stranger: bool, state_dir: Path) -> None:
    """Elsewhere nothing is kept of who was never invited, and no letter goes out; the invited and operators come in."""
    harness, _ = build_server(state_dir, sign_up)
    assert gets_link(harness, STRANGER) == stranger
    assert is_known(harness, STRANGER) == stranger
    for address in ("p1@games.test", "p2@games.test", OPERATOR):
        assert gets_link(harness, address), address


@pytest.mark.parametrize(("sign_up", "joins"), [("open", True), ("invitation", True), ("closed", False)])
def test_the_link_of_a_table_is_an_invitation(sign_up: str, joins: bool, state_dir: Path) -> None:
    """Who follows it takes a seat and gets the letter that makes it theirs, unless the server takes nobody new."""
    harness, token = build_server(state_dir, sign_up)
    with nullcontext() if joins else pytest.raises(RequestRefused, match="sign_up_closed"):
        open_tables.join_as_guest(harness.web, token, STRANGER, "Stranger", "", "en", "192.0.2.1")
    harness.run_queued_tasks()
    assert [facts.name for facts in harness.sent_facts("signin")] == ["Stranger"] * joins


@pytest.mark.parametrize("sign_up", ["open", "invitation", "closed"])
def test_people_with_an_account_open_tables_unless_only_operators_may(sign_up: str, state_dir: Path) -> None:
    """On a closed server the operators open them, and invite people who have an account."""
    harness, _ = build_server(state_dir, sign_up)
    for address in ("p1@games.test", OPERATOR):
        host = get_user_id(harness, address)
        if sign_up == "closed" and address != OPERATOR:
            with pytest.raises(RequestRefused, match="tables_closed"):
                tables.create(harness.web, host, "toy", "Rose", 3, {})
            continue
        game = tables.create(harness.web, host, "toy", "Rose", 3, {})
        harness.run_queued_tasks()
        tables.invite(harness.web, game, host, ["p2@games.test"])
        if sign_up != "closed":
            tables.invite(harness.web, game, host, [STRANGER])
            continue
        with pytest.raises(RequestRefused, match="sign_up_closed"):
            tables.invite(harness.web, game, host, [STRANGER])


@pytest.mark.parametrize("sign_up", ["open", "invitation", "closed"])
def test_only_an_open_server_has_practice_for_guests(sign_up: str, state_dir: Path) -> None:
    """A table against bots costs work, and needs no account."""
    harness, _ = build_server(state_dir, sign_up)
    if sign_up == "open":
        assert bots.start_practice(harness.web, "toy", "Guest", "Practice", "en", "192.0.2.1")
        return
    with pytest.raises(RequestRefused, match="practice_closed"):
        bots.start_practice(harness.web, "toy", "Guest", "Practice", "en", "192.0.2.1")
