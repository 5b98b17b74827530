"""Reports bring the board as a picture: made once for each view, outside of what anybody waits for, sealed."""

import re
from collections.abc import Mapping
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from engine import GAMES
from engine.kernel.rules import Rules
from pbem.app import render_email
from pbem.config.settings import Settings
from pbem.service.access import mail_preferences
from pbem.service.access.mail_preferences import MailPreferences
from pbem.service.base.services import PICTURE_POINTS, DeliveryFailure, Recipient, RenderedEmail
from pbem.service.mail import delivery, pictures
from pbem.service.mail.pictures import HOLD_MS
from pbem.store.models import BoardImage
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import GAME_TYPES, ServerHarness, build, start_game

PNG = b"\x89PNG\r\n\x1a\n"


class Desk:
    """What draws: it keeps every SVG that it was given."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def __call__(self, svg: str) -> bytes:
        """A picture that says which it was."""
        self.drawn.append(svg)
        return PNG + str(len(self.drawn)).encode()


def drawing_hall(folder: Path, installed: Mapping[str, Rules[Any]] = GAME_TYPES) -> tuple[ServerHarness, Desk]:
    """A server whose letters have pictures."""
    harness, desk = build(folder, installed=installed), Desk()
    harness.configure(pictures=True)
    harness.mailer = replace(harness.mailer, render_picture=desk)
    return harness, desk


def bids(harness: ServerHarness, *amounts: int) -> None:
    """Everybody answers."""
    for number, amount in enumerate(amounts, 1):
        harness.receive_reply(
            str(harness.last_recipient(f"s{number}").token), [f"BID {amount}"], f"<{number}.{amount}@p>"
        )
    harness.run_queued_tasks()


def test_each_report_brings_its_picture_made_once(state_dir: Path) -> None:
    """Each seat and letter has one picture, drawn from that seat's view; who asks again has it drawn again."""
    harness, desk = drawing_hall(state_dir)
    start_game(harness, "toy", 2)
    bids(harness, 3, 1)
    sent = [to for to, facts in harness.sent if to.kind in ("started", "report")]
    assert len(sent) == len(desk.drawn) == len({to.picture for to in sent}) == 4
    assert all(to.picture.startswith(PNG) for to in sent)
    assert all(facts.picture for facts in (*harness.sent_facts("started"), *harness.sent_facts("report")))
    last = int(harness.last_recipient("s1").picture.removeprefix(PNG))
    pictures.delete_unused_pictures(harness.scheduler)
    for _ in range(2):
        harness.reply("s1", "REPORT")
        again = [to for to, _ in harness.sent if to.kind == "report" and to.seat == "s1"][-1]
        assert desk.drawn[int(again.picture.removeprefix(PNG)) - 1] == desk.drawn[last - 1]
    assert len(desk.drawn) == 5, "made once for all that wait for it"


def test_who_wants_no_pictures_gets_none_and_none_is_drawn_for_them(state_dir: Path) -> None:
    """The letters of a player who chose none come without; the other's still bring theirs."""
    harness, desk = drawing_hall(state_dir)
    start_game(harness, "toy", 2)
    assert mail_preferences.update_preferences(
        harness.web, get_user_id(harness, "p1@games.test"), MailPreferences(pictures=False)
    )
    drawn = len(desk.drawn)
    bids(harness, 3, 1)
    assert {to.seat: bool(to.picture) for to, _ in harness.sent if to.kind == "report"} == {"s1": False, "s2": True}
    assert {bool(facts.picture) for facts in harness.sent_facts("report")} == {False, True}
    assert len(desk.drawn) == drawn + 1


def test_what_changed_since_the_last_orders_is_marked(state_dir: Path) -> None:
    """The first picture marks nothing; later ones begin where the game stood when the seat's orders were opened."""
    harness, _ = drawing_hall(state_dir)
    game = start_game(harness, "toy", 2)
    stood = harness.load_game(game).entry
    bids(harness, 3, 1)
    rows = {(row.viewer, row.entry): row.from_entry for row in harness.load_rows(BoardImage)}
    assert {rows[seat, stood] for seat in ("s1", "s2")} == {0}
    assert {rows[seat, harness.load_game(game).entry] for seat in ("s1", "s2")} == {stood}


def test_nobody_waits_for_the_picture(state_dir: Path) -> None:
    """Receipts and the game go on; the letter waits a while, and then goes without its picture."""
    harness, desk = drawing_hall(state_dir)
    start_game(harness, "toy", 2)
    before = len(harness.sent_facts("report"))
    for number, amount in enumerate((3, 1), 1):
        harness.receive_reply(str(harness.last_recipient(f"s{number}").token), [f"BID {amount}"], f"<{number}@p>")
    while harness.queued_tasks:
        task, subject = harness.queued_tasks.pop(0)
        if task != "render_picture":
            harness.run_task(task, subject)
    assert len(harness.sent_facts("receipt")) == 2
    assert len(harness.sent_facts("report")) == before
    assert len(desk.drawn) == 2, "drawn outside its own task"
    harness.advance_time(milliseconds=HOLD_MS + 1)
    delivery.deliver(harness.mailer)
    assert len(harness.sent_facts("report")) == before + 2
    assert {facts.picture for facts in harness.sent_facts("report")[-2:]} == {""}


