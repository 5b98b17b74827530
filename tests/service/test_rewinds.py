"""Going back: rewinds, entries told again, draws made anew, on a whole server."""

from pathlib import Path

import pytest

from engine.kernel.codec import dump
from engine.kernel.events import Corrected, Rewound
from engine.kernel.secrets import truth
from engine.kernel.viewers import Seat
from pbem.archive.entries import EntryRecord
from pbem.archive.verify import verify
from pbem.narration.facts import MasterFacts, RulingFacts
from pbem.service.archive import files
from pbem.service.game import seat_views
from pbem.service.game.journal import load_entry, load_game_keys
from pbem.service.seats import substitutes
from pbem.store.models import Game, QuestionRow, SealedOrdersRow
from tests.archive.bots import play_on
from tests.service.master_commands import HOST, MASTER, ask, mastered_in, meant, user
from tests.service.server_fixtures import TITLES, Hall, build, seated, shared
from tests.service.timed_games import HOUR


@pytest.fixture
def table(state_dir: Path) -> tuple[Hall, str]:
    """A game of three that has been marching, whose master holds no seat."""
    hall = build(state_dir)

    def make() -> str:
        game = mastered_in(hall, 3, 24)
        for seat, bid in (("s1", 2), ("s2", 1), ("s3", 0)):
            hall.say(seat, f"BID {bid}")
        hall.sent[:] = [(a, f) for a, f in hall.sent if a.kind in ("report", "started")]
        return game

    return hall, shared(hall, "marching", make)


def entries(hall: Hall, game: str) -> list[EntryRecord]:
    """The whole journal."""
    with hall.play.db.snapshot() as session:
        row = session.get_one(Game, game)
        keys = load_game_keys(hall.play, row)
        return [load_entry(session, keys, row, number) for number in range(1, row.entry + 1)]


def until_drawn(hall: Hall, game: str) -> EntryRecord:
    """Play on to an entry in which something was drawn."""
    while True:
        last = entries(hall, game)[-1]
        if last.counted and last.draws:
            return last
        play_on(hall, game, last.number + 1)


def letter(hall: Hall, seat: str) -> RulingFacts:
    """The ruling as a seat was told it."""
    found: RulingFacts = next(f for f in reversed(hall.of("ruling")) if f.frame.reader.seat == seat)
    return found


def asked(hall: Hall) -> dict[tuple[str, str], QuestionRow]:
    """The open questions."""
    return {(row.gate, row.seat): row for row in hall.rows(QuestionRow)}


@pytest.mark.both_databases
def test_a_rewind_goes_back_and_deletes_nothing(table: tuple[Hall, str]) -> None:
    """The game stands where it stood then, in an entry with its own number; what was played since is still there."""
    hall, game = table
    before = entries(hall, game)
    meant(hall, game, "REWIND TO 1 BECAUSE the bids were misread", who=MASTER)
    after = entries(hall, game)
    assert [r.number for r in after] == list(range(1, len(before) + 2))
    assert [dump(r) for r in after[:-1]] == [dump(r) for r in before]
    assert after[-1].base == 1
    assert {d.gate for d in hall.position(game).core.questions if d.blocking} == {"bid/1"}
    ruling = after[-1].events[0]
    assert isinstance(ruling, Corrected)
    assert isinstance(ruling.edits[0], Rewound)
    with hall.web.db.snapshot() as session:
        told = seat_views.load_events(hall.web, session, game, "s1", 0, hall.game(game).entry)
    assert isinstance(told[-1], Corrected), "the page of a seat tells it after all that was played"


@pytest.mark.both_databases
def test_after_a_rewind_no_ballot_or_rider_of_the_void_future_acts(table: tuple[Hall, str]) -> None:
    """What was filed since is destroyed; an old letter's address answers nothing; every question waits anew."""
    hall, game = table
    hall.say("s1", "ATTACK Mill WITH 1", "ON PARRY: PASS")
    old = hall.token("s2")
    assert [row for row in hall.rows(SealedOrdersRow) if row.is_current]
    hall.pass_time(hours=3)
    meant(hall, game, "REWIND TO 1", who=MASTER)
    assert not hall.rows(SealedOrdersRow)
    rows = [row for row in asked(hall).values() if row.is_blocking]
    assert {(row.opening_entry, row.answered_at) for row in rows} == {(hall.game(game).entry, None)}
    assert {row.due_at for row in rows} == {hall.play.now() + 24 * HOUR}
    hall.write_in(old, ("BID 3",))
    hall.settle()
    assert all(row.answered_at is None for row in hall.rows(QuestionRow))
    hall.say("s2", "BID 3")
    assert asked(hall)["bid/1", "s2"].answered_at is not None


