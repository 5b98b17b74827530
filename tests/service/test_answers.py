"""The table of answers: every family, through the real inbox, gets what the table says and nothing more."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.crypto import token_hash
from pbem.narration.facts import NOTICES
from pbem.service.archive import transfer
from pbem.service.base.services import ParsedEmail
from pbem.service.mail import delivery, inbox, inbox_queue
from pbem.service.mail.assembly import REPLY
from pbem.service.masters import api
from pbem.service.tasks import health
from pbem.service.tasks.recipients import RULES, ReplyAction, ReplyContext, ReplyRule, match_rule
from pbem.smtp_process import is_local_recipient
from pbem.store.models import Capability, Game, SealedOrdersRow, SeatRow, SeatTenure, User
from tests.service.master_commands import eliminate_seat, get_user_id
from tests.service.server_fixtures import ServerHarness, build, start_game

OWNER = "p1@games.test"
ADDRESSES = {"owner": OWNER, "table": "p2@games.test", "other": "stranger@elsewhere.test"}


@dataclass
class Stage:
    """A server in the state of a case, the token to write to, and whose address is on record for it."""

    harness: ServerHarness
    token: str
    owner: str = OWNER


def leave(harness: ServerHarness, seat: str) -> None:
    """A seat gives up."""
    eliminate_seat(harness, harness.load_rows(Game)[0].id, seat)


def live(harness: ServerHarness, case: ReplyContext) -> Stage:
    """A running game, or one that just ended, and the newest token of its first seat."""
    start_game(harness, "toy", 3)
    if case.game == "transferred":
        transfer.export(harness.resolver, harness.load_rows(Game)[0].id, transfer.load_own_key(harness.resolver))
    elif case.game == "over":
        for seat in ("s3", "s2"):
            leave(harness, seat)
    elif not case.asked:
        leave(harness, "s1")
    return Stage(harness, harness.reply_token("s1"))


def late(harness: ServerHarness, case: ReplyContext) -> Stage:
    """A token whose questions are closed, when nothing is asked any more."""
    start_game(harness, "toy", 3)
    token = harness.reply_token("s1")
    leave(harness, "s1")
    return Stage(harness, token)


def old(harness: ServerHarness, case: ReplyContext) -> Stage:
    """A token of the first turn, in the second."""
    start_game(harness, "toy", 2)
    token = harness.reply_token("s1")
    for lines in (["BID 0"], ["FOR MARCH", "PASS"]):
        for seat in ("s1", "s2"):
            harness.reply(seat, *lines)
    return Stage(harness, token)


def revoked(harness: ServerHarness, case: ReplyContext) -> Stage:
    """A token that was taken back."""
    stage = live(harness, case)
    with harness.resolver.db.transaction() as session:
        session.get_one(Capability, token_hash(REPLY, stage.token)).revoked_at = 1
    return stage


def invited(harness: ServerHarness, case: ReplyContext) -> Stage:
    """A table that is forming, and the token of the invitation to its second seat."""
    start_game(harness, "toy", 3, stop=True)
    token = next(str(a.token) for a, _ in harness.sent if a.kind == "invitation")
    if case.address_state == "seated":
        harness.receive_reply(token, ["JOIN"])
        harness.run_queued_tasks()
    if case.address_state == "join_over":
        harness.advance_time(days=31)
    return Stage(harness, token, "p2@games.test")


def mastering(harness: ServerHarness, case: ReplyContext) -> Stage:
    """A table that is forming, and the address of its host for what masters write."""
    game = start_game(harness, "toy", 3, stop=True)
    api.send_address(harness.web, get_user_id(harness, OWNER), game)
    harness.run_queued_tasks()
    return Stage(harness, next(str(a.token) for a, _ in harness.sent if a.kind == "master"))


STAGES: dict[str, Callable[[ServerHarness, ReplyContext], Stage]] = {
    "live": live,
    "late": late,
    "old": old,
    "revoked": revoked,
    "join": invited,
    "seated": invited,
    "join_over": invited,
    "master": mastering,
}


def set_stage(harness: ServerHarness, case: ReplyContext) -> Stage:
    """The situation that a case describes."""
    if case.address_state == "none":
        start_game(harness, "toy", 2)
        return Stage(harness, "zzzzzzzzzzzz" if case.letter.route == "reply" else "")
    stage = STAGES[case.address_state](harness, case)
    if case.beyond:
        harness.configure(limits={"letters": 1})
        for n in range(case.beyond):
            harness.receive_reply(stage.token, ["STATUS"], f"<before-{n}@p>")
        harness.run_queued_tasks()
    if case.repeated:
        harness.receive_reply(stage.token, ["STATUS"], "<this@p>")
        harness.run_queued_tasks()
    if case.foreign:
        hand_over(harness)
    return stage


def hand_over(harness: ServerHarness) -> None:
    """Somebody else sits on the first seat now."""
    with harness.resolver.db.transaction() as session:
        session.add(User(id=99, email="new@games.test", name="New", language="en", time_zone="UTC", created_at=0))
        session.flush()
        row = session.scalars(select(SeatRow).where(SeatRow.seat == "s1")).one()
        row.user_id = 99
        session.add(SeatTenure(game_id=row.game_id, seat="s1", user_id=99, starts_at=1))


def letter_of(case: ReplyContext, stage: Stage) -> ParsedEmail:
    """The letter of a case, from the address that it names."""
    sender = stage.owner if case.sender == "owner" else ADDRESSES[case.sender]
    return replace(case.letter, token=stage.token, from_address=sender, message_id="<this@p>", subject="My words")


def answers(harness: ServerHarness, before: int) -> list[tuple[str, str, str]]:
    """Kind, notice and address of what was sent since."""
    return [(a.kind, getattr(facts, "kind", ""), a.to_address) for a, facts in harness.sent[before:]]


def test_each_family_is_what_its_example_falls_into() -> None:
    """The example of a family belongs to it and to none before it, and its notice can be worded."""
    for family in RULES:
        assert match_rule(family.example) is family
        assert (family.outcome is ReplyAction.NOTICE) == bool(family.notice)
        assert not family.notice or family.notice in NOTICES


@pytest.mark.parametrize("family", RULES, ids=lambda f: f.name)
def test_a_letter_of_each_family_gets_what_the_table_says(family: ReplyRule, state_dir: Path) -> None:
    """A letter gets its receipt, its notice or silence, once however often it comes, at the address of record."""
    stage = set_stage(build(state_dir), family.example)
    harness, before = stage.harness, len(stage.harness.sent)
    harness.receive_email(letter_of(family.example, stage))
    harness.run_queued_tasks()
    told = answers(harness, before)
    match family.outcome:
        case ReplyAction.SILENCE:
            assert told == []
        case ReplyAction.NOTICE if family.name == "wrong_seat":
            assert told == [("notice", "wrong_seat", ADDRESSES["table"]), ("notice", "address_shared", stage.owner)]
        case ReplyAction.NOTICE:
            assert told == [("notice", family.notice, stage.owner)]
        case ReplyAction.RECEIPT:
            kind = {"join": "joined", "master": "master"}.get(family.name, "receipt")
            assert [(k, to) for k, _, to in told] == [(kind, stage.owner)]
    assert {row.state for row in harness.load_inbound_emails()} == {"processed"}
    assert not {row.id for row in harness.load_inbound_emails()} & harness.load_bodies().keys()
    assert_not_answered_again(stage, family.example)


def assert_not_answered_again(stage: Stage, case: ReplyContext) -> None:
    """The same letter, brought again by a mail server, and its task, run again, add nothing."""
    harness, before = stage.harness, len(stage.harness.sent)
    harness.receive_email(letter_of(case, stage))
    for row in harness.load_inbound_emails():
        harness.run_task("process_inbound_emails", row.id)
    harness.run_queued_tasks()
    harness.requeue_stuck_work()
    assert answers(harness, before) == []


def test_a_notice_names_the_question_that_was_closed_and_takes_the_answer(state_dir: Path) -> None:
    """An answer to the turn before is told which question that was; the notice's address takes what is asked now."""
    stage = old(build(state_dir), RULES[-1].example)
    stage.harness.receive_reply(stage.token, ["BID 3"])
    stage.harness.run_queued_tasks()
    assert stage.harness.sent_facts("notice")[-1].terms == {"asks": "bid", "turn": 1}
    token = next(str(a.token) for a, _ in reversed(stage.harness.sent) if a.kind == "notice")
    stage.harness.receive_reply(token, ["BID 0"])
    stage.harness.run_queued_tasks()
    assert stage.harness.sent_facts("receipt")[-1].sets[0].taken


