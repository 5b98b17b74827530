"""Talk at a table: who hears what, by letter and by form, and that nothing else of a letter goes on."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from engine import GAMES
from engine.kernel.codec import dump
from pbem.crypto import TamperedError, new_token
from pbem.service.access import users
from pbem.service.base.services import ParsedEmail
from pbem.service.messages import conversations, messages
from pbem.service.messages.conversations import Conversation
from pbem.service.messages.messages import MessageRefused
from pbem.service.seats import substitutes
from pbem.store.models import Capability, Message, SealedOrdersRow, User
from tests.service.canary_words import files, found_in
from tests.service.server_fixtures import ServerHarness, build, start_game


def number(harness: ServerHarness, address: str) -> int:
    """Somebody's number."""
    with harness.web.db.transaction() as session:
        return users.get_or_create_user(harness.web, session, address).id


def player(harness: ServerHarness, seat: int) -> int:
    """A player's number."""
    return number(harness, f"p{seat}@games.test")


def say(harness: ServerHarness, game: str, seat: int, to: Sequence[str], text: str, **more: bool) -> tuple[str, ...]:
    """Say something from a page."""
    names = messages.send(harness.web, player(harness, seat), game, to, text, new_token(), **more)
    harness.run_queued_tasks()
    return names


def parlour(harness: ServerHarness, game: str, seat: int) -> Conversation:
    """What a player hears."""
    found = conversations.load_conversation(harness.web, player(harness, seat), game)
    return replace(
        found, audiences=conversations.with_addresses(harness.web, player(harness, seat), game, found.audiences)
    )


def read_messages(harness: ServerHarness, game: str, seat: int) -> list[tuple[str, str]]:
    """What was said and by whom, as a player hears it, the oldest first."""
    return [(one.name, one.text) for one in reversed(parlour(harness, game, seat).messages)]


def letters_of_talk(harness: ServerHarness) -> list[tuple[str, Any]]:
    """To whom letters of talk went, and what was in them."""
    return [(address.to_address, facts) for address, facts in harness.sent if address.kind == "talk"]


def token_of(address: str) -> str:
    """The token in an address of ours."""
    return address.partition("+")[2].partition("@")[0]


def write(harness: ServerHarness, token: str, *lines: str, sender: str = "p2@games.test", message_id: str = "") -> str:
    """A letter to an address for talk; the notice that answers it, with its reason."""
    before = len(harness.sent_facts("notice"))
    harness.receive_reply(token, lines, message_id, sender)
    harness.run_queued_tasks()
    told = harness.sent_facts("notice")[before:]
    return " ".join(f"{one.kind} {one.terms.get('why', '')}".strip() for one in told)


# --- who hears what


@pytest.mark.both_databases
def test_what_is_said_to_all_reaches_every_seat_but_the_speaker(state_dir: Path) -> None:
    """Public talk goes to all others by letter, and everybody finds it on the page; nobody is written to twice."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3)
    assert say(harness, game, 2, ["all"], "Peace?\n\n  Or war.") == ()
    assert [to for to, _ in letters_of_talk(harness)] == ["p1@games.test", "p3@games.test"]
    assert letters_of_talk(harness)[0][1].lines == ("Peace?", "", "  Or war.")
    for seat in (1, 2, 3):
        assert read_messages(harness, game, seat) == [("p2", "Peace?\n\n  Or war.")]


@pytest.mark.parametrize("talking", ["public", "none"])
def test_a_table_talks_in_private_only_where_it_chose_to(state_dir: Path, talking: str) -> None:
    """Without the option nobody but the master is spoken to in private; at a silent table nobody else at all."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, talk=talking)
    for to in [["s3"]] + [["all"]] * (talking == "none"):
        with pytest.raises(MessageRefused, match="forbidden"):
            say(harness, game, 2, to, "Psst")
    assert say(harness, game, 2, ["master"], "Is this right?") == ("Player 1",)
    assert read_messages(harness, game, 3) == []
    assert read_messages(harness, game, 1) == read_messages(harness, game, 2) == [("p2", "Is this right?")]
    assert ("all" in [circle.name for circle in parlour(harness, game, 2).audiences]) == (talking == "public")


