"""A new address once both ends have agreed, and being forgotten once no table under way has one."""

import io
import re
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.verify import PROVEN, verify
from pbem.crypto import new_token
from pbem.service.access import users
from pbem.service.archive import files
from pbem.service.base.services import RequestRefused
from pbem.service.channels import chat
from pbem.service.messages import messages
from pbem.service.seats import accounts, deputies, open_tables, sign_in, spectators, substitutes, tables
from pbem.service.tasks import jobs
from pbem.store.models import AccountDeletion, AddressChange, Application, Base, Deputy, Game, SeatRow, User
from tests.archive.bots import play_on
from tests.service.master_commands import MASTER, get_user_id, send_commands, send_confirmed, start_mastered_game
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.test_deputies import ZOE, named, standing
from tests.service.timed_games import load_punctuality

NEW = "new@elsewhere.test"


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A server without tables."""
    return build(state_dir)


def letters(harness: ServerHarness, kind: str) -> list[tuple[str, Any]]:
    """To whom a letter about what is kept of them went, and what it says."""
    return [(to.to_address, facts) for to, facts in harness.sent if to.kind == "account" and facts.kind == kind]


def link(harness: ServerHarness, kind: str) -> str:
    """What the last letter of a kind agrees by."""
    return str(letters(harness, kind)[-1][1].frame.links.act.rpartition("/")[2])


def request_address_change(harness: ServerHarness, number: int, address: str = NEW) -> tuple[str, str]:
    """Ask for another address: the links of the old end and of the new."""
    sign_in.request_address_change(harness.web, number, address)
    harness.run_queued_tasks()
    return link(harness, "move_old"), link(harness, "move_new")


def test_an_address_changes_once_both_ends_agree(harness: ServerHarness) -> None:
    """A letter goes to each end, which names the other masked; after both have agreed letters go to the new one.

    Links that lie in the old mailbox sign nobody in any more, and have nobody forgotten.
    """
    number = get_user_id(harness, "p1@games.test")
    accounts.request_deletion(harness.web, number)
    harness.run_queued_tasks()
    forgets = link(harness, "forget")
    signs_in = sign_in.create_sign_in_link(harness.web, number).rpartition("/")[2]
    old, new = request_address_change(harness, number)
    assert letters(harness, "move_old")[0][1].about == "n…@elsewhere.test"
    assert letters(harness, "move_new")[0][1].about == "p…@games.test"
    assert [letters(harness, kind)[0][0] for kind in ("move_old", "move_new")] == ["p1@games.test", NEW]
    assert sign_in.confirm_change(harness.web, new) == "half"
    assert [row.email for row in harness.load_rows(User) if row.id == number] == ["p1@games.test"]
    assert sign_in.confirm_change(harness.web, old) == "done"
    harness.run_queued_tasks()
    assert [row.email for row in harness.load_rows(User) if row.id == number] == [NEW]
    assert letters(harness, "moved")[0][0] == NEW
    assert harness.load_rows(AddressChange) == []
    assert sign_in.redeem_link(harness.web, signs_in) is None
    assert accounts.confirm_deletion(harness.web, forgets) is None


@pytest.mark.parametrize("gone", ["forgotten", "moved"])
def test_who_said_yes_for_an_address_and_gave_it_up_moves_nobody(harness: ServerHarness, gone: str) -> None:
    """The yes of the new end was said of that address: a person is not called by one that nobody agreed to."""
    number, other = get_user_id(harness, "p1@games.test"), get_user_id(harness, NEW)
    old, new = request_address_change(harness, number)
    assert sign_in.confirm_change(harness.web, new) == "half"
    if gone == "forgotten":
        accounts.request_deletion(harness.web, other)
        harness.run_queued_tasks()
        assert accounts.confirm_deletion(harness.web, link(harness, "forget"))
    else:
        for token in request_address_change(harness, other, "third@elsewhere.test"):
            sign_in.confirm_change(harness.web, token)
    assert sign_in.confirm_change(harness.web, old) == ""
    assert [row.email for row in harness.load_rows(User) if row.id == number] == ["p1@games.test"]


def test_an_invitation_to_the_new_address_is_theirs(harness: ServerHarness) -> None:
    """The link that lies in the new mailbox takes the seat for them, and so does the page."""
    number = get_user_id(harness, "p1@games.test")
    tokens = []
    for name in ("Rose", "Iris"):
        host = get_user_id(harness, f"{name}@games.test")
        game = tables.create(harness.web, host, "toy", name, 2, {})
        harness.run_queued_tasks()
        tables.invite(harness.web, game, host, [NEW])
        harness.run_queued_tasks()
        tokens.append((game, harness.sent_facts("invitation")[-1].frame.links.act.rpartition("/")[2]))
    for token in request_address_change(harness, number):
        came = sign_in.confirm_change(harness.web, token)
    assert came == "done"
    tables.join(harness.web, tokens[0][1])
    tables.join_signed_in(harness.web, number, tokens[1][0])
    assert [row.user_id for row in harness.load_rows(SeatRow) if row.seat == "s2"] == [number, number]


@pytest.mark.both_databases
def test_a_game_goes_on_under_the_new_address(harness: ServerHarness) -> None:
    """Orders from the new address count, those on file stay, and play believes that the seat is held as before."""
    game = start_game(harness, "toy", 2)
    number = get_user_id(harness, "p1@games.test")
    old, new = request_address_change(harness, number)
    sign_in.confirm_change(harness.web, old)
    assert sign_in.confirm_change(harness.web, new) == "done"
    harness.run_queued_tasks()
    harness.receive_reply(harness.reply_token("s1"), ["BID 2"], sender=NEW)
    harness.run_queued_tasks()
    assert harness.sent_facts("receipt")[-1].frame.reader.seat == "s1"
    assert "other_address" not in {facts.kind for facts in harness.sent_facts("notice")}
    before = harness.load_game(game).entry
    harness.reply("s2", "BID 1")
    assert harness.load_game(game).entry > before
    assert harness.load_game(game).failure is None
    assert load_punctuality(harness, number)[2] == 1


def test_links_end_after_three_days_and_with_a_newer_wish(harness: ServerHarness) -> None:
    """An old link agrees to nothing, nor does that of a wish in whose place another came."""
    number = get_user_id(harness, "p1@games.test")
    first, _ = request_address_change(harness, number)
    old, new = request_address_change(harness, number, "other@elsewhere.test")
    assert sign_in.confirm_change(harness.web, first) == ""
    harness.advance_time(days=4)
    assert (sign_in.confirm_change(harness.web, old), sign_in.find_change(harness.web, new)) == ("", None)


def test_wishes_are_limited(harness: ServerHarness) -> None:
    """A stranger's address gets few letters in a day whoever asks, and a person can ask few times within the hour."""
    for number in range(5):
        sign_in.request_address_change(harness.web, get_user_id(harness, f"a{number}@games.test"), NEW)
    harness.run_queued_tasks()
    assert len(letters(harness, "move_old")) == 5
    assert len(letters(harness, "move_new")) == 3
    one = get_user_id(harness, "p1@games.test")
    for number in range(6):
        sign_in.request_address_change(harness.web, one, f"b{number}@games.test")
    with pytest.raises(RequestRefused, match="too_often"):
        sign_in.request_address_change(harness.web, one, "b6@games.test")


