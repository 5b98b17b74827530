"""Going back: rewinds, entries told again, draws made anew, on a whole server."""

from pathlib import Path

import pytest

from engine.kernel.codec import dump
from engine.kernel.events import Corrected, Rewound
from engine.kernel.secrets import truth
from engine.kernel.viewers import Seat
from pbem.archive.entries import EntryRecord
from pbem.narration.facts import MasterFacts, RulingFacts
from pbem.service.game import seat_views
from pbem.service.game.journal import load_entry, load_game_keys
from pbem.service.seats import substitutes
from pbem.store.models import Game, QuestionRow, SealedOrdersRow
from tests.archive.bots import play_on
from tests.service.master_commands import HOST, MASTER, get_user_id, send_commands, send_confirmed, start_mastered_game
from tests.service.server_fixtures import ServerHarness, build, restore_or_make, start_game
from tests.service.timed_games import HOUR


@pytest.fixture
def table(state_dir: Path) -> tuple[ServerHarness, str]:
    """A game of three that has been marching, whose master holds no seat."""
    harness = build(state_dir)

    def make() -> str:
        game = start_mastered_game(harness, 3, 24)
        for seat, bid in (("s1", 2), ("s2", 1), ("s3", 0)):
            harness.reply(seat, f"BID {bid}")
        harness.sent[:] = [(a, f) for a, f in harness.sent if a.kind in ("report", "started")]
        return game

    return harness, restore_or_make(harness, "marching", make)


def entries(harness: ServerHarness, game: str) -> list[EntryRecord]:
    """The whole journal."""
    with harness.resolver.db.snapshot() as session:
        row = session.get_one(Game, game)
        keys = load_game_keys(harness.resolver, row)
        return [load_entry(session, keys, row, number) for number in range(1, row.entry + 1)]


def until_drawn(harness: ServerHarness, game: str) -> EntryRecord:
    """Play on to an entry in which something was drawn."""
    while True:
        last = entries(harness, game)[-1]
        if last.counted and last.draws:
            return last
        play_on(harness, game, last.number + 1)


def letter(harness: ServerHarness, seat: str) -> RulingFacts:
    """The ruling as a seat was told it."""
    found: RulingFacts = next(f for f in reversed(harness.sent_facts("ruling")) if f.frame.reader.seat == seat)
    return found


def open_questions(harness: ServerHarness) -> dict[tuple[str, str], QuestionRow]:
    """The open questions."""
    return {(row.gate, row.seat): row for row in harness.load_rows(QuestionRow)}


@pytest.mark.both_databases
def test_a_rewind_goes_back_and_deletes_nothing(table: tuple[ServerHarness, str]) -> None:
    """The game stands where it stood then, in an entry with its own number; what was played since is still there."""
    harness, game = table
    before = entries(harness, game)
    send_confirmed(harness, game, "REWIND TO 1 BECAUSE the bids were misread", who=MASTER)
    after = entries(harness, game)
    assert [r.number for r in after] == list(range(1, len(before) + 2))
    assert [dump(r) for r in after[:-1]] == [dump(r) for r in before]
    assert after[-1].base == 1
    assert {d.gate for d in harness.load_state(game).core.questions if d.blocking} == {"bid/1"}
    ruling = after[-1].events[0]
    assert isinstance(ruling, Corrected)
    assert isinstance(ruling.edits[0], Rewound)
    with harness.web.db.snapshot() as session:
        told = seat_views.load_events(harness.web, session, game, "s1", 0, harness.load_game(game).entry)
    assert isinstance(told[-1], Corrected), "the page of a seat tells it after all that was played"


@pytest.mark.both_databases
def test_after_a_rewind_no_sealed_orders_or_reaction_of_the_void_future_acts(table: tuple[ServerHarness, str]) -> None:
    """What was filed since is destroyed; an old letter's address answers nothing; every question waits anew."""
    harness, game = table
    harness.reply("s1", "ATTACK Mill WITH 1", "ON PARRY: PASS")
    old = harness.reply_token("s2")
    assert [row for row in harness.load_rows(SealedOrdersRow) if row.is_current]
    harness.advance_time(hours=3)
    send_confirmed(harness, game, "REWIND TO 1", who=MASTER)
    assert not harness.load_rows(SealedOrdersRow)
    rows = [row for row in open_questions(harness).values() if row.is_blocking]
    assert {(row.opening_entry, row.answered_at) for row in rows} == {(harness.load_game(game).entry, None)}
    assert {row.due_at for row in rows} == {harness.resolver.now() + 24 * HOUR}
    harness.receive_reply(old, ("BID 3",))
    harness.run_queued_tasks()
    assert all(row.answered_at is None for row in harness.load_rows(QuestionRow))
    harness.reply("s2", "BID 3")
    assert open_questions(harness)["bid/1", "s2"].answered_at is not None


