"""Hundreds of broken letters and forms through the real reader of mail: none is lost, and nobody is held up."""

import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from engine import GAMES
from engine.kernel.printing import print_clause
from engine.kernel.secrets import redact, seen_by
from pbem.app import to_inbound_email
from pbem.config.settings import Settings
from pbem.crypto import new_token
from pbem.service.mail import inbox_queue
from pbem.service.orders import web_orders
from pbem.store.models import OutboundEmail, SeatRow
from tests.budget import budget
from tests.mail.corpora import LETTERS
from tests.service.server_fixtures import GAME_TYPES, ServerHarness, build, start_game

JUNK = {"toy": budget(12, 200)}
FEWER = budget(3, 40)
"""Broken letters and forms in every real game; in the smallest one, which costs least, more of them."""
EVERY_GAME = {**GAME_TYPES, **GAMES}
every_game = pytest.mark.parametrize(
    "title",
    [pytest.param(title, marks=() if title in ("toy", "diplomacy") else pytest.mark.night) for title in EVERY_GAME],
)
SIGNS = "abc ABC éß漢\u202e\x00\x07\u200b🂡><;:=?@[]{}()#%&*+-_/\\|\"'\r\n\t"
WORDS = (
    "BID,ENCHÈRE,FOR,POUR TOUR 9999999999999999999,ATTACK,UP TO,ELSE,IF I HOLD,END,LUCK,ON PARRY:,WITHDRAW,PREVIEW,"
    "REPORT 99,HELP,STATUS,PASS,3,-3,Mill,;"
).split(",")
TYPES = (
    "text/plain|text/html|multipart/alternative; boundary=x|multipart/mixed; boundary=x|text/calendar|message/rfc822|"
    "application/octet-stream|text/plain; charset=utf-16|text/plain; charset=x-none|multipart/mixed|"
    'text/plain; charset="utf-8"; format=flowed; delsp=yes||no type at all'
).split("|")
CODINGS = ("7bit", "8bit", "base64", "quoted-printable", "x-uuencode", "rot13", "")


def hall_with_real_mail(folder: Path) -> ServerHarness:
    """A server whose post understands letters as the real one does."""
    harness = build(folder, installed=EVERY_GAME)
    settings = replace(Settings.with_embedded(folder), mail_domain="games.test")
    harness.configure(limits={"letters": 1_000_000})
    harness.mailer = replace(harness.mailer, parse_email=partial(to_inbound_email, settings))
    return harness


def bring(harness: ServerHarness, raw: bytes, token: str) -> None:
    """Raw bytes through the door."""
    inbox_queue.store_message(harness.smtp, (f"o+{token}@games.test",), raw)
    harness.run_queued_tasks()


def assert_nobody_was_held_up(harness: ServerHarness, game: str, count: int) -> None:
    """Every letter is done with, no answer hangs, and the others' gate still closes."""
    rows = harness.load_inbound_emails()
    assert len(rows) == count
    assert {row.state for row in rows} <= {"processed"}
    harness.requeue_stuck_work()
    with harness.resolver.db.snapshot() as session:
        stuck = session.scalars(
            select(OutboundEmail.key).where(OutboundEmail.state.in_(("held", "queued", "rendered")))
        ).all()
    assert list(stuck) == []
    assert harness.load_game(game).failure is None
    before = harness.load_game(game).entry
    for seat in awaited_seats(harness, game):
        bring(harness, plain(likely_line(harness, game, seat), f"<close-{seat}@p>"), harness.reply_token(seat))
    assert harness.load_game(game).entry > before


def awaited_seats(harness: ServerHarness, game: str) -> list[str]:
    """The seats that the game waits for now: all of them, or the one whose turn it is."""
    return sorted({d.seat for d in harness.load_state(game).core.questions if d.blocking})


def likely_line(harness: ServerHarness, game: str, seat: str) -> str:
    """The first line that the game suggests to a seat, or what it would take for granted."""
    rules, position = EVERY_GAME[harness.load_game(game).rules], harness.load_state(game)
    decision = next(d for d in position.core.questions if d.seat == seat and d.blocking)
    seen = redact(position, decision.seat)
    with seen_by(decision.seat):
        orders = tuple(rules.suggest_orders(seen, decision)[:1]) or rules.default_orders(seen, decision)
        return print_clause(rules.forms(seen, decision), orders, "en")


def plain(text: str, message_id: str) -> bytes:
    """An honest letter."""
    head = f"From: p@home.test\r\nTo: o@games.test\r\nSubject: Re:\r\nMessage-ID: {message_id}\r\n\r\n"
    return (head + text + "\r\n").encode()


def junk(seed: int) -> bytes:
    """A letter made of pieces of letters, in no good order."""
    dice = random.Random(seed)
    text = "".join(dice.choice(SIGNS) if dice.random() < 0.3 else f" {dice.choice(WORDS)} " for _ in range(200))
    lines = [
        f"From: {dice.choice(('p1@home.test', 'x', '', '<>', 'é <a@b>'))}",
        f"Subject: {dice.choice(('Re: x', '=?utf-8?q?=ff?=', '=?x?y?z?=', 'Out of', text[:30]))}",
        f"Content-Type: {dice.choice(TYPES)}",
        f"Content-Transfer-Encoding: {dice.choice(CODINGS)}",
        f"Message-ID: {dice.choice((f'<{seed}@p>', '', 'none', '<<>>'))}",
    ]
    dice.shuffle(lines)
    ends = dice.choice(("\r\n", "\n", "\r"))
    body = dice.choice(("", "--x\n", "--x\nContent-Type: text/html\n\n<p>", "> quoted\n", "\x00", "=\n=3D=")) + text
    raw = (ends.join(dice.sample(lines, dice.randint(1, 5))) + ends * 2 + body).encode("utf-8", "surrogatepass")
    if dice.random() < 0.3:
        raw = raw[: dice.randint(0, len(raw))]
    if dice.random() < 0.3:
        spot = dice.randint(0, len(raw))
        raw = raw[:spot] + dice.randbytes(20) + raw[spot:]
    return raw


@every_game
def test_broken_letters_stop_nobody(title: str, state_dir: Path) -> None:
    """Letters of junk, and in one game all letters of our own collection, are done with, and the gate still closes."""
    harness = hall_with_real_mail(state_dir)
    game = start_game(harness, title, 3)
    raws = [*(junk(seed) for seed in range(JUNK.get(title, FEWER))), b"", b"\x00" * 5000, b"\r\n" * 5000]
    if title == "toy":
        raws += [path.read_bytes() for path in sorted(LETTERS.glob("*.eml"))]
    for raw in raws:
        bring(harness, raw, harness.reply_token("s1"))
    assert_nobody_was_held_up(harness, game, len(raws))


@every_game
def test_broken_forms_stop_nobody(title: str, state_dir: Path) -> None:
    """Forms with junk for lines, numbers and entries are answered or refused, and the gate still closes."""
    harness = hall_with_real_mail(state_dir)
    game = start_game(harness, title, 3)
    user = next(row.user_id for row in harness.load_rows(SeatRow) if row.seat == "s1")
    assert user is not None
    for seed in range(JUNK.get(title, FEWER)):
        text = junk(seed).decode("utf-8", "replace")
        entry = random.Random(seed).choice((-1, 0, 1, 10**12))
        form = new_token() if seed % 3 else text[:26]
        web_orders.preview_orders(harness.web, user, game, entry, text.splitlines())
        web_orders.submit_orders(harness.web, user, game, entry, form, text.splitlines())
        harness.run_queued_tasks()
    assert_nobody_was_held_up(harness, game, 0)
