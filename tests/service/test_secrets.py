"""Nothing that is sealed can be read: canaries in every file, and every key tried on every stored record."""

import base64
import random
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest

from engine.kernel.codec import dump
from engine.kernel.orders import unconditional
from engine.kernel.secrets import truth
from engine.kernel.viewers import PUBLIC
from pbem.crypto import (
    CryptoError,
    EmailContext,
    GameKeys,
    KeyFolder,
    MailerKey,
    MasterKeys,
    OrdersSecretKey,
    OwnOrdersContext,
    PositionKey,
    RequestKey,
    ResolverKey,
    ResolverKeys,
    SealedOrders,
    VerifyKeys,
    ViewContext,
    ViewKey,
    WrappedGameKeys,
    is_delta_encrypted,
    open_quarantined,
    unseal_email,
    unseal_entry,
    unseal_orders,
    unseal_view,
    unwrap_game_keys,
)
from pbem.crypto.messages import MessageContext, unseal_message
from pbem.crypto.sealed_orders import OrdersContext
from pbem.discord.notify import Webhooks
from pbem.service.base.services import DeliveryFailure, RenderedEmail
from pbem.service.channels import webhooks
from pbem.service.mail import inbox, inbox_queue
from pbem.service.messages import messages
from pbem.service.orders import web_orders
from pbem.store.models import (
    BoardImage,
    Game,
    InboundEmail,
    JournalEntry,
    Message,
    OutboundEmail,
    OutboundEmailBody,
    PendingDraw,
    ResolverRequest,
    SealedOrdersRow,
    SeatRow,
    SeatView,
    TurnStatistics,
    Webhook,
)
from tests.service.canary_words import codings, files, found_in, renamed_cards, word
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.toy import board
from tests.toy.orders import Bid