# --- being forgotten


@pytest.mark.both_databases
def test_who_is_forgotten_leaves_no_address_name_or_session(harness: ServerHarness) -> None:
    """The link in a letter does it, within a day; no address, name or capability is left, and the address is free."""
    number = get_user_id(harness, "p1@games.test")
    session = users.open_session(harness.web, number)
    accounts.request_deletion(harness.web, number)
    harness.run_queued_tasks()
    late = link(harness, "forget")
    harness.advance_time(days=2)
    assert accounts.confirm_deletion(harness.web, late) is None
    accounts.request_deletion(harness.web, number)
    harness.run_queued_tasks()
    assert letters(harness, "forget")[-1][0] == "p1@games.test"
    assert accounts.is_valid_deletion(harness.web, link(harness, "forget"))
    assert accounts.confirm_deletion(harness.web, link(harness, "forget")) is True
    (row,) = [one for one in harness.load_rows(User) if one.id == number]
    assert (row.email, row.name, row.unsubscribe_token_ciphertext) == (f"{number}@forgotten.invalid", "", None)
    assert users.user_of_session(harness.web, session) is None
    assert get_user_id(harness, "p1@games.test") != number


def forget(harness: ServerHarness, address: str) -> bool | None:
    """Whoever has this address is forgotten, as far as they can be now."""
    accounts.request_deletion(harness.web, get_user_id(harness, address))
    harness.run_queued_tasks()
    done = accounts.confirm_deletion(harness.web, link(harness, "forget"))
    harness.run_queued_tasks()
    return done


