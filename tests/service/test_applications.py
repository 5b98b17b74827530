"""At a table that wants to approve, a seat is asked for: of a game under way, and of a table that forms."""

from pathlib import Path

import pytest

from pbem.service.base.services import RequestRefused
from pbem.service.seats import lobby, open_tables, tables
from pbem.store.models import Application, SeatRow
from tests.service.master_commands import HOST, get_user_id, send_commands
from tests.service.server_fixtures import ServerHarness, build

GUEST, OTHER = "guest@games.test", "other@games.test"


def forming(folder: Path, players: int = 2) -> tuple[ServerHarness, str]:
    """A table that is open to everybody and wants to approve, with its host at the first seat."""
    harness = build(folder)
    game = tables.create(harness.web, get_user_id(harness, HOST), "toy", "Rose", players, {}, 48)
    harness.run_queued_tasks()
    open_tables.set_open(harness.web, game, True)
    send_commands(harness, game, "APPROVAL ON")
    return harness, game


def asks(harness: ServerHarness, game: str, who: str = GUEST, words: str = "a red hat") -> bool:
    """Ask for a seat, and return True if the player has it at once."""
    seated = open_tables.join_table(harness.web, get_user_id(harness, who), game, words)
    harness.run_queued_tasks()
    return seated


def application_recipients(harness: ServerHarness) -> list[str]:
    """The addresses of letters that ask for the host's consent."""
    return [a.to_address for a, f in harness.sent if a.kind == "master" and f.lead and f.lead[0].code == "place_wanted"]


def outcomes(harness: ServerHarness) -> list[str]:
    """What came of each asking."""
    return [row.outcome for row in harness.load_rows(Application)]


def test_nobody_sits_down_before_the_host_agrees(state_dir: Path) -> None:
    """A player who wants a seat is told to wait, the host has one letter, and the table stays as it was."""
    harness, game = forming(state_dir)
    assert not asks(harness, game)
    assert not asks(harness, game)
    assert harness.notification_kinds(GUEST) == ["seat_asked"]
    assert application_recipients(harness) == [HOST]
    assert sum(row.user_id is not None for row in harness.load_rows(SeatRow)) == 1
    (offer,) = open_tables.list_open(harness.web, get_user_id(harness, GUEST)).rows
    assert (offer.approves, offer.asked, offer.free) == (True, True, 1)
    assert "asked_in" in [said.code for said in send_commands(harness, game, "STATUS").acts[0].said]


def test_who_is_invited_by_name_needs_no_approval(state_dir: Path) -> None:
    """An invited player sits down at once; the player still waiting learns that the table is full."""
    harness, game = forming(state_dir)
    asks(harness, game)
    tables.invite(harness.web, game, get_user_id(harness, HOST), [OTHER])
    harness.run_queued_tasks()
    assert send_commands(harness, game, f"APPROVE {GUEST}").acts[0].said[0].code == "no_no_free_seat"
    tables.join(harness.web, harness.sent_facts("invitation")[0].frame.links.act.rpartition("/")[2])
    harness.run_queued_tasks()
    assert harness.load_game(game).state == "running"
    assert harness.notification_kinds(GUEST) == ["seat_asked", "table_full"]
    assert outcomes(harness) == ["full"]


def test_a_yes_by_letter_seats_the_player_with_their_words(state_dir: Path) -> None:
    """The letter that asks the host takes the answer; the player is welcomed, and the full table begins."""
    harness, game = forming(state_dir)
    asks(harness, game)
    token = next(str(a.token) for a, f in harness.sent if a.kind == "master" and f.lead[:1] and f.lead[0].terms)
    harness.receive_reply(token, [f"APPROVE {GUEST}"], sender=HOST)
    harness.run_queued_tasks()
    assert [a.to_address for a, _ in harness.sent if a.kind == "joined"] == [GUEST]
    assert [row.seed_words for row in harness.load_rows(SeatRow)] == ["", "a red hat"]
    assert harness.load_game(game).state == "running"


def test_a_no_is_told_once_and_holds(state_dir: Path) -> None:
    """A refused player is told so, and does not ask the same again; the seat stays free for others."""
    harness, game = forming(state_dir)
    asks(harness, game)
    send_commands(harness, game, f"REFUSE {GUEST}")
    assert harness.notification_kinds(GUEST) == ["seat_asked", "seat_refused"]
    with pytest.raises(RequestRefused, match="not_wanted"):
        asks(harness, game)
    assert send_commands(harness, game, f"APPROVE {GUEST}").acts[0].said[0].code == "no_no_application"
    assert not asks(harness, game, OTHER)


def test_a_request_for_a_seat_can_be_withdrawn_a_few_times(state_dir: Path) -> None:
    """A withdrawn request can no longer be approved; asking and withdrawing in turn has an hourly limit."""
    harness, game = forming(state_dir, 3)
    harness.configure(limits={"invitations": 3, "acts": 99})
    lobby.withdraw_application(harness.web, get_user_id(harness, OTHER), game)
    for _ in range(3):
        asks(harness, game)
        lobby.withdraw_application(harness.web, get_user_id(harness, GUEST), game)
    assert outcomes(harness) == ["withdrawn"] * 3
    assert send_commands(harness, game, f"APPROVE {GUEST}").acts[0].said[0].code == "no_no_application"
    with pytest.raises(RequestRefused):
        asks(harness, game)
    assert len(application_recipients(harness)) == 3
