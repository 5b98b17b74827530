"""Tables with the public beacon: answers are fixed and told first, and drawn once their round is signed."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from engine.kernel.codec import dump
from engine.kernel.orders import unconditional
from pbem.archive import rounds as archived
from pbem.archive.entries import BeaconDraw, EntryRecord, draw_entropy_of
from pbem.archive.verify import PROVEN, verify
from pbem.crypto import TamperedError, beacon
from pbem.crypto.beacon import QUICKNET, Chain
from pbem.crypto.receipts import RoundReceipt, parse_rounds
from pbem.service.archive import files
from pbem.service.archive.files import ArchiveError
from pbem.service.archive.transfer import export
from pbem.service.base import services
from pbem.service.deadlines import interruptions
from pbem.service.game.journal import load_entry, load_game_keys
from pbem.service.resolver import beacon_draws
from pbem.service.tasks.health import list_problems
from pbem.store.database import in_transaction
from pbem.store.models import Game, OutboundEmail, PendingDraw, QuestionRow, SeatRow
from tests.beacon_network import OURS, install_network, signed
from tests.budget import budget
from tests.service.master_commands import MASTER, appoint_outsider, send_confirmed
from tests.service.server_fixtures import GAME_TYPES, ServerHarness, build, restore_or_make, start_game
from tests.service.test_exactly_once import Death, Killed, steady
from tests.service.test_signed_rows import written
from tests.service.timed_games import advance_and_run
from tests.test_crypto_beacon import ROUNDS
from tests.toy.orders import Bid

SEATS = ("s1", "s2", "s3")


def at(seconds: int) -> datetime:
    """A moment by its seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC)


def table(
    folder: Path, hours: int | None = 24, moment: int = QUICKNET.round_time(1000) - 600
) -> tuple[ServerHarness, str]:
    """A game of three whose draws wait for the beacon, as old as the network's thousandth round."""
    harness = build(folder)

    def make() -> str:
        harness.current_time = at(moment - 1_000)
        harness.configure(beacon=True)
        with pytest.MonkeyPatch.context() as patch:
            if beacon.QUICKNET == QUICKNET:
                install_network(patch)
            game = start_game(harness, "toy", 3, hours, draws="beacon")
            draw(harness, game)
        return game

    game = restore_or_make(harness, ("beacon", beacon.QUICKNET == QUICKNET, hours, moment), make)
    harness.configure(beacon=True)
    harness.current_time = at(moment)
    return harness, game


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Chain:
    """A network of our own, which signs any round."""
    return install_network(monkeypatch)


@pytest.fixture
def bidden(state_dir: Path, network: Chain) -> tuple[ServerHarness, str]:
    """A game whose bids are fixed and wait for a round of our network."""
    harness, game = table(state_dir)
    bid(harness)
    return harness, game


@pytest.fixture
def mastered(bidden: tuple[ServerHarness, str]) -> tuple[ServerHarness, str]:
    """The same with a master who holds no seat."""
    harness, game = bidden
    appoint_outsider(harness, game)
    harness.run_queued_tasks()
    return harness, game


def dealing(folder: Path, players: int) -> tuple[ServerHarness, str]:
    """A game with the beacon, all of whose seats have been taken."""
    harness = build(folder)
    harness.current_time = at(QUICKNET.round_time(1000))
    harness.configure(beacon=True)
    return harness, start_game(harness, "toy", players, 24, draws="beacon")


def bid(harness: ServerHarness) -> None:
    """All three bid."""
    for number, seat in enumerate(SEATS, 1):
        harness.reply(seat, f"BID {number}")


def waits(harness: ServerHarness) -> PendingDraw:
    """The gate that waits."""
    (row,) = harness.load_rows(PendingDraw)
    return row


def bring(harness: ServerHarness, game: str, signature: bytes) -> None:
    """The network's answer comes to lie in the database, and play looks."""
    with harness.mailer.db.transaction() as session:
        session.get_one(PendingDraw, game).signature = signature
    harness.run_task("resolve_game", game)
    harness.run_queued_tasks()


