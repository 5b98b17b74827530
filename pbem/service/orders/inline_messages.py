"""Talk within a letter of orders: PRESS TO names: words END, and DIARY: words END.

What stands between is talk and nothing else: no line of it is read as an order.  A block without its END says nothing,
so that no order is told to others by mistake; and neither does the word PRESS alone.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pbem.crypto import new_token
from pbem.narration.facts import ExecutedCommand
from pbem.service.base.services import Services
from pbem.service.base.wording import spelling_regex, spellings
from pbem.service.messages import messages
from pbem.service.messages.messages import ALL, MASTER, MessageRefused, Sender
from pbem.service.orders.submission import MessageBlock, Submission, Submitter
from pbem.store.games import occupied_seats

_PRESS: Final = re.compile(
    rf"(?:{spelling_regex('talk.say')}) (?:{spelling_regex('talk.to')}) (.{{1,200}})", re.IGNORECASE
)
_DIARY: Final = re.compile(spelling_regex("talk.diary"), re.IGNORECASE)
_END: Final = re.compile(rf"(?:^|\s)(?:{spelling_regex('talk.end')})(?:\s+(?:{spelling_regex('talk.end_of')}))?\Z")
"""In capitals, for a sentence may end with such a word."""
_ALL: Final = spellings("talk.all")
_MASTER: Final = spellings("talk.master")
_AND: Final = re.compile(rf"\s*(?:,|;|\b(?:{spelling_regex('talk.and')})\b)\s*")
_TOLD: Final = frozenset({"no_such_reader", "forbidden"})
"""Refusals that a receipt words by themselves; the others are `refused`."""


def split_orders_and_messages(lines: Sequence[str]) -> tuple[list[str], tuple[MessageBlock, ...]]:
    """The lines of orders, with blanks where talk stood, so that their numbers stay; and the talk."""
    left, found, at = list(lines), list[MessageBlock](), 0
    while at < len(left):
        begun = _parse_header(left[at])
        if begun is None:
            at += 1
            continue
        block, after = _parse_block(left, at, begun)
        found.append(block)
        left[at:after] = [""] * (after - at)
        at = after
    return left, tuple(found)


def _parse_header(line: str) -> tuple[str | None, str] | None:
    """Whom a block is for and the first of its words, if the line begins one."""
    head, colon, words = line.partition(":")
    said = " ".join(head.split()) if colon else ""
    if press := _PRESS.fullmatch(said):
        return press[1], words
    return (None, words) if _DIARY.fullmatch(said) else None


def _parse_block(lines: Sequence[str], at: int, begun: tuple[str | None, str]) -> tuple[MessageBlock, int]:
    """A block, and the line after it."""
    said = list[str]()
    for number, line in enumerate([begun[1], *lines[at + 1 :]]):
        written = line.rstrip().removesuffix(".").rstrip()
        if end := _END.search(written):
            said.append(written[: end.start()])
            return MessageBlock(begun[0], "\n".join(said), True), at + number + 1
        said.append(line.strip() if number == 0 else line)
    return MessageBlock(begun[0], "\n".join(said), False), len(lines)


def count_messages(services: Services, ticket: Submitter, blocks: Sequence[MessageBlock]) -> tuple[MessageBlock, ...]:
    """The blocks that will be said, each counted towards what a person may say in an hour."""
    will = not ticket.deputy
    return tuple(
        replace(b, is_rate_limited=messages.is_rate_limited(services, ticket.game.id, ticket.user.id))
        if b.ended and will
        else b
        for b in blocks
    )


def send_messages(submission: Submission, blocks: Sequence[MessageBlock]) -> tuple[ExecutedCommand, ...]:
    """Say what the blocks say; what came of each."""
    return tuple(
        ExecutedCommand("press" if b.to is not None else "diary", b.to or "", _outcome(submission, b)) for b in blocks
    )


def _outcome(submission: Submission, block: MessageBlock) -> str:
    if not block.ended:
        return "unended"
    if submission.dry:
        return "nothing"
    if submission.submitter.deputy:
        return "refused"
    speaker, source = Sender(submission.submitter.user, submission.submitter.seat.seat), f"within.{new_token()}"
    services, session, game = submission.services, submission.session, submission.submitter.game
    try:
        if block.to is None:
            messages.write_diary_in(services, session, game, speaker, block.text, source, often=block.is_rate_limited)
        else:
            circle = _parse_recipients(submission, block.to)
            messages.send_in(services, session, game, speaker, circle, block.text, source, often=block.is_rate_limited)
    except MessageRefused as refused:
        return refused.code if refused.code in _TOLD else "refused"
    return "done"


def _parse_recipients(submission: Submission, written: str) -> str:
    """Readers by the names of players, by seats, or all, or the master; raises CannotSay where one is not clear."""
    names = [name for name in _AND.split(written.strip().casefold()) if name]
    return messages.audience_of(_find_reader(submission, name) for name in names)


def _find_reader(submission: Submission, name: str) -> str:
    if name in _ALL:
        return ALL
    if name in _MASTER:
        return MASTER
    known = [
        (row.seat, user.name.casefold())
        for row, user in occupied_seats(submission.session, submission.submitter.game.id)
    ]
    exact = [seat for seat, called in known if name in (seat, called)]
    found = exact or [seat for seat, called in known if called.startswith(name)]
    if len(found) != 1:
        raise MessageRefused("no_such_reader")
    return found[0]
