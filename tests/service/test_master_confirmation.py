"""Acts that ask twice or need a second person, who may ask at all, and two masters who close the same phase at once."""

from pathlib import Path

import pytest

from pbem.service.base.services import RequestRefused
from pbem.service.masters import api, player_commands
from pbem.store.games import lock_game
from pbem.store.models import AuditEntry, PendingConfirmation, SeatRow, User
from tests.service.master_commands import HOST, MASTER, build_mastered_game, get_user_id, send_commands, send_confirmed
from tests.service.server_fixtures import ServerHarness, build, start_game

SECOND = "second@games.test"


def codes(harness: ServerHarness, game: str, *lines: str, who: str = MASTER, confirm: str = "") -> list[str]:
    """What is said of each line: the code of its first sentence."""
    return [act.said[0].code for act in send_commands(harness, game, *lines, who=who, confirm=confirm).acts]


def codes_of_lead(harness: ServerHarness, game: str, *lines: str) -> list[str]:
    """What is said to the master before what came of each line."""
    return [said.code for said in send_commands(harness, game, *lines, who=MASTER).lead]


@pytest.mark.both_databases
def test_a_phase_is_closed_by_its_own_name_alone(state_dir: Path) -> None:
    """PROCESS without a name, or with one of another turn or phase, is refused, and the right one is said."""
    harness, game = build_mastered_game(state_dir)
    for line, code in (
        ("PROCESS", "no_phase_missing"),
        ("PROCESS BIDS", "no_phase_stale"),
        ("PROCESS BIDS 2", "no_phase_stale"),
        ("PROCESS MARCH 1", "no_phase_stale"),
    ):
        said = send_commands(harness, game, line, who=MASTER).acts[0].said[0]
        assert (said.code, said.terms["phases"]) == (code, ("BIDS 1",))
    assert harness.load_game(game).entry == 1


@pytest.mark.both_databases
def test_of_two_who_close_the_same_phase_the_second_is_refused(state_dir: Path) -> None:
    """A phase is closed once, whether play closed it in between or not, and the next one never closes instead."""
    harness, game = build_mastered_game(state_dir)
    send_commands(harness, game, f"PROMOTE {SECOND}", who=MASTER)
    first = send_commands(harness, game, "PROCESS BIDS 1", who=MASTER).acts[0].word
    second = send_commands(harness, game, "PROCESS BIDS 1", who=SECOND).acts[0].word
    api.execute(
        harness.web, game, get_user_id(harness, MASTER), ["PROCESS BIDS 1"], first
    )  # play has not visited the game yet
    raced = api.execute(harness.web, game, get_user_id(harness, SECOND), ["PROCESS BIDS 1"], second)
    assert raced.acts[0].said[0].code == "no_phase_closing"
    harness.run_queued_tasks()
    assert harness.load_game(game).entry == 2
    assert codes(harness, game, "PROCESS BIDS 1", who=SECOND, confirm=second) == ["no_phase_stale"]
    assert harness.load_game(game).entry == 2


def test_closing_early_is_no_miss(state_dir: Path) -> None:
    """A player who had time left is not counted as late, and no excuse of theirs is spent."""
    harness, game = build_mastered_game(state_dir)
    harness.reply("s1", "BID 1")
    send_confirmed(harness, game, "PROCESS BIDS 1", who=MASTER)
    assert [row.missed for row in harness.load_rows(SeatRow)] == [0, 0, 0]
    assert harness.load_state(game).board.turn == 1
    assert {d.topic for d in harness.load_state(game).core.questions if d.blocking} == {"march"}


@pytest.mark.parametrize("change", ["another act", "another person", "too late", "another entry", "again"])
def test_a_word_does_one_act_for_one_person_for_a_while(change: str, state_dir: Path) -> None:
    """A word given for one act does no other, for nobody else, not after an hour or an entry, and not twice."""
    harness, game = build_mastered_game(state_dir)
    send_commands(harness, game, f"PROMOTE {SECOND}", who=MASTER)
    line, who = "EJECT p3", MASTER
    word = send_commands(harness, game, line, who=MASTER).acts[0].word
    if change == "another act":
        line = "EJECT p2"
    elif change == "another person":
        who = SECOND
    elif change == "too late":
        harness.advance_time(minutes=61)
    elif change == "another entry":
        for seat in ("s1", "s2", "s3"):
            harness.reply(seat, "BID 1")
    else:
        assert send_commands(harness, game, line, who=MASTER, confirm=word).acts[0].outcome == "done"
        line = "EJECT p2"
    assert send_commands(harness, game, line, who=who, confirm=word).acts[0].outcome == "confirm"
    assert sum(1 for row in harness.load_rows(SeatRow) if row.user_id is None) == (change == "again")


