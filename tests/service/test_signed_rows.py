"""With nothing but a connection to the database nobody signs in, takes a seat, masters a table or gets others' mail."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import inspect, select, update

from pbem.common.states import GameState
from pbem.crypto import (
    CryptoError,
    Role,
    TamperedError,
    VerifyKeys,
    new_token,
    token_hash,
)
from pbem.crypto.key_folder import KeyFolder
from pbem.service.access import api_tokens, users
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.mail import delivery
from pbem.service.messages import conversations, messages
from pbem.service.orders import web_orders
from pbem.service.seats import sign_in
from pbem.service.seats.substitutes import replace_player
from pbem.service.tasks import replay, resolve_game
from pbem.store.database import Database
from pbem.store.games import load_seats, lock_game
from pbem.store.models import (
    AccountDeletion,
    AddressChange,
    Application,
    Base,
    Capability,
    Deputy,
    DiscordAccount,
    Master,
    MasterSettings,
    OpenTable,
    OperatorAction,
    PendingConfirmation,
    ResolverRequest,
    SeatRow,
    SeatTenure,
    SecondFactor,
    Spectator,
    User,
    Vote,
    Webhook,
)
from pbem.store.models.base import SignedRow
from pbem.store.row_signatures import ALLOWED_SIGNERS, RowSigner, signed_columns
from tests.service.database_copy import DatabaseCopy
from tests.service.server_fixtures import ServerHarness, build, start_game

MODELS: Final = sorted((m.class_ for m in Base.registry.mappers if issubclass(m.class_, SignedRow)), key=str)
SAID: Final[Mapping[type[Any], Mapping[str, Any]]] = {
    AddressChange: {"user_id": 1, "to_user_id": 2, "old_hash": b"o", "new_hash": b"n", "expires_at": 1},
    AccountDeletion: {"user_id": 1, "requested_at": 1},
    OperatorAction: {"user_id": 1, "action": "hold", "subject": "", "created_at": 1},
    SecondFactor: {"user_id": 1, "secret_ciphertext": b"s", "created_at": 1},
    DiscordAccount: {"user_id": 2, "discord_id": "42", "name": "x", "linked_at": 1},
    Application: {"game_id": "", "seat": "s1", "user_id": 2, "created_at": 1},
    PendingConfirmation: {
        "game_id": "",
        "user_id": 1,
        "code": "abc",
        "digest": "0",
        "needs_approval": False,
        "entry": 1,
        "created_at": 1,
    },
    Webhook: {
        "id": "c",
        "game_id": "",
        "created_by": 1,
        "created_at": 1,
        "form": "plain",
        "language": "en",
        "url_ciphertext": b"",
        "masked_url": "",
        "state": "on",
    },
    ResolverRequest: {"id": "c", "kind": "open", "game_id": "", "state": "done", "request": b"", "created_at": 1},
    Deputy: {"game_id": "", "seat": "s1", "owner_id": 1, "user_id": 2, "starts_at": 1, "ends_at": 2, "created_at": 1},
    OpenTable: {"game_id": "", "opened_at": 1},
    SeatTenure: {"game_id": "", "seat": "s1", "user_id": 1, "starts_at": 1},
    Master: {"game_id": "", "user_id": 2, "starts_at": 1, "seen_at": 1},
    MasterSettings: {"game_id": ""},
    Vote: {"game_id": "", "motion": "out", "target": "s1", "seat": "s2", "created_at": 1},
    Spectator: {"game_id": "", "user_id": 2, "created_at": 1},
}
"""Rows of tables that a game just begun has none of; an empty `game_id` is that of the game."""


@pytest.fixture(scope="module")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerHarness]:
    """A server with a row in every table whose rows are signed."""
    made = build(tmp_path_factory.mktemp("signed"))
    game = start_game(made, "toy", 3, 24, talk="free")
    api_tokens.create_token(made.web, 1, name="bot", scope="play", days=3, game_id=game)
    messages.send(made.web, 1, game, ["s2"], "a word", new_token())
    conversations.with_addresses(made.web, 1, game, conversations.load_conversation(made.web, 1, game).audiences)
    for model, values in SAID.items():
        maker = made.web if "web" in ALLOWED_SIGNERS[model.__tablename__] else made.resolver
        with maker.db.transaction() as session:
            session.add(model(**{n: game if (n, v) == ("game_id", "") else v for n, v in values.items()}))
    yield made
    made.web.db.close()


@contextmanager
def written(harness: ServerHarness, statement: str, *values: object) -> Iterator[None]:
    """Write in the database as who has nothing but a connection to it does; afterwards all is as it was."""
    if not harness.resolver.db.sqlite:
        kept = DatabaseCopy(harness)
        assert kept.write(statement, values) > 0
        yield
        kept.put_back()
        return
    path = str(harness.resolver.db.url.database)
    with closing(sqlite3.connect(path)) as stranger, closing(sqlite3.connect(":memory:")) as copy:
        stranger.backup(copy)
        assert stranger.execute(statement, values).rowcount > 0
        stranger.commit()
        try:
            yield
        finally:
            copy.backup(stranger)


def other(value: Any, kind: type[Any]) -> object:
    """Another value for a column."""
    if isinstance(value, dict):
        return json.dumps(value | {"talk": "none"})
    if isinstance(value, GameState):
        return GameState.OVER.value
    if value is None:
        return {int: 1, str: "x", bytes: b"x"}[kind]
    if kind is bool:
        return int(not value)
    return value + {int: 1000, str: "x", bytes: b"x"}[kind]


@pytest.mark.parametrize("model", MODELS)
def test_a_changed_column_is_noticed_as_the_row_is_read(harness: ServerHarness, model: type[Any]) -> None:
    """Whatever column of a signed row is changed in the database, the row is not believed; nor without its signature.

    The signature of another row does not do.
    """
    (row, *_), name = harness.load_rows(model), model.__table__.name
    elsewhere = "games" if name != "games" else "users"
    changes: dict[str, tuple[str, object]] = {
        column: ("?", other(getattr(row, column), model.__table__.c[column].type.python_type))
        for column in signed_columns(inspect(model))
    }
    changes["signed"] = "?", None
    changes["signed "] = f"(SELECT signed FROM {elsewhere} LIMIT 1)", 0
    with closing(sqlite3.connect(str(harness.resolver.db.url.database), isolation_level=None)) as stranger:
        stranger.execute("PRAGMA foreign_keys=OFF")
        (number,) = stranger.execute(f"SELECT min(rowid) FROM {name}").fetchone()
        for column, (to, value) in changes.items():
            at = f"FROM {name} WHERE rowid = {number}"
            (before,) = stranger.execute(f"SELECT {column} {at}").fetchone()
            stranger.execute(f"UPDATE {name} SET {column} = {to} WHERE rowid = {number}", (value,) if to == "?" else ())
            with pytest.raises(TamperedError):
                harness.load_rows(model)
            now = number if stranger.execute(f"SELECT 1 {at}").fetchone() else value  # the key itself was changed
            stranger.execute(f"UPDATE {name} SET {column} = ? WHERE rowid = ?", (before, now))
    assert harness.load_rows(model)


def test_a_token_that_was_put_in_signs_in_nobody(harness: ServerHarness) -> None:
    """Neither a session nor a sign-in link nor a program's token can be made up, and no own one be made another's."""
    token = new_token()
    columns = "hash, purpose, user_id, created_at, expires_at, signed"
    for purpose in ("session", "sign-in", "program", "reply"):
        row = (token_hash(purpose, token), purpose, 1, 1, 1 << 45)
        some = "(SELECT signed FROM capabilities LIMIT 1)"
        with written(harness, f"INSERT INTO capabilities ({columns}) VALUES (?, ?, ?, ?, ?, {some})", *row):
            for enter in (users.user_of_session, sign_in.redeem_link, api_tokens.authenticate):
                assert shut_out(harness, enter, token)
    mine = users.open_session(harness.web, 2)
    with written(harness, "UPDATE capabilities SET user_id = 1 WHERE hash = ?", token_hash("session", mine)):
        assert shut_out(harness, users.user_of_session, mine)
    found = users.user_of_session(harness.web, mine)
    assert found is not None
    assert found.id == 2


def shut_out(harness: ServerHarness, enter: Callable[[Services, str], object], token: str) -> bool:
    """Whether a token lets nobody in."""
    try:
        return enter(harness.web, token) is None
    except TamperedError:
        return True


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE seats SET user_id = 3 WHERE seat = 's2'",
        "UPDATE seats SET user_id = CASE user_id WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE 3 END",
        "UPDATE users SET email = 'evil@games.test' WHERE id = 2",
    ],
)
@pytest.mark.both_databases
def test_orders_are_neither_read_back_nor_counted_for_who_was_put_on_a_seat(state_dir: Path, statement: str) -> None:
    """Where the holder of a seat or their address was changed, nothing is done in the game, and its operator knows."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24)
    harness.reply("s2", "BID 2")
    before = harness.load_game(game).entry
    with written(harness, statement):
        with pytest.raises(TamperedError):
            web_orders.request_own_orders(harness.web, 3, game)
        with pytest.raises(TamperedError):
            resolve_game.run(harness.resolver, game)
        assert (harness.load_game(game).entry, harness.load_game(game).failure) == (before, "TamperedError")