def draw(harness: ServerHarness, game: str) -> None:
    """Let the round of our own network come when it is due."""
    row = waits(harness)
    harness.current_time = max(harness.current_time, at(OURS.round_time(row.round)))
    bring(harness, game, signed(row.round))


def last(harness: ServerHarness, game: str) -> EntryRecord:
    """The last entry."""
    with harness.resolver.db.snapshot() as session:
        row = session.get_one(Game, game)
        return load_entry(session, load_game_keys(harness.resolver, row), row, row.entry)


def announced(harness: ServerHarness) -> list[RoundReceipt]:
    """The rounds that letters told of, one for each letter."""
    found = (facts.terms["proof"] for facts in harness.sent_facts("notice") if facts.kind in ("deal_round", "round"))
    return [receipt for proof in found for receipt in parse_rounds(proof)]


@pytest.mark.both_databases
def test_answers_are_fixed_and_told_before_their_round_is_signed(state_dir: Path) -> None:
    """When all answers are in, nothing is drawn: each seat is told the round, signed two minutes later at least."""
    harness, game = table(state_dir)
    before = harness.load_game(game).entry
    bid(harness)
    assert harness.load_game(game).entry == before
    told = announced(harness)[3:]
    assert len(told) == 3
    assert len({str(one) for one in told}) == 1
    (one, *_) = told
    assert (one.game, one.entry, one.round) == (game, before + 1, waits(harness).round)
    now = int(harness.current_time.timestamp())
    assert one.at == now
    assert now + 120 < QUICKNET.round_time(one.round) <= now + 126
    one.verify(harness.web.verify)


def test_the_deal_waits_for_its_round_too(state_dir: Path, network: Chain) -> None:
    """When the last seat is taken nothing is dealt: each seat is told the round of the deal, and then it is drawn."""
    harness, game = dealing(state_dir, 3)
    assert (harness.load_game(game).state, harness.load_game(game).entry) == ("dealing", 0)
    told = announced(harness)
    assert [(one.gate, one.entry) for one in told] == [("start", 1)] * 3
    harness.requeue_stuck_work()
    assert waits(harness).round == told[0].round
    harness.current_time = at(OURS.round_time(waits(harness).round)) + timedelta(hours=2)
    (late,) = (sentence for sentence in list_problems(harness.resolver) if "waited for round" in sentence)
    assert (game in late, "DRAW NOW" in late) == (True, False), "a deal can only wait"
    draw(harness, game)
    assert (harness.load_game(game).state, harness.load_game(game).entry) == ("running", 1)
    assert drawn(last(harness, game)).round == told[0].round


def test_no_word_of_the_deal_changes_once_it_is_fixed(state_dir: Path, network: Chain) -> None:
    """A seat whose words are others when the round comes stops the deal: nobody is dealt anything with them."""
    harness, game = dealing(state_dir, 2)
    with harness.web.db.transaction() as session:
        session.scalars(select(SeatRow).limit(1)).one().seed_words = "other words"
    with pytest.raises(TamperedError):
        draw(harness, game)
    assert harness.load_game(game).entry == 0