def test_no_row_holds_the_address_of_who_is_forgotten(harness: ServerHarness) -> None:
    """It stands neither at the seat that they were invited to and took, nor at one to which they never answered."""
    start_game(harness, "toy", 2, stop=True)
    play_on(harness, start_game(harness, "toy", 2, turns="1"))
    assert forget(harness, "p2@games.test") is True
    with harness.web.db.snapshot() as session:
        rows = [row for table in Base.metadata.sorted_tables for row in session.execute(table.select())]
    assert "p1@games.test" in repr(rows)
    assert "p2@games.test" not in repr(rows)


def test_a_table_that_forms_does_without_who_is_forgotten(harness: ServerHarness) -> None:
    """A table of theirs is given up, and who sits there is told; their seat at another's is free."""
    theirs, others = (
        tables.create(harness.web, get_user_id(harness, f"{host}@games.test"), "toy", host, 3, {})
        for host in ("ada", "eva")
    )
    harness.run_queued_tasks()
    for game, guest in ((theirs, "eva"), (others, "ada")):
        open_tables.set_open(harness.web, game, on=True)
        open_tables.join_table(harness.web, get_user_id(harness, f"{guest}@games.test"), game)
    accounts.request_deletion(harness.web, get_user_id(harness, "ada@games.test"))
    harness.run_queued_tasks()
    harness.receive_reply(link(harness, "forget"), ["YES"], sender="ada@games.test")
    harness.run_queued_tasks()
    assert [row.state for row in harness.load_inbound_emails()] == ["processed"]
    assert [game.id for game in harness.load_rows(Game)] == [others]
    assert [row.user_id is None for row in harness.load_rows(SeatRow)] == [False, True, True]
    assert harness.notification_kinds("eva@games.test") == ["cancelled"]