def test_what_was_sent_is_offered_back_to_its_owner_alone(table: tuple[ServerHarness, str]) -> None:
    """Counted or still waiting: each reads their own lines as drafts, behind a semicolon, and nobody else's."""
    harness, game = table
    harness.reply("s1", "ATTACK Mill WITH 1")
    send_confirmed(harness, game, "REWIND TO 1", who=MASTER)
    assert [(one.topic, one.turn) for one in letter(harness, "s1").drafts] == [("bid", 1), ("march", 1)]
    assert [one.topic for one in letter(harness, "s2").drafts] == ["bid"]
    assert letter(harness, "s3").rewound_to == 1
    send_confirmed(harness, game, "REWIND TO 2 WITHOUT DRAFTS", who=MASTER)
    assert letter(harness, "s1").drafts == ()


def test_a_substitute_is_not_offered_what_their_predecessor_had_sent(table: tuple[ServerHarness, str]) -> None:
    """Drafts belong to the player who wrote them, not to the seat."""
    harness, game = table
    harness.reply("s1", "RESIGN YES")
    substitutes.take_over(harness.web, get_user_id(harness, "new@games.test"), game, "s1")
    harness.run_queued_tasks()
    send_confirmed(harness, game, "REWIND TO 1", who=MASTER)
    assert letter(harness, "s1").drafts == ()
    assert letter(harness, "s2").drafts


def test_all_are_told_who_had_seen_hidden_things_and_nobody_what(table: tuple[ServerHarness, str]) -> None:
    """The winner of the bids had drawn a card: the entry and the number are told, never the card's name."""
    harness, game = table
    send_confirmed(harness, game, "REWIND TO 1", who=MASTER)
    ruling = letter(harness, "s3").events[0]
    assert isinstance(ruling, Corrected)
    (went,) = (edit for edit in ruling.edits if isinstance(edit, Rewound))
    assert [(seat, count) for _, seat, count in went.seen] == [("s1", 1)]
    with truth():
        drawn = [card.value for card in harness.load_state(game).board.deck[:1]]
    assert all(name not in dump(ruling) for name in drawn)


def test_luck_is_another_after_a_rewind(table: tuple[ServerHarness, str]) -> None:
    """The same orders at the same gate have another entry number, hence another luck and other draws."""
    harness, game = table
    drawn = until_drawn(harness, game)
    last = harness.load_game(game).entry
    send_confirmed(harness, game, f"REWIND TO {drawn.number - 1}", who=MASTER)
    while not any(r.gate == drawn.gate for r in entries(harness, game)[last + 1 :]):
        play_on(harness, game, harness.load_game(game).entry + 1)
    later = [r for r in entries(harness, game) if r.number > last + 1]
    lucks = [r.luck for r in entries(harness, game)]
    assert len(set(lucks)) == len(lucks)
    assert {d.name for r in later for d in r.draws} & {d.name for d in drawn.draws}


def test_a_master_who_plays_needs_a_second_consent_to_rewind(state_dir: Path) -> None:
    """The master's word alone moves nothing; another player's, given to the word of the letter, does."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3)
    for seat in ("s1", "s2", "s3"):
        harness.reply(seat, "BID 0")
    act = send_confirmed(harness, game, "REWIND TO 1", who=HOST).acts[0]
    assert (act.outcome, harness.load_game(game).entry) == ("agree", 2)
    send_commands(harness, game, f"AGREE {act.word}", who="p2@games.test")
    assert harness.load_game(game).entry == 3
    assert {d.gate for d in harness.load_state(game).core.questions if d.blocking} == {"bid/1"}


def test_a_master_who_plays_needs_a_second_consent_to_see_what_might_have_been(state_dir: Path) -> None:
    """With a coin less for one who won, an entry told again shows what others had offered, and nobody was told."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3)
    for seat, bid in (("s1", 2), ("s2", 1), ("s3", 0)):
        harness.reply(seat, f"BID {bid}")
    before = len(harness.sent_facts("master"))
    act = send_commands(harness, game, "ADJUDICATE AGAIN 2", "TAKE 1 COIN FROM player 1", who=HOST).acts[0]
    assert act.outcome == "agree"
    assert {a.to_address for a, _ in harness.sent[-2:]} == {"p2@games.test", "p3@games.test"}
    assert len(harness.sent_facts("master")) == before + 2
    send_commands(harness, game, f"AGREE {act.word}", who="p2@games.test")
    assert differing(harness)[0] == "again_same"