def test_the_published_round_draws_the_gate_and_nothing_else(state_dir: Path) -> None:
    """Another round's signature or number, and what is no signature, draw nothing, though they lie in the database.

    What does not fit is put right and asked for again; the network's signature draws, and its round is in the luck.
    """
    harness, game = table(state_dir, moment=QUICKNET.round_time(1000) - 121)
    bid(harness)
    before = harness.load_game(game).entry
    for number, signature in ((1000, ROUNDS[1001]), (1000, "00" * 48), (1000, ""), (1000, "78"), (1001, ROUNDS[1001])):
        with harness.mailer.db.transaction() as session:
            session.get_one(PendingDraw, game).round = number
        bring(harness, game, bytes.fromhex(signature))
        assert harness.load_game(game).entry == before
        assert (waits(harness).round, waits(harness).signature) == (1000, None)
    harness.current_time = at(QUICKNET.round_time(1000))
    harness.mailer = replace(harness.mailer, fetch_round=lambda number: bytes.fromhex(ROUNDS[number]))
    beacon_draws.fetch_due_rounds(harness.mailer)
    harness.run_queued_tasks()
    record = last(harness, game)
    assert (drawn(record).round, drawn(record).signature.hex()) == (1000, ROUNDS[1000])
    assert record.luck == draw_entropy_of(game, record.number, record.counted, record.drawn)
    assert record.luck != draw_entropy_of(game, record.number, record.counted)
    assert [fault for fault in archived.list_faults((last(harness, game),), b"") if "again" not in fault] == []
    assert harness.load_rows(PendingDraw) == []
    assert any(facts.rounds and facts.rounds[0].round == 1000 for facts in harness.sent_facts("report"))


def test_what_comes_after_the_answers_are_fixed_changes_nothing(bidden: tuple[ServerHarness, str]) -> None:
    """A new bid and a withdrawal that come while the gate waits are not taken for it; what comes next can be sent."""
    harness, game = bidden
    for line in ("BID 5", "WITHDRAW", "WITHDRAW BID"):
        harness.reply("s1", line)
    receipt = harness.reply("s1", "FOR MARCH", "ATTACK Mill WITH 1")
    assert [one.taken for one in receipt.sets] == [True]
    assert not any(one.taken for one in harness.reply("s1", "BID 5", "FOR BIDS", "BID 6").sets)
    draw(harness, game)
    counted = {one.seat: one for one in last(harness, game).counted}
    assert [counted[seat].orders for seat in SEATS] == [unconditional(Bid(number)) for number in (1, 2, 3)]
    marching = {row.seat: row.state for row in harness.load_rows(QuestionRow) if row.topic == "march"}
    assert marching["s1"] == "submitted"


def test_no_deadline_and_no_clock_runs_while_a_gate_waits(state_dir: Path, network: Chain) -> None:
    """Two days without the network: nobody misses anything, is reminded or excused, and the gate still waits."""
    harness, game = table(state_dir)
    harness.run_scheduled_jobs()
    bid(harness)
    letters = len(harness.sent)
    for _ in range(2):
        advance_and_run(harness, hours=24)
    assert {address.kind for address, _ in harness.sent[letters:]} <= {"master"}
    draw(harness, game)
    assert {one.how for one in last(harness, game).counted} == {"orders"}


def test_a_missed_deadline_is_counted_when_the_answers_are_fixed(state_dir: Path, network: Chain) -> None:
    """Who missed the deadline gets the default, once, and a late answer no longer counts."""
    harness, game = table(state_dir)
    harness.run_scheduled_jobs()
    harness.reply("s1", "BID 1")
    harness.reply("s2", "BID 2")
    for _ in range(3):
        advance_and_run(harness, hours=25)
    assert {row.seat: row.answers_fixed for row in harness.load_rows(QuestionRow)} == dict.fromkeys(SEATS, True)
    harness.reply("s3", "BID 9")
    draw(harness, game)
    assert {one.seat: one.how for one in last(harness, game).counted} == {
        "s1": "orders",
        "s2": "orders",
        "s3": "default",
    }


def test_a_whole_game_with_the_beacon_is_proven(bidden: tuple[ServerHarness, str]) -> None:
    """Its file holds, claim by claim; each round that letters told of is the one that was drawn with."""
    harness, game = bidden
    harness.run_scheduled_jobs()
    for _ in range(60):
        if harness.load_game(game).state == "over":
            break
        if harness.load_rows(PendingDraw):
            draw(harness, game)
        else:
            advance_and_run(harness, hours=25)
    blob = files.export_game(harness.resolver, game)
    told = announced(harness)
    assert len({one.entry for one in told}) > 4
    verdict = verify(blob, "", GAME_TYPES, told, harness.web.verify)
    assert [f for f in verdict.claims if not f.holds] == []
    assert verdict.code == PROVEN
    assert "signed after its answers were fixed" in verdict.of("beacon").note
    lie = replace(told[0], round=told[0].round + 1)
    assert verify(blob, "", GAME_TYPES, [lie], harness.web.verify).code != PROVEN


