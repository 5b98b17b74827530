"""A file proves what it says against its maker: what a server can say that did not happen is refused, or named."""

import lzma
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import engine
from engine.kernel.rules import Rules
from pbem.archive.contents import Archive, parse
from pbem.archive.receipt_status import NO_RECEIPT
from pbem.archive.verify import BROKEN, PROVEN, AnyReceipt, VerificationReport, verify
from pbem.archive.verify import DIFFERS as CODE_DIFFERS
from pbem.crypto.receipts import DealReceipt, Receipt, RoundReceipt, hash_deal
from pbem.crypto.sealed_orders import OrdersContext
from pbem.service.archive import files
from pbem.store.models import PendingDraw
from tests import made_once
from tests.archive.bots import play_on
from tests.archive.files import file_of, finished, steady
from tests.archive.test_messages import chatty
from tests.beacon_network import install_network
from tests.budget import budget
from tests.laws import master_forgeries, table_forgeries
from tests.laws.forgeries import DIFFERS, FORGERIES, LISTED, RECEIPTS, REFUSED, UNACKNOWLEDGED, Forgery
from tests.laws.maker import Maker, NotHere
from tests.saves.make_archives import path_of
from tests.service.master_commands import MASTER, appoint_outsider, send_confirmed, start_mastered_game
from tests.service.server_fixtures import GAME_TYPES, build
from tests.service.test_beacon_draws import bid, draw, table
from tests.service.test_rewinds import until_drawn
from tests.service.timed_games import advance_and_run, start_timed_game

RULES = {**engine.GAMES, **GAME_TYPES}
FIRST = 16
"""So many entries of the long games are told of."""


@cache
def honest(name: str) -> Archive:
    """The file of an honest game, read."""
    if name in engine.GAMES:
        return _cut(parse(lzma.decompress(path_of(name).read_bytes())))

    def make() -> bytes:
        with TemporaryDirectory(prefix="pbem-li-") as folder:
            return MADE[name](Path(folder))

    return parse(made_once.load_or_make(f"honest {name}", make))


def _cut(book: Archive) -> Archive:
    """The first entries of a game, as of one that still runs."""
    whole = Maker(book, RULES[book.manifest.rules], random.Random(0))
    del whole.records[FIRST:], whole.positions[FIRST:]
    return whole.file()


def ruled(folder: Path) -> bytes:
    """A game with talk and diaries, corrections, a rewind, replays and a draw made again."""
    harness = steady(build(folder), "ruled")
    game = start_mastered_game(harness)
    play_on(harness, game, 6)
    send_confirmed(harness, game, "CORRECT a coin was forgotten", "GIVE 2 COINS TO player 1", "END", who=MASTER)
    send_confirmed(harness, game, "REWIND TO 4", who=MASTER)
    play_on(harness, game, 10)
    send_confirmed(harness, game, "ROLL FORWARD 9", "GIVE 1 COIN TO player 2", who=MASTER)
    send_confirmed(harness, game, f"REROLL {until_drawn(harness, game).number}", who=MASTER)
    play_on(harness, game)
    return files.export_game(harness.resolver, game)


def spoken(folder: Path) -> bytes:
    """A game with talk and diaries."""
    harness = build(folder)
    return files.export_game(harness.resolver, chatty(harness, over=True))


def absent(folder: Path) -> bytes:
    """A game in which bots and standing orders answered for absent players."""
    harness = steady(build(folder), "absent")
    game = start_timed_game(harness, 2, 24, on_missed="bot")
    harness.reply("s2", "BID 1", "ALWAYS")
    harness.reply("s1", "BID 0")
    play_on(harness, game, 3)
    harness.run_queued_tasks()
    while harness.load_game(game).state == "running":
        advance_and_run(harness, hours=30)
    return files.export_game(harness.resolver, game)


def with_beacon(folder: Path) -> bytes:
    """A game with the beacon, in which an entry was replayed."""
    with pytest.MonkeyPatch.context() as patch:
        install_network(patch)
        harness, game = table(folder)
        appoint_outsider(harness, game)
        bid(harness)
        harness.run_scheduled_jobs()
        for _ in range(60):
            if harness.load_game(game).state == "over":
                break
            if harness.load_rows(PendingDraw):
                draw(harness, game)
            else:
                advance_and_run(harness, hours=25)
            if harness.load_game(game).entry == 4 and not harness.load_rows(PendingDraw):
                send_confirmed(harness, game, "ROLL FORWARD 3", "GIVE 1 COIN TO player 2", who=MASTER)
        return files.export_game(harness.resolver, game)


MADE = {
    "toy": lambda _: finished()[0],
    "ruled": ruled,
    "spoken": spoken,
    "absent": absent,
    "beacon": with_beacon,
}
NAMES = (*MADE, *engine.GAMES)