@pytest.fixture
def renamed(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The smallest game with random words for all its cards; which word stands for which."""
    return renamed_cards(monkeypatch, random.Random(5))


# --- canaries


def test_the_search_finds_a_word_in_every_coding() -> None:
    """A canary is found plain, coded and deflated amid other bytes: a search that finds nothing would prove nothing."""
    for planted in set(codings("canary")):
        assert found_in(b"\x00\xff" + planted + b"\x01", ["canary"]) == {"canary"}
    text = b"orders: canary, canary and much else that is not secret"
    bare = zlib.compressobj(9, zlib.DEFLATED, -15)
    for stream in (zlib.compress(text), bare.compress(text) + bare.flush()):
        assert found_in(b"\x03\x00\x17" * 7 + stream + b"\x00" * 9, ["canary"], deep=True) == {"canary"}
    assert found_in(b"nothing at all", ["canary"], deep=True) == set()


def unseen(harness: ServerHarness, game: str) -> set[str]:
    """The cards that lie in hands or in the deck."""
    position = harness.load_state(game)
    with truth():
        held = [card.value for card in (*position.board.deck, *(c for h in position.board.hands.values() for c in h))]
    return set(held)


def assert_unread(folder: Path, words: set[str], *, deep: bool = False) -> None:
    """None of these words is in any file of the state folder."""
    for name, blob in files(folder).items():
        assert found_in(blob, words, deep=deep) == set(), name


def assert_untold(harness: ServerHarness, words_of: Mapping[str, set[str]]) -> None:
    """No letter to a seat holds a word that belongs to the others alone."""
    for address, facts in harness.sent:
        hidden = words_of.get(address.seat or "", set())
        assert found_in(dump(facts).encode(), hidden) == set(), address.key


def hands(harness: ServerHarness, game: str) -> dict[str, set[str]]:
    """For each seat, the cards that it does not know."""
    position, everything = harness.load_state(game), unseen(harness, game)
    with truth():
        return {
            seat: everything - {c.value for h in position.board.hands.values() for c in h if seat in c.known_to}
            for seat in position.core.seats
        }


def whole_turn(harness: ServerHarness, game: str, seat: str, turn: int, lucky: set[str]) -> list[str]:
    """A bid, words for luck, a march sent ahead and a reaction, with the cards that the seat holds."""
    mine = sorted(unseen(harness, game) - hands(harness, game)[seat])
    shield = next((f"PARRY {card}" for card in mine if card in board.SHIELDS), "NONE")
    march = next((f"SELL {card}" for card in mine if card in board.WARES), "PASS")
    return [f"BID {turn}", f"LUCK {' '.join(lucky)}", "FOR MARCH", march, f"ON PARRY: {shield}"]


def test_no_file_holds_a_sealed_word_before_it_is_carried_out(state_dir: Path, renamed: dict[str, str]) -> None:
    """Hands, deck, orders, reactions, sets ahead and words for luck stand in no file until they are carried out."""
    harness = build(state_dir)
    spool: list[bytes] = []
    harness.configure(send_email=lambda message: spool.append(message.wire))
    game = start_game(harness, "toy", 3)
    dice = random.Random(7)
    lucky = {word(dice) for _ in range(4)}
    assert len(renamed) == len(unseen(harness, game))
    for turn in range(2):
        for seat in ("s1", "s2", "s3"):
            harness.receive_reply(harness.reply_token(seat), whole_turn(harness, game, seat, turn, lucky))
            if seat == "s1":
                assert_unread(state_dir, unseen(harness, game) | lucky)
            harness.run_queued_tasks()
            assert_unread(state_dir, unseen(harness, game) | lucky, deep=(turn, seat) == (0, "s2"))
            assert_untold(harness, hands(harness, game))
    assert harness.load_game(game).entry > 3
    told = set(renamed.values()) - unseen(harness, game)
    assert told
    if harness.web.db.sqlite:  # whose file lies among these
        assert set().union(*(found_in(blob, told) for blob in files(state_dir).values())) == told
    assert {e.__class__.__name__ for _, f in harness.sent for e in getattr(f, "events", ())} >= {"Sold", "Bought"}


def test_a_letter_that_was_put_aside_is_read_by_no_file(state_dir: Path) -> None:
    """What a quarantined letter says stands in no file either, nor does what made the program fail on it."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    secret = word(random.Random(3))

    def failing(raw: bytes, recipient: str, null: bool) -> Any:
        raise ValueError(secret)

    harness.configure(parse_email=failing)
    inbox_queue.store_message(harness.smtp, (f"o+{harness.reply_token('s1')}@games.test",), secret.encode())
    for _ in range(inbox.MOST_TRIES):
        harness.advance_time(minutes=30)
        for letter in inbox_queue.list_forgotten(harness.mailer):
            with pytest.raises(ValueError, match=secret):
                harness.run_task("process_inbound_emails", letter)
    assert [row.state for row in harness.load_inbound_emails()] == ["quarantined"]
    assert_unread(state_dir, {secret}, deep=True)


# --- who can read what

WHO_READS: Final[Mapping[str, frozenset[str]]] = {
    "orders and reactions that wait": frozenset({"resolver"}),
    "answers that wait for a round of the beacon": frozenset({"resolver"}),
    "wrapped game keys": frozenset({"resolver"}),
    "seed before the deal": frozenset({"resolver"}),
    "positions": frozenset({"resolver"}),
    "journal records": frozenset({"resolver"}),
    "salts of the journal": frozenset({"resolver"}),
    "views and events of each seat": frozenset({"web", "mailer", "resolver"}),
    "talk and diaries": frozenset({"web", "mailer", "resolver"}),
    "letters taken in": frozenset({"mailer"}),
    "letters laid out": frozenset({"mailer"}),
    "letters finished": frozenset({"mailer"}),
    "letters put aside": frozenset({"resolver"}),
    "receipts that wait for play": frozenset({"resolver"}),
    "addresses of a table's channels": frozenset({"mailer"}),
    "pictures for letters": frozenset({"mailer"}),
    "one's own orders read back": frozenset({"the browser that asked"}),
}
"""The table of pbem/crypto/README.md: who can read what is stored, with all that the named process holds."""


@dataclass(frozen=True)
class Bunch:
    """Every secret that one process holds, tried as every kind of key."""

    secrets: tuple[bytes, ...]
    verify: VerifyKeys

    @property
    def symmetric(self) -> Iterator[tuple[type[Any], Any]]:
        """Each secret as each kind of symmetric key, in either version."""
        for secret in self.secrets:
            for kind in (ViewKey, MasterKeys, PositionKey):
                yield kind, kind({1: secret})

    def pairs(self, kind: type[Any]) -> Iterator[Any]:
        """Each secret as a key pair of this kind."""
        return (kind([secret]) for secret in self.secrets)

    def games(self, game: Game) -> Iterator[GameKeys]:
        """The keys of a game, if any of the secrets unwraps them; and each secret as if it were one of them."""
        for kind, key in self.symmetric:
            if kind is MasterKeys:
                try:
                    yield unwrap_game_keys(key, game.id, WrappedGameKeys.from_bytes(bytes(game.keys or b"")))
                except CryptoError:
                    continue
        for secret in self.secrets:
            yield GameKeys(game.id, PositionKey({1: secret}), OrdersSecretKey([secret]))


def bunch(folder: Path, verify: VerifyKeys) -> Bunch:
    """All 32-byte secrets in a process's folder, by whatever name they lie there."""
    found: list[bytes] = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        for piece in path.read_text(encoding="ascii").split():
            try:
                raw = base64.b64decode(piece + "=" * (-len(piece) % 4), altchars=b"-_", validate=True)
            except ValueError:
                continue
            if len(raw) == 32:
                found.append(raw)
    return Bunch(tuple(found), verify)


def tried(calls: Iterator[Any]) -> bool:
    """Return True if one of several attempts opens the record."""
    for call in calls:
        try:
            call()
        except CryptoError:
            continue
        return True
    return False


@dataclass(frozen=True)
class Stored:
    """One stored record: its sort, and how a bunch of keys is tried on it."""

    sort: str
    name: str
    attempts: Any

    def opened_by(self, keys: Bunch) -> bool:
        """Return True if these keys read it."""
        return tried(self.attempts(keys))


def stored(harness: ServerHarness, game: Game) -> Iterator[Stored]:
    """Every sealed record of every table."""
    yield Stored(
        "wrapped game keys",
        "keys",
        lambda k: (
            (lambda key=key: unwrap_game_keys(key, game.id, WrappedGameKeys.from_bytes(bytes(game.keys or b""))))
            for kind, key in k.symmetric
            if kind is MasterKeys
        ),
    )
    yield _entry("seed before the deal", game, 0, "seed", bytes(game.seed_ciphertext or b""))
    for row in harness.load_rows(JournalEntry):
        for sort, kind, blob in (
            ("positions", "position", row.state_ciphertext),
            ("journal records", "record", row.entry_ciphertext),
            ("salts of the journal", "salts", row.salts_ciphertext),
        ):
            yield _entry(sort, harness.load_game(row.game_id), row.number, kind, blob)
    for waits in harness.load_rows(PendingDraw):
        own = harness.load_game(waits.game_id)
        yield _entry("answers that wait for a round of the beacon", own, waits.entry, "fixed", waits.ciphertext)
    yield from (_orders(harness.load_game(row.game_id), row) for row in harness.load_rows(SealedOrdersRow))
    commons = {
        (row.game_id, row.entry): row
        for row in harness.load_rows(SeatView)
        if (row.viewer, row.kind) == (PUBLIC, "view")
    }
    yield from (_view(row, commons[row.game_id, row.entry]) for row in harness.load_rows(SeatView))
    yield from (_message_text(row) for row in harness.load_rows(Message))
    inside = harness.load_bodies()
    yield from (
        _ciphertext("letters taken in", row.id, "addressed", inside[row.id]) for row in _in(harness, "received")
    )
    yield from (
        _ciphertext("letters put aside", row.id, "quarantined", inside[row.id]) for row in _in(harness, "quarantined")
    )
    sorts = {"queued": "letters laid out", "rendered": "letters finished", "held": "receipts that wait for play"}
    for letter in harness.load_rows(OutboundEmail):
        if letter.state in sorts:
            yield _ciphertext(sorts[letter.state], letter.key, letter.state, inside[letter.key])
    yield from (_answer(row) for row in harness.load_rows(ResolverRequest) if row.answer is not None)
    for channel in harness.load_rows(Webhook):
        yield _ciphertext("addresses of a table's channels", channel.id, "channel", channel.url_ciphertext)
    for picture in harness.load_rows(BoardImage):
        place = f"{picture.game_id}.{picture.viewer}.{picture.entry}.{picture.from_entry}.{picture.language}"
        yield _ciphertext("pictures for letters", place, "picture", picture.ciphertext)
    yield from (_figures(row) for row in harness.load_rows(TurnStatistics))


def _in(harness: ServerHarness, state: str) -> list[InboundEmail]:
    return [row for row in harness.load_rows(InboundEmail) if row.state == state]


def _entry(sort: str, game: Game, number: int, kind: str, blob: bytes) -> Stored:
    return Stored(
        sort,
        f"{kind} {number}",
        lambda k: (
            (lambda keys=keys: unseal_entry(keys.position, game.id, number, kind, blob)) for keys in k.games(game)
        ),
    )


def _orders(game: Game, row: SealedOrdersRow) -> Stored:
    kind: Any = row.kind
    context = OrdersContext(row.game_id, row.gate, row.opening_entry, row.seat, row.revision, kind)
    return Stored(
        "orders and reactions that wait",
        f"{row.gate} {row.seat}",
        lambda k: (
            (lambda keys=keys: unseal_orders(keys, k.verify, context, SealedOrders.from_bytes(row.ciphertext)))
            for keys in k.games(game)
        ),
    )


def _view(row: SeatView, common: SeatView) -> Stored:
    """`common`: what everybody saw then, beside which seats' positions are sealed; whoever opens one opens it too."""
    context = ViewContext(row.game_id, row.entry, row.viewer, row.kind, row.holder)
    public = replace(context, viewer=PUBLIC, holder=0)

    def shared_part(key: ViewKey, k: Bunch) -> bytes:
        return unseal_view(key, k.verify, public, common.ciphertext) if is_delta_encrypted(row.ciphertext) else b""

    return Stored(
        "views and events of each seat",
        f"{row.viewer} {row.entry} {row.kind}",
        lambda k: (
            (lambda key=key: unseal_view(key, k.verify, context, row.ciphertext, shared_part(key, k)))
            for kind, key in k.symmetric
            if kind is ViewKey
        ),
    )


def _figures(row: TurnStatistics) -> Stored:
    context = ViewContext(row.game_id, row.turn, PUBLIC, "figures")
    return Stored(
        "views and events of each seat",
        f"figures {row.turn}",
        lambda k: (
            (lambda key=key: unseal_view(key, k.verify, context, row.ciphertext))
            for kind, key in k.symmetric
            if kind is ViewKey
        ),
    )


def _message_text(row: Message) -> Stored:
    context = MessageContext(row.game_id, row.kind, row.source, row.id)
    return Stored(
        "talk and diaries",
        f"{row.kind} {row.id}",
        lambda k: (
            (lambda key=key: unseal_message(key, k.verify, context, row.ciphertext))
            for kind, key in k.symmetric
            if kind is ViewKey
        ),
    )


def _ciphertext(sort: str, name: str, kind: str, blob: bytes) -> Stored:
    context = EmailContext(name, kind)
    return Stored(
        sort,
        name,
        lambda k: (
            *((lambda key=key: unseal_email(key, k.verify, context, blob)) for key in k.pairs(MailerKey)),
            *((lambda key=key: open_quarantined(key, k.verify, context, blob)) for key in k.pairs(ResolverKey)),
        ),
    )


def _answer(row: ResolverRequest) -> Stored:
    context, blob = OwnOrdersContext(row.game_id, str(row.seat), row.id), bytes(row.answer or b"")
    return Stored(
        "one's own orders read back",
        row.id,
        lambda k: ((lambda secret=secret: RequestKey(secret).open(k.verify, context, blob)) for secret in k.secrets),
    )


def full_of_everything(folder: Path) -> tuple[ServerHarness, Game]:
    """A server in whose tables lies every sort of record at once."""
    harness = build(folder)
    harness.configure(pictures=True, render_picture=lambda svg: svg.encode(), beacon=True)
    start_game(harness, "toy", 2, draws="beacon")
    harness.sent.clear()
    game = start_game(harness, "toy", 2)
    harness.configure(pictures=False)
    harness.reply("s1", "BID 1")
    harness.reply("s2", "BID 0")
    harness.receive_reply(harness.reply_token("s1"), ["ATTACK Mill", "ON PARRY: NONE"])
    harness.configure(send_email=lambda message: DeliveryFailure("421"))
    harness.run_queued_tasks()
    user = next(row.user_id for row in harness.load_rows(SeatRow) if row.seat == "s1")
    assert user is not None
    web_orders.request_own_orders(harness.web, user, game)
    messages.write_diary(harness.web, user, game, "A plan", "n" * 26)
    harness.run_queued_tasks()
    put_one_aside(harness)
    harness.receive_reply(harness.reply_token("s1"), ["STATUS"])
    harness.run_task(*harness.queued_tasks[-1])
    harness.configure(webhook_port=Webhooks(harness.web.public_url, harness.web.clock))
    webhooks.add_webhook(
        harness.web, harness.load_game(game).host_id, game, "slack", "en", "https://hooks.example.com/heliotrope"
    )
    harness.receive_reply(harness.reply_token("s2"), ["STATUS"])
    harness.run_task(*next(w for w in reversed(harness.queued_tasks) if w[0] == "process_inbound_emails"))
    harness.receive_reply(harness.reply_token("s2"), ["STATUS"])
    return harness, harness.load_game(game)


def put_one_aside(harness: ServerHarness) -> None:
    """A letter on which the reader fails until it is quarantined."""
    reader = harness.mailer.parse_email
    harness.configure(parse_email=lambda raw, to, null: 1 / 0)
    harness.receive_reply(harness.reply_token("s1"), ["STATUS"])
    for _ in range(inbox.MOST_TRIES):
        harness.advance_time(minutes=30)
        for letter in inbox_queue.list_forgotten(harness.mailer):
            with pytest.raises(ZeroDivisionError):
                harness.run_task("process_inbound_emails", letter)
    harness.queued_tasks.clear()
    harness.configure(parse_email=reader)


def test_each_process_reads_what_the_table_says_and_nothing_else(state_dir: Path) -> None:
    """Every secret of every process, tried as every kind of key on every stored record, opens what the table says.

    All keys but play's together read no order and no deck.
    """
    harness, game = full_of_everything(state_dir)
    keys = KeyFolder(state_dir / "keys")
    verify = ResolverKeys.load(keys.folder_of("resolver")).verify
    bunches = {role: bunch(keys.folder_of(role), verify) for role in ("web", "mailer", "resolver", "smtp")}
    assert all(len(b.secrets) >= 2 for b in bunches.values())
    others = Bunch(tuple(s for role, held in bunches.items() if role != "resolver" for s in held.secrets), verify)
    seen: dict[str, set[str]] = {}
    for record in stored(harness, game):
        readers = {role for role, held in bunches.items() if record.opened_by(held)}
        wanted = set(WHO_READS[record.sort]) - {"the browser that asked"}
        assert readers == wanted, f"{record.sort}: {record.name}"
        assert not (wanted == {"resolver"} and record.opened_by(others)), record.name
        seen.setdefault(record.sort, set()).update(readers)
    assert set(seen) == set(WHO_READS)


def test_the_browser_that_asked_reads_its_orders_once(state_dir: Path) -> None:
    """The answer to a read-back opens with the key of the asking browser, once, and is then gone."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    user = next(row.user_id for row in harness.load_rows(SeatRow) if row.seat == "s1")
    assert user is not None
    harness.reply("s1", "BID 3", "ON PARRY: NONE")
    request, key = web_orders.request_own_orders(harness.web, user, game)
    assert isinstance(web_orders.read_own_orders(harness.web, user, game, request, key), web_orders.AnswerPending)
    harness.run_queued_tasks()
    other = RequestKey.create().for_cookie()
    assert isinstance(web_orders.read_own_orders(harness.web, user, game, request, other), web_orders.AnswerNotFound)
    found = web_orders.read_own_orders(harness.web, user, game, request, key)
    assert isinstance(found, tuple)
    assert found[0][0].orders == unconditional(Bid(3))
    assert isinstance(web_orders.read_own_orders(harness.web, user, game, request, key), web_orders.AnswerNotFound)


def test_a_forged_request_or_receipt_stops_no_game(state_dir: Path) -> None:
    """Rows that somebody wrote into the database without our keys are passed over, and the game goes on."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    harness.reply("s1", "BID 3")
    with harness.resolver.db.transaction() as session:
        session.add(
            ResolverRequest(
                id="f" * 32, kind="read", game_id=game, seat="s1", state="pending", request=b"x", created_at=0
            )
        )
        session.add(
            OutboundEmail(
                key="forged", kind="receipt", game_id=game, seat="s1", state="held", created_at=0, due_at=0, attempts=0
            )
        )
        session.add(OutboundEmailBody(email_key="forged", content_ciphertext=b"x"))
    harness.reply("s2", "BID 1")
    assert harness.load_game(game).entry == 2
    assert next(row for row in harness.load_rows(OutboundEmail) if row.key == "forged").state == "given_up"
    assert next(row for row in harness.load_rows(ResolverRequest)).answer is None


def test_what_was_sent_leaves_nothing_behind(state_dir: Path) -> None:
    """Once a letter was answered and its answer sent, neither holds a byte of what was in it."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    kept: list[RenderedEmail] = []
    harness.configure(send_email=lambda message: kept.append(message))
    harness.reply("s1", "BID 3")
    assert len(kept) == 1
    assert harness.load_rows(InboundEmail)
    assert harness.load_bodies() == {}
