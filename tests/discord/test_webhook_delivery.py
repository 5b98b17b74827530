"""Messages on their way: sent once, in order, whatever limits, failures and silences the other side has."""

import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.discord import wire
from pbem.service.base.services import MissingKeyError
from pbem.service.channels import webhook_changes, webhook_sender, webhooks
from pbem.store.database import Database
from pbem.store.models import Webhook, WebhookMessage, WebhookRateLimit
from pbem.store.row_signatures import RowSigner
from tests.discord.fake_discord import SECRET, Fake
from tests.discord.linked_games import Town, step, town
from tests.service.canary_words import found_in

# --- limits of the other side


def test_a_bucket_that_is_spent_is_left_alone_until_it_is_full_again(at: Town) -> None:
    """Once Discord says that nothing is left, nothing is sent before it says that there is; so no 429 is earned."""
    at.harness.advance_time(seconds=10)
    at.fake.limit, at.fake.window = 2, 600.0
    for _ in range(5):
        step(at)
        at.announce(seconds=20)
    assert at.bulletins("queued")
    assert [one.status for one in at.fake.taken if one.status == 429] == []
    made = len(at.fake.new())
    at.announce(1, seconds=620)
    assert len(at.fake.new()) == made + 1


@pytest.mark.parametrize(("trouble", "seconds"), [("user", 1), ("edge", 120)])
def test_a_429_is_waited_out(at: Town, trouble: str, seconds: int) -> None:
    """The wait is as long as Discord says, no message is lost or sent twice, and the channel has not failed."""
    step(at)
    at.fake.trouble = [trouble] * 2
    at.announce(1, seconds=1)
    tried = len(at.fake.taken)
    at.announce(1, seconds=0.4 if seconds == 1 else seconds - 2)
    assert len(at.fake.taken) <= tried + (seconds == 1)
    at.fake.trouble = []
    at.announce(3, seconds=seconds + 1)
    assert at.bulletins()[-1].state == "sent"
    assert len(at.fake.messages) == 2
    assert at.channel().failures == 0


def test_a_global_limit_holds_other_tables_as_well(at: Town) -> None:
    """A limit on all our requests holds every channel at Discord, and none elsewhere."""
    at.link()
    webhooks.add_webhook(
        at.harness.web, at.host, at.game, "plain", "en", at.fake.address("plain").replace("127.0.0.1", "127.0.0.2")
    )
    at.announce()
    step(at)
    at.fake.trouble = ["edge"]
    at.announce(1, seconds=1)
    hosts = {row.place for row in at.harness.load_rows(WebhookRateLimit) if row.route == ""}
    assert hosts == {"127.0.0.1"}
    before = len(at.fake.taken)
    at.announce(2, seconds=30)
    assert len(at.fake.taken) == before
    at.announce(2, seconds=60)
    assert len(at.fake.messages) == 4


# --- failures


def test_failures_are_tried_again_each_time_later(at: Town) -> None:
    """A server error is no end: the next try comes later each time, and the owner sees how it stands."""
    step(at)
    at.fake.trouble = ["500"] * 40
    gaps, last = [], at.harness.mailer.now()
    for _ in range(60):
        before = len(at.fake.taken)
        at.announce(1, seconds=10)
        if len(at.fake.taken) > before:
            gaps.append(at.harness.mailer.now() - last)
            last = at.harness.mailer.now()
    assert 4 < len(gaps) < 12
    assert gaps[-1] > 4 * max(gaps[0], 10_000)
    shown = webhooks.list_webhooks(at.harness.web, at.game)[0]
    assert (shown.state, shown.error, shown.waiting) == ("on", "500 0", 1)
    assert shown.failures == len(gaps)


def test_a_channel_that_is_silent_for_days_is_switched_off(at: Town) -> None:
    """After five days without an answer nobody asks it any more, and its owner gets a letter; not after one failure,
    however long there was nothing to say before.
    """
    at.harness.advance_time(days=20)
    step(at)
    at.fake.trouble = ["500"]
    at.announce(1)
    assert at.channel().state == "on"
    at.fake.trouble = ["500"] * 1000
    at.announce(28, hours=5)
    assert at.channel().state == "unreachable"
    at.harness.run_task("send_outbound_emails", "")
    assert [facts.terms["why"] for facts in at.harness.sent_facts("notice") if facts.kind == "channel_off"] == [
        "unreachable"
    ]