def test_what_was_sent_is_offered_back_to_its_owner_alone(table: tuple[Hall, str]) -> None:
    """Counted or still waiting: each reads their own lines as drafts, behind a semicolon, and nobody else's."""
    hall, game = table
    hall.say("s1", "ATTACK Mill WITH 1")
    meant(hall, game, "REWIND TO 1", who=MASTER)
    assert [(one.topic, one.turn) for one in letter(hall, "s1").drafts] == [("bid", 1), ("march", 1)]
    assert [one.topic for one in letter(hall, "s2").drafts] == ["bid"]
    assert letter(hall, "s3").rewound_to == 1
    meant(hall, game, "REWIND TO 2 WITHOUT DRAFTS", who=MASTER)
    assert letter(hall, "s1").drafts == ()


def test_a_substitute_is_not_offered_what_their_predecessor_had_sent(table: tuple[Hall, str]) -> None:
    """Drafts belong to the player who wrote them, not to the seat."""
    hall, game = table
    hall.say("s1", "RESIGN YES")
    substitutes.take_over(hall.web, user(hall, "new@games.test"), game, "s1")
    hall.settle()
    meant(hall, game, "REWIND TO 1", who=MASTER)
    assert letter(hall, "s1").drafts == ()
    assert letter(hall, "s2").drafts


def test_all_are_told_who_had_seen_hidden_things_and_nobody_what(table: tuple[Hall, str]) -> None:
    """The winner of the bids had drawn a card: the entry and the number are told, never the card's name."""
    hall, game = table
    meant(hall, game, "REWIND TO 1", who=MASTER)
    ruling = letter(hall, "s3").events[0]
    assert isinstance(ruling, Corrected)
    (went,) = (edit for edit in ruling.edits if isinstance(edit, Rewound))
    assert [(seat, count) for _, seat, count in went.seen] == [("s1", 1)]
    with truth():
        drawn = [card.value for card in hall.position(game).board.deck[:1]]
    assert all(name not in dump(ruling) for name in drawn)


def test_luck_is_another_after_a_rewind(table: tuple[Hall, str]) -> None:
    """The same orders at the same gate have another entry number, hence another luck and other draws."""
    hall, game = table
    drawn = until_drawn(hall, game)
    last = hall.game(game).entry
    meant(hall, game, f"REWIND TO {drawn.number - 1}", who=MASTER)
    while not any(r.gate == drawn.gate for r in entries(hall, game)[last + 1 :]):
        play_on(hall, game, hall.game(game).entry + 1)
    later = [r for r in entries(hall, game) if r.number > last + 1]
    lucks = [r.luck for r in entries(hall, game)]
    assert len(set(lucks)) == len(lucks)
    assert {d.name for r in later for d in r.draws} & {d.name for d in drawn.draws}


def test_a_master_who_plays_needs_a_second_consent_to_rewind(state_dir: Path) -> None:
    """The master's word alone moves nothing; another player's, given to the word of the letter, does."""
    hall = build(state_dir)
    game = seated(hall, "toy", 3)
    for seat in ("s1", "s2", "s3"):
        hall.say(seat, "BID 0")
    act = meant(hall, game, "REWIND TO 1", who=HOST).acts[0]
    assert (act.outcome, hall.game(game).entry) == ("agree", 2)
    ask(hall, game, f"AGREE {act.word}", who="p2@games.test")
    assert hall.game(game).entry == 3
    assert {d.gate for d in hall.position(game).core.questions if d.blocking} == {"bid/1"}


def differing(hall: Hall) -> list[str]:
    """What the master was told of entries told again."""
    found = [f for a, f in hall.sent if a.kind == "master" and isinstance(f, MasterFacts)]
    return [said.code for act in found[-1].acts for said in act.said]


