"""Talk by mail: what a player writes to one of their addresses for talk goes on as a letter of ours.

Its own words alone go on: no header, no quotation, no signature of the letter that brought them.  A letter whose lines
read like orders says nothing, for it may well be one that was sent to the wrong address.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from pbem.common.states import GameState
from pbem.narration.facts import NoticeFacts
from pbem.service.base.services import ParsedEmail, Services
from pbem.service.base.wording import spellings
from pbem.service.mail import notifications
from pbem.service.mail.outbox import enqueue
from pbem.service.messages import messages
from pbem.service.messages.messages import MessageRefused, Sender
from pbem.service.orders import validation
from pbem.service.orders.submission import Submitter
from pbem.store.games import load_seat
from pbem.store.models import Capability, Game, User

ORDER_SCORE: Final = spellings("talk.message")
"""On the first line: these are words, whatever they look like."""
UNSIGNED: Final = spellings("talk.unsigned")


@dataclass(frozen=True)
class MessageAnalysis:
    """What was found of talk before its transaction: that it reads like orders, or is more than one may send."""

    looks_like_orders: bool = False
    is_rate_limited: bool = False


def analyze(services: Services, session: Session, game: Game, user: User, letter: ParsedEmail) -> MessageAnalysis:
    """Read a letter of talk, and count it where it will be said; raises Overspent."""
    speaker = messages.sender_of(session, game, user.id)
    lines, marks = _parse_header_lines(letter.lines)
    if speaker is not None and not marks & ORDER_SCORE and _looks_like_orders(services, session, game, speaker, lines):
        return MessageAnalysis(looks_like_orders=True)
    return MessageAnalysis(is_rate_limited=messages.is_rate_limited(services, game.id, user.id))


def send_from_email(
    services: Services,
    session: Session,
    game: Game,
    user: User,
    row: Capability,
    letter: ParsedEmail,
    mark: str,
    found: MessageAnalysis,
) -> None:
    """Say what a letter says, to the circle of its address; its writer is told who hears it, or why nobody does."""
    speaker = messages.sender_of(session, game, user.id)
    lines, marks = _parse_header_lines(letter.lines)
    try:
        if speaker is None or speaker.seat != (row.seat or ""):
            raise MessageRefused("no_such_reader")
        if found.looks_like_orders:
            raise MessageRefused("orders")
        names = messages.send_in(
            services,
            session,
            game,
            speaker,
            messages.audience_of_address(session, row),
            "\n".join(lines),
            f"letter.{mark}",
            often=found.is_rate_limited,
            unsigned=bool(marks & UNSIGNED),
        )
        facts = NoticeFacts(
            notifications.table_context(services, session, game, user), "said", {"names": names}, letter.subject
        )
    except MessageRefused as refused:
        facts = NoticeFacts(
            notifications.table_context(services, session, game, user), "unsaid", {"why": refused.code}, letter.subject
        )
    enqueue(
        services,
        session,
        key=f"notice.{mark}",
        kind="notice",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )


def _parse_header_lines(lines: Sequence[str]) -> tuple[list[str], frozenset[str]]:
    """The words of a letter, and what its first lines say about them."""
    left, marks = list(lines), set[str]()
    while left:
        word = left[0].strip(" .:!").casefold()
        if word and word not in ORDER_SCORE | UNSIGNED:
            break
        marks |= {word} - {""}
        left.pop(0)
    return left, frozenset(marks)


def _looks_like_orders(services: Services, session: Session, game: Game, speaker: Sender, lines: Sequence[str]) -> bool:
    """Return True if a player's lines would be read as orders, riders or words for luck; or are a bare command."""
    seat = load_seat(session, game.id, speaker.seat)
    if seat is None or game.state != GameState.RUNNING:
        return False
    ticket = Submitter(game, seat, speaker.user, game.entry, "")
    reading = validation.parse_for_seat(services, session, ticket, lines).reading
    alone = sum(1 for line in lines if line.strip()) == 1
    sets = any(line.line is not None for lot in reading.sets.values() for line in lot.lines)
    astray = any(line.line is not None for line in reading.unmatched)
    bare = alone and bool(reading.commands or any(lot.passed for lot in reading.sets.values()))
    return sets or astray or bare or bool(reading.riders or reading.luck)