def test_where_talk_is_free_a_secret_is_for_those_named(state_dir: Path) -> None:
    """Only those to whom it was said read it; the answer goes to all of them and to nobody else."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 4, talk="free")
    assert say(harness, game, 1, ["s3", "s2"], "Against the fourth") == ("p2", "p3")
    assert read_messages(harness, game, 4) == []
    reply = token_of(letters_of_talk(harness)[0][1].frame.links.answer)
    assert write(harness, reply, "Agreed!") == "said"
    assert [to for to, _ in letters_of_talk(harness)][2:] == ["p1@games.test", "p3@games.test"]
    assert read_messages(harness, game, 3) == [("Player 1", "Against the fourth"), ("p2", "Agreed!")]
    assert read_messages(harness, game, 4) == []


@pytest.mark.parametrize("talking", ["public", "free"])
def test_words_without_a_name_are_for_all_and_where_the_table_allows_it(state_dir: Path, talking: str) -> None:
    """Letter, page and record never name the author; in private, or without the option, unsigned words are refused."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, talk=talking, anonymous="yes")
    say(harness, game, 3, ["all"], "The first one cheats", unsigned=True)
    assert read_messages(harness, game, 1) == [("", "The first one cheats")]
    assert {facts.author for _, facts in letters_of_talk(harness)} == {""}
    assert [(one.seat, one.name) for one in conversations.record_of(harness.web, game)] == [("", "")]
    with pytest.raises(MessageRefused, match="unsigned"):
        say(harness, game, 3, ["master"], "Me again", unsigned=True)
    plain = build(state_dir / "plain")
    signed = start_game(plain, "toy", 2)
    with pytest.raises(MessageRefused, match="unsigned"):
        say(plain, signed, 2, ["all"], "Who am I?", unsigned=True)


def test_nothing_is_said_by_accident(state_dir: Path) -> None:
    """Without words, without a reader, with too many, or to an unknown seat, nothing is kept and nobody is told."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2, talk="free")
    for to, text, code in (
        (["all"], " \n ", "no_text"),
        ([], "x", "nobody"),
        (["all"], "x" * 4001, "too_long"),
        (["all"], "x\n" * 200, "too_long"),
        (["s9"], "x", "no_such_reader"),
        (["s2"], "x", "nobody"),
    ):
        with pytest.raises(MessageRefused, match=code):
            say(harness, game, 2, to, text)
    assert harness.load_rows(Message) == []
    assert letters_of_talk(harness) == []


@pytest.mark.both_databases
def test_a_form_says_once_and_not_too_often(state_dir: Path) -> None:
    """The same form acts once; beyond so many words within the hour nothing more is said."""
    harness = build(state_dir)
    game, form = start_game(harness, "toy", 2), new_token()
    for _ in range(3):
        messages.send(harness.web, player(harness, 1), game, ["all"], "Once", form)
    assert len(harness.load_rows(Message)) == 1
    harness.configure(limits={"talk": 3})
    say(harness, game, 1, ["all"], "Twice")
    with pytest.raises(MessageRefused, match="too_often"):
        [say(harness, game, 1, ["all"], "Thrice") for _ in range(2)]
    within = harness.reply("s1", "BID 1", "PRESS TO all: Once more", "END", "DIARY: And more", "END")
    assert [(c.name, c.outcome) for c in within.commands] == [("press", "refused"), ("diary", "refused")]
    assert [s.taken for s in within.sets] == [True]


def test_a_muted_player_does_not_know(state_dir: Path) -> None:
    """A muted player's words are neither sent nor shown, others hear them; the unsigned is muted by itself alone."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, anonymous="yes")
    messages.set_muted(harness.web, player(harness, 1), game, "s2", True)
    say(harness, game, 2, ["all"], "Listen!")
    say(harness, game, 2, ["all"], "Guess who", unsigned=True)
    assert read_messages(harness, game, 1) == [("", "Guess who")]
    assert len(read_messages(harness, game, 3)) == 2
    assert [to for to, _ in letters_of_talk(harness)] == ["p3@games.test", "p1@games.test", "p3@games.test"]
    messages.set_muted(harness.web, player(harness, 1), game, "", True)
    messages.set_muted(harness.web, player(harness, 1), game, "s2", False)
    assert read_messages(harness, game, 1) == [("p2", "Listen!")]
    with harness.web.db.transaction() as session:
        session.get_one(User, player(harness, 3)).muted_at = 1
    before = len(letters_of_talk(harness))
    say(harness, game, 1, ["all"], "Anybody?")
    assert [to for to, _ in letters_of_talk(harness)[before:]] == ["p2@games.test"], "who stopped letters has the page"
    assert read_messages(harness, game, 3)[-1] == ("Player 1", "Anybody?")


# --- by letter