def test_a_gate_that_was_fixed_and_is_gone_is_told_to_the_operator(state_dir: Path) -> None:
    """Who takes the fixed answers out of the database, to have them fixed with another round, is noticed."""
    harness, game = table(state_dir)
    bid(harness)
    with harness.mailer.db.transaction() as session:
        session.delete(session.get_one(PendingDraw, game))
    harness.run_task("resolve_game", game)
    assert "the gate that waits" in (harness.load_game(game).integrity_warning or "")


def drawn(record: EntryRecord) -> BeaconDraw:
    """Its round."""
    assert record.drawn is not None
    return record.drawn


def test_what_is_fixed_waits_through_a_pause_and_is_drawn_before_a_game_moves(
    bidden: tuple[ServerHarness, str],
) -> None:
    """A paused table draws nothing, and later with the round that was told; it is not handed over before that."""
    harness, game = bidden
    number, other = waits(harness).round, harness.resolver.resolver_keys.opening.public_key().hex()
    with harness.web.db.transaction() as session:
        host = session.get_one(Game, game).host_id
    interruptions.request_pause(harness.web, host, game, interruptions.PAUSE)
    before = harness.load_game(game).entry
    draw(harness, game)
    assert harness.load_game(game).entry == before
    with pytest.raises(ArchiveError, match="round of the beacon"):
        export(harness.resolver, game, other)
    harness.current_time += timedelta(minutes=5)
    interruptions.request_pause(harness.web, host, game, interruptions.RESUME)
    harness.run_task("resolve_game", game)
    assert drawn(last(harness, game)).round == number
    assert export(harness.resolver, game, other)


# --- fetched, put off, given up