def test_what_a_process_signed_itself_it_believes_without_a_second_look(
    harness: ServerHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row and its signature are known to who made them; with any other value or signature they are checked."""
    values = {"id": 1, "address": "a@x.test"}
    keys, others = (RowSigner(services.signing_key, services.verify) for services in (harness.mailer, harness.web))
    signed = keys.sign("users", values)
    looked, check = list[str](), VerifyKeys.verify

    def verify(self: VerifyKeys, what: str, *given: Any) -> Role:
        looked.append(what)
        return check(self, what, *given)

    monkeypatch.setattr(VerifyKeys, "verify", verify)
    keys.verify("users", values, signed)
    assert looked == []
    others.verify("users", values, signed)
    assert looked == ["row"]
    for changed, by in (
        ({**values, "address": "b@x.test"}, signed),
        (values, signed[:-1] + bytes([signed[-1] ^ 1])),
        (values, None),
    ):
        with pytest.raises(TamperedError):
            keys.verify("users", changed, by)


def test_no_role_signs_what_another_mints(harness: ServerHarness) -> None:
    """Post opens no session, and play links no account: a process that was taken over mints what is its own alone."""
    for services, purpose in (
        (harness.mailer, "session"),
        (harness.resolver, "program"),
        (harness.web, "spectator"),
        (harness.web, "?"),
    ):
        with pytest.raises(CryptoError), services.db.transaction() as session:
            session.add(Capability(hash=new_token().encode(), purpose=purpose, user_id=1, created_at=1))
    assert {row.purpose for row in harness.load_rows(Capability)} <= {k.partition(" ")[2] for k in ALLOWED_SIGNERS}


def test_changes_of_two_roles_at_once_leave_a_row_that_is_believed(harness: ServerHarness) -> None:
    """What one process changes of a row, while another holds an older copy of it, stands with what that one changes."""
    with harness.web.db.snapshot() as session:
        user = session.get_one(User, 3)
    with harness.resolver.db.transaction() as session:
        session.get_one(User, 3).turns_asked = 7
    with harness.web.db.transaction() as session:
        session.add(user)
        user.name = "Zoé"
    now = next(row for row in harness.load_rows(User) if row.id == 3)
    assert (now.turns_asked, now.name) == (7, "Zoé")


def test_no_statement_and_no_process_without_keys_changes_such_rows(harness: ServerHarness) -> None:
    """The door and the clock, which sign nothing, and a statement over many rows would leave what does not fit."""
    with pytest.raises(CryptoError), harness.smtp.db.transaction() as session:
        session.get_one(User, 1).name = "x"
    with pytest.raises(TypeError), harness.web.db.transaction() as session:
        session.execute(update(User).values(turns_asked=1))
    assert harness.load_rows(User)


PLAIN: Final = {
    "people, seats and their holders, deputies, masters, acts, applications, votes, spectators, readers of messages": (
        "users games seats seat_tenures deputies masters master_settings pending_confirmations applications "
        "votes spectators message_readers "
        "message_addresses"
    ),
    "letters to go out; requests to the resolver: to read orders back, to open hidden things, to rule": (
        "outbound_emails resolver_requests"
    ),
    "channels of tables": "webhooks",
    "tables that are open to everybody": "open_tables",
    "addresses to answer to, invitations, sign-in links, links to stop letters or invitations": (
        "capabilities.reply capabilities.master capabilities.talk capabilities.deputy capabilities.seat "
        "capabilities.join capabilities.sign-in capabilities.mute"
    ),
    "sessions, programs, linked accounts and their codes, forms, calendars, feeds, links to tables that form": (
        "capabilities.session api_tokens capabilities.program discord_accounts capabilities.link "
        "capabilities.discord capabilities.form capabilities.calendar "
        "capabilities.feed capabilities.table"
    ),
    "links that end a spectator's letters": "capabilities.spectator",
    "second factors of operators": "second_factors",
    "acts of operators and the codes they gave": "operator_actions capabilities.code capabilities.operator",
    "changes of address, requests to delete an account, and their confirmations": (
        "address_changes account_deletions capabilities.account-deletion capabilities.address-change"
    ),
    "letters to ourselves, the keys of the day that letters are sealed to": "capabilities.probe daily_keys",
}
"""What the table of pbem/crypto/README.md calls these rows."""


def test_readme_says_which_process_makes_which_rows() -> None:
    """The table of pbem/crypto/README.md is the one that the program goes by."""
    lines = (Path(__file__).parents[2] / "pbem" / "crypto" / "README.md").read_text("utf-8").splitlines()
    told = dict(line.strip("| ").split(" | ") for line in lines if line.strip("| ").partition(" | ")[0] in PLAIN)
    known = {kind.replace(".", " "): told[said] for said, kinds in PLAIN.items() for kind in kinds.split()}
    assert known == {kind: ", ".join(roles) for kind, roles in ALLOWED_SIGNERS.items()}


@pytest.mark.both_databases
def test_a_seat_given_back_to_a_former_holder_by_an_older_row_is_noticed(state_dir: Path) -> None:
    """The old row of a seat, with its own good signature, gives the seat back to nobody."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24)
    before = next(row for row in harness.load_rows(SeatRow) if row.seat == "s2")
    hand_over(harness, game, "s2", "new@games.test")
    assert resolve_game.run(harness.resolver, game) or not harness.load_game(game).failure
    columns = [*signed_columns(inspect(SeatRow)), "signed"]
    values = [getattr(before, name) for name in columns]
    whole = f"UPDATE seats SET {', '.join(f'{name} = ?' for name in columns)} WHERE seat = 's2'"
    with written(harness, whole, *values), pytest.raises(TamperedError, match="former holder"):
        resolve_game.run(harness.resolver, game)


@pytest.mark.both_databases
def test_a_former_holder_who_was_put_back_whole_reads_no_orders_of_the_next(state_dir: Path) -> None:
    """Even with all that play wrote down of holders put back, orders open only to the player who gave them."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24)
    before, kept = harness.load_rows(SeatRow)[1], harness.load_game(game).holders_checkpoint
    hand_over(harness, game, "s2", "new@games.test")
    web_orders.submit_orders(
        harness.web,
        harness.load_rows(SeatRow)[1].user_id or 0,
        game,
        harness.load_game(game).entry,
        new_token(),
        ["BID 2"],
    )
    columns = [*signed_columns(inspect(SeatRow)), "signed"]
    values = [getattr(before, name) for name in columns]
    whole = f"UPDATE seats SET {', '.join(f'{name} = ?' for name in columns)} WHERE seat = 's2'"
    with (
        written(harness, whole, *values),
        written(harness, "DELETE FROM seat_tenures"),
        written(harness, "UPDATE games SET holders_checkpoint = ?, orders_checkpoint = NULL", kept),
    ):
        web_orders.request_own_orders(harness.web, 2, game)
        with pytest.raises(TamperedError, match="not of the player"):
            resolve_game.run(harness.resolver, game)
        assert [row.answer for row in harness.load_rows(ResolverRequest)] == [None]


def test_a_former_holder_who_was_put_back_sees_no_hand_of_the_next(state_dir: Path) -> None:
    """The old row of a seat shows its former holder what they saw then, and nothing that came after.

    The next holder sees where the seat stood when they took it over, and all that comes.
    """
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24)
    before = harness.load_rows(SeatRow)[1]
    hand_over(harness, game, "s2", "next@games.test")
    after = harness.load_rows(SeatRow)[1].user_id or 0
    web_orders.submit_orders(harness.web, after, game, harness.load_game(game).entry, new_token(), ["BID 2"])
    for seat in ("s1", "s3"):
        harness.reply(seat, "BID 1")
    last = harness.load_game(game).entry
    assert last > 1
    with harness.web.db.snapshot() as session:
        assert [seat_views.load_view(harness.web, session, game, "s2", entry) is None for entry in (1, last)] == [
            False
        ] * 2
    columns = [*signed_columns(inspect(SeatRow)), "signed"]
    values = [getattr(before, name) for name in columns]
    whole = f"UPDATE seats SET {', '.join(f'{name} = ?' for name in columns)} WHERE seat = 's2'"
    with written(harness, whole, *values), harness.web.db.snapshot() as session:
        assert load_seats(session, game)[1].user_id == before.user_id
        with pytest.raises(TamperedError, match="not of the player"):
            seat_views.load_view(harness.web, session, game, "s2", last)
        with pytest.raises(TamperedError, match="not of the player"):
            seat_views.load_history(harness.web, session, game, "s2", 0, last)


def hand_over(harness: ServerHarness, game: str, seat: str, address: str) -> None:
    """A seat goes to another person."""
    with harness.web.db.transaction() as session:
        row = lock_game(session, game)
        assert row is not None
        user = users.get_or_create_user(harness.web, session, address)
        replace_player(
            harness.web, session, row, next(s for s in load_seats(session, game) if s.seat == seat), user, "replaced"
        )


def test_unsigned_rows_open_nothing_and_old_keys_go_once_rows_are_signed_under_new_ones(state_dir: Path) -> None:
    """A row without a signature stops play; signing under new keys takes none over, and all others with it."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24)
    plain, folder = Database(str(harness.resolver.db.url)), KeyFolder(state_dir / "keys")
    assert replay.resign_all_rows(plain, folder) > 0
    harness.reply("s1", "BID 1")
    resolve_game.run(harness.resolver, game)
    assert not harness.load_game(game).failure
    for model in MODELS:
        with plain.transaction() as session:
            session.connection().exec_driver_sql(f"UPDATE {inspect(model).local_table} SET signed = NULL")
    with pytest.raises(TamperedError):
        resolve_game.run(harness.resolver, game)
    with pytest.raises(TamperedError):
        replay.resign_all_rows(plain, folder)
    plain.close()


def test_a_row_that_was_not_believed_is_not_found_in_the_same_session(harness: ServerHarness) -> None:
    """Who goes on after such a row meets it again, and does not get it unchecked."""
    with (
        written(harness, "UPDATE users SET email = 'evil@games.test' WHERE id = 2"),
        harness.web.db.snapshot() as session,
    ):
        kept = []
        for _ in range(2):
            with pytest.raises(TamperedError) as met:
                session.scalars(select(User)).all()
            kept.append(met)
        with pytest.raises(TamperedError):
            session.get(User, 2)


@pytest.mark.both_databases
def test_a_letter_to_who_is_not_believed_holds_up_no_other(state_dir: Path) -> None:
    """Letters of one batch go out, but those of a person whose row was changed; these wait."""
    harness = build(state_dir)
    start_game(harness, "toy", 3, 24)
    for user in (1, 2, 3):
        sign_in.request_sign_in(harness.web, f"p{user}@games.test")
    before = len(harness.sent)
    with written(harness, "UPDATE users SET email = 'evil@games.test' WHERE id = 2"):
        delivery.deliver(harness.mailer)
        went = [address.to_address for address, _ in harness.sent[before:]]
    assert sorted(went) == ["p1@games.test", "p3@games.test"]
