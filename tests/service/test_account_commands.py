"""A player who has only mail: another address, being forgotten, and what is kept of them, all by letters."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.crypto import new_token
from pbem.service.base.services import ParsedEmail, Services
from pbem.service.messages import messages
from pbem.service.messages.messages import MessageContent
from pbem.service.pages import data_export
from pbem.store.database import in_transaction
from pbem.store.models import AccountDeletion, AddressChange, Game, Message, User
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.form_browser import Browser, site

OLD, NEW = "p2@games.test", "new@elsewhere.test"


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A game under way, with a player at p2@games.test in the second seat."""
    made = build(state_dir)
    start_game(made, "toy", 2)
    return made


def wrote(harness: ServerHarness, *lines: str, sender: str = OLD) -> Any:
    """A letter to the second seat's address; what its receipt says of each command."""
    before = len(harness.sent_facts("receipt"))
    harness.receive_reply(harness.reply_token("s2"), lines, sender=sender)
    harness.run_queued_tasks()
    receipts = harness.sent_facts("receipt")[before:]
    return [(one.name, one.outcome) for facts in receipts for one in facts.commands]


def account_emails(harness: ServerHarness) -> list[tuple[str, str]]:
    """To whom letters about what is kept went, and of which kind."""
    return [(to.to_address, facts.kind) for to, facts in harness.sent if to.kind == "account"]


def answered(
    harness: ServerHarness, kind: str, *lines: str, sender: str, machine: bool = False
) -> list[tuple[str, str]]:
    """A letter in answer to the last one of a kind, from an address; the letters that come of it."""
    before = len(account_emails(harness))
    token = [to.token for to, facts in harness.sent if to.kind == "account" and facts.kind == kind][-1]
    letter = ParsedEmail("ordinary", False, "reply", str(token), sender, "", "Re:", tuple(lines), machine=machine)
    harness.receive_email(letter)
    harness.run_queued_tasks()
    return account_emails(harness)[before:]


def address(harness: ServerHarness) -> str | None:
    """Where the letters of the second seat go."""
    with harness.web.db.snapshot() as session:
        return session.scalar(select(User.email).where(User.email.in_((OLD, NEW))).order_by(User.id))


@pytest.mark.parametrize("line", [f"MY ADDRESS {NEW}", f"New address: {NEW}", f"MON ADRESSE {NEW}"])
def test_an_address_is_changed_by_letters_alone(harness: ServerHarness, line: str) -> None:
    """The command writes to both ends; after a yes from each the address is another, and before that it is not."""
    assert wrote(harness, "STATUS", "My address has changed, I think.") == [("status", "done")], "this is talk"
    assert wrote(harness, line) == [("address", "done")]
    assert account_emails(harness) == [(OLD, "move_old"), (NEW, "move_new")]
    assert answered(harness, "move_new", "What is this?", sender=NEW) == [(NEW, "unsure")]
    assert answered(harness, "unsure", "YES", sender=NEW) == [(NEW, "half")]
    assert answered(harness, "move_old", "YES", sender=OLD, machine=True) == []
    assert address(harness) == OLD
    assert answered(harness, "move_old", "Oui", sender=OLD) == [(NEW, "moved")]
    assert address(harness) == NEW
    assert wrote(harness, "STATUS", sender=NEW) == [("status", "done")]


def test_a_yes_from_elsewhere_changes_nothing(harness: ServerHarness) -> None:
    """Who knows where to answer, but writes from another address, agrees to nothing; the end is told."""
    wrote(harness, f"MY ADDRESS {NEW}")
    assert answered(harness, "move_old", "YES", sender=NEW) == [(OLD, "elsewhere")]
    assert answered(harness, "move_new", "YES", sender=OLD) == [(NEW, "elsewhere")]
    assert [(row.old_confirmed_at, row.new_confirmed_at) for row in harness.load_rows(AddressChange)] == [(None, None)]


@pytest.mark.parametrize("end", ["move_old", "move_new"])
def test_a_no_at_either_end_ends_it(harness: ServerHarness, end: str) -> None:
    """After a no nothing comes of it, though the other end says yes."""
    senders = {"move_old": OLD, "move_new": NEW}
    wrote(harness, f"MY ADDRESS {NEW}")
    assert answered(harness, end, "NO", sender=senders[end]) == [(senders[end], "kept")]
    other = next(kind for kind in senders if kind != end)
    assert answered(harness, other, "YES", sender=senders[other]) == [(senders[other], "over")]
    assert address(harness) == OLD


def test_an_address_of_another_player_is_not_taken(harness: ServerHarness) -> None:
    """Only a yes from there learns that it is taken; who asked is told the same as of any other."""
    assert wrote(harness, "MY ADDRESS p1@games.test") == [("address", "done")]
    assert answered(harness, "move_new", "YES", sender="p1@games.test") == [("p1@games.test", "taken")]
    assert answered(harness, "move_old", "YES", sender=OLD) == [(OLD, "half")]
    assert address(harness) == OLD


def test_what_is_no_new_address_is_said(harness: ServerHarness) -> None:
    """A command that lacks an address, or names an unfit one, is told what to write, and writes to nobody."""
    said = [wrote(harness, line) for line in ("MY ADDRESS", f"MY ADDRESS {OLD}", "MY ADDRESS a@b@c")]
    assert said == [[("address", "unsure")], [("address", "refused")], [("address", "refused")]]
    assert account_emails(harness) == []