def test_a_letter_to_ones_own_address_goes_on_with_its_words_alone(state_dir: Path) -> None:
    """Only the lines of its writer go on; they are told so; a repeated letter is said once."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3)
    address = next(c.address for c in parlour(harness, game, 2).audiences if c.name == "all")
    assert address == next(c.address for c in parlour(harness, game, 2).audiences if c.name == "all")
    for _ in range(2):
        told = write(harness, token_of(address), "Good day to all of you", message_id="<m1@p2.example>")
        assert told in ("said", "")
    assert read_messages(harness, game, 3) == [("p2", "Good day to all of you")]
    assert len(letters_of_talk(harness)) == 2


SENT = (
    (["BID 2"], "unsaid orders"),
    (["My plan:", "BID 2"], "unsaid orders"),
    (["STATUS"], "unsaid orders"),
    (["PASS"], "unsaid orders"),
    (["LUCK my cat"], "unsaid orders"),
    (["", "  "], "empty"),
    (["PAROLE"], "unsaid no_text"),
    (["ANONYMOUS", "Me"], "unsaid unsigned"),
    (["TALK", "BID 2 is what I might do"], "said"),
    (["I wonder whether you will pass"], "said"),
)


def test_orders_sent_to_the_wrong_address_are_told_to_nobody(state_dir: Path) -> None:
    """Text that reads like an order is said only if its writer calls it talk, and is never read as an order.

    A letter from another player's address is not said in the owner's name, and machines are not relayed.
    """
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    token = token_of(next(c.address for c in parlour(harness, game, 2).audiences if c.name == "all"))
    for lines, told in SENT[:8]:
        assert (lines, write(harness, token, *lines)) == (lines, told)
    assert write(harness, token, "I resign", sender="p1@games.test") == "wrong_seat address_shared"
    for kind in ("out of office", "bounce", "auto reply", "bulk", "loop"):
        harness.receive_email(ParsedEmail(kind, True, "reply", token, "p2@games.test", "", "", ("I am away",)))
    harness.run_queued_tasks()
    assert read_messages(harness, game, 1) == []
    for lines, told in SENT[8:]:
        assert (lines, write(harness, token, *lines)) == (lines, told)
    assert len(read_messages(harness, game, 1)) == 2
    assert harness.load_rows(SealedOrdersRow) == []


def test_talk_within_a_letter_of_orders_is_no_order(state_dir: Path) -> None:
    """PRESS TO … END is said, DIARY … END is noted, the rest is read; without END nothing is said or read."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, talk="free")
    receipt = harness.reply("s2", "BID 1", "PRESS TO Player 1, p3: Let us", "BID 7", "END", "DIARY: He is lying", "END")
    assert [(c.name, c.outcome) for c in receipt.commands] == [("press", "done"), ("diary", "done")]
    assert [s.taken for s in receipt.sets] == [True]
    assert receipt.skipped == ()
    assert read_messages(harness, game, 3) == read_messages(harness, game, 1) == [("p2", "Let us\nBID 7")]
    assert [one.text for one in parlour(harness, game, 2).diary] == ["He is lying"]
    again = harness.reply("s3", "PRESS TO all: My plan is", "BID 3")
    assert [(c.name, c.outcome) for c in again.commands] == [("press", "unended")]
    assert again.sets == ()
    bare = harness.reply("s3", "PRESS", "BID 3")
    assert [s.taken for s in bare.sets] == [True]
    assert len(read_messages(harness, game, 1)) == 1


def test_names_and_words_of_both_languages_are_understood(state_dir: Path) -> None:
    """Readers are named as players, seats, all or the master; a name that is not there is not guessed at.

    With the word PREVIEW neither talk nor diary is kept.
    """
    harness = build(state_dir)
    start_game(harness, "toy", 3)
    receipt = harness.reply("s2", "PREVIEW", "PRESS TO all: x END", "DIARY: y END")
    assert [c.outcome for c in receipt.commands if c.name in ("press", "diary")] == ["nothing", "nothing"]
    assert harness.load_rows(Message) == []
    for line, outcome in (
        ("PRESS TO nobody: x END", "no_such_reader"),
        ("PRESS TO p3: x END", "forbidden"),
        ("DIRE À tous : x FIN", "done"),
        ("PRESS TO master: x END", "done"),
        ("DIARY: END", "refused"),
        ("JOURNAL : y FIN", "done"),
    ):
        assert (line, [c.outcome for c in harness.reply("s2", line).commands]) == (line, [outcome])


