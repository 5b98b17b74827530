"""The life of a game from invitation to end, through the services."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pbem.crypto import new_token
from pbem.service.access import api_tokens
from pbem.service.messages import conversations, messages
from pbem.service.tasks import jobs
from pbem.store.models import ApiToken, Capability, OutboundEmail, QuestionRow, SealedOrdersRow
from tests.service.server_fixtures import Hall, build, seated


def whole_life(hall: Hall) -> str:
    """A game from the invitation to its end, with riders, sets ahead, a withdrawal, a default and a resignation."""
    game = seated(hall, "toy", 3, 24)
    hall.say("s1", "BID 3", "FOR MARCH", "ATTACK Mill WITH 2", "ON PARRY: PARRY Oak Shield")
    hall.say("s2", "BID 1", "LUCK my cat")
    hall.say("s2", "WITHDRAW")
    hall.pass_time(hours=25)
    hall.tick()
    hall.settle()
    hall.say("s2", "ON PARRY: PARRY Oak Shield", "SCOUT S1")
    for _ in range(12):
        hall.pass_time(hours=25)
        hall.tick()
        hall.settle()
    return game


@pytest.mark.both_databases
def test_a_whole_life_ends_with_a_letter_to_all(state_dir: Path) -> None:
    """Played to its end, the game tells everybody so, and nothing of it waits any more."""
    hall = build(state_dir)
    game = whole_life(hall)
    assert hall.game(game).state == "over"
    assert hall.game(game).failure is None
    assert [a.seat for a, _ in hall.sent if a.kind == "over"] == ["s1", "s2", "s3"]
    last = hall.of("over")[0]
    assert last.root_digest
    assert last.frame.links.archive.endswith(f"/records/{game}")
    assert last.frame.links.leave == last.frame.links.mute == "", "there is nothing to leave any more"
    assert hall.rows(SealedOrdersRow) == []
    assert hall.rows(QuestionRow) == []
    assert {row.state for row in hall.rows(OutboundEmail)} == {"sent"}
    jobs.delete_expired_rows(hall.post)


@pytest.mark.both_databases
def test_what_is_long_over_is_tidied_away_with_what_hangs_on_it(state_dir: Path) -> None:
    """A program whose token ended long ago goes with it, and holds up the tidying of nothing else."""
    hall = build(state_dir)
    game = seated(hall, "toy", 3, 24, talk="free")
    conversations.with_addresses(hall.web, 1, game, conversations.load_conversation(hall.web, 1, game).audiences)
    messages.send(hall.web, 1, game, ["s2"], "a word", new_token())
    for days in (1, 300):
        api_tokens.create_token(hall.web, 1, name=f"for {days}", scope="play", days=days)
    hall.say("s1", "BID 1")
    hall.pass_time(days=40)
    jobs.delete_expired_rows(hall.post)
    assert [row.name for row in hall.rows(ApiToken)] == ["for 300"]
    assert hall.letters_in() == []
    assert {row.purpose for row in hall.rows(Capability)} >= {"program", "talk", "reply"}


@pytest.mark.both_databases
def test_workers_that_take_the_same_letters_at_once_do_each_once(state_dir: Path) -> None:
    """Eight workers take all letters of all seats, each of which came twice, at the same moment."""
    hall = build(state_dir)
    game = seated(hall, "toy", 4)
    sent = list[bytes]()
    hall.everywhere(send_email=lambda message: sent.append(message.wire))
    for n in range(4):
        hall.write_in(hall.token(f"s{n + 1}"), ["BID 1"], f"<{n}@p>")
        hall.write_in(hall.token(f"s{n + 1}"), ["BID 1"], f"<{n}@p>")
    tasks = hall.woken * 2
    hall.woken.clear()
    with ThreadPoolExecutor(8) as workers:
        for done in [workers.submit(hall.work, *task) for task in tasks]:
            done.result()
    hall.settle()
    hall.sweep()
    assert len([row for row in hall.rows(OutboundEmail) if row.kind == "receipt"]) == 4
    assert len([key for key in sent if key.startswith(b"receipt.")]) == 4
    assert len(sent) == len(set(sent))
    assert hall.game(game).entry == 2