@pytest.mark.parametrize(("trouble", "state"), [("gone", "gone"), ("403", "refused")])
def test_a_webhook_that_is_gone_is_not_asked_again(at: Town, trouble: str, state: str) -> None:
    """After a 404 or a 403 the channel is off and quiet, and its owner gets one letter."""
    at.fake.gone, at.fake.trouble = trouble == "gone", [trouble] * (trouble != "gone")
    step(at)
    at.announce(1)
    asked = len(at.fake.taken)
    step(at)
    at.announce(5, minutes=30)
    assert (at.channel().state, len(at.fake.taken)) == (state, asked)
    at.harness.run_task("send_outbound_emails", "")
    letters = [(a, f) for a, f in at.harness.sent if a.kind == "notice" and f.kind == "channel_off"]
    assert [(a.to_address, f.terms["why"]) for a, f in letters] == [("p1@games.test", state)]
    assert SECRET not in str(letters)
    at.fake.gone = False
    webhooks.set_enabled(at.harness.web, at.host, at.game, at.channel().id, on=True)
    at.announce()
    assert at.channel().state == "on"
    assert len(at.fake.messages) == 2


def test_one_message_that_is_refused_or_was_deleted_stops_no_other(at: Town) -> None:
    """A message that is gone from the channel is not made again; a refusal of one is noted and left at that."""
    step(at)
    at.fake.messages.clear()
    at.announce(2, seconds=20)
    assert at.channel().state == "on"
    assert [row.state for row in at.bulletins()] == ["sent", "sent"]
    assert len(at.fake.messages) == 1
    step(at)
    at.fake.trouble = ["200", "400"]
    at.announce(1, seconds=20)
    step(at)
    at.announce(2, seconds=20)
    assert "failed" in [row.state for row in at.bulletins()]
    assert at.bulletins()[-1].state == "sent"


# --- not known whether it arrived


@pytest.mark.both_databases
def test_no_answer_makes_no_second_message(at: Town) -> None:
    """If a message was taken and the answer got lost, the newest known message is changed; nobody is called twice."""
    at.account("p2@games.test", "700000000000002")
    step(at)
    at.fake.trouble = ["200", "swallow"]
    at.announce(1)
    assert at.bulletins()[-1].state == "sending"
    at.announce(3, minutes=1)
    assert at.bulletins()[-1].state == "sent"
    calls = [one for one in at.fake.taken if one.method == "POST" and one.body["content"]]
    assert len(calls) == 1
    changed = at.fake.messages[at.channel().remote_message_id]
    assert "Orders due:" in changed["embeds"][0]["description"]


