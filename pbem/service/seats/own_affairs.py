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
from pbem.addresses import comparable, is_address
from pbem.service.access.tokens import revoke
from pbem.service.base import limits
from pbem.service.base.consent import consent
from pbem.service.base.services import Arrived, Refused, Services
from pbem.service.seats import being_forgotten, changing_address
from pbem.service.seats.being_forgotten import FORGET
from pbem.service.seats.changing_address import MOVE, account_letter
from pbem.store.models import TokenRow, User

ADDRESS, LEAVE, FILE = "address", "forget", "file"
COMMANDS: Final = frozenset({ADDRESS, LEAVE, FILE})
PAGE: Final = "settings/kept"
"""Where a person who is signed in gets their file."""
ASKED: Final = frozenset({MOVE, FORGET})
"""The purposes of addresses that a yes is sent to."""


@dataclass(frozen=True)
class Counted:
    """What was counted of a letter before its transaction: whether its writer, and the new address, had enough."""

    often: bool = False
    enough: bool = False


def counted(services: Services, user: User, commands: Iterable[Command]) -> Counted:
    """Count what a letter asks of this; counting takes its time, so it is done outside of any transaction."""
    asked = [command for command in commands if command.name in COMMANDS]
    if not asked:
        return Counted()
    often = limits.over(services, "address_changes", str(user.id))
    to = next((command.word for command in asked if command.name == ADDRESS and is_address(command.word)), "")
    return Counted(often, bool(to) and not often and changing_address.written_to_enough(services, to))


def gets_file(commands: Iterable[Command], found: Counted) -> bool:
    """Return True if a letter from a person's own address asks for what is kept of them, and gets it."""
    return not found.often and any(command.name == FILE and command.problem is None for command in commands)


def commanded(services: Services, session: Session, user: User, command: Command, found: Counted) -> str:
    """Do what a command in a letter from a person's own address asks; what came of it.

    `done`: letters go to whom must agree. `sent`: the caller sends the file. `unsure`: no address is named.
    `refused`: it is none, or their own. `often`: too many within the hour.
    """
    if command.name == ADDRESS and not command.word:
        return "unsure"
    if found.often:
        return "often"
    if command.name == FILE:
        return "sent"
    if command.name == LEAVE:
        being_forgotten.put(services, session, user)
        return "done"
    try:
        changing_address.put(services, session, user, command.word, enough=found.enough)
    except Refused:
        return "refused"
    return "done"


def file_letter(services: Services, session: Session, user: User, file: str | None) -> None:
    """The letter with what is kept of a person; without a file it says which page has it."""
    if file is None:
        account_letter(services, session, user, "large", page=PAGE)
    else:
        account_letter(services, session, user, "file", file=file)


def by_letter(services: Services, session: Session, asked: TokenRow, letter: Arrived) -> None:
    """Take the answer of one end, if it comes from there; a letter to that end tells what came of it."""
    user = session.get(User, asked.user_id)
    if user is None:
        return
    token, expires, move = letter.token, asked.expires_at or 0, asked.purpose == MOVE
    answer = consent(letter.lines).agrees
    over = asked.revoked_at is not None or expires < services.now()
    if over or answer is None or comparable(letter.from_address) != user.address:
        said = "over" if over else "unsure" if answer is None else "elsewhere"
        account_letter(services, session, user, said, token="" if over else token, expires=expires)
    elif not answer:
        revoke(session, services.now(), TokenRow.hash == asked.hash)
        if move:
            changing_address.end(services, session, token)
        account_letter(services, session, user, "kept")
    elif move:
        came = changing_address.agreed(services, session, token)
        if came != "done":  # then both were told already
            account_letter(services, session, user, came or "over")
    else:
        _forgotten(services, session, user, token)


def _forgotten(services: Services, session: Session, user: User, token: str) -> None:
    """Who is forgotten has no address that could be told of it."""
    done = being_forgotten.agreed(services, session, token)
    if done is not True:
        account_letter(services, session, user, "over" if done is None else "leaving")