def test_what_is_kept_of_a_person_is_asked_for_from_their_own_address(harness: ServerHarness) -> None:
    """Orders count from any address, these commands from one alone; below PREVIEW they are read and not done.

    A few may be asked for within the hour: after six a receipt says that it was too much.
    """
    for line in (f"MY ADDRESS {NEW}", "FORGET ME", "MY FILE"):
        assert [outcome for _, outcome in wrote(harness, line, sender="else@where.test")] == ["elsewhere"]
        assert "nothing" in [outcome for _, outcome in wrote(harness, "PREVIEW", line)]
        assert account_emails(harness) == []
    harness.advance_time(hours=1)
    said = [wrote(harness, "FORGET ME")[0][1] for _ in range(7)]
    assert said == ["done"] * 6 + ["often"]


@pytest.mark.parametrize("line", ["FORGET ME", "Oubliez-moi"])
def test_one_is_forgotten_by_letters_alone(harness: ServerHarness, line: str) -> None:
    """The command asks once more; a yes to that letter offers the seat, and all goes when it has passed."""
    assert wrote(harness, line) == [("forget", "done")]
    assert (account_emails(harness), harness.load_rows(AccountDeletion)) == ([(OLD, "forget")], [])
    assert answered(harness, "forget", "YES", sender=OLD) == [(OLD, "leaving")]
    assert len(harness.load_rows(AccountDeletion)) == 1


def test_nobody_is_forgotten_from_elsewhere_or_too_late(harness: ServerHarness) -> None:
    """A yes from another address, and one after a day, do nothing; a no ends it."""
    wrote(harness, "FORGET ME")
    assert answered(harness, "forget", "YES", sender=NEW) == [(OLD, "elsewhere")]
    harness.advance_time(days=2)
    assert answered(harness, "forget", "YES", sender=OLD) == [(OLD, "over")]
    wrote(harness, "FORGET ME")
    assert answered(harness, "forget", "NO", sender=OLD) == [(OLD, "kept")]
    assert answered(harness, "forget", "YES", sender=OLD) == [(OLD, "over")]
    assert harness.load_rows(AccountDeletion) == []


@pytest.mark.parametrize("line", ["MY FILE", "MES DONNÉES"])
def test_what_is_kept_comes_as_a_file(harness: ServerHarness, line: str) -> None:
    """All that is kept of the writer comes to their address as JSON: the file that the page gives."""
    assert wrote(harness, line) == [("file", "sent")]
    ((to, facts),) = [(to, facts) for to, facts in harness.sent if to.kind == "account"]
    assert (to.to_address, facts.kind) == (OLD, "file")
    assert json.loads(facts.file)["person"][0]["email"] == OLD
    assert "p1@games.test" not in facts.file
    number = number_of(harness)
    page = Browser(site(harness)).sign_in(harness, number).get("/settings/privacy.json")
    assert (
        page.data.decode()
        == data_export.export_for_email(harness.mailer, number)
        == data_export.export_json(harness.web, number)
    )


def number_of(harness: ServerHarness) -> int:
    """The number of the second seat's player."""
    with harness.web.db.snapshot() as session:
        return session.scalars(select(User.id).where(User.email == OLD)).one()


def test_the_file_is_put_together_before_anything_is_locked(
    harness: ServerHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has much kept of them holds up nobody: no transaction that writes is open meanwhile."""
    open_then = list[bool]()
    export = data_export.export_user

    def about(*words: Any) -> dict[str, Any]:
        open_then.append(in_transaction())
        return export(*words)

    monkeypatch.setattr(data_export, "export_user", about)
    assert wrote(harness, "MY FILE") == [("file", "sent")]
    assert open_then == [False]


def test_nothing_is_put_together_for_who_may_not_have_it(
    harness: ServerHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A letter from elsewhere, or one too many within the hour, costs no reading of what is kept."""
    for _ in range(6):
        wrote(harness, "MY FILE")
    monkeypatch.setattr(data_export, "export_user", lambda *words: pytest.fail("it was read"))
    assert wrote(harness, "MY FILE", sender="else@where.test") == [("file", "elsewhere")]
    assert wrote(harness, "MY FILE") == [("file", "often")]


def test_what_no_letter_holds_lies_on_a_page(harness: ServerHarness) -> None:
    """Where the file is larger than a letter may be, a letter says so and names the page that has it."""
    harness.configure(max_message_bytes=500)
    assert wrote(harness, "MY FILE") == [("file", "sent")]
    ((to, facts),) = [(to, facts) for to, facts in harness.sent if to.kind == "account"]
    assert (to.to_address, facts.kind, facts.file) == (OLD, "large", "")
    assert facts.frame.links.act == f"{harness.web.public_url}/settings/privacy"


def test_no_more_is_read_than_a_letter_holds(harness: ServerHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who said a thousand things has the first of them opened, not all, before a letter gives up."""
    number, game = number_of(harness), harness.load_rows(Game)[0].id
    for one in range(30):
        messages.write_diary(harness.web, number, game, f"{one}: {'x' * 400}", new_token())
    opened = list[int]()

    def unseal(services: Services, row: Message) -> MessageContent:
        opened.append(row.id)
        return messages.unseal(services, row)

    monkeypatch.setattr(data_export, "unseal", unseal)
    harness.configure(max_message_bytes=len(data_export.export_json(harness.web, number)) * 10 // 7 - 10_000)
    assert len(opened) == 30
    assert data_export.export_for_email(harness.mailer, number) is None
    assert 30 < len(opened) < 60