def test_a_picture_that_fails_holds_no_letter_up(state_dir: Path) -> None:
    """Whatever goes wrong in drawing, the letters go at once without it, and only the kind of trouble is kept."""
    harness, _ = drawing_hall(state_dir)

    def broken(svg: str) -> bytes:
        raise ValueError(svg)

    harness.mailer = replace(harness.mailer, render_picture=broken)
    start_game(harness, "toy", 2)
    assert {facts.picture for facts in harness.sent_facts("started")} == {""}
    assert len(harness.sent_facts("started")) == 2
    assert {(row.state, row.error, row.ciphertext) for row in harness.load_rows(BoardImage)} == {
        ("failed", "ValueError", b"")
    }


@pytest.mark.parametrize("where", PICTURE_POINTS)
def test_what_was_forgotten_is_drawn_later(state_dir: Path, where: str) -> None:
    """A lost wake, or a worker that died with a picture in hand, costs the wait for the sweep and nothing else."""
    harness, desk = drawing_hall(state_dir)
    point = harness.mailer.fault_point

    def die(name: str) -> None:
        if name == where:
            raise KeyboardInterrupt

    harness.mailer = replace(harness.mailer, fault_point=die)
    with pytest.raises(KeyboardInterrupt):
        start_game(harness, "toy", 2)
    harness.mailer = replace(harness.mailer, fault_point=point)
    harness.queued_tasks.clear()
    harness.advance_time(milliseconds=pictures.CLAIM_MS + 1)
    harness.requeue_stuck_work()
    assert {row.state for row in harness.load_rows(BoardImage)} == {"rendered"}
    assert len(harness.sent_facts("started")) == 2
    assert len(desk.drawn) == 2 + (where == "pictures.rendered")


def test_pictures_lie_sealed_and_only_while_a_letter_waits_for_them(state_dir: Path) -> None:
    """No row of the database holds a picture in clear; once its letters are finished, it is gone within seconds."""
    harness, desk = drawing_hall(state_dir)
    start_game(harness, "toy", 2)
    for number, amount in enumerate((3, 1), 1):
        harness.receive_reply(str(harness.last_recipient(f"s{number}").token), [f"BID {amount}"], f"<{number}@p>")
    while harness.queued_tasks:
        task, subject = harness.queued_tasks.pop(0)
        if task != "send_outbound_emails":
            harness.run_task(task, subject)
    pictures.delete_unused_pictures(harness.scheduler)
    assert len(desk.drawn) == 4
    assert [row.state for row in harness.load_rows(BoardImage) if row.entry == 2] == ["rendered"] * 2, (
        "letters wait for these"
    )
    assert not any(PNG in row.ciphertext for row in harness.load_rows(BoardImage))
    assert not any(PNG in content for content in harness.load_bodies().values())
    harness.requeue_stuck_work()
    pictures.delete_unused_pictures(harness.scheduler)
    assert harness.load_rows(BoardImage) == []
    assert len(harness.sent_facts("report")) == 2
    assert all(to.picture.startswith(PNG) for to, _ in harness.sent if to.kind in ("started", "report"))


def test_a_letter_is_sent_again_as_it_was_though_its_picture_is_gone(state_dir: Path) -> None:
    """What is kept until the relay takes it is the finished letter: nothing is drawn again for another try."""
    harness, desk = drawing_hall(state_dir)
    tries: list[RenderedEmail] = []

    def away(message: RenderedEmail) -> DeliveryFailure:
        tries.append(message)
        return DeliveryFailure("relay 0", away=True)

    write = harness.mailer.render_email
    assert write is not None
    harness.configure(
        send_email=away, render_email=lambda facts, to: replace(write(facts, to), wire=to.picture or b"-")
    )
    start_game(harness, "toy", 2)
    pictures.delete_unused_pictures(harness.scheduler)
    assert harness.load_rows(BoardImage) == []
    drawn = len(desk.drawn)
    for _ in range(3):
        harness.advance_time(minutes=2)
        delivery.deliver(harness.mailer)
    again = [message.wire for message in tries if message.wire.startswith(PNG)]
    assert len(again) > len(set(again)) > 0
    assert len(desk.drawn) == drawn