def test_nobody_waits_for_who_is_forgotten(harness: ServerHarness) -> None:
    """They are no deputy and no spectator any more, and every invitation, offer and application of theirs is over.

    Whoever waited for their answer is told; the absence that they were to cover counts as one without a deputy.
    """
    offered, watched = start_mastered_game(harness, 2), start_game(harness, "toy", 2, watchers="open")
    send_confirmed(harness, offered, f"REPLACE p2 BY {ZOE}", who=MASTER)
    spectators.follow(harness.web, get_user_id(harness, ZOE), watched)
    forming, host = start_game(harness, "toy", 4, stop=True), get_user_id(harness, "p1@games.test")
    tables.revoke_invitation(harness.web, forming, host, "s2")
    tables.invite(harness.web, forming, host, [ZOE])
    tables.revoke_invitation(harness.web, forming, host, "s3")
    open_tables.set_open(harness.web, forming, on=True)
    send_commands(harness, forming, "APPROVAL ON")
    open_tables.join_table(harness.web, get_user_id(harness, ZOE), forming)
    harness.run_queued_tasks()
    harness.advance_time(days=1)  # one address is asked a few times a day
    game, asked_only = start_game(harness, "toy", 3), start_game(harness, "toy", 2)
    standing(harness, game)
    named(harness, asked_only, 1)
    before = len(harness.sent)
    assert forget(harness, ZOE) is True
    assert [row.end_reason for row in harness.load_rows(Deputy)] == ["refused", "refused"]
    assert [row.outcome for row in harness.load_rows(Application)] == ["declined", "withdrawn"]
    assert spectators.load_spectators(harness.web, watched) == ()
    told = [facts.kind for address, facts in harness.sent[before:] if address.kind == "notice"]
    assert Counter(told) == {"deputy_ended": 3, "deputy_over": 1, "deputy_refused": 1, "declined": 1}
    assert [facts.lead[0].code for address, facts in harness.sent[before:] if address.kind == "master"] == [
        "offer_declined"
    ]
    deputies.invite(harness.web, get_user_id(harness, "p2@games.test"), game, "otto@games.test", 1)


@pytest.mark.both_databases
def test_a_table_under_way_passes_on_first(harness: ServerHarness) -> None:
    """Their seat is offered and they are signed out; once another sits there, the next tidying forgets them.

    An account elsewhere signs them in no more either.
    """
    game = start_game(harness, "toy", 3)
    number = get_user_id(harness, "p2@games.test")
    assert chat.link_account(harness.web, chat.create_link_code(harness.web, number), "42", "p2") is not None
    accounts.request_deletion(harness.web, number)
    harness.run_queued_tasks()
    assert accounts.confirm_deletion(harness.web, link(harness, "forget")) is False
    assert chat.find_user(harness.web, "42") is None
    harness.run_queued_tasks()
    jobs.delete_expired_rows(harness.mailer)
    assert [row.user_id for row in harness.load_rows(AccountDeletion)] == [number]
    substitutes.take_over(harness.web, get_user_id(harness, "nora@players.test"), game, "s2")
    harness.run_queued_tasks()
    jobs.delete_expired_rows(harness.mailer)
    assert harness.load_rows(AccountDeletion) == []
    assert [row.name for row in harness.load_rows(User) if row.id == number] == [""]


@pytest.mark.both_databases
def test_a_finished_game_calls_them_by_their_seat_and_its_proofs_hold(harness: ServerHarness) -> None:
    """The file of a finished game is written anew without the name; chain, draws and adjudication hold as before."""
    game = start_game(harness, "toy", 2, turns="1", talk="free")
    for speaker in ("p1@games.test", "p2@games.test"):  # each has an address to answer the other
        messages.send(harness.web, get_user_id(harness, speaker), game, ["all"], "a word to you all", new_token())
    play_on(harness, game)
    harness.run_queued_tasks()
    name = next(row.name for row in harness.load_rows(User) if row.email == "p2@games.test")
    before = files.load_file(harness.web, game)
    assert before is not None
    assert called(before, name)
    accounts.request_deletion(harness.web, get_user_id(harness, "p2@games.test"))
    harness.run_queued_tasks()
    assert accounts.confirm_deletion(harness.web, link(harness, "forget")) is True
    harness.requeue_stuck_work()
    after = files.load_file(harness.web, game)
    assert after is not None
    assert not called(after, name)
    assert [row.failure for row in harness.load_rows(Game)] == [None]
    assert verify(after, installed=harness.resolver.installed).code == PROVEN


def called(blob: bytes, name: str) -> bool:
    """Return True if a file has a name in it."""
    return any(re.search(rf"\b{re.escape(name)}\b", text) for text in parts(blob).values())


def parts(blob: bytes) -> dict[str, str]:
    """The members of a file, as text."""
    with zipfile.ZipFile(io.BytesIO(blob)) as file:
        return {name.partition(".")[0]: file.read(name).decode() for name in file.namelist()}
