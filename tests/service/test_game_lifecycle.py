"""The life of a game from invitation to end, through the services."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pbem.crypto import new_token
from pbem.service.access import api_tokens
from pbem.service.messages import conversations, messages
from pbem.service.tasks import jobs
from pbem.store.models import ApiToken, Capability, OutboundEmail, QuestionRow, SealedOrdersRow
from tests.service.server_fixtures import ServerHarness, build, start_game


def whole_life(harness: ServerHarness) -> str:
    """A game from the invitation to its end, with reactions, sets ahead, a withdrawal, a default and a resignation."""
    game = start_game(harness, "toy", 3, 24)
    harness.reply("s1", "BID 3", "FOR MARCH", "ATTACK Mill WITH 2", "ON PARRY: PARRY Oak Shield")
    harness.reply("s2", "BID 1", "LUCK my cat")
    harness.reply("s2", "WITHDRAW")
    harness.advance_time(hours=25)
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()
    harness.reply("s2", "ON PARRY: PARRY Oak Shield", "SCOUT S1")
    for _ in range(12):
        harness.advance_time(hours=25)
        harness.run_scheduled_jobs()
        harness.run_queued_tasks()
    return game


@pytest.mark.both_databases
def test_a_whole_life_ends_with_a_letter_to_all(state_dir: Path) -> None:
    """Played to its end, the game tells everybody so, and nothing of it waits any more."""
    harness = build(state_dir)
    game = whole_life(harness)
    assert harness.load_game(game).state == "over"
    assert harness.load_game(game).failure is None
    assert [a.seat for a, _ in harness.sent if a.kind == "game_over"] == ["s1", "s2", "s3"]
    last = harness.sent_facts("game_over")[0]
    assert last.root_digest
    assert last.frame.links.archive.endswith(f"/records/{game}")
    assert last.frame.links.leave == last.frame.links.mute == "", "there is nothing to leave any more"
    assert harness.load_rows(SealedOrdersRow) == []
    assert harness.load_rows(QuestionRow) == []
    assert {row.state for row in harness.load_rows(OutboundEmail)} == {"sent"}
    jobs.delete_expired_rows(harness.mailer)


@pytest.mark.both_databases
def test_what_is_long_over_is_tidied_away_with_what_hangs_on_it(state_dir: Path) -> None:
    """A program whose token ended long ago goes with it, and holds up the tidying of nothing else."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24, talk="free")
    conversations.with_addresses(harness.web, 1, game, conversations.load_conversation(harness.web, 1, game).audiences)
    messages.send(harness.web, 1, game, ["s2"], "a word", new_token())
    for days in (1, 300):
        api_tokens.create_token(harness.web, 1, name=f"for {days}", scope="play", days=days)
    harness.reply("s1", "BID 1")
    harness.advance_time(days=40)
    jobs.delete_expired_rows(harness.mailer)
    assert [row.name for row in harness.load_rows(ApiToken)] == ["for 300"]
    assert harness.load_inbound_emails() == []
    assert {row.purpose for row in harness.load_rows(Capability)} >= {"program", "talk", "reply"}


@pytest.mark.both_databases
def test_workers_that_take_the_same_letters_at_once_do_each_once(state_dir: Path) -> None:
    """Eight workers take all letters of all seats, each of which came twice, at the same moment."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 4)
    sent = list[bytes]()
    harness.configure(send_email=lambda message: sent.append(message.wire))
    for n in range(4):
        harness.receive_reply(harness.reply_token(f"s{n + 1}"), ["BID 1"], f"<{n}@p>")
        harness.receive_reply(harness.reply_token(f"s{n + 1}"), ["BID 1"], f"<{n}@p>")
    tasks = harness.queued_tasks * 2
    harness.queued_tasks.clear()
    with ThreadPoolExecutor(8) as workers:
        for done in [workers.submit(harness.run_task, *task) for task in tasks]:
            done.result()
    harness.run_queued_tasks()
    harness.requeue_stuck_work()
    assert len([row for row in harness.load_rows(OutboundEmail) if row.kind == "receipt"]) == 4
    assert len([key for key in sent if key.startswith(b"receipt.")]) == 4
    assert len(sent) == len(set(sent))
    assert harness.load_game(game).entry == 2