def test_a_reader_may_be_named_by_the_power_that_they_play(state_dir: Path) -> None:
    """In either language, with its article; a player's own name comes first."""
    harness = build(state_dir, installed=GAMES)
    game = start_game(harness, "diplomacy", 7, powers="order")
    for line, readers in (
        ("PRESS TO England: I go west END", [2]),
        ("DIRE À l'Angleterre et à la France : rien FIN", [2, 3]),
        ("SAY TO the Germany, Rus, p7: hello END", [4, 6, 7]),
        ("SAY TO Prussia: hello END", []),
    ):
        before = {seat: len(read_messages(harness, game, seat)) for seat in range(2, 8)}
        receipt = harness.reply("s1", line)
        assert [c.outcome for c in receipt.commands] == ["done" if readers else "no_such_reader"]
        heard = [seat for seat, count in before.items() if len(read_messages(harness, game, seat)) > count]
        assert (line, heard) == (line, readers)


# --- who does not hear


@pytest.mark.both_databases
def test_a_substitute_finds_no_private_word_of_their_predecessor(state_dir: Path) -> None:
    """Secrets and diary stay with the person; public talk is there; old addresses are dead, and the first owner, back
    again, finds their own words and none of their substitute's.
    """
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, talk="free")
    say(harness, game, 1, ["s2"], "Our pact")
    say(harness, game, 3, ["all"], "Hello")
    messages.write_diary(harness.web, player(harness, 2), game, "I shall betray him", new_token())
    old = token_of(letters_of_talk(harness)[0][1].frame.links.answer)
    harness.reply("s2", "RESIGN YES")
    nora = number(harness, "nora@games.test")
    substitutes.take_over(harness.web, nora, game, "s2")
    harness.run_queued_tasks()
    assert [one.text for one in conversations.load_conversation(harness.web, nora, game).messages] == ["Hello"]
    assert conversations.load_conversation(harness.web, nora, game).diary == ()
    assert write(harness, old, "I am still here", sender="p2@games.test") == ""
    assert len(harness.load_rows(Message)) == 3
    say(harness, game, 1, ["s2"], "To the new one")
    assert conversations.load_conversation(harness.web, nora, game).messages[0].text == "To the new one"
    substitutes.return_seat(harness.web, nora, game)
    harness.run_queued_tasks()
    assert {text for _, text in read_messages(harness, game, 2)} == {"Hello", "Our pact"}
    assert all(row.revoked_at for row in harness.load_rows(Capability) if row.user_id == nora and row.seat == "s2")


def test_words_lie_in_no_file_in_the_clear(state_dir: Path) -> None:
    """Private words, diaries and who wrote them unsigned are found in no file of the state folder."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, talk="free")
    dice = random.Random(11)
    secret, noted, public = ("".join(dice.choice("bcdfghjklmnpqrstvwxz") for _ in range(14)) for _ in range(3))
    say(harness, game, 1, ["s2"], f"The word is {secret}")
    say(harness, game, 1, ["all"], f"All may know {public}")
    messages.write_diary(harness.web, player(harness, 2), game, f"Mine is {noted}", new_token())
    harness.receive_reply(harness.reply_token("s3"), ["PRESS TO p2:", secret, "END"])
    harness.run_queued_tasks()
    for name, blob in files(state_dir).items():
        assert found_in(blob, {secret, noted, public}, deep=True) == set(), name
    for address, facts in harness.sent:
        if address.to_address == "p3@games.test":
            assert found_in(dump(facts).encode(), {noted}) == set()
    assert [to for to, facts in letters_of_talk(harness) if secret in " ".join(facts.lines)] == ["p2@games.test"] * 2


def test_a_letter_of_talk_names_its_reader_and_nothing_of_its_writer(state_dir: Path) -> None:
    """The address part of a relayed letter is that of any letter of ours: its key holds no number of the letter in."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    token = token_of(next(c.address for c in parlour(harness, game, 2).audiences if c.name == "all"))
    write(harness, token, "Hi", message_id="<secret-client@p2.example>")
    address, facts = next((a, facts) for a, facts in harness.sent if a.kind == "talk")
    ids = {row.id for row in harness.load_inbound_emails()}
    assert not any(number in address.key for number in ids)
    assert facts.frame.answers == ""
    assert address.to_address == "p1@games.test"


def test_a_message_opens_in_no_row_but_its_own(state_dir: Path) -> None:
    """Two messages of private talk whose rows were exchanged in the database are shown to nobody."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, talk="free")
    say(harness, game, 1, ["s2"], "Psst")
    say(harness, game, 1, ["s3"], "Hush")
    with harness.web.db.transaction() as session:
        first, second = session.scalars(select(Message).order_by(Message.id)).all()
        one, other = first.ciphertext, second.ciphertext
        sources = first.source, second.source
        first.source = "x"
        session.flush()
        second.source, second.ciphertext = sources[0], one
        session.flush()
        first.source, first.ciphertext = sources[1], other
    for seat in (2, 3):
        with pytest.raises(TamperedError):
            read_messages(harness, game, seat)
