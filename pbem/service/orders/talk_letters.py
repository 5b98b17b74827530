"""Talk by mail: what a player writes to one of their addresses for talk goes on as a letter of ours.

Its own words alone go on: no header, no quotation, no signature of the letter that brought them.  A letter whose lines
read like orders says nothing, for it may well be one that was sent to the wrong address.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from pbem.narration.facts import NoticeFacts
from pbem.service.base.services import Arrived, Services
from pbem.service.base.wording import spelt
from pbem.service.orders import weighing
from pbem.service.orders.submission import Ticket
from pbem.service.post import notifications
from pbem.service.post.outbox import draft
from pbem.service.talk import messages
from pbem.service.talk.messages import CannotSay, Speaker
from pbem.states import GameState
from pbem.store.games import seat_named
from pbem.store.models import Game, TokenRow, User

SURE: Final = spelt("talk.message")
"""On the first line: these are words, whatever they look like."""
UNSIGNED: Final = spelt("talk.unsigned")


@dataclass(frozen=True)
class Heard:
    """What was found of talk before its transaction: that it reads like orders, or is more than one may send."""

    like_orders: bool = False
    often: bool = False


def heard(services: Services, session: Session, game: Game, user: User, letter: Arrived) -> Heard:
    """Read a letter of talk, and count it where it will be said; raises Overspent."""
    speaker = messages.speaker_of(session, game, user.id)
    lines, marks = _heads(letter.lines)
    if speaker is not None and not marks & SURE and _reads_like_orders(services, session, game, speaker, lines):
        return Heard(like_orders=True)
    return Heard(often=messages.too_often(services, game.id, user.id))


def by_letter(
    services: Services,
    session: Session,
    game: Game,
    user: User,
    row: TokenRow,
    letter: Arrived,
    mark: str,
    found: Heard,
) -> None:
    """Say what a letter says, to the circle of its address; its writer is told who hears it, or why nobody does."""
    speaker = messages.speaker_of(session, game, user.id)
    lines, marks = _heads(letter.lines)
    try:
        if speaker is None or speaker.seat != (row.seat or ""):
            raise CannotSay("no_such_reader")
        if found.like_orders:
            raise CannotSay("orders")
        names = messages.say_in(
            services,
            session,
            game,
            speaker,
            messages.circle_at(session, row),
            "\n".join(lines),
            f"letter.{mark}",
            often=found.often,
            unsigned=bool(marks & UNSIGNED),
        )
        facts = NoticeFacts(
            notifications.around(services, session, game, user), "said", {"names": names}, letter.subject
        )
    except CannotSay as refused:
        facts = NoticeFacts(
            notifications.around(services, session, game, user), "unsaid", {"why": refused.code}, letter.subject
        )
    draft(
        services,
        session,
        key=f"notice.{mark}",
        kind="notice",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
        entry=game.entry,
    )


def _heads(lines: Sequence[str]) -> tuple[list[str], frozenset[str]]:
    """The words of a letter, and what its first lines say about them."""
    left, marks = list(lines), set[str]()
    while left:
        word = left[0].strip(" .:!").casefold()
        if word and word not in SURE | UNSIGNED:
            break
        marks |= {word} - {""}
        left.pop(0)
    return left, frozenset(marks)


def _reads_like_orders(
    services: Services, session: Session, game: Game, speaker: Speaker, lines: Sequence[str]
) -> bool:
    """Return True if a player's lines would be read as orders, riders or words for luck; or are a bare command."""
    seat = seat_named(session, game.id, speaker.seat)
    if seat is None or game.state != GameState.RUNNING:
        return False
    ticket = Ticket(game, seat, speaker.user, game.entry, "")
    reading = weighing.lay_open(services, session, ticket, lines).reading
    alone = sum(1 for line in lines if line.strip()) == 1
    sets = any(line.line is not None for lot in reading.sets.values() for line in lot.lines)
    astray = any(line.line is not None for line in reading.astray)
    bare = alone and bool(reading.commands or any(lot.passed for lot in reading.sets.values()))
    return sets or astray or bare or bool(reading.riders or reading.luck)