def sent_to(harness: ServerHarness, seat: str) -> str:
    """The Message-ID of the last report to a seat."""
    return f"<{harness.last_recipient(seat).key}@games.test>"


def bounced(harness: ServerHarness, returned: str) -> list[str]:
    """A letter to the second seat comes back for good with this Message-ID; who is marked for it."""
    harness.receive_email(
        ParsedEmail("bounce", True, "bounce", harness.reply_token("s2"), delivery="failed", returned_id=returned)
    )
    harness.run_queued_tasks()
    return [user.email for user in harness.load_rows(User) if user.bounced_at]


def test_a_bounce_counts_with_the_message_id_of_a_letter_to_its_reader(state_dir: Path) -> None:
    """A made-up Message-ID, none, and that of a letter to another player or of another server are forged."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    own = sent_to(harness, "s2")
    for forged in ("", "<made.up@games.test>", sent_to(harness, "s1"), own.replace("games.test", "evil.test")):
        assert bounced(harness, forged) == []
    assert bounced(harness, own) == ["p2@games.test"]


def test_a_bounce_counts_after_a_copy_was_put_back(state_dir: Path) -> None:
    """Letters sent since then have longer Message-IDs, and theirs count as any."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    assert bounced(harness, sent_to(harness, "s2").replace("@", ".19a3f0c0@")) == ["p2@games.test"]


