"""In turn order the next player is told, what was sent ahead waits sealed, and all are told when a phase ends."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine import GAMES
from engine.kernel.orders import Order
from engine.kernel.rules import Option, Rules
from engine.kernel.table import Table
from engine.kernel.viewers import Seat
from pbem.store.models import SealedOrdersRow
from tests.bilingual import words
from tests.service.master_commands import eliminate_seat
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.toy.board import Board
from tests.toy.events import Attacked
from tests.toy.meta import FAILURES, FAIR, INCOME, LENGTH, META
from tests.toy.rules import Toy

PACE = Option("pace", words("rythme", "pace"), {"order": words("à tour de rôle", "in order")})


class InTurn(Toy):
    """The smallest game, one seat at a time, by the name that the server knows for that."""

    meta = META.__class__(**{**vars(META), "name": "in_turn", "options": (PACE, FAILURES, LENGTH, INCOME, FAIR)})


TITLES: Mapping[str, Rules[Any]] = {"in_turn": InTurn()}


def letters_of(harness: ServerHarness, kind: str) -> list[str | None]:
    """To which seats letters of a kind went, in order."""
    return [address.seat for address, _ in harness.sent if address.kind == kind]


def in_turn(folder: Path, players: int = 3) -> tuple[ServerHarness, str]:
    """A game in which all bids are in."""
    harness = build(folder, installed=TITLES)
    game = start_game(harness, "in_turn", players)
    for n in range(players):
        harness.reply(f"s{n + 1}", "BID 0")
    return harness, game


def test_only_who_owes_is_written_to_within_a_phase(state_dir: Path) -> None:
    """While a phase lasts only the seat whose turn it is gets a letter; at its end all do, with all that happened."""
    harness, _ = in_turn(state_dir)
    assert sorted(str(s) for s in letters_of(harness, "report")) == ["s1", "s2", "s3"]
    harness.reply("s1", "PASS")
    assert letters_of(harness, "report")[3:] == ["s2"]
    harness.reply("s2", "PASS")
    assert letters_of(harness, "report")[4:] == ["s3"]
    harness.reply("s3", "PASS")
    assert sorted(str(s) for s in letters_of(harness, "report")[5:]) == ["s1", "s2", "s3"]


def test_what_is_sent_ahead_waits_for_its_turn(state_dir: Path) -> None:
    """A march sent with the bid by the second seat is carried out when its turn comes, and not before."""
    harness = build(state_dir, installed=TITLES)
    game = start_game(harness, "in_turn", 3)
    harness.reply("s2", "BID 0", "FOR MARCH", "SCOUT S1")
    for seat in ("s1", "s3"):
        harness.reply(seat, "BID 0")
    assert [(row.kind, row.gate) for row in harness.load_rows(SealedOrdersRow)] == [("advance", "march/1/s2")]
    harness.reply("s1", "PASS")
    assert [d.seat for d in harness.load_state(game).core.questions if d.blocking] == ["s3"]
    assert harness.load_state(game).board.coins["s2"] == 7
    assert not harness.load_rows(SealedOrdersRow)


def test_a_player_not_written_to_can_still_answer_their_last_letter(state_dir: Path) -> None:
    """A letter from the beginning of the phase takes the answer to a question put later only after it was put."""
    harness, game = in_turn(state_dir)
    token = harness.reply_token("s3")
    harness.receive_reply(token, ["ATTACK Mill"])
    harness.run_queued_tasks()
    assert not any(s.taken for s in harness.sent_facts("receipt")[-1].sets)
    for seat in ("s1", "s2"):
        harness.reply(seat, "PASS")
    harness.receive_reply(token, ["ATTACK Mill"])
    harness.run_queued_tasks()
    assert [d.seat for d in harness.load_state(game).core.questions if d.blocking] == ["s3"]
    assert [s.taken for s in harness.reply("s3", "PASS").sets] == [True]


def test_everybody_hears_of_the_beginning_although_one_is_asked(state_dir: Path) -> None:
    """Renaissance, A35  In the pace `order` one seat founds its cities first; the others' first letter comes too."""
    harness = build(state_dir, installed=GAMES)
    start_game(harness, "renaissance", 6, pace="order")
    assert letters_of(harness, "started") == [f"s{n}" for n in range(1, 7)]


class Fined(InTurn):
    """A game in which a player who would leave pays a coin instead: a bid of all their coins then no longer stands."""

    def leave(self, table: Table[Board], seat: Seat, order: Order | None) -> None:
        """Acts at once, beside the bids."""
        table.emit(Attacked(seat=seat, town="mill", armies=1))


def test_a_waiting_answer_that_fits_no_more_is_asked_again(state_dir: Path) -> None:
    """When the board changes under an answer that waits, its author is told and asked anew, never taken for silent."""
    harness = build(state_dir, installed={"in_turn": Fined()})
    game = start_game(harness, "in_turn", 2)
    harness.reply("s1", "BID 8")
    eliminate_seat(harness, game, "s1")
    assert harness.load_state(game).board.coins["s1"] == 7
    refused = [e for f in harness.sent_facts("report") for e in f.events if type(e).__name__ == "AdvanceOrdersRefused"]
    assert [(e.seat, e.topic) for e in refused] == [("s1", "bid")]
    harness.reply("s2", "BID 1")
    assert any(d.topic == "bid" and d.seat == "s1" for d in harness.load_state(game).core.questions)
    assert [s.taken for s in harness.reply("s1", "BID 7").sets] == [True]
    assert not any(d.topic == "bid" for d in harness.load_state(game).core.questions)