def test_what_became_of_a_picture_is_forgotten_in_time(state_dir: Path) -> None:
    """That one could not be drawn is known for two weeks."""
    harness, _ = drawing_hall(state_dir)

    def broken(svg: str) -> bytes:
        raise ValueError(svg)

    harness.mailer = replace(harness.mailer, render_picture=broken)
    start_game(harness, "toy", 2)
    for days, kept in ((0, True), (15, False)):
        harness.advance_time(days=days)
        pictures.delete_unused_pictures(harness.scheduler)
        pictures.delete_old_pictures(harness.mailer)
        assert bool(harness.load_rows(BoardImage)) == kept


def test_a_seats_picture_holds_its_own_view_only(state_dir: Path) -> None:
    """Each is drawn from what was stored for its seat: the canary in one hand is in no other's picture."""
    harness, desk = drawing_hall(state_dir)
    game = start_game(harness, "toy", 2)
    bids(harness, 3, 1)
    hands = {seat: set(hand) for seat, hand in harness.load_state(game).board.hands.items()}
    assert all(hands.values())
    assert desk.drawn
    for row, svg in zip(
        sorted(harness.load_rows(BoardImage), key=lambda r: (r.entry, r.viewer)), desk.drawn, strict=True
    ):
        for seat, cards in hands.items():
            assert seat == row.viewer or not any(str(card) in svg for card in cards - hands[row.viewer])


def _message(folder: Path, facts: Any, to: Recipient) -> EmailMessage:
    """A letter as it goes over the wire."""
    made = render_email(Settings.with_embedded(folder), facts, to)
    letter = message_from_bytes(made.wire, policy=policy.default)
    assert isinstance(letter, EmailMessage)
    return letter


def test_the_picture_lies_inside_the_html_and_the_text_stays_whole(state_dir: Path) -> None:
    """multipart/alternative of the text and of multipart/related: the page, and its picture with words for who has
    none.  The text part is the same with a picture and without.  So it is in the first letter and in reports.
    """
    harness, _ = drawing_hall(state_dir, GAMES)
    start_game(harness, "age_of_renaissance", 3, 24)
    while not harness.sent_facts("report"):
        harness.advance_time(hours=25)
        harness.run_scheduled_jobs()
        harness.run_queued_tasks()
    for kind in ("started", "report"):
        to, facts = next((to, facts) for to, facts in reversed(harness.sent) if to.kind == kind)
        letter = _message(state_dir / "s", facts, to)
        text, related = letter.iter_parts()
        page, picture = related.iter_parts()
        assert (letter.get_content_type(), text.get_content_type()) == ("multipart/alternative", "text/plain")
        assert (related.get_content_type(), page.get_content_type()) == ("multipart/related", "text/html")
        assert (picture.get_content_type(), picture["Content-Disposition"].partition(";")[0]) == ("image/png", "inline")
        assert picture["Content-ID"].startswith("<board.")
        assert picture.get_content() == to.picture
        assert to.picture.startswith(PNG)
        (shown,) = re.findall(r"<img [^>]*>", page.get_content())
        assert f'src="cid:{picture["Content-ID"].strip("<>")}"' in shown
        assert 'alt="The board' in shown
        bare = _message(state_dir / "s", replace(facts, picture=""), replace(to, picture=b""))
        plain = bare.get_body(("plain",))
        assert plain is not None
        assert plain.get_content() == text.get_content()


def test_an_invitation_says_what_the_game_is_and_shows_a_board_of_it(state_dir: Path) -> None:
    """Who does not know the game sees it and reads of it; the same facts give the same bytes, and no seat's view."""
    harness, _ = drawing_hall(state_dir, GAMES)
    start_game(harness, "patchistory", 2)
    to, facts = next((to, facts) for to, facts in harness.sent if to.kind == "invitation")
    letter = _message(state_dir / "s", facts, to)
    text, related = letter.iter_parts()
    page, picture = related.iter_parts()
    assert picture.get_content().startswith(PNG)
    assert len(picture.get_content()) < 200_000
    assert 'alt="A board of the game"' in page.get_content()
    assert "PATCHISTORY" in text.get_content()
    assert "You build a history" in text.get_content()
    assert render_email(Settings.with_embedded(state_dir / "s"), facts, to) == render_email(
        Settings.with_embedded(state_dir / "s"), facts, to
    )


def test_an_invitation_has_no_picture_where_none_is_wanted(state_dir: Path) -> None:
    """A server without pictures, a game that draws nothing, and a person who chose none."""
    harness, _ = drawing_hall(state_dir)
    harness.configure(pictures=False)
    start_game(harness, "toy", 2)
    to, facts = next((to, facts) for to, facts in harness.sent if to.kind == "invitation")
    assert not facts.picture
    assert not to.picture
    assert mail_preferences.update_preferences(
        harness.web, get_user_id(harness, "p2@games.test"), MailPreferences(pictures=False)
    )
    harness.configure(pictures=True)
    start_game(harness, "toy", 2)
    assert not harness.sent_facts("invitation")[-1].picture