def test_a_guest_who_declines_frees_the_seat_and_the_host_is_told(state_dir: Path) -> None:
    """DECLINE voids the invitation, the host is told by name, and the seat can be offered to somebody else."""
    stage = invited(build(state_dir), RULES[-1].example)
    stage.harness.receive_reply(stage.token, ["Decline, sorry"])
    stage.harness.run_queued_tasks()
    notice = stage.harness.sent_facts("notice")[-1]
    assert (notice.kind, notice.terms) == ("declined", {"name": "p2@games.test"})
    assert answers(stage.harness, 0)[-1] == ("notice", "declined", OWNER)
    assert [row.invited_email for row in stage.harness.load_rows(SeatRow)][1] is None
    stage.harness.receive_reply(stage.token, ["JOIN"])
    stage.harness.run_queued_tasks()
    assert stage.harness.sent_facts("notice")[-1].kind == "invitation_over"


def test_what_cannot_be_handled_is_put_aside_sealed_and_its_sender_told(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A letter on which the program fails is quarantined after a few tries; its sender is told to send it again."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    monkeypatch.setattr("pbem.service.orders.filing.file_orders", lambda *_, **__: 1 / 0)
    harness.receive_reply(harness.reply_token("s1"), ["BID 3"])
    for _ in range(inbox.MOST_TRIES):
        harness.advance_time(minutes=30)
        for letter in inbox_queue.list_forgotten(harness.mailer):
            with pytest.raises(ZeroDivisionError):
                harness.run_task("process_inbound_emails", letter)
    assert [(r.state, r.error) for r in harness.load_inbound_emails()] == [("quarantined", "ZeroDivisionError")]
    delivery.deliver(harness.mailer)
    assert [n.kind for n in harness.sent_facts("notice")] == ["failed"]


def test_lines_of_our_template_that_were_changed_count(state_dir: Path) -> None:
    """A line that was uncovered where it stands, in the quotation, is an order, and the receipt says where it was."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    harness.receive_email(
        ParsedEmail("ordinary", False, "reply", harness.reply_token("s1"), quoted=True, uncommented=("BID 3",))
    )
    harness.run_queued_tasks()
    receipt = harness.sent_facts("receipt")[-1]
    assert [one.taken for one in receipt.sets] == [True]
    assert receipt.uncovered == ("BID 3",)


def test_of_a_signature_only_what_would_be_an_order_is_named(state_dir: Path) -> None:
    """What would have been read below the signature's line stands in the receipt, unread; a name alone is no text."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    signature = ("Ada, Lyon", "BID 3", "Sent from my phone")
    for lines in ((), ("BID 1",)):
        harness.receive_email(
            ParsedEmail("ordinary", False, "reply", harness.reply_token("s1"), lines=lines, signature=signature)
        )
        harness.run_queued_tasks()
        receipt = harness.sent_facts("receipt")[-1]
        assert receipt.signed == ("BID 3",)
        assert [one.lines[0].written for one in receipt.sets] == list(lines)
    for quoted in (False, True):
        harness.receive_email(
            ParsedEmail("empty", False, "reply", harness.reply_token("s1"), quoted=quoted, signature=("Ada", "Lyon"))
        )
    harness.run_queued_tasks()
    assert sorted(n.kind for n in harness.sent_facts("notice")) == ["empty", "quoted_only"]


def test_a_letter_to_another_players_address_is_answered_to_its_writer(state_dir: Path) -> None:
    """Each such letter tells its writer which address is theirs, and it takes orders; the owner is told once."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    before = len(harness.sent)
    for number in range(3):
        harness.receive_reply(harness.reply_token("s1"), ["BID 3"], f"<{number}@x>", ADDRESSES["table"])
        harness.run_queued_tasks()
    to_writer, to_owner = ("notice", "wrong_seat", ADDRESSES["table"]), ("notice", "address_shared", OWNER)
    assert sorted(answers(harness, before)) == sorted([to_writer, to_writer, to_writer, to_owner])
    token = next(str(a.token) for a, facts in reversed(harness.sent) if getattr(facts, "kind", "") == "wrong_seat")
    harness.receive_reply(token, ["BID 2"], sender=ADDRESSES["table"])
    harness.run_queued_tasks()
    assert harness.sent_facts("receipt")[-1].sets[0].taken
    assert harness.sent[-1][0].to_address == ADDRESSES["table"]


AWAY = "I am out of the office until Monday and have limited access to my e-mail."


def test_a_machine_that_names_itself_in_its_words_is_not_answered_but_orders_count(state_dir: Path) -> None:
    """No address of ours answers it; orders that a person wrote beside such words are taken and receipted."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    api.send_address(harness.web, get_user_id(harness, OWNER), game)
    harness.run_queued_tasks()
    own = harness.reply_token("s1")
    start_game(harness, "toy", 3, stop=True)
    before = len(harness.sent)
    tokens = [str(a.token) for a, _ in harness.sent if a.kind in ("invitation", "master", "started")]
    assert len(tokens) == 6
    for token in tokens:
        harness.receive_email(ParsedEmail("ordinary", False, "reply", token, lines=(AWAY,), machine=True))
    harness.run_queued_tasks()
    assert answers(harness, before) == []
    harness.receive_email(ParsedEmail("ordinary", False, "reply", own, lines=(AWAY, "BID 3"), machine=True))
    harness.run_queued_tasks()
    assert [one.taken for one in harness.sent_facts("receipt")[-1].sets] == [True]


def test_orders_count_beyond_the_limit_and_only_answers_are_held_back(state_dir: Path) -> None:
    """Beyond the hour's letters orders that stand are taken; one notice says so, and one receipt comes afterwards."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    harness.configure(limits={"letters": 2})
    for number in range(12):
        harness.receive_reply(harness.reply_token("s1"), ["Nobody is here to read this"], f"<{number}@robot>")
        harness.run_queued_tasks()
    before = len(harness.sent)
    assert [n.kind for n in harness.sent_facts("notice")] == ["answers_wait"]
    for bid in (1, 2, 3):
        harness.receive_reply(harness.reply_token("s1"), [f"BID {bid}"], f"<{bid}@p>")
        harness.run_queued_tasks()
    assert answers(harness, before) == []
    harness.reply("s2", "BID 0")
    harness.advance_time(minutes=61)
    harness.requeue_stuck_work()
    late = [facts for a, facts in harness.sent[before:] if a.kind == "receipt" and a.seat == "s1"]
    assert [line.written for facts in late for one in facts.sets for line in one.lines] == ["BID 3"]
    harness.reply("s1", "FOR MARCH", "PASS")
    harness.reply("s2", "FOR MARCH", "PASS")
    assert harness.load_game(game).entry > 1


# --- the address that letters come from, and what was not answered


def to_table(harness: ServerHarness, game: str, sender: str, *lines: str) -> None:
    """A letter to the From address of a table."""
    harness.receive_email(
        ParsedEmail("ordinary", False, "table", game, sender, f"<{len(harness.received)}@p>", lines=lines)
    )
    harness.run_queued_tasks()


def test_a_letter_to_the_from_address_is_answered_with_the_way_to_write(state_dir: Path) -> None:
    """A player, and a guest, is told each time at the address of record where to write; nothing is acted on."""
    harness = build(state_dir)
    game, forming = start_game(harness, "toy", 2), start_game(harness, "toy", 3, stop=True)
    before = len(harness.sent)
    to_table(harness, forming, "p3@games.test", "YES")
    assert answers(harness, before) == [("notice", "how_to_write", "p3@games.test")]
    assert [row.user_id for row in harness.load_rows(SeatRow) if row.game_id == forming][1:] == [None, None]
    before = len(harness.sent)
    for _ in range(3):
        to_table(harness, game, OWNER, "BID 3")
    assert answers(harness, before) == [("notice", "how_to_write", OWNER)] * 3
    assert not [row for row in harness.load_rows(SealedOrdersRow) if row.kind == "orders"]
    harness.receive_reply(next(str(a.token) for a, _ in reversed(harness.sent) if a.kind == "notice"), ["BID 2"])
    harness.run_queued_tasks()
    assert harness.sent_facts("receipt")[-1].sets[0].taken


def test_a_stranger_at_the_from_address_gets_nothing(state_dir: Path) -> None:
    """From is forged easily: nobody else is answered, and the operator can see why."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    before = len(harness.sent)
    to_table(harness, game, ADDRESSES["other"], "BID 3")
    to_table(harness, "zzzzzzzzzzzz", OWNER, "BID 3")
    harness.receive_email(ParsedEmail("ordinary", False, "table", game, OWNER, lines=("I am away",), machine=True))
    harness.receive_email(ParsedEmail("ordinary", False, "reply", "zzzzzzzzzzzz", OWNER, lines=("BID 3",)))
    harness.receive_email(
        ParsedEmail("ordinary", False, "reply", harness.reply_token("s1"), OWNER, lines=("I am away",), machine=True)
    )
    harness.run_queued_tasks()
    assert answers(harness, before) == []
    why = [reason for _, reason in health.list_unanswered(harness.web, 1)]
    assert sorted(why) == ["machine", "to_table_address", "to_table_address", "to_table_address", "unknown_token"]
    harness.advance_time(days=2)
    assert health.list_unanswered(harness.web, 1) == []


def test_the_door_knows_the_addresses_that_were_given(state_dir: Path) -> None:
    """A wrong letter in an address is refused at the door; so is one that was never given to bounces."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, stop=True)
    token = next(str(a.token) for a, _ in harness.sent if a.kind == "invitation")
    wrong = token[:-1] + ("b" if token[-1] != "b" else "c")
    good = [f"o+{token}", f"O+{token.upper()}", f"t+{game}", f"b+{token}", "b+desk00", "t+desk00", "t+probe0"]
    bad = [f"o+{wrong}", f"t+{wrong}", f"b+{wrong}", "o+desk00", "ada", f"x+{token}", ""]
    assert [name for name in good if not is_local_recipient(harness.smtp, f"{name}@games.test")] == []
    assert [name for name in bad if is_local_recipient(harness.smtp, f"{name}@games.test")] == []
    assert not is_local_recipient(harness.smtp, f"o+{token}@elsewhere.test")


def test_a_line_that_may_be_an_order_gone_wrong_is_asked_about(state_dir: Path) -> None:
    """What is shouted like an order, and is none, stands in the receipt as not understood; ordinary talk does not."""
    harness = build(state_dir)
    start_game(harness, "toy", 3)
    receipt = harness.reply("s1", "BESIEGE FIRENZE WITH 8", "See you on Sunday", "BID 1")
    assert receipt.doubtful == ("BESIEGE FIRENZE WITH 8",)
    assert [text for _, text in receipt.skipped] == ["BESIEGE FIRENZE WITH 8", "See you on Sunday"]