@pytest.fixture(autouse=True)
def _network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds are those of our own network, which signs any."""
    install_network(monkeypatch)


def receipts(book: Archive) -> Sequence[AnyReceipt]:
    """What all seats of an honest game have in their letters; nobody needs the server's keys to have read them."""
    game, found = book.manifest.game, list[AnyReceipt]()
    assert book.seed is not None
    for seat, words, nonce in book.seed.joiners:
        found.append(DealReceipt(game, seat, hash_deal(game, seat, words, nonce), b""))
    for record in (whole.record() for whole in book.wholes):
        for one in record.counted:
            if one.commitment:
                found.append(Receipt(OrdersContext.from_bytes(one.context), "filed", one.commitment, "", b""))
        drawn = record.drawn
        if drawn is not None and record.replay_of is None:
            place = game, record.gate, record.number, drawn.chain[:8], drawn.round, drawn.at
            found.append(RoundReceipt(*place, drawn.digest, b""))
    return found


def read_file(book: Archive, given: Sequence[AnyReceipt] = ()) -> VerificationReport:
    """What its file proves."""
    return verify(file_of(book), "", RULES, given)


@cache
def _known(name: str) -> frozenset[str]:
    """What the output says of an honest game."""
    return frozenset(listed(honest(name), read_file(honest(name))))


def listed(book: Archive, verdict: VerificationReport) -> set[str]:
    """What the output says that it cannot prove."""
    names = {f"{seat}: {name}" for seat, name in book.manifest.seats}
    claims = [claim for claim in verdict.claims if claim.claim not in ("container", "chain")]
    return {line for claim in claims for line in (claim.note, *claim.listed)} | names


def forge(name: str, forgery: Forgery, seed: int) -> Archive:
    """A forgery of an honest game; raises NotHere."""
    book = honest(name)
    rules: Rules[object] = RULES[book.manifest.rules]
    maker = Maker(book, rules, random.Random(seed))
    forgery.forge(maker)
    made = maker.file()
    if file_of(made) == file_of(book):
        raise NotHere
    return made


STRENGTH = (UNACKNOWLEDGED, RECEIPTS, LISTED, DIFFERS, REFUSED)
KINDS = sorted({forgery.kind for forgery in FORGERIES.values()})
assert {master_forgeries.__name__, table_forgeries.__name__} < {
    forgery.forge.__module__ for forgery in FORGERIES.values()
}


def outcome(name: str, made: Archive) -> str:
    """How a forgery of a game comes out for a reader who has the file alone."""
    verdict = read_file(made)
    if verdict.code == BROKEN:
        return REFUSED
    if verdict.code == CODE_DIFFERS:
        return DIFFERS
    return LISTED if listed(made, verdict) - _known(name) else RECEIPTS


def check(key: str, name: str, seed: int) -> None:
    """A forgery comes out as it should, and no worse for a reader who has the receipts of all seats; raises NotHere."""
    forgery = FORGERIES[key]
    made = forge(name, forgery, seed)
    found = outcome(name, made)
    assert STRENGTH.index(found) >= STRENGTH.index(forgery.outcome), (key, name, found)
    if found == RECEIPTS:
        verdict = read_file(made, receipts(honest(name)))
        named = forgery.outcome == UNACKNOWLEDGED and any(claim.claim == NO_RECEIPT for claim in verdict.claims)
        assert named or verdict.code == BROKEN, (key, name, "with receipts")


def test_there_are_forgeries_of_every_sort() -> None:
    """More than forty, of all that a file says."""
    assert len(FORGERIES) > 95
    assert set(KINDS) >= {"events", "answers", "defaults", "draws", "rounds", "times", "seats", "options"}
    assert set(KINDS) >= {"talk", "audit", "receipts", "state", "rulings", "rewinds", "replays"}


@pytest.mark.parametrize("name", MADE)
def test_an_honest_file_holds_with_all_receipts(name: str) -> None:
    """Each claim holds, and each receipt is one of what was counted."""
    book = honest(name)
    verdict = read_file(book, receipts(book))
    assert [(claim.claim, claim.faults) for claim in verdict.claims if claim.faults] == []
    assert verdict.code == PROVEN


@pytest.mark.parametrize("kind", KINDS)
def test_each_sort_of_forgery_is_refused_or_listed(kind: str) -> None:
    """Made of a game that has what it is about, chained anew, with and without the receipts of the players; the first
    of a sort here, the others in long runs, of each game.
    """
    for key in [key for key, forgery in FORGERIES.items() if forgery.kind == kind][: budget(3, 99)]:
        for name in MADE:
            try:
                check(key, name, 1)
            except NotHere:
                continue
            break
        else:
            pytest.fail(f"no game has what {key} is about")


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", NAMES)
def test_each_forgery_of_each_game_is_refused_or_listed(name: str) -> None:
    """Of all that a game has, at several places of it; the games of the rulebooks to their sixteenth entry."""
    tried = 0
    for key in FORGERIES:
        for seed in range(budget(1, 5)):
            try:
                check(key, name, seed)
            except NotHere:
                continue
            tried += 1
    assert tried >= 40