def differing(harness: ServerHarness) -> list[str]:
    """What the master was told of entries told again."""
    found = [f for a, f in harness.sent if a.kind == "master" and isinstance(f, MasterFacts)]
    return [said.code for act in found[-1].acts for said in act.said]


def test_a_ruling_is_undone_across_a_rewind(table: tuple[ServerHarness, str]) -> None:
    """Entries that count no more do not prevent it; a ruling that counts no more itself cannot be taken back."""
    harness, game = table
    with truth():
        had = dict(harness.load_state(game).board.coins)
    send_confirmed(harness, game, "CORRECT a coin was forgotten", "GIVE 2 COINS TO player 1", who=MASTER)
    ruling = harness.load_game(game).entry
    play_on(harness, game, ruling + 2)
    send_confirmed(harness, game, f"REWIND TO {ruling} BECAUSE of the storm", who=MASTER)
    send_confirmed(harness, game, f"UNDO {ruling}", who=MASTER)
    assert harness.load_game(game).entry == ruling + 4
    with truth():
        assert dict(harness.load_state(game).board.coins) == had
    send_confirmed(harness, game, f"REWIND TO {ruling - 1}", who=MASTER)
    last = harness.load_game(game).entry
    send_confirmed(harness, game, f"UNDO {ruling}", who=MASTER)
    assert harness.load_game(game).entry == last, "it counts no more"
    refused = next(facts for facts in reversed(harness.sent_facts("master")) if facts.acts)
    assert refused.acts[0].problem is not None
    assert refused.acts[0].problem.code == "ends_elsewhere"


def test_adjudicating_again_shows_and_makes_nothing(table: tuple[ServerHarness, str]) -> None:
    """Without a correction everything goes as it did; under one, the first entry that differs is told."""
    harness, game = table
    play_on(harness, game, 6)
    last = harness.load_game(game).entry
    send_confirmed(harness, game, "ADJUDICATE AGAIN 2", who=MASTER)
    assert (differing(harness), harness.load_game(game).entry) == (["again_alike"], last)
    send_confirmed(harness, game, "ADJUDICATE AGAIN 2", "GIVE 1 COIN TO player 1", who=MASTER)
    assert differing(harness)[0] == "again_same"
    assert harness.load_game(game).entry == last


@pytest.mark.both_databases
def test_rolling_forward_makes_what_was_shown(table: tuple[ServerHarness, str]) -> None:
    """The game goes back before the entry, is corrected, and makes its entries again with the same orders and draws."""
    harness, game = table
    play_on(harness, game, 6)
    before, had = entries(harness, game), harness.load_state(game).board.coins[Seat("s1")]
    send_confirmed(harness, game, "ROLL FORWARD 2", "GIVE 1 COIN TO player 1", who=MASTER)
    after = entries(harness, game)
    again = [r for r in after if r.replay_of is not None]
    assert [r.replay_of for r in again] == [r.number for r in before[1:]]
    assert [r.draws for r in again] == [r.draws for r in before[1:]]
    assert [r.number for r in after] == list(range(1, len(after) + 1))
    assert harness.load_state(game).board.coins[Seat("s1")] == had + 1
    assert letter(harness, "s1").rewound_to is None


def test_where_the_orders_of_then_do_not_fit_the_game_waits_for_new_ones(table: tuple[ServerHarness, str]) -> None:
    """A player who cannot pay their bid any more is asked again, and has what they sent as a draft."""
    harness, game = table
    had = harness.load_state(game).board.coins[Seat("s1")]
    send_confirmed(harness, game, "ROLL FORWARD 2", f"TAKE {had + 1} COINS FROM player 1", who=MASTER)
    assert {d.gate for d in harness.load_state(game).core.questions if d.blocking} == {"bid/1"}
    assert [one.topic for one in letter(harness, "s1").drafts] == ["bid"]


def test_one_draw_is_made_anew_and_all_others_stand(table: tuple[ServerHarness, str]) -> None:
    """The named draw gets a new luck: it may come out the same, but it is another draw."""
    harness, game = table
    drawn = until_drawn(harness, game)
    send_confirmed(harness, game, f"REROLL {drawn.number} DRAW 1 BECAUSE the die was cocked", who=MASTER)
    again = next(r for r in entries(harness, game) if r.replay_of == drawn.number)
    assert again.rerolled == (drawn.draws[0].name,)
    kept = {draw.name: draw for draw in drawn.draws[1:]}
    assert all(draw == kept[draw.name] for draw in again.draws if draw.name in kept)
