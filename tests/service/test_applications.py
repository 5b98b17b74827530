"""At a table that wants to approve, a seat is asked for: of a game under way, and of a table that forms."""

from pathlib import Path

import pytest

from pbem.service.base.services import RequestRefused
from pbem.service.seats import lobby, open_tables, tables
from pbem.store.models import Application, SeatRow
from tests.service.master_commands import HOST, ask, user
from tests.service.server_fixtures import Hall, build

GUEST, OTHER = "guest@games.test", "other@games.test"


def forming(folder: Path, players: int = 2) -> tuple[Hall, str]:
    """A table that is open to everybody and wants to approve, with its host at the first seat."""
    hall = build(folder)
    game = tables.create(hall.web, user(hall, HOST), "toy", "Rose", players, {}, 48)
    hall.settle()
    open_tables.set_open(hall.web, game, True)
    ask(hall, game, "APPROVAL ON")
    return hall, game


def asks(hall: Hall, game: str, who: str = GUEST, words: str = "a red hat") -> bool:
    """Ask for a seat, and return True if the player has it at once."""
    seated = open_tables.join_table(hall.web, user(hall, who), game, words)
    hall.settle()
    return seated


def wanted(hall: Hall) -> list[str]:
    """The addresses of letters that ask for the host's consent."""
    return [a.to_address for a, f in hall.sent if a.kind == "master" and f.lead and f.lead[0].code == "place_wanted"]


def outcomes(hall: Hall) -> list[str]:
    """What came of each asking."""
    return [row.outcome for row in hall.rows(Application)]


def test_nobody_sits_down_before_the_host_agrees(state_dir: Path) -> None:
    """A player who wants a seat is told to wait, the host has one letter, and the table stays as it was."""
    hall, game = forming(state_dir)
    assert not asks(hall, game)
    assert not asks(hall, game)
    assert hall.notices(GUEST) == ["seat_asked"]
    assert wanted(hall) == [HOST]
    assert sum(row.user_id is not None for row in hall.rows(SeatRow)) == 1
    (offer,) = open_tables.list_open(hall.web, user(hall, GUEST)).rows
    assert (offer.approves, offer.asked, offer.free) == (True, True, 1)
    assert "asked_in" in [said.code for said in ask(hall, game, "STATUS").acts[0].said]


def test_who_is_invited_by_name_needs_no_approval(state_dir: Path) -> None:
    """An invited player sits down at once; the player still waiting learns that the table is full."""
    hall, game = forming(state_dir)
    asks(hall, game)
    tables.invite(hall.web, game, user(hall, HOST), [OTHER])
    hall.settle()
    assert ask(hall, game, f"APPROVE {GUEST}").acts[0].said[0].code == "no_no_free_seat"
    tables.join(hall.web, hall.of("invitation")[0].frame.links.act.rpartition("/")[2])
    hall.settle()
    assert hall.game(game).state == "running"
    assert hall.notices(GUEST) == ["seat_asked", "table_full"]
    assert outcomes(hall) == ["full"]


def test_a_yes_by_letter_seats_the_player_with_their_words(state_dir: Path) -> None:
    """The letter that asks the host takes the answer; the player is welcomed, and the full table begins."""
    hall, game = forming(state_dir)
    asks(hall, game)
    token = next(str(a.token) for a, f in hall.sent if a.kind == "master" and f.lead[:1] and f.lead[0].terms)
    hall.write_in(token, [f"APPROVE {GUEST}"], sender=HOST)
    hall.settle()
    assert [a.to_address for a, _ in hall.sent if a.kind == "joined"] == [GUEST]
    assert [row.seed_words for row in hall.rows(SeatRow)] == ["", "a red hat"]
    assert hall.game(game).state == "running"


def test_a_no_is_told_once_and_holds(state_dir: Path) -> None:
    """A refused player is told so, and does not ask the same again; the seat stays free for others."""
    hall, game = forming(state_dir)
    asks(hall, game)
    ask(hall, game, f"REFUSE {GUEST}")
    assert hall.notices(GUEST) == ["seat_asked", "seat_refused"]
    with pytest.raises(RequestRefused, match="not_wanted"):
        asks(hall, game)
    assert ask(hall, game, f"APPROVE {GUEST}").acts[0].said[0].code == "no_no_application"
    assert not asks(hall, game, OTHER)


def test_a_request_for_a_seat_can_be_withdrawn_a_few_times(state_dir: Path) -> None:
    """A withdrawn request can no longer be approved; asking and withdrawing in turn has an hourly limit."""
    hall, game = forming(state_dir, 3)
    hall.everywhere(limits={"invitations": 3, "acts": 99})
    lobby.withdraw_application(hall.web, user(hall, OTHER), game)
    for _ in range(3):
        asks(hall, game)
        lobby.withdraw_application(hall.web, user(hall, GUEST), game)
    assert outcomes(hall) == ["withdrawn"] * 3
    assert ask(hall, game, f"APPROVE {GUEST}").acts[0].said[0].code == "no_no_application"
    with pytest.raises(RequestRefused):
        asks(hall, game)
    assert len(wanted(hall)) == 3