@pytest.mark.both_databases
def test_the_word_alone_does_the_act_that_it_was_given_for(state_dir: Path) -> None:
    """Within the hour CONFIRM and the word are enough, with the lines that belong to the act, once, for its author."""
    harness, game = build_mastered_game(state_dir)
    send_commands(harness, game, f"PROMOTE {SECOND}", who=MASTER)
    before = harness.load_state(game).board.coins["s2"]
    asked = send_commands(harness, game, "CORRECT misread", "GIVE 2 COINS TO p2", who=MASTER).acts[0]
    others = send_commands(harness, game, f"CONFIRM {asked.word}", who=SECOND)
    assert ([said.code for said in others.lead], others.acts) == (["no_no_such_word"], ())
    harness.advance_time(minutes=59)
    done = send_commands(harness, game, f"CONFIRM {asked.word}", who=MASTER).acts
    assert [(act.line, act.outcome) for act in done] == [(asked.line, "done")]
    assert harness.load_state(game).board.coins["s2"] == before + 2
    assert codes_of_lead(harness, game, f"CONFIRM {asked.word}") == ["no_no_such_word"]
    assert {row.line for row in harness.load_rows(PendingConfirmation)} == {""}


def test_several_words_in_one_letter_do_several_acts(state_dir: Path) -> None:
    """Each word does its own act; one that came too late, or before the game moved on, says so."""
    harness, game = build_mastered_game(state_dir)
    asked = [send_commands(harness, game, f"EJECT p{n}", who=MASTER).acts[0].word for n in (2, 3)]
    done = send_commands(harness, game, *(f"CONFIRM {word}" for word in asked), who=MASTER).acts
    assert [(act.number, act.line, act.outcome) for act in done] == [(1, "EJECT p2", "done"), (2, "EJECT p3", "done")]
    late = send_commands(harness, game, "EJECT p1", who=MASTER).acts[0].word
    harness.advance_time(minutes=61)
    assert codes_of_lead(harness, game, f"CONFIRM {late}") == ["no_no_such_word"]


@pytest.mark.both_databases
def test_with_two_persons_a_grave_act_waits_for_the_second(state_dir: Path) -> None:
    """The act waits, every other master has a letter, and its author cannot agree to it; then it is done."""
    harness, game = build_mastered_game(state_dir)
    assert codes(harness, game, "TWO PERSONS ON") == ["no_no_second_master"]
    send_commands(harness, game, f"PROMOTE {SECOND}", "TWO PERSONS ON", who=MASTER)
    waiting = send_confirmed(harness, game, "EJECT p3", who=MASTER).acts[0]
    assert waiting.outcome == "agree"
    assert all(row.user_id is not None for row in harness.load_rows(SeatRow))
    letters = [
        a.to_address for a, f in harness.sent if a.kind == "master" and f.lead and f.lead[0].code == "agree_wanted"
    ]
    assert letters == [SECOND]
    assert codes(harness, game, f"AGREE {waiting.word}") == ["no_not_yours_to_agree"]
    assert codes(harness, game, f"AGREE {waiting.word}", who=HOST) == ["no_not_yours_to_agree"]
    assert codes(harness, game, f"AGREE {waiting.word}", who=SECOND) == ["ejected"]
    assert codes(harness, game, f"AGREE {waiting.word}", who=SECOND) == ["no_no_such_word"]
    assert [row.outcome for row in harness.load_rows(AuditEntry) if row.action == "eject"] == ["asked", "waits", "done"]


def test_the_rule_of_two_keeps_two_masters(state_dir: Path) -> None:
    """While grave acts need both, neither of two masters can be demoted, and the last master never can."""
    harness, game = build_mastered_game(state_dir)
    assert codes(harness, game, f"DEMOTE {MASTER}") == ["no_last_master"]
    send_commands(harness, game, f"PROMOTE {SECOND}", "TWO PERSONS ON", who=MASTER)
    assert codes(harness, game, f"DEMOTE {SECOND}") == ["no_two_needed"]