def test_the_round_is_asked_for_when_it_is_due(
    bidden: tuple[ServerHarness, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before its time nothing is asked; then the round is fetched, play woken, and the gate drawn.

    Neither the network nor the reckoning of a signature keeps others waiting for a lock.
    """
    harness, game = bidden
    asked, locked, fits = list[int](), list[bool](), Chain.verify

    def watched(chain: Chain, number: int, signature: bytes) -> bool:
        locked.append(in_transaction())
        return fits(chain, number, signature)

    def ask(number: int) -> bytes:
        asked.append(number)
        locked.append(in_transaction())
        return signed(number)

    monkeypatch.setattr(Chain, "verify", watched)
    harness.mailer = replace(harness.mailer, fetch_round=ask)
    assert (beacon_draws.fetch_due_rounds(harness.mailer), asked) == (0, [])
    harness.current_time = at(OURS.round_time(waits(harness).round))
    number, before = waits(harness).round, harness.load_game(game).entry
    assert beacon_draws.fetch_due_rounds(harness.mailer) == 1
    harness.run_queued_tasks()
    assert (asked, harness.load_game(game).entry) == ([number], before + 1)
    assert beacon_draws.fetch_due_rounds(harness.mailer) == 0
    assert len(locked) >= 2
    assert not any(locked)


def test_a_table_that_is_not_believed_holds_up_no_other(
    state_dir: Path, network: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two tables whose rounds are due the one that was written to is passed over, and asked for less and less."""
    harness, broken = table(state_dir)
    sound = start_game(harness, "toy", 3, 24, draws="beacon")
    draw(harness, sound)
    for game in (broken, sound):
        for seat in SEATS:
            reports = (a for a, _ in reversed(harness.sent) if a.seat == seat and a.key.startswith(game) and a.token)
            harness.receive_reply(str(next(reports).token), ["BID 1"])
        harness.run_queued_tasks()
        harness.current_time += timedelta(minutes=1)
    rounds = {row.game_id: row.round for row in harness.load_rows(PendingDraw)}
    assert len(rounds) == 2
    harness.current_time = at(max(map(OURS.round_time, rounds.values())))
    before, asked = harness.load_game(sound).entry, Counter[int]()

    def ask(number: int) -> bytes | None:
        asked[number] += 1
        return signed(number) if number == rounds[sound] else None

    harness.mailer = replace(harness.mailer, fetch_round=ask)
    monkeypatch.setattr(beacon_draws, "MAX_PER_RUN", 1)
    with written(harness, "UPDATE games SET host_id = 2 WHERE id = ?", broken):
        for _ in range(12):
            beacon_draws.fetch_due_rounds(harness.mailer)
            harness.current_time += timedelta(seconds=5)
        harness.run_queued_tasks()
        assert harness.load_game(sound).entry == before + 1
        assert asked[rounds[broken]] <= 5


def test_a_network_that_is_away_is_asked_less_and_less(bidden: tuple[ServerHarness, str]) -> None:
    """It is asked again after seconds at first, after five minutes at most; the doctor and the masters are told."""
    harness, game = bidden
    asked: list[int] = []
    harness.mailer = replace(harness.mailer, fetch_round=asked.append)
    harness.current_time = at(OURS.round_time(waits(harness).round))
    for _ in range(6 * 60):
        beacon_draws.fetch_due_rounds(harness.mailer)
        harness.current_time += timedelta(seconds=30)
    harness.run_queued_tasks()
    assert 36 <= len(asked) <= 48
    assert any(
        "PBEM_BEACONS" in said and game in said and "DRAW NOW" in said for said in list_problems(harness.resolver)
    )
    (called,) = harness.sent_facts("master")
    assert called.lead[0].code == "round_missing"
    harness.mailer = replace(harness.mailer, fetch_round=signed)
    harness.current_time += timedelta(minutes=5)
    beacon_draws.fetch_due_rounds(harness.mailer)
    harness.run_queued_tasks()
    assert last(harness, game).drawn is not None
    assert not any("PBEM_BEACONS" in sentence for sentence in list_problems(harness.resolver))


def test_a_master_gives_a_round_up_in_the_open(mastered: tuple[ServerHarness, str]) -> None:
    """Not before an hour has passed, whatever the row says; then all are told, and the file shows it."""
    harness, game = mastered
    number, entry = waits(harness).round, harness.load_game(game).entry
    harness.current_time = at(OURS.round_time(number) + 3_000)
    assert send_confirmed(harness, game, "DRAW NOW", who=MASTER).acts[0].outcome == "refused"
    with written(harness, "UPDATE pending_draws SET round = round - 100000"):
        send_confirmed(harness, game, "DRAW NOW", who=MASTER)
        assert harness.load_game(game).entry == entry
        assert [act.problem.code for act in harness.sent_facts("master")[-1].acts] == ["moved_on"]
        assert not harness.load_game(game).failure
    harness.current_time = at(OURS.round_time(number) + 3_700)
    before = len(harness.sent)
    send_confirmed(harness, game, "DRAW NOW", who=MASTER)
    record = last(harness, game)
    assert drawn(record).signature == b""
    assert record.luck == draw_entropy_of(game, record.number, record.counted)
    told = [facts for address, facts in harness.sent[before:] if address.kind == "announcement"]
    assert [one.said[0].code for one in told] == ["draws_now"] * 3
    assert [f for f in archived.list_faults((record,), b"") if f] == []


def test_a_round_that_a_jumping_clock_has_named_can_be_given_up(state_dir: Path, network: Chain) -> None:
    """Answers that were fixed while the clock ran two days ahead do not wait for two days: the masters are told."""
    harness, game = table(state_dir)
    appoint_outsider(harness, game)
    harness.run_queued_tasks()
    harness.current_time += timedelta(days=2)
    bid(harness)
    harness.current_time -= timedelta(days=2)
    harness.mailer = replace(harness.mailer, fetch_round=lambda number: None)
    beacon_draws.fetch_due_rounds(harness.mailer)
    harness.run_queued_tasks()
    assert any("PBEM_BEACONS" in sentence for sentence in list_problems(harness.resolver))
    assert harness.sent_facts("master")[-1].lead[0].code == "round_missing"
    send_confirmed(harness, game, "DRAW NOW", who=MASTER)
    assert drawn(last(harness, game)).signature == b""


def test_a_ruling_waits_until_the_gate_is_drawn(mastered: tuple[ServerHarness, str]) -> None:
    """A ruling that is asked for while answers are fixed changes none of them: it comes after the draws."""
    harness, game = mastered
    number, entry = waits(harness).round, harness.load_game(game).entry
    send_confirmed(harness, game, "CORRECT it was miscounted", "MONEY s1 5", "END", who=MASTER)
    assert (harness.load_game(game).entry, waits(harness).round) == (entry, number)
    draw(harness, game)
    harness.requeue_stuck_work()
    assert drawn(last(harness, game)).round == number


# --- killed anywhere


@dataclass
class Ended:
    """What a gate came to: the position, the letters that announced its round, and the entries."""

    position: str
    announced: list[str]
    entry: int


def through(folder: Path, patch: pytest.MonkeyPatch, death: Death) -> Ended:
    """A gate from its last bid to its report, with workers that are started again after each death."""
    chain = install_network(patch, period=3600)
    harness = build(folder)
    harness.configure(random_bytes=steady, beacon=True)
    harness.current_time = at(chain.round_time(900) + 60)
    game = start_game(harness, "toy", 3, None, draws="beacon")
    harness.current_time = at(chain.round_time(901))
    bring(harness, game, signed(waits(harness).round))
    harness.configure(fault_point=death)
    harness.mailer = replace(harness.mailer, fetch_round=signed)
    for seat in SEATS:
        alive(harness, partial(harness.receive_reply, harness.reply_token(seat), [f"BID {seat[1]}"], f"<{seat}@p>"))
        alive(harness, harness.run_queued_tasks)
        alive(harness, harness.requeue_stuck_work)
    harness.current_time = at(chain.round_time(903))
    for _ in range(2):
        alive(harness, partial(beacon_draws.fetch_due_rounds, harness.mailer))
    for _ in range(3):
        alive(harness, harness.run_queued_tasks)
        harness.advance_time(seconds=200)
        alive(harness, harness.requeue_stuck_work)
    keys = sorted(row.key for row in harness.load_rows(OutboundEmail) if row.key.endswith((".round", ".deal_round")))
    assert {row.state for row in harness.load_rows(OutboundEmail)} == {"sent"}
    return Ended(dump(harness.load_state(game)), keys, harness.load_game(game).entry)


def alive(harness: ServerHarness, work: Callable[[], object]) -> None:
    """Work that is begun again if its process dies; what was in the broker is lost."""
    while True:
        try:
            work()
            return
        except Killed:
            harness.queued_tasks.clear()


@pytest.fixture(scope="module")
def peace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ended, Counter[str]]]:
    """The same with nobody killed, and how often each point is passed."""
    watch = Death({})
    with pytest.MonkeyPatch.context() as patch:
        yield through(tmp_path_factory.mktemp("peace"), patch, watch), watch.seen


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "name",
    [*services.BEACON_POINTS, *(pytest.param(name, marks=pytest.mark.long) for name in services.RESOLVER_POINTS)],
)
def test_a_death_between_fixing_and_drawing_changes_nothing(
    name: str, state_dir: Path, monkeypatch: pytest.MonkeyPatch, peace: tuple[Ended, Counter[str]]
) -> None:
    """Killed at a point and started again, the gate has one round, one letter for each seat, and the same draws."""
    quiet, seen = peace
    assert len(quiet.announced) == 6
    assert quiet.entry == 2
    for passage in sorted({0, seen[name] - 1})[: budget(1, 2)]:
        death = Death({name: passage})
        assert through(state_dir / str(passage), monkeypatch, death) == quiet
        assert death.met
