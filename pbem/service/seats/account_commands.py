"""What somebody asks by letter about what is kept of them: another address, being forgotten, all of it as a file.

A player may have only mail, so each goes without a page.  The command itself changes nothing: it brings letters to the
addresses that must agree, each with an address of its own to say yes to.  From is forged easily, but only who reads a
mailbox knows what was written to it; a letter from elsewhere changes nothing, even so.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from engine.kernel.parsed import Command
from pbem.common.addresses import is_address, normalize
from pbem.service.access.tokens import revoke
from pbem.service.base import limits
from pbem.service.base.consent import parse_consent
from pbem.service.base.services import ParsedEmail, RequestRefused, Services
from pbem.service.seats import account_deletion, address_change
from pbem.service.seats.account_deletion import FORGET
from pbem.service.seats.address_change import MOVE, enqueue_account_email
from pbem.store.models import Capability, User

ADDRESS, LEAVE, FILE = "address", "forget", "file"
COMMANDS: Final = frozenset({ADDRESS, LEAVE, FILE})
PAGE: Final = "settings/kept"
"""Where a person who is signed in gets their file."""
ASKED: Final = frozenset({MOVE, FORGET})
"""The purposes of addresses that a yes is sent to."""


@dataclass(frozen=True)
class CommandCount:
    """What was counted of a letter before its transaction: whether its writer, and the new address, had enough."""

    is_rate_limited: bool = False
    enough: bool = False


def count_commands(services: Services, user: User, commands: Iterable[Command]) -> CommandCount:
    """Count what a letter asks of this; counting takes its time, so it is done outside of any transaction."""
    asked = [command for command in commands if command.name in COMMANDS]
    if not asked:
        return CommandCount()
    often = limits.is_exceeded(services, "address_changes", str(user.id))
    to = next((command.word for command in asked if command.name == ADDRESS and is_address(command.word)), "")
    return CommandCount(often, bool(to) and not often and address_change.is_rate_limited(services, to))


def may_get_file(commands: Iterable[Command], found: CommandCount) -> bool:
    """Return True if a letter from a person's own address asks for what is kept of them, and gets it."""
    return not found.is_rate_limited and any(command.name == FILE and command.problem is None for command in commands)


def parse_command(services: Services, session: Session, user: User, command: Command, found: CommandCount) -> str:
    """Do what a command in a letter from a person's own address asks; what came of it.

    `done`: letters go to whom must agree. `sent`: the caller sends the file. `unsure`: no address is named.
    `refused`: it is none, or their own. `often`: too many within the hour.
    """
    if command.name == ADDRESS and not command.word:
        return "unsure"
    if found.is_rate_limited:
        return "often"
    if command.name == FILE:
        return "sent"
    if command.name == LEAVE:
        account_deletion.enqueue_request(services, session, user)
        return "done"
    try:
        address_change.enqueue_request(services, session, user, command.word, enough=found.enough)
    except RequestRefused:
        return "refused"
    return "done"


def enqueue_file(services: Services, session: Session, user: User, file: str | None) -> None:
    """The letter with what is kept of a person; without a file it says which page has it."""
    if file is None:
        enqueue_account_email(services, session, user, "large", page=PAGE)
    else:
        enqueue_account_email(services, session, user, "file", file=file)


def execute_email(services: Services, session: Session, asked: Capability, letter: ParsedEmail) -> None:
    """Take the answer of one end, if it comes from there; a letter to that end tells what came of it."""
    user = session.get(User, asked.user_id)
    if user is None:
        return
    token, expires, move = letter.token, asked.expires_at or 0, asked.purpose == MOVE
    answer = parse_consent(letter.lines).accepts
    over = asked.revoked_at is not None or expires < services.now()
    if over or answer is None or normalize(letter.from_address) != user.address:
        said = "over" if over else "unsure" if answer is None else "elsewhere"
        enqueue_account_email(services, session, user, said, token="" if over else token, expires=expires)
    elif not answer:
        revoke(session, services.now(), Capability.hash == asked.hash)
        if move:
            address_change.cancel(services, session, token)
        enqueue_account_email(services, session, user, "kept")
    elif move:
        came = address_change.apply_confirmation(services, session, token)
        if came != "done":  # then both were told already
            enqueue_account_email(services, session, user, came or "over")
    else:
        _request_deletion(services, session, user, token)


def _request_deletion(services: Services, session: Session, user: User, token: str) -> None:
    """Who is forgotten has no address that could be told of it."""
    done = account_deletion.apply_confirmation(services, session, token)
    if done is not True:
        enqueue_account_email(services, session, user, "over" if done is None else "leaving")
