"""The life of a game from invitation to end, through the services."""

from pathlib import Path

from tests.service.hall import Hall, build, seated


def turn(hall: Hall, players: int, lines: list[str]) -> None:
    """Everybody answers his last letter with the same lines."""
    for number in range(1, players + 1):
        token = hall.last(f"s{number}").token
        assert token
        hall.write_in(token, lines, f"<{token}@p>")
    hall.settle()


def test_a_game_is_dealt_when_the_last_seat_is_taken(state_dir: Path) -> None:
    """A game starts by itself once every invitation was accepted, and welcomes each seat."""
    hall = build(state_dir)
    game = seated(hall, "toy", 3)
    assert hall.game(game).state == "running"
    assert len(hall.of("started")) == 3
    assert len(hall.of("invitation")) == 2


def test_a_sealed_gate_resolves_when_all_have_answered(state_dir: Path) -> None:
    """Bids wait until everybody has bid, then each seat is told what came of them."""
    hall = build(state_dir)
    game = seated(hall, "toy", 2)
    before = hall.game(game).entry
    hall.write_in(str(hall.last("s1").token), ["BID 3"], "<1@p>")
    hall.settle()
    assert hall.game(game).entry == before
    receipt = hall.of("receipt")[-1]
    assert receipt.sets[0].taken
    assert receipt.sets[0].commitment
    hall.write_in(str(hall.last("s2").token), ["BID 1"], "<2@p>")
    hall.settle()
    assert hall.game(game).entry > before
    assert len(hall.of("report")) == 2