def test_an_other_side_that_never_answers_does_not_hold_us(at: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that stays silent is cut after a time, and counts as one that may have taken the message."""
    monkeypatch.setattr(wire, "SECONDS", 0.3)
    step(at)
    at.fake.trouble = ["200", "hang"]
    at.announce(1)
    assert (at.bulletins()[-1].state, at.bulletins()[-1].error) == ("sending", "no answer")


def test_a_program_gets_an_unsure_message_again_under_its_number(state_dir: Path, fake: Fake) -> None:
    """Plain JSON has a number that makes the second the same as the first; Slack's form has none: no second."""
    at = town(state_dir, fake)
    at.link("plain")
    at.link("slack")
    step(at)
    fake.trouble = ["200", "swallow", "swallow"]
    at.announce(1)
    fake.trouble = []
    at.announce(3, minutes=1)
    numbers = [one.body["id"] for one in fake.taken if isinstance(one.body, dict) and one.body.get("kind") == "phase"]
    assert len(numbers) == 2
    assert len(set(numbers)) == 1
    slack = [
        one for one in fake.taken if "text" in one.body and "Orders due:" in one.body["text"] and "id" not in one.body
    ]
    assert len(slack) == 1


def killed_at(at: Town, point: str) -> None:
    """Another process announces, and is killed with -9 when it passes a point."""

    def die(name: str) -> None:
        if name == point:
            os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        own = Database(str(at.harness.mailer.db.url)).with_signer(
            RowSigner(at.harness.mailer.mailer_keys.signing, at.harness.mailer.verify)
        )
        post = replace(at.harness.mailer, db=own, fault_point=die)
        webhook_sender.send_due(post)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGKILL


@pytest.mark.parametrize(
    "point", ["sent", *(pytest.param(one, marks=pytest.mark.night) for one in ("claimed", "sending", "recorded"))]
)
def test_kill_9_repeats_at_most_as_a_change(state_dir: Path, fake: Fake, point: str) -> None:
    """A worker killed anywhere on a message's way: the message is in the channel, nobody was called on twice, and no
    second message was made; at most an earlier one says the same now.
    """
    at = town(state_dir, fake)
    at.account("p2@games.test", "700000000000002")
    at.link()
    step(at)
    webhook_changes.enqueue_changes(at.harness.mailer)
    with at.harness.mailer.db.transaction() as session:  # the change of the earlier message would pass the point first
        session.execute(update(WebhookMessage).where(WebhookMessage.state == "editing").values(state="sent"))
    at.harness.advance_time(seconds=1)
    killed_at(at, f"webhooks.{point}")
    at.announce(2, seconds=20)
    at.announce(2, minutes=3)
    calls = [one for one in fake.taken if one.method == "POST" and "700000000000002" in one.body["content"]]
    shown = [m for m in fake.messages.values() if "Orders due:" in m["embeds"][0]["description"]]
    assert at.bulletins()[-1].state == "sent"
    assert len(calls) <= 1
    assert len(shown) == (2 if point == "sent" else 1)
    assert len(calls) == (0 if point == "sending" else 1)


@pytest.mark.both_databases
def test_two_workers_send_nothing_twice(at: Town) -> None:
    """A channel that one worker holds is left alone by another."""
    step(at)
    inside: list[int] = []

    def another(name: str) -> None:
        if name == "webhooks.sending" and not inside:
            inside.append(1)
            inside.append(webhook_sender.send_due(replace(at.harness.mailer, fault_point=lambda name: None)))

    at.restarted(fault_point=another)
    at.announce(1)
    assert inside == [1, 0]
    assert len(at.fake.messages) == 2


# --- secrets


def test_the_address_lies_nowhere_in_the_clear(at: Town, state_dir: Path) -> None:
    """The database shows no address of a webhook, in any coding; only post opens it."""
    step(at)
    at.announce()
    at.harness.mailer.db.engine.dispose()
    files = [path.read_bytes() for path in state_dir.rglob("*") if path.is_file()]
    assert [found for blob in files if (found := found_in(blob, [SECRET], deep=False))] == []
    assert webhooks.unseal_address(at.harness.mailer, at.channel()) == at.fake.hook
    for services in (at.harness.web, at.harness.resolver, at.harness.smtp):
        with pytest.raises(MissingKeyError, match="only a mailer can"):
            webhooks.unseal_address(services, at.channel())


def test_a_sealed_address_moved_to_another_channel_does_not_open(at: Town) -> None:
    """An address is bound to its channel: moving it in the database sends no messages elsewhere."""
    other = at.link("plain")
    rows: dict[str, Webhook] = {row.id: row for row in at.harness.load_rows(Webhook)}
    one = next(row for number, row in rows.items() if number != other)
    with at.harness.mailer.db.transaction() as session:
        session.get_one(Webhook, other).url_ciphertext = one.url_ciphertext
    step(at)
    before = [t.path for t in at.fake.taken if t.path.startswith("/in")]
    at.announce(6, minutes=70)
    assert [t.path for t in at.fake.taken if t.path.startswith("/in")] == before
    assert {row.error for row in at.bulletins() if row.webhook_id == other and row.state == "failed"} == {
        "TamperedError"
    }


def test_letters_do_not_wait_for_a_slow_channel(at: Town) -> None:
    """The worker that sends letters tells channels beside its work, one round at a time."""
    step(at)
    go, inside, rounds = threading.Event(), threading.Event(), list[str]()

    def slow(name: str) -> None:
        if name == "webhooks.claimed":
            rounds.append(name)
            inside.set()
            go.wait(60)

    at.restarted(fault_point=slow)
    at.harness.advance_time(seconds=20)
    webhook_sender.send_in_background(at.harness.mailer)
    assert inside.wait(60)
    webhook_sender.send_in_background(at.harness.mailer)
    assert rounds == ["webhooks.claimed"]
    go.set()
    while any(thread.name == "send_webhooks" for thread in threading.enumerate()):
        time.sleep(0.01)
    assert len(at.fake.messages) == 2