def test_nobody_makes_themselves_the_second_person(state_dir: Path) -> None:
    """While grave acts need both, the other master agrees to a further one; one who is left alone finds another."""
    harness, game = build_mastered_game(state_dir)
    send_commands(harness, game, f"PROMOTE {SECOND}", "TWO PERSONS ON", who=MASTER)
    third = send_commands(harness, game, "PROMOTE third@games.test", who=MASTER).acts[0]
    assert third.outcome == "agree"
    assert codes(harness, game, "STATUS")[0] == "masters"
    assert "third" not in repr(send_commands(harness, game, "STATUS", who=MASTER).acts[0].said[0])
    assert codes(harness, game, f"AGREE {third.word}", who=SECOND) == ["promoted"]
    elected = get_user_id(harness, HOST)
    with harness.web.db.transaction() as session:
        row = lock_game(session, game)
        assert row is not None
        player_commands.install_master(harness.web, session, row, session.get_one(User, elected))
    assert codes(harness, game, f"PROMOTE {SECOND}", who=HOST) == ["promoted"]


def test_a_master_who_plays_needs_the_consent_of_another(state_dir: Path) -> None:
    """What bears on others' chances is done when one of them agrees; a playing master looks at their seat alone."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 48)
    waiting = send_confirmed(harness, game, "ELIMINATE p3").acts[0]
    assert waiting.outcome == "agree"
    assert "s3" not in harness.load_state(game).board.gone
    assert codes(harness, game, "OPEN HAND p2", who=HOST) == ["no_plays_himself"]
    assert codes(harness, game, f"AGREE {waiting.word}", who="p2@games.test") == ["eliminated"]
    assert "s3" in harness.load_state(game).board.gone


def test_who_agrees_agrees_to_every_line_of_an_act(state_dir: Path) -> None:
    """The lines that belong to an act are shown to the second person, and done with it; too many are refused."""
    harness, game = build_mastered_game(state_dir)
    send_commands(harness, game, f"PROMOTE {SECOND}", "TWO PERSONS ON", who=MASTER)
    before = harness.load_state(game).board.coins["s2"]
    waiting = send_confirmed(harness, game, "CORRECT misread", "GIVE 2 COINS TO p2", who=MASTER).acts[0]
    shown = next(
        f.lead[0].terms["line"] for f in reversed(harness.sent_facts("master")) if f.lead[0].code == "agree_wanted"
    )
    assert shown == f"{waiting.line} / GIVE 2 COINS TO p2"
    send_commands(harness, game, f"AGREE {waiting.word}", who=SECOND)
    assert harness.load_state(game).board.coins["s2"] == before + 2
    many = send_confirmed(harness, game, "CORRECT misread", *["GIVE 1 COIN TO p2"] * 30, who=MASTER).acts[0]
    assert [said.code for said in many.said] == ["no_agree_too_long"]


def test_only_masters_and_players_have_business_here(state_dir: Path) -> None:
    """A stranger is refused whole; a player is refused what is a master's; a former master is a stranger."""
    harness, game = build_mastered_game(state_dir)
    with pytest.raises(RequestRefused, match="not_your_table"):
        send_commands(harness, game, "STATUS", who="stranger@games.test")
    assert codes(harness, game, "STATUS", "PAUSE", "PROCESS BIDS 1", who="p2@games.test") == ["no_not_master"] * 3
    send_commands(harness, game, f"PROMOTE {SECOND}", "PAUSE", who=MASTER)
    assert "stands_still" in [said.code for said in send_commands(harness, game, "STATUS", who=SECOND).acts[0].said]
    send_confirmed(harness, game, f"DEMOTE {MASTER}", who=SECOND)
    with pytest.raises(RequestRefused, match="not_your_table"):
        send_commands(harness, game, "STATUS", who=MASTER)


def test_nothing_is_done_where_one_act_of_several_is_refused_but_the_others(state_dir: Path) -> None:
    """Each line of a letter is done or refused by itself."""
    harness, game = build_mastered_game(state_dir)
    facts = send_commands(harness, game, "RESUME", "PATIENCE 5", "HOLD p9", "hello there", who=MASTER)
    assert [act.outcome for act in facts.acts] == ["refused", "done", "refused"]
    assert facts.acts[2].problem is not None
    assert facts.acts[2].problem.code == "unknown_name"
    assert [text for _, text in facts.skipped] == ["hello there"]