def test_a_ruling_is_undone_across_a_rewind(table: tuple[Hall, str]) -> None:
    """Entries that count no more do not prevent it; a ruling that counts no more itself cannot be taken back."""
    hall, game = table
    with truth():
        had = dict(hall.position(game).board.coins)
    meant(hall, game, "CORRECT a coin was forgotten", "GIVE 2 COINS TO player 1", who=MASTER)
    ruling = hall.game(game).entry
    play_on(hall, game, ruling + 2)
    meant(hall, game, f"REWIND TO {ruling} BECAUSE of the storm", who=MASTER)
    meant(hall, game, f"UNDO {ruling}", who=MASTER)
    assert hall.game(game).entry == ruling + 4
    with truth():
        assert dict(hall.position(game).board.coins) == had
    meant(hall, game, f"REWIND TO {ruling - 1}", who=MASTER)
    last = hall.game(game).entry
    meant(hall, game, f"UNDO {ruling}", who=MASTER)
    assert hall.game(game).entry == last, "it counts no more"
    refused = next(facts for facts in reversed(hall.of("master")) if facts.acts)
    assert refused.acts[0].problem is not None
    assert refused.acts[0].problem.code == "ends_elsewhere"


def test_adjudicating_again_shows_and_makes_nothing(table: tuple[Hall, str]) -> None:
    """Without a correction everything goes as it did; under one, the first entry that differs is told."""
    hall, game = table
    play_on(hall, game, 6)
    last = hall.game(game).entry
    meant(hall, game, "ADJUDICATE AGAIN 2", who=MASTER)
    assert (differing(hall), hall.game(game).entry) == (["again_alike"], last)
    meant(hall, game, "ADJUDICATE AGAIN 2", "GIVE 1 COIN TO player 1", who=MASTER)
    assert differing(hall)[0] == "again_same"
    assert hall.game(game).entry == last


@pytest.mark.both_databases
def test_rolling_forward_makes_what_was_shown(table: tuple[Hall, str]) -> None:
    """The game goes back before the entry, is corrected, and makes its entries again with the same orders and draws."""
    hall, game = table
    play_on(hall, game, 6)
    before, had = entries(hall, game), hall.position(game).board.coins[Seat("s1")]
    meant(hall, game, "ROLL FORWARD 2", "GIVE 1 COIN TO player 1", who=MASTER)
    after = entries(hall, game)
    again = [r for r in after if r.again is not None]
    assert [r.again for r in again] == [r.number for r in before[1:]]
    assert [r.draws for r in again] == [r.draws for r in before[1:]]
    assert [r.number for r in after] == list(range(1, len(after) + 1))
    assert hall.position(game).board.coins[Seat("s1")] == had + 1
    assert letter(hall, "s1").rewound_to is None


def test_where_the_orders_of_then_do_not_fit_the_game_waits_for_new_ones(table: tuple[Hall, str]) -> None:
    """A player who cannot pay their bid any more is asked again, and has what they sent as a draft."""
    hall, game = table
    had = hall.position(game).board.coins[Seat("s1")]
    meant(hall, game, "ROLL FORWARD 2", f"TAKE {had + 1} COINS FROM player 1", who=MASTER)
    assert {d.gate for d in hall.position(game).core.questions if d.blocking} == {"bid/1"}
    assert [one.topic for one in letter(hall, "s1").drafts] == ["bid"]


def test_one_draw_is_made_anew_and_all_others_stand(table: tuple[Hall, str]) -> None:
    """The named draw gets a new luck: it may come out the same, but it is another draw."""
    hall, game = table
    drawn = until_drawn(hall, game)
    meant(hall, game, f"REROLL {drawn.number} DRAW 1 BECAUSE the die was cocked", who=MASTER)
    again = next(r for r in entries(hall, game) if r.again == drawn.number)
    assert again.anew == (drawn.draws[0].name,)
    kept = {draw.name: draw for draw in drawn.draws[1:]}
    assert all(draw == kept[draw.name] for draw in again.draws if draw.name in kept)


def test_a_game_that_was_sent_back_and_forth_verifies(table: tuple[Hall, str]) -> None:
    """A game rewound, told again, drawn again and played to its end has a file that proves all that any file proves."""
    hall, game = table
    play_on(hall, game, 6)
    meant(hall, game, "REWIND TO 3", who=MASTER)
    play_on(hall, game, 10)
    meant(hall, game, "ROLL FORWARD 8", "GIVE 1 COIN TO player 2", who=MASTER)
    meant(hall, game, f"REROLL {until_drawn(hall, game).number}", who=MASTER)
    play_on(hall, game)
    verdict = verify(files.export_game(hall.play, game), "", TITLES)
    assert verdict.code == 0, [f for f in verdict.claims if f.faults]
